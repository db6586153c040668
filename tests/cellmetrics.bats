# bats file_tags=quick,long
load helpers

setup() {
	runs=$ROOT/tests/data/runs.jsonl used=$ROOT/tests/data/used.jsonl
	unset PUE CARBON_INTENSITY CPU_WATTS MEMORY_WATTS
	cd "$BATS_TEST_TMPDIR" || return
}

# A record of each kind, as short as cellmetrics takes them.
a_run() { printf '{"type":"run","t":1.5,"name":"%s","notebook":"%s.ipynb","code_cells":%d}\n' "$1" "$1" "$2"; }
a_cell() { printf '{"type":"cell","cell_index":%d,"status":"%s","profiled":true%s}\n' "$1" "$2" "$3"; }
an_end() { printf '{"type":"run_end","status":"%s","reason":%s}\n' "$1" "${2:-null}"; }

# of TYPE FILTER: what jq says of the output's lines of that type.
of() { jq -c "select(.type==\"$1\") | $2" <<<"$output"; }

@test "each code cell and each run has one record, in the order of the runs" {
	run cellmetrics "$runs"
	status_is 0
	[ "$(jq -r '.type + " " + (.cell_index | tostring)' <<<"$output" | paste -sd,)" = \
		"cell_metrics 1,cell_metrics 2,cell_metrics 3,cell_metrics 4,notebook_metrics null,cell_metrics 1,cell_metrics 2,cell_metrics 3,cell_metrics 4,notebook_metrics null" ]
}

@test "milliseconds become seconds and bytes of both ways become 10^6 bytes" {
	run cellmetrics "$runs"
	[ "$(of cell_metrics 'select(.cell_index==3 and .name=="demo-n1-modepng") | [.client_execution_time_metric, .kernel_execution_time_metric, .client_total_data_received_metric, .dispatch_s, .queue_s, .delivery_s, .render_s, .last_visual_change_s]')" = \
		'[2,0.25,4.2,0.005,0.005,0.04,1.7,2]' ]
}

@test "items of a cell are copied, with their rate over its client time; without a time, or items, the rate is null" {
	run cellmetrics <(a_run x 3; a_cell 1 completed ',"client_ms":500,"items":128,"items_done":100'; a_cell 2 completed ',"client_ms":500,"items":1,"items_done":null'; a_cell 3 failed ',"items":3'; an_end failed)
	status_is 0
	[ "$(of cell_metrics '[.items, .items_done, .items_per_s, .items_done_per_s]' | paste -sd' ')" = '[128,100,256,200] [1,null,2,null] [3,null,null,null]' ]
	run cellmetrics "$runs"
	[ "$(of cell_metrics '[.items, .items_per_s]' | sort -u)" = '[null,null]' ]
}

@test "a notebook's values are sums over its profiled cells only" {
	run cellmetrics "$runs"
	[ "$(of notebook_metrics 'select(.name=="demo-n1-modepng") | [.total_cells, .executed_cells, .profiled_cells, .client_execution_time_metric, .kernel_execution_time_metric, .client_total_data_received_metric, .wall_s, .open_s]')" = \
		'[4,4,3,3.28,1.5,4.203,15,7.5005]' ]
}

@test "a cell that is not profiled has nulls, not zeros" {
	run cellmetrics "$runs"
	[ "$(of cell_metrics 'select(.cell_index==1) | [.execution_status, .client_execution_time_metric, .ws_bytes_received, .changed]' | uniq)" = '["Completed",null,null,null]' ]
}

@test "an empty cell took no time and does not hide the others' phases" {
	run cellmetrics "$runs"
	[ "$(of cell_metrics 'select(.cell_index==4 and .name=="demo-n1-modepng") | [.client_execution_time_metric, .queue_s, .marks]')" = '[0,null,["empty"]]' ]
	[ "$(of notebook_metrics 'select(.name=="demo-n1-modepng") | [.queue_s, .delivery_s, .transport_s]')" = '[0.011,0.06,0.071]' ]
}

@test "queue and delivery are null for a notebook in which one cell lacks them" {
	run cellmetrics "$runs"
	[ "$(of notebook_metrics 'select(.failed_cell) | [.queue_s, .delivery_s, .transport_s]')" = '[null,null,0.023]' ]
}

@test "the first failure is in the notebook's record" {
	run cellmetrics "$runs"
	[ "$(of notebook_metrics '[.execution_status, .failed_cell, .error_name, .reason]' | tail -1)" = '["Failed",3,"ValueError","cell 3 failed"]' ]
	[ "$(of notebook_metrics .error_value | tail -1)" = "$(jq -c 'select(.error_value != null) | .error_value' "$runs")" ]
}

@test "a cell's reason takes precedence over the run's" {
	run cellmetrics < <(a_run a 1; a_cell 1 timed_out ',"reason":"the kernel was still busy"'; an_end timed_out '"cell 1 timed_out"')
	[ "$(of notebook_metrics '[.execution_status,.reason]')" = '["Timed Out","the kernel was still busy"]' ]
}

@test "every status has its word, and no other word is accepted" {
	for s in completed failed timed_out not_settled no_viewer kernel_died browser_died server_lost skipped not_run; do
		a_run a 1; a_cell 1 $s; an_end $s
	done >all
	run cellmetrics all
	status_is 0
	[ "$(of cell_metrics .execution_status | paste -sd,)" = '"Completed","Failed","Timed Out","Not Settled","No Viewer","Kernel Died","Browser Died","Server Lost","Skipped","Not Run"' ]
	[ "$(of cell_metrics .execution_status)" = "$(of notebook_metrics .execution_status)" ]
	run cellmetrics < <(a_run a 1; a_cell 1 fine)
	status_is 3
	has 'cellmetrics: stdin:2:1: the cell has no known "status"'
}

@test "a cell is named by its first call that does more than make an object, in all programs" {
	a_run a 9 >in
	local i=0 line source
	while IFS='|' read -r line source; do
		i=$((i + 1))
		a_cell $i completed ",\"source\":\"$source\"" >>in
		echo "$line" >>names
	done <<-'E'
	display(v)|import a\nout = w.Output()\nwith out:\n    display(v)
	app.load('x.fits')|app = Imviz(config=(1, 2),\n            b=2)\napp.load('x.fits')
	y = f(3)|@cache\ndef f(x):\n    return g(x)\n\ny = f(3)
	View().show(data)|n = (1 + 2)  # see f(n)\nx = \"a\"\nView().show(data)
	from a import b|from a import b\nx = 1\nout = w.Output()
	class A(B):|class A(B):\n    def f(self):\n        g()
	await x.load()|async def f():\n    g()\nawait x.load()
	é(1)|x = Thing(é(2))\n\té(1)  \r\nz()
	fig, ax = plt.subplots()|fig, ax = plt.subplots()\nax.plot(x)
	E
	run -0 cellmetrics in
	of cell_metrics '.source_line' | jq -r . >out
	diff names out
	[ "$(runhistory in | sed -n 's/.*completed *//p' | head -9)" = "$(cat names)" ]
}

