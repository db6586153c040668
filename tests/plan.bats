# bats file_tags=untimed,long
# The plan of the runs and the table of settings, as make uses them.
load helpers
load make
load oneserver

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	use_server
}

# tree: a copy of what make reads, whose programs are those of this tree.
tree() {
	TREE=$BATS_TEST_TMPDIR/tree
	mkdir -p "$TREE/usecases"
	(cd "$ROOT" && cp -R Makefile mk share tools "$TREE")
	ln -s "$ROOT/build" "$TREE/build"
}

@test "a setting is a row of one table: make help, its check, the run's settings, its option and staleness come from it" {
	tree
	use_case '{"n": [10], "word": ["good"]}'
	echo 'DUMMY ?= a  # a b  --dummy  does nothing' >>"$TREE/share/settings"
	dummy() { make --no-print-directory -C "$TREE" -o programs -o build/.built USECASE="$UC" "$@"; }
	run -0 dummy help
	has '  DUMMY            a            does nothing'
	run -2 dummy generate DUMMY=c
	has "DUMMY must be one of: a b; not 'c'"
	run -0 dummy plan COMMANDS=1 DUMMY=b
	has ' --dummy b '
	has '"dummy":"b"'
	mkdir -p "$UC/runs/current"
	printf '{"type":"run","t":1,"made_from":%s}\n{"type":"run_end","t":2,"status":"completed"}\n' "$(made_from "$UC" small-n10-wordgood)" >"$UC/runs/current/small-n10-wordgood.jsonl"
	run -0 jq -r 'select(.run).state' <(runplan "$UC")
	[ "$output" = current ]
	run -0 dummy plan COMMANDS=1
	run -0 jq -r 'select(.run).reason' <(runplan "$UC")
	[ "$output" = 'setting dummy b -> a' ]
}

@test "values of settings reach the plan as text, and those on which no run depends make none stale" {
	use_case '{"n": [10], "word": ["good"]}'
	run -0 nb plan COMMANDS=1 VIZ_SELECTOR="a 'b' \$(c) <d>" REPEAT=2 BROWSER=chromium
	[ "$(grep -c '^labserve ' <<<"$output")" = 2 ]
	run -0 jq -r 'select(.repetition == 2).made_from.settings.viz_selector' <(runplan "$UC")
	[ "$output" = "a 'b' \$(c) <d>" ]
	run -0 nb plan COMMANDS=1 BROWSER=none COLD=0 REMOTE_SAMPLES=1
	run -0 jq -c 'select(.run) | [.made_from.settings | .viz_selector, .settle_ms, .window, .cold, .page, .remote_samples, .max_wait_time]' <(runplan "$UC")
	[ "$output" = '[null,null,null,null,null,"1","300"]' ]
}

# recorded LABEL: two runs of the only notebook, as records of real cells.
recorded() {
	local k at
	mkdir -p "$UC/runs/$1"
	echo environment= >"$UC/runs/$1/.settings"
	for k in 1 2; do
		at=@$k
		sed "s/\"name\":\"[^\"]*\"/\"name\":\"small-n10-wordgood\"/; s/\"label\":\"[^\"]*\"/\"label\":\"$1\"/; s/\"repetition\":1,/\"repetition\":$k,/" "$ROOT/tests/data/used.jsonl" |
			jq -c --argjson from "$(made_from "$UC" small-n10-wordgood "$1")" 'if .type == "run" then .made_from = $from else . end' >"$UC/runs/$1/small-n10-wordgood${at#@1}.jsonl"
	done
}

