# bats file_tags=untimed,long
load helpers

# share/ci/compare.sh on a small package of a git repository: a wheel of the programs here, real
# environments, JupyterLab and nbscope ab, with kernels alone (BROWSER=none) and without a network.
# tests/ci.bats has its other steps.
setup_file() {
	local cache=$BATS_FILE_TMPDIR/cache version=$(cat "$ROOT/VERSION")
	cd "$ROOT" || return
	# shellcheck disable=SC2046  # names
	mk/setup/install-tree.sh "$BIN" "${BIN%/bin}/schema" "$BATS_FILE_TMPDIR/tree" $(cd "$BIN" && printf '%s\n' [a-z]*)
	python3 share/wheel/write_wheel.py "$BATS_FILE_TMPDIR/tree" "$(uname -m)" "$BATS_FILE_TMPDIR"
	# Where the wheel is installed there is a JupyterLab, and what draws figures has been made.
	mkdir -p "$cache/$version/figure-venv"
	build/venv/bin/python tests/linkenv.py "$cache/ci" jupyterlab pip
	ln -s "$ROOT"/build/figure-venv/* "$cache/$version/figure-venv"
	touch -d tomorrow "$cache/$version/figure-venv/.done"
}
setup() {
	cd "$BATS_TEST_TMPDIR" || return
	export NBSCOPE_CACHE=$BATS_FILE_TMPDIR/cache
	WHEEL=$(echo "$BATS_FILE_TMPDIR"/*.whl)
	export WHEEL
	mkdir -p wheels project/benchmarks/bench
	a_kernel
	cd project
	git init -q -b main .
	printf '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n[project]\nname = "tiny"\nversion = "1"\n' >pyproject.toml
	cat >backend.py <<'P'
import zipfile


def build_wheel(folder, config_settings=None, metadata_directory=None):
    name, info = "tiny-1-py3-none-any.whl", "tiny-1.dist-info"
    with zipfile.ZipFile(f"{folder}/{name}", "w") as z:
        z.write("tiny.py")
        z.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: tiny\nVersion: 1\n")
        z.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: t\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        z.writestr(f"{info}/RECORD", "")
    return name
P
	echo '[("code", "import tiny"), ("code", "tiny.work()")]' | python3 "$ROOT/tests/nb.py" benchmarks/bench/template.ipynb
	echo '{}' >benchmarks/bench/params.json
	export PIP_NO_INDEX=1 PIP_FIND_LINKS=$BATS_TEST_TMPDIR/wheels BROWSER=none GATE=kernel MAX_TIME=5min
	export USECASE=benchmarks/bench HISTORY=$BATS_TEST_TMPDIR/history BASE_REF=
}
# A wheel of ipykernel for the environments: it lends them the packages of JupyterLab's.
a_kernel() {
	"$ROOT/build/testvenv/bin/python" - "$(sed -n 's/^ipykernel==//p' "$ROOT/share/lab/requirements.txt")" "$ROOT"/build/venv/lib/python3.*/site-packages <<'P'
import sys, zipfile
version, packages = sys.argv[1:]
info = f"ipykernel-{version}.dist-info"
with zipfile.ZipFile(f"wheels/ipykernel-{version}-py3-none-any.whl", "w") as z:
    z.writestr("lent.pth", packages)
    z.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: ipykernel\nVersion: {version}\n")
    z.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: t\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
    z.writestr(f"{info}/RECORD", "")
P
}
# version SECONDS: a commit of the package whose function takes that long.
version() {
	printf 'import time\n\n\ndef work():\n    time.sleep(%s)\n' "$1" >tiny.py
	git add -A
	git -c user.name=n -c user.email=e@x commit -q --allow-empty -m "$1 s, $RANDOM"
}
compared() {
	run sh "$ROOT/share/ci/compare.sh" tools prepare setup measure report history verdict
	comment=$(cat .nbscope/comment.md)
}

@test "a change that makes a function slower fails, and each side ran in its own environment" {
	version 0.05
	version 0.5
	compared
	status_is 1
	[[ ${lines[-1]} == 'verdict: worse: kernel time of bench'* ]] || has worse
	[[ $comment == *'| bench cell 2 | 5'*' ms '*' | 5'*' ms '*' | worse |'* ]] || { echo "$comment"; false; }
	[ -x "$NBSCOPE_CACHE/ci/bin/metricjunit" ]
	[ -e .nbscope/junit.xml ]
	[ -e .nbscope/report/index.html ]
	[ "$(jq -r 'select(.type == "step" and .cell_index == 2).metric' "$HISTORY/bench/history.jsonl")" = kernel_execution_time_metric ]
	[ "$(jq -r 'select(.type == "label_history").machine.host' "$HISTORY/bench/history.jsonl" | uniq)" = "$(uname -n)" ]
}

# bats test_tags=thorough
@test "a change that makes nothing slower passes" {
	version 0.2
	version 0.2
	compared
	status_is 0
	[[ ${lines[-1]} == 'verdict: no worse: '* ]] || has 'no worse'
}

# bats test_tags=thorough
@test "where the base does not install, the head's notebook runs, and it is said" {
	version 0.05
	mv pyproject.toml kept
	printf '[build-system]\nrequires = ["nosuch"]\n' >pyproject.toml
	version 0.06
	mv kept pyproject.toml
	version 0.07
	compared
	status_is 0
	has 'does not install: '
	[[ $comment == *'nothing was compared'*'does not install'*'all cells that ran completed'* ]] || { echo "$comment"; false; }
	[ -e .nbscope/report/index.html ]
	[ ! -d .nbscope/run/bench/runs/"$(sed -n "s/^A='\(.*\)'/\1/p" .nbscope/state)" ]
}
