# bats file_tags=quick
# Spark's event log: share/lab/spark_log.py on a real log of Spark 4.3, of which tests/data/spark has
# the events about the application, its jobs, stages and tasks; and its records in report and trace.
load helpers

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	mkdir logs
	gzip -dc "$ROOT/tests/data/spark/local-1795836159137.gz" >log
}

# stages [JQ]: the records of all logs in the folder logs.
stages() {
	python3 "$ROOT/share/lab/spark_log.py" logs >records
	run -0 jq -c "$1" records
}

@test "stages have the rows, bytes and times of Spark's own log, in which a failure and a time are missing" {
	cp log logs/local-1795836159137
	stages '[.type, .application_name // .stage_name, .ended // .status, .reason]'
	[ "$output" = '["spark_application","alerts",true,null]
["spark_stage","collect at /tmp/alerts/score.py:9","completed",null]
["spark_stage","collect at /tmp/alerts/score.py:9","completed",null]
["spark_stage","sum at /tmp/alerts/score.py:10","completed",null]
["spark_stage","collect at /tmp/alerts/score.py:15","failed","ValueError: no such band"]' ]
	stages 'select(.stage) | [.stage, .tasks, .rows_read, .rows_written, .shuffle_read_bytes, .shuffle_written_bytes, .gc_ms, .python_ms]'
	# By another way: the log's last number of each.
	value() { grep "StageCompleted.*\"Stage ID\":$1," log | jq -c "[.\"Stage Info\".Accumulables[] | select(.Name == \"$2\").Value | tonumber] | add // 0"; }
	rows=$(value 0 internal.metrics.input.recordsRead) gc=$(value 0 internal.metrics.jvmGCTime)
	written=$(value 0 internal.metrics.shuffle.write.bytesWritten) python=$(value 0 'time to run Python workers')
	[ "$rows" = 300 ] && [ "$written" -gt 0 ] && [ "$python" -gt 0 ]
	[ "${lines[0]}" = "[0,1,300,2,0,$written,$gc,$python]" ]
	[ "${lines[1]}" = "[2,1,2,0,$written,0,$(value 2 internal.metrics.jvmGCTime),0]" ]
	has '[3,2,0,0,0,0,'
	stages 'select(.python_ms == null and .stage) | .reasons.python_ms'
	[ "${#lines[@]}" = 2 ]
	has 'not for RDDs'
	has 'when its tasks complete'
	"$ROOT/build/testvenv/bin/python" "$ROOT/tests/validate" --strict records
}

@test "a log without its end has stages that have not ended, without numbers and with the reason" {
	grep -v 'StageCompleted.*"Stage ID":2,' log | sed '/Job ID":2/,$d' >logs/local-1.inprogress
	printf '{"Event":"SparkListenerStageComp' >>logs/local-1.inprogress
	stages '[.ended, .status, .duration_ms, .rows_read, .reasons.rows_read]'
	[ "$output" = '[false,null,null,null,null]
[null,"completed",'"$(jq -c 'select(.stage == 0) | .duration_ms' records)"',300,null]
[null,"unfinished",null,null,"the log of Spark does not have its end"]' ]
	"$ROOT/build/testvenv/bin/python" "$ROOT/tests/validate" --strict records
}

@test "several applications, a log in several files and a compressed one are read; other compression is named" {
	mkdir logs/eventlog_v2_app-2
	split -n l/12 --numeric-suffixes=1 --suffix-length=2 log part
	for n in 1 2 3 4 5 6 7 8 9 10 11 12; do mv "part$(printf %02d $n)" "logs/eventlog_v2_app-2/events_${n}_app-2"; done
	touch logs/eventlog_v2_app-2/appstatus_app-2
	cp log logs/local-1
	cp log logs/local-3.lz4
	stages 'select(.type == "spark_application") | [.stages, .reason]'
	[ "${lines[0]} ${lines[1]}" = '[4,null] [4,null]' ]
	has '[0,"it is compressed by lz4'
	rm -r logs/*
	command -v zstd >/dev/null || skip 'no zstd'
	zstd -q log -o logs/local-4.zstd
	head -c 5000 logs/local-4.zstd >logs/local-5.zstd
	stages 'select(.type == "spark_application") | [.stages, .reason]'
	has '[4,null]'
	has '"its compressed text is damaged"'
}

@test "the end of a job is waited for while it is being written, and no longer than it may be" {
	sed '/JobEnd/,$d' log >logs/local-1.inprogress
	(sleep 0.5; sed -n '/JobEnd/,$p' log >>logs/local-1.inprogress) 3>&- &
	run -0 python3 -c 'import json, sys, time
sys.path.insert(0, sys.argv[1])
import spark_log
began = time.monotonic()
found = spark_log.records("logs", 20)
print(found[0]["stages"], found[0]["ended"], time.monotonic() - began < 10)
began = time.monotonic()
text = open("log").read()
open("logs/local-1.inprogress", "w").write(text[:text.index("{\"Event\":\"SparkListenerJobEnd")])
print(spark_log.records("logs", 0.3)[0]["ended"], 0.3 <= time.monotonic() - began < 5)' "$ROOT/share/lab"
	[ "$output" = $'4 True True\nFalse True' ]
	wait
}

# A run of two notebooks' worth of cells, with the stages of the log in its cell 2.
run_with_stages() {
	cp log logs/local-1
	python3 "$ROOT/share/lab/spark_log.py" logs >records
	begin=$(jq 'select(.type == "cell" and .cell_index == 2).t' "$ROOT/tests/data/used.jsonl")
	grep -v '"type":"run_end"' "$ROOT/tests/data/used.jsonl"
	jq -c --argjson t "$begin" '.cell_index = 2 | .t = $t + 0.001 * (.stage // 0)' records
	grep '"type":"run_end"' "$ROOT/tests/data/used.jsonl"
}

@test "stages are below their cell in the report, and a track of the trace" {
	run_with_stages >run.jsonl
	cellmetrics run.jsonl >metrics
	run -0 jq -c 'select(.type == "spark_stage") | [.name, .repetition, .cell_index, .stage]' metrics
	[ "${lines[0]}" = "$(jq -c 'select(.type == "cell_metrics") | [.name, .repetition, 2, 0]' metrics | head -1)" ]
	[ "${#lines[@]}" = 4 ]
	"$ROOT/build/testvenv/bin/python" "$ROOT/tests/validate" metrics
	metricreport --model model.jsonl --output report.html metrics
	run -0 jq -c '.cells[] | [.cell, (.spark.stages | length)]' model.jsonl
	has '[2,4]'
	[ "$(grep -c ',0\]$' <<<"$output")" = $((${#lines[@]} - 1)) ]
	run -0 grep -c 'Stages of Spark in cell 2' report.html
	run -0 grep -o '<code>collect at /tmp/alerts/score.py:9</code>.*' report.html
	has 'class="n">300</td>'
	run -0 grep -o 'failed</span> ValueError: no such band' report.html
	runtrace run.jsonl >trace
	run -0 jq -c '.traceEvents[] | select(.args.stage) | [.name, .args.status, .args.rows_read]' trace
	[ "${#lines[@]}" = 4 ]
	has '["collect at /tmp/alerts/score.py:9","completed",300]'
	run -0 jq -r '.traceEvents[] | select(.ph == "M") | .args.name' trace
	has 'stages 1'
	# Of two runs, each cell has the stages of its own.
	(cat run.jsonl; sed 's/"repetition":1/"repetition":2/' "$ROOT/tests/data/used.jsonl") | cellmetrics | metricreport --model two.jsonl --output report.html
	run -0 jq -c '[.cells[].spark | select(.).stages | length] | add' two.jsonl
	[ "$output" = 4 ]
}
