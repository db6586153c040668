# bats file_tags=quick
load helpers

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	# The samples' clock, which is the kernel's, is 100 ms ahead of the page's.
	cat >run.jsonl <<-'R'
	{"type":"run","t":1000.1,"name":"demo","notebook":"demo.ipynb","label":"now","repetition":2,"attempt":1,"params":{"n":1},"code_cells":3}
	{"type":"watch","t":1000.1,"role":"kernel","pid":11,"reason":null}
	{"type":"sample","t":1000.2,"role":"kernel","pid":11,"processes":1,"threads":4,"cpu_s":0.5,"run_queue_wait_s":0.0,"rss_bytes":9007199254740993,"pss_bytes":null,"read_bytes":0,"write_bytes":0,"syscall_read_bytes":0,"syscall_write_bytes":0,"minor_faults":0,"major_faults":0,"context_switches":null}
	{"type":"sample","t":1000.2,"role":"machine","cpu_busy_s":1.0,"load_1min":0.5,"memory_available_bytes":7000,"energy_j":5.0,"energy_method":"estimate","gpus":[{"index":0,"name":"H \"1\"","utilization_pct":40,"memory_bytes":77,"power_w":null,"processes":[]}],"weather":"=fine"}
	{"type":"sample","t":1000.65,"role":"kernel","pid":11,"processes":1,"threads":4,"cpu_s":0.725,"run_queue_wait_s":0.05,"rss_bytes":2000,"pss_bytes":1500,"read_bytes":4096,"write_bytes":0,"syscall_read_bytes":0,"syscall_write_bytes":0,"minor_faults":10,"major_faults":0,"context_switches":7}
	{"type":"sample","t":1000.65,"role":"machine","cpu_busy_s":1.45,"load_1min":0.5,"memory_available_bytes":6000,"energy_j":null,"energy_method":null,"gpus":null}
	{"type":"cell","t":1000.5,"cell_index":1,"cell_id":"a","tags":["x","y"],"profiled":true,"status":"completed","source":"=1 # \"one\", two\n@decorated\r\n","pressed_t":1000.5,"sent_t":1000.504,"busy_t":1000.61,"idle_t":1000.7,"received_t":1000.605,"last_visual_change_t":1000.9,"client_ms":400,"clock_offset_ms":100.0,"clock_bound_ms":2.5,"changes":{"dom":3},"outputs":{"count":2,"bytes":9,"by_kind":{"text/plain":9}},"usage":{"kernel":{"cpu_s":0.25,"peak_rss_bytes":5000},"browser":{"cpu_s":null,"reason":"far away"}},"page":{"long_animation_frames":[{"t":1000.7,"duration_ms":60.5}],"heap_bytes":300},"error_name":null,"marks":["noisy_machine"]}
	{"type":"sample","t":1000.99,"role":"kernel","pid":11,"cpu_s":0.825,"rss_bytes":2500}
	{"type":"sample","t":1001.2,"role":"kernel","pid":11,"cpu_s":0.9,"rss_bytes":2600}
	{"type":"cell","t":1001.4,"cell_index":2,"cell_id":"b","tags":[],"profiled":true,"status":"failed","source":"1/0","pressed_t":1001.4,"sent_t":1001.404,"busy_t":1001.51,"idle_t":1001.52,"received_t":1001.5,"last_visual_change_t":null,"client_ms":100,"clock_offset_ms":100.0,"clock_bound_ms":2.5,"error_name":"ZeroDivisionError","marks":[]}
	{"type":"cell","t":1001.9,"cell_index":3,"cell_id":"c","tags":[],"profiled":true,"status":"not_run","source":"","pressed_t":null,"client_ms":null,"usage":null,"page":null,"marks":[]}
	{"type":"sample","t":1001.55,"role":"kernel","pid":12,"cpu_s":0.1,"rss_bytes":100}
	{"type":"run_end","t":1001.9,"status":"failed","reason":null,"cells_run":2,"wall_ms":10000,"open_ms":8200}
	R
}

