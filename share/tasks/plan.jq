# plan.jq: the tables and figures of a campaign: one record for each table, record file and figure,
# with its command and its outputs. In: table_column records of the rows; the values of the first
# key are in $firsts. Arguments: data, out, formats, heading, here (the folder of this file),
# summaries (files, one per line), failed (a file or ""), tables (the text of share/tasks/tables);
# the settings are in the environment.

def words: [splits("[ \t\n]+") | select(. != "")];
def setting($name; $default): (env[$name] // "") | if . == "" then $default else . end;
def only($condition; f): if $condition then f else empty end;

[inputs] as $columns | ($columns | map({key: .column, value: .}) | from_entries) as $column |
def has($name): $column[$name] | . != null and .number and .known > 0;

(setting("BY"; "step task") | words) as $by |
(setting("SHOW"; "") | words) as $show |
(setting("ID"; "") | words | map(select($column[.]))) as $id |
($columns | map(.column | select(startswith("source_") | not)) | join(" ")) as $all_names |
def stop($text): "tasks: \($text)\n" | halt_error(3);
([($by + $show)[] | select($column[.] | not)][0]) as $unknown |
([("run_time", "cpu_time", "memory") | select(has(.))]) as $of |
if $unknown then stop("no column '\($unknown)' in '\($data)', whose columns are: " +
	"\($all_names); see PATTERN, BY and SHOW") else . end |
if $of == [] then stop("'\($data)' has none of run_time, cpu_time and memory, but: " +
	"\($all_names); MAP='run_time=COLUMN' names one") else . end |
$by[0] as $first | $by[-1] as $last |
(if has("run_time") then "run_time" else $of[0] end) as $time |
(if has("cpu_time") and has("run_time") then "cpu_time/run_time" else "" end) as $efficiency |
($of - ["memory"] | if . == [] then $of else . end) as $times_of |
(setting("UNITS"; "") | words) as $units |
def with_defaults($of): $units + ($of | to_entries | map(select(.key as $name |
	any($units[]; startswith("\($name)=")) | not) | "\(.key)=\(.value)")) |
	["--unit", join(",")];
# Sizes with a unit of their own need none, but limits of categories are in one.
{run_time: "s", cpu_time: "s"} as $times | ($times + {memory: "bytes"}) as $all_units |
with_defaults(if $units == [] then $all_units else $times end) as $common |
(if $efficiency == "" then [] else ["--efficiency", $efficiency] end) as $with_efficiency |
(with_defaults($all_units) + $with_efficiency) as $of_figures |
# The setting that is to be changed where something does not fit.
{early: "COHORT", memory: "CATEGORY", categories: "CATEGORY", outliers: "OUTLIERS",
	failed: "STATUS", check: "SUMMARY", efficiency: "LEVELS", bands: "SHOW"} as $setting_of |
setting("CATEGORY"; "memory:small<=5GB,medium<=20GB,high") as $category |
($summaries | [splits("\n") | select(. != "")]) as $checked |
"\($out)/.work/rows.csv" as $rows |

# ---- checks of summaries -------------------------------------------------------------------------

# PATTERN of the summaries: its first folders, as long as they match the summary's own.
def folders: rtrimstr("/") | split("/");
def as_regex: gsub("(?<c>[.+*?^$()\\[\\]|\\\\])"; "\\\(.c)") | gsub("[{][^}]*[}]"; "[^/]+") |
	"^\(.)$";
(setting("PATTERN"; "") | folders) as $pattern |
(($checked[0] // "") | ltrimstr($data + "/") | folders | .[:-1] |
	.[:(map(test("summary"; "i")) | index(true)) // length]) as $path |
([range(0; $path | length) as $from | [range(0; $pattern | length) | . as $i |
		$path[$from + .] | . != null and test($pattern[$i] | as_regex)] |
	index(false) // length] | max // 0) as $n |
($pattern[:$n] | join("/") | if test("[{]") then . + "/" else "" end) as $check_path |

# ---- tables --------------------------------------------------------------------------------------

{two_keys: ($first != $last), memory: has("memory"), cohort: (setting("COHORT"; "") != ""),
	failed: ($failed != ""), summary: ($checked != []), "-": true} as $facts |
{first: [$first], last: [$last], by: [$by | join(",")], of: [$of | join(",")], time: [$time],
	times: [$times_of | join(",")],
	category: [$category], outliers: [setting("OUTLIERS"; "iqr:6")],
	cohort: [setting("COHORT"; "")], outcomes: ["outcome,\($last)"],
	efficiency: $with_efficiency,
	show: (([$first] + $by + $id + $show) | reduce .[] as $name ([];
		if index([$name]) then . else . + [$name] end) | . as $shown |
		["--show", ($shown | join(","))]),
	check: ([$checked[] | "--check", .] +
		if $check_path == "" then [] else ["--check-path", $check_path] end)} as $values |

def table($name; $form; $options; $output):
	{type: "table", name: "\($name), \($form)", setting: ($setting_of[$name] // "BY"),
		output: [$output], command: (["metricstat",
		"--format", $form] + $common + $options + [if $name == "failed" then $failed
		else $rows end])};

def tables: $tables | splits("\n(?=[a-z])") | select(test("^[a-z]")) |
	(split("\n") | (.[0] | words) + .[1:]) as [$name, $to, $needs, $text] |
	select($facts[$needs]) | [$text | words[] |
		if startswith("{") then $values[.[1:-1]][] else . end] as $options |
	# The outliers are of one group of keys, which are not repeated.
	($options | if index(["--by"]) and index(["--show"]) then
		(.[index(["--by"]) + 1] | split(",")) as $keys |
		.[index(["--show"]) + 1] |= ([splits(",")] - $keys | join(",")) |
		if .[index(["--show"]) + 1] == "" then
			del(.[index(["--show"]), index(["--show"]) + 1]) else . end
		else . end) as $options |
	(select($to | contains("files")) | ("csv", "markdown", "latex") |
		table($name; .; $options; "\($out)/tables/\($name).\(.)")),
	(select($name == "check") | table($name; "text"; $options; "\($out)/tables/check.txt")),
	(select($to | contains("report")) |
		table($name; "json"; $options; "\($out)/.work/records/\($name)"));

# The wide table: a row for each kind, chosen columns in fixed units.
def wide: ("csv", "markdown", "latex") as $form |
	{type: "table", name: "wide, \($form)", setting: "WIDE",
		output: ["\($out)/tables/wide.\($form)"],
		command: ([$here + "/wide", $form, setting("WIDE"; "default"),
			"metricstat", "--format", "json", "--total", "--percentiles",
			"1,5,10,25,50,75,90,95,98,99", "--by", ($by | join(",")),
			"--of", ($of | join(","))] + $common + [$rows])};

# What to request for further executions; what is wrong with these settings is an error.
def requests: only(env.REQUESTS // "" | . != "";
	{type: "table", name: "requests", setting: "REQUESTS", must: true,
		settings: ("REQUESTS RISK CONFIDENCE ATTEMPTS KILLED EXECUTION" | words |
			map(env[.] // "")),
		output: ["\($out)/.work/records/requests"], command: [$here + "/requests/write",
			"\($out)/requests", $last, ($of | join(",")), $common[1], $rows,
			($failed | select(. != ""))]});

# ---- figures -------------------------------------------------------------------------------------

def figure($id; $kind; $title; $options): {type: "figure", name: $id,
	setting: ($setting_of[$id] // "MAP and UNITS"),
	output: [$formats | words[] | "\($out)/figures/\($id).\(.)"],
	record: ({type: "figure", $id, $kind, $title, subtitle: $heading} + $options)};
def with_page: .output += ["\($out)/interactive/\(.name).html"];
def tasks($id; $kind; $title; $of): figure($id; $kind; $title; {by: ($by | join(",")), $of});
def of_last($id; $kind; $title; $of): figure($id; $kind; $title; {by: $last, $of});
def of_first($id; $kind; $title; $of): figure($id; $kind; $title; {by: $first, $of});
def plural: if . == "step" or . == "task" then . + "s" else "groups by " + . end;
def file_name: gsub("[^A-Za-z0-9]"; "_");
($column[$last] | if .number then 0 else .words end) as $kinds |
"\($time),memory" as $pair | has("memory") as $memory |
($efficiency != "") as $has_cpu |

def figures:
	only($first != $last; of_first("steps"; "bars";
		"\($first | plural) of the campaign" | sub("^s"; "S");
		["count", ($of[] | select(. != "cpu_time")), ($efficiency | select(. != ""))] |
		join(","))),
	only($has_cpu;
		tasks("tasks"; "bands"; "Elapsed and CPU time of the tasks";
			"run_time,cpu_time"),
		(setting("LEVELS"; "low<50%,medium<80%,high") as $levels |
			tasks("efficiency"; "bars"; "CPU efficiency of the tasks"; $efficiency) |
			.record += {category: "\($efficiency):\($levels)"}),
		tasks("efficiency-box"; "box"; "CPU efficiency of the executions of each task";
			"cpu_efficiency_pct"),
		tasks("efficiency-ridge"; "ridge"; "CPU efficiency of the tasks: densities";
			"cpu_efficiency_pct"),
		of_last("efficiency-dominant"; "dominant";
			"CPU efficiency of the tasks that make up 98 % of the time";
			"cpu_efficiency_pct,\($time)"),
		of_last("elapsed-over-cpu"; "dashes";
			"Elapsed and CPU time of the tasks, and those that hold 90 % of it";
			"cpu_time,run_time")),
	only($memory; tasks("memory-points"; "points"; "Memory of the tasks"; "memory"),
		tasks("memory-box"; "box"; "Memory of the tasks: box plots"; "memory"),
		tasks("memory-whiskers"; "whiskers"; "Memory of the tasks: quantiles"; "memory"),
		of_last("memory-dominant"; "dominant";
			"Memory of the tasks that make up 98 % of the time"; "memory,\($time)"),
		# Those of the first ten kinds are also those of all, if there are at most ten.
		only($kinds == 0 or $kinds > 10 or $first != $last;
			(("1-10", "11-20", "21-30", "31-") |
			select($kinds == 0 or $kinds >= (split("-")[0] | tonumber)) | . as $rank |
			(if endswith("-") then . + "\($kinds)" else . end) as $ranks |
			of_last("hulls-ranks_" + ($rank | rtrimstr("-")); "hulls";
				"Memory against time, ranks \($ranks)"; $pair) |
			.record += {$rank} | with_page),
			(of_last("hulls-calls_1-10"; "hulls"; "Memory against time, the " +
				"\([$kinds, 10] | min) kinds with the most executions"; $pair) |
			.record += {rank: "1-10", sort: "count"} | with_page)),
		of_first("histogram-memory"; "histogram"; "Memory of the executions, by \($first)";
			"memory")),
	only($of[1:] != []; of_last("pairs"; "pairs"; "Every pair of columns, with outliers";
		$of | join(","))),
	of_last("largest"; "largest"; "The tasks with the most time"; $time),
	of_last("ranked"; "ranked"; "All tasks, by their time"; $time),
	of_last("ranked-calls"; "ranked"; "All tasks, by their number of executions"; "count"),
	of_first("histogram"; "histogram"; "Elapsed time of the executions, by \($first)"; $time),
	(of_last("histogram-tasks"; "histogram";
		"Elapsed time of the tasks that make up 98 % of it"; $time) |
		.record += {upto: 98, "log-counts": true}),
	tasks("box"; "box"; "Elapsed time of the tasks"; $time),
	tasks("ridge"; "ridge"; "Elapsed time of the tasks: densities"; $time),
	only($memory; of_first("categories"; "categories";
		"Memory of the \($first | plural), by category"; $times_of | join(",")) |
		.record += {$category}),
	only($show != []; of_last("bands"; "heatmap"; "Elapsed time by " +
			if $show[0] == "band" then "filter band" else $show[0] end; $time) |
		.record += {against: $show[0]}),
	only($memory; if $first == $last then
			tasks("hulls"; "hulls"; "Memory against time"; $pair) else
		($firsts[] | of_last("hulls-\($first)_\(file_name)"; "hulls";
				"Memory against time, \($first) \(.)"; $pair) + {of_first: .} |
			# A number in quotes is a word.
			(.of_first | if test("^[0-9.]+$") then . else tojson end) as $value |
			.record += {where: "\($first)=\($value)"} | del(.of_first)) end);

{type: "settings", common: $of_figures, $by, $last, $of, units: $common[1], $heading,
	skipped: [("run_time", "cpu_time", "memory") | select(has(.) | not) |
		"tasks: skipped what needs \(.): '\($data)' has no such column of numbers; its " +
		"columns are: \($all_names) (MAP='\(.)=COLUMN' names it)"]},
tables, wide, requests, (figures | .record += {output})
