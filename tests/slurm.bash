# A cluster for tests: Slurm with two nodes on this machine, as the user of the tests, on loopback
# and with files in $CLUSTER alone. Each node has a host name of its own where that is allowed.
SLURM=$ROOT/build/testslurm

# with_slurm: what the programs need, in PATH and the environment. A package that is installed names
# its programs by alternatives; unpacked, they end in -wlm. Any of them may be installed: then its
# programs, plugins and libraries are those that count, since only what is missing was unpacked.
with_slurm() {
	export CLUSTER=$BATS_FILE_TMPDIR/cluster
	local name unpacked
	mkdir -p "$CLUSTER/bin"
	for name in slurmctld slurmd slurmstepd; do
		[ ! -e "$SLURM/usr/sbin/$name-wlm" ] || ln -sf "$SLURM/usr/sbin/$name-wlm" "$CLUSTER/bin/$name"
	done
	unpacked=$(echo "$SLURM"/usr/lib/*-linux-gnu*)
	PATH=$PATH:$CLUSTER/bin:$SLURM/usr/bin:$SLURM/usr/sbin
	stepd=$(command -v slurmstepd || true)
	slurm_lib=$(find /usr/lib "$SLURM/usr/lib" -maxdepth 2 -name slurm-wlm 2>/dev/null | head -n 1)
	export LD_LIBRARY_PATH=$slurm_lib:$unpacked${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
	export SLURM_CONF=$CLUSTER/slurm.conf slurm_lib stepd
	unset "${!SBATCH_@}" "${!SQUEUE_@}"
}

# has_slurm: whether with_slurm() has found all that a cluster needs.
has_slurm() {
	[ -n "$slurm_lib" ] && command -v slurmctld >/dev/null && command -v munged >/dev/null && command -v squeue >/dev/null
}

slurm_needed() {
	with_slurm
	has_slurm || skip 'no Slurm: make test unpacks it in build/testslurm'
}

# munge will not use folders that others can write: its own is in /tmp, with a short path.
start_cluster() {
	with_slurm
	has_slurm || return 0
	local user host node ports
	user=$(id -un) host=$(uname -n)
	mkdir -p "$CLUSTER"/{state,spool.n1,spool.n2,log,tmp}
	MUNGE=$(mktemp -d /tmp/nbscope-munge.XXXXXX)
	echo "$MUNGE" >"$CLUSTER/munge"
	chmod 755 "$MUNGE"
	(umask 077 && head -c 1024 /dev/urandom >"$MUNGE/key")
	munged --force --key-file="$MUNGE/key" --socket="$MUNGE/sock" --pid-file="$MUNGE/pid" --log-file="$MUNGE/log" --seed-file="$MUNGE/seed" 3>&-
	# shellcheck disable=SC2207  # words
	ports=($(python3 -c 'import socket
s = [socket.create_server(("127.0.0.1", 0)) for _ in range(3)]
print(*[x.getsockname()[1] for x in s])'))
	cat >"$SLURM_CONF" <<-EOC
	ClusterName=nbscope
	SlurmctldHost=$host(127.0.0.1)
	AuthType=auth/munge
	AuthInfo=socket=$MUNGE/sock,cred_expire=5
	CredType=cred/munge
	SlurmUser=$user
	SlurmdUser=$user
	SlurmctldPort=${ports[0]}
	SlurmctldPidFile=$CLUSTER/slurmctld.pid
	SlurmctldLogFile=$CLUSTER/log/slurmctld
	SlurmctldTimeout=5
	SlurmdPidFile=$CLUSTER/slurmd.%n.pid
	SlurmdSpoolDir=$CLUSTER/spool.%n
	SlurmdLogFile=$CLUSTER/log/slurmd.%n
	SlurmdParameters=config_overrides
	SlurmdTimeout=5
	StateSaveLocation=$CLUSTER/state
	PluginDir=$slurm_lib
	ProctrackType=proctrack/linuxproc
	TaskPlugin=task/none
	SelectType=select/cons_tres
	SelectTypeParameters=CR_CPU
	SchedulerType=sched/backfill
	SchedulerParameters=batch_sched_delay=0,sched_min_interval=1000,sched_interval=1,bf_interval=1
	JobAcctGatherType=jobacct_gather/none
	AccountingStorageType=accounting_storage/none
	JobCompType=jobcomp/none
	JobRequeue=1
	KillWait=5
	MinJobAge=300
	ReturnToService=2
	MailProg=/bin/true
	MpiDefault=none
	SwitchType=switch/none
	NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=${ports[1]} CPUs=2 RealMemory=4000 State=UNKNOWN
	NodeName=n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=${ports[2]} CPUs=2 RealMemory=4000 State=UNKNOWN
	PartitionName=debug Nodes=n[1-2] Default=YES MaxTime=INFINITE State=UP
	EOC
	slurmctld -c -f "$SLURM_CONF" 3>&-
	for node in n1 n2; do
		start_node $node
	done
	wait_for nodes_idle
}

# start_node NAME: with a host name of its own, if possible.
start_node() {
	local own=
	! unshare --uts true 2>/dev/null || own="unshare --uts --"
	# shellcheck disable=SC2086  # words
	TMPDIR=$CLUSTER/tmp $own sh -c '[ -z "$4" ] || hostname "$1"; exec slurmd -c -N "$1" -d "$2" -f "$3"' sh "$1" "$stepd" "$SLURM_CONF" "$own" 3>&- 4>&-
}

nodes_idle() {
	[ "$(sinfo --noheader --Node --states=idle | wc -l)" = 2 ]
}

# stop_cluster: ends the processes that it started, by their pid files.
stop_cluster() {
	with_slurm
	local pid pids
	[ -e "$CLUSTER/munge" ] || return 0
	scancel --user "$(id -un)" 2>/dev/null || true
	MUNGE=$(cat "$CLUSTER/munge")
	pids=$(cat "$CLUSTER"/slurm*.pid "$MUNGE/pid" 2>/dev/null)
	# shellcheck disable=SC2086  # words
	kill $pids 2>/dev/null || true
	for pid in $pids; do
		# A daemon whose node was lost in a test may wait for its tasks.
		timeout 5 tail --pid="$pid" -f /dev/null || kill -KILL "$pid" || true
	done
	rm -rf "$MUNGE"
}

# For the tests, with an engine that they name: make, in whose tasks TMPDIR is a folder of the test
# and, if there is one, the server of the file (tests/server.bash) is used.
slurm() {
	local prolog="export TMPDIR=$BATS_TEST_TMPDIR/node"
	[ ! -e "$BATS_FILE_TMPDIR/server.env" ] || prolog+=$'\n'". $BATS_FILE_TMPDIR/server.env"
	mkdir -p "$BATS_TEST_TMPDIR/node"
	JOB_PROLOG=$prolog nb ENGINE=slurm "$@"
}

# queue FORMAT: of all jobs, one line for each task.
queue() {
	squeue --noheader --array --format "$1"
}

# nothing_left: neither tasks nor files of them, on the nodes or in the use case's folder.
nothing_left() {
	[ -z "$(queue %i)" ] && [ ! -e "$UC/runs/current/.jobs" ] && [ -z "$(ls -A "$BATS_TEST_TMPDIR/node")" ] &&
		[ -z "$(find "$UC" -name '*.tmp' -o -name '.scratch*')" ]
}
