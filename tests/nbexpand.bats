# bats file_tags=quick
load helpers

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

# expand TEXT [OPTIONS]: nbexpand of a YAML file with this text (JSON is YAML too).
expand() {
	printf '%s' "$1" >params.yaml
	shift
	run nbexpand --usecase u params.yaml "$@"
}

# json TEXT [OPTIONS]: the same of a JSON file.
json() {
	printf '%s' "$1" >params.json
	shift
	run nbexpand --usecase u params.json "$@"
}

# field NAME: one member of each line, on one line.
field() { jq -r ".$1" <<<"$output" | paste -sd' '; }

# values: the parameters of each line, unchanged.
values() { sed 's/.*"params"://; s/}$//' <<<"$output" | paste -sd' '; }

# refused TEXT MESSAGE: the file is refused with exactly this, and nothing is written.
refused() {
	printf '%s' "$1" >params.yaml
	run --separate-stderr nbexpand --usecase u params.yaml
	output+=$stderr
	status_is 3
	[ "$output" = "nbexpand: params.yaml:$2" ] || { has "wanted: $2"; return 1; }
}

# ---- the product ----

@test "a record has type, usecase, name and params, in this order" {
	json '{"n": [1]}'
	[ "$output" = '{"type":"combination","usecase":"u","name":"u-n1","params":{"n":1}}' ]
}

@test "the first parameter varies slowest, and names are in the file's order" {
	json '{"z": [2, 1], "a": ["x", "y"]}'
	[ "$(field name)" = "u-z2-ax u-z2-ay u-z1-ax u-z1-ay" ]
	[ "$(values)" = '{"z":2,"a":"x"} {"z":2,"a":"y"} {"z":1,"a":"x"} {"z":1,"a":"y"}' ]
}

@test "a scalar is the only value, and a list of lists has lists for values" {
	expand 'a: 7
b: [[1, 2], [3]]
c: ~'
	[ "$(values)" = '{"a":7,"b":[1,2],"c":null} {"a":7,"b":[3],"c":null}' ]
}

@test "no parameter is one combination, named as the use case" {
	json '{}'
	[ "$output" = '{"type":"combination","usecase":"u","name":"u","params":{}}' ]
	expand '{}'
	[ "$output" = '{"type":"combination","usecase":"u","name":"u","params":{}}' ]
}

@test "the use case is named after the folder that contains the file" {
	mkdir -p 'some case'
	echo '{"a": 1}' >'some case/params.json'
	run nbexpand 'some case/params.json'
	[ "$(field usecase)" = "some case" ]
	cd 'some case'
	run nbexpand params.json
	[ "$(field usecase)" = "some case" ]
	run nbexpand ../some\ case/../some\ case/params.json
	[ "$(field usecase)" = "some case" ]
}

@test "'-' reads standard input and requires --usecase" {
	run nbexpand - <<<'{"a": 1}'
	status_is 2
	has "nbexpand: --usecase is required if the file is standard input"
	run nbexpand --usecase u - <<<'a: 1'
	[ "$(field name)" = u-a1 ]
}

@test "the 240 combinations of imviz_images have their usual names" {
	run nbexpand "$ROOT/usecases/imviz_images/params.json"
	status_is 0
	[ "${#lines[@]}" -eq 240 ]
	[ "$(jq -r .name <<<"${lines[0]}")" = \
		imviz_images-n_images1-image_pixel_side500-viewport_pixel_size600-ui_network_throttling-1-image_compressionpng ]
	run ! grep -e -- <<<"$(field name)"
}

@test "10 million combinations need less than 40 MB" {
	python3 -c 'import json; print(json.dumps({f"p{i}": list(range(10)) for i in range(7)}))' >params.json
	run bash -c '$ULIMIT 40000; nbexpand --usecase u params.json | tail -n 1; exit "${PIPESTATUS[0]}"'
	status_is 0
	[ "$(field name)" = u-p09-p19-p29-p39-p49-p59-p69 ]
}

# ---- values ----

@test "every value is written as it was read" {
	json '{"v": [1, -1, 1.0, 0.1, 1e22, 5e-324, 9223372036854775807, -9223372036854775808, true, false, null, "", "a\"\\\n\u00e9\ud83d\ude00", [], {}, {"k": [1, {"l": null}]}]}'
	status_is 0
	[ "$(jq -s 'length' <<<"$output")" = 16 ]
	[ "$(sed 's/.*"params":{"v"://; s/}}$//' <<<"$output" | paste -sd' ')" = \
		'1 -1 1.0 0.1 1e+22 4.94065645841247e-324 9223372036854775807 -9223372036854775808 true false null "" "a\"\\\né😀" [] {} {"k":[1,{"l":null}]}' ]
}

