# bats file_tags=quick
load helpers

setup() {
	runs=$ROOT/tests/data/runs.jsonl
	cd "$BATS_TEST_TMPDIR" || return
	unset NBSCOPE_NOTEBOOK NBSCOPE_NOTEBOOKS NBSCOPE_STARTED
}

# on_terminal COMMAND: it runs under sh with a terminal on stderr; what the
# terminal got is the output, its drawings apart by lines.
on_terminal() {
	run python3 - "$1" <<-'P'
	import os, pty, subprocess, sys, fcntl, struct, termios
	master, slave = pty.openpty()
	fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, int(os.environ.get("WIDE", "80")), 0, 0))
	p = subprocess.Popen(["sh", "-c", sys.argv[1]], stderr=slave, env={**os.environ, "TERM": "xterm"})
	os.close(slave)
	seen = b""
	try:
	    while data := os.read(master, 65536):
	        seen += data
	except OSError:
	    pass
	for drawing in seen.decode().replace("\r\n", "\n").split("\r"):
	    if drawing:
	        print(drawing.replace("\x1b[K", "|"))
	sys.exit(p.wait())
	P
}

@test "the stream passes byte for byte" {
	{ cat "$runs"; printf '{ "type":"note" , "x": 1.50}\n{"type":"note"}'; } >in
	runbar <in 2>/dev/null >out
	cmp in out
}

