# bats file_tags=quick
load helpers

setup() { cd "$BATS_TEST_TMPDIR" || return; }

# runs LABEL N FACTOR [CELLS]: N runs of some cells, the second times FACTOR, with a little noise.
runs() {
	jq -nc --arg l "$1" --argjson n "$2" --argjson f "$3" --argjson c "${4:-3}" 'range(1; $n + 1) as $k |
		(range(1; $c + 1) as $i | {type: "cell_metrics", usecase: "u", name: "u-a1", label: $l, repetition: $k, params: {a: 1}, cell_index: $i, cell_id: "c\($i)",
			execution_status: "Completed", client_execution_time_metric: (0.2 * (if $i == 2 then $f else 1 end) * (1 + ($k * 7 + $i * 3) % 11 / 200)),
			kernel_execution_time_metric: 0.1, kernel_peak_rss_bytes: (6e7 + $k * 4096), client_total_data_received_metric: 0.003}),
		{type: "notebook_metrics", usecase: "u", name: "u-a1", label: $l, repetition: $k, t: (1e9 + $k + (if $l == "old" then 0 else 1000 end)), browser: "chrome 1", jupyterlab: "4.6.6",
			machine: {cores: 2, memory_bytes: 1, os: "L", host: "vm"}}'
}
environment() { printf '{"type":"environment","t":1,"label":"%s","with":null,"named":[%s],"checkouts":null,"python":"3.11.7","packages":{"numpy":"%s","jdaviz":"%s"},"reason":null}\n' "$1" "$2" "$3" "$4"; }
verdict() { jq -r 'select(.type == "comparison_verdict") | '"$1"; }

@test "a cell that is a fifth slower is worse, by name, and the status is 1" {
	{ runs old 10 1; runs new 10 1.2; } >m
	run metriccmp -f table m
	status_is 1
	has 'verdict: worse: client time of u-a1 cell 2 +20.0 %'
	[ "$(metriccmp m | verdict '[.worse, .no_worse, .unknown] | @csv')" = 1,11,0 ]
}

@test "a cell that is faster is no worse" {
	{ runs old 10 1; runs new 10 0.8; } >m
	run metriccmp -f table m
	status_is 0
	has 'verdict: no worse: 12 tests, no shift of 10 % or more; 1 better'
}

@test "the same values are no worse, shown with an estimate and its interval" {
	{ runs old 10 1; runs new 10 1; } >m
	run metriccmp -f table m
	status_is 0
	has '+0.0 % (-1.9 to +1.9)      1        no worse'
	has 'verdict: no worse: 12 tests'
}

# at T: the whole runs of stdin as if begun from then on, every other second.
at() { jq -c --argjson t "$1" 'if .t then .t = $t + 2 * .repetition else . end'; }

@test "the order of the runs is printed from their times: not interleaved, and by how much" {
	{ runs old 10 1 | at 1000; runs new 10 1 | at 12540; } >m
	run metriccmp -f table m
	has 'not interleaved: the last run of old began 3 h 12 min before the first of new'
	[ "$(metriccmp m | verdict '.interleaving[0] | [.label, .order, .interleaved, .seed, .apart_s] | tojson')" = '["new","AAAAAAAAAABBBBBBBBBB",false,null,11522]' ]
	[[ "$(metriccmp --base new -f markdown m)" == *'- not interleaved: the last run of old began 3 h 12 min before'* ]]
	{ runs old 10 1 | at 1000; runs new 10 1 | at 1001; } >m
	run metriccmp -f table m
	has 'interleaved: old (A) and new (B): ABABABABABABABABABAB'
	[ "$(metriccmp m | verdict '.interleaving[0].apart_s')" = 0 ]
	{ runs old 1 1 | at 1000; runs new 1 1 | at 2000; } >m
	run metriccmp -f table m
	[[ "$output" != *interleaved* ]]
}

@test "the order is that of the runs' times, whatever make ab recorded; its seed is printed only if they agree" {
	record() { echo '{"type":"interleaving","t":1,"a":"new","b":"old","seed":7,"order":"'"$1"'"}'; }
	{ runs old 10 1 | at 1000; runs new 10 1 | at 1001; record BABABABABABABABABABA; } >m
	run metriccmp -f table m
	has 'interleaved: new (A) and old (B): BABABABABABABABABABA, seed 7'
	[ "$(metriccmp m | verdict '.interleaving[0] | [.a, .b, .order, .seed] | tojson')" = '["new","old","BABABABABABABABABABA",7]' ]
	{ runs old 10 1 | at 1000; runs new 10 1 | at 1001; record ABBA; } >m
	run metriccmp -f table m
	has 'interleaved: new (A) and old (B): BABABABABABABABABABA'
	[[ "$output" != *seed* && "$output" != *ABBA* ]]
	{ runs old 10 1 | at 1000; runs new 10 1 | at 9001; record ABBA; } >m
	run metriccmp -f table m
	has 'not interleaved: the last run of old'
	{ runs old 10 1 | at 1000; runs new 10 1 | at 1001; echo '{"type":"interleaving","a":"other","b":"old","seed":7,"order":"ABBA"}' '{"type":"interleaving","a":[],"order":1}'| tr ' ' '\n'; } >m
	run metriccmp -f table m
	has 'interleaved: old (A) and new (B): ABAB'
}