@test "YAML is read as 1.2 core: no is a string and 012 is twelve" {
	expand 'v: [no, yes, off, 012, 0o17, 0x1F, +5, .5, 5., 1e3, -1.5E-3, 1_000, 12:30:45, 2001-01-01, "12", ~, True, FALSE]'
	[ "$(jq -c .params.v <<<"$output" | paste -sd' ')" = \
		'"no" "yes" "off" 12 15 31 5 0.5 5 1000 -0.0015 "1_000" "12:30:45" "2001-01-01" "12" null true false' ]
}

@test "YAML's own tags are honoured, and other tags are refused" {
	expand 'v: [!!str 1, !!float 2, !!int "3", ! 4, !!bool "true", !!null ""]'
	[ "$(sed 's/.*"params":{"v"://; s/}}$//' <<<"$output" | paste -sd' ')" = '"1" 2.0 3 "4" true null' ]
	refused 'v: !!int x' "1:4: 'x' is not a valid !!int"
	refused 'v: !!timestamp 2001-01-01' "1:4: '2001-01-01' is not a valid !!timestamp"
	refused 'v: !!set {a}' "1:4: unknown tag !!set for a mapping"
	refused 'v: !mine x' "1:4: unknown tag !mine"
	refused 'v: !!python/object:os.system x' "1:4: 'x' is not a valid !!python/object:os.system"
}

@test "anchors, aliases and merge keys are resolved, and a mapping's own members override merged ones" {
	expand 'x-common: &common {a: 1, b: 2}
b: 3
<<: *common
c: &list [x, y]
d: [*list]'
	[ "$(values)" = '{"b":3,"a":1,"c":"x","d":["x","y"]} {"b":3,"a":1,"c":"y","d":["x","y"]}' ]
	expand 'v: [&p {x: 1}, &q {x: 2, y: 2}, {<<: [*p, *q]}, {<<: *p, x: 9}, {"<<": 1}]'
	[ "$(jq -c .params.v <<<"$output" | paste -sd' ')" = '{"x":1} {"x":2,"y":2} {"x":1,"y":2} {"x":9} {"<<":1}' ]
	# An anchor on a key outlives the key.
	expand $'&key n: 1\nm: *key'
	[ "$(values)" = '{"n":1,"m":"n"}' ]
}

@test "block scalars and document markers are read" {
	expand '%YAML 1.2
---
a: |
  two
  lines
b: >-
  one
  line
...
'
	[ "$(values)" = '{"a":"two\nlines\n","b":"one line"}' ]
}

@test "an alias bomb is refused before it costs memory" {
	{
		echo 'a: &a [b, c, d, e, f, g, h, i, j]'
		for pair in ab bc cd de ef fg gh hi; do
			p=${pair:0:1} q=${pair:1}
			echo "$q: &$q [*$p, *$p, *$p, *$p, *$p, *$p, *$p, *$p, *$p]"
		done
	} >params.yaml
	run bash -c '$ULIMIT 40000; nbexpand --usecase u params.yaml'
	status_is 3
	has "nbexpand: params.yaml:8:8: more than 16777216 bytes with its aliases expanded"
	refused 'a: &a [*a]' "1:8: the alias *a is part of its own value"
	refused 'a: *b' "1:4: the alias *b has no anchor before it"
}

# ---- ranges and zipped groups ----

@test "a range includes both ends, and integers stay integers" {
	expand 'a: {from: 1, to: 10, step: 3}'
	[ "$(values)" = '{"a":1} {"a":4} {"a":7} {"a":10}' ]
	expand 'a: {from: 2, to: -3, step: -2}'
	[ "$(values)" = '{"a":2} {"a":0} {"a":-2}' ]
	expand 'a: {from: 1, to: 1000, factor: 10}'
	[ "$(values)" = '{"a":1} {"a":10} {"a":100} {"a":1000}' ]
	expand 'a: {from: 0, to: 9, count: 4}'
	[ "$(values)" = '{"a":0} {"a":3} {"a":6} {"a":9}' ]
	expand 'a: {from: 9223372036854775800, to: 9223372036854775807, step: 3}'
	[ "$(values)" = '{"a":9223372036854775800} {"a":9223372036854775803} {"a":9223372036854775806}' ]
}

