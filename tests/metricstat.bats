# bats file_tags=quick,long
load helpers

setup() { cd "$BATS_TEST_TMPDIR" || return; }

# stat ARGUMENTS...: the figures' records alone.
stat() { metricstat -f json "$@" | jq -c 'select(.type == "stat")'; }

# A Python with numpy, pandas and pyarrow, as the makefile makes it for tests.
peer() {
	python=$ROOT/build/testvenv/bin/python
	[ -x "$python" ] || { echo "no build/testvenv: make prepare-test makes it" >&2; return 1; }
}

tasks() {
	cat >tasks.csv <<-'C'
	step,task,run,run_time_s,cpu_time_s,memory_bytes
	1,isr,1,10,9,1000000000
	1,isr,2,20,18,2000000000
	1,isr,5,30,,3000000000
	2,coadd,1,100,50,8000000000
	2,coadd,6,300,60,30000000000
	10,plot,1,5,-1,
	C
}

@test "a number within a word counts by its value in the order of groups" {
	run -0 metricstat --by job --of x --stats count --format csv < <(printf 'job,x\njob-10,1\njob-9,1\njob-1,1\n10,1\n9,1\nz,1\nJob-3,1\n,1\n')
	[ "$(cut -d, -f1 <<<"$output" | paste -sd' ')" = 'job 9 10 Job-3 job-1 job-9 job-10 z ' ]
}

@test "CSV is read as in RFC 4180: quotes, commas and newlines within them, CRLF, a byte order mark" {
	printf '\xef\xbb\xbf"na""me","x,y"\r\n"a ""b"", c\nd",1\r\n\r\ne,2' >t.csv
	run -0 bash -c "metricstat -f json -b 'na\"me' t.csv | jq -c '[.group[], .column, .sum]'"
	[ "$output" = $'["a \\"b\\", c\\nd","x,y",1]\n["e","x,y",2]' ]
}

@test "the separator of fields is detected: commas, tabs, semicolons, bars" {
	for s in , '\t' ';' '|'; do
		printf "a${s}b\n1${s}2\n3${s}4\n" >t
		[ "$(stat t | jq -c '[.column, .sum]')" = $'["a",4]\n["b",6]' ]
	done
}

@test "an error in a table is reported with file, line and column" {
	printf 'a,b\n1,2\n"x\ny",2,3\n' >ragged.csv
	run metricstat ragged.csv
	status_is 3
	has 'metricstat: ragged.csv:4:6: 3 fields, but the header has 2'
	printf 'a,b\n1\n' >ragged.csv
	run metricstat ragged.csv
	status_is 3
	has 'ragged.csv:2:2: 1 field, but the header has 2'
	printf 'a,b\n1,"x\n' >open.csv
	run metricstat open.csv
	status_is 3
	has 'open.csv:2:3: unclosed quote'
	printf 'a,b\n"1"x,2\n' >behind.csv
	run metricstat behind.csv
	status_is 3
	has 'behind.csv:2:4: text after a closing quote'
	printf 'a,b\n1,\xff\n' >latin.csv
	run metricstat -b b latin.csv
	status_is 3
	has "latin.csv:2:3: column 'b': not UTF-8 text"
}

@test "input that is not a table is refused" {
	: >empty.csv
	run metricstat empty.csv
	status_is 3
	has 'empty.csv:1:1: empty'
	printf '\xff\xfea\0' >wide.csv
	run metricstat wide.csv
	status_is 3
	has 'UTF-16'
	printf '\x1f\x8b\x08\0' >packed.csv
	run metricstat packed.csv
	status_is 3
	has 'packed.csv:1:1: compressed by gzip: use zcat'
	run metricstat < <(printf 'PK\003\004')
	status_is 3
	has 'export its table as CSV'
	run metricstat < <(printf 'a,b\r1,2\r')
	status_is 3
	has "stdin:1:3: lines end in CR alone: use tr '\\r' '\\n'"
	echo '{"type":"x","a":1,"a":2}' >double.jsonl
	run metricstat double.jsonl
	status_is 3
	has 'double.jsonl:1:'
	echo '{"type":"x","a":nan}' >nan.jsonl
	run metricstat nan.jsonl
	status_is 3
	has 'nan.jsonl:1:'
	run metricstat no-such-file
	status_is 4
	has "cannot open 'no-such-file': No such file"
	echo 'a' >words.csv
	echo 'x' >>words.csv
	run metricstat words.csv
	status_is 3
	has "no column with numbers in 'words.csv'"
}

@test "a row of 100 MB is refused, not kept" {
	{ printf 'a\n"'; head -c 100000000 /dev/zero | tr '\0' x; } >long.csv
	run metricstat long.csv
	status_is 3
	has 'long.csv:2:1: row longer than'
}

@test "a full disk is an error, and a reader that left needs no message" {
	tasks
	run bash -c 'metricstat -f json tasks.csv 2>&1 >/dev/full'
	status_is 4
	has 'cannot write to standard output: No space left on device'
	run bash -c 'for i in {1..3000}; do echo "$i,$i"; done | sed "1i a,b" | metricstat -f json -b a | head -1 | jq -r .type'
	[ "$output" = stat ]
}

@test "missing and invalid values are counted, and excluded from all other statistics" {
	printf 'x,y\n1,1\n,1\nNA,1\nnan,1\ntwelve,1\n0x10,1\ninf,1\n1e999,1\n -3 ,1\n' >t.csv
	[ "$(stat --of x t.csv | jq -c '[.count, .missing, .invalid, .sum, .mean, .min]')" = '[2,3,4,-2,-1,-3]' ]
	printf 'x,y\n-1,-1\n4,-1\n' >t.csv
	[ "$(stat -M x=-1 t.csv | jq -c '[.count, .missing, .sum]')" = $'[1,1,4]\n[2,0,-2]' ]
}

