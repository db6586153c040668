#!/bin/sh
# build-sources.sh FOLDER PREFIX [NAME...]: builds the static libraries, and jq, of share/sources
# below PREFIX, all or these, from their archives in FOLDER (mk/setup/fetch-sources.sh). They
# contain no path of this machine. In the environment:
#   CC AR RANLIB  the compiler and its tools, each one word on PATH (default cc, ar, ranlib)
#   HOST          the system that they compile for, as in x86_64-linux-gnu
set -eu
. "${0%/*}/../show/say.sh"
[ $# -ge 2 ] && [ -d "$1" ] || stop 2 "build-sources: two arguments are required: FOLDER PREFIX"
mkdir -p "$2/lib" "$2/include" "$2/bin"
folder=$(cd "$1" && pwd) prefix=$(cd "$2" && pwd)
shift 2
: "${CC:=cc}" "${AR:=ar}" "${RANLIB:=ranlib}" "${HOST:=$(uname -m)-linux-gnu}"
export CC AR RANLIB
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
jobs=$(nproc)
# OpenSSL's libraries contain the date.
export CFLAGS='-O2 -fPIC -g0' ZIGCC_FOLDER="$work" SOURCE_DATE_EPOCH=315532800

# archive LIBRARY FLAGS SOURCE...: a static library.
archive() {
	library=$1 flags=$2
	shift 2
	mkdir objects
	for source; do
		# shellcheck disable=SC2086  # words
		"$CC" $CFLAGS $flags -c -o "objects/${source##*/}.o" "$source"
	done
	"$AR" rcs "$prefix/lib/lib$library.a" objects/*.o
}
# by_cmake TARGET FLAG...: a library whose sources are in this folder.
by_cmake() {
	target=$1
	shift
	cmake -B made -DCMAKE_BUILD_TYPE=Release -DCMAKE_POLICY_VERSION_MINIMUM=3.5 \
		-DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR="${HOST%%-*}" \
		-DCMAKE_C_COMPILER="$CC" -DCMAKE_AR="$(command -v "$AR")" \
		-DCMAKE_RANLIB="$(command -v "$RANLIB")" -DCMAKE_C_FLAGS_RELEASE= \
		-DCMAKE_INSTALL_PREFIX=/usr -DCMAKE_INSTALL_LIBDIR=lib \
		-DCMAKE_FIND_ROOT_PATH="$prefix" -DCMAKE_FIND_ROOT_PATH_MODE_LIBRARY=ONLY \
		-DCMAKE_FIND_ROOT_PATH_MODE_INCLUDE=ONLY -DCMAKE_FIND_ROOT_PATH_MODE_PACKAGE=ONLY \
		-DPKG_CONFIG_EXECUTABLE= -DOPENSSL_ROOT_DIR="$prefix" "$@"
	cmake --build made -j "$jobs" --target "$target"
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
	./configure --quiet --host="$HOST" --disable-shared --prefix="$prefix"
	make -s install
}
# TLS as clients and a self-signed certificate need it; no settings of the system's own OpenSSL.
build_openssl() {
	cd openssl
	./Configure "linux-${HOST%%-*}" no-shared no-tests no-apps no-docs no-module no-legacy \
		no-engine no-dso no-comp no-dtls no-ssl3 no-srp no-quic no-autoload-config \
		no-cms no-cmp no-ts no-ct no-srtp no-gost no-aria no-camellia no-idea no-seed \
		no-sm2 no-sm3 no-sm4 no-bf no-cast no-rc2 no-rc4 no-whirlpool no-mdc2 no-rmd160 \
		no-blake2 no-argon2 no-slh-dsa no-ml-dsa no-siphash no-siv \
		--prefix=/usr --openssldir=/etc/ssl --libdir=lib
	make -s -j "$jobs" build_libs
	cp libssl.a libcrypto.a "$prefix/lib"
	cp -r include/openssl "$prefix/include"
}
# HTTP and HTTPS alone. Which certificates are trusted, net/trust.c says; the folder is Debian's.
build_curl() {
	cd curl
	mkdir -p docs
	touch docs/CMakeLists.txt
	by_cmake all -DHTTP_ONLY=ON -DBUILD_CURL_EXE=OFF -DBUILD_SHARED_LIBS=OFF \
		-DBUILD_TESTING=OFF -DBUILD_LIBCURL_DOCS=OFF -DBUILD_MISC_DOCS=OFF \
		-DBUILD_EXAMPLES=OFF -DCURL_ZLIB=OFF \
		-DCURL_BROTLI=OFF -DCURL_ZSTD=OFF -DUSE_NGHTTP2=OFF -DUSE_LIBIDN2=OFF \
		-DCURL_USE_LIBPSL=OFF -DCURL_USE_LIBSSH2=OFF -DCURL_USE_OPENSSL=ON \
		-DCURL_CA_BUNDLE=none -DCURL_CA_PATH=/etc/ssl/certs
	cp made/lib/libcurl.a "$prefix/lib"
	cp -r include/curl "$prefix/include"
}
build_libwebsockets() {
	by_cmake websockets -DLWS_WITH_SHARED=OFF -DLWS_STATIC_PIC=ON -DLWS_WITHOUT_TESTAPPS=ON \
		-DLWS_WITHOUT_SERVER=ON -DLWS_WITH_HTTP2=OFF -DLWS_IPV6=ON -DLWS_UNIX_SOCK=OFF \
		-DLWS_WITH_LIBCAP=OFF -DLWS_WITHOUT_EXTENSIONS=ON -DDISABLE_WERROR=ON
	cp made/lib/libwebsockets.a "$prefix/lib"
	cp -r include/libwebsockets include/libwebsockets.h made/include/*.h "$prefix/include"
	cp made/lws_config.h "$prefix/include" 2>/dev/null || :
}
build_jq() {
	tar -xf deps/jq-*.tar.gz --strip-components=1
	./configure --quiet --host="$HOST" --disable-shared --enable-static --disable-docs \
		--disable-maintainer-mode --with-oniguruma=builtin --prefix=/usr LDFLAGS=-s
	make -s -j "$jobs"
	cp jq "$prefix/bin"
}

while read -r sum name version rest; do
	case $sum in '#') continue ;; esac
	[ $# = 0 ] || case " $* " in *" $name "*) ;; *) continue ;; esac
	[ "$(sha256sum <"$folder/$name")" = "$sum  -" ] ||
		stop 2 "build-sources: '$folder/$name' is not that of share/sources"
	mkdir "$work/$name"
	tar -xf "$folder/$name" -C "$work/$name" --strip-components=1
	echo "setup: building $name $version"
	(cd "$work/$name" && "build_$name") >"$work/log" 2>&1 || {
		tail -15 "$work/log" >&2
		stop 1 "build-sources: cannot build $name $version"
	}
	rm -rf "${work:?}/$name"
done <share/sources
