# slopes.jq: what grows in each round, and what holds it. jq -L share/jq -nf slopes.jq RUN: the
# records leak_slope and leak of nbscope-records(7).
#
# The slope of a measure is that over the rounds that count. A measure grows if the interval lies
# above what is of no account, and the slope of the later half does, too: a cache that fills up ends
# to grow.

include "slope";

# "least", per round, is what notebooks have that keep nothing: tests/leaks.bats.
def measures:
  {"side": "kernel", "measure": "memory", "unit": "bytes", "least": 150000,
    "of": [["kernel", "memory_bytes"]]},
  {"side": "kernel", "measure": "objects", "unit": "bytes", "least": 20000,
    "of": [["kernel", "objects_bytes"]]},
  {"side": "kernel", "measure": "comms", "unit": "", "least": 0.2, "of": [["kernel", "comms"]]},
  {"side": "kernel", "measure": "widgets", "unit": "", "least": 0.2, "of": [["kernel", "widgets"]]},
  {"side": "page", "measure": "heap", "unit": "bytes", "least": 100000,
    "of": [["page", "heap_bytes"], ["page", "buffers_bytes"]]},
  {"side": "page", "measure": "DOM nodes", "unit": "", "least": 5, "of": [["page", "dom_nodes"]]},
  {"side": "page", "measure": "listeners", "unit": "", "least": 2, "of": [["page", "listeners"]]},
  {"side": "page", "measure": "comms", "unit": "", "least": 0.2, "of": [["page", "comms"]]},
  {"side": "page", "measure": "models", "unit": "", "least": 0.2, "of": [["page", "models"]]};

def quantity: if type == "object" then add // 0 else . end;

def slopes($rounds):
  measures as $m
  | [$rounds[] | select(.counted) | . as $r
    | [$m.of[] as $path | $r | getpath($path) | quantity]
    | select(all(. != null)) | [$r.round, add]] as $points
  | ($points | slope) as $all | ($points[(($points | length) / 2 | floor):] | slope) as $late
  | {type: "leak_slope", side: $m.side, measure: $m.measure, unit: $m.unit} + $all
    + {rounds: ($points | length), grows: (if $all.low == null then null
        else $all.low > $m.least and $late.slope > $m.least end)};

def shown:
  if . >= 1e6 then "\(. / 1e4 | round / 100) MB"
  elif . >= 1e3 then "\(. / 10 | round / 100) kB" else "\(round) bytes" end;

def leak($side; $verdict; $bytes; $text):
  {type: "leak", side: $side, verdict: $verdict, bytes_per_round: $bytes,
    text: (if $bytes then ($bytes | shown) + " per round in the \($side): " else "" end + $text)};

# What each round leaves, by what holds it; of what counts, and of what is large.
def of_holder($bytes):
  leak(.side; {"by design": "by_design", "JupyterLab": "platform"}[.kind] // "leak";
    .bytes / .rounds;
    "\(.count) \(.of) kept by \(.holder) (\(.kind))"
    + (if .mostly and .mostly[0] != .of then ", mostly \(.mostly[0])" else "" end))
  + {holder, kind, of, count}
  | select(.bytes_per_round >= if .kind == "browser" then [$bytes, 20000] | max else $bytes end);

def of_side($side; $slopes; $holders; $why):
  [$slopes[] | select(.side == $side)] as $s
  | [$s[] | select(.grows and .unit == "bytes").slope] as $growing
  | [$s[] | select(.grows and .unit == "")] as $counts
  | ($growing | max) as $total
  | [$holders[] | select(.side == $side and .count * 2 >= .rounds)
    | of_holder([5000, ($total // 0) / 20] | max)] as $held
  | ([$counts[] | select(.measure | IN("models", "widgets", "comms"))] | length > 0) as $open
  | (if $counts == [] or any($held[]; .verdict == "by_design") then [] else [
      leak($side; if $open then "by_design"
        elif any($held[]; .verdict == "platform") then "platform" else "leak" end; null;
        "each round leaves " + ([$counts[] | "\(.slope * 10 | round / 10) \(.measure)"]
          | join(", ")) + " in the \($side)"
          + if $open then " (by design: widgets that are not closed)" else "" end)] end) as $left
  | if $why then leak($side; "unknown"; null; "the \($side) was not measured: \($why)")
    elif all($s[]; .grows == null) then
      leak($side; "unknown"; null; "too few rounds for the \($side)")
    elif $total and all($holders[]; .side != $side) then
      leak($side; "unknown"; $total; "what holds it could not be read")
    elif $total then
      $held[],
      ($total - ([$held[].bytes_per_round] | add // 0) | select(. > $total / 2 and . > 200000)
        | leak($side; "unexplained"; .; "kept by nothing that has a name")),
      $left[]
    elif $left != [] then $left[]
    else leak($side; "none"; null; "nothing is left in the \($side)") end;

[inputs] as $records
| [$records[] | select(.type == "leak_round")] as $rounds
| [$records[] | select(.type == "leak_holder")] as $holders
| [slopes($rounds)] as $slopes
| $slopes[],
  (("kernel", "page") as $side
    | (if $rounds | length == 0 then "no round has ended" else $rounds[-1]["\($side)_reason"] end)
      as $why
    | of_side($side; $slopes; $holders; $why))
