#!/bin/sh
# report-end.sh UC LABEL: makes profile, then runs a command that has the verdict as JSON on its
# standard input, however that ended. Its status changes nothing. In the environment:
#   MAKE     make
#   ON_END   the command, for the shell; it is ended after a minute
set -u
[ "${1-}" != --help ] || exec mk/setup/print-usage.sh "$0"
uc=$1 label=$2 verdict=$1/metrics/$2/verdict.json signal=''
heard() {
	signal=$1
	# At a terminal, everything has had it.
	[ "$1" = INT ] || kill -TERM "$child" 2>/dev/null
}
for s in INT TERM HUP; do
	# shellcheck disable=SC2064  # the name now
	trap "heard $s" "$s"
done
# In the background, a command would ignore SIGINT.
both() {
	env --default-signal=INT,QUIT "$@" &
	child=$!
	while wait "$child"; status=$?; kill -0 "$child" 2>/dev/null; do :; done
}
ENDED=$(mktemp)
export ENDED
both "$MAKE" profile ON_END=
tables=$(cat "$ENDED")
rm -f "$ENDED"
trap '' INT TERM HUP
# What is known without a verdict is how many runs there are.
if [ "$tables" ] && [ -z "$signal" ]; then
	cat "$verdict"
else
	runplan --label "$label" "$uc" 2>/dev/null
fi | jq -nc --arg u "$(basename "$uc")" --arg l "$label" --arg signal "$signal" --arg status "$status" '
	[inputs] as $read | {usecase: $u, "label": $l} +
	if ($read | any(.[]; .verdict)) then $read[0] else
		[$read[] | select(.type == "run_plan" and .required)] as $runs |
		($runs | map(select(.due | not)) | length) as $made |
		{verdict: (if $signal != "" then "interrupted" else "error" end), t: now,
		line: ((if $signal != "" then "verdict: interrupted by SIG\($signal)"
			else "verdict: make failed with status \($status)" end) + "; \($made) of \($runs | length) runs are made")}
	end' |
	timeout 60 env -u JUPYTERLAB_TOKEN -u JUPYTERLAB_PASSWORD sh -c "$ON_END" ||
	echo "profile: ON_END failed; the results are as they were" >&2
exit "$status"