@test "a range of decimal steps has decimal values" {
	expand 'a: {from: 0.1, to: 0.7, step: 0.2}'
	[ "$(values)" = '{"a":0.1} {"a":0.3} {"a":0.5} {"a":0.7}' ]
	expand 'a: {from: 1, to: 0.001, factor: 0.1}'
	[ "$(values)" = '{"a":1.0} {"a":0.1} {"a":0.01} {"a":0.001}' ]
	expand 'a: {from: 0, to: 1, count: 4}'
	[ "$(values)" = '{"a":0.0} {"a":0.3333333333333333} {"a":0.6666666666666666} {"a":1.0}' ]
	expand 'a: {from: 0, to: 10, count: 4}'
	[ "$(values)" = '{"a":0.0} {"a":3.3333333333333335} {"a":6.666666666666667} {"a":10.0}' ]
}

@test "an incomplete, contradictory or endless range is refused" {
	what="'a': a range is {from, to, step}, {from, to, factor} or {from, to, count}, both ends included; a value that is an object must be in a list"
	refused 'a: {from: 1, to: 2}' "1:1: $what"
	refused 'a: {start: 1, stop: 2, step: 1}' "1:1: $what"
	refused 'a: {from: 1, to: 2, step: 1, count: 2}' "1:1: $what"
	refused 'a: {from: 1, to: 2, step: x}' "1:21: 'a': step is not a number"
	refused 'a: {from: 1, to: 2, step: 0}' "1:1: 'a': the step does not lead from 1 to 2"
	refused 'a: {from: 1, to: 2, step: -1}' "1:1: 'a': the step does not lead from 1 to 2"
	refused 'a: {from: 0, to: 2, factor: 2}' "1:1: 'a': the factor does not lead from 0 to 2"
	refused 'a: {from: 1, to: 2, count: 1.5}' "1:1: 'a': count must be an integer from 2 to 1000000"
	refused 'a: {from: 1, to: 9000000, step: 1}' "1:1: 'a': a range of more than 1000000 values"
}

@test "zipped parameters vary together" {
	expand 'w, h: [[800, 600], [1600, 1200]]
n: [1, 2]'
	[ "$(field name)" = "u-w800-h600-n1 u-w800-h600-n2 u-w1600-h1200-n1 u-w1600-h1200-n2" ]
	refused 'w, h: [[1, 2], [3]]' "1:16: a value of this zipped group must be a list of 2 values"
	refused 'w, h: 1' "1:1: a zipped group must be a list of lists"
	refused 'w, w: [[1, 2]]' "1:1: duplicate parameter 'w'"
	refused 'w h: [[1, 2]]' "1:1: the key 'w h' has a blank within a name: use letters, digits and _; the names of a zipped group are separated by commas"
}

@test "more than 10^8 combinations are refused with their number" {
	params=', "b": {"from": 1, "to": 1000, "step": 1}, "c": {"from": 1, "to": 1000, "step": 1}'
	json "{\"a\": {\"from\": 1, \"to\": 100, \"step\": 1}$params}" -n 1
	status_is 0
	[ "$(values)" = '{"a":1,"b":1,"c":1}' ]
	for option in --limit=1 --sample=1 --where=a=1; do
		json "{\"a\": {\"from\": 1, \"to\": 101, \"step\": 1}$params}" $option
		status_is 3
		[ "$output" = "nbexpand: params.json:1:1: 1.01e+08 combinations, more than the limit of 100000000" ]
	done
}

@test "values of a zipped group can be excluded one by one, and anchors serve several entries" {
	expand 'x-small: &small {w: 800}
w, h: [[800, 600], [800, 500], [1600, 500]]
n: [1, 2]
exclude:
  - {<<: *small, n: 2}
  - {h: 500, n: 1}
include:
  - {<<: *small, tiles: 4}'
	[ "$(values)" = '{"w":800,"h":600,"n":1,"tiles":4} {"w":1600,"h":500,"n":2}' ]
}

# ---- include and exclude ----

@test "exclude removes the combinations that have all values of an entry" {
	expand 'a: [1, 2, 3]
b: [x, y]
exclude:
  - {a: 2}
  - {a: 3, b: x}'
	[ "$(field name)" = "u-a1-bx u-a1-by u-a3-by" ]
}

