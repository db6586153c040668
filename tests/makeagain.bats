# bats file_tags=untimed,long
# The makefile: what failed or was interrupted, and what of it runs again.
load helpers
load make

setup() {
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
	use_case '{"n": [10], "word": ["good"]}'
	run -0 nb profile
	cp "$UC/runs/current/small-n10-wordgood.jsonl" "$BATS_TEST_TMPDIR/first"
	run -0 nb plan RERUN=all
	TMPDIR=/nonexistent run -2 nb profile RERUN=all
	has "labserve: cannot make a folder '/nonexistent/"
	run -0 cmp "$UC/runs/current/small-n10-wordgood.jsonl" "$BATS_TEST_TMPDIR/first"
	run -0 nb profile
	run -1 cmp "$UC/runs/current/small-n10-wordgood.jsonl" "$BATS_TEST_TMPDIR/first"
}

# bats test_tags=thorough
@test "earlier results of a run that could not be made do not pass for a success" {
	unset BROWSER
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

@test "an interrupt loses the notebook that was running, and nothing else" {
	unset BROWSER
	use_case '{"n": [10, 60000], "word": ["good"]}'
	sed -i "s|time.sleep(n|if n > 100: open('$BATS_TEST_TMPDIR/began', 'w').close()\\\\n&|" "$UC/template.ipynb"
	TMPDIR=$BATS_TEST_TMPDIR setsid env --default-signal=INT make --no-print-directory -C "$ROOT" USECASE="$UC" profile >"$BATS_TEST_TMPDIR/out" 2>&1 3>&- &
	group=$!
	timeout 100 sh -c "until [ -e '$BATS_TEST_TMPDIR/began' ]; do sleep 0.02; done"
	kill -INT -- -$group
	timeout 10 sh -c "while pgrep -g $group >/dev/null; do sleep 0.02; done"
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
