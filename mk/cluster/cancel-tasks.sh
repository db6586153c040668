#!/bin/sh
# cancel-tasks.sh UC LABEL: ends the tasks of Slurm that make runs of a label, and waits until they
# have ended. What they have made remains. A make that makes runs itself is not ended, but named.
set -u
. "${0%/*}/../show/say.sh"
uc=$1 label=$2 runs=$1/runs/$2
tasks=$("$nbscope/mk/cluster/list-tasks.sh" "$uc" "$label") || exit 4
if [ "$tasks" ]; then
	for name in $(printf '%s\n' "$tasks" | cut -f 1 | sort -u); do
		scancel --user "$(id -un)" --name "$name" || exit 4
	done
	# Slurm sends SIGKILL after KillWait, by default 30 s.
	end=$(($(date +%s) + 120))
	while left=$("$nbscope/mk/cluster/list-tasks.sh" "$uc" "$label") && [ "$left" ]; do
		[ "$(date +%s)" -lt $end ] ||
			stop 5 "cancel: some tasks have not ended yet: $(type_to status)"
		sleep 2
	done
	n=$(printf '%s\n' "$tasks" | wc -l)
	echo "cancel: $n task$([ "$n" = 1 ] || echo s) ended; what was made remains"
fi
# A make that waits for them has the lock.
in_use=$(runlock --wait 0 "$runs" rm -rf "$runs/.jobs" 2>&1) && in_use=
[ "$tasks" ] || if [ "$in_use" ]; then
	say "cancel: no job to cancel, but ${in_use#runlock: }: end it there, with Ctrl-C"
else
	echo "cancel: nothing makes runs of label '$label'"
fi