@test "without a call a cell is named by its first line that is no magic and no comment, if there is another" {
	local source i=0
	for source in '%%time\n\n  # why\n\tx = 1\ny' '# only\n%matplotlib inline\n' '%time x = 2\r\nz' '#\\n\nz' 'x # %'; do
		i=$((i + 1))
		a_cell $i completed ",\"source\":\"$source\""
	done | cat <(a_run a 5) - >in
	run -0 cellmetrics in
	[ "$(of cell_metrics .source_line | paste -sd' ')" = '"x = 1" "# only" "z" "z" "x # %"' ]
	local i=0 line
	for line in 'x = 1' '# only' z z 'x # %'; do
		i=$((i + 1))
		[[ $(runhistory in | sed -n $((i + 2))p) == *"  $line" ]]
	done
}

@test "the line that names a cell is not blank, and has whole characters" {
	long=$(printf 'é%.0s' {1..300})
	a_run a 5 >in
	a_cell 1 completed ',"source":"\n \n\t  x = 1\ny"' >>in
	a_cell 2 completed ",\"source\":\"$long\"" >>in
	a_cell 3 completed ',"source":"\\n is a \\ backslash\nz"' >>in
	a_cell 4 completed ",\"source\":\"$(printf '\\ud83d\\ude00%.0s' {1..60})\"" >>in
	a_cell 5 completed >>in
	run cellmetrics in
	status_is 0
	[ "$(of cell_metrics .source_line | sed -n 1p)" = '"x = 1"' ]
	[ "$(of cell_metrics '.source_line | explode | [length, unique[]]' | sed -n 2p)" = '[100,233]' ]
	[ "$(of cell_metrics .source_line | sed -n 3p)" = '"\\n is a \\ backslash"' ]
	[ "$(of cell_metrics '.source_line | explode | unique' | sed -n 4p)" = '[128512]' ]
	[ "$(of cell_metrics .source_line | sed -n 5p)" = null ]
}

@test "a cell's record has its whole source, which the CSV has not" {
	{ a_run a 2; a_cell 1 completed ',"source":"x = 1\ny = 2"'; a_cell 2 completed; an_end completed; } >in
	run -0 cellmetrics in
	[ "$(of cell_metrics .source)" = $'"x = 1\\ny = 2"\nnull' ]
	run -0 metrics2csv --cells-to cells.csv <<<"$output"
	head -1 cells.csv >head
	grep -q source_line head
	run ! grep -qE '(^|,)(source|frames)(,|$)' head
}

# ---- what was used --------------------------------------------------------------

# values FILTER: of each cell of `used`, and of its notebook, as one array a line.
values() { jq -c "[$1]" <<<"$output"; }

# samples ROLE T:CPU_S:RSS...: one sample record each.
samples() {
	local role=$1 s
	shift
	for s; do
		IFS=: read -r t cpu rss <<<"$s"
		printf '{"type":"sample","t":%s,"role":"%s","cpu_s":%s,"rss_bytes":%s}\n' "$t" "$role" "$cpu" "$rss"
	done
}

@test "minimum, mean and maximum CPU use are those of the intervals between samples whose middle is in the cell" {
	run cellmetrics "$used"
	status_is 0
	# 25, 125, 125 and 62.5 ms in 125 ms each; the fifth interval's middle is 31 ms after the cell.
	[ "$(values '.cell_index, .kernel_min_cpu_metric, .kernel_mean_cpu_metric, .kernel_max_cpu_metric, .kernel_samples' | head -1)" = '[1,20,67.5,100,4]' ]
	[ "$(values '.cell_index, .client_min_cpu_metric, .client_mean_cpu_metric, .client_max_cpu_metric, .browser_samples' | head -1)" = '[1,0,25,50,4]' ]
	[ "$(values '.gpu_mean_utilization_pct, .gpu_max_utilization_pct, .gpu_max_memory_bytes' | head -1)" = '[50,80,2000000000]' ]
}

@test "samples on the kernel's clock are assigned to the cell although the page's clock is minutes behind" {
	at='(.t, .pressed_t, .received_t) -= 300 | .clock_offset_ms += 300000'
	jq -c "if .type == \"cell\" then $at else . end" "$used" >behind
	cellmetrics "$used" | jq -c 'del(.t, .clock_offset_s)' >want
	cellmetrics behind | jq -c 'del(.t, .clock_offset_s)' >got
	cmp want got
	grep -v '"type":"watch"' behind >elsewhere
	run cellmetrics elsewhere
	[ "$(values '.browser_samples' | head -1)" = '[0]' ]
}

@test "samples of another clock are reported on stderr" {
	cellmetrics "$used" >want 2>err
	[ ! -s err ]
	for by in -300 300; do
		jq -c "if .type == \"sample\" then .t += $by else . end" "$used" >elsewhere
		cellmetrics elsewhere >got 2>err
		where=$([ $by -lt 0 ] && echo predates || echo is later than)
		grep -q "run 'used-n1': every sample $where the cells: was procsample run on a machine with a different clock?" err
	done
}

@test "a queued cell has the samples from the start of its execution on, on either clock" {
	jq -c 'if .type == "cell" and .cell_index == 1 then .marks = ["queued"] | .pressed_t as $t | .clock_offset_ms = 1 | .busy_t = $t + 0.25 else . end' "$used" >queued
	run cellmetrics queued
	[ "$(values '.kernel_samples, .browser_samples' | head -1)" = '[2,2]' ]
	# On another machine samples are on the page's clock.
	grep -v '"type":"watch"' queued | jq -c 'if .cell_index == 1 then .clock_offset_ms = 250 else . end' >elsewhere
	run cellmetrics elsewhere
	[ "$(values '.browser_samples' | head -1)" = '[4]' ]
}

@test "a cell without a key press has the samples from its request to its end" {
	jq -c 'if .type == "cell" and .cell_index == 1 then .sent_t = .pressed_t + 0.25 | .pressed_t = null | .client_ms = null else . end' "$used" >untriggered
	run cellmetrics untriggered
	[ "$(values '.client_execution_time_metric, .kernel_samples, .browser_samples' | head -1)" = '[null,2,2]' ]
	# Before its request the kernel was idle, or another cell's.
	jq -c 'if .type == "cell" and .cell_index == 1 then .sent_t = .received_t | .pressed_t = null | .client_ms = null else . end' "$used" >untriggered
	run cellmetrics untriggered
	[ "$(values '.kernel_samples, .browser_samples' | head -1)" = '[0,0]' ]
}

@test "a truncated cell has the samples until its record's time" {
	jq -c 'if .type == "cell" and .cell_index == 1 then .t = .pressed_t + 0.25 | .received_t = null | .client_ms = null | .marks = ["truncated"] else . end' "$used" >truncated
	run cellmetrics truncated
	[ "$(values '.client_execution_time_metric, .kernel_samples, .browser_samples' | head -1)" = '[null,2,2]' ]
}

@test "an offset within its bound shifts no sample" {
	at='(.t, .pressed_t, .sent_t, .received_t) -= 0.125 | .clock_offset_ms = 125'
	for bound in 124:4 125:3 null:3; do
		jq -c "if .type == \"cell\" then $at | .clock_bound_ms = ${bound%:*} else . end" "$used" >in
		run cellmetrics in
		[ "$(values .kernel_samples | head -1)" = "[${bound#*:}]" ] || { echo "$bound: $output"; return 1; }
	done
}

