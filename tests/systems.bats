# bats file_tags=quick
# What make setup says on other systems than Debian.
load helpers

setup() {
	fake=$BATS_TEST_TMPDIR/bin
	mkdir -p "$fake"
	for program in sh sed tr awk cat echo expr find head id mktemp rm tail; do
		ln -s "$(command -v "$program")" "$fake/$program"
	done
	stub uname 'echo Linux'
	cd "$ROOT"
}

# stub NAME SCRIPT: a program of the fake system.
stub() {
	printf '#!%s\n%s\n' "$(command -v sh)" "$2" >"$fake/$1"
	chmod +x "$fake/$1"
}

# on ID WHAT=PACKAGE...: install-deps on a system of this name.
on() {
	printf 'NAME="x"\nID=%s\n' "$1" >"$BATS_TEST_TMPDIR/os-release"
	shift
	run env -i PATH="$fake" HOME="$BATS_TEST_TMPDIR" OS_RELEASE="$BATS_TEST_TMPDIR/os-release" sh mk/setup/install-deps.sh "$@"
	[[ "$output" != *apt-get* ]] || { echo "proposes apt-get: $output"; return 1; }
}

@test "each system's own package manager is named, with its packages" {
	local id manager command
	while read -r id manager command; do
		rm -f "$fake"/{dnf,zypper,pacman,apk,brew}
		stub "$manager" 'exit 9'
		on "$id" 'jq=jq' '<jansson.h>=libjansson-dev' 'chromium=chromium' '?git=git'
		status_is 1
		has "$command"
	done <<-'EOF'
		fedora dnf dnf install jq jansson-devel chromium
		"rhel" dnf dnf install jq jansson-devel chromium
		opensuse-leap zypper zypper install jq libjansson-devel chromium
		arch pacman pacman -S --needed jq jansson chromium
		alpine apk apk add jq jansson-dev chromium
		guix brew brew install jq jansson
	EOF
	has 'brew has no package for these; on Debian they are called: chromium'
	has 'without root, make setup DEPS_FROM=FOLDER builds jansson'
}

@test "names that have not been checked are marked, and others are not" {
	stub zypper 'exit 9'
	on opensuse-leap 'jq=jq'
	has 'have not been checked on such a system: jq'
	rm "$fake/zypper"
	stub apk 'exit 9'
	on alpine 'jq=jq' 'chromedriver=chromium-driver' 'cargo=cargo'
	has 'apk add jq chromium-chromedriver cargo'
	[[ $output != *checked* ]]
}

@test "on a system without a package manager the missing things are named" {
	on lfs 'jq=jq' '<yaml.h>=libyaml-dev'
	status_is 1
	has "no package manager that nbscope knows is here: jq <yaml.h> (Debian's packages: jq libyaml-dev)"
}

@test "on macOS the message says that nbscope measures on Linux" {
	stub uname 'echo Darwin'
	stub brew 'exit 9'
	on x 'jq=jq'
	status_is 1
	has 'nbscope measures on Linux, and this is Darwin'
}

@test "a Chrome that is there is found, and nothing is proposed" {
	stub google-chrome 'exit 9'
	on fedora 'chromium=chromium'
	status_is 0
	[ -z "$output" ]
	rm "$fake/google-chrome"
	stub dnf 'exit 9'
	on fedora 'chromium=chromium'
	status_is 1
	stub mychrome 'exit 9'
	BROWSER=$fake/mychrome run env PATH="$fake" sh mk/setup/install-deps.sh 'chromium=chromium'
	status_is 0
}

@test "each package that Debian is asked for has its line in share/packages" {
	local package
	for package in $(sed -n '/^DEPS/,/^$/p' mk/deps.mk | grep -o '=[a-z0-9-]*' | tr -d '='); do
		case $package in *otf2*) continue ;; esac
		awk -v p="$package" '$1 == p && NF == 6 {found = 1} END {exit !found}' share/packages || { echo "$package"; return 1; }
	done
}

@test "of source archives only those with the right checksum are built" {
	mkdir "$BATS_TEST_TMPDIR/archives"
	echo other >"$BATS_TEST_TMPDIR/archives/jansson-2.14.tar.gz"
	run -2 mk/setup/build-sources.sh "$BATS_TEST_TMPDIR/archives" "$BATS_TEST_TMPDIR/prefix"
	has 'has a checksum of share/sources'
	[ "$(find "$BATS_TEST_TMPDIR/prefix" -type f)" = '' ]
}

@test "what apt installs is one line, with its duration" {
	stub id 'echo 0'
	stub apt-get "[ \$1 != install ] || { echo noise; : >'$fake/wanted'; chmod +x '$fake/wanted'; }"
	for program in chmod date; do
		ln -s "$(command -v "$program")" "$fake/$program"
	done
	printf 'ID=debian\n' >"$BATS_TEST_TMPDIR/os-release"
	run -0 env -i PATH="$fake" HOME="$BATS_TEST_TMPDIR" OS_RELEASE="$BATS_TEST_TMPDIR/os-release" sh mk/setup/install-deps.sh wanted=a-package
	[[ "$output" =~ ^setup:\ Debian\ packages:\ a-package\ \([0-9]+\ s\)$ ]] || has 'one line'
}
