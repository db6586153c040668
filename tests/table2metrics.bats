# bats file_tags=quick
load helpers

setup() { cd "$BATS_TEST_TMPDIR" || return; }

@test "the records of nbscope's own CSV have the cells, parameters and metrics that it was made from" {
	cellmetrics "$ROOT/tests/data/runs.jsonl" >m
	metrics2csv --cells m >m.csv
	run -0 "$ROOT/build/testvenv/bin/python" "$ROOT/tests/validate" <(table2metrics m.csv)
	members='[.name, .label, .cell_index, .cell_id, .execution_status, .params.n, .client_execution_time_metric] | tojson'
	[ "$(table2metrics m.csv | jq -r "$members")" = "$(jq -r "select(.type == \"cell_metrics\") | $members" m)" ]
}

@test "--by names cells by any columns, --metrics chooses columns, --files makes the path the label" {
	printf 'step,n,a_s,b_s\nisr,1,0.5,7\nisr,2,x,8\n' >t.csv
	run -0 table2metrics --by step,n --metrics a_s,nothere t.csv
	[ "$(jq -c '[.name, .label, .cell_index, .a_s, .b_s]' <<<"$output")" = $'["isr 1",null,null,0.5,null]\n["isr 2",null,null,null,null]' ]
	run -0 table2metrics --by step --files t.csv
	[ "$(jq -r .label <<<"$output" | sort -u)" = t.csv ]
}

@test "a word among numbers is a missing value and leaves the others numbers" {
	printf 'name,a_s\nx,1\ny,unknown\nz,3\n' >t.csv
	[ "$(table2metrics --metrics a_s t.csv | jq -c .a_s | paste -sd' ')" = '1 null 3' ]
}

@test "faults are named by file, line and column" {
	printf 'a,b\n1,2\n' >t.csv
	run table2metrics t.csv
	status_is 3
	has "table2metrics: t.csv:1:1: no column 'name': use --by"
	run table2metrics --by c t.csv
	status_is 3
	has "t.csv:1:1: no column 'c'"
	run table2metrics nothere.csv
	status_is 4
	run bash -c 'table2metrics --by a t.csv >/dev/full'
	status_is 4
	run -0 table2metrics --by a <<<a,b
	[ -z "$output" ]
}
