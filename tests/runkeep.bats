# bats file_tags=quick
load helpers

setup() {
	runs=$ROOT/tests/data/runs.jsonl
	cd "$BATS_TEST_TMPDIR" || return
	sed '/run_end/q' "$runs" >one
}

# nothing_left: there is no temporary file.
nothing_left() { [ -z "$(find . -name '*.tmp')" ]; }

# until_open PID: waits, two seconds at most, until it has opened the file to keep.
until_open() {
	for _ in {1..200}; do
		find "/proc/$1/fd" -lname "$PWD/*" -printf '%l\n' | grep -q 'deleted)$\|\.tmp$' && return
		read -r -t 0.01 <> <(:) || true
	done
	return 1
}

@test "the stream passes, and the file is identical" {
	run runkeep kept <one
	status_is 0
	cmp kept one
	cmp <(runkeep kept <one) one
}

@test "a file gets its name only after the run's end" {
	mkfifo in
	runkeep kept <in >out &
	pid=$!
	exec 7>in
	head -3 one >&7
	until_open $pid
	[ ! -e kept ]
	sed 1,3d one >&7
	exec 7>&-
	wait $pid
	cmp kept one
	nothing_left
}

@test "a record is passed on when it arrives, not when the run ends" {
	mkfifo in
	runkeep kept <in >out &
	exec 7>in
	head -1 one >&7
	for _ in {1..200}; do
		[ -s out ] && break
		read -r -t 0.01 <> <(:) || true
	done
	cmp out <(head -1 one)
	exec 7>&-
	wait
}

@test "a run without its end is not kept, with a message" {
	run --separate-stderr runkeep kept < <(head -5 one)
	status_is 1
	[ "$stderr" = "runkeep: 'kept' is not kept: the input ended without a run_end" ]
	[ "$output" = "$(head -5 one)" ]
	[ ! -e kept ]
	nothing_left
}

# interrupted [OPTION...]: a runkeep whose run is interrupted.
interrupted() {
	local pid status=0
	rm -f in out
	mkfifo in
	env --default-signal=INT runkeep "$@" kept <in >out 2>err &
	pid=$!	# wait_for() starts others
	exec 7>in
	head -1 one >&7
	wait_for test -s out
	kill -INT "$pid"
	head -5 one | tail -4 >&7
	exec 7>&-
	wait "$pid" || status=$?
	[ "$status" = 1 ]
}

@test "a run that an interrupt ended is called interrupted, and the next make profile continues" {
	interrupted
	[ "$(cat err)" = "runkeep: 'kept' is not kept: interrupted; the next make profile continues" ]
	[ "$(wc -l <out)" = 5 ]
	[ ! -e kept ]
	interrupted --target explain
	[ "$(cat err)" = "runkeep: 'kept' is not kept: interrupted; the next make explain continues" ]
}

@test "an earlier run stays if the new one is not kept" {
	echo old >kept
	run runkeep kept < <(head -5 one)
	status_is 1
	[ "$(cat kept)" = old ]
	run runkeep kept <one
	status_is 0
	cmp kept one
}

@test "a second run in the stream must end as well" {
	run runkeep kept < <(cat one; head -3 one)
	status_is 1
	[ ! -e kept ]
	run runkeep kept < <(cat one one)
	status_is 0
	cmp kept <(cat one one)
}

@test "a run with a status that is refused is not kept" {
	sed 's/\("type":"run_end".*\)"completed"/\1"server_lost"/' one >lost
	run --separate-stderr runkeep --refuse=browser_died,server_lost kept <lost
	status_is 1
	[ "$stderr" = "runkeep: 'kept' is not kept: the run ended as server_lost" ]
	[ ! -e kept ]
	sed -i 's/\("type":"run_end".*"reason":\)null/\1"cell 2 server_lost"/' lost
	run -1 runkeep --refuse=server_lost --why why kept <lost
	[ "$(cat why)" = 'the run ended as server_lost: cell 2 server_lost' ]
	[ ! -e kept ]
	head -1 one | runkeep --why why kept || true
	[ "$(cat why)" = 'the input ended without a run_end' ]
	# If the folder is gone, nobody will read the reason.
	run -1 runkeep --why gone/why kept < <(head -1 one)
	has 'is not kept: the input ended without a run_end'
	[ ! -e gone ]
	run -4 runkeep --why "$PWD" kept < <(head -1 one)
	has 'cannot write'
	for other in 'browser_died,lost,' server server_lost_ ''; do
		run runkeep --refuse="$other" kept <lost
		status_is 0
	done
}

