# bats file_tags=quick
load helpers

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	cellmetrics "$ROOT/tests/data/runs.jsonl" >metrics
}

# One cell's metrics with MEMBERS besides.
cell() { printf '{"type":"cell_metrics","notebook_filename":"a.ipynb","cell_index":1%s}\n' "$1"; }

# csv FILE PYTHON: what an expression says of the rows, as Python's csv reads them.
csv() { python3 -c 'import csv, sys; rows = list(csv.DictReader(open(sys.argv[1], newline=""), strict=True)); print(eval(sys.argv[2]))' "$@"; }

@test "the legacy columns come first, in their order" {
	run metrics2csv metrics
	status_is 0
	[[ "${lines[0]}" == notebook_filename,cell_index,execution_status,n_param,throttling_param,mode_param,limits_param,smooth_param,client_total_data_received_metric,client_execution_time_metric,kernel_execution_time_metric,label,repetition,attempt,cell_id,dispatch_s,queue_s,kernel_s,delivery_s,render_s,unattributed_s,last_visual_change_s,ws_messages,ws_bytes_received,error_name,error_value,marks,* ]]
	run metrics2csv --notebooks metrics
	status_is 0
	[[ "${lines[0]}" == notebook_filename,total_cells,executed_cells,profiled_cells,n_param,throttling_param,mode_param,limits_param,smooth_param,client_total_data_received_metric,client_execution_time_metric,kernel_execution_time_metric,* ]]
}

@test "each code cell has a row, whether it ran or not, and each run has one" {
	metrics2csv metrics >c
	metrics2csv --notebooks metrics >n
	[ "$(csv c '[(r["cell_index"], r["execution_status"]) for r in rows]')" = \
		"[('1', 'Completed'), ('2', 'Completed'), ('3', 'Completed'), ('4', 'Completed'), ('1', 'Completed'), ('2', 'Completed'), ('3', 'Failed'), ('4', 'Not Run')]" ]
	[ "$(csv n '[(r["notebook_filename"], r["execution_status"]) for r in rows]')" = "[('demo-n1-modepng.ipynb', 'Completed'), ('demo-n2-modewebp.ipynb', 'Failed')]" ]
}

@test "a cell that is not profiled has empty metrics, not zeros" {
	metrics2csv metrics >c
	[ "$(csv c 'sorted({r[k] for r in rows if r["cell_index"] == "1" for k in r if k.endswith(("_metric", "_s")) or k.startswith("ws_")})')" = "['']" ]
}

@test "every member of the metrics has a column, and every column is one" {
	# One cell reports items.
	jq -c 'if .type == "cell_metrics" and .cell_index == 2 then . + {items: 10, items_done: 9, items_per_s: 2.5, items_done_per_s: 2.25} else . end' metrics >with && mv with metrics
	metrics2csv metrics >c
	[ "$(csv c 'sorted({(r["items"], r["items_done_per_s"]) for r in rows})')" = "[('', ''), ('10', '2.25')]" ]
	metrics2csv --notebooks metrics >n
	for t in cell notebook; do
		jq -r "select(.type==\"${t}_metrics\") | keys[]" metrics | sort -u | grep -vx 'type\|params\|machine\|environment_id\|made_from\|source\|frames' >members
		head -1 ${t:0:1} | tr -d '\r' | tr , '\n' | grep -v '_param$' | sort >columns
		diff members columns
	done
}

@test "resource columns come after the legacy columns, grouped by role" {
	for table in --cells --notebooks; do
		run metrics2csv $table metrics
		header=${lines[0]%$'\r'}
		[[ "$header" == *,script_s,client_min_cpu_metric,client_mean_cpu_metric,client_max_cpu_metric,client_min_memory_metric,client_mean_memory_metric,client_max_memory_metric,browser_cpu_s,*,browser_samples,kernel_min_cpu_metric,*,kernel_samples,server_cpu_s,server_rss_bytes,machine_cpu_s,* ]]
	done
}

