#!/bin/sh
# check-tables.sh WHO UC LABEL: fails with a message of WHO if a label has neither runs nor tables,
# or if its tables were damaged or edited.
set -u
. "${0%/*}/../show/say.sh"
who=$1 uc=$2 label=$3 metrics=$2/metrics/$3
if [ ! -e "$metrics/metrics.jsonl" ]; then
	[ ! -e "$uc/runs/$label/.settings" ] || exit 0
	problem="no metrics of label '$label' yet" target=profile
else
	case $who in metrics | profile*) exit 0 ;; esac
	"$nbscope/mk/metric/make-unless.sh" whole "$metrics/.made" metrics.jsonl cell_metrics.csv \
		notebook_metrics.csv interaction_metrics.csv emissions.csv verdict.json -- && exit
	problem="'$metrics/metrics.jsonl' or a table next to it is damaged or was edited"
	target=metrics
fi
stop 2 "$who: $problem: $(type_to $target)"
