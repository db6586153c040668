# bats file_tags=quick
# What the README and the manuals say about the makefile is complete.
load helpers

setup() { cd "$ROOT" || return; }

# variables: NAME DEFAULT of each variable that make help lists; an absent default is '-'.
variables() {
	make -s --no-print-directory help | sed '1,/^variables/d; /^$/,$d' | cut -c 3-31 | awk '{print $1, (NF > 1 ? $2 : "-")}' | sort
}

@test "nbscope-make describes each variable with its default, and no other" {
	# Also what is said of them in the sections on tasks; "PAGE = warm" is a value.
	sed -n '1,/^\.Sh ENVIRONMENT/s/^\.It Ev //p' man/nbscope-make.7 |
		awk '$2 != "Ns" {print $1, $3 == "" ? "-" : $3}' | sort -u >"$BATS_TEST_TMPDIR/described"
	variables >"$BATS_TEST_TMPDIR/set"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/set")" -ge 40 ]
	run diff "$BATS_TEST_TMPDIR/set" "$BATS_TEST_TMPDIR/described"
	[ "$status" -eq 0 ] || { echo "<: only in the table, >: only in the page: $output"; return 1; }
}

@test "the tables of nbscope-make are those that make manual-tables writes" {
	check() { python3 share/manual/tables.py --check "$1" Makefile mk/*.mk share/tasks/tasks.mk tests/*.mk; }
	run -0 check man/nbscope-make.7
	sed 's/^REPEAT=20: compare LABEL/REPEAT=30: compare LABEL/' man/nbscope-make.7 >"$BATS_TEST_TMPDIR/other.7"
	run -1 check "$BATS_TEST_TMPDIR/other.7"
}

@test "the rules of nbscope-rules are those that make manual-tables writes" {
	run -0 python3 -B share/manual/rules.py --check man/nbscope-rules.7
	sed 's/^200 messages/300 messages/' man/nbscope-rules.7 >"$BATS_TEST_TMPDIR/other.7"
	run -1 python3 -B share/manual/rules.py --check "$BATS_TEST_TMPDIR/other.7"
}

@test "the README, nbscope(7) and make help have each row of share/doors" {
	local who command page name n=0
	make -s --no-print-directory help >"$BATS_TEST_TMPDIR/help"
	while IFS=$'\t' read -r who command page; do
		name=${page%)}
		name=${name/(/.}
		grep -qF "| $who | \`$command\` | [$page](man/$name) |" README.md || { echo "README: $who"; return 1; }
		printf '.It %s\n.Xr %s :\n.Ql %s\n' "$who" "${name/./ }" "$command" >"$BATS_TEST_TMPDIR/row"
		run diff "$BATS_TEST_TMPDIR/row" <(grep -xFA2 ".It $who" man/nbscope.7)
		status_is 0
		run diff <(printf '  %s, %s:\n    %s\n' "$who" "$page" "$command") <(grep -A1 "^  $who, " "$BATS_TEST_TMPDIR/help")
		status_is 0
		n=$((n + 1))
	done < <(sed '/^#/d; s/   */\t/g' share/doors)
	[ "$n" -ge 5 ]
}

@test "nbscope-make names each word that a variable may be" {
	local kind name word n=0
	while IFS=: read -r name kind; do
		sed -n "/^\\.It Ev $name\\( \\|\$\\)/,/^\\.\\(It Ev\\|El\\)/p" man/nbscope-make.7 | tail -n +2 >"$BATS_TEST_TMPDIR/text"
		for word in $kind; do
			[[ $word == [01] ]] || grep -qw -- "$word" "$BATS_TEST_TMPDIR/text" || { echo "$name: no $word"; return 1; }
			n=$((n + 1))
		done
	done < <(awk -F '  +(# )?' '/^[A-Z]/ && $2 !~ /^(text|pattern|label|number)/ { sub(/ .*/, "", $1); print $1 ":" $2 }' share/settings)
	[ "$n" -ge 20 ]
}

@test "nbscope-interactions has each gesture that there is, with its amounts, and no other" {
	# The section, one gesture a line: its names, and all numbers in its text.
	sed -n '/^\.Sh GESTURES/,/^\.El/p' man/nbscope-interactions.7 | tail -n +4 | awk '/^\.It/ {
		if (line) print line; sub(/^\.It Cm /, ""); line = $0 ":"; next
	} !/^\.(Cm|El)/ { while (match($0, /-?[0-9.]*[0-9]/)) { line = line " " substr($0, RSTART, RLENGTH)
		$0 = substr($0, RSTART + RLENGTH) } } END { print line }' | sort >"$BATS_TEST_TMPDIR/described"
	# Gestures with the same steps share an item.
	jq -r '.gestures | del(.keys) | to_entries | group_by(.key | sub(" (in|out)$"; ""))[] |
		if length == 2 then "\(map(.key) | join(" , ")): \([.[].value.by[]] + (.[0].value | [.steps, .duration_ms]) | join(" "))"
		else .[0] | "\(.key): \(.value | [.at[]?, .by[]?, .steps, .duration_ms | values] | join(" "))" end' \
		share/interactions/gestures.json | sed 's/: $/:/' | sort >"$BATS_TEST_TMPDIR/known"
	sed -i '/^keys:/d; s/^click , double click:$/click:\ndouble click:/' "$BATS_TEST_TMPDIR/described"
	run diff <(sort "$BATS_TEST_TMPDIR/known") <(sort "$BATS_TEST_TMPDIR/described")
	[ "$status" -eq 0 ] || { echo "<: only in gestures.json, >: only in the page: $output"; return 1; }
}

