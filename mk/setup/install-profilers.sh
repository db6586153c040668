#!/bin/sh
# install-profilers.sh PYTHON: installs the profilers of share/profile/requirements.txt for this
# Python in a folder of their own, unless they are there, and prints its path. One that has no
# wheel for it is left out with a line that says so. Status 1: none could be installed. In the
# environment: what pip and uv read there.
set -u
. "${0%/*}/../show/say.sh"
python=$1 requirements=$nbscope/share/profile/requirements.txt got=
version=$("$python" -Ic 'import platform; print(platform.python_version())') || exit 1
dir=${NBSCOPE_STORE:-$PWD/build}/profilers/$version
new=$dir.$$ log=$dir.$$.log
made() { "$nbscope/mk/metric/make-unless.sh" unless "$1/.made" -- "$requirements" -- "$2"; }
[ ! -e "$dir/.made" ] || ! made "$dir" false || { echo "$dir" && exit; }
mkdir -p "$new"
trap 'rm -rf "$new" "$log"' EXIT
install() {
	"$nbscope/mk/setup/install-packages.sh" "$python" --target "$new" --only-binary :all: \
		"$@" >"$log" 2>&1
}
# What they need has the versions of nbscope's own environment, if those fit this Python.
pins=$nbscope/share/lab/requirements.txt packages=$(grep -v '^#' "$requirements")
# shellcheck disable=SC2086  # packages are words
if install -c "$pins" $packages; then
	got=yes packages=
fi
for package in $packages; do
	if install -c "$pins" "$package" || install "$package"; then
		got=yes
	else
		echo "profilers-overlay: no $package for $python:" \
			"$(grep -v '^$' "$log" | tail -1)" >&2
	fi
done
[ "$got" ] ||
	stop 1 "profilers-overlay: no profilers for '$python' but those of its standard library"
made "$new" true
rm -rf "$dir"
mv "$new" "$dir"
echo "$dir"
