# The kernel that `python -m nbscope.kernel` installs: a person chooses it, and runs of nbscope work under it.
# bats file_tags=untimed
load helpers

# An environment that has the extension as pip installs it, in a path with spaces.
setup_file() {
	cd "$BATS_FILE_TMPDIR"
	export PYTHON=$PWD/'an environment'/bin/python JUPYTER_DATA_DIR=$PWD/data IPYTHONDIR=$PWD/ipython
	"$ROOT/build/venv/bin/python" -m venv --without-pip 'an environment'
	local packages
	packages=$("$PYTHON" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
	"$ROOT/build/venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))' >"$packages/base.pth"
	cp -r "$ROOT/share/ipython" source
	(cd source && "$PYTHON" -W ignore -c 'import setuptools; setuptools.setup()' -q build --build-lib "$packages")
	"$PYTHON" -m nbscope.kernel install --user
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	export TMPDIR=$BATS_TEST_TMPDIR
}

kernelspec() {
	"$PYTHON" -m nbscope.kernel "$@"
}

@test "a kernelspec has the Python that installed it, and only such a one is replaced or removed" {
	data=$JUPYTER_DATA_DIR/kernels
	run -0 jq -c '.argv[0], .argv[-1], .display_name' "$data/nbscope/kernel.json"
	[ "$output" = "\"$PYTHON\""$'\n"--ext=nbscope.kernel"\n"Python 3 (nbscope)"' ] || has argv
	[ -s "$data/nbscope/logo-64x64.png" ]
	run -0 kernelspec install --sys-prefix --name Mine --display-name 'My own'
	has "installed the kernel 'My own' in $BATS_FILE_TMPDIR/an environment/share/jupyter/kernels/mine"
	run -0 kernelspec install --prefix "$PWD/a prefix"
	run -0 kernelspec install --prefix "$PWD/a prefix"
	run -0 kernelspec remove --prefix "$PWD/a prefix"
	run -0 kernelspec remove --name mine
	[ -z "$(find "$PWD/a prefix" "$BATS_FILE_TMPDIR/an environment" -name kernel.json)" ]
	run -1 kernelspec remove --name mine
	has "there is no kernel 'mine'"
	mkdir -p "$data/theirs"
	echo '{"argv": ["python"], "display_name": "Theirs", "language": "python"}' >"$data/theirs/kernel.json"
	for action in 'remove' 'remove --user' 'install --user' 'install --sys-prefix'; do
		run -1 kernelspec $action --name theirs
		has "theirs' is a kernel of something else"
	done
	run -1 kernelspec install --user --name python3
	has 'is a kernel of something else'
	[ -s "$data/theirs/kernel.json" ] && [ -s "$data/nbscope/kernel.json" ]
	PYTHONPATH=$ROOT/share/ipython run -1 "$ROOT/build/testvenv/bin/python" -m nbscope.kernel install --user
	has 'has no ipykernel'
}

# under NAME: the cells on stdin as a notebook of this kernel, driven.
under() {
	python3 "$ROOT/tests/nb.py" "$1.new"
	jq '.metadata.kernelspec.name = "nbscope"' "$1.new" >"$1.ipynb"
	kernelrun --executed "$1.done.ipynb" "$1.ipynb" >"$1.jsonl"
}
export -f under

@test "a person's kernel has the magics, and a run under it loads and samples what the same run does without it" {
	cat >driven <<'EOS'
set -e
"$ROOT/build/venv/bin/python" "$ROOT/tests/kernel.py" 'import sys, nbscope
print(sys.executable, nbscope.__file__)
%load_ext nbscope
%nbscope
print("hooks:", len([f for f in get_ipython().events.callbacks["pre_run_cell"] if f.__module__.startswith("nbscope")]))' nbscope >person
under plain <<<'[("code", "print(\"nbscope\" in get_ipython().magics_manager.magics[\"line\"])\nx = sum(range(10**6))")]'
under used <<'EON'
[("code", "x = sum(range(10**6))"), ("code", "y = 1\n%nbscope --history"),
 ("code", "import nbscope\nwith nbscope.emissions('all') as all:\n    with nbscope.emissions() as part: sum(range(10**6))\n    try:\n        with nbscope.emissions('bad'): 1 / 0\n    except ZeroDivisionError: pass"),
 ("code", "all")]
EON
echo '{"profilers": ["functions"], "cells": null, "functions": [], "overlay": null}' >p.json
cellprofile p.json kernelrun plain.ipynb >profiled.jsonl
EOS
	CARBON_INTENSITY=380 labserve --kernel-prefix env bash driven 3>&-
	run -0 cat person
	has "$PYTHON $BATS_FILE_TMPDIR/an environment/lib"
	has 'already loaded'
	has 'no cell has been recorded yet'
	has 'hooks: 2'
	# What is not needed is not loaded.
	run -0 jq -sc '(.[0] | .kernel, .settings.extension), (map(select(.type == "cell").status))' plain.jsonl
	[ "$output" = $'"nbscope"\nnull\n["completed"]' ] || has nothing
	run -0 jq -r '.cells[0].outputs[0].text | if type == "array" then add else . end' plain.done.ipynb
	[ "$output" = False ] || has False
	# A magic within a cell is needed, too.
	run -0 jq -c 'select(.type == "run").settings.extension' used.jsonl
	[ "$output" = '{"magics":["nbscope"],"loaded":true,"reason":null}' ] || has nothing
	run -0 jq -c '.cells[1].outputs | map(.text) | tostring | contains("x = sum(range(10**6))")' used.done.ipynb
	[ "$output" = true ] || has true
	run -0 jq -c 'select(.type == "profile") | [.profiler, .reason]' profiled.jsonl
	[ "$output" = '["functions",null]' ] || has nothing
	# Blocks, from the one that ended first.
	run -0 jq -sc 'map(select(.type == "emissions")) | map([.cell_index, .name, .status]),
		[.[2].duration_s >= .[0].duration_s, .[2].energy_j > .[0].energy_j, .[0].energy_j > 0, .[2].co2e_g > 0, .[2].reason]' used.jsonl
	[ "$output" = $'[[3,null,"completed"],[3,"bad","failed"],[3,"all","completed"]]\n[true,true,true,true,null]' ] || has nothing
	run -0 jq -c '.cells[2:][].outputs | map(.data | keys)' used.done.ipynb
	[ "$output" = $'[["application/vnd.nbscope.record+json"],["application/vnd.nbscope.record+json"],["application/vnd.nbscope.record+json"]]\n[["text/plain"]]' ] || has 'no text'
	run -0 jq -r '.cells[3].outputs[0].data["text/plain"] | if type == "array" then add else . end' used.done.ipynb
	has 'emissions of all: '
	has ' g of CO2e, '
	run -0 "$ROOT/build/testvenv/bin/python" "$ROOT/tests/validate" --strict used.jsonl
}