@test "times and sizes as tools write them are seconds and bytes" {
	# In a column of other numbers, whose sum is 0.
	one() { printf 'x\n%s\n0\n0\n' "$1" >one.csv; stat --of x one.csv | jq -c '[.sum, .invalid]'; }
	while read -r text want; do
		[ "$(one "${text//_/ }")" = "[$want]" ] || { echo "$text: $(one "${text//_/ }"), wanted [$want]"; false; }
	done <<-'EOT'
		1-02:03:04 93784,0
		02:03:04 7384,0
		100:00:00.5 360000.5,0
		02:03.125 123.125,0
		469838K 481114112,0
		1.5_GiB 1610612736,0
		2Gi 2147483648,0
		12_MB 12000000,0
		7kB 7000,0
		512B 512,0
		0_B 0,0
		1:60 0,1
		1:2:3:4 0,1
		1-02:03 0,1
		1: 0,1
		:30 0,1
		02:03. 0,1
		5k 5120,0
		12_k 12288,0
		5_s 5,0
		1.5h 5400,0
		250_ms 0.25,0
		2_d 172800,0
		100% 100,0
		-3_% -3,0
		3D 0,1
		2d 0,1
		5_m/s 0,1
		2h_3m_4s 7384,0
		1m_14s 74,0
		1m2.5s 62.5,0
		1_h_52_min 6720,0
		"1_hour,_5_min" 3900,0
		1_day 86400,0
		"1_day,_2:03:04" 93784,0
		"-1_day,_23:59:59" -1,0
		0_days_00:00:12.5 12.5,0
		1+02:03:04 93784,0
		850µs 0.00085,0
		850μs 0.00085,0
		850_us 0.00085,0
		1.1_ms 0.0011,0
		PT5M 300,0
		P1DT2H3M4.5S 93784.5,0
		1.2e3_s 1200,0
		5_bytes 5,0
		12_kb 12000,0
		4000Mn 4194304000,0
		4Gc 4294967296,0
		2024-05-01T02:00:10.5+02:00 1714521610.5,0
		2024-05-01_00:00:10 1714521610,0
		5m 0,1
		512m 0,1
		3s_2h 0,1
		2h_3 0,1
		3_days_ago 0,1
		P 0,1
		P1M 0,1
		PT 0,1
		P1DT 0,1
		0x10 0,1
		2024-13-01 0,1
		1.2.3K 0,1
		-1K 0,1
		K 0,1
		B 0,1
		1BB 0,1
		1Kx 0,1
	EOT
}

@test "minutes and days alone are times in a column of times, as are small letters sizes in one of memory" {
	printf 'realtime,memory,mode\n2m,512m,2d\n1d,1g,3d\n' >t.csv
	[ "$(stat t.csv | jq -c '[.column, .unit, .max]')" = $'["realtime","s",86400]\n["memory","B",1073741824]' ]
}

@test "the unit of a value counts, not that of its column's name; values without a unit are in that of the name, or of the other values" {
	printf 'n,memory_mb,took_s,realtime\na,1500,3,45s\nb,1.5 GiB,1m 2s,1m\nc,1600 MB,00:01:40,2h 3m\n' >t.csv
	run -0 --separate-stderr metricstat -f json t.csv
	[ "$(jq -c 'select(.type == "stat") | [.column, .unit, .count, .sum]' <<<"$output")" = $'["memory_mb","MB",3,4710.612736]\n["took_s","s",3,165]\n["realtime","s",3,7485]' ]
	[ "$(jq -c 'select(.type == "table_note") | [.note, .columns[], .rows, .of_rows]' <<<"$output")" = '["other_unit","memory_mb",1,3]' ]
	[[ "$stderr" == *"'memory_mb': 1 of 3 values (33.3 %) converted from another unit, such as '1.5 GiB' (t.csv:3)"* ]]
	# Also where the texts are kept, in conditions and where another unit was given.
	[ "$(stat -O mad t.csv | jq -c '[.unit, .sum]')" = $'["MB",4710.612736]\n["s",165]\n["s",7485]' ]
	[ "$(stat -w 'realtime>=1m memory_mb>1.6GB' --of took_s t.csv | jq -c .sum)" = 62 ]
	[ "$(stat -w 'realtime>=1m memory_mb>1.6GB' --of realtime,memory_mb t.csv | jq -c .sum)" = $'60\n1610.612736' ]
	[ "$(stat -u realtime=min --of realtime t.csv | jq -c '[.unit, .sum]')" = '["min",124.75]' ]
	run -0 --separate-stderr metricstat -f json -u memory=B --of memory < <(printf 'memory\n1.2 GB\n-\n800 MB\n')
	[ "$(jq -c 'select(.type) | [.type, .sum]' <<<"$output")$stderr" = '["stat",2000000000]' ]
	# A size among times is said.
	run -0 --separate-stderr metricstat -f json < <(printf 'x\n5 s\n3 s\n2 MB\n')
	[[ "$stderr" == *"'x': 1 of 3 values (33.3 %) converted from another unit, such as '2 MB' (stdin:4)"* ]]
}

@test "KB, MB and GB of Nextflow and PBS are powers of 1024, which is said once; those of others are not" {
	printf 'name,realtime,peak_rss,rchar\na,1m,1.5 GB,2 KB\nb,2m,512 MB,1 KB\n' >t.csv
	run -0 --separate-stderr metricstat -f json --of peak_rss,rchar t.csv
	[ "$(jq -c 'select(.type == "stat") | [.column, .unit, .max]' <<<"$output" | paste -sd' ')" = '["peak_rss","B",1610612736] ["rchar","B",2048]' ]
	[ "$stderr" = "metricstat: 'peak_rss': 2 of 2 values (100 %) read in units of 1024, which its program means by KB, MB and GB, such as '1.5 GB' (t.csv:2)" ]
	[ "$(jq -r 'select(.type == "table_note").note' <<<"$output")" = binary_size ]
	# They are written as what they are.
	[ "$(table2metrics --format csv --alias memory=peak_rss t.csv 2>said | cut -d, -f3 | tr -d '\r' | paste -sd,)" = 'memory,1.5 GiB,512 MiB' ]
	grep -q "table2metrics: 'memory': 2 of 2 values" said
	printf 'job,resources_used.mem,resources_used.walltime\n1,123kb,00:01:00\n2,0b,00:00:01\n' | stat --of resources_used.mem >pbs
	[ "$(jq -c '[.sum, .unit]' pbs)" = '[125952,"B"]' ]
	# Another file of the same table keeps its own meaning.
	printf 'name,peak_rss\nc,1 GB\n' >u.csv
	[ "$(stat --of peak_rss u.csv | jq .max)" = 1000000000 ]
	[ "$(metricstat -f json --by name --of peak_rss t.csv u.csv 2>&1 | jq -R 'fromjson? | select(.type == "stat").max' | paste -sd' ')" = '1610612736 536870912 1000000000' ]
}

@test "values that are left out are said with their share and the first of them, in the rows that count" {
	{ echo t,x; for i in {1..198}; do echo "a,$i"; done; echo 'b,~5'; echo 'b,?'; echo 'c,'; } >t.csv
	for as in '--of x' '' '-O mad' '--of x -w t!=c'; do
		run -0 --separate-stderr metricstat -f json $as t.csv
		[ "$(jq -c 'select(.type == "table_note") | [.note, .columns[], .rows, .of_rows]' <<<"$output")" = '["values_left_out","x",2,200]' ] || { echo "$as"; return 1; }
		[[ "$stderr" == *"metricstat: 'x': 2 of 200 values (1 %) left out as not a number, such as '~5' (t.csv:200)"* ]]
	done
	run -0 --separate-stderr metricstat -f text -w t=a --of x t.csv
	[ -z "$stderr" ]
	run -0 --separate-stderr metricstat -f text -w 't=a,b' --of x t.csv
	[[ "$stderr" == *"2 of 200"* ]]
	# The schema knows all notes.
	printf 'x_s;y\n1,5;1\n5 min;2\noops;3\n' | metricstat -f json 2>/dev/null >out
	[ "$(jq -r 'select(.note).note' out | paste -sd' ')" = 'values_left_out other_unit decimal_comma' ]
	run "$ROOT/build/testvenv/bin/python" "$ROOT/tests/validate" --strict out
	status_is 0
}

@test "lines of comments and a line that names the separator come before the header, unless they are it" {
	printf '# by tool 1.2, on n1\n# and so on\n\nname,time_s\na,1.5\nb,oops\n' >t.csv
	run -0 --separate-stderr metricstat -f json --of time_s t.csv
	[ "$(jq -c 'select(.type == "stat") | [.column, .count, .sum]' <<<"$output")" = '["time_s",1,1.5]' ]
	[[ "$stderr" == *"t.csv: skipped 2 lines of comments before the header"* ]]
	[[ "$stderr" == *"'oops' (t.csv:6)"* ]]
	[ "$(printf '#a,b\n1,2\n' | stat | jq -c '[.column, .sum]' | paste -sd' ')" = '["#a",1] ["b",2]' ]
	[ "$(printf '\xef\xbb\xbfsep=;\r\ntime_s;a,b\r\n1,5;3\r\n2.5;4\r\n' | stat | jq -c '[.column, .sum]' | paste -sd' ')" = '["time_s",4] ["a,b",7]' ]
	run -0 --separate-stderr metricstat < <(printf '1.5,2,a\n2.5,3,b\n')
	[[ "$stderr" == *"stdin: most names of columns are numbers: is the first line the header?"* ]]
	# The separator that the header has most.
	[ "$(printf 'time (s, wall)\ta\tb\n1\t2\t3\n' | stat | jq -c '[.column, .sum]' | paste -sd' ')" = '["time (s, wall)",1] ["a",2] ["b",3]' ]
}

@test "a comma is a decimal one between semicolons, and this is said" {
	printf 'a;b_gb\n1,5;1,25 GB\n1000,5;800 MB\n1,2,3;1\n1.000,5;\n2;\n' >t.csv
	run -0 --separate-stderr metricstat -f json t.csv
	[ "$(jq -c 'select(.type == "stat") | [.column, .sum, .invalid]' <<<"$output" | paste -sd' ')" = '["a",1004,2] ["b_gb",3.05,0]' ]
	[[ "$stderr" == *"'a': 2 of 5 values (40 %) read with a decimal comma, such as '1,5' (t.csv:2)"* ]]
	[ "$(tr ';' '\t' <t.csv | stat --of b_gb | jq -c '[.sum, .invalid]')" = '[1.8,1]' ]
}

@test "a second column of the same name is read under a name of its own" {
	printf 'a,b,a,a_3,a\n1,2,3,4,5\n' >t.csv
	run -0 --separate-stderr metricstat -f json t.csv
	[ "$(jq -c '[.column, .sum]' <<<"$output" | paste -sd' ')" = '["a",1] ["b",2] ["a_3",3] ["a_3_4",4] ["a_5",5]' ]
	[ "$stderr" = "metricstat: t.csv: the second column 'a' is read as 'a_3'" ]
	[ "$(stat --of a_5 t.csv | jq .sum)" = 5 ]
}

@test "JSON is read as lines, with or without types, with NaN; as a list of objects; as an object with one such list" {
	printf '{"type":"x","a":1,"b":NaN}\n{"type":"x","a":-Infinity,"b":Infinity}\n{"type":"x","a":2,"b":7}\n{"type":"x","a":2,"b":8}\n' >nan.jsonl
	[ "$(stat nan.jsonl | jq -c '[.column, .count, .missing, .invalid, .sum]')" = $'["a",3,0,1,5]\n["b",2,1,1,15]' ]
	[ "$(printf '{"a":1}\n{"a":2e-300}\n' | stat | jq -c .count)" = 2 ]
	[ "$(printf '[{"a":1},\n {"a":2,"b":{"c":3}}]' | stat | jq -c '[.column, .sum]' | paste -sd' ')" = '["a",3] ["b.c",3]' ]
	printf '{\n "machine": {"cpu": 4},\n "benchmarks": [\n  {"name": "x", "stats": {"mean": 1.5}, "times": [1, 2]},\n  {"name": "y", "stats": {"mean": 2}}\n ]\n}\n' >b.json
	[ "$(stat -b name b.json | jq -c '[.group.name, .column, .sum]' | paste -sd' ')" = '["x","stats.mean",1.5] ["y","stats.mean",2]' ]
	[ "$(printf '{\n"a": 1\n}\n' | stat | jq .sum)" = 1 ]
	# The same in one line, also of more than a buffer; a record may have a list, too.
	[ "$(jq -c . b.json | stat -b name | jq -c '[.group.name, .sum]' | paste -sd' ')" = '["x",1.5] ["y",2]' ]
	[ "$(jq -nc '{context: {caches: [{a: 1}]}, benchmarks: [range(30000) | {name: "n\(. % 2)", real: .}]}' | stat -b name | jq -c '[.group.name, .count]' | paste -sd' ')" = '["n0",15000] ["n1",15000]' ]
	[ "$(printf '{"type":"x","a":1,"l":[{"b":1}]}\n' | stat | jq -c '[.column, .sum]')" = '["a",1]' ]
	[ "$(printf '{"a":1,"l":[{"b":1}]}\n{"a":2,"l":[]}\n' | stat | jq -c '[.column, .sum]')" = '["a",3]' ]
	run metricstat < <(printf '{\n"a": [{"x": 1}],\n"b": [{"x": 1}]}')
	status_is 3
	has "stdin: several lists of objects: choose one, as with jq -c '.b[]'"
	jobs=$ROOT/tests/data/campaigns/pbs/jobs.json
	for c in '' -c; do
		run metricstat < <(jq $c . "$jobs")
		status_is 3
		has "stdin: jobs of PBS within an object: write each in a line, as with jq -c '.Jobs[]'"
	done
	[ "$(jq -c '.Jobs[]' "$jobs" | stat --of resources_used.mem | jq -c '[.count, .max]')" = '[6,4294967296]' ]
	run metricstat < <(printf '[[1, 2]]')
	status_is 3
	has "no map of names and values"
	run metricstat < <(printf '[{"a": 1},\n{"a": 1,}]')
	status_is 3
	has "stdin:2:"
	run metricstat < <(echo '['; yes '{"a": 1},' | head -3000000)
	status_is 3
	has "longer than 16777216 bytes: write each object of it in a line, as with jq -c '.[]'"
}

@test "dates are Unix seconds where numbers are required, and words elsewhere" {
	printf 'n,start,end\na,2025-01-01T00:00:00Z,2025-01-01T00:01:00+00:00\nb,2025-03-30T01:59:00+01:00,2025-03-30T03:01:00+02:00\nc,2025-01-01 10:00,Unknown\n' >t.csv
	run -0 --separate-stderr metricstat -f json -d 'dt=end-start' --of dt t.csv
	[ "$(jq -c 'select(.type == "stat") | [.count, .sum, .max]' <<<"$output")" = '[2,180,120]' ]
	[[ "$stderr" == *"'end': 1 of 3 values (33.3 %) left out as not a number, such as 'Unknown' (t.csv:4)"* ]]
	[ "$(stat -b start -d 'one=1' --of one t.csv | jq -r .group.start | head -1)" = '2025-01-01 10:00' ]
}

@test "efficiency is per core where the table says how many, also without asking for the column" {
	printf 'task,cpu_time,run_time,CPUs\na,330,100,8\nb,700,100,8\nc,10,20,\n' >t.csv
	for efficiency in cpu_time/run_time 'cpu_time/(run_time*CPUs)'; do
		run -0 --separate-stderr metricstat -f json -b task --of run_time --efficiency "$efficiency" t.csv
		[ "$(jq -c 'select(.column == "cpu_efficiency_pct") | [.mean, .ratio_of_sums]' <<<"$output" | paste -sd' ')" = '[41.25,41.25] [87.5,87.5] [null,null]' ]
	done
	run -0 --separate-stderr metricstat -f json --of run_time,cpu_time t.csv
	[ -z "$stderr" ]
	metricplot --kind bars --by task --of cpu_time/run_time --output t.json t.csv
	[ "$(jq -c '[.. | objects | select(.g? and .v?) | .x]' t.json)" = '[41.25,87.5]' ]
}

@test "a checked column of GiB that is called GB is recognised where the rows have no unit" {
	printf 't,memory\na,1610612736\nb,3221225472\nc,1073741824\n' >t.csv
	printf 't,mem_GB_max\na,1.5\nb,3\nc,1\n' >s.csv
	run -1 metricstat -f json -b t --check s.csv t.csv
	[ "$(jq -r .explanation <<<"$output")" = 'a ratio of 9.3132e-10 (1/1.0737e+09): its name says GB, but it is in GiB' ]
}

@test "records after blanks are records, also if a pipe delivers the blanks alone" {
	slowly() { printf "$1"; sleep 0.2; printf '\t {"type": "a", "x": 2}\n'; }
	for first in '    ' '\xef\xbb\xbf \r'; do
		[ "$(slowly "$first" | stat --of x - | jq -c '[.column, .sum]')" = '["x",2]' ]
	done
}

@test "the name of a column may contain commas and quotes" {
	printf 'a,"b, c","say ""x"""\n1,2,3\n1,4,5\n' >t.csv
	[ "$(stat -b a --of '"b, c", "say ""x"""' t.csv | jq -c '[.column, .sum]' | paste -sd' ')" = '["b, c",6] ["say \"x\"",8]' ]
	for slip in '"b, c' '"b, c"x' '""' 'a,'; do
		run metricstat --of "$slip" t.csv
		status_is 2
		has "--of: "
	done
}

@test "a word that means missing does not affect zeros" {
	printf 'x\n0\n-\nlost\n0.0\n4\n' >t.csv
	[ "$(stat -M - -M lost t.csv | jq -c '[.count, .missing, .invalid, .sum]')" = '[3,2,0,4]' ]
}

@test "a group without values has no statistics rather than 0" {
	printf 'g,x\na,\na,\nb,1\n' >t.csv
	[ "$(stat -b g -P 5 t.csv | head -1 | jq -c '[.count, .missing, .sum, .mean, .std, .share_pct, .percentiles.p5, .iqr]')" = \
		'[0,2,null,null,null,null,null,null]' ]
}

@test "groups are in the order of their keys, numbers by value, missing ones last" {
	printf 'g,x\n10,1\n9,1\nb,1\na,1\n,1\n-1,1\n' >t.csv
	[ "$(stat -b g t.csv | jq -c .group.g | paste -sd' ')" = '"-1" "9" "10" "a" "b" null' ]
}

@test "keys are written as they are in the table" {
	printf 'g,x\n007,1\n7,1\n7.0,1\n' >t.csv
	[ "$(stat -b g t.csv | jq -r .group.g | sort | paste -sd' ')" = '007 7 7.0' ]
}

@test "shares and cumulated shares refer to the total, in descending order" {
	printf 'g,x\na,10\nb,70\nc,20\n' >t.csv
	[ "$(stat -b g -T t.csv | jq -c '[.group.g, .share_pct, .cumulated_share_pct]')" = \
		$'["a",10,100]\n["b",70,70]\n["c",20,90]\n[null,null,null]' ]
	[ "$(stat -b g -S sum -n 2 t.csv | jq -r .group.g | paste -sd' ')" = 'b c' ]
	printf 'g,x\na,10\nb,-70\n' >t.csv
	[ "$(stat -b g t.csv | jq -c .share_pct | uniq)" = null ]
}

@test "percentiles are those of numpy, by each method" {
	# numpy.percentile([15, 20, 35, 40, 50, 61, 70, 88], [5, 40, 50, 95], method=...)
	printf 'x\n40\n15\n50\n88\n20\n61\n35\n70\n' >t.csv
	while read -r method want; do
		[ "$(stat --method "$method" -P 5,40,50,95 t.csv | jq -c '.percentiles | [.[] | . * 1e6 | round / 1e6]')" = "$want" ] || { echo "$method"; return 1; }
	done <<-'P'
	linear [16.75,39,45,81.7]
	nearest [15,40,50,88]
	lower [15,35,40,70]
	higher [20,40,50,88]
	midpoint [17.5,37.5,45,79]
	inverted_cdf [15,40,40,88]
	hazen [15,38.5,45,88]
	weibull [15,38,45,88]
	median_unbiased [15,38.333333,45,88]
	normal_unbiased [15,38.375,45,88]
	P
	[ "$(stat -P 0:100:25 -P x=10 t.csv | jq -c '.percentiles | keys')" = '["p10"]' ]
	[ "$(stat -P 99.9 t.csv | jq -c '.percentiles | keys')" = '["p99_9"]' ]
}

@test "figures are those of pandas, on numbers of every size, with ties and missing ones" {
	peer
	"$python" - <<-'P'
	import json, subprocess
	import numpy as np, pandas as pd
	r = np.random.default_rng(6)
	n = 20000
	d = pd.DataFrame({"g": r.integers(0, 40, n), "h": r.choice(["a", "b,c", 'd"e'], n), "x": r.lognormal(3, 4, n), "y": r.integers(0, 9, n).astype(float),
	                  "z": r.normal(1e9, 1, n), "w": r.normal(0, 1, n) * 10.0 ** r.integers(-300, 300, n)})
	d.loc[r.random(n) < 0.1, ["x", "y"]] = np.nan
	d.to_csv("t.csv", index=False)
	out = subprocess.run(["metricstat", "-f", "json", "-b", "g,h", "--of", "x,y,z,w", "-P", "0:100", "t.csv"], capture_output=True, text=True, check=True).stdout
	groups = {k: v for k, v in d.groupby(["g", "h"])}
	lines = [json.loads(line) for line in out.splitlines()]
	assert len(lines) == 4 * len(groups)
	def same(a, b, tolerance=1e-12):
	    assert (a is None and np.isnan(b)) or abs(a - b) <= tolerance * abs(b), (a, b)
	for f in lines:
	    v = groups[int(f["group"]["g"]), f["group"]["h"]][f["column"]]
	    assert f["count"] == v.count() and f["missing"] == v.isna().sum()
	    v = v.dropna()
	    import math
	    assert f["sum"] == math.fsum(v)
	    same(f["mean"], math.fsum(v) / len(v)); same(f["min"], v.min()); same(f["max"], v.max())
	    if f["column"] != "w":
	        same(f["std"], v.std(), 1e-9)
	    same(f["mad"], np.median(np.abs(v - np.median(v))))
	    for p, got in f["percentiles"].items():
	        same(got, np.percentile(v, int(p[1:])))
	P
}

@test "mean and deviation have as many right digits as numpy's on NIST's univariate sets" {
	peer
	run "$python" "$ROOT/tests/nist" metricstat
	status_is 0
}

@test "a number is read to its last bit, however it is written" {
	for x in 0.1 1e-5 123456789.123456789 9007199254740993 5e-324 1.7976931348623157e308 0.30000000000000004 -0.000001234567890123456 +7. .5 2.2250738585072011e-308 8.5 72057594037927937; do
		printf 'x\n%s\n' "$x" >t.csv
		printf '%s ' "$x"
		metricstat -f json t.csv
	done >read
	python3 - <<-'P'
	import json
	for line in open("read"):
	    text, record = line.split(" ", 1)
	    assert json.loads(record)["min"] == float(text), line
	P
}

@test "records are rows: inner members, parameters, lists, truths" {
	cat >r.jsonl <<-'R'
	{"type":"cell","name":"a","params":{"n":3},"usage":{"kernel":{"cpu_s":1.5}},"tags":["x","y"],"ok":true}
	{"type":"other","t":1}
	{"type":"cell","name":"a","params":{"n":3},"usage":{"kernel":{"cpu_s":null}},"tags":[],"ok":false}
	R
	[ "$(stat -b n_param,tags --of usage.kernel.cpu_s,ok r.jsonl | jq -c '[.group.n_param, .group.tags, .column, .count, .sum]')" = \
		$'["3","x,y","usage.kernel.cpu_s",1,1.5]\n["3","x,y","ok",1,1]\n["3",null,"usage.kernel.cpu_s",0,null]\n["3",null,"ok",1,0]' ]
	run metricstat r.jsonl
	status_is 3
	has "r.jsonl:2:1: records of type 'cell' and 'other' have these columns: choose with --type"
	[ "$(stat -t other r.jsonl | jq -c '[.column, .sum]')" = '["t",1]' ]
}

@test "nbscope's metrics say the same as records and as CSV" {
	cellmetrics "$ROOT/tests/data/runs.jsonl" >m.jsonl
	metrics2csv m.jsonl >m.csv
	of=client_execution_time_metric,kernel_s,ws_bytes_received
	stat -t cell_metrics -b execution_status,n_param --of $of m.jsonl >a
	stat -b execution_status,n_param --of $of m.csv >b
	[ -s a ]
	diff a b
}

@test "a tree is one table: columns united by name, columns from folders, summaries left out" {
	mkdir -p d/step_1/isr_usage d/step_10/coadd_usage d/.hidden
	printf 'x,y\n1,2\n' >d/step_1/isr_usage/a.csv
	printf 'y,z\n3,4\n5,6\n' >d/step_10/coadd_usage/b.csv
	printf 'x,y\n9,9\n' >d/summary.csv
	printf 'x,y\n9,9\n' >d/.hidden/c.csv
	echo text >d/step_1/README
	run -0 stat -p 'step_{step}/{task}_usage/' -x 'summ*' -b step,task --of x,y d
	[ "$(jq -c '[.group.step, .group.task, .column, .count, .missing, .sum]' <<<"$output")" = \
		$'["1","isr","x",1,0,1]\n["1","isr","y",1,0,2]\n["10","coadd","x",0,2,null]\n["10","coadd","y",2,0,8]' ]
	run metricstat -f json -p 'step_{step}/{task}_usage/' -b step --of y d
	has "metricstat: skipped 1 file that does not match 'step_{step}/{task}_usage/'"
	run metricstat -p '{a' d
	status_is 2
	run metricstat -p 'x_{a}/' d
	status_is 3
	has "no file matches the path pattern 'x_{a}/'"
	mkdir none
	run metricstat none
	status_is 3
	has "no table in 'none'"
}

@test "rows are chosen by conditions, with units, and what is missing meets none" {
	tasks
	[ "$(stat -w 'run<=4 task=isr' --of run_time_s tasks.csv | jq .sum)" = 30 ]
	[ "$(stat -w 'memory_bytes>2.5GB' --of run_time_s tasks.csv | jq .sum)" = 430 ]
	[ "$(stat -w 'memory_bytes<=100GB' --of run_time_s tasks.csv | jq .count)" = 5 ]
	run metricstat -w 'memory_bytes<5min' tasks.csv
	status_is 2
	has "'5min' is not a number that can be converted to B"
	run metricstat -w 'no_such=1' tasks.csv
	status_is 3
	has "no column 'no_such' in 'tasks.csv'"
}

@test "columns with any name take part in conditions, expressions, ratios and cohorts: in quotes" {
	printf '%%cpu,Run time (s),a/b,Größe\n50,10,5,1\n80,120,30,2\n,200,1,4\n' >t.csv
	[ "$(stat -w '"%cpu">=50 "Run time (s)">1min' --of Größe t.csv | jq .sum)" = 2 ]
	[ "$(stat -d "x=2*'Größe'+\"%cpu\"" --of x t.csv | jq -c '[.count, .missing, .sum]')" = '[2,1,136]' ]
	[ "$(stat --efficiency '"a/b"/"Run time (s)"' --of Größe t.csv | jq -c 'select(.ratio_of_sums) | [.column, .count, .mean * 3]')" = '["cpu_efficiency_pct",3,75.5]' ]
	[ "$(stat -C 'big:"Größe">1' --of Größe t.csv | jq -c '[.group.cohort, .sum]')" = $'["big",6]\n["other",1]' ]
	run metricstat -w '%cpu>50' t.csv
	status_is 2
	has "'%cpu' is not a parameter name; quote the name of a column"
	run metricstat -d 'x="%cpu*2' t.csv
	status_is 2
	has "column 1: unclosed quote"
}

@test "cohorts and categories are groups, in the order of the options" {
	tasks
	[ "$(stat -C 'run<=4' --of run_time_s tasks.csv | jq -c '[.group.cohort, .sum]')" = $'["run<=4",135]\n["other",330]' ]
	[ "$(stat -C 'late:run>=6' -C 'mid:run>2' --of run tasks.csv | jq -c '[.group.cohort, .sum]')" = $'["late",6]\n["mid",5]\n["other",5]' ]
	[ "$(stat --category 'memory_bytes:small<=2GB,medium<10GB,high' --of run_time_s tasks.csv | jq -c '[.group.memory_bytes_category, .count, .sum]')" = \
		$'["small",2,30]\n["medium",2,130]\n["high",1,300]\n[null,1,5]' ]
	run metricstat --category 'memory_bytes:small<=5GB,medium<=1GB,high' tasks.csv
	status_is 2
	has 'must ascend'
}

@test "an efficiency without CPU time is missing, and the ratio of sums uses rows with both values" {
	tasks
	[ "$(stat -b task --efficiency cpu_time_s/run_time_s --of run tasks.csv | jq -c 'select(.column != "run") | [.group.task, .count, .missing, .mean, .ratio_of_sums]')" = \
		$'["coadd",2,0,35,27.5]\n["isr",2,1,90,90]\n["plot",0,1,null,null]' ]
	[ "$(stat --ratio 'w=(run_time_s-cpu_time_s)/run' --of run tasks.csv | jq -c 'select(.column == "w") | .count')" = 5 ]
	[ "$(stat -d 'wait=run_time_s-cpu_time_s' --of wait tasks.csv | jq -c '[.count, .missing, .sum]')" = '[5,1,299]' ]
}

@test "outliers are counted, kept and listed with their group and what they share" {
	{
		echo task,site,n,x
		for i in {1..40}; do echo "a,home,$i,$((100 + i % 7))"; done
		printf 'a,away,1,900\na,away,2,950\nb,home,1,5\n'
	} >t.csv
	metricstat -f json -b task --of x -O iqr t.csv >out
	[ "$(jq -c 'select(.type == "stat") | [.group.task, .count, .outliers, .max]' out)" = $'["a",42,2,950]\n["b",1,0,5]' ]
	[ "$(jq -c 'select(.type == "outlier") | [.value, .side, .row, .group.median, .group.outliers, (.shared[] | .parameter + "=" + .value)]' out)" = \
		$'[950,"high",42,103,2,"site=away"]\n[900,"high",41,103,2,"site=away"]' ]
	[ "$(metricstat -f json -b task --of x -O mad t.csv | jq -c 'select(.type == "outlier") | .value' | paste -sd' ')" = '950 900' ]
	[ "$(metricstat -f json --of x -O p05-p95 t.csv | jq -c 'select(.type == "stat") | .outliers')" = 3 ]
	run metricstat -O p95-p05 t.csv
	status_is 2
}

@test "the largest rows are listed with their share, their place and what else is asked for" {
	tasks
	[ "$(metricstat -f json -b task --of run_time_s --largest 2 --show run tasks.csv | jq -c 'select(.type == "largest") | [.rank, .of.task, .of.run, .value, (.share_pct, .cumulated_share_pct | . * 1e6 | round), .file, .row]')" = \
		$'[1,"coadd","6",300,64516129,64516129,"tasks.csv",5]\n[2,"coadd","1",100,21505376,86021505,"tasks.csv",4]' ]
}

@test "a summary that agrees is status 0; a unit, an interpolation, zeros for missing and lost rows are named, status 1" {
	tasks
	printf 'task,count,run_time_mean,memory_max_GB,cpu time s 50%%\nisr,3,20.0,3,13.5\ncoadd,2,200,30,55\nplot,1,5,,-1\n' >good.csv
	run metricstat -f text -b task --of run_time_s,memory_bytes,cpu_time_s --check good.csv tasks.csv
	status_is 0
	printf 'task,memory_max_GB,run_time_p25,cpu_time_mean,note\nisr,2.7939677,10,9,1\ncoadd,27.9396772,100,55,2\nship,1,1,1,3\n' >bad.csv
	run metricstat -f json -b task --of run_time_s,memory_bytes,cpu_time_s --check bad.csv tasks.csv
	status_is 1
	[ "$(jq -c '[.summary_column, .verdict, .group, .explanation]' <<<"$output")" = \
'["memory_max_GB","explained",null,"a ratio of 0.93132 (1/1.0737): its name says GB, but it is in GiB"]
["run_time_p25","explained",null,"another interpolation: nearest"]
["cpu_time_mean","explained",null,"missing values are taken for zero"]
["note","not_compared",null,null]
[null,"only_in_summary",{"task":"ship"},null]
[null,"only_in_rows",{"task":"plot"},null]' ]
	sed -i 's/^coadd,27.9/coadd,28.9/' bad.csv
	run metricstat -f json -b task --of run_time_s,memory_bytes,cpu_time_s --check bad.csv tasks.csv
	status_is 1
	has '"verdict":"differs"'
	# 20.5 for 20, and 6 for 7.
	printf 'task,run_time_s\na,10\na,20\nb,5\nb,7\n' >rows.csv
	printf 'task,run_time_mean_s,run_time_max_s\na,15,20.5\nb,6,6\n' >size.csv
	run -1 metricstat -f json -b task --of run_time_s --check size.csv rows.csv
	[ "$(jq -c 'select(.group == null) | [.difference_min, .difference_mean, .difference_max]' <<<"$output" | paste -sd' ')" = '[0,0,0] [-1,-0.25,0.5]' ]
	printf 'task,peak\nisr,3000000000\ncoadd,30000000000\nplot,\n' >mapped.csv
	run metricstat -b task --of memory_bytes --check mapped.csv --map peak=memory_bytes:max tasks.csv
	status_is 0
}

@test "a value that is no number does not remove its column, and what is left out is named with its first bad value and line" {
	printf 't,x,y,inf_s\na,1,1,1\nb,oops,2,2\nc,3,,inf\nd,4,4,3\n' >t.csv
	run -0 --separate-stderr metricstat -f json t.csv
	[ "$(jq -c 'select(.type == "stat") | [.column, .count, .missing, .invalid, .sum]' <<<"$output")" = $'["x",3,0,1,8]\n["y",3,1,0,7]\n["inf_s",3,0,1,6]' ]
	[ "$stderr" = "metricstat: left out 1 column of words: 't': 'a' (t.csv:2)
metricstat: 'x': 1 of 4 values (25 %) left out as not a number, such as 'oops' (t.csv:3)
metricstat: 'inf_s': 1 of 4 values (25 %) left out as not a number, such as 'inf' (t.csv:4)" ]
	# With conditions and outliers, columns are read in other ways.
	[ "$(metricstat -f json -w 'x>0' -O mad t.csv 2>/dev/null | jq -c 'select(.column == "x" and .type == "stat") | [.count, .invalid]')" = '[3,0]' ]
	[ "$(metricstat -f json -O mad t.csv 2>/dev/null | jq -c 'select(.column == "x" and .type == "stat") | [.count, .invalid]')" = '[3,1]' ]
	# Lines count, not rows: there are newlines in quotes.
	printf 'a,b\n"1\n\n",1\n2,2\n2,3\n2,x\n"a\nb",y\n3,z\n' >lines.csv
	run -0 --separate-stderr metricstat -f json lines.csv
	[ "$(jq -c 'select(.type == "stat") | [.column, .count, .invalid]' <<<"$output")" = '["a",4,2]' ]
	[ "$stderr" = "metricstat: left out 1 column of words: 'b': 'x' (lines.csv:7)
metricstat: 'a': 2 of 6 values (33.3 %) left out as not a number, such as '1  ' (lines.csv:4)" ]
}

@test "a column that was asked for and has no number is a usage error" {
	printf 't,x,y\na,1,\nb,2,\n' >t.csv
	run metricstat --of t t.csv
	status_is 2
	has "column 't' has no number in 2 rows: the first value is 'a' (t.csv:2)"
	# Its row begins three lines earlier.
	run -2 metricstat --of x <(printf 't,x\na,\n"b\n\nc\nd",z\n')
	has "the first value is 'z' (/dev/fd/"
	[[ $output = *':6)' ]]
	run metricstat --of y t.csv
	status_is 2
	has "column 'y' has no number in 2 rows"
	run metricstat -d 'z=x/y' t.csv
	status_is 2
	has "column 'z' has no number in 2 rows"
}

@test "a long column of words is named however the file is split, and numbers after words count" {
	awk 'BEGIN { print "w,x,few"; for (i = 0; i < 1100000; i++) printf "word%d,%d,%s\n", i, i, i % 3 ? i : "bad" }' >t.csv
	[ "$(wc -c <t.csv)" -gt 20000000 ]
	run -0 --separate-stderr metricstat -f json t.csv
	[ "$(jq -c 'select(.type == "stat") | [.column, .count, .invalid]' <<<"$output")" = $'["x",1100000,0]\n["few",733333,366667]' ]
	[ "$stderr" = "metricstat: left out 1 column of words: 'w': 'word0' (t.csv:2)
metricstat: 'few': 366667 of 1100000 values (33.3 %) left out as not a number, such as 'bad' (t.csv:2)" ]
}

@test "nbscope's own metrics file is read as cells, and says so" {
	cellmetrics "$ROOT/tests/data/runs.jsonl" >m
	run -0 --separate-stderr metricstat -f json --of client_execution_time_metric m
	[ "$(jq -c '[.column, .count + .missing]' <<<"$output")" = '["client_execution_time_metric",8]' ]
	[ "$stderr" = "metricstat: read cells only: 2 records of type 'notebook_metrics' skipped (--type notebook_metrics reads them)" ]
	[ "$(stat --type notebook_metrics --of client_execution_time_metric m | jq '.count + .missing')" = 2 ]
}

@test "sums of percentages and of peaks are not given" {
	printf 'x_pct,max_rss_bytes,cpu,y_s\n50,5,1,1\n60,6,2,2\n' >t.csv
	[ "$(stat -u cpu=% t.csv | jq -c '[.column, .sum, .share_pct, .mean]')" = \
		$'["x_pct",null,null,55]\n["max_rss_bytes",null,null,5.5]\n["cpu",null,null,1.5]\n["y_s",3,100,1.5]' ]
	[ "$(metricstat -f json --largest 1 --of max_rss_bytes t.csv | jq -c 'select(.type == "largest") | [.value, .share_pct]')" = '[6,null]' ]
}

@test "a table whose columns blanks separate is refused with the separators that it lacks" {
	run metricstat < <(printf 'USER       PID %%CPU\nroot         1  3.2\n')
	status_is 3
	has "stdin:1:1: no comma, tab, semicolon or bar in the header 'USER       PID %CPU'"
	run metricstat < <(printf 'JobID    MaxRSS \n-------- ------ \n12       469838K \n')
	status_is 3
	has "no comma, tab, semicolon or bar"
	[ "$(printf 'Run time (s)\n3\n' | stat | jq -c '[.column, .sum]')" = '["Run time (s)",3]' ]
}

@test "formulas in CSV are escaped, unless --no-escape, and the escape can be reversed" {
	python3 - <<-'P'
	import csv, re, subprocess
	words = ["=1+1", "'=1+1", "''=1", "'quoted'", "-5", "'-5", "@x", " +y", "' +y", "plain", "-a", "'"]
	with open("t.csv", "w", newline="") as f:
	    csv.writer(f).writerows([["g", "x"], *([w, 1] for w in words)])
	def groups(*options):
	    text = subprocess.run(["metricstat", "-f", "csv", "-b", "g", "--of", "x", *options, "t.csv"], check=True, capture_output=True, text=True).stdout
	    return [row[0] for row in csv.reader(text.splitlines())][1:]
	escaped = groups()
	assert "'=1+1" in escaped and "=1+1" not in escaped, escaped
	number = re.compile(r"-?\d+(\.\d+)?$")
	def back(t):
	    rest = t.lstrip("'").lstrip(" ")
	    return t[1:] if t[:1] == "'" and rest[:1] in ("=", "+", "-", "@") and not number.match(rest) else t
	assert sorted(map(back, escaped)) == sorted(words), escaped
	assert sorted(groups("--no-escape")) == sorted(words)
	P
}

@test "a column that is called elapsed time and equals the CPU time is noted, as is more CPU time than cores have" {
	printf 'cpu_time,run_time\n1.001,1\n2,2\n3,3.001\n' >lsst.csv
	run -0 --separate-stderr metricstat -f json lsst.csv
	[ "$(jq -c 'select(.type == "table_note") | [.note, .columns, .rows, .of_rows]' <<<"$output")" = '["cpu_is_elapsed",["cpu_time","run_time"],3,3]' ]
	[[ "$stderr" == *"'run_time' equals 'cpu_time' in 3 of 3 rows: 'run_time' may be CPU time under the name of elapsed time"* ]]
	printf 'cpu_s,elapsed_s,cores\n7,2,4\n9,2,4\n1,2,4\n' >cores.csv
	run -0 --separate-stderr metricstat -f text cores.csv
	[[ "$stderr" == *"'cpu_s' exceeds 'elapsed_s' per core in 1 of 3 rows, up to 1.12 times: "* ]]
	printf 'cpu_s,elapsed_s\n1,2\n1.9,2\n1,2\n' >good.csv
	[ -z "$(metricstat -f json good.csv 2>&1 | grep table_note)" ]
}

@test "a check of a survey's summary compares all of its figures, in files whose folders name the step" {
	python3 - <<-'P'
	import csv, math, os, random
	r = random.Random(5)
	def nearest(v, p):
	    at = (len(v) - 1) * p
	    return sorted(v)[round(at)]  # halves to even, as numpy does
	for step, tasks in {1: ["isr", "calibrate"], 2: ["make warp", "coadd", "detect"]}.items():
	    os.makedirs(f"d/step_{step}/summaries")
	    with open(f"d/step_{step}/summaries/summary.csv", "w", newline="") as f:
	        out = csv.writer(f)
	        ps = (5, 50, 95)
	        out.writerow(["task", "quanta", *[f"mem_GB_p{p:03}" for p in ps], *[f"runtime_s_p{p:03}" for p in ps], "integrated_runtime_hrs"])
	        for task in tasks:
	            os.makedirs(f"d/step_{step}/{task}_resource_usage")
	            n = r.randrange(40, 80)
	            time = [round(r.lognormvariate(3, 1), 3) for _ in range(n)]
	            memory = [int(r.lognormvariate(21, 0.4)) for _ in range(n)]
	            with open(f"d/step_{step}/{task}_resource_usage/a.csv", "w", newline="") as g:
	                csv.writer(g).writerows([["run_time", "memory"], *zip(time, memory)])
	            out.writerow([task, n, *[round(nearest(memory, p / 100) / 2**30, 3) for p in ps],
	                          *[nearest(time, p / 100) for p in ps], round(math.fsum(time) / 3600, 5)])
	P
	check() { metricstat -f json -p 'step_{step}/{task}_resource_usage/' -x summary.csv -b step,task --of run_time,memory -u run_time=s,memory=B --check d/step_1/summaries/summary.csv --check d/step_2/summaries/summary.csv d; }
	run check
	status_is 1
	[ "$(jq -r '[.summary_column, .verdict, .explanation // ""] | join(" | ")' <<<"$output")" = \
'quanta | same | 
mem_GB_p005 | explained | a ratio of 0.93132 (1/1.0737): its name says GB, but it is in GiB; another interpolation: nearest; rounded to 3 decimals
mem_GB_p050 | explained | a ratio of 0.93132 (1/1.0737): its name says GB, but it is in GiB; another interpolation: nearest; rounded to 3 decimals
mem_GB_p095 | explained | a ratio of 0.93132 (1/1.0737): its name says GB, but it is in GiB; another interpolation: nearest; rounded to 3 decimals
runtime_s_p005 | explained | another interpolation: nearest
runtime_s_p050 | explained | another interpolation: nearest
runtime_s_p095 | explained | another interpolation: nearest
integrated_runtime_hrs | rounded | rounded to 5 decimals' ]
}

@test "a check in which fewer than half of the figures were compared cannot tell, and names them" {
	printf 't,x\na,1\nb,2\n' >t.csv
	printf 't,x_max,foo,bar\na,1,1,1\nb,2,1,1\n' >s.csv
	run metricstat -f json -b t --of x --check s.csv t.csv
	status_is 6
	has "cannot tell: only 1 of 3 figures of 's.csv' was compared; --map gives the meaning of the others: foo, bar"
}

@test "once a checked unit is known its exact ratio counts, and rows in another order and on one side only are named" {
	# Rounded to 3 decimals, small values have other ratios than 1.0737.
	python3 - <<-'P'
	import random
	r = random.Random(2)
	v = [int(r.lognormvariate(18.5, 1.5)) for _ in range(26)]
	open("t.csv", "w").write("t,memory\n" + "".join(f"{i},{x}\n" for i, x in enumerate(v)))
	open("gib.csv", "w").write("t,mem_GB_max\n" + "".join(f"{i},{x / 2**30:.3f}\n" for i, x in enumerate(v)))
	open("order.csv", "w").write("t,mem_max_GB\n" + "".join(f"{i},{x / 1e9!r}\n" for i, x in enumerate(sorted(v))))
	P
	run metricstat -f json -b t -u memory=B --check gib.csv t.csv
	status_is 1
	[ "$(jq -c '[.verdict, .groups, .explanation]' <<<"$output")" = '["explained",26,"a ratio of 0.93132 (1/1.0737): its name says GB, but it is in GiB; rounded to 3 decimals"]' ]
	run metricstat -f json -b t -u memory=B --check order.csv t.csv
	status_is 1
	[ "$(jq -c '[.verdict, .explanation]' <<<"$output")" = '["explained","the values are those of other groups: the rows are in another order"]' ]
	printf 't,mem_max\n0,\n%s\n' "$(sed -n '3,$p' t.csv)" >one.csv
	run metricstat -f json -b t -u memory=B --check one.csv t.csv
	status_is 1
	[ "$(jq -c 'select(.verdict == "differs") | [.group.t, .theirs, .explanation]' <<<"$output")" = '["0",null,"only the rows have a value"]' ]
}

@test "n_unique counts different values, groups are chosen by a figure of theirs, and by rank" {
	printf 't,visit,memory_bytes\na,1,1e9\na,1,3e9\na,2,2e9\nb,1,5e8\nb,3,6e8\nc,1,1e9\nc,1,9e9\nd,7,\n' >t.csv
	[ "$(stat -b t --of visit --stats n_unique t.csv | jq -c '[.group.t, .n_unique]' | paste -sd' ')" = '["a",2] ["b",2] ["c",1] ["d",1]' ]
	[ "$(metricstat -f csv -b t --of visit --stats count,n_unique -T t.csv | tr -d '\r' | tail -1)" = total,visit,,true,8,4 ] || metricstat -f csv -b t --of visit --stats count,n_unique -T t.csv
	[ "$(stat -b t --having 'memory_bytes:iqr>500MB memory_bytes:p05>=0.1GB' --of memory_bytes t.csv | jq -r .group.t | paste -sd' ')" = 'a c' ]
	[ "$(stat -b t --having 'memory_bytes:count=2' --of memory_bytes t.csv | jq -r .group.t | paste -sd' ')" = 'b c' ]
	[ "$(metricstat -f json -b t --having 'memory_bytes:max<5GB' --largest 1 --of memory_bytes t.csv | jq -r 'select(.type == "largest") | .of.t')" = a ]
	[ "$(stat -b t -S sum --rank 2-3 --of memory_bytes t.csv | jq -r .group.t | paste -sd' ')" = 'a b' ]
	[ "$(metricstat -f json -b t --largest 1 --rank 2-3 --of memory_bytes t.csv | jq -r 'select(.type == "largest") | "\(.rank) \(.value / 1e9)"' | paste -sd,)" = '2 3,3 2' ]
	run metricstat -b t --having 'memory_bytes:wide>1' --of memory_bytes t.csv
	status_is 2
	has "--having: 'memory_bytes:wide' must be COLUMN:STATISTIC of an analysed column"
	run metricstat -b t --having 'memory_bytes:max>1h' --of memory_bytes t.csv
	status_is 2
	# A name in quotes may have any characters, and shares are in percent.
	[ "$(sed '1s/.*/t,visit,"Peak mem (B)"/' t.csv | stat -b t --having '"Peak mem (B):share">50%' --of 'Peak mem (B)' | jq -r .group.t)" = c ]
	run metricstat --rank 3-2 t.csv
	status_is 2
}

@test "an option that is accepted has an effect, alone and with each other one" {
	for program in metricstat table2metrics; do
		run -0 "$ROOT/tests/optionpairs" "$program"
		[ -z "$output" ]
	done
	printf 't,x\na,1\n' >t.csv
	while IFS='|' read -r options wanted; do
		eval "run metricstat $options t.csv"
		status_is 2
		has "$wanted"
	done <<-'EOF'
	--request 1% --largest 3|--largest has no effect with --request
	--request 1% --having 'x:max>1'|--having has no effect with --request
	--show t|--show has no effect without --largest or --outliers
	--binary -f csv|--binary has no effect without --format markdown or --format latex or --format text
	--largest 1 --sort sum -f csv|--sort has no effect with --largest
	--stats count -f json|--stats has no effect on records: --format text has columns
	--sort percentiles|--sort: unknown 'percentiles': expected count, missing,
	--sort outliers|the statistic 'outliers' requires --outliers
	--percentiles y=5 --of x|--percentiles: 'y=5' names no analysed column
	EOF
	run table2metrics --source t.csv
	status_is 2
	has '--source has no effect without --format csv'
}

@test "a checked summary where few groups are wrong: these are listed, and what explains the others is said" {
	printf 't,x_gb\n' >t.csv
	printf 't,x_max_GB,x_sum\n' >s.csv
	for i in 1 2 3 4 5 6 7 8; do
		printf '%s,%s.2567\n' $i $i >>t.csv
		printf '%s,%s,%s.3\n' $i "$(jq -n "(if $i == 4 then 5 else $i end + 0.2567) / 1.073741824")" $((i == 7 ? 9 : i)) >>s.csv
	done
	run metricstat -f json -b t --check s.csv t.csv
	status_is 1
	[ "$(jq -c '[.summary_column, .group.t, .differ, .explanation]' <<<"$output")" = \
'["x_max_GB",null,1,"1 of 8 groups differ for no known reason; the others: a ratio of 0.93132 (1/1.0737): its name says GB, but it is in GiB"]
["x_max_GB","4",null,"4.895683378 in the summary, 3.964360803 from the rows"]
["x_sum",null,1,"1 of 8 groups differ for no known reason; the others: rounded to 1 decimal"]
["x_sum","7",null,"9.3 in the summary, 7.2567 from the rows"]' ]
}

@test "the unit of a checked total of all rows is reported too" {
	printf 'x_bytes\n64923400000\n1\n' >t.csv
	printf 'x_max_GB,x_mean_MB\n60.4646,31000\n' >s.csv
	run metricstat -f json --check s.csv t.csv
	status_is 1
	[ "$(jq -r 'select(.verdict) | .verdict, .explanation' <<<"$output" | head -4)" = 'explained
a ratio of 0.93132 (1/1.0737): its name says GB, but it is in GiB
differs
1 of 1 groups differ for no known reason' ]
}

@test "a checked least value or percentile of 0 where values are missing is no rounding, and a scaled deviation no unit" {
	printf 't,x_s\na,0.2\na,\na,0.4\na,0.9\nb,0.3\nb,\nb,0.5\nb,0.6\n' >t.csv
	printf 't,x_min,x_p50,x_mad\na,0,0.3,0.29652\nb,0,0.4,0.14826\n' >s.csv
	run metricstat -f json -b t --check s.csv t.csv
	status_is 1
	[ "$(jq -r '.explanation' <<<"$output")" = \
'missing values are taken for zero
missing values are taken for zero
the deviation is scaled by 1.4826' ]
}

@test "tables show units: GB or GiB, minutes and hours, percent" {
	printf 'a_bytes,b_gib,c_ms,d_pct,e\n1610612736,1.5,6720000,12.5,3\n' >t.csv
	run -0 metricstat -f text --stats mean t.csv
	has 'a_bytes    1.611 GB'
	has 'b_gib      1.611 GB'
	has 'c_ms     1 h 52 min'
	has 'd_pct       12.50 %'
	run -0 metricstat -f text -B --stats mean t.csv
	has 'a_bytes   1.500 GiB'
	has 'b_gib     1.500 GiB'
	run -0 metricstat -f text -u e=MB --stats mean t.csv
	has 'e              3 MB'
	[ "$(stat -u e=MB --of e,c_ms t.csv | jq -c '[.unit, .sum]')" = $'["MB",3]\n["ms",6720000]' ]
}

@test "tables are Markdown, LaTeX and CSV, and what is special in them is escaped" {
	printf 'g|_,x\na|b & c_d,1\n=1+1,2\n' >t.csv
	run -0 metricstat -f markdown -b 'g|_' --stats count t.csv
	has '| a\|b & c\_d | x | 1 |'
	run -0 metricstat -f latex -b 'g|_' --stats count t.csv
	has 'a|b \& c\_d & x & 1 \\'
	run -0 metricstat -f csv -b 'g|_' --stats count t.csv
	has "\"'=1+1\",x,,false,1"
	printf 'g,x\n"\x1b[2Jred",1\n' >t.csv
	run -0 metricstat -f text -b g t.csv
	[[ "$output" != *$'\x1b'* ]]
}

@test "the output conforms to its schema, which describes every member" {
	tasks
	printf 'task,count,run_time_p25\nisr,3,11\nship,1,1\n' >s.csv
	metricstat -f json -b task --efficiency cpu_time_s/run_time_s -T -P 5,95 -O iqr:0.1 --largest 3 tasks.csv >out
	metricstat -f json -b task --of run_time_s --check s.csv tasks.csv >>out || true
	[ "$(jq -r .type out | sort -u | paste -sd' ')" = 'largest outlier stat summary_check' ]
	run "$ROOT/build/testvenv/bin/python" "$ROOT/tests/validate" --strict out
	status_is 0
}

@test "memory holds the requested columns, not the text" {
	awk 'BEGIN { print "g,x,text"; for (i = 0; i < 100000; i++) { printf "%d,%d,", i % 9, i; for (k = 0; k < 40; k++) printf "%09d ", i * k; print "" } }' >big.csv
	python3 - <<-'P'
	import os, resource, subprocess
	assert os.path.getsize("big.csv") > 35e6
	subprocess.run(["metricstat", "-f", "csv", "-b", "g", "--of", "x", "big.csv"], check=True, stdout=subprocess.DEVNULL)
	assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < 20000, resource.getrusage(resource.RUSAGE_CHILDREN)
	P
}

@test "a long file gives the same result as a stream, and errors have their line" {
	# Newlines within quotes, everywhere; words that come late; a column that is words at last.
	awk 'BEGIN { print "g,x,note,odd"; for (i = 0; i < 40000; i++)
		printf "%s,%d.%d,\"a \"\"note\"\",\nof lines\n%d,%d\n\",%s\r\n", i % 7 (i > 37000 ? "late" : ""), i, i * 7 % 1000, i, i, i < 39990 ? i : "late" }' >long.csv
	for what in '-b g --of x -P 5,50' '-b g' '--of x -O mad --show g' '--largest 3 --of x'; do
		metricstat -f csv $what long.csv >all.csv
		[ -s all.csv ]
		metricstat -f csv $what < <(cat long.csv) | sed "s#stdin#long.csv#" | cmp - all.csv
	done
	awk 'BEGIN { print "g,x"; for (i = 0; i < 200000; i++) printf "%s,%d.%d\n", i % 7, i, i * 7 % 1000 }' >plain.csv
	{ cat plain.csv; printf '1,2,3\n'; } >bad.csv
	run -3 metricstat -f csv --of x bad.csv
	has 'bad.csv:200002:5: 3 fields, but the header has 2'
	{ head -150000 plain.csv; echo 'a"b,1'; echo '1,"2'; cat plain.csv; } >bad.csv
	run -3 metricstat -f csv --of x bad.csv
	has 'bad.csv:150002:3: unclosed quote'
}

@test "Parquet gives the same result as CSV for all types" {
	peer
	"$python" - <<-'P'
	import datetime, decimal
	import pyarrow as pa, pyarrow.parquet as pq
	n = 1000
	t = pa.table({"i": pa.array([None if k % 7 == 0 else k for k in range(n)], pa.int64()), "u": pa.array([k % 200 for k in range(n)], pa.uint8()),
	              "f": pa.array([k / 3 for k in range(n)], pa.float32()), "d": pa.array([decimal.Decimal(k) / 8 for k in range(n)], pa.decimal128(20, 3)),
	              "w": pa.array([None if k % 9 == 0 else "w%d é" % (k % 3) for k in range(n)]), "b": pa.array([k % 2 == 0 for k in range(n)]),
	              "s": pa.array([{"a": k, "b": "x"} for k in range(n)]), "t": pa.array([datetime.datetime(2026, 1, 1, 0, 0, k % 60) for k in range(n)], pa.timestamp("ns")),
	              "n": pa.array(["%d" % k for k in range(n)]), "e": pa.array([None if k % 2 else datetime.timedelta(milliseconds=k) for k in range(n)], pa.duration("us"))})
	pq.write_table(t, "t.parquet", row_group_size=300)
	P
	export NBSCOPE_PARQUET_VENV=$ROOT/build/testvenv
	[ "$(stat -b w --of i,u,d,s.a,n t.parquet | jq -c 'select(.column == "i" or .group.w == null) | [.group.w, .column, .count, .missing, .sum]')" = \
'["w0 é","i",190,32,94761]
["w1 é","i",285,48,142143]
["w2 é","i",286,47,143141]
[null,"i",96,16,48384]
[null,"u",112,0,11144]
[null,"d",112,0,6993]
[null,"s.a",112,0,55944]
[null,"n",112,0,55944]' ]	# as pandas has them
	# A duration is seconds, whether it was asked for by its name or not, and as a key.
	[ "$(stat t.parquet | jq -c 'select(.column == "e") | [.count, .missing, .sum]')" = '[500,500,249.5]' ]
	[ "$(stat --of e t.parquet | jq -c '[.count, .missing, .sum]')" = '[500,500,249.5]' ]
	[ "$(stat -b e --of i -w 'u<3' t.parquet | jq -c .group.e | head -3 | paste -sd' ')" = '"0.0" "0.002" "0.2"' ]
	[ "$(stat -b b --of t t.parquet | jq -c '[.group.b, .count, .min]')" = $'["false",500,1767225601]\n["true",500,1767225600]' ]
	run metricstat --of nothing t.parquet
	status_is 3
	has "no column 'nothing' in 't.parquet'"
	echo PAR1 >bad.parquet
	run metricstat bad.parquet
	status_is 3
	has 'metricstat: bad.parquet: '
	mkdir none
	NBSCOPE_PARQUET_VENV=none run metricstat t.parquet
	status_is 4
	has "cannot read 't.parquet': no Python with pyarrow (run 'make parquet', or set NBSCOPE_PARQUET_VENV)"
}

@test "n_unique counts the different words of a group, which have no other statistics" {
	printf '%s\n' step,band,x s1,r,1 s1,r,2 s1,g,oops s2,,4 s2,i,4 >bands.csv
	metricstat -b step --of band,x --stats n_unique,count,sum bands.csv >got
	[ "$(jq -c 'select(.type == "stat") | [.group.step, .column, .n_unique, .count, .missing, .invalid, .sum, .max]' got)" = \
'["s1","band",2,3,0,0,null,null]
["s1","x",2,2,0,1,3,2]
["s2","band",1,1,1,0,null,null]
["s2","x",1,2,0,0,8,4]' ]
	[ "$(metricstat -f csv -b band --of band --stats n_unique -T bands.csv | tail -1)" = $',band,,true,3\r' ]
	run metricstat -b step --of band bands.csv
	status_is 2
}

@test "a column of --by that --show names too is one column of a table" {
	printf '%s\n' step,task,x s1,a,1 s1,b,2 >shown.csv
	[ "$(metricstat -f csv -b task --of x --largest 1 --show step,task shown.csv | head -1)" = $'column,rank,task,step,value,unit,share_pct,cumulated_share_pct,file,row\r' ]
}

@test "a group takes little memory, and the time is linear in the number of columns" {
	# By others: what this one has in memory would count as that of the programs that it starts.
	for n in 1000 200000; do
		awk -v n=$n 'BEGIN { print "id,x"; for (i = 0; i < n; i++) printf "%07d,%d\n", i, i * 7919 % n }' >g$n.csv
	done
	for n in 3000 30000; do
		awk -v n=$n 'BEGIN { for (row = 0; row < 4; row++) for (i = 0; i < n; i++) printf "%s%s", row ? i : "column_" i, i < n - 1 ? "," : "\n" }' >c$n.csv
	done
	cat >groups.py <<'P'
import os, subprocess
def cost(*command):
    p = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(p.pid, 0)
    assert status == 0, command
    return used.ru_maxrss * 1024, used.ru_utime + used.ru_stime
few, many = (cost("metricstat", "-f", "csv", "-b", "id", f"g{n}.csv")[0] for n in (1000, 200000))
print((many - few) / 199000, "bytes for each group of one row")
assert 20 < (many - few) / 199000 < 100
narrow, wide = (min(cost("metricstat", "-f", "csv", f"c{n}.csv")[1] for _ in range(3)) for n in (3000, 30000))
print(wide / narrow, "times as long for 10 times the columns")
assert wide / narrow < 30
P
	run -0 python3 groups.py
	echo "$output"
}

@test "a Parquet file of groups has the columns of the CSV, with counts as whole numbers and sums as floating-point numbers" {
	export NBSCOPE_PARQUET_VENV=$ROOT/build/testvenv
	printf 'task,x_s\na,1\na,2\nb,\n' >t.csv
	metricstat -f csv -b task --of x_s -P 5,50 --no-escape t.csv >s.csv
	metricstat -f parquet -b task --of x_s -P 5,50 t.csv >s.parquet
	"$NBSCOPE_PARQUET_VENV/bin/python" - <<-'P'
	import csv
	import pyarrow.parquet as pq
	t = pq.read_table("s.parquet")
	rows = list(csv.reader(open("s.csv", newline="")))
	assert t.column_names == rows[0], t.column_names
	kinds = [str(t.schema.field(n).type) for n in ("task", "count", "sum", "p5")]
	assert kinds == ["string", "int64", "double", "double"], kinds
	assert t.column("sum").to_pylist() == [3, None] and t.column("count").to_pylist() == [2, 0]
	P
	run metricstat -f table t.csv
	status_is 2
	has '--format must be json, csv, markdown, latex, text or parquet'
}

@test "groups are sorted by several keys: columns in their order, and statistics, the largest first" {
	printf '%s\n' step,task,x_s 10,a,1 10,b,5 2,c,5 2,d,7 2,e,5 2,e,0 10,f,5 >t.csv
	order() { metricstat -f json -b step,task --of x_s "$@" t.csv | jq -r '.group.task // "all"' | paste -sd' '; }
	[ "$(order --sort step,sum --total)" = 'd c e b f a all' ]
	[ "$(order --sort sum,step)" = 'd c e b f a' ]
	[ "$(order --sort sum,count,task --top 3)" = 'd e b' ]
	[ "$(order --sort count,sum --rank 2-3)" = 'd c' ]
	[ "$(order --sort p95,task)" = 'd b c f e a' ]
	run metricstat -b step --of x_s --sort task t.csv
	status_is 2
	has "--sort: unknown 'task': expected a column of --by, count, missing,"
}
