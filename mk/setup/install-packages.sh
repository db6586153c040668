#!/bin/sh
# install-packages.sh PYTHON [OPTION...]: installs packages for a Python, with OPTIONs of uv's pip
# install, such as -r FILE. uv takes a fifth of pip's time; status 1: it cannot be installed or
# does not reach the packages. In the environment: what pip and uv read there.
set -eu
[ "${1-}" != --help ] || exec mk/setup/print-usage.sh "$0"
python=$1
shift
uv=build/uv
uv_pin=uv==0.13.9
pip=$(dirname "$python")/pip
[ -x "$pip" ] || pip=build/venv/bin/pip

# pip_says NAME: pip's setting, from the environment or a configuration file.
pip_says() {
	for from in :env: install global; do
		value=$(echo "$pip_config" | sed -n "s/^$from\.$1='\(.*\)'\$/\1/p" | sed 's/\\n/ /g')
		[ -z "$value" ] || break
	done
	echo "$value"
}

# The folders among these that exist: uv fails if one does not, pip goes on.
present() {
	for place; do
		case $place in *://*) ;; *) [ -d "$place" ] || continue ;; esac
		echo "$place"
	done | paste -sd,
}

# set_uv VARIABLE VALUE: passes pip's setting to uv, unless uv has its own.
set_uv() {
	[ -z "$2" ] || eval "export $1=\"\${$1:-\$2}\""
}

if [ ! -x $uv/bin/uv ]; then
	trap 'rm -rf "$uv.$$"' EXIT
	rm -rf "$uv.$$"
	"$pip" install --quiet --disable-pip-version-check --target "$uv.$$" "$uv_pin"
	rm -rf $uv
	mv "$uv.$$" $uv
fi
pip_config=$("$pip" config list)
set_uv UV_DEFAULT_INDEX "$(pip_says index-url)"
set_uv UV_INDEX "$(pip_says extra-index-url)"
# shellcheck disable=SC2046  # words are places
set_uv UV_FIND_LINKS "$(present $(pip_says find-links))"
set_uv UV_INSECURE_HOST "$(pip_says trusted-host)"
set_uv UV_NO_INDEX "$(pip_says no-index)"
set_uv SSL_CERT_FILE "$(pip_says cert)"
set_uv HTTPS_PROXY "$(pip_says proxy)"
# All packages are pinned, so it does not matter which index has one first.
UV_INDEX_STRATEGY=unsafe-best-match $uv/bin/uv pip install --quiet --no-config --python "$python" "$@"
