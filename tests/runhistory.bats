# bats file_tags=quick
load helpers

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	run=$ROOT/tests/data/sampled.jsonl
	export TZ=UTC TERM=dumb
}

# begin: a run of one's own; cell INDEX SOURCE [MEMBERS]: one of its cells, 1.5 s from second 1000.
begin() { printf '{"type":"run","t":1000,"name":"n","notebook":"n.ipynb","label":"l","repetition":%s}\n' "${1:-1}"; }
cell() { printf '{"type":"cell","t":1000,"cell_index":%s,"status":"completed","source":"%s","pressed_t":1000.0005,"client_ms":1500%s}\n' "$1" "$2" "${3:+,$3}"; }

@test "each cell has its index, start, duration, status and the line that names it" {
	run runhistory "$run"
	status_is 0
	[ "${lines[0]}" = 'demo-n1.ipynb, label current, 2026-09-21 14:13:20 +0000: failed' ]
	[ "${lines[2]}" = '    1  14:13:22.000       1.000 s  completed  a = work()' ]
	[ "${lines[3]}" = '    2  14:13:23.500       0.040 s  completed  x = 1' ]
	[ "${lines[4]}" = '    3  14:13:24.000       2.000 s  completed  viewer.show(a)' ]
	[ "${#lines[@]}" = 9 ]
}

@test "the reason why a cell failed, or did not run, is below its code" {
	run runhistory "$run"
	[ "${lines[5]}" = '    4  14:13:26.500       0.100 s  failed     raise ValueError' ]
	[ "${lines[6]}" = '                                              ValueError: wrong' ]
	[ "${lines[7]}" = '    5  -                      -    not run    y' ]
	[ "${lines[8]}" = '                                              cell 4 failed' ]
}

@test "times are in the time zone, rounded to a millisecond" {
	run runhistory < <(begin; cell 1 x)
	has '00:16:40.001       1.500 s'
	TZ=Asia/Kathmandu run runhistory < <(begin; cell 1 x)
	has '05:46:40.001' || has '00:16:40.001'	# where there is no zone's data
	run runhistory < <(begin; cell 1 x | sed 's/1000.0005/1000.9996/')
	has '00:16:41.000'
}

@test "columns are aligned whatever the statuses are" {
	run runhistory < <(begin; cell 1 'first'; cell 2 'second' '"reason":null' | sed 's/completed/server_lost/'; cell 12345 third)
	at=$(awk 'index($0, "status") { print index($0, "code") }' <<<"$output")
	for word in first second third; do
		[ "$(awk -v w=$word 'index($0, w) { print index($0, w) }' <<<"$output")" = "$at" ]
	done
	has 'server lost  second'
}

@test "--cell prints one cell's code and nothing else, exactly" {
	printf 'a\tb\n\n  c \\x1b\n' >source
	run runhistory -c 3 < <(begin; cell 1 no; cell 3 'a\tb\n\n  c \\x1b\n')
	runhistory -c 3 < <(begin; cell 1 no; cell 3 'a\tb\n\n  c \\x1b\n') | cmp - source
	runhistory -c 3 < <(begin; cell 3 'a\tb\n\n  c \\x1b') | cmp - source
	printf '\033[2J\n' | cmp - <(runhistory -c 1 < <(begin; cell 1 '\u001b[2J'))
	run runhistory -c last "$run"
	[ "$output" = y ]
}

