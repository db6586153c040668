#!/bin/sh
# build-deb.sh TREE FOLDER: writes FOLDER/nbscope_VERSION_ARCH.deb of TREE, what `make install`
# wrote, for the processor here, by dpkg-buildpackage with share/debian. The same tree gives the
# same bytes. In the environment:
#   SOURCE_DATE_EPOCH  the date of all files in it
set -eu
tree=$1 folder=$2 arch=$(dpkg --print-architecture)
version=$(cat "$tree/share/nbscope/VERSION")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
source=$work/nbscope-$version
mkdir -p "$source/tree" "$folder"
cp -R share/debian "$source/debian"
cp -R "$tree" "$source/tree/usr"
# Debian has a jq of its own; the one of the wheel is for systems without.
rm -rf "$source/tree/usr/share/nbscope/bin"
python3 share/debian/changelog.py NEWS.md "$version" "$(sed -n 's/^Maintainer: //p' \
	share/debian/control)" >"$source/debian/changelog"
rm "$source/debian/changelog.py"
cp NEWS.md "$source/"
printf 'NEWS.md\n' >"$source/debian/nbscope.docs"
{
	printf 'Format: %s\nUpstream-Name: nbscope\n\nFiles: *\nCopyright: %s\n' \
		https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/ \
		"$(sed -n 's/^Copyright (c) //p' LICENSE)"
	echo 'License: BSD-3-Clause'
	sed -n '5,$ { s/^$/./; s/^/ /; p }' LICENSE
} >"$source/debian/copyright"
(cd "$source" && dpkg-buildpackage -us -uc -b -d) >"$work/log" 2>&1 || {
	tail -20 "$work/log" >&2
	exit 1
}
deb=nbscope_${version}_$arch.deb
mv "$work/$deb" "$folder/"
echo "deb: $folder/$deb, $(($(stat -c %s "$folder/$deb") / 1000000)) MB"
