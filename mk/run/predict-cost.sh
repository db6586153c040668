#!/bin/sh
# predict-cost.sh UC LABEL: what the selected combinations would cost. In the environment: what
# make-due-runs reads there, and
#   RUN_SETTINGS  the settings (default: those of the label's last runs)
#   TRIAL         1: where no run says so yet, run the first combination that fits the machine
#   COMMANDS      1: only print the command of each run, as one line for a shell
set -u
[ "${1-}" != --help ] || exec mk/setup/print-usage.sh "$0"
[ "${NBSCOPE_SCRATCH-}" ] || exec runlock --scratch "$1/runs/$2" "$0" "$@"
uc=$1 label=$2 plan=$NBSCOPE_SCRATCH/plan settings=$NBSCOPE_SCRATCH/now
printf '%s\n' "${RUN_SETTINGS-$(cat "$uc/runs/$label/.settings")}" >"$settings"
shots=
[ "${SCREENSHOTS:-0}" = 0 ] || shots=--screenshots=$uc/screenshots/$label

plan_runs() {
	runplan --label "$label" --settings "$settings" ${RERUN:+--rerun "$RERUN"} ${INSECURE:+--insecure} "$@" "$uc"
}
predict() {
	plan_runs >"$plan"
	[ $? -lt 2 ] || exit 4
	# shellcheck disable=SC2086  # one word or none
	nbplan --memory "${MEMORY_BYTES:-}" --runs "$uc/runs/$label" --label "$label" --repeat "${REPEAT:-1}" \
		--notebooks "$uc/notebooks" --executed "$uc/executed/$label" $shots <"$plan"
}

if [ "${COMMANDS:-0}" = 1 ]; then
	# Typed, they make runs of these settings.
	mk/run/prepare-label.sh "$uc" "$label" || exit 4
	plan_runs --commands
	[ $? -lt 2 ] || exit 4
	exit 0
fi
predict
status=$?
[ $status = 6 ] || exit $status
if [ "${TRIAL:-0}" != 1 ]; then
	echo "plan: nothing was run: $(mk/show/print-command.sh plan "$uc" "$label" TRIAL=1) runs one notebook to predict the rest"
	exit 0
fi
mk/run/prepare-label.sh "$uc" "$label" || exit 4
jq -c 'select(.type == "run_plan" and .due and .repetition == 1 and .skip == null)' "$plan" | head -n 1 >"$plan.trial"
[ -s "$plan.trial" ] || exit 1
mk/show/sanitize-text.sh "plan: no earlier run; a trial with $(jq -r .name "$plan.trial")"
labserve ${INSECURE:+--insecure} mk/run/execute-plan.sh "$plan.trial" </dev/null || exit 1
predict
