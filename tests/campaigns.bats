# bats file_tags=quick
# Campaigns of tasks in the forms that other tools write: read without a setting, each execution
# once. Figures are specifications only, which need no renderer.
load helpers

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	export WHERE=
	DATA=$ROOT/tests/data/campaigns
}

# analyse DATA [SETTING=VALUE...]: makes its tables, figures and report in out.
analyse() {
	local data=$1
	shift
	run -0 --separate-stderr env "$@" "$ROOT/share/tasks/analyse" "$data" out json
	[ -s out/index.html ]
}

# sums COLUMN: of the table of tasks, KEYS: the number and the sum of a column for each group.
sums() {
	jq -r --arg column "$1" 'select(.type == "stat" and .column == $column and
		(.total | not)) | "\(.group | [.[]] | join(",")): \(.count) \(.sum * 100 | round / 100)"' \
		out/.work/records/tasks | paste -sd';'
}

# A survey's folders: only the folder says that a table is the summary, whose memory is in GiB. The
# slow executions of calibrate are those of detector 9.
survey() {
	python3 - "$1" <<-'P'
	import csv, pathlib, sys
	def write(path, rows):
	    path.parent.mkdir(parents=True, exist_ok=True)
	    with open(path, "w", newline="") as f:
	        out = csv.DictWriter(f, list(rows[0]))
	        out.writeheader()
	        out.writerows(rows)
	steps = {"step1_20240828T132128Z": {"isr": (40, 32), "calibrate": (60, 43)},
	         "step3_20240902T171144Z": {"visitSummary": (10, 6), "deblend": (8, 2400)}}
	for step, kinds in steps.items():
	    summary = []
	    for task, (n, s) in kinds.items():
	        rows = [{"band": "grizy"[i % 5], "visit": 38000 + i, "detector": i % 20, "memory": (2000 + i) * 10**6, "init_time": 0.03 + i / 1e4,
	                 "run_time": (8 if task == "calibrate" and i % 20 == 9 else 1) * (s + i % 7)} for i in range(n)]
	        write(pathlib.Path(sys.argv[1], step, f"{task}_resource_usage", "part-0.csv"), rows)
	        gib = [r["memory"] / 2**30 for r in rows]
	        summary.append({"task": task, "quanta": n, "integrated_runtime_hrs": sum(r["run_time"] for r in rows) / 3600, "mem_GB_p000": min(gib), "mem_GB_p100": max(gib)})
	    write(pathlib.Path(sys.argv[1], step, "ResourceUsageSummary", "part-0.csv"), summary)
	P
}

@test "a survey's folders come out right without a setting: summaries are compared, and not counted" {
	survey dp
	analyse dp
	sums run_time
	[ "$(sums run_time)" = '1,calibrate: 60 3678;1,isr: 40 1395;3,deblend: 8 19221;3,visitSummary: 10 84' ]
	grep -qx 'PATTERN ?= step{step}_{date}/{task}_resource_usage/' out/campaign.mk
	grep -qx 'SUMMARY ?= step\*/ResourceUsageSummary/part-0.csv' out/campaign.mk
	grep -qx 'BY ?= step task' out/campaign.mk
	[ "$(jq -r 'select(.summary_column) | "\(.summary_column) \(.verdict)"' out/.work/records/check |
		grep -v '^date' | paste -sd,)" = 'quanta same,integrated_runtime_hrs same,mem_GB_p000 explained,mem_GB_p100 explained' ]
	grep -q 'its name says GB, but it is in GiB' out/index.html
	grep -q '<li>All 3 slow runs of calibrate were of detector 9 ' out/index.html
	# The real file and its row.
	[ "$(jq -r 'select(.type == "largest" and .rank == 1) | "\(.file) \(.row) \(.of.visit)"' out/.work/report.jsonl)" = \
		'step3_20240902T171144Z/deblend_resource_usage/part-0.csv 7 38006' ]
	grep -q '^run_time,.*,dp/step1_20240828T132128Z/calibrate_resource_usage/part-0.csv,10'$'\r' out/tables/outliers.csv
	# The task consolidateVisitSummary is no summary.
	mv dp/step3_20240902T171144Z/visitSummary_resource_usage dp/step3_20240902T171144Z/consolidateVisitSummary
	rm -r out
	analyse dp
	[[ "$(sums run_time)" = *';3,consolidateVisitSummary: 10 84;'* ]]
}