@test "the code of several cells is a script with cell markers for editors" {
	runhistory -c 1,3 "$run" >script
	[ "$(cat script)" = '# %% cell 1
a = work()
more()

# %% cell 3

# show it
viewer.show(a)' ]
	[ "$(runhistory -c all "$run" | grep -c '^# %% cell')" = 5 ]
	# Both ends of a range belong to it, also where they count from the last cell.
	[ "$(runhistory -c -4:-3 "$run" | grep '^# %% cell' | paste -sd' ')" = '# %% cell 2 # %% cell 3' ]
	[ "$(runhistory -c -2:-1 "$run" | grep '^# %% cell' | paste -sd' ')" = '# %% cell 4 # %% cell 5' ]
	[ "$(runhistory -c -2: "$run" | grep -o 'cell .*' | paste -sd,)" = 'cell 4,cell 5' ]
	[ "$(cat "$run" "$run" | runhistory -c 1)" = '# %% cell 1
a = work()
more()

# %% cell 1
a = work()
more()' ]
}

@test "hostile code cannot control the terminal, in the table or whole" {
	bad='\u001b]0;title\u0007\u202e x\r\u009b2J\u0000y' bad=${bad//\\u0000/}
	run runhistory < <(begin; cell 1 "$bad" "\"reason\":\"\\u001b[31m\\nnext\"")
	[[ "$output" != *$'\e'* && "$output" != *$'\u202e'* && "$output" != *$'\u9b'* ]]
	[ "${#lines[@]}" = 4 ]
	{ begin; cell 1 "$bad\\n\\tline 2"; } >in
	script -qec 'runhistory -c 1 in' /dev/null >out
	[[ "$(cat out)" != *$'\e'* && "$(cat out)" != *$'\u202e'* ]]
	grep -q $'^\tline 2\r*$' out
}

@test "the table has the terminal's width, or the requested one" {
	long=$(printf 'x%.0s' {1..300}) wide=$(printf '漢%.0s' {1..300})
	{ begin; cell 1 "$long" "\"reason\":\"$wide\""; cell 2 "$wide"; } >in
	for w in 60 80 133; do
		runhistory -W $w in >out
		python3 -c '
import sys, unicodedata
for line in open("out"):
    width = sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line.rstrip("\n"))
    assert width <= int(sys.argv[1]), (width, line)' $w
	done
	script -qec 'stty cols 77; runhistory in' /dev/null | tr -d '\r' >out
	[ "$(sed -n 3p out | wc -m)" = 78 ]
	run runhistory -W 10 in
	status_is 2
}

@test "JSON lines have the whole code and match their schema" {
	runhistory --json "$run" >out
	[ "$(wc -l <out)" = 5 ]
	[ "$(jq -c 'select(.cell_index == 3) | [.type, .name, .label, .repetition, .t, .start_t, .client_ms, .kernel_ms, .status, .reason, .source]' out)" = \
		'["history","demo-n1","current",1,1790000004,1790000004,2000,500,"completed",null,"\n# show it\nviewer.show(a)"]' ]
	[ "$(jq -c 'select(.cell_index == 5) | [.start_t, .client_ms, .reason]' out)" = '[null,null,"cell 4 failed"]' ]
	[ "$(runhistory -j -c 2:3 "$run" | jq -s 'length')" = 2 ]
	if [ -x "$ROOT/build/testvenv/bin/python" ]; then
		run "$ROOT/build/testvenv/bin/python" "$ROOT/tests/validate" --strict out
		status_is 0
	fi
}

@test "all runs of a stream are listed, or the one that --run selects" {
	{ cat "$ROOT/tests/data/runs.jsonl"; begin 3; cell 1 x; } >in
	run runhistory in
	status_is 0
	[ "$(grep -c '^ cell  start' <<<"$output")" = 3 ]
	has 'n.ipynb, label l, repetition 3, 1970-01-01 00:16:40 +0000: incomplete'
	run runhistory --run 2 in
	[ "${lines[0]}" = 'demo-n2-modewebp.ipynb, label current, 2026-09-21 14:13:40 +0000: failed' ]
	[ "$(grep -c '^ cell  start' <<<"$output")" = 1 ]
	run runhistory --run 4 in
	status_is 6
	has 'no run 4 in the record, which has 3'
	[ "$(runhistory --run 1 -c 3 in)" = 'viewer.show(images)' ]
}

@test "a missing run or cell is reported with status 6" {
	run runhistory </dev/null
	status_is 6
	[ "$output" = 'runhistory: no run in the record' ]
	run runhistory -c 9 "$run"
	status_is 6
	[ "$output" = "runhistory: no cell '9' in the record" ]
	run runhistory -c nine "$run"
	status_is 2
	run runhistory no-such-file
	status_is 4
	run runhistory "$run" "$run"
	status_is 2
}

@test "a run without cells is a table without rows" {
	run runhistory < <(begin)
	status_is 0
	[ "${#lines[@]}" = 2 ]
}

@test "standard input does as well as a file, and options may follow the file" {
	[ "$(runhistory <"$run")" = "$(runhistory "$run" -W 100)" ]
}

@test "lines that are not records are refused with line and column" {
	for bad in x '[]' '{"type":"cell","a":1,"a":2}' '{"type":"a","b":NaN}' $'{"type":"\xff"}' '' '{"type":"cell","t":1}'; do
		run runhistory < <(begin; echo "$bad")
		status_is 3
		[[ "$output" =~ ^runhistory:\ stdin:2:[0-9]+:\  ]] || { echo "for $bad: $output"; return 1; }
	done
}

@test "a last line without a newline counts" {
	run runhistory < <(begin; cell 1 x | tr -d '\n')
	status_is 0
	has 'completed  x'
}

@test "a line of 100 MB is refused" {
	run bash -c "(printf '{\"type\":\"x\",\"a\":\"'; head -c 100000000 /dev/zero | tr '\\0' a; echo '\"}') | runhistory"
	status_is 3
	has 'runhistory: stdin:1:1: line longer than 16777216 bytes'
}

@test "a full disk is an error, and a reader that leaves ends it silently" {
	run bash -c 'runhistory "$1" >/dev/full' - "$run"
	status_is 4
	has 'runhistory: cannot write to standard output: No space left on device'
	{ begin; for i in {1..3000}; do cell "$i" "$i"; done; } >many
	run bash -c 'runhistory many | head -1; exit "${PIPESTATUS[0]}"'
	status_is 141
	[ "$output" = 'n.ipynb, label l, 1970-01-01 00:16:40 +0000: incomplete' ]
}