@test "each notebook has its order: labels that overlap in time may still not be interleaved" {
	both() { runs old 3 1 | at "$1"; runs new 3 1 | at "$2"; }
	{ both 1000 1100; both 2000 2100 | sed 's/u-a1/u-b1/'; } >m
	run metriccmp -f table m
	has 'not interleaved: old (A) and new (B): AAABBB'
	{ both 1000 1001; both 2000 2001 | sed 's/u-a1/u-b1/'; both 3001 3000 | sed 's/u-a1/u-c1/'; } >m
	run metriccmp -f table m
	has 'interleaved: old (A) and new (B): ABABAB (another order in 1 of 3 notebooks)'
}

@test "a label whose runs were made with different packages is refused, with how many of each, unless that is allowed" {
	made_with() { jq -c --arg id "$1" --argjson from "$2" 'if .type == "notebook_metrics" and .repetition >= $from then .environment_id = $id else . end'; }
	{ runs old 8 1 | made_with e1 1; runs new 8 1.2 | made_with e2 1 | made_with e1 7; } >m
	run metriccmp -f table m
	status_is 6
	has "differs: packages within label 'new': 6 runs | 2 runs"
	has "verdict: cannot tell: label 'new' mixes runs with different packages (6 runs, 2 runs); to permit it: ALLOW=packages"
	[ "$(metriccmp m | verdict '[.verdict, .reason, .differences[0].label, .differences[0].allowed] | tojson')" = '["unknown","environment","new",false]' ]
	[ "$(metriccmp m | jq -r .type)" = comparison_verdict ]
	run metriccmp -f table --base new m
	status_is 6
	for allow in packages all; do
		run metriccmp -f table --allow $allow m
		status_is 1
		has "differs (allowed): packages within label 'new': 6 runs | 2 runs"
	done
	# The packages of two labels may differ: their lists decide.
	{ runs old 8 1 | made_with e1 1; runs new 8 1.2 | made_with e2 1; } >m
	run metriccmp -f table m
	status_is 1
	[[ "$output" != *differs* ]]
}

@test "labels of nodes with different hardware are refused, and so is one label of several, unless that is allowed" {
	on() { jq -c --arg p "$1" --argjson from "$2" 'if .type == "notebook_metrics" and .repetition >= $from then .machine.processor = $p | .machine.host = "n\(.repetition % 2)" else . end'; }
	{ runs old 8 1 | on x 1; runs new 8 1 | on y 1; } >m
	run metriccmp -f table m
	status_is 6
	has 'verdict: cannot tell: machine processor differs (x, y); to permit it: ALLOW=machine'
	{ runs old 8 1 | on x 1; runs new 8 1 | on x 1 | on y 7; } >m
	run metriccmp -f table m
	status_is 6
	has "differs: machine processor within label 'new': 6 runs | 2 runs"
	run metriccmp -f table --allow machine m
	status_is 0
	# The same hardware on both nodes.
	{ runs old 8 1 | on x 1; runs new 8 1 | on x 1; } >m
	run metriccmp -f table m
	status_is 0
	[[ "$output" != *differs* ]]
}

# made NOTEBOOK FILES SETTINGS: the whole runs of stdin as if made from these.
made() { jq -c --arg n "$1" --argjson f "$2" --argjson s "$3" 'if .type == "notebook_metrics" then .made_from = {notebook: $n, files: $f, environment: null, settings: $s} else . end'; }

@test "runs of another notebook, other files or other settings are refused, by name, unless that is allowed" {
	local base='{"settle_ms":"300","kernel":"a","venv":"/x","server":"s"}'
	runs old 10 1 | made abcdefabcdef9 null "$base" >old
	{ cat old; runs new 10 1 | made abcdefabcdef9 null '{"settle_ms":"300","kernel":"b","browser":"firefox"}'; } >m
	run metriccmp -f table m
	status_is 0
	{ cat old; runs new 10 1 | made 0123456789abc null "$base"; } >m
	run metriccmp -f table m
	status_is 6
	has 'verdict: cannot tell: notebook u-a1 differs (abcdefabcdef, 0123456789ab); to permit it: ALLOW=notebook'
	run metriccmp -f table --allow notebook m
	status_is 0
	has 'differs (allowed): notebook u-a1: abcdefabcdef | 0123456789ab'
	{ cat old; runs new 10 1 | made abcdefabcdef9 '"f1"' '{"settle_ms":"700","cores":"1"}'; } >m
	run metriccmp -f table m
	status_is 6
	has 'differs: setting settle_ms: 300 | 700'
	has 'differs: setting cores: unset | 1'
	has 'differs: files/: unset | f1'
	[ "$(metriccmp m | verdict '[.differences[].what] | sort | tojson')" = '["files/","setting cores","setting settle_ms"]' ]
	run metriccmp -f table --allow settings m
	status_is 6
	run metriccmp -f table --allow settings,files m
	status_is 0
	# What is not recorded is not known to differ.
	{ cat old; runs new 10 1; } >m
	run metriccmp -f table m
	status_is 0
	# Of several notebooks, one is named and the others are counted.
	two() { runs "$1" 10 1 | made "$2" null {}; runs "$1" 10 1 | sed 's/u-a1/u-a2/g' | made "$2" null {}; }
	{ two old n1; two new n2; } >m
	run metriccmp -f table m
	has 'notebook u-a1 and 1 more differs (n1, n2)'
}

