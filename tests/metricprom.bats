# bats file_tags=quick
load helpers

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	PATH=$PATH:$ROOT/build/testdebs/usr/bin
	started=()
}

teardown() {
	[ "${#started[@]}" -eq 0 ] || { kill "${started[@]}"; wait "${started[@]}" || true; } 2>/dev/null
}

# cell MEMBERS; notebook MEMBERS: metrics of u-a1, label l, with MEMBERS besides.
cell() { printf '{"type":"cell_metrics","usecase":"u","name":"u-a1","label":"l","cell_index":1,"execution_status":"Completed"%s}\n' "$1"; }
notebook() { printf '{"type":"notebook_metrics","usecase":"u","name":"u-a1","label":"l","execution_status":"Completed"%s}\n' "$1"; }
recorded() { cellmetrics "$ROOT"/tests/data/{runs,used}.jsonl; }

# needs PROGRAM PACKAGE
needs() { command -v "$1" >/dev/null || skip "no $1 (Debian: $2)"; }

free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

# until_ok COMMAND...: again and again, at most half a minute.
until_ok() {
	for ((n = 0; n < 300; n++)); do
		"$@" >/dev/null 2>&1 && return
		sleep 0.1
	done
	echo "in vain: $*" >&2
	return 1
}

# read_back FILE: each sample as JSON, as a strict reader of the format has it.
read_back() {
	python3 - "$1" <<'P'
import json, re, sys
label = r'[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\[\\"n])*"'
sample = re.compile(rf'([a-zA-Z_:][a-zA-Z0-9_:]*)\{{({label}(?:,{label})*)\}} (\S+)')
helped, typed, seen, families = set(), set(), set(), []
text = open(sys.argv[1], newline="\n").read()
assert not text or text.endswith("\n")
for line in text.split("\n")[:-1]:
    if line.startswith("# HELP "):
        name = line.split(" ")[2]
        assert name not in helped and len(line.split(" ", 3)[3]) > 10, line
        helped.add(name)
    elif line.startswith("# TYPE "):
        _, _, name, kind = line.split(" ")
        assert name not in typed and name in helped and kind == "gauge", line
        typed.add(name)
        families.append(name)
    else:
        m = sample.fullmatch(line)
        assert m, line
        name, labels, value = m.groups()
        assert name == families[-1], f"{name} stands below {families[-1]}"
        assert (name, labels) not in seen, line
        seen.add((name, labels))
        undo = {"\\\\": "\\", '\\"': '"', "\\n": "\n"}
        pairs = {k: re.sub(r'\\[\\"n]', lambda e: undo[e[0]], v) for k, v in re.findall(r'([a-zA-Z0-9_]+)="((?:[^"\\\n]|\\.)*)"', labels)}
        print(json.dumps({"name": name, "value": float(value), **pairs}))
P
}

@test "each family has its help and type once, and each series occurs once" {
	recorded | metricprom >prom
	read_back prom >samples
	[ "$(wc -l <samples)" -gt 80 ]
	[ "$(jq -c 'select(.name == "nbscope_notebook_client_seconds") | [.notebook, .value]' samples | head -1)" = '["demo-n1-modepng",3.28]' ]
}

@test "units are base units: bytes of megabytes, ratios of percents" {
	notebook ',"client_total_data_received_metric":4.203,"kernel_mean_cpu_metric":65,"gpu_mean_utilization_pct":50,"kernel_energy_j":13.5' | metricprom >prom
	run read_back prom
	has '"nbscope_notebook_received_bytes", "value": 4203000.0'
	has '"nbscope_notebook_cpu_usage_ratio", "value": 0.65'
	has '"nbscope_notebook_gpu_utilization_ratio", "value": 0.5'
	has '"nbscope_notebook_energy_joules", "value": 13.5'
	run grep -cE '^# TYPE .*(_total|_count|_sum|_bucket|_ms|_percent|_pct|_mb) ' prom
	[ "$output" = 0 ]
}

@test "promtool accepts what was measured" {
	needs promtool prometheus
	recorded | metricprom >prom
	run promtool check metrics <prom
	status_is 0
	[ -z "$output" ]
}

