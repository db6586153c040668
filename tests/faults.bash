# For the tests that break things: what breaks them, and the line that tells of it.

# told WHAT TIMES LOST LEFT: the line that `make faults` makes its table of.
told() {
	printf '# fault: %s | %s | %s | %s\n' "$@" >&3
}

# only_all: the test takes too long for every run of `make test`.
only_all() {
	[ "${FAULTS:-}" = all ] || skip 'FAULTS=all runs it'
}

# Bounded: wait_until SECONDS COMMAND...
wait_until() {
	local end=$((SECONDS + $1))
	shift
	while ! "$@" >/dev/null 2>&1; do
		[ $SECONDS -lt $end ] || { echo "never came true: $*" >&2; return 1; }
		read -r -t 0.02 <> <(:) || true
	done
}

# profile NAME [cellrun's options]: the cells on stdin, the records in NAME.jsonl,
# each behind the moment when it came in NAME.when.  FILTER reads them on the way.
profile() {
	local name=$1 dir=$BATS_FILE_TMPDIR
	shift
	python3 "$ROOT/tests/nb.py" "$dir/$name.ipynb"
	: >"$dir/$name.when"
	${HOLDER:-} wdsession cellrun "$@" "$dir/$name.ipynb" 3>&- | while IFS= read -r line; do
		printf '%s %s\n' "$EPOCHREALTIME" "${line:0:300}" >>"$dir/$name.when"
		printf '%s\n' "$line"
	done >"$dir/$name.jsonl"
	return "${PIPESTATUS[0]}"
}

# cells NAME FILTER: jq over the array of its cell records.
cells() {
	jq -s -c "[.[] | select(.type == \"cell\")] | $2" "$BATS_FILE_TMPDIR/$1.jsonl"
}

# took NAME INDEX: seconds from when that cell's start was told until its end was.
took() {
	awk -v i="\"cell_index\":$2," 'index($0, "{\"type\":\"cell_start\"") && index($0, i) {from = $1}
		index($0, "{\"type\":\"cell\",") && index($0, i) {print $1 - from}' "$BATS_FILE_TMPDIR/$1.when"
}

# below NUMBER LIMIT, with a word about it where not.
below() {
	awk -v a="$1" -v b="$2" 'BEGIN {exit !(a != "" && a < b)}' && return
	echo "wanted below $2, got: $1" >&2
	return 1
}

# on_server: what of ours is still on the server, in lines.
on_server() {
	rest api/sessions | jq -r '.[].path'
	rest api/kernels | jq -r '.[].id'
	rest api/contents | jq -r '.content[] | select(.name | startswith("nbscope-")) | .name'
}

# left: how much of ours is left: on the server, in TMPDIR, running.
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

# processes PATTERN: the processes below this test's TMPDIR that it matches.
browser_processes() {
	pgrep -f -- "$TMPDIR/nbscope-browser.*$1" || true
}
