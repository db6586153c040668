#!/bin/sh
# count-seconds.sh TARGET: prints how many seconds MAX_TIME in the environment is (20min, 2h, 90s);
# a message about another value names the TARGET of make.
. "${0%/*}/../show/say.sh"
seconds=$(printf '%s\n' "${MAX_TIME:-20min}" | awk '{
	unit = $0
	sub(/^[0-9.]+ */, "", unit)
	factor["s"] = 1; factor["min"] = 60; factor["h"] = 3600; factor[""] = 1
	if (/^[0-9.]+ *[a-z]*$/ && unit in factor && $0 + 0 > 0) printf "%d", $0 * factor[unit]
}')
[ "$seconds" ] || stop 2 "$1: MAX_TIME must be a time, as in MAX_TIME=20min or MAX_TIME=2h," \
	"not '$MAX_TIME'"
echo "$seconds"
