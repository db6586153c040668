# bats file_tags=untimed,long
# Runs as tasks of a real Slurm with two nodes (tests/slurm.bash). Except where a test says so, each
# notebook is too large for the nodes, and is recorded as skipped: tasks start, browsers do not. The
# nodes use one JupyterLab, which the tasks' prolog names.
load helpers
load make
load faults
load server
load slurm

setup_file() {
	start_cluster
	start_server
}

teardown_file() {
	stop_server
	stop_cluster
}

setup() {
	slurm_needed
	use_case '{"n": [1, 2, 3], "word": ["good"]}'
	export MEMORY_BYTES=1e30
}

@test "each missing run is a task of one job, and the next make submits none" {
	run -0 slurm profile
	has 'has 3 tasks, each for one run'
	has '[3/3]'
	has 'all completed; 3 skipped'
	[ "$(runs_of | wc -l)" = 3 ]
	wait_for nothing_left
	run -0 slurm profile
	[[ $output != *'job '* ]]
	rm "$UC/runs/current/small-n2-wordgood.jsonl"
	run -0 slurm profile
	has 'has 1 task, each for one run'
}

@test "the tasks ask for a node, memory and time as planned, or as JOB_OPTIONS says" {
	# A past run, which took a minute.
	mkdir -p "$UC/runs/current"
	printf '%s\n' '{"type":"run","t":1,"params":{"n":1}}' '{"type":"run_end","t":61,"status":"completed","wall_ms":60000}' >"$UC/runs/current/small-n1-wordgood.jsonl"
	slurm MEMORY_BYTES='n * 1e8' JOBS=1 JOB_OPTIONS='--hold --comment=mine' profile >"$BATS_TEST_TMPDIR/out" 2>&1 3>&- &
	wait_for queued_jobs
	run -0 scontrol show job "$(queue %F | head -n 1)"
	# 3e8 and 2e9 bytes.
	has 'MinMemoryNode=2193M'
	has 'TimeLimit=00:07:00'
	has 'OverSubscribe=NO'
	has 'ArrayTaskThrottle=1'
	has 'Comment=mine'
	run -0 slurm status
	has 'waiting   3 in the queue (JobHeldUser)'
	has 'in use by process'
	run -0 slurm cancel
	has 'cancel: 3 tasks ended; what was made remains'
	wait || true
	run cat "$BATS_TEST_TMPDIR/out"
	has '3 of 3 runs could not be made'
	has 'small-n1-wordgood: no run: CANCELLED'
	nothing_left
}

queued_jobs() {
	queue %i | grep .
}

@test "Ctrl-C leaves the job, and the same command waits for it without submitting anything" {
	slurm profile JOB_OPTIONS=--hold >"$BATS_TEST_TMPDIR/out" 2>&1 3>&- &
	local leader=$!
	wait_for grep -q 'Ctrl-C' "$BATS_TEST_TMPDIR/out"
	kill -TERM "$(pgrep -P "$leader" make || echo "$leader")"
	wait "$leader" || true
	grep -q 'the job continues' "$BATS_TEST_TMPDIR/out"
	[ "$(queue %i | wc -l)" = 3 ]
	run -0 slurm status
	has 'waiting   3 in the queue'
	run ! slurm profile SETTLE_MS=299
	has 'a job makes runs with other settings'
	run ! nb profile
	has 'a job of a cluster makes these runs'
	run ! nb clean YES=1
	has 'a job makes runs of label'
	{ wait_for grep -q already "$BATS_TEST_TMPDIR/again" && scontrol release "$(queue %F | head -n 1)"; } 3>&- &
	slurm profile >"$BATS_TEST_TMPDIR/again" 2>&1
	run cat "$BATS_TEST_TMPDIR/again"
	has '3 runs are in the queue already'
	[[ $output != *'has 3 tasks'* ]]
	has '3 skipped'
	wait_for nothing_left
}

# bats test_tags=thorough
@test "when Slurm does not answer for too long, waiting ends, and the same command waits again" {
	SLURM_LIMIT_S=4 slurm profile JOB_OPTIONS=--hold >"$BATS_TEST_TMPDIR/out" 2>&1 3>&- &
	local leader=$!
	wait_for grep -q 'Ctrl-C' "$BATS_TEST_TMPDIR/out"
	local controller
	controller=$(cat "$CLUSTER/slurmctld.pid")
	kill "$controller"
	timeout 30 tail --pid="$controller" -f /dev/null
	if wait "$leader"; then return 1; fi
	run -0 cat "$BATS_TEST_TMPDIR/out"
	has 'nothing was heard of Slurm for'
	has 'Error 5'
	slurmctld -f "$SLURM_CONF" 3>&- 4>&-
	wait_until 60 queued_jobs
	{ wait_for grep -q already "$BATS_TEST_TMPDIR/again" && scontrol release "$(queue %F | head -n 1)"; } 3>&- &
	slurm profile >"$BATS_TEST_TMPDIR/again" 2>&1
	run -0 cat "$BATS_TEST_TMPDIR/again"
	has '3 runs are in the queue already'
	has '3 skipped'
	wait_for nothing_left
}