@test "a report with a stale comparison plans each of the two labels once" {
	command -v strace >/dev/null || skip 'no strace'
	use_case '{"n": [10], "word": ["good"]}'
	run -0 nb generate
	recorded released
	recorded pr
	run -0 strace -f --seccomp-bpf -qq -e trace=execve -e signal=none -o calls make --no-print-directory -C "$ROOT" USECASE="$UC" report LABEL=pr BASE=released
	[ -s "$UC/metrics/pr/against-released/comparison.jsonl" ]
	# Those of the calibration on this machine are others.
	[ "$(grep 'runplan", .* = 0$' calls | grep -cv '"usecases/calibrate"')" = 2 ] || { grep runplan calls; false; }
}

@test "a sweep performs the gestures of its use case, and is made again only when they change" {
	use_case '{"n": [10], "word": ["good"]}'
	python3 "$ROOT/tests/nb.py" "$UC/template.ipynb" <<-'EON'
		[("code", "n = {n_value}\nword = {word_value}", ["parameters"]),
		 ("code", "import time\nfrom ipywidgets import IntSlider\ns = IntSlider(description='level')\ns.observe(lambda change: time.sleep(n / 1000), 'value')\ns", ["slider"]),
		 ("code", "assert 'n' in globals()")]
	EON
	echo '{"after_cell":"slider","gesture":"drag slider to","on":{"role":"slider","label":"level"},"to":"{n_value}","steps":5}' >"$UC/interactions.jsonl"
	run -0 nb plan
	has 'interactions: 1 gesture after 1 cell in each run'
	run -0 nb profile
	local made=$UC/runs/current/small-n10-wordgood.jsonl
	run -0 jq -c 'select(.type == "interaction") | [.status, .reason, .cell_index, .gesture, .inputs > 1, .kernel_callback_ms >= 10, .client_ms > .kernel_ms]' "$made"
	[ "$output" = '["completed",null,2,"drag slider to",true,true,true]' ] || has one
	[ "$(wc -l <"$UC/metrics/current/interaction_metrics.csv")" = 2 ]
	cells() { jq -c 'select(.type == "cell") | [.cell_index, .status, .outputs, .comm_messages_sent, .comm_messages_received, .page.widget_views, .waited]' "$made"; }
	cells >with
	run -0 nb plan
	has '1 up to date'
	sed -i 's/"steps":5/"steps":6/' "$UC/interactions.jsonl"
	run -0 nb plan
	has '0 up to date'
	# Without them, cells are as before, and nothing else is there; in a page: gesture.bats.
	if [ -n "${ALL:-}" ]; then
		run -0 nb profile INTERACTIONS=0
		has 'not performed: INTERACTIONS=0'
		run ! grep -q '"type":"interaction' "$made"
		run -0 diff with <(cells)
	fi
	echo '{"after_cell":9,"gesture":"click","on":{"tag":"p"}}' >"$UC/interactions.jsonl"
	run -2 nb profile
	has 'has no code cell 9'
	grep -q '"type":"run_end"' "$made"
}

@test "at most ten programs are started for a run without a page, its kernel included" {
	command -v strace >/dev/null || skip 'no strace'
	use_case '{"n": [10], "word": ["good"]}'
	local repeat started=()
	unset JUPYTERLAB_URL JUPYTERLAB_TOKEN
	run -0 nb generate
	# One run, then two more.
	for repeat in 1 3; do
		run -0 strace -f --seccomp-bpf -qq -e trace=execve -e signal=none -o calls make --no-print-directory -C "$ROOT" USECASE="$UC" profile REPEAT=$repeat BROWSER=none
		started+=("$(grep -c ' = 0$' calls)")
	done
	echo "# programs for one run: $((started[1] - started[0]))" >&3
	[ $((started[1] - started[0])) -ge 4 ]
	[ $((started[1] - started[0])) -le 10 ] || { cut -c1-150 calls; false; }
}

@test "the progress of a sweep begins with the time that make plan predicts" {
	use_case '{"n": [10, 20, 30], "word": ["good"]}'
	run -0 nb plan COMMANDS=1
	printf '{"type":"run","t":1000,"params":{"n":10,"word":"good"},"made_from":%s}\n{"type":"run_end","t":1040,"status":"completed","reason":null,"cells_run":3,"wall_ms":40000,"open_ms":1.0}\n' "$(made_from "$UC" small-n10-wordgood)" >"$UC/runs/current/small-n10-wordgood.jsonl"
	mkdir fake
	printf '#!/bin/sh\necho "planned ${NBSCOPE_PLANNED_S:-none}"\n' >fake/labserve
	chmod +x fake/labserve
	started() { (cd "$ROOT" && PATH=$BATS_TEST_TMPDIR/fake:$PATH runlock --no-lock --scratch "$BATS_TEST_TMPDIR/scratch" mk/run/make-due-runs.sh "$UC" current); }
	run -0 started
	[[ "$output" =~ ^planned\ [0-9.]+$ ]] || has 'a prediction'
	# Two notebooks are left.
	local seconds=${output#planned }
	[ "${seconds%.*}" -ge 79 ] && [ "${seconds%.*}" -le 100 ]
	has "planned $(runplan "$UC" | nbplan --json --runs "$UC/runs/current" | jq .time_s)"
	rm "$UC"/runs/current/*.jsonl
	run -0 started
	[ "$output" = 'planned none' ]
}
