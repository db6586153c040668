#!/bin/sh
# profile-usecases.sh LABEL DEST: profiles each of USECASES, makes its report, and copies all
# reports to DEST, with one index (DEST/index.html) and one verdict (DEST/verdict.json, and the last
# line). One that fails does not keep the others from running. Settings of make apply to all. In the
# environment:
#   MAKE       make
. "${0%/*}/../show/say.sh"
label=$1 dest=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ -n "${USECASES-}" ] ||
	stop 2 "all-usecases: USECASES is required, as in:" \
		"$typed all-usecases USECASES='quickstart ../mine'"

for word in $USECASES; do
	for folder in "usecases/$word" "${word%/}"; do
		[ ! -e "$folder/template.ipynb" ] || { echo "$folder" && continue 2; }
	done
	find "$word" -name template.ipynb -printf '%h\n' 2>/dev/null | sort | grep . ||
		stop 2 "all-usecases: no use case '$word': neither usecases/$word nor $word has a" \
			"template.ipynb, or a folder with one"
done >"$work/words"
awk '!seen[$0]++' "$work/words" >"$work/all"
# The reports are in folders that have their names.
same=$(sed 's#.*/##' "$work/all" | sort | uniq -d | head -1)
[ -z "$same" ] || stop 2 "all-usecases: two use cases are named '$same': rename one"

# A signal ends all of it, not one use case.
while IFS= read -r uc <&3; do
	say "== $uc"
	# A verdict of an earlier call says nothing of one that made no tables.
	verdict=$uc/metrics/$label/verdict.json
	rm -f "$verdict"
	$MAKE profile USECASE="$uc"
	status=$?
	[ $status -lt 128 ] || exit $status
	$MAKE report USECASE="$uc" && $MAKE publish USECASE="$uc" DEST="$dest" &&
		[ -e "$verdict" ] || verdict=/dev/null
	jq -nc --arg usecase "${uc##*/}" --arg l "$label" '{$usecase, "label": $l} +
		(first(inputs) // {verdict: "error",
		line: "verdict: no tables or no report were made"})' "$verdict" >>"$work/verdicts"
done 3<"$work/all"

mkdir -p "$dest"
jq -sf "$nbscope/share/plan/usecases.jq" "$work/verdicts" >"$dest/verdict.json"
echo
"$nbscope/mk/run/print-members.sh" usecase line <"$work/verdicts" |
	while IFS= read -r usecase && IFS= read -r line; do
		say "$usecase: ${line#verdict: }"
	done
echo "reports: $dest/index.html"
say "$("$nbscope/mk/run/print-members.sh" line <"$dest/verdict.json")"
grep -q '^  "verdict": "ok"' "$dest/verdict.json"
