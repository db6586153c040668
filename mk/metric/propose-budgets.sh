#!/bin/sh
# propose-budgets.sh UC LABEL: writes UC/budgets.yaml.new from the metrics of a label, says what to
# do with it, and fails: without budgets nothing was checked.
. "${0%/*}/../show/say.sh"
uc=$1 label=$2 new=$1/budgets.yaml.new
jq -nrf "$nbscope/share/plan/budgets.jq" "$uc/metrics/$label/metrics.jsonl" >"$new.$$.tmp" &&
	[ -s "$new.$$.tmp" ] || {
	rm -f "$new.$$.tmp"
	stop 6 "check: no $uc/budgets.yaml, and label '$label' has no times to propose one from"
}
mv "$new.$$.tmp" "$new"
stop 6 "check: no $uc/budgets.yaml: limits from label '$label' are in $new:" \
	"delete those that do not matter to you, and mv $new $uc/budgets.yaml;" \
	"then $(type_to check) fails where one is exceeded"
