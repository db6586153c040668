#!/bin/sh
# make-release.sh VERSION CURRENT MAKE: from a clean clone of the last commit, runs all tests and
# writes wheels, Debian package, source archive, manuals and checksums into build/release/VERSION.
# CURRENT is the version in the file VERSION. Nothing is uploaded. In the environment:
#   RELEASE_TESTS  what is run for `make test ALL=1`, by the tests of this script
set -eu
version=$1 current=$2 make=$3
stop() {
	echo "release: $*" >&2
	exit 2
}
[ "$version" ] || stop "which version? make release VERSION=1.2.3"
[ "$version" = "$current" ] ||
	stop "the file VERSION says $current, not $version: set it, CITATION.cff and pyproject.toml"
grep -qE "^## $version, [0-9]{4}-[0-9]{2}-[0-9]{2}$" NEWS.md ||
	stop "NEWS.md has no heading '## $version, YEAR-MONTH-DAY': say what is new for users"
[ -e .git ] || stop 'only a checkout of git can be released'
[ -z "$(git status --porcelain)" ] || stop 'there are changes that are not committed'
to=$PWD/build/release/$version
mkdir -p "${to%/*}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git clone --quiet . "$work/nbscope"
cd "$work/nbscope"
${RELEASE_TESTS:-"$make" test ALL=1}
"$make" wheel deb dist html-manuals
rm -rf "$to.new"
mkdir "$to.new"
cp build/dist/* "$to.new"
tar -C build --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$(git log -1 --format=%ct)" \
	-cf - html-manuals | gzip -9n >"$to.new/nbscope-$version-manuals.tar.gz"
(cd "$to.new" && sha256sum -- * >SHA256SUMS)
rm -rf "$to"
mv "$to.new" "$to"
echo "release: $to"
cat "$to/SHA256SUMS"
