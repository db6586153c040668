# bats file_tags=quick
load helpers

setup_file() {
	[ -x "$ROOT/build/testvenv/bin/python" ] || { echo "no build/testvenv: make prepare-test makes it" >&2; return 1; }
}

setup() {
	python=$ROOT/build/testvenv/bin/python
	made=${BIN%/bin}/schema
	cd "$BATS_TEST_TMPDIR" || return
}

# valid [--strict] [FILE...]: every line fits the schema of its type.
valid() {
	run "$python" "$ROOT/tests/validate" "$@"
	status_is 0
}

@test "every schema is valid, and describes each member" {
	run "$python" - "$ROOT"/share/schema/*.json "$made"/*.json <<-'P'
	import json, pathlib, sys
	import jsonschema
	def check(schema, path):
	    for name, member in schema.get("properties", {}).items():
	        assert name == "type" or len(member.get("description", "")) > 5, f"{path}: {name} has no description"
	        check(member, f"{path}.{name}")
	    check(schema["items"], f"{path}[]") if "items" in schema else None
	    for name, part in schema.get("$defs", {}).items():
	        check(part, f"{path}#{name}")
	assert len(sys.argv) > 7
	for path in map(pathlib.Path, sys.argv[1:]):
	    schema = json.loads(path.read_text())
	    jsonschema.Draft202012Validator.check_schema(schema)
	    assert schema["$schema"].endswith("draft/2020-12/schema"), path
	    assert schema["properties"]["type"]["const"] == path.stem, path
	    assert "type" in schema["required"], path
	    check(schema, path.stem)
	P
	status_is 0
}

@test "a schema has one member a line, or the command that mends it is printed" {
	format=$ROOT/tests/schemaformat
	run "$format" --check "$ROOT"/share/schema/*.json* "$made"/*
	[ -z "$output" ] || { echo "$output"; return 1; }
	status_is 0
	jq . "$ROOT/share/schema/stat.json" >stat.json
	run "$format" --check "$ROOT/share/schema/step.json" stat.json
	status_is 1
	[ "$output" = "not one member a line; to mend it: $format stat.json" ]
	${output#*to mend it: }
	cmp stat.json "$ROOT/share/schema/stat.json"
}

@test "the schema of a metric is what its row of the catalogue says" {
	schema_of() { jq -c ".properties.$2 | .description |= rtrimstr(\" nbscope-metrics(7) defines it.\")" "$made/$1_metrics.json"; }
	while read -r table metric schema; do
		[ "$(schema_of "$table" "$metric")" = "$schema" ] || { echo "$metric: $(schema_of "$table" "$metric")"; return 1; }
	done <<-'M'
	cell client_execution_time_metric {"description":"client_ms of the cell record.","type":["number","null"]}
	notebook client_execution_time_metric {"description":"client_ms of the cell record; sum over the cells.","type":["number","null"]}
	cell energy_method {"description":"usage.machine.energy_method of the cell record.","enum":["rapl","estimate",null]}
	cell waited {"description":"waited of the cell record.","type":["boolean","null"]}
	cell gpu_reason {"description":"usage.machine.gpu_reason of the cell record.","type":["string","null"]}
	cell kernel_peak_rss_bytes {"description":"usage.kernel.peak_rss_bytes of the cell record.","type":["integer","null"],"minimum":0}
	notebook kernel_mean_cpu_metric {"description":"Computed; mean, weighted by client time, over the cells.","type":["number","null"],"minimum":0}
	M
}

@test "a member that is in the catalogue cannot be described again by hand" {
	sed 's/^\t"properties": {$/&\n\t\t"cell_index": {"type": "integer"},/' "$made/cell_metrics.json" >cell_metrics.json
	run "$ROOT/tests/schemaformat" --check cell_metrics.json
	status_is 1
	has 'cell_index is described twice'
}

@test "make install installs the schema of each type" {
	[ "$BIN" = "$ROOT/build/bin" ] || skip 'only with the plain build'
	run make -C "$ROOT" install DESTDIR="$PWD/root" PREFIX=/usr
	status_is 0
	for schema in "$ROOT"/share/schema/*.json "$made"/*.json; do
		cmp "$schema" "root/usr/share/nbscope/share/schema/${schema##*/}"
	done
	run ls root/usr/share/nbscope/share/schema
	[[ $output != *.in* ]]
}

@test "the columns of the tables are the members of the metrics' schemas" {
	for table in cell notebook; do
		metrics2csv --${table}s </dev/null | tr -d '\r' | tr , '\n' | sort >columns
		jq -r '.properties | keys[]' "$made/${table}_metrics.json" | sort >members
		run comm -3 columns members
		case $table in cell) others=$'frames\nparams\nsource\ntype' ;; *) others=$'environment_id\nmachine\nmade_from\nparams\ntype' ;; esac
		[ "${output//$'\t'/}" = "$others" ] || { echo "$table: $output"; return 1; }
	done
}

