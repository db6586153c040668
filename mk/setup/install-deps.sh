#!/bin/sh
# install-deps.sh WHAT=PACKAGE...: installs the Debian packages of what is missing, as root or by
# sudo without a password; otherwise, and on other systems, prints the command to paste.
# ?WHAT=PACKAGE is useful but not required: a failure to install it is reported and ignored.
# WHAT=A/B: package B where there is no A. In the environment:
#   BROWSER     a path: this is the browser that has to be there
#   OS_RELEASE  the file that names the system (default /etc/os-release)
set -eu
[ "${1-}" != --help ] || exec mk/setup/print-usage.sh "$0"
own=build/deps	# what mk/setup/build-sources.sh has built

present() {
	case $1 in
	'<'*) echo "#include $1" | "${CC:-cc}" -I"$own/include" -E - >/dev/null 2>&1 ;;
	ensurepip) python3 -c 'import ensurepip, venv' 2>/dev/null ;;
	python3) python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null ;;
	fonts) [ -n "$(find /usr/share/fonts -name '*.ttf' 2>/dev/null | head -1)" ] ;;
	bats) [ -x "$own/bin/bats" ] || command -v bats >/dev/null ;;
	chromium)
		case ${BROWSER-} in */*) [ ! -x "$BROWSER" ] || return 0 ;; esac
		for name in chromium chromium-browser google-chrome google-chrome-stable chrome; do
			! command -v "$name" >/dev/null || return 0
		done
		return 1 ;;
	*.so*) [ -n "$(find /usr/lib /lib -name "$1" 2>/dev/null | head -1)" ] ;;
	*) command -v "$1" >/dev/null ;;
	esac
}

# available PACKAGE...: of each A/B the one that there is.
available() {
	for name; do
		case $name in */*) if apt-cache show "${name%/*}" >/dev/null 2>&1; then name=${name%/*}; else name=${name#*/}; fi ;; esac
		printf ' %s' "$name"
	done
}

missing= useful= things=
for pair; do
	case $pair in
	'?'*) present "$(expr "$pair" : '?\([^=]*\)')" || useful="$useful ${pair#*=}" ;;
	*) present "${pair%%=*}" || { missing="$missing ${pair#*=}" things="$things ${pair%%=*}"; } ;;
	esac
done
[ -n "$missing$useful" ] || exit 0

if [ "$(uname -s)" != Linux ]; then
	echo "setup: nbscope measures on Linux, and this is $(uname -s): run it in a virtual machine or a container with Debian 12 (nbscope-make(7), Systems)" >&2
	exit 1
fi

# The system's own package manager, even if there are others.
case " $(sed -n 's/^ID\(_LIKE\)\{0,1\}=//p' "${OS_RELEASE:-/etc/os-release}" 2>/dev/null | tr -d \" | tr '\n' ' ')" in
*' debian '* | *' ubuntu '*) managers=apt-get ;;
*' fedora '* | *' rhel '*) managers=dnf ;;
*' suse '* | *' opensuse'*) managers=zypper ;;
*' arch '*) managers=pacman ;;
*' alpine '*) managers=apk ;;
*) managers= ;;
esac
manager=
for name in $managers apt-get dnf zypper pacman apk brew; do
	[ -n "$manager" ] || ! command -v "$name" >/dev/null || manager=$name
done
if [ "$(id -u)" = 0 ]; then
	as_root=
elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
	as_root=sudo
else
	as_root=none
fi

# elsewhere: says in the words of this system what is missing.
elsewhere() {
	[ -n "$missing" ] || exit 0
	case $manager in
	dnf) column=2 command='sudo dnf install' ;;
	zypper) column=3 command='sudo zypper install' ;;
	pacman) column=4 command='sudo pacman -S --needed' ;;
	apk) column=5 command='sudo apk add' ;;
	brew) column=6 command='brew install' ;;
	*)
		echo "setup: missing, and no package manager that nbscope knows is here:$things (Debian's packages:$missing)" >&2
		exit 1 ;;
	esac
	[ "$(id -u)" != 0 ] || command=${command#sudo }
	names= unchecked= none=
	for package in $missing; do
		name=$(awk -v p="${package%/*}" -v c="$column" '$1 == p {print $c}' share/packages)
		case $name in
		=) ;;
		'?'*) names="$names ${name#?}" unchecked="$unchecked ${name#?}" ;;
		'' | -) none="$none $package" ;;
		*) names="$names $name" ;;
		esac
	done
	{
		[ -z "$names" ] || printf 'setup: packages are missing; run this, then try again:\n    %s%s\n' "$command" "$names"
		[ -z "$unchecked" ] || echo "setup: these names have not been checked on such a system:$unchecked"
		[ -z "$none" ] || echo "setup: $manager has no package for these; on Debian they are called:$none"
		case "$things " in
		*'son.h>'* | *'yaml.h>'* | *'sha2.h>'* | *' bats '*) echo "setup: without root, make setup DEPS_FROM=FOLDER builds jansson, libyaml, libmd and bats from their sources (nbscope-make(7), Systems)" ;;
		esac
	} >&2
	exit 1
}
[ "$manager" = apt-get ] || elsewhere
if [ "$as_root" = none ]; then
	[ -n "$missing" ] || exit 0
	echo "setup: packages are missing; run this, then try again:" >&2
	echo "    sudo apt-get install$(available $missing)" >&2
	exit 1
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# shellcheck disable=SC2086  # words are packages
apt_install() {
	echo "setup: installing$1"
	$as_root apt-get update >"$log" 2>&1 || return
	DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y --no-install-recommends $(available $1) >"$log" 2>&1
}
if [ -n "$missing" ] && ! apt_install "$missing"; then
	tail -5 "$log" >&2
	echo "setup: apt-get could not install:$missing" >&2
	exit 1
fi
[ -z "$useful" ] || apt_install "$useful" || echo "setup: continuing without:$useful" >&2
for pair; do
	case $pair in '?'*) continue ;; esac
	present "${pair%%=*}" || { echo "setup: '${pair%%=*}' is still missing after installing ${pair#*=}" >&2; exit 1; }
done
