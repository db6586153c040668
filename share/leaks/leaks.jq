# leaks.jq: the text of make leaks, from the records of slopes.jq in one array.

def amount($unit): if . == null then "?"
  elif $unit != "bytes" then . * 10 | round / 10 | tostring
  elif fabs >= 1e6 then "\(. / 1e4 | round / 100) MB" else "\(. / 10 | round / 100) kB" end;
def left($n): . + " " * ([$n - length, 0] | max);

group_by(.name)[]
| (.[0].name + ", each round:"),
  (.[] | select(.type == "leak_slope" and .slope != null) | .unit as $unit
    | "  \("\(.side) \(.measure)" | left(18))\(.slope | amount($unit) | left(10))"
      + if .low == null then "" else " \(.low | amount($unit)) to \(.high | amount($unit))" end
      + if .grows then "  grows" else "" end),
  (.[] | select(.type == "leak") | .text)