@test "an include entry adds parameters to combinations with its values, and a later one overrides it" {
	expand 'a: [1, 2]
b: [x, y]
include:
  - {a: 1, c: 5}
  - {b: y, c: 6}
  - {d: 7}'
	[ "$(values)" = '{"a":1,"b":"x","c":5,"d":7} {"a":1,"b":"y","c":6,"d":7} {"a":2,"b":"x","d":7} {"a":2,"b":"y","c":6,"d":7}' ]
}

@test "an include entry that matches no combination becomes one, at the end" {
	expand 'a: [1, 2]
b: [x, y]
exclude: [{a: 2, b: y}]
include:
  - {a: 2, b: y}
  - {a: 9, c: z}
  - {a: 1, b: x}'
	[ "$(field name)" = "u-a1-bx u-a1-by u-a2-bx u-a2-by u-a9-cz" ]
}

@test "include alone is a list of combinations" {
	expand 'include: [{a: 1, b: 2}, {b: 3, a: 2}]'
	[ "$(field name)" = "u-a1-b2 u-a2-b3" ]
}

@test "meaningless entries are refused, and an unknown value causes a warning" {
	refused 'a: 1
exclude: [{b: 1}]' "2:12: exclude: unknown parameter 'b'"
	refused 'a: 1
exclude: {a: 1}' "2:1: exclude must be a list of objects"
	refused 'a: 1
include: [{}]' "2:11: an entry of include must be an object with at least one parameter"
	refused 'a: 1
include: [{c: 1}, {c: 1}]' "2:19: duplicate entry"
	expand 'a: 1
exclude: [{a: 2}]'
	status_is 0
	has "nbexpand: params.yaml: exclude: entry 1 has an unknown value of 'a'"
}

@test "1, 1.0 and the string 1 are three values to exclude" {
	expand 'a: [1, 1.0, "1"]
exclude: [{a: 1.0}]'
	[ "$(values)" = '{"a":1} {"a":"1"}' ]
}

@test "hundreds of overlapping exclusions leave the right combinations" {
	python3 - <<-'P'
	import itertools, json, random
	r = random.Random(1)
	names = "abcd"
	entries = [{k: r.randrange(12) for k in r.sample(names, r.randrange(2, 4))} for _ in range(400)]
	json.dump({k: list(range(12)) for k in names} | {"exclude": entries}, open("params.json", "w"))
	rows = itertools.product(range(12), repeat=4)
	left = [c for c in (dict(zip(names, row)) for row in rows) if not any(e.items() <= c.items() for e in entries)]
	open("want", "w").write("".join(json.dumps(c, separators=(",", ":")) + "\n" for c in left))
	P
	nbexpand --usecase u params.json | jq -c .params >got
	cmp want got
	[ "$(wc -l <got)" -gt 1000 ]
	nbexpand --usecase u --sample 100 params.json | jq -c .params >drawn
	[ "$(wc -l <drawn)" -eq 100 ]
	[ "$(grep -cxFf drawn want)" -eq 100 ]
}

# ---- where, limit, sample ----

@test "--where selects the combinations that meet all conditions" {
	text='n: [1, 3, 10]
side: [500, 1000.5]
mode: [png, none]'
	expand "$text" --where 'n=1,10 side<=1000 mode!=none'
	[ "$(field name)" = "u-n1-side500-modepng u-n10-side500-modepng" ]
	expand "$text" -w 'n>1' -w 'n<10 side==1000.5 mode>=p'
	[ "$(field name)" = "u-n3-side1000.5-modepng" ]
	expand "$text" -w '  '
	[ "${#lines[@]}" -eq 12 ]
	expand "$text" -w 'n=7'
	status_is 0
	[ "$output" = "nbexpand: no combination is left" ]
}

@test "--where compares numbers numerically and strings by bytes, and quotes make strings" {
	text='v: [1, 1.0, "1", true, "true", null, "a b,c", [1, 2]]'
	expand "$text" -w 'v=1'
	[ "$(values)" = '{"v":1} {"v":1.0} {"v":"1"}' ]
	expand "$text" -w "v='1'"
	[ "$(values)" = '{"v":"1"}' ]
	expand "$text" -w 'v=true,null'
	[ "$(values)" = '{"v":true} {"v":"true"} {"v":null}' ]
	expand "$text" -w 'v="a b,c","[1,2]"'
	[ "$(values)" = '{"v":"a b,c"} {"v":[1,2]}' ]
	expand 'v: [9007199254740992, 9007199254740993, 0.1]' -w 'v=9007199254740993,0.1'
	[ "$(values)" = '{"v":9007199254740993} {"v":0.1}' ]
	expand 'v: [9223372036854775806, 9223372036854775807]' -w 'v>9223372036854775806'
	[ "$(values)" = '{"v":9223372036854775807}' ]
}

