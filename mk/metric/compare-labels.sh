#!/bin/sh
# compare-labels.sh UC BASE LABEL: compares LABEL with BASE: prints a table that ends with the
# verdict, and writes records, CSV and Markdown into UC/metrics/LABEL/against-BASE.
set -u
. "${0%/*}/../show/say.sh"
uc=$1 metrics=$1/metrics base=$2 label=$3 out=$1/metrics/$3/against-$2
[ "$base" ] || stop 2 "compare: BASE is required, as in: make compare BASE=released LABEL=pr"
[ "$base" != "$label" ] || stop 2 "compare: BASE and LABEL are both '$label'"
work=${NBSCOPE_SCRATCH:-$out}
mkdir -p "$out" || exit 4
metriccmp --base "$base" --format table --verdict "$out/verdict.json" \
	--json-to "$out/comparison.jsonl" --csv-to "$out/comparison.csv" \
	--markdown-to "$out/comparison.md" --fail-on "${FAIL_ON:-unknown}" \
	${GATE:+--gate "$GATE"} ${ALLOW:+--allow "$ALLOW"} ${WITH:+--requirements "$WITH"} \
	"$metrics/$base/metrics.jsonl" "$metrics/$label/metrics.jsonl"
status=$?
case $status in 0 | 1 | 6) ;; *) exit $status ;; esac
# Which functions and lines changed, where both labels have profile runs.
for l in "$base" "$label"; do
	cat "$uc/runs/$l/plan" 2>/dev/null | mk/run/list-usable.sh --profile >"$work/profiled.$l"
done
if [ -s "$work/profiled.$base" ] && [ -s "$work/profiled.$label" ]; then
	{
		xargs -0 printf -- '--base=%s\0' <"$work/profiled.$base"
		cat "$work/profiled.$label"
	} | mk/run/pass-arguments.sh runprofile
fi
rm -f "$work/profiled.$base" "$work/profiled.$label"
exit $status
