# bats file_tags=untimed,long
# The makefile: what failed or was interrupted, and what of it runs again.
load helpers
load make
load oneserver

setup() {
	use_server
	export BROWSER=none
}

@test "a failed cell is a result: kept, named, make non-zero, run again when asked" {
	use_case '{"n": [10], "word": ["good", "bad"]}'
	run -2 nb profile
	has "verdict: 1 of 2 notebooks failed: word=bad cell 3 (AssertionError: a bad word)"
	run -0 jq -r .verdict "$UC/metrics/current/verdict.json"
	[ "$output" = failed ]
	touch "$BATS_TEST_TMPDIR/before"
	run -2 nb profile
	[ -z "$(find "$UC/runs" -name '[!.]*.jsonl' -newer "$BATS_TEST_TMPDIR/before")" ]
	run -2 nb profile RERUN=failed
	[ "$(find "$UC/runs" -name '[!.]*.jsonl' -newer "$BATS_TEST_TMPDIR/before" -printf '%f ')" = 'small-n10-wordbad.jsonl ' ]
}

@test "a RERUN that cannot begin, or a plan of it, loses no run; the next profile makes them" {
	unset JUPYTERLAB_URL JUPYTERLAB_TOKEN
	use_case '{"n": [10], "word": ["good"]}'
	run -0 nb profile
	cp "$UC/runs/current/small-n10-wordgood.jsonl" "$BATS_TEST_TMPDIR/first"
	run -0 nb plan RERUN=all
	mkdir -m 777 "$BATS_TEST_TMPDIR/open"
	TMPDIR=$BATS_TEST_TMPDIR/open run -2 nb profile RERUN=all
	has 'labserve: cannot create a temporary folder in'
	run -0 cmp "$UC/runs/current/small-n10-wordgood.jsonl" "$BATS_TEST_TMPDIR/first"
	run -0 nb profile
	run -1 cmp "$UC/runs/current/small-n10-wordgood.jsonl" "$BATS_TEST_TMPDIR/first"
}

# bats test_tags=thorough
@test "earlier results of a run that could not be made do not pass for a success" {
	unset BROWSER JUPYTERLAB_URL JUPYTERLAB_TOKEN
	use_case '{"n": [10, 20], "word": ["good"]}'
	run -0 nb profile WHERE=n=10
	mkdir "$BATS_TEST_TMPDIR/broken"
	printf '#!/bin/sh\necho "no luck"\nexit 1\n' >"$BATS_TEST_TMPDIR/broken/chromedriver"
	chmod +x "$BATS_TEST_TMPDIR/broken/chromedriver"
	sed -i 's/1000)/999)/' "$UC/template.ipynb"
	PATH=$BATS_TEST_TMPDIR/broken:$PATH run -2 nb profile RETRY=0
	has "wdsession: 'chromedriver' ended at once: no luck"
	# The run of the old template stays on disk, and its numbers are no longer reported.
	[ -e "$UC/runs/current/small-n10-wordgood.jsonl" ]
	has '1 stale run is left out: template or parameters (1)'
	has 'verdict: no notebook was profiled; 2 runs could not be made: small-n10-wordgood and 1 more'
	run -0 jq -c '[.verdict, .missing]' "$UC/metrics/current/verdict.json"
	[ "$output" = '["nothing",["small-n10-wordgood","small-n20-wordgood"]]' ]
	run -0 nb profile WHERE=n=20
	has 'verdict: 1 notebook profiled, 3 cells, all completed'
}

# With a browser, too, all ends with make: faults-make.bats.
@test "an interrupt loses the notebook that was running, and nothing else" {
	unset JUPYTERLAB_URL JUPYTERLAB_TOKEN
	use_case '{"n": [10, 60000], "word": ["good"]}'
	sed -i "s|time.sleep(n|if n > 100: open('$BATS_TEST_TMPDIR/began', 'w').close()\\\\n&|" "$UC/template.ipynb"
	TMPDIR=$BATS_TEST_TMPDIR setsid env --default-signal=INT make --no-print-directory -C "$ROOT" USECASE="$UC" profile >"$BATS_TEST_TMPDIR/out" 2>&1 3>&- &
	group=$!
	timeout 100 sh -c "until [ -e '$BATS_TEST_TMPDIR/began' ]; do sleep 0.1; done"
	kill -INT -- -$group
	timeout 10 sh -c "while pgrep -g $group >/dev/null; do sleep 0.1; done"
	wait $group || true
	[ "$(cd "$UC/runs/current" && ls -A | grep -v '^\.')" = small-n10-wordgood.jsonl ] || { ls -A "$UC/runs/current"; false; }
	run ! pgrep -f "$BATS_TEST_TMPDIR/nbscope-[lb]"
	# Nothing temporary is left: why a run was refused, what a run was written in.
	[ -z "$(cd "$UC/runs/current" && ls -A | grep -v -e '^small' -e '^\.digests$' -e '^\.settings$' -e '^\.environment')" ] || { ls -A "$UC/runs/current"; false; }
	grep "^runkeep: '.*/small-n60000-wordgood.jsonl' is not kept: interrupted; the next make profile continues$" "$BATS_TEST_TMPDIR/out"
	# Shorter now: it goes on from there.
	touch "$BATS_TEST_TMPDIR/before"
	echo '{"n": [10, 60], "word": ["good"]}' >"$UC/params.json"
	run -0 nb profile
	[ "$(find "$UC/runs" -name '[!.]*.jsonl' -newer "$BATS_TEST_TMPDIR/before" -printf '%f ')" = 'small-n60-wordgood.jsonl ' ]
}

@test "what cells print is their throughput; another ITEMS makes tables again, and no run" {
	use_case '{"n": [10], "word": ["good"]}'
	python3 "$ROOT/tests/nb.py" "$UC/template.ipynb" <<'EON'
[("code", "n = {n_value}\nword = {word_value}", ["parameters"]),
 ("code", "import sys\nfor i in range(n + 1): sys.stderr.write(f'\\r\\x1b[1m{i}.5 rows/s\\x1b[0m')\nprint('\\n93% rows, 7 files/s')")]
EON
	run -0 nb profile ITEMS='([0-9.]+) rows/s' ITEMS_SHARE='([0-9.]+)% rows'
	[ "${lines[-3]}" = 'items: small-n10-wordgood cell 2: 10.5 rows/s, 93 % rows' ] || has items
	touch "$BATS_TEST_TMPDIR/before"
	run -0 nb metrics ITEMS='([0-9.]+) files/s'
	run -0 jq -c 'select(.cell_index == 2) | [.items_per_s, .items_unit, .items_done_pct]' "$UC/metrics/current/metrics.jsonl"
	[ "$output" = '[7,"files/s",null]' ]
	run -0 nb profile ITEMS='([0-9.]+) bytes/s'
	has 'items: no output matches ITEMS'
	run -0 nb metrics
	run -0 jq -c 'select(.cell_index == 2) | [.items_per_s, .items_reason]' "$UC/metrics/current/metrics.jsonl"
	[ "$output" = '[null,null]' ]
	[ -z "$(find "$UC/runs" -name '[!.]*.jsonl' -newer "$BATS_TEST_TMPDIR/before")" ]
}
