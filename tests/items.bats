# bats file_tags=quick
# What cells print of their items: ITEMS and ITEMS_SHARE, by executed notebooks.
load helpers

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	unset ITEMS ITEMS_SHARE
}

# printed NAME [LABEL REPETITION]: a run, its plan and its executed notebook. Each line on standard input is a
# list of the outputs of a cell: texts of standard output, or outputs. Each cell takes half a second.
printed() {
	python3 -c '
import json, sys
name, label, repetition, cells = sys.argv[1], sys.argv[2], int(sys.argv[3]), [json.loads(line) for line in sys.stdin]
file = f"{name}-{label}-{repetition}"
stream = lambda o: o if isinstance(o, dict) else {"output_type": "stream", "name": "stdout", "text": o}
code = [{"cell_type": "code", "id": f"c{i}", "source": "", "outputs": [stream(o) for o in outputs]} for i, outputs in enumerate(cells)]
with open(f"{file}.ipynb", "w") as f:
    json.dump({"cells": [{"cell_type": "markdown", "source": "1 it/s"}, *code]}, f)
records = [{"type": "run", "t": 1.5 + repetition, "name": name, "notebook": name + ".ipynb", "label": label, "repetition": repetition, "attempt": 1, "code_cells": len(cells)}]
records += [{"type": "cell", "cell_index": i + 1, "cell_id": f"c{i}", "status": "completed", "profiled": True, "client_ms": 500, "items": None, "items_done": None} for i in range(len(cells))]
write = lambda record, f: print(json.dumps(record, separators=(",", ":")), file=f)
with open(f"{file}.jsonl", "w") as f:
    for record in [*records, {"type": "run_end", "status": "completed", "reason": None}]:
        write(record, f)
write({"type": "run_plan", "run": f"{file}.jsonl", "executed": f"{file}.ipynb"}, sys.stdout)
' "$1" "${2:-current}" "${3:-1}" >>plan
}

# with_items: the records of all runs, with what their cells printed.
with_items() {
	{ echo plan; ls -- *-*-*.jsonl; } | "$ROOT/share/script/items.py"
}

# of FILTER: what jq says of the metrics of each cell.
of() { with_items | cellmetrics | jq -c "select(.type == \"cell_metrics\") | $1"; }

@test "the last number that a cell's outputs match is its throughput, whatever kind of output it is in" {
	export ITEMS='([0-9.]+) ?(?:alert/second|it/s)'
	printed n <<-'C'
	["1 alert/second\n", "first 2 alert/second, then 43.2 alert/second\nand no more"]
	["  0%|    | 0/9 [00:00<?, ?it/s]\r 50%|#  | 5/9 [00:01<00:01, 3.1it/s]\r100%|####| 9/9 [00:02<00:00, 4.5it/s]\n"]
	["9 alert/second\r\u001b[1m\u001b[38;5;2m7.5\u001b[0m alert/second\r"]
	[{"output_type": "display_data", "data": {"text/plain": "<Table>", "text/html": ["<style>9 alert/second</style><table><td><b>12</b>.5</td>", "<td>alert&#47;second</td></table>"]}}]
	[{"output_type": "execute_result", "data": {"text/plain": "'41 alert/second'"}}, {"output_type": "error", "ename": "E"}]
	["1,234.5 alert/second"]
	["12,345,678 alert/second"]
	["1.2e3 alert/second, 1.5E-2 alert/second"]
	["v2.10 alert/second", {"output_type": "display_data", "data": {"image/png": "99 alert/second", "text/markdown": "**8** alert/second, 8 alert/second"}}]
	["...alert/second"]
	C
	run of .items_per_s
	[ "${lines[*]}" = '43.2 4.5 7.5 12.5 41 1234.5 12345678 0.015 8 null' ] || has numbers
	run of .items_unit
	[ "${lines[*]}" = '"alert/s" "it/s" "alert/s" "alert/s" "alert/s" "alert/s" "alert/s" "alert/s" "alert/s" null' ] || has units
	with_items | cellmetrics | grep -v '"run_plan"' >metrics
	run "$ROOT/build/testvenv/bin/python" "$ROOT/tests/validate" metrics
	status_is 0
}

