#!/bin/sh
# install-deps.sh FOR... [--later FOR...]: installs what share/packages lists for this and is
# missing, on Debian as root or by sudo without a password; otherwise, and on other systems, prints
# the command to paste, which names what follows --later, too. FOR is a word of the table, or
# deb:PACKAGE, a package as Debian calls it. What is useful but not required is only installed.
# In the environment:
#   OS_RELEASE  the file that names the system (default /etc/os-release)
set -eu
nbscope=${0%/*}/../..
say() { echo "setup: $*" >&2; }
stop() {
	say "$*"
	exit 1
}

present() {
	case $1 in
	'<'*) echo "#include $1" | "${CC:-cc}" -E - >/dev/null 2>&1 ;;
	ensurepip) python3 -c 'import ensurepip, venv' 2>/dev/null ;;
	python3) python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null ;;
	fonts) [ "$(find /usr/share/fonts -name '*.ttf' 2>/dev/null)" ] ;;
	chromium) "$nbscope/mk/setup/find-browser.sh" >/dev/null ;;
	chromedriver) # mk/setup/choose-driver.sh can fetch one
		command -v chromedriver >/dev/null ||
			{ [ "$(uname -m)" = x86_64 ] && present chromium; } ;;
	java) # of Spark's version
		number=$("${JAVA_HOME:+$JAVA_HOME/bin/}java" -version 2>&1 |
			sed -n 's/.* version "\([0-9]*\).*/\1/p')
		[ "${number:-0}" -ge 17 ] ;;
	deb:*) [ "$(dpkg-query -Wf '${db:Status-Status}' "${1#deb:}" 2>&1)" = installed ] ;;
	*.so*) [ "$(find /usr/lib /lib -name "$1" 2>/dev/null)" ] ;;
	*) command -v "$1" >/dev/null ;;
	esac
}

# available PACKAGE: of A/B the one that there is.
available() {
	if [ "${1#*/}" = "$1" ] || apt-cache show "${1%/*}" >/dev/null 2>&1; then
		echo "${1%/*}"
	else
		echo "${1#*/}"
	fi
}

# The system's own package manager, even if there are others.
own=
case $(sed -n 's/^ID\(_LIKE\)*=//p' "${OS_RELEASE:-/etc/os-release}" 2>/dev/null) in
*debian* | *ubuntu*) own=apt-get ;;
*fedora* | *rhel*) own=dnf ;;
*suse*) own=zypper ;;
*arch*) own=pacman ;;
*alpine*) own=apk ;;
esac
for manager in $own apt-get dnf zypper pacman apk brew none; do
	! command -v "$manager" >/dev/null || break
done
root=none
[ "$(id -u)" != 0 ] || root=
[ ! "$root" ] || ! sudo -n true 2>/dev/null || root=sudo
# Who pastes a command pastes one.
words=" $* "
if [ "$manager" = apt-get ] && [ "$root" != none ]; then
	words="${words%% --later *} "
fi
missing='' packages='' useful='' unchecked='' none='' debian=''
while read -r what package name; do
	package=${package%%/*}
	! present "${what#[?]}" || continue
	case $what in '?'*) useful="$useful $package" && continue ;; esac
	missing="$missing $what" debian="$debian $package"
	case $name in
	=) ;;
	'?'*) packages="$packages ${name#?}" unchecked="$unchecked ${name#?}" ;;
	'' | -) none="$none $package" ;;
	*) packages="$packages $(available "$name")" ;;
	esac
done <<END
$(awk -v words="$words" -v manager="$manager" '
	/^# for/ { for (i = 4; i <= NF; i++) column = $i == manager ? i - 1 : column }
	/^#/ { next }
	{ split($3, debian, "/"); known["deb:" debian[1]] }
	index(words, " " $1 " ") || index(words, " deb:" debian[1] " ") {
		print $2, $3, column ? $column : "-"
	}
	END {
		n = split(words, word, " ")
		for (i = 1; i <= n; i++) if (word[i] ~ /^deb:/ && !(word[i] in known)) {
			name = substr(word[i], 5)
			print word[i], name, manager == "apt-get" ? name : "-"
		}
	}' "$nbscope/share/packages")
END
[ "$missing$useful" ] || exit 0
[ "$(uname -s)" = Linux ] || stop "nbscope measures on Linux, and this is $(uname -s): run it in" \
	"a virtual machine or a container with Debian 12 (nbscope-make(7), Systems)"
if [ "$manager" != apt-get ] || [ "$root" = none ]; then
	[ "$missing" ] || exit 0
	[ "$manager" != none ] || stop "missing, and no package manager that nbscope knows is" \
		"here:$missing (Debian's packages:$debian)"
	[ -z "$none" ] || say "$manager has no package for these; on Debian they are called:$none"
	command=install
	case $manager in pacman) command='-S --needed' ;; apk) command=add ;; esac
	[ "$manager" = brew ] || [ "$(id -u)" = 0 ] || manager="sudo $manager"
	[ -z "$packages" ] || say "packages are missing; run this, then try again:
    $manager $command$packages"
	[ -z "$unchecked" ] || say "these names have not been checked on such a system:$unchecked"
	case $missing in *'.h>'*)
		say "without root, install nbscope as a package of Python, which needs no" \
			"compiler (nbscope-make(7), Systems)" ;;
	esac
	exit 1
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
updated=${NBSCOPE_STORE:-build}/.apt-updated
apt() { LC_ALL=C DEBIAN_FRONTEND=noninteractive $root apt-get "$@"; }
# apt_update: unless another step has, half an hour ago at most.
apt_update() {
	[ ! "$(find "$updated" -mmin -30 2>/dev/null)" ] || return 0
	apt update && if [ -d "${updated%/*}" ]; then : >"$updated"; fi
}
apt_install() {
	apt -o DPkg::Lock::Timeout=300 install -y --no-install-recommends "$@"
}
began=$(date +%s)
{
	apt_update || :
	# shellcheck disable=SC2086  # words are packages
	apt_install $packages $useful && status=0 || {
		status=1
		[ ! "$useful" ] || { [ "$packages" ] && ! apt_install $packages; } || status=2
	}
} >"$log" 2>&1
case $status in
1)
	tail -5 "$log" >&2
	stop "apt-get could not install:$packages" ;;
2)
	say "continuing without:$useful"
	useful='' ;;
esac
[ -z "$packages$useful" ] ||
	echo "setup: Debian packages:$packages$useful ($(($(date +%s) - began)) s)"
for what in $missing; do
	present "$what" || stop "'$what' is still missing after installing$packages"
done
