# bats file_tags=quick
load helpers

# The statistics of metriccmp against scipy's (tests/ranks.py makes tests/data/ranks.jsonl).
setup_file() {
	# shellcheck disable=SC2086  # options
	"${CC:-gcc}" -std=c11 -O2 ${CFLAGS-} -D_GNU_SOURCE -I"$ROOT/tools/lib" -o "$BATS_FILE_TMPDIR/ranks" "$ROOT/tests/ranks.c" \
		"$LIB" -ljansson -lm
}

@test "U and its p, the shift and its interval, the Kolmogorov-Smirnov distance and its p equal those of scipy to nine digits" {
	run "$BATS_FILE_TMPDIR/ranks" <"$ROOT/tests/data/ranks.jsonl"
	status_is 0
	[ "${lines[-1]}" = '242 right, 0 wrong' ]
}