@test "--where applies to what include adds, and a missing parameter meets no condition" {
	text='a: [1, 2]
include: [{a: 1, c: 5}, {a: 9, d: 1}]'
	expand "$text" -w 'c=5'
	[ "$(values)" = '{"a":1,"c":5}' ]
	expand "$text" -w 'c!=4'
	[ "$(values)" = '{"a":1,"c":5}' ]
	expand "$text" -w 'a>1'
	[ "$(values)" = '{"a":2} {"a":9,"d":1}' ]
}

@test "malformed conditions are usage errors" {
	expand 'a: 1' -w 'b=1'
	status_is 2
	has "nbexpand: --where: 'params.yaml' has no parameter 'b': it has a"
	expand 'a: 1
include: [{a: 1, c: 5}]' -w 'b=1'
	has "has no parameter 'b': it has a, c"
	expand '{}' -w 'b=1'
	[ "$output" = "nbexpand: --where: 'params.yaml' has no parameter 'b'" ]
	expand 'a: 1' -w 'a'
	status_is 2
	has "--where: one of = != < <= > >= must follow 'a'"
	expand 'a: 1' -w 'a = 1'
	status_is 2
	expand 'a: 1' -w 'a='
	status_is 2
	has "--where: no value after 'a'"
	for slip in 'a=<1' 'a=>1' 'a===1' 'a<>1'; do
		expand 'a: 1' -w "$slip"
		status_is 2
		has "--where: unexpected '${slip: -2:1}' after 'a': the operators are = != < <= > >="
	done
	expand 'a: "<1"' -w 'a="<1"'
	status_is 0
	expand 'a: 1' -w 'a="x'
	status_is 2
	has "--where: no closing quote after 'a'"
	expand 'a: 1' -w 'a<1,2'
	status_is 2
	has "--where: 'a' can be compared with one value only"
	expand 'a: 1' -w '=1'
	status_is 2
	has "--where: '' is not a parameter name"
}

@test "--limit writes the first combinations, and 0 writes none" {
	expand 'a: [1, 2, 3]' -n 2
	[ "$(values)" = '{"a":1} {"a":2}' ]
	expand 'a: [1, 2, 3]' -n 0
	[ -z "$output" ]
	expand 'a: [1, 2, 3]' -n -1
	status_is 2
}

@test "a sample has the requested size, is in the file's order, and depends on the seed alone" {
	python3 -c 'import json; print(json.dumps({f"p{i}": list(range(10)) for i in range(6)}))' >params.json
	nbexpand --usecase u --sample 100 --seed 5 params.json >one
	nbexpand --usecase u --sample 100 --seed 5 params.json | cmp - one
	[ "$(wc -l <one)" -eq 100 ]
	nbexpand --usecase u --sample 100 --seed 6 params.json >other
	run ! cmp -s one other
	[ "$(jq -c '[.params[]]' one | jq -s '. == sort and . == unique')" = true ]
	nbexpand --usecase u --sample 40 --seed 5 params.json >fewer
	[ "$(grep -cxFf fewer one)" -eq 40 ]
}

@test "each combination is drawn as often as each other, with exclude, include and where" {
	echo '{"a": [0, 1, 2, 3, 4, 9], "b": [0, 1], "exclude": [{"a": 0, "b": 0}], "include": [{"a": 7, "b": 1}]}' >params.json
	for seed in {1..400}; do
		nbexpand --usecase u --sample 3 --seed "$seed" --where 'a!=9' params.json
	done | jq -r .name | sort | uniq -c >counts
	# Ten of them, 120 times each; the standard deviation is 9.2.
	[ "$(wc -l <counts)" -eq 10 ]
	awk '$1 < 80 || $1 > 160 { bad = 1 } END { exit bad }' counts || { cat counts; false; }
}

@test "a sample of the grid's size or more is the whole grid" {
	expand 'a: [1, 2, 3]' --sample 5
	[ "$(values)" = '{"a":1} {"a":2} {"a":3}' ]
	expand 'a: [1, 2, 3]' --sample 0
	[ -z "$output" ]
	expand 'a: [1, 2, 3]' --sample 3 -n 1
	[ "$(values)" = '{"a":1}' ]
}