@test "runs that are left out are counted for each label, and named where a label has no others" {
	stale() { local k; for k in $(seq "$2"); do printf '{"type":"run_plan","label":"%s","name":"u-a1","run":"r","required":true,"state":"%s","reason":%s}\n' "$1" "$3" "$4"; done; }
	{ runs old 10 1; stale old 2 stale '"packages"'; stale old 1 current null; runs new 10 1; stale new 1 damaged '"empty"'; } >m
	run metriccmp -f table m
	status_is 0
	has 'old: 2 stale runs are left out: packages (2)
new: 1 stale run is left out: empty (1)
'
	[[ "$(metriccmp -f markdown m)" == *'- old: 2 stale runs are left out: packages (2)'* ]]
	# Not those that were asked for and not made: they are named.
	{ runs old 10 1; runs new 10 1; stale new 1 missing null | sed 's|"run":"r"|"run":"runs/new/u-a2.jsonl"|'; } >m
	run metriccmp -f table m
	has 'new: 1 run missing: u-a2
'
	{ stale old 2 stale '"template or parameters"'; runs new 10 1; } >m
	run metriccmp --base old -f table m
	status_is 6
	has "metriccmp: cannot tell: no metrics of the base 'old'; old: 2 stale runs are left out: template or parameters (2)"
	run metriccmp -f table m
	status_is 6
	has "all metrics have the label 'new'; old: 2 stale"
	run metriccmp -f table < <(stale old 2 stale '"template or parameters"')
	status_is 6
	has 'no metrics in the input; old: 2 stale'
}

@test "one run of each label decides nothing, and the runs needed are printed" {
	{ runs old 1 1; runs new 1 3; } >m
	run metriccmp -f table m
	status_is 6
	has '1 run of each label cannot show that only one of 12 tests changed, for 12 of them; 6 could'
	has 'verdict: cannot tell: 12 of 12 tests undecided with 1 run of each label: client time of u-a1 cell 1, kernel time of u-a1 cell 1, peak memory of u-a1 cell 1 and 9 more; at least 6 runs needed (REPEAT=6)'
}

@test "with uneven runs the note has the test with the fewest" {
	{ echo job,label,x_s; for i in 1 2 3 4 5 6 7 8 9; do printf 'a,old,1.%s\na,new,2.%s\n' $i $i; done; echo b,old,1; for i in 1 2 3 4 5; do echo b,new,1.$i; done; } >t.csv
	run metriccmp -f table --by job -g x_s t.csv
	status_is 1
	has '1 run of each label cannot show that only one of 2 tests changed, for 1 of them'
	has 'interval, 1 to 9 runs of each label'
}

# table FACTOR...: twelve runs of cell z of the labels a, b ...; 0: without a value.
table() {
	echo job,label,x_s
	local label=a i f
	for f; do
		for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
			if [ "$f" = 0 ]; then echo "z,$label,"; else echo "z,$label,$(jq -n "$f * (1 + $i / 1000)")"; fi
		done
		label=b
	done
}

@test "a metric of the gate that only one label has, or no cell, does not pass" {
	{ table 1 0; printf 'y,%s,1\n' a a a a a b b b b b; } >t.csv
	run metriccmp -f table --by job -g x_s t.csv
	status_is 6
	has "verdict: cannot tell: x_s of z has values only in 'a'"
	table 1 1 >t.csv
	run metriccmp -f table --by job -g x_s t.csv
	status_is 0
	run metriccmp -f table --by job -g x_s,y_s t.csv
	status_is 2
	has "--gate: no cell has a metric 'y_s'; its names are bytes, client, kernel, latency, memory"
	sed '5s/,[^,]*$/,inf/' t.csv >inf.csv
	run metriccmp -f table --by job -g x_s inf.csv
	status_is 0
	has 'interval, 11 to 12 runs of each label'
}

@test "the verdict has the sign of the table, no percentage of 0, and says when floors let more pass" {
	table -10 -5 >t.csv
	run metriccmp -f table --by job -g x_s t.csv
	status_is 1
	has 'worse: x_s of z +50.0 % (+49.7 to +50.3), from -10.06 s to -5.032 s'
	table 1 1 | sed 's/^z,a,.*/z,a,0/' >t.csv
	run metriccmp -f table --by job -g x_s t.csv
	status_is 1
	has 'worse: x_s of z +1.01 s (+1.00 to +1.01), from 0 s to 1.006 s'
	table 0.001 0.002 >t.csv
	run metriccmp -f table --by job -g x_s t.csv
	status_is 0
	has 'no shift of 10 % or more (1 within ten absolute floors)'
}

@test "five runs of a hundred cells decide nothing: no p is small enough, and the output says so" {
	{ runs old 5 1 100; runs new 5 1.5 100; } >m
	run metriccmp -f table m
	status_is 6
	has '5 runs of each label cannot show that only one of 400 tests changed, for 300 of them'
}

@test "--fail-on worse passes unknown results, but not worse ones" {
	{ runs old 1 1; runs new 1 3; } >m
	run metriccmp -f table --fail-on worse m
	status_is 0
	has 'verdict: cannot tell'
	{ runs old 10 1; runs new 10 3; } >m
	run metriccmp --fail-on worse m
	status_is 1
}

@test "both floors count: the relative one, and the absolute one" {
	{ runs old 10 1; runs new 10 1.2; } >m
	run metriccmp --relative 0.3 m
	[ "$(verdict .worse <<<"$output")" = 0 ]
	run metriccmp --floor client=0.1 m
	[ "$(verdict .worse <<<"$output")" = 0 ]
	run metriccmp --floor memory=1 m
	[ "$(verdict .worse <<<"$output")" = 1 ]
}

