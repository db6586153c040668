# bats file_tags=untimed,long
# Nodes that are lost, tasks that start again, a full disk: real runs of a real Slurm with two nodes
# (tests/slurm.bash), of which nothing may be lost, doubled or left behind.
load helpers
load faults
load make
load server
load slurm

setup_file() {
	start_cluster
}

teardown_file() {
	stop_cluster
}

setup() {
	slurm_needed
	export BROWSER=none
	MARK=$BATS_TEST_TMPDIR/mark UC=$BATS_TEST_TMPDIR/small
	mkdir -p "$UC"
}

# slow_case SECONDS VALUES: one notebook for each value of n. Each run adds a line with its host to
# MARK; the first of n = 1 takes SECONDS.
slow_case() {
	python3 "$ROOT/tests/nb.py" "$UC/template.ipynb" <<-EON
	[("code", "n = {n_value}", ["parameters"]), ("code", '''import os, time
	first = n == 1 and not (os.path.exists('$MARK') and any(line.startswith('1 ') for line in open('$MARK')))
	with open('$MARK', 'a') as f: f.write(f'{n} {os.uname().nodename}\\\\n')
	if first: time.sleep($1)''')]
	EON
	echo "{\"n\": $2}" >"$UC/params.json"
}

# A test that failed may not have ended it, nor its tasks.
teardown() {
	[ -n "${maker:-}" ] && pkill -P "$maker" || return 0
	scancel --user "$(id -un)" || true
}

# in_background GOAL...: slurm, until the run of n = 1 has begun.
in_background() {
	slurm "$@" >"$BATS_TEST_TMPDIR/out" 2>&1 3>&- 4>&- &
	maker=$!
	wait_until 100 grep -q '^1 ' "$MARK" || { cat "$BATS_TEST_TMPDIR/out"; return 1; }
}

# completed N: make has ended well, there are N runs, each whole, and nothing else.
completed() {
	wait "$maker" || { cat "$BATS_TEST_TMPDIR/out"; return 1; }
	[ "$(runs_of | wc -l)" = "$1" ] || { runs_of; return 1; }
	[ "$(cat "$UC"/runs/current/*.jsonl | grep -c '^{"type":"run_end".*"completed"')" = "$1" ]
	grep -q "verdict: $1 notebook.* profiled, .* all completed" "$BATS_TEST_TMPDIR/out"
	wait_until 30 nothing_left || { find "$UC" "$BATS_TEST_TMPDIR/node"; queue '%i %T'; return 1; }
}

# node_of_task: the node that runs the first task.
node_of_task() {
	queue '%T %N' | sed -n 's/^RUNNING //p' | head -n 1
}

# lose NODE: all of its processes end at once, as when its power fails, and its temporary files are gone.
lose() {
	local pid step all
	pid=$(cat "$CLUSTER/slurmd.$1.pid")
	all=$pid
	for step in $(pgrep -x slurmstepd); do
		[ "$(readlink "/proc/$step/ns/uts")" != "$(readlink "/proc/$pid/ns/uts")" ] || all+=" $step"
	done
	all+=" $(grep -lzs "^SLURMD_NODENAME=$1" /proc/[0-9]*/environ | cut -d/ -f3 | tr '\n' ' ')"
	# shellcheck disable=SC2086  # words
	kill -KILL $all 2>/dev/null || true
	wait_until 5 rm -rf "$BATS_TEST_TMPDIR/node"
	mkdir "$BATS_TEST_TMPDIR/node"
}

@test "a node that is lost in the middle of a run costs that run alone, which another node makes" {
	slow_case 600 '[1, 2]'
	in_background profile
	local node
	node=$(grep -m1 '^1 ' "$MARK" | cut -d' ' -f2)
	[[ $node = n[12] ]] || skip 'a node cannot have a host name of its own here'
	lose "$node"
	completed 2
	start_node "$node"
	# The run that was lost, on the other node.
	[ "$(grep -c '^1 ' "$MARK")" = 2 ]
	[ "$(grep -c '^2 ' "$MARK")" = 1 ]
	run -0 jq -c 'select(.type == "environment").machines | map(.host)' "$UC/metrics/current/metrics.jsonl"
	told 'a node lost in the middle of a run' 1 'the run' nothing
}

# bats test_tags=thorough
@test "a notebook runs in a browser on a node, and its record says on which" {
	BROWSER=chromium slow_case 0 '[1]'
	BROWSER=chromium in_background profile
	completed 1
	run -0 jq -r 'select(.type == "run") | .browser, .machine.host' "$UC/runs/current/small-n1.jsonl"
	[[ $output =~ ^[Cc]hrom.*n[12]$ ]]
}

# bats test_tags=thorough
@test "a task that Slurm starts again makes its run once" {
	slow_case 8 '[1]'
	in_background profile
	scontrol requeue "$(queue %F | head -n 1)"
	completed 1
	[ "$(wc -l <"$MARK")" = 2 ]
	told 'a task that is started again' 1 'the run' nothing
}

# bats test_tags=thorough
@test "of a run that two nodes make at once one remains, whole" {
	slow_case 45 '[1]'
	in_background profile
	local node
	node=$(node_of_task)
	# Its task goes on, and Slurm starts it on the other node.
	kill -KILL "$(cat "$CLUSTER/slurmd.$node.pid")"
	completed 1
	wait_until 100 test -z "$(pgrep -f "$BATS_TEST_TMPDIR/node")"
	start_node "$node"
	[ "$(wc -l <"$MARK")" = 2 ]
	told 'a node whose connection is lost: two tasks make a run' 1 nothing nothing
}

# bats test_tags=thorough
@test "a job that is cancelled leaves nothing, and the same command makes what is missing" {
	slow_case 600 '[1, 2]'
	in_background profile JOBS=1
	run -0 slurm status
	has 'running   1 on n'
	run -0 slurm cancel
	has 'cancel: 2 tasks ended'
	wait_until 60 nothing_left
	if wait "$maker"; then return 1; fi
	[ -z "$(runs_of 2>/dev/null)" ]
	slurm profile >"$BATS_TEST_TMPDIR/out" 2>&1 3>&- &
	maker=$!
	completed 2
	told 'a job that is cancelled' 1 'the runs under way' nothing
}

# bats test_tags=thorough
@test "on a full disk a task fails, and its run is made when there is space" {
	[ "$(id -u)" = 0 ] || skip 'only root can mount'
	mount -t tmpfs -o size=3m none "$UC" 2>/dev/null || skip 'no mounts here'
	slow_case 8 '[1]'
	in_background profile
	dd if=/dev/zero of="$UC/fill" bs=1k 2>/dev/null || true
	if wait "$maker"; then return 1; fi
	grep -q '1 of 1 runs could not be made' "$BATS_TEST_TMPDIR/out"
	rm "$UC/fill"
	slurm profile >"$BATS_TEST_TMPDIR/out" 2>&1 3>&- &
	maker=$!
	completed 1
	umount "$UC"
	told 'a shared disk that is full' 1 'the runs that end then' nothing
}
