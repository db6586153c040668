# bats file_tags=untimed
# Stages of Spark as records of a run, and the use case spark_udf as a user runs it.
load helpers
load make

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

@test "the log that a kernel's Spark writes becomes records of the run, each of its cell, and settings of the user come later" {
	gzip -dc "$ROOT/tests/data/spark/local-1795836159137.gz" >log
	# In Spark's place: the cells write a real log where SPARK_SUBMIT_OPTS asks for it, as if they ran now.
	python3 "$ROOT/tests/nb.py" spark.ipynb <<-EON
	[("code", "import os, re, time\nwords = os.environ['SPARK_SUBMIT_OPTS'].split()\nprint(words[-1])\nfolder = words[1].partition('=')[2].strip('\"')\nlines = open('$PWD/log').read().splitlines(keepends=True)\nlater = time.time() * 1000 - 1795836159137 + 5000"),
	 ("code", "log = open(folder + '/local-1.inprogress', 'w')\ndef write(words):\n    for line in lines:\n        if words in line[:60]:\n            log.write(re.sub(r'\\\\b17958361\\\\d{5}\\\\b', lambda t: str(int(time.time() * 1000)), line))\n    log.flush()\nwrite('LogStart'); write('ApplicationStart'); write('StageSubmitted')"),
	 ("code", "write('StageCompleted')")]
	EON
	SPARK_SUBMIT_OPTS=-Dspark.eventLog.enabled=false labserve kernelrun --executed executed.ipynb spark.ipynb >run.jsonl 3>&-
	run -0 jq -r '.cells[0].outputs[0].text | if type == "array" then add else . end' executed.ipynb
	[ "$output" = -Dspark.eventLog.enabled=false ]
	run -0 jq -c 'select(.type | startswith("spark_")) | [.type, .cell_index, .status, .ended]' run.jsonl
	[ "${lines[0]}" = '["spark_application",2,null,false]' ]
	[ "${#lines[@]}" = 5 ]
	[ "$(grep -c '^."spark_stage",3,"' <<<"$output")" = 4 ]
	"$ROOT/build/testvenv/bin/python" "$ROOT/tests/validate" run.jsonl
}

# bats test_tags=thorough
@test "spark_udf completes; its JVM and its Python workers count as the kernel, and its stages are below their cells" {
	local score='select(.cell_index == 7)'
	UC=$BATS_TEST_TMPDIR/spark_udf
	cp -R "$ROOT/usecases/spark_udf" "$UC"
	rm -rf "$UC"/{notebooks,runs,executed,metrics,report}
	run -0 nb profile WHERE=n_alerts=2000
	has 'verdict: 1 notebook profiled, 10 cells, all completed'
	run -0 jq -r '.cells[].outputs[]? | .text // empty | if type == "array" then add else . end' "$UC"/executed/current/*.ipynb
	[[ $output =~ ([0-9.]+)' alert/second' ]]
	per_s=${BASH_REMATCH[1]}
	[[ $output =~ ([0-9]+)'% objects with p > 0' ]]
	run -0 jq -c "select(.type == \"cell_metrics\" and .cell_index == 7) | [.items_per_s, .items_done_pct]" "$UC/metrics/current/metrics.jsonl"
	[ "$output" = "[$(jq -n "$per_s"),${BASH_REMATCH[1]}]" ] || has "$per_s"
	jq -c 'select(.type == "spark_stage")' "$UC"/runs/current/*.jsonl >stages
	run -0 jq -s -c '[.[].cell_index] | unique' stages
	[ "$output" = '[5,7,8,9]' ]
	run -0 jq -s -c "[.[] | $score] | [(map(.rows_read) | min), (map(.python_ms) | add > 0), (map(.shuffle_written_bytes) | add > 0)]" stages
	[ "$output" = '[2000,true,true]' ]
	# The kernel, the JVM, Spark's daemon of workers and two workers.
	cpu_s=$(jq -s "[.[] | $score | .jvm_cpu_ms] | add / 1000" stages)
	run -0 jq -c --argjson least "$cpu_s" "select(.type == \"cell\") | $score.usage.kernel | [.processes >= 5, .cpu_s >= \$least, .rss_bytes > 4e8]" "$UC"/runs/current/*.jsonl
	[ "$output" = '[true,true,true]' ]
	"$ROOT/build/testvenv/bin/python" "$ROOT/tests/validate" "$UC"/runs/current/*.jsonl
	run -0 nb report
	run -0 grep -c 'Stages of Spark in cell 7' "$UC"/report/current/notebooks/*.html
	run -0 nb profile WHERE=n_alerts=2000
	[[ $output != *'[1/1]'* ]]
}
