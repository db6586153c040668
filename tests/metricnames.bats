# bats file_tags=quick
# The name of a metric is one value from the option to the column, whatever characters it has.
load helpers

setup() { cd "$BATS_TEST_TMPDIR" || return; }

# runs LABEL FACTOR: 8 runs of a notebook for each n, with a metric `wall` that never changes and two
# others, whose names it is a part of, that are the factor as large.
runs() {
	jq -nc --arg l "$1" --argjson f "$2" 'range(1; 9) as $k | (1, 2, 4) as $n | {type: "cell_metrics", name: "u-n\($n)", label: $l, repetition: $k,
		params: {n: $n}, cell_index: 1, cell_id: "c", execution_status: "Completed", wall: 1,
		"wall time": ($f * $n * (1 + $k / 1000)), "a,b": ($f * $n * (2 + $k / 1000)), "a": 3, b: 4}'
}
verdict() { jq -r 'select(.type == "comparison_verdict") | '"$1"; }

@test "a gate and a floor of metrics with blanks and commas in their names judge these metrics" {
	{ runs old 1; runs new 2; } >m
	run -1 metriccmp --gate 'wall time' m
	[ "$(verdict '[.tests, .worse] | @csv' <<<"$output")" = 3,3 ]
	[ "$(jq -r 'select(.type == "comparison").metric' <<<"$output" | sort -u)" = 'wall time' ]
	run -1 metriccmp --gate '"a,b"' --more 'wall time' m
	[ "$(jq -r 'select(.gate).metric' <<<"$output" | sort -u)" = a,b ]
	run -1 metriccmp --gate '"a,b", wall time' --floor 'wall time=100' m
	[ "$(jq -r 'select(.result == "worse").metric' <<<"$output" | sort -u)" = a,b ]
	run -1 metriccmp --gate '"a,b", wall time' --floor '"a,b=100"' m
	[ "$(jq -r 'select(.result == "worse").metric' <<<"$output" | sort -u)" = 'wall time' ]
	run -0 metriccmp --gate wall m
	run metriccmp --gate 'wall time,wall time' m
	status_is 2
	has "the metric 'wall time' is given twice"
}

@test "a table's columns are passed on whole" {
	printf 'name,wall,wall time,"a,b","say ""x"""\nx,1,2,3,4\n' >old.csv
	printf '[{whole: true, wall: 9, wall time: 1.5, "a,b": 9, '"'say \"x\"'"': 3.5}]' >b.yaml
	run -1 metricbudget b.yaml old.csv
	[ "$(jq -r 'select(.type == "budget") | [.metric, .value, .result] | @csv' <<<"$output")" = '"wall time",2,"over"
"say ""x""",4,"over"
"a,b",3,"within"
"wall",1,"within"' ]
	[ "$(table2metrics --metrics '"a,b", wall time' old.csv | jq -c '[.["wall time"], .["a,b"], .wall]')" = '[2,3,null]' ]
	[ "$(table2metrics --by '"a,b", wall time' old.csv | jq -r .name)" = '3 2' ]
}

@test "records may write a name with escapes" {
	printf '{"type":"cell_metrics","name":"x","cell_index":1,"execution_status":"Completed","dur\\u00e9e":3,"say \\"x\\"":4}\n' >m
	printf '[{"durée": 1, "say \\"x\\"": 1}]' >b.json
	[ "$(metricbudget b.json m | jq -c 'select(.type == "budget") | [.metric, .value]' | paste -sd' ')" = '["say \"x\"",4] ["durée",3]' ]
}

@test "a budget has limits of metrics with any name but an empty one" {
	runs old 1 >m
	printf '[{"a,b": 5, "wall time": 5, "wall": 5}]' >b.json
	run -1 metricbudget b.json m
	[ "$(jq -r 'select(.result == "over").metric' <<<"$output" | sort -u)" = a,b ]
	printf -- '- {notebook: "*", 4 cell: 2}\n' >b.yaml
	run -6 metricbudget b.yaml m
	has '"metric":"4 cell"'
	printf '[{"wall": 1, "": 2}]' >b.json
	run metricbudget b.json m
	status_is 3
	has 'metricbudget: b.json:1:14: the name of a metric is empty'
}

@test "histories, laws and error rates are those of the metric that is named" {
	for k in {1..10}; do runs "v$k" $((k > 5 ? 2 : 1)); done >m
	metrichist --metrics '"a,b", wall time' --append h m >steps
	[ "$(jq -r .metric steps | sort -u | paste -sd';')" = 'a,b;wall time' ]
	run -0 metricscale --metrics 'wall time,"a,b"' --limits '"a,b=80",wall time=40' m
	[ "$(jq -r '[.metric, .limit, (.limit_at | . > 39 and . < 41)] | @csv' <<<"$output")" = '"wall time",40,true
"a,b",80,true' ]
	run -0 metricrate --gate '"a,b"' --trials 1 --cells 2 m
	[ "$(jq -r .metric <<<"$output")" = a,b ]
}