@test "without a terminal there is a plain line for each notebook, when it has ended" {
	run --separate-stderr runbar <"$runs"
	status_is 0
	[ "$stderr" = 'n=1 throttling=-1 mode=png limits=[0,1] smooth=true: completed, 4 of 4 cells run in 15 s
n=2 throttling=-1 mode=webp limits=[0,0.5] smooth=true: failed, 3 of 4 cells run in 13 s' ]
}

@test "each line begins with the notebook's number, by option or environment" {
	run --separate-stderr runbar --notebook 3 --notebooks 240 <"$runs"
	[ "${stderr_lines[0]}" = '[3/240] n=1 throttling=-1 mode=png limits=[0,1] smooth=true: completed, 4 of 4 cells run in 15 s' ]
	run --separate-stderr runbar --label --notebook 5 --notebooks 16 < <(sed 's/"label":"[^"]*"/"label":"pr"/' "$runs")
	[ "${stderr_lines[0]}" = '[5/16] pr: n=1 throttling=-1 mode=png limits=[0,1] smooth=true: completed, 4 of 4 cells run in 15 s' ]
	NBSCOPE_NOTEBOOK=5 NBSCOPE_NOTEBOOKS=9 run --separate-stderr runbar <"$runs"
	[ "${stderr_lines[0]}" = '[5/9] n=1 throttling=-1 mode=png limits=[0,1] smooth=true: completed, 4 of 4 cells run in 15 s' ]
	NBSCOPE_NOTEBOOK=5 NBSCOPE_NOTEBOOKS=9 run --separate-stderr runbar --notebook 6 <"$runs"
	[ "${stderr_lines[0]}" = '[6/9] n=1 throttling=-1 mode=png limits=[0,1] smooth=true: completed, 4 of 4 cells run in 15 s' ]
	run --separate-stderr runbar --notebook 7 <"$runs"
	[ "${stderr_lines[0]}" = '[7] n=1 throttling=-1 mode=png limits=[0,1] smooth=true: completed, 4 of 4 cells run in 15 s' ]
	NBSCOPE_NOTEBOOKS=many run --separate-stderr runbar <"$runs"
	status_is 2
	[ "$stderr" = "runbar: NBSCOPE_NOTEBOOKS must be a number from 0 to 1e+09, not 'many'" ]
}

@test "on a terminal one line is redrawn, and that of a finished notebook remains" {
	NO_COLOR=1 RUNS=$runs on_terminal 'runbar --notebook 1 --notebooks 2 <"$RUNS" >out'
	status_is 0
	cmp out "$runs"
	has '[1/2] n=1 throttling=-1 mode=png limits=[0,1] smooth=true  cell 0/4  0 s'
	has '[1/2] n=1 thr=-1 mod=png lim=[0,1] smo=true  cell 2/4  0 s'
	has '|[1/2] n=1 throttling=-1 mode=png limits=[0,1] smooth=true: completed, 4 of 4 cells run in 15 s'
	has '|[1/2] n=2 throttling=-1 mode=webp limits=[0,0.5] smooth=true: failed, 3 of 4 cells run in 13 s'
	[ "$(grep -c 'n=1 .* cells run in' <<<"$output")" = 1 ]
}

@test "the seconds advance during a long cell" {
	mkfifo in
	{ head -2 "$runs"; read -r -t 2.5 <> <(:) || true; } >in &
	on_terminal 'runbar <in >/dev/null'
	has 'n=1 throttling=-1 mode=png limits=[0,1] smooth=true  cell 1/4  1 s|'
	has 'n=1 throttling=-1 mode=png limits=[0,1] smooth=true  cell 1/4  2 s|'
}

@test "the time left is estimated from the cells and notebooks so far" {
	mkfifo in
	{ head -3 "$runs"; read -r -t 1.5 <> <(:) || true; } >in &
	STARTED=$(($(date +%s) - 90)) on_terminal 'runbar --notebook 2 --notebooks 2 --started $STARTED <in >/dev/null'
	[[ "$output" =~ cell\ 1/4\ \ 1\ s,\ about\ [345]\ s\ left\;\ all:\ 5[3-7]\ s\ left ]] || { echo "$output"; return 1; }
}

@test "before a notebook has ended, the time left for all is the planned one; none is known without" {
	mkfifo in
	{ head -5 "$runs"; read -r -t 1.5 <> <(:) || true; } >in &
	STARTED=$(($(date +%s) - 90)) on_terminal 'NBSCOPE_PLANNED_S=116 runbar --notebook 1 --notebooks 4 --started $STARTED <in >/dev/null'
	# Half of the cells of the first of four.
	[[ "$output" == *'; all: 1 min 42 s left'* ]] || { echo "$output"; return 1; }
	{ head -5 "$runs"; read -r -t 1.5 <> <(:) || true; } >in &
	STARTED=$(($(date +%s) - 90)) on_terminal 'runbar --notebook 1 --notebooks 4 --started $STARTED <in >/dev/null'
	has ' left'
	[[ "$output" != *'all:'* ]]
	# It counts as much as one that has ended.
	{ head -3 "$runs"; read -r -t 1.5 <> <(:) || true; } >in &
	STARTED=$(($(date +%s) - 90)) on_terminal 'runbar --planned 1000 --notebook 2 --notebooks 2 --started $STARTED <in >/dev/null'
	[[ "$output" =~ all:\ 3\ min\ 3[4-7]\ s\ left ]] || { echo "$output"; return 1; }
}

@test "a line never wraps, however narrow the terminal and long the name" {
	sed "s/\"png\"/\"$(printf 'é%.0s' {1..200})\"/" "$runs" >long
	WIDE=60 on_terminal 'runbar <long >/dev/null'
	has 'é...  cell 2/4'
	has 'n=1 thr=-1 mod=é'
	while IFS= read -r line; do
		line=${line%|}
		[[ "$line" == *"cells run in"* ]] || [ "${#line}" -lt 60 ] || { echo "$line"; return 1; }
	done <<<"$output"
}

@test "a dumb terminal gets plain lines" {
	RUNS=$runs on_terminal 'TERM=dumb runbar <"$RUNS" >/dev/null'
	has 'n=1 throttling=-1 mode=png limits=[0,1] smooth=true: completed, 4 of 4 cells run in 15 s'
	[[ "$output" != *'|'* ]]
}

@test "a name cannot control the terminal" {
	run --separate-stderr runbar < <(sed '/"type":"run"/s/"params":{[^}]*}/"params":{"a":"\\u001b[2J\\u0007\\nb\\u202ec"}/' "$runs")
	[ "${stderr_lines[0]}" = 'a=?[2J? b?c: completed, 4 of 4 cells run in 15 s' ]
}

@test "--quiet shows nothing" {
	run --separate-stderr runbar --quiet <"$runs"
	[ -z "$stderr" ]
	[ "$output" = "$(cat "$runs")" ]
}

@test "a record passes as soon as it comes" {
	mkfifo in
	runbar -q <in >out &
	exec 7>in
	head -1 "$runs" >&7
	for _ in {1..200}; do
		[ -s out ] && break
		read -r -t 0.01 <> <(:) || true
	done
	cmp out <(head -1 "$runs")
	exec 7>&-
	wait
}

@test "an interrupt does not stop the stream" {
	mkfifo in
	runbar -q <in >out &
	pid=$!
	exec 7>in
	head -1 "$runs" >&7
	kill -INT $pid
	sed 1d "$runs" >&7
	exec 7>&-
	wait $pid
	cmp out "$runs"
}

@test "records without a run, and of other types, pass and show nothing" {
	run --separate-stderr runbar < <(sed 1d "$runs" | head -3; echo '{"type":"cell"}')
	status_is 0
	[ -z "$stderr" ]
	[ "${#lines[@]}" = 4 ]
}

@test "empty input is not an error" {
	run runbar </dev/null
	status_is 0
	[ -z "$output" ]
}

@test "lines that are not records are refused with line and column" {
	for bad in x '[]' '{"type":"a","b":1,"b":2}' '{"type":"a","b":NaN}' $'{"type":"\xff"}' ''; do
		run --separate-stderr runbar -q < <(echo '{"type":"note"}'; echo "$bad")
		status_is 3
		[[ "$stderr" =~ ^runbar:\ stdin:2:[0-9]+:\  ]] || { echo "for $bad: $stderr"; return 1; }
		[ "$output" = '{"type":"note"}' ]
	done
}

@test "a line of 100 MB is refused in little memory" {
	run bash -c "$ULIMIT 200000; (printf '{\"type\":\"x\",\"a\":\"'; head -c 100000000 /dev/zero | tr '\\0' a; echo '\"}') | runbar"
	status_is 3
	has 'runbar: stdin:1:1: line longer than 16777216 bytes'
}

@test "a full disk is an error, and a reader that leaves ends it silently" {
	run bash -c 'runbar -q <"$1" >/dev/full' - "$runs"
	status_is 4
	[ "$output" = 'runbar: cannot write to standard output: No space left on device' ]
	run bash -c 'yes "{\"type\":\"note\"}" | runbar -q | head -1; exit "${PIPESTATUS[1]}"'
	# By the signal, or because it looked first.
	[[ "$status" =~ ^(4|141)$ ]] || has 'status 4 or 141'
	[ "$output" = '{"type":"note"}' ]
}

@test "on a terminal the status of a notebook that failed has a style" {
	NO_COLOR='' RUNS=$runs on_terminal 'runbar <"$RUNS" >/dev/null'
	has $': \e[1;31mfailed\e[0m, 3 of 4'
	has ': completed, 4 of 4'
	NO_COLOR=1 RUNS=$runs on_terminal 'runbar <"$RUNS" >/dev/null'
	has ': failed, 3 of 4'
}
