#!/bin/sh
# check-settings.sh NAME=VALUE...: checks the values of settings by the table share/settings. Prints
# !! and what is wrong with one; otherwise, with <> between them, the lines NAME=VALUE on which runs
# depend, for runplan.
nbscope=${0%/*}/../..
[ -d "${TMPDIR:-/}" ] || exec printf '!!TMPDIR must be a folder, not \047%s\047\n' "$TMPDIR"
for set; do
	case $set in ITEMS=?* | ITEMS_SHARE=?*)
		wrong=$(python3 "$nbscope/share/script/items.py" --check "$set")
		[ ! "$wrong" ] || exec echo "$wrong" ;;
	esac
done
table="$nbscope/share/settings" exec awk -F '  +(# )?' '
function fail(wanted) {
	printf "!!%s must be %s not \047%s\047\n", name, wanted, v
	failed = 1
	exit
}
BEGIN {
	while (ARGC > 1) {
		at = index(ARGV[--ARGC], "=")
		value[substr(ARGV[ARGC], 1, at - 1)] = substr(ARGV[ARGC], at + 1)
	}
	ARGV[ARGC++] = ENVIRON["table"]
}
{
	name = initial = $1
	sub(/ .*/, "", name)
	sub(/^[^=]*= ?/, "", initial)
}
name in value {
	v = value[name]
	# The runs of a label before a change have its name with @previous.
	label = v
	sub(/@previous$/, "", label)
	if ($2 ~ /^label/ && label !~ /^[A-Za-z0-9_][A-Za-z0-9._-]*$/ &&
	    ($2 == "label" || v != ""))
		fail($2 == "label?" ? "a label," : "one word of letters, digits, dot, " \
			"dash and underscore that begins with none of the last,")
	if ($2 == "number" && v !~ /^[0-9]+$/ || $2 == "number?" && v !~ /^([1-9][0-9]*)?$/)
		fail("a whole number,")
	if ($2 == "packages" && v !~ /^([a-z0-9][a-z0-9.+-]+ *)*$/)
		fail("names of Debian packages,")
	if ($2 !~ /^(text|pattern|packages|label[?]?|number[?]?)$/ && v != "" &&
	    (v ~ / / || !index(" " $2 " ", " " v " ")))
		fail("one of: " $2 ";")
	if ($3 == "-") next
	if ($3 ~ /^page / && value["BROWSER"] == "none" || $3 ~ /^set / && v == initial) v = ""
	sub(/^(page|set) /, "", $3)
	lines = lines between $3 "=" v
	between = "<>"
}
END { if (!failed) print lines }' "$@"