@test "quotes, backslashes and line ends in a name are preserved" {
	printf '%s\n' '{"type":"notebook_metrics","usecase":"a\"b","label":"c\\n\\","name":"x\ny{}=,é\u0000z","execution_status":"Completed","wall_s":1}' | metricprom >prom
	read_back prom >samples
	[ "$(jq -c 'select(.name | endswith("wall_seconds")) | [.usecase, .label, .notebook]' samples)" = '["a\"b","c\\n\\","x\ny{}=,é�z"]' ]
	if command -v promtool; then promtool check metrics <prom; fi
}

@test "the value is the median of repetitions, each by its last attempt" {
	for k in 1 2 3; do cell ",\"repetition\":$k,\"attempt\":1,\"client_execution_time_metric\":$((k * k))"; done >metrics
	cell ',"repetition":3,"attempt":2,"client_execution_time_metric":2' | sed 's/Completed/Timed Out/' >>metrics
	metricprom metrics >prom
	run grep -v '^#' prom
	[ "${lines[0]}" = 'nbscope_cell_client_seconds{usecase="u",label="l",notebook="u-a1",cell="1"} 2' ]
	[ "${lines[1]}" = 'nbscope_cell_runs{usecase="u",label="l",notebook="u-a1",cell="1",status="completed"} 2' ]
	[ "${lines[2]}" = 'nbscope_cell_runs{usecase="u",label="l",notebook="u-a1",cell="1",status="timed_out"} 1' ]
	[ "${#lines[@]}" = 3 ]
}

