# Gestures that are performed in a real JupyterLab: what their records say, against what the page and
# the kernel say themselves; and cells after them, against the same cells without them.
load helpers
load server

# add CELL GESTURE SELECTOR NAME [MEMBERS]: one more gesture.
add() {
	jq -nc --argjson cell "$1" --arg gesture "$2" --arg name "$4" \
		"{after_cell: \$cell, gesture: \$gesture, on: $3, name: \$name} + ${5-{\}}" >>gestures.jsonl
}

setup_file() {
	start_server
	use_server
	cd "$BATS_FILE_TMPDIR"
	export TMPDIR=$BATS_FILE_TMPDIR
	python3 "$ROOT/tests/nb.py" nb.ipynb <"$ROOT/tests/data/gestures.cells"
	for _ in 1 2 3; do
		add 4 click '{css: "#block"}' block
		add 4 click '{css: "#twice"}' twice
		add 4 click '{css: "#film"}' film
		add 4 drag '{css: "#canvas"}' drag '{path: [range(31) | [. * 16, 0.1 + . * 0.025, 0.5]]}'
		add 4 wheel '{css: "#table"}' table '{turns: [range(5) | [. * 200, 0, 100]]}'
	done
	add 4 click '{css: "#gl"}' gl
	add 4 click '{css: "#img"}' img
	add 4 click '{text: "shadow"}' shadow
	add 4 click '{text: "inside"}' frame
	add 4 click '{css: "#field"}' focus
	add 4 keys '{css: "#field"}' key '{keys: ["a", "b", "c"]}'
	add 6 drag '{css: ".noUi-base"}' slider '{path: [range(31) | [. * 16, . * 0.03, 0.5]]}'
	add 6 click '{text: "later"}' later
	wdsession cellinteract gestures.jsonl cellrun nb.ipynb >with.jsonl 3>&- 4>&-
}

setup() {
	cd "$BATS_FILE_TMPDIR" || return
}

teardown_file() {
	stop_server
}

# true_to NAME: standard input, Python, is run with the records of that gesture in `each`, with
# truth (the page's instants by name) and steps; within() compares two lists of ms by the median.
true_to() {
	python3 - "$1" "$BATS_FILE_TMPDIR/with.jsonl" <<<"
import json, statistics, sys
each, steps, said = [], {}, {}
for r in map(json.loads, open(sys.argv[2])):
    if r['type'] == 'console' and r['message'].startswith('truth '):
        for name, *instants in json.loads(r['message'][6:]):
            said.setdefault(name, []).append(instants[0] if len(instants) == 1 else instants)
    if r['type'] == 'interaction_step':
        steps.setdefault(r['number'], []).append(r)
    if r['type'] == 'interaction':
        if r['name'] == sys.argv[1]:
            each.append({**r, 'truth': said, 'steps': steps[r['number']]})
        said = {}
def within(ms, got, true):
    off = statistics.median(abs(a - b) for a, b in zip(got, true, strict=True))
    assert got and off <= ms, (got, true)
$(cat)"
}

@test "every gesture was performed, and its output settled" {
	run -0 jq -s -c 'map(select(.type == "interaction")) | length, (map(.status) | unique), (map(.marks) | add | unique)' with.jsonl
	[ "$output" = $'23\n["completed"]\n["late_updates_possible"]' ] || { echo "$output"; false; }
}

@test "the phases of a gesture add up to its time, and the parts of a latency to the latency" {
	run -0 jq -s -c '[.[] | select(.type == "interaction") | (.client_ms - (.person_ms + .input_ms + .page_ms + .transport_ms + .kernel_ms + .delivery_ms + .render_ms + .unattributed_ms) | fabs) < 0.01] | all' with.jsonl
	has true
	run -0 jq -s -c '[.[] | select(.type | startswith("interaction")) | (.latency_ms - (.input_delay_ms + .processing_ms + .presentation_ms) | fabs) < 0.01] | all' with.jsonl
	has true
}

@test "a listener that blocks 80 ms is in the processing of its press, as in its long frame" {
	true_to block <<-'P'
	delays, latencies = zip(*((heard - made, shown - made) for r in each for made, heard, shown in r["truth"]["press"]))
	within(8, [r["steps"][0]["input_delay_ms"] for r in each], delays)
	within(40, [r["steps"][0]["latency_ms"] for r in each], latencies)
	assert all(r["latency_ms"] > r["processing_ms"] >= 79 and r["page_ms"] >= 79 for r in each), each
	within(8, [r["first_visual_change_ms"] for r in each], [r["truth"]["changed"][0] - r["truth"]["press"][0][0] for r in each])
	assert sum("onpointerdown" in json.dumps(r["scripts"]) for r in each) >= 2, each
	P
}

@test "keys that block 60 ms have three latencies, in the field that the gesture before had clicked" {
	true_to key <<-'P'
	(r,) = each
	assert r["inputs"] == 3 and r["truth"]["value"] == ["", "a", "ab"], r
	within(40, [s["latency_ms"] for s in r["steps"]], [shown - made for made, _, shown in r["truth"]["press"]])
	assert all(s["processing_ms"] >= 59 and s["latency_source"] == "event_timing" for s in r["steps"]), r
	P
}

