# The slope of a line through points [[x, y, class], ...]: jq -L share/jq, and `include "slope";`.
#
# The median of the slopes of all pairs of points (Theil, Sen) of which x, or their class, differs:
# points of a class were meant to have the same x. Its interval of 95 % leaves out as many pairs as
# Kendall's tau says (Sen, JASA 63, 1968), with the variance for classes. Fewer than five points
# have no interval.
def slope:
  map([.[0], .[1], .[2] // .[0]]) as $p | ($p | length) as $n
  | ([range($n) as $i | range($i) as $j | select($p[$i][2] != $p[$j][2] and $p[$i][0] != $p[$j][0])
      | ($p[$i][1] - $p[$j][1]) / ($p[$i][0] - $p[$j][0])] | sort) as $s
  | ($s | length) as $pairs
  | def spread: . * (. - 1) * (2 * . + 5);
    (1.9599 * ((($n | spread) - ([$p | group_by(.[2])[] | length | spread] | add // 0)) / 18
      | sqrt)) as $outside
  | if $pairs == 0 then {slope: null, low: null, high: null} else {
      slope: (($s[($pairs - 1) / 2 | floor] + $s[$pairs / 2 | floor]) / 2),
      low: (if $n < 5 then null else $s[[($pairs - $outside) / 2 - 1 | floor, 0] | max] end),
      high: (if $n < 5 then null else $s[[($pairs + $outside) / 2 | ceil, $pairs - 1] | min] end)
    } end;
