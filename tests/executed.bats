# What executed notebooks say of their cells: JupyterLab's own dates, what cells cost, what papermill
# would have said; and copies of them.
# bats file_tags=untimed
load helpers
load oneserver
load make

setup() {
	python=$ROOT/build/testvenv/bin/python
	cd "$BATS_TEST_TMPDIR" || return
}

# The keys and forms of the dates that a notebook's cells have.
dates_of() {
	jq -c '[.cells[].metadata.execution | if . then with_entries(.value |= sub("^20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\\.[0-9]{6}Z$"; "date")) else . end]' "$1"
}

# measured NOTEBOOK RECORDS: that its dates of busy are those of the records, to a microsecond.
measured() {
	"$python" - "$@" <<-'P'
	import datetime, json, sys
	cells = json.load(open(sys.argv[1]))["cells"]
	records = {r["cell_id"]: r for r in map(json.loads, open(sys.argv[2])) if r["type"] == "cell"}
	compared = 0
	for cell in cells:
	    dates, record = cell["metadata"].get("execution"), records[cell["id"]]
	    assert bool(dates) == bool(record["busy_t"]), (dates, record["busy_t"])
	    if dates:
	        busy = datetime.datetime.fromisoformat(dates["iopub.status.busy"].replace("Z", "+00:00"))
	        assert abs(busy.timestamp() - record["busy_t"]) < 2e-6, (dates, record["busy_t"])
	        compared += 1
	assert compared == 4, compared
	P
}

# bats test_tags=thorough
@test "cells have the dates that JupyterLab itself stores with recordTiming on, in a browser and without" {
	# JupyterLab's own are kept where nbscope's script does not replace them.
	own='[("code", "from IPython.display import Javascript\nJavascript(\"window.__nbscopeKernel.setExecutions = () => 0\")"),'
	ours='[("code", "1"),'
	others='("code", "import time\ntime.sleep(0.1)\nprint(1)"), ("code", " "), ("code", "1 / 0", ["raises-exception"]), ("code", "2")]'
	"$python" "$ROOT/tests/nb.py" own.ipynb <<<"$own$others"
	"$python" "$ROOT/tests/nb.py" ours.ipynb <<<"$ours$others"
	use_server
	wdsession cellrun --executed page.done ours.ipynb >page.jsonl
	kernelrun --executed kernel.done ours.ipynb >kernel.jsonl
	mkdir -p settings/@jupyterlab/notebook-extension
	echo '{"recordTiming": true}' >settings/@jupyterlab/notebook-extension/tracker.jupyterlab-settings
	users_token=abc
	port=$(free_port)
	JUPYTERLAB_SETTINGS_DIR=$PWD/settings users_server "$PWD/user" --ServerApp.port="$port"
	export JUPYTERLAB_URL=http://127.0.0.1:$port/ JUPYTERLAB_TOKEN=abc
	wait_for rest api
	wdsession cellrun --executed own.done own.ipynb >own.jsonl
	wdsession cellrun --executed both.done ours.ipynb >both.jsonl
	kill "$users_pid"
	dates_of own.done >wanted
	[ "$(cat wanted)" = "$(jq -nc '{"iopub.execute_input": "date", "iopub.status.busy": "date", "iopub.status.idle": "date", "shell.execute_reply": "date", "shell.execute_reply.started": "date"} as $d |
		[$d, $d, null, $d, $d]')" ] || { cat wanted; false; }
	for run in own page kernel both; do
		dates_of "$run.done" | diff wanted -
		measured "$run.done" "$run.jsonl"
	done
}

@test "profile-notebook with OUTPUT and PARAMS is a papermill that measures" {
	UC=none
	"$python" "$ROOT/tests/nb.py" it.ipynb <<<'[("markdown", "# t"), ("code", "n = 1\nname = None", ["parameters"]), ("code", "print(n, name)"), ("code", "assert n < 5")]'
	before=$(cksum <it.ipynb)
	made() {
		make --no-print-directory -C "$ROOT" profile-notebook NOTEBOOK="$PWD/it.ipynb" BROWSER=none "$@"
	}
	# Refused before anything is written.
	for bad in PARAMS='n' PARAMS="n='1" PARAMS='n=1 n=2' PARAMS='1=2' OUTPUT="$PWD/it.ipynb" OUTPUT="$PWD/none/x.ipynb" OUTPUT="$PWD/x.html"; do
		run -2 made "$bad"
		has "profile-notebook: "
		has "${bad%%=*}"
		[ ! -e nbscope/it/notebooks ]
	done
	run -0 made PARAMS="n=3 name=\"it's  \$a\"" OUTPUT="$PWD/out.ipynb"
	has "notebook: $PWD/out.ipynb"
	[ "$(cksum <it.ipynb)" = "$before" ]
	run -0 jq -c '.metadata.papermill | [.parameters, .exception, .output_path, .input_path]' out.ipynb
	[ "$output" = "[{\"n\":3,\"name\":\"it's  \$a\"},null,\"$PWD/out.ipynb\",\"$PWD/it.ipynb\"]" ] || has nothing
	run -0 jq -c '[.cells[] | select(.cell_type == "code") | .metadata | [.tags, .nbscope.status, .papermill.status, (.execution | length), .nbscope.kernel_s > 0, .nbscope.kernel_peak_rss_bytes > 1e6]], .cells[3].outputs[0].text' out.ipynb
	[ "$output" = "[[[\"parameters\"],\"completed\",\"completed\",5,true,true],[[\"injected-parameters\"],\"completed\",\"completed\",5,true,true],[null,\"completed\",\"completed\",5,true,true],[null,\"completed\",\"completed\",5,true,true]]
[\"3 it's  \$a\\n\"]" ] || has nothing
	run -0 cmp <(jq '.cells, .metadata.nbscope' out.ipynb) <(jq '.cells, .metadata.nbscope' nbscope/it/executed/current/it.ipynb)
	run -0 "$python" -c 'import nbformat; nbformat.validate(nbformat.read("out.ipynb", 4))'
	# Nothing is due, and a copy is made all the same; the parameters are those of the last time.
	runs=$(stat -c %Y nbscope/it/runs/current/it.jsonl)
	run -0 made OUTPUT="$PWD/again.ipynb"
	[ "$(stat -c %Y nbscope/it/runs/current/it.jsonl)" = "$runs" ]
	cmp <(jq .cells out.ipynb) <(jq .cells again.ipynb)
	# An error of a cell is in the notebook, too.
	run -2 made PARAMS=n=7 OUTPUT="$PWD/failed.ipynb"
	run -0 jq -c '[.metadata.papermill.exception, .metadata.nbscope.status, .cells[-1].metadata.papermill.status, .cells[-1].outputs[0].ename]' failed.ipynb
	[ "$output" = '[true,"failed","failed","AssertionError"]' ] || has nothing
	# Of a program's environment, these are not ours.
	OUTPUT=$PWD/other.ipynb run -0 env PARAMS=n=9 make --no-print-directory -C "$ROOT" profile-notebook NOTEBOOK="$PWD/it.ipynb" BROWSER=none PARAMS=
	[ ! -e other.ipynb ]
	run -0 jq -c '[.cells[2].source, .metadata.nbscope.params]' nbscope/it/executed/current/it.ipynb
	[ "$output" = '[["print(n, name)"],null]' ] || has nothing
	run -2 make --no-print-directory -C "$ROOT" plan USECASE=quickstart PARAMS=n=1
	has 'PARAMS and OUTPUT are for profile-notebook, not for a use case'
}
