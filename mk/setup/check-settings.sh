#!/bin/sh
# check-settings.sh NAME=VALUE...: checks the values of settings by the table in mk/settings.mk.
# Prints !! and what is wrong with one; otherwise, with <> between them, the lines NAME=VALUE on
# which runs depend, for runplan. A row of the table is
#     ## KIND; RUN; HELP, in one or more lines
#     NAME ?= DEFAULT
#   KIND  text, label, number, or the words of which it is one; "?": a label or number may be empty
#   RUN   its name for runs; after "page" if runs without a page do not depend on it; after "set"
#         if its default counts as not set; "-": no run depends on it
# check-settings.sh --names: prints the names. check-settings --help-table FILE...: prints names,
# defaults and help.
set -u
what=check table=${0%/*/*}/settings.mk
case ${1-} in
--names) what=names && set -- ;;
--help-table) what=help table=$2 && shift 2 && set -- "$table" "$@" ;;
esac
exec awk -v what="$what" -v table="$table" '
function fail(name, wanted) {
	printf "!!%s must be %s not \047%s\047\n", name, wanted, value[name]
	failed = 1
	exit
}
function check(name, kind, v) {
	if (kind ~ /^label/ && v !~ /^[A-Za-z0-9_][A-Za-z0-9._-]*$/ && !(kind ~ /[?]/ && v == ""))
		fail(name, kind == "label?" ? "a label," : "one word of letters, digits, dot, " \
			"dash and underscore that begins with none of the last,")
	if (kind == "number" && v !~ /^[0-9]+$/ || kind == "number?" && v !~ /^([1-9][0-9]*)?$/)
		fail(name, "a whole number,")
	if (kind !~ /^(text|label[?]?|number[?]?)$/ && v != "" &&
	    (v ~ / / || !index(" " kind " ", " " v " ")))
		fail(name, "one of: " kind ";")
}
function add(run, initial, v) {
	if (run == "-") return
	if (run ~ /^page / && value["BROWSER"] == "none" || run ~ /^set / && v == initial) v = ""
	sub(/^(page|set) /, "", run)
	lines = lines (lines == "" ? "" : "<>") run "=" v
}
function take_row(name, kind, run, initial, text) {
	if (what == "names") print name
	else if (what == "help") printf "  %-16s %-12s %s\n", name, initial, text
	else if (name in value) {
		check(name, kind, value[name])
		add(run, initial, value[name])
	}
}
BEGIN {
	for (i = 1; what == "check" && i < ARGC; i++) {
		at = index(ARGV[i], "=")
		value[substr(ARGV[i], 1, at - 1)] = substr(ARGV[i], at + 1)
	}
	if (what == "check") ARGC = 1
	if (ARGC == 1) ARGV[ARGC++] = table
}
/^## / {
	text = text (text == "" ? "" : " ") substr($0, 4)
	next
}
split(text, field, "; ") > 2 {
	initial = $0
	sub(/^[A-Z_]+ [?:]= */, "", initial)
	if ($2 == ":=") initial = "chromium"
	take_row($1, field[1], field[2], initial, substr(text, length(field[1] field[2]) + 5))
}
{ text = "" }
END { if (what == "check" && !failed) print lines }' "$@"
