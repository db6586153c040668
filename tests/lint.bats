# bats file_tags=quick
# The Python and JavaScript: see tests/lint, .ruff.toml and .oxlintrc.json.
load helpers

setup_file() {
	[ -x "$ROOT/build/testvenv/bin/ruff" ] || { echo "no ruff in build/testvenv: make prepare-test installs it" >&2; return 1; }
	export PATH=$ROOT/build/testvenv/bin:$PATH
}

# planted FILE TEXT MESSAGE: tests/lint fails and says so in a tree that has this file.
planted() {
	local tree=$BATS_TEST_TMPDIR/tree
	rm -rf "$tree"
	mkdir -p "$tree/tests" "$tree/$(dirname "$1")"
	cp "$ROOT"/{.ruff.toml,.oxlintrc.json,.clang-format} "$tree"
	cp "$ROOT"/tests/{lint,format} "$tree/tests"
	printf "$2" >"$tree/$1"
	git -C "$tree" init -q
	git -C "$tree" add .
	run "$tree/tests/lint"
	status_is 1
	has "$3"
}

@test "no Python and no JavaScript has a finding, and all is laid out as the formatters say" {
	run "$ROOT/tests/lint"
	[ -z "$output" ] || { echo "$output"; return 1; }
	status_is 0
}

@test "a finding in Python or JavaScript is reported, also in a script without an extension" {
	planted a.py 'import os\n' 'a.py:1:8: F401'
	planted a.py 'f( 1)\n' '+f(1)'
	planted share/tasks/a '#!/usr/bin/env python3\nprint(nothing_known)\n' 'share/tasks/a:2:7: F821'
	planted a.js 'const a = b;\n' "a.js:1:11: 'b' is not defined"
	planted mk/a.mk "$(printf 'a:\n\t@echo %0100d' 0)\n" 'mk/a.mk:2: 114 columns, more than 100'
	planted a.js "{\n    alert('a');\n}\n" "-    alert('a');"
}

@test "a name that no piece of a module defines is reported" {
	cp -r "$ROOT/share" "$ROOT/tests" "$ROOT"/{.ruff.toml,.oxlintrc.json,.clang-format} "$BATS_TEST_TMPDIR"
	cd "$BATS_TEST_TMPDIR" || return
	run tests/lint share/page/pending.py share/profile/lines.py
	[ -z "$output" ]
	sed -i 's/^def is_own/def is_ours/' share/page/endless.py
	run tests/lint share/page/pending.py
	status_is 1
	has "share/page/pending.py:41:9: F821 Undefined name \`is_own\`"
}
