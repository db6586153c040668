#!/bin/sh
# submit-runs.sh UC LABEL PLAN: makes the due runs of the file PLAN on a cluster: a Slurm array with
# a task for each (execute-task). Runs that a task of an earlier call will make are not submitted
# again. Waits until all tasks have ended; the array continues if this script is ended. In the
# environment:
#   SLURM_LIMIT_S seconds after which waiting ends, if neither Slurm answers nor a task ends
#                 (default 3600)
set -u
. "${0%/*}/../show/say.sh"
uc=$1 label=$2 plan=$3 runs=$1/runs/$2 jobs=$1/runs/$2/.jobs work=$NBSCOPE_SCRATCH
limit_s=${SLURM_LIMIT_S:-3600}
ask_s=$((limit_s < 30 ? limit_s : 30))	# Slurm is asked this rarely
watch_s=2	# the folder is read this often: a shared one does not report what others write
default_min=60	# of a run whose time cannot be predicted
max_tasks=$(scontrol show config 2>/dev/null | sed -n 's/^MaxArraySize *= *//p')

command -v sbatch >/dev/null ||
	stop 2 "profile: ENGINE=slurm needs sbatch, as on the login node of a cluster"
# Slurm keeps the environment of a job in files.
[ -z "${JUPYTERLAB_TOKEN-}${JUPYTERLAB_PASSWORD-}" ] ||
	stop 2 "profile: with ENGINE=slurm, JUPYTERLAB_TOKEN and JUPYTERLAB_PASSWORD belong in .env"
case ${WEBDRIVER_URL-} in
*@*) stop 2 "profile: with ENGINE=slurm, a WEBDRIVER_URL with a password belongs in a file that" \
	"JOB_PROLOG reads" ;;
esac

# options: those of sbatch that follow from the plan of the notebooks, one per line.
options() {
	case ${CORES:-} in
	'' | *[!0-9]*)
		echo --exclusive
		[ "${MEMORY_BYTES:-}" ] || echo --mem=0 ;;
	*) echo "--cpus-per-task=$((CORES + 2))" ;;
	esac
	# What no node has memory for is skipped there.
	node=$(sinfo --noheader --format %m 2>/dev/null | tr -dc '0-9\n' | sort -n | tail -n 1)
	node=$((${node:-1000000000} * 1048576))
	nbplan --each --memory "${MEMORY_BYTES:-}" --machine-memory $node --runs "$runs" \
		--label "$label" --repeat "${REPEAT:-1}" <"$plan" |
		jq -nr --argjson spare "$SPARE_BYTES" --argjson node $node \
			--argjson min $default_min '
		[inputs] | map(.time_high_s // .time_s) as $s |
		(map(.memory_bytes) | max | numbers
			| "--mem=\([. + $spare, $node] | min / 1048576 | floor)M"),
		"--time=\(if $s == [] or any($s[]; . == null) then $min
			else ($s | max) * 1.5 / 60 + 5 | ceil end)"'
}

# submit FILE: one array for the run_plan records in FILE.
submit() {
	set -f
	name=nbscope-$(od -An -N6 -tx1 /dev/urandom | tr -d ' \n')
	job=$jobs/$name n=$(wc -l <"$1")
	mkdir -p "$job" && cp "$1" "$job/states" || exit 4
	# shellcheck disable=SC2046,SC2086  # words
	id=$({
		printf '%s\n' '#!/bin/bash' "${JOB_PROLOG:-}"
		# A lock would hold up the other tasks of the node.
		printf 'exec runlock --no-lock --scratch "%s" mk/cluster/execute-task.sh "%s"\n' \
			"\${TMPDIR:-/tmp}" "\$NBSCOPE_JOB"
	} | env -u NBSCOPE_SCRATCH -u TMPDIR -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u DISPLAY \
		-u WAYLAND_DISPLAY -u XDG_RUNTIME_DIR -u DBUS_SESSION_BUS_ADDRESS -u ON_END \
		-u JOB_PROLOG NBSCOPE_JOB="$job" sbatch --parsable --job-name="$name" --requeue \
		--comment="nbscope, label $label of $(basename "$uc")" \
		--array="0-$((n - 1))${JOBS:+%$JOBS}" ${id:+--dependency=afterany:$id} \
		--output="$(printf '%s' "$job" | sed 's/%/%%/g')/%a.log" \
		$(cat "$work/options") ${JOB_OPTIONS:-}) || {
		rm -rf "$job"
		stop 4 "profile: sbatch failed"
	}
	set +f
	id=${id%%;*}
	echo "profile: job $id has $n task$([ "$n" = 1 ] || echo s), each for one run"
}

# all_tasks: of all jobs, as NAME/TASK.
all_tasks() {
	(cd "$jobs" && grep -Hn . -- */states) | sed 's|/states:\([0-9]*\):.*| \1|' |
		while read -r name line; do echo "$name/$((line - 1))"; done | sort
}

# list_due: the due runs by a new plan, each as a part of its record that names its files.
list_due() {
	runplan --label "$label" ${INSECURE:+--insecure} "$uc" |
		grep '^{"type":"run_plan".*"due":true' |
		grep -o '"run":".*","executed":' >"$work/due"
}