@test "other metrics than the gate's are shown, uncorrected, and never fail" {
	{ runs old 10 1; runs new 10 2; } >m
	run metriccmp --gate kernel --more client m
	status_is 0
	[ "$(jq -s 'map(select(.type == "comparison" and .metric == "client_execution_time_metric") | .q) | unique' <<<"$output" -c)" = '[null]' ]
	[ "$(verdict .tests <<<"$output")" = 3 ]
}

@test "another package is shown and refused, unless --requirements, --allow or the label's own requirements permit it" {
	{ environment old '' 2.4.6 5.0.2; environment new '' 2.4.6 5.1.0; runs old 10 1; runs new 10 1; } >m
	run metriccmp -f table m
	status_is 6
	has 'differs: package jdaviz: 5.0.2 | 5.1.0'
	has "verdict: cannot tell: package jdaviz differs (5.0.2, 5.1.0); to permit it: ALLOW=packages"
	run metriccmp --fail-on worse m
	status_is 6
	for how in '--requirements=jdaviz==5.1.0' '--requirements=-e x Jdaviz>=5' --allow=packages --allow=jdaviz --allow=all; do
		run metriccmp -f table "$how" m
		status_is 0
		has 'differs (allowed): package jdaviz'
	done
	sed '2s/,"jdaviz":"5.1.0"//' m >lacks
	run metriccmp -f table lacks
	status_is 0
	has 'differs (allowed): package jdaviz: 5.0.2 | not installed'
	sed 's/"label":"new","with":null,"named":\[\]/"label":"new","with":"jdaviz","named":["jdaviz"]/' m >named
	run metriccmp named
	status_is 0
}

@test "another machine, browser and JupyterLab are refused unless allowed" {
	{ runs old 10 1; runs new 10 1 | sed 's/"host":"vm"/"host":"other"/; s/chrome 1/chrome 2/; s/4\.6\.6/4.7.0/'; } >m
	run metriccmp -f table m
	status_is 6
	has 'differs: machine host: vm | other'
	has 'differs: browser: chrome 1 | chrome 2'
	has 'differs: jupyterlab: 4.6.6 | 4.7.0'
	run metriccmp --allow machine,browser m
	status_is 6
	run metriccmp --allow machine,browser,jupyterlab m
	status_is 0
}

@test "hosts with the same processor, kernel, microcode and memory are alike; ALLOW=host permits those that are unknown" {
	on() { jq -c --arg host "$1" --argjson bytes "$2" --arg microcode "$3" 'if .type == "notebook_metrics" then .machine += {$host, memory_bytes: $bytes, microcode: ($microcode | select(. != "") // null), processor: "P", os: "Linux 1"} else . end'; }
	compared() { { runs old 8 1 | on a 1000000000 "$1"; runs new 8 1 | on b "$3" "$2"; } >m && run metriccmp -f table m; }
	compared 0x1 0x1 1009000000
	status_is 0
	[[ "$output" != *differs* ]]
	compared 0x1 0x1 1011000000
	status_is 6
	has 'memory_bytes differs (1000000000, 1011000000); to permit it: ALLOW=machine'
	compared 0x1 0x2 1000000000
	status_is 6
	has 'machine microcode differs (0x1, 0x2); to permit it: ALLOW=machine'
	compared '' '' 1000000000
	status_is 6
	has 'machine host differs (a, b); to permit it: ALLOW=host'
	ALLOW=host run metriccmp m
	status_is 0
	# It does not permit other hardware.
	compared 0x1 0x2 1000000000
	ALLOW=host run metriccmp m
	status_is 6
	# What a label mixes is as alike.
	{ runs old 8 1 | on a 1000000000 0x1; runs new 8 1 | on a 1000000000 0x1 | jq -c 'if .repetition == 7 then .machine.memory_bytes += 5000000 else . end'; } >m
	run metriccmp -f table m
	status_is 0
}

@test "a cell that always fails now and never did is worse; one that fails sometimes is unknown" {
	{ runs old 10 1; runs new 10 1 | jq -c 'if .cell_index == 3 then .execution_status = "Failed" else . end'; } >m
	run metriccmp -f table m
	status_is 1
	has 'did not complete: u-a1 cell 3: in 0 of 10 runs of old, 10 of 10 of new'
	has 'verdict: worse: u-a1 cell 3 fails now'
	{ runs old 10 1; runs new 10 1 | jq -c 'if .cell_index == 3 and .repetition == 4 then .execution_status = "Failed" else . end'; } >m
	run metriccmp -f table m
	status_is 6
}

@test "a certain change below the floor and a spread that grew are shown, also in the verdict" {
	{ runs old 30 1; runs new 30 1.02 | jq -c 'if .cell_index == 1 then .client_execution_time_metric = 0.205 + (.client_execution_time_metric - 0.205) * 8 else . end'; } >m
	run metriccmp -f table m
	status_is 0
	has '+1 % (-5 to +6)            1        no worse; spread grew: 1 % to 12 %'
	has '+2.0 % (+1.0 to +3.0)      0.00018  no worse; certain, but below the floor'
	has 'verdict: no worse: 12 tests, no shift of 10 % or more; certain, but below the floor: client time of u-a1 cell 2; spread grew: client time of u-a1 cell 1 from 1 % to 12 %'
	[ "$(metriccmp m | jq -sc 'map(select(.type == "comparison" and (.below_floor or .spread)) | [.cell_id, .below_floor, .spread, .change])')" = \
		'[["c1",false,"grew","+1 % (-5 to +6)"],["c2",true,null,"+2.0 % (+1.0 to +3.0)"]]' ]
}

