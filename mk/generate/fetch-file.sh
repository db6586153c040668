#!/bin/sh
# fetch-file.sh URL SHA256 FILE: downloads a file, unless FILE has this checksum already; it
# appears whole or not at all, and only if its checksum is right. For rules in a usecase.mk.
set -eu
[ "${1-}" != --help ] || exec mk/setup/print-usage.sh "$0"
[ $# = 3 ] || { echo "fetch: three arguments are required: URL SHA256 FILE" >&2; exit 2; }
url=$1 sum=$2 file=$3
is_right() { [ "$(sha256sum <"$1" 2>/dev/null)" = "$sum  -" ]; }
[ ! -e "$file" ] || ! is_right "$file" || { touch "$file"; exit 0; }
temp=$file.part.$$
trap 'rm -f "$temp"' EXIT
trap 'exit 130' INT HUP TERM
mk/show/sanitize-text.sh "fetch: $url"
curl -fsSL --retry 3 -o "$temp" "$url" || { mk/show/sanitize-text.sh "fetch: cannot download $url" >&2; exit 4; }
is_right "$temp" || {
	mk/show/sanitize-text.sh "fetch: $url has the checksum $(sha256sum <"$temp" | cut -d' ' -f1), not $sum" >&2
	exit 1
}
mv "$temp" "$file"
