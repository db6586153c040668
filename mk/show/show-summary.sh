#!/bin/sh
# show-summary.sh UC LABEL: the end of a profile: prints a summary whose verdict is the exit status,
# where the tables are, and what to type next. In the environment:
#   NOISE   the noise of the machine at its last calibration
#   NBSCOPE_OUTPUT  where a copy of the executed notebook is written (unset: nowhere)
set -u
. "${0%/*}/../show/say.sh"
uc=$1 label=$2 metrics=$1/metrics/$2
runsum ${NOISE:+--calibration "$NOISE"} "$metrics/metrics.jsonl"
status=$?
[ $status -lt 2 ] || exit $status
asked=${ITEMS:+ITEMS}${ITEMS_SHARE:+ ITEMS_SHARE}
[ -z "$asked" ] || jq -nrf "$nbscope/share/plan/items.jq" --arg asked "${asked# }" \
	--argjson most 10 \
	"$metrics/metrics.jsonl" | while IFS= read -r line; do say "$line"; done
"$nbscope/mk/show/list-mistakes.sh" 10 "$metrics/metrics.jsonl"
[ ! -s "$metrics@previous/metrics.jsonl" ] ||
	jq -L "$nbscope/share/jq" -nrf "$nbscope/share/plan/since.jq" --argjson keep false \
		--slurpfile old "$metrics@previous/metrics.jsonl" \
		--slurpfile new "$metrics/metrics.jsonl" 2>/dev/null |
	while IFS= read -r line; do say "$line"; done
[ -z "${NOTEBOOK-}" ] || "$nbscope/mk/show/suggest-files.sh" "$uc" "$label"
"$nbscope/mk/show/suggest-package.sh" "$uc" "$label"
if [ "${NBSCOPE_OUTPUT-}" ]; then
	python3 -B "$nbscope/share/script/carry.py" "$NBSCOPE_OUTPUT" \
		<"$metrics/metrics.jsonl" || exit 4
	say "notebook: $NBSCOPE_OUTPUT"
fi
tables=cell,notebook
[ ! -e "$metrics/interaction_metrics.csv" ] || tables=cell,interaction,notebook
case $metrics in
*[!\ -~]*) say "tables: $metrics/{$tables}_metrics.csv" ;;
*) echo "tables: $metrics/{$tables}_metrics.csv" ;;
esac
echo "next: $(type_to report)"
base=$("$nbscope/mk/metric/find-last-label.sh" "$uc" "$label")
[ -z "$base" ] || echo "      $(type_to compare "BASE=$base")"
exit $status
