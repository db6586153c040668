#!/bin/sh
# measure-sharing.sh UC LABEL QUEUE PROCESSORS: makes the shortest of the runs in QUEUE
# (execute-parallel) that had company again, alone on the same number of processors, and prints how
# much longer it took in company. The run alone is in no table. In the environment: what
# execute-plan and labserve read there.
set -u
[ "${1-}" != --help ] || exec mk/setup/print-usage.sh "$0"
uc=$1 label=$2 queue=$3 processors=$4 work=$NBSCOPE_SCRATCH alone=$NBSCOPE_SCRATCH/alone
jq -r 'select(.at_once > 1 and (.film | not)) | .run, .name' "$queue" >"$work/shared"
[ "$(wc -l <"$work/shared")" -gt 2 ] || exit 0
# A run_end has the duration: "wall_ms":1234.5
found=$(while IFS= read -r run && IFS= read -r name; do
	[ -e "$run" ] && tail -n 1 -- "$run" | grep '"status":"completed"' |
		sed -n 's/.*"wall_ms":\([0-9.]*\).*/\1/p' | tr '\n' '\t' && printf '%s\t%s\n' "$run" "$name"
done <"$work/shared" | grep '^[0-9]' | sort -n | head -n 1)
name=${found##*	} shared=${found%	*} shared=${shared#*	}
[ "$shared" ] || exit 0
mkdir -p "$alone/runs/$label" "$alone/notebooks" || exit 4
grep -v '^:screenshots=' "$uc/runs/$label/.settings" >"$alone/runs/$label/.settings"
[ ! -e "$uc/files" ] || ln -s "$(realpath "$uc/files")" "$alone/files"
ln -s "$(realpath "$uc/notebooks/$name.ipynb")" "$alone/notebooks/"
[ ! -e "$uc/notebooks/.files" ] || ln -s "$(realpath "$uc/notebooks/.files")" "$alone/notebooks/"
run=$alone/runs/$label/$name.jsonl
jq -c --arg name "$name" 'select(.name == $name) | .selected = true' "$uc/notebooks/.combinations.jsonl" |
	runplan --label "$label" ${INSECURE:+--insecure} "$alone" - >"$work/alone.plan"
echo "profile: one run again, alone: what does sharing the machine cost?"
NBSCOPE_NOTEBOOKS=1 taskset -c "$processors" labserve ${INSECURE:+--insecure} \
	mk/run/execute-plan.sh "$work/alone.plan" --last 1 </dev/null
[ -e "$run" ] || { echo "profile: the run alone could not be made" >&2; exit 0; }
# Without a browser, the kernel's time is all there is.
cellmetrics "$shared" "$run" | jq -rs 'map(select(.type == "notebook_metrics")) as $runs |
	["client", "kernel"][] as $what |
	($runs | map(.["\($what)_execution_time_metric"])) as [$shared, $alone] |
	select(($alone // 0) > 0 and $shared != null) | (1000 * ($shared / $alone - 1) | round / 10) as $more |
	"sharing: \($shared) s of \($what) time in company, \($alone) s alone on as many processors: " +
	"\(if $more >= 0 then "+" else "" end)\($more) %"' | head -n 1
