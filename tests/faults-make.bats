# bats file_tags=untimed,long
# What is left when one of the programs, make or a shell of mk/ is killed; full disks,
# links and two makes at once.  Servers, browsers and kernels are real.  ALL=1 kills
# each by each signal; else a few.
load helpers
load faults
load oneserver	# for what needs no server of its own: see skipping

setup() {
	export UC=$BATS_TEST_TMPDIR/small T=$BATS_TEST_TMPDIR/tmp
	mkdir -p "$UC" "$T"
}

# What a test that failed has left is not the next one's trouble.
teardown() {
	local pid
	for pid in $(ours); do
		kill -KILL "$pid" 2>/dev/null || true
	done
}

# use_case SOURCE [PARAMS [MORE]]: a notebook of one cell for each value of n.
use_case() {
	python3 "$ROOT/tests/nb.py" "$UC/template.ipynb" <<-EON
		[("code", """n = {n_value}
		${3:-}""", ["parameters"]), ("code", """open('$BATS_TEST_TMPDIR/began', 'w').close()
		$1""")]
	EON
	echo "${2:-{\"n\": [1]\}}" >"$UC/params.json"
}

nb() {
	TMPDIR=$T make --no-print-directory -C "$ROOT" USECASE="$UC" "$@"
}

# ours: the processes that have this test's TMPDIR, or a folder in it.
ours() {
	grep -lzs "^TMPDIR=$T" /proc/[0-9]*/environ | cut -d/ -f3
	pgrep -f "$T/nbscope-" || true
}

# half_files: what should not be in the use case's folder.
half_files() {
	find "$UC" \( -name '*.tmp' -o -name '.scratch*' -o -name '.count' \) 2>/dev/null
}

all_gone() {
	[ -z "$(ours)$(ls -A "$T")$(half_files)" ]
}

show_left() {
	ps -o pid,ppid,pgid,etimes,stat,args -p "$(ours | paste -sd,)" || true
	ls -A "$T"
	half_files
}

# gone_in SECONDS: nothing is left by then; how long it took, in ms, in $took.
gone_in() {
	local start=${EPOCHREALTIME/./}
	# It counts whole seconds.
	wait_until $(($1 + 1)) all_gone || { show_left; return 1; }
	took=$(((${EPOCHREALTIME/./} - start) / 1000))
	[ "$took" -le $(($1 * 1000)) ] || { echo "all was gone after $took ms"; return 1; }
}

# pid_of NAME: the eldest of ours that is called so.
pid_of() {
	if [ "$1" = make ]; then
		echo "$leader"
	else
		local pid name
		for pid in $(ours | sort -n); do
			read -r name <"/proc/$pid/comm" 2>/dev/null || continue
			[ "$name" != "${1:0:15}" ] || { echo "$pid"; return; }
		done
	fi
}

# profile_long MAKE_ARGS...: make profile in a session of its own, until its cell runs.
profile_long() {
	rm -f "$BATS_TEST_TMPDIR/out" "$BATS_TEST_TMPDIR/began"
	TMPDIR=$T setsid env --default-signal=INT,HUP,TERM make --no-print-directory -C "$ROOT" USECASE="$UC" RETRY=0 "$@" profile \
		>"$BATS_TEST_TMPDIR/out" 2>&1 3>&- &
	leader=$!
	wait_until 100 test -e "$BATS_TEST_TMPDIR/began" || { cat "$BATS_TEST_TMPDIR/out"; return 1; }
}

# strike SIGNAL NAME: one program of a run under way gets it; 5 s later nothing is left.
strike() {
	local pid
	profile_long
	pid=$(pid_of "$2")
	[ -n "$pid" ] || { echo "no $2"; show_left; return 1; }
	kill "-$1" "$pid"
	gone_in 5 || { echo "left after SIG$1 to $2"; cat "$BATS_TEST_TMPDIR/out"; return 1; }
	wait "$leader" || true
	# A browser that is lost is a result of the run.
	[ "$2" = chromedriver ] || [ -z "$(find "$UC/runs/current" -name '*.jsonl' ! -name '.*' 2>/dev/null)" ] || { ls "$UC/runs/current"; return 1; }
	echo "# SIG$1 to $2: nothing left after $took ms" >&3
}

goes_on() {
	use_case 'n + 1'
	run -0 nb profile
	has 'all completed'
}

