# bats file_tags=quick
# Plain technical English: see CONTRIBUTING.md.
load helpers

setup() { cd "$ROOT" || return; }

# a_tree: a repository of its own, with the word list and one file, tools/x.c, of standard input.
a_tree() {
	mkdir -p "$BATS_TEST_TMPDIR/tree/tests" "$BATS_TEST_TMPDIR/tree/tools"
	cp tests/language tests/words "$BATS_TEST_TMPDIR/tree/tests/"
	cd "$BATS_TEST_TMPDIR/tree" || return
	cat >tools/x.c
	git init -q . && git add tools/x.c
}

@test "no comment, message, manual or text has a word of tests/words" {
	run tests/language
	[ "$status" -eq 0 ] || { echo "$(wc -l <<<"$output") places: tests/language lists them"; head -n 40 <<<"$output"; return 1; }
}

@test "words are found in comments and messages, also across lines, and not in code" {
	a_tree <<-'C'
	/* It begins
	 * anew, by
	 * turns. */
	int anew(void) { return puts("nothing is wanted"); }
	C
	run tests/language
	status_is 1
	[ "$output" = "tools/x.c:2: 'anew': write: again
tools/x.c:2: 'by * turns': write: interleaved, alternately
tools/x.c:4: 'wanted': write: requires, expected" ]
}

@test "each line of tests/words is a scope, an expression and a replacement" {
	run grep -vnP '^#|^(any|message|text)\t[^\t]+\t[^\t]+$' tests/words
	[ -z "$output" ]
}

@test "nothing is misspelt" {
	codespell=$ROOT/build/testvenv/bin/codespell
	[ -x "$codespell" ] || codespell=codespell
	run "$codespell"
	status_is 0
	[ -z "$output" ]
}
