# bats file_tags=untimed,long
# make explain with a real JupyterLab in a real browser, on cells whose truth is known.
load helpers
load make
load oneserver

setup_file() {
	start_server
	BATS_TEST_TMPDIR=$BATS_FILE_TMPDIR
	UC=$BATS_FILE_TMPDIR/known
	export UC
	mkdir -p "$UC/files"
	cat >"$UC/files/alerts.py" <<-'P'
		import time

		def rare(n):
		    for i in range(n):
		        if i % 100 < 3:
		            time.sleep(0.01)

		def run_analysis(n):
		    rare(n)
		    return n
	P
	python3 "$ROOT/tests/nb.py" "$UC/template.ipynb" <<-'EON'
		[("code", "n = {n_value}", ["parameters"]),
		 ("code", "import alerts\nimport time\nseen = []"),
		 ("code", "alerts.run_analysis(n)"),
		 ("code", "time.sleep(0.6)\ntime.sleep(0.2)\nseen.append(len(In))\nseen"),
		 ("code", "def raises():\n    time.sleep(0.02)\n    raise ValueError('known')\ntry:\n    raises()\nexcept ValueError as error:\n    print(error)")]
	EON
	echo '{"n": [1000]}' >"$UC/params.json"
	nb profile >"$BATS_FILE_TMPDIR/profile.out" 2>&1
	cksum "$UC"/metrics/current/*.csv >"$BATS_FILE_TMPDIR/tables"
	# Those without a page, also where a busy machine makes its part of a cell long.
	export PROFILERS='samples lines'
	nb explain >"$BATS_FILE_TMPDIR/explain.out" 2>&1
}

# Records of a pass: records PASS FILTER.
records() {
	jq -c "$2" "$UC/runs/current/known-n1000@profile-$1.jsonl"
}

@test "explain names the line that takes the time, with exact hits" {
	cat "$BATS_FILE_TMPDIR/explain.out"
	grep -q '% of cell 3 is line 6 of alerts.py in `rare`, `time.sleep(0.01)`, 30 times' "$BATS_FILE_TMPDIR/explain.out"
	[ "$(records lines 'select(.type == "profile_line" and .function == "rare" and .cell_index == 3) | [.line, .hits]' | paste -sd' ')" = \
		'[3,0] [4,1001] [5,1000] [6,30]' ]
	[ "$(records samples 'select(.type == "profile_function" and .function == "rare") | [.calls, (.cumulative_s > 0.3 and .cumulative_s < 0.6)]')" = '[null,true]' ]
	# The tables are in a file, and the sentences come last.
	grep -q '^Line #      Hits' "$UC/profiles/current/explain.txt"
	[ "$(wc -l <"$BATS_FILE_TMPDIR/explain.out")" -le 60 ]
	tail -5 "$BATS_FILE_TMPDIR/explain.out" | grep -q 'alerts.py in `rare`'
}

@test "a cell's own lines have their shares of its time" {
	[ "$(records lines 'select(.type == "profile_line" and .file == "<cell 4>") | .time_s' |
		jq -s '.[0] / (.[0] + .[1]) | . > 0.73 and . < 0.77')" = true ]
}

@test "times and tables are those of the runs without a profiler" {
	nb metrics
	cksum "$UC"/metrics/current/*.csv | diff - "$BATS_FILE_TMPDIR/tables"
	run -0 nb profile
	has '1 notebook profiled, 5 cells'
	[ "$(records samples 'select(.type == "cell" and (.marks | index("profiler"))) | .cell_index' | paste -sd' ')" = '1 2 3 4 5' ]
}

@test "sources, outputs, history and numbers of cells are as without a profiler" {
	for pass in samples lines; do
		diff <(jq '.cells[] | [.source, .execution_count, .outputs]' "$UC/executed/current/known-n1000.ipynb") \
			<(jq '.cells[] | [.source, .execution_count, .outputs]' "$UC/executed/current/known-n1000@profile-$pass.ipynb")
	done
}

@test "what is explained already is not run again, and FUNCTIONS asks for more" {
	touch "$BATS_TEST_TMPDIR/mark"
	run -0 nb explain
	has '% of cell 3 is line 6 of alerts.py in `rare`, `time.sleep(0.01)`, 30 times'
	run -0 nb explain PROFILERS=lines CELLS=3 FUNCTIONS=alerts:run_analysis
	[ "$(records lines 'select(.type == "profile_line" and .function == "run_analysis" and .cell_index == 3) | [.line, .hits]' | paste -sd' ')" = '[8,0] [9,1] [10,1]' ]
	[ "$(records lines 'select(.type == "profile") | .cell_index')" = 3 ]
}

# bats test_tags=thorough
@test "the page's side is profiled by the browser" {
	run -0 nb explain PROFILERS=browser CELLS=3
	[ "$(records browser 'select(.type == "profile") | [.cell_index, .profiler, .wall_s > 0.3, .reason]')" = '[3,"browser",true,null]' ]
	[ "$(records browser 'select(.type == "profile_function" and .function == "(idle)") | .own_s > 0.2')" = true ]
	jq -e '.nodes | length > 5' "$UC/profiles/current/known-n1000@profile-browser/cell-003.cpuprofile"
}

# on_server PASS CELLS NOTEBOOK: the records of a profile run, on the file's server, with the packages in
# $OVERLAY, if set, by the program $DRIVER, else by cellrun. The runs of make have servers of their own.
on_server() {
	use_server
	jq --arg p "$1" --argjson cells "$2" --arg o "${OVERLAY-}" '{profilers: ($p / "+"), cells: $cells, functions: [], overlay: (if $o == "" then .overlay else $o end)}' "$UC/runs/current/.profile/known-n1000@profile-lines.json" >"$BATS_TEST_TMPDIR/settings"
	if [ -n "${DRIVER-}" ]; then
		run cellprofile "$BATS_TEST_TMPDIR/settings" "$DRIVER" "$3"
	else
		run wdsession cellprofile "$BATS_TEST_TMPDIR/settings" cellrun "$3"
	fi
	output=$(grep '^{' <<<"$output")
}

# profiled PROFILER CELLS: the records of a notebook of these cells, of which the first is profiled.
profiled() {
	python3 "$ROOT/tests/nb.py" "$BATS_TEST_TMPDIR/own.ipynb" <<<"$2"
	on_server "$1" "${3:-[1]}" "$BATS_TEST_TMPDIR/own.ipynb"
}

@test "profilers of lines and memory find what make calibrate knows of its cells" {
	nbexpand --usecase c "$ROOT/usecases/calibrate-profile/params.json" | nbpatch -o "$BATS_TEST_TMPDIR" "$ROOT/usecases/calibrate-profile/template.ipynb"
	DRIVER=kernelrun on_server lines+memory null "$BATS_TEST_TMPDIR"/c-*.ipynb
	run -0 runtruth --table <<<"$output"
	has 'verdict: all 31 metrics can be trusted here'
}

# bats test_tags=thorough
@test "a kernel that is killed in a profiled cell leaves the reason" {
	profiled functions '[("code", "import os\nos.kill(os.getpid(), 9)"), ("code", "1")]'
	status_is 1
	reason=$(jq -r 'select(.type == "profile") | .reason' <<<"$output")
	[ "$reason" = 'the cell ended as kernel_died: the kernel is gone' ] || { echo "$reason"; false; }
}

# stacks_with FILTER: the time of all stacks that fit, and of their spans.
stacks_with() {
	jq -s "map(select(.type == \"profile_stack\" and $1)) | [(map(.time_s) | add), (map(.spans[][1]) | add)] | map(. // 0)" <<<"$output"
}

@test "py-spy sees the kernel, a child process and a thread, each with its functions, and when" {
	# Work that takes its time on a processor, however busy the machine is.
	DRIVER=kernelrun profiled stacks '[("code", "\n\nimport multiprocessing, threading, time\ndef spin(s):\n    end = time.thread_time() + s\n    while time.thread_time() < end:\n        pass\ndef in_child():\n    spin(0.8)\nt = threading.Thread(target=spin, args=(0.3,), name=\"helper\")\nt.start()\np = multiprocessing.get_context(\"fork\").Process(target=in_child)\np.start()\nspin(0.3); t.join(); p.join()\nbegin = time.monotonic()\ntime.sleep(1)\nprint(__import__(\"json\").dumps({\"type\": \"items\", \"items\": time.monotonic() - begin}))"),
		("code", "\n%%time\n\nend = time.thread_time() + 0.3\nwhile time.thread_time() < end: pass"), ("code", "%%capture\nend = time.thread_time() + 0.3\nwhile time.thread_time() < end: pass")]' '[1,2,3]'
	status_is 0
	[ "$(jq -c 'select(.type == "profile") | [.profiler, .reason]' <<<"$output" | uniq)" = '["stacks",null]' ]
	local of
	# The lines are the author's, below two empty ones.
	for of in '.process == "kernel" and .thread == "MainThread" and any(.stack[]; . == "<module> (<cell 1>:14)") and any(.stack[]; startswith("spin (<cell 1>:"))' \
		'.thread == "helper" and any(.stack[]; startswith("spin (<cell 1>:"))' '.process == "child" and any(.stack[]; startswith("in_child (<cell 1>:9)"))' \
		'any(.stack[]; . == "<module> (<cell 2>:5)")' 'any(.stack[]; . == "<module> (<cell 3>:3)")'; do
		[ "$(stacks_with "$of" | jq '.[0] > 0.1')" = true ] || { stacks_with "$of"; false; }
	done
	# The main thread also while it waits, the others do not. The sleep took what the cell says.
	local slept
	slept=$(jq 'select(.type == "cell" and .items) | .items' <<<"$output")
	# A machine that is busy delays samples, and loses some.
	local asleep
	asleep=$(stacks_with 'any(.stack[]; . == "<module> (<cell 1>:16)") and any(.stack[]; startswith("time_sleep"))')
	jq -e ".[0] < 0.4 * $slept and .[1] > 0.3 * $slept and .[1] < 1.5 * $slept" <<<"$asleep" || { echo "$asleep of $slept s"; false; }
	# In the trace, the sleep is in the cell, after the loop.
	runtrace <<<"$output" >"$BATS_TEST_TMPDIR/trace"
	jq -e '[.traceEvents[] | select(.ph == "X")] | (.[] | select(.name | startswith("[1] "))) as $cell | (map(select(.name | startswith("time_sleep"))) | max_by(.dur)) as $sleep |
		(map(select(.name | startswith("in_child")) | .ts) | min) as $child | $cell.ts < $child and $child < $sleep.ts and $sleep.ts + $sleep.dur < $cell.ts + $cell.dur + 5e5' "$BATS_TEST_TMPDIR/trace"
}

# bats test_tags=thorough
@test "py-spy sees a function in a worker of dask, and dask its task" {
	local dask=$ROOT/build/profilers/dask-test
	[ -d "$dask" ] || skip "no dask: tests/profilers.bats installs it"
	PATH=$PATH:$(jq -r .overlay "$UC/runs/current/.profile/known-n1000@profile-lines.json")/bin
	OVERLAY=$dask DRIVER=kernelrun profiled stacks+dask '[("code", "import dask, time\ndef on_worker(s):\n    end = time.thread_time() + s\n    while time.thread_time() < end:\n        pass\ndask.delayed(on_worker)(1).compute()", ["profile-dask:n_workers=1", "profile-dask:threads_per_worker=1"])]'
	status_is 0
	[ "$(stacks_with '(.process | startswith("child")) and any(.stack[]; startswith("on_worker ("))' | jq '.[0] > 0.5')" = true ]
	[ "$(jq -c 'select(.type == "profile_task" and .action == "compute") | [.function, .duration_s > 0.9]' <<<"$output")" = '["on_worker",true]' ]
	runtrace <<<"$output" | jq -e '[.traceEvents[] | select(.name == "on_worker" and .dur > 9e5)] | length == 1'
}

@test "wrong settings are named" {
	run -2 nb explain PROFILERS=scalene
	has "PROFILERS are any of: $(sed '/^#/d; s/ .*//' "$ROOT/share/profile/profilers" | paste -sd' '); not 'scalene'"
	run -2 nb explain CELLS=x
	has "CELLS must be numbers of code cells"
}
