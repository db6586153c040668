# sizes.jq: the runs that make whatif makes of a notebook.
# In:  what cellmetrics writes of the run without delays; $chosen (a record of lines.jq)
# Out: a record for each pass: {"pass", "name", "spec"}
# A line is delayed by a half of its time of each hit, and by all of it. Lines of which a cell runs
# both are delayed in different runs; others share them.

def rounded: if . == 0 then 0 else (log10 | floor - 2 | exp10) as $unit | . / $unit | round * $unit
  end;

# It waits if its thread does; it computes without Python's lock if its thread goes on while another
# one has it.
def how: if .cpu_s < 0.1 * (.watched_s - .queued_s) then "sleep"
  elif .unlocked != null and .unlocked > 0.2 then "native" else "spin" end;

# Seconds of all hits, without what the first ones waited for a processor.
def worked_s: .time_s * (if .watched_s > 0
  then [(.watched_s - .queued_s) / .watched_s, .cpu_s / .watched_s, 0.01] | max else 1 end);

def delays($records):
  $chosen.delays[] | . as $d
  | [$records[] | select(.type == "profile_delay" and .file == $d.file and .line == $d.line and
      .to_line == $d.to_line and .hits > 0 and (.cell_index | IN($chosen.cells[])))]
  | select(. != [])
  | {d: $d, cells: map(.cell_index), s: ((map(worked_s) | add) / (map(.hits) | add)),
      how: (max_by(.time_s) | how)};

def slots: reduce .[] as $l ([]; ([.[] | any(.[]; .cells - (.cells - $l.cells) != []) | not]
  | index(true)) as $i | if $i then .[$i] += [$l] else . + [[$l]] end);

def pass($pass; $more): {type: "profile_spec", $pass, name: $chosen.name, spec: ({
  profilers: ["whatif"], cells: $chosen.cells, functions: [], overlay: null} + $more)};

[inputs] as $records
| [delays($records)] as $all
| ($all | slots) as $slots
| def with($slot; $size): {delays: [$all[] | . as $l
    | .d + {delay_s: (if any($slot[]; .d == $l.d) then .s * $size | rounded else 0 end), how}]};
  ([$records[] | select(.type == "cell_metrics" and (.cell_index | IN($chosen.cells[])))
    | .client_total_data_received_metric // 0] | max // 0) as $mb
  | ([[$mb * 2, 2] | max, 50] | min | rounded) as $rate
  | select($all != [] or $chosen.links != [])
  | pass("whatif-0"; with([]; 0)),
    (range($slots | length) as $i | (0.5, 1) as $size
      | pass("whatif-\($i + 1)-\($size * 100)"; with($slots[$i]; $size))),
    ($chosen.links[] as $link | (1, 2) as $size
      | pass("whatif-\($link)-\($size)"; with([]; 0) + if $link == "data"
        then {down: ($rate / $size)} else {latency: (20 * $size)} end))
