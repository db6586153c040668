# bats file_tags=quick
# How a run is read: nbscope-records(7). Every program that reads runs must agree.
load helpers

compare() { python3 "$ROOT/tests/runreader.py" "$@"; }

# with_filter PROGRAM SED: the program reads its input through the sed script.
with_filter() {
	mkdir -p "$BATS_TEST_TMPDIR/bin"
	printf '#!/bin/sh\nsed %s | exec %s "$@"\n' "'$2'" "'$BIN/$1'" >"$BATS_TEST_TMPDIR/bin/$1"
	chmod +x "$BATS_TEST_TMPDIR/bin/$1"
	PATH=$BATS_TEST_TMPDIR/bin:$PATH
}

@test "every program assigns the same samples to the same cells: the tests' runs" {
	run -0 compare "$ROOT"/tests/data/*.jsonl "$ROOT"/tests/*.bats
	[[ "$output" =~ ^([0-9]+)\ runs,\ ([0-9]+)\ cells ]]
	[ "${BASH_REMATCH[1]}" -ge 10 ]
	[ "${BASH_REMATCH[2]}" -ge 30 ]
}

@test "every program assigns the same samples to the same cells: runs in this tree" {
	shopt -s nullglob
	run -0 compare "$ROOT"/usecases/*/runs/*/*.jsonl
}

@test "every program assigns the same samples to the same cells: random runs" {
	run -0 compare --random 60
	has '60 runs'
}

@test "a program with another rule is found out: any offset of the clocks" {
	with_filter runexport 's/"clock_bound_ms":[^,}]*/"clock_bound_ms":0/'
	run -1 compare --random 60
	has 'runexport: the sample at'
}

@test "a program with another rule is found out: no turn of a queued cell" {
	with_filter cellmetrics 's/"queued"/"other"/'
	run -1 compare --random 60
	has 'cellmetrics: cell'
}

@test "a program with another rule is found out: no end of a truncated cell" {
	with_filter cellgraph 's/"truncated"/"other"/'
	run -1 compare --random 60
	has 'cellgraph: cell'
}

@test "a program with another rule is found out: every kernel is elsewhere" {
	with_filter runtrace 's/"role":"kernel","pid":7}/"role":"kernel","pid":null}/'
	run -1 compare --random 60
	has 'runtrace: cell'
}

@test "a program with another rule is found out: no cell without a press" {
	with_filter runhistory 's/"sent_t":[^,}]*/"sent_t":null/'
	run -1 compare --random 60
	has 'runhistory: cell'
}