@test "missing folders are created" {
	run runkeep runs/current/kept.jsonl <one
	status_is 0
	cmp runs/current/kept.jsonl one
}

@test "a file that cannot be created is reported before anything is read" {
	mkdir dir
	run --separate-stderr runkeep dir <one
	status_is 4
	[ -z "$output" ]
	[ "$stderr" = "runkeep: cannot write 'dir': Is a directory" ]
	run runkeep one/x <one
	status_is 4
	has "runkeep: cannot make the folder 'one': Not a directory"
}

@test "a link with the file's name is replaced, not followed" {
	echo mine >precious
	ln -s precious kept
	run runkeep kept <one
	status_is 0
	[ "$(cat precious)" = mine ]
	cmp kept one
}

@test "after a signal nothing is left" {
	for sig in TERM HUP; do
		rm -f in
		mkfifo in
		runkeep kept <in >/dev/null 2>&1 &
		pid=$!
		exec 7>in
		head -3 one >&7
		until_open $pid
		kill -$sig $pid
		run wait $pid
		exec 7>&-
		[ ! -e kept ]
		nothing_left
	done
}

@test "after SIGKILL nothing is left, and an earlier run is unchanged" {
	mkfifo in
	echo old >kept
	runkeep kept <in >/dev/null 2>&1 &
	pid=$!
	exec 7>in
	head -3 one >&7
	until_open $pid
	kill -KILL $pid
	run wait $pid
	exec 7>&-
	[ "$(cat kept)" = old ]
	nothing_left
}

@test "an interrupt is ignored: the records that follow are kept" {
	mkfifo in
	runkeep kept <in >/dev/null &
	pid=$!
	exec 7>in
	head -3 one >&7
	until_open $pid
	kill -INT $pid
	sed 1,3d one >&7
	exec 7>&-
	wait $pid
	cmp kept one
}

@test "the run is kept if the reader has gone or the output's disk is full" {
	run bash -c '(cat one; for i in {1..5000}; do echo "{\"type\":\"note\",\"i\":$i}"; done) | runkeep kept | head -1 >/dev/null; exit "${PIPESTATUS[1]}"'
	status_is 4
	[ -z "$output" ]
	[ "$(wc -l <kept)" = $(($(wc -l <one) + 5000)) ]
	run bash -c 'runkeep full <one >/dev/full'
	status_is 4
	[ "$output" = 'runkeep: cannot write to standard output: No space left on device' ]
	cmp full one
}

@test "a full disk under the file is an error, and nothing is left" {
	run bash -c 'ulimit -f 1; runkeep kept <one >/dev/null'
	status_is 4
	has "runkeep: cannot write 'kept': File too large"
	[ ! -e kept ]
	nothing_left
}

@test "a line that is not a record is reported with line and column, and nothing is left" {
	for bad in x '[]' '{"type":"a","b":1,"b":2}' '{"type":"a","b":NaN}' $'{"type":"\xff"}' ''; do
		run --separate-stderr runkeep kept < <(head -2 one; echo "$bad"; sed 1,2d one)
		status_is 3
		[[ "$stderr" =~ ^runkeep:\ stdin:3:[0-9]+:\  ]] || { echo "for $bad: $stderr"; return 1; }
		[ ! -e kept ]
		nothing_left
	done
}

@test "a line of 100 MB is refused, and nothing is left" {
	run bash -c "(printf '{\"type\":\"x\",\"a\":\"'; head -c 100000000 /dev/zero | tr '\\0' a; echo '\"}') | runkeep kept"
	status_is 3
	has 'runkeep: stdin:1:1: line longer than 16777216 bytes'
	[ ! -e kept ]
	nothing_left
}

@test "a last line without a newline gets one" {
	run runkeep kept < <(printf %s "$(cat one)")
	status_is 0
	cmp kept one
}

@test "empty input keeps nothing" {
	run runkeep kept </dev/null
	status_is 1
	[ ! -e kept ]
}

@test "exactly one file is required" {
	run runkeep
	status_is 2
	has 'runkeep: exactly one FILE is required'
	run runkeep a b
	status_is 2
}
