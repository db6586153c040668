#!/bin/sh
# find-last-label.sh UC LABEL: prints the label, other than LABEL, that was measured last: whose
# latest run began last. Prints nothing if no other label has tables.
set -eu
began=$(for records in "$1"/metrics/*/metrics.jsonl; do
	other=${records%/metrics.jsonl} other=${other##*/}
	[ "$other" = "$2" ] || [ "$other" != "${other%@previous}" ] || [ ! -s "$records" ] ||
		sed -n '/^{"type":"notebook_metrics"/s/.*"t":\([0-9.]*\).*/\1 '"$other/p" "$records"
done)
[ ! "$began" ] || echo "$began" | sort -g | tail -n 1 | cut -d' ' -f2
