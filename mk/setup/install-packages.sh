#!/bin/sh
# install-packages.sh PYTHON [OPTION...]: installs packages for a Python, with OPTIONs of uv's pip
# install, such as -r FILE. uv takes a fifth of pip's time; status 1: it cannot be installed or does
# not reach the packages.
set -eu
python=$1 uv=${NBSCOPE_STORE:-build}/uv uv_pin=uv==0.13.9
shift
# pip ARGUMENT...: that of the environment, else the one that Python brings (mk/setup/make-venv.sh).
pip() {
	for pip in "$(dirname "$python")/pip" "${NBSCOPE_STORE:-build}/venv/bin/pip"; do
		[ ! -x "$pip" ] || break
	done
	if [ "${BUNDLED_PIP-}" ] && [ ! -x "$pip" ]; then
		"$python" "$BUNDLED_PIP/pip" "$@"
	else
		"$pip" "$@"
	fi
}

if [ ! -x "$uv/bin/uv" ]; then
	trap 'rm -rf "$uv.$$"' EXIT
	rm -rf "$uv.$$"
	pip install --quiet --disable-pip-version-check --target "$uv.$$" "$uv_pin"
	rm -rf "$uv"
	mv "$uv.$$" "$uv"
fi
pip_config=$(pip config list)
# from_pip VARIABLE NAME: passes pip's setting to uv, from the environment or a configuration file,
# unless uv has its own. Of the folders in find-links those that exist: uv fails if one does not.
from_pip() {
	value=
	for from in :env: install global; do
		[ "$value" ] ||
			value=$(echo "$pip_config" | sed -n "s/^$from\.$2='\(.*\)'\$/\1/p")
	done
	value=$(echo "$value" | sed 's/\\n/ /g')
	[ "$2" != find-links ] || value=$(for place in $value; do
		case $place in *://*) ;; *) [ -d "$place" ] || continue ;; esac
		echo "$place"
	done | paste -sd,)
	[ -z "$value" ] || [ "$(printenv "$1")" ] || export "$1=$value"
}
from_pip UV_DEFAULT_INDEX index-url
from_pip UV_INDEX extra-index-url
from_pip UV_FIND_LINKS find-links
from_pip UV_INSECURE_HOST trusted-host
from_pip UV_NO_INDEX no-index
from_pip SSL_CERT_FILE cert
from_pip HTTPS_PROXY proxy
# All packages are pinned, so it does not matter which index has one first.
export UV_INDEX_STRATEGY=unsafe-best-match
exec "$uv/bin/uv" pip install --quiet --no-config --python "$python" "$@"
