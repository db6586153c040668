#!/bin/sh
# suggest-files.sh UC LABEL: if a cell of a notebook did not find a file or a module that is in the
# notebook's folder, prints what to type to have it there.
set -uf
. "${0%/*}/../show/say.sh"
uc=$1 label=$2 dir=${1%/nbscope/*} links=$1/notebooks/.files
# The words of the message, and a module's names without their submodules. A cell that resolves a
# path does so in the folder of its run, nbscope-TAG.
jq -r '.failures[] |
	select(.error_name == "FileNotFoundError" or .error_name == "ModuleNotFoundError") |
	(.error_value // "") as $text | $text | splits("[\u0027\"`[:space:]]+") |
	if $text | startswith("No module") then split(".")[0] | "\(.).py", .
	else sub("[.,:;]+$"; "") | sub("^/.*/nbscope-[0-9a-f]{16}/"; "") end' \
	"$uc/metrics/$label/verdict.json" | while IFS= read -r name; do
	name=${name#./}
	name=${name%%/*}
	case $name in '' | .*) continue ;; esac
	[ -e "$dir/$name" ] && [ ! -e "$links/$name" ] || continue
	files=$(cd "$links" 2>/dev/null && find . -type l -printf '%P ')
	say "'$name' is in the notebook's folder, but FILES does not name it;" \
		"to copy it for the run:"
	echo "    $(type_to profile "FILES=$files$name")"
	break
done