@test "an element that changes twice has both instants" {
	true_to twice <<-'P'
	within(8, [r["last_visual_change_ms"] for r in each], [r["truth"]["last"][0] - r["truth"]["release"][0] for r in each])
	within(8, [r["gesture_ms"] + r["last_visual_change_ms"] - r["first_visual_change_ms"] for r in each],
	    [r["truth"]["last"][0] - r["truth"]["first"][0] for r in each])
	assert all(r["frames_shown"] == 2 for r in each), each
	P
}

@test "frames are counted exactly against those in which the page has drawn" {
	for name in film drag table; do
		true_to "$name" <<-'P'
		within(0, [r["frames_shown"] for r in each], [len(set(r["truth"]["frame"])) for r in each])
		assert all(r["frames_possible"] >= r["frames_shown"] for r in each), each
		P
	done
}

@test "each move of a drag is a step, and the output is as far behind it as the page's drawing" {
	true_to drag <<-'P'
	for r in each:
	    moves = [s for s in r["steps"] if s["input"] == "pointermove"]
	    assert len(moves) == len(r["truth"]["move"]) == r["inputs"] - 1, r
	    assert r["inputs_merged"] >= r["inputs"] and r["inputs_dispatched"] == 31 >= r["inputs"], r
	    within(2, [s["behind_ms"] for s in moves], [drawn - made for made, drawn in r["truth"]["move"]])
	    assert r["longest_gap_ms"] > 15 and r["latency_source"] in ("frame", "event_timing"), r
	P
}

@test "listeners of a scroll that take 40 ms keep the page busy as often as they ran" {
	true_to table <<-'P'
	for r in each:
	    assert r["inputs"] == 5 and r["truth"]["scrolled"], r
	    # The scroll itself is seen before its listener has run.
	    within(17, [r["gesture_ms"] + r["last_visual_change_ms"] - r["first_visual_change_ms"]], [r["truth"]["scrolled"][-1] - r["truth"]["scrolled"][0] + 40])
	P
}

@test "changes in a WebGL canvas, an image, a shadow root and a frame are seen when they happen" {
	for name in gl img shadow frame; do
		true_to "$name" <<-'P'
		(r,) = each
		made = r["truth"]["made"][0]
		kind = {"gl": "webgl", "img": "image"}.get(r["name"], "dom")
		if "none" not in r["truth"]:
		    assert r["changes"][kind] >= 1, r
		    within(17, [r["gesture_ms"] + r["last_visual_change_ms"]], [made - r["t"] * 1000 + r["truth"]["origin"][0]])
		P
	done
}

@test "a slider's drag has the callbacks that the kernel counts, and what the widget kept back" {
	calls=$(jq -c 'select(.type == "cell" and .cell_index == 7).items' with.jsonl)
	true_to slider <<P
(r,) = each
calls = $calls
assert r["comm_messages_sent"] == calls and 2 <= calls <= 10, (r, calls)
assert r["kernel_callback_ms"] >= 120 * calls and r["kernel_ms"] >= 115 * calls, (r, calls)
assert r["unanswered_max"] == 1 and r["updates_coalesced"] >= 1, r
assert r["behind_max_ms"] >= 120 and r["after_end_ms"] >= 20, r
answers = [s["answer_visual_change_ms"] for s in r["steps"] if s["comm_messages_sent"]]
assert len(answers) == calls and all(a is None or a >= 120 for a in answers) and answers[-1], r
shown = [t for t in r["truth"]["shown"]]
within(17, [r["t"] * 1000 + r["gesture_ms"] + r["last_visual_change_ms"]], [shown[-1] + r["truth"]["origin"][0]])
P
}

@test "a change that the kernel makes 0.8 s later belongs to its click" {
	true_to later <<-'P'
	(r,) = each
	assert 790 < r["last_visual_change_ms"] < 4000 and r["marks"] == ["late_updates_possible"], r
	P
}

# shape FILTER: what is the same of the records of cells that do the same, without their times.
shape() {
	jq -c "select(.type == \"cell\") | select($1) | [.status, .marks, .changed, .waited, .changes, .outputs, .ws_messages_sent, .ws_messages_received,
		.comm_messages_sent, .comm_messages_received, .late_message_t, (.page.frames_shown > 0) == .changed,
		(.page.messages_by_type | map_values([.sent_messages, .received_messages]))]" "${@:2}"
}

@test "a cell after gestures has the record that it has before them" {
	shape '.cell_index == 2 or .cell_index == 3' with.jsonl >before
	shape '.cell_index == 8 or .cell_index == 9' with.jsonl >after
	diff before after
	jq -c 'select(.type == "cell" and .cell_index == 8) | [.client_ms, .kernel_ms]' with.jsonl >times
	jq -e '.[0] > 200 and .[0] < 1000 and .[1] > 199 and .[1] < 400' times || { cat times; false; }
	run -0 jq -s -c 'map(select(.type == "console" and .cell_index)) | length' with.jsonl
	has 0
}

# bats test_tags=thorough
@test "every cell has the record that it has in a run without gestures" {
	use_server
	wdsession cellrun nb.ipynb >without.jsonl
	shape '.cell_index != 7' with.jsonl >with
	shape '.cell_index != 7' without.jsonl >without
	diff with without
}

@test "all records fit their schemas" {
	run "$ROOT/build/testvenv/bin/python" "$ROOT/tests/validate" --strict with.jsonl
	status_is 0
}
