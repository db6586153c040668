# What became slower or faster when a notebook, its files or its packages changed.
# In:  $old, $new: the records of metrics.jsonl before and after the change, as arrays; $keep:
#      whether only "changed" is asked for
# Out: with $keep, "changed" if a run was made from something else; otherwise a line for each of
#      the three cells that changed most, if by more than the noise of both
include "text";

def runs: map(select(.type == "notebook_metrics"));
def key: "\(.usecase) \(.name) \(.repetition)";
def of($from): .made_from | if . == null then null else .[$from] end;
def time: .client_execution_time_metric // .kernel_execution_time_metric;
# The cells by notebook and id: their times, and their source.
def cells: map(select(.type == "cell_metrics" and .execution_status == "Completed" and
		(time | numbers)))
	| group_by("\(.usecase) \(.name) \(.cell_id // .cell_index)")
	| map({key: "\(.[0].usecase) \(.[0].name) \(.[0].cell_id // .[0].cell_index)",
		value: {cell: .[0].cell_index, name: .[0].name, source: .[0].source, times: map(time)}})
	| from_entries;

($old | runs | INDEX(key)) as $before | ($new | runs) as $after |
[$after[] | . as $run | $before[key] | select(. != null) |
	{notebook: (of("notebook") != ($run | of("notebook"))),
		files: (of("files") != ($run | of("files"))),
		packages: (of("environment") != ($run | of("environment")))}] |
{notebook: any(.notebook), files: any(.files), packages: any(.packages)} as $other |
if $keep then (if [$other[]] | any then "changed" else empty end) else
($old | cells) as $b | ($new | cells) as $a |
[$a | to_entries[] | select($b[.key] != null) | {cell: .value.cell, name: .value.name,
	other_code: (.value.source != $b[.key].source), times: .value.times, before: $b[.key].times} |
	. + {x: (.before | median), y: (.times | median)} | select(.x > 0 and .y > 0) |
	.ratio = (.y / .x | log | fabs)] as $cells |
# The noise of single runs: three times as much as cells differ whose code is the same; of fewer
# than three such cells it is not known.
([$cells[] | select(.other_code | not) | select(.x >= 0.05) | .ratio] |
	if length < 3 then 0.4 else [0.1, 3 * median] | max end) as $noise |
([$cells[] | select(.other_code).cell] | unique) as $coded |
($after | map(.t | numbers) | min) as $t |
([$cells[].name] | unique | length) as $notebooks |
[$cells[] |
	select(if (.times | length) > 2 and (.before | length) > 2 then
			(.times | min) > (.before | max) or (.times | max) < (.before | min)
		else .ratio > $noise end) |
	select(((.y - .x) | fabs) >
		([if (.times | length) > 2 then 0.005 else 0.05 end, 0.05 * .x] | max))] |
sort_by((.y - .x) | fabs) | reverse | .[:3][] |
(if .other_code then "other code in cell \(.cell)"
	elif $coded != [] then "other code in cell" + (if $coded[1:] == [] then "" else "s" end) +
		" \($coded | map(tostring) | join(", "))"
	elif $other.packages then "other packages" elif $other.files then "other files"
	else "another notebook" end) as $why |
(if now - ($t // 0) < 43200 then "%H:%M" else "%d %B, %H:%M" end) as $form |
(if $notebooks > 1 then .name + " " else "" end) +
	"cell \(.cell): \(.x | duration) -> \(.y | duration)" +
	(if $t then " since \($t | strflocaltime($form))" else "" end) +
	" (\($why))" end