# with_totals: the notebooks of runs have the sums of their cells.
with_totals() {
	jq -sc 'group_by([.label, .repetition])[] | map(select(.cell_index)) as $cells | .[] | if .type == "notebook_metrics" then . + ($cells[0] |
		with_entries(select(.key | test("_metric$|_bytes$")) | .key as $k | .value = ($cells | map(.[$k]) | add))) else . end'
}

@test "notebooks are compared first: a changed cell among sixteen tests is found with five runs of each label" {
	{ runs old 5 1 4; runs new 5 1.5 4; } >m
	run metriccmp -f table m
	status_is 6
	with_totals <m >totals
	run metriccmp -f table --base old totals
	status_is 1
	has 'verdict: worse: client time of u-a1 cell 2 +50.0 % (+45.9 to +54.1), from 205.0 ms to 307.5 ms and 1 more'
	[[ "${lines[1]}" == 'u-a1 '*'  worse' ]]
	[ "$(metriccmp --base old totals | verdict '[.tests, .worse, .better] | @csv')" = 20,2,0 ]
	[ "$(metriccmp --base old totals | jq -sc 'map(select(.result == "worse") | .cell_index)')" = '[2,null]' ]
}

@test "where other processes disturbed the runs, quiet runs are advised instead of more of them" {
	{ runs old 5 1; runs new 5 1; } >quiet
	jq -c 'if .cell_index == 1 then .run_queue_wait_cause = "others" else . end' quiet >busy
	run metriccmp -f table quiet
	status_is 6
	has 'runs needed (REPEAT='
	run metriccmp -f table busy
	status_is 6
	has '; the machine was busy in 10 of 30 cells: repeat both labels when nothing else runs, with CORES=1 and REPEAT=6'
	[[ "$output" != *'runs needed'* ]]
	[ "$(metriccmp busy | verdict '[.reason, .busy_cells, .cells] | @csv')" = '"busy",10,30' ]
	# One of 30 cells, with more than a tenth of the time.
	jq -c 'if .cell_index == 1 and .repetition == 1 and .label == "new" then .run_queue_wait_cause = "others" | .client_execution_time_metric *= 100 else . end' quiet >one
	run metriccmp -f table one
	has '; the machine was busy in 1 of 30 cells ('
}

@test "three labels are all compared with the base" {
	{ runs a 10 1; runs b 10 1.2; runs c 10 1.4; } >m
	[ "$(metriccmp --base b m | verdict '[.base, (.labels | join("+")), .worse, .better] | @csv')" = '"b","a+c",1,1' ]
}

@test "files of the same label are labels with --files" {
	runs same 10 1 >a
	runs same 10 1.2 >b
	run metriccmp a b
	status_is 6
	has "all metrics have the label 'same' (--files makes each file a label)"
	run metriccmp --files a b
	status_is 1
}

@test "records, CSV, Markdown and the verdict go into files that fit their contract" {
	{ environment old '' 2.4.6 5.0.2; runs old 6 1; runs new 6 1.2; } >m
	run metriccmp -f table --verdict v/verdict.json --json-to c.jsonl --csv-to c.csv --markdown-to c.md m
	status_is 1
	run "$ROOT/build/testvenv/bin/python" "$ROOT/tests/validate" --strict v/verdict.json c.jsonl
	status_is 0
	[ "$(python3 -c 'import csv; print(*[r["result"] for r in csv.DictReader(open("c.csv", newline="")) if r["cell_id"] == "c2"])')" = 'worse no_worse no_worse no_worse' ]
	grep -q '^| u-a1 cell 2 | ' c.md
}

@test "bad input is named by file, line and column, and the status is 3" {
	for bad in '{' '[]' '{"a":1}' '{"type":"x","a":NaN}' '{"type":"x","type":"x"}'; do
		printf '%s' "$bad" >bad
		run metriccmp bad
		status_is 3
		has 'metriccmp: bad:1:'
	done
	printf '{"type":"x\377"}\n' >bad
	run metriccmp bad
	status_is 3
	run metriccmp /dev/null
	status_is 6
	has 'cannot tell: no metrics in the input'
	runs old 3 1 >m
	run metriccmp m
	status_is 6
	run bash -c 'metriccmp --files m m >/dev/full'
	[ "$status" -eq 6 ] || status_is 4
	run metriccmp --gate client,client m
	status_is 2
	run metriccmp --fail-on better m
	status_is 2
}

@test "wild values are left out and nothing breaks" {
	{ runs old 4 1; runs new 4 1; } | sed 's/"client_execution_time_metric":[0-9.]*/"client_execution_time_metric":null/; s/"kernel_execution_time_metric":0.1/"kernel_execution_time_metric":-0.0/' >m
	run metriccmp -f table m
	[ "$status" -le 6 ]
	run metriccmp --gate client m
	status_is 6
	[ "$(verdict .reason <<<"$output")" = nothing ]
}

