# bats file_tags=quick
# The rules that every program keeps: one that is added tomorrow is under them
# with no new line here.
load helpers

setup() {
	cd "$ROOT" || return
	tools=()
	declare -gA main_of # the file with its main
	for c in tools/[!l]*/*.c tools/[!l]*/*/*.c; do
		name=$(basename "$c" .c)
		[[ $c =~ ^tools/[a-z]+/($name/)?$name\.c$ ]] || continue
		tools+=("$name")
		main_of[$name]=$c
	done
}

# complain WORDS...: notes what one program does wrong; the test goes on to the next.
complain() {
	echo "$*"
	bad=1
}

# options_of_help TOOL: each long option and each short one, with "=" if it takes a value.
options_of_help() {
	"$1" --help | sed -n 's/^  \([ -][^ ,]*\),\{0,1\}  *--\([a-z0-9-]*\)\( [^ ]\{1,\}\)\{0,1\}  *.*/\1 \2 \3/p' |
		while read -r a b c; do
			case $a in
			-*) printf '%s\n' "$a${c:+=}" "--$b${c:+=}" ;;
			*) printf '%s\n' "--$a${b:+=}" ;;
			esac
		done | grep -v '^-h$\|^--help$\|^--version$' | sort
}

# options_of_page TOOL: the same from the tags of the manual's lists.
options_of_page() {
	sed -n 's/^\.It Fl //p' "man/$1.1" | awk '
	{
		value = / Ar / ? "=" : ""
		n = split($0, part, / , (Fl )?/)
		for (i = 1; i <= n; i++) {
			split(part[i], word, " ")
			name = word[1] == "Fl" ? "--" word[2] : "-" word[1]
			print name value
		}
	}' | grep -v '^--help$\|^--version$' | sort
}

@test "there are programs, and each is built" {
	[ "${#tools[@]}" -ge 10 ]
	for t in "${tools[@]}"; do
		[ -x "$BIN/$t" ] || complain "$t is not built"
	done
	[ -z "$bad" ]
}

@test "a TMPDIR that is not there is refused, by make too" {
	for t in "${tools[@]}"; do
		TMPDIR=/nonexistent run "$t" </dev/null
		[ "$status $output" = "4 $t: cannot use the folder '/nonexistent' (TMPDIR): No such file or directory" ] || complain "$t: status $status: $output"
	done
	[ -z "$bad" ]
	TMPDIR=/nonexistent run -2 make plan
	has "TMPDIR must be a folder, not '/nonexistent'"
}

@test "--help prints the usage and every option on stdout, and ends well" {
	for t in "${tools[@]}"; do
		run --separate-stderr "$t" --help
		[ "$status" = 0 ] || complain "$t --help: status $status"
		[[ "${lines[0]}" == "usage: $t"* ]] || complain "$t --help: ${lines[0]}"
		[[ "$output" == *--version* ]] || complain "$t --help names no --version"
		[ -z "$stderr" ] || complain "$t --help: on stderr: $stderr"
	done
	[ -z "$bad" ]
}

@test "--version names the program and the version" {
	for t in "${tools[@]}"; do
		run "$t" --version
		[ "$status" = 0 ] || complain "$t --version: status $status"
		[[ "$output" =~ ^$t\ \(nbscope\)\ [0-9]+\.[0-9]+\.[0-9]+$ ]] || complain "$t --version: $output"
	done
	[ -z "$bad" ]
}

@test "an unknown option is named, with the usage, and the status is 2" {
	for t in "${tools[@]}"; do
		for option in --no-such-option --no-such-option=1 '-%'; do
			run --separate-stderr "$t" "$option" </dev/null
			[ "$status" = 2 ] || complain "$t $option: status $status"
			[[ "${stderr_lines[0]}" == "$t: unknown option '$option'" ]] || complain "$t $option: ${stderr_lines[0]}"
			[[ "${stderr_lines[1]}" == "usage: $t"* ]] || complain "$t $option: no usage: ${stderr_lines[1]}"
			[ -z "$output" ] || complain "$t $option: on stdout: $output"
		done
	done
	[ -z "$bad" ]
}

@test "options are read behind operands too, but none of a command, nor what follows --" {
	for t in "${tools[@]}"; do
		case $("$t" --help | head -1) in
		*COMMAND*) continue ;;
		esac
		run --separate-stderr "$t" operand --no-such-option </dev/null
		[[ "${stderr_lines[0]}" == "$t: unknown option '--no-such-option'" ]] || complain "$t: ${stderr_lines[0]}"
	done
	[ -z "$bad" ]
	run procsample --no-machine --interval 500 sh -c 'exit $1' --interval 7
	status_is 7
	run metricstat --of a -- -b <<<a
	has "cannot open '-b'"
	printf 'a,b,c\n1,2,x\n3,4,x\n' >"$BATS_TEST_TMPDIR/t.csv"
	run metricstat "$BATS_TEST_TMPDIR/t.csv" -b c --of a -- "$BATS_TEST_TMPDIR/t.csv" -f
	has "cannot open '-f'"
	run metricstat "$BATS_TEST_TMPDIR/t.csv" -b c --of=b "$BATS_TEST_TMPDIR/t.csv" -f csv
	status_is 0
	has "x,b,,false,4,0,0,12.0,"
}

