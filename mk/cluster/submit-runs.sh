#!/bin/sh
# submit-runs.sh UC LABEL: makes the due runs of a label on a cluster: a Slurm array with a task for
# each (execute-task). Runs that a task of an earlier call will make are not submitted again. Waits
# until all tasks have ended; the array continues if this script is ended. In the environment:
#   SLURM_LIMIT_S seconds after which waiting ends if Slurm does not answer (default 3600)
set -u
. "${0%/*}/../show/say.sh"
uc=$1 label=$2 runs=$1/runs/$2 jobs=$1/runs/$2/.jobs work=$NBSCOPE_SCRATCH
limit_s=${SLURM_LIMIT_S:-3600}
pause_s=1 longest_s=$((limit_s < 30 ? limit_s : 30))	# between two questions to Slurm
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
		--label "$label" --repeat "${REPEAT:-1}" <"$work/plan" |
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
	mkdir -p "$job" && (cd "$job" && awk '{ print >(NR - 1); close(NR - 1) }') <"$1" || exit 4
	# shellcheck disable=SC2046,SC2086  # words
	id=$({
		printf '%s\n' '#!/bin/bash' "${JOB_PROLOG:-}"
		# A lock would hold up the other tasks of the node.
		printf 'exec runlock --no-lock --scratch "%s" "%s" "%s"\n' \
			"\${TMPDIR:-/tmp}" "$nbscope/mk/cluster/execute-task.sh" "\$NBSCOPE_JOB"
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
	seq -f "$name/%.0f" 0 $((n - 1)) >>"$work/waited"
	echo "profile: job $id has $n task$([ "$n" = 1 ] || echo s), each for one run"
}

# plan_again: the plan of now, and of each run that is due the part of its record that names it.
plan_again() {
	runplan --label "$label" ${INSECURE:+--insecure} "$uc" >"$work/plan"
	grep '^{"type":"run_plan".*"due":true' "$work/plan" >"$work/due"
	grep -o '"run":".*","executed":' "$work/due" >"$work/due.runs"
}

# signal_of NAME TASK: what killed a task, if anything did.
signal_of() {
	squeue --noheader --array --states=all --user "$(id -un)" --name "$1" \
		--Format=ArrayTaskID:20,exit_code:20 2>/dev/null |
		awk -v task="$2" '$1 == task && $2 > 0 && $2 < 128 {
			print "killed by signal " $2 \
				($2 == 9 ? ", as where memory is exceeded" : "")
		}'
}

