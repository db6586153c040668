# Binds a kind of figure to what metricplot counted. In, twice for each figure:
#  1. {kind, shared (templates.json), theme, measures, by, against, groups (those that are shown),
#     cells (groups by key), keys, classes, phases, options and numbers of the whole figure}; each
#     statistic of a group is [NUMBER, TEXT]. Out: {empty, id}: why there is nothing to draw; or
#     {panes: [{of: measures, x, y: {least, most, log, largest}}], far: axes, refused: whether
#     --log cannot be followed}.
#  2. {panes: [{x, y: {ratio, symbol}}], far: number of rows}. Out: {spec, singles: [{of, x, y, from
#     and what else the kind's data say, parts: [{row, forms}, ...]}, ...]}: the specification, in
#     which {"@single": N} is instead of the rows of single values, and how these are made.

# ---- numbers -------------------------------------------------------------------------------------

def number($default): if type == "number" then . else $default end;
def number_of: if type == "array" then .[0] else number(null) end;

# Rounded to significant digits.
def digits($n):
	if . == null or . == 0 or fabs < 1e-290 or fabs > 1e290 then .
	else ($n - 1 - (fabs | log10 | floor)) as $e |
		if $e < 0 then pow(10; -$e) as $by | (. / $by | round) * $by
		else pow(10; $e) as $by | (. * $by | round) / $by end
	end;
def times($ratio): if . == null then null else . * $ratio | digits(12) end;
def fixed($n):
	pow(10; $n) as $by | (fabs * $by | round) as $all |
	(if . < 0 and $all > 0 then "-" else "" end) + ($all / $by | floor | tostring) +
	(if $n > 0 then "." + ("000000000\($all)" | .[-$n:]) else "" end);
# Three digits at least, and no exponent unless it is needed.
def plain:
	if fabs < 1000 then digits(3) | tostring
	elif fabs < 1e7 then round | tostring
	else (fabs | log10 | floor) as $e | "\(. / pow(10; $e) | digits(3))e+\($e)" end;
def plural($n; $one; $many): if $n == 1 then $one else $many end;

# ---- texts ---------------------------------------------------------------------------------------

