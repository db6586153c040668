# bats file_tags=quick
# What to request for further executions: metricstat --request, and the templates of engines.
load helpers

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	templates=$ROOT/share/tasks/requests
}

# peaks NUMBER...: a table of rows with these peaks, in MB.
peaks() {
	echo memory_mb
	printf '%s\n' "$@"
}

# request MEMBERS OPTION...: these members of the record that metricstat makes of standard input.
request() {
	local members=$1
	shift
	metricstat -f json --request "$@" | jq -c "[$members]"
}

@test "as many executions are needed as Wilks' and Wald's bounds say" {
	while read -r risk confidence one two; do
		[ "$(peaks 1 | request .executions_needed "$risk" --confidence "$confidence")" = "[$one]" ]
		[ "$(printf 'memory_mb,run_time_s\n1,1\n' | request .executions_needed "$risk" --confidence "$confidence")" = "[$two]" ]
	done <<-'EOT'
		5% 95 59 93
		0.05 95 59 93
		10% 90 22 38
		1% 95 299 473
		1% 99 459 662
		50% 95 5 8
		0% 95 null null
	EOT
	[ "$(peaks {1..59} | request '.basis,.memory_bytes,.risk_pct,.risk_low_pct' 5% --confidence 95)" = '["ranks",59000000,5,0]' ]
	[ "$(peaks {1..58} | request '.basis,.memory_bytes,.risk_high_pct' 5% --confidence 95)" = '["too_few",69600000,null]' ]
	[ "$(peaks 1 2 3 | request '.basis,.memory_bytes,.max_memory_bytes' 1%)" = '["too_few",3600000,3000000]' ]
	# 93 values are enough for the second largest, not for the third, with equal ones as well.
	[ "$(peaks {1..93} | request .memory_bytes 5% --confidence 95)" = '[92000000]' ]
	[ "$(peaks {1..90} 93 93 93 | request .memory_bytes 5% --confidence 95)" = '[93000000]' ]
	[ "$(peaks {1..90} 93 93 93 99 | request '.memory_bytes,(.risk_high_pct < 5)' 5% --confidence 95)" = '[93000000,true]' ]
}

@test "the confidence is shared by the groups that have enough executions" {
	{ echo task,memory_mb; for task in a b c; do seq 100 | sed "s/^/$task,/"; done; echo few,1; } >t.csv
	[ "$(metricstat -f json --by task --request 5% --confidence 95 t.csv | jq -s -c 'map([.group.task, .basis, .executions_needed])')" = \
		'[["a","ranks",80],["b","ranks",80],["c","ranks",80],["few","too_few",80]]' ]
	[ "$(metricstat -f json --by task --request 5% --confidence 95 -w task=a,few t.csv | jq -s -c 'map(.executions_needed) | unique')" = '[59]' ]
}

@test "time, cores and costs follow from the rows, and unknown ones are null" {
	{
		echo memory_gb,elapsed_mins,cores
		seq 123 | sed 's/$/,6,2/'
		echo 200,600,16
	} >t.csv
	# Three ranks: two of memory; the time is that of those with enough of it.
	[ "$(request '.memory_bytes,.time_s,.cores,(.gb_hours,.max_gb_hours|.*10|round)' 5% --confidence 95 <t.csv)" = '[123000000000,360,2,27429,53520]' ]
	printf 'memory_mb,run_time_s,cpu_time_s\n1,10,33\n1,10,31\n' | request '.cores,.time_s' 5% -d cores=cpu_time_s/run_time_s >out
	[ "$(cat out)" = '[4,12]' ]
	[ "$(peaks 1 2 | request '.time_s,.cores,.gb_hours' 5%)" = '[null,null,null]' ]
	# A peak of 0 was not measured, as an empty one.
	[ "$(printf 'memory_mb\n0\n""\n' | sed '$a 5' | request '.executions,.memory_bytes' 5%)" = '[1,6000000]' ]
	[ "$(printf 'task,memory_mb\na,0\nb,1\n' | metricstat -f json --by task --of memory_mb --request 5% | jq -c 'select(.group.task == "a") | [.executions, .memory_bytes, .basis]')" = '[0,null,"too_few"]' ]
}

