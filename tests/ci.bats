# bats file_tags=quick,long
load helpers

# share/ci: the steps of action.yml, taken out by a YAML reader and run as a runner does, in a clone of
# a project. Replaced by stubs: `gh` (there is no GitHub here), the environment that pip installs the
# wheel in, by one with the same files, and of nbscope the targets setup, env, ab and profile, by
# recorded metrics; all else is real. tests/cirun.bats has the real ones.
setup_file() {
	cd "$ROOT" || return
	# shellcheck disable=SC2046  # names
	mk/setup/install-tree.sh "$BIN" "${BIN%/bin}/schema" "$BATS_FILE_TMPDIR/tree" $(cd "$BIN" && printf '%s\n' [a-z]*)
}
setup() {
	cd "$BATS_TEST_TMPDIR" || return
	python=$ROOT/build/testvenv/bin/python
	[ -x "$python" ] || { echo "no build/testvenv: make prepare-test makes it"; return 1; }
	version=$(cat "$ROOT/VERSION")
	mkdir -p stubs project/benchmarks/demo tool/tools cache/"$version"
	cp -R "$ROOT"/{Makefile,VERSION,mk,share} tool
	ln -s "$ROOT/build/figure-venv" cache/"$version"/figure-venv
	touch cache/"$version"/deps.done
	export NBSCOPE_CACHE=$PWD/cache
	stub_nbscope
	stub_python
	stub_gh
	echo '{"cells":[{"cell_type":"code","execution_count":null,"id":"c","metadata":{"tags":["parameters"]},"outputs":[],"source":"a = 1"}],"metadata":{},"nbformat":4,"nbformat_minor":5}' >project/benchmarks/demo/template.ipynb
	echo '{"a": [1]}' >project/benchmarks/demo/params.json
	git init -q --bare -b main origin
	git init -q -b main project
	git -C project remote add origin "$PWD/origin"
	commit base
	commit head
	git -C project push -q origin main
	day=$(git -C project show -s --format=%cd --date=format:%Y%m%d)
	base=$(git -C project rev-parse --short=7 HEAD^)-$day head=$(git -C project rev-parse --short=7 HEAD)-$day
	export GITHUB_REPOSITORY=someone/something GITHUB_STEP_SUMMARY=$PWD/summary GITHUB_OUTPUT=$PWD/output GITHUB_ACTION_PATH=$PWD/tool/share/ci GITHUB_ACTIONS=true T=$PWD
	PATH=$PWD/stubs:$PATH
}
commit() {
	git -C project add -A
	git -C project -c user.name=n -c user.email=e@x commit -q --allow-empty -m "$1"
}

# metrics SIDE FACTOR: ten repetitions of one cell, which the stub of make copies.
metrics() {
	jq -nc --argjson f "$2" 'range(1; 11) as $k |
		{type: "cell_metrics", usecase: "demo", name: "demo-a1", repetition: $k, cell_index: 1, cell_id: "c", params: {a: 1}, execution_status: "Completed",
			client_execution_time_metric: (0.2 * $f * (1 + $k / 1000)), kernel_execution_time_metric: (0.1 * $f * (1 + $k / 1000)),
			kernel_peak_rss_bytes: (1e8 + $k), client_total_data_received_metric: (1 + $k / 1e6)}' >"recorded.$1"
}

stub_nbscope() {
	cat >stubs/nbscope <<-S
	#!/bin/bash
	for word; do
		case \$word in
		A=* | B=* | LABEL=*) declare "\$word" ;;
		USECASE=*) usecase=\${word#*=} ;;
		setup | env | ab | profile) goal=\$word ;;
		WITH_*) with=\${word#*=} ;;
		esac
	done
	record() {
		mkdir -p "\$usecase/metrics/\$2"
		jq -c --arg l "\$2" '.label = \$l' "\$T/recorded.\$1" >"\$usecase/metrics/\$2/metrics.jsonl"
		metrics2csv --cells-to "\$usecase/metrics/\$2/cell_metrics.csv" "\$usecase/metrics/\$2/metrics.jsonl"
	}
	echo "\$*" >>"\$T/made"
	real=\$NBSCOPE_CACHE/ci/bin/nbscope-real
	case \$goal in
	'') exec "\$real" "\$@" ;;
	env) [ ! -e "\$T/fails" ] || [[ \$with != *"\$(cat "\$T/fails")" ]] || { echo "ERROR: no <such> thing" >&2; exit 2; } ;;
	ab) record base "\$A" && record head "\$B" && exec "\$real" compare USECASE="\$usecase" BASE="\$A" LABEL="\$B" ;;
	profile) record head "\$LABEL" ;;
	esac
	S
	chmod +x stubs/nbscope
}