@test "lines end in CR LF and every row has as many fields as the header" {
	metrics2csv metrics >c
	run grep -c $'\r$' c
	[ "$output" = 9 ]
	python3 -c 'import csv; assert len({len(r) for r in csv.reader(open("c", newline=""), strict=True)}) == 1'
}

@test "pandas reads numbers as numbers, booleans as booleans, nulls as missing" {
	metrics2csv metrics >c
	[ -x "$ROOT/build/testvenv/bin/python" ] || { echo "no build/testvenv: make prepare-test makes it"; return 1; }
	run "$ROOT/build/testvenv/bin/python" - <<-'P'
	import pandas
	t = pandas.read_csv("c")
	assert str(t.throttling_param.dtype) == "int64" and set(t.throttling_param) == {-1}, t.throttling_param
	assert str(t.smooth_param.dtype) == "bool" and t.smooth_param.all()
	assert str(t.client_execution_time_metric.dtype) == "float64"
	assert t.client_execution_time_metric.isna().sum() == 3
	assert t.client_execution_time_metric[2] == 2.0
	assert str(t.cell_index.dtype) == "int64"
	assert t.error_value[6].endswith("\ndo not")
	P
	status_is 0
}

@test "pandas reads resources as numbers, and nulls as missing" {
	[ -x "$ROOT/build/testvenv/bin/python" ] || { echo "no build/testvenv: make prepare-test makes it"; return 1; }
	CARBON_INTENSITY=400 cellmetrics "$ROOT/tests/data/used.jsonl" >used
	metrics2csv --cells-to c --notebooks-to n used
	run "$ROOT/build/testvenv/bin/python" - <<-'P'
	import pandas
	c, n = pandas.read_csv("c"), pandas.read_csv("n")
	words = "_method _reason diagnosis".split()
	for t in c, n:
	    used = [k for k in t if k.startswith(("client_", "browser_", "kernel_", "server_", "machine_", "gpu_", "energy_", "load_")) or k.endswith("_pressure_s")]
	    assert len(used) > 60, used
	    for k in used:
	        if not k.endswith(tuple(words)):
	            assert t[k].dtype.kind in "fi", (k, t[k].dtype)
	assert c.kernel_mean_cpu_metric[0] == 67.5 and c.kernel_max_rss_bytes[0] == 480000000
	assert c.kernel_min_cpu_metric.isna().tolist() == [False, True, True]
	assert c.kernel_samples[1] == 0 and pandas.isna(c.kernel_samples[2])
	assert round(c.kernel_co2e_g[0], 6) == 0.001333
	assert c.kernel_peak_method[0] == "vmhwm" and pandas.isna(c.kernel_usage_reason[0])
	assert c.diagnosis[0] == "the kernel takes 90 % of the time, on 0.7 core; 1 error in the page's console"
	assert n.console_errors[0] == 2 and n.kernel_energy_j[0] == 13.5
	P
	status_is 0
}

@test "each parameter has a column, in the order of first appearance" {
	{ cell ',"params":{"b":1,"a":"x"}'; cell ',"params":{"c":true,"a":"y"}'; cell ',"params":null'; cell ',"params":{}'; } >in
	metrics2csv in >c
	[ "$(head -1 c | cut -d, -f4-6)" = b_param,a_param,c_param ]
	[ "$(csv c '[(r["b_param"], r["a_param"], r["c_param"]) for r in rows]')" = "[('1', 'x', ''), ('', 'y', 'true'), ('', '', ''), ('', '', '')]" ]
}

@test "a parameter of any kind becomes one field" {
	cell ',"params":{"list":[1, "a,b", []],"empty":[],"object":{"k":null},"null":null,"text":"","real":1e-3,"quote":"a\"b","newline":"a\r\nb","hard, \"name\"\n":1}' >in
	metrics2csv in >c
	[ "$(csv c '[v for k, v in rows[0].items() if k.endswith("_param")]')" = "['[1,\"a,b\",[]]', '[]', '{\"k\":null}', '', '', '1e-3', 'a\"b', 'a\\r\\nb', '1']" ]
	[ "$(csv c '[k for k in rows[0] if k.startswith("hard")]')" = "['hard, \"name\"\\n_param']" ]
}

