# The recipes of nbscope-recipes(7), with the real pytest, Snakemake, Jupyter Book and scrapbook.
# bats file_tags=untimed
load helpers
load make

setup() {
	python=$ROOT/build/testvenv/bin/python recipes=$ROOT/share/examples/recipes
	tools=$ROOT/build/recipes/bin
	cd "$BATS_TEST_TMPDIR" || return
	export NBSCOPE="make --no-print-directory -C $ROOT"
}

# needs_tools: what only ALL=1 installs.
needs_tools() {
	[ -e "${tools%/bin}/.done" ] || skip 'build/recipes: make prepare-test ALL=1'
}

# notebook FILE: the cells on standard input.
notebook() {
	"$python" "$ROOT/tests/nb.py" "$1"
}

@test "pytest fails a notebook that exceeds its budget or has an error, and passes others" {
	mkdir -p notebooks/nbscope/{slow,fast}
	cp "$recipes/conftest.py" notebooks
	notebook notebooks/slow.ipynb <<<'[("code", "import time"), ("code", "time.sleep(0.5)")]'
	cp notebooks/slow.ipynb notebooks/fast.ipynb
	notebook notebooks/bad.ipynb <<<'[("code", "{}[\"missing\"]")]'
	echo '- kernel: 0.4 s' >notebooks/nbscope/slow/budgets.yaml
	echo '- kernel: 60 s' >notebooks/nbscope/fast/budgets.yaml
	run -1 "$python" -m pytest -p no:cacheprovider notebooks
	has '2 failed, 1 passed'
	has 'over budget: kernel time of slow cell 2'
	has 'FAILED notebooks/bad.ipynb::within_budget'
	has "KeyError: 'missing'"
	# Results are no notebooks to test.
	run "$python" -m pytest -p no:cacheprovider --collect-only -q notebooks
	has '3 tests collected'
}

@test "the workflow's job summary has the table of its notebook, and its commands are real" {
	export BROWSER=none
	mkdir docs
	make --no-print-directory -C "$ROOT" install PREFIX="$PWD/prefix"
	export NBSCOPE_CACHE=$PWD/cache VENV=${NBSCOPE_VENV:-$ROOT/build/venv}
	notebook docs/viewer.ipynb <<<'[("code", "import time\ntime.sleep(0.1)"), ("code", "1 / 0")]'
	"$python" - "$recipes/summary.yml" <<-'P'
	import sys, yaml
	steps = yaml.safe_load(open(sys.argv[1]))["jobs"]["times"]["steps"]
	runs = [s for s in steps if "run" in s and "pip install" not in s["run"]]
	assert len(runs) == 2 and runs[1]["if"] == "always()", runs
	for i, step in enumerate(runs):
	    open(f"step{i}", "w").write(step["run"])
	P
	PATH=$PWD/prefix/bin:$PATH run -2 sh step0
	GITHUB_STEP_SUMMARY=$PWD/summary.md run -0 sh step1
	run -0 cat summary.md
	has '# viewer'
	has 'ZeroDivisionError'
	jq -e '.cells[1].metadata.nbscope.status == "failed"' viewer.ipynb
	"$python" -c 'import xml.etree.ElementTree as t; assert len(list(t.parse("junit.xml").iter("testcase"))) == 2'
}

# bats test_tags=thorough
@test "Snakemake executes each notebook once, and makes a table of their times" {
	needs_tools
	mkdir notebooks
	cp "$recipes/Snakefile" .
	for name in one two; do
		notebook notebooks/$name.ipynb <<<"[('code', 'print(\"$name\")')]"
	done
	run -0 "$tools/snakemake" --cores 2 --resources nbscope=1
	[ "$(cut -d, -f1,2 results/times.csv | tr -d '\r' | paste -sd' ')" = 'notebook,status results/one.ipynb,completed results/two.ipynb,completed' ]
	[ "$(jq -r '.cells[0].outputs[0].text[0]' results/two.ipynb)" = two ]
	run -0 "$tools/snakemake" --cores 2
	has 'Nothing to be done'
	notebook notebooks/one.ipynb <<<'[("code", "1 / 0")]'
	run -1 "$tools/snakemake" --cores 2
	has 'ZeroDivisionError'
}

# carried: a notebook with times, executed.ipynb, made by cells and metadata alone.
carried() {
	jq -n '{nbformat: 4, nbformat_minor: 5, metadata: {kernelspec: {name: "python3", display_name: "Python 3", language: "python"}}, cells: [
		{cell_type: "markdown", id: "t", metadata: {}, source: "# Title"},
		({cell_type: "code", execution_count: 1, outputs: [{output_type: "stream", name: "stdout", text: "shown\n"}]} +
			({id: "a", source: "load()", metadata: {nbscope: {status: "completed", client_s: 1.234, kernel_s: 1, kernel_peak_rss_bytes: 2e8}}},
			{id: "b", source: "fail()", metadata: {nbscope: {status: "timed_out", client_s: null, kernel_s: null}}},
			{id: "c", source: "plain()", metadata: {}}))]}'
}

