#!/bin/sh
# fetch-sources.sh FOLDER PYTHON: fetches the archives of share/sources that FOLDER lacks, as
# FOLDER/NAME, each by the client of the registry that it comes from, and compares their checksums.
# PYTHON has pip.
set -eu
. "${0%/*}/../show/say.sh"
[ $# = 2 ] || stop 2 "fetch-sources: two arguments are required: FOLDER PYTHON"
mkdir -p "$1"
python=$(cd "${2%/*}" && pwd)/${2##*/}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export APT_CONFIG="$work/apt.conf"

# Debian's source packages. Lists of them are fetched into a folder of their own: the system's stay
# as they are.
fetch_deb() {
	if [ ! -e "$APT_CONFIG" ]; then
		mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/parts"
		cat >"$APT_CONFIG" <<-END
			Dir::State::lists "$work/lists";
			Dir::Cache "$work/cache";
			Dir::Etc::sourcelist "$work/sources.list";
			Dir::Etc::sourceparts "$work/parts";
			APT::Sandbox::User "";
		END
		sed 's/^deb /deb-src /' /etc/apt/sources.list 2>/dev/null >"$work/sources.list" || :
		sed 's/^Types:.*/Types: deb-src/' /etc/apt/sources.list.d/debian.sources \
			2>/dev/null >"$work/parts/debian.sources" || :
		apt-get -qq update
	fi
	apt-get -qq source --download-only --only-source "$1=$2"
}
# A crate comes with those that it depends on, which nobody needs.
fetch_crate() {
	cat >Cargo.toml <<-END
		[package]
		name = "sources"
		version = "0.0.0"
		[dependencies]
		$1 = { version = "=$2", default-features = false }
	END
	mkdir src
	touch src/lib.rs
	CARGO_HOME=$PWD cargo fetch --quiet
}
fetch_pypi() {
	"$python" -m pip download --quiet --disable-pip-version-check --no-deps \
		--no-binary "$1" "$1==$2"
}

while read -r sum name version from package release; do
	case $sum in '#') continue ;; esac
	file=$1/$name
	[ ! -f "$file" ] || [ "$(sha256sum <"$file")" != "$sum  -" ] || continue
	mkdir "$work/$name"
	(cd "$work/$name" && "fetch_$from" "$package" "$release") >"$work/log" 2>&1 || {
		tail -5 "$work/log" >&2
		stop 1 "fetch-sources: cannot fetch $name $version: put an archive with the" \
			"SHA-256 $sum into $1"
	}
	found=$(find "$work/$name" -type f -exec sha256sum {} + | sed -n "s/^$sum  //p" | head -n 1)
	[ "$found" ] || stop 1 "fetch-sources: no file of $from $package $release has the" \
		"checksum of $name in share/sources"
	mv "$found" "$file"
done <share/sources
