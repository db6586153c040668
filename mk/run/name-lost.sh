#!/bin/sh
# name-lost.sh UC LABEL: names executed notebooks that are missing or damaged, by the plan of the
# label's runs, with what makes them again.
set -u
. "${0%/*}/../show/say.sh"
uc=$1 label=$2
lost=$(grep '"executed_state":"[md]' "$uc/runs/$label/plan") || exit 0
printf '%s\n' "$lost" | jq -nr '[inputs] | group_by(.profile)[] | .[0].profile // "",
	"the executed notebook \u0027\(.[0].executed)\u0027 is \(.[0].executed_state)\(
		if .[1] then ", and so are \(length - 1) more" else "" end)"' |
	while IFS= read -r pass && IFS= read -r text; do
		case $pass in
		'') target=profile ;;
		whatif*) target=whatif ;;
		*) target="explain PROFILERS=$pass" ;;
		esac
		# shellcheck disable=SC2086  # words
		say "$label: $text; to run it again: $(type_to $target RERUN=failed)"
	done >&2