@test "nbscope-make describes each target, and no other" {
	sed -n 's/^\([a-z][a-z-]*\):.*## .*/\1/p' Makefile mk/*.mk share/tasks/tasks.mk tests/*.mk | sort -u >"$BATS_TEST_TMPDIR/made"
	sed -n '1,/^\.Sh ENVIRONMENT/s/^\.It Ic //p' man/nbscope-make.7 | sort -u >"$BATS_TEST_TMPDIR/described"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/made")" -ge 30 ]
	run diff "$BATS_TEST_TMPDIR/made" "$BATS_TEST_TMPDIR/described"
	[ "$status" -eq 0 ] || { echo "<: only in the makefile, >: only in the page: $output"; return 1; }
}

@test "the README names existing variables, with their defaults, and ten of them" {
	# Words in the README for an empty default.
	sed -n 's/^| `\([A-Z_]*\)` | `*\([^ `]*\)`* |.*/\1 \2/p' README.md | sed 's/ \(all\|none\)$/ -/' |
		sort >"$BATS_TEST_TMPDIR/named"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/named")" -eq 10 ]
	variables >"$BATS_TEST_TMPDIR/set"
	run comm -23 "$BATS_TEST_TMPDIR/named" "$BATS_TEST_TMPDIR/set"
	[ -z "$output" ] || { echo "not so in the table: $output"; return 1; }
}

@test "the README is at most 150 lines long, its pictures 150 kB, and all its links lead to files" {
	[ "$(wc -l <README.md)" -le 150 ]
	[ "$(cat share/readme/*.png | wc -c)" -le 150000 ]
	for file in README.md CONTRIBUTING.md; do
		for link in $(grep -o '](\([^)]*\))' "$file" | sed 's/^](//; s/)$//; s/#.*//'); do
			[[ $link == http* ]] || [ -e "$link" ] || { echo "$file: no '$link'"; return 1; }
		done
	done
}