@test "unknown values have no series, and transport replaces queue and delivery where they are unknown" {
	{ cell ',"client_execution_time_metric":null,"queue_s":null,"delivery_s":null,"transport_s":0.5,"render_s":0'; notebook ',"queue_s":0.1,"delivery_s":0.2,"transport_s":0.3'; } | metricprom >prom
	run grep -v '^#\|_info\|_runs' prom
	[ "$output" = 'nbscope_notebook_phase_seconds{usecase="u",label="l",notebook="u-a1",phase="queue"} 0.1
nbscope_notebook_phase_seconds{usecase="u",label="l",notebook="u-a1",phase="delivery"} 0.2
nbscope_cell_phase_seconds{usecase="u",label="l",notebook="u-a1",cell="1",phase="render"} 0
nbscope_cell_phase_seconds{usecase="u",label="l",notebook="u-a1",cell="1",phase="transport"} 0.5' ]
}

@test "parameters, errors, ids and sources are not labels" {
	recorded | metricprom >prom
	run grep -cE 'throttling|ValueError|cell-3|viewer.show' prom
	[ "$output" = 0 ]
	read_back prom | jq -r 'keys[]' | sort -u >labels
	[ "$(tr '\n' ' ' <labels)" = 'browser cell jupyterlab label name nbscope notebook phase process status usecase value ' ]
}

@test "more series than --most are refused, and --notebooks writes fewer" {
	recorded >metrics
	run --separate-stderr metricprom --most 60 metrics
	status_is 3
	[ -z "$output" ]
	[ "$stderr" = 'metricprom: more than 60 series: fewer with --notebooks, more with --most' ]
	metricprom --notebooks --most 60 metrics >prom
	run grep -c nbscope_cell prom
	[ "$output" = 0 ]
}

@test "a file appears whole or not at all, for others to read" {
	recorded >metrics
	(umask 022; metricprom -o folder/nbscope.prom metrics)
	[ "$(stat -c %a folder/nbscope.prom)" = 644 ]
	cmp folder/nbscope.prom <(metricprom metrics)
	cp folder/nbscope.prom before
	run metricprom --most 5 -o folder/nbscope.prom metrics
	status_is 3
	cmp before folder/nbscope.prom
	[ "$(ls -A folder)" = nbscope.prom ]
}

@test "without metrics the text is empty, and the status says so" {
	for input in '' '{"type":"run","t":1}\n'; do
		run --separate-stderr metricprom < <(printf "$input")
		status_is 6
		[ -z "$output" ]
		[ "$stderr" = 'metricprom: cannot tell: the input has no metrics' ]
	done
}

@test "input that is not a record is reported with its line, and nothing is written" {
	for bad in 'not json' '{"type":"cell_metrics","name":NaN}' '{"type":"cell_metrics","type":"x"}' $'{"type":"\xff"}' '{"type":"cell_metrics"}' '{"type":"notebook_metrics","name":3}'; do
		run --separate-stderr metricprom -o out.prom <<<"$bad"
		status_is 3
		[[ "$stderr" == 'metricprom: stdin:1:'* ]] || { echo "$bad: $stderr"; return 1; }
		[ ! -e out.prom ]
	done
	notebook ',"wall_s":2' | tr -d '\n' | metricprom | grep -q wall_seconds
}

@test "a closed pipe and a full disk are noticed" {
	recorded >metrics
	run bash -c 'metricprom metrics >/dev/full'
	status_is 4
	has 'cannot write to standard output: No space left on device'
	run bash -c 'metricprom metrics | true; exit "${PIPESTATUS[0]}"'
	[ "$status" != 0 ] || [ -z "$output" ]
}

@test "promtool accepts the shipped configuration and rules" {
	needs promtool prometheus
	run promtool check config "$ROOT/share/prometheus/prometheus.yml"
	status_is 0
	run promtool check rules --lint=all --lint-fatal "$ROOT/share/prometheus/nbscope.rules.yml"
	status_is 0
}

@test "alerts fire for failed, slower, larger and missing runs, and for nothing else" {
	needs promtool prometheus
	cat >rules_test.yml <<-T
	rule_files: [$ROOT/share/prometheus/nbscope.rules.yml]
	evaluation_interval: 1h
	tests:
	  - interval: 1h
	    input_series:
	      - {series: 'nbscope_notebook_client_seconds{notebook="slower"}', values: '1x200 1.5'}
	      - {series: 'nbscope_notebook_client_seconds{notebook="noise"}', values: '0.01x200 0.05'}
	      - {series: 'nbscope_notebook_client_seconds{notebook="same"}', values: '1x200 1.1'}
	      - {series: 'nbscope_notebook_memory_peak_bytes{notebook="fat",process="kernel"}', values: '400000000x200 600000000'}
	      - {series: 'nbscope_notebook_runs{notebook="bad",status="timed_out"}', values: '1x201'}
	      - {series: 'nbscope_notebook_runs{notebook="good",status="completed"}', values: '1x201'}
	      - {series: 'nbscope_notebook_start_timestamp_seconds{usecase="u",label="old",notebook="a"}', values: '0x201'}
	      - {series: 'nbscope_notebook_start_timestamp_seconds{usecase="u",label="old",notebook="b"}', values: '720000x201'}
	      - {series: 'nbscope_notebook_start_timestamp_seconds{usecase="u",label="older",notebook="b"}', values: '86400x201'}
	    alert_rule_test:
	      - {eval_time: 201h, alertname: NbscopeSlower, exp_alerts: [{exp_labels: {notebook: slower, severity: warning}, exp_annotations: {summary: "slower () takes 1.5s, a fifth more than in the last two weeks"}}]}
	      - {eval_time: 201h, alertname: NbscopeMoreMemory, exp_alerts: [{exp_labels: {notebook: fat, process: kernel, severity: warning}, exp_annotations: {summary: "fat (): the kernel uses 572.2MiB, a fifth more than in the last two weeks"}}]}
	      - {eval_time: 201h, alertname: NbscopeNotebookFailed, exp_alerts: [{exp_labels: {notebook: bad, status: timed_out, severity: warning}, exp_annotations: {summary: "bad () ended as timed_out in 1 of its repetitions"}}]}
	      - {eval_time: 201h, alertname: NbscopeNotRun, exp_alerts: [{exp_labels: {usecase: u, label: older, severity: info}, exp_annotations: {summary: "u (older) was last run 7d 9h 0m 0s ago"}}]}
	T
	run promtool test rules rules_test.yml
	status_is 0
}

@test "Prometheus starts with the shipped files" {
	needs prometheus prometheus
	port=$(free_port)
	prometheus --config.file="$ROOT/share/prometheus/prometheus.yml" --storage.tsdb.path=data --web.listen-address="127.0.0.1:$port" >server.log 2>&1 3>&- &
	started+=($!)
	until_ok curl -fs "http://127.0.0.1:$port/-/ready" || { cat server.log; return 1; }
	run bash -c "curl -fs http://127.0.0.1:$port/api/v1/rules | jq -r '.data.groups[].rules[].health' | sort | uniq -c"
	[[ "$output" == *6* ]]
	targets() { [ "$(curl -fs "http://127.0.0.1:$port/api/v1/targets" | jq -r '.data.activeTargets[].labels.job' | sort | tr '\n' ' ')" = 'node pushgateway ' ]; }
	until_ok targets
}

@test "the node exporter exports the file in its textfile folder" {
	needs prometheus-node-exporter prometheus-node-exporter
	recorded | metricprom -o textfiles/nbscope.prom
	port=$(free_port)
	prometheus-node-exporter --collector.disable-defaults --collector.textfile --collector.textfile.directory="$PWD/textfiles" \
		--web.listen-address="127.0.0.1:$port" >exporter.log 2>&1 3>&- &
	started+=($!)
	until_ok curl -fs "http://127.0.0.1:$port/metrics" || { cat exporter.log; return 1; }
	curl -fs "http://127.0.0.1:$port/metrics" >told
	grep -qx 'node_textfile_scrape_error 0' told
	[ "$(grep -c '^nbscope' told)" = "$(grep -c '^nbscope' textfiles/nbscope.prom)" ]
}

@test "Prometheus has the metrics that curl sends to the Pushgateway" {
	needs prometheus prometheus
	needs prometheus-pushgateway prometheus-pushgateway
	gateway=$(free_port) port=$(free_port)
	prometheus-pushgateway --web.listen-address="127.0.0.1:$gateway" >gateway.log 2>&1 3>&- &
	started+=($!)
	until_ok curl -fs "http://127.0.0.1:$gateway/-/ready" || { cat gateway.log; return 1; }
	recorded >metrics
	notebook ',"wall_s":7' | sed 's/"label":"l"/"label":null/' >>metrics
	# As in metricprom(1): PUT replaces what the group had.
	push() { metricprom "$@" metrics | curl -fsS -X PUT --data-binary @- "http://127.0.0.1:$gateway/metrics/job/nbscope"; }
	push
	push --notebooks
	curl -fs "http://127.0.0.1:$gateway/metrics" >told
	run grep -c '^nbscope_cell' told
	[ "$output" = 0 ]
	run promtool check metrics <told
	sed "s/127.0.0.1:9091/127.0.0.1:$gateway/; s/: 1m/: 1s/" "$ROOT/share/prometheus/prometheus.yml" >prometheus.yml
	cp "$ROOT/share/prometheus/nbscope.rules.yml" .
	prometheus --config.file=prometheus.yml --storage.tsdb.path=data --web.listen-address="127.0.0.1:$port" >server.log 2>&1 3>&- &
	started+=($!)
	asks() { curl -fs "http://127.0.0.1:$port/api/v1/query" --data-urlencode "query=$1" | jq -e '.data.result | length > 0' >/dev/null; }
	until_ok asks 'nbscope_notebook_client_seconds{usecase="demo",label="current",notebook="demo-n1-modepng",job="nbscope"} == 3.28' || { cat server.log; return 1; }
	until_ok asks 'nbscope_notebook_wall_seconds{usecase="u"} == 7'
	until_ok asks 'ALERTS{alertname="NbscopeNotebookFailed",notebook="demo-n2-modewebp",alertstate="firing"}'
}

@test "a film has its Speed Index, and counts as no run" {
	run metricprom < <(for k in 1 0; do
		echo '{"type":"notebook_metrics","name":"n","label":"l","repetition":'$k',"execution_status":"Completed","speed_index_s":'"$((1 - k))}"
	done)
	status_is 0
	has '_runs{usecase="",label="l",notebook="n",status="completed"} 1'
}

@test "a member of the wrong type is refused, not taken for one that was not measured" {
	printf '{"type":"cell_metrics","name":"a","cell_index":1,"client_execution_time_metric":"fast"}\n' >bad
	for tool in metricprom metricjunit 'metriccmp --base x'; do
		run $tool bad
		status_is 3
		has "bad:1:1: 'client_execution_time_metric' must be a number or null, not \"fast\""
	done
}
