# For the tests that break things: what breaks them, and the line that reports it.

# told(WHAT TIMES LOST LEFT): the line from which `make faults` makes its table.
told() {
	printf '# fault: %s | %s | %s | %s\n' "$@" >&3
}

# Bounded: wait_until SECONDS COMMAND...
wait_until() {
	local end=$((SECONDS + $1))
	shift
	while ! "$@" >/dev/null 2>&1; do
		[ $SECONDS -lt $end ] || { echo "never came true: $*" >&2; return 1; }
		pause 0.02
	done
}

# profile NAME [cellrun's options]: the cells on stdin, the records in NAME.jsonl,
# each after the time of its arrival in NAME.when.  The browser is a new one, or that of use_session.
profile() {
	local name=$1 dir=$BATS_FILE_TMPDIR
	shift
	python3 "$ROOT/tests/nb.py" "$dir/$name.ipynb"
	: >"$dir/$name.when"
	local browser="wdsession ${insecure:+--insecure}"
	# A HOLDER such as netshape has to hold the browser, too.
	[ -z "${WD_SESSION:-}" ] || [ -n "${HOLDER:-}${insecure:-}" ] || browser=
	# bats traces each command of its own shell, which would take longer than to read a line.
	# shellcheck disable=SC2086  # command lines
	${HOLDER:-} $browser cellrun ${insecure:+--insecure} "$@" "$dir/$name.ipynb" 3>&- | bash -c 'while IFS= read -r line; do
		printf "%s %s\n" "$EPOCHREALTIME" "${line:0:300}" >>"$1"
		printf "%s\n" "$line"
	done' - "$dir/$name.when" >"$dir/$name.jsonl"
	return "${PIPESTATUS[0]}"
}

# cells NAME FILTER: jq over the array of its cell records.
cells() {
	jq -s -c "[.[] | select(.type == \"cell\")] | $2" "$BATS_FILE_TMPDIR/$1.jsonl"
}

# painted NAME DELAYS FILTER: jq over an array of [index, delay in s, record, truth], of the cells in
# DELAYS, an object of index and delay, which change something that late. The truth is when the page
# reported on its console, the last time, that it had painted.
painted() {
	jq -s -c --argjson delays "$2" '(map(select(.type == "console" and (.message | startswith("painted"))))) as $painted |
		[.[] | select(.type == "cell" and $delays["\(.cell_index)"]) | . as $c | [.cell_index, $delays["\(.cell_index)"], .,
		($painted | map(select(.cell_index == $c.cell_index).message | ltrimstr("painted ") | tonumber) | max)]] |
		if length == ($delays | length) then . else error("\(length) cells") end | '"$3" "$BATS_FILE_TMPDIR/$1.jsonl"
}

# dated_truly CELLS: the last change of each cell that the function CELLS FILTER gives, as painted() does, is
# within 50 ms of the truth.
dated_truly() {
	run -0 "$1" 'map(select(.[3] == null or (.[3] - .[2].last_visual_change_t | fabs) > 0.05 or .[2].client_ms < .[1] * 1000) |
		[.[0], .[3], .[2].last_visual_change_t, .[2].client_ms])'
	[ "$output" = '[]' ] || has nothing
}

# took NAME INDEX: seconds from the record of that cell's start to that of its end.
took() {
	awk -v i="\"cell_index\":$2," 'index($0, "{\"type\":\"cell_start\"") && index($0, i) {from = $1}
		index($0, "{\"type\":\"cell\",") && index($0, i) {print $1 - from}' "$BATS_FILE_TMPDIR/$1.when"
}

# below NUMBER LIMIT: fails with a message if it is not.
below() {
	awk -v a="$1" -v b="$2" 'BEGIN {exit !(a != "" && a < b)}' && return
	echo "wanted below $2, got: $1" >&2
	return 1
}

# on_server: what nbscope left on the server, one per line.
on_server() {
	rest api/sessions | jq -r '.[].path'
	rest api/kernels | jq -r '.[].id'
	rest api/contents | jq -r '.content[] | select(.name | startswith("nbscope-")) | .name'
}

# left: how much nbscope left: on the server, in TMPDIR, and processes.
left() {
	{
		on_server
		ls "$TMPDIR"
		pgrep -f "$TMPDIR/nbscope-browser" || true
	} | wc -l
}

nothing_left() {
	[ "$(left)" = 0 ]
}