stub_python() {
	cat >stubs/python3 <<-S
	#!/bin/bash
	[ "\$1 \$2 \$#" = '-m venv 3' ] || exec $(command -v python3) "\$@"
	cp -Rl "$BATS_FILE_TMPDIR/tree/." "\$3"
	mv "\$3/bin/nbscope" "\$3/bin/nbscope-real"
	cp "\$T/stubs/nbscope" "\$3/bin"
	printf '#!/bin/sh\necho "\$*" >>"\$T/installed"\n' >"\$3/bin/python"
	chmod +x "\$3/bin/python"
	S
	chmod +x stubs/python3
}

stub_gh() {
	cat >stubs/gh <<'S'
#!/bin/bash
echo "$*" >>"$T/gh"
case $* in
"api --paginate "*) cat "$T/comments" 2>/dev/null || echo '[]' ;;
"api "*) [ ! -e "$T/forbidden" ] || exit 1; while [ "$1" != --input ]; do shift; done; cp "$2" "$T/posted" ;;
*) exit 9 ;;
esac
S
	chmod +x stubs/gh
}

# steps EVENT [BEFORE]: a script of all steps, each in a shell of its own, as the runner does; its status
# is that of the job.
steps() {
	"$python" - "$ROOT/share/ci/action.yml" "$@" <<'P' || return 9
import re, shlex, sys, yaml
action, event, before = yaml.safe_load(open(sys.argv[1])), sys.argv[2], (sys.argv[3:] or [""])[0]
known = {"inputs." + k: v.get("default", "") for k, v in action["inputs"].items()}
known |= {"inputs.usecase": "benchmarks/demo", "inputs.wheel": "https://example.org/nbscope.whl", "github.event_name": event, "github.event.before": before, "github.token": "t"}
known["github.event.number"] = "7" if event == "pull_request" else ""
def value(text):
    def of(expression):
        python = re.sub(r"\b(?:inputs|github)\.[\w.-]+", lambda m: repr(known[m[0]]), expression[1])
        return str(eval(python.replace("&&", " and ").replace("||", " or ").strip()))
    return re.sub(r"\$\{\{(.*?)\}\}", of, text)
for step in action["runs"]["steps"]:
    assert ("run" in step) != ("uses" in step), step
    if "run" in step:
        assert "${{" not in step["run"], f"{step['name']}: an expression in a shell script runs what a pull request's title says"
        assert re.fullmatch(r'sh "\$GITHUB_ACTION_PATH/compare.sh" [a-z ]+( >>"\$GITHUB_OUTPUT")?', step["run"]), step
        assert step["shell"] == "sh"
        exports = [f"export {k}={shlex.quote(value(v))}" for k, v in step.get("env", {}).items()]
        print("(" + "; ".join([*exports, step["run"]]) + f") || {{ echo 'step {step['name']} failed' >&2; exit 1; }}")
P
}
job() {
	steps "$@" >job.sh
	cd project
	sh ../job.sh
}

