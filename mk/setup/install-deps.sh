#!/bin/sh
# install-deps.sh WHAT=PACKAGE...: installs the Debian packages of what is missing, as root or by
# sudo without a password; otherwise, and on other systems, prints the command to paste.
# ?WHAT=PACKAGE is useful but not required: a failure to install it is reported and ignored.
# WHAT=A/B: package B where there is no A. In the environment:
#   OS_RELEASE  the file that names the system (default /etc/os-release)
set -eu
say() { echo "setup: $*" >&2; }
stop() {
	say "$*"
	exit 1
}

present() {
	case $1 in
	'<'*) echo "#include $1" | "${CC:-cc}" -Ibuild/deps/include -E - >/dev/null 2>&1 ;;
	ensurepip) python3 -c 'import ensurepip, venv' 2>/dev/null ;;
	python3) python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null ;;
	fonts) find /usr/share/fonts -name '*.ttf' 2>/dev/null | grep -q . ;;
	bats) [ -x build/deps/bin/bats ] || command -v bats >/dev/null ;;
	chromium)
		case ${BROWSER-} in */*) [ ! -x "$BROWSER" ] || return 0 ;; esac
		for name in chromium chromium-browser google-chrome google-chrome-stable chrome; do
			! command -v "$name" >/dev/null || return 0
		done
		return 1 ;;
	*.so*) find /usr/lib /lib -name "$1" 2>/dev/null | grep -q . ;;
	*) command -v "$1" >/dev/null ;;
	esac
}

# available PACKAGE...: of each A/B the one that there is.
available() {
	for name; do
		case $name in
		*/*)
			other=${name#*/} name=${name%/*}
			apt-cache show "$name" >/dev/null 2>&1 || name=$other ;;
		esac
		printf ' %s' "$name"
	done
}

missing='' useful='' things=''
for pair; do
	what=${pair%%=*}
	present "${what#[?]}" || case $what in
	'?'*) useful="$useful ${pair#*=}" ;;
	*) missing="$missing ${pair#*=}" things="$things $what" ;;
	esac
done
[ -n "$missing$useful" ] || exit 0
[ "$(uname -s)" = Linux ] || stop "nbscope measures on Linux, and this is $(uname -s): run it in" \
	"a virtual machine or a container with Debian 12 (nbscope-make(7), Systems)"

# The system's own package manager, even if there are others.
system=$(sed -n 's/^ID\(_LIKE\)\{0,1\}=//p' "${OS_RELEASE:-/etc/os-release}" 2>/dev/null |
	tr -d \" | tr '\n' ' ')
case " $system " in
*' debian '* | *' ubuntu '*) own=apt-get ;;
*' fedora '* | *' rhel '*) own=dnf ;;
*' suse '* | *' opensuse'*) own=zypper ;;
*' arch '*) own=pacman ;;
*' alpine '*) own=apk ;;
*) own= ;;
esac
for manager in $own apt-get dnf zypper pacman apk brew none; do
	! command -v "$manager" >/dev/null || break
done
root=none
[ "$(id -u)" != 0 ] || root=
[ ! "$root" ] || ! sudo -n true 2>/dev/null || root=sudo
# What is useful only is installed, not asked for.
[ "$missing" ] || { [ "$manager" = apt-get ] && [ "$root" != none ]; } || exit 0

# The names of the packages on other systems are in columns of share/packages.
case $manager in
apt-get) command='sudo apt-get install' ;;
dnf) column=2 command='sudo dnf install' ;;
zypper) column=3 command='sudo zypper install' ;;
pacman) column=4 command='sudo pacman -S --needed' ;;
apk) column=5 command='sudo apk add' ;;
brew) column=6 command='brew install' ;;
*) stop "missing, and no package manager that nbscope knows is here:$things" \
	"(Debian's packages:$missing)" ;;
esac
print_command() {
	[ "$(id -u)" != 0 ] || command=${command#sudo }
	say 'packages are missing; run this, then try again:'
	echo "    $command$1" >&2
}
# elsewhere: says in the words of this system what is missing.
elsewhere() {
	names='' unchecked='' none=''
	for package in $missing; do
		name=$(awk -v p="${package%/*}" -v c="$column" '$1 == p {print $c}' share/packages)
		case $name in
		=) ;;
		'?'*) names="$names ${name#?}" unchecked="$unchecked ${name#?}" ;;
		'' | -) none="$none $package" ;;
		*) names="$names $name" ;;
		esac
	done
	[ -z "$names" ] || print_command "$names"
	[ -z "$unchecked" ] || say "these names have not been checked on such a system:$unchecked"
	[ -z "$none" ] || say "$manager has no package for these; on Debian they are called:$none"
	case "$things " in
	*'son.h>'* | *'yaml.h>'* | *'sha2.h>'* | *' bats '*)
		say "without root, make setup DEPS_FROM=FOLDER builds jansson, libyaml, libmd and" \
			"bats from their sources (nbscope-make(7), Systems)" ;;
	esac
	exit 1
}
[ "$manager" = apt-get ] || elsewhere
[ "$root" != none ] || { print_command "$(available $missing)"; exit 1; }
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# shellcheck disable=SC2046,SC2086  # words are packages
apt_install() {
	began=$(date +%s)
	export DEBIAN_FRONTEND=noninteractive
	$root apt-get update >"$log" 2>&1 && $root apt-get install -y \
		--no-install-recommends $(available $1) >"$log" 2>&1 &&
		echo "setup: Debian packages:$1 ($(($(date +%s) - began)) s)"
}
[ -z "$missing" ] || apt_install "$missing" || {
	tail -5 "$log" >&2
	stop "apt-get could not install:$missing"
}
[ -z "$useful" ] || apt_install "$useful" || say "continuing without:$useful"
for pair; do
	case $pair in '?'*) continue ;; esac
	present "${pair%%=*}" || stop "'${pair%%=*}' is still missing after installing ${pair#*=}"
done