@test "executions that were killed need more than they show, unless another attempt completed" {
	{
		echo id,memory_mb,exit
		seq 100 | sed 's/.*/&,&,0/'
		printf '%s,50,137\n' 7 8 9
	} >t.csv
	# Two ranks: the three that were killed are above all others.
	[ "$(request '.executions,.killed,.basis,.memory_bytes' 5% --confidence 95 --of memory_mb --killed exit=137 <t.csv)" = '[103,3,"killed",200000000]' ]
	[ "$(request '.executions,.killed,.basis,.memory_bytes' 10% --confidence 95 --of memory_mb --killed exit=137 <t.csv)" = '[103,3,"ranks",98000000]' ]
	[ "$(request '.executions,.killed,.basis,.memory_bytes' 5% --confidence 95 --of memory_mb --killed exit=137 --execution id <t.csv)" = '[100,0,"ranks",99000000]' ]
	# Without a completed attempt it remains killed; rows without an id are executions of their own.
	printf 'id,memory_mb,exit\n1,4,137\n1,9,137\n,1,0\n,2,0\n' >u.csv
	[ "$(request '.executions,.killed,.memory_bytes' 5% --of memory_mb --killed exit=137 --execution id <u.csv)" = '[3,1,18000000]' ]
}

@test "attempts are planned where they cost less, and their risk is that of the last one" {
	{ echo memory_gb,run_time_s; for i in {1..200}; do echo "1,3600"; done; echo 16,3600; echo 16,3600; } >t.csv
	members='.attempts,.memory_bytes,.last_memory_bytes,.gb_hours,.risk_low_pct > 0'
	[ "$(request "$members" 2% --confidence 80 <t.csv)" = '[1,16000000000,16000000000,3232,false]' ]
	[ "$(request "$members" 2% --confidence 80 --attempts 2 <t.csv)" = '[2,8000000000,16000000000,1648,false]' ]
	[ "$(request "$members" 2% --confidence 80 --attempts 9 <t.csv)" = '[5,1000000000,16000000000,262,false]' ]
	# If all need the same, one attempt is cheapest.
	{ echo memory_gb,run_time_s; for i in {1..200}; do echo "4,3600"; done; } >same.csv
	[ "$(request .attempts,.memory_bytes 2% --confidence 80 --attempts 3 <same.csv)" = '[1,4000000000]' ]
}

@test "a risk that makes no sense, and a table without memory or units, are usage errors" {
	peaks 1 2 >t.csv
	for risk in 60% -1% 0.7 5 '' x 1%% nan 50.1%; do
		run metricstat --request "$risk" t.csv
		status_is 2
		has 'metricstat: --request: a risk '
		has 'must be a number from 0 to '
	done
	run metricstat --request 60% t.csv
	has "a risk in % must be a number from 0 to 50, not '60'"
	run metricstat --attempts 2 t.csv
	status_is 2
	has '--attempts has no effect without --request'
	printf 'run_time_s\n1\n' >time.csv
	run metricstat --request 1% time.csv
	status_is 2
	has 'no analysed column is one of memory: --alias memory=COLUMN names it'
	printf 'memory\n1\n' >unit.csv
	run metricstat --request 1% unit.csv
	status_is 2
	has "unknown unit of 'memory': --unit names it"
	run metricstat --request 1% --killed exit=137 t.csv
	status_is 3
}

