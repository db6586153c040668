# bats file_tags=quick,long
# Fuzzing, in short; `make fuzz` does it for longer. What it once found is in
# tests/fuzz/corpus, which is read first each time.
load helpers

# bats test_tags=thorough
@test "a quarter of a minute of malformed input makes no reader and no filter fail" {
	[ -z "${NBSCOPE_BUILD:-}" ] || skip "it has sanitizers of its own"
	make -C "$ROOT" --no-print-directory fuzz-tools || skip "no clang with libFuzzer here, and it cannot be installed"
	run make -C "$ROOT" -j2 --no-print-directory fuzz-short
	echo "$output"
	status_is 0
}
