# lines.jq: which lines make whatif delays in a notebook.
# In:  cell_metrics records and, unless LINES names lines, those of runprofile of the passes `lines`
#      and `samples`; $name, $cells (an array), $lines (of the user: "3:4, 5:2-6, viewer.py:88,
#      data, latency", or empty)
# Out: {"name", "cells", "delays", "links"}, as sizes.jq reads it
# Without LINES, up to two lines of each cell that take a tenth of it or more: that which the cell's
# sentence names, and the longest others. Of lines that take the same time, one calls the other: the
# one that is hit more often is delayed. The link is delayed where a cell receives a megabyte, or
# where transport takes a tenth of it.

def links: "data", "latency";

def asked:
  [$lines | splits("[, ]+") | select(. != "" and ([.] | inside([links]) | not))
    | (capture("^(?<file>.+):(?<line>[1-9][0-9]*)(-(?<to_line>[1-9][0-9]*))?$")
        // ("no line: \(.)" | error))
    | .file |= if test("^[0-9]+$") then "<cell \(.)>" else . end
    | .line |= tonumber | .to_line = (.to_line // .line | tonumber)];

# A shorter hit than these 5 microseconds is changed too much by being counted.
def of_cell($wall):
  map(.part = (if (.share // 0) > 0 then .share else .time_s / $wall end)
    | select(.part >= 0.1 and .time_s >= 5e-6 * .hits and .own))
  | reduce (sort_by(-(.hot | if . then 1 else 0 end), -.part, -.hits)[]) as $l ([];
      if any(.[]; .part > 0.9 * $l.part and .part < 1.1 * $l.part) then . else . + [$l] end)
  | .[:2][] | {file, line, to_line: .line};

def found($all):
  [$all[] | select(.page != true and (has("processes") or has("interaction") | not))] as $r
  | [$r[] | select(.type == "profile_line" and .hits > 0)
    | .own = (.file | test("/(site|dist)-packages/|/lib/python[0-9]|^~") | not)] as $l
  | [$r[] | select(.type == "profile" and .profiler == "lines" and .wall_s > 0) | . as $p
    | [$l[] | select(.cell_index == $p.cell_index)] | of_cell($p.wall_s)] | unique;

def is_of_link: .type == "cell_metrics" and .name == $name and (.cell_index | IN($cells[]))
  and (.client_total_data_received_metric >= 1
    or .transport_s > 0.1 * (.client_execution_time_metric // infinite));

[inputs] as $all
| {name: $name, cells: $cells, delays: (if asked != [] then asked
    elif $lines == "" then found($all) else [] end),
  links: (if $lines == "" then [select(any($all[]; is_of_link)) | links]
    else [links | select(. as $l | [$lines | splits("[, ]+")] | index([$l]))] end)}