@test "all formats have the requests, with units for people and without for programs" {
	printf 'task,memory_mb,run_time_s\na,1500,75\n' >t.csv
	run metricstat -f text --by task --of memory_mb,run_time_s --request 1% t.csv
	has '1.800 GB'
	has '1 min 30 s'
	run metricstat -f csv --by task --of memory_mb,run_time_s --request 1% t.csv
	[ "${lines[0]//$'\r'/}" = task,executions,killed,attempts,memory_bytes,last_memory_bytes,time_s,cores,basis,executions_needed,risk_low_pct,risk_high_pct,gb_hours,max_gb_hours ]
	[[ "${lines[1]}" == a,1,0,1,1800000000,1800000000,90.0,,too_few,* ]]
}

@test "in 20 random halves of a campaign with heavy tails, requests from one half keep their risk in the other" {
	run python3 "$ROOT/tests/requests.py" 2 5 20
	status_is 0
	[ "$(grep -c '^risk .* killed .* halves of kinds' <<<"$output")" = 2 ]
	# It would notice limits that are too low.
	mkdir low
	printf '#!/bin/sh\n%s -c "[.last_memory_bytes, .time_s] as [\$m, \$t] | .last_memory_bytes = \$m / 2"\n' "$BIN/metricstat \"\$@\" | jq" >low/metricstat
	chmod +x low/metricstat
	PATH=$BATS_TEST_TMPDIR/low:$PATH run python3 "$ROOT/tests/requests.py" 1 5
	status_is 1
	has 'campaign 0, split '
}

# records: of kinds of task whose names have a meaning in some syntax, the second with two attempts.
records() {
	python3 - <<-'P'
	import json
	names = ["isr", "it's", 'a"b\\c', "x: y #z", "- q", "100%", "new\nline", "é λ", "$HOME `id` $(id)", "!neg", "a.b*c", "\u2028", "\x7f\x85", "yes", "{a: 1}", "*/ // end", "\\"]
	for i, name in enumerate(names):
	    print(json.dumps({"group": {"task": name}, "executions": 3, "killed": 0, "basis": "too_few", "executions_needed": 1071, "risk_pct": 1, "attempts": 1 + i % 2, "memory_bytes": 1048577 * (i + 1), "time_s": 59.5 + 60 * i, "cores": 1 + i % 2}))
	print(json.dumps({"group": {"task": None}, "memory_bytes": 5}))
	P
}

# engine FILE: what the template for it makes of standard input.
engine() { jq -nr -L "$templates" -f "$templates/$1.jq"; }

@test "BPS's requests are YAML with every name as it is, in MB and seconds" {
	records | engine bps.yaml >bps.yaml
	records >records.jsonl
	run "$ROOT/build/testvenv/bin/python" - <<-'P'
	import json, yaml
	names = [json.loads(line)["group"]["task"] for line in open("records.jsonl")]
	tasks = yaml.safe_load(open("bps.yaml"))["pipetask"]
	assert list(tasks) == names[:-1], list(tasks)
	assert tasks["isr"] == {"requestMemory": 2, "requestWalltime": 60, "requestCpus": 1}, tasks["isr"]
	assert tasks["it's"] == {"requestMemory": 3, "requestWalltime": 120, "requestCpus": 2, "memoryMultiplier": 2, "numberOfRetries": 1}, tasks["it's"]
	P
	status_is 0
	grep -q '# the maximum + 20 %: 3 executions are too few for a risk of 1 %, which needs 1071' bps.yaml
}

