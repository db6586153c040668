# whatif.jq: what mending each line would save: jq -L share/jq -nf whatif.jq.
# In:  cell_metrics, profile and profile_delay records of the runs of a notebook that sizes.jq made,
#      each with the "pass" and the "run" that it is of, and the "down" (10^6 bytes a second) and
#      "latency" (ms) of its link; $chosen (a record of lines.jq)
# Out: records whatif: nbscope-whatif(7)
#
# A cell's time is drawn over the delay that was inserted until its end. The slope times the time of
# the line is what the line costs the person who waits.
include "text";
include "slope";

def MATTERS: 0.01;	# of a cell's time: a line with less is not worth a record
def SURE: 0.3;	# a slope below it, in an interval that contains 0, is none

def seconds: if . == null then "? s"
  else (if fabs >= 0.0995 then . * 100 | round / 100 else . * 1000 | round / 1000 end
    | tostring) + " s" end;

# When the person saw the end, by the kernel's clock; null: this is not known.
def end_t: if .client_execution_time_metric != null
  then .t + .client_execution_time_metric + (.clock_offset_s // 0) else null end;
def waited: .client_execution_time_metric // .kernel_s;

# Others took the processors: all times of the run are that much longer than they would be. What the
# notebook's own threads take from each other is no such disturbance.
def crowded($profile): ([.machine_cpu_s, 1e-9] | max) as $machine_s
  | ($machine_s - .kernel_cpu_s - (.browser_cpu_s // 0) - (.server_cpu_s // 0)) / $machine_s > 0.25
    and $profile.queued_s > 0.1 * .kernel_s;

# [seconds of a line, of its delays] until then; on a busy machine, CPU time of what computes.
def up_to($t; $how; $busy): ((if $t == null then .steps
    else [.steps[] | select(.[0] <= $t + 0.005)] end) | last // [0, 0, 0, 0, 0])
  | if $busy and $how != "sleep" then .[3:] else .[1:3] end;

def place: (.file | capture("^<cell (?<cell>[0-9]+)>$").cell // null) as $cell
  | (if .to_line == .line then "line \(.line)" else "lines \(.line) to \(.to_line)" end)
  + " of " + (if $cell then "cell \($cell)" else .file end)
  + (.source // "" | split("\n")[0] | gsub("^\\s+|\\s+$"; "")
    | if . == "" then "" elif length > 40 then ", `\(.[:38])...`" else ", `\(.)`" end)
  + (if $cell and ($cell | tonumber) != .cell_index or ($cell | not)
    then ", in cell \(.cell_index)" else "" end);

def slopes($points):
  ($points | slope) as $all
  | ($points | map(select(.[2] <= 0.5)) | slope) as $first
  | ($points | map(select(.[2] >= 0.5)) | slope) as $second
  | if $first.high != null and $second.low != null and $first.high < $second.low
    then $first + {switches: true} else $all + {switches: false} end;

# Why it may save less than the slope says; null: nothing else was at work.
def bound($beside_s; $switches; $locks):
  if $switches then "a longer delay delays the cell more, so other work takes over"
  elif $locks then
    "it computes with Python's lock (the GIL), for which the cell's threads wait"
  elif .saves_s > 0 and $beside_s > 0.1 * .saves_s then
    "other threads and processes work for \($beside_s | seconds) meanwhile"
  elif .high != null and .high < 0.9 and .low > 0 then "a part of it runs during other work"
  else null end;

def verdict: if .low == null then "unknown" elif .low > 0 then "saves"
  elif .high < SURE then "nothing" else "unknown" end;

def range_text: "\(.saves_low_s | seconds | rtrimstr(" s")) to \(.saves_high_s | seconds)";
def sentence($of): {
  saves: ("mending it saves " + (if .bound then "at most " else "up to " end)
    + "\(.saves_s | seconds) (\(range_text)) of \(.waited_s | seconds)\($of)"
    + if .bound then ": \(.bound)" else "" end),
  nothing: ("mending it saves nothing that these runs show (at most "
    + "\([.saves_high_s // 0, 0] | max | seconds) of \(.waited_s | seconds)\($of))"),
  unknown: ("these runs do not show what mending it saves"
    + (if .low == null then "" else " (\(range_text) of \(.waited_s | seconds)\($of))" end)
    + ": more of them may, with a larger REPEAT")}[.verdict];

def of_line($cells; $delays; $profiles):
  .[0] as $d
  | [.[] | . as $r | $cells["\(.run) \(.cell_index)"] | select(.execution_status == "Completed")
    | select(waited != null) | . as $cell
    | select(all($delays["\($r.run) \($r.cell_index)"][];
        .delay_s == 0 or .file == $d.file and .line == $d.line and .to_line == $d.to_line))
    | $profiles["\($r.run) \($r.cell_index)"] as $profile
    | crowded($profile) as $busy
    | ($r | up_to($cell | end_t; $d.how; $busy)) as [$time_s, $delay_s]
    | ($r.pass | ltrimstr("whatif-") | split("-")[1] // "0" | tonumber / 100) as $size
    | {run: $r.run, $time_s, $delay_s, size: (if $r.delay_s == 0 then 0 else $size end),
      waited_s: (waited - if $busy then $profile.queued_s else 0 end), $busy, hits: $r.hits,
      client: (.client_execution_time_metric != null)}]
  | map(select(.size == 0)) as $base
  | ($base | map(.time_s) | {s: median, low: min, high: max}) as $time
  | ($base | map(.waited_s) | median) as $waited_s
  | select($time.s != null and $time.s >= MATTERS * $waited_s)
  | slopes(map([.delay_s, .waited_s, .size])) as $slope
  | ([$base[].run as $run | $profiles["\($run) \($d.cell_index)"].beside_s] | median) as $beside_s
  | {type: "whatif", name: $chosen.name, cell_index: $d.cell_index, what: "line",
    file: $d.file, line: $d.line, to_line: $d.to_line, source: $d.source,
    hits: ($base | map(.hits) | median), time_s: $time.s, how: $d.how,
    slope: $slope.slope, low: $slope.low, high: $slope.high, $waited_s,
    of: (if .[0].client then "client" else "kernel" end), runs: length,
    busy: any(.[]; .busy), points: map([.delay_s, .waited_s])}
  | .saves_s = (if .slope == null then null else .slope * $time.s end)
  | def saved($most): if . == null then null else . * $most end;
    .saves_low_s = (.low | saved(if . == null or . < 0 then $time.high else $time.low end))
  | .saves_high_s = (.high | saved($time.high))
  | .beside_s = $beside_s
  | .verdict = verdict
  | .bound = (if .verdict != "saves" then null
    else bound($beside_s; $slope.switches; $d.how == "spin" and $d.main_thread == false) end)
  | .text = place + ": " + sentence(if .of == "client" then "" else " of the kernel's time" end)
    + if .busy then "; the machine was busy: what was waited for its processors does not count"
      else "" end;

# What half of a link's use would save, on a link of 10 MB/s or of 50 ms one way.
def LINKS: {
  data: {x: (.down | if . == null then null else 1 / tonumber end), at: 0.1, unit: "MB",
    half: "at 10 MB/s, half the data"},
  latency: {x: (.latency | if . == null then null else tonumber / 1000 end), at: 0.05,
    unit: "one-way trips", half: "at 50 ms, half the latency"}};

def tenths_text: if . == null then "?" else tenths | tostring end;

# The points are those of the cell without delays, whose link is that of the user.
def of_link($what):
  .[0] as $c
  | [.[] | select(.execution_status == "Completed" and .client_execution_time_metric != null)
    | select(.pass == "whatif-0" or (.pass | startswith("whatif-\($what)-")))
    | [(LINKS[$what].x // (if $what == "data" and .params.ui_network_throttling > 0
        then 1 / .params.ui_network_throttling else 0 end)), waited, .pass]]
  | (map(select(.[2] == "whatif-0")[1]) | median) as $waited_s
  | select($waited_s != null and any(.[]; .[2] != "whatif-0"))
  | ({} | LINKS[$what]) as $l
  | {type: "whatif", name: $chosen.name, cell_index: $c.cell_index, what: $what, $waited_s,
    of: "client", runs: length, points: map(.[:2])} + slope
  | def half: if . == null then null else . * $l.at / 2 end;
    . + {saves_s: (.slope | half), saves_low_s: (.low | half), saves_high_s: (.high | half)}
  | .verdict = (if .low == null then "unknown" elif .low > 0 then "saves"
      elif .saves_high_s < 0.05 * $waited_s then "nothing" else "unknown" end)
  | .text = "cell \($c.cell_index) " + {
      saves: ("waits for \(.slope | tenths_text) \($l.unit) (\(.low | tenths_text) to "
        + "\(.high | tenths_text)): \($l.half) saves \(.saves_s | seconds)"),
      nothing: "does not wait for the link's \($what)",
      unknown: "may wait for the link's \($what): these runs do not show it"}[.verdict];

[inputs | select(.cell_index | IN($chosen.cells[]))] as $r
| def by_run: "\(.run) \(.cell_index)";
  (reduce ($r[] | select(.type == "cell_metrics")) as $c ({}; .[$c | by_run] = $c)) as $cells
  | (reduce ($r[] | select(.type == "profile_delay")) as $d ({}; .[$d | by_run] += [$d])) as $delays
  | (reduce ($r[] | select(.type == "profile")) as $p ({}; .[$p | by_run] = $p)) as $profiles
  | [$r[] | select(.type == "profile_delay" and .hits > 0 and (.pass | test("^whatif-[0-9]")))]
  | group_by([.cell_index, .file, .line, .to_line])
  | map(of_line($cells; $delays; $profiles)) + [$chosen.links[] as $what
    | [$cells[]] | group_by(.cell_index)[] | of_link($what)]
  | sort_by(-(.saves_s // 0))[]
