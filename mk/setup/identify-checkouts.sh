#!/bin/sh
# identify-checkouts.sh REQUIREMENTS: identifies the contents of each folder among the words: the
# commit and a checksum of the uncommitted changes, or a checksum of its files.
set -f
for word in $1; do
	[ -d "$word" ] || continue
	if commit=$(git -C "$word" rev-parse --short=12 HEAD 2>/dev/null); then
		[ -z "$(git -C "$word" status --porcelain 2>/dev/null)" ] || commit=$commit+$({
			git -C "$word" diff HEAD
			(cd "$word" && git ls-files -zo --exclude-standard | xargs -0 -r cksum)
		} | cksum | cut -d' ' -f1)
		# Git ignores what is built of a front-end extension.
		built=$("${0%/*}/list-labextensions.sh" "$word" |
			"${0%/*}/../run/pass-arguments.sh" cat)
		[ ! "$built" ] || commit=$commit+$(printf %s "$built" | cksum | cut -d' ' -f1)
	else
		commit=$(cd "$word" && find . -type f ! -path '*/__pycache__/*' \
			! -path '*.egg-info/*' ! -path '*/build/*' -exec cksum {} + |
			sort | cksum | cut -d' ' -f1)
	fi
	printf '%s@%s ' "$word" "$commit"
done
