#!/bin/sh
# make-venv.sh [--without-pip] DIR REQUIREMENTS [PACKAGE...]: makes a Python environment with these
# packages, by uv or else by pip. With --without-pip it has none, if uv installs the packages: to
# install pip takes more time than all of a small environment.
set -eu
without=
if [ "$1" = --without-pip ]; then
	# mk/setup/install-packages.sh asks a pip for its settings.
	[ ! -x "${NBSCOPE_STORE:-build}/venv/bin/pip" ] || without=$1
	shift
fi
dir=$1 requirements=$2
shift 2
rm -rf "$dir"
"${BASE_PYTHON:-python3}" -m venv ${without:+"$without"} "$dir"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if "$(dirname "$0")/install-packages.sh" "$dir/bin/python" -r "$requirements" "$@" \
	>"$log" 2>&1; then
	# As pip does; but packages' own tests, a third of all, are not compiled.
	"$dir/bin/python" -m compileall -qq -j 0 -x '/site-packages/.*/tests?/' "$dir/lib" || :
else
	[ -z "$without" ] || "$dir/bin/python" -m ensurepip >"$log" 2>&1
	"$dir/bin/python" -m pip install --quiet --disable-pip-version-check -r "$requirements" "$@"
fi || {
	cat "$log" >&2
	exit 1
}
touch "$dir/.done"
