#!/bin/sh
# suggest-target.sh MAKEFILES GOAL...: says which GOAL is no target of ours or of the MAKEFILES,
# and which is the nearest. Goals with a slash or a dot are files, which make itself knows.
nbscope=${0%/*}/../..
makefiles=$1
shift
typed=make
[ -e "$nbscope/mk/build.mk" ] || typed=nbscope
# shellcheck disable=SC2086  # a file each
typed=$typed goals=$* exec awk '
function least(x, y) { return x < y ? x : y }
# How many edits make one word of another; few if it is the beginning.
function edits(a, b, i, j, d) {
	if (length(a) > 2 && index(b, a) == 1) return (length(b) - length(a)) / 99
	for (i = 0; i <= length(a); i++) for (j = 0; j <= length(b); j++)
		d[i, j] = !i || !j ? i + j : least(least(d[i - 1, j], d[i, j - 1]) + 1,
			d[i - 1, j - 1] + (substr(a, i, 1) != substr(b, j, 1)))
	return d[length(a), length(b)]
}
sub(/^\.PHONY:/, "") || /^[a-zA-Z][^=#$:]*:([^=]|$)/ && sub(/:.*/, "") {
	for (i = 1; i <= NF; i++) target[$i]
}
END {
	n = split(ENVIRON["goals"], goals)
	for (g = 1; g <= n; g++) {
		if (goals[g] in target || goals[g] ~ /[\/.%]/) continue
		found = least(3, length(goals[g]))
		for (t in target) if ((e = edits(goals[g], t)) < found) {
			found = e
			nearest = t
		}
		print "no target \047" goals[g] "\047" (nearest != "" ? "; did you mean \047" \
			nearest "\047?" : ": see \047" ENVIRON["typed"] " help\047")
		exit
	}
}' $makefiles "$nbscope"/mk/*.mk "$nbscope"/share/tasks/*.mk $(ls "$nbscope"/tests/*.mk 2>/dev/null)
