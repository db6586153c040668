# bats file_tags=quick,long
# metricplot: figures of records and tables.
load helpers
load renderer

setup_file() {
	start_renderer
	python3 -c "
import random
random.seed(3)
print('step,task,run_time_s,memory_bytes,cpu_time_s,size_param,label')
for i in range(600):
    k = i % 5
    print(f'{k // 2},task_{k},{random.lognormvariate(k, .5):.4f},{1e9 * random.lognormvariate(k / 4, .3):.0f},'
          f'{\"\" if k == 3 else round(random.uniform(1, 9), 3)},{2 ** (i % 4)},{\"released\" if i % 2 else \"pr\"}')" >"$BATS_FILE_TMPDIR/t.csv"
	# Each kind, in one list, for the tests that read all of them.
	mkdir "$BATS_FILE_TMPDIR/kinds"
	cd "$BATS_FILE_TMPDIR/kinds" || return
	each_kind | while IFS='|' read -r kind options _; do
		# shellcheck disable=SC2086  # options are words
		record_of "$kind" $options
	done | metricplot --figures - ../t.csv
}

teardown_file() {
	stop_renderer
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	cp "$BATS_FILE_TMPDIR/t.csv" .
}

# texts FILE: the words of a specification (.json), or of a picture or several, one per line; fails unless a picture is
# good XML with ids that are each there once.
texts() {
	case $1 in *.json)
		jq -r 'del(.config, .usermeta, .["$schema"], .description) | walk(if type == "object" then del(.tip, .filter) else . end) | .. | strings' "$1"
		return ;;
	esac
	python3 -c "
import sys, xml.etree.ElementTree as E
for file in sys.argv[1:]:
    t = E.parse(file)
    ids = [e.get('id') for e in t.iter() if e.get('id')]
    assert len(ids) == len(set(ids)), (file, ids)
    assert all(i == ids[0] or i.startswith(ids[0] + '-') for i in ids), (file, ids)
    svg = '{http://www.w3.org/2000/svg}'
    print('\n'.join(e.text for e in t.iter() if e.tag in (svg + 'text', svg + 'tspan') and e.text))" "$@"
}

# each_kind: KIND|OPTIONS|TEXT of all but waterfall, for t.csv.
each_kind() {
	cat <<-'EOF'
	bars|--by task --of count,run_time_s,memory_bytes,cpu_time_s/run_time_s|peak memory (GB)
	bands|--by task --of run_time_s,cpu_time_s|time (s)
	points|--by task --of memory_bytes|memory (GB)
	whiskers|--by task --of memory_bytes --binary|memory (GiB)
	box|--by task --of run_time_s|run time (s)
	largest|--by task --of run_time_s|total run time (
	dashes|--by task --of cpu_time_s,run_time_s|time (
	dominant|--by task --of memory_bytes,run_time_s|% of total run time
	ranked|--by task,step --of run_time_s|% of total
	hulls|--by task --of run_time_s,memory_bytes|run time (s)
	pairs|--by task --of run_time_s,memory_bytes,cpu_time_s|memory (GB)
	histogram|--of run_time_s|p95
	ridge|--by task --of run_time_s|run time (s)
	categories|--by task --of run_time_s --category memory_bytes:small<=1GB,medium<=2GB,high|% of run time
	sweep|--by task --of run_time_s --against size_param|slope
	ab|--by task --of run_time_s|released
	heatmap|--by task --of run_time_s --against size_param|run time (s)
	EOF
}

# record_of KIND OPTION...: the record of a figure, which writes KIND.svg and KIND.json.
record_of() {
	local kind=$1 key=
	shift
	printf '{"type":"figure","kind":"%s","output":["%s.svg","%s.json"]' "$kind" "$kind" "$kind"
	for word; do
		case $word in
		--binary) printf ',"binary":true' ;;
		--*) key=${word#--} ;;
		*) printf ',"%s":"%s"' "$key" "$word" ;;
		esac
	done
	echo '}'
}

@test "each kind draws a figure with units on its axes" {
	cd "$BATS_FILE_TMPDIR/kinds"
	while IFS='|' read -r kind options wanted; do
		for e in svg json; do
			run texts "$kind.$e"
			status_is 0
			has "$wanted"
		done
		[ "$(jq '[.. | strings | select(startswith("@"))] | length' "$kind.json")" = 0 ]
	done < <(each_kind)
	[ "$(grep -o '#0072b2\|#d55e00\|#009e73\|#cc79a7\|#e69f00' hulls.svg | sort -u | wc -l)" -eq 5 ]
	[ "$(metricplot --kind help | wc -l)" -eq 18 ]
}

