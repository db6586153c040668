# The parts of a report's model (share/schema/report_model.json) that follow from the records of
# other filters. In: {records: {TYPE: [record, ...]}, notebooks: {NAME: {notebook, file, id, and its
# times}}, pages, usecase, first: the first run's record, mixed: {MEMBER: whether runs differ in it}, most_runs,
# tables, phases, cells_s, profile_files: {NAME: [file]}, figures}. Out: members of the model.

# As Q_LINEAR of metricstat.
def quantile($share):
	sort | if length == 0 then null else
		((length - 1) * $share) as $at | ($at | floor) as $i |
		.[$i] + ($at - $i) * ((.[$i + 1] // .[$i]) - .[$i])
	end;
def is_number: type == "number";

# ---- links ---------------------------------------------------------------------------------------

# The notebook has its name in the other tables; that in the record if this label has no such one.
def link($notebooks; $name; $cell):
	($notebooks[$name] // {notebook: $name, file: null, id: null}) as $at |
	. + {cell: $cell, notebook: $at.notebook, file: $at.file,
		anchor: (if $cell and $at.id then "\($at.id)/\($cell)" else null end)};

# ---- outliers ------------------------------------------------------------------------------------

# The rule also finds outliers where values hardly vary, which are not relevant. The rows of a table
# are not repetitions.
def is_far($tables; $min_runs; $far):
	($tables or (.group.count // $min_runs) >= $min_runs) and
	(.times_median == null or (.times_median - 1 | fabs) >= $far);

# Members that identify a cell become a link; the others are shown after it.
def outlier($notebooks):
	(.of // {}) as $of | ($of.cell_index | try (tonumber | floor) catch 0) as $cell |
	if ($of.name // "") != "" and $cell > 0
	then link($notebooks; $of.name; $cell) + {rest: ($of | del(.name, .cell_index))}
	else link($notebooks; ""; null) + {rest: $of} end;

# The rows of one group that are far from it, as one row: what all of them have in common names it.
def outlier_groups:
	group_by([.full_column, .group]) | map(.[0] + {n: length, most: max_by(.value),
		rest: ([.[0].shared[]?.parameter] as $shared | reduce .[] as $o (.[0].rest;
			with_entries(select((.value // "") != "" and .value == $o.rest[.key] and
				(.key | IN($shared[]) | not)))))}) |
	sort_by(-.n * .most.value);

def outliers:
	5 as $min_runs | .tables as $tables | .notebooks as $notebooks |
	[.records.outlier[]? | select(is_far($tables; $min_runs; 0.05)) | outlier($notebooks)] as $rows |
	{$rows, groups: (if $tables then $rows | outlier_groups else [] end),
		min_runs: $min_runs, enough_runs: (.most_runs >= $min_runs)};

# ---- scaling, comparison -------------------------------------------------------------------------

def scaling:
	[.records.scaling[]?] as $fits |
	[$fits[] | select(.law == "none" or
		(.holds and .word != "constant" and .word != "unknown"))] as $rows |
	{rows: $rows, fits: ($fits | length), limits: any($rows[]; .limit_at | is_number)};

# What matters most comes first, and notebooks before their cells.
def comparison:
	{worse: 0, better: 2, unknown: 4, no_worse: 6} as $ranks | .notebooks as $notebooks |
	(.notebooks | length == 1) as $single |
	[.records.comparison[]? | link($notebooks; .name // ""; .cell_index)] as $rows |
	[.records.comparison_verdict[]?] | last | if . then . + {
		summary: (.line // "" | ltrimstr("verdict: ")),
		gate: ([$rows[] | select(.gate) | .title] | unique),
		rows: ($rows | sort_by(($ranks[.result // ""] // 4) +
			if .cell_index then 1 else 0 end)),
		# The change of the client time, where it is that of one notebook.
		client_change: ([$rows[] | select($single and (.cell_index == null) and
			.metric == "client_execution_time_metric") | .change] | last)
	} else . end;

# ---- the history ---------------------------------------------------------------------------------

# {text: its number, from 0}, in the order of their first places.
def numbered: reduce .[] as $x ({}; .[$x] //= length);
def tenth: . * 10 | round / 10;
def signed: (100 * . * 10 | round / 10) as $pct | "\(if $pct < 0 then "" else "+" end)\($pct)";

# A kind of machine has one colour; only points of the same machine are joined.
def machine_kind: if . then del(.host) else {} end | tojson;
def machine_text: fromjson | [.processor, (.cores | values | "\(.) cores"),
	(.memory_bytes | values | "\(. / 1e9 | round) GB")] | map(values) | join(", ") |
	if . == "" then "unknown machine" else . end;

# A step as text: its change with its interval.
def step_of($labels): (if .before == 0 then null else .after / .before - 1 end) as $change |
	. + {up: (.after > .before), x: $labels[.label], change: (if $change == null
		then "from 0" else "\($change | signed) %" + if (.change_low | is_number)
			then " (\(.change_low / .before | signed) to " +
				"\(.change_high / .before | signed))" else "" end end)};

# One curve: a notebook's, or a cell's. It is drawn 1000 wide and 100 high, upside down; the axis spans
# at least 30 % of the median, so that noise does not look like change.
def curve($labels; $kinds; $steps):
	.[0] as $of | (map(.median) | quantile(0.5)) as $middle |
	([(map(.median) | min), 0.85 * $middle] | min) as $low |
	([(map(.median) | max), 1.15 * $middle] | max) as $high |
	(if $high > $low then $high - $low else 1 end) as $span |
	([$labels | length - 1, 1] | max) as $last |
	def x: 20 + 960 * . / $last | tenth;
	def y: 94 - 88 * (. - $low) / $span | tenth;
	map(. + {x: ($labels[.label] | x), y: (.median | y), place: $labels[.label],
		kind: $kinds[.machine | machine_kind], machines: ($kinds | length),
		spread_pct: (if (.mad | is_number) and .median > 0
			then 148.26 * .mad / .median else null end)}) | sort_by(.place) |
	{cell: $of.cell_index, interaction: $of.interaction, metric: $of.metric, title: $of.title,
		$low, $high,
		last: (last | {label: .label, median}), points: .,
		lines: [group_by(.machine)[] | select(length > 1) | {kind: .[0].kind,
			d: (map("\(.x) \(.y)") | "M" + join("L"))}],
		steps: [$steps[] | select(.cell_index == $of.cell_index and .name == $of.name and
			.interaction == $of.interaction and .metric == $of.metric) |
			step_of($labels) | select(.x) | .x |= x]};

# What a person waits for; without a page, the kernel's time.
def time_metric: ["client_execution_time_metric", "kernel_execution_time_metric"] as $times |
	map(.metric) as $have | first($times[] | select(IN($have[])), null);

def history:
	[.records.step[]?] as $steps |
	[.records.label_history[]? | select(.median | is_number)] | group_by(.usecase) |
	map(.[0].usecase as $usecase | time_metric as $metric |
		(map(.label) | numbered) as $labels |
		(map(.machine | machine_kind) | numbered) as $kinds |
		([$steps[] | select(.usecase == $usecase)] |
			unique_by([.name, .cell_index, .interaction, .metric,
				.label])) as $steps |
		{usecase: ($usecase // ""), first_label: .[0].label, last_label: .[-1].label,
			labels: ($labels | length),
			machines: ([$kinds | to_entries[] | {kind: .value,
				text: (.key | machine_text)}] | sort_by(.kind)),
			notebooks: [group_by(.name)[] | .[0] as $of |
				[map(select(.metric == $metric)) |
					group_by([.cell_index, .interaction])[] |
					curve($labels; $kinds; $steps)] as $curves |
				{notebook: ((map(.params | values) | first // {} | to_entries |
						map("\(.key)=\(.value | if type == "string"
							then . else tojson end)") | join(" ")) |
						if . == "" then $of.name else . end),
					whole: [$curves[] |
						select(.cell == null and .interaction == null)],
					cells: [$curves[] | select(.cell or .interaction)],
					open: ([$curves[] | select(.cell or .interaction)] |
						length <= 8 or any(.[]; .steps != [])),
					others: [$steps[] | select(.name == $of.name and
						.metric != $metric) | step_of($labels) |
						select(.x)]}]});

# ---- where it was measured, and how exactly ------------------------------------------------------

# The first run's record, with what differs between the runs, and the packages. An unknown version
# is null: it is not that of the program that writes the report.
def environment:
	(.records.environment[0]? // {}) as $e | .mixed as $mixed |
	.first | if . then ($mixed | map_values(null)) + . + {mixed: $mixed,
		packages: ($e.packages // null), python: ($e.python // ""),
		reason: ($e.reason // "")}
	else . end;

def calibration_row:
	[.[] | select(.error | is_number)] as $known |
	([.[].limit | select(is_number)] | first) as $limit |
	([.[] | select(.ok)] | length) as $ok |
	{metric: (.[0].metric // ""), runs: ($known | length), limit: $limit,
		cell_id: (if .[0].cell_id == .[-1].cell_id then .[0].cell_id // "" else "all" end),
		truth: ([$known[].truth] | quantile(0.5)), bias: ([$known[].error] | quantile(0.5)),
		p05: ([$known[].error] | quantile(0.05)), p95: ([$known[].error] | quantile(0.95)),
		ok_pct: (if $limit then 100 * $ok / length else null end), bad: (2 * $ok < length)};

# One row shows the records of one cell, or of all cells that are left if their true value is 0.
def calibration_rows:
	if . == [] then empty elif all(.truth == 0) then calibration_row else
		.[0].cell_id as $cell | (map(select(.cell_id == $cell)) | calibration_row),
		(map(select(.cell_id != $cell)) | calibration_rows)
	end;

def calibration:
	[.records.truth[]?] | group_by(.metric) | map(sort_by(.cell_id) | calibration_rows);

# ---- tables: metricstat's records ----------------------------------------------------------------

# Whether a key was derived from the values.
def is_derived: . == "cohort" or endswith("_category");

# A group is one row, with the members of all its records; each column and set of keys is a table.
def group_rows:
	[group_by(.group)[] | reduce .[1:][] as $more (.[0]; $more + .)] | sort_by(.place);

# Which optional columns have a value in some row: a share, or a number other than 0.
def used:
	. as $rows | ["missing", "invalid", "share_pct", "ratio_of_sums", "outliers"] | map({key: .,
		value: (. as $c | any($rows[][$c]; is_number and (. != 0 or $c == "share_pct")))}) |
	from_entries;

# Rows of all groups together are the last ones. Each has the percentiles of the first one. Only
# tables with the keys of the first table are summed up in the overview.
def group_table($first):
	.[0] as $head | [.[] | select(.total != true)] as $parts |
	{head: $head, used: used, n_rows: ([$parts[].rows // 0] | add // 0),
		rows: [$parts[], (.[] | select(.total == true)) | . as $row |
			.shown_percentiles = ($head.percentiles // {} |
				with_entries(.value = $row.percentiles[.key]))],
		sum: (if $head.quantity == "time" or $head.quantity == "energy"
			then [$parts[].sum // nan] | add // 0 | if isnan then null else . end
			else null end),
		in_overview: ($head.group | keys == $first)};

def groups:
	(.[0].group // {} | keys) as $keys |
	group_by([(.group | keys_unsorted), .column]) | map(group_rows) | sort_by(.[0].place) |
	map(group_table($keys));

# The record with the largest value; of several, the first.
def largest_by(value): [.[] | select(value | is_number)] | if . == [] then null else
	(map(value) | max) as $most | first(.[] | select(value == $most)) end;

# Of the same column as a total, one group of the finest grouping; null: several are the largest.
def largest_group($total; value):
	[.[] | select(.total != true and .full_column == $total.full_column and
		(value | is_number) and all(.group | keys[]; is_derived | not))] |
	(map(.group | length) | max) as $most | map(select((.group | length) == $most)) |
	(map(value) | max) as $largest | map(select(value == $largest)) |
	if length == 1 then .[0] else null end;

# What a report of any table begins with, each with the group in which it is largest.
def number(value; $of; $before; group_value):
	. as $stats | [.[] | select(.total == true and ($of == null or .quantity == $of))] |
	largest_by(value) |
	if . then . as $total | ($stats | largest_group($total; group_value)) as $most | {
		title: (if .title | startswith($before) then .title else $before + .title end),
		of: ., most: $most, rows_pct: (if $most.count and .rows > 0
			then 100 * $most.count / .rows else null end)
	} else . end;

def numbers: {
	rows: number(.rows; null; ""; .count), sum: number(.sum; "time"; "total "; .share_pct),
	ratio_of_sums: number(.ratio_of_sums; null; ""; null),
	max: number(.max; "bytes"; "peak "; .max)
};

# The values of each key, {KEY: {VALUE: true}}.
def keys_of:
	reduce (.[] | select(.total != true) | .group | to_entries[] |
		select(.key | is_derived | not)) as {$key, $value}
	({}; .[$key][$value | strings // ""] = true);

# Rows about whole columns of a summary, and those about groups.
def check:
	def is_column: (.summary_column // "") != "" and (.group // {}) == {};
	if . == [] then null
	else {columns: map(select(is_column)), groups: map(select(is_column | not))} end;

# What to request for further executions of each kind, and what all that costs.
def requests:
	def all($of): map(.[$of] | select(is_number)) | if . == [] then null else add end;
	if . == [] then null else {rows: ., risk_pct: .[0].risk_pct,
		confidence_pct: .[0].confidence_pct, gb_hours: all("gb_hours"),
		max_gb_hours: all("max_gb_hours")} end;

def tables:
	[.records.stat // [] | to_entries[] | .value + {place: .key, group: (.value.group // {}),
		rows: (.value | if all(.count, .missing, .invalid; is_number)
			then .count + .missing + .invalid else null end)}] as $all |
	# What failed is no part of the other tables.
	[$all[] | select(.group | has("outcome") | not)] as $stats |
	{failed: ([$all[] | select(.group | has("outcome"))] | groups),
		numbers: ($stats | numbers), keys: ($stats | keys_of), groups: ($stats | groups),
		check: (.records.summary_check // [] | check),
		findings: [.records.finding[]? | .text | strings],
		requests: (.records.request // [] | requests),
		largest: [.records.largest[]? | .file |= (. // "")]};

# ---- Spark -------------------------------------------------------------------------------------

def stage:
	def in_unit($unit): if . then . / $unit else null end;
	{stage, status, reason, tasks, rows_read, rows_written,
		python_why: .reasons.python_ms,
		# The call, and the line of the cell.
		stage_name: (.stage_name | sub(" at NativeMethodAccessorImpl.java:0$"; "") |
			sub("/[^ ]*/ipykernel_[0-9]+/[0-9]+[.]py:"; "line ")),
		s: (.duration_ms | in_unit(1e3)), task_s: (.task_ms | in_unit(1e3)),
		jvm_s: (.jvm_cpu_ms | in_unit(1e3)), python_s: (.python_ms | in_unit(1e3)),
		gc_s: (.gc_ms | in_unit(1e3)),
		shuffle_read_mb: (.shuffle_read_bytes | in_unit(1e6)),
		shuffle_written_mb: (.shuffle_written_bytes | in_unit(1e6))};

# What Spark did in a cell, by NAME/REPETITION/CELL.
def spark:
	[.records.spark_application, .records.spark_stage | .[]? | select(.cell_index)] |
	group_by([.name, .repetition, .cell_index]) |
	map({key: "\(.[0].name)/\(.[0].repetition)/\(.[0].cell_index)", value: {
		stages: [.[] | select(.type == "spark_stage") | stage],
		notes: [.[] | select(.type == "spark_application" and .reason) |
			{application, why: .reason}]}}) |
	from_entries;

# ---- plain mistakes ------------------------------------------------------------------------------

# What a profiler pass says of a rule in a cell replaces what the page says of it.
def mistakes_of_cell:
	[group_by(.rule)[] | if any(.profiled) then map(select(.profiled)) else . end |
		unique_by([.file, .line])[]] | sort_by(-(.saved_s // 0), -(.saved_bytes // 0));

# By NAME/CELL.
def mistakes:
	[.records.mistake[]?] | group_by([.name, .cell_index]) |
	map({key: "\(.[0].name)/\(.[0].cell_index)", value: (mistakes_of_cell |
		map({rule, text, instead, saved_s}))}) | from_entries;

# Each once, with a notebook that has it.
def all_mistakes: .notebooks as $notebooks |
	[.records.mistake[]?] | group_by([.name, .cell_index]) | map(mistakes_of_cell[]) |
	group_by([.cell_index, .rule, .file, .line]) |
	map((length - 1) as $others | max_by(.saved_s // 0) |
		link($notebooks; .name // ""; .cell_index) + {$others}) |
	sort_by(-(.saved_s // 0), -(.saved_bytes // 0));

# ---- the first screen ----------------------------------------------------------------------------

# How long a person waits in one notebook; of a single one, over its runs.
def wait:
	[.notebooks[] | . + {s: (.median_s // .client_s)} | select(.s)] as $timed |
	(.notebooks | length == 1) as $single |
	($timed | largest_by(.s)) as $longest | {
		median_s: ($timed | map(.s) | quantile(0.5)), notebooks: ($timed | length),
		least_s: (if $single then $timed[0].least_s else $timed | map(.s) | min end),
		most_s: (if $single then $timed[0].most_s else $longest.s end),
		runs: (if $single and $timed[0].least_s then $timed[0].runs else 1 end),
		longest: (if ($timed | length) > 1 then $longest | {notebook, file, anchor: null}
			else {} end)};

# Phases, of all cells together, and what they do not explain; less than 0.5 % is rounding.
def time_by_phase:
	.cells_s as $client | ([.phases[] | select(.shown).s // 0] | add) as $sum |
	([$client, $sum] | max) as $whole | ($client - $sum) as $rest |
	(.phases | map(. + {pct: (if .s and $whole > 0 then 100 * .s / $whole else null end),
		visible: (.shown and $sum > 0 and .s >= 0.005 * $whole)})) as $phases |
	{$phases, time: (if $sum > 0 then {client_s: $client,
		longest: ([$phases[] | select(.shown)] | largest_by(.s)),
		unattributed: (if $rest > 0.005 * $client
			then {s: $rest, pct: (100 * $rest / $client)} else null end)
	} else null end)};

# ---- interactions --------------------------------------------------------------------------------

# Phases on the way from the person to the screen; those of a movement are sums over its inputs. Those
# without colours have those of a cell's phase of the same name.
def interaction_phases: [
	{name: "person", where: null, light: "#e3e8ec", dark: "#242c34",
		means: "nothing was in progress until the person's next input"},
	{name: "input", where: "before the page heard the input", light: "#94a3b0", dark: "#4a5863",
		means: "an input had been made and the page had not heard it"},
	{name: "page", where: "in the page", light: "#2d7b70", dark: "#7fcbbd",
		means: "the page handled inputs"},
	{name: "transport", where: "in transport to the kernel",
		means: "messages were on their way to the kernel, or waited for it"},
	{name: "kernel", where: "in the kernel", means: "the kernel handled messages"},
	{name: "delivery", where: "in transport to the page",
		means: "what the kernel had sent was on its way to the page"},
	{name: "render", where: "in rendering",
		means: "the page showed what it had received or handled, or was too busy to receive"}] |
	map({light: null, dark: null} + .);

def three: if . == 0 then 0 else pow(10; 2 - (fabs | log10 | floor)) as $by | . * $by | round / $by end;
def time_text: if . < 1 then "\(1000 * . | three) ms" else "\(three) s" end;

# Of the profile of an interaction, the function that took at least half of it: in the kernel of the
# user's own code, with what it calls; in the page by itself.
def culprit($page):
	map(select(.page == $page)) | (map(select(.type == "profile").wall_s | select(is_number)) | max) as $wall |
	map(select(.type == "profile_function") | {function,
		s: (if $page then .own_s elif .owner == "own" then .cumulative_s else null end)}) |
	largest_by(.s) | values | select($wall and .s >= 0.5 * $wall) |
	{where: "in `\(.function)`", share: ([1, .s / $wall] | min)};

# How it was answered, as nbscope-metrics(7) says: "answers after 310 ms, 240 ms of it in the kernel",
# or with a profile "in `update_layers`".
def answer($profile):
	.client_execution_time_metric as $time | ((.gesture_s // 0) >= 0.1) as $moves |
	(([interaction_phases[] as $k | {s: .["\($k.name)_s"], where: $k.where, name: $k.name} |
		select(.where and .s and $time and .s >= 0.25 * $time)] | largest_by(.s) | values |
		if .name | IN("kernel", "page", "render") then
			.s as $s | (.name != "kernel") as $page |
			. + (($profile | culprit($page) | {where, s: ($s * .share)}) // {})
		else . end) // null) as $most |
	if .execution_status != "Completed" then .reason
	elif .first_visual_change_s == null or $time == null then
		if $time then "changes nothing that can be seen" else .reason end
	else (if $moves then [(.behind_max_s | values | "is up to \(time_text) behind the pointer"),
			(select(.frames_possible > 0) |
				"shows \(.frames_shown) of \(.frames_possible) frames"),
			(.last_visual_change_s | values | "ends \(time_text) after the last input")] |
			join(", ")
		else "answers after \($time | time_text)" end) +
		(if $most == null then ""
		elif $moves then "; \($most.s | time_text) of \($time | time_text) \($most.where)"
		else ", \($most.s | time_text) of it \($most.where)" end) +
		((.total_blocking_time_s // 0) as $blocked | if $blocked < 0.05 then "" else
			"; the browser's main thread was blocked for \($blocked | time_text)" +
			(.scripts[0] | values | select(.duration_ms >= 500 * $blocked) |
				", mostly by \(.script)") // "" end)
	end;

# One gesture over its repetitions: like a cell, the run nearest to the median time, or one in which
# it failed; and the frames of its film.
def interaction($notebooks; $profiles):
	map(select((.repetition // 1) > 0)) as $runs |
	(map(select((.repetition // 1) <= 0)) | first) as $film |
	([$runs[] | select(.client_execution_time_metric | is_number)] |
		sort_by(.client_execution_time_metric)) as $timed |
	($timed | length) as $n | [$timed[].client_execution_time_metric] as $times |
	first(($runs[] | select(.execution_status | IN("Completed", "Not Run", "Skipped") | not)),
		($timed | select($n > 0) | .[($n - 1) / 2 | floor]), $runs[], $film) as $shown |
	($times | quantile(0.5)) as $median | $shown.client_execution_time_metric as $time |
	[interaction_phases[] | {phase: .name, s: $shown["\(.name)_s"]}] as $spent |
	[$profiles[] | select(.cell_index == $shown.cell_index and
		.interaction == $shown.number)] as $profile |
	([$spent[].s // 0] | add) as $sum |
	($shown | link($notebooks; .name; .cell_index)) | . + {
		id: "i-\(.cell // 0)-\(.interaction | gsub("[^A-Za-z0-9._-]"; "~"))",
		t: (.t // 0), status: .execution_status, class: ("status" +
			if .execution_status == "Completed" then " good"
			elif .execution_status | IN("Not Run", "Skipped") then "" else " bad" end),
		client_s: $time, runs: $n, least_s: $times[0], median_s: $median, most_s: $times[-1],
		has_range: ($n > 1), is_median: ($median == null or $time == $median),
		latency_ms: (.latency_s | if . then 1000 * . else null end), why: answer($profile),
		profile: (if $profile == [] then null
			else "profile-\(.cell_index)-gesture-\(.number)" end),
		parts: [range($spent | length) as $i | $spent[$i] | . + {
			x: ([$spent[:$i][].s // 0] | add // 0),
			pct: (if (.s // 0) > 0 then 100 * .s / $sum else null end)}],
		sum_s: $sum, scale_s: (if $sum > 0 then [$sum, $time // 0] | max else null end),
		handling: null,
		pictures: [(.repetition // 1) as $run | (.screenshot | values |
				{run: $run, file: ., after_s: null}),
			($film.frames // [])[] | {run: 0, file, after_s}]};

# In the report all of them, on a notebook's page its own; of_cell: those of each cell.
def interactions: .notebooks as $notebooks |
	[.records.profile[]? | select(.interaction)] as $profiles |
	[.records.interaction_metrics[]?] | group_by([.name, .cell_index, .interaction]) |
	map(interaction($notebooks; $profiles)) | sort_by(.cell, .number, .t, .interaction) |
	def lists: {interactions: ., slow_interactions: sort_by((.class | endswith("bad") | not),
			-(.latency_s // 0), -(.client_s // 0))};
	lists + {loose: [], interaction_phases: interaction_phases,
		longest_interaction: [largest_by(.latency_s) | values],
		page_interactions: (($notebooks | map_values([] | lists + {loose: [], of_cell: {}})) +
			(group_by(.name) | map({key: .[0].name, value: (lists + {
			loose: map(select(.cell == null)),
			of_cell: (group_by(.cell) | map({key: "\(.[0].cell)", value: .}) |
				from_entries)})}) | from_entries))};

# ---- figures -------------------------------------------------------------------------------------

# What the page says of a figure before it is loaded: its title, and the size that it takes, so that
# links into the page lead there.
def figure:
	(.head // "") as $head | (.file | split("/") | last) as $name |
	([$head | capture("^[^>]* viewBox=\"0 0 (?<width>[0-9.]+) (?<height>[0-9.]+)") |
		map_values(tonumber) | select(.width > 0 and .height > 0 and .height < 100000)] |
		first // {width: null, height: null}) +
	{file, title: ($head | if contains("<title>") then split("<title>")[1] | gsub("&lt;"; "<") |
		gsub("&gt;"; ">") | gsub("&quot;"; "\"") | gsub("&#39;"; "'") | gsub("&amp;"; "&")
		else $name end)};

# ---- profiles ------------------------------------------------------------------------------------

# Frames narrower than this are not drawn, and deeper ones are not followed.
def min_share: 0.002;
def max_depth: 60;

# Stacks from the cell's code on, below all that runs it; in several threads each below its own.
def cell_stacks:
	(map(.thread) | unique | length > 1) as $threads | .[] |
	(.frames | map(.[1] == "own") | index(true) // 0) as $first |
	{time_s, frames: ((if $threads then [[.thread, "standard"]] else [] end) +
		.frames[$first:$first + max_depth])};

# The cell's own code, which what runs the cell calls, too; without it, what nothing calls. Of each:
# its number.
def roots:
	. as $f | [range(length) | select($f[.].owner == "own")] |
	if . != [] then [max_by($f[.].cumulative_s, -.)] else
		([range($f | length)] | max_by($f[.].cumulative_s, -.)) as $longest |
		[range($f | length) | select(. == $longest or
			(. as $i | all($f[$i].callers[]; .[0] == $i)))]
	end;

# Stacks estimated from functions. A function's time under a caller is divided as that caller's own
# time is: the profile has no longer paths than from a caller to a function.
def function_stacks:
	. as $f | roots as $roots |
	(min_share * ([$f[$roots[]].cumulative_s] | add // 0)) as $least |
	(reduce (range(length) as $to | $f[$to].callers | group_by(.[0])[] |
		{from: .[0][0], $to, s: (map(.[1]) | add)} | select(.from != .to and .s > 0))
		as $call ({}; .[$call.from | tostring] += [$call])) as $calls |
	def paths($path; $frames; $i; $s):
		($calls[$i | tostring] // []) as $called | ($path + [$i]) as $path |
		([$f[$i].cumulative_s, ($called | map(.s) | add // 0)] | max) as $whole |
		($frames + [[$f[$i].name, $f[$i].owner]]) as $frames |
		[$called[] | select(([.to] | inside($path) | not) and
			($path | length) < max_depth - 1) |
			.s *= $s / $whole | select(.s >= $least)] as $inner |
		{frames: $frames, time_s: ($s - ($inner | map(.s) | add // 0))},
		($inner[] | paths($path; $frames; .to; .s));
	$roots[] | $f[.].cumulative_s as $s | select($s >= $least) | paths([]; []; .; $s);

# The tree of stacks: frames that are wide enough, the widest first, each with its share of the
# whole and its width in percent of what calls it.
def frames($parent_s; $all_s):
	map(select(.frames != [])) | group_by(.frames[0][0]) |
	map(.[0].frames[0] as [$name, $owner] | (map(.time_s) | add) as $s |
		select($s >= min_share * $all_s) | {$name, $owner, time_s: $s,
			pct: (100 * $s / $all_s), width_pct: (100 * $s / $parent_s),
			frames: (map(.frames |= .[1:]) | frames($s; $all_s))}) |
	sort_by(-.time_s, .name);

def flame:
	(.stacks != []) as $sampled |
	[if $sampled then .stacks | cell_stacks else .functions | function_stacks end] as $stacks |
	($stacks | map(.time_s) | add // 0) as $all_s |
	($stacks | frames($all_s; $all_s)) as $frames |
	if $frames == [] or $all_s <= 0 then null
	else {name: "cell \(.cell)", time_s: $all_s, $sampled, $frames} end;

def above_0: if . > 0 then . else null end;

# Code with a time: the cell's own first, then what took longest. The cell itself and the function
# with the line that takes most of its time are open.
def codes($lines_s):
	map(select(.type == "profile_line")) | group_by([.file, .function, .first_line]) |
	map({place: .[0].place, time_s: (map(.time_s) | add), own: (.[0].file == .[0].function),
		hot: any(.hot), lines: .} | select(.time_s > 0)) |
	($lines_s // (map(.time_s) | max)) as $all_s |
	def line: {line, hits: (.hits | above_0), source, ms: (1e3 * .time_s), pct: (if (.share // 0) > 0 then
		100 * .share elif $all_s > 0 then 100 * ([.time_s / $all_s, 1] | min) else 0 end)} | .hot = (.pct >= 0.5);
	sort_by((.own | not), -.time_s) |
	map({place, time_s, open: (.own or .hot), lines: (.lines | map(line))});

# Functions are numbered by their place in the list. Each is named as it is in stacks: "f
# (glue/core/data.py:7)".
def functions:
	map(select(.type == "profile_function") | {place, owner, calls: (.calls // 0 | above_0),
		own_s, cumulative_s, callers: (.callers | map([.[0] - 1, .[4]])),
		name: (.function as $name | if .file == "~" or .file == $name then $name
			else "\($name) (\(.place | rtrimstr(" " + $name)))" end)});

# Allocations at the end or at the peak, the largest first.
def allocations($when; $bytes): {at_end: ($when == "end"), $bytes, rows: (map(
	select(.type == "profile_allocation" and .when == $when)) | sort_by(-.bytes) |
	map({place, allocations: (.allocations | above_0), mb: (.bytes / 1e6)}))};

# What runprofile's records say about the kernel's part in a cell, that of its worker processes, or
# the page's.
def part($id):
	.[0] as {$page, cell_index: $cell} | (map(.processes // 0) | max) as $processes |
	functions as $functions | map(select(.type == "profile")) as $passes |
	first((.[] | select(.type == "profile_cell")), {}) as $about |
	([$passes[] | select(.profiler == "memory")] | first) as $memory |
	([$passes[] | select(.profiler == "lines") | .work_s // .wall_s | select(. > 0)] | first) as $lines_s |
	{in_page: $page, $processes,
		id: (if $page then "\($id)-page" elif $processes > 0 then "\($id)-workers"
			else null end),
		first_line: $about.source_line, sentence: $about.sentence,
		packages: $about.packages, passes: ($passes | map(.text)), codes: codes($lines_s),
		flame: ({$cell, $functions, stacks: map(select(.type == "profile_stack") |
			{thread: "\(.process), \(.thread)", time_s, frames})} | flame),
		functions: ($functions | sort_by(-.own_s, .place) |
			map({place, calls, own_s, cumulative_s})),
		allocations: [allocations("peak"; $memory.peak_bytes),
			allocations("end"; $memory.end_bytes)]};

# What the person waited for in a cell, the longest first; shorter ones together; and last what is
# unattributed.
def contributors:
	10 as $most | map(select(.type == "contributor")) | sort_by(.rank) |
	(map(.client_ms) | add) as $all_ms | map(select(.kind == "unattributed")) as $rest |
	map(select(.kind != "unattributed" and .client_ms + .overlapped_ms > 0)) |
	.[$most:] as $short | .[:$most] + (if $short == [] then [] else [{
		text: "\($short | length) more", kind: "others",
		client_ms: ($short | map(.client_ms) | add),
		overlapped_ms: ($short | map(.overlapped_ms) | add)}] end) + $rest |
	map({text, kind, client_ms, overlapped_ms: (.overlapped_ms | above_0),
		pct: (if $all_ms > 0 then 100 * .client_ms / $all_ms else null end)});

# The time of a cell: the client time with the profilers that know it; else the kernel's without a
# profiler, or with it; else how long the longest pass took.
def profiled_s($contributors):
	if $contributors != [] then $contributors | map(.client_ms) | add / 1e3 else
	map(select(.type == "profile") | . + {run_s: ((.wall_s // .work_s // 0) / (.runs // 1))}) |
	([.[].kernel_without_s | values] | max) // ([.[].kernel_s | values] | min) //
	(map(.run_s) | max) // 0 end;

# The parts of one cell, or of a gesture after it, and which notebooks have it: those that were run,
# or all of the use case if these are unknown.
def profile($in):
	.[0] as {$usecase, cell_index: $cell, interaction: $gesture} |
	"profile-\($cell)\(if $gesture then "-gesture-\($gesture)" else "" end)" as $id |
	[group_by([.page, .processes != null])[] | part($id)] as $parts |
	([.[] | select(.type == "profile").names | values] |
		if . == [] then null else add end) as $run |
	($in.notebooks | keys_unsorted | if ($usecase // $in.usecase) != ($in.usecase // $usecase)
		then [] elif $run then map(select(IN($run[]))) else . end) as $names |
	def of_cell: $gesture == null and (split("/") | last | test("^cell-0*\($cell)[-.@]"));
	($names | map({key: ., value: {files: [$in.profile_files[.][]? | select(of_cell) |
		{name: (split("/") | last), href: .}]}}) | from_entries) as $of |
	contributors as $contributors | {$cell, $gesture, $id, $parts, $of, $contributors,
		time_s: profiled_s($contributors),
		first_line: ([$parts[].first_line | values] | first),
		sentence: ([$parts[].sentence | values] | first),
		names: ($names | map({key: ., value: true}) | from_entries),
		profile: ([$in.notebooks[$names[]] | select(.file or ($in.pages | not)) |
			{file, notebook: null}] | first),
		files: (if $in.pages then [] else [$of[].files[]] end)};

# The longest first.
def profiles: . as $in | [.records.profile[]? | select(.cell_index)] |
	group_by([.usecase, .cell_index, .interaction]) | map(profile($in)) | sort_by(-.time_s);

# Runs of profilers that are not usable any more, such as those of earlier code; null: none.
def old_profiles: [.records.run_plan[]? | select(.state == "stale")] |
	if . == [] then null else {runs: length, reason: .[0].reason} end;

# Which notebooks have a profile of a cell, and the first one, to which the others link.
def profiled:
	. as $in | profiles | {profiles: ., profiles_full: ($in.pages | not),
		old_profiles: ($in | old_profiles),
		profiled: (group_by(.cell) | map((map(.names) | add) as $names |
			([.[] | select(.gesture == null).sentence] | first) as $sentence |
			{key: "\(.[0].cell)", value: {$names, $sentence, first: first(
				($in.notebooks | to_entries[] | select($names[.key]) | .value |
					select(.file or ($in.pages | not)) |
					{file, notebook, $sentence}),
				null)}}) | from_entries)};

{
	outliers: outliers, scaling: scaling, comparison: comparison, environment: environment,
	calibration: calibration, wait: wait,
	figures: [.figures[] | figure], spark: spark, history: history,
	mistakes: mistakes, all_mistakes: all_mistakes,
	reports: ([.records.report[]?] | sort_by(-(.t // 0), .path))
} + profiled + tables + time_by_phase + interactions
