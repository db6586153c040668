#!/bin/sh
# remove-cache.sh FOLDER: prints the size of what an installed nbscope has made for itself in
# FOLDER, and removes it, after a question on a terminal or with YES=1. Results are elsewhere.
set -eu
. "${0%/*}/../show/say.sh"
cache=$1
say "distclean: this removes, with all versions of nbscope:"
du -sch -- "$cache"/* 2>/dev/null | while read -r size folder; do
	say "  $size  $folder"
done
if [ "${YES-}" != 1 ]; then
	[ -t 0 ] || stop 2 \
		"distclean: nothing was removed: nbscope distclean YES=1 removes all of it"
	printf 'distclean: remove all of it? [y/N] '
	read -r answer || answer=
	case $answer in [yY]*) ;; *) stop 2 "distclean: nothing was removed" ;; esac
fi
chmod -R u+w "$cache"
rm -rf "$cache"
say "distclean: removed $cache"
