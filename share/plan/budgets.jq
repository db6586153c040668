# A budget file (metricbudget(1)) from what was measured, with room for its noise.
# In:  cell_metrics and notebook_metrics records of one label, as inputs
# Out: lines of YAML; nothing if there are no times
#
# A limit is the upper end of Student's prediction interval for the median of as many runs:
# median * (1 + t * cv * sqrt(pi / n)), where sqrt(pi / 2) is how much more a median of normal noise
# varies than a mean, and sqrt(2 / n) is for the two medians.

def median: sort | (.[(length - 1) / 2 | floor] + .[length / 2 | floor]) / 2;
def cv: length as $n | (add / $n) as $mean |
	(map((. - $mean) * (. - $mean)) | add / ($n - 1) | sqrt) / $mean;
# The 99 % quantile of Student's t; from 10 degrees of freedom on within 1 %.
def t: [6.965, 4.541, 3.747, 3.365, 3.143, 2.998, 2.896, 2.821][. - 2] // (2.326 + 4.5 / .);
# Three significant digits, upwards.
def up: pow(10; (log10 | floor) - 2) as $digit |
	. / $digit - 1e-9 | ceil | . * $digit * 1e6 | round / 1e6;
def significant: pow(10; (log10 | floor) - 2) as $digit | . / $digit | round | . * $digit * 1e6 |
	round / 1e6;
# A shell pattern that only this text matches.
def pattern: gsub("(?<c>[][*?\\\\])"; "\\\(.c)") | @json;

def limits($metric; $column; $unit; $factor):
	group_by([.name, .cell_index])[] | .[0] as $first |
	map(.[$column] | numbers | select(. > 0) * $factor) | select(. != []) |
	(length) as $n | median as $median |
	(if $n < 3 then null else cv end) as $cv |
	(if $cv then [0.1, (($n - 1 | t) * $cv * (3.14159265 / $n | sqrt))] | max else 0.5 end)
		as $margin |
	{$first, $metric, $median, text: ("\($metric): \($median * (1 + $margin) | up) \($unit)}  # " +
		"\($median | significant) \($unit) + \(100 * $margin | round) %; " +
		if $cv then "\($n) runs, cv \(1000 * $cv | round / 10) %"
		else "only \($n) run\(if $n > 1 then "s" else "" end)" end)};

[inputs | select(.execution_status == "Completed")] |
(map(select(.type == "notebook_metrics")) |
	[limits("client"; "client_execution_time_metric"; "s"; 1),
		limits("memory"; "kernel_peak_rss_bytes"; "MB"; 1e-6)]) as $wholes |
([$wholes[] | select(.metric == "client") | {key: .first.name, value: .median}] | from_entries)
	as $whole |
[map(select(.type == "cell_metrics")) | limits("client"; "client_execution_time_metric"; "s"; 1) |
	select(.median >= 0.05 * ($whole[.first.name] // 0))] as $cells |
if $wholes + $cells == [] then empty else
	"# Limits on the medians of runs (metricbudget(1)), for whole notebooks and for cells that take",
	"# at least 5 % of their time. Each is the measured median and a margin, which the noise demands:",
	"# with unchanged code the median of as many runs exceeds it in one of 100 checks, by Student's",
	"# t and the variation of single runs (cv); at least 10 %, and 50 % with fewer than 3 runs, whose",
	"# noise is unknown. Other days and machines vary more than the runs of one session.",
	($wholes[] | "- {notebook: \(.first.name | pattern), whole: true, \(.text)"),
	($cells[] | .first.cell_index as $cell | "- {notebook: \(.first.name | pattern), cell: " +
		"\(.first.cell_id // "\($cell)" | pattern), \(.text); cell \($cell)")
end
