# bats file_tags=quick
load helpers

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	cellmetrics "$ROOT/tests/data/runs.jsonl" >metrics
}

# notebook NAME STATUS MEMBERS, cell NAME INDEX SECONDS SOURCE: metrics by hand.
notebook() { printf '{"type":"notebook_metrics","name":"%s","notebook_filename":"%s.ipynb","label":"current","repetition":1,"execution_status":"%s","total_cells":2,"executed_cells":2%s}\n' "$1" "$1" "$2" "$3"; }
cell() { printf '{"type":"cell_metrics","name":"%s","label":"current","repetition":1,"cell_index":%d,"client_execution_time_metric":%s,"source_line":"%s"}\n' "$@"; }

@test "the table has each notebook's total, its phases and its slowest cells" {
	run runsum metrics
	status_is 1
	[ "$output" = 'demo, label current; notebooks by n/mode/limits
notebook                 status         cells  client s dispatch% transport% kernel% render%      MB
n=1 mod=png lim=[0,1]    Completed        4/4     3.280         0          2      46      52   4.203
    cell 3         2.000 s  viewer.show(images)
    cell 2         1.280 s  images = [make(i) for i in range(n)]
n=2 mod=webp lim=[0,0.5] 2 ok, 1 failed           2.600         0          1      99       0   0.004
    cell 2         2.500 s  images = [make(i) for i in range(n)]
    cell 3         0.100 s  viewer.show(images)
all                                               5.880                                        4.208

slowest cells
  client s   cell  notebook              longest phase     code
     2.500      2  n=2 mod=webp lim=[... kernel 99 %       images = [make(i) for i in range(n)]
            the kernel takes 99 % of the time
     2.000      3  n=1 mod=png lim=[0,1] render 85 %       viewer.show(images)
            rendering takes 85 % of the time, with 4 widget messages
     1.280      2  n=1 mod=png lim=[0,1] kernel 98 %       images = [make(i) for i in range(n)]
            the kernel takes 98 % of the time
     0.100      3  n=2 mod=webp lim=[... kernel 90 %       viewer.show(images)
            the kernel takes 90 % of the time

not completed
  n=2 mode=webp limits=[0,0.5]
      Failed in cell 3 of 4: ValueError: =limits must rise, "0" and ?[31m0.5?[0m do not

marks of doubt, with the number of notebooks (see nbscope-records(7)): noisy_machine 1

verdict: 1 of 2 notebooks failed: n=2 mode=webp limits=[0,0.5] cell 3 (ValueError: =limits must rise, "0" and ?[31m0.5?[0m do not)' ]
}

@test "queue and delivery have columns of their own where they are known for every notebook" {
	run runsum < <(head -5 metrics)
	status_is 0
	has 'dispatch% queue% kernel% delivery% render%'
	[ "${lines[2]}" = 'n=1 throttling=-1 mode=png limits=[0,1] smooth=true' ]
	[[ "${lines[3]}" =~ ^\ +Completed\ +4/4\ +3.280\ +0\ +0\ +46\ +2\ +52\ +4.203$ ]]
	[ "${lines[-1]}" = 'verdict: 1 notebook profiled, 4 cells, all completed' ]
}

@test "no phase is the longest of a cell whose time in the kernel is not known" {
	run runsum < <(head -5 metrics | jq -c 'if .cell_index == 3 then .kernel_s = null | .queue_s = null | .delivery_s = null | .transport_s = null else . end')
	status_is 0
	[[ "$output" =~ '2.000      3  '[^%]*' - '\ +viewer.show ]] || has 'no phase'
	has 'kernel 98 %       images'
}

@test "the five slowest cells have their diagnosis below them, where there is one, in lines of the terminal's width" {
	local long wide
	long=$(printf 'waits %.0s' {1..140})
	{
		for i in 1 2 3 4 5 6; do
			cell a "$i" "$((10 - i))" "line $i $long"
		done | sed "1s/}$/,\"diagnosis\":\"one reason\"}/; 2s/}$/,\"diagnosis\":null}/; 3s/}$/,\"diagnosis\":\"$long\\\\u001b[31m\"}/; 6s/}$/,\"diagnosis\":\"six\"}/"
		notebook a Completed
	} >in
	for wide in 80 93 100 200; do
		export COLUMNS=$wide
		run runsum --per-notebook 0 in
		status_is 0
		[ "$(grep -c '^            ' <<<"$output")" = 5 ]
		has '
            one reason
     8.000'
		has '
            waits waits'
		has '...
     6.000'
		sed '1,/slowest/d' <<<"$output" >slowest
		[ "$(wc -L <slowest)" -le $wide ]
		[ "$(wc -L <slowest)" -gt $((wide - 7)) ]
	done
	run runsum --per-notebook 0 < <(sed "s/\"diagnosis\":\"$long/\"diagnosis\":\"x/" in)
	has '
            x?[31m
'
}

# waiting CAUSE KERNEL_CPU KERNEL_WAIT BROWSER_CPU MACHINE_CPU: a cell of 1 s.
waiting() {
	cell a 1 1 x | sed "s/}$/,\"run_queue_wait_cause\":$1,\"kernel_cpu_s\":$2,\"kernel_run_queue_wait_s\":$3,\"browser_cpu_s\":$4,\"browser_run_queue_wait_s\":0.5,\"server_cpu_s\":0.1,\"machine_cpu_s\":$5}/"
}

@test "a machine that was too busy is named once, at the top, with what to do" {
	{
		waiting '"others"' 0.5 0.5 0.3 2
		waiting '"others"' 0.6 0.8 null 2
		waiting null 1 0.01 1 2
		notebook a Completed
	} >in
	run runsum in
	# (1.1 + 1.3) of 2 * 2 s; (0.5 + 0.8 + 2 * 0.5) of those and 1.4 s.
	[ "$(head -4 <<<"$output")" = 'the machine was too busy in 2 of 3 cells, so measured times are too long: other processes used 60 %
of its CPU time, and kernel and browser spent 62 % of their time in the run queue. End other
processes, or keep the kernel on processors that they leave free (CORES=); '"'make calibrate'"' measures
the error.' ]
	[ "$(sed -n 6p <<<"$output")" = 'label current' ]
	[ "$(grep -c 'too busy' <<<"$output")" = 1 ]
	run runsum < <(grep -v others in)
	[ "${lines[0]}" = 'label current' ]
}

@test "a machine that was too busy in a tenth of the cells and of their time is not named; in more of either it is" {
	one() { waiting "$1" 0.5 0.5 0.3 2 | sed "s/\"client_execution_time_metric\":1,/\"client_execution_time_metric\":$2,/"; }
	for i in 1 2 3 4 5 6 7 8 9; do one null 1; done >quiet
	notebook a Completed >>quiet
	run runsum < <(one '"others"' 1; cat quiet)
	[ "${lines[0]}" = 'label current' ]
	run runsum < <(one '"own"' 1; cat quiet)
	[ "${lines[0]}" = 'label current' ]
	run runsum < <(one '"others"' 1; one '"others"' 1; cat quiet)
	[[ "${lines[0]}" == 'the machine was too busy in 2 of 11 cells, so'* ]]
	run runsum < <(one '"others"' 1.5; cat quiet)
	[[ "${lines[0]}" == 'the machine was too busy in 1 of 10 cells (14 % of the time), so'* ]]
}

@test "kernel, browser and server that compete for few processors are distinguished from other processes" {
	{
		waiting '"own"' 0.6 0.5 0.9 1.7
		waiting null 1 0.01 1 2
		notebook a Completed ',"machine":{"cores":2}'
	} >in
	run runsum in
	# 1 of 2.5 s; 0.1 of 1.7 s.
	[ "$(head -3 <<<"$output")" = 'kernel, browser and server compete for the machine'"'"'s 2 processors: in 1 of 2 cells kernel and
browser spent 40 % of their time in the run queue (other processes used 6 % of the CPU time). A
person with such a machine waits as long.' ]
	run runsum < <(sed 's/"own"/"unknown"/; s/"machine_cpu_s":1.7/"machine_cpu_s":null/' in)
	[ "$(head -2 <<<"$output")" = 'in 1 of 2 cells kernel and browser spent 40 % of their time in the run queue; because of which
processes is unknown: the machine'"'"'s CPU time is not known.' ]
	# Both are said where both are true, other processes first.
	run runsum < <(cat in; waiting '"others"' 0.5 0.5 0.4 2)
	[[ "${lines[0]}" == 'the machine was too busy in 1 of 3 cells,'* ]]
	has '
kernel, browser and server compete'
}

# noise T COMPUTATION REQUEST: a machine_noise record at Unix time T, from "p10 median p90" of each in ms.
noise() {
	local c=($2) r=($3)
	printf '{"type":"machine_noise","t":%s,"cores":null,"computation":{"count":60,"p10_ms":%s,"median_ms":%s,"p90_ms":%s},"request":{"count":12,"p10_ms":%s,"median_ms":%s,"p90_ms":%s}}\n' \
		"$1" "${c[@]}" "${r[@]}"
}

# machine_line: the lines about the machine, with the calibration in `calibrated`.
machine_line() {
	runsum --calibration calibrated "$@" | grep -A2 '^machine:' | grep -v '^verdict'
}

@test "the last lines compare the machine's noise with that of its calibration, in one line if there is no doubt" {
	local now
	now=$(date +%s)
	{ notebook a Completed; noise "$((now - 9))" '9 10 99' '1 1 99'; noise "$now" '9.95 10 10.05' '3 4 5.5'; } >in
	run -0 machine_line in
	[ "$output" = 'machine: noise 1.0 % of a computation, 2.5 ms of a request; not calibrated: make calibrate' ]
	# Twice, and 1.5 times as slow, is no reason to doubt.
	noise 5 '6.65 6.7 6.735' '2 2.7 3.3' >calibrated
	noise 4 '1 1 1' '1 1 1' >>calibrated
	run -0 machine_line in
	[ "$output" = 'machine: noise 1.0 % of a computation, 2.5 ms of a request (calibrated: 1.3 %, 1.3 ms)' ]
	run -0 runsum in
	has '
machine: noise 1.0 % of a computation, 2.5 ms of a request
verdict:'
	run -0 runsum --calibration calibrated <(notebook a Completed)
	[[ "$output" != *machine:* ]]
}

@test "a machine that is more than twice as noisy, or steadily slower, than at its calibration is doubted" {
	local now than=' than when calibrated: end other programs'
	now=$(date +%s)
	{ notebook a Completed; noise "$now" '9.8 10 10.2' '3 4 5'; } >in
	noise 5 '9.91 10 10.1' '3 4 5' >calibrated
	run -0 machine_line in
	has "
warning: noisier (2.1 times)$than"
	# Below 1 % and 2 ms, noise is none.
	noise 5 '10 10 10' '4 4 4' >calibrated
	run -0 machine_line <(notebook a Completed; noise "$now" '9.91 10 10.1' '3 4 6.9')
	[[ "$output" != *warning* ]]
	run -0 machine_line <(notebook a Completed; noise "$now" '9.91 10 10.1' '3 4 7.1')
	has "warning: noisier (2.0 times)$than"
	# As steady, and half as fast.
	run -0 machine_line <(notebook a Completed; noise "$now" '20 20 20' '4 4 4')
	has "
warning: slower (2.0 times)$than"
	run -0 machine_line <(notebook a Completed; noise "$now" '10 10 10' '6.5 6.5 6.5')
	has "warning: slower (1.6 times)$than"
	run -0 machine_line <(notebook a Completed; noise "$now" '15 15 15' '6 6 6')
	[[ "$output" != *warning* ]]
	run -0 machine_line <(notebook a Completed; noise "$now" '15 20 25' '6 6 6')
	has "warning: noisier (50.0 times) and slower (2.0 times)$than"
	# A kernel that cannot be asked.
	run -0 machine_line <(notebook a Completed; noise "$now" '10 10 10' 'null null null')
	[ "$output" = 'machine: noise 0.0 % of a computation (calibrated: 0.0 %, 0.0 ms)' ]
}

@test "noise that was measured more than an hour ago has its age" {
	local now
	now=$(date +%s)
	noise 5 '10 10 10' '4 4 4' >calibrated
	of_age() { machine_line <(notebook a Completed; noise "$((now - $1))" '10 10 10' 'null null null'); }
	[ "$(of_age 3500)" = 'machine: noise 0.0 % of a computation (calibrated: 0.0 %, 0.0 ms)' ]
	[ "$(of_age 10800)" = 'machine: noise 0.0 % of a computation (calibrated: 0.0 %, 0.0 ms); 3 h 00 min ago' ]
	[ "$(of_age 864000)" = 'machine: noise 0.0 % of a computation (calibrated: 0.0 %, 0.0 ms); 10 days 00 h ago' ]
}

@test "a calibration that was cut off is named and ignored, and the verdict is there" {
	noise() { printf '{"type":"machine_noise","t":%s,"computation":{"median_ms":10,"p10_ms":10,"p90_ms":%s},"request":{"median_ms":3,"p10_ms":2,"p90_ms":4}}\n' "$@"; }
	{ noise 5 11; cell a 1 1 x; notebook a Completed; } >in
	noise 2 10.5 >whole
	run -0 runsum --calibration whole in
	has '(calibrated: 5.0 %, 2.0 ms)'
	for bytes in 1 60 120; do
		head -c $bytes whole >cut
		run -0 --separate-stderr runsum --calibration cut in
		[ "$stderr" = "runsum: 'cut' is damaged and ignored: 'make calibrate' writes it again" ] || { echo "$stderr"; false; }
		has 'machine: noise 10.0 %'
		[ "${lines[-1]}" = 'verdict: 1 notebook profiled, 2 cells, all completed' ] || has 'the verdict'
	done
	run -0 --separate-stderr runsum --calibration none in
	[ -z "$stderr" ]
}

@test "an interrupted run is called so, and does not count as failed" {
	run cellmetrics <(head -5 "$ROOT/tests/data/runs.jsonl")
	run -1 runsum --verdict v.json < <(grep '^{' <<<"$output")
	has '
n=1 throttling=-1 mode=png limits=[0,1] smooth=true
                   Interrupted      2/4 '
	has '
not completed
  n=1 throttling=-1 mode=png limits=[0,1] smooth=true
      Interrupted
'
	[ "${lines[-1]}" = 'verdict: 1 of 1 notebook interrupted: n=1 throttling=-1 mode=png limits=[0,1] smooth=true; the next make profile continues' ]
	[ "$(jq -c '.failures | map([.execution_status, .reason])' v.json)" = '[["Not Run","interrupted"]]' ]
	[[ $output != *'marks of doubt'* ]]
}

@test "a skipped notebook is not a failure, and is listed with its reason" {
	{ notebook a Completed; notebook b Skipped ',"reason":"needs 40 GB"'; } >in
	run runsum in
	status_is 0
	has 'skipped
  b
      Skipped: needs 40 GB'
	[ "${lines[-1]}" = 'verdict: 1 notebook profiled, 4 cells, all completed; 1 skipped' ]
}

@test "every other status is a failure" {
	for s in Failed 'Timed Out' 'Not Settled' 'No Viewer' 'Kernel Died' 'Browser Died' 'Server Lost' 'Not Run'; do
		run runsum < <(notebook a "$s" ',"reason":"why","failed_cell":2')
		status_is 1
		[ "${lines[-1]}" = 'verdict: 1 of 1 notebook failed: a cell 2 (why)' ]
		run runsum < <(notebook a "$s")
		[ "${lines[-1]}" = "verdict: 1 of 1 notebook failed: a ($s)" ]
	done
}

@test "without a profiled notebook the verdict is neither good nor bad" {
	run runsum </dev/null
	status_is 6
	[ "$output" = 'verdict: no notebook was profiled' ]
	run runsum --verdict v.json < <(echo '{"type":"note"}')
	status_is 6
	[ "$(jq -r .verdict v.json)" = nothing ]
}

@test "cells without their notebook's record do not count as completed" {
	run runsum < <(grep cell_metrics metrics | head -4)
	status_is 1
	has 'verdict: 1 of 1 notebook failed: n=1 throttling=-1 mode=png limits=[0,1] smooth=true (there is no notebook_metrics record)'
}

@test "the verdict's file agrees with the line, and names what failed" {
	run runsum --verdict new/v.json metrics
	status_is 1
	[ "$(jq -r .line new/v.json)" = "${lines[-1]}" ]
	[ "$(jq -c '[.verdict, .notebooks, .completed, .failed, .skipped, .cells]' new/v.json)" = '["failed",2,1,1,0,7]' ]
	[ "$(jq -c '.failures | map([.name, .notebook_filename, .execution_status, .failed_cell, .error_name])' new/v.json)" = \
		'[["demo-n2-modewebp","demo-n2-modewebp.ipynb","Failed",3,"ValueError"]]' ]
	run runsum --verdict v.json < <(head -5 metrics)
	[ "$(jq -c '[.verdict, .failures]' v.json)" = '["ok",[]]' ]
}

@test "the verdict's file appears whole or not at all" {
	echo old >v.json
	run runsum --verdict v.json < <(cat metrics; echo '{')
	status_is 3
	[ "$(cat v.json)" = old ]
	mkdir dir
	run runsum --verdict dir metrics
	status_is 4
	has "runsum: cannot write 'dir': Is a directory"
	[ -z "$(find . -name '*.tmp')" ]
}

@test "no line of the table is wider than 100 columns, whatever names and sources are" {
	long=$(printf 'x%.0s' {1..300}) wide=$(printf '漢%.0s' {1..300})
	{ cell "$long" 1 1234567.891 "$wide"; notebook "$long" Completed; cell "$wide" 1 2.5 "$long"; notebook "$wide" 'Browser Died' ",\"error_name\":\"$wide\""; } >in
	run runsum in
	status_is 1
	python3 -c '
import sys, unicodedata
for line in sys.argv[1].split("\n")[:-1]:
    width = sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)
    assert width <= 100, (width, line)' "$output"
}

@test "names, sources and errors cannot control the terminal" {
	{ cell 'a' 1 1 '\u001b]0;title\u0007 \u202egnp.exe'; notebook a Failed ',"error_name":"E\u001b[2J","error_value":"x\ny\u0000"' | sed 's/\\u0000//'; } >in
	run runsum --verdict v.json in
	[[ "$output" != *$'\e'* ]]
	has 'E?[2J: x y'
	[ "$(jq -r '.failures[0].error_value' v.json)" = 'x
y' ]
}

@test "notebooks are distinguished by the parameters that differ, in their order" {
	{ notebook u-a1-b2-c3 Completed ',"params":{"z":1,"b":2,"c":"x"}'; notebook u-a1-b5-c4 Completed ',"params":{"z":1,"b":5,"c":"y"}'; } >in
	run runsum in
	has '; notebooks by b/c'
	has '
b=2 c=x  '
	has '
b=5 c=y  '
}

@test "names of notebooks without parameters are shown without their common part" {
	{ notebook sweep-imviz-small Completed; notebook sweep-imviz-smooth Failed; } >in
	run runsum in
	[[ "${lines[2]}" == 'small  '* ]]
	[[ "${lines[3]}" == 'smooth  '* ]]
	has 'failed: sweep-imviz-smooth ('
}

@test "labels and repetitions are shown if there are several" {
	{ notebook a Completed; notebook a Completed | sed 's/current/old/; s/"repetition":1/"repetition":2/'; } >in
	run runsum in
	[ "${lines[0]}" = 'label as named' ]
	[[ "${lines[2]}" == 'current: a  '* ]]
	[[ "${lines[3]}" == 'old: a  '* ]]
}

@test "options set how many slowest cells are listed" {
	for i in {1..15}; do cell a "$i" "$i" "line $i"; done >in
	notebook a Completed >>in
	run runsum in
	[ "$(grep -c 'line' <<<"$output")" = $((3 + 10)) ]
	[ "$(grep -o 'line [0-9]*$' <<<"$output" | paste -sd,)" = 'line 15,line 14,line 13,line 15,line 14,line 13,line 12,line 11,line 10,line 9,line 8,line 7,line 6' ]
	run runsum --slowest 2 --per-notebook 1 in
	[ "$(grep -o 'line [0-9]*$' <<<"$output" | paste -sd,)" = 'line 15,line 15,line 14' ]
	run runsum --slowest 0 --per-notebook 0 in
	[ "$(grep -c 'line' <<<"$output")" = 0 ]
}

@test "more than ten notebooks have one line each, unless more is requested" {
	for i in {1..11}; do cell "n$i" 1 "$i" "line $i"; notebook "n$i" Completed; done >in
	run runsum --slowest 0 in
	[ "${#lines[@]}" = $((2 + 11 + 1 + 1)) ]
	run runsum --slowest 0 --per-notebook 3 in
	[ "${#lines[@]}" = $((2 + 22 + 1 + 1)) ]
}

@test "a long list of failures is cut, and the rest counted" {
	for i in {1..30}; do notebook "n$i" Failed; done >in
	run runsum in
	has '  and 10 more'
	[ "${lines[-1]}" = 'verdict: 30 of 30 notebooks failed: n1 (Failed) and 29 more' ]
}

@test "runs that are left out are counted by reason" {
	state() { printf '{"type":"run_plan","run":"runs/%s.jsonl","required":false,"state":"%s","reason":%s}\n' "$@"; }
	{ state a stale '"packages"'; state b stale '"the notebook no longer exists"'; state c stale '"packages"'; state d current null; notebook d Completed; } >in
	run -0 runsum in
	has '
3 stale runs are left out: packages (2), the notebook no longer exists (1)
'
}

@test "mixed versions of nbscope are listed" {
	{ notebook a Completed ',"nbscope_version":"0.1.0"'; notebook b Completed ',"nbscope_version":"0.2.0"'; } >in
	run runsum in
	has 'runs of different versions of nbscope: 0.1.0 (1) 0.2.0 (1)'
	run runsum < <(head -1 in)
	[[ "$output" != *versions* ]]
}

@test "lines that are not records are refused with line and column" {
	for bad in x '[]' '{"type":"cell_metrics","a":1,"a":2}' '{"type":"a","b":NaN}' $'{"type":"\xff"}' ''; do
		run runsum < <(notebook a Completed; echo "$bad")
		status_is 3
		[[ "$output" =~ ^runsum:\ stdin:2:[0-9]+:\  ]] || { echo "for $bad: $output"; return 1; }
	done
}

@test "a last line without a newline counts" {
	run runsum < <(notebook a Completed | tr -d '\n')
	status_is 0
}

@test "a line of 100 MB is refused" {
	run bash -c "(printf '{\"type\":\"x\",\"a\":\"'; head -c 100000000 /dev/zero | tr '\\0' a; echo '\"}') | runsum"
	status_is 3
	has 'runsum: stdin:1:1: line longer than 16777216 bytes'
}

@test "a full disk is an error, and it ends silently when its reader leaves" {
	run bash -c 'runsum metrics >/dev/full'
	status_is 4
	has 'runsum: cannot write to standard output: No space left on device'
	for i in {1..3000}; do notebook "n$i" Completed; done >many
	run bash -c 'runsum many | head -1; exit "${PIPESTATUS[0]}"'
	status_is 141
	[ "$output" = 'label current' ]
}

@test "repetitions are one line with their median, whose phases and cells are of the nearest run, and are summed nowhere" {
	local k
	for k in '1 3 2.5' '2 1 0.5' '3 2 1.5' '4 9 8.5'; do
		set -- $k
		{ cell a 2 "$3" "line $1"; notebook a Completed ",\"client_execution_time_metric\":$2"; } | sed "s/\"repetition\":1/\"repetition\":$1/"
		{ cell b 1 1 "line $1"; notebook b Completed ',"client_execution_time_metric":1'; } | sed "s/\"repetition\":1/\"repetition\":$1/"
	done >in
	run -0 runsum in
	[[ "${lines[2]}" =~ ^a\ +Completed\ +2/2\ +2.500 ]]
	[ "${lines[3]}" = '    median of 4 runs: 1 s to 9 s; the rest is of run 3, nearest to it' ]
	[ "${lines[4]}" = '    cell 2         1.500 s  line 3' ]
	has '
all                                               3.500 '
	has "
slowest cells, of the run nearest to each notebook's median"
	[ "$(sed '1,/^slowest/d' <<<"$output" | grep -o 'line [0-9]$' | paste -sd,)" = 'line 3,line 2' ]
	[ "${lines[-1]}" = 'verdict: 2 notebooks profiled, 8 runs, 16 cells, all completed' ]
	# One that failed stands for all.
	run -1 runsum < <(sed '/"name":"a"/s/\(notebook_metrics.*"repetition":4.*\)Completed/\1Failed/' in)
	has '
a                        Failed           2/2     9.000 '
	has '
    4 runs, 1 failed: 1 s to 9 s; the row is of run 4'
	[[ "${lines[-1]}" == 'verdict: 1 of 8 runs failed: a @4 '* ]]
}

@test "names of parameters are shortened alike in all lines where one does not fit" {
	for k in 4 512; do
		notebook "u-$k" Completed ",\"params\":{\"n_sensors\":$k,\"bins_of_histogram\":$k}"
		cell "u-$k" 1 1 x | sed "s/}$/,\"params\":{\"n_sensors\":$k,\"bins_of_histogram\":$k}}/"
	done >in
	run -0 runsum in
	has '; notebooks by n_sensors/bins_of_histogram
'
	has '
n_senso=4 bins_of=4      Completed'
	has '
n_senso=512 bins_of=512  Completed'
	has '  n_sens=4 bins_o=4     -'
}

@test "a film is no repetition: it has a Speed Index, and no time of it counts" {
	notebook a Completed ',"client_execution_time_metric":21.3,"marks":[]' >in
	cell a 1 21.3 x >>in
	run -0 runsum in
	local without=$output
	notebook a Completed ',"client_execution_time_metric":null,"speed_index_s":1.25,"marks":["filmed"]' | sed 's/"repetition":1/"repetition":0/' >>in
	run -0 runsum in
	[ "$(sed '/Speed Index/d; /^marks/,+1d' <<<"$output")" = "$(cat <<<"$without")" ] || diff <(cat <<<"$output") <(cat <<<"$without")
	[ "${lines[3]}" = '    Speed Index 1.250 s, from a film' ]
	[ "${lines[-1]}" = 'verdict: 1 notebook profiled, 2 cells, all completed' ]
}

@test "cells are grouped by the headings of the notebook, where it has some" {
	notebook a Completed ',"client_execution_time_metric":10,"marks":[]' >in
	cell a 1 1 x >>in
	cell a 2 2 y | sed 's/}$/,"heading":"Load"}/' >>in
	cell a 3 4 y | sed 's/}$/,"heading":"Load"}/' >>in
	cell a 4 3 z | sed 's/}$/,"heading":"Show \\u001b[31m"}/' >>in
	run -0 runsum in
	has '
time by heading
  client s  share  cells  heading
     1.000   10 %      1  (above the first heading)
     6.000   60 %      2  Load
     3.000   30 %      1  Show ?[31m
'
	run -0 runsum <(sed 's/,"heading":"[^"]*"//' in)
	[[ "$output" != *'by heading'* ]]
	# One row would repeat the total.
	run -0 runsum <(sed 's/,"heading":"[^"]*"//; /"type":"cell/s/}$/,"heading":"All"}/' in)
	[[ "$output" != *'by heading'* ]]
	metricreport --pages pages --output report.html in
	for page in report.html pages/*.html; do
		run sed -n '/id="headings"/,/<.section>/p' "$page"
		has '<tr><th scope="row">Load</th><td class="n">2</td><td class="n" data-v="6">6 s</td><td class="n" data-v="60">60 %</td></tr>'
	done
	run sed -n '/id="sources"/,/<.section>/p' pages/*.html
	[ "$(grep -c 'class="part">Load<' <<<"$output")" = 1 ]
	# In the tables of cells, which sort and filter by it, and as a group of any other table.
	for page in report.html pages/*.html; do
		[ "$(sed -n '/id="cells"/,/<.section>/p' "$page" | grep -c '<td class="heading">Load</td>')" = 2 ]
	done
	metricreport --output one.html <(sed 's/,"heading":"[^"]*"//' in)
	run ! grep -q 'class="heading"' one.html
	run -0 metricstat --type cell_metrics --by heading --of client_execution_time_metric --format csv in
	has 'Load,client_execution_time_metric,s,false,2,'
}

@test "the only notebook is called as in the lines of its progress" {
	sed "/run_end/q" "$ROOT/tests/data/runs.jsonl" >one
	name=$(runbar <one 2>&1 >/dev/null | sed -n '1s/: completed, .*//p')
	run runsum < <(cellmetrics one)
	[ "$name" ] && [ "${lines[2]}" = "$name" ]
	has "$name"$'\n'
	COLUMNS=160 run runsum < <(cellmetrics one)
	[[ "${lines[2]}" == "$name Completed "* ]]
}

@test "the table has the width of the terminal, and cuts nothing that fits" {
	local wide long='n_sensors_of_the_telescope=512 bins_of_the_histogram=1024'
	for k in 4 512; do
		notebook "u-$k" Completed ",\"params\":{\"n_sensors_of_the_telescope\":$k,\"bins_of_the_histogram\":$((2 * k))}"
		cell "u-$k" 1 1 "$(printf 'word %.0s' {1..60})" | sed "s/}$/,\"params\":{\"n_sensors_of_the_telescope\":$k,\"bins_of_the_histogram\":$((2 * k))}}/"
	done >in
	for wide in 80 100 120 200; do
		COLUMNS=$wide run -0 runsum in
		[ "$(wc -L <<<"$output")" -le "$wide" ] && [ "$(wc -L <<<"$output")" -gt $((wide - 8)) ]
	done
	[ "$(grep -c "^$long *Completed" <<<"$output")" = 1 ]
	[ "$(grep -c "  *1  $long  *-" <<<"$output")" = 1 ]
	COLUMNS=80 run -0 runsum in
	has ' transport% kernel% render%
'
	run -0 runsum in
	has ' render%      MB'
}