@test "texts that a spreadsheet would evaluate are escaped, numbers are not" {
	{ cell ',"error_value":"=1+1"'; cell ',"error_value":"+cmd|x"'; cell ',"error_value":"-1+1"'; cell ',"error_value":"@SUM(A1)"'; cell ',"error_value":"\t=1"'; cell ',"error_value":"-1.5e3"'; cell ',"error_value":-1,"params":{"=a":"=b"}'; } >in
	metrics2csv in >c
	[ "$(csv c '[r["error_value"] for r in rows]')" = "[\"'=1+1\", \"'+cmd|x\", \"'-1+1\", \"'@SUM(A1)\", \"'\\t=1\", '-1.5e3', '-1']" ]
	[ "$(csv c '[r for r in rows[6] if "=" in r]')" = "[\"'=a_param\"]" ]
	metrics2csv --no-escape in >c
	[ "$(csv c 'rows[0]["error_value"], rows[6]["=a_param"]')" = "('=1+1', '=b')" ]
}

@test "marks and tags are words separated by commas" {
	cell ',"marks":["blank","noisy_machine"],"tags":["a b"]' >in
	metrics2csv in >c
	[ "$(csv c 'rows[0]["marks"], rows[0]["tags"]')" = "('blank,noisy_machine', 'a b')" ]
}

@test "both tables can be written to files at once, in folders that it creates, with nothing on stdout" {
	run metrics2csv --cells-to new/deep/c.csv --notebooks-to new/n.csv metrics
	status_is 0
	[ -z "$output" ]
	cmp new/deep/c.csv <(metrics2csv metrics)
	cmp new/n.csv <(metrics2csv --notebooks metrics)
}

@test "a table appears whole or not at all" {
	echo old >c.csv
	run metrics2csv --cells-to c.csv --notebooks-to n.csv < <(cat metrics; echo '{')
	status_is 3
	[ "$(cat c.csv)" = old ]
	[ ! -e n.csv ]
	[ -z "$(find . -name '*.tmp')" ]
	mkdir dir
	run metrics2csv --cells-to dir metrics
	status_is 4
	has "metrics2csv: cannot write 'dir': Is a directory"
	run metrics2csv --cells-to c.csv/x metrics
	status_is 4
	has "metrics2csv: cannot make the folder 'c.csv': Not a directory"
	run bash -c 'trap "" XFSZ; ulimit -f 1; metrics2csv --cells-to c.csv metrics'
	status_is 4
	has "File too large"
	[ "$(cat c.csv)" = old ]
	[ -z "$(find . -name '*.tmp')" ]
}

@test "a link in the place of the table is replaced, not followed" {
	echo mine >precious
	ln -s precious c.csv
	metrics2csv --cells-to c.csv metrics
	[ "$(cat precious)" = mine ]
	[ ! -L c.csv ]
}

@test "without metrics only the header is written" {
	run metrics2csv </dev/null
	status_is 0
	[ "${#lines[@]}" = 1 ]
	has notebook_filename,cell_index,execution_status,client_total_data_received_metric,
	run metrics2csv --notebooks-to n.csv < <(echo '{"type":"note"}')
	status_is 0
	[ "$(wc -l <n.csv)" = 1 ]
}

@test "records of other types have no row" {
	run metrics2csv < <(echo '{"type":"note"}'; cell '')
	status_is 0
	[ "${#lines[@]}" = 2 ]
}

@test "two tables cannot both be written to stdout" {
	run metrics2csv --cells --notebooks metrics
	status_is 2
	has 'metrics2csv: only one of --cells, --notebooks and --interactions can write to stdout'
}