# csv FILE PYTHON: what an expression says of the rows, as Python's csv reads them.
csv() { python3 -c 'import csv, sys; rows = list(csv.DictReader(open(sys.argv[1], newline=""), strict=True)); print(eval(sys.argv[2]))' "$@"; }

@test "a sample belongs to the cell that ran then, by the samples' clock, or to none" {
	runexport run.jsonl >t
	[ "$(csv t '[(r["t"], r["role"], r["cell_index"]) for r in rows]')" = \
		"[('1000.2', 'kernel', ''), ('1000.2', 'machine', ''), ('1000.65', 'kernel', '1'), ('1000.65', 'machine', '1'), ('1000.99', 'kernel', '1'), ('1001.2', 'kernel', ''), ('1001.55', 'kernel', '2')]" ]
}

@test "cells are not moved if the kernel is elsewhere" {
	sed -i 's/"pid":11,"reason":null/"pid":null,"reason":"far"/' run.jsonl
	runexport run.jsonl >t
	[ "$(csv t '[r["cell_index"] for r in rows]')" = "['', '', '1', '1', '', '', '']" ]
}

@test "cpu_pct is the rate since the same process's last sample, empty for a first one" {
	runexport run.jsonl >t
	[ "$(csv t '[(r["pid"], r["cpu_pct"]) for r in rows]')" = \
		"[('11', ''), ('', ''), ('11', '50.0'), ('', '100.0'), ('11', '29.412'), ('11', '35.714'), ('12', '')]" ]
}

@test "the fixed columns come first, whatever the samples hold" {
	wanted=name,label,repetition,t,role,pid,cell_index,cpu_pct,cpu_s,rss_bytes,read_bytes,write_bytes,syscall_read_bytes,syscall_write_bytes,read_calls,write_calls,pss_bytes,run_queue_wait_s,context_switches,minor_faults,major_faults,threads,processes,cpu_busy_s,memory_available_bytes,load_1min,cpu_pressure_s,io_pressure_s,memory_pressure_s,energy_j,energy_method
	run runexport /dev/null
	status_is 0
	[ "$output" = "$wanted"$'\r' ]
	run runexport run.jsonl
	[[ "${lines[0]}" == "$wanted",* ]]
	has ,gpu0_name,gpu0_utilization_pct,gpu0_memory_bytes,gpu0_power_w
	has ,weather
}

@test "numbers are written as in the record, null is empty, every row has every column" {
	runexport run.jsonl >t
	[ "$(csv t '[(r["rss_bytes"], r["pss_bytes"], r["gpu0_utilization_pct"], r["gpu0_power_w"], r["gpu0_name"]) for r in rows[:3]]')" = \
		"[('9007199254740993', '', '', '', ''), ('', '', '40', '', 'H \"1\"'), ('2000', '1500', '', '', '')]" ]
	python3 -c 'import csv; assert len({len(r) for r in csv.reader(open("t", newline=""), strict=True)}) == 1'
}

@test "--role keeps the samples of one role" {
	runexport --role machine run.jsonl >t
	[ "$(csv t '{r["role"] for r in rows}, len(rows)')" = "({'machine'}, 2)" ]
	run -2 runexport --role kernal run.jsonl
	has "--role must be kernel, browser, server, process or machine, not 'kernal'"
}

@test "--cells has a row for each cell, run or not, with its code unchanged and its numbers flat" {
	runexport --cells --no-escape run.jsonl >t
	[ "$(csv t '[(r["cell_index"], r["status"], r["pressed_t"], r["end_t"], r["client_ms"]) for r in rows]')" = \
		"[('1', 'completed', '1000.5', '1000.9', '400'), ('2', 'failed', '1001.4', '1001.5', '100'), ('3', 'not_run', '', '', '')]" ]
	[ "$(csv t '[rows[0][k] for k in ("source", "tags", "kernel_cpu_s", "kernel_peak_rss_bytes", "browser_reason", "changes_dom", "outputs_count", "page_heap_bytes", "marks")]')" = \
		"['=1 # \"one\", two\\n@decorated\\r\\n', 'x,y', '0.25', '5000', 'far away', '3', '2', '300', 'noisy_machine']" ]
	# Of a cell that did not run they are null, and no columns of their own.
	[ "$(csv t '[k for k in rows[0] if k in ("usage", "page")]')" = '[]' ]
}

