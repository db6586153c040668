# bats file_tags=quick
load helpers

# share/ci's workflow: its `run:` steps, taken out by a YAML reader and run as a
# runner does.  Not run: "tools" and "setup" (they install packages from the
# network).  Replaced by stubs: `gh` (there is no GitHub here) and `make profile` (a
# browser and minutes), by recorded metrics; make itself is real for all else.
setup() {
	cd "$BATS_TEST_TMPDIR" || return
	python=$ROOT/build/testvenv/bin/python
	[ -x "$python" ] || { echo "no build/testvenv: make prepare-test makes it"; return 1; }
	mkdir -p stubs work/usecases/demo steps
	ln -s "$ROOT" work/.nbscope
	echo '{"cells":[{"cell_type":"code","execution_count":null,"id":"c","metadata":{"tags":["parameters"]},"outputs":[],"source":"a = 1"}],"metadata":{},"nbformat":4,"nbformat_minor":5}' >work/usecases/demo/template.ipynb
	echo '{"a": [1]}' >work/usecases/demo/params.json
	stub_make
	stub_gh
	take_steps
	export GITHUB_WORKSPACE=$PWD/work GITHUB_REPOSITORY=someone/something GITHUB_STEP_SUMMARY=$PWD/summary PR=7 T=$PWD
	PATH=$PWD/stubs:$PATH
}

# metrics LABEL FACTOR: ten repetitions of one cell.
metrics() {
	jq -nc --arg l "$1" --argjson f "$2" 'range(1; 11) as $k |
		{type: "cell_metrics", usecase: "demo", name: "demo-a1", label: $l, repetition: $k, cell_index: 1, cell_id: "c", params: {a: 1}, execution_status: "Completed",
			client_execution_time_metric: (0.2 * $f * (1 + $k / 1000)), kernel_execution_time_metric: (0.1 * $f * (1 + $k / 1000)),
			kernel_peak_rss_bytes: (1e8 + $k), client_total_data_received_metric: (1 + $k / 1e6)}'
}

stub_make() {
	cat >stubs/make <<-S
	#!/bin/bash
	for word; do
		case \$word in
		LABEL=*) label=\${word#*=} ;;
		USECASE=*) usecase=\${word#*=} ;;
		profile) profile=1 ;;
		esac
	done
	[ "\$profile" ] || exec $(command -v make) "\$@"
	echo "\$*" >>"\$T/profiled"
	mkdir -p "\$usecase/metrics/\$label"
	cp "\$T/recorded" "\$usecase/metrics/\$label/metrics.jsonl"
	exit "\$(cat "\$T/profile_status" 2>/dev/null || echo 0)"
	S
	chmod +x stubs/make
}

stub_gh() {
	cat >stubs/gh <<'S'
#!/bin/bash
echo "$*" >>"$T/gh"
case $* in
"run list "*) cat "$T/run_id" 2>/dev/null || true ;;
"run download "*)
	while [ "$1" != --dir ]; do shift; done
	mkdir -p "$2" && cp "$T/baseline" "$2/metrics.jsonl" ;;
"api --paginate "*) cat "$T/comment_id" 2>/dev/null || true ;;
"api "*) cp comment.json "$T/posted" ;;
*) exit 9 ;;
esac
S
	chmod +x stubs/gh
}

# Each step's shell into steps/NAME, the workflow's environment into steps/.env.
take_steps() {
	"$python" - "$ROOT/share/ci/github.yml" steps <<'P'
import pathlib, sys, yaml
flow = yaml.safe_load(open(sys.argv[1]))
to = pathlib.Path(sys.argv[2])
assert set(flow[True]) == {"push", "pull_request"}, "when"
for step in flow["jobs"]["profile"]["steps"]:
    assert ("run" in step) != ("uses" in step), step
    assert "${{" not in step.get("run", ""), f"{step['name']}: an expression in a shell script runs what a pull request's title says"
    if "run" in step:
        (to / step["name"]).write_text(step["run"])
(to / ".env").write_text("".join(f"export {k}='{v}'\n" for k, v in flow["env"].items() if "${{" not in str(v)))
(to / ".names").write_text("\n".join(s["name"] for s in flow["jobs"]["profile"]["steps"] if "run" in s))
P
}

# steps LABEL NAME...: as the runner does, each in a shell of its own.
steps() {
	label=$1
	shift
	for name; do
		(cd work && . ../steps/.env && unset WITH && LABEL=$label bash -e "../steps/$name") || { echo "step '$name' failed"; return 1; }
	done
}

@test "the workflow has the steps that this file runs, and no other shell" {
	[ "$(cat steps/.names)" = $'tools\nsetup\nbaseline\nprofile\nsummary\ncomment\nverdict' ]
	for s in steps/*; do bash -n "$s"; done
	if command -v shellcheck; then shellcheck -s bash steps/*; fi
}

@test "on main the run leaves a baseline and says so" {
	metrics baseline 1 >recorded
	run steps baseline profile summary verdict
	status_is 0
	grep -q 'profile USECASE=.*/usecases/demo LABEL=baseline REPEAT=10' profiled
	grep -q 'This is the baseline' summary
	[ -s work/usecases/demo/metrics/baseline/junit.xml ]
}

@test "a pull request that is no worse passes, with a comment of the summary and the comparison" {
	metrics baseline 1 >baseline
	metrics pr 1 >recorded
	echo 4711 >run_id
	run steps pr baseline profile summary comment verdict
	status_is 0
	has 'verdict: no worse'
	grep -q '^run download 4711 --repo someone/something --name nbscope-baseline --dir usecases/demo/metrics/baseline$' gh
	[ "$(tail -1 gh)" = 'api repos/someone/something/issues/7/comments --input comment.json' ]
	run jq -r .body posted
	has '<!-- nbscope -->'
	has '### nbscope (pr): all cells that ran completed'
	has 'no worse'
	cmp <(jq -r .body posted | head -c 500) <(head -c 500 summary)
}

@test "a pull request that is worse has its comment renewed, and fails at the end" {
	metrics baseline 1 >baseline
	metrics pr 1.5 >recorded
	echo 4711 >run_id
	echo 99 >comment_id
	run steps pr baseline profile summary comment
	status_is 0
	[ "$(tail -1 gh)" = 'api --method PATCH repos/someone/something/issues/comments/99 --input comment.json' ]
	run jq -r .body posted
	has 'worse'
	has '+50.0'
	run steps pr verdict
	status_is 1
	has 'profile 0, compare 2'
}

@test "without a baseline nothing is compared; a failed profile is reported after the comment" {
	metrics pr 1 | sed '3s/Completed/Failed/' >recorded
	echo 2 >profile_status
	run steps pr baseline profile summary comment
	status_is 0
	run jq -r .body posted
	has 'There is no baseline yet'
	has '1 of 10 cells did not complete'
	[ "$(grep -c 'run download' gh)" = 0 ]
	run steps pr verdict
	status_is 1
	has 'profile 2, compare 0'
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
