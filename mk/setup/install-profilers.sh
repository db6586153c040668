#!/bin/sh
# install-profilers.sh PYTHON: installs the profilers of share/profile/requirements.txt for this
# Python in a folder of their own, unless they are there, and prints its path. One that has no
# wheel for it is left out with a line that says so. Status 1: none could be installed. In the
# environment: what pip and uv read there.
set -u
[ "${1-}" != --help ] || exec mk/setup/print-usage.sh "$0"
python=$1 requirements=share/profile/requirements.txt
version=$("$python" -Ic 'import platform; print(platform.python_version())') || exit 1
dir=$PWD/build/profilers/$version
log=$dir.$$.log
if [ -e "$dir/.made" ] && mk/metric/make-unless.sh unless "$dir/.made" -- $requirements -- false; then
	echo "$dir"
	exit
fi
mkdir -p "$(dirname "$dir")"
rm -rf "$dir.$$"
trap 'rm -rf "$dir.$$" "$log"' EXIT
got=
install() {
	mk/setup/install-packages.sh "$python" --target "$dir.$$" --only-binary :all: "$@" >"$log" 2>&1
}
# What they need has the versions of nbscope's own environment, if those fit this Python.
pins=share/lab/requirements.txt packages=$(grep -v '^#' $requirements)
# shellcheck disable=SC2086  # packages are words
if install -c $pins $packages; then
	got=yes packages=
fi
for package in $packages; do
	if install -c $pins "$package" || install "$package"; then
		got=yes
	else
		echo "profilers-overlay: no $package for $python: $(grep -v '^$' "$log" | tail -1)" >&2
	fi
done
if [ ! "$got" ]; then
	mk/show/sanitize-text.sh "profilers-overlay: no profilers for '$python' but those of its standard library" >&2
	exit 1
fi
mk/metric/make-unless.sh unless "$dir.$$/.made" -- $requirements -- true
rm -rf "$dir"
mv "$dir.$$" "$dir"
echo "$dir"