@test "a pull request that is slower has a comment of the comparison, files, and fails at the end" {
	metrics base 1
	metrics head 1.5
	echo '[{"id":98,"body":"nbscope"},{"id":99,"body":"<!-- nbscope benchmarks/demo -->\nold"}]' >comments
	run -1 job pull_request
	has 'verdict: worse: '
	has 'step verdict failed'
	[ "$(tail -1 gh)" = "api --method PATCH repos/someone/something/issues/comments/99 --input $PWD/project/.nbscope/comment.json" ]
	run -0 jq -r .body posted
	[ "${lines[0]}" = '<!-- nbscope benchmarks/demo -->' ]
	has '+50.0'
	has "### nbscope ($head): all cells that ran completed"
	cmp <(jq -r .body posted | head -c 500) <(head -c 500 summary)
	grep -q '<failure' project/.nbscope/junit.xml
	grep -q "worse than $base" project/.nbscope/report/index.html
	grep -qx "path=$PWD/cache" output
	grep -qE '^key=nbscope-[0-9]+-[0-9]+$' output
	grep -qx 'artifact=nbscope-demo' output
	# Both sides were installed, each from its own checkout; a pull request is not in the history.
	grep -q "^env LABEL=$head WITH_$head= $PWD/project/.nbscope/head USECASE=" made
	grep -q "^ab A=$base B=$head WITH_$base= $PWD/project/.nbscope/base WITH_$head= $PWD/project/.nbscope/head USECASE=" made
	[ "$(git -C project rev-parse HEAD^ HEAD)" = "$(git -C project/.nbscope/base rev-parse HEAD; git -C project/.nbscope/head rev-parse HEAD)" ]
	[ -z "$(git -C project status --porcelain)" ]
	run ! git -C origin rev-parse -q --verify nbscope-history
}

@test "the wheel is installed once, again if it is another one, and made in the checkout if none is named" {
	cd project
	export WHEEL=https://example.org/nbscope.whl
	setup_step() { USECASE=benchmarks/demo sh "$GITHUB_ACTION_PATH/compare.sh" prepare cache setup; }
	setup_step >first
	setup_step >second
	cmp first second
	grep -F -- "-m pip install" ../installed | grep -qF "$WHEEL"
	[ "$(wc -l <../installed)" = 1 ]
	WHEEL=./other.whl
	echo one >other.whl
	setup_step >third
	run ! cmp first third
	echo two >other.whl
	setup_step
	[ "$(wc -l <../installed)" = 3 ]
	WHEEL=
	cat >../tool/Makefile <<-'M'
	wheel: ; @mkdir -p build/dist && touch build/dist/nbscope-$(file <VERSION)-py3-none-many_$(WHEEL_ARCH).whl
	M
	setup_step
	tail -n 1 ../installed | grep -qF " $T/tool/build/dist/nbscope-$version-py3-none-many_$(uname -m).whl"
	[ "$(grep -c '^setup ' ../made)" = 5 ]
}

@test "a pull request that is not slower passes, also if it may not comment" {
	metrics base 1
	metrics head 1
	touch forbidden
	run -0 job pull_request
	has 'nbscope: no comment: this job may not write one'
	has 'verdict: no worse'
	[ "$(tail -1 gh)" = "api repos/someone/something/issues/7/comments --input $PWD/project/.nbscope/comment.json" ]
	[ ! -e posted ]
}

@test "where the base does not install, the head alone is measured, and it is said why" {
	metrics head 1
	echo /base >fails
	run -0 job pull_request
	has "nbscope: the base ($base) does not install: ERROR: no <such> thing"
	run -0 jq -r .body posted
	has "**nbscope: nothing was compared**: the base ($base) does not install: ERROR: no such thing"
	has "### nbscope ($head): all cells that ran completed"
	[ -e project/.nbscope/report/index.html ]
	# Unknown is no failure, unless FAIL_ON says so.
	(cd project && sed -i "s/FAIL_ON='worse'/FAIL_ON='unknown'/" .nbscope/state && run -6 sh "$GITHUB_ACTION_PATH/compare.sh" verdict)
	# If the head itself does not install, the job fails.
	echo /head >fails
	run -1 job pull_request
	has 'nbscope: the head does not install: ERROR'
}

@test "a push is compared with the state before it, and appended to a branch, also by two at once" {
	metrics base 1
	metrics head 1.5
	git clone -q origin other
	git -C other -c user.name=n -c user.email=e@x commit -q --allow-empty -m other
	steps push "$(git -C project rev-parse HEAD^)" >job.sh
	for clone in project other; do
		cp -R cache cache.$clone
		(cd $clone && NBSCOPE_CACHE=$T/cache.$clone sh ../job.sh >../out.$clone 2>&1) &
	done
	wait
	cat out.*
	git clone -q -b nbscope-history origin history
	[ "$(jq -r 'select(.type == "label_history" and .metric == "client_execution_time_metric").label' history/demo/history.jsonl | sort -u | wc -l)" = 3 ]
	[ "$(jq -r 'select(.type == "step").label_before' history/demo/history.jsonl | sort -u)" = "$base" ]
	[ "$(grep -o '<figure class="curve">' history/demo/index.html | wc -l)" = 1 ]
	[ "$(git -C history rev-list --count HEAD)" = 3 ]
	# A branch that is new has no state before: the parent is the base.
	steps push 0000000000000000000000000000000000000000 >job.sh
	cd project
	sh -c "$(grep ' prepare)' ../job.sh)"
	[ "$(git -C .nbscope/base rev-parse HEAD)" = "$(git rev-parse HEAD^)" ]
}