@test "--interactions has a row for each interaction, and --json a list of them" {
	cat >listened.jsonl <<-'END'
	{"type":"interaction","t":5,"input":"key","inputs":1}
	{"type":"run","t":1000,"name":"mine","notebook":"a.ipynb","code_cells":0}
	{"type":"interaction","t":1000.25,"input":"wheel","inputs":3,"status":"completed","element":{"tag":"canvas","role":null,"class":"a b"},"gesture_ms":120,"first_visual_change_ms":8.5,"last_visual_change_ms":808.4,"changes":{"dom":1,"canvas2d":4},"marks":["overlapped"]}
	{"type":"interaction","t":1002,"input":"click","inputs":1,"status":"completed","element":{"tag":"i"},"gesture_ms":0,"first_visual_change_ms":null,"last_visual_change_ms":null,"changes":{"dom":0},"marks":[]}
	{"type":"run","t":2000,"name":"untouched","notebook":"a.ipynb","code_cells":0}
	END
	runexport --interactions listened.jsonl >t
	[ "$(csv t '[(r["name"], r["t"], r["input"], r["inputs"], r["first_visual_change_ms"], r["last_visual_change_ms"]) for r in rows]')" = \
		"[('', '5.0', 'key', '1', '', ''), ('mine', '1000.25', 'wheel', '3', '8.5', '808.4'), ('mine', '1002.0', 'click', '1', '', '')]" ]
	[ "$(csv t '[rows[1][k] for k in ("element_tag", "element_class", "changes_canvas2d", "marks")]')" = "['canvas', 'a b', '4', 'overlapped']" ]
	runexport --json listened.jsonl >t
	[ "$(jq -c '[.runs[1].name, (.runs | length), [.interactions[] | [.run, .t, .last_visual_change_ms, .element.tag]]]' t)" = \
		'["mine",3,[[0,5,null,null],[1,1000.25,808.4,"canvas"],[1,1002,null,"i"]]]' ]
	runexport --interactions run.jsonl >t
	[ "$(csv t 'len(rows)')" = 0 ]
	run -2 runexport --interactions --cells run.jsonl
	has "only one of --cells, --interactions and --json is possible"
}

@test "text that a spreadsheet would run is disarmed, numbers are not changed, and --no-escape changes nothing" {
	runexport --cells run.jsonl >t
	[ "$(csv t 'rows[0]["source"][:4]')" = "'=1 " ]
	runexport run.jsonl >t
	[ "$(csv t 'rows[1]["weather"]')" = "'=fine" ]
	[ "$(csv t 'rows[2]["rss_bytes"]')" = 2000 ]
	runexport --no-escape run.jsonl >t
	[ "$(csv t 'rows[1]["weather"]')" = "=fine" ]
}

@test "--json is one document of runs, cells and samples, with the records' own names" {
	runexport --json run.jsonl >t
	[ "$(jq -c '[.runs[0].name, [.cells[] | [.run, .cell_index, .source, .end_t]], (.samples | length)]' t)" = \
		'["demo",[[0,1,"=1 # \"one\", two\n@decorated\r\n",1000.9],[0,2,"1/0",1001.5],[0,3,"",null]],7]' ]
	[ "$(jq -c '.samples[2] | [.run, .cell_index, .cpu_pct, .role, .rss_bytes, .pss_bytes]' t)" = '[0,1,50,"kernel",2000,1500]' ]
	[ "$(jq -c '.samples[1].gpus[0].utilization_pct' t)" = 40 ]
	for empty in /dev/null "$ROOT/tests/data/runs.jsonl"; do
		runexport --json "$empty" | jq -e '.samples == []'
	done
}

