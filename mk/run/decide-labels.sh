#!/bin/sh
# decide-labels.sh MAKE UC A B: makes interleaved pairs of runs of the labels A and B, and compares
# them from time to time, until it is decided or MAX_TIME is over. How many pairs there can be, and
# at how many they are compared, is fixed after the first block of two pairs, whose duration is
# measured; metriccmp spreads the error over these looks. In the environment: MAX_TIME (20min, 2h,
# 90s), ALPHA, and what alternate-labels.sh and compare-labels.sh read.
set -u
. "${0%/*}/../show/say.sh"
make=$1 uc=$2 a=$3 b=$4 record=$2/runs/$4/.order.jsonl
verdict=$uc/metrics/$b/against-$a/verdict.json
least=6 most=60 looks=8
# Fewer pairs cannot be certain enough: with a single sign, the p of n pairs is 2^(1 - n).
[ -z "${ALPHA:-}" ] || least=$(awk -v alpha="$ALPHA" -v n=$least -v most=$most 'BEGIN {
	while (n < most && 2 ^ (1 - n) > alpha * log(1 + (exp(1) - 1) * n / most)) n += 2
	print n
}')

max_s=$("${0%/*}/count-seconds.sh" ab) || exit
pairs() {
	REPEAT=$1 ORDER_PLANNED=${planned:-} ORDER_LOOKS=${done_looks:-} \
		"${0%/*}/alternate-labels.sh" "$make" "$uc" "$a" "$b"
}

# An experiment that was interrupted goes on as it was planned.
planned=$(jq -r --arg a "$a" --arg b "$b" 'select(.a == $a and .b == $b).planned // empty' \
	"$record" 2>/dev/null)
began=$(date +%s)
if [ ! "$planned" ]; then
	pairs 2 || exit
	block_s=$(($(date +%s) - began))
	[ "$block_s" -ge 1 ] || block_s=1
	planned=$((2 * max_s / block_s))
	[ "$planned" -le $most ] || planned=$most
	[ "$planned" -ge $least ] ||
		stop 6 "ab: two runs of each label took $block_s s: MAX_TIME=${MAX_TIME:-20min}" \
			"has no room for the $least that a verdict requires:" \
			"MAX_TIME=$(((least * block_s + 1) / 2))s or more"
fi
say "ab: at most $planned runs of each label, in MAX_TIME=${MAX_TIME:-20min}; it is compared" \
	"from $least on, and ends when it is decided"
step=$(((planned - least + looks - 2) / (looks - 1)))
step=$((step < 2 ? 2 : (step + 1) / 2 * 2))
n=$least done_looks=
while :; do
	pairs "$n" || exit
	rm -f "$verdict"
	$make compare BASE="$a" LABEL="$b" >"$NBSCOPE_SCRATCH/table" 2>&1 || [ -e "$verdict" ] || {
		cat "$NBSCOPE_SCRATCH/table" >&2
		exit 4
	}
	say "ab: $n of at most $planned: $(jq -rsf "$nbscope/share/plan/progress.jq" \
		"${verdict%/*}/comparison.jsonl")"
	case $(jq -r '"\(.verdict) \(.reason)"' "$verdict") in
	'unknown runs' | 'unknown busy') ;;
	*) break ;;
	esac
	# Runs may take longer than the first ones did.
	[ "$n" -lt "$planned" ] && [ $(($(date +%s) - began)) -lt $((max_s * 5 / 4)) ] || break
	done_looks="$done_looks $n" n=$((n + step < planned ? n + step : planned))
done
