#!/bin/sh
# report-end.sh UC LABEL: makes profile, then runs a command that has the verdict as JSON on its
# standard input, however that ended. Its status changes nothing. In the environment:
#   MAKE, ON_END   make, and the command
set -u
nbscope=${0%/*}/../..
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
# That of an earlier call says nothing of this one.
rm -f "$verdict"
# In the background, it would ignore SIGINT.
env --default-signal=INT,QUIT $MAKE profile ON_END= &
child=$!
while wait "$child"; status=$?; kill -0 "$child" 2>/dev/null; do :; done
trap '' INT TERM HUP
# What is known without a verdict is how many runs there are.
if [ -e "$verdict" ] && [ -z "$signal" ]; then
	cat "$verdict"
else
	runplan --label "$label" "$uc" 2>/dev/null
fi | jq -ncf "$nbscope/share/plan/outcome.jq" --arg usecase "${uc##*/}" --arg l "$label" \
	--arg signal "$signal" --arg status "$status" |
	timeout 60 env -u JUPYTERLAB_TOKEN -u JUPYTERLAB_PASSWORD sh -c "$ON_END" ||
	echo "profile: ON_END failed; the results are as they were" >&2
exit "$status"
