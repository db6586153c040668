#!/bin/sh
# show-summary.sh UC LABEL: the end of a profile: prints a summary whose verdict is the exit status,
# where the tables are, and what to type next. In the environment:
#   NOISE   as for mk/metric/write-summary.sh
#   ENDED   a file that is not empty afterwards: the tables were made
set -u
. "${0%/*}/../show/say.sh"
uc=$1 label=$2 metrics=$1/metrics/$2
mk/metric/write-summary.sh "$uc" "$label" || exit
cat "$metrics/.summary"
[ -z "${ENDED-}" ] || echo yes >"$ENDED"
[ -z "${NOTEBOOK-}" ] || mk/show/suggest-files.sh "$uc" "$label"
case $metrics in
*[!\ -~]*) say "tables: $metrics/{cell,notebook}_metrics.csv" ;;
*) echo "tables: $metrics/{cell,notebook}_metrics.csv" ;;
esac
echo "next: $(type_to report)"
base=$(mk/metric/find-last-label.sh "$uc" "$label")
[ -z "$base" ] || echo "      $(type_to compare "BASE=$base")"
grep -q '^{"verdict":"ok"' "$metrics/verdict.json"