everyone='make runlock labserve runexec wdsession cellrun procsample runbar runkeep chromedriver'

# strike_all SIGNAL NAMES...
strike_all() {
	local sig=$1 name n=0
	shift
	use_case 'import time; time.sleep(600)'
	for name; do
		strike "$sig" "$name"
		n=$((n + 1))
	done
	told "SIG$sig to each of $*" $n 'the notebook that ran' nothing
	goes_on
}

@test "SIGKILL of make leaves nothing 5 s later, and the next make goes on" {
	use_case 'import time; time.sleep(600)'
	strike KILL make
	goes_on
}

# bats test_tags=thorough
@test "SIGTERM to make alone leaves nothing 5 s later" {
	use_case 'import time; time.sleep(600)'
	strike TERM make
}

# bats test_tags=thorough
@test "SIGKILL of any one program leaves nothing 5 s later" {
	# shellcheck disable=SC2086  # words
	strike_all KILL $everyone
}

# bats test_tags=thorough
@test "SIGTERM to any one program leaves nothing 5 s later" {
	# shellcheck disable=SC2086
	strike_all TERM $everyone
}

# bats test_tags=thorough
@test "SIGHUP to any one program leaves nothing 5 s later" {
	# shellcheck disable=SC2086
	strike_all HUP $everyone
}

# A shell and runexec that get SIGINT alone wait for their command, as POSIX has it; the filters end
# with the one before them.
# bats test_tags=thorough
@test "SIGINT to any one program but a shell and the filters leaves nothing 5 s later" {
	strike_all INT make runlock labserve wdsession cellrun chromedriver
}

# bats test_tags=thorough
@test "a signal to the terminal's group leaves nothing 5 s later" {
	local sig
	use_case 'import time; time.sleep(600)'
	for sig in INT TERM HUP; do
		profile_long
		kill "-$sig" -- "-$leader"
		gone_in 5
		wait "$leader" || true
	done
	told "SIGINT, SIGTERM, SIGHUP to the terminal's group" 3 'the notebook that ran' nothing
	goes_on
}

# bats test_tags=thorough
@test "a slow link's proxy ends with make too" {
	use_case 'import time; time.sleep(600)' '{"n": [1], "ui_network_throttling": [5]}' 'rate = {ui_network_throttling_value}'
	for sig in KILL TERM; do
		for name in netshape make; do
			profile_long
			kill "-$sig" "$(pid_of $name)"
			gone_in 5
			wait "$leader" || true
		done
	done
	told 'SIGKILL, SIGTERM of netshape, and of make around it' 4 'the notebook that ran' nothing
}

# ---- a server of the user's --------------------------------------------------------

on_theirs() {
	rest api/sessions | jq -r '.[].path'
	rest api/kernels | jq -r '.[].id'
	rest api/contents | jq -r '.content[].name'
	rest lab/api/workspaces | jq -r '.workspaces.ids[]' | grep nbscope || true
}

theirs_clean() {
	[ -z "$(on_theirs)" ]
}

# strike_theirs SIGNAL NAME WHEN: the same on the user's server, when the cell runs, or at
# once when cellrun does.
strike_theirs() {
	python3 "$ROOT/tests/nb.py" "$BATS_TEST_TMPDIR/a.ipynb" <<<'[("code", "import time\ntime.sleep(600)")]'
	TMPDIR=$T wdsession cellrun "$BATS_TEST_TMPDIR/a.ipynb" >"$BATS_TEST_TMPDIR/a.jsonl" 2>/dev/null 3>&- &
	leader=$!
	if [ "$3" = running ]; then
		wait_until 60 grep -q cell_start "$BATS_TEST_TMPDIR/a.jsonl"
	else
		wait_until 60 test -n "$(wait_until 60 some_on_theirs; echo x)"
	fi
	kill "-$1" "$(pid_of "$2")"
	gone_in 5
	wait_until 5 theirs_clean || { on_theirs; return 1; }
	wait "$leader" || true
}

some_on_theirs() {
	[ -n "$(on_theirs)" ]
}

