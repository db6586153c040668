# bats file_tags=untimed,long
# The Python wheels that make wheel wrote, and what they do where nothing else of nbscope is. With
# ALL=1 make prepare-test makes them, the root file system and the emulator.
load helpers

WHEELS=$ROOT/build/wheel
version=$(cat "$ROOT/VERSION")

setup() { cd "$BATS_TEST_TMPDIR" || return; }

# wheel_for ARCH
wheel_for() { echo "$ROOT/build/dist/nbscope-$version-py3-none-manylinux_2_17_$1.manylinux2014_$1.whl"; }

# unpack ARCH: its files in the folder ARCH.
unpack() {
	mkdir "$1"
	(cd "$1" && python3 -m zipfile -e "$(wheel_for "$1")" .)
	chmod +x "$1"/*.data/scripts/* "$1"/*.data/data/share/nbscope/bin/*
}

# bats test_tags=thorough
@test "programs of both processors need glibc alone, not newer than 2.17" {
	local arch file n
	for arch in x86_64 aarch64; do
		unpack "$arch"
		n=0
		for file in "$arch"/*.data/scripts/* "$arch"/*.data/data/share/nbscope/bin/* "$WHEELS/$arch"/obj/*.so; do
			[ "${file##*/}" != nbscope ] || continue
			readelf -hdV "$file" >elf 2>/dev/null
			grep -qi "machine:.*${arch/_/-}" elf
			run -1 grep -oE 'Shared library: \[[^]]*' <(grep -vE '\[(libc\.so\.6|libm\.so\.6|libpthread\.so\.0|libdl\.so\.2|librt\.so\.1|ld-linux[-a-z0-9_]*\.so\.[0-9])\]' elf)
			grep -o 'GLIBC_2\.[0-9]*' elf | sed 's/.*\.//' | sort -n | tail -n 1 >newest
			[ "$(cat newest)" -le 17 ] || { echo "$file needs glibc 2.$(cat newest)"; return 1; }
			n=$((n + 1))
		done
		[ $n -gt 35 ]
	done
}

# bats test_tags=thorough
@test "a wheel contains no path of the machine that made it" {
	local arch
	for arch in x86_64 aarch64; do
		unpack "$arch"
		run -1 grep -rlF -e "$ROOT" -e /tmp/tmp. -e "$HOME/" "$arch"
	done
}

# bats test_tags=thorough
@test "programs that are compiled again in another folder give the same bytes" {
	mkdir -p elsewhere/build
	git -C "$ROOT" ls-files -z | tar -c -C "$ROOT" --null -T - | tar -x -C elsewhere
	cp -a "$ROOT"/build/{bin,obj,schema,.built,wheel} "$ROOT"/build/*.done elsewhere/build
	ln -s "$ROOT/build/wheel-venv" elsewhere/build/wheel-venv
	rm -rf elsewhere/build/wheel/x86_64/obj elsewhere/build/wheel/x86_64/bin
	make -C elsewhere --no-print-directory wheel WHEEL_ARCH=x86_64
	cmp "elsewhere/build/dist/$(basename "$(wheel_for x86_64)")" "$(wheel_for x86_64)"
}

# bats test_tags=thorough
@test "pip installs it, %load_ext nbscope finds its programs, and pip removes all of it" {
	python3 -m venv v
	find v -type f ! -name "*.pyc" | sort >before
	v/bin/pip install --quiet --no-index --no-compile "$(wheel_for x86_64)"
	[ "$(v/bin/nbscope --version)" = "nbscope $version" ]
	[ "$(v/bin/cellmetrics --version)" = "cellmetrics (nbscope) $version" ]
	run -0 env -u PATH v/bin/python -c 'import nbscope.programs as p; print(p.find("procsample"))'
	[ "$output" = "$PWD/v/bin/procsample" ]
	v/bin/pip uninstall --quiet --yes nbscope
	diff before <(find v -type f ! -name "*.pyc" | sort)
}

# bats test_tags=thorough
@test "arm64's programs print their help, and its filters what those here print" {
	local program qemu=$ROOT/build/testqemu
	[ -x "$qemu/usr/bin/qemu-aarch64-static" ] || skip 'no emulator'
	unpack aarch64
	for program in aarch64/*.data/scripts/*; do
		[ "${program##*/}" != nbscope ] || continue
		"$qemu/usr/bin/qemu-aarch64-static" -L "$qemu/usr/aarch64-linux-gnu" "$program" --help >there
		"$BIN/${program##*/}" --help | cmp - there
	done
	emulated() { "$qemu/usr/bin/qemu-aarch64-static" -L "$qemu/usr/aarch64-linux-gnu" aarch64/*.data/scripts/"$1" "${@:2}"; }
	for pass in here emulated; do
		here() { "$BIN/$1" "${@:2}"; }
		"$pass" nbexpand "$ROOT/usecases/quickstart/params.json" >"$pass.combinations"
		"$pass" cellmetrics "$ROOT/tests/data/runs.jsonl" >"$pass.metrics"
		"$pass" metrics2csv "$pass.metrics" >"$pass.csv"
		"$pass" metricstat --of client_execution_time_metric "$pass.csv" >"$pass.stat"
		"$pass" metricprom "$pass.metrics" >"$pass.prom"
	done
	for file in here.*; do
		[ -s "$file" ]
		cmp "$file" "emulated.${file#here.}"
	done
}

# in_clean_root COMMAND...: as an ordinary user of a system without a compiler, with $PWD/data as /data.
in_clean_root() {
	"$ROOT/share/container/run" "$ROOT/build/cleanroot/root" "$PWD/data" env -i PATH=/usr/bin:/bin LC_ALL=C.UTF-8 HOME=/data \
		setpriv --reuid 1234 --regid 1234 --clear-groups "$@"
}

# bats test_tags=thorough
@test "from a clean system without root to the first table of one's own notebook, with and without a browser" {
	local table
	[ -d "$ROOT/build/cleanroot/root/data" ] || skip 'not root'
	chmod a+x "$BATS_RUN_TMPDIR" "$BATS_TEST_TMPDIR"
	mkdir data
	cp "$(wheel_for x86_64)" data
	cat >data/mine.ipynb <<-'J'
		{"cells": [{"cell_type": "code", "id": "a", "execution_count": null, "metadata": {}, "outputs": [],
		"source": "import time\ntime.sleep(.3)\nprint(1)"}], "metadata": {"kernelspec": {"name": "python3",
		"display_name": "x", "language": "python"}}, "nbformat": 4, "nbformat_minor": 5}
	J
	chown -R 1234:1234 data
	run -127 in_clean_root sh -c 'cc || gcc || clang'
	in_clean_root sh -c 'python3 -m venv v && v/bin/pip install --quiet jupyterlab ipykernel && v/bin/pip install --quiet --no-index *.whl'
	for settings in BROWSER=none 'BROWSER=chromium LABEL=page'; do
		# shellcheck disable=SC2086  # words
		run in_clean_root v/bin/nbscope run mine.ipynb $settings
		echo "$output"
		status_is 0
		has '1 notebook profiled, 1 cell, all completed'
		table=data/nbscope/mine/metrics/current/cell_metrics.csv
	done
	[ -s "$table" ]
	[ -s data/nbscope/mine/metrics/page/cell_metrics.csv ]
}