@test "an option without its value is a usage error" {
	for t in "${tools[@]}"; do
		while read -r option; do
			run "$t" "${option%=}" </dev/null
			[ "$status" = 2 ] || complain "$t ${option%=}: status $status"
			[[ "$output" == "$t: option '${option%=}' requires a value"* ]] || complain "$t ${option%=}: ${lines[0]}"
		done < <(options_of_help "$t" | grep '=$')
	done
	[ -z "$bad" ]
}

@test "a full disk is noticed: the status is not 0, and a line says why" {
	for t in "${tools[@]}"; do
		for option in --help --version; do
			run bash -c '"$1" "$2" 2>&1 >/dev/full' - "$t" "$option"
			[ "$status" = 4 ] || complain "$t $option >/dev/full: status $status"
			[ "$output" = "$t: cannot write to standard output: No space left on device" ] || complain "$t $option >/dev/full: $output"
		done
	done
	[ -z "$bad" ]
}

@test "each has a manual page that is valid mdoc, and is listed in nbscope(7)" {
	for t in "${tools[@]}"; do
		[ -e "man/$t.1" ] || { complain "no man/$t.1"; continue; }
		run mandoc -Tlint -W warning "man/$t.1"
		[ -z "$output" ] || complain "$output"
		grep -qx "\.Nm $t" "man/$t.1" || complain "man/$t.1 does not name $t"
		grep -q "^\.It Xr $t 1" man/nbscope.7 || complain "$t is not in man/nbscope.7"
	done
	[ -z "$bad" ]
}

@test "the manual's options are those of --help, with values where these have them" {
	for t in "${tools[@]}"; do
		[ -e "man/$t.1" ] || continue
		run diff <(options_of_help "$t") <(options_of_page "$t")
		[ "$status" = 0 ] || complain "$t: --help (<) and manual (>) differ: $output"
	done
	[ -z "$bad" ]
}

@test "an option letter has one meaning in all programs" {
	for t in "${tools[@]}"; do
		"$t" --help | sed -n "s/^  -\(.\), --\([a-z0-9-]*\).*/\1 \2 $t/p"
	done | sort >"$BATS_TEST_TMPDIR/used"
	sed 's/#.*//' tools/lib/letters | awk 'NF {for (i = 2; i <= NF; i++) print $1, $i}' | sort >"$BATS_TEST_TMPDIR/known"
	[ "$(wc -l <"$BATS_TEST_TMPDIR/used")" -gt "${#tools[@]}" ]
	while read -r letter name t; do
		grep -qx -- "$letter $name" "$BATS_TEST_TMPDIR/known" || complain "$t: tools/lib/letters does not list -$letter as --$name"
	done <"$BATS_TEST_TMPDIR/used"
	run comm -23 "$BATS_TEST_TMPDIR/known" <(cut -d' ' -f1,2 "$BATS_TEST_TMPDIR/used" | sort -u)
	[ -z "$output" ] || complain "tools/lib/letters lists what no program has: $output"
	# A line for each letter, and each name once.
	run sed -n 's/^\([^# ]\) .*/\1/p' tools/lib/letters
	[ "$output" = "$(sort -u <<<"$output")" ] || complain "tools/lib/letters has a letter twice"
	run bash -c 'cut -d" " -f2 "$1" | sort | uniq -d' - "$BATS_TEST_TMPDIR/known"
	[ -z "$output" ] || complain "tools/lib/letters gives two letters to $output"
	[ -z "$bad" ]
}

@test "each has its tests" {
	for t in "${tools[@]}"; do
		grep -q '^@test' "tests/$t.bats" || complain "no tests in tests/$t.bats"
	done
	[ -z "$bad" ]
}

@test "each source opens with its name, in a comment of at most five lines" {
	for t in "${tools[@]}"; do
		[[ "$(head -1 "${main_of[$t]}")" == "/* $t: "* ]] || complain "$t opens otherwise: $(head -1 "${main_of[$t]}")"
		[ "$(sed -n '/\*\//{=;q;}' "${main_of[$t]}")" -le 5 ] || complain "$t has a longer head"
	done
	[ -z "$bad" ]
}

@test "no source calls what cannot be called safely, or leaves work for later" {
	run grep -nE '\<(atoi|atol|atof|sprintf|vsprintf|strcpy|strcat|gets|system|popen|sleep|usleep)\(|TODO|FIXME|\<XXX\>' -r tools
	[ -z "$output" ] || { echo "$output"; return 1; }
}