@test "the requests of tasks are options that sbatch reads, with every name as it is" {
	local names=(isr "it's" 'a"b\c' 'x: y #z' '100%' 'é λ' '$HOME `id`' '*/ //') k
	cd "$BATS_TEST_TMPDIR"
	for k in "${!names[@]}"; do
		jq -nc --arg name "${names[k]}" --argjson i "$k" '{type: "request", group: {task: $name}, executions: 3, killed: 0, basis: "too_few",
			executions_needed: 1071, risk_pct: 1, attempts: 2, memory_bytes: (1048577 + 1048576 * $i), time_s: (59.5 + 86400 * $i), cores: (1 + $i % 2)}'
	done >requests.jsonl
	jq -nr -L "$ROOT/share/tasks/requests" -f "$ROOT/share/tasks/requests/slurm.sbatch.jq" requests.jsonl >slurm.sbatch
	for k in "${!names[@]}"; do
		{ echo '#!/bin/sh'; awk -v RS= -v n="$k" 'NR == n + 2' slurm.sbatch; echo 'sleep 9'; } >job
		run sbatch --test-only job
		status_is 0
		run -0 sbatch --parsable --hold job
		run -0 scontrol show job "$output"
		has " JobName=${names[k]}"$'\n'
		has "MinMemoryNode=$((k + 2))M "
		has "TimeLimit=$( ((k == 0)) || echo "$k-")00:01:00 "
		has "NumCPUs=$((1 + k % 2)) "
		scancel "$(sed -n 's/^JobId=\([0-9]*\) .*/\1/p' <<<"$output")"
	done
}

@test "a task that is killed is shown as it dies, with the signal, while others wait" {
	mkdir -p "$BATS_TEST_TMPDIR/node"
	JOB_PROLOG="export TMPDIR=$BATS_TEST_TMPDIR/node
. $BATS_FILE_TMPDIR/server.env
[ \$SLURM_ARRAY_TASK_ID != 0 ] || kill -KILL \$\$
[ \$SLURM_ARRAY_TASK_ID != 2 ] || until [ -e '$BATS_TEST_TMPDIR/go' ]; do sleep 0.1; done" \
		nb ENGINE=slurm profile >"$BATS_TEST_TMPDIR/out" 2>&1 3>&- &
	local maker=$!
	wait_for grep -q '/3] small-n1-wordgood: no run: FAILED on n[12]: killed by signal 9, as where memory is exceeded' "$BATS_TEST_TMPDIR/out"
	touch "$BATS_TEST_TMPDIR/go"
	if wait "$maker"; then cat "$BATS_TEST_TMPDIR/out"; return 1; fi
	grep -q '1 of 3 runs could not be made' "$BATS_TEST_TMPDIR/out"
}

@test "if no browser opens in the first tasks, the others are ended" {
	mkdir -p "$BATS_TEST_TMPDIR/node"
	JOB_PROLOG="export TMPDIR=$BATS_TEST_TMPDIR/node WEBDRIVER_URL=http://127.0.0.1:1
. $BATS_FILE_TMPDIR/server.env
[ \$SLURM_ARRAY_TASK_ID != 2 ] || sleep 60" run ! nb ENGINE=slurm JOBS=1 MEMORY_BYTES= profile
	has '[2/3] small-n2-wordgood: no run: '
	[[ $output != *'[3/3]'* ]]
	has 'profile: nothing starts on the nodes, so the other tasks are ended: JOB_PROLOG can'
	has 'cancel: 1 task ended'
	has '3 of 3 runs could not be made'
	grep -q 'runexec: no browser opens' "$UC/runs/current/.job.log"
	wait_for nothing_left
}

@test "a token is not given to Slurm, which would keep it in files" {
	run -2 env JUPYTERLAB_TOKEN=s3cret make --no-print-directory -C "$ROOT" USECASE="$UC" ENGINE=slurm profile
	has 'JUPYTERLAB_TOKEN and JUPYTERLAB_PASSWORD belong in .env'
	WEBDRIVER_URL=http://me:s3cret@grid:4444 run -2 slurm profile
	has 'a WEBDRIVER_URL with a password belongs in a file that JOB_PROLOG reads'
	[ -z "$(grep -rl s3cret "$UC" "$CLUSTER")" ]
}

@test "without Slurm, status and cancel describe what is made here" {
	use_server
	run -0 nb profile
	rm "$UC/runs/current/small-n2-wordgood.jsonl"
	run -0 nb status
	has $'current   2\nmissing   1'
	run -0 nb cancel
	has "nothing makes runs of label 'current'"
}
