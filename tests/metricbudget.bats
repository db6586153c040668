# bats file_tags=quick
load helpers

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	cellmetrics "$ROOT/tests/data/runs.jsonl" >m
}
budgets() { printf '%s\n' "$@" >b.yaml; }

@test "a cell over its limit is named, and the status is 1" {
	budgets '- cell: 2' '  notebook: demo-n1-*' '  client: 1 s'
	run metricbudget -f table b.yaml m
	status_is 1
	has 'verdict: over budget: client time of n=1 mode=png limits=[0,1] cell 2 1.280 s, limit 1 s'
	budgets '- cell: 2' '  notebook: demo-n1-*' '  client: 1300 ms'
	run metricbudget -f table b.yaml m
	status_is 0
	has 'verdict: within budget: 1 limit'
}

@test "the verdict names one value over its limit, and counts the others" {
	budgets '- cell: 2' '  notebook: demo-n1-*' '  client: 1 s'
	run -1 metricbudget -f table b.yaml m
	[[ "${lines[-1]}" = *', limit 1 s' ]]
	budgets '- cell: 2' '  notebook: demo-n1-*' '  client: 1 s' '- cell: 2' '  notebook: demo-n1-*' '  client: 900 ms'
	run -1 metricbudget -f table b.yaml m
	[[ "${lines[-1]}" = *' and 1 more' ]]
}

@test "a rule that no cell matches does not pass" {
	budgets '- cell: nothing' '  client: 1 s'
	run metricbudget b.yaml m
	status_is 6
	has 'no cell with a value matches the rule'
}

@test "a cell that did not complete does not pass" {
	budgets '- notebook: demo-n2-*' '  cell: 3' '  client: 100 s'
	run metricbudget b.yaml m
	status_is 6
	has 'it did not complete'
}

@test "a cell that did not complete in one of its runs does not pass, and is over where the others are" {
	cell() { jq -nc --arg s "$2" --argjson r "$1" --argjson v "$3" '{type: "cell_metrics", name: "nb", label: "x", repetition: $r, cell_index: 1, execution_status: $s, client_execution_time_metric: $v}'; }
	{ cell 1 Completed 1; cell 2 Completed 1; cell 3 Failed null; } >f
	budgets '- client: 100 s'
	run metricbudget --format table b.yaml f
	status_is 6
	has 'unknown: it did not complete in 1 of 3 runs'
	budgets '- client: 500 ms'
	run metricbudget --format table b.yaml f
	status_is 1
	has 'over budget: client time of nb cell 1 1 s, limit 500 ms'
}

@test "whole notebooks have limits, and so has the highest of several runs" {
	budgets '- whole: true' '  notebook: demo-n1-*' '  client: 1 s'
	run metricbudget b.yaml m
	status_is 1
	sed 's/"repetition":1/"repetition":2/; s/"client_execution_time_metric":1.28[0-9]*/"client_execution_time_metric":9/' m >m2
	budgets '- {notebook: demo-n1-*, cell: 2, client: 6 s}'
	run metricbudget b.yaml m m2
	status_is 0
	budgets '- {notebook: demo-n1-*, cell: 2, client: 6 s, statistic: max}'
	run metricbudget b.yaml m m2
	status_is 1
}

@test "records and the verdict fit their contract" {
	budgets '- client: 1 s' '- {cell: nope, memory: 1 GB}'
	metricbudget --verdict v.json b.yaml m >r || [ $? = 1 ]
	run "$ROOT/build/testvenv/bin/python" "$ROOT/tests/validate" --strict r v.json
	status_is 0
}

@test "a fault in a budget file is named with line and column" {
	budgets '- client: 5 GB'
	run metricbudget b.yaml m
	status_is 3
	has "b.yaml:1:3: the limit of 'client_execution_time_metric' must be a number"
	for bad in '' 'x' '- 3' '- cell: x' '- {client: 1, statistic: mean}' '- {client: [1]}'; do
		budgets "$bad"
		run metricbudget b.yaml m
		status_is 3
	done
	budgets '- client: 1'
	printf '{' >bad
	run metricbudget b.yaml bad
	status_is 3
	run metricbudget nothere.yaml m
	[ "$status" -eq 4 ] || status_is 3
	run metricbudget
	status_is 2
}

@test "a table has the width of the terminal, and what is over its limit has a style there" {
	local long
	long=$(printf 'long-%.0s' {1..12})end
	sed "s/demo-n/$long-n/; s/\"params\":{[^}]*}/\"params\":{}/" m >named
	budgets '- cell: 2' '  client: 1 s'
	COLUMNS=200 run metricbudget -f table b.yaml named
	has "$long-n1-modepng cell 2  "
	has ' over
'
	for wide in 80 96; do
		COLUMNS=$wide run metricbudget -f table b.yaml named
		[ "$(sed '$d' <<<"$output" | wc -L)" -le $wide ] || has "$wide columns"
		has ' cell 2  '
	done
	TERM=xterm run script -qec 'metricbudget -f table b.yaml named' /dev/null
	has $'\e[1;31mover\e[0m'
	has $'\e[1;31mverdict: over budget'
}
