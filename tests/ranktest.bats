# bats file_tags=quick
load helpers

# The statistics of metriccmp against scipy's (tests/ranks.py makes tests/data/ranks.jsonl).
setup_file() {
	# shellcheck disable=SC2086  # options
	"${CC:-gcc}" -std=c11 -O2 ${CFLAGS-} -D_GNU_SOURCE -I"$ROOT/tools/lib" -o "$BATS_FILE_TMPDIR/ranks" "$ROOT/tests/ranks.c" \
		"$LIB" -ljansson -lm
}

@test "U and its p, the shift and its interval equal those of scipy to nine digits" {
	run "$BATS_FILE_TMPDIR/ranks" <"$ROOT/tests/data/ranks.jsonl"
	status_is 0
	[ "${lines[-1]}" = '202 right, 0 wrong' ]
}

# right NOISE RUNS CELLS TOTALS [SLOWDOWN]: how often simulated comparisons are right (tests/power.c).
right() {
	[ -x "$BATS_FILE_TMPDIR/power" ] || "${CC:-gcc}" -std=c11 -O2 ${CFLAGS-} -D_GNU_SOURCE -I"$ROOT/tools/lib" \
		-o "$BATS_FILE_TMPDIR/power" "$ROOT/tests/power.c" "$LIB" -ljansson -lm
	run "$BATS_FILE_TMPDIR/power" 1 500 "$@"
	status_is 0
	echo "$*: $output"
}

@test "changes as large as the smallest that is said to be detectable are found in at least 75 of 100 comparisons" {
	for how in '0.15 5 1 1' '0.15 5 4 1' '0.15 10 4 4' '0.03 20 1 1' '0.03 20 4 4'; do
		# shellcheck disable=SC2086  # words
		right $how
		jq -e '.without_effect == 0 and .found >= 0.75 and .false <= 0.05' <<<"$output"
	done
	# At 3 % noise and 20 runs the floor decides: 5 %.
	jq -e '.effect > 0.05' <<<"$output"
}

@test "without a change at most one comparison in 20 has a false alarm, and a notebook that changed does not either" {
	for how in '0.15 5 4 1 0' '0.15 10 4 4 0' '0.3 12 8 1 0' '0.15 8 4 4 1'; do
		# shellcheck disable=SC2086  # words
		right $how
		jq -e '.false <= 0.05' <<<"$output"
	done
}

@test "one changed cell among sixteen tests is found with five runs of each label" {
	right 0.03 5 4 4 0.5
	jq -e '.found >= 0.95 and .total_found >= 0.95 and .false <= 0.05' <<<"$output"
}
