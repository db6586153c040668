#!/bin/sh
# fetch-file.sh URL SHA256 FILE: downloads a file, unless FILE has this checksum already; it
# appears whole or not at all, and only if its checksum is right. For rules in a usecase.mk.
set -eu
. "${0%/*}/../show/say.sh"
[ $# = 3 ] || stop 2 "fetch: three arguments are required: URL SHA256 FILE"
url=$1 sum=$2 file=$3 temp=$3.part.$$
is_right() { [ "$(sha256sum <"$1" 2>/dev/null)" = "$sum  -" ]; }
[ ! -e "$file" ] || ! is_right "$file" || { touch "$file"; exit 0; }
trap 'rm -f "$temp"' EXIT
trap 'exit 130' INT HUP TERM
say "fetch: $url"
curl -fsSL --retry 3 -o "$temp" "$url" || stop 4 "fetch: cannot download $url"
is_right "$temp" ||
	stop 1 "fetch: $url has the checksum $(sha256sum <"$temp" | cut -d' ' -f1), not $sum"
mv "$temp" "$file"
