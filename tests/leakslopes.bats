# bats file_tags=quick
# share/leaks: what grows in rounds whose numbers are known, and what holds what in a heap that is.
load helpers

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

# rounds FILTER [N]: records of N rounds; FILTER gives the kernel's objects_bytes of round .
rounds() {
	jq -nc --argjson n "${2:-13}" "range(1; \$n + 1) | {type: \"leak_round\", t: ., round: ., counted: (. > 3),
		kernel: {memory_bytes: 5e7, objects_bytes: (2e7 + ($1)), comms: 0, widgets: 0, models: {}},
		kernel_reason: null, page: null, page_reason: \"no browser\"}"
}

# holder KIND COUNT BYTES: a record of what was held for nine rounds.
holder() {
	jq -nc --arg kind "$1" --argjson count "$2" --argjson bytes "$3" '{type: "leak_holder", side: "kernel",
		holder: "h", kind: $kind, of: "T", mostly: ["T"], count: $count, bytes: $bytes, rounds: 9}'
}

# found: what slopes.jq says of the records on its input: objects' slope and interval, verdicts.
found() {
	run -0 jq -L "$ROOT/share/jq" -ncrf "$ROOT/share/leaks/slopes.jq"
	slope=$(jq -c 'select(.measure == "objects") | [.slope, .low, .high, .grows]' <<<"$output")
	verdicts=$(jq -r 'select(.type == "leak" and .side == "kernel") | "\(.verdict) \(.bytes_per_round)"' <<<"$output")
}

@test "a slope is the median of those of all pairs, with Sen's interval" {
	# Of 45 pairs, 21.9 are within: the ends are the 11th smallest and the 11th largest.
	found < <(rounds '[8, 1, 9, 2, 7, 5, 30, 12, 6, 20][. - 4] // 0')
	[ "$slope" = '[1,-0.6,3.6666666666666665,false]' ] || { echo "$slope"; return 1; }
}

@test "a leak is neither what is kept by design, nor what has no name" {
	found < <(rounds '. * 1e6'; holder 'module global' 9 9e6)
	[ "$verdicts" = 'leak 1000000' ]
	[ "$slope" = '[1000000,1000000,1000000,true]' ]
	found < <(rounds '. * 1e6'; holder 'by design' 9 9e6)
	[ "$verdicts" = 'by_design 1000000' ]
	found < <(rounds '. * 1e6'; holder closure 9 9e5)
	[ "$verdicts" = $'leak 100000\nunexplained 900000' ]
}

@test "what each round replaces, a cache that fills up and a few bytes are no leak" {
	found < <(rounds '. * 1e6'; holder 'module global' 1 9e6)
	[ "$verdicts" = 'unexplained 1000000' ]
	found < <(rounds '[., 8] | min * 1e6')
	[ "$verdicts" = 'none null' ]
	found < <(rounds '. * 15000')
	[ "$verdicts" = 'none null' ]
}

@test "with fewer than five rounds that count, nothing is known" {
	found < <(rounds '. * 1e6' 7)
	[ "$verdicts" = 'unknown null' ]
	has 'the page was not measured: no browser'
}

# heap MARKS: what heap.py says of a page in which window.kept has a new array with two objects, a
# table of the manager has a model, and window.last has what came after the marks.
heap() {
	python3 - "$1" <<-'P'
	import json, sys
	strings = ["", "Window / http://x", "Array", "big", "kept", "Map", "_models", "table", "Promise", "ab12", "model",
	           "attributes", "Object", "_model_name", "FigureModel", "last", "(GC roots)", "gM"]
	types = ["hidden", "array", "string", "object", "synthetic"]
	S, T = strings.index, types.index
	nodes, edges = [], []
	def node(kind, name, id, size, *out):
	    nodes.append((T(kind), S(name), id, size, len(out), 0, 0))
	    edges.extend((e, S(n) if e == 2 else n, to * 7) for e, n, to in out)
	node("synthetic", "", 1, 0, (1, 1, 1))
	node("synthetic", "(GC roots)", 3, 0, (1, 1, 2))
	node("object", "Window / http://x", 5, 10, (2, "kept", 3), (2, "table", 6), (2, "last", 11))
	node("object", "Array", 7, 10, (1, 0, 4), (1, 1, 5))
	node("object", "big", 101, 1000)
	node("object", "big", 103, 1000)
	node("object", "gM", 9, 10, (2, "_models", 7))
	node("object", "Map", 11, 10, (3, 0, 8))
	node("array", "table", 105, 50, (3, 0, 9))
	node("object", "Promise", 107, 20, (2, "model", 10))
	node("object", "gM", 109, 500, (2, "attributes", 12), (1, 1, 3))
	node("object", "big", 211, 7000)
	node("object", "Object", 111, 30, (2, "_model_name", 13))
	node("string", "FigureModel", 13, 20)
	meta = {"node_fields": ["type", "name", "id", "self_size", "edge_count", "trace_node_id", "detachedness"],
	        "node_types": [types], "edge_fields": ["type", "name_or_index", "to_node"],
	        "edge_types": [["context", "element", "property", "internal", "weak"]]}
	head = {"snapshot": {"meta": meta}}
	print(sys.argv[1])
	print(json.dumps(head)[:-1] + ',\n"nodes":[' + ",".join(",".join(map(str, n)) + "\n" for n in nodes) + '],\n"edges":['
	      + ",".join(",".join(map(str, e)) + "\n" for e in edges) + '],\n"strings":' + json.dumps(strings) + "}")
	P
}

@test "new objects in a heap are named with their model, and with what holds them" {
	run -0 python3 "$ROOT/share/leaks/heap.py" < <(heap '[50]')
	[ "$output" = 211 ]
	run -0 python3 "$ROOT/share/leaks/heap.py" < <(heap '[50, 200]')
	run -0 jq -c '.[] | [.holder, .kind, .of, .count, .bytes]' <<<"$output"
	[ "$output" = '["window.kept","global","big",2,2000]
["WidgetManager._models","by design","FigureModel",1,550]
["WidgetManager._models","by design","table",1,50]' ] || { echo "$output"; return 1; }
}