# bats test_tags=thorough
@test "a page of Jupyter Book shows the times below the cells, and below no others" {
	needs_tools
	cp "$recipes/nbscope_times.py" .
	carried >index.ipynb
	# The settings are those of the page.
	sed -n '/^# _config.yml/,/^\.Ed/{/^\./!p}' "$ROOT/man/nbscope-recipes.7" >_config.yml
	printf 'format: jb-book\nroot: index\n' >_toc.yml
	run -0 "$tools/jupyter-book" build .
	run -0 "$python" - _build/html/index.html <<-'P'
	import re, sys
	text = re.sub("<[^>]*>", "", open(sys.argv[1]).read())
	found = [line for line in text.splitlines() if re.search(r"load\(\)|fail\(\)|plain\(\)| s in the kernel|timed out", line)]
	print(*found, sep="\n")
	P
	[ "$output" = 'load()
1.23 s, 1.00 s in the kernel, 200 MB
fail()
timed out
plain()' ] || has nothing
}

# bats test_tags=thorough
@test "scrapbook reads parameters and times as of a notebook that papermill executed" {
	needs_tools
	notebook it.ipynb <<<'[("markdown", "# t"), ("code", "n = 1", ["parameters"]), ("code", "import time\ntime.sleep(0.3)"), ("code", " "), ("code", "1 / 0", ["raises-exception"])]'
	run -0 make --no-print-directory -C "$ROOT" profile-notebook NOTEBOOK="$PWD/it.ipynb" BROWSER=none PARAMS='n=3 word=x' OUTPUT="$PWD/ours.ipynb"
	"$tools/python" -m ipykernel install --prefix "${tools%/bin}" >/dev/null
	run "$tools/papermill" --no-progress-bar -p n 3 -p word x it.ipynb theirs.ipynb
	run -0 "$tools/python" - ours.ipynb theirs.ipynb <<-'P'
	import collections.abc, json, sys, warnings
	warnings.simplefilter("ignore")
	import scrapbook
	ours, theirs = map(scrapbook.read_notebook, sys.argv[1:])
	assert ours.parameters == theirs.parameters == {"n": 3, "word": "x"}, ours.parameters
	assert set(ours.metadata.papermill) == set(theirs.metadata.papermill)
	timed = [[t and t > 0 for t in nb.cell_timing] for nb in (ours, theirs)]
	assert len(ours.cells) == 6 and timed[0] == [None, True, True, True, None, True], timed
	sleeps = [next(c.metadata.papermill for c in nb.cells if "sleep" in c.source) for nb in (ours, theirs)]
	assert set(sleeps[0]) == set(sleeps[1])
	for nb in sleeps:
	    assert 0.3 <= nb["duration"] < 3 and nb["status"] == "completed" and nb["exception"] is False, sleeps
	assert len(ours.papermill_metrics) == 4
	P
}

# bats test_tags=thorough
@test "jupyterlab-execute-time shows the times of an executed notebook" {
	needs_tools
	load server
	mkdir -p user/root user/data
	notebook user/root/it.ipynb <<<'[("code", "import time\ntime.sleep(0.25)"), ("code", "2")]'
	labserve kernelrun --executed user/root/done.ipynb user/root/it.ipynb >run.jsonl
	cp -r "${tools%/bin}/share/jupyter/labextensions" user/data
	users_token=abc
	port=$(free_port)
	users_server "$PWD/user" --ServerApp.port="$port"
	export JUPYTERLAB_URL=http://127.0.0.1:$port/ JUPYTERLAB_TOKEN=abc
	wait_for rest api
	cat >show.sh <<-'S'
	post() { curl -s -X POST -H 'Content-Type: application/json' "$WD_SESSION/$1" -d "$2"; }
	post url "{\"url\": \"${JUPYTERLAB_URL}lab/tree/done.ipynb?token=$JUPYTERLAB_TOKEN\"}" >/dev/null
	for k in $(seq 60); do
		shown=$(post execute/sync '{"script": "return [...document.querySelectorAll(\".execute-time\")].map(e => e.innerText)", "args": []}')
		case $shown in *Last*Last*) break ;; esac
		sleep 0.5
	done
	echo "$shown"
	S
	run -0 wdsession sh show.sh
	kill "$users_pid"
	[[ $output =~ Last\ executed\ at\ [^\"]*\ in\ 2[5-9][0-9]ms\",\"Last\ executed\ at ]] || has nothing
}