@test "the unit is in the words, rates are per second, bytes are megabytes" {
	export ITEMS='[a-z/() ]*(?<![\d.])([0-9.]+) ?[A-Za-z/ ]*'
	tee words <<-'W' | sed 's/\(.*\):\[.*/["\1"]/' | printed n
	10 rows per second:[10,"rows/s"]
	12.3it/s:[12.3,"it/s"]
	120 alerts processed per minute:[2,"alerts processed/s"]
	7200 jobs/hour:[2,"jobs/s"]
	950 kB/s:[0.95,"MB/s"]
	12.5 MB/s:[12.5,"MB/s"]
	2 MiB/s:[2.097152,"MB/s"]
	5000 bytes per second:[0.005,"MB/s"]
	2.5s/it:[0.4,"it/s"]
	5 ms per row:[200,"row/s"]
	1.5kit/s:[1500,"it/s"]
	throughput (rows/s) 7:[7,"rows/s"]
	60 fps:[60,"fps"]
	3 per second:[3,"1/s"]
	W
	diff <(sed 's/.*:\[/[/' words) <(of '[.items_per_s, .items_unit]')
	[ "$(ITEMS='([0-9.]+)' of '[.items_per_s, .items_unit]' | tail -1)" = '[3,null]' ]
}

@test "a share is in percent, has the words of its match, and makes the throughput effective" {
	export ITEMS='([0-9.]+) alert/second' ITEMS_SHARE='([0-9.]+) ?%? objects(?: with p > 0)?|share ([0-9.]+)'
	printed n <<-'C'
	["40 alert/second\n93% objects with p > 0\n"]
	["0.25 objects"]
	["40 alert/second"]
	["share 3"]
	C
	run of '[.items_done_pct, .items_done_meaning, .items_per_s, .items_done_per_s, .items_reason]'
	[ "${lines[0]}" = '[93,"objects with p > 0",40,37.2,null]' ] || has first
	[ "${lines[1]}" = '[25,"objects",null,null,"no output matches ITEMS"]' ] || has second
	[ "${lines[2]}" = '[null,null,40,null,"no output matches ITEMS_SHARE"]' ] || has third
	# The second group does not count.
	[ "${lines[3]}" = '[null,null,null,null,"no output matches ITEMS or ITEMS_SHARE"]' ] || has fourth
	# Counts in lines of JSON have a share, too.
	run cellmetrics <<-'R'
	{"type":"run","t":1.5,"name":"x","notebook":"x.ipynb","code_cells":1}
	{"type":"cell","cell_index":1,"status":"completed","profiled":true,"client_ms":500,"items":128,"items_done":96}
	{"type":"run_end","status":"completed","reason":null}
	R
	[ "$(jq -c 'select(.type == "cell_metrics") | [.items_done_pct, .items_reason]' <<<"$output")" = '[75,null]' ]
}

@test "a number that is missing is null with the reason, and otherwise the records are those of the run" {
	export ITEMS='([0-9.]+) it/s'
	printed n <<<'["nothing"]'
	printed gone <<<'["3 it/s"]'
	printed bad <<<'["3 it/s"]'
	printed json <<<'["3 items"]'
	rm gone-*.ipynb
	echo no >bad-current-1.ipynb
	sed -i 's/"items":null/"items":7/' json-*.jsonl
	run of '[.name, .items_per_s, .items_reason]'
	has '["n",null,"no output matches ITEMS"]'
	has '["gone",null,"the executed notebook is missing"]'
	has '["bad",null,"the executed notebook cannot be read"]'
	has '["json",14,null]'
	with_items | sed 's/, *"items_per_s.*/}/' >with
	cat plan -- *-*-*.jsonl | diff - with
	# Without a plan nothing is known of the notebook.
	run -0 "$ROOT/share/script/items.py" <<<n-current-1.jsonl
	[ "$output" = "$(cat n-current-1.jsonl)" ]
}