@test "a cellrun or a browser's holder that is killed leaves no kernel, file or workspace on the user's server" {
	BATS_FILE_TMPDIR=$BATS_TEST_TMPDIR start_server
	. "$BATS_TEST_TMPDIR/server.env"
	local n=0 name status=0
	for name in cellrun $([ -z "${ALL:-}" ] || echo wdsession chromedriver); do
		for when in running starting; do
			strike_theirs KILL "$name" "$when" || status=1
			n=$((n + 1))
		done
	done
	BATS_FILE_TMPDIR=$BATS_TEST_TMPDIR stop_server
	[ $status = 0 ]
	told "SIGKILL of cellrun, wdsession, chromedriver on a user's server" $n 'the notebook that ran' nothing
}

# ---- disks, links, two at once: no browser is needed ------------------------------

# skipping ARGS...: a make profile whose notebooks need more memory than the machine has.
skipping() (
	use_server
	nb MEMORY_BYTES=1e30 "$@" profile
)

@test "a full disk is said in a line, and what was whole stays whole" {
	[ "$(id -u)" = 0 ] || skip 'only root can mount'
	mount -t tmpfs -o size=600k none "$UC" 2>/dev/null || skip 'no mounts here'
	use_case 'n' '{"n": [1, 2, 3]}'
	run -0 skipping
	local before
	before=$(cd "$UC" && find . -type f -not -name '.*' | sort | xargs cksum)
	dd if=/dev/zero of="$UC/fill" bs=1k 2>/dev/null || true
	run skipping RERUN=failed SETTLE_MS=299
	[ "$status" = 2 ] || { umount "$UC"; has 'failure'; }
	has 'No space left on device'
	after=$(cd "$UC" && rm fill && find . -type f -not -name '.*' | sort | xargs cksum)
	[ "$before" = "$after" ] || { umount "$UC"; diff <(echo "$before") <(echo "$after"); }
	run half_files
	[ -z "$output" ] || { umount "$UC"; has 'no half file'; }
	# With room again it goes on.
	run skipping
	umount "$UC"
	status_is 0
	told 'full disk under a use case' 1 nothing nothing
}

@test "a folder that cannot be written is said in a line" {
	use_case 'n'
	run -0 skipping
	for folder in notebooks runs metrics; do
		mv "$UC/$folder" "$UC/real"
		: >"$UC/$folder"
		run -2 skipping
		has "'$UC/$folder"
		rm "$UC/$folder"
		mv "$UC/real" "$UC/$folder"
	done
	if [ "$(id -u)" = 0 ] && mount --bind "$UC" "$UC" 2>/dev/null; then
		mount -o remount,ro,bind "$UC"
		run skipping SETTLE_MS=299
		umount "$UC"
		status_is 2
		has 'Read-only file system'
	fi
	run -0 skipping
	told 'folder that is a file, or read-only' 4 nothing nothing
}

# unprivileged COMMAND...: as root without the right to ignore permissions.
unprivileged() {
	setpriv --bounding-set=-dac_override,-dac_read_search "$@"
}