@test "a CSV has the same result as the records that it was made from; --by names the cells of any table" {
	{ runs old 10 1; runs new 10 1.2; } >m
	metrics2csv --cells m >m.csv
	[ "$(metriccmp m.csv | verdict '[.line, .worse, .tests] | @csv')" = "$(metriccmp m | verdict '[.line, .worse, .tests] | @csv')" ]
	for l in v1 v2; do
		for k in $(seq 8); do echo "$l,isr,flat,$k"; done
	done | awk -F, 'BEGIN { print "label,step,task,run_time_s" } { print $1 "," $2 "," $3 "," ($1 == "v2" ? 2 : 1) + $4 / 100 }' >t.csv
	run metriccmp -f table --by step,task --gate run_time_s t.csv
	status_is 1
	has 'run_time_s of isr flat'
	run metriccmp --by nothing --gate run_time_s t.csv
	status_is 3
	has "t.csv:1:1: no column 'nothing'"
	run metriccmp -f table --by step,task --gate run_time_s <t.csv
	status_is 1
	mkdir d
	head -9 t.csv >d/one.csv
	{ head -1 t.csv; tail -8 t.csv; } >d/two.csv
	run metriccmp -f table --by step,task --gate run_time_s d
	status_is 1
	run metriccmp --by step,task --files --gate run_time_s d
	status_is 1
	[ "$(verdict '[.base, .labels[0]] | tojson' <<<"$output")" = '["d/one.csv","d/two.csv"]' ]
	printf 'name,label\n"x' >bad.csv
	run metriccmp m bad.csv
	status_is 3
	has bad.csv:2:
	run metriccmp nothere.csv
	status_is 4
	has "cannot open 'nothere.csv'"
}

@test "a long name is cut before its cell number" {
	{ runs old 3 1; runs new 3 1; } | sed 's/"u-a1"/"survey-n_sources100000-filters_g_r_i_z-seeing0.7-and_so_on_and_on_and_on"/' >m
	run metriccmp -f table m
	has 'survey-n_sources100000-filters_g_r_i_z-seeing0.7-and_s... cell 1  '
	has 'survey-n_sources100000-filters_g_r_i_z-seeing0.7-and_s... cell 3  '
}

@test "a long table shows what is worse, a few unknown tests, and names without their common beginning" {
	{ runs old 6 1 80; runs new 6 1 80; runs old 6 1 2 | sed 's/u-a1/u-b1/'; runs new 6 3 2 | sed 's/u-a1/u-b1/'; } |
		sed 's/"name":"u-/"name":"demo-/' >m
	run metriccmp -f table m
	[ "$(grep -c '^[ab]1 cell .*  cannot tell' <<<"$output")" = 30 ]
	has 'cannot tell either: a1 cell 11-80, b1 cell 1-2'
	[[ "$output" != *demo-* ]] || [ "$(grep -c demo- <<<"$output")" -le 1 ]
	metriccmp -f table --all m >all || true
	[ "$(grep -c '^[ab]1 cell .*  cannot tell' all)" -gt 240 ]
}

@test "the packages of a run are those of its record" {
	jq -c 'if .type == "run" then .made_from = {environment: "e1"} else . end' "$ROOT/tests/data/runs.jsonl" >runs
	[ "$(cellmetrics runs | jq -r 'select(.type == "notebook_metrics").environment_id' | sort -u)" = e1 ]
	[ "$(cellmetrics "$ROOT/tests/data/runs.jsonl" | jq -r 'select(.type == "notebook_metrics").environment_id' | sort -u)" = null ]
}

@test "a film is no run of a comparison, and the notebooks of a sweep are called by what differs" {
	{ runs old 4 1; runs new 4 1; } | jq -c '.params = {side: 250, n: 1}' >m
	jq -c '.params.side = 500 | .name = "u-a2"' m >more
	jq -c 'select(.repetition == 1) | .repetition = 0 | .execution_status = "Failed"' m >films
	run metriccmp -f table m more
	local without=$output
	has 'client time of side=250 cell 1'
	has '
side=500 cell 3 '
	run metriccmp -f table m more films
	[ "$output" = "$without" ] || diff <(cat <<<"$without") <(cat <<<"$output")
	# Of several use cases the same values may differ in meaning.
	jq -c '.usecase = "v"' more >other
	run metriccmp -f table m other
	has 'u-a1 cell 1 '
}

@test "the key states the floors that were used, and why an interval has no bounds" {
	{ runs old 3 1; runs new 3 1; } >m
	run metriccmp -f table --gate client --floor client=0.1 m
	has 'the floors (5 %, client time 100 ms)'
	has 'no bounds: an interval needs at least 4 runs of each'
	{ runs old 4 1; runs new 4 1; } >m
	run metriccmp -f table --gate client m
	has 'the floors (5 %, client time 2 ms)'
	[[ "$output" != *bounds* ]]
}

@test "on a terminal the table fits, long names and labels are whole where it is wide, and what is worse has a style" {
	local wide
	{ runs old 10 1; runs a-version-with-a-long-name 10 1.2; } | sed 's/u-a1/a-notebook-with-quite-a-long-name-that-is-not-cut/' >m
	for wide in 80 100 120 200; do
		COLUMNS=$wide run metriccmp -f table m
		sed '/^change:/,$d' <<<"$output" >"$wide"
		[ "$(wc -L <$wide)" -le $wide ] && [ "$(wc -L <$wide)" -gt $((wide < 200 ? wide - 6 : 0)) ] || { cat $wide; false; }
	done
	grep -q '^a-notebook-with-quite-a-long-name-that-is-not-cut cell 2  .* worse$' 200
	grep -q '^client time  *old  *a-version-with-a-long-name  change  *q  *result$' 200
	grep -q '^a-n[^ ]* cell 2 .* worse$' 80 || { cat 80; false; }
	run ! grep -q ' q ' 80
	TERM=xterm run script -qec 'metriccmp -f table m' /dev/null
	has $'  \e[1;31mworse\e[0m'
	has $'\e[1;31mverdict: worse: '
	[ "$(metriccmp -f markdown m | grep -c $'\e')" = 0 ]
}

