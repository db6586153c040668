#!/bin/sh
# explain-cells.sh UC LABEL: profiles the cells of a label that take most of the kernel's time, and
# prints which functions and lines take it. Each pass, one of PROFILERS, is a run of its own, whose
# times count in no table. Files for other viewers go to UC/profiles/LABEL.
set -eu
. "${0%/*}/../show/say.sh"
uc=$1 label=$2 metrics=$1/metrics/$2/metrics.jsonl work=$NBSCOPE_SCRATCH failed=0
PROFILERS=${PROFILERS:-functions lines}
known=$(sed '/^#/d; s/[[:space:]].*//' "$nbscope/share/profile/profilers")
# refuse WHAT PATTERN WORD...: fails if a WORD does not match PATTERN.
refuse() {
	what=$1 pattern=$2
	shift 2
	word=$(printf '%s\n' "$@" | grep -vxE -m 1 "$pattern") || return 0
	stop 2 "explain: $what; not '$word'"
}
[ -e "$uc/runs/$label/.settings" ] ||
	stop 2 "explain: no runs of label '$label': $(type_to profile)"
# shellcheck disable=SC2046,SC2086  # words
refuse "PROFILERS are any of: $(echo $known)" "$known" $(echo "$PROFILERS" | tr + ' ')
# shellcheck disable=SC2086  # words
[ ! "${DECORATORS:-}" ] || refuse 'DECORATORS are dask=MODULE:NAME or single_thread=MODULE:NAME' \
	'(dask|single_thread)=.+:.*' $DECORATORS
refuse 'CELLS must be numbers of code cells, as in 5,8, or all' 'all|[0-9,]*' "${CELLS:=}"
# The functions whose lines are worth a look are found by the functions pass.
case ${PROFILERS%%lines*} in
"$PROFILERS" | *functions*) ;;
*) [ "${FUNCTIONS:-}" ] || PROFILERS="functions $PROFILERS" ;;
esac

"$nbscope/mk/generate/list-selected.sh" "$uc" >"$work/notebooks"
[ -s "$work/notebooks" ] || stop 2 "explain: no combination is selected${WHERE:+ by WHERE='$WHERE'}"
# The selected notebooks, and whether tags of their cells say that and how they are profiled.
xargs -0 jq -c '(input_filename | sub(".*/"; "") | rtrimstr(".ipynb")) as $name |
	{$name, tagged: any(.cells[]?.metadata?.tags[]?; . == "profile" or startswith(
		"profile-lines:", "profile-dask:", "profile-scorep:"))}' \
	<"$work/notebooks" >"$work/selected"
jq -ncf "$nbscope/share/profile/choose.jq" --slurpfile selected "$work/selected" --arg cells \
	"$CELLS" \
	"$metrics" >"$work/chosen"
[ -s "$work/chosen" ] || stop 2 "explain: no cell of label '$label' has a kernel time"

# hot_functions: those that a pass with the function profile has found in each chosen notebook, in a
# line; and another line.
hot_functions() {
	"$nbscope/mk/run/print-members.sh" name <"$work/chosen" | while IFS= read -r name; do
		grep -E '"profile":"([a-z+]*\+)?functions[+"]' "$work/all" |
			"$nbscope/mk/run/print-members.sh" name run |
			grep -xF -A 1 --no-group-separator -- "$name" | sed -n 'n;p' |
			"$nbscope/mk/run/pass-arguments.sh" runprofile --hot 0.8 -- | head -20 |
				tr '\n' ' '
		echo
	done
	echo end
}
: >"$work/all"
# shellcheck disable=SC2086  # words
for pass in $(printf '%s\n' $PROFILERS | awk '!seen[$0]++'); do
	functions=${FUNCTIONS:-}
	case $pass in *lines*) [ "$functions" ] || functions=$(hot_functions) ;; esac
	FUNCTIONS=$functions "$nbscope/mk/run/profile-pass.sh" "$uc" "$label" "$pass" \
		<"$work/chosen" \
		>>"$work/all" || failed=1
done
# What is there now, in the order of the passes.
"$nbscope/mk/run/print-members.sh" run <"$work/all" | while IFS= read -r run; do
	[ ! -e "$run" ] || printf '%s\n' "$run"
done >"$work/runs"
"$nbscope/mk/show/write-profiles.sh" "$uc" "$label" <"$work/runs"
[ -s "$work/runs" ] || stop 4 "explain: no profile run could be made"
"$nbscope/mk/run/find-mistakes.sh" --metrics "$metrics" <"$work/runs" >"$work/mistakes"
"$nbscope/mk/run/pass-arguments.sh" runprofile --metrics "$metrics" -- <"$work/runs"
"$nbscope/mk/show/list-mistakes.sh" --instead 10 "$work/mistakes" "$metrics"
say "explain: files for other viewers (snakeviz, line_profiler, memray, DevTools) are in" \
	"$uc/profiles/$label"
say "next: $(type_to report)"
exit $failed
