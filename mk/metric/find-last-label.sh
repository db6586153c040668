#!/bin/sh
# find-last-label.sh UC LABEL: prints the label, other than LABEL, that was measured last: whose
# latest run began last. Prints nothing if no other label has tables.
set -eu
began() {
	sed -n '/^{"type":"notebook_metrics"/s/.*"t":\([0-9.]*\).*/\1/p' "$1" | sort -g | tail -1
}
set -- "$2" "$1"/metrics/*/metrics.jsonl
[ $# -gt 2 ] || exit 0
label=$1
shift
for records; do
	other=${records%/metrics.jsonl} other=${other##*/}
	[ "$other" = "$label" ] || [ ! -s "$records" ] || echo "$(began "$records") $other"
done | sort -g | tail -1 | cut -d' ' -f2