@test "tables and figures are made again only when data or settings change" {
	survey dp
	analyse dp
	[[ "$output" = *' made now; '* ]] && [[ "$output" != *' 0 made now; '* ]]
	touch -d '1 hour ago' out/tables/* out/figures/* out/index.html
	analyse dp
	[[ "$output" = *' 0 made now; '* ]]
	find out/tables out/figures out/index.html -type f -mmin -30
	[ -z "$(find out/tables out/figures out/index.html -type f -mmin -30)" ]
	# A setting of some of them, a file that is gone, one that is damaged, and other rows.
	analyse dp OUTLIERS=iqr:5
	[[ "$output" = *' 4 made now; '* ]]
	rm out/figures/box.json
	echo >>out/tables/steps.csv
	analyse dp OUTLIERS=iqr:5
	[[ "$output" = *' 2 made now; '* ]]
	[ -n "$(find out/figures/box.json -mmin -30)" ]
	echo 'g,1,1,2000000000,1,100' >>dp/step1_20240828T132128Z/isr_resource_usage/part-0.csv
	analyse dp OUTLIERS=iqr:5
	[[ "$(sums run_time)" = *'1,isr: 41 1495;'* ]]
	[ -z "$(find out/tables -name '*.csv' -mmin +30)" ]
	# What is no longer in the plan is removed.
	analyse dp SHOW= CATEGORY=memory:small\<=1GB,high
	analyse dp MAP=memory_=memory
	[ ! -e out/tables/memory.csv ]
	[[ "$stderr" = *"skipped what needs memory: 'dp' has no such column"* ]]
}

@test "what does not fit is skipped with a line that names the setting, and a report is written" {
	survey dp
	analyse dp 'CATEGORY=memory:small<=5XB,high' COHORT=nonsense
	echo "$stderr"
	[[ "$stderr" = *'tasks: skipped memory: '*'; see CATEGORY'* ]]
	[[ "$stderr" = *'tasks: skipped early: '*'; see COHORT'* ]]
	[[ "$stderr" = *'tasks: skipped categories: '*'; see CATEGORY'* ]]
	grep -q '<h2>Findings</h2>' out/index.html
}

@test "Nextflow's trace: realtime is run time, what is cached did not run, and a retry counts once" {
	analyse "$DATA/nextflow"
	[ "$(sums run_time)" = 'ALIGN:BWA_MEM: 4 28846;CALL:HAPLOTYPES: 2 5850;MULTIQC: 1 22.1;QC:FASTQC: 2 119.5' ]
	[ "$(sums memory)" = 'ALIGN:BWA_MEM: 4 70544837836.8;CALL:HAPLOTYPES: 2 13314398617.6;MULTIQC: 1 641728512;QC:FASTQC: 2 859727462.4' ]
	# CPU time is that of %cpu.
	[[ "$(sums cpu_time)" = *';MULTIQC: 1 19.45;'* ]]
	[ "$(jq -r 'select(.total | not) | "\(.group.outcome) \(.group.task) \(.count) \(.sum)"' out/.work/records/failed | paste -sd,)" = \
		'failed CALL:HAPLOTYPES 1 160,repeated ALIGN:BWA_MEM 1 2300' ]
	grep -q '<li>2 executions failed, .* 2.7 minutes, ' out/index.html
	grep -q '<li>1 execution failed or was stopped, and ran again: 38.3 minutes, ' out/index.html
	grep -q '<li>2 rows did not run, or had not ended (CACHED), and are not counted' out/index.html
}

@test "sacct -P: a job and its steps are one execution, with the memory of the steps; failed and requeued ones are counted apart" {
	analyse "$DATA/sacct"
	[ "$(sums run_time)" = 'coadd: 2 178984;fit: 1 7801;isr: 3 303' ]
	sums memory
	[ "$(sums memory)" = 'coadd: 2 43910668288;fit: 1 9228292096;isr: 3 1442784256' ]
	[ "$(sums cpu_time)" = 'coadd: 2 1342280;fit: 1 30000;isr: 3 276.37' ]
	[ "$(jq -r 'select(.total | not) | "\(.group.outcome) \(.group.JobName) \(.sum)"' out/.work/records/failed | paste -sd,)" = \
		'failed coadd 210040,failed fit 0,repeated coadd 1200' ]
	grep -q '<li>3 executions failed, and did not complete in another attempt: 2.4 days, 53 % of all run time' out/index.html
	grep -q '<li>1 execution failed or was stopped, and ran again: 20 minutes' out/index.html
	grep -q '<li>1 row did not run, or had not ended (PENDING)' out/index.html
}

@test "Snakemake's benchmarks: a file is an execution, its folder the rule, and memory is in MiB" {
	analyse "$DATA/snakemake"
	[ "$(sums run_time)" = 'index: 2 6;map: 2 94697.46;sort: 2 125.11' ]
	grep -qx 'UNITS ?= run_time=s cpu_time=s memory=MiB' out/campaign.mk
	[ "$(jq -r 'select(.type == "largest" and .rank == 1) | .file' out/.work/report.jsonl)" = benchmarks/map/s2.txt ]
}

@test "pytest-benchmark's rounds, hyperfine's runs and BenchExec's table are executions" {
	analyse "$DATA/pytest-benchmark"
	[ "$(sums run_time)" = 'test_fit: 3 3.92;test_read[csv]: 3 0.04;test_read[parquet]: 3 0.01' ]
	analyse "$DATA/hyperfine"
	[ "$(sums run_time)" = 'find / -name x: 2 2.51;sleep 0.3: 3 0.91' ]
	grep -q '1 execution failed, ' out/index.html
	[ "$(jq -r 'select(.type == "largest" and .rank == 1) | "\(.file) \(.row)"' out/.work/report.jsonl)" = 'run.json 5' ]
	analyse "$DATA/benchexec"
	[ "$(sums run_time)" = 'loops/array-1.yml: 2 15.73;loops/array-2.yml: 1 14.02;loops/sum01.yml: 1 4.4;loops/sum02.yml: 2 16.83' ]
	grep -q '2 executions failed, ' out/index.html
}

@test "qstat's JSON: the jobs of PBS that ended are executions, and kb are 1024 bytes" {
	analyse "$DATA/pbs"
	[ "$(sums run_time)" = 'coadd: 2 3601;isr: 2 120' ]
	[ "$(sums cpu_time)" = 'coadd: 2 7200;isr: 2 150' ]
	[ "$(sums memory)" = 'coadd: 2 3221225472;isr: 2 3221225472' ]
	grep -q '1 execution failed, ' out/index.html
	grep -q '1 row did not run, or had not ended (RUNNING)' out/index.html
	[[ "$stderr" = *"table2metrics: 'memory': 6 of 6 values (100 %) read in units of 1024, "* ]]
}

@test "Google Benchmark's repetitions are executions, in one line too, and its means are not" {
	analyse "$DATA/google-benchmark"
	[ "$(jq -c 'select(.type == "stat" and .column == "run_time" and (.total | not)) | [.group.benchmark, .count, (.sum * 1e9 | round)]' out/.work/records/tasks | paste -sd' ')" = \
		'["BM_Read",2,7100000] ["BM_Sort/1024",2,25200] ["BM_Sort/4096",2,121000]' ]
}

@test "efficiency is in the table of a cohort and in boxes, and CPU time is in each class of memory" {
	mkdir c
	{
		echo task,run,run_time,cpu_time,memory
		for i in 1 2 3 4 5 6; do echo "isr,$i,$((10 * i)),$((i > 4 ? 5 * i : 10 * i)),$((i * 2000000000))"; done
		echo coadd,1,100,20,30000000000
		echo coadd,2,100,30,30000000000
	} >c/t.csv
	analyse c BY=task COHORT='early:run<=4' CATEGORY='memory:small<=5GB,medium<=20GB,high'
	[ "$(grep ',cpu_efficiency_pct,' out/tables/early.csv | cut -d, -f1,2,12 | paste -sd';')" = 'coadd,early,25.0;isr,early,100.0;isr,other,50.0' ]
	# Of isr 4 executions have 100 %, and 2 have 50 %; coadd is 200 of 410 s, and isr 210.
	[ "$(jq -c '[.data.values[] | select(.p50) | [.g, .p25, .p50]]' out/figures/efficiency-box.json)" = '[["coadd",22.5,25],["isr",62.5,100]]' ]
	[ "$(jq -c '[.data.values[] | [.g, (.share | floor), .p50]]' out/figures/efficiency-dominant.json)" = '[["isr",51,100],["coadd",48,25]]' ]
	[ "$(jq -c '[.concat[0].data.values[] | [.g, .x]]' out/figures/ranked-calls.json)" = '[["isr",6],["coadd",2]]' ]
	[ "$(jq -r 'select(.column == "cpu_time" and .group.task == "isr") | "\(.group.memory_category) \(.sum)"' out/.work/records/memory | paste -sd';')" = 'small 30;medium 125' ]
	[ "$(jq -c '[.concat[2].data.values[] | [.g, .c, .n]]' out/figures/categories.json)" = '[["coadd","high",50],["isr","small (≤ 5GB)",30],["isr","medium (≤ 20GB)",125]]' ]
	[ "$(jq -c '[.concat[2].data.values[].t] | unique' out/figures/categories.json)" = '["2 min 35 s","50 s"]' ]
}

@test "nothing is the largest where two tie: in the report's overview, and in the findings" {
	mkdir c
	printf '%s\n' task,run_time a,50 b,20 c,20 d,10 e,5 >c/t.csv
	analyse c BY=task
	grep -q 'most of it: task=a, 47.6 %' out/index.html
	grep -q '<li>86 % of the run time is in a (48 %), b (19 %) and c (19 %)' out/index.html
	! grep -q 'most of them:' out/index.html || false
	printf '%s\n' task,run_time a,50 b,50 c,20 d,20 >c/t.csv
	analyse c BY=task
	! grep -q 'most of it:' out/index.html || false
	! grep -q '% of the run time is in' out/index.html || false
}

@test "nbscope-tasks says of each table and figure what it answers" {
	survey dp
	analyse dp
	page=$(mandoc -T ascii "$ROOT/man/nbscope-tasks.7" | sed $'s/.\b//g')
	for file in out/tables/*.csv out/figures/*.json; do
		name=${file##*/} name=${name%.*}
		case $name in hulls-ranks_*) name=hulls-ranks_N ;; hulls-step_*) name=hulls-STEP ;; esac
		grep -qE "^ +(.*, )?$name(,.*|  .*|)$" <<<"$page" || { echo "$name is missing"; return 1; }
	done
}

@test "the wide table has a row for each kind in fixed units, and a total, in three forms" {
	survey dp
	analyse dp WIDE='runs=count hours=sum(run_time):h peak_GiB=max(memory):GiB'
	# 3678 + 1395 + 19221 + 84 s; 2,059 MB.
	[ "$(sed -n '1p;$p' out/tables/wide.csv)" = $'step,task,runs,hours,peak_GiB\nall,,118,6.771666667,1.917593181' ]
	grep -qx '1,isr,40,0.3875,[0-9.]*' out/tables/wide.csv
	grep -q '^| step | task | runs | hours | peak_GiB |$' out/tables/wide.markdown
	grep -qF 'step & task & runs & hours & peak\_GiB \\' out/tables/wide.latex
	analyse dp WIDE='x=sum(run_time):GB'
	[[ "$stderr" = *"skipped wide: tasks: WIDE: run_time is in s, which cannot be shown in 'GB'; see WIDE"* ]]
	[ ! -e out/tables/wide.csv ] && [ -e out/index.html ]
}
