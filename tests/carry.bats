# bats file_tags=quick
# share/script/carry.py: what cells cost, written into executed notebooks, from recorded runs.
load helpers

setup() {
	python=$ROOT/build/testvenv/bin/python
	cd "$BATS_TEST_TMPDIR" || return
	cellmetrics "$ROOT/tests/data/used.jsonl" >metrics
	executed used-n1.ipynb
	planned used-n1 1 >>metrics
}

# executed FILE: a notebook as no Jupyter writes it, whose numbers a program may write otherwise.
executed() {
	cat >"$1" <<-'N'
	{"nbformat":4, "cells" : [
	  {"cell_type": "markdown", "id": "text", "source": "# é \u00e9", "metadata": {"x": {"y": 1}}},
	  {"id": "cell-1", "cell_type":"code", "metadata":{ }, "execution_count":1, "source":["a = 1.10\n","b"],
	    "outputs":[{"output_type":"execute_result","execution_count":1,"metadata":{},"data":{"application/json":{"n":[1e5,1.10,12345678901234567890,-0.0,1E-7]}, "text/plain":"\ud83d\ude00 \/"}}]},
	  {"cell_type":"code","id":"inserted","metadata":{"tags":["new"]},"execution_count":null,"source":"","outputs":[]},
	  {"cell_type":"code","id":"cell-2","metadata":{"nbscope":{"line":7},"papermill":{"status":"old"}},"execution_count":2,"source":"","outputs":[]},
	  {"cell_type":"code","id":"cell-3","metadata":{},"execution_count":3,"source":"","outputs":[]}
	 ],  "metadata":{"language_info":{"name":"python"},"nbscope":{"usecase":"used","name":"used-n1","params":{"n":1}}},"nbformat_minor":5}
	N
}

# planned NAME REPETITION: the plan of its run.
planned() {
	jq -nc --arg name "$1" --argjson k "$2" '{type: "run_plan", label: "current", $name, repetition: $k, film: false, profile: null, notebook: "uc/notebooks/\($name).ipynb",
		run: "r", executed: "\($name).ipynb", usable: true}'
}

carry() {
	run -0 "$ROOT/share/script/carry.py" "$@" <metrics
}