@test "a waterfall's phases add up to the cells' time; transport counts once where queue and delivery are unknown" {
	printf '%s\n' '{"type":"cell_metrics","cell_index":1,"dispatch_s":0.1,"queue_s":0.2,"kernel_s":1,"delivery_s":0.3,"render_s":0.4,"transport_s":0.5}' \
		'{"type":"cell_metrics","cell_index":2,"dispatch_s":0.1,"queue_s":null,"kernel_s":1,"delivery_s":null,"render_s":0.4,"transport_s":0.5}' \
		'{"type":"cell_metrics","cell_index":3,"dispatch_s":null,"queue_s":null,"kernel_s":null,"delivery_s":null,"render_s":null,"transport_s":null}' \
		'{"type":"notebook_metrics","cell_index":1}' >m.jsonl
	metricplot -k waterfall -o w.json -o w.svg m.jsonl
	run texts w.svg
	[ "$(grep -cx '2 s\|1.9.* s\|2.0* s' <<<"$output")" -eq 2 ]
	has "1 group without values is not shown."
	# Lines between phases: four in the first cell, three in the second.
	[ "$(grep -o '<g class="mark-rect role-mark layer_1_marks.*' w.svg | sed 's|</g>.*||' | grep -o '<path' | wc -l)" -eq 7 ]
	grep -qx cell <<<"$output"
	[ "$(jq -r '[.. | objects | .domain? | select(.[0]? == "dispatch")][0] | join(" ")' w.json)" = 'dispatch queue transport kernel delivery render' ]
	cellmetrics "$ROOT/tests/data/runs.jsonl" | metricreport >report.html
	for colour in $(jq -r '[.. | objects | select(.domain?[0]? == "dispatch").range][0][].expr | scan("#[0-9a-f]+")' w.json); do
		grep -q -- "--[a-z]*: *$colour;" report.html
	done
}

@test "each kind is a file, from which the help and the manual have it" {
	grep -rl '"kind"' "$ROOT/share/figure" | sed 's|.*/||; s|[.]json$||' | sort >files
	metricplot --kind help | cut -d' ' -f1 | diff files -
	jq -r '".It Cm " + .kind, .manual[]' "$ROOT"/share/figure/kinds/*.json >kinds
	sed -n '/^[.]Ss Kinds$/,/^[.]El/p' "$ROOT/man/metricplot.1" | sed '1,2d; $d' | diff kinds -
}

@test "a user adds a kind with a file, on the command line and in a list of figures" {
	mkdir own && cat >own/dots.json <<-'E'
	{"kind": "dots", "of": [1, 2], "groups": {"order": "value"}, "panes": "each", "layout": {"as": "rows"},
	 "axes": {"x": {"reach": ["p50", "p95"]}}, "notes": ["{groups} of {all} groups"], "parts": {"dot": {"type": "point", "color": "@green"}},
	 "data": {"rows": {"from": "groups", "row": {"g": "{g}", "x": "=p95", "middle": "=p50", "tip": "{g}: {p95}"}}},
	 "spec": {"width": "@width", "height": "@height", "autosize": "@autosize", "data": {"values": "@rows"}, "encoding": {"y": "@rows_y"},
	  "layer": [{"mark": "@dot", "encoding": {"x": "@x", "tooltip": "@tooltip"}}, "@unknown_x"]}}
	E
	metricplot -k own/dots.json -b task --of run_time_s -o dots.json -o dots.svg t.csv
	[ "$(jq '[.data.values[] | select(.x > .middle and (.tip | test("^task_[0-4]: ")))] | length' dots.json)" = 5 ]
	run texts dots.svg
	has 'run time (s)'
	has '5 of 5 groups'
	grep -q '#009e73' dots.svg
	metricplot --figures - t.csv <<<'{"type":"figure","kind":"./own/dots.json","by":"task","of":"run_time_s","id":"dots","output":"list.svg"}'
	cmp dots.svg list.svg
	echo '{"kind": "dots"}' >own/bad.json
	run metricplot -k own/bad.json t.csv
	status_is 3
	has "own/bad.json: not a kind of figure: 'kind' and 'spec' are required"
	run metricplot -k own/none.json t.csv
	status_is 4
	# What it lacks has defaults, and what is wrong is said.
	echo '{"kind": "empty", "of": [1, 1], "notes": [1], "layout": {"around": "x"}, "spec": {"mark": "bar"}}' >own/empty.json
	[ "$(metricplot -k own/empty.json --of run_time_s -f spec t.csv | jq -r .mark)" = bar ]
	echo '{"kind": "counts", "of": [1, 1], "measures": "numbers", "data": {"rows": {"from": "values"}}, "axes": {"x": {}}, "spec": {"data": {"values": "@rows"}, "mark": "bar"}}' >own/counts.json
	run metricplot -k own/counts.json -b task --of count -f spec t.csv
	status_is 3
	has "rows from 'values' are of a column, and count has none"
	for axis in '{"reach": 5}' '5'; do
		echo '{"kind": "odd", "of": [1, 1], "axes": {"x": '"$axis"'}, "spec": {"mark": "bar"}}' >own/odd.json
		run metricplot -k own/odd.json -b task --of run_time_s -f spec t.csv
		status_is 3
		has "metricplot: cannot bind this kind of figure: "
	done
}

@test "a missing value is unknown, not zero" {
	metricplot -k bars -b task --of cpu_time_s/run_time_s t.csv -o x.svg
	run texts x.svg
	[ "$(grep -cx unknown <<<"$output")" -eq 1 ]
	metricplot -k bands -b task --of cpu_time_s t.csv -o x.svg
	run texts x.svg
	[ "$(grep -cx unknown <<<"$output")" -eq 1 ]
}

# bats test_tags=thorough
@test "an efficiency is the ratio of the sums of the rows that have both" {
	printf 'task,cpu_time_s,run_time_s\na,5,10\na,,1000\nb,1,2\n' >e.csv
	metricplot -k bars -b task --of cpu_time_s/run_time_s -f html e.csv >e.html
	run grep -o '"[ab]: cpu time[^"]*"' e.html
	has 'a: cpu time / run time 50 %'
}

@test "the largest end at --upto percent, and the others are one bar" {
	printf 'task,run_time_s\na,60\nb,30\nc,8\nd,1\ne,1\n' >l.csv
	metricplot -k largest -b task --of run_time_s l.csv -o l.svg
	run texts l.svg
	has "2 others"
	has "8 s · 8.0 % · 98.0 %"
	has "2 s · 2.0 % · 100.0 %"
	metricplot -k largest -b task --of run_time_s --upto 90 l.csv -o l.svg
	run texts l.svg
	has "3 others"
}

@test "names, titles and notes are drawn literally, never executed, whatever characters they have" {
	hostile=$'`touch owned` $(touch owned) "x" a id="b" url(#x) <b>&amp; {/=40 y} %d %s \\n @a # &#x41 datum.x \xef\xbf\xbe\x1b'
	shown=$(sed $'s/\xef\xbf\xbe\x1b/\xef\xbf\xbd\xef\xbf\xbd/' <<<"$hostile")
	printf 'task,run_time_s\n"%s",1\n"%s;",2\nb,3\n' "${hostile//\"/\"\"}" "${hostile//\"/\"\"}" >h.csv
	for kind in bars box hulls; do
		metricplot -k $kind -b task --of "run_time_s$([ $kind = hulls ] && echo ,run_time_s)" --width 500mm --title "$hostile" --subtitle "$hostile" --note "$hostile" -o h.svg h.csv
		run texts h.svg
		status_is 0
		[ "$(grep -cF "$shown" <<<"$output")" -ge 4 ] || { echo "$kind: $output"; return 1; }
	done
	metricplot -k hulls -b task --of run_time_s,run_time_s --title '</script><script>alert(1)</script>' -o h.html h.csv
	[ "$(grep -c '<script>alert' h.html)" -eq 0 ]
	[ ! -e owned ]
	run metricplot -k bars -b task --of $'run_time_s`touch owned`' h.csv
	status_is 3
	[ ! -e owned ]
}

@test "a measure has the catalogue's title on axes, in notes, tooltips and descriptions, and a parameter has no _param" {
	printf '{"type":"cell_metrics","cell_index":%s,"side_param":%s,"client_execution_time_metric":%s,"client_total_data_received_metric":%s,"kernel_peak_rss_bytes":%s}\n' \
		1 8 1 1.5 5e8 2 9 2 null 6e8 >m.jsonl
	of=client_execution_time_metric,client_total_data_received_metric,kernel_peak_rss_bytes
	metricplot -k bars -b cell_index --of $of,kernel_peak_rss_bytes:max -o t.json m.jsonl
	run texts t.json
	for title in 'total client time (s)' 'peak data received (MB)' 'peak memory (MB)' '1 of 2 rows has no data received.'; do
		grep -qxF "$title" <<<"$output" || { echo "no '$title': $output"; return 1; }
	done
	[ "$(jq -r .description t.json)" = 'bars of total client time, peak data received, peak memory, peak memory by cell: 2 groups, 2 rows' ]
	metricplot -k box -b cell_index --of $of -o t.json m.jsonl
	[ "$(jq -r '[.. | .tip? // empty | capture(", (?<t>[^:]*): ").t] | unique | join(",")' t.json)" = 'client time,data received,peak memory' ]
	for kind in sweep heatmap; do
		metricplot -k $kind --of client_execution_time_metric --against side_param -o t.json m.jsonl
		run jq -r '.description, (.. | .tip? // empty)' t.json
		has 'by cell against side: 2 groups'
		has '1, side 8: 1 s'
		[[ $output != *_param* ]]
	done
}

@test "the extension selects the format; PDF has its fonts, PNG its size" {
	metricplot -k box -b task --of run_time_s -W single -o deep/er/x.svg -o deep/er/x.png -o deep/er/x.pdf -o deep/er/x.html -o deep/er/x.json t.csv
	[ "$(head -c 4 deep/er/x.png | tail -c 3)" = PNG ]
	file deep/er/x.png | grep -q ' 1050 x '
	[ "$(head -c 5 deep/er/x.pdf)" = %PDF- ]
	grep -qa FontFile2 deep/er/x.pdf
	grep -q '<svg id="x".* width="336" ' deep/er/x.svg
	grep -q '<title>box of run time by task' deep/er/x.html
	metricplot -k box -b task --of run_time_s -W single -f spec --id x t.csv | cmp - deep/er/x.json
	run metricplot -k box -b task --of run_time_s -o x.gif t.csv
	status_is 2
	has "unknown format of 'x.gif': use --format"
	metricplot -k box -b task --of run_time_s -f svg --id 'a b/<c>' t.csv >x.svg
	grep -q '<svg id="a-b--c-"' x.svg
}

@test "a page loads nothing and lists its values" {
	metricplot -k hulls -b task --of run_time_s,memory_bytes -o p.html t.csv
	run grep -oE '(src|href|url)[=(]["'\'']?(https?:)?//[^"]*' p.html
	[ -z "$output" ]
	grep -q "default-src 'none'" p.html
	[ "$(grep -c '<li>task_0: ' p.html)" -eq 120 ]
	metricplot -k whiskers -b task --of run_time_s -o p.html t.csv
	[ "$(grep -c '<li>' p.html)" -eq 5 ]
}

@test "a picture is readable on a dark ground, and every colour of a specification has one for it" {
	metricplot -k bands -b task --of run_time_s,cpu_time_s -o d.svg -o d.json t.csv
	grep -q '@media screen and (prefers-color-scheme:dark){\[fill="#ffffff"\]{fill:#11161c}' d.svg
	for spec in "$BATS_FILE_TMPDIR"/kinds/*.json; do
		# Those of a scale, and inks on it, are the same on any ground.
		jq -r '[.. | strings | select(test("^#[0-9a-f]{6}$"))] - [.usermeta.nbscope.dark[]] - [.. | objects | .range? | arrays[]] - ["#fdfdfd", "#010101"]
			- .config.range.ramp - (.usermeta.nbscope.dark | keys) | .[]' "$spec"
		# A specification has the same pairs, for viewers that have a dark ground.
		jq -r '.usermeta.nbscope.dark as $dark | .. | objects | select(.expr? // "" | test("^dark ")).expr
			| capture("^dark \\? .(?<d>#[0-9a-f]{6}). : .(?<l>#[0-9a-f]{6}).$") // {d: ., l: "no pair"} | select($dark[.l] != .d)' "$spec"
	done >odd
	[ ! -s odd ]
	python3 -c "
import json
def light(rgb):
    rgb = [int(rgb[k:k + 2], 16) / 255 for k in (1, 3, 5)]
    return sum(w * (c / 12.92 if c <= .03928 else ((c + .055) / 1.055) ** 2.4) for w, c in zip((.2126, .7152, .0722), rgb)) + .05
dark = json.load(open('d.json'))['usermeta']['nbscope']['dark']
for ink in '#333333', '#6e6e6e', '#a04000':
    assert light('#ffffff') / light(ink) >= 4.5, ink
    assert light(dark[ink]) / light(dark['#ffffff']) >= 4.5, ink"
}

# bats test_tags=thorough
@test "a specification is readable on the dark ground of its viewer" {
	# As JupyterLab does, with Vega's dark theme.
	"$ROOT/build/figure-venv/bin/python" - "$BATS_FILE_TMPDIR"/kinds/*.json <<-'P'
	import json, re, sys
	import vl_convert
	def light(rgb):
	    rgb = [int(rgb[k:k + 2], 16) / 255 for k in (1, 3, 5)]
	    return sum(w * (c / 12.92 if c <= .03928 else ((c + .055) / 1.055) ** 2.4) for w, c in zip((.2126, .7152, .0722), rgb)) + .05
	for path in sys.argv[1:]:
	    spec = json.load(open(path))
	    assert "background" not in spec and "background" not in spec["config"], path
	    for theme, ground in (("dark", "#333333"), (None, "#ffffff")):
	        svg = vl_convert.vegalite_to_svg(spec, vl_version="5.8", theme=theme)
	        inks = set(re.findall(r'<text[^>]* fill="([^"]*)"', svg)) - {"#fdfdfd", "#010101"}	# on a scale
	        assert inks, path
	        for ink in inks:
	            contrast = sorted((light(ink), light(ground)))
	            assert contrast[1] / contrast[0] >= 4.5, (path, theme, ink)
	P
}

@test "phases and categories that may adjoin differ in lightness by 15 at least, also for colour-blind people" {
	metricplot -k categories -b task --category 'memory_bytes:a<=1GB,b<=2GB,c<=3GB,d' -o c.json t.csv
	python3 - "$ROOT/tools/lib/metric/phase.c" "$ROOT/share/figure/theme.json" c.json <<-'P'
	import itertools, json, re, sys
	phases = re.findall(r'"(\w+)", "(#\w{6})", "(#\w{6})"', open(sys.argv[1]).read())
	assert len(phases) == 6
	ground = json.load(open(sys.argv[2]))["colours"]["ground"]
	categories = json.load(open(sys.argv[3]))["layer"][0]["encoding"]["color"]["scale"]["range"]
	assert len(categories) == 4
	# Machado, Oliveira and Fernandes 2009, of linear RGB.
	KINDS = {
	    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
	    "protanopia": ((.152286, 1.052583, -.204868), (.114503, .786281, .099216), (-.003882, -.048116, 1.051998)),
	    "deuteranopia": ((.367322, .860646, -.227968), (.280085, .672501, .047413), (-.011820, .042940, .968881)),
	}
	def lightness(colour, kind):
	    rgb = [int(colour[k:k + 2], 16) / 255 for k in (1, 3, 5)]
	    rgb = [c / 12.92 if c <= .04045 else ((c + .055) / 1.055) ** 2.4 for c in rgb]
	    seen = [min(1, max(0, sum(a * b for a, b in zip(row, rgb)))) for row in KINDS[kind]]
	    y = sum(w * c for w, c in zip((.2126, .7152, .0722), seen))
	    return 116 * y ** (1 / 3) - 16 if y > .008856 else 903.3 * y
	assert abs(lightness("#ffffff", "normal") - 100) < .1 and abs(lightness("#ff0000", "normal") - 53.24) < .1
	for kind in KINDS:
	    for dark in 0, 1:
	        seen = {name: lightness(pair[dark], kind) for name, *pair in phases}
	        for a, b in itertools.combinations(seen, 2):
	            # Transport is instead of queue, and the kernel is always between dispatch and render.
	            if {a, b} not in ({"queue", "transport"}, {"dispatch", "render"}):
	                assert abs(seen[a] - seen[b]) >= 15, (kind, dark, a, b, seen)
	        for name, x in seen.items():
	            assert abs(x - lightness(ground[dark], kind)) >= 12, (kind, dark, name, x)
	    shades = [lightness(c, kind) for c in categories]
	    assert all(b - a >= 15 for a, b in zip(shades, shades[1:])), (kind, shades)
	P
}

@test "what has one group or measure has no legend" {
	metricplot --figures - t.csv <<-'J'
	{"type":"figure","kind":"bands","by":"task","of":"run_time_s","output":"a.svg"}
	{"type":"figure","kind":"hulls","of":"run_time_s,memory_bytes","output":"b.svg"}
	{"type":"figure","kind":"bands","by":"task","of":"run_time_s,cpu_time_s","output":"c.svg"}
	J
	[ "$(grep -l 'role-legend' ./?.svg)" = ./c.svg ]
	grep -q '#0072b2' a.svg
	grep -q '#0072b2' b.svg
}

@test "groups differ in shape as well as in colour, and nine shapes can be seen" {
	each_kind | while IFS='|' read -r kind _; do
		jq -r --arg kind "$kind" '.. | objects | select(.mark?.type? == "point" and .encoding.color?.field?) | "\($kind) \(.encoding.color.field) \(.encoding.shape.field)"' "$BATS_FILE_TMPDIR/kinds/$kind.json"
	done >shapes
	[ "$(paste -sd, shapes)" = 'bands m m,hulls g g,ab m m' ]
	python3 -c "
print('task,x_s,y_s')
for i in range(90): print(f't{i % 9},{i % 7},{i % 11}')" >h.csv
	metricplot -k hulls -b task --of x_s,y_s -o h.svg h.csv
	# Each is a filled area: a line has none.
	python3 - <<-'P'
	import re
	svg = open("h.svg").read()
	shapes = [re.search(r' d="([^"]*)"', mark)[1] for mark in re.findall(r'role-legend-symbol[^>]*>(<path[^>]*>)', svg)]
	assert len(set(shapes)) == 9, shapes
	assert all(re.search("[ZA]", shape) for shape in shapes), shapes
	P
}

# pixels FILE SCRIPT: Python that has the rows of a PNG, each a list of (red, green, blue).
pixels() {
	python3 - "$1" "$2" <<-'P'
	import struct, sys, textwrap, zlib
	png = open(sys.argv[1], "rb").read()
	width, height, depth, kind = struct.unpack(">IIBB", png[16:26])
	assert (depth, kind) == (8, 6)
	data, at = b"", 8
	while at < len(png):
	    n, name = struct.unpack_from(">I4s", png, at)
	    data += png[at + 8:at + 8 + n] if name == b"IDAT" else b""
	    at += 12 + n
	raw, rows, last, wide = zlib.decompress(data), [], bytearray(4 * width), 4 * width
	for y in range(height):
	    how, line = raw[y * (wide + 1)], bytearray(raw[y * (wide + 1) + 1:(y + 1) * (wide + 1)])
	    for i in range(wide if how else 0):
	        a, b, c = line[i - 4] if i > 3 else 0, last[i], last[i - 4] if i > 3 else 0
	        near = min((abs(b - c), 0, a), (abs(a - c), 1, b), (abs(a + b - 2 * c), 2, c))[2]
	        line[i] = line[i] + (0, a, b, (a + b) // 2, near)[how] & 255
	    rows.append([tuple(line[x:x + 3]) for x in range(0, wide, 4)])
	    last = line
	exec(textwrap.dedent(sys.argv[2]))
	P
}

@test "in a PNG lines end at their values, and a median's tick is straight" {
	python3 -c "
print('task,x')
for i in range(101): print(f'a,{i}\nb,{100 + i * i / 100}')" >w.csv
	metricplot -k whiskers -b task --of x --log no -W single -o w.png w.csv
	pixels w.png '
	blue = [[b - r > 60 for r, g, b in row] for row in rows]
	ends = lambda row: (row.index(True), len(row) - row[::-1].index(True))
	found = [(y, *ends(row)) for y, row in enumerate(blue) if sum(row) > 9]
	# The rows of each group: its line, and the thick part of it.
	groups = [[found[0]]]
	for f in found[1:]:
	    groups[-1].append(f) if f[0] == groups[-1][-1][0] + 1 else groups.append([f])
	assert len(groups) == 2, groups
	at = [x for g in groups for x in (*max((t - f, f, t) for _, f, t in g)[1:], *min((t - f, f, t) for _, f, t in g)[1:])]
	values = [5, 95, 25, 75, 100.25, 190.25, 106.25, 156.25]
	scale = (at[5] - at[0]) / (190.25 - 5)
	for x, v in zip(at, values):
	    assert abs(x - at[0] - scale * (v - 5)) <= 3, (at, values)
	for group, median in zip(groups, (50, 125)):
	    x = round(at[0] + scale * (median - 5))
	    middle = (group[0][0] + group[-1][0]) // 2
	    ticks = []
	    # Above and below the dot of the mean.
	    for row in rows[middle - 28:middle - 14] + rows[middle + 14:middle + 28]:
	        dark = [i for i in range(x - 12, x + 12) if max(row[i]) < 120]
	        ticks += [(min(dark), max(dark))] if dark else []
	    assert len(ticks) > 12 and len(set(ticks)) == 1, (median, ticks)
	'
}

@test "a heat map uses the width of its figure" {
	printf '%s\n' task,size,x_s a,1,1 a,2,100 b,1,1 b,2,100 >w.csv
	metricplot -k heatmap -b task --of x_s --against size -W single -o w.png w.csv
	pixels w.png '
	wide = 0
	for row in rows[len(rows) // 2:]:
	    inked = [i for i, p in enumerate(row) if max(p) - min(p) > 40]
	    wide = max(wide, max(inked) - min(inked) if inked else 0)
	assert wide > 0.85 * width, (wide, width)
	'
}

@test "a picture's colours come from the theme, which has each once, and the report has its grounds" {
	run grep -rnE '#[0-9a-fA-F]{3,6}\b|0x[0-9a-f]{6}\b' "$ROOT"/tools/show/metricplot "$ROOT"/tools/show/cellgraph "$ROOT"/tools/show/lib/figure "$ROOT"/share/figure/kinds "$ROOT"/share/figure/templates.json "$ROOT"/share/figure/*.jq "$ROOT"/share/figure/render.py
	[ -z "$output" ] || { echo "$output"; return 1; }
	python3 - "$ROOT" <<-'P'
	import collections, json, re, sys
	root = sys.argv[1]
	theme = json.load(open(root + "/share/figure/theme.json"))
	text = open(root + "/share/figure/templates.json").read()
	# On a dark ground a colour is found by what it is on a light one.
	light = collections.Counter(c[0] if isinstance(c, list) else c for c in theme["colours"].values())
	assert max(light.values()) == 1, light
	names = [n for part in ("colours", "sizes", "scales") for n in theme[part]] + list(json.loads(text)["parts"])
	assert len(names) == len(set(names)), [n for n in names if names.count(n) > 1]
	css = open(root + "/share/report/report.css").read()
	grounds = re.findall(r"--ground: (#\w+);", css)
	assert [g if len(g) == 7 else "#" + "".join(2 * c for c in g[1:]) for g in grounds] == theme["colours"]["ground"], grounds
	P
}

@test "the same input gives the same picture" {
	for name in 1 2; do
		metricplot -k points -b task --of memory_bytes --id x -o $name.svg -o $name.png t.csv
	done
	cmp 1.svg 2.svg
	cmp 1.png 2.png
}

# bats test_tags=thorough
@test "one value, one group, equal, negative and huge values can be drawn" {
	k=0
	for rows in 'a,1' 'a,0' 'a,-3\nb,5\nb,5' 'a,1e-300\nb,1e300' 'a,\nb,-2'; do
		printf "task,x_s,y_s\n$rows\n" | sed '2,$s/,\(.*\)/,\1,\1/' >o.csv
		for kind in bars box points histogram ridge hulls heatmap; do
			record_of $kind --by task --of x_s"$([ $kind = hulls ] && echo ,y_s)" $([ $kind = heatmap ] && echo --against task) | sed "s/$kind\./$k-&/g"
		done | metricplot --figures - o.csv || [ $? = 6 ]
		k=$((k + 1))
	done
	[ "$(find . -name '?-*.svg' | wc -l)" -ge 30 ]
	run texts ?-*.svg
	status_is 0
	[[ "$output" != *NaN* && "$output" != *Infinity* ]]
}

@test "labels of an axis are distinct and do not touch, even for close values far from 0" {
	python3 -c "
import random
random.seed(1)
print('task,unix,flux,wide,mjd')
for i in range(80):
    print(f'{i % 4},{1.7e9 + random.random()},{random.gauss(1, .1) * 1e-12},{random.lognormvariate(0, 1.6)},{60000 + random.random() / 100:.6f}')" >n.csv
	for of in unix flux wide mjd; do
		for kind in box histogram; do
			# Ten digits are as wide as a histogram.
			[ $kind-$of = histogram-unix ] || record_of $kind --by task --of $of | sed "s/$kind\./&$of./g"
		done
	done | metricplot --figures - n.csv
	for f in *.svg; do
		python3 -c "
import re, sys
axes = re.findall(r'role-axis-label[^>]*>(.*?)</g>', open(sys.argv[1]).read())
rows = [[(float(x), float(y), t) for x, y, more, t in re.findall(r'translate\(([-0-9.]+),([-0-9.]+)\)([^>]*)>([^<]+)<', a) if 'opacity=\"0\"' not in more] for a in axes]
rows = [[(x, t) for x, y, t in row] for row in rows if len(row) > 1 and row[0][1] == row[1][1]]
assert rows, sys.argv[1]
for row in rows:
    for (a, s), (b, t) in zip(row, row[1:]):
        assert s != t and b - a > 2.6 * (len(s) + len(t)), (sys.argv[1], row)" "$f"
	done
}

@test "text on a heat map has a contrast of at least 4.5 to 1 with its cell" {
	python3 -c "
print('task,size,x_s')
for i in range(400):
    print(f'{i % 20},{i // 20},{1.03 ** i}')" >shades.csv
	metricplot -k heatmap -b task --of x_s --against size -W 400mm -o shades.svg shades.csv
	python3 -c "
import re
def light(rgb):
    rgb = [int(c) / 255 for c in rgb]
    return sum(w * (c / 12.92 if c <= .03928 else ((c + .055) / 1.055) ** 2.4) for w, c in zip((.2126, .7152, .0722), rgb)) + .05
def rgb(text):
    return [int(text[k:k + 2], 16) for k in (1, 3, 5)] if text[0] == '#' else re.findall(r'\d+', text)
svg = open('shades.svg').read()
cells = re.findall(r'<path[^>]*fill=\"([^\"]*)\"', re.search(r'mark-rect role-mark[^>]*>(.*?)</g>', svg).group(1))
words = re.findall(r'<text[^>]*fill=\"([^\"]*)\"', re.search(r'mark-text role-mark[^>]*>(.*?)</g>', svg).group(1))
assert len(cells) == len(words) == 400, (len(cells), len(words))
for cell, word in zip(cells, words):
    dim, bright = sorted((light(rgb(cell)), light(rgb(word))))
    assert bright / dim >= 4.5, (cell, word)"
}

@test "values that differ in their last bit are drawn as equal ones" {
	printf 'task,x\na,0.3\na,0.30000000000000004\n' >u.csv
	for kind in box points histogram ridge; do
		record_of $kind --by task --of x
	done >figures
	run timeout 20 metricplot --figures figures u.csv
	status_is 0
}

@test "an impossible logarithmic axis is a warning, and a sweep counts values without a logarithm" {
	printf 'task,n,x_s\na,0,3\na,1,0\na,2,50\na,4,99\n' >z.csv
	run metricplot -k box -b task --of x_s --log yes -o z.json z.csv
	status_is 0
	has "metricplot: an axis is linear despite --log: not all of its values are above 0"
	metricplot -k sweep -b task --of x_s --against n -o z.json z.csv
	run texts z.json
	has "2 rows with a value or parameter not above 0 are omitted."
	run metricplot -k sweep -b task --of x_s --against task -o z.json z.csv
	status_is 6
	has "metricplot: nothing to draw: 'task' has no value above 0"
}

@test "the picture has the width that was asked for, with all texts within it" {
	printf 'task,x_s,y_s\na,0.6,1\na,7700,2\nb,2,5\nb,100,9\n' >w.csv
	metricplot -k hulls -b task --of x_s,y_s -o w.svg w.csv
	metricplot -k bars -b task --of x_s,y_s,count -W single -o v.svg w.csv
	grep -q ' width="692" ' w.svg
	grep -q ' width="336" ' v.svg
	python3 -c "
import re
svg = open('w.svg').read()
ends = [float(x) for axis in re.findall(r'role-axis-label[^>]*>(.*?)</g>', svg) for x in re.findall(r'translate\(([-0-9.]+),', axis)]
left, width = float(re.search(r'translate\(([0-9.]+),', svg).group(1)), 692
assert ends and all(left + x <= width for x in ends), (left, ends)"
}

@test "bars begin at 0, also negative ones, and shares of a sum that is not positive are undefined" {
	printf 'task,x_s\na,-40\nb,-50\n' >n.csv
	metricplot -k bars -b task --of x_s -o n.svg n.csv
	run texts n.svg
	[[ $'\n'"$output"$'\n' == *$'\n0\n'* ]]
	run metricplot -k largest -b task --of x_s n.csv
	status_is 6
	has 'the groups sum to -90, so shares are undefined'
}

@test "a logarithmic axis has no bars: the groups are dots" {
	for log in yes no; do
		metricplot -k bars -b task --of run_time_s --log $log -o b.json t.csv
		metricplot -k largest -b task --of run_time_s --log $log -o l.json t.csv
		for f in b.json l.json; do
			jq -r '.layer[0] | "\(.mark.type) \(.encoding.x.scale.type) \(.encoding.x.scale.zero)"' $f
		done
	done >marks
	[ "$(paste -sd, marks)" = 'point log false,point log false,bar linear true,bar linear true' ]
}

@test "more than nine groups of hulls are small multiples, and up to nine share a panel" {
	python3 -c "
print('task,x_s,y_s')
for i in range(90): print(f't{i % 30},{i % 7},{i % 11}')" >h.csv
	metricplot -k hulls -b task --of x_s,y_s -o h.json h.csv
	[ "$(jq -r '.facet.field' h.json)" = g ]
	[ "$(jq '[.data.values[].g] | unique | length' h.json)" -eq 30 ]
	metricplot -k hulls -b task --of x_s,y_s -w 'task!=t0' -n 9 -o h.json h.csv
	[ "$(jq -r '.facet' h.json)" = null ]
	[ "$(jq '[.data.values[].g] | unique | length' h.json)" -eq 9 ]
}

@test "hulls of a window of ranks share a panel; the legend has rows and shares" {
	python3 -c "
print('task,x_s,y_s')
for i in range(90): print(f't{i % 30},{i % 30 + 1},{i % 11}')" >h.csv
	metricplot -k hulls -b task --of x_s,y_s --rank 1-10 -o h.json -o h.svg h.csv
	# 3 * (1 + ... + 30) = 1395 s
	[ "$(jq -r '.data.values[0].g' h.json)" = 't29  (3, 6.5 %)' ]
	[ "$(jq '[.data.values[].g] | unique | length' h.json)" -eq 10 ]
	[ "$(jq -r '[.data.values[] | select(.k == 0).tip][0]' h.json)" = 'hull of t29: 3 rows, total x 1 min 30 s, 6.5 % of all' ]
	run texts h.svg
	has 'Ranks 1 to 10 of 30 by total x.'
	[ "$(grep -c ' %)$' <<<"$output")" = 10 ]
	# By calls: two of each task, and one more of t4, t5 and t6.
	{ echo task,x_s,y_s; for i in 0 1 2 3 4 5 6 7 8 9 4 6 5 0 1 2 3 4 5 6 7 8 9; do echo "t$i,$((100 - i)),1"; done; } >calls.csv
	metricplot -k hulls -b task --of x_s,y_s --rank 1-3 --sort count -o calls.json calls.csv
	[ "$(jq -r '[.data.values[].g | split(",")[0]] | unique | join(" ")' calls.json)" = 't4  (3 t5  (3 t6  (3' ]
	jq -e '.title.text[0] == "Ranks 1 to 3 of 10 by count."' calls.json
	metricplot -k hulls -b task --of x_s,y_s --rank 21- -o h.json h.csv
	[ "$(jq -r '[.data.values[].g | split(" ")[0]] | unique | join(" ")' h.json)" = 't0 t1 t2 t3 t4 t5 t6 t7 t8 t9' ]
	run metricplot -k hulls -b task --of x_s,y_s --rank 31- -o h.json h.csv
	status_is 6
	has 'there are 30 groups, and the first rank is 31'
	run metricplot -k box -b task --of x_s --rank 1-10 h.csv
	status_is 2
	run metricplot -k hulls -b task --of x_s,y_s --rank 9 h.csv
	status_is 2
	has "--rank: expected FIRST-LAST, as in 11-20, not '9'"
}

@test "a bar ends with its value, and has the colour of its class if it is asked for" {
	printf 'task,cpu_s,run_s\na,10,100\nb,70,100\nc,95,100\n' >l.csv
	metricplot -k bars -b task --of run_s,cpu_s/run_s --category 'cpu_s/run_s:low<50%,medium<80%,high' -o l.json l.csv
	run texts l.json
	has '1 min 40 s'
	[ "$(jq -r '[.concat[1].data.values[] | "\(.v) \(.c)"] | join(",")' l.json)" = '10 % low (< 50%),70 % medium (< 80%),95 % high' ]
	[ "$(jq -r '.concat[0].layer[0].encoding.color.value | type' l.json)" != null ]
	run metricplot -k bars -b task --of run_s --category 'cpu_s:low<1s,high' l.csv
	status_is 2
	has "bars has no measure 'cpu_s' for --category"
}

@test "dashes have a band behind the groups that hold 90 %, and dominant ends at 98 %" {
	printf 'task,cpu_s,run_s,memory_bytes\na,50,60,1e9\nb,10,30,2e9\nc,5,7,3e9\nd,1,2,4e9\ne,1,1,5e9\n' >d.csv
	metricplot -k dashes -b task --of cpu_s,run_s -o d.json d.csv
	[ "$(jq -r '[.data.values[] | select(.held == 1).g] | join(" ")' d.json)" = 'a b' ]
	# A group without the first measure has its place too.
	[ "$(jq -c .encoding.y.scale.domain d.json)" = '["a","b","c","d","e"]' ]
	[ "$(jq -c '[.data.values[] | [.g, .x, .dash, .share]][0]' d.json)" = '["a",0.833333333333,1,60]' ]
	metricplot -k dominant -b task --of memory_bytes,run_s -o d.json d.csv
	[ "$(jq -c '[.data.values[] | [.g, .share, .max]]' d.json)" = '[["a",60,1],["b",30,2],["c",7,3],["d",2,4]]' ]
	[ "$(jq -c .resolve.scale d.json)" = '{"x":"independent"}' ]
	run metricplot -k dashes -b task --of memory_bytes,run_s d.csv
	status_is 6
	has "have different units"
}

@test "a histogram says N, minimum, mean, standard deviation and maximum, and whiskers have both ends" {
	printf 'task,x_s\na,1\na,2\na,3\na,10\nb,5\n' >n.csv
	metricplot -k histogram -b task --of x_s -o n.json n.csv
	[ "$(jq -r '[.data.values[] | select(.figures) | .g + "|" + .figures] | join("|")' n.json)" = $'a  (4)|min 1, mean 4\nsd 4.08, max 10|b  (1)|min 5, mean 5\nsd -, max 5' ]
	metricplot -k histogram --of x_s -w task=a -o n.json n.csv
	run texts n.json
	has 'N 4, min 1 s, mean 4 s, sd 4.08'
	metricplot -k whiskers -b task --of x_s -o n.json n.csv
	[ "$(jq -c '[.data.values[] | [.g, .min, .mean, .max]]' n.json)" = '[["a",1,4,10],["b",5,5,5]]' ]
}

@test "pairs mark the rows that are outliers in any column, in every pair" {
	python3 -c "
print('task,x_s,y_s,z_s')
for i in range(40): print(f't,{50 + i % 7},{60 + i % 5},{70 + i % 3}')
print('far,51,61,700')" >p.csv
	metricplot -k pairs -b task --of x_s,y_s,z_s --log no -o p.json p.csv
	[ "$(jq '.concat | length' p.json)" = 3 ]
	[ "$(jq -c '[.concat[] | [.data.values[] | select(.far == 1).tip]]' p.json)" = '[["far: 51 s, 1 min 01 s"],["far: 51 s, 11 min 40 s"],["far: 1 min 01 s, 11 min 40 s"]]' ]
	run texts p.json
	has 'Triangles: the 1 of 41 rows'
}

# bats test_tags=thorough
@test "the script of all pages is made when the renderer is installed, not with the first page" {
	python3 -m venv --without-pip new
	realpath "$ROOT"/build/figure-venv/lib/python3*/site-packages >"$(echo new/lib/python3*/site-packages)/renderer.pth"
	new/bin/python "$ROOT/share/figure/render.py" --library </dev/null
	[ "$(find new -maxdepth 1 -name 'nbscope-*.js' -size +500k | wc -l)" = 1 ]
	grep -q 'render.py --library))$' "$ROOT/mk/deps.mk"
}

@test "a figure without data is an error with status 6" {
	printf 'task,run_time_s\n' >e.csv
	run metricplot -k bars -b task --of run_time_s e.csv
	status_is 6
	[ "$output" = "metricplot: nothing to draw: the table has no rows" ]
	printf 'task,run_time_s\na,\n' >e.csv
	for kind in bars largest box histogram ridge; do
		run metricplot -k $kind -b task --of run_time_s -o none.svg e.csv
		status_is 6
		has "none of these columns has a value"
	done
	[ ! -e none.svg ]
	run metricplot -k ab -b task --of run_time_s --against step -w step=0 t.csv
	status_is 6
	has "'step' has 1 value, and 2 to 8 are required"
}

@test "a note says what is omitted" {
	python3 -c "
print('task,run_time_s')
for i in range(2640): print(f'cell {i},{i + 1}')" >many.csv
	metricplot -k bars -b task --of run_time_s -S value many.csv -o x.json
	run texts x.json
	has "Shown: the largest 60 of 2640 by total run time."
	has "cell 2639"
	[[ "$output" != *"cell 2579"* ]]
}

@test "invalid options are named" {
	while IFS='|' read -r options wanted; do
		eval "run metricplot $options t.csv"
		status_is 2
		has "$wanted"
	done <<-'EOF'
	--of run_time_s|--kind is required
	-k pie --of run_time_s|unknown kind 'pie'
	-k bars -b task|bars requires --of with 1 measure
	-k hulls -b task --of run_time_s|hulls requires --of with 2 measures
	-k box -b task --of count|box shows single values, but 'count' is one number for each group
	-k bars -b task --of run_time_s:most|unknown statistic 'most'
	-k bars -b task --of run_time_s -W 3in|width must be single, double, or 60 to 1000mm, not '3in'
	-k sweep -b task --of run_time_s|sweep requires --against
	-k categories -b task|categories requires --category
	-k categories -b task --category 'memory_bytes:a<=5s,b'|cannot convert '5s' to the unit of 'memory_bytes' (B)
	-k categories -b task --category 'memory_bytes:a<=5GB,b<=2GB,c'|the limits of 'memory_bytes' must ascend
	-k heatmap --of run_time_s --against step,task|heatmap allows only one column --against
	-k bars -b task --of run_time_s --sort size|--sort must be name, value or count, not 'size'
	-k bars -b task --of run_time_s --rank 1-2|--rank is not for bars
	-k box -b task --of run_time_s --category 'run_time_s:a<=1,b'|--category is not for box
	-k pairs -b task --of run_time_s,cpu_time_s --upto 50|--upto is not for pairs
	-k box -b task --of run_time_s --bins 5|--bins is not for box
	-k ridge -b task --of run_time_s --percentiles 5|--percentiles is not for ridge
	-k box -b task --of run_time_s --log-counts|--log-counts is not for box
	-k bars -b task --of run_time_s --log maybe|--log must be auto, yes or no, not 'maybe'
	-k bars -b task --of run_time_s --against label|--against is not for bars
	-k categories -b task --category 'memory_bytes:a<=1,b' --log yes|--log is not for categories
	-k largest -b task --of run_time_s --sort name|--sort name has no effect on largest
	-k hulls -b task --of run_time_s,memory_bytes --rank 1-2 --sort name|--sort name has no effect on --rank
	-k bars -b task --of run_time_s --having memory_bytes:wide=1|--having: 'memory_bytes:wide' must be COLUMN:STATISTIC
	-k bars -b task --of run_time_s:share|unknown statistic 'share'
	--figures f.jsonl --by task|--by has no effect with --figures, whose records have it as a member
	EOF
}

@test "invalid input is an error with file and line, and leaves no file" {
	printf 'task,run_time_s\na,1\n"b,2\n' >bad.csv
	run metricplot -k bars -b task --of run_time_s -o x.svg bad.csv
	status_is 3
	printf '{"type":"x","task":"a","run_time_s":1,}\n' >bad.jsonl
	run metricplot -k bars -b task --of run_time_s -o x.svg bad.jsonl
	status_is 3
	has "bad.jsonl:1:"
	printf 'task,run_time_s\n\xff\xfe,1\n' >bad.csv
	run metricplot -k bars -b task --of run_time_s -o x.svg bad.csv
	status_is 3
	[ ! -e x.svg ]
	printf 'task,run_time_s\na,1' | metricplot -k bars -b task --of run_time_s >x.svg
	run bash -c 'metricplot -k bars -b task --of run_time_s t.csv >/dev/full'
	status_is 4
	has "No space left on device"
}

@test "without the package that draws, or jq, one line says what to install; a specification does not need the package" {
	run env NBSCOPE_FIGURE_VENV="$PWD/none" metricplot -k bars -b task --of run_time_s -o x.svg t.csv
	status_is 4
	[ "$output" = "metricplot: cannot draw: no Python with vl-convert-python (run 'make setup', or set NBSCOPE_FIGURE_VENV)" ]
	[ ! -e x.svg ]
	NBSCOPE_FIGURE_VENV=$PWD/none metricplot -k bars -b task --of run_time_s -o x.json t.csv
	[ -s x.json ]
	program=$(command -v metricplot)
	PATH=$PWD/none run "$program" -k bars -b task --of run_time_s -o none.json t.csv
	status_is 4
	[ "$output" = "metricplot: cannot draw: jq failed, or is not installed" ]
	[ ! -e none.json ]
}

@test "a process that draws and is killed is called that" {
	mkdir -p bin
	printf '#!/bin/sh\nkill -KILL $$\n' >bin/python
	chmod +x bin/python
	NBSCOPE_FIGURE_VENV=$PWD run -4 metricplot -k bars -b task --of run_time_s -o f.svg t.csv
	[ "$output" = 'metricplot: cannot draw: the process for it was killed by SIGKILL' ] || has 'SIGKILL'
	[ ! -e f.svg ]
}

@test "twenty thousand points of 41 groups take a few seconds of processor time" {
	python3 -c "
import random
random.seed(1)
print('task,run_time_s,memory_bytes')
for i in range(20000): print(f'task_{i % 41:02d},{random.lognormvariate(i % 41 / 10, .6):.4f},{1e9 * random.lognormvariate(0, .3):.0f}')" >big.csv
	# Time of the processor, the renderer's too: what else the machine does is not counted.
	python3 - <<-'EOF'
	import resource, subprocess
	subprocess.run("metricplot -k hulls -b task --of run_time_s,memory_bytes -o big.svg big.csv".split(), check=True)
	used = resource.getrusage(resource.RUSAGE_CHILDREN)
	print(used.ru_utime + used.ru_stime, "s")
	assert used.ru_utime + used.ru_stime < 8
	EOF
	[ "$(grep -o "<use" big.svg | wc -l)" -gt 12000 ]
}

@test "a note says when --top ends the largest before --upto" {
	metricplot -k largest -b task --of run_time_s --top 2 -o l.svg t.csv
	run texts l.svg
	has "The largest 2 of 5 are "
	metricplot -k largest -b task --of run_time_s --upto 50 -o l.svg t.csv
	run texts l.svg
	has "up to the one with which they reach 50 %, and that one"
}

@test "--upto leaves a histogram, a box or a ridge for the groups that hold that share of the total" {
	printf 'task,run_time_s\n%s,50\n%s,30\n%s,15\n%s,4\n%s,1\n' b a e d c >upto.csv
	for kind in histogram box ridge points whiskers bands; do
		metricplot -k $kind -b task --of run_time_s --upto 90 -f spec upto.csv >spec.json
		[ "$(jq -r '[.data.values[] | .g // empty | split(" ")[0]] | unique | join(" ")' spec.json)" = "a b e" ] || { echo "$kind"; return 1; }
		jq -e '.title | tostring | contains("The largest 3 of 5 by total run time: up to the one with which they reach 90 %, and that one.")' spec.json
	done
}

@test "--log-counts shows bins of one value next to bins of many" {
	awk 'BEGIN { print "task,x_s"; for (i = 0; i < 1000; i++) print "a," 1 + i % 2 / 10; print "a,9" }' >counts.csv
	metricplot -k histogram -b task --of x_s --log no --log-counts -o log.svg counts.csv
	metricplot -k histogram -b task --of x_s --log no -o linear.svg counts.csv
	cat >heights.py <<-'P'
	import re, sys
	def heights(name):
	    svg = open(name).read()
	    bars = re.search(r'mark-rect role-mark[^>]*>(.*?)</g>', svg).group(1)
	    return sorted(abs(float(h)) for h in re.findall(r'M[-0-9.]+,[-0-9.]+h[-0-9.]+v([-0-9.]+)h', bars))
	log, linear = heights("log.svg"), heights("linear.svg")
	print(log, linear)
	assert len(log) == len(linear) == 2
	assert linear[0] < linear[-1] / 400 and log[-1] / 30 < log[0] < log[-1] / 5
	P
	run -0 python3 heights.py
}

@test "--having leaves the groups whose figures match, also of a column that is not shown, and a note says so" {
	printf 'task,x_s,memory_bytes\na,9,1e9\na,1,3e9\nb,5,5e8\nb,6,6e8\nc,1,9e9\nd,7,\n' >h.csv
	names() { jq -c '[.data.values[].g] | unique' o.json; }
	metricplot -k largest -b task --of x_s --having 'memory_bytes:p50>=600MB' -o o.json h.csv
	# The others are one bar, as shares are of all groups.
	[ "$(jq -c '[.data.values[] | [.g, .x]]' o.json)" = '[["a",10],["c",1],["2 others",18]]' ]
	run texts o.json
	has '2 of 4 groups are not shown, as they do not meet memory_bytes:p50>=600MB.'
	metricplot -k box -b task --of x_s --having 'x_s:count=2 memory_bytes:max<1GB' -o o.json h.csv
	[ "$(names)" = '["b"]' ]
	# Ranks are of those that are left, and a figure in a list has its own.
	echo '{"type":"figure","kind":"hulls","by":"task","of":"x_s,memory_bytes","rank":"1-1","having":"x_s:sum<11","output":"o.json"}' | metricplot --figures - h.csv
	[ "$(jq -c '[.layer, .data] | [.. | .g? // empty | strings | select(contains("("))[0:1]] | unique' o.json)" = '["a"]' ]
	run metricplot -k bars -b task --of x_s --having 'x_s:max>1h' -o none.json h.csv
	status_is 6
	has 'nothing to draw: no group meets x_s:max>1h'
}

@test "no kind of figure allows an option that changes nothing" {
	run -0 "$ROOT/tests/optionpairs" metricplot
	[ -z "$output" ]
}

@test "a group has one colour, shape and line in all figures of a call" {
	awk 'BEGIN { print "step,task,run_time_s,memory_bytes"; for (i = 0; i < 100; i++) { k = i % 25; printf "s%d,t%02d,%d,%d\n", k % 3, k, 1 + k * k + i / 25, 1e9 + i * i * 1e6 } }' >many.csv
	for options in '"rank":"1-10"' '"rank":"11-20"' '"rank":"21-"' '"where":"step=s1"' '"where":"task=t03,t20"'; do
		echo "{\"type\":\"figure\",\"kind\":\"hulls\",\"by\":\"task\",\"of\":\"run_time_s,memory_bytes\",$options,\"output\":[\"same$((n++)).json\"]}"
	done >same.jsonl
	metricplot -F same.jsonl many.csv
	jq -c '[.. | objects | select(.strokeDash?)][0] | [.stroke, .strokeDash | .scale] |
		[.[0].domain, .[0].range, .[1].range] | transpose[] | [(.[0] | split(" ")[0]), .[1:]]' same?.json >styles
	[ "$(wc -l <styles)" = 35 ]	# 25 by their ranks, and again the 8 of a step and 2 tasks
	[ "$(sort -u styles | wc -l)" = 25 ]
	[ "$(sort -u styles | jq -c '.[1]' | sort -u | wc -l)" = 25 ]
}

@test "a cell of a heat map without a value has a dash, and narrow cells have no numbers over each other" {
	awk 'BEGIN { print "task,night,x_s"; for (i = 0; i < 400; i++) print i % 10 "," int(i / 10) "," (i % 10 == 3 ? "" : i) }' >wide.csv
	metricplot -k heatmap -b task --of x_s --against night -o wide.svg wide.csv
	run -1 grep -o undefined wide.svg
	python3 -c "
import re
words = re.findall(r'<text([^>]*)>([^<]*)<', re.search(r'mark-text role-mark[^>]*>(.*?)</g>', open('wide.svg').read()).group(1))
shown = [text for more, text in words if 'opacity=\"0\"' not in more]
assert shown == ['–'] * 40, shown"
}

@test "shortened names remain distinct" {
	python3 -c "
print('task,run_time_s')
for band in 'ugrizy':
    print(f'pipeline_configuration_for_a_survey_band_{band}_with_one_long_tail_of_words_' + 'x' * 60 + f',{ord(band)}')
    print(f'{band} short,3')" >long.csv
	for kind in bars box ranked histogram; do
		metricplot -k $kind -b task --of run_time_s -o x.svg long.csv
		run texts x.svg
		[ "$(grep 'band_[ugrizy]_*.*…' <<<"$output" | sort -u | wc -l)" = 6 ]
		has 'u short'
	done
	# Of a family of numbers whole words: not ...50 and ...000.
	python3 -c "
print('task,run_time_s')
for side in 250, 2000: print('a' * 90 + f'-side{side},{side}')" >sides.csv
	metricplot -k bars -b task --of run_time_s -o x.svg sides.csv
	run texts x.svg
	has side250
	has side2000
}

@test "each group has a name of its own however short, and long combinations have their values as names" {
	python3 -c "
print('task,run_time_s')
for k in range(9): print('left' + 'm' * 90 + str(k) + 'm' * 90 + f'right,{k + 1}')
print('z' * 200 + ',5')" >long.csv
	python3 -c "
import itertools
print('task,run_time_s')
for a, b, c in itertools.product(('png', 'webp and more'), (500, 100000), (1, 25)): print(f'image_compression={a} image_pixel_side={b} number_of_images={c} viewport_pixel_size=600,{b / c}')" >combined.csv
	for kind in bars ranked histogram hulls; do
		metricplot -k $kind -b task --of run_time_s"$([ $kind = hulls ] && echo ,run_time_s)" -W single -o x.json long.csv
		[ "$(jq '[.. | .values? // empty | .[] | .g? // empty] | unique | length' x.json)" -eq 10 ]
		metricplot -k $kind -b task --of run_time_s"$([ $kind = hulls ] && echo ,run_time_s)" -W single -o x.json -o x.svg combined.csv
		[ "$(jq '[.. | .values? // empty | .[] | .g? // empty] | unique | length' x.json)" -eq 8 ]
		run texts x.svg
		has 'Names: image_compression / image_pixel_side /'
		[ "$(grep -o image_pixel_side <<<"$output" | wc -l)" = 1 ] || { echo "not once: $output"; return 1; }
		[ $kind = histogram ] || has 'png / 100000 / 1'
	done
	printf 'task,run_time_s\nn=1 m=2,1\nn=2 m=2,2\n' >short.csv
	metricplot -k bars -b task --of run_time_s -o x.svg short.csv
	run texts x.svg
	has 'n=1 m=2'
	[[ $output != *Names:* ]]
}

@test "a note counts rows without a value, since a sum of some is not that of all" {
	printf 'task,run_time_s,cpu_s\na,1,\na,2,1\nb,,\nb,3,3\n' >part.csv
	for kind in bars whiskers largest histogram; do
		metricplot -k $kind -b task --of run_time_s -o x.json part.csv
		run texts x.json
		has '1 of 4 rows has no run time.'
	done
	metricplot -k bars -b task --of cpu_s/run_time_s,count -o x.json part.csv
	run texts x.json
	has '2 of 4 rows have no cpu, or no run time.'
	metricplot -k bars -b task --of count -o x.json part.csv
	run texts x.json
	[[ "$output" != *' no '* ]]
}

@test "categories of a sum with negative parts are unknown" {
	printf 'task,delta_s,size\na,-5,1\na,9,2\nb,1,1\nb,3,2\n' >x.csv
	metricplot -k categories -b task --of delta_s --category 'size:small<=1,large' -o x.svg x.csv
	run texts x.svg
	has unknown
	[[ "$output" != *225* ]]
	has 75
}

@test "notebooks of a sweep are named by their parameters in the report's figure" {
	cellmetrics "$ROOT/tests/data/runs.jsonl" | sed 's/"params":{[^}]*}/"params":{"side":250}/; /demo-n2/s/"side":250/"side":500/' >metrics.jsonl
	standard_figures . out demo json
	run texts out/notebooks.json
	grep -qx side=250 <<<"$output"
	grep -qx side=500 <<<"$output"
}

@test "the report's figures of repeated notebooks are medians, not sums of unequal numbers of runs" {
	cellmetrics "$ROOT/tests/data/runs.jsonl" | sed 's/"params":{[^}]*}/"params":{"side":250}/; /demo-n2/s/"side":250/"side":500/' >once
	{ cat once; for k in 2 3; do grep demo-n1 once | sed "s/\"repetition\":1/\"repetition\":$k/"; done; } >metrics.jsonl
	standard_figures . repeated demo json
	cp once metrics.jsonl
	standard_figures . out demo json
	for f in notebooks largest; do
		run texts repeated/$f.json
		has 'median client time (s)'
		[[ "$output" != *'% of total'* ]]
	done
	jq -e '[.. | .tip? // empty] | map(select(startswith("side=250")))[0] | test("3.280 s")' repeated/notebooks.json || { jq -c '[.. | .tip? // empty]' repeated/notebooks.json; false; }
	# An axis says cell, not the column's name.
	run cat out/*.json
	[[ "$output" != *'"title":"cell_index'* && "$output" != *'"title": "cell_index'* ]]
}

@test "the report's figures of cells that ran once are bars, not distributions of one value" {
	kinds() {
		NBSCOPE_SCRATCH=$BATS_TEST_TMPDIR "$ROOT/mk/show/list-figures.sh" . out demo json
		cat figures.cell figures.notebook | jq -r 'select(.id | startswith("cell-")).kind' | paste -sd' '
	}
	cellmetrics "$ROOT/tests/data/runs.jsonl" >metrics.jsonl
	[ "$(kinds)" = 'box bands whiskers points' ]
	sed -i /demo-n2/d metrics.jsonl
	[ "$(kinds)" = 'bars bars bars bars' ]
}

@test "a sweep has a line where its slope is known, from three values of the parameter on" {
	sweep() { metricplot -k sweep -b cell_index --of y_s --against n --output fit.svg rows.csv && run texts fit.svg; }
	printf 'cell_index,n,y_s\n1,1,1\n1,10,10\n1,10,10.1\n1,1,1.01\n' >rows.csv
	sweep
	[[ ! "$output" =~ slope\ [-0-9] ]] || { echo "two values: $output"; false; }
	printf 'cell_index,n,y_s\n1,1,1\n1,10,9\n1,100,2\n' >rows.csv
	sweep
	[[ ! "$output" =~ slope\ [-0-9] ]] || { echo "an interval with 0: $output"; false; }
	printf 'cell_index,n,y_s\n1,1,1\n1,10,10.1\n1,100,100\n' >rows.csv
	sweep
	has 'slope 1.00'
}

@test "several outputs are drawn from one reading" {
	metricplot -k box -b task --of run_time_s -o a.svg -o b.png -o c.html - <t.csv
	metricplot -k box -b task --of run_time_s -o a1.svg t.csv
	sed 's/a1/a/g' a1.svg | cmp - a.svg
	[ "$(head -c 4 b.png | tail -c 3)" = PNG ]
	grep -q '<details>' c.html
}

@test "a list of figures is drawn from one reading, and each is what its own call draws" {
	cat >figures <<-'E'
	{"type":"figure","kind":"bars","by":"task","of":"run_time_s","title":"A","note":["one","two"],"binary":true,"output":["f/a.svg","f/a.pdf"]}
	{"type":"figure","kind":"sweep","by":"step","of":"run_time_s","against":"size_param","top":7,"output":"f/b.svg"}
	{"type":"other"}
	E
	metricplot --figures figures - <t.csv
	metricplot -k bars -b task --of run_time_s --title A --note one --note two -B -o g/a.svg t.csv
	metricplot -k sweep -b step --of run_time_s --against size_param -n 7 -o g/b.svg t.csv
	cmp f/a.svg g/a.svg
	cmp f/b.svg g/b.svg
	[ "$(head -c 5 f/a.pdf)" = %PDF- ]
}

@test "in a list of figures, one without data is omitted; it is an error if all are" {
	printf 'task,run_time_s,other_s\na,1,\nb,2,\n' >e.csv
	empty='{"type":"figure","kind":"box","by":"task","of":"other_s","output":"empty.svg"}'
	run metricplot --figures - e.csv <<<"$empty"
	status_is 6
	has "metricplot: empty: nothing to draw: none of these columns has a value"
	run metricplot --figures - e.csv <<<"$empty"$'\n''{"type":"figure","kind":"box","by":"task","of":"run_time_s","output":"full.svg"}'
	status_is 0
	[ -e full.svg ] && [ ! -e empty.svg ]
}

@test "a figure of a list can have conditions of its own, in addition to --where" {
	cat >figures <<-'E'
	{"type":"figure","kind":"bars","by":"task","of":"count","where":"step=1","output":"one.json"}
	{"type":"figure","kind":"bars","by":"task","of":"count","output":"all.json"}
	E
	metricplot --figures figures -w 'task!=task_2' t.csv
	groups() { jq -r '[.. | .values? // empty | .[].g] | unique | join(" ")' "$1"; }
	[ "$(groups one.json)" = 'task_3' ]
	[ "$(groups all.json)" = 'task_0 task_1 task_3 task_4' ]
	run metricplot --figures - t.csv <<<'{"type":"figure","kind":"bars","by":"task","of":"count","where":"nothing=1","output":"x.json"}'
	status_is 3
	has "no column 'nothing'"
}

@test "an invalid list of figures is an error" {
	while IFS='|' read -r record wanted; do
		run metricplot --figures - t.csv <<<"$record"
		[ "$status" -eq 2 ] || [ "$status" -eq 3 ]
		has "$wanted"
	done <<-'EOF'
	{"type":"figure"|stdin:1:
	{"type":"figure","kind":"bars","by":"task","of":"count"}|a figure of '-' has no output
	{"type":"figure","kind":"bars","pie":1,"output":"x.svg"}|unknown option '--pie=1'
	{"type":"figure","kind":"pie","output":"x.svg"}|unknown kind 'pie'
	{"type":"other"}|-: no record of type figure
	EOF
	run metricplot --figures f t.csv
	status_is 4
	run metricplot --figures f -k bars t.csv
	status_is 2
	has "--kind has no effect with --figures"
}

@test "names of a ridge end at their curves, and a sweep draws points in the same place once" {
	metricplot -k ridge -b task --of run_time_s -o r.svg t.csv
	python3 - <<-'P'
	import re
	svg = open("r.svg").read()
	names = re.findall(r'<text text-anchor="(\w+)" transform="translate\(([-0-9.]+),[-0-9.]+\)"[^>]*>task_\d<', svg)
	assert names == [("end", "-6")] * 5, names
	P
	python3 -c "
print('n,x_s')
for i in range(30000): print(f'{1 + i % 2},{1 + i % 3}')" >same.csv
	metricplot -k sweep -b n --against n --of x_s -o s.json same.csv
	[ "$(jq '[.. | .values? // empty | .[] | objects | select(.x)] | length' s.json)" -eq 6 ]
}
