#!/bin/sh
# build-sources.sh FOLDER PREFIX: builds jansson, libyaml, libmd and bats below PREFIX from those
# of their source archives that are in FOLDER, recognized by their checksums in share/sources.
# Needs a C compiler and make, and no network.
set -eu
. "${0%/*}/../show/say.sh"
[ $# = 2 ] && [ -d "$1" ] || stop 2 "build-sources: two arguments are required: FOLDER PREFIX"
mkdir -p "$2"
prefix=$(cd "$2" && pwd)
work=$(mktemp -d) built=
trap 'rm -rf "$work"' EXIT
: "${CC:=cc}"
mkdir -p "$prefix/lib" "$prefix/include" "$prefix/bin"

# archive LIBRARY FLAGS SOURCE...: a static library.
archive() {
	library=$1 flags=$2
	shift 2
	mkdir "$work/objects.$library"
	for source; do
		# shellcheck disable=SC2086  # words
		"$CC" -O2 -fPIC $flags -c -o "$work/objects.$library/${source##*/}.o" "$source"
	done
	ar rcs "$prefix/lib/lib$library.a" "$work/objects.$library"/*.o
}

# Without their own configure, which an archive of the repository does not have.
build_jansson() {
	sed 's/@json_inline@/inline/; s/@[a-z_]*@/1/' src/jansson_config.h.in >src/jansson_config.h
	printf '#define HAVE_%s 1\n' UNISTD_H STDINT_H FCNTL_H SCHED_H SYS_STAT_H SYS_TIME_H \
		SYS_TYPES_H SYS_PARAM_H ENDIAN_H GETTIMEOFDAY SCHED_YIELD STRTOLL OPEN READ CLOSE \
		GETPID >src/jansson_private_config.h
	printf '#define %s\n' 'USE_URANDOM 1' 'INITIAL_HASHTABLE_ORDER 3' \
		>>src/jansson_private_config.h
	archive jansson '-DHAVE_CONFIG_H -Isrc' src/*.c
	cp src/jansson.h src/jansson_config.h "$prefix/include"
}
build_libyaml() {
	archive yaml "-Iinclude -DYAML_VERSION_MAJOR=0 -DYAML_VERSION_MINOR=2 \
		-DYAML_VERSION_PATCH=5 -DYAML_VERSION_STRING=\"$version\"" src/*.c
	cp include/yaml.h "$prefix/include"
}
build_libmd() {
	./configure --quiet --disable-shared --prefix="$prefix"
	make -s install
}
build_bats() {
	./install.sh "$prefix"
}

while read -r sum name version; do
	case $sum in '#') continue ;; esac
	for file in "$1"/*; do
		[ -f "$file" ] && [ "$(sha256sum <"$file")" = "$sum  -" ] || continue
		mkdir "$work/$name"
		tar -xf "$file" -C "$work/$name" --strip-components=1
		echo "setup: building $name $version"
		(cd "$work/$name" && "build_$name") >"$work/log" 2>&1 || {
			tail -5 "$work/log" >&2
			stop 1 "build-sources: cannot build $name $version"
		}
		built="$built $name"
		break
	done
done <share/sources
[ -n "$built" ] || stop 2 "build-sources: no archive in $1 has a checksum of share/sources"
