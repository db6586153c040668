# bats file_tags=untimed
# make tasks: anybody's campaign, from a folder of task records to tables, figures and a report.
load helpers
load renderer
load make

setup_file() {
	start_renderer
}

teardown_file() {
	stop_renderer
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	export NBSCOPE_PARQUET_VENV=$ROOT/build/testvenv
}

# The files of a survey: 30 Parquet files named .parq, in folders that name step and task, whose
# summary is split by step and has the mistakes that were found in a real one.
survey() {
	"$NBSCOPE_PARQUET_VENV/bin/python" - <<-'P'
	import csv, math, pathlib, random
	import pyarrow as pa, pyarrow.parquet as pq
	r = random.Random(8)
	for step in range(1, 6):
	    rows = []
	    for k in range(6):
	        task, n = f"{'abcdef'[k]}Task{step}", r.randrange(50, 90)
	        time = [round(r.lognormvariate(2 + k / 3, 0.6), 3) for _ in range(n)]
	        memory = [int(r.lognormvariate(20.5 + k / 5, 0.3)) for _ in range(n)]
	        folder = pathlib.Path(f"survey/step_{step}/{task}_resource_usage")
	        folder.mkdir(parents=True)
	        pq.write_table(pa.table({"wall_time" if step % 2 else "elapsed": time, "cpu_time": [round(t * r.uniform(0.6, 0.98), 3) for t in time], "max_rss": memory,
	                                 "band": [r.choice("ugrizy") for _ in range(n)], "visit": list(range(n))}), folder / "part-0.parq")
	        near = lambda v, p: sorted(v)[round((len(v) - 1) * p)]
	        rows.append([task, n, *[round(near(memory, p) / 2**30, 3) for p in (.05, .5, .95)], *[near(time, p) for p in (.05, .5, .95)], round(math.fsum(time) / 3600, 4)])
	    with open(f"survey/step_{step}/summary.csv", "w", newline="") as f:
	        out = csv.writer(f)
	        out.writerow(["task", "quanta", *[f"mem_GB_p{p}" for p in ("005", "050", "095")], *[f"runtime_s_p{p}" for p in ("005", "050", "095")], "integrated_runtime_hrs"])
	        out.writerows(rows if step > 1 else rows[:-1])
	P
}

@test "make tasks turns a folder of 30 files into tables, figures and a report in one command, without any setting" {
	survey
	begin=$(date +%s%N)
	run make -s -C "$ROOT" tasks DATA="$BATS_TEST_TMPDIR/survey"
	took=$((($(date +%s%N) - begin) / 1000000))
	echo "$took ms"
	status_is 0
	has "19 tables in"
	has "the report: "
	[ "$took" -lt 30000 ]	# 10 s on an idle machine
	[ "$(metricstat -f json --of count,run_time survey-report/tables/tasks.csv 2>/dev/null | wc -l)" -ge 0 ]
	[ "$(tail -n +2 survey-report/tables/tasks.csv | cut -d, -f1,2 | sort -u | wc -l)" = 30 ]
	run cat survey-report/tables/check.txt
	has "another interpolation: nearest"
	has "its name says GB, but it is in GiB"
	has "only_in_rows"
	[ "$(grep -c not_compared <<<"$output")" = 0 ]
	grep -q 'rows, 5 values of step, 30 values of task; ' survey-report/index.html
	grep -qE 'CPU efficiency|cpu efficiency' survey-report/index.html
	[ "$(grep -c '<figure' survey-report/index.html)" = "$(ls survey-report/figures | wc -l)" ]
	# Once more: what it wrote is not read.
	cp survey-report/tables/tasks.csv before.csv
	run make -s -C "$ROOT" tasks DATA="$BATS_TEST_TMPDIR/survey" FIGURES_AS=json REQUESTS='slurm bps' RISK=20%
	status_is 0
	has 'requests for bps: '
	[ "$(grep -c '^#SBATCH --mem=' survey-report/requests/slurm.sbatch)" = 30 ]
	grep -q 'caption>Requests for further executions' survey-report/index.html
	grep -q 'href="requests/bps.yaml"' survey-report/index.html
	cmp before.csv survey-report/tables/tasks.csv
}