@test "cells have the numbers of the tables, and the rest of the notebook keeps its bytes" {
	cp used-n1.ipynb before
	carry
	[ -z "$output" ]
	run -0 "$python" - before used-n1.ipynb <<-'P'
	import re, sys
	def values(path):
	    text = open(path, encoding="utf-8", newline="").read()
	    return re.findall(r'"(?:source|outputs|id|execution_count|nbformat\w*)" ?: ?(?:\[.*\]|"[^"]*"|\w+)', text)
	before, after = map(values, sys.argv[1:])
	assert before == after and len(before) == 20, (before, after)
	P
	for cell in 1 2 3; do
		jq -cS "select(.type == \"cell_metrics\" and .cell_index == $cell) | [.client_execution_time_metric, .dispatch_s, .transport_s, .kernel_s, .render_s, .kernel_peak_rss_bytes, .browser_peak_rss_bytes, .marks]" metrics >in_table
		jq -cS ".cells[] | select(.id == \"cell-$cell\").metadata.nbscope | [.client_s, .dispatch_s, .transport_s, .kernel_s, .render_s, .kernel_peak_rss_bytes, .browser_peak_rss_bytes, .marks]" used-n1.ipynb >in_notebook
		diff in_table in_notebook
		[ "$cell" = 3 ] || [[ $(cat in_notebook) == *[1-9]* ]]
	done
	run -0 jq -c '[.cells[].metadata | [.tags, .x, .nbscope.line, .papermill.status]], (.metadata.nbscope | [.name, .params, .status, .label])' used-n1.ipynb
	[ "$output" = '[[null,{"y":1},null,"completed"],[null,null,null,"completed"],[["new"],null,null,"completed"],[null,null,7,"completed"],[null,null,null,"completed"]]
["used-n1",{"n":1},"completed","current"]' ] || has nothing
}

@test "it is a valid notebook, and what is added is described" {
	carry
	run -0 "$python" -c 'import nbformat, sys; nbformat.validate(nbformat.read(sys.argv[1], 4))' used-n1.ipynb
	jq -c '.metadata.nbscope, (.cells[].metadata.nbscope | select(.type))' used-n1.ipynb >added
	[ "$(wc -l <added)" = 4 ]
	run -0 "$python" "$ROOT/tests/validate" --strict added
}

@test "papermill's metadata have its members, with the times of the run" {
	carry
	run -0 jq -c '.metadata.papermill | [keys, .parameters, .exception, .duration, .start_time, .end_time, .output_path]' used-n1.ipynb
	[ "$output" = '[["default_parameters","duration","end_time","environment_variables","exception","input_path","output_path","parameters","start_time","version"],{"n":1},null,15,"2026-09-21T14:14:52.499500+00:00","2026-09-21T14:15:07.499500+00:00","used-n1.ipynb"]' ] || has nothing
	run -0 jq -c '.cells[1].metadata.papermill' used-n1.ipynb
	has '{"duration":'
	has '"end_time":"2026-09-21T14:15:'
	has '"exception":false,"start_time":"2026-09-21T14:15:'
}

@test "cells that failed and did not run say so, to papermill's readers, too" {
	jq -c 'if .cell_index == 2 then .status = "failed" | .error_name = "KeyError" elif .type == "cell" and .cell_index == 3 then .status = "not_run" | .kernel_ms = null elif .type == "run_end" then .status = "failed" else . end' \
		"$ROOT/tests/data/used.jsonl" | cellmetrics >metrics
	planned used-n1 1 >>metrics
	carry
	run -0 jq -c '[.cells[].metadata | [.nbscope.status, .nbscope.error_name, .papermill.status, .papermill.exception]], [.metadata | .nbscope.status, .papermill.exception]' used-n1.ipynb
	[ "$output" = '[[null,null,"completed",false],["completed",null,"completed",false],[null,null,"completed",false],["failed","KeyError","failed",true],["not_run",null,"pending",null]]
["failed",true]' ] || has nothing
}

@test "without a page, papermill's times are those of the messages, if their dates can be read" {
	jq -c 'select(.type != "run_plan") | if .type == "cell_metrics" then .t = null | .client_execution_time_metric = null else . end' metrics >kernel
	planned used-n1 1 | cat kernel - >metrics
	jq -c '.cells[1].metadata.execution = {"iopub.status.busy": "2026-11-28T17:40:04.5Z", "iopub.status.idle": "2026-11-28T17:40:04.750000Z"} |
		.cells[3].metadata.execution = {"iopub.status.busy": "yesterday", "iopub.status.idle": 3}' used-n1.ipynb >with
	sed 's/04\.5Z/04.500000Z/' with >used-n1.ipynb
	carry
	run -0 jq -c '.cells[1, 3].metadata.papermill | [.duration, .start_time, .end_time]' used-n1.ipynb
	[ "$output" = '[0.25,"2026-11-28T17:40:04.500000+00:00","2026-11-28T17:40:04.750000+00:00"]
[null,null,null]' ] || has nothing
}

@test "a notebook that has its times is not written again, and one of other runs not at all" {
	carry
	before=$(stat -c '%i %Y' used-n1.ipynb)
	carry
	[ "$(stat -c '%i %Y' used-n1.ipynb)" = "$before" ]
	executed used-n1.ipynb
	before=$(cksum <used-n1.ipynb)
	for other in '.usable = false' '.profile = "lines"' '.repetition = 2' '.repetition = null'; do
		jq -c "select(.type != \"run_plan\"), (select(.type == \"run_plan\") | $other)" metrics >others
		run -0 "$ROOT/share/script/carry.py" <others
		[ "$(cksum <used-n1.ipynb)" = "$before" ]
	done
}

@test "a damaged notebook, which make names, is left as it is, a missing one is not made, others get theirs" {
	jq -c 'if .type == "run" or .type == "cell" then . else . end' "$ROOT/tests/data/used.jsonl" | sed 's/used-n1/used-n2/g' | cellmetrics >>metrics
	planned used-n2 1 >>metrics
	head -c 900 used-n1.ipynb >cut
	for bad in cut /dev/null; do
		cp "$bad" used-n1.ipynb
		executed used-n2.ipynb
		carry
		[ -z "$output" ]
		cmp "$bad" used-n1.ipynb
		jq -e .metadata.papermill used-n2.ipynb
	done
	rm used-n1.ipynb
	carry
	[ -z "$output" ]
	[ "$(ls)" = $'cut\nmetrics\nused-n2.ipynb' ] || { ls; false; }
}

@test "a copy has its own path, and the executed notebook stays as it was; the copy fails loudly" {
	before=$(cksum <used-n1.ipynb)
	planned used-n1 2 >>metrics
	carry copy.ipynb
	[ "$(cksum <used-n1.ipynb)" = "$before" ]
	[ "$(jq -r .metadata.papermill.output_path copy.ipynb)" = copy.ipynb ]
	run -4 "$ROOT/share/script/carry.py" none/copy.ipynb <metrics
	has "No such file"
	[ "$(ls)" = $'copy.ipynb\nmetrics\nused-n1.ipynb' ] || { ls; false; }
	rm used-n1.ipynb
	run -4 "$ROOT/share/script/carry.py" other.ipynb <metrics
}