# Splits "{g}: {p50@2}, {share:.1f} %" into texts and {full: "p50@2", name: "p50", k: 1, format}.
def pieces:
	if type != "string" then [] else
		[scan("[^{]+|\\{[^}]*\\}")] | map(if startswith("{") then
			(.[1:-1] | split(":")) as $parts |
			($parts[0] // "") as $full | $parts[1] as $format |
			($full | split("@")) as [$name, $at] |
			{$full, $name, $format, k: (if $at then ($at | tonumber) - 1 else null end)}
			else . end)
	end;

# What a piece is in a context, {own: {NAME: value}, part: a group or a cell, pane, k: which of the
# pane's measures}: a text, a number, or [NUMBER, TEXT] in the unit of its measure.
def value($f; $c; $p):
	$c.pane.of[$p.k // $c.k] as $i |
	if $c.own | has($p.full) then $c.own[$p.full]
	elif $p.full == "against" then $f.against[0]
	elif $i == null then null
	elif $p.name == "m" then $f.measures[$i].shown
	elif $p.name == "name" or $p.name == "title" then $f.measures[$i][$p.name]
	elif $p.name == "rows" or $p.name == "total" then $c.part[$p.name]
	elif $p.name == "whole" and $c.part.is_cell then $f.groups[$c.part.place].of[$i].value
	elif $p.name == "part" and $c.part.is_cell then
		$f.groups[$c.part.place].of[$i].value[0] as $all |
		$c.part.of[$i].value[0] |
		if . and $all and $all != 0 then 100 * . / $all else null end
	else $c.part.of[$i][$p.name] end;

def in_unit($c; $p):
	if type == "array" then .[0] | times($c.pane.ratio[$p.k // $c.k] // 1)
	else number(null) end;

def text($f; $c; $p):
	value($f; $c; $p) | if type == "string" then . else
		number_of as $x |
		if $p.format == null then
			if type == "array" then .[1]
			elif $x == null then "unknown" else $x | tostring end
		elif $x == null then if $p.format == "" then "-" else "unknown" end
		elif $p.format == "" then in_unit($c; $p) | plain
		else $x | fixed($p.format | .[1:-1] | tonumber? // 0) end
	end;
def fill_pieces($f; $c): map(if type == "string" then . else text($f; $c; .) end) | add // "";
def fill_text($f; $c): pieces | fill_pieces($f; $c);
def are_known($f; $c):
	all(.[]; type == "string" or (value($f; $c; .) | type == "string" or number_of != null));

# Breaks a text into lines of at most $most letters, at blanks where there are some.
def lines($most):
	[scan("[^\n]{1,\($most)}(?=[ \n]|$)|[^\n]{1,\($most)}") | ltrimstr(" ")];

# ---- conditions and templates --------------------------------------------------------------------

# {"groups": 9} is at most 9, {"groups": [1, 9]} is from 1 to 9; others are true or false.
def holds($facts):
	all(to_entries[]; .value as $wanted | $facts[.key] |
		if . == null then true
		elif type == "boolean" then . == $wanted
		elif $wanted | type == "array" then
			. >= ($wanted[0] // 0) and ($wanted[1] == null or . <= $wanted[1])
		else . >= 0 and . <= $wanted end);

# What templates refer to: the shared parts, the kind's own, and those of the conditions that hold.
def parts($f; $facts):
	$f.shared.parts + $f.kind.parts +
	([$f.kind.when[]? | select(holds($facts)).set] | add // {});

def two_colours:
	if type == "string" or .[0] == .[1] then [.] | flatten | first
	else {expr: "dark ? '\(.[1])' : '\(.[0])'"} end;

# Replaces each string "@NAME" by the value NAME, else the part NAME, else the theme's colour, size
# or scale. A member without any, or whose value is null, is left out.
def fill($f; $parts; $values):
	if type == "string" and startswith("@") then .[1:] as $name |
		if $values | has($name) then $values[$name] | select(. != null)
		elif $parts | has($name) then
			$parts[$name] | select(. != null) | fill($f; $parts; $values)
		elif $f.theme.colours | has($name) then $f.theme.colours[$name] | two_colours
		else $f.theme.sizes[$name] // $f.theme.scales[$name] | select(. != null) |
			fill($f; $parts; $values) end
	elif type == "object" then
		reduce to_entries[] as $e ({}; . + ([$e.value | fill($f; $parts; $values)] |
			if length > 0 then {($e.key): .[0]} else {} end))
	elif type == "array" then map(fill($f; $parts; $values))
	else . end;

# ---- the whole figure ----------------------------------------------------------------------------

# Letters, digits, "-" and "_", the first one a letter: an id that is valid in every page.
def id:
	.id // (.output // .kind.kind | split("/") | last | sub("(?<=.)[.][^.]*$"; "")) |
	(if test("^[A-Za-z]") then "" else "f" end) + gsub("[^A-Za-z0-9_-]"; "-");

def why_empty:
	[.measures[] | select(.param)] as $params | (.keys | length) as $n | .kind.keys as $keys |
	if .table_rows == 0 then "nothing to draw: the table has no rows"
	elif .all == 0 then "nothing to draw: no row matches --where"
	elif .rows as $rows | all(.measures[] | select(.param | not); .missing == $rows) then
		"nothing to draw: none of these columns has a value"
	elif ($params | length > 0) and all($params[]; .above_0 == null) then
		"nothing to draw: '\($params[0].column)' has no value above 0"
	elif $keys and ($n < $keys.least or $n > $keys.most) then
		"nothing to compare: '\(.key)' has \($n) value\(plural($n; ""; "s")), and " +
		"\($keys.least) to \($keys.most) are required"
	elif (.kind.groups.always or .by_share) and (.whole[0] // 0) <= 0 then
		"nothing to draw: the groups sum to \(.whole[0]), so shares are undefined"
	elif .unmet == .all then "nothing to draw: no group meets \(.having | join(" "))"
	elif .first > .known then
		"nothing to draw: there are \(.known) groups, and the first rank is \(.first)"
	else null end;

# "n_images=3 side=500", as a combination is called everywhere, else "a / b".
def name_of($by):
	. as $keys | [range($by | length) as $i | ($keys[$i] // "(none)") as $key |
		if $by[$i] | endswith("_param") then " \($by[$i] | rtrimstr("_param"))=\($key)"
		else " / \($key)" end] | add // " all" | ltrimstr(" / ") | ltrimstr(" ");

# The groups that are shown, without the row of all others.
def shown: [.groups[] | select(.rest | not)];

# "total run time", "count"; "peak memory" has its statistic in its name.
def title:
	{sum: "total ", mean: "mean ", median: "median ", min: "least ", max: "peak "}[.stat] as $is |
	if .stat == "rows" then "count" elif .over then "\(.name) / \(.over)"
	elif $is == null then "\(.stat) of \(.name)"
	elif .name | startswith($is) then .name else $is + .name end;

# Gives groups and cells their names and own numbers.
def with_names:
	.by as $by | .kind.measures as $numbers | .shares as $shares | .held as $held |
	.measures |= map(.title = title | .shown = if $numbers then .title else .name end) |
	.groups |= map(.own = {g: (.keys | name_of($by)), share: $shares[.place],
		rank: (.place + 1),
		held: (if .place < $held then 1 else 0 end)}) |
	.groups as $groups | .cells |= map(.is_cell = true | .own = {g: $groups[.place].own.g,
		a: (.keys[-1:][0] // "unknown")}) |
	if .others == 0 then . else .groups += [{rest: true, place: ($groups | length),
		of: [{value: .rest}], own: {g: "\(.others) other\(plural(.others; ""; "s"))",
		share: (100 - .share), rank: ($groups | length + 1), held: 0, rest: 1,
		value: .rest}}]
	end;

def facts:
	. as $f | (shown | length) as $n | {
		groups: $n, all, known, empty: (.all - .known - .unmet), unmet,
		having: (.having | join(" ")), held, first,
		last: (.first - 1 + $n),
		measures: (.measures | length), keys: (.keys | length), rows, low, far,
		rank: .ranked, cut: ($n < .known),
		short: (.is_top and .share != null and .share < .upto),
		upto_only: (.kind.groups.upto == true or (.by_share and (.ranked | not))), grouped: (.by != []),
		repeated: (.rows > .all),
		upto, share, whole, log_counts,
		order: (if .by_count then "count"
			else .kind.groups[if .by_share then "share_title" else "order_title" end] end |
			fill_text($f; {own: {}, pane: {of: [range($f.measures | length)]}, k: 0}))};

# A description for screen readers.
def about:
	[.measures[] | select((.fixed or .param) | not).shown] as $shown |
	(.by_titles | join(" / ")) as $by | (.against | join(", ")) as $against |
	.kind.kind + (if $shown == [] then "" else " of " + ($shown | join(", ")) end) +
	(if $by == "" then "" else " by " + $by end) +
	(if $against == "" then "" else " against " + $against end) +
	": \(.all) group\(plural(.all; ""; "s")), \(.rows) rows";

# ---- panes and axes ------------------------------------------------------------------------------

# Which measures are in which view, and which groups.
def panes:
	.measures as $m | (.kind.panes // "all") as $how |
	(.kind.layout.rows | number(0)) as $tens |
	(.groups | length) as $all | [range($m | length) | select($m[.].param | not)] as $of |
	[range($m | length) | select($m[.].param)] as $params |
	(if $how == "pairs" then [$of[] as $i | ($of + $params)[] | select(. > $i) | [$i, .]]
	elif $params != [] then [$of[] as $i | $params[] | [., $i]]
	elif $how == "each" then $of | map([.])
	elif $how == "units" then reduce $of[] as $i ([]; . as $v |
		([range(length) | select($m[$v[.][0]].unit == $m[$i].unit)][0] // length) as $k |
		.[$k] += [$i])
	else [$of] end) | map({of: ., from: 0, to: $all}) |
	if $tens == 0 then . else .[0] as $v | [range(0; $all; $tens) |
		$v + {from: ., to: ([. + $tens, $all] | min)}] end;

# A scale from the least to the most number, and the number that should have a suitable unit.
def scale($f; $axis_def; $measure):
	$f.measures[$measure].unit as $unit |
	(if $f.log != 0 or $axis_def.log == null then $f.log
		elif $axis_def.log then 1 else 2 end) as $log |
	(if .least == null then {least: 1, most: 1} else . end) |
	.log = (.least > 0 and $log != 2 and
		($log == 1 or .most / .least > ($axis_def.spread // 50))) |
	.zero = ($axis_def.zero == true and (.log | not)) |
	(if .zero then .least = ([.least, 0] | min) else . end) |
	.largest = (if .log then (.least | sqrt) * (.most | sqrt)
		else [.least, .most | fabs] | max end) |
	.refused = ($f.log == 1 and .log == false and .least <= 0) |
	# Powers of ten of minutes are not readable.
	if .log and $unit.quantity == "time" and .largest * $unit.factor > 0.1 and
		.largest * $unit.factor < 36000 then .largest = 1 / $unit.factor else . end;

def reach_of_all($f; $measure):
	$f.measures[$measure] | {least: (if $f.kind.positive then .above_0 else .least end), most};

# The axis of all values of a measure, or of what numbers of the groups reach, or of their sum.
def axis($f; $pane; $axis_def):
	($axis_def.of | number(0)) as $of | $pane.of as $all |
	(if $of > 0 then $all[$of - 1:$of] else $all end) as $measures | $measures[0] as $i |
	(if $axis_def.reach then
		[(if $f.key then $f.cells else $f.groups end)[] | .of[$measures[]] |
			.[$axis_def.reach[]] | number_of | select(. != null)] |
		{least: min, most: (if $axis_def.sum then add else max end)}
	else reach_of_all($f; $i) end) | scale($f; $axis_def; $i) |
	.places = [range($all | length) | select($of == 0 or . == $of - 1)] |
	([$measures[] | select($f.measures[.].unit != $f.measures[$i].unit)][0]) as $other |
	if $other then error({empty: ("nothing to draw: '\($f.measures[$i].column)' and " +
		"'\($f.measures[$other].column)' have different units")}) else . end;

# Powers of ten alone on a logarithmic axis, if there are more than fit, and exponents where other
# numbers are not readable.
def ticks($px):
	([.least, .most | fabs] | max) as $largest |
	if .log then {tickCount: ([3, $px | floor] | max)}
	elif ($largest > 0 and $largest < 1e-4) or $largest > 1e12 then {format: "~e"}
	else {} end;

# A little outside the values, unless it begins at 0.
def widened:
	if .zero then .
	elif .log then
		(if .most > .least then pow(.most; 0.02) / pow(.least; 0.02) else 1.5 end) as $by |
		.least /= $by | .most *= $by
	else (if .most > .least then (.most - .least) / 50
		elif .most != 0 then .most | fabs / 10 else 1 end) as $more |
		.least -= $more | .most += $more end;

def axis_values($f; $name; $axis_def; $pane):
	$f.measures[$pane.of[.places[0]]] as $m | .ratio as $ratio | .log as $log |
	($axis_def.title // if .places | length < 2 then $m.shown
		else {time: "time", bytes: "size"}[$m.unit.quantity] // "value" end) as $title |
	.least *= $ratio | .most *= $ratio | .symbol as $symbol |
	ticks(if $name == "y" then $pane.high / 22 else $pane.wide / 90 end) as $ticks | widened |
	{($name + "_title"): ($title + if $symbol == "" then "" else " (\($symbol))" end),
	($name + "_axis"): $ticks,
	($name + "_scale"): {type: (if .log then "log" else "linear" end),
		domain: [.least, .most], nice: .zero, zero},
	($name + "_extent"): [.least, .most | if $log then log else . end]};

# ---- sizes ---------------------------------------------------------------------------------------

def widest($px): ([.[] | length] | max // 0) * 0.6 * $px;
def edges: .width - 2 * .theme.sizes.edge;

# Makes "mode / side" of "mode=png side=1000"; null of another name.
def name_keys:
	if test("^[^ =]+=") then [split(" ")[] | capture("^(?<key>[^=]+)=").key] | join(" / ")
	else null end;
def name_room:
	.theme.sizes.text as $px | (.width * 0.36) as $room | (.kind.layout.names | number($room)) |
	([., $room] | min) as $most | ($most / 0.54 / $px | floor) as $letters | {$most, $letters};
def with_labels:
	name_room as $room | .theme.sizes.text as $px |
	[shown[].own.g] as $names | [$names[] | select(length > $room.letters)] as $long |
	.names_px = ([$names | widest($px), $room.most] | min) |
	.long_names = {name_letters: $room.letters, long_names: ($long | join("\n"))} |
	.name_keys = ($long[0] // "" | name_keys);

# As many views of rows, tiles or panels, which are one for each group, are next to each other as
# fit, or there is one, which has the width with all around it.
def size($f; $how; $panes):
	($f.kind.layout | map_values(numbers)) as $px | ($f | edges) as $whole |
	.is_rows = ($how == "rows") | .own_names = (.from > 0 or .to < ($f.groups | length)) |
	.fits = ($how == "one" or (.is_rows and $panes == 1)) |
	(if $how == "panels" then $f | shown | length elif $how == "one" then 1
		else $panes end) as $n |
	($px.once + if .is_rows and (.own_names | not) then $f.names_px else 0 end) as $once |
	($px.around + (if .is_rows and $panes > 1 then 20 else 0 end) +
		if .is_rows and .own_names then $f.names_px else 0 end) as $around |
	# Distribute them evenly over the lines.
	([$n, $px.across, (($whole - $once) / ($px.least + $around) | floor)] | min) as $most |
	($n / ($n / ([1, $most] | max) | ceil) | ceil) as $across |
	.wide = (if $how == "one" then $f.width else ($whole - $once) / $across - $around end) |
	.high = (if $how == "one" then [$whole * 0.6, $px.single] | min else $px.high end) |
	.across = (if $how == "panels" then 1 else $across end) | .columns = $across;

def size_values($f; $k):
	($k % .across == 0) as $first |
	{width: (if .fits then $f.width else .wide | round end), height: (.high | round),
	room: (.wide | round), columns,
	autosize: (if .fits then {type: "fit-x", contains: "padding"}
		else null end)} +
	if .is_rows | not then {} else {
		height: {step: $f.kind.layout.px[if $f | shown | length > 12 then 1 else 0 end],
			for: "position"},
		by: (if $first and (.own_names | not)
			then $f.by_titles | join(" / ") else "" end)} +
		if $first or .own_names then {} else {g_axis: {labels: false, ticks: false}} end
	end;

# ---- scales --------------------------------------------------------------------------------------

# A list for a legend, and in how many columns it fits.
def listed($f; $name; $columns):
	{($name): .,
		($columns): ([1, ($f.width / (widest($f.theme.sizes.text) + 30) | floor)] | max)};

# Colours of the theme's ramp, at equal distances; that of what is unknown is grey.
def ramp($f):
	$f.theme.scales.ramp as $ramp | length as $n | [range($n) as $i |
		if .[$i] == "unknown" then $f.theme.colours.missing | two_colours
		else (if $n < 2 then 0.2 else 0.92 * $i / ($n - 1) end) as $at |
			$ramp[$at * ($ramp | length - 1) | round] end];

def scales($f):
	(if $f.key == null then $f.classes elif $f.classes == [] then
		[$f.keys[] | select(. != null)] else [$f.keys[] | . // "unknown"] end) as $keys |
	([if $f.key == null and $f.classes == [] then $f.measures[].name else $keys[] end |
		{color: .}]) as $legend_entries |
	{bins: $f.bins, phase_colours: [$f.phases[] | two_colours], $legend_entries,
		ramp_colours: ($keys | ramp($f))} +
	([$f.groups[.from:.to][].own.g] | listed($f; "names"; "name_columns")) +
	([$f.measures[].name] | listed($f; "titles"; "title_columns")) +
	($keys | listed($f; "keys"; "key_columns"));

# ---- rows ----------------------------------------------------------------------------------------

# The members of a row: "=NAME" is a number, others are texts, which are omitted if they are lists
# of which no form is known.
def forms($f):
	[.row // {} | to_entries[] | select(.key != "tip" or $f.tips) | .key as $key | .value |
		if type == "string" and startswith("=")
		then {$key, number: ("{\(.[1:])}" | pieces | .[0])}
		elif type == "array" then {$key, forms: map(strings | pieces)}
		else {$key, form: pieces} end];
def row($f; $forms): . as $c | reduce $forms[] as $m ({};
	if $m.number then
		. + {($m.key): (value($f; $c; $m.number) | in_unit($c; $m.number))}
	elif $m.form then . + {($m.key): ($m.form | fill_pieces($f; $c))}
	else ([$m.forms[] | select(are_known($f; $c))][0]) as $form |
		if $form then . + {($m.key): ($form | fill_pieces($f; $c))} else . end end);

def is_in($pane): .place >= $pane.from and .place < $pane.to;

# How rows of single values are made, of which there may be many: for each group or cell what they
# have from that, and forms whose other pieces are their own: numbers, texts and names.
def single_names: ["x", "y", "k", "far", "from", "to", "count", "name", "slope", "points"];
def is_own: type == "object" and (.full as $name | any(single_names[]; . == $name));
def single_part($f; $pane; $forms):
	{own, part: ., $pane, k: 0} as $c |
	[$forms[] | select(any((.number, .form[]?, .forms[]?[]?); is_own))] as $own |
	{row: ($c | row($f; $forms - $own)), forms: ($own | map(
		if .number then {key, number: .number.full}
		elif .form then {key, form}
		else {key, must_be_known: true,
			form: [.forms[] |
				select([.[] | select(is_own | not)] | are_known($f; $c))][0]}
		end | if .form then .form |= map(if is_own or type == "string" then .
			else text($f; $c; .) end) else . end))};

# The rows that the kind's data say, of groups or cells, or the place of those of single values.
def parts_of($f): if $f.key and .from != "groups" then $f.cells else $f.groups end;
def is_single: .from != "groups" and .from != "cells";
def rows($f; $pane): forms($f) as $forms | .each as $each |
	parts_of($f)[] | select(is_in($pane)) |
	{own, part: ., $pane, k: (if $each then range($pane.of | length) else 0 end)} |
	row($f; $forms);
def single($f; $pane): forms($f) as $forms |
	. + ($pane | {of, x, y}) + {parts: [parts_of($f)[] |
		if is_in($pane) then single_part($f; $pane; $forms) else null end]};

# Colour, shape and dashes of a group follow from its style, and are the same in other figures; a
# scale has them in the order of the labels.
def styles($f; $pane):
	$f.theme.scales as {$category, $symbol, $dash} |
	{row: {g: $f.kind.parts.label}} | forms($f) as $forms |
	[$f.groups[] | select(.style)] as $styled | if $styled == [] then {} else {
		group_colours: [$styled[] | $category[.style % ($category | length)]
			| fill($f; {}; {})],
		group_shapes: [$styled[] | (.style + .style / 10 | floor) % ($symbol | length)
			| $symbol[.]],
		group_dashes: [$styled[] | $dash[(.style / 10 | floor) % ($dash | length)]]} +
		([$styled[] | {own, part: ., $pane, k: 0} | row($f; $forms).g]
			| listed($f; "labels"; "label_columns")) end;

# ---- views ---------------------------------------------------------------------------------------

# What is needed of single values: a list of the kind's data, each with its name.
def wanted($f; $parts):
	[$f.kind.data // {} | fill($f; $parts; {bins: $f.bins}) | to_entries[] | .key as $name |
		.value | if type == "array" then .[] else . end | objects | . + {$name}];

def planned_pane($f; $facts; $n): . as $pane |
	size($f; parts($f; $facts + {log_x: false, log_y: false}).layout // $f.kind.layout.as; $n) |
	.axes = ($f.kind.axes // {} | with_entries(.key as $name | .value |= axis($f; $pane; .))) |
	.x = ([.axes | to_entries[] | select(.key != "y").value] | last) | .y = .axes.y |
	.facts = $facts + {log_x: (.x.log == true), log_y: (.y.log == true),
		coloured: ($f.coloured != null and .of[0] == $f.coloured)} |
	.parts = parts($f; .facts) | .data = wanted($f; .parts);

def planned: . as $f | facts as $facts | panes | length as $n |
	map(planned_pane($f; $facts; $n)) | {panes: ., refused: any(.[].axes[]; .refused),
		far: [if $f.kind.groups.far then range($f.measures | length) as $i |
			reach_of_all($f; $i) | scale($f; null; $i) else empty end]};

def with_units($got):
	.axes |= with_entries(.value += (if .key == "y" then $got.y else $got.x end)) |
	(if .x then .x += $got.x else .x = {ratio: 1} end) | (if .y then .y += $got.y else . end) |
	.ratio = reduce .axes[] as $a ([.of[] | 1]; reduce $a.places[] as $i (.; .[$i] = $a.ratio));

# The view, and its data of single values, of which the first one has this number in all.
def view($f; $k; $first): . as $pane | .parts as $parts | .data as $data |
	(scales($f) + styles($f; $pane) + size_values($f; $k) +
	([.axes | to_entries[] | .key as $name | .value |
		axis_values($f; $name; $f.kind.axes[$name]; $pane)] | add // {}) +
	($f.kind.texts // {} | map_values(fill_text($f; {own: {}, $pane, k: 0}))) +
	(if $f.tips then {} else {tooltip: null} end) +
	(reduce range($data | length) as $i ({}; .[$data[$i].name] += [$data[$i] |
		if is_single then {"@single": ($first + $i)}
		else rows($f; $pane) end]))) as $values |
	{spec: ($f.kind.spec | fill($f; $parts; $values)),
	singles: [$data[] | if is_single then single($f; $pane) else null end]};

# Lines, of which those whose conditions hold have the numbers of the whole figure.
def notes($f; $pane; $facts; $notes):
	{own: $facts, part: (if $f.all == 1 then $f.groups[0] else null end), k: 0,
		pane: {of: [range($f.measures | length)]}} as $c |
	$notes // [] | fill($f; $pane.parts; {}) | .[] |
	if type == "string" then {text: .} else . end |
	objects | select((.text | type == "string") and holds($facts)).text | fill_text($f; $c);

# The sum or median of some rows is not that of all.
def missing_notes:
	.rows as $rows | .measures[] | select((.fixed or .param | not) and .missing > 0) |
	"\(.missing) of \($rows) rows \(plural(.missing; "has"; "have")) no \(.name)" +
	if .over then ", or no \(.over)." else "." end;

def figure($f; $plan; $got):
	$plan.panes[0] as $first | ($first.facts + {far: $got.far}) as $facts |
	[range($plan.panes | length) as $k | $plan.panes[$k] | with_units($got.panes[$k]) |
		view($f; $k; $k * (.data | length))] as $all | [$all[].spec] as $views |
	($f | edges / 0.6) as $room | ($room / $f.theme.sizes.small | floor) as $most |
	[$f.title | strings | lines($room / $f.theme.sizes.title | floor)[]] as $title |
	[($f.subtitle | strings), $f.notes[], ($f | missing_notes),
		notes($f; $first; $facts; $f.shared.notes),
		($f.name_keys | strings | "Names: \(.)."),
		(notes($f; $first; $facts; $f.kind.notes)) | lines($most)[]] as $lines |
	($f | about) as $about |
	{title_lines: $title, $lines, figure_width: $f.width,
		light_ground: $f.theme.colours.ground[0],
		light_ink: $f.theme.colours.ink[0], id: ($f | id), $about,
		name: (if ($f.title // "") != "" then $f.title else $about end),
		dark_colours: ([$f.theme.colours[] | arrays, $f.phases[] | {(.[0]): .[1]}] | add)} +
	$f.long_names | . as $values |
	($f.shared.parts + {head: (if $title != [] then "@titled" elif $lines != [] then "@untitled"
		else null end)}) as $parts |
	{singles: [$all[].singles[]], spec: (($f.theme.top | fill($f; $parts; $values)) +
		($f.shared.spec | fill($f; $parts; $values)) +
		# A view with a title of its own is within the figure's.
		if ($views | length) == 1 and ($views[0] | has("title") | not) then $views[0]
		else {concat: $views, columns: $first.across} end)};

try (with_names | with_labels | . as $f |
	(why_empty | strings | {empty: .}) // (try planned
		catch if type == "object" then . else error end) | . as $plan |
	if .empty then . + {id: ($f | id)} else
		{refused, far, panes: [.panes[] | {of, x, y}]},
		(input as $got | figure($f; $plan; $got))
	end)
catch {error: tostring}
