#!/bin/sh
# compare-labels.sh UC BASE LABEL: compares LABEL with BASE: prints a table that ends with the
# verdict, and writes records, CSV and Markdown into UC/metrics/LABEL/against-BASE. In the
# environment:
#   GATE, FAIL_ON, ALPHA, WITH  options of metriccmp, which reads ALLOW itself
#   DECIDED_BY  the one test that is compared, and its limits, as JSON (share/bisect)
set -u
. "${0%/*}/../show/say.sh"
uc=$1 metrics=$1/metrics base=$2 label=$3 out=$1/metrics/$3/against-$2
[ "$base" ] || stop 2 "compare: BASE is required, as in: $typed compare BASE=released LABEL=pr"
[ "$base" != "$label" ] || stop 2 "compare: BASE and LABEL are both '$label'"
mkdir -p "$out" || exit 4
gate=${GATE:-${ITEM_METRICS-}} share='' floor=''
# It differs in what changed.
export ALLOW
case $base in *@previous) ALLOW=${ALLOW:+$ALLOW,}notebook,files,packages ;; esac
set -- "$metrics/$base/metrics.jsonl" "$metrics/$label/metrics.jsonl"
of() { printf '%s\n' "$DECIDED_BY" | jq -r "$1 // empty"; }
[ -z "${DECIDED_BY-}" ] || {
	share=$(of .share) floor=$(of '"\(.metric)=\(.floor)"')
	jq -cf "$nbscope/share/bisect/only.jq" --argjson of "$DECIDED_BY" "$@" >"$out/.one.jsonl" ||
		exit 4
	set -- "$out/.one.jsonl"
}
metriccmp --base "$base" --format table --verdict "$out/verdict.json" \
	--json-to "$out/comparison.jsonl" --csv-to "$out/comparison.csv" \
	--markdown-to "$out/comparison.md" --fail-on "${FAIL_ON:-unknown}" \
	${gate:+--gate "$gate"} ${WITH:+--requirements "$WITH"} \
	${ALPHA:+--alpha "$ALPHA"} ${floor:+--floor "$floor"} \
	${share:+--relative "$share" --detect "$share"} "$@"
status=$?
rm -f "$out/.one.jsonl"
case $status in 0 | 1 | 6) ;; *) exit $status ;; esac
# Which functions and lines changed, where both labels have profile runs.
profiled() { "$nbscope/mk/run/list-usable.sh" --profile "$uc/runs/$1/plan" 2>/dev/null; }
before=$(profiled "$base" | sed 's/^/--base=/') now=$(profiled "$label")
[ ! "$before" ] || [ ! "$now" ] ||
	printf '%s\n' "$before" "$now" | "$nbscope/mk/run/pass-arguments.sh" runprofile
exit $status
