#!/bin/sh
# explain-cells.sh UC LABEL: profiles the cells of a label that take most of the kernel's time, and
# prints which functions and lines take it. Each pass, one of PROFILERS, is a run of its own, whose
# times count in no table. Files for other viewers go to UC/profiles/LABEL.
set -eu
. "${0%/*}/../show/say.sh"
uc=$1 label=$2 metrics=$1/metrics/$2/metrics.jsonl work=$NBSCOPE_SCRATCH
PROFILERS=${PROFILERS:-functions lines}
[ -e "$uc/runs/$label/.settings" ] ||
	stop 2 "explain: no runs of label '$label': $(type_to profile)"
known=$(awk '!/^#/ { printf " %s", $1 }' share/profile/profilers)
for profiler in $(echo "$PROFILERS" | tr + ' '); do
	case "$known " in
	*" $profiler "*) ;;
	*) stop 2 "explain: PROFILERS are any of:$known; not '$profiler'" ;;
	esac
done
for word in ${DECORATORS:-}; do
	case $word in
	dask=?*:?* | single_thread=?*:?*) ;;
	*) stop 2 "explain: DECORATORS are dask=MODULE:NAME or single_thread=MODULE:NAME;" \
		"not '$word'" ;;
	esac
done
case ${CELLS:=} in
all) ;;
*[!0-9,]*) stop 2 "explain: CELLS must be numbers of code cells, as in 5,8, or all; not '$CELLS'" ;;
esac
# The functions whose lines are worth a look are found by the functions pass.
case ${PROFILERS%%lines*} in
"$PROFILERS" | *functions*) ;;
*) [ "${FUNCTIONS:-}" ] || PROFILERS="functions $PROFILERS" ;;
esac

grep -v '"selected":false}$' "$uc/notebooks/.combinations.jsonl" |
	mk/run/print-members.sh name >"$work/names"
[ -s "$work/names" ] || stop 2 "explain: no combination is selected${WHERE:+ by WHERE='$WHERE'}"
# Notebooks with cells whose tags say that and how they are profiled.
while IFS= read -r name; do printf '%s\0' "$uc/notebooks/$name.ipynb"; done <"$work/names" |
	xargs -0 jq -r 'select(any(.cells[].metadata.tags[]?; . == "profile" or startswith(
		"profile-lines:", "profile-dask:", "profile-scorep:"))) | input_filename' |
	sed 's|.*/||; s/\.ipynb$//' >"$work/tagged"
# Which notebooks, and which cells of each (null: its tags say so).
jq -nc --rawfile names "$work/names" --rawfile tagged "$work/tagged" --arg cells "$CELLS" '
	($names | split("\n")[:-1]) as $names | ($tagged | split("\n")[:-1]) as $tagged |
	if $cells == "" and $tagged != [] then {name: $tagged[], cells: null}
	elif $cells != "" and $cells != "all" then
		{name: $names[], cells: [$cells | scan("[0-9]+") | tonumber]}
	else
		($names | INDEX(.)) as $selected |
		[inputs | select(.type == "cell_metrics" and $selected[.name] and
			($cells == "all" or .profiled and .kernel_s != null))] |
		group_by([.name, .cell_index]) |
		map({name: .[0].name, cell: .[0].cell_index, s: (map(.kernel_s // 0) | sort
			| (.[(length - 1) / 2 | floor] + .[length / 2 | floor]) / 2)}) |
		sort_by(-.s) | if $cells == "" then .[:5] else . end |
		group_by(.name) | sort_by(-(map(.s) | max))[] |
		{name: .[0].name, cells: (map(.cell) | sort)}
	end' "$metrics" >"$work/chosen"
[ -s "$work/chosen" ] || stop 2 "explain: no cell of label '$label' has a kernel time"
mk/run/print-members.sh name <"$work/chosen" >"$work/names"

# hot NAME: the functions of a notebook that a pass with the function profile has found, in a line.
hot() {
	grep -E '"profile":"([a-z+]*\+)?functions[+"]' "$work/all" |
		mk/run/print-members.sh name run | while IFS= read -r name && IFS= read -r run; do
			[ "$name" != "$1" ] || printf '%s\0' "$run"
		done | mk/run/pass-arguments.sh runprofile --hot 0.8 -- | head -20 | tr '\n' ' '
	echo
}
failed=0
: >"$work/all"
# shellcheck disable=SC2086  # words
for pass in $(printf '%s\n' $PROFILERS | awk '!seen[$0]++'); do
	functions=${FUNCTIONS:-}
	case $pass in
	*lines*) [ "$functions" ] || functions=$(
		while IFS= read -r name; do hot "$name"; done <"$work/names"
		echo end
	) ;;
	esac
	FUNCTIONS=$functions mk/run/profile-pass.sh "$uc" "$label" "$pass" <"$work/chosen" \
		>"$work/states" || failed=1
	cat "$work/states" >>"$work/all"
done
# What is there now, in the order of the passes. The profilers' files have a folder for each run.
mk/run/print-members.sh run profile_files <"$work/all" |
	while IFS= read -r run && IFS= read -r files; do
		[ -e "$run" ] || continue
		printf '%s\0' "$run"
		mkdir -p "$files"
		runprofile --format json --files "$files" -- "$run" >/dev/null
	done >"$work/runs"
[ -s "$work/runs" ] || stop 4 "explain: no profile run could be made"
mk/run/pass-arguments.sh runprofile --metrics "$metrics" -- <"$work/runs"
say "explain: files for other viewers (snakeviz, line_profiler, memray, DevTools) are in" \
	"$uc/profiles/$label"
say "next: $(type_to report)"
exit $failed
