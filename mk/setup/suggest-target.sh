#!/bin/sh
# suggest-target.sh MAKEFILES GOAL...: says which GOAL is no target of ours or of the MAKEFILES,
# and which is the nearest. Goals with a slash or a dot are files, which make itself knows.
set -u
[ "${1-}" != --help ] || exec mk/setup/print-usage.sh "$0"
# shellcheck disable=SC2086  # a file each
targets=$(sed -n 's/^\.PHONY://p' mk/*.mk; sed -n 's/^\([a-zA-Z][a-zA-Z0-9_-]*\)[ :].*/\1/p' $1)
shift
for goal; do
	case $goal in *[/.%]*) continue ;; esac
	for target in $targets; do
		[ "$goal" != "$target" ] || continue 2
	done
	# The number of edits, up to two; of a beginning, none.
	# shellcheck disable=SC2086,SC2016  # one argument each; for awk
	nearest=$(printf '%s\n' $targets | awk -v goal="$goal" '
	function least(x, y) { return x < y ? x : y }
	BEGIN { n = length(goal); found = least(3, n) }
	{
		m = length($0)
		for (i = 0; i <= n; i++) d[i, 0] = i
		for (j = 0; j <= m; j++) d[0, j] = j
		for (i = 1; i <= n; i++) for (j = 1; j <= m; j++)
			d[i, j] = least(least(d[i - 1, j], d[i, j - 1]) + 1, d[i - 1, j - 1] + (substr(goal, i, 1) != substr($0, j, 1)))
		edits = n > 2 && index($0, goal) == 1 ? 0 : d[n, m]
		if (edits < found) { found = edits; nearest = $0 }
	}
	END { print nearest }')
	mk/show/sanitize-text.sh "no target '$goal'$([ -n "$nearest" ] && echo "; did you mean '$nearest'?" || echo ": see 'make help'")"
	exit
done