# report LIST [STATES]: shows how the tasks in LIST ended, as Slurm says in STATES.
report() {
	[ -s "$1" ] || return
	list_due
	while IFS=/ read -r name task; do
		count=$((count + 1)) log_of=$jobs/$name/$task.log
		sed -n "$((task + 1))p" "$jobs/$name/states" >"$work/state"
		run=$(mk/run/print-members.sh run <"$work/state")
		if [ -e "$run" ] && ! grep -qF -f "$work/due" "$work/state"; then
			sed -n '1p;$p' -- "$run" | runbar --notebook "$count" >/dev/null
			continue
		fi
		failed=$((failed + 1))
		cat "$log_of" >>"$log" 2>/dev/null
		why=$(state_of "$name" "$task" "${2:-/dev/null}")
		why=${why:+$why: }$(grep -v '^profile: ' "$log_of" 2>/dev/null | tail -n 1)
		run=${run##*/}
		say "[$count/$NBSCOPE_NOTEBOOKS] ${run%.jsonl}: no run${why:+: ${why%: }}" >&2
	done <"$1"
}

# report_new: shows the tasks that ended since the last call.
report_new() {
	find "$jobs" -mindepth 2 -name '*.end' -printf '%P\n' | sed 's/\.end$//' | sort |
		comm -13 "$work/before" - >"$work/new"
	report "$work/new"
	sort -o "$work/before" "$work/before" "$work/new"
}

# state_of NAME TASK STATES: Slurm's word for it and its node. What was cancelled before it began
# has no number.
state_of() {
	awk -F '\t' -v name="$1" -v task="$2" '
		$1 == name && $2 !~ /^[0-9]+$/ {rest = $3}
		$1 == name && $2 == task {own = $3 ($4 == "" ? "" : " on " $4)}
		END {print own == "" ? rest : own}' "$3"
}

# show_queue: a line when other tasks wait or run than before.
show_queue() {
	queue=$(awk -F '\t' '
		$3 == "PENDING" {waiting++; why = " (" $5 ")"}
		$3 != "PENDING" {running++}
		END {printf "%d running, %d waiting%s", running, waiting, why}' "$work/tasks")
	[ "$queue" = "$shown" ] || echo "profile: tasks: $queue" >&2
	shown=$queue
}

mk/cluster/list-tasks.sh "$uc" "$label" >"$work/tasks" || exit 4
shown='' count=0 failed=0 id='' log=$runs/.job.log queued=$(wc -l <"$work/tasks")
mkdir -p "$jobs" && rm -f "$log" || exit 4
# What ended while no make waited is not shown: its run is there, or is made again.
cut -f 1,2 "$work/tasks" | tr '\t' / | sort >"$work/open"
all_tasks 2>/dev/null | comm -23 - "$work/open" >"$work/before"
grep '^{"type":"run_plan".*"due":true' "$plan" >"$work/to_run"
# Some may have been made since PLAN was written, and some are in the queue.
list_due
cut -f 6 "$work/tasks" | grep -o '"run":".*","executed":' >"$work/queued"
grep -F -f "$work/due" "$work/to_run" | grep -vF -f "$work/queued" >"$work/to_submit"
[ "$queued" = 0 ] || echo "profile: $queued runs are in the queue already"
if [ -s "$work/to_submit" ]; then
	options >"$work/options" || exit 4
	split -a 6 -l "$((${max_tasks:-1001} - 1))" "$work/to_submit" "$work/part."
	for part in "$work"/part.*; do
		submit "$part"
	done
fi
echo "profile: Ctrl-C stops waiting, not the job: see $(type_to status), $(type_to cancel)"
NBSCOPE_NOTEBOOKS=$(($(wc -l <"$work/to_submit") + queued)) NBSCOPE_STARTED=$(date +%s)
export NBSCOPE_NOTEBOOKS NBSCOPE_STARTED
interrupted() {
	trap '' INT TERM HUP
	echo "profile: the job continues; the same command waits for it again" >&2
	exit 130
}
trap interrupted INT TERM HUP

# Most that happens is in the folder. Slurm is asked for tasks that could not write there.
asked=$(date +%s) heard=$asked seen='' complained=''
while :; do
	now=$(stat -c %z "$jobs"/* 2>/dev/null)
	[ "$now" = "$seen" ] || { report_new; heard=$(date +%s); }
	seen=$now
	[ "$count" -lt "$NBSCOPE_NOTEBOOKS" ] && [ -z "$(find "$jobs" -name cancelled)" ] || break
	if [ $(($(date +%s) - asked)) -ge "$ask_s" ]; then
		asked=$(date +%s)
		if mk/cluster/list-tasks.sh "$uc" "$label" >"$work/tasks" 2>"$work/error"; then
			heard=$asked complained=''
			[ -s "$work/tasks" ] || break
			show_queue
		elif [ $((asked - heard)) -ge "$limit_s" ]; then
			stop 5 "profile: nothing was heard of Slurm and of its tasks for" \
				"$((asked - heard)) s: $(tail -n 1 "$work/error"); what is in the" \
				"queue stays there: when Slurm answers, the same command waits" \
				"for it again"
		elif [ -z "$complained" ]; then
			complained=yes
			say "profile: Slurm does not answer, and is asked again:" \
				"$(tail -n 1 "$work/error")" >&2
		fi
	fi
	sleep $watch_s
done
report_new
# Tasks that ended, as Slurm says, without an end.
mk/cluster/list-tasks.sh "$uc" "$label" all >"$work/all" 2>/dev/null || :
all_tasks | comm -23 - "$work/before" >"$work/lost"
report "$work/lost" "$work/all"
rm -rf "$jobs" 2>/dev/null
# What a lost node left: where files must have names, also those that are not complete.
find "$runs" "$uc/executed/$label" -maxdepth 1 -name '.????????.tmp' -delete 2>/dev/null
[ "$failed" = 0 ] || say "profile: $failed of $NBSCOPE_NOTEBOOKS runs could not be made;" \
	"the same command tries them again; what their tasks printed is in $log" >&2
