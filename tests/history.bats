# bats file_tags=quick
load helpers

# Histories of several machines, and the page that draws them: what make history and make publish run.
setup() {
	cd "$BATS_TEST_TMPDIR" || return
	export NBSCOPE_SCRATCH=$BATS_TEST_TMPDIR/scratch
	mkdir scratch
}

# runs LABEL SECONDS HOST [T]: one notebook of one cell, once.
runs() {
	jq -nc --arg l "$1" --argjson s "$2" --arg h "$3" --argjson t "${4:-null}" '{usecase: "u", name: "u-n1", params: {n: 1}, label: $l, t: $t, repetition: 1, execution_status: "Completed", client_execution_time_metric: $s} |
		(. + {type: "cell_metrics", cell_index: 1, cell_id: "c"}), . + {type: "notebook_metrics", machine: {host: $h, processor: "P", cores: 2, os: "o"}}'
}
write() { (cd "$ROOT" && mk/show/write-history.sh "$BATS_TEST_TMPDIR/out/history.html" "$BATS_TEST_TMPDIR/h" "$@"); }
valid() { "$ROOT/build/testvenv/bin/python" "$ROOT/tests/validate" --strict "$@"; }

@test "a change of the machine is no step, and each machine has its own steps" {
	for k in 1 2 3 4 5 6 7 8; do
		runs v1.$k 2.0$k lab | metrichist -A h >out.lab
		runs v1.$k $((k > 4 ? 7 : 5)).0$k cloud | metrichist -A h >out.cloud
	done
	# One label after the other, on a machine that is twice as slow.
	for k in 9 10 11 12; do runs v1.$k 4.$k other | metrichist -A h >steps; done
	[ "$(jq -r '[.machine.host, .label, .cell_index] | join(" ")' steps)" = $'cloud v1.5 1\ncloud v1.5 ' ]
	jq -se '.[0] | .change_low > 1.9 and .change_high < 2.1' steps
	metrichist -f table h >table
	grep -q '^n=1 cell 1 .* +40\.[0-9] % (+[0-9.]* to +[0-9.]*) .* since v1.5 (p [0-9.]*) on cloud$' table
	grep -q 'verdict: 12 labels, 2 steps' table
	valid h steps
}

@test "a merge of two histories has all labels of both, each once" {
	for k in 1 2 3; do
		runs v$k 1 a 10$k | metrichist -A a >/dev/null
		runs v$k 2 b 20$k | metrichist -A b >/dev/null
	done
	cp a h
	metrichist -A h a b
	[ "$(wc -l <h)" = 12 ]
	cmp -n "$(stat -c %s a)" a h
	# The same by a merge of texts, which has what both had twice.
	cat b h a >text
	jq -cnf "$ROOT/share/plan/history.jq" text >ordered
	[ "$(jq -r 'select(.cell_index) | .machine.host + .label' ordered | sort | paste -sd' ')" = 'av1 av2 av3 bv1 bv2 bv3' ]
	metrichist -A h h
	[ "$(wc -l <h)" = 12 ]
}

@test "the same label is appended once, also by two at the same time" {
	for k in $(seq 12); do runs l 1 a | metrichist -A h & done
	wait
	[ "$(wc -l <h)" = 2 ]
}

@test "versions are in their order, other labels in that of their dates" {
	order() { jq -cnf "$ROOT/share/plan/history.jq" h | jq -r 'select(.cell_index).label' | paste -sd' '; }
	t=100
	for v in 5.0 v4.9 5.0.post1 v4.10 5.0rc1 5.0.1; do
		t=$((t - 1))
		runs $v 1 a $t | metrichist -A h
	done
	[ "$(order)" = 'v4.9 v4.10 5.0rc1 5.0 5.0.post1 5.0.1' ]
	runs main 1 a 96.5 | metrichist -A h
	[ "$(order)" = '5.0.1 5.0rc1 v4.10 main 5.0.post1 v4.9 5.0' ]
}

@test "the page has a curve for each notebook and cell, with the steps and those of a comparison" {
	for k in 1 2 3 4 5 6 7 8; do runs v1.$k $((k > 4 ? 3 : 2)).0$k 'a</title><b>' 179000000$k | metrichist -A h >/dev/null; done
	mkdir against
	jq -nc '{type: "comparison", usecase: "u", name: "u-n1", cell_index: 1, cell_id: "c", metric: "client_execution_time_metric", base: "v1.7", label: "v1.8", gate: true, result: "worse", base_median: 3.07, median: 3.4, shift_low: 0.2, shift_high: 0.4, q: 0.01},
		{type: "comparison", name: "u-n1", metric: "client_execution_time_metric", gate: true, result: "no_worse", base_median: 1, median: 1}' >against/comparison.jsonl
	run -0 write "$PWD/against/comparison.jsonl"
	has 'since v1.5'
	[ "${lines[-1]}" = "history: $PWD/out/history.html" ]
	run -0 write "$PWD/against/comparison.jsonl"
	[ "$(jq -r .type h | sort | uniq -c | tr -s ' ' | paste -sd,)" = ' 16 label_history, 1 step' ]
	valid h
	page=out/history.html
	[ "$(grep -c '<figure class="curve">' $page)" = 2 ]
	[ "$(grep -o 'class="dot k0"' $page | wc -l)" = 16 ]
	[ "$(grep -o 'class="step up"' $page | wc -l)" = 3 ]
	grep -q 'client time since <b>v1.5</b>: 2.025 s to 3.065 s, +51.4 % (+49.9 to +52.8)' $page
	grep -q 'client time since <b>v1.8</b>: 3.070 s to 3.400 s, +10.7 % (+6.5 to +13)' $page
	grep -q '<title>v1.8, 2026-09-21 14:13 UTC: 3.080 s, 1 run</title>' $page
	run ! grep -q '<b>v1.8.*<b>;\|</title><b>' $page
}

@test "the index of published reports begins with the curves of all use cases, of all who publish" {
	mkdir -p uc/u/report/current public/other
	echo '<p>' >uc/u/report/current/index.html
	for k in 1 2 3; do
		runs v$k 1 a | metrichist -A uc/u/history.jsonl
		runs v$k 1 b | metrichist -A theirs
		runs v$k 1 b | sed 's/"usecase":"u"/"usecase":"w"/' | metrichist -A public/other/history.jsonl
	done
	cd "$ROOT"
	for history in "$BATS_TEST_TMPDIR"/{uc/u/history.jsonl,theirs}; do
		cp "$history" "$BATS_TEST_TMPDIR/uc/u/history.jsonl" 2>/dev/null || true
		mk/show/publish-report.sh "$BATS_TEST_TMPDIR/uc/u" current "$BATS_TEST_TMPDIR/public"
	done
	cd "$BATS_TEST_TMPDIR/public"
	[ "$(wc -l <u/history.jsonl)" = 12 ]
	[ "$(grep -o '<h3>[uw]</h3>' index.html | paste -sd' ')" = '<h3>u</h3> <h3>w</h3>' ]
	[ "$(grep -n 'id="history"' index.html | cut -d: -f1)" -lt "$(grep -n 'id="overview"' index.html | cut -d: -f1)" ]
}