# processes PATTERN: the matching processes whose TMPDIR is in this test's.
browser_processes() {
	pgrep -f -- "$TMPDIR/nbscope-browser.*$1" || true
}

# run_of NAME [VARIABLE=VALUE...]: the cells on stdin, by mk/run/execute-plan.sh as make does it,
# the records in NAME.jsonl.  HOLDER runs it.
run_of() {
	local name=$1
	shift
	mkdir -p "$BATS_FILE_TMPDIR"
	python3 "$ROOT/tests/nb.py" "$BATS_FILE_TMPDIR/$name.ipynb"
	(
		cd "$ROOT" || exit
		export MAX_WAIT_TIME=40 SAMPLE_INTERVAL=50
		[ $# -eq 0 ] || export "$@"
		mkdir -p "$BATS_FILE_TMPDIR/runs"
		ln -sfn .. "$BATS_FILE_TMPDIR/runs/current"
		ln -sfn . "$BATS_FILE_TMPDIR/notebooks"
		printf '%s\n' --max-wait-time="$MAX_WAIT_TIME" sample_interval="$SAMPLE_INTERVAL" environment= >"$BATS_FILE_TMPDIR/.settings"
		printf '{"type":"combination","name":"%s"}\n' "$name" |
			runplan --rerun all "$BATS_FILE_TMPDIR" - >"$BATS_FILE_TMPDIR/$name.plan" || [ $? = 1 ]
		# shellcheck disable=SC2086  # a command line
		exec ${HOLDER:-} mk/run/execute-plan.sh "$BATS_FILE_TMPDIR/$name.plan" 3>&-
	)
}

# A cell that creates MARK and then takes long, but only the first time.
slow_once() {
	echo "[('code', '''import os, time
if not os.path.exists('$MARK'):
    open('$MARK', 'w').write(str(os.getpid()))
    time.sleep(${1:-60})'''), ('code', '2')]"
}

# once_marked COMMAND...: runs it in the background when that cell runs.
once_marked() {
	{ wait_until 120 test -e "$MARK" && "$@"; } 3>&- 4>&- &
	breaker=$!
}

browser_pid() {
	pgrep -f -- "--user-data-dir=$TMPDIR/nbscope-browser" | while read -r pid; do
		tr '\0' '\n' </proc/"$pid"/cmdline 2>/dev/null | grep -q '^--type=' || echo "$pid"
	done | head -1
}

kill_browser() { kill -9 "$(browser_pid)"; }
kill_renderers() { pkill -9 -f -- "--type=renderer.*--user-data-dir=$TMPDIR/nbscope-browser"; }
kill_driver() { kill "${1:--9}" "$(awk '{print $4}' /proc/"$(browser_pid)"/stat)"; }
own_server() { pgrep -f "serve.py own $TMPDIR/nbscope-lab"; }
kill_server() { kill "${1:--9}" "$(own_server)"; }

# tried_twice NAME: a complete run whose record says that it is the second attempt.
tried_twice() {
	run -0 jq -s -r '.[] | select(.type == "fault").message' "$BATS_FILE_TMPDIR/$1.jsonl"
	[[ $output =~ ^"attempt 1: the run ended as "(browser_died|server_lost)": " || $output = 'attempt 1: the input ended without a run_end' ]] || has 'how the first attempt ended'
	run -0 jq -s -c '[.[0].attempt, (map(select(.type == "fault").what)), (map(select(.type == "cell").status)), .[-1].status]' "$BATS_FILE_TMPDIR/$1.jsonl"
	has '[2,["tried_again"],["completed","completed"],"completed"]'
}

# most_memory FILE PROGRAM...: wrappers in PATH that add each one's peak, in kB, to FILE.
# (An upper bound: it includes the 12 MB of Python before the exec.)
most_memory() {
	local file=$1 dir=$BATS_TEST_TMPDIR/bin name
	shift
	mkdir -p "$dir"
	for name; do
		cat >"$dir/$name" <<EOP
#!/usr/bin/python3
import os, resource, signal, sys
pid = os.posix_spawn("$ROOT/build/bin/$name", ["$name"] + sys.argv[1:], os.environ)
for s in (signal.SIGINT, signal.SIGTERM):
    signal.signal(s, lambda n, f: os.kill(pid, n))
status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
with open("$file", "a") as f:
    print("$name", resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=f)
sys.exit(status if status >= 0 else 128 - status)
EOP
		chmod +x "$dir/$name"
	done
	export PATH=$dir:$PATH
}