@test "a cell without an offset uses that of the cell before it" {
	at='(.t, .pressed_t, .sent_t, .received_t) -= 300 | .clock_offset_ms = 300000 | .clock_bound_ms = 1'
	is_third='.type == "cell" and .cell_index == 3'
	{ grep '"run"\|"watch"' "$used"; jq -c "select($is_third) | $at" "$used"; grep -v '"run"\|"watch"' "$used" | jq -c "select($is_third | not) |
		if .type == \"cell\" then $at | .clock_offset_ms = null | .clock_bound_ms = null else . end"; } >unknown
	run cellmetrics unknown
	[ "$(of cell_metrics 'select(.cell_index == 1) | [.kernel_samples, .browser_samples, .gpu_max_utilization_pct]')" = '[4,4,80]' ]
}

@test "a cell shorter than the interval has the mean between its ends, and neither minimum nor maximum" {
	run cellmetrics "$used"
	# 50 ms in the 500 ms between the readings, not in the 20 ms of the client time.
	[ "$(values '.cell_index, .kernel_min_cpu_metric, .kernel_mean_cpu_metric, .kernel_max_cpu_metric, .kernel_samples' | sed -n 2p)" = '[2,null,10,null,0]' ]
	[ "$(values '.kernel_min_rss_bytes, .kernel_mean_rss_bytes, .kernel_max_rss_bytes, .kernel_max_memory_metric' | sed -n 2p)" = '[300000000,305000000,320000000,4]' ]
	[ "$(values '.gpu_mean_utilization_pct, .gpu_max_utilization_pct, .gpu_max_memory_bytes' | sed -n 2p)" = '[null,null,null]' ]
	[ "$(values '.kernel_cpu_s, .kernel_peak_rss_bytes, .kernel_peak_method, .kernel_write_bytes, .kernel_energy_j' | sed -n 2p)" = '[0.05,320000000,"vmhwm",8192,1.5]' ]
}

@test "maximum memory is at least the exact peak and both ends, in bytes and in percent of the machine's" {
	run cellmetrics "$used"
	[ "$(values '.kernel_min_rss_bytes, .kernel_mean_rss_bytes, .kernel_max_rss_bytes, .kernel_min_memory_metric, .kernel_mean_memory_metric, .kernel_max_memory_metric' | head -1)" = \
		'[200000000,300000000,480000000,2.5,3.75,6]' ]
	# Of the browser the reading after the cell is more than samples and peak.
	[ "$(values '.browser_peak_rss_bytes, .browser_min_rss_bytes, .browser_mean_rss_bytes, .browser_max_rss_bytes, .client_max_memory_metric' | head -1)" = \
		'[1100000000,1000000000,1000000000,1200000000,15]' ]
	run cellmetrics < <(sed 's/"memory_bytes":8000000000/"memory_bytes":null/' "$used")
	[ "$(values '.kernel_max_rss_bytes, .kernel_max_memory_metric' | head -1)" = '[480000000,null]' ]
}

@test "a peak that is only in the samples is used, and not marked exact if it is more than 1 % higher" {
	# The third sample's 300 MB; the mark is 480 MB.
	for held in 480000000:480000000,vmhwm 484000000:484000000,vmhwm 485000000:485000000,sampled; do
		run cellmetrics < <(sed "s/\\(\"t\":1790000110.21875,\"role\":\"kernel\".*\"rss_bytes\":\\)300000000/\\1${held%%:*}/" "$used")
		[ "$(jq -r 'select(.cell_index == 1) | "\(.kernel_peak_rss_bytes),\(.kernel_peak_method)"' <<<"$output")" = "${held#*:}" ] || { echo "$held: $output"; return 1; }
	done
}

@test "CPU time that is only in the samples is a daemon's, and counts; small differences of late samples do not" {
	# The samples within the first cell say 0.3125 s.
	for read in 0.3:0.3 0.25:0.25 0.2:0.3125 0.03:0.3125 null:null; do
		run cellmetrics < <(jq -c "if .type == \"cell\" and .cell_index == 1 then .usage.kernel.cpu_s = ${read%:*} else . end" "$used")
		status_is 0
		[ "$(jq -r 'select(.cell_index == 1).kernel_cpu_s' <<<"$output")" = "${read#*:}" ] || { echo "$read: $output"; return 1; }
	done
}

@test "of fewer than --min-samples samples only the number is used" {
	run cellmetrics --min-samples 5 "$used"
	[ "$(values '.kernel_min_cpu_metric, .kernel_mean_cpu_metric, .kernel_max_cpu_metric, .kernel_samples, .kernel_mean_rss_bytes, .kernel_max_rss_bytes' | head -1)" = \
		'[null,30,null,4,250000000,480000000]' ]
	run cellmetrics --min-samples 4 "$used"
	[ "$(values '.kernel_mean_cpu_metric, .kernel_mean_rss_bytes' | head -1)" = '[67.5,300000000]' ]
	run cellmetrics --min-samples 0 "$used"
	status_is 2
}

