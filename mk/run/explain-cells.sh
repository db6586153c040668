#!/bin/sh
# explain-cells.sh UC LABEL: profiles the cells of a label that take longest, and prints a sentence
# for each. Each pass, one of PROFILERS, is a run of its own, whose times count in no table. Tables
# of functions and lines, mistakes, and files for other viewers go to UC/profiles/LABEL.
set -eu
. "${0%/*}/../show/say.sh"
uc=$1 label=$2 metrics=$1/metrics/$2/metrics.jsonl profiles=$1/profiles/$2
work=$NBSCOPE_SCRATCH failed=0 n=0
default= PROFILERS=${PROFILERS:-}
[ "$PROFILERS" ] || default=1 PROFILERS='samples lines'
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

# Where page or transport matter, they are recorded together with the kernel.
[ ! "$default" ] || ! jq -en 'any(inputs; .page)' "$work/chosen" >/dev/null ||
	PROFILERS='samples+collector+browser lines'
# shellcheck disable=SC2086  # words
set -- $(printf '%s\n' $PROFILERS | awk '!seen[$0]++')
: >"$work/all"
for pass; do
	say "explain: pass $((n += 1)) of $#: $pass" >&2
	"$nbscope/mk/run/profile-pass.sh" "$uc" "$label" "$pass" <"$work/chosen" \
		>>"$work/all" || failed=1
done
# What is there now, in the order of the passes.
"$nbscope/mk/run/print-members.sh" run <"$work/all" | while IFS= read -r run; do
	[ ! -e "$run" ] || printf '%s\n' "$run"
done >"$work/runs"
"$nbscope/mk/show/write-profiles.sh" "$uc" "$label" <"$work/runs"
[ -s "$work/runs" ] || stop 4 "explain: no profile run could be made"
[ ! -e "$profiles/mistakes.jsonl" ] || printf '%s\n' "$profiles/mistakes.jsonl" >>"$work/runs"
say "explain: tables of functions and lines: $profiles/explain.txt; next to it," \
	"files for other viewers (snakeviz, line_profiler, memray, DevTools)"
say "next: $(type_to report)"
"$nbscope/mk/show/list-mistakes.sh" --instead 5 "$profiles/mistakes.jsonl" "$metrics"
"$nbscope/mk/run/pass-arguments.sh" runprofile --format sentences --metrics "$metrics" -- \
	<"$work/runs"
exit $failed
