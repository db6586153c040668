# bats file_tags=untimed
load helpers
every_package

setup() { cd "$BATS_TEST_TMPDIR" || return; }

# page NAME: a manual page of the test's own, with the block on standard input.
page() {
	{
		printf '.Dd November 21, 2026\n.Dt X 1\n.Os nbscope\n.Sh NAME\n.Nm x\n.Nd x\n.Sh EXAMPLES\n.Bd -literal\n'
		cat
		printf '.Ed\n'
	} >"$1"
}

@test "every example of every page prints what the page says" {
	run "$ROOT/tests/manexamples" "$ROOT"/man/*.[17]
	status_is 0
}

@test "every page is good mdoc" {
	run mandoc -Tlint -W warning "$ROOT"/man/*.[17]
	status_is 0
	[ -z "$output" ]
}

@test "quotes are in pairs where a page is read, and none has a list in it" {
	run -0 python3 - "$ROOT"/man/*.[17] <<'P'
import re, subprocess, sys
for page in sys.argv[1:]:
    text = subprocess.run(["mandoc", "-Tutf8", "-Owidth=1000", page], capture_output=True, text=True, check=True).stdout
    for part in re.split(r"\n\s*\n", re.sub(".\x08", "", text)):
        part, depth = " ".join(part.split()), 0
        for m in re.finditer("[‘’]", part):
            apostrophe = m[0] == "’" and depth == 0 and part[m.start() - 1].isalnum()
            depth += 0 if apostrophe else 1 if m[0] == "‘" else -1
            if not 0 <= depth <= 1:
                print(f"{page}: {part[max(0, m.start() - 30) : m.start() + 60]}")
                break
        if depth == 1:
            print(f"{page}: not closed: {part[:90]}")
        for quoted in re.findall("‘([^‘’]*)’", part):
            if re.fullmatch(r"[\w:.-]+( \w+)?(, [\w:.-]+)+", quoted):
                print(f"{page}: a list in one pair: {quoted}")
P
	[ -z "$output" ]
}

@test "every reference leads to a page, or to another project's program" {
	bad=
	while read -r name section; do
		[ -e "$ROOT/man/$name.$section" ] && continue
		[[ ! -e "$BIN/$name" && $name != nbscope* ]] && command -v "$name" >/dev/null && continue
		bad+=" $name($section)"
	done < <(sed -n 's/^\.Xr \([^ ]*\) \([0-9]\).*/\1 \2/p' "$ROOT"/man/*.[17] | sort -u)
	[ -z "$bad" ] || { echo "no such page:$bad"; return 1; }
}

@test "every page has the sections that a reader looks for" {
	for p in "$ROOT"/man/*.1; do
		for s in NAME SYNOPSIS DESCRIPTION 'EXIT STATUS' EXAMPLES 'SEE ALSO'; do
			grep -qx "\.Sh \"\?$s\"\?" "$p" || { echo "$p has no $s"; return 1; }
		done
	done
}

@test "every mark that is set is explained in nbscope-records" {
	cd "$ROOT"
	{
		grep -ohE "marks\.(add|push)\('\w+'\)" share/page/*.js | grep -oE "'\w+'"
		grep -ohE '(cell_record_mark\(|\<mark\(|\.mark = |pack\("\[s\]", )[^"]*"\w+"' tools/{cellrun,kernelrun,lib/record}/*.c tools/metric/cellmetrics/cellmetrics.c | grep -oE '"\w+"$'
	} | tr -d "\"'" | sort -u >"$BATS_TEST_TMPDIR/marks"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/marks")" -ge 8 ]
	while read -r word; do
		grep -qx "\.It Cm $word" man/nbscope-records.7 || { echo "$word is not explained"; return 1; }
	done <"$BATS_TEST_TMPDIR/marks"
}

@test "every column of the tables is defined in nbscope-metrics, and nothing else is" {
	for table in --cells --notebooks --interactions; do
		metrics2csv $table </dev/null
	done | tr -d '\r' | tr , '\n' | sort -u >columns
	sed -n 's/^\..*\<Cm //p' "$ROOT/man/nbscope-metrics.7" | tr -c 'a-z0-9_\n' '\n' | sed '/./!d' | sort -u >words
	run comm -23 columns words
	[ -z "$output" ] || { echo "not defined: $output"; return 1; }
	run comm -13 columns <(grep '^[a-z].*_.*[a-z0-9]$' words)
	[ "$output" = 'cell_metrics
interaction_metrics
notebook_metrics
skip_profiling' ] || { echo "no such column: $output"; return 1; }
}

@test "manexamples finds what a page has wrong, and says where" {
	page wrong <<-'B'
	$ echo one
	two
	$ echo three
	three
	B
	run "$ROOT/tests/manexamples" wrong
	status_is 1
	has 'wrong:9: $ echo one'
	has '-two'
	has '+one'
	has 'wrong: 2 commands run, 1 faults'
}

@test "manexamples undoes mdoc's escapes, and keeps blanks and empty lines" {
	page right <<-'B'
	$ printf '\ea\en\en  b\en.c\en'
	a

	  b
	\&.c
	$ cat >d <<'END'
	in a document
	END
	$ cat d; rm d; mkdir d
	in a document
	$ echo 'x
	> y'; ls
	x
	y
	d
	B
	sed -i "s/'.ea.en/'a\\\\en/" right
	run "$ROOT/tests/manexamples" right
	status_is 0
	has 'right: 4 commands run, 0 faults'
}

@test "each block begins in an empty folder with the programs at hand" {
	page right <<-'B'
	$ ls; touch here
	.Ed
	.Bd -literal
	$ ls; cellmetrics --version | cut -d' ' -f1; basename "$(dirname "$NBSCOPE_ROOT/README.md")" | wc -l
	cellmetrics
	1
	B
	run "$ROOT/tests/manexamples" right
	status_is 0
}

@test "a block marked so is not run, and a block of text alone is a fault" {
	page marked <<-'B'
	# not run
	$ false
	never
	B
	run "$ROOT/tests/manexamples" marked
	status_is 0
	has 'marked: 0 commands run, 0 faults'
	page text <<<'only words'
	run "$ROOT/tests/manexamples" text
	status_is 1
	has 'text:9: a block without a command before its text'
}

@test "a page of section 1 without examples is a fault" {
	page x.1 </dev/null
	sed -i '/EXAMPLES/,$d' x.1
	run "$ROOT/tests/manexamples" x.1
	status_is 1
	has 'x.1: no EXAMPLES'
}