# ---- names ----

@test "1, 1.0, the strings 1 and True, and true have five names" {
	expand 'a: [1, 1.0, "1", true, "True", "true", null, "None", -1, "-1", 1.0e22, "1e22"]'
	status_is 0
	[ "$(jq -r .name <<<"$output" | sort -u | wc -l)" -eq 12 ]
	[ "$(jq -r .name <<<"${lines[0]}")" = u-a1 ]
	[ "$(jq -r .name <<<"${lines[3]}")" = u-aTrue ]
	[[ "$(jq -r .name <<<"${lines[2]}")" =~ ^u-a1--[0-9a-f]{24}$ ]]
}

@test "a value that looks like the next parameter gets a hashed name" {
	expand 'include: [{a: "1-b2"}, {a: 1, b: 2}, {a: "1", b: "2"}, {ab: 1, c: 1}, {a: "b1", c: 1}]'
	status_is 0
	[ "$(jq -r .name <<<"$output" | sort -u | wc -l)" -eq 5 ]
	[ "$(jq -r .name <<<"${lines[1]}")" = u-a1-b2 ]
}

@test "names are safe for any value and any use case" {
	python3 - <<-'P'
	import json
	values = ["/etc/passwd", "../../x", "a/b", ".", "..", "-rf", "a\nb", "\u001b[31m", "\U0001f600", "x" * 10000, "x" * 10001,
	          "", " ", "a b", "%s", "$(id)", "a;b", "C:\\x", "@2", "é", "e\u0301", [1, [2]], {"k": "v"}, "a--b", "a-", "_", "."]
	json.dump({"v": list(dict.fromkeys(map(json.dumps, values)))} and {"v": values[:-1]}, open("params.json", "w"))
	P
	for usecase in u . .. -x 'a/b' $'a\nb' 'ü' "$(printf 'x%.0s' {1..300})" 'a--b' 'a-' ' '; do
		nbexpand --usecase="$usecase" params.json
	done | jq -r '.name | @json' >names
	[ "$(wc -l <names)" -eq $((11 * 26)) ]
	[ "$(sort -u names | wc -l)" -eq $((11 * 26)) ]
	run ! grep -vxE '"[A-Za-z0-9_][A-Za-z0-9._-]{0,179}"' names
}

@test "a combination's name does not change when other values are added or removed" {
	expand 'a: [1, x y]
b: [2]'
	before=$(jq -r .name <<<"$output")
	expand 'a: [0, 1, 1.5, x y, {k: 1}]
b: [1, 2, 3]'
	after=$(jq -r .name <<<"$output")
	[ "$(grep -cxFf <(echo "$before") <(echo "$after"))" -eq 2 ]
}

# ---- bad input ----

@test "an empty file is refused, and the message says how to write an empty object" {
	empty="1:1: empty file (write {} for an empty object)"
	refused '' "$empty"
	refused '

' "$empty"
	refused '# a comment
' "$empty"
	json ''
	status_is 3
	has "nbexpand: params.json:$empty"
}

@test "a file that is not an object of parameters is refused" {
	refused '[1]' "1:1: not an object of parameters"
	refused 'word' "1:1: not an object of parameters"
	refused 'a: []' "1:1: 'a' has no values"
	refused 'a: [1, 2, 1]' "1:11: duplicate value 1"
	refused 'a-b: 1' "1:1: 'a-b' is not a parameter name: use letters, digits and _ only"
	refused '"": 1' "1:1: '' is not a parameter name: use letters, digits and _ only"
	refused '1: a' "1:1: a key must be a string: put it in quotes"
	refused 'a: 1
--- 
b: 1' "2:1: a second document begins here: only one is supported"
}

@test "malformed JSON is refused with line and column" {
	json '{"a": [1, 2'
	status_is 3
	has "nbexpand: params.json:1:11: ']' expected near end of file"
	json '{"a": 1
"b": 2}'
	status_is 3
	has "nbexpand: params.json:2:3: "
	json '{"a": 1} x'
	status_is 3
	has "end of file expected near 'x'"
}

@test "a missing newline at the end is accepted" {
	json '{"a": 1}'
	status_is 0
	expand 'a: 1'
	status_is 0
}

@test "duplicate keys are refused with their position" {
	json '{"a": 1,
 "a": 2}'
	status_is 3
	has "nbexpand: params.json:2:4: duplicate object key near '\"a\"'"
	refused 'a: 1
