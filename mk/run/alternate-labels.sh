#!/bin/sh
# alternate-labels.sh MAKE UC A B: makes REPEAT runs of each notebook in the environments of the
# labels A and B, each label in a JupyterLab of its own: repetition by repetition, A and B of a
# notebook one after the other. Each block of two repetitions is ABBA or BAAB, so that a slow drift
# cancels out; SEED decides which. In the environment:
#   PREPARE_A, PREPARE_B  settings of one label, as words for make
#   ORDER_PLANNED, ORDER_LOOKS  of an experiment that ends when it is decided: pairs at most; and
#                         at how many pairs it has been compared
set -u
. "${0%/*}/../show/say.sh"
make=$1 uc=$2 a=$3 b=$4 plan=$NBSCOPE_SCRATCH/plan due=
[ "$a" ] && [ "$b" ] ||
	stop 2 "ab: A and B must be labels, as in:" \
		"$typed ab A=released B=pr WITH_pr='-e ../project'"
[ "$a" != "$b" ] || stop 2 "ab: A and B are both '$a'"
[ -z "${WITH:-}" ] || stop 2 "ab: WITH is for one label: use WITH_$a=... and WITH_$b=..."

# shellcheck disable=SC2086  # words
$make LABEL="$a" ${PREPARE_A:-} prepare && $make LABEL="$b" ${PREPARE_B:-} prepare || exit
for l in "$a" "$b"; do
	runplan --label "$l" ${RERUN:+--rerun "$RERUN"} ${INSECURE:+--insecure} \
		--target "${TARGET:=ab}" --with-label "$uc" >"$plan.$l"
	case $? in 0) ;; 1) due=yes ;; *) exit 4 ;; esac
done
[ "$due" ] || exit 0
# As many blocks as there can be repetitions.
order=$(awk -v n="$(grep -c '"run_plan"' "$plan.$a")" -v seed="${SEED:-1}" 'BEGIN {
	srand(seed)
	for (k = 1; k <= n; k++) {
		if (k % 2) first = rand() < 0.5; else first = !first
		printf "%s", first ? "AB" : "BA"
	}
}')
jq -ncf "$nbscope/share/plan/interleave.jq" --arg a "$a" --arg b "$b" --argjson seed "${SEED:-1}" \
	--arg order "$order" --argjson planned "${ORDER_PLANNED:-null}" \
	--arg looks "${ORDER_LOOKS:-}" --slurpfile sa "$plan.$a" --slurpfile sb "$plan.$b" \
	>"$plan" || exit 4
for l in "$a" "$b"; do
	head -n 1 "$plan" >"$uc/runs/$l/.order.jsonl"
done
venv() { sed -n 's/^venv=//p' "$uc/runs/$1/.settings"; }
VENV_B=$(venv "$b") PLAN=$plan OTHER_LABEL=$a
export VENV_B PLAN OTHER_LABEL TARGET nbscope
# shellcheck disable=SC2016  # for the inner shell
VENV=$(venv "$a") exec runlock "$uc/runs/$a" runlock "$uc/runs/$b" \
	labserve ${INSECURE:+--insecure} sh -c '
		export OTHER_URL="$JUPYTERLAB_URL" OTHER_TOKEN="$JUPYTERLAB_TOKEN"
		export OTHER_CERT="$JUPYTERLAB_CERT" OTHER_CACHES="$LABSERVE_CACHES" VENV="$VENV_B"
		unset JUPYTERLAB_URL JUPYTERLAB_TOKEN JUPYTERLAB_CERT
		exec labserve ${INSECURE:+--insecure} \
			"$nbscope/mk/run/execute-plan.sh" "$PLAN" --target "$TARGET"'