@test "Nextflow's requests are blocks with quoted patterns, and retry where that is planned" {
	records | engine nextflow.config >nextflow.config
	run sed -n '3,19p' nextflow.config
	[ "$output" = "    // isr: the maximum + 20 %: 3 executions are too few for a risk of 1 %, which needs 1071
    withName: 'isr' {
        memory = 2.MB
        time = 60.s
        cpus = 1
    }
    // it's: the maximum + 20 %: 3 executions are too few for a risk of 1 %, which needs 1071
    withName: 'it\\\\\\'s' {
        memory = { 3.MB * (1 << (task.attempt - 1)) }
        errorStrategy = { task.exitStatus in 137..140 ? 'retry' : 'finish' }
        maxRetries = 1
        time = 120.s
        cpus = 2
    }
    // a\"b\\c: the maximum + 20 %: 3 executions are too few for a risk of 1 %, which needs 1071
    withName: 'a\\\\\"b\\\\\\\\c' {
        memory = 4.MB" ] || { echo "$output"; false; }
	grep -qF "withName: 'new\\\\\\nline' {" nextflow.config
	grep -qF "withName: '\\\\!neg' {" nextflow.config
	[ "$(grep -c '^    withName: ' nextflow.config)" = 17 ]
	[ "$(wc -l <nextflow.config)" = "$(grep -cE "^( {4}(//|withName: '.*' [{]$|[}]$)| {8}(memory|time|cpus|errorStrategy|maxRetries) = |process [{]$|[}]$|// Use)" nextflow.config)" ]
}

@test "make tasks writes requests for the engines that are asked for, and says what they cost" {
	printf 'task,run_time,cpu_time,memory,exit\n' >rows.csv
	for i in {1..300}; do echo "isr,$i,$((i * 2)),$((i * 1000000)),0"; done >>rows.csv
	printf 'rare,9,9,5000000,0\nrare,9,9,5000000,137\n' >>rows.csv
	REQUESTS='slurm nextflow bps' RISK=10% CONFIDENCE=95% run "$templates/write" out task run_time,cpu_time,memory run_time=s,cpu_time=s,memory=bytes rows.csv
	status_is 0
	has 'tasks: with a risk of at most 10 %: 1 of 2 kinds of task; for the others, '
	has 'GB-hours, and'
	[ "$(ls out | paste -sd' ')" = 'bps.yaml nextflow.config slurm.sbatch' ]
	run cat out/slurm.sbatch
	has '# isr: at most 10 % are killed ('
	has '# rare: twice the maximum: 2 executions are too few'
	has '--cpus-per-task=2'
	# Those that failed are in a table of their own; what ran again counts once.
	printf 'task,state,run_time,memory\r\n' | tee done.csv >failed.csv
	for i in {1..100}; do printf 'isr,COMPLETED,1,1000000\r\n'; done >>done.csv
	sed -i '1s/memory/memory,outcome/' failed.csv
	printf '%s\r\n' isr,OUT_OF_MEMORY,1,500000,{failed,repeated} isr,FAILED,1,9000000,failed >>failed.csv
	REQUESTS=bps RISK=10% CONFIDENCE=95% run --separate-stderr "$templates/write" out task run_time,memory run_time=s,memory=bytes done.csv failed.csv
	[ "$(jq -c '[.executions, .killed, .max_memory_bytes]' <<<"$output")" = '[102,1,9000000]' ] || has nothing
	REQUESTS=bps run "$templates/write" out task run_time,cpu_time run_time=s,cpu_time=s rows.csv
	status_is 2
	has "MAP='memory=COLUMN'"
	REQUESTS=bps RISK=60% run "$templates/write" out task memory memory=bytes rows.csv
	status_is 2
	has "a risk in % must be a number from 0 to 50, not '60'"
	run -2 make --no-print-directory -C "$ROOT" tasks DATA="$PWD" REQUESTS='slurm pbs'
	has "REQUESTS must be of bps nextflow slurm, not 'slurm pbs'"
}

# bats test_tags=thorough
@test "Nextflow itself reads the requests" {
	command -v mvn >/dev/null || skip 'no Maven'
	records | engine nextflow.config >nextflow.config
	mvn -q -B -f "$ROOT/tests/nextflow.xml" dependency:copy-dependencies -DoutputDirectory="$PWD/lib" >log 2>&1 || { tail -n 5 log; false; }
	NXF_HOME=$PWD/home NXF_OFFLINE=true run java -cp 'lib/*' nextflow.cli.Launcher config
	status_is 0
	[ "$(grep -c withName <<<"$output")" = 17 ]
	has "memory = '2 MB'
      time = '1m'"
}
