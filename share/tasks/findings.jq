# findings.jq: what the report of a campaign shows: what was found, as sentences, then the records.
# In: the records of metricstat and of executions.py. Arguments: data, which the names of files
# begin with, and last, the key of the kinds of task.
include "text";

def plural($n; $one): "\($n) \($one)\(if $n == 1 then "" else "s" end)";
def percent: if . >= 9.95 then "\(round)" elif . >= 0.995 then "\(. * 10 | round / 10)"
	else "\(. * 100 | round / 100)" end + " %";
def seconds_per: {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1, "min": 60, "h": 3600, "d": 86400};
def is_time: .unit as $unit | seconds_per | has($unit // "");
def time_of($value): $value * seconds_per[.unit] | duration;
def kind: .[$last] // "(empty)";

# ---- what did not run, or ran again --------------------------------------------------------------

def counted($stats):
	([$stats[] | select(.group | has("outcome"))]) as $failed |
	($failed | map(select(.total))[0]) as $lost |
	([$stats[] | select(.total and (.group | has("outcome") | not) and
		.column == $lost.column)][0]) as $done |
	($failed | map(select(.total | not)) | group_by(.group.outcome) |
		map({key: .[0].group.outcome, value: (map(.sum // 0) | add)}) |
		from_entries) as $cost |
	def cost($outcome): ($cost[$outcome] // 0) as $sum |
		if $sum > 0 and ($lost | is_time) then ": " + ($lost | time_of($sum)) +
			if $done.sum > 0 then ", " + (100 * $sum / ($done.sum + $lost.sum) |
				percent) + " of all run time" else "" end
		else "" end;
	(select((.failed // 0) > 0) | plural(.failed; "execution") + " failed, and did not " +
		"complete in another attempt" + cost("failed") + "; they are counted apart"),
	(select((.repeated // 0) > 0) | plural(.repeated; "execution") + " failed or was " +
		"stopped, and ran again" + cost("repeated") + "; only the last attempt is counted"),
	((.not_run // {}) | to_entries[] | plural(.value; "row") +
		" did not run, or had not ended (\(.key)), and " +
		(if .value == 1 then "is" else "are" end) + " not counted"),
	(select((.twice // 0) > 0) | plural(.twice; "row") + " repeated another row in all " +
		"columns, and counts once"),
	(select((.steps // 0) > 0) | plural(.steps; "row") + " of job steps (.batch, .extern) " +
		"count as a part of their jobs");

# ---- outliers ------------------------------------------------------------------------------------

# "all 113 slow runs of calibrate were on wn007": the value that most of them share, and that the
# fewest others have.
def is_host: test("^(exec_?)?host|^node|^worker|^machine|^site"; "i");
def outlier_words: if .column | test("time|elapsed|duration"; "i")
	then if .side == "high" then "slow runs" else "fast runs" end
	else (if .side == "high" then "runs with high " else "runs with low " end) + .column end;
def shared_text: if .parameter | is_host then "on \(.value)" else "of \(.parameter) \(.value)" end;
def most_telling: [.[] | select(.of_outliers_pct >= 80 and .of_rows_pct < 80)] |
	if . == [] then null else min_by(-.of_outliers_pct, .of_rows_pct) end;
def outlier_sentences:
	group_by([.of[$last], .column, .side]) | map(.[0] + {n: length, sum: (map(.value) | add),
		times: (map(.times_median // 0) | median),
		best: (.[0].shared | most_telling)}) |
	sort_by(-.sum) | map(select(.best and .n >= 3) | . as $o | .best |
		(if .outliers >= $o.group.outliers then "all " else "\(.outliers) of the " end) +
		"\($o.group.outliers) \($o | outlier_words) of \($o.of | kind) were " +
		"\(shared_text) (" +
		(if $o.times > 0 then "\($o.times | tenths) times the median; " else "" end) +
		"\(.of_rows_pct | percent) of all its executions are)");

# ---- where the time goes -------------------------------------------------------------------------

def most($stats):
	[$stats[] | select((.total | not) and .share_pct and
		(.group | has($last) and (has("outcome") | not)))] |
	(map(.column)[0]) as $column | map(select(.column == $column)) | unique_by(.group[$last]) |
	# A fourth as large as the third is not less.
	sort_by(-.share_pct) | select(length > 3 and .[2].share_pct > .[3].share_pct) | .[:3] |
	(map(.share_pct) | add | percent) as $all |
	map("\(.group | kind) (\(.share_pct | percent))") |
	"\($all) of the \($column | gsub("_"; " ")) is in \(.[0]), \(.[1]) and \(.[2])";

def summary($checks):
	[$checks[] | select((.summary_column // "") != "" and (.group // {}) == {})] |
	select(. != []) | map(.verdict) as $verdicts |
	def n($what): [$verdicts[] | select(. == $what)] | length;
	(length - n("not_compared")) as $compared |
	"\(n("same")) of \(plural($compared; "column")) of the summary agree with the rows" +
	(if n("explained") > 0 then ", \(n("explained")) differ for a known reason" else "" end) +
	(if n("differs") > 0 then ", \(n("differs")) differ" else "" end) +
	([.[] | select(.verdict == "explained") | .explanation] | group_by(.) | sort_by(-length) |
		if . == [] then "" else " (" + (map(.[0]) | .[:3] | join("; ")) + ")" end);

# Lists of rows come with the figures of their groups, which other tables have.
[inputs | select(.type != "stat" or
	(input_filename | test("/(largest|outliers|check)$") | not))] as $all |
[$all[] | select(.type == "stat")] as $stats |
([$all[] | select(.type == "executions") | counted($stats)], [most($stats)],
	([$all[] | select(.type == "outlier")] | outlier_sentences | .[:12]),
	[summary([$all[] | select(.type == "summary_check")])] | .[] |
	{type: "finding", text: ((.[:1] | ascii_upcase) + .[1:])}),
($all[] | select(.type != "executions") |
	if .file then .file |= ltrimstr($data + "/") else . end)