@test "the energy of a process tree is its share by CPU time, and its carbon needs an intensity" {
	run cellmetrics "$used"
	[ "$(values '.machine_energy_j, .machine_cpu_s, .kernel_energy_j, .browser_energy_j, .energy_method, .kernel_co2e_g' | sed '3d')" = \
'[24,0.6,12,6,"estimate",null]
[6,0.2,1.5,3,"estimate",null]
[30,0.8,13.5,9,null,null]' ]
	PUE=1.5 CARBON_INTENSITY=400 run cellmetrics "$used"
	# 12 J / 3.6 MJ * 1.5 * 400 g
	[ "$(values '.kernel_energy_j, .kernel_co2e_g, .browser_co2e_g' | sed 3d)" = \
'[12,0.002,0.001]
[1.5,0.00025,0.0005]
[13.5,0.00225,0.0015]' ]
}

@test "unknown joules give no share and no carbon" {
	CARBON_INTENSITY=400 run cellmetrics < <(sed 's/"energy_j":24.0/"energy_j":null/; s/"cpu_busy_s":0.2/"cpu_busy_s":null/' "$used")
	[ "$(values '.machine_energy_j, .kernel_energy_j, .kernel_co2e_g' | sed 3d)" = \
'[null,null,null]
[6,null,null]
[6,null,null]' ]
}

@test "an impossible setting is refused before anything is read" {
	PUE=0.5 run cellmetrics "$used"
	status_is 2
	[ "$output" = "cellmetrics: PUE must be a number from 1 to 10, not '0.5'" ]
	CARBON_INTENSITY=much run cellmetrics </dev/null
	status_is 2
	PUE= CARBON_INTENSITY= run cellmetrics </dev/null
	status_is 0
}

@test "a notebook has the sum, minimum, maximum or mean by client time of its profiled cells" {
	run cellmetrics "$used"
	[ "$(values '.kernel_cpu_s, .kernel_energy_j, .kernel_samples, .kernel_voluntary_switches, .long_animation_frames, .total_blocking_time_s' | tail -1)" = '[0.35,13.5,4,80,2,0.05]' ]
	[ "$(values '.kernel_min_cpu_metric, .kernel_max_cpu_metric, .kernel_min_rss_bytes, .kernel_max_rss_bytes, .kernel_peak_rss_bytes, .heap_bytes, .longest_gap_s' | tail -1)" = \
		'[20,100,200000000,480000000,480000000,66000000,0.075]' ]
	# (67.5 * 0.5 + 10 * 0.02) / 0.52, (300 MB * 0.5 + 305 MB * 0.02) / 0.52
	[ "$(values '.kernel_mean_cpu_metric, .kernel_mean_rss_bytes' | tail -1)" = '[65.288462,300192308]' ]
	[ "$(jq -c 'select(.cell_index == 3) | [.kernel_cpu_s, .kernel_max_rss_bytes, .heap_bytes, .browser_samples]' <<<"$output")" = '[null,null,null,null]' ]
	[ "$(jq -r 'select(.type == "notebook_metrics") | has("diagnosis"), has("kernel_peak_method"), has("heap_before_bytes")' <<<"$output" | uniq)" = false ]
}

@test "a cell has the console errors while it ran, a notebook also those between its cells" {
	run cellmetrics "$used"
	[ "$(values '.cell_index, .console_errors')" = '[1,1]
[2,0]
[3,null]
[null,2]' ]
	run cellmetrics < <(grep -v '"console"' "$used")
	[ "$(values .console_errors | paste -sd,)" = '[0],[0],[null],[0]' ]
	run cellmetrics < <(jq -c 'if .type == "cell" then .page = null else . end' "$used")
	[ "$(values .console_errors | paste -sd,)" = '[null],[null],[null],[null]' ]
}

@test "a run without samples has the readings at the ends of its cells" {
	grep -v '"sample"' "$used" >in
	run cellmetrics in
	[ "$(values '.kernel_min_cpu_metric, .kernel_mean_cpu_metric, .kernel_max_cpu_metric, .kernel_samples, .gpu_max_utilization_pct, .kernel_min_rss_bytes, .kernel_mean_rss_bytes, .kernel_max_rss_bytes' | sed 3d)" = \
'[null,30,null,0,null,200000000,250000000,480000000]
[null,10,null,0,null,300000000,305000000,320000000]
[null,29.230769,null,0,null,200000000,252115385,480000000]' ]
}

@test "values that were not read are null, not 0" {
	run cellmetrics < <(jq -c 'select(.type != "sample") | if .type == "cell" then .usage = null | .page = null else . end' "$used")
	[ "$(jq -c 'with_entries(select((.key | test("^(kernel|browser|client|server|machine|energy|gpu|load|cpu|io|memory)_") and (test("_execution_time|_total_data|_comm") | not)) and .key != "kernel_s")) | [.[]] | unique' <<<"$output" | uniq)" = '[null]' ]
	run cellmetrics < <(a_run a 1; a_cell 1 completed ',"client_ms":10,"usage":{"kernel":{"cpu_s":null,"rss_bytes":5000000,"reason":"the kernel runs elsewhere"}}'; an_end completed)
	[ "$(values '.kernel_cpu_s, .kernel_mean_cpu_metric, .kernel_samples, .kernel_rss_bytes, .kernel_usage_reason' | head -1)" = '[null,null,null,5000000,"the kernel runs elsewhere"]' ]
}

@test "one missing GPU utilization does not affect later samples" {
	# The sample of 40 % and 1 GB; the mean is then that of 80, 80 and 0.
	run cellmetrics < <(sed 's/"utilization_pct":40,"memory_bytes":1000000000/"utilization_pct":null,"memory_bytes":null/' "$used")
	[ "$(values '.gpu_mean_utilization_pct, .gpu_max_utilization_pct, .gpu_max_memory_bytes' | head -1)" = '[53.333333,80,2000000000]' ]
	run cellmetrics < <(sed 's/"utilization_pct":[0-9]*/"utilization_pct":null/g; s/"memory_bytes":[0-9]*,"memory_total/"memory_bytes":null,"memory_total/g' "$used")
	[ "$(values '.gpu_mean_utilization_pct, .gpu_max_utilization_pct, .gpu_max_memory_bytes' | head -1)" = '[null,null,null]' ]
	run cellmetrics < <(jq -c 'if .gpus then .gpus = [] else . end' "$used")
	[ "$(values '.gpu_mean_utilization_pct, .gpu_max_utilization_pct, .gpu_max_memory_bytes' | head -1)" = '[null,null,null]' ]
}

@test "a restarted watch, in a run or with the next, does not continue the one before" {
	cell=',"pressed_t":10,"client_ms":1000,"usage":{"kernel":{"cpu_s":1},"machine":{"elapsed_s":1}}'
	{ a_run a 1; samples kernel 10.125:7:1 10.375:7.25:1 10.625:0:1 10.875:0.125:1; a_cell 1 completed "$cell"; an_end completed; } >one
	run cellmetrics one
	[ "$(values '.kernel_min_cpu_metric, .kernel_max_cpu_metric, .kernel_samples' | head -1)" = '[50,100,2]' ]
	# The next run's clock goes on where this one's ended.
	{ cat one; a_run b 1; samples kernel 11.125:9:1 11.375:9.25:1 11.625:9.5:1; a_cell 1 completed "${cell/10/11}"; an_end completed; } >two
	run cellmetrics two
	[ "$(of cell_metrics 'select(.name=="b") | [.kernel_min_cpu_metric, .kernel_max_cpu_metric, .kernel_samples]')" = '[100,100,2]' ]
}

# ---- diagnosis ---------------------------------------------------------------------

# told(MEMBERS [PAGE]): the diagnosis of a cell of 1 s on a machine of 8 GB.
told() {
	{
		printf '{"type":"run","name":"a","notebook":"a.ipynb","code_cells":1,"machine":{"memory_bytes":8000000000}}\n'
		a_cell 1 completed ",\"client_ms\":1000,$1,\"page\":${2:-null}"
		an_end completed
	} >told
	cellmetrics told | jq -r 'select(.type == "cell_metrics").diagnosis'
}

# used MEMBERS, browser MEMBERS: the members of the kernel and of the browser, for told().
used() { echo "\"usage\":{\"kernel\":{$1}}"; }
browser() { echo "\"usage\":{\"browser\":{$1}}"; }

# waited KERNEL BROWSER MACHINE [MEMBERS]: the diagnosis and the cause of a cell of 1 s, from the members of each.
waited() {
	told "${4-}\"usage\":{\"kernel\":{$1},\"browser\":{$2},\"server\":{\"cpu_s\":0.1},\"machine\":{$3}}"
	cellmetrics told | jq -r 'select(.type == "cell_metrics").run_queue_wait_cause'
}

@test "diagnosis: a long run-queue wait of kernel or browser has a cause; other processes are not repeated in each cell" {
	local half='"run_queue_wait_s":0.4,"cpu_s":0.6' own="kernel, browser and server compete for processors"
	# 1.2 s of their own, 0.6 s of others: a third.
	[ "$(waited "$half" '"cpu_s":0.5' '"cpu_busy_s":1.81')" = $'null\nothers' ]
	[ "$(waited "$half" '"cpu_s":0.5' '"cpu_busy_s":1.79')" = "$own (the kernel's run-queue wait: 40 %)"$'\nown' ]
	[ "$(waited '"cpu_s":0.5' "$half" '"cpu_busy_s":1.79')" = "$own (the browser's run-queue wait: 40 %)"$'\nown' ]
	[ "$(waited "$half" "$half" '"cpu_busy_s":1.31')" = "$own (the kernel's run-queue wait: 40 %)"$'\nown' ]
	[ "$(waited "$half" '"cpu_s":null' '"cpu_busy_s":0.75')" = "$own (the kernel's run-queue wait: 40 %)"$'\nown' ]
	# It explains nothing where there is another finding.
	[ "$(waited "$half,\"major_faults\":1001" '"cpu_s":0.5' '"cpu_busy_s":1.79')" = $'the kernel waits for storage at 1,001 page faults: files are read for the first time, or memory is short\nown' ]
	# Where the machine's CPU time is unknown, it is unknown which processes it waited for.
	[ "$(waited "$half" '"cpu_s":0.5' '"cpu_busy_s":null')" = $'null\nunknown' ]
	# Below a fifth of what it could run; of the cell's time; 50 ms.
	[ "$(waited '"run_queue_wait_s":0.25,"cpu_s":1.1' '"cpu_s":0.5' '"cpu_busy_s":9')" = $'null\nnull' ]
	[ "$(waited '"run_queue_wait_s":0.19,"cpu_s":0.1' '"cpu_s":0.5' '"cpu_busy_s":9')" = $'null\nnull' ]
	run cellmetrics < <(a_run a 1; a_cell 1 completed ',"client_ms":100,"usage":{"kernel":{"run_queue_wait_s":0.04,"cpu_s":0.01},"machine":{"cpu_busy_s":9}}'; an_end completed)
	[ "$(values '.diagnosis, .run_queue_wait_cause' | head -1)" = '[null,null]' ]
}

@test "diagnosis: errors in the page's console" {
	for n in 0:null '1:"1 error in the page'"'"'s console"' '2:"2 errors in the page'"'"'s console"'; do
		run cellmetrics < <(a_run a 1; for ((i = 0; i < ${n%%:*}; i++)); do echo '{"type":"console","cell_index":1,"kind":"exception"}'; done
			a_cell 1 completed ',"client_ms":10,"page":{"nodes":1}'; an_end completed)
		[ "$(of cell_metrics .diagnosis)" = "${n#*:}" ] || { echo "$n: $output"; return 1; }
	done
	# Of a cell that took no time too.
	run cellmetrics < <(a_run a 1; echo '{"type":"console","cell_index":1,"kind":"exception"}'; a_cell 1 completed ',"client_ms":0,"page":{"nodes":1}'; an_end completed)
	[ "$(of cell_metrics .diagnosis)" = '"1 error in the page'"'"'s console"' ]
}

@test "diagnosis: the kernel, from half of the time on, with the cores that it computes on" {
	[ "$(told "\"kernel_ms\":500,$(used '"cpu_s":0.5')")" = 'the kernel takes 50 % of the time, on 1.0 core' ]
	[ "$(told "\"kernel_ms\":900,$(used '"cpu_s":1.62')")" = 'the kernel takes 90 % of the time, on 1.8 cores' ]
	[ "$(told '"kernel_ms":900')" = 'the kernel takes 90 % of the time' ]
	[ "$(told "\"kernel_ms\":499,$(used '"cpu_s":0.5')")" = null ]
}

@test "diagnosis: a kernel that computes for less than 30 % of its time waits, for storage where it moved over 10 MB" {
	[ "$(told "\"kernel_ms\":800,$(used '"cpu_s":0.2')")" = 'the kernel takes 80 % of the time and computes for 0.20 s of its 0.80 s: it waits for an unknown reason' ]
	[ "$(told "\"kernel_ms\":800,$(used '"cpu_s":0.2,"run_queue_wait_s":0.4')")" = \
		'the kernel takes 80 % of the time and computes for 0.20 s of its 0.80 s: it waits in the run queue' ]
	# Other processes are named by the summary only.
	[ "$(waited '"cpu_s":0.2,"run_queue_wait_s":0.4' '"cpu_s":0.5' '"cpu_busy_s":1.19' '"kernel_ms":800,')" = \
		$'the kernel takes 80 % of the time and computes for 0.20 s of its 0.80 s: it waits in the run queue\nown' ]
	[ "$(waited '"cpu_s":0.2,"run_queue_wait_s":0.4' '"cpu_s":0.5' '"cpu_busy_s":1.21' '"kernel_ms":800,')" = \
		$'the kernel takes 80 % of the time and computes for 0.20 s of its 0.80 s\nothers' ]
	[ "$(told "\"kernel_ms\":800,$(used '"cpu_s":0.2,"read_bytes":6000000,"write_bytes":4000000')")" = \
		'the kernel takes 80 % of the time and computes for 0.20 s of its 0.80 s: it waits for an unknown reason' ]
	[ "$(told "\"kernel_ms\":800,$(used '"cpu_s":0.2,"read_bytes":1200000000,"write_bytes":4000000')")" = \
		'the kernel takes 80 % of the time and computes for 0.20 s of its 0.80 s: it reads 1.2 GB and writes 4.0 MB' ]
	[ "$(told "\"kernel_ms\":800,$(used '"cpu_s":0.24,"read_bytes":60000000,"write_bytes":0')")" = 'the kernel takes 80 % of the time, on 0.3 core' ]
}

@test "diagnosis: rendering, from half of the time on, with the widget messages" {
	[ "$(told '"render_ms":820,"comm_messages_received":1812')" = 'rendering takes 82 % of the time, with 1,812 widget messages' ]
	[ "$(told '"render_ms":500,"comm_messages_received":1')" = 'rendering takes 50 % of the time, with 1 widget message' ]
	[ "$(told '"render_ms":500,"comm_messages_received":1234567')" = 'rendering takes 50 % of the time, with 1,234,567 widget messages' ]
	[ "$(told '"render_ms":500,"comm_messages_received":0')" = "rendering takes 50 % of the time, without any widget message: it is the page's own work" ]
	[ "$(told '"render_ms":500')" = 'rendering takes 50 % of the time' ]
	[ "$(told '"render_ms":499,"comm_messages_received":1812')" = null ]
}

@test "diagnosis: a reply that has arrived and waits for the browser, from half of render on, with the browser's CPU time" {
	local late='"render_ms":800,"transport_ms":10,"handling_delay_ms":' busy="of the time the kernel's reply had arrived, but the browser was too busy to handle it"
	[ "$(told "${late}700,$(browser '"cpu_s":1.234')")" = "for 70 % $busy (1.23 s of CPU time)" ]
	[ "$(told "${late}400,\"comm_messages_received\":2,$(browser '"cpu_s":3.8')")" = "for 40 % $busy (3.80 s of CPU time), with 2 widget messages" ]
	[ "$(told "${late}700,$(browser '"cpu_s":null')")" = "for 70 % $busy" ]
	[ "$(told "${late}399,\"comm_messages_received\":2")" = 'rendering takes 80 % of the time, with 2 widget messages' ]
	[ "$(told '"render_ms":499,"handling_delay_ms":499')" = null ]
	# A busy page explains transport only where it is unknown when messages arrived.
	[ "$(told '"transport_ms":600,"handling_delay_ms":0' '{"long_animation_frame_ms":600}')" = '60 % of the time is transport between page and kernel' ]
}

@test "diagnosis: transport, from half of the time on, with the bytes" {
	[ "$(told '"transport_ms":600,"ws_bytes_received":25000000,"http_bytes_received":1000000')" = '60 % of the time is transport between page and kernel (26 MB)' ]
	[ "$(told '"transport_ms":600')" = '60 % of the time is transport between page and kernel' ]
	local busy='"transport_ms":600,"comm_messages_received":3003'
	[ "$(told "$busy" '{"long_animation_frame_ms":300}')" = "for 60 % of the time the kernel's reply waited for the page, which was busy for 0.30 s with 3,003 widget messages" ]
	[ "$(told "$busy" '{"long_animation_frame_ms":299}')" = '60 % of the time is transport between page and kernel' ]
	[ "$(told '"transport_ms":600,"comm_messages_received":0' '{"long_animation_frame_ms":300}')" = "for 60 % of the time the kernel's reply waited for the page, which was busy for 0.30 s" ]
	[ "$(told '"transport_ms":499,"ws_bytes_received":25000000,"http_bytes_received":1000000')" = null ]
}

@test "diagnosis: a blocked main thread, from a fifth of the time on, with the script that took most of it" {
	local slow='{"total_blocking_time_ms":200,"scripts":[{"script":"lab.js draw","duration_ms":100},{"script":"b.js","duration_ms":50}]}'
	[ "$(told '"kernel_ms":0' "$slow")" = "the browser's main thread was blocked for 0.20 s, mostly by lab.js draw" ]
	[ "$(told '"kernel_ms":0' "${slow/:100/:99}")" = "the browser's main thread was blocked for 0.20 s" ]
	[ "$(told '"kernel_ms":0' '{"total_blocking_time_ms":200,"scripts":[]}')" = "the browser's main thread was blocked for 0.20 s" ]
	[ "$(told '"kernel_ms":0' '{"total_blocking_time_ms":200,"scripts":null}')" = "the browser's main thread was blocked for 0.20 s" ]
	[ "$(told '"kernel_ms":0' "${slow/:200/:199}")" = null ]
}

@test "diagnosis: the kernel's memory, where it rises by more than a tenth of the machine's" {
	[ "$(told "$(used '"rss_before_bytes":200000000,"rss_bytes":300000000,"peak_rss_bytes":1800000000')")" = "the kernel's memory rises by 1.6 GB, 20 % of the machine's" ]
	[ "$(told "$(used '"rss_before_bytes":200000000,"rss_bytes":300000000,"peak_rss_bytes":1800000000,"peak_method":"sampled"')")" = \
		"the kernel's memory rises by 1.6 GB, 20 % of the machine's (pages that its processes share are counted for each)" ]
	[ "$(told "$(used '"rss_before_bytes":200000000,"rss_bytes":300000000,"peak_rss_bytes":1000000000')")" = null ]
}

@test "diagnosis: page faults that wait for storage, over a thousand" {
	[ "$(told "$(used '"major_faults":1001')")" = 'the kernel waits for storage at 1,001 page faults: files are read for the first time, or memory is short' ]
	[ "$(told "$(used '"major_faults":1000')")" = null ]
}

@test "diagnosis: there is none for less than 0.1 s, nor for a cell without a client time" {
	for ms in 99 0 null; do
		run cellmetrics < <(a_run a 1; a_cell 1 completed ",\"client_ms\":$ms,\"kernel_ms\":90,\"render_ms\":90,\"transport_ms\":90"; an_end completed)
		[ "$(of cell_metrics .diagnosis)" = null ] || { echo "$ms: $output"; return 1; }
	done
}

@test "diagnosis: at most three findings are joined, in the order in which a developer can change the cause" {
	[ "$(told "\"kernel_ms\":500,\"render_ms\":500,$(used '"cpu_s":0.5')")" = 'the kernel takes 50 % of the time, on 1.0 core; rendering takes 50 % of the time' ]
	local data='"transport_ms":500,"ws_bytes_received":900000,"http_bytes_received":' sent='50 % of the time is transport between page and kernel'
	local blocked="the browser's main thread was blocked for 0.50 s" faults='the kernel waits for storage at 5,000 page faults: files are read for the first time, or memory is short'
	# The cell sends the data; a network with little data is not its own.
	[ "$(told "${data}100000,$(used '"major_faults":5000')" '{"total_blocking_time_ms":500}')" = "$sent (1.0 MB); $blocked; $faults" ]
	[ "$(told "${data}99999,$(used '"major_faults":5000')" '{"total_blocking_time_ms":500}')" = "$blocked; $sent (1.0 MB); $faults" ]
	# The machine is what they can change least.
	local more='"cpu_s":0.5,"run_queue_wait_s":0.5,"major_faults":5000,"rss_before_bytes":2e8,"rss_bytes":3e8,"peak_rss_bytes":18e8'
	[ "$(told "\"kernel_ms\":500,\"usage\":{\"kernel\":{$more},\"machine\":{\"cpu_busy_s\":0.6}}" '{"total_blocking_time_ms":500}')" = \
		"the kernel takes 50 % of the time, on 1.0 core; the kernel's memory rises by 1.6 GB, 20 % of the machine's; $blocked" ]
}

@test "diagnosis: neither a script's name nor absurd numbers break the line" {
	local wide
	for name in '\"};rm\u001b[31m\n\\\u007f' "$(printf 'é%.0s' {1..300})" "x$(printf 'é%.0s' {1..300})" "$(printf '漢%.0s' {1..300})" "$(printf 'x%.0s' {1..3000})"; do
		wide=$(told '"kernel_ms":0' "{\"total_blocking_time_ms\":500,\"scripts\":[{\"script\":\"$name\",\"duration_ms\":500}]}")
		python3 - "$wide" <<-'P' || { echo "$name: $wide"; return 1; }
		import sys
		head, text = "the browser's main thread was blocked for 0.50 s, mostly by ", sys.argv[1]
		name = text.removeprefix(head)
		assert text.startswith(head) and 0 < len(name.encode()) <= 80, text
		assert not any(c in '"\\\x7f' or ord(c) < 32 or 0xd800 <= ord(c) < 0xe000 for c in name), text
		P
	done
	run told "\"render_ms\":1e300,\"comm_messages_received\":1e300,\"transport_ms\":1e300,\"ws_bytes_received\":1e300,\"http_bytes_received\":1e300,$(used '"major_faults":1e308,"cpu_s":1e300,"run_queue_wait_s":1e308,"peak_rss_bytes":1e300,"rss_before_bytes":-1e300,"read_bytes":1e300,"write_bytes":1e300')" '{"total_blocking_time_ms":1e300}'
	status_is 0
	has 'rendering takes 100 % of the time, with 1,000,000,000,000,000 widget messages'
}

@test "unknown records are passed on byte for byte and in order; known ones are consumed" {
	note='{ "type" : "note", "x":1.50, "é":"\u0041" }'
	{ a_run a 1; echo "$note"; a_cell 1 completed; echo '{"type":"sample"}'; echo '{"type":"viz"}'; echo '{"type":"watch"}'; an_end completed; echo '{"type":"cell_metrics"}'; } >in
	run cellmetrics in
	status_is 0
	[ "${lines[0]}" = "$note" ]
	[ "$(jq -r .type <<<"$output" | paste -sd,)" = note,cell_metrics,notebook_metrics,cell_metrics ]
}

@test "an incomplete run has its recorded cells; the others are not run and incomplete" {
	{ a_run a 4; a_cell 1 completed; echo '{"type":"cell_start","cell_index":2,"cell_id":"two","tags":["skip_profiling"]}'; a_run b 1; } >in
	run --separate-stderr cellmetrics in
	status_is 0
	[ "$stderr" = "cellmetrics: in: run 'a' has no run_end: incomplete
cellmetrics: in: run 'b' has no run_end: incomplete" ]
	[ "$(of cell_metrics 'select(.name=="a") | [.cell_index, .execution_status, .cell_id, .profiled, .marks]' | sed 1d)" = \
'[2,"Not Run","two",false,["incomplete"]]
[3,"Not Run",null,null,["incomplete"]]
[4,"Not Run",null,null,["incomplete"]]' ]
	[ "$(of notebook_metrics '[.name, .execution_status, .executed_cells, .marks, .wall_s]')" = \
'["a","Not Run",1,["incomplete","partial"],null]
["b","Not Run",0,["incomplete"],null]' ]
}

@test "an incomplete run has the status of its fault, if there is a record of it" {
	run --separate-stderr cellmetrics < <(a_run a 2; a_cell 1 failed)
	[ "$(of notebook_metrics .execution_status)" = '"Failed"' ]
	run --separate-stderr cellmetrics < <(a_run a 2; echo '{"type":"fault","what":"server_lost","message":"gone"}')
	[ "$(of notebook_metrics .execution_status)" = '"Server Lost"' ]
}

@test "cells without a record in a run that ended have its reason, and are not incomplete" {
	run cellmetrics < <(a_run a 2; an_end skipped '"needs 40 GB"')
	[ "$(of cell_metrics '[.execution_status, .reason, .marks]' | uniq)" = '["Skipped","needs 40 GB",[]]' ]
	[ "$(of notebook_metrics '[.execution_status, .reason, .executed_cells, .client_execution_time_metric]')" = '["Skipped","needs 40 GB",0,null]' ]
	run cellmetrics < <(a_run a 2; an_end browser_died '"gone"')
	[ "$(of cell_metrics '[.execution_status, .reason]' | uniq)" = '["Not Run","gone"]' ]
}

@test "a profiled cell without its time makes the notebook's sums partial" {
	{ a_run a 2; a_cell 1 completed ',"client_ms":20,"kernel_ms":5,"ws_bytes_received":1,"http_bytes_received":0'; a_cell 2 browser_died; an_end browser_died; } >in
	run cellmetrics in
	[ "$(of notebook_metrics '[.client_execution_time_metric, .marks]')" = '[0.02,["partial"]]' ]
}

@test "names, parameters and errors are copied unchanged" {
	{ printf '{"type":"run","name":"\\u001b[31m\\"x\\"","notebook":"é.ipynb","code_cells":1,"params":{"a":{"b":[1,{"c":null}]},"d":1e3,"e":-0}}\n'; a_cell 1 failed ',"error_name":"E","error_value":"a\nb\u0007"'; an_end failed; } >in
	run cellmetrics in
	[ "$(of cell_metrics '[.name, .params, .error_value]')" = "$(jq -nc '["\u001b[31m\"x\"", {a:{b:[1,{c:null}]},d:1000,e:-0}, "a\nb\u0007"]')" ]
	has '"d":1e3,"e":-0'
}

@test "numbers of any size are as exact as in the input" {
	{ a_run a 1; a_cell 1 completed ',"client_ms":0.001,"kernel_ms":86400000.125,"ws_bytes_received":9007199254740991,"http_bytes_received":0,"unattributed_ms":-0.25'; an_end completed; } >in
	run cellmetrics in
	has '"client_execution_time_metric":0.000001,"kernel_execution_time_metric":86400.000125,'
	has '"ws_bytes_received":9007199254740991,'
	has '"unattributed_s":-0.00025,'
}

film() {	# MS PROGRESS...: a filmed run of one cell that was pressed at t = 100
	a_run a 1 | sed 's/}$/,"settings":{"filmed":true}}/'
	printf '{"type":"film","t":100,"cell_index":1,"frames":['
	while [ $# -gt 0 ]; do
		printf '{"t":%d.%03d,"bound_ms":1,"file":"x","progress":%s}' $((100 + $1 / 1000)) $(($1 % 1000)) "$2"
		shift 2
		[ $# -eq 0 ] || printf ,
	done
	printf ']}\n'
	a_cell 1 completed ',"pressed_t":100,"client_ms":2500,"kernel_ms":30,"ws_bytes_received":5,"marks":["filmed"]'
	an_end completed
}

@test "progress of 0, 50, 100 % at 0, 1000, 2000 ms is a Speed Index of 1500 ms" {
	run -0 cellmetrics < <(film 0 0 1000 0.5 2000 1)
	[ "$(of cell_metrics '[.speed_index_s,.visually_complete_85_s,.visually_complete_95_s,.visually_complete_99_s]')" = '[1.5,2,2,2]' ]
	[ "$(of notebook_metrics .speed_index_s)" = 1.5 ]
	run -0 cellmetrics < <(film 0 0 400 0.9 600 0.96 1000 0.8 1500 1)
	[ "$(of cell_metrics '[.speed_index_s,.visually_complete_85_s,.visually_complete_95_s,.visually_complete_99_s]')" = '[0.536,0.4,0.6,1.5]' ]
}

@test "a film gives visual times only, and none where nothing changed" {
	run -0 cellmetrics < <(film 0 0 1000 1)
	[ "$(of cell_metrics '[.client_execution_time_metric,.kernel_s,.ws_bytes_received,.marks]')" = '[null,null,null,["filmed"]]' ]
	[ "$(of notebook_metrics .marks)" = '["filmed"]' ]
	[ "$(of cell_metrics '.frames | map([.after_s, .progress, .file])')" = '[[0,0,"x"],[1,1,"x"]]' ]
	# Of many frames, the few that show how the output appeared.
	run -0 cellmetrics < <(film 0 0 $(awk 'BEGIN {for (k = 1; k < 100; k++) print 10 * k, k / 100}') 1000 1)
	[ "$(of cell_metrics '.frames | map(.progress)')" = '[0,0.17,0.34,0.5,0.67,0.84,1]' ]
	run -0 cellmetrics < <(film 0 null 1000 null)
	[ "$(of cell_metrics .frames)" = null ]
	[ "$(of cell_metrics '[.speed_index_s,.visually_complete_85_s]')" = '[null,null]' ]
}

@test "several files are read as one stream, and errors name their file" {
	a_run a 1 >one
	{ a_cell 1 completed; an_end completed; } >two
	run cellmetrics one two
	status_is 0
	[ "$(of notebook_metrics .execution_status)" = '"Completed"' ]
	run cellmetrics two
	status_is 3
	has 'cellmetrics: two:1:1: no run record before this cell or run_end record'
	run cellmetrics nowhere
	status_is 4
	has "cellmetrics: cannot open 'nowhere': No such file or directory"
}

@test "a run that violates the schema is refused" {
	run cellmetrics < <(echo '{"type":"run","name":"a","notebook":"a.ipynb"}')
	status_is 3
	has 'stdin:1:1: the run has no "code_cells" from 0 to 1000000'
	run cellmetrics < <(echo '{"type":"run","name":7,"notebook":"a","code_cells":1}')
	status_is 3
	has 'the run has no "name" or no "notebook"'
	run cellmetrics < <(a_run a 2; a_cell 3 completed)
	status_is 3
	has 'stdin:2:1: the cell has no "cell_index" from 1 to the run'
	run cellmetrics < <(a_run a 2; a_cell 1 completed; a_cell 1 completed)
	status_is 3
	has 'stdin:3:1: a second record of this cell in the run'
	run cellmetrics < <(a_run a 1; an_end completed; a_cell 1 completed)
	status_is 3
	has 'stdin:3:1: no run record before this cell or run_end record'
}

@test "empty input gives no record and no error" {
	run cellmetrics </dev/null
	status_is 0
	[ -z "$output" ]
}

@test "lines that are not records are refused with line and column" {
	for bad in 'x' '[]' '7' '{"type":"run"' '{"a":1}' '{"type":1}' '{"type":"x"} {}' '{"type":"x","a":01}' '{"type":"x","a":tru}' \
		'{"type":"x","a":NaN}' '{"type":"x","a":1e999}' '{"type":"x","a":1,"a":2}' '{"type":"x","b":{"a":1,"a":2}}' \
		'{"type":"x","a":"\ud800"}' '{"type":"x","a\u0000":1}' '{"type":"x","a":"\x"}' '{"type":"x",}' ''; do
		run cellmetrics < <(printf '{"type":"note"}\n%s\n' "$bad")
		status_is 3
		[[ "$output" =~ cellmetrics:\ stdin:2:[0-9]+:\  ]] || { echo "for $bad: $output"; return 1; }
	done
	run cellmetrics < <(printf '{"type":"x","a":"\xff"}\n')
	status_is 3
	run cellmetrics < <(printf '{"type":"x","a":"\xc0\xaf"}\n')
	status_is 3
	run cellmetrics < <(printf '{"type":"x","a":"\xed\xa0\x80"}\n')
	status_is 3
	run cellmetrics < <(printf '{"type":"x","a":"tab\there"}\n')
	status_is 3
	run cellmetrics < <(printf '{"type":"x"\0}\n')
	status_is 3
}

@test "an object as deep as the stack is refused without a crash" {
	run cellmetrics < <(printf '{"type":"x","a":'; printf '[%.0s' {1..100000}; echo)
	status_is 3
}

@test "a last line without a newline counts" {
	run cellmetrics < <(a_run a 0; printf '{"type":"run_end","status":"completed"}')
	status_is 0
	[ "$(of notebook_metrics .execution_status)" = '"Completed"' ]
}

@test "a line of 100 MB is refused in little memory" {
	run bash -c "$ULIMIT 200000; (printf '{\"type\":\"x\",\"a\":\"'; head -c 100000000 /dev/zero | tr '\\0' a; echo '\"}') | cellmetrics"
	status_is 3
	has 'cellmetrics: stdin:1:1: line longer than 16777216 bytes'
}

@test "a full disk is an error" {
	run bash -c 'cellmetrics "$1" >/dev/full' - "$runs"
	status_is 4
	has 'cellmetrics: cannot write to standard output: No space left on device'
}

@test "it ends silently when its reader leaves" {
	run bash -c 'yes '"'"'{"type":"note"}'"'"' | cellmetrics | head -1; echo "${PIPESTATUS[1]}" >&2'
	[ "$output" = '{"type":"note"}
141' ]
}

@test "a cell's record is written when the cell ends, not when the run ends" {
	mkfifo in
	cellmetrics <in >out &
	exec 7>in
	{ a_run a 2; a_cell 1 completed; } >&7
	for _ in {1..500}; do
		[ -s out ] && break
		read -r -t 0.01 <> <(:) || true
	done
	[ "$(jq -r .type out)" = cell_metrics ]
	exec 7>&-
	wait
}

@test "an interrupt loses no input" {
	mkfifo in
	cellmetrics <in >out &
	pid=$!
	exec 7>in
	a_run a 0 >&7
	kill -INT $pid
	an_end completed >&7
	exec 7>&-
	wait $pid
	[ "$(jq -r .type out)" = notebook_metrics ]
}

@test "memory is that of one run, for any number of runs" {
	{ for i in {1..400}; do a_run "n$i" 1; a_cell 1 completed ",\"source\":\"$(printf 'x%.0s' {1..2000})\""; an_end completed; done; } >some
	for _ in {1..20}; do cat some; done >many
	run bash -c '$ULIMIT 20000; cellmetrics <many | tail -1'
	status_is 0
	has '"type":"notebook_metrics"'
}

@test "overlapping cells of an interactive session each have the samples of their own time" {
	sampled() { printf '{"type":"sample","t":%s,"role":"kernel","cpu_s":%s,"rss_bytes":%d}\n' "$1" "$2" "$3"; }
	begins() { printf '{"type":"cell_start","t":%s,"cell_index":%d,"cell_id":"c%d","tags":[]}\n' "$1" "$2" "$2"; }
	ends() { a_cell "$1" completed ',"pressed_t":'"$2"',"client_ms":'"$3"; }
	run -0 cellmetrics < <(
		a_run r 2 | sed 's/}$/,"settings":{"listen":true}}/'
		begins 10 1
		for k in 0 1 2 3; do sampled $((10 + k)) "$((k > 0))" 1000; done
		begins 14 2
		for k in 4 5 6; do sampled $((10 + k)) 1 2000; done
		ends 2 14 2000
		for k in 7 8; do sampled $((10 + k)) 1 3000; done
		ends 1 10 8000
		begins 19 2
		for k in 9 10 11; do sampled $((10 + k)) 1 4000; done
		ends 2 19 2000
		an_end completed
	)
	[ "$(of cell_metrics '[.cell_index, .kernel_samples, .kernel_max_cpu_metric, .kernel_min_rss_bytes, .kernel_max_rss_bytes]' | paste -sd' ')" = \
		'[2,2,0,2000,2000] [1,8,100,1000,3000] [2,2,0,4000,4000]' ]
}

# A kernel that may use four processors, of which one takes turns with another: a second of two.
@test "processors_used and busiest_processor_pct are of the time of the cell, and null for a short one or without readings" {
	each() { printf '{"type":"sample","t":%s,"role":"machine","processor_ids":[0,1,2,3],"processor_busy_s":[%s]}\n' "$1" "$2"; }
	reading() { # CELL: of a stream of samples with that cell
		{
			printf '{"type":"run","t":9,"name":"a","notebook":"a.ipynb","code_cells":1}\n'
			each 10 0,0,0,0
			each 11 1,0,0,0
			printf '{"type":"sample","t":11.5,"role":"machine","load_1min":0.5}\n'
			each 12 1,0.5,0,0.5
			a_cell 1 completed "$1"
			an_end completed
		} | cellmetrics | jq -c 'select(.type == "cell_metrics") | [.processors_used, .busiest_processor_pct, .diagnosis]'
	}
	cell=',"pressed_t":10,"sent_t":10,"idle_t":12,"received_t":12,"client_ms":2000,"kernel_ms":2000,"usage":{"kernel":{"cpu_s":2}}'
	[ "$(reading "$cell")" = '[1,50,"the kernel takes 100 % of the time, on 1.0 of 4 cores"]' ]
	[ "$(reading "${cell//12/11}")" = '[1,100,"the kernel takes 100 % of the time, on 1.0 of 4 cores"]' ]
	[ "$(reading "$(sed 's/12/10.09/g; s/2000/90/g' <<<"$cell")" | jq -c '.[:2]')" = '[null,null]' ]
	[ "$(cellmetrics < <(a_run a 1; a_cell 1 completed "$cell"; an_end completed) | jq -c 'select(.type == "cell_metrics") | [.processors_used, .busiest_processor_pct]')" = '[null,null]' ]
}
