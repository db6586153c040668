# What cells printed of their items, for the end of make profile: medians over the repetitions.
# In:  records of metrics; $asked (the variables that say what to look for); $most (lines)
def median: sort | (.[(length - 1) / 2 | floor] + .[length / 2 | floor]) / 2;
def short: if . == 0 then 0 else pow(10; 3 - (fabs | log10 | floor)) as $by |
	. * $by | round / $by end;
def value($of; $words): map(.[$of] | numbers) | select(. != [])
	| "\(median | short) \($words // "")" | rtrimstr(" ");
[inputs | select(.type == "cell_metrics" and (.items_per_s // .items_done_pct) != null)] |
group_by([.name, .cell_index]) | map(.[0] as $cell |
	[value("items_per_s"; $cell.items_unit // "1/s"),
		value("items_done_pct"; "% \($cell.items_done_meaning // "")")] |
	"items: \($cell.name) cell \($cell.cell_index): \(join(", "))") |
if . == [] then "items: no output matches \($asked)"
else .[:$most][], (select(length > $most)
	| "items: \(length - $most) more in cell_metrics.csv") end
