#!/bin/sh
# check-settings.sh NAME=VALUE...: checks the values of settings by the table in mk/settings.mk.
# Prints !! and what is wrong with one; otherwise, with <> between them, the lines NAME=VALUE on
# which runs depend, for runplan. A row of the table is
#     ## KIND; RUN
#     ## HELP, in one or more lines
#     NAME ?= DEFAULT
#   KIND  text, label, number, or the words of which it is one; "?": a label or number may be empty
#   RUN   its name for runs; after "page" if runs without a page do not depend on it; after "set"
#         if its default counts as not set; "-": no run depends on it
# check-settings.sh --names: prints the names. check-settings --help-table FILE...: prints names,
# defaults and help.
set -u
[ "${1-}" != --help ] || exec mk/setup/print-usage.sh "$0"
table=${0%/*/*}/settings.mk
case ${1-} in
--names) exec awk '/^## .*; / && !help { help = 1; next } /^## / { next } help { print $1 } { help = 0 }' "$table" ;;
--help-table)
	shift
	exec awk '/^## .*; / && !help { help = 1; text = ""; next }
		help && /^## / { text = text substr($0, 3); next }
		help { value = $0; sub(/^[A-Z_]+ [?:]= */, "", value); if ($2 == ":=") value = "chromium"
			printf "  %-16s %-12s%s\n", $1, value, text }
		{ help = 0 }' "$@" ;;
esac
exec awk -v table="$table" '
function fail(name, wanted) {
	printf "!!%s must be %s not \047%s\047\n", name, wanted, value[name]
	exit
}
function check(name, kind, v) {
	if (kind == "label" && v !~ /^[A-Za-z0-9_][A-Za-z0-9._-]*$/)
		fail(name, "one word of letters, digits, dot, dash and underscore that begins with none of the last,")
	if (kind == "label?" && v != "" && v !~ /^[A-Za-z0-9_][A-Za-z0-9._-]*$/)
		fail(name, "a label,")
	if (kind == "number" && v !~ /^[0-9]+$/ || kind == "number?" && v != "" && v !~ /^[1-9][0-9]*$/)
		fail(name, "a whole number,")
	if (kind !~ /^(text|label[?]?|number[?]?)$/ && v != "" && (v ~ / / || !index(" " kind " ", " " v " ")))
		fail(name, "one of: " kind ";")
}
function add(run, initial, v) {
	if (run == "-" || run == "") return
	if (run ~ /^page / && value["BROWSER"] == "none" || run ~ /^set / && v == initial) v = ""
	sub(/^(page|set) /, "", run)
	lines = lines (lines == "" ? "" : "<>") run "=" v
}
BEGIN {
	for (i = 1; i < ARGC; i++)
		value[substr(ARGV[i], 1, index(ARGV[i], "=") - 1)] = substr(ARGV[i], index(ARGV[i], "=") + 1)
	while ((getline row <table) > 0) {
		name = initial = row
		sub(/ .*/, "", name)
		sub(/^[A-Z_]+ [?:]= */, "", initial)
		if (row !~ /^##/ && name in value && kind != "") {
			check(name, kind, value[name])
			add(run, initial, value[name])
		}
		if (row !~ /^## /) kind = ""
		else if (kind == "" && split(substr(row, 4), field, "; ") == 2) {
			kind = field[1]
			run = field[2]
		}
	}
	print lines
}' "$@"
