#!/bin/sh
# measure-sharing.sh QUEUE PROCESSORS: makes the shortest of the runs in QUEUE (execute-parallel)
# that had company again, alone on the same number of processors, and prints how much longer it took
# in company. The run alone is in no table.
set -u
. "${0%/*}/../show/say.sh"
queue=$1 processors=$2 alone=$NBSCOPE_SCRATCH/alone
mkdir -p "$alone" || exit 4
grep -v '^{"at_once":1,' "$queue" | grep '"film":false' |
	mk/run/print-members.sh run >"$alone/shared"
[ "$(wc -l <"$alone/shared")" -gt 1 ] || exit 0
shared=$(while IFS= read -r run; do
	end=$(tail -n 1 -- "$run" | grep '"status":"completed"' | grep -o '"wall_ms":[0-9.]*') &&
		printf '%s\t%s\n' "${end#*:}" "$run"
done <"$alone/shared" 2>/dev/null | sort -n | head -n 1 | cut -f 2-)
[ "$shared" ] || exit 0
jq -c --arg run "$shared" --arg alone "$alone" 'select(.run == $run) |
	[.run, .executed, .screenshots, .kernel_files] as $own |
	walk(if type == "string" and IN($own[]) then $alone + "/" + (split("/") | last)
		else . end)' "$queue" >"$alone/plan"
echo "profile: one run again, alone: what does sharing the machine cost?"
NBSCOPE_NOTEBOOKS=1 taskset -c "$processors" labserve ${INSECURE:+--insecure} \
	mk/run/execute-plan.sh "$alone/plan" --last 1 </dev/null
run=$alone/${shared##*/}
[ -e "$run" ] || stop 0 "profile: the run alone could not be made"
# Without a browser, the kernel's time is all there is.
cellmetrics "$shared" "$run" | jq -rs 'map(select(.type == "notebook_metrics")) as $runs |
	["client", "kernel"][] as $what |
	($runs | map(.["\($what)_execution_time_metric"])) as [$shared, $alone] |
	select(($alone // 0) > 0 and $shared != null) |
	(1000 * ($shared / $alone - 1) | round / 10) as $more |
	"sharing: \($shared) s of \($what) time in company, \($alone) s alone " +
	"on as many processors: \(if $more >= 0 then "+" else "" end)\($more) %"' | head -n 1
