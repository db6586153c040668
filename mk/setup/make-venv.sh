#!/bin/sh
# make-venv.sh [--without-pip] [--uncompiled] DIR REQUIREMENTS [PACKAGE...]: makes a Python
# environment with these packages, by uv or else by pip. With --without-pip it has none, if uv
# installs the packages. With --uncompiled a module is compiled when it is first imported.
# In the environment:
#   NBSCOPE_STORE  of an installed nbscope, all of whose versions, in the folder above, share
#                  environments with the same packages: DIR becomes a link to one
set -eu
if [ "${NBSCOPE_STORE-}" ] && [ ! "${NBSCOPE_ALONE-}" ]; then
	export NBSCOPE_ALONE=1
	exec "$NBSCOPE_BIN/runlock" "${NBSCOPE_STORE%/*}" "$0" "$@"
fi
python=${BASE_PYTHON:-python3} without='' compile=yes link=''
while :; do
	case $1 in
	--without-pip) without=$1 ;;
	--uncompiled) compile= ;;
	*) break ;;
	esac
	shift
done
dir=$1 requirements=$2
shift 2
if [ "${NBSCOPE_STORE-}" ]; then
	link=$dir
	dir=${NBSCOPE_STORE%/*}/${link##*/}-$({
		cat "$requirements"
		"$python" --version
		echo "$*"
	} | cksum | cut -d' ' -f1)
	finish() {
		rm -rf "$link"
		ln -s "../${dir##*/}" "$link"
		touch "$dir/.done"
	}
	[ ! -e "$dir/.done" ] || { finish && exit; }
fi
rm -rf "$dir"
# uv installs the pip that Python brings in a tenth of the time that Python itself takes for it.
"$python" -m venv --without-pip "$dir"
BUNDLED_PIP=$("${0%/*}/find-pip.sh" "$dir/bin/python")
export BUNDLED_PIP
[ "$without" ] || set -- "$BUNDLED_PIP" "$@"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if "$(dirname "$0")/install-packages.sh" "$dir/bin/python" -r "$requirements" "$@" \
	>"$log" 2>&1; then
	# As pip does; but not packages' own tests, a third of all, nor what installs packages.
	[ ! "$compile" ] || "$dir/bin/python" -m compileall -qq -j 0 \
		-x '/site-packages/(.*/tests?|pip|setuptools|pkg_resources)/' "$dir/lib" || :
else
	"$dir/bin/python" -m ensurepip >"$log" 2>&1
	"$dir/bin/python" -m pip install --quiet --disable-pip-version-check -r "$requirements" "$@"
fi || {
	cat "$log" >&2
	exit 1
}
if [ "$link" ]; then
	finish
else
	touch "$dir/.done"
fi