# pairs N FACTOR NOISE: N interleaved runs of a and b, ABBA; the first of six cells times FACTOR in
# b; noise is a share of the time, different in each run, and the same numbers each time.
pairs() {
	jq -nc --argjson n "$1" --argjson f "$2" --argjson e "$3" '
		def noise($i): ($i * 12.9898 | sin) * 43758.5453 | . - floor - 0.5;
		range($n) as $k | range(2) as $place | (["a", "b"] | .[($place + $k) % 2]) as $l |
		[range(6) as $i | 0.3 * (1 + $e * 2 * noise($k * 37 + $i * 11 + $place * 101 + 1)) * (if $l == "b" and $i == 0 then $f else 1 end)] as $t |
		{name: "nb", label: $l, repetition: ($k + 1), client_total_data_received_metric: 1.5, kernel_peak_rss_bytes: 1e8} |
		(range(6) as $i | {type: "cell_metrics", cell_index: ($i + 1), execution_status: "Completed", client_execution_time_metric: $t[$i], kernel_execution_time_metric: ($t[$i] / 2)} + .),
		({type: "notebook_metrics", t: (1e9 + 20 * $k + 10 * $place), execution_status: "completed", client_execution_time_metric: ($t | add), kernel_execution_time_metric: (($t | add) / 2)} + .)'
}

@test "interleaved runs are compared by their pairs: a cell that the total hides is found, and no other" {
	pairs 10 1.25 0.08 >m
	run metriccmp -f table m
	status_is 1
	has 'worse: client time of nb cell 1 +2'
	[ "$(metriccmp m | jq -c 'select(.result == "worse") | [.cell_index, .metric[:6], .pairs]')" = $'[1,"client",10]\n[1,"kernel",10]' ]
	has 'change: median of the pairs'
	# Without an order the same values are two samples, which show less.
	jq -c 'del(.t)' m >no-order
	[ "$(metriccmp m | jq 'select(.cell_index == 1 and .metric == "client_execution_time_metric").q')" != "$(metriccmp no-order | jq 'select(.cell_index == 1 and .metric == "client_execution_time_metric").q')" ]
}

