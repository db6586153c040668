#!/bin/sh
# suggest-target.sh MAKEFILES GOAL...: says which GOAL is no target of ours or of the MAKEFILES,
# and which is the nearest. Goals with a slash or a dot are files, which make itself knows.
set -u
. "${0%/*}/../show/say.sh"
# shellcheck disable=SC2086  # a file each
targets=$(sed -n 's/^\.PHONY://p' mk/*.mk; sed -n 's/^\([a-zA-Z][a-zA-Z0-9_-]*\)[ :].*/\1/p' $1)
shift
for goal; do
	case $goal in *[/.%]*) continue ;; esac
	# The number of edits, up to two; of a beginning, none.
	# shellcheck disable=SC2086  # one word each
	nearest=$(printf '%s\n' $targets | awk -v goal="$goal" '
	function least(x, y) { return x < y ? x : y }
	BEGIN { n = length(goal); found = least(3, n) }
	$0 == goal { known = 1 }
	{
		m = length($0)
		for (i = 0; i <= n; i++) d[i, 0] = i
		for (j = 0; j <= m; j++) d[0, j] = j
		for (i = 1; i <= n; i++) for (j = 1; j <= m; j++)
			d[i, j] = least(least(d[i - 1, j], d[i, j - 1]) + 1,
				d[i - 1, j - 1] + (substr(goal, i, 1) != substr($0, j, 1)))
		edits = n > 2 && index($0, goal) == 1 ? 0 : d[n, m]
		if (edits < found) { found = edits; nearest = $0 }
	}
	END {
		print known ? "known" : nearest ? "; did you mean \047" nearest "\047?" : \
			": see \047make help\047"
	}')
	[ "$nearest" != known ] || continue
	say "no target '$goal'$nearest"
	exit
done
