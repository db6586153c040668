# bats file_tags=untimed
# The container of share/container, whose root file system make test-container makes.
load helpers

container=$ROOT/build/container

setup() {
	cd "$ROOT" || return
	case $BATS_TEST_DESCRIPTION in
	*'container definitions'* | *'build arguments'*) ;;
	*)
		[ "$(id -u)" = 0 ] || skip 'not root'
		[ -e "$container/.done" ] || skip 'no build/container: make test-container makes it'
		data=$BATS_TEST_TMPDIR/data
		mkdir "$data"
		chmod a+x "$BATS_RUN_TMPDIR" "$BATS_TEST_TMPDIR" ;;
	esac
}

# A container has none of our variables.
clean=(env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin)

# contained COMMAND...: as podman runs it, with $data as /data.
contained() {
	run "${clean[@]}" share/container/run "$container/root" "$data" tini -- /opt/container/enter "$@"
}

# sandboxed: how the browser was started, and whether a process of it has a namespace of its own.
sandboxed() {
	contained wdsession sh -c '
		tr "\0" "\n" <"/proc/$WD_BROWSER_PID/cmdline" | grep -x -e --no-sandbox || echo "no such option"
		id -u
		own=$(readlink "/proc/$WD_BROWSER_PID/ns/user")
		for process in /proc/[0-9]*; do
			case $(tr "\0" " " 2>/dev/null <"$process/cmdline") in
			*--type=render[e]r*) [ "$(readlink "$process/ns/user")" = "$own" ] && echo open || echo sandboxed ;;
			esac
		done | sort -u'
}

