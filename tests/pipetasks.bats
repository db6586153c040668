# bats file_tags=untimed
# The pipeline-tasks example, and the figures of nbscope's own metrics.
load helpers

@test "the campaign has 9 steps, 41 kinds of task, 104,864 rows and 1,617 hours, and is the same each time" {
	cd "$ROOT"
	make -s parquet
	export NBSCOPE_PARQUET_VENV=$ROOT/build/parquet-venv	# wherever the programs are
	python=$NBSCOPE_PARQUET_VENV/bin/python
	for k in 1 2; do
		run "$python" share/examples/pipetasks/generate.py "$BATS_TEST_TMPDIR/$k"
		status_is 0
		has "9 steps, 41 kinds of task, 104,864 rows, 1,617 hours"
	done
	cd "$BATS_TEST_TMPDIR"
	diff -r 1 2
	metricstat --path 'step_{step}/{task}_resource_usage/' --exclude summary.csv --by step,task --of run_time --unit run_time=s 1 >stat.jsonl
	[ "$(jq -s '[.[].count] | add' stat.jsonl)" -eq 104864 ]
	[ "$(jq -s '[.[].sum] | add / 3600 | round' stat.jsonl)" -eq 1617 ]
	[ "$(jq -r '.group.step' stat.jsonl | sort -u | wc -l)" -eq 9 ]
	[ "$(jq -r '.group.task' stat.jsonl | sort -u | wc -l)" -eq 41 ]
}

@test "make pipetasks checks the summary, explains it, and draws every figure" {
	cd "$ROOT"
	run make -s pipetasks PIPETASKS="$BATS_TEST_TMPDIR/p"
	status_is 0
	has "22 tables in"
	has "36 figures in"
	cd "$BATS_TEST_TMPDIR/p/report"
	run cat tables/check.txt
	has "its name says GB, but it is in GiB"
	has "another interpolation: lower"
	has "only_in_rows"
	python3 -c "
import glob, xml.etree.ElementTree as E
for f in glob.glob('figures/*.svg'):
    E.parse(f)"
	grep -q make_report tables/tasks.csv
	grep -q '104,864 rows, 9 values of step, 41 values of task; 67 days 09 h of run time' index.html
	[ "$(grep -c '<figure' index.html)" -eq 36 ]
	[ "$(ls interactive | paste -sd' ')" = 'hulls-calls_1-10.html hulls-ranks_1-10.html hulls-ranks_11-20.html hulls-ranks_21-30.html hulls-ranks_31.html' ]
	# Each has the kinds of its own ranks.
	grep -q '>calibrate_image  (10640, 12.0 %)<' figures/hulls-ranks_1-10.svg
	grep -q '>isr  (10730, 3.4 %)<' figures/hulls-ranks_11-20.svg
	run ! grep -q '>calibrate_image' figures/hulls-ranks_11-20.svg
	# Numbers first.
	[ "$(grep -oE 'class="numbers"|class="lead"|<figure|<section id="[a-z]*"' index.html | awk '!seen[$0]++' | paste -sd' ')" = \
		'<section id="findings" <section id="overview" class="numbers" class="lead" <section id="check" <section id="groups" <section id="largest" <section id="outliers" <section id="figures" <figure <section id="files"' ]
	grep -q '<h1>Tasks of a made-up survey, campaign 1</h1>' index.html
	grep -q 'its name says GB, but it is in GiB' index.html
	grep -q 'class="live"><caption>run time by step, task; percentiles: linear' index.html
}

@test "make figures draws what a label's metrics have, and leaves no figure of before that has nothing to show" {
	cd "$ROOT"
	uc=$BATS_TEST_TMPDIR/uc
	mkdir -p "$uc/metrics/x" "$uc/report/x/figures"
	cp usecases/quickstart/template.ipynb "$uc"
	echo '{"side": [1, 2]}' >"$uc/params.json"
	run make -s figures USECASE="$uc" LABEL=x
	[ "$status" -eq 2 ]
	has "no metrics of label 'x' yet: make profile USECASE=$uc LABEL=x"
	for side in 1 2; do
		for cell in 1 2; do
			printf '{"type":"cell_metrics","name":"n%s","params":{"side":%s,"word":"w%s"},"cell_index":%s,"client_execution_time_metric":%s,"kernel_execution_time_metric":1,"client_total_data_received_metric":null,"kernel_cpu_s":1,"browser_cpu_s":1,"kernel_peak_rss_bytes":1e6,"browser_peak_rss_bytes":2e6,"dispatch_s":0.1,"queue_s":0.1,"kernel_s":1,"delivery_s":0.1,"render_s":0.1,"transport_s":0.2}\n' $side $side $side $cell "$((side * cell))"
		done
	done >"$uc/metrics/x/metrics.jsonl"
	touch "$uc/report/x/figures/cell-bytes.svg"
	run make -s figures USECASE="$uc" LABEL=x
	status_is 0
	run ls "$uc/report/x/figures"
	[ "$output" = "$(printf '%s\n' cell-cpu.svg cell-memory.svg cell-time.svg heat-side.svg heat-word.svg largest.svg notebooks.svg sweep.svg waterfall.svg)" ] || { echo "$output"; return 1; }
}