@test "p, q and the median of pairs are those of all flips of their signs, computed in another way" {
	pairs 9 1.15 0.1 >m
	metriccmp m >c || [ $? = 6 ]
	run python3 - <<-'EOS'
		import itertools, json, math
		value, got = {}, {}
		for line in open("m"):
		    r = json.loads(line)
		    for m in ("client_execution_time_metric", "kernel_execution_time_metric"):
		        value.setdefault((r.get("cell_index"), m), {})[r["label"], r["repetition"]] = r[m]
		tests = list(value)
		d = [[math.log(v["b", k] / v["a", k]) for k in range(1, 10)] for v in value.values()]
		def signed_ranks(x):
		    rank = {i: n + 1 for n, i in enumerate(sorted(range(len(x)), key=lambda i: abs(x[i])))}
		    return [math.copysign(rank[i], x[i]) for i in range(len(x))]
		def statistic(scores, signs):
		    return round(abs(sum(a * b for a, b in zip(scores, signs))), 6)
		scores = [signed_ranks(x) for x in d]
		flips = list(itertools.product((1, -1), repeat=9))
		seen = [statistic(s, [1] * 9) for s in scores]
		p = [sum(statistic(s, f) >= o for f in flips) / len(flips) for s, o in zip(scores, seen)]
		q = [0] * len(d)
		order = sorted(range(len(d)), key=lambda i: -seen[i])
		for n, i in enumerate(order):
		    rest = order[n:]
		    together = sum(max(statistic(scores[k], f) for k in rest) >= seen[i] for f in flips) / len(flips)
		    q[i] = max(together, q[order[n - 1]] if n else 0)
		for line in open("c"):
		    r = json.loads(line)
		    if r["type"] == "comparison" and r["metric"].endswith("time_metric"):
		        i = tests.index((r["cell_index"], r["metric"]))
		        means = sorted((a + b) / 2 for n, a in enumerate(d[i]) for b in d[i][n:])
		        shift = (math.exp(means[len(means) // 2]) - 1) * r["base_median"]
		        assert abs(r["p"] - p[i]) < 1e-9, (r["p"], p[i])
		        assert abs(r["q"] - q[i]) < 1e-9, (r["q"], q[i])
		        assert abs(r["shift"] - shift) < 1e-9, (r["shift"], shift)
		        # 9 pairs: at most 5 of 45 means of two are outside on each side (p 0.039).
		        assert abs(r["shift_low"] - (math.exp(means[5]) - 1) * r["base_median"]) < 1e-9
		        print(i)
	EOS
	status_is 0
	[ "${#lines[@]}" = 14 ]
}

@test "an interval of pairs of which some were disturbed has bounds, those of all flips of weighted ranks" {
	pairs 12 1.5 0.1 | jq -c 'if .cell_index == 1 and (.repetition | IN(3, 8)) then .run_queue_wait_cause = "others" else . end' >m
	metriccmp --gate client --alpha 0.001 m >c || [ $? = 6 ]
	run python3 - <<-'EOS'
		import itertools, json, math
		value = {}
		for r in map(json.loads, open("m")):
		    if r.get("cell_index") == 1:
		        value[r["label"], r["repetition"]] = r["client_execution_time_metric"]
		d = [math.log(value["b", k] / value["a", k]) for k in range(1, 13)]
		w = [0.5 if k in (3, 8) else 1 for k in range(1, 13)]
		means = sorted((d[i] / 2 + d[k] / 2, w[i] * w[k]) for i in range(12) for k in range(i, 12))
		total, below, center = sum(x for _, x in means), 0, None
		for mean, x in means:
		    below += x
		    if center is None and below >= total / 2:
		        center = math.nextafter(mean, math.inf)
		rank, below = [], 0
		for i in sorted(range(12), key=lambda i: abs(d[i] - center)):
		    rank.append(w[i] * (below + w[i]))
		    below += w[i]
		sums = sorted(abs(sum(a * b for a, b in zip(rank, f))) for f in itertools.product((1, -1), repeat=12))
		bound = min(x for x in sums if sum(y >= x for y in sums) <= 0.001 * len(sums))
		below, low, high = 0, None, None
		for mean, x in means:
		    below += x
		    low = mean if low is None and total - 2 * below < bound else low
		    high = mean if high is None and 2 * below - total >= bound else high
		for r in map(json.loads, open("c")):
		    if r.get("cell_index") == 1 and r["metric"].startswith("client_e"):
		        for key, x in ("shift_low", low), ("shift_high", high):
		            assert abs(r[key] - math.expm1(x) * r["base_median"]) < 1e-9, (key, r[key], x)
		        print("compared")
	EOS
	status_is 0
	[ "$output" = compared ]
}

@test "each comparison of an unfinished experiment has its part of alpha, the last one all that is left" {
	pairs 20 1.10 0.08 >m
	order=$(printf 'ABBA%.0s' {1..10})
	q() { { echo '{"type":"interleaving","t":1,"a":"a","b":"b","seed":1,"order":"'"$order"'","planned":'"$1"',"looks":['"$2"']}'; cat m; } | metriccmp | jq 'select(.cell_index == 1 and .metric == "client_execution_time_metric").q'; }
	once=$(q null '') early=$(q 40 '') again=$(q 20 8,14)
	jq -en "$once < $early and $once <= $again"
	# An experiment that was interrupted has fewer runs than its order.
	order=$order${order::8}
	[ "$(q 40 '')" = "$early" ]
}

@test "the last comparison of a short experiment can decide, whatever the earlier ones have spent" {
	# Weights make some flips more extreme than others: earlier looks find room for these.
	pairs 9 1 0.01 | jq -c 'if .cell_index and (.cell_index * 7 + .repetition * 5 + .cell_index * .repetition) % 3 == 0 then .run_queue_wait_cause = "others" else . end' >m
	echo '{"type":"interleaving","t":1,"a":"a","b":"b","seed":1,"order":"ABBAABBAABBAABBAAB","planned":9,"looks":[6,8]}' >>m
	run metriccmp --gate client -f table m
	status_is 0
	has 'verdict: no worse: 7 tests'
}

@test "each label has as many pairs with the base as it has runs" {
	pairs 20 1.10 0.08 >m
	# Label c is b's first eight runs.
	jq -c 'select(.label == "b" and .repetition <= 8) | .label = "c"' m >c
	q() { jq -c 'select(.label == "c" and .metric == "client_execution_time_metric") | [.pairs, .p, .q, .shift_low]'; }
	echo '{"type":"interleaving","t":1,"a":"a","b":"c","seed":1,"order":"ABBAABBAABBAABBA","planned":40,"looks":[]}' >>c
	[ "$(cat m c | metriccmp | q)" = "$(jq -c 'select(.label == "a")' m | cat - c | metriccmp | q)" ]
	[ "$(cat m c | metriccmp | jq -c 'select(.pairs) | [.label, .pairs]' | sort -u | paste -sd' ')" = '["b",20] ["c",8]' ]
}

@test "what is counted and does not vary is judged as it is, and folded where nothing changed" {
	pairs 2 1 0.01 >m
	run metriccmp -f table --gate bytes m
	status_is 0
	has 'data received: unchanged, in all 7 rows'
	sed '/"label":"b"/s/"client_total_data_received_metric":1.5/"client_total_data_received_metric":3/' m >more
	run metriccmp -f table --gate bytes more
	status_is 1
	has 'worse: data received of nb'
}

@test "on a busy machine kernel CPU time can say worse, and never that nothing is" {
	busy='if .type == "cell_metrics" then .run_queue_wait_cause = "others" else . end'
	pairs 10 1 0.9 >m
	# The wall time is noise; the CPU time of the first cell has grown.
	jq -c "$busy | .kernel_cpu_s = 0.1 * (if .label == \"b\" and .cell_index == 1 then 1.5 else 1 end) * (1 + .repetition / 1000)" m >slow
	run metriccmp -f table slow
	status_is 1
	has 'worse: kernel CPU time of nb cell 1 +50.0 %'
	jq -c "$busy | .kernel_cpu_s = 0.1 * (1 + .repetition / 1000)" m >same
	run metriccmp -f table same
	status_is 6
	has 'cannot tell by wall time'
	has 'CPU time unchanged'
	jq -c '.kernel_cpu_s = 0.1 * (if .label == "b" then 1.5 else 1 end)' m >quiet
	run metriccmp -f table quiet
	status_is 6
}
