#!/bin/sh
# check-tables.sh WHO UC LABEL: fails with a message of WHO if a label has neither runs nor tables,
# or if its tables were damaged or edited.
set -u
[ "${1-}" != --help ] || exec mk/setup/print-usage.sh "$0"
who=$1 uc=$2 label=$3 metrics=$2/metrics/$3
if [ ! -e "$metrics/metrics.jsonl" ]; then
	[ ! -e "$uc/runs/$label/.settings" ] || exit 0
	echo "$who: no metrics of label '$label' yet: $(mk/show/print-command.sh profile "$uc" "$label")" >&2
	exit 2
fi
case $who in metrics | profile*) exit 0 ;; esac
mk/metric/make-unless.sh whole "$metrics/.made" metrics.jsonl cell_metrics.csv notebook_metrics.csv -- || {
	mk/show/sanitize-text.sh "$who: '$metrics/metrics.jsonl' or a table next to it is damaged or was edited:" \
		"$(mk/show/print-command.sh metrics "$uc" "$label")" >&2
	exit 2
}
