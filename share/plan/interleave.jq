# The order of interleaved runs of two labels, and their records in this order.
# In:  $a, $b (the labels), $sa, $sb (their run_plan records), $order (AB or BA for each repetition),
#      $seed (of $order), $planned (the number of pairs at most, or null), $looks (words: at how
#      many pairs it has been compared)
# Out: an interleaving record, then the run_plan records
def required: map(select(.type == "run_plan" and .required));
def key: "\(.repetition) \(.name)";
($sa | required) as $runs | ($runs | INDEX(key)) as $of_a |
($sb | required | INDEX(key)) as $of_b |
([$runs[].repetition | numbers] | max // 0) as $repeat |
{type: "interleaving", t: now, $a, $b, $seed, order: $order[:2 * $repeat], $planned,
	looks: [$looks | splits(" +") | select(. != "") | tonumber]},
($runs | sort_by(.repetition // infinite)[] | .repetition as $k | key as $key |
	if $k != null and $order[2 * $k - 2:2 * $k] == "BA" then $of_b[$key], $of_a[$key]
	else $of_a[$key], $of_b[$key] end)
