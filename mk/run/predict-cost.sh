#!/bin/sh
# predict-cost.sh UC LABEL: what the selected combinations would cost. In the environment:
#   RUN_SETTINGS  the settings (default: those of the label's last runs)
set -u
. "${0%/*}/../show/say.sh"
uc=$1 label=$2 plan=$NBSCOPE_SCRATCH/plan settings=$NBSCOPE_SCRATCH/now shots=
printf '%s\n' "${RUN_SETTINGS-$(cat "$uc/runs/$label/.settings")}" >"$settings"
[ "${SCREENSHOTS:-0}" = 0 ] || shots=$uc/screenshots/$label

plan_runs() {
	runplan --label "$label" --settings "$settings" ${RERUN:+--rerun "$RERUN"} \
		${INSECURE:+--insecure} "$@" "$uc"
	[ $? -lt 2 ] || exit 4
}
predict() {
	plan_runs >"$plan"
	nbplan --memory "${MEMORY_BYTES:-}" --runs "$uc/runs/$label" --label "$label" \
		--repeat "${REPEAT:-1}" --notebooks "$uc/notebooks" \
		--executed "$uc/executed/$label" ${shots:+--screenshots="$shots"} <"$plan"
}

if [ "${COMMANDS:-0}" = 1 ]; then
	# Typed, they make runs of these settings.
	"$nbscope/mk/run/prepare-label.sh" "$uc" "$label" || exit 4
	plan_runs --commands
	exit 0
fi
"$nbscope/mk/run/check-interactions.sh" "$uc" || exit
predict
status=$?
[ $status = 6 ] || exit $status
if [ "${TRIAL:-0}" != 1 ]; then
	echo "plan: nothing was run: $(type_to plan TRIAL=1)" \
		"runs one notebook to predict the rest"
	exit 0
fi
"$nbscope/mk/run/prepare-label.sh" "$uc" "$label" || exit 4
grep -m 1 '"repetition":1,.*"due":true,.*"skip":null' "$plan" >"$plan.trial" || exit 1
say "plan: no earlier run; a trial with $("$nbscope/mk/run/print-members.sh" name <"$plan.trial")"
labserve ${INSECURE:+--insecure} "$nbscope/mk/run/execute-plan.sh" "$plan.trial" </dev/null ||
	exit 1
predict