@test "more throughput is better: in a comparison, with its unit, in budgets, in a history, in a report" {
	export ITEMS='([0-9.]+) alert/second' ITEMS_SHARE='([0-9.]+)% objects'
	for i in 1 2 3 4 5 6; do
		printed n released $i <<<"[\"40.$i alert/second, 90.$i% objects\"]"
		printed n pr $i <<<"[\"20.$i alert/second, 90.$i% objects\"]"
		printed n fast $i <<<"[\"60.$i alert/second, 90.$i% objects\"]"
	done
	with_items | cellmetrics >metrics
	without() { jq -c --arg l "$1" 'select(.label != $l)' metrics; }
	run -1 metriccmp --base released --gate items_per_s,items_done_pct --format table <(without fast)
	grep -Eq 'n cell 1 +40\.35 alert/s .* 20\.35 alert/s .* -49\.6 % .*worse' <<<"$output" || has 'the throughput worse'
	grep -Eq 'n cell 1 +90\.35 % .* 90\.35 % .*no worse' <<<"$output" || has 'the share no worse'
	run -0 metriccmp --base released --gate items_per_s --format table <(without pr)
	grep -Eq 'n cell 1 .*better' <<<"$output" || has 'the throughput better'
	printf -- '- {cell: 1, items_per_s: 30, items_done_pct: 90 %%}\n' >budgets.yaml
	run -1 metricbudget --format table budgets.yaml metrics
	grep -Eq 'throughput +20\.35 alert/s +of +30 alert/s +over: it must be at least that' <<<"$output" || has 'one over'
	[ "$(grep -c 'within$' <<<"$output")" = 5 ]
	# Where units differ none is shown.
	run -1 metricbudget --format table --all budgets.yaml <(jq -c 'if .label == "fast" then .items_unit = "it/s" else . end' metrics)
	has '20.35 1/s'
	for v in 1 2 3 4 5 6 7 8; do
		jq -c --arg v $v 'select(.label == "released") | .label = "v" + $v | if $v > "4" and .items_per_s then .items_per_s -= 10 else . end' metrics
	done >versions
	run -0 metrichist --append history.jsonl --metrics items_per_s --format table versions
	has '40.35 alert/s to 30.35 alert/s  since v5'
	run -1 metrichist --latest --metrics items_per_s --append other.jsonl --format table <(grep -v '"v[678]"' versions)
	run -0 metricreport <(without released | jq -c 'select(.label != "fast")')
	has '<b>Throughput</b>: 20.3 alert/s, 90.3 % objects; n, cell&nbsp;1</p>'
	run -0 metricprom <(without fast)
	has 'nbscope_cell_items_per_second{'
	has 'label="pr",notebook="n",cell="1"} 0.9035'
	run -0 metrics2csv --cells metrics
	has ',alert/s,objects,'
}

@test "an expression without a group, or that is not valid, is a usage error before anything runs" {
	check() { make --no-print-directory -n -C "$ROOT" metrics USECASE=quickstart "$@"; }
	run -2 check 'ITEMS=[0-9.]+ it/s'
	has "ITEMS has no group: put the number in (), as in '([0-9.]+) it/s'"
	run -2 check 'ITEMS_SHARE=(?:[0-9.]+)%'
	has 'ITEMS_SHARE has no group'
	run -2 check 'ITEMS=([0-9.]+ it/s'
	has 'ITEMS is no regular expression: missing ), unterminated subpattern'
	run -0 check 'ITEMS=([0-9.]+) it/s$' "ITEMS_SHARE=([0-9.]+)% (of|in) \`\$(x)\` \"a\" 'b, c"
}
