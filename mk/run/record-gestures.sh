#!/bin/sh
# record-gestures.sh UC LABEL: opens a browser in which a person works in the first selected notebook
# of UC, until it is closed; writes what they did with its outputs to UC/interactions.jsonl, or
# beside NOTEBOOK. In the environment:
#   RUN_SETTINGS  the settings of a run
#   JOIN          HOST:PORT of a Chromium in which the notebook is open already
set -u
. "${0%/*}/../show/say.sh"
uc=$1 label=$2 work=$NBSCOPE_SCRATCH file=$1/interactions.jsonl
[ "${BROWSER:-}" != none ] || stop 2 "record: BROWSER=none has no page to work in"
[ "${JOIN-}${DISPLAY-}${WAYLAND_DISPLAY-}${WEBDRIVER_URL-}" ] ||
	stop 2 "record: there is no display for the browser (DISPLAY is not set): use ssh -X, or" \
		"JOIN=HOST:PORT of a Chromium that was started with --remote-debugging-port"
if [ "${NOTEBOOK-}" ]; then
	file=${uc%/nbscope/*}/${uc##*/}.interactions.jsonl
	[ -e "$file" ] || file=${uc%/nbscope/*}/interactions.jsonl
fi
[ -w "${file%/*}/" ] || stop 4 "record: cannot write '$file'"

# How a run is made, with a person instead of a driver.
printf '%s\n' "$RUN_SETTINGS" >"$work/settings"
runplan --label "$label" --settings "$work/settings" ${INSECURE:+--insecure} "$uc" >"$work/plan"
[ $? -lt 2 ] || exit 4
command=$(jq -r --arg join "${JOIN-}" --arg notebook "${NOTEBOOK-}" '
	select(.type == "run_plan" and .required).command[0] |
	map(. == "cellrun") as $driver | .[$driver | index(true) + 1:] as $options |
	(if $join != "" then ["wdsession", "--join", $join] else
		["labserve"] + [.[:map(test("^cell(interact|profile|run)$")) | index(true)][] |
			select(. != "--early")] + ["--show"] end) + ["celllisten", "--gestures"] +
	(reduce $options[:-1][] as $word ({kept: []}; if .drop then .drop = false
		elif $word | IN("--made-from", "--label", "--repetition", "--executed", "--film",
			"--screenshots") then .drop = true
		elif $word | IN("--reuse", "--noise") then . else .kept += [$word] end) | .kept) +
	if $join == "" then $options[-1:] elif $notebook == "" then []
	else [$notebook | sub(".*/"; "")] end | @sh' "$work/plan" | head -1)
[ "$command" ] || stop 2 "record: no combination is selected${WHERE:+ by WHERE='$WHERE'}"
say "record: run the cells in the browser, use their outputs, and close its window to end"
trap : INT	# ends listening, not this
eval "$command" >"$work/records"
status=$?
[ $status -lt 2 ] || exit $status

jq -nc '[inputs | select(.type == "interaction")] | sort_by(.t)[].line | select(.) |
	.on as $on | .on = (reduce ("role", "label", "text", "class", "css", "tag", "nth", "at")
		as $key ({}; if $on[$key] then .[$key] = $on[$key] else . end)) |
	{after_cell, gesture, on} + .' "$work/records" >"$work/interactions.jsonl" || exit 4
jq -nr '[inputs | select(.type == "interaction").reasons.line | select(.)] | group_by(.)[] |
	"record: left out, \(length) times: \(.[0])"' "$work/records" >&2
[ -s "$work/interactions.jsonl" ] || stop 1 "record: no gesture on an output was recorded"
if [ -e "$file" ]; then
	mv "$file" "$file.old" || exit 4
	say "record: the gestures that were there before are in '$file.old'"
fi
mv "$work/interactions.jsonl" "$file" || exit 4
say "record: $(jq -nr '[inputs.after_cell] | group_by(.) | "\(flatten | length) gestures, " +
	(map("\(length) after cell \(.[0])") | join(", "))' "$file"), are in '$file';" \
	"next: $(type_to profile)"
exit $status