@test "what cannot be read below a use case is named with the reason, and nothing is measured without it" {
	[ "$(id -u)" = 0 ] || skip 'only root can give files away'
	use_case 'n'
	mkdir -p "$UC/files/sub" "$UC/private"
	echo 'SETTLE_MS ?= 299' >"$UC/usecase.mk"
	echo 1 >"$UC/files/data.csv"
	run -0 skipping
	local path named
	for path in usecase.mk template.ipynb params.json files/data.csv files/sub runs/current/small-n1.jsonl runs/current/.settings; do
		chown nobody "$UC/$path"
		chmod go= "$UC/$path"
		touch "$UC/$path"
		# What makes runs writes the settings again.
		run -2 unprivileged "$(command -v make)" --no-print-directory -C "$ROOT" USECASE="$UC" \
			"$([ "${path##*/}" = .settings ] && echo status || echo plan)"
		named=$UC/$path
		[[ $output == *"$named"*'Permission denied'* ]] || has "$named: Permission denied"
		chown root "$UC/$path"
	done
	# What is none of its own is left alone.
	chown nobody "$UC/private"
	chmod go= "$UC/private"
	run -0 unprivileged "$(command -v make)" --no-print-directory -C "$ROOT" USECASE="$UC" plan
	[[ $output != *private* ]] || has 'nothing of it'
	told "another user's unreadable file or folder below a use case" 8 nothing nothing
}

@test "a link to nothing, or to another user's folder, is refused; one to a folder of one's own is followed" {
	use_case 'n'
	for folder in notebooks runs metrics; do
		rm -rf "${UC:?}/$folder"
		ln -s "$BATS_TEST_TMPDIR/nowhere" "$UC/$folder"
		run -2 skipping
		has "'$UC/$folder' is a link to '$BATS_TEST_TMPDIR/nowhere', which cannot be used"
		[ ! -e "$BATS_TEST_TMPDIR/nowhere" ]
		rm "$UC/$folder"
		mkdir -p "$BATS_TEST_TMPDIR/own/$folder"
		ln -s "$BATS_TEST_TMPDIR/own/$folder" "$UC/$folder"
	done
	run -0 skipping
	[ -e "$BATS_TEST_TMPDIR/own/runs/current/small-n1.jsonl" ]
	[ "$(id -u)" = 0 ] || return 0
	for folder in notebooks runs metrics; do
		chown nobody "$BATS_TEST_TMPDIR/own/$folder"
		run -2 skipping SETTLE_MS=299 MIN_SAMPLES=3 WHERE=n=1
		has "'$UC/$folder' is a link to '$BATS_TEST_TMPDIR/own/$folder', which belongs to another user"
		chown root "$BATS_TEST_TMPDIR/own/$folder"
	done
	told 'notebooks/, runs/, metrics/ a dangling or foreign link' 6 nothing nothing
}

@test "of two makes of a LABEL the second says who is there, waits, and finds all done" {
	use_case 'n'
	run -0 skipping
	runlock "$UC/runs/current" sh -c 'touch "$0/held"; while [ ! -e "$0/go" ]; do sleep 0.02; done' "$BATS_TEST_TMPDIR" 3>&- &
	wait_until 5 test -e "$BATS_TEST_TMPDIR/held"
	skipping SETTLE_MS=299 RERUN=all >"$BATS_TEST_TMPDIR/out" 2>&1 3>&- &
	second=$!
	wait_until 5 grep -q "in use by process .* (.*runlock .*): waiting" "$BATS_TEST_TMPDIR/out"
	# It has touched nothing yet.
	[ -e "$UC/runs/current/small-n1.jsonl" ]
	run -1 grep -q settle-ms=299 "$UC/runs/current/.settings"
	touch "$BATS_TEST_TMPDIR/go"
	wait "$second"
	run -0 grep -c settle-ms=299 "$UC/runs/current/.settings"
}

@test "two makes at once make each run once" {
	use_case 'n' '{"n": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]}'
	run -0 nb generate
	skipping >"$BATS_TEST_TMPDIR/one" 2>&1 3>&- &
	first=$!
	skipping >"$BATS_TEST_TMPDIR/two" 2>&1 3>&- &
	wait "$first" || { cat "$BATS_TEST_TMPDIR"/{one,two}; false; }
	wait $! || { cat "$BATS_TEST_TMPDIR"/{one,two}; false; }
	[ "$(cat "$BATS_TEST_TMPDIR"/{one,two} | grep -c 'skipped, 0 of')" = 10 ]
	[ "$(find "$UC/runs" -name '[!.]*.jsonl' | wc -l)" = 10 ]
	run half_files
	[ -z "$output" ]
	told 'two make profile of one use case at once' 1 nothing nothing
}

@test "the lock is gone with a holder that was killed" {
	runlock "$UC" tail -f /dev/null 3>&- &
	holder=$!
	wait_until 5 sh -c "! runlock --wait 0 '$UC' 2>/dev/null"
	kill -KILL "$holder"
	run -0 runlock --wait 2 "$UC" true
}

# ---- many in a row: make soak does more of it ------------------------------------------------------

# soak N KIND...: tests/soak without a browser.
soak() {
	SETTINGS=BROWSER=none SEED=1 "$ROOT/build/testvenv/bin/python" "$ROOT/tests/soak" "$@"
}

# bats test_tags=thorough
@test "of 20 notebooks in a row the last ones find nobody who holds more than at the first ones" {
	run -0 soak 20 none
	has '20 notebooks in '
	told '20 notebooks in a row' 20 nothing nothing
}

# bats test_tags=thorough
@test "drivers, samplers and keepers of runs that are killed at random moments cost no run and leave nothing" {
	KILLS=3 run -0 soak 9 kernelrun procsample runkeep
	has 'SIGKILL of a runkeep'
	told 'SIGKILL of kernelrun, procsample and runkeep at random' 9 'tried again' nothing
}