@test "both container definitions are made by one script, and have the same files, which the engine sees" {
	local file script files=$BATS_TEST_TMPDIR/files
	for script in provision enter; do
		[ -x "share/container/$script" ]
		grep -q "^RUN /opt/container/$script\|\"/opt/container/$script\"" share/container/Containerfile
		grep -q "/opt/container/$script" share/container/nbscope.def
	done
	sed -n 's/^COPY \(.*\) [^ ]*$/\1/p' share/container/Containerfile | tr ' ' '\n' >"$files"
	[ "$(wc -l <"$files")" = 3 ]
	sed -n '/^%files/,/^%post/s/^	\([^ ]*\) .*/\1/p' share/container/nbscope.def | diff "$files" -
	while read -r file; do
		case $file in share/container/*) grep -qx '!share/container' .dockerignore ;; *.whl) grep -qx '!build/dist/\*.whl' .dockerignore ;; esac
	done <"$files"
	# The same Debian, in both.
	[ "$(sed -n 's/^From: //p' share/container/nbscope.def)" = "$(sed -n 's/^ARG BASE=//p' share/container/Containerfile)" ]
}

@test "further packages go to the image as build arguments; what they cannot be is refused before anything is built" {
	local fake=$BATS_TEST_TMPDIR/fake
	mkdir "$fake"
	printf '#!/bin/sh\nprintf "<%%s>\\n" "$@"\n' >"$fake/podman"
	chmod +x "$fake/podman"
	printf '# mine\nfink-utils==0.13\npandas; python_version > "3"\n' >"$BATS_TEST_TMPDIR/r.txt"
	image() { PATH=$fake:$PATH run make --no-print-directory container MAKE=: "$@"; }
	image APT='openjdk-17-jre-headless zstd' REQUIREMENTS="$BATS_TEST_TMPDIR/r.txt"
	status_is 0
	has '<APT=openjdk-17-jre-headless zstd>'
	has $'<REQUIREMENTS=# mine\nfink-utils==0.13\npandas; python_version > "3">'
	image USECASE=spark_udf
	has '<APT=openjdk-17-jre-headless>'
	has 'pyspark=='
	image
	has $'<APT=>\n<--build-arg>\n<REQUIREMENTS=>'
	# What the arguments are used for.
	for name in APT REQUIREMENTS; do grep -qx "ARG $name=" share/container/Containerfile; done
	echo '-e ../module' >>"$BATS_TEST_TMPDIR/r.txt"
	image REQUIREMENTS="$BATS_TEST_TMPDIR/r.txt"
	status_is 2
	has "'-e ../module'"
	[[ $output != *'<build>'* ]]
	image APT='jq; true'
	has "APT must be names of Debian packages, not 'jq; true'"
	image REQUIREMENTS=/nonexistent
	has "REQUIREMENTS must be the path of a file"
}

@test "the quickstart completes in the container as the owner of the folder, who owns its results" {
	chown 1234:1234 "$data"
	contained profile WHERE=image_pixel_side=250
	status_is 0
	has 'verdict: 1 notebook profiled, 8 cells, all completed'
	has 'next: nbscope report'
	[ -s "$data/usecases/quickstart/metrics/current/cell_metrics.csv" ]
	run find "$data" ! -uid 1234
	[ -z "$output" ] || has 'nothing of others'
	contained report
	status_is 0
	contained metricstat usecases/quickstart/metrics/current/cell_metrics.csv
	status_is 0
	# Nothing of the image was written.
	run find "$container/root/opt/nbscope" -newer "$container/.done"
	[ -z "$output" ] || has 'an unchanged image'
}

@test "a use case in the folder itself, and a notebook in it, are profiled where they are" {
	cp share/usecase/{template.ipynb,params.json} "$data"
	chown -R 1234:1234 "$data"
	contained profile BROWSER=none WHERE=n_points=1000
	has 'all completed'
	[ -e "$data/metrics/current/verdict.json" ]
	python3 tests/nb.py "$data/one.ipynb" <<<'[("code", "1 + 1")]'
	contained run one.ipynb BROWSER=none
	has '1 notebook profiled, 1 cell, all completed'
	[ -e "$data/nbscope/one/metrics/current/verdict.json" ]
	[ ! -e "$data/usecases/quickstart" ]
}

@test "Chromium has its sandbox in the container, for an ordinary user and for a rootless root" {
	chown 1234:1234 "$data"
	sandboxed
	has $'no such option\n1234\nsandboxed'
	[[ $output != *open* ]]
	chown 0:0 "$data"
	sandboxed
	has $'no such option\n1000\nsandboxed'
	[[ $output != *open* ]]
}

@test "where no user namespace can be made in the container, Chromium runs without its sandbox" {
	# Under 1234 in a namespace whose limit is 0.
	run "${clean[@]}" share/container/run "$container/root" "$data" unshare --user --map-user=1234 --map-group=1234 --keep-caps sh -c '
		echo 0 >/proc/sys/user/max_user_namespaces
		exec setpriv --inh-caps=-all --ambient-caps=-all /opt/container/enter wdsession sh -c "tr \"\\0\" \"\\n\" <\"/proc/\$WD_BROWSER_PID/cmdline\" | grep -x -e --no-sandbox; id -u"'
	status_is 0
	has $'--no-sandbox\n1234'
}

# With the wheel's programs, which replace those that are compiled for the tests' own C programs.
@test "the quick tests pass in the container as an ordinary user" {
	mkdir "$data/copy"
	git ls-files -z | tar -c --null -T - | tar -x -C "$data/copy"
	chown -R 1234:1234 "$data"
	contained sh -euc 'cd copy && git init -q && git add . && mkdir build
		ln -s /opt/nbscope build/venv && ln -s /opt/nbscope/cache/*/figure-venv build/
		make -s programs build/testvenv/.done
		for program in build/bin/*; do cp "/opt/nbscope/bin/${program##*/}" build/bin/; done
		bats --tap --filter-tags quick,!thorough tests'
	[[ $output != *$'\nnot ok '* ]] || { grep -A15 '^not ok' <<<"$output"; return 1; }
	[ "$(grep -c '^ok ' <<<"$output")" -gt 500 ]
}