@test "samples of no run and of several runs are separate" {
	grep '"sample"\|"watch"' run.jsonl >bare
	runexport bare >t
	[ "$(csv t '{(r["name"], r["cell_index"]) for r in rows}, len(rows)')" = "({('', '')}, 7)" ]
	sed 's/"demo"/"other"/' run.jsonl >other
	runexport run.jsonl other >t
	[ "$(csv t '[(r["name"], r["cell_index"], r["cpu_pct"]) for r in rows[6:10]]')" = "[('demo', '2', ''), ('other', '', ''), ('other', '', ''), ('other', '1', '50.0')]" ]
	runexport -j run.jsonl other >t
	[ "$(jq -c '[[.runs[].name], [.cells[].run], [.samples[].run]]' t)" = '[["demo","other"],[0,0,0,1,1,1],[0,0,0,0,0,0,0,1,1,1,1,1,1,1]]' ]
}

@test "pandas and polars read numbers as numbers, empty fields as missing, code unchanged" {
	[ -x "$ROOT/build/testvenv/bin/python" ] || { echo "no build/testvenv: make prepare-test makes it"; return 1; }
	runexport --no-escape run.jsonl >samples.csv
	runexport --cells --no-escape run.jsonl >cells.csv
	runexport --json run.jsonl >run.json
	run "$ROOT/build/testvenv/bin/python" - <<-'P'
	import json
	import pandas
	import polars
	code = '=1 # "one", two\n@decorated\r\n'
	whole = ["processes", "threads", "rss_bytes", "pss_bytes", "read_bytes", "minor_faults", "cell_index", "gpu0_utilization_pct", "repetition"]
	real = ["t", "cpu_s", "cpu_pct", "run_queue_wait_s", "load_1min", "energy_j"]

	p = polars.read_csv("samples.csv")
	assert all(p[c].dtype == polars.Int64 for c in whole), p.schema
	assert all(p[c].dtype == polars.Float64 for c in real), p.schema
	assert p["rss_bytes"].to_list()[:3] == [9007199254740993, None, 2000]
	assert p["cell_index"].to_list() == [None, None, 1, 1, 1, None, 2]
	assert p["weather"].to_list()[:2] == [None, "=fine"] and p.columns[-1].strip() == p.columns[-1]
	assert p.filter(polars.col("role") == "kernel").group_by("cell_index").agg(polars.col("cpu_pct").mean()).height == 3
	c = polars.read_csv("cells.csv")
	assert c["source"].to_list()[0] == code and c["kernel_cpu_s"].dtype == polars.Float64, c
	assert c["client_ms"].to_list() == [400, 100, None]

	d = pandas.read_csv("samples.csv")
	assert all(pandas.api.types.is_numeric_dtype(d[c]) for c in whole + real), d.dtypes
	assert d.cell_index.isna().sum() == 3 and d.t.iloc[0] == 1000.2
	d = pandas.read_csv("samples.csv", dtype_backend="numpy_nullable")
	assert str(d.cell_index.dtype) == "Int64" and d.rss_bytes.iloc[0] == 9007199254740993, d.dtypes
	c = pandas.read_csv("cells.csv")
	assert c.client_ms.iloc[:2].tolist() == [400, 100] and c.client_ms.isna().iloc[2]
	assert c.source.iloc[0] == code and c.profiled.dtype == bool

	j = json.load(open("run.json"))
	s = pandas.DataFrame(j["samples"])
	assert s.cell_index.tolist()[2] == 1 and s.rss_bytes.iloc[2] == 2000
	assert polars.DataFrame(j["cells"], infer_schema_length=None)["cell_index"].to_list() == [1, 2, 3]
	P
	status_is 0
}

@test "a column of reals has reals from its first row on, whatever cells come first" {
	{
		echo '{"type":"run","t":1,"name":"n","label":"l","repetition":1,"settings":{}}'
		for k in {1..101}; do
			echo '{"type":"cell","t":2,"cell_index":'"$k"',"status":"completed","source":"x","pressed_t":2,"client_ms":5,"render_ms":'$((k / 101))"$([ "$k" -le 100 ] || echo .5)"'}'
		done
	} >late
	runexport --cells late >cells.csv
	[ "$(csv cells.csv 'sorted({r["render_ms"] for r in rows}), rows[0]["client_ms"], rows[0]["cell_index"]')" = "(['0.0', '1.5'], '5', '1')" ]
	run "$ROOT/build/testvenv/bin/python" -c 'import polars; print(polars.read_csv("cells.csv")["render_ms"].sum())'
	[ "$output" = 1.5 ]
}

