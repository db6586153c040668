# bats file_tags=quick
load helpers

setup() { cd "$BATS_TEST_TMPDIR" || return; }

# label NAME SECONDS...: one cell's runs.
label() {
	local l=$1
	shift
	for s; do echo '{"type":"cell_metrics","usecase":"u","name":"n","label":"'"$l"'","cell_index":1,"cell_id":"c","execution_status":"Completed","client_execution_time_metric":'"$s"'}'; done
}

@test "a step is found with its first label, and noise is no step" {
	for k in 1 2 3 4 5 6; do label v$k 2.0$k 2.1$k | metrichist -A h; done
	run metrichist -f table h
	has 'verdict: 6 labels, 0 steps'
	for k in 7 8 9; do label v$k 2.6$k 2.7$k | metrichist -A h; done
	run metrichist -f table h
	status_is 0
	has 'since v7'
	has 'verdict: 9 labels, 1 step'
}

@test "a step from 0 has no percentage" {
	for k in 1 2 3 4 5 6 7 8 9; do label v$k $((k > 5 ? 3 : 0)).0; done | metrichist -A h -f table >out
	[ "$(sed 's/  */ /g; s/(p .*)/(p)/' out)" = "n cell 1 client time from 0 0 s to 3 s since v6 (p)
verdict: 9 labels, 1 step" ] || { cat out; false; }
	for k in 1 2 3 4 5 6 7 8 9; do label v$k $((k > 5 ? 0 : 3)).0; done | metrichist -A g -f table >out
	grep -q -- '-100.0 %' out
}

@test "a step's notebook is called by its parameters, and is the same as in entries that lack them" {
	for k in 1 2 3 4 5 6 7 8; do label v$k $((k > 4 ? 3 : 2)).$k | sed 's/"name":"n",/&"params":{"n_sensors":4,"bins":20},/' | metrichist -A h; done
	sed -i '1,2s/"params":{[^}]*},//' h
	run metrichist -f table h
	[[ ${lines[0]} == 'n_sensors=4 bins=20 cell 1 '*' since v5 '* ]] || has 'a step by its parameters'
	has 'verdict: 8 labels, 1 step'
	run "$ROOT/build/testvenv/bin/python" "$ROOT/tests/validate" --strict h
	status_is 0
}

@test "a last label outside the range of those before is reported, and --latest fails on it" {
	for k in 1 2 3 4 5 6; do label v$k 2.0$k; done | metrichist -A h
	label bad 3 | metrichist -A h -f table >out
	grep -q '(only label so far)' out
	run metrichist --latest h
	status_is 1
	[ "$(jq -c '[.label, .label_before, .latest, .p]' <<<"$output")" = '["bad","v6",true,null]' ]
}

# label_on HOST MICROCODE MEMORY NAME SECONDS...: on this machine.
label_on() {
	local machine="{\"host\":\"$1\",\"processor\":\"p\",\"cores\":4,\"microcode\":$2,\"memory_bytes\":$3,\"os\":\"l\"}"
	echo '{"type":"notebook_metrics","usecase":"u","name":"n","label":"'"$4"'","cell_index":0,"execution_status":"Completed","machine":'"$machine"'}'
	label "${@:4}"
}

@test "hosts with the same hardware are one machine, whatever their names; others are not, nor those whose hardware is unknown" {
	for k in 1 2 3 4 5 6 7 8; do label_on node$k '"0x1"' $((1000 + k)) v$k $((k > 4 ? 3 : 2)).0$k | metrichist -A h; done
	run metrichist -f table h
	has 'n cell 1'
	has ' since v5 '
	[[ $output != *' on node'* ]] || has 'one machine'
	run "$ROOT/build/testvenv/bin/python" "$ROOT/tests/validate" --strict h
	status_is 0
	# The same label of another node that is alike is known.
	cp h before
	label_on node9 '"0x1"' 1009 v3 5 | metrichist -A h
	cmp h before
	label_on node9 '"0x2"' 1009 v3 5 | metrichist -A h
	label_on node9 '"0x1"' 1100 v3 5 | metrichist -A h
	[ "$(wc -l <h)" = 10 ]
	# The same host is one machine, also with another kernel, and in entries that do not name it.
	label_on node1 '"0x2"' 1001 v3 5 | metrichist -A h
	[ "$(wc -l <h)" = 10 ]
	jq -c 'del(.machine.os, .machine.microcode)' h >old
	label_on node1 '"0x1"' 1001 v1 5 | metrichist -A old
	[ "$(wc -l <old)" = 10 ]
	for k in 1 2 3 4 5 6 7 8; do label_on node$k null 1000 v$k $((k > 4 ? 3 : 2)).0$k | metrichist -A unknown; done
	run metrichist -f table unknown
	[[ $output != *'since v5'* ]] || has 'eight machines'
}

@test "a history is only appended to, and has each label once" {
	label a 1 | metrichist -A h
	cp h before
	label b 2 | metrichist -A h
	label a 9 | metrichist -A h
	cmp -n "$(stat -c %s before)" before h
	[ "$(jq -r .label h | paste -sd' ')" = 'a b' ]
	run "$ROOT/build/testvenv/bin/python" "$ROOT/tests/validate" --strict h
	status_is 0
}

@test "two programs that append at the same time lose nothing" {
	for k in $(seq 20); do label l$k 1 | metrichist -A h & done
	wait
	[ "$(jq -r .label h | sort | uniq -c | awk '$1 == 1' | wc -l)" = 20 ]
}

@test "few labels decide nothing, and bad input is named" {
	label a 1 | metrichist -A h -f table >out
	grep -q 'cannot tell: 1 label in the history, at least 4 are needed' out
	printf '{' >bad
	run metrichist bad
	status_is 3
	run metrichist -A h bad
	status_is 3
	run metrichist -A nothere/h /dev/null
	status_is 4
	ln -s elsewhere link
	run metrichist -A link /dev/null
	status_is 4
}

@test "a level that rises and falls again is two steps; one odd label and noise are none" {
	n=0
	for v in 2 2.01 1.99 2.02 2 3 3.02 2.99 3.01 3 2 2.02 1.99 2.01 2; do label "v$((n += 1))" $v; done | metrichist -A bump -f table >out
	[ "$(grep -c '^n cell 1' out)" = 2 ]
	grep -q 'since v6 ' out
	grep -q 'since v11 ' out
	n=0
	for v in 2 2.01 1.99 2.02 2 2.6 2.01 2.03 1.98 2.02 2 2.01; do label "v$((n += 1))" $v; done | metrichist -A odd -f table >out
	grep -q '12 labels, 0 steps' out
}
