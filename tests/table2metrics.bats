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
	for metrics in '--metrics a_s' ''; do
		run -0 --separate-stderr table2metrics $metrics t.csv
		[ "$(jq -c 'select(.type == "table_metrics").a_s' <<<"$output" | paste -sd' ')" = '1 null 3' ]
		[ "$(jq -c 'select(.type == "table_note") | [.note, .columns[], .rows, .of_rows]' <<<"$output")" = '["values_left_out","a_s",1,3]' ]
		[ "$stderr" = "table2metrics: 'a_s': 1 of 3 values (33.3 %) left out as not a number, such as 'unknown' (t.csv:3)" ]
	done
	# What is asked for but has no number is said, too; metriccmp reads the table in the same way.
	run -0 --separate-stderr table2metrics --by name --metrics b < <(printf 'name,b\nx,p\ny,q\n')
	[[ "$stderr" == *"'b': 2 of 2 values (100 %) left out"* ]]
	printf 'name,a_s\nx,1\ny,2 min\nz,3\nv,?\n' >u.csv
	run metriccmp --by name --files -g a_s t.csv u.csv
	has "metriccmp: 'a_s': 1 of 4 values (25 %) left out as not a number, such as '?' (u.csv, row 4)"
}

@test "the rows of all files as CSV keep the text of values with a unit, and names that look like numbers stay" {
	printf 'name,realtime,label\na,1m 2s,1\nb,45s,2\n' >t.csv
	[ "$(table2metrics --format csv t.csv | tr -d '\r')" = "$(cat t.csv)" ]
	[ "$(table2metrics t.csv | jq -c '[.label, .realtime]' | paste -sd' ')" = '["1",62] ["2",45]' ]
	[ "$(table2metrics --format columns t.csv | jq -c '[.column, .number, .unit]' | paste -sd' ')" = '["name",false,null] ["realtime",true,"s"] ["label",true,null]' ]
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
