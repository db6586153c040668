#!/bin/sh
# explain-cells.sh UC LABEL: profiles the cells of a label that take most of the kernel's time, and
# prints which functions and lines take it. Each pass, one of PROFILERS, is a run of its own, whose
# times count in no table. Files for other viewers go to UC/profiles/LABEL. In the environment:
# what profile-pass reads there, and
#   PROFILERS  the passes (default: functions lines), any of share/profile/profilers; functions+dask:
#              two in one pass
#   CELLS      numbers of code cells, as in 5,8, or all; default: those with a tag profile,
#              profile-lines:FUNCTION, profile-dask:OPTION=VALUE or profile-scorep:OPTION, else the five
#              that take most of the kernel's time
#   FUNCTIONS  for lines: package.module:Class.method, modules or patterns; default: those of the
#              user's packages that together take 80 % of the time, at most 20
#   DECORATORS  decorators of the user's package, KIND=MODULE:NAME; KIND is dask or single_thread
#   REPEAT     runs of each notebook (default 1)
set -eu
[ "${1-}" != --help ] || exec mk/setup/print-usage.sh "$0"
[ "${NBSCOPE_SCRATCH-}" ] || exec runlock --scratch "$1/runs/$2" "$0" "$@"
uc=$1 label=$2 runs=$1/runs/$2 metrics=$1/metrics/$2 work=$NBSCOPE_SCRATCH
[ -e "$runs/.settings" ] || { echo "explain: no runs of label '$label': $(mk/show/print-command.sh profile "$uc" "$label")" >&2; exit 2; }
known=$(awk '!/^#/ { printf "%s%s", sep, $1; sep = " " }' share/profile/profilers)
for profiler in $(echo "${PROFILERS:=functions lines}" | tr + ' '); do
	case " $known " in *" $profiler "*) ;; *) echo "explain: PROFILERS are any of: $known; not '$profiler'" >&2; exit 2 ;; esac
done
for word in ${DECORATORS:-}; do
	case $word in
	dask=?*:?* | single_thread=?*:?*) ;;
	*) mk/show/sanitize-text.sh "explain: DECORATORS are dask=MODULE:NAME or single_thread=MODULE:NAME; not '$word'" >&2; exit 2 ;;
	esac
done
# The functions whose lines are worth a look are found by the functions pass.
before=${PROFILERS%%lines*}
case $before in
"$PROFILERS" | *functions*) ;;
*) [ "${FUNCTIONS:-}" ] || PROFILERS="functions $PROFILERS" ;;
esac
# shellcheck disable=SC2086  # words
PROFILERS=$(printf '%s\n' $PROFILERS | awk '!seen[$0]++')

# Which notebooks, and which cells of each (null: its tags say so): {"name", "cells"}.
selected=$work/selected chosen=$work/chosen
jq -c 'select(.type == "combination" and .selected != false)' "$uc/notebooks/.combinations.jsonl" >"$selected"
[ -s "$selected" ] || { mk/show/sanitize-text.sh "explain: no combination is selected${WHERE:+ by WHERE='$WHERE'}" >&2; exit 2; }
tagged() {
	jq -r .name "$selected" | while IFS= read -r name; do
		jq -c --arg name "$name" 'select(any(.cells[]; any(.metadata.tags[]?; . == "profile" or startswith("profile-lines:", "profile-dask:", "profile-scorep:")))) |
			{$name, cells: null}' "$uc/notebooks/$name.ipynb"
	done
}
case ${CELLS:-} in
all) jq -c --slurpfile m "$metrics/metrics.jsonl" '.name as $n | {name: $n, cells: [$m[] | select(.type == "cell_metrics" and .name == $n) | .cell_index] | unique}' "$selected" >"$chosen" ;;
'')
	tagged >"$chosen"
	# shellcheck disable=SC2016  # for jq
	[ -s "$chosen" ] || jq -nc --slurpfile selected "$selected" '[$selected[].name] as $names |
		[inputs | select(.type == "cell_metrics" and .profiled and .kernel_s != null and (.name as $n | any($names[]; . == $n)))] |
		group_by([.name, .cell_index]) | map({name: .[0].name, cell: .[0].cell_index,
			s: (map(.kernel_s) | sort | (.[(length - 1) / 2 | floor] + .[length / 2 | floor]) / 2)}) |
		sort_by(-.s)[:5] | group_by(.name) | sort_by(-(map(.s) | max))[] | {name: .[0].name, cells: (map(.cell) | sort)}' "$metrics/metrics.jsonl" >"$chosen"
	;;
*[!0-9,]*) echo "explain: CELLS must be numbers of code cells, as in 5,8, or all; not '$CELLS'" >&2; exit 2 ;;
*) jq -c --arg cells "$CELLS" '{name, cells: ($cells | split(",") | map(select(. != "") | tonumber))}' "$selected" >"$chosen" ;;
esac
[ -s "$chosen" ] || { echo "explain: no cell of label '$label' has a kernel time" >&2; exit 2; }

# hot NAME: the functions of a notebook that a pass with the function profile has found.
hot() {
	jq -r --arg name "$1" 'select(.name == $name and (.profile | split("+") | index("functions"))) | .run' "$work/all" | xargs -r -d '\n' runprofile --hot 0.8 -- | head -20
}
failed=0
: >"$work/all"
for pass in $PROFILERS; do
	while IFS= read -r choice; do
		functions=$(printf '%s' "${FUNCTIONS:-}" | tr -s ' ' '\n')
		case $pass in *lines*) [ "$functions" ] || functions=$(hot "$(printf '%s\n' "$choice" | jq -r .name)") ;; esac
		printf '%s\n' "$choice" | jq -c --arg functions "$functions" '. + {functions: [$functions | splits("\n") | select(. != "")]}'
	done <"$chosen" >"$work/choices"
	mk/run/profile-pass.sh "$uc" "$label" "$pass" <"$work/choices" >"$work/states" || failed=1
	cat "$work/states" >>"$work/all"
done
# What is there now, in the order of the passes. The profilers' own files have a folder for each run.
jq -r '.run, .profile_files' "$work/all" | while IFS= read -r run && IFS= read -r files; do
	[ -e "$run" ] || continue
	printf '%s\0' "$run"
	mkdir -p "$files"
	runprofile --format json --files "$files" -- "$run" >/dev/null
done >"$work/runs"
[ -s "$work/runs" ] || { echo "explain: no profile run could be made" >&2; exit 4; }
xargs -0 runprofile --metrics "$metrics/metrics.jsonl" -- <"$work/runs"
mk/show/sanitize-text.sh "explain: files for other viewers (snakeviz, line_profiler, memray, DevTools) are in $uc/profiles/$label"
mk/show/sanitize-text.sh "next: $(mk/show/print-command.sh report "$uc" "$label")"
exit $failed
