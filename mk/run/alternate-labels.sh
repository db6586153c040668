#!/bin/sh
# alternate-labels.sh MAKE UC A B: makes REPEAT runs of each notebook in the environments of the
# labels A and B, interleaved, each label in a JupyterLab of its own. In the environment: what
# execute-plan reads there, and
#   SEED                  of the order in which they alternate (default 1)
#   RERUN                 failed or all: make these runs again, too
#   PREPARE_A, PREPARE_B  settings of one label, as words for make
set -u
[ "${1-}" != --help ] || exec mk/setup/print-usage.sh "$0"
[ "${NBSCOPE_SCRATCH-}" ] || exec runlock --scratch --no-lock "$2/runs" "$0" "$@"
make=$1 uc=$2 a=$3 b=$4
[ "$a" ] && [ "$b" ] || {
	echo "ab: A and B must be labels, as in: make ab A=released B=pr WITH_pr='-e ../project'" >&2
	exit 2
}
[ "$a" != "$b" ] || { echo "ab: A and B are both '$a'" >&2; exit 2; }
[ -z "${WITH:-}" ] || { echo "ab: WITH is for one label: use WITH_$a=... and WITH_$b=..." >&2; exit 2; }

# shellcheck disable=SC2086  # words
$make LABEL="$a" ${PREPARE_A:-} prepare && $make LABEL="$b" ${PREPARE_B:-} prepare || exit
plan=$NBSCOPE_SCRATCH/plan due=
for l in "$a" "$b"; do
	runplan --label "$l" ${RERUN:+--rerun "$RERUN"} ${INSECURE:+--insecure} --target "${TARGET:-ab}" --with-label \
		"$uc" >"$plan.$l"
	case $? in 0) ;; 1) due=yes ;; *) exit 4 ;; esac
done
if [ "$due" ]; then
	mk/run/order-runs.sh "$a" "$b" "${SEED:-1}" "$plan.$a" "$plan.$b" >"$plan" || exit 4
	for l in "$a" "$b"; do
		head -n 1 "$plan" >"$uc/runs/$l/.order.jsonl"
	done
	venv() { sed -n 's/^venv=//p' "$uc/runs/$1/.settings"; }
	VENV_B=$(venv "$b") PLAN=$plan OTHER_LABEL=$a TARGET=${TARGET:-ab}
	export VENV_B PLAN OTHER_LABEL TARGET
	# shellcheck disable=SC2016  # for the inner shell
	VENV=$(venv "$a") runlock "$uc/runs/$a" runlock "$uc/runs/$b" labserve ${INSECURE:+--insecure} sh -c '
		export OTHER_URL="$JUPYTERLAB_URL" OTHER_TOKEN="$JUPYTERLAB_TOKEN" OTHER_CERT="$JUPYTERLAB_CERT" OTHER_CACHES="$LABSERVE_CACHES" VENV="$VENV_B"
		unset JUPYTERLAB_URL JUPYTERLAB_TOKEN JUPYTERLAB_CERT
		exec labserve ${INSECURE:+--insecure} mk/run/execute-plan.sh "$PLAN" --target "$TARGET"' || exit
fi
