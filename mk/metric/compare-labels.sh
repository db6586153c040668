#!/bin/sh
# compare-labels.sh UC BASE LABEL: compares LABEL with BASE: prints a table that ends with the
# verdict, and writes records, CSV and Markdown into UC/metrics/LABEL/against-BASE. In the
# environment: what command reads there, and
#   FAIL_ON   worse, or unknown: fail also if it cannot tell (default unknown)
#   GATE, ALLOW, WITH  (metriccmp --gate, --allow, --requirements)
set -eu
[ "${1-}" != --help ] || exec mk/setup/print-usage.sh "$0"
uc=$1 metrics=$1/metrics base=$2 label=$3
[ "$base" ] || { echo "compare: BASE is required, as in: make compare BASE=released LABEL=pr" >&2; exit 2; }
out=$metrics/$label/against-$base
[ "$base" != "$label" ] || { echo "compare: BASE and LABEL are both '$label'" >&2; exit 2; }
mkdir -p "$out"
status=0
metriccmp --base "$base" --format table --verdict "$out/verdict.json" --json-to "$out/comparison.jsonl" \
	--csv-to "$out/comparison.csv" --markdown-to "$out/comparison.md" --fail-on "${FAIL_ON:-unknown}" \
	${GATE:+--gate "$GATE"} ${ALLOW:+--allow "$ALLOW"} ${WITH:+--requirements "$WITH"} \
	"$metrics/$base/metrics.jsonl" "$metrics/$label/metrics.jsonl" || status=$?
# Which functions and lines changed, where both labels have profile runs.
if [ $status -lt 2 ] || [ $status = 6 ]; then
	work=${NBSCOPE_SCRATCH:-$out}
	for l in "$base" "$label"; do
		[ ! -e "$uc/runs/$l/plan" ] || mk/run/list-usable.sh --profile "$uc/runs/$l/plan" >"$work/profiled.$l"
	done
	if [ -s "$work/profiled.$base" ] && [ -s "$work/profiled.$label" ]; then
		{
			tr '\0' '\n' <"$work/profiled.$base" | sed 's/^/--base=/' | tr '\n' '\0'
			cat "$work/profiled.$label"
		} | xargs -0 runprofile || :
	fi
	rm -f "$work/profiled.$base" "$work/profiled.$label"
fi
exit $status