b: 2
a: 3' "3:1: duplicate key 'a'"
	refused 'a: [{b: 1, b: 2}]' "1:12: duplicate key 'b'"
	refused '"a,b": [[1, 2]]
b: 1' "2:1: duplicate parameter 'b'"
}

@test "NaN, infinity and numbers that do not fit are refused" {
	json '{"a": NaN}'
	status_is 3
	has "nbexpand: params.json:1:9: "
	refused 'a: .nan' "1:4: .nan cannot be written in JSON"
	refused 'a: -.Inf' "1:4: -.Inf cannot be written in JSON"
	refused 'a: 1e999' "1:4: the number 1e999 is too large"
	refused 'a: 9223372036854775808' "1:4: the integer 9223372036854775808 does not fit 64 bits"
	json '{"a": 9223372036854775808}'
	status_is 3
	has "too big integer"
}

@test "invalid UTF-8 and NUL are refused" {
	printf '{"a": "\xff"}' >params.json
	run nbexpand --usecase u params.json
	status_is 3
	has "nbexpand: params.json:1:"
	printf 'b: 1\na: \xff' >params.yaml
	run nbexpand --usecase u params.yaml
	status_is 3
	has "nbexpand: params.yaml:2:4: invalid leading UTF-8 octet"
	refused 'a: "\0"' '1:4: a string contains a NUL'
	json '{"a": "\u0000"}'
	status_is 3
}

@test "a line of 100 MB is refused" {
	{ printf '{"a": "'; head -c 100000000 /dev/zero | tr '\0' x; printf '"}'; } >params.json
	run nbexpand --usecase u params.json
	status_is 3
	has "nbexpand: params.json:1:1: longer than 16777216 bytes"
}

@test "deep nesting is refused" {
	python3 -c 'print("a: " + "[" * 5000 + "]" * 5000)' >params.yaml
	run nbexpand --usecase u params.yaml
	status_is 3
	has "nbexpand: params.yaml:1:203: nested deeper than 200"
	python3 -c 'print("{\"a\": " + "[" * 5000 + "]" * 5000 + "}")' >params.json
	run nbexpand --usecase u params.json
	status_is 3
}

@test "a missing file is a system error, and two operands are a usage error" {
	run nbexpand none.json
	status_is 4
	has "nbexpand: cannot open 'none.json': No such file or directory"
	run nbexpand a.json b.json
	status_is 2
	run nbexpand
	status_is 2
	run nbexpand .
	status_is 4
	has "nbexpand: cannot open '.': Is a directory"
}

@test "a full disk is reported" {
	json '{"a": [1, 2]}'
	run bash -c 'nbexpand --usecase u params.json 2>&1 >/dev/full'
	status_is 4
	has "nbexpand: cannot write to standard output: No space left on device"
}

@test "a reader that exits early causes no error message" {
	python3 -c 'import json; print(json.dumps({f"p{i}": list(range(10)) for i in range(7)}))' >params.json
	run bash -c 'nbexpand --usecase u params.json 2>errors | head -n 1'
	[ "$(field name)" = u-p00-p10-p20-p30-p40-p50-p60 ]
	[ ! -s errors ]
}

@test "if all names end in _value, the suffix is removed everywhere in the file" {
	cd "$BATS_TEST_TMPDIR"
	printf '"a_value, b_value": [[1, 2], [3, 4]]\nc_value: {from: 1, to: 3, step: 1}\nexclude: [{a_value: 1, c_value: 2}]\ninclude: [{a_value: 9, b_value: 8, c_value: 7}]\n' >p.yaml
	[ "$(nbexpand --usecase u p.yaml | jq -c .params | tr '\n' ' ')" = '{"a":1,"b":2,"c":1} {"a":1,"b":2,"c":3} {"a":3,"b":4,"c":1} {"a":3,"b":4,"c":2} {"a":3,"b":4,"c":3} {"a":9,"b":8,"c":7} ' ]
	[ "$(nbexpand --usecase u --where c=3 --limit 1 p.yaml | jq -r .name)" = u-a1-b2-c3 ]
	# Messages have the position in the file.
	printf '{"a_value": [1],\n "b_value": [2, 2]}' >p.json
	run nbexpand --usecase u p.json
	status_is 3
	has 'p.json:2:17: duplicate value 2'
}

