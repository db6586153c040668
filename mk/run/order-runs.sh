#!/bin/sh
# order-runs.sh A B SEED PLAN_A PLAN_B: writes the interleaving record, then the run_plan records
# of the required runs of both labels in the order in which to make them: repetition by repetition,
# A and B of a notebook one after the other. Each block of two repetitions is ABBA or BAAB, so that
# a slow drift cancels out; SEED decides which.
set -eu
# As many blocks as there can be repetitions.
order=$(awk -v n="$(grep -c '"run_plan"' "$4")" -v seed="$3" 'BEGIN {
	srand(seed)
	for (k = 1; k <= n; k++) {
		if (k % 2) first = rand() < 0.5; else first = !first
		printf "%s", first ? "AB" : "BA"
	}
}')
jq -nc --arg a "$1" --arg b "$2" --argjson seed "$3" --arg order "$order" \
	--slurpfile sa "$4" --slurpfile sb "$5" '
	def required: map(select(.type == "run_plan" and .required));
	def key: "\(.repetition) \(.name)";
	($sa | required) as $runs | ($runs | INDEX(key)) as $of_a |
	($sb | required | INDEX(key)) as $of_b |
	([$runs[].repetition | numbers] | max // 0) as $repeat |
	{type: "interleaving", t: now, a: $a, b: $b, $seed, order: $order[:2 * $repeat]},
	($runs | sort_by(.repetition // infinite)[] | .repetition as $k | key as $key |
		if $k != null and $order[2 * $k - 2:2 * $k] == "BA" then $of_b[$key], $of_a[$key]
		else $of_a[$key], $of_b[$key] end)'
