# bats file_tags=quick,long
# Every source on compilers, C libraries and processors that the programs here were not made with.
load helpers

# sources_pass COMPILER FLAG...: it has nothing to say about any source.
sources_pass() {
	local group
	cd "$ROOT"
	for group in tools/*/; do
		# shellcheck disable=SC2086  # words
		find "$group" -name '*.c' -print0 | xargs -0 -n 24 -P "$(nproc)" $1 -fsyntax-only -D_GNU_SOURCE -Itools/lib -Ibuild/obj -I"${group}lib" \
			-DNBSCOPE_VERSION='"x"' -DOBJ_DIR='"build/obj/"' -Wall -Wextra -Wno-missing-field-initializers -Wpedantic -Wshadow -Wconversion -Werror "${@:2}" || return
	done
}
# What clang finds more than gcc with the same options.
clang=(-Wno-sign-conversion -Wno-enum-float-conversion)

# bats test_tags=thorough
@test "gcc takes all sources as C23, whose headers have more names" {
	run sources_pass gcc -std=c2x -include threads.h
	echo "$output"
	status_is 0
}

# bats test_tags=thorough
@test "the newest clang of Debian takes all sources as C23" {
	"$ROOT/mk/setup/install-deps.sh" compilers || skip "there is no clang-19, and it cannot be installed"
	run sources_pass clang-19 -std=c23 -include threads.h "${clang[@]}"
	echo "$output"
	status_is 0
}
