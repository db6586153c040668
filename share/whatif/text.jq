# text.jq: the text of make whatif, from the records of whatif.jq in one array: a table of the
# slopes, then the sentences.

def left($n): . + " " * ([$n - length, 1] | max);
def hundredths: if . == null then "?" else . * 100 | round / 100 | tostring end;
def where: if .what != "line" then .what else (.file | ltrimstr("<") | rtrimstr(">")) + ":\(.line)"
  + (if .to_line == .line then "" else "-\(.to_line)" end) end;

group_by(.name)[]
| .[0].name + ":",
  ("  " + ("cell" | left(6)) + ("delayed" | left(20)) + ("hits" | left(9)) + ("time, s" | left(9))
    + ("delay by" | left(10)) + ("slope" | left(8)) + "interval"),
  (.[] | "  " + (.cell_index | tostring | left(6)) + (where | left(20))
    + (.hits // "" | tostring | left(9))
    + (if .time_s then .time_s | hundredths else "" end | left(9)) + (.how | left(10))
    + (.slope | hundredths | left(8)) + "\(.low | hundredths) to \(.high | hundredths)"),
  (sort_by(.saves_s // 0)[] | .text)