@test "if one name does not end in _value, no name is shortened" {
	cd "$BATS_TEST_TMPDIR"
	for p in '{"a_value": 1, "b": 2}' '{"a_value": 1, "_value": 2}' '{"a_value": 1, "include": [{"b": 2}]}' '{"a_value, b": [[1, 2]]}'; do
		echo "$p" >p.json
		[ "$(nbexpand --usecase u --limit 1 p.json | jq -r '.params | keys[0] == "a_value" or keys[1] == "a_value"')" = true ]
	done
}

# ---- make generate ----

small_use_case() {
	mkdir uc
	python3 "$ROOT/tests/nb.py" uc/template.ipynb <<<'[("code", "n = {n_value}\nword = {word_value}", ["parameters"])]'
	echo "$1" >uc/params.json
}

nb() {
	make --no-print-directory -C "$ROOT" USECASE="$PWD/uc" "$@"
}

@test "make generate refuses a WHERE that selects nothing, and names what there is" {
	small_use_case '{"n": {"from": 1, "to": 20, "step": 1}, "word": ["a", "b"]}'
	run -2 nb generate WHERE=typo=1
	has "has no parameter 'typo': it has n, word"
	run -2 nb generate 'WHERE=n=7 word=c'
	has "generate: WHERE='n=7 word=c' selects none of the 40 combinations; there are:
  n = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, ... (20 values)
  word = \"a\", \"b\""
	# Again: the file of the last settings is not taken for that of the present ones.
	run -2 nb generate 'WHERE=n=7 word=c'
	run -0 nb generate WHERE=n=7
	has '40 notebooks in'
	has '(2 of them selected by WHERE)'
}

@test "make clean removes nothing while another make works in the use case" {
	small_use_case '{"n": [1], "word": ["a"]}'
	mkdir -p uc/runs/old uc/runs/busy uc/metrics/busy
	for folder in runs/busy metrics/busy; do
		runlock "uc/$folder" sh -c 'touch ready; exec tail -f /dev/null' 3>&- &
		pid=$!
		wait_for test -e ready
		run nb clean YES=1
		kill $pid
		wait $pid || true
		rm ready
		[ "$status" = 2 ]
		has "uc/$folder' is in use by process $pid (runlock"
		[ -d uc/runs/old ] && [ -d uc/metrics/busy ]
	done
	run -2 nb clean
	has "clean: this removes from $PWD/uc, with all labels:"
	has '  runs: busy old'
	has "clean: nothing was removed: make clean USECASE=$PWD/uc YES=1 removes all, and with LABEL=NAME one label"
	[ -d uc/runs/old ]
	run -0 nb clean LABEL=old
	[ "$output" = "clean: removed runs/old from $PWD/uc" ] && [ "$(ls uc/runs)" = busy ] && [ -d uc/metrics/busy ]
	run -0 nb clean LABEL=none
	has "there is nothing of it to remove of label 'none'"
	python3 -c 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)' make --no-print-directory -C "$ROOT" USECASE="$PWD/uc" clean <<<'n' || true
	[ -d uc/runs/busy ]
	run -0 nb clean YES=1
	[ "$(ls uc)" = $'params.json\ntemplate.ipynb' ]
}

@test "a generated notebook that was changed or damaged is written again, whatever its date" {
	small_use_case '{"n": [1, 2, 3], "word": ["a"]}'
	run -0 nb generate
	cp -a uc/notebooks whole
	touch -d '2 days ago' whole/*.ipynb
	broken() {
		run -0 nb plan COMMANDS=0 MEMORY_BYTES=1e30
		has "generate: written again, because it was not what template and parameters give: uc-n2-worda.ipynb"
		cmp uc/notebooks/uc-n2-worda.ipynb whole/uc-n2-worda.ipynb
	}
	cd uc/notebooks
	it=uc-n2-worda.ipynb
	for damage in "sed -i 's/n = 2/n = 9/' $it; touch -d '2 days ago' $it" "truncate -s 100 $it" ": >$it" \
		"rm $it; ln -s /nowhere $it"; do
		sleep 0.01
		eval "$damage"
		(cd ../.. && broken)
	done
	# A copy of all is whole, and newer.
	cp -a . ../../copy
	rm -r ./*.ipynb
	cp ../../copy/*.ipynb .
	cd ../..
	run -0 nb generate
	[ "$output" = "generate: 3 notebooks in $PWD/uc/notebooks" ]
	rm "uc/notebooks/$it"
	mkdir "uc/notebooks/$it"
	run -2 nb generate
	has "uc-n2-worda.ipynb' is a folder, and a notebook belongs there: move it away"
}