@test "make tasks-new writes settings with its guesses as comments, which make tasks uses and a command line overrides" {
	survey
	run make -s -C "$ROOT" tasks-new DATA="$BATS_TEST_TMPDIR/survey"
	status_is 0
	has 'PATTERN ?= step_{step}/{task}_resource_usage/'
	has 'SUMMARY ?= step_*/summary.csv'
	has 'MAP ?= run_time=wall_time,elapsed memory=max_rss'
	has 'UNITS ?= run_time=s cpu_time=s memory=bytes'
	has 'BY ?= step task'
	has '# memory: from max_rss'
	# A folder's number is the campaign's.
	cp -R survey survey_32
	rm -f survey_32/campaign.mk
	run "$ROOT/share/tasks/guess" survey_32
	status_is 0
	has 'TITLE ?= survey
NUMBER ?= 32'
	run make -s -C "$ROOT" tasks-new DATA="$BATS_TEST_TMPDIR/survey"
	[ "$status" -eq 2 ]
	has 'campaign.mk exists already'
	# Names in the data are evaluated by nobody.
	mkdir -p odd/'$(shell touch pwned)' odd/'`touch pwned`'
	printf 'elapsed,"a\n$(shell touch pwned)",$(shell touch pwned2)\n1,2,x\n3,4,y\n' >a.csv
	for folder in odd/*; do cp a.csv "$folder"; done
	run make -s -C "$ROOT" tasks-new DATA="$BATS_TEST_TMPDIR/odd"
	status_is 0
	run make -s -n -C "$ROOT" tasks DATA="$BATS_TEST_TMPDIR/odd"
	[ -z "$(find . "$ROOT" -maxdepth 2 -name 'pwned*')" ]
	[[ "$(cat odd/campaign.mk)" != *'$'* ]]
	run make -s -C "$ROOT" tasks DATA="$BATS_TEST_TMPDIR/survey" FIGURES_AS=json MAP='run_time=wall_time,elapsed' SUMMARY= TASKS_OUT="$BATS_TEST_TMPDIR/out"
	status_is 0
	has "skipped what needs memory: '$BATS_TEST_TMPDIR/survey' has no such column of numbers; its columns are: "
	has "max_rss"
	[ ! -e out/tables/check.txt ]
	[ ! -e out/tables/memory.csv ]
}

@test "YAML metadata, one file for each task, are rows; their names and folders are columns" {
	for step in 1 2; do
		for task in isr coadd; do
			mkdir -p "meta/step_$step/$task"
			for i in 1 2 3 4 5; do
				printf 'quantum:\n  elapsed: %s\n  cpu_time: %s\n  maxRSS: %s\n  host: h%s\n' "$((i * 10))" "$((i * 9))" "$((i * 400000000))" "$((i % 2))" >"meta/step_$step/$task/$i.yaml"
			done
		done
	done
	run -0 metricstat -f json --path 'step_{step}/{task}/' --by step,task --alias run_time=quantum.elapsed --of run_time meta
	[ "$(jq -c '[.group.step, .group.task, .count, .sum]' <<<"$output")" = $'["1","coadd",5,150]\n["1","isr",5,150]\n["2","coadd",5,150]\n["2","isr",5,150]' ]
	run make -s -C "$ROOT" tasks DATA="$BATS_TEST_TMPDIR/meta" FIGURES_AS=json
	status_is 0
	has "18 tables in"
	grep -q '20 rows, 2 values of step, 2 values of task' meta-report/index.html
}

@test "several names of one column are united, and a derived column that replaces another warns" {
	printf 'wall_time,t\n1,a\n2,b\n' >1.csv
	printf 'elapsed,t\n4,a\n' >2.csv
	printf 'run_time,elapsed\n8,100\n' >3.csv
	run -0 --separate-stderr metricstat -f json --alias run_time=wall_time,elapsed --of run_time 1.csv 2.csv 3.csv
	[ "$(jq -c '[.count, .sum]' <<<"$output")" = '[4,15]' ]
	[ "$stderr" = "metricstat: 3.csv: 'elapsed' is not read: it means the same column as 'run_time'" ]
	run -0 --separate-stderr metricstat -f json -d 'wall_time=wall_time*60' --of wall_time 1.csv
	[ "$(jq .sum <<<"$output")" = 180 ]
	[ "$stderr" = "metricstat: --derive: 'wall_time' replaces the column of this name" ]
	run -0 --separate-stderr metricstat -f json -d 'z=wall_time*60' 1.csv
	[[ "$stderr" != *replaces* ]]
	run metricstat --alias run_time= 1.csv
	status_is 2
	run -0 table2metrics --format csv --alias run_time=wall_time,elapsed 1.csv 2.csv
	[ "$(tr -d '\r' <<<"$output" | paste -sd' ')" = 'run_time,t 1,a 2,b 4,a' ]
}

@test "make tasks without a campaign says what to type" {
	run -2 make --no-print-directory -C "$ROOT" tasks
	has 'tasks: which campaign? make tasks DATA='
}

@test "make compare and make publish work for a campaign: which kinds became slower, in its report, among others" {
	survey
	rm survey/step_*/summary.csv
	cp -R survey survey_2
	"$NBSCOPE_PARQUET_VENV/bin/python" - <<-'P'
	import pyarrow.parquet as pq, pyarrow.compute as pc
	file = "survey_2/step_2/cTask2_resource_usage/part-0.parq"
	t = pq.read_table(file)
	pq.write_table(t.set_column(0, "elapsed", pc.multiply(t["elapsed"], 2.0)), file)
	P
	run -2 make -s -C "$ROOT" compare DATA="$BATS_TEST_TMPDIR/survey_2" BASE_DATA="$BATS_TEST_TMPDIR/survey" FIGURES_AS=json
	has 'verdict: worse: run_time of 2 cTask2 +'
	[ "$(jq -r 'select(.type == "comparison" and .result == "worse") | .name' survey_2-report/against-survey/comparison.jsonl)" = '2 cTask2' ]
	grep -q '<section id="comparison"' survey_2-report/index.html
	run -2 make -s -C "$ROOT" compare DATA="$BATS_TEST_TMPDIR/survey_2"
	has "compare: no folder BASE_DATA=''"
	echo '<h1>{{>title}}</h1>{{#each findings}}{{.}}{{/each}}' >mine.html
	run make -s -C "$ROOT" publish DATA="$BATS_TEST_TMPDIR/survey_2" DEST="$BATS_TEST_TMPDIR/www" FIGURES_AS=json REPORT_TEMPLATE="$BATS_TEST_TMPDIR/mine.html"
	status_is 0
	grep -q '<h1>survey, campaign 2</h1>' www/campaigns/survey_2/index.html
	grep -q 'href="./campaigns/survey_2/index.html">survey, campaign 2</a>' www/index.html
	[ ! -e www/campaigns/survey_2/.work ]
}
