#!/bin/sh
# delay-lines.sh UC LABEL: what mending a line would save: makes REPEAT runs of each selected
# notebook for each of some known delays of lines of its own code, and of its link, and draws the
# time of cells over them. In LINES are those that are delayed; without, those that explain finds.
# Prints sentences, and writes their records to UC/profiles/LABEL/whatif.jsonl.
set -eu
. "${0%/*}/../show/say.sh"
uc=$1 label=$2 work=$NBSCOPE_SCRATCH settings=$1/runs/$2/.settings out=$1/profiles/$2
own=$nbscope/share/whatif
[ "$REPEAT" -ge 3 ] || stop 2 "whatif: REPEAT must be 3 or more, not '$REPEAT'"
[ -e "$settings" ] || stop 2 "whatif: no runs of label '$label': $(type_to profile)"
"$nbscope/mk/generate/list-selected.sh" "$uc" >"$work/notebooks"
[ -s "$work/notebooks" ] ||
	stop 2 "whatif: no combination is selected${WHERE:+ by WHERE='$WHERE'}"
xargs -0 jq -c '{name: (input_filename | sub(".*/"; "") | rtrimstr(".ipynb"))}' \
	<"$work/notebooks" >"$work/selected"
case $LINES in *:*) : "${CELLS:=all}" ;; esac
jq -ncf "$nbscope/share/profile/choose.jq" --slurpfile selected "$work/selected" --arg cells \
	"$CELLS" "$uc/metrics/$label/metrics.jsonl" >"$work/chosen"
[ -s "$work/chosen" ] || stop 2 "whatif: no cell of label '$label' has a kernel time"

# plan_runs: of each record {"pass", "name", "spec"} on the standard input, the runs that it asks
# for, $repeat of each.
plan_runs() {
	cat >"$work/specs"
	{ grep -v '^:repeat=' "$settings" || :; echo ":repeat=$repeat"; } >"$work/settings"
	jq -r .pass "$work/specs" | sort -u | while IFS= read -r pass; do
		jq -c --arg pass "$pass" 'select(.pass == $pass)' "$work/specs" >"$work/pass-specs"
		runplan --label "$label" --settings "$work/settings" --profile "$pass" \
			--specs "$work/pass-specs" ${RERUN:+--rerun "$RERUN"} \
			${INSECURE:+--insecure} --target whatif "$uc" >"$work/pass-plan" ||
			[ $? = 1 ]
		grep '^{"type":"run_plan"' "$work/pass-plan" | jq -c 'select(.required)'
	done
}
# make_runs PLAN: those that are due, in its order.
make_runs() {
	! grep -q '"due":true' "$1" ||
		SCREENSHOTS=0 PAGE=fresh labserve ${INSECURE:+--insecure} \
			"$nbscope/mk/run/execute-plan.sh" "$1" --target whatif </dev/null >&2
}
# read_runs PLAN NAME: what they found out about the cells of a notebook.
read_runs() {
	jq -r --arg name "$2" 'select(.name == $name) | .run, ({pass: .profile,
		down: .made_from.settings.profile_down,
		latency: .made_from.settings.profile_latency} | tojson)' "$1" |
		while IFS= read -r run && IFS= read -r how; do
			[ ! -e "$run" ] || cellmetrics "$run" | jq -c --argjson how "$how" \
				--arg run "$run" 'select(.type | IN("cell_metrics", "profile",
					"profile_delay")) + $how + {$run}'
		done
}

# The runs of explain are used, or made.
while IFS= read -r chosen; do
	name=$(printf '%s\n' "$chosen" | "$nbscope/mk/run/print-members.sh" name)
	: >"$work/found"
	if [ ! "$LINES" ]; then
		for pass in samples lines; do
			printf '%s\n' "$chosen" | TARGET=explain \
				"$nbscope/mk/run/profile-pass.sh" "$uc" "$label" $pass
		done | "$nbscope/mk/run/print-members.sh" run >"$work/explained"
		"$nbscope/mk/run/pass-arguments.sh" runprofile --format json -- \
			<"$work/explained" >"$work/found"
	fi
	jq -ncf "$own/lines.jq" --arg name "$name" --argjson cells \
		"$(printf '%s\n' "$chosen" | jq -c .cells)" --arg lines "$LINES" \
		"$work/found" "$uc/metrics/$label/metrics.jsonl" ||
		stop 2 "whatif: LINES are as in 3:4,5:2-6,viewer.py:88,data,latency; not '$LINES'"
done <"$work/chosen" >"$work/lines"
jq -e 'select(.delays + .links != [])' "$work/lines" >/dev/null ||
	stop 1 "whatif: no line takes a tenth of a slow cell: name lines by LINES=cell:line"

say "whatif: a run without delays finds out how each line spends its time"
repeat=1
jq -c '{type: "profile_spec", pass: "whatif", name, spec: {profilers: ["whatif"], cells,
	functions: [], overlay: null, delays, watch: true}}' "$work/lines" |
	plan_runs >"$work/first"
make_runs "$work/first"
repeat=$REPEAT
while IFS= read -r chosen; do
	name=$(printf '%s\n' "$chosen" | "$nbscope/mk/run/print-members.sh" name)
	read_runs "$work/first" "$name" | jq -ncf "$own/sizes.jq" --argjson chosen "$chosen"
done <"$work/lines" | plan_runs >"$work/passes"
[ -s "$work/passes" ] || stop 1 "whatif: none of the lines ran in the cells"
# Interleaved: a slow drift of the machine is no delay.
jq -r .repetition "$work/passes" | paste - "$work/passes" | awk -v seed="${SEED:-1}" \
	'BEGIN { srand(seed) } { print $1 * 1000 + int(999 * rand()) "\t" $0 }' |
	sort -sn | cut -f 3- >"$work/plan"
say "whatif: $(grep -c '"due":true' "$work/plan" || :) of $(wc -l <"$work/plan") runs with delays"
make_runs "$work/plan"
mkdir -p "$out"
while IFS= read -r chosen; do
	name=$(printf '%s\n' "$chosen" | "$nbscope/mk/run/print-members.sh" name)
	read_runs "$work/plan" "$name" |
		jq -L "$nbscope/share/jq" -ncf "$own/whatif.jq" --argjson chosen "$chosen"
done <"$work/lines" >"$work/whatif"
[ -s "$work/whatif" ] || stop 6 "whatif: no run could tell"
mv "$work/whatif" "$out/whatif.jsonl"
jq -rsf "$own/text.jq" "$out/whatif.jsonl" | while IFS= read -r line; do say "$line"; done