@test "the other systems' files call the same script, which does all steps" {
	"$python" - "$ROOT/share/ci/gitlab.yml" <<'P'
import sys, yaml
job = yaml.safe_load(open(sys.argv[1]))["nbscope"]
assert job["script"][-1] == 'sh "$NBSCOPE_CACHE/ci/share/nbscope/share/ci/compare.sh"', job
assert set(job["variables"]) >= {"USECASE", "BASE_REF", "GIT_DEPTH"}, job
P
	grep -qF 'sh "$NBSCOPE/share/nbscope/share/ci/compare.sh"' "$ROOT/share/ci/Jenkinsfile"
	# There it is part of the environment, and installs nothing.
	python3 -m venv env
	ln -s "$PWD/env" cache/ci
	metrics base 1
	metrics head 1
	cd project
	USECASE=benchmarks/demo BASE_REF=HEAD^ HISTORY=$T/all/history run -0 sh ../env/share/nbscope/share/ci/compare.sh
	has 'verdict: no worse'
	[ ! -e ../installed ]
	[ -s "$T/all/history/demo/history.jsonl" ]
	run -2 env USECASE=nosuch sh "$GITHUB_ACTION_PATH/compare.sh" prepare
	has "nbscope: there is no 'nosuch' in "
	run -2 sh "$GITHUB_ACTION_PATH/compare.sh" measured
	has "there is no step 'measured'"
}

@test "the README's example is short, and has the inputs of the action" {
	sed -n '/^```yaml$/,/^```$/p' "$ROOT/README.md" | sed '/^```/d' >example
	[ "$(wc -l <example)" -le 10 ]
	"$python" - "$ROOT/share/ci/action.yml" example <<'P'
import sys, yaml
action, flow = (yaml.safe_load(open(f)) for f in sys.argv[1:])
[job] = flow["jobs"].values()
[step] = job["steps"]
assert job["container"] == "debian:12" and "/share/ci@" in step["uses"], job
required = {k for k, v in action["inputs"].items() if v.get("required")}
assert required <= set(step["with"]) <= set(action["inputs"]), step
P
}

@test "an environment is made by pip where uv does not reach the packages" {
	mkdir -p "$BATS_TEST_TMPDIR/build/uv/bin" "$BATS_TEST_TMPDIR/build/venv/bin"
	cd "$BATS_TEST_TMPDIR"
	ln -s "$ROOT/build/venv/bin/pip" build/venv/bin/
	printf '#!/bin/sh\necho "$UV_DEFAULT_INDEX $UV_FIND_LINKS" >told; exit 2\n' >build/uv/bin/uv
	chmod +x build/uv/bin/uv
	mkdir wheels
	"$ROOT/build/testvenv/bin/python" - <<-'P'
	import zipfile
	with zipfile.ZipFile("wheels/tiny-1-py3-none-any.whl", "w") as z:
	    z.writestr("tiny.py", "")
	    z.writestr("tiny-1.dist-info/METADATA", "Metadata-Version: 2.1\nName: tiny\nVersion: 1\n")
	    z.writestr("tiny-1.dist-info/WHEEL", "Wheel-Version: 1.0\nGenerator: t\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
	    z.writestr("tiny-1.dist-info/RECORD", "")
	P
	echo 'tiny==1' >wanted
	PIP_INDEX_URL=http://127.0.0.1:9/simple PIP_NO_INDEX=1 PIP_FIND_LINKS="wheels nowhere" run -0 sh "$ROOT/mk/setup/make-venv.sh" --without-pip build/made wanted
	[ "$(cat told)" = "http://127.0.0.1:9/simple wheels" ]
	build/made/bin/python -c 'import tiny'
}