@test "CONTRIBUTING lists how many tests of each file only ALL=1 runs" {
	sed -n 's/^| \([a-z-]*\) | \([0-9]*\) | .*/\1 \2/p' CONTRIBUTING.md | sort >"$BATS_TEST_TMPDIR/listed"
	grep -c '^# bats test_tags=.*thorough' tests/*.bats | sed 's|^tests/||; s/\.bats:/ /; / 0$/d' | sort >"$BATS_TEST_TMPDIR/tagged"
	run diff "$BATS_TEST_TMPDIR/tagged" "$BATS_TEST_TMPDIR/listed"
	[ "$status" -eq 0 ] || { echo "<: only in tests, >: only in CONTRIBUTING: $output"; return 1; }
}

@test "every program is in the lists of nbscope(7)" {
	for program in $(ls "$BIN"); do
		grep -q "^\.It Xr $program 1" man/nbscope.7 || { echo "$program is missing"; return 1; }
	done
}

@test "nbscope-records names each type of record that has a schema" {
	for schema in share/schema/*.json "${BIN%/bin}"/schema/*.json; do
		type=$(basename "$schema" .json)
		grep -qE "^(\.It )?\.?.*\bCm .*\b$type\b|^\.Cm $type\b" man/nbscope-records.7 || { echo "$type is missing"; return 1; }
	done
}

@test "each column, variable and option that nbscope-coming-from names exists" {
	metrics2csv --cells </dev/null | tr -d '\r' | tr , '\n' >"$BATS_TEST_TMPDIR/columns"
	variables | cut -d' ' -f1 >"$BATS_TEST_TMPDIR/names"
	printf '%s\n' NOTEBOOK NAME RUN FILE COMMAND >>"$BATS_TEST_TMPDIR/names"
	bad=
	while IFS= read -r cell; do
		for word in $(grep -oE '\b(kernel|browser|client|machine|gpu)_[a-z_]*[a-z]\b' <<<"$cell"); do
			grep -qx "$word" "$BATS_TEST_TMPDIR/columns" || bad+=" $word"
		done
		for word in $(grep -oE '\b[A-Z]+_?[A-Z_]{3,}\b' <<<"$cell"); do
			[[ $word == JUPYTERLAB_* ]] || grep -qx "$word" "$BATS_TEST_TMPDIR/names" || bad+=" $word"
		done
		while read -r program option; do
			"$program" --help | grep -q -- " $option\b" || bad+=" $program $option"
		done < <(grep -oE '\b[a-z0-9]+ --[a-z-]+' <<<"$cell")
	done < <(sed -n '/^\.It "/{n;p}' man/nbscope-coming-from.7)
	[ -z "$bad" ] || { echo "no such column, variable or option:$bad"; return 1; }
}

@test "the program in CONTRIBUTING works, and passes the test there" {
	sed -n '/^```c$/,/^```$/p' CONTRIBUTING.md | sed '/^```/d' >"$BATS_TEST_TMPDIR/cellslow.c"
	# shellcheck disable=SC2086  # words
	${CC:-cc} ${CFLAGS:-} -std=c11 -D_GNU_SOURCE -Wall -Wconversion -Werror -Itools/lib \
		-o "$BATS_TEST_TMPDIR/cellslow" "$BATS_TEST_TMPDIR/cellslow.c" "$LIB" -ljansson -lm ${LDFLAGS:-}
	{
		echo "load $ROOT/tests/helpers"
		echo "PATH=$BATS_TEST_TMPDIR:\$PATH"
		sed -n '/^```bash$/,/^```$/p' CONTRIBUTING.md | sed '/^```/d; /^load/d; /^# bats/d'
	} >"$BATS_TEST_TMPDIR/cellslow.bats"
	run bats "$BATS_TEST_TMPDIR/cellslow.bats"
	status_is 0
	run bash -c "'$BATS_TEST_TMPDIR/cellslow' --min-ms 2000 tests/data/runs.jsonl | jq -r 'select(.type == \"cell\").client_ms'"
	[ "$output" = $'2000\n2500\nnull' ]
}

@test "all that has the version has that of VERSION, and NEWS its date" {
	version=$(<VERSION)
	[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]]
	for program in "$BIN"/*; do
		run -0 "$program" --version
		[ "$output" = "${program##*/} (nbscope) $version" ]
	done
	grep -qx "version: $version" CITATION.cff
	grep -qx "version = \"$version\"" share/ipython/pyproject.toml
	date=$(sed -n 's/^date-released: //p' CITATION.cff)
	grep -qx "## $version, $date" NEWS.md
}

@test "programs have the defaults that make has" {
	given() { sed -n "s/^$1 ?= \([0-9]*\).*/\1/p" "$ROOT/share/settings"; }
	option() { "$1" --help | tr -s '\n ' ' ' | sed "s/.*--$2 [A-Z]* \([^-]*\).*/\1/; s/.*default \([0-9]*\).*/\1/"; }
	for program in cellrun kernelrun vizwait; do
		[ "$(option $program max-wait-time)" = "$(given MAX_WAIT_TIME)" ]
	done
	[ "$(option cellrun settle-ms)" = "$(given SETTLE_MS)" ]
	[ "$(option vizwait settle-ms)" = "$(given SETTLE_MS)" ]
	[ "$(option procsample interval)" = "$(given SAMPLE_INTERVAL)" ]
	[ "$(given SETTLE_MS)" -gt 0 ]
}
