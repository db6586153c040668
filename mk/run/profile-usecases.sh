#!/bin/sh
# profile-usecases.sh LABEL DEST: profiles each of USECASES, makes its report, and copies all
# reports to DEST, with one index (DEST/index.html) and one verdict (DEST/verdict.json, and the
# last line). One that fails does not keep the others from running. Settings of make apply to all.
# In the environment:
#   USECASES   names of folders below usecases/, paths of use cases, and of folders: all use cases
#              below them
#   MAKE       make
[ "${1-}" != --help ] || exec mk/setup/print-usage.sh "$0"
label=$1 dest=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ -n "${USECASES-}" ] || { echo "all-usecases: USECASES is required: make all-usecases USECASES='quickstart ../mine'" >&2; exit 2; }

for word in $USECASES; do
	if [ -e "usecases/$word/template.ipynb" ]; then
		echo "usecases/$word"
	elif [ -e "$word/template.ipynb" ]; then
		echo "${word%/}"
	elif [ -d "$word" ]; then
		find "$word" -name template.ipynb -printf '%h\n' | sort
	fi >"$work/found"
	[ -s "$work/found" ] || { mk/show/sanitize-text.sh "all-usecases: no use case '$word': neither usecases/$word nor $word has a template.ipynb, or a folder with one" >&2; exit 2; }
	cat "$work/found"
done >"$work/words" || exit
awk '!seen[$0]++' "$work/words" >"$work/all"
# The reports are in folders that have their names.
same=$(sed 's#.*/##' "$work/all" | sort | uniq -d | head -1)
[ -z "$same" ] || { mk/show/sanitize-text.sh "all-usecases: two use cases are named '$same': rename one" >&2; exit 2; }

# A signal ends all of it, not one use case.
while IFS= read -r uc <&3; do
	mk/show/sanitize-text.sh "== $uc"
	verdict=$uc/metrics/$label/verdict.json
	before=$(cksum "$verdict" 2>&1)
	"$MAKE" profile USECASE="$uc"
	status=$?
	[ $status -lt 128 ] || exit $status
	# That of an earlier call says nothing of one that made no tables.
	[ $status = 0 ] || [ "$before" != "$(cksum "$verdict" 2>&1)" ] || verdict=/dev/null
	"$MAKE" report USECASE="$uc" && "$MAKE" publish USECASE="$uc" DEST="$dest" || verdict=/dev/null
	jq -nc --arg usecase "$(basename "$uc")" --arg l "$label" '{$usecase, "label": $l} +
		(first(inputs) // {verdict: "error", line: "verdict: no tables or no report were made"})' "$verdict" >>"$work/verdicts"
done 3<"$work/all"

mkdir -p "$dest"
jq -s '{verdict: (if all(.[]; .verdict == "ok") then "ok" else "failed" end),
	line: ([.[] | select(.verdict != "ok")] as $bad |
		(map(.notebooks // 0) | add) as $n | (map(.cells // 0) | add) as $c |
		"verdict: " + if $bad == [] then "\(length) use cases, \($n) notebooks, \($c) cells, all completed"
			else "\($bad | length) of \(length) use cases failed: \($bad | map(.usecase) | join(", "))" end),
	usecases: .}' "$work/verdicts" >"$dest/verdict.json"
# The last line is that of all.
jq -r '(.usecases[] | "\(.usecase): \(.line | ltrimstr("verdict: "))"), .line' "$dest/verdict.json" >"$work/lines"
echo
sed '$d' "$work/lines" | while IFS= read -r line; do mk/show/sanitize-text.sh "$line"; done
echo "reports: $dest/index.html"
mk/show/sanitize-text.sh "$(tail -n 1 "$work/lines")"
jq -e '.verdict == "ok"' "$dest/verdict.json" >/dev/null