@test "the tests' own runs conform" {
	valid --strict "$ROOT/tests/data/runs.jsonl" "$ROOT/tests/data/used.jsonl" "$ROOT"/tests/data/profiles/*.jsonl
}

@test "the output of cellmetrics conforms, and each member is described" {
	cellmetrics "$ROOT"/tests/data/{runs,used}.jsonl >metrics
	valid --strict metrics
	CARBON_INTENSITY=400 cellmetrics "$ROOT/tests/data/used.jsonl" >metrics
	valid --strict metrics
	sed '/run_end/d; 6,$d' "$ROOT/tests/data/runs.jsonl" >incomplete
	cellmetrics incomplete >metrics 2>/dev/null
	valid --strict metrics
}

@test "the output of cellrun for a skipped notebook conforms" {
	cat >nb.ipynb <<-'N'
	{"cells":[{"cell_type":"code","execution_count":null,"id":"a","metadata":{"tags":["skip_profiling"]},"outputs":[],"source":"1"}],
	"metadata":{"kernelspec":{"display_name":"P","language":"python","name":"python3"},"nbscope":{"usecase":"u","name":"u-a1","params":{"a":1}}},"nbformat":4,"nbformat_minor":5}
	N
	cellrun --skip 'needs 40 GB' nb.ipynb >run
	valid --strict run
	cellmetrics run >metrics
	valid --strict metrics
	[ "$(jq -r .execution_status metrics | uniq)" = Skipped ]
}

@test "the figures that make figures draws conform, and the schema has the kinds and options of metricplot" {
	cellmetrics "$ROOT/tests/data/runs.jsonl" >metrics.jsonl
	NBSCOPE_SCRATCH=$PWD "$ROOT/mk/show/list-figures.sh" . out demo svg pdf
	cat figures.cell figures.notebook >figures
	[ "$(wc -l <figures)" -ge 8 ]
	valid --strict figures
	metricplot --help | sed -n '/^  -F/q; s/^  .*--\([a-z-]*\) .*/\1/p' | LC_ALL=C sort - <(echo where) >options
	jq -r '.properties | del(.type) | keys[]' "$ROOT/share/schema/figure.json" | diff options -
	metricplot --kind help | cut -d' ' -f1 | diff - <(jq -r '.properties.kind.anyOf[0].enum[]' "$ROOT/share/schema/figure.json")
	echo '{"type":"figure","kind":"bars","of":"count"}' >bad
	run "$python" "$ROOT/tests/validate" bad
	status_is 1
	has "'output' is a required property"
}

@test "requests conform, with and without a risk" {
	{ echo task,memory_mb,run_time_s; for i in {1..99}; do echo "a,$i,$i"; done; echo b,1,1; echo c,0,1; } >tasks.csv
	metricstat -f json --by task --of memory_mb,run_time_s --request 20% tasks.csv >requests
	[ "$(jq -r .basis requests | paste -sd' ')" = 'ranks too_few too_few' ]
	valid --strict requests
}

@test "the output of nbexpand conforms" {
	for f in "$ROOT"/usecases/*/params.*; do
		nbexpand --limit 50 "$f"
	done >combinations
	valid --strict combinations
}

@test "every run in this tree conforms" {
	shopt -s nullglob
	runs=("$ROOT"/usecases/*/runs/*/*.jsonl)
	[ "${#runs[@]}" -gt 0 ] || return 0
	valid --strict "${runs[@]}"
}

@test "a line that does not conform is reported" {
	echo '{"type":"run_end","t":1,"status":"fine","reason":null}' >bad
	run "$python" "$ROOT/tests/validate" bad
	status_is 1
	has "bad:1: run_end: status: 'fine' is not one of"
	echo '{"type":"nothing_known"}' >bad
	run "$python" "$ROOT/tests/validate" bad
	status_is 1
	has "bad:1: no schema for type 'nothing_known'"
	head -1 "$ROOT/tests/data/runs.jsonl" | sed 's/"cores"/"kerne"/' >bad
	run "$python" "$ROOT/tests/validate" --strict bad
	status_is 1
	has 'bad:1: run: machine.kerne is not described'
	grep -h '"cell_index":1,.*"usage"' "$ROOT/tests/data/used.jsonl" | sed 's/"cpu_s"/"cpu"/; s/"power_w"/"power"/' >bad
	run "$python" "$ROOT/tests/validate" --strict bad
	status_is 1
	has 'bad:1: cell: usage.kernel.cpu is not described'
	has 'bad:1: cell: usage.machine.gpus.0.power is not described'
	run "$python" "$ROOT/tests/validate" /dev/null
	status_is 1
}

@test "cellrun, the notebook extension and the schema have the same members of a role's usage" {
	run -0 "$python" - "$ROOT" <<-'P'
	import json, pathlib, re, sys
	root = pathlib.Path(sys.argv[1])
	sys.path.insert(0, str(root / "share/ipython"))
	from nbscope import records
	c = (root / "tools/run/lib/record/cell_usage.c").read_text()
	names = re.findall(r'"(\w+)"', re.search(r"unknown_usage\(void\)\n{.*?};", c, re.S)[0])
	used = json.loads((root / "share/schema/cell.json").read_text())["$defs"]["used"]["properties"]
	assert len(names) == len(set(names)) > 15 and names == list(records.UNKNOWN), (names, list(records.UNKNOWN))
	# That of a kernel on another machine has one more.
	assert set(used) - set(names) == {"cpu_pct"}, set(names) ^ set(used)
	P
}

@test "a row of the catalogue that lacks a word is named, and is not compiled" {
	sed 's/^\(heap_bytes .* \)max$/\1/' "$ROOT/share/metric/catalogue" >catalogue
	run awk -f "$ROOT/share/metric/catalogue.awk" catalogue
	status_is 1
	[[ $output == *"catalogue:$(grep -n '^heap_bytes' catalogue | cut -d: -f1):1: not a row"* ]]
}
