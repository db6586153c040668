#!/bin/sh
# find-leaks.sh UC LABEL: runs each selected notebook ROUNDS times in one kernel and one page, or
# (LEAKS=gestures) its gestures after one run of its cells; prints what each round leaves and what
# holds it, and writes both to UC/profiles/LABEL/leaks.jsonl. Status 1: something leaks, 6: unknown.
set -eu
. "${0%/*}/../show/say.sh"
uc=$1 label=$2 work=$NBSCOPE_SCRATCH status=0
[ "${ROUNDS:=20}" -ge 8 ] ||
	stop 2 "ROUNDS must be 8 or more, since the first 3 count in nothing; not '$ROUNDS'"
"$nbscope/mk/run/prepare-label.sh" "$uc" "$label"
"$nbscope/mk/generate/list-selected.sh" "$uc" >"$work/notebooks"
[ -s "$work/notebooks" ] || stop 2 "leaks: no combination is selected${WHERE:+ by WHERE='$WHERE'}"
xargs -0 jq -c '{name: (input_filename | sub(".*/"; "") | rtrimstr(".ipynb")), cells: []}' \
	<"$work/notebooks" >"$work/chosen"
TARGET=leaks FUNCTIONS='' "$nbscope/mk/run/profile-pass.sh" "$uc" "$label" leaks <"$work/chosen" \
	>"$work/plan" || status=4
"$nbscope/mk/run/print-members.sh" run <"$work/plan" >"$work/runs"
mkdir -p "$uc/profiles/$label"
while IFS= read -r run; do
	[ -e "$run" ] || continue
	name=${run##*/}
	jq -L "$nbscope/share/jq" -ncf "$nbscope/share/leaks/slopes.jq" "$run" |
		jq -c --arg name "${name%@*}" '. + {$name}'
done <"$work/runs" >"$work/leaks"
[ -s "$work/leaks" ] || stop 4 "leaks: no run could be made"
mv "$work/leaks" "$uc/profiles/$label/leaks.jsonl"
jq -rf "$nbscope/share/leaks/leaks.jq" --slurp "$uc/profiles/$label/leaks.jsonl" |
	while IFS= read -r line; do say "$line"; done
[ $status = 0 ] || exit $status
exec jq -ne '[inputs.verdict] | if any(. == "leak" or . == "unexplained") then 1
	elif any(. == "unknown") then 6 else 0 end | halt_error(.)' \
	"$uc/profiles/$label/leaks.jsonl" 2>/dev/null