# report STATES: shows how the tasks in $work/ended ended, as Slurm says in STATES.
report() {
	[ -s "$work/ended" ] || return
	plan_again
	while read -r task; do
		count=$((count + 1))
		run=$("$nbscope/mk/run/print-members.sh" run <"$jobs/$task")
		if [ -e "$run" ] && ! grep -qF -f "$work/due.runs" "$jobs/$task"; then
			sed -n '1p;$p' -- "$run" | runbar --notebook "$count" >/dev/null
			continue
		fi
		failed=$((failed + 1))
		cat "$jobs/$task.log" >>"$log" 2>/dev/null
		# What was cancelled before it began has no number.
		why=$(awk -F '\t' -v name="${task%/*}" -v task="${task#*/}" '
			$3 == "COMPLETED" || $1 != name {next}
			$2 !~ /^[0-9]+$/ {rest = $3}
			$2 == task {own = $3 ($4 == "" ? "" : " on " $4)}
			END {print own == "" ? rest : own}' "$1")
		said=$(grep -v '^profile: ' "$jobs/$task.log" 2>/dev/null | tail -n 1)
		# One that cannot say why.
		[ "$said" ] || said=$(signal_of "${task%/*}" "${task#*/}")
		why=${why:+$why: }$said
		# No browser, no JupyterLab, no room.
		! grep -q '^runexec: no browser opens\|^labserve: \|^runlock: ' \
			"$jobs/$task.log" 2>/dev/null || no_engine=$((no_engine + 1))
		run=${run##*/}
		say "[$count/$NBSCOPE_NOTEBOOKS] ${run%.jsonl}: no run${why:+: ${why%: }}" >&2
	done <"$work/ended"
}

# list_open FILE: writes the tasks that wait or run to FILE, and as NAME/TASK to $work/open.
list_open() {
	"$nbscope/mk/cluster/list-tasks.sh" "$uc" "$label" >"$1" &&
		cut -f 1,2 "$1" | tr '\t' / | sort >"$work/open"
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

mkdir -p "$jobs" || exit 4
list_open "$work/tasks" || exit 4
shown='' count=0 failed=0 no_engine=0 id='' log=$runs/.job.log queued=$(wc -l <"$work/tasks")
rm -f "$log"
# What ended while no make waited is not shown: its run is there, or is made again.
cp "$work/open" "$work/waited"
plan_again
cut -f 6 "$work/tasks" | grep -o '"run":".*","executed":' >"$work/queued"
grep -vF -f "$work/queued" "$work/due" >"$work/to_submit"
[ "$queued" = 0 ] || echo "profile: $queued runs are in the queue already"
if [ -s "$work/to_submit" ]; then
	options >"$work/options" || exit 4
	split -a 6 -l "$((${max_tasks:-1001} - 1))" "$work/to_submit" "$work/part."
	for part in "$work"/part.*; do
		submit "$part"
	done
fi
interrupted() {
	trap '' INT TERM HUP
	echo "profile: the job continues; the same command waits for it again" >&2
	exit 130
}
trap interrupted INT TERM HUP
echo "profile: Ctrl-C stops waiting, not the job: see $(type_to status), $(type_to cancel)"
NBSCOPE_NOTEBOOKS=$(($(wc -l <"$work/to_submit") + queued)) NBSCOPE_STARTED=$(date +%s)
export NBSCOPE_NOTEBOOKS NBSCOPE_STARTED

heard=$(date +%s) complained=''
sort -o "$work/waited" "$work/waited"
while :; do
	silent_s=$(($(date +%s) - heard))
	if list_open "$work/tasks" 2>"$work/error"; then
		heard=$(date +%s) complained=''
		comm -23 "$work/waited" "$work/open" >"$work/ended"
		[ ! -s "$work/ended" ] ||
			"$nbscope/mk/cluster/list-tasks.sh" "$uc" "$label" all \
				>"$work/all" 2>/dev/null
		report "$work/all"
		# The second was the check of the first.
		if [ $no_engine -ge 2 ] && [ $failed = $count ] && [ -s "$work/open" ]; then
			say "profile: nothing starts on the nodes, so the other tasks are ended:" \
				"JOB_PROLOG can set up what a node lacks," \
				"JOB_OPTIONS=--exclude=NODE leaves one out" >&2
			"$nbscope/mk/cluster/cancel-tasks.sh" "$uc" "$label" >&2
			failed=$NBSCOPE_NOTEBOOKS
			break
		fi
		comm -12 "$work/waited" "$work/open" >"$work/left"
		mv "$work/left" "$work/waited"
		[ -s "$work/waited" ] || break
		show_queue
	elif [ $silent_s -ge "$limit_s" ]; then
		stop 5 "profile: nothing was heard of Slurm for $silent_s s:" \
			"$(tail -n 1 "$work/error"); what is in the queue stays there: when Slurm" \
			"answers, the same command waits for it again"
	elif [ -z "$complained" ]; then
		complained=yes
		say "profile: Slurm does not answer, and is asked again:" \
			"$(tail -n 1 "$work/error")" >&2
	fi
	sleep $pause_s
	pause_s=$((pause_s * 2 < longest_s ? pause_s * 2 : longest_s))
done
rm -rf "$jobs" 2>/dev/null
# What a lost node left: where files must have names, also those that are not complete.
find "$runs" "$uc/executed/$label" -maxdepth 1 -name '.????????.tmp' -delete 2>/dev/null
[ "$failed" = 0 ] || say "profile: $failed of $NBSCOPE_NOTEBOOKS runs could not be made;" \
	"the same command tries them again; what their tasks printed is in $log" >&2
