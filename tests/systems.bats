# bats file_tags=quick
# What make setup says on other systems than Debian.
load helpers

setup() {
	fake=$BATS_TEST_TMPDIR/bin
	mkdir -p "$fake"
	for program in sh sed tr awk cat date echo expr find head id mktemp rm tail; do
		ln -s "$(command -v "$program")" "$fake/$program"
	done
	stub uname 'echo Linux'
	cd "$ROOT"
}

# stub NAME SCRIPT: a program of the fake system.
stub() {
	rm -f "$fake/$1"	# it may be a link to the system's own
	printf '#!%s\n%s\n' "$(command -v sh)" "$2" >"$fake/$1"
	chmod +x "$fake/$1"
}

# on ID FOR...: install-deps on a system of this name, where nothing is installed.
on() {
	printf 'NAME="x"\nID=%s\n' "$1" >"$BATS_TEST_TMPDIR/os-release"
	shift
	run env -i PATH="$fake" HOME="$BATS_TEST_TMPDIR" OS_RELEASE="$BATS_TEST_TMPDIR/os-release" sh mk/setup/install-deps.sh "$@"
	[[ "$output" != *apt-get* ]] || { echo "proposes apt-get: $output"; return 1; }
}

@test "each system's own package manager is named, with its packages" {
	local id manager command packages package
	while read -r id manager command packages; do
		rm -f "$fake"/{dnf,zypper,pacman,apk,brew}
		stub "$manager" 'exit 9'
		on "$id" compile setup chromium
		status_is 1
		[[ $output == *"    ${command//_/ } "*" gcc "* ]] || has gcc
		for package in $packages; do
			grep -qE "^    .* $package( |\$)" <<<"$output" || has " $package"
		done
		[[ $output != *' git'* && $output != *firefox* ]]
	done <<-'EOF'
		fedora dnf dnf_install jq jansson-devel chromium
		"rhel" dnf dnf_install jq jansson-devel chromium
		opensuse-leap zypper zypper_install jq libjansson-devel chromium
		arch pacman pacman_-S_--needed jq jansson chromium
		alpine apk apk_add jq jansson-dev chromium
		guix brew brew_install jq jansson
	EOF
	has 'brew has no package for these; on Debian they are called: '
	has ' chromium-driver chromium'
	has 'without root, install nbscope as a package of Python'
}

@test "names that have not been checked are marked, and others are not" {
	stub zypper 'exit 9'
	on opensuse-leap geckodriver
	has 'have not been checked on such a system: cargo'
	rm "$fake/zypper"
	stub apk 'exit 9'
	on alpine chromium geckodriver
	has 'apk add chromium-chromedriver chromium cargo'
	[[ $output != *checked* ]]
}

@test "a package that a use case needs is found by its command, and named as the system calls it" {
	stub dnf 'exit 9'
	on fedora deb:openjdk-17-jre-headless deb:libfoo9
	status_is 1
	has '    dnf install java-21-openjdk-headless'
	has 'dnf has no package for these; on Debian they are called: libfoo9'
	stub java 'echo "openjdk version \"11.0.2\" 2019-01-15" >&2'
	on fedora deb:openjdk-17-jre-headless
	has 'java-21-openjdk-headless'
	stub java 'echo "openjdk version \"21.0.2\" 2024-01-15" >&2'
	on fedora deb:openjdk-17-jre-headless
	status_is 0
	[ -z "$output" ]
}

@test "on a system without a package manager the missing things are named" {
	on lfs grid
	status_is 1
	has "no package manager that nbscope knows is here: java mvn (Debian's packages: default-jre-headless maven)"
}

@test "on macOS the message says that nbscope measures on Linux" {
	stub uname 'echo Darwin'
	stub brew 'exit 9'
	on x geckodriver
	status_is 1
	has 'nbscope measures on Linux, and this is Darwin'
}

@test "a Chrome that is there is found, and nothing is proposed" {
	stub google-chrome 'exit 9'
	stub chromedriver 'exit 9'
	on fedora chromium
	status_is 0
	[ -z "$output" ]
	rm "$fake/google-chrome"
	stub dnf 'exit 9'
	on fedora chromium
	status_is 1
	stub mychrome 'exit 9'
	BROWSER=$fake/mychrome run env PATH="$fake" sh mk/setup/install-deps.sh chromium
	status_is 0
}

@test "on Debian root installs what is missing, and of two packages the one that there is; anyone else gets the command" {
	local installs="$fake/sh -c 'printf \"#!$fake/sh\\n\" >$fake/cargo; $(command -v chmod) +x $fake/cargo'"
	stub apt-get "echo \"\$@\" >>$BATS_TEST_TMPDIR/asked; case \$* in *install*) $installs ;; esac"
	stub apt-cache '[ "$2" != cargo-web ]'
	rm "$fake/id"
	stub id 'echo 1000'
	debian() { run env -i PATH="$fake" HOME="$BATS_TEST_TMPDIR" NBSCOPE_STORE="$BATS_TEST_TMPDIR" OS_RELEASE=/dev/null sh mk/setup/install-deps.sh "$@"; }
	debian geckodriver --later container
	status_is 1
	has '    sudo apt-get install cargo debootstrap'
	[ ! -e "$BATS_TEST_TMPDIR/asked" ]
	stub id 'echo 0'
	debian geckodriver
	status_is 0
	[[ "$output" =~ ^setup:\ Debian\ packages:\ +cargo\ \([0-9]+\ s\)$ ]] || has 'one line with its duration'
	[ "$(cat "$BATS_TEST_TMPDIR/asked")" = $'update\n-o DPkg::Lock::Timeout=300 install -y --no-install-recommends cargo' ]
	# The list of packages is new enough, and what comes later is not installed now.
	: >"$BATS_TEST_TMPDIR/asked"
	debian geckodriver --later container
	status_is 0
	[ ! -s "$BATS_TEST_TMPDIR/asked" ]
	debian geckodriver container
	status_is 1
	[[ "$(cat "$BATS_TEST_TMPDIR/asked")" != *update* ]]
	has "'debootstrap' is still missing after installing debootstrap"
}

@test "what a user needs has its name in the packages of each system" {
	[ "$(grep -cE '^(setup|python|compile|chromium|firefox|geckodriver) ' share/packages)" -ge 20 ]
	run awk '$1 ~ /^(setup|python|compile|chromium|firefox|geckodriver)$/ && $3 !~ /otf2/ && NF != 8' share/packages
	[ -z "$output" ] || has nothing
}