@test "lines that are not records are refused with line and column" {
	for bad in x '[]' '{"type":"cell_metrics","a":1,"a":2}' '{"type":"cell_metrics","a":NaN}' $'{"type":"\xff"}' ''; do
		run metrics2csv < <(cell ''; echo "$bad")
		status_is 3
		[[ "$output" =~ ^metrics2csv:\ stdin:2:[0-9]+:\  ]] || { echo "for $bad: $output"; return 1; }
	done
}

@test "a last line without a newline counts" {
	run metrics2csv < <(cell '' | tr -d '\n')
	status_is 0
	[ "${#lines[@]}" = 2 ]
}

@test "a line of 100 MB is refused" {
	run bash -c "(printf '{\"type\":\"x\",\"a\":\"'; head -c 100000000 /dev/zero | tr '\\0' a; echo '\"}') | metrics2csv"
	status_is 3
	has 'metrics2csv: stdin:1:1: line longer than 16777216 bytes'
}

@test "a full disk is an error, and so is a reader that leaves" {
	run bash -c 'metrics2csv metrics >/dev/full'
	status_is 4
	has 'metrics2csv: cannot write to standard output: No space left on device'
	for _ in {1..200}; do cat metrics; done >many
	run bash -c 'metrics2csv many | head -1 >/dev/null; exit "${PIPESTATUS[0]}"'
	status_is 141
}

@test "a Parquet file has the columns of the CSV, with their types" {
	export NBSCOPE_PARQUET_VENV=$ROOT/build/testvenv
	cellmetrics "$ROOT/tests/data/runs.jsonl" >all
	metrics2csv --parquet --cells-to c.parquet --notebooks-to n.parquet all
	metrics2csv --no-escape --cells-to c.csv --notebooks-to n.csv all
	"$NBSCOPE_PARQUET_VENV/bin/python" - <<-'P'
	import csv
	import pyarrow as pa, pyarrow.parquet as pq
	for name in "cn":
	    t = pq.read_table(f"{name}.parquet")
	    rows = list(csv.reader(open(f"{name}.csv", newline="")))
	    assert t.column_names == rows[0], set(t.column_names) ^ set(rows[0])
	    assert t.num_rows == len(rows) - 1
	    # A missing value is null, and the others are those of the CSV.
	    for c in rows[0]:
	        for value, text in zip(t.column(c).to_pylist(), [r[rows[0].index(c)] for r in rows[1:]]):
	            assert (value is None) == (text == "") or value in ([], ""), (c, value, text)
	            if isinstance(value, (int, float)) and not isinstance(value, bool):
	                assert value == float(text), (c, value, text)
	c = pq.read_schema("c.parquet")
	kinds = {n: str(c.field(n).type) for n in ("notebook_filename", "cell_index", "n_param", "mode_param", "limits_param", "smooth_param", "kernel_s", "changed", "ws_messages", "tags", "load_1min")}
	assert kinds == {"notebook_filename": "string", "cell_index": "int64", "n_param": "int64", "mode_param": "string", "limits_param": "string", "smooth_param": "bool",
	                 "kernel_s": "double", "changed": "bool", "ws_messages": "int64", "tags": "list<element: string>", "load_1min": "double"}, kinds
	P
	metrics2csv --parquet all >stdout.parquet
	cmp stdout.parquet c.parquet
	run metrics2csv --parquet --cells --cells-to x.parquet all
	status_is 2
	run env NBSCOPE_PARQUET_VENV="$PWD/none" metrics2csv --parquet --cells-to x.parquet all
	status_is 4
	has "no Python with pyarrow (run 'make parquet'"
	[ ! -e x.parquet ]
}

@test "memory holds the columns, never the rows" {
	cell ",\"params\":{\"n\":1},\"error_value\":\"$(printf 'x%.0s' {1..2000})\"" >one
	for _ in {1..500}; do cat one; done >some
	for _ in {1..40}; do cat some; done >many
	run bash -c '$ULIMIT 20000; metrics2csv many | tail -1'
	status_is 0
	has a.ipynb,1,
}