@test "bad input is refused with its line" {
	for bad in 'no' '{"type":"sample","role":"kernel"}' '{"type":"sample","t":NaN}' '{"type":"run"' '{"type":"sample","t":1,"t":2}' $'{"type":"\xff"}' '[]'; do
		printf '{"type":"x"}\n%s' "$bad" >bad
		for form in -j ''; do
			run --separate-stderr runexport $form bad
			status_is 3
			[[ "$stderr" == "runexport: bad:2:"* ]] || { echo "$bad: $stderr"; return 1; }
		done
	done
	head -c 100000000 /dev/zero | tr '\0' x >bad
	run --separate-stderr runexport bad
	status_is 3
	[[ "$stderr" == *'bad:1:1: line longer than 16777216 bytes' ]]
	run runexport /no/such/file
	status_is 4
	run runexport --cells --json run.jsonl
	status_is 2
}

@test "odd records do no harm" {
	cat >odd <<-'R'
	{"type":"cell","pressed_t":"x","usage":[],"page":7,"source":{},"cell_index":null}
	{"type":"cell","pressed_t":1e300,"received_t":-1e300,"client_ms":1e308,"usage":{"kernel":7,"a":{"b":{"c":1}}}}
	{"type":"run","t":"x","name":[1]}
	{"type":"sample","t":1e300,"role":7,"pid":{"a":1},"cpu_s":"x","gpus":[{"index":"x","q":1},7,{}]}
	{"type":"sample","t":2,"role":null,"gpus":{"a":1},"x,\"y\n":"z"}
	{"type":"sample","t":2,"gpus":7}
	R
	for form in '' --cells --json; do
		run runexport $form odd
		status_is 0
	done
	runexport odd >t
	python3 -c 'import csv; assert len({len(r) for r in csv.reader(open("t", newline=""), strict=True)}) == 1'
	runexport --json odd | jq -e '.samples | length == 3'
}

@test "a full disk is reported in every form" {
	for form in '' --cells --json; do
		run bash -c 'runexport '"$form"' run.jsonl 2>&1 >/dev/full'
		status_is 4
		has 'cannot write to standard output: No space left on device'
	done
}

@test "of overlapping cells a sample belongs to the one whose turn came last" {
	run -0 runexport < <(
		echo '{"type":"run","t":1,"name":"n","label":"l","repetition":1}'
		for ((t = 9; t < 25; t++)); do echo '{"type":"sample","t":'$t'.5,"role":"machine"}'; done
		# 3 draws behind the others; 2 waits for 1; 4 was run and over meanwhile.
		echo '{"type":"cell","t":1,"cell_index":1,"pressed_t":10,"busy_t":10,"received_t":14,"client_ms":4000,"marks":[]}'
		echo '{"type":"cell","t":1,"cell_index":2,"pressed_t":11,"busy_t":14,"received_t":16,"client_ms":5000,"marks":["queued"]}'
		echo '{"type":"cell","t":1,"cell_index":4,"pressed_t":19,"busy_t":19,"received_t":21,"client_ms":2000,"marks":[]}'
		echo '{"type":"cell","t":1,"cell_index":3,"pressed_t":17,"busy_t":17,"received_t":18,"last_visual_change_t":23,"client_ms":6000,"marks":[]}'
	)
	[ "$(cut -d, -f7 <<<"$output" | tail -n +2 | paste -sd,)" = ,1,1,1,1,2,2,,3,3,4,4,3,3,, ]
	# That no input led to one changes nothing.
	run -0 runexport < <(
		printf '{"type":"sample","t":%s.5,"role":"machine"}\n' 9 10 11
		echo '{"type":"cell","t":1,"cell_index":1,"pressed_t":null,"sent_t":10,"received_t":11,"client_ms":null,"marks":["untriggered"]}'
	)
	[ "$(cut -d, -f7 <<<"$output" | tail -n +2 | paste -sd,)" = ,1, ]
}
