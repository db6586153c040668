# bats file_tags=quick
# metricreport without a browser; tests/report.bats has one.
load helpers

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	data=$ROOT/tests/data/runs.jsonl
}

# cell NAME INDEX SECONDS [MEMBERS], notebook NAME SECONDS STATUS [MEMBERS]
cell() {
	printf '{"type":"cell_metrics","usecase":"u","name":"%s","label":"l","repetition":1,"attempt":1,"params":{},"cell_index":%s,"execution_status":"Completed","client_execution_time_metric":%s,"dispatch_s":0.01,"transport_s":0,"kernel_s":0.1,"render_s":0.2,"source_line":"x()"%s}\n' \
		"$1" "$2" "$3" "${4:+,$4}"
}
notebook() {
	printf '{"type":"notebook_metrics","usecase":"u","name":"%s","label":"l","repetition":1,"attempt":1,"params":{},"total_cells":1,"executed_cells":1,"execution_status":"%s","client_execution_time_metric":%s,"marks":[]%s}\n' \
		"$1" "$3" "$2" "${4:+,$4}"
}

# section ID FILE: that section.
section() { sed -n "/<section id=\"$1\"/,/<.section>/p" "$2"; }

# tags FILE: its elements in order, "tag name=value ..."; fails if they are not nested correctly.
tags() {
	python3 - "$1" <<-'P'
	import sys
	from html.parser import HTMLParser
	void = {"meta", "link", "img", "br", "hr", "input"}
	class P(HTMLParser):
	    stack = []
	    def handle_starttag(self, tag, attrs):
	        assert not [k for k, v in attrs if k.startswith("on")], (tag, attrs)
	        print(tag, *(f"{k}={v}" for k, v in attrs))
	        if tag not in void: self.stack.append(tag)
	    def handle_startendtag(self, tag, attrs): print(tag, *(f"{k}={v}" for k, v in attrs))
	    def handle_endtag(self, tag):
	        assert self.stack and self.stack.pop() == tag, f"</{tag}> at {self.getpos()}"
	p = P(convert_charrefs=True); p.feed(open(sys.argv[1], encoding="utf-8").read()); p.close()
	assert not p.stack, p.stack
	P
}

@test "the overview counts notebooks, cells, time and failures" {
	cellmetrics "$data" | metricreport >out.html
	run grep -A1 'class="lead"' out.html
	has '2 notebooks, 8 cells, 5.880 s of client time in 28 s of run time'
	has '1 of 2 runs failed.'
}

@test "a machine that was too busy is named at the top" {
	{
		cell a 1 1 '"run_queue_wait_cause":"others","kernel_cpu_s":0.5,"kernel_run_queue_wait_s":0.5,"machine_cpu_s":2'
		cell a 2 1
		notebook a 2 Completed
	} >records
	metricreport --output out.html records
	run section overview out.html
	has '<p class="warning">the machine was too busy in 1 of 2 cells, so measured times are too long: other processes used 75 % of its CPU time, and kernel and browser spent 50 % of their time in the run queue.'
	has '<div class="trust doubt" id="trust"><h3>Doubtful: other processes disturbed 1 of 2 cells</h3>'
	[ "$(grep -c 'too busy' out.html)" = 1 ]
	# One place, the verdict first, says whether to trust the numbers.
	[ "$(grep -c 'disturbed' out.html)" = 1 ]
	sed '/others/d' records | metricreport --output out.html
	[ "$(grep -c 'class="warning"' out.html)" = 0 ]
}

@test "every element is closed, every table has a caption and its headings a scope" {
	cellmetrics "$ROOT"/tests/data/*.jsonl | metricreport --pages pages --output out.html
	for f in out.html pages/*.html; do
		tags "$f" >tags
		[ "$(grep -c '^table' tags)" = "$(grep -c '^caption' tags)" ]
		[ "$(grep '^th ' tags | grep -vc 'scope=')" = 0 ]
		[ "$(grep '^img' tags | grep -vc 'alt=')" = 0 ]
		[ "$(sed -n 's/.* id=\([^ ]*\).*/\1/p' tags | sort | uniq -d | wc -l)" = 0 ]
	done
}

@test "text from records cannot become an element, an attribute or a script" {
	evil='</script><script>alert(1)</script><img src=x onerror=alert(2)>\" onmouseover=\"alert(3) '"'"' <!--nbscope:method--> \u001b[31m\u202e'
	{
		cell "$evil" 1 0.31 "\"source_line\":\"$evil\",\"diagnosis\":\"$evil\",\"cell_id\":\"$evil\",\"screenshot\":\"../$evil\"" | sed 's/"source_line":"x()",//'
		notebook "$evil" 0.31 Failed "\"error_name\":\"$evil\",\"error_value\":\"$evil\",\"failed_cell\":1,\"browser\":\"$evil\",\"machine\":{\"os\":\"$evil\",\"cores\":2,\"memory_bytes\":1}" |
			sed "s|\"params\":{}|\"params\":{\"k<b>\":\"$(sed 's/[\\&]/\\&/g' <<<"$evil")\"}|"
		for i in {1..120}; do cell ok $i 0.31; done
		notebook ok 1 Completed
		printf '{"type":"truth","metric":"%s","cell_id":"%s","truth":1,"measured":1,"error":0,"limit":1,"ok":true}\n' "$evil" "$evil"
		printf '{"type":"outlier","column":"%s","of":{"%s":"%s"},"value":1,"group":{"median":1},"times_median":1,"params":{"a":"%s"},"shared":[{"parameter":"%s","value":"%s","of_outliers_pct":1,"of_rows_pct":1}]}\n' "$evil" "$evil" "$evil" "$evil" "$evil" "$evil"
		printf '{"type":"scaling","cell_index":1,"source_line":"%s","metric":"%s","param":"%s","word":"%s","exponent":1,"exponent_low":1,"exponent_high":1,"levels":3}\n' "$evil" "$evil" "$evil" "$evil"
		printf '{"type":"comparison","name":"%s","metric":"%s","result":"worse","base_median":1,"median":2,"change":"%s","result_text":"%s","q":0.01}\n' "$evil" "$evil" "$evil" "$evil"
		printf '{"type":"comparison_verdict","line":"%s","verdict":"worse","base":"%s","differences":[{"what":"%s","base_value":"%s","label_value":"%s","allowed":false}]}\n' "$evil" "$evil" "$evil" "$evil" "$evil"
		printf '{"type":"environment","python":"%s","packages":{"%s":"%s"}}\n' "$evil" "$evil" "$evil"
	} >records
	metricreport --pages pages --output out.html --link "$(printf '%b' 'a"><script>')" records 2>/dev/null
	tags out.html >tags
	[ "$(grep -c '^script' tags)" = 1 ]
	run ! grep '^img' tags
	run grep -P '\x1b|\xe2\x80\xae' out.html
	[ -z "$output" ]
	# The data for a script is JSON with the original text.
	echo '<script type="application/json" id="data"><!--nbscope:data--></script>' >t
	metricreport --template t records 2>/dev/null >data.html
	tags data.html >tags
	[ "$(cat tags)" = 'script type=application/json id=data' ]
	sed -n 's#.*id="data">\(.*\)</script>$#\1#p' data.html | jq -e '[.cells[].line] | any(test("</script><script>alert"))'
	ls pages >names
	[ "$(cat names)" = ok.html ]
}

@test "of repetitions, the run nearest to the median time is shown, with their number, range and median" {
	for k in 1:0.5 2:0.3 3:0.9; do
		cell n 1 "${k#*:}" | sed "s/\"repetition\":1/\"repetition\":${k%:*}/"
		notebook n "${k#*:}" Completed | sed "s/\"repetition\":1/\"repetition\":${k%:*}/"
	done | metricreport >out.html
	run grep -A3 'id="c-n/1"' out.html
	has '<td class="n">0.500</td>'
	has '<td class="n">3: 0.300 to 0.900</td>'
	run grep 'class="lead"' out.html
	has '1 notebook, 3 runs, 1 cell,'
	# Of two, the median is neither: the mean of both.
	for k in 1:0.4 2:0.3; do
		cell n 1 "${k#*:}" | sed "s/\"repetition\":1/\"repetition\":${k%:*}/"
		notebook n "${k#*:}" Completed | sed "s/\"repetition\":1/\"repetition\":${k%:*}/"
	done | metricreport >out.html
	run grep -A3 'id="c-n/1"' out.html
	has '<td class="n">0.300</td>'
	has '<td class="n">2: 0.300 to 0.400<br>median 0.350</td>'
	run section overview out.html
	has '<h3>A person waits</h3><p class="value">350.0 ms</p><p>in the median of 2 runs, 0.300 to 0.400 s</p>'
}

@test "a cell that failed in one repetition is shown as failed" {
	{
		cell n 1 0.5; notebook n 0.5 Completed
		{ cell n 1 0.1; notebook n 0.1 Failed '"failed_cell":1,"error_name":"E","error_value":"v"'; } | sed 's/"repetition":1/"repetition":2/; /cell_metrics/s/Completed/Failed/'
	} | metricreport >out.html
	run grep 'id="c-n/1"' out.html
	has '<td class="status bad">Failed</td>'
	grep -q 'E: v' out.html
}

@test "a report of one notebook of no use case is headed by the notebook's name" {
	alone() { for n; do cell $n 1 1; notebook $n 1 Completed; done | sed 's/"usecase":"u"/"usecase":null/' | metricreport --output out.html; }
	alone analysis
	grep -q '<h1>analysis, l</h1>' out.html
	alone first second
	grep -q '<h1>notebooks, l</h1>' out.html
}

@test "an unknown value is shown as a dash, not as zero" {
	{ cell n 1 null; notebook n null Completed; } | sed 's/"kernel_s":0.1/"kernel_s":null/' | metricreport >out.html
	run grep 'id="c-n/1"' out.html
	has '<td class="n none">&ndash;</td>'
	[[ "$output" != *'>0.0'* ]]
}

@test "a label without runs has a report" {
	metricreport </dev/null >out.html
	tags out.html >tags
	grep -q 'no runs' out.html
	grep -q 'This machine was not calibrated' out.html
}

@test "the screenshot of a failed cell is in the page" {
	mkdir -p shots/n
	printf '\211PNG\r\n\032\n' >shots/n/cell-1.png
	{ cell n 1 0.1 '"screenshot":"cell-1.png"'; notebook n 0.1 Failed '"failed_cell":1'; } | metricreport --screenshots shots >out.html
	grep -q 'src="data:image/png;base64,iVBORw0KGgo="' out.html
	# A name with a path is ignored.
	cp shots/n/cell-1.png secret.png
	{ cell n 1 0.1 '"screenshot":"../../secret.png"'; notebook n 0.1 Failed '"failed_cell":1'; } | metricreport --screenshots shots >out.html
	run ! grep -q 'data:image/png' out.html
}

@test "metricstat's records become a report: groups, totals, a check, the largest rows, outliers" {
	printf 'step,task,run_time,memory\n1,a,3,1e9\n1,b,5,2e9\n2,a,9,5e9\n2,a,300,6e9\n2,a,8,\n2,<img src=x>,8.5,6e9\n' >t.csv
	printf 'step,task,memory_mean\n1,a,0.9313226\n1,b,2.5\n2,a,5.1222742\n3,z,1\n' >s.csv
	set -- --format json --unit run_time=s,memory=bytes
	{
		metricstat "$@" --by step --of run_time,memory --percentiles 5,95 --total t.csv
		metricstat "$@" --by step,task --of run_time --cohort 'early:run_time<=4' t.csv
		metricstat "$@" --by step,task --of memory --check s.csv t.csv || true
		metricstat "$@" --of run_time --largest 2 t.csv
		metricstat "$@" --by step --of run_time --outliers iqr --show task t.csv
	} >records
	metricreport --as tables --title 'A <campaign>' --output out.html records
	grep -q '<h1>A &lt;campaign&gt;</h1>' out.html
	grep -q '6 rows, 2 values of step, 3 values of task; 5 min 34 s of run time\.' out.html
	tags out.html >tags
	[ "$(grep -c '^table' tags)" = "$(grep -c '^caption' tags)" ]
	[ "$(grep '^th ' tags | grep -vc 'scope=')" = 0 ]
	run ! grep '^img' tags
	# Of 9, 300, 8 and 8.5 s.
	grep -q '<tr><th scope="row">2</th><td class="n">4</td><td class="n" data-v="325.5">5 min 26 s</td>' out.html
	grep -q '<th scope="row" colspan="1">all</th><td class="n">6</td>' out.html
	grep -q 'step=3 task=z</td><td>only in summary' out.html
	run sed -n '/id="largest"/,/<.section>/p' out.html
	has 'data-v="300">5 min 00 s</td>'
	has 't.csv, row 4'
	run sed -n '/id="outliers"/,/<.section>/p' out.html
	has 'step=2 task=a'
	metricreport --as tables </dev/null | grep -q 'No rows'
}

@test "values that are left out are noted, and are a warning at the top of a report if they are more than 1 %" {
	for rows in 98 99; do
		{ echo x_s,y; seq -f '%g,1' $rows; echo 'oops,2'; } | metricstat --format json 2>/dev/null | metricreport --as tables --output out.html
		at=$(grep -n "left out as not a number, such as &#39;oops&#39; (stdin:$((rows + 2)))" out.html | cut -d: -f1)
		numbers=$(grep -n 'class="numbers"' out.html | cut -d: -f1)
		[ "$((at < numbers))" = "$((rows < 99))" ]
		[ "$(sed -n "${at}p" out.html | grep -c 'class="warning"')" = "$((rows < 99))" ]
	done
}

@test "an unknown, misplaced or unterminated placeholder is an error with its position" {
	printf 'a\n b<!--nbscope:nothing-->' >t
	run metricreport --template t </dev/null
	status_is 3
	has "metricreport: t:2:3: unknown placeholder 'nothing'"
	echo '<!--nbscope:timeline-->' >t
	run metricreport --template t </dev/null
	status_is 3
	has "'timeline' is not a placeholder of the report"
	echo '<!--nbscope:title' >t
	run metricreport --template t </dev/null
	status_is 3
	has 'has no end'
	printf 'a\0b' >t
	run metricreport --template t </dev/null
	status_is 3
	run metricreport --template none </dev/null
	status_is 4
}

@test "a template of one's own shows the model: loops, conditions, numbers, parts, and text that stays text" {
	{
		for k in 1 2 3; do cell n$k 1 0.$k '"heading":"<b>"'; notebook n$k 0.$k Completed; done
		cell n4 1 null
		notebook n4 null Failed '"failed_cell":1'
	} >records
	cat >t <<-'T'
	{{! not shown }}
	{{#each cells 1 3}}
	{{#if @first}}
	first
	{{/if}}
	{{notebook}} {{heading}} {{amount client_s "t_s"}}{{td client_s 2}}
	{{else}}
	never
	{{/each}}
	{{#each cells 9}}never{{else}}{{more cells 1}} more, {{cells.0.line}}{{/each}}
	{{#each cells}}{{#unless known client_s}}{{fixed client_s 1}}{{td client_s 1}}{{/unless}}{{/each}}
	{{#if notebooks.3}}{{#if n_cells > 3}}{{#if usecase = "u"}}yes{{/if}}{{/if}}{{/if}}{{#if notebooks.4}}no{{/if}}
	{{>title}} {{count n_cells "cell"}}{{#each wait.longest}} {{>link}}{{/each}}
	T
	metricreport --template t --output out.html records
	diff out.html - <<-'T'
	first
	n2 &lt;b&gt; 200 ms<td class="n">0.20</td>
	n1 &lt;b&gt; 100 ms<td class="n">0.10</td>
	3 more, x()
	&ndash;<td class="n none">&ndash;</td>
	yes
	u, l 4 cells n3
	T
}

@test "numbers in templates are rounded as printf rounds them" {
	values='98765432109.5 1234567.0625 12.3455 2.6749999 1.9995 0.99951 0.0025 0.0015 0.0005 0.00049'
	i=0
	for s in $values; do cell n $((i += 1)) $s; done >records
	printf '{{#each cells}}{{fixed client_s 3}} {{fixed client_s 0}} {{fixed client_s 7}}\n{{/each}}' >t
	metricreport --template t --output out records
	python3 -c 'import sys; [print(f"{float(s):.3f} {float(s):.0f} {float(s):.7f}") for s in sys.argv[1:]]' $values | diff - out
}

@test "a template that is not valid is an error with its position" {
	is_error() { printf "$1" >t; run metricreport --template t records; status_is 3; has "metricreport: t:$2"; }
	{ cell n 1 0.5; notebook n 0.5 Completed; } >records
	is_error 'a\n {{nothing}}' "2:4: there is no value 'nothing'"
	is_error '{{wait.nothing}}' "1:3: there is no value 'wait.nothing'"
	is_error 'a{{fixed' "1:2: this tag has no end '}}'"
	is_error '{{}}' '1:1: this tag is empty'
	is_error '{{double t}}' "1:1: there is no helper 'double'"
	is_error '{{#each t}}{{/each}}' "1:9: this is not a list: 't'"
	is_error '{{#each cells x}}{{/each}}' "1:15: not a number: 'x'"
	is_error '{{#while t}}{{/while}}' "1:1: there is no block 'while'"
	is_error '{{#if t}}\n{{#each cells}}\n{{/if}}' "3:1: no block was opened by 'if'"
	is_error '{{#if t}}\n' "1:1: this block is not closed: 'if'"
	is_error '{{#if t}}{{else}}{{else}}{{/if}}' '1:18: a second {{else}}'
	is_error '{{#if t is 1}}{{/if}}' "1:1: not a condition: 'if'"
	# Also where it is not shown.
	is_error '{{#if pages}}{{double t}}{{/if}}' "1:14: there is no helper 'double'"
	is_error '{{>timeline}}' "1:1: 'timeline' is not a placeholder of the report"
}

@test "the model of a report conforms to its schema" {
	{
		for k in 1 2; do
			{ cell n 1 0.$k '"heading":"a","handling_delay_s":0.1'; cell n 2 1 '"diagnosis":"slow"'; notebook n 1 Failed '"failed_cell":2,"error_name":"E"'; } | sed 's/"repetition":1/"repetition":'$k'/'
		done
		echo '{"type":"truth","metric":"render_s","cell_id":"a","truth":0,"error":0.1,"limit":1,"ok":true}'
	} >records
	metricreport --model model --output out.html records
	runprofile -f json "$ROOT"/tests/data/profiles/*.jsonl >folded
	metricreport --profiles folded --model profiled --output out.html records
	# What worker processes did is a part of the same cell.
	[ "$(grep -o '<article class="cell profile" id="[^"]*"' out.html)" = '<article class="cell profile" id="profile-5"' ]
	grep -qF '<div class="part" id="profile-5-workers"><h4>In its worker processes</h4>' out.html
	grep -qF '<td class="n">12</td><td class="n">40,000</td><td class="n">3100.000</td><td class="n">91.2</td><td><code>    b = a</code></td>' out.html
	printf 'a,run_time_s\n1,3\n2,4\n' | metricstat --by a --total --format json | metricreport --as tables --model tables --output out.html
	cat model profiled tables >models
	run "$ROOT/build/testvenv/bin/python" "$ROOT/tests/validate" --strict models
	status_is 0
	[ "$(jq -s 'map([.cells[0].runs, .cells[0].median_s, (.profiles | map(.parts | length)), (.groups | length)])' -c models)" = '[[2,1,[],0],[2,1,[2],0],[null,null,[],1]]' ]
}

@test "without jq, or where jq fails, no report is written" {
	mkdir bin
	ln -s "$(command -v metricreport)" bin
	cellmetrics "$data" >metrics
	run env PATH="$PWD/bin" metricreport --output out.html metrics
	status_is 4
	has 'jq failed, or is not installed'
	echo '{"type":"profile_function","cell_index":5,"page":false,"callers":5}' >folded
	run timeout 20 metricreport --profiles folded --output out.html metrics
	status_is 4
	has 'jq failed, or is not installed'
	[ ! -e out.html ]
}

@test "rows of the calibration are cells, or all cells whose true value is 0" {
	truth() { echo '{"type":"truth","metric":"m","cell_id":"'"$1"'","truth":'"$2"',"measured":0,"error":'"$3"',"limit":2,"ok":'"$4"'}'; }
	{ truth b 0 1 true; truth c 0 3 false; truth a 5 0.1 true; truth a 5 0.4 false; truth a 5 null false; } | metricreport --output out.html --model model
	jq -c '.calibration[] | [.cell_id, .runs, .truth, .bias, .ok_pct, .bad]' model >rows
	[ "$(cat rows)" = $'["a",2,5,0.25,33.333333333333336,true]\n["all",2,0,2,50,false]' ]
	section calibration out.html | grep -q '<td class="n bad">33 %</td>'
}

@test "invalid input is an error with file, line and column" {
	for bad in 'not json' '{"type":"x","a":NaN}' '{"type":"x","a":1,"a":2}' '[]' "$(printf '{"type":"x","a":"\377"}')"; do
		printf '%s\n' "$bad" >bad
		run metricreport --output out.html bad
		status_is 3
		has 'metricreport: bad:1:'
		[ ! -e out.html ]
	done
	run bash -c 'metricreport </dev/null >/dev/full'
	status_is 4
	run metricreport --as what
	status_is 2
}

@test "an index links to each report, newest first" {
	{
		echo '{"type":"report","t":10,"usecase":"<u>","label":"old","notebooks":1,"runs":1,"cells":2,"failed":0,"client_s":3,"path":"u/old/"}'
		echo '{"type":"report","t":20,"usecase":"u","label":"new","notebooks":1,"runs":1,"cells":2,"failed":1,"client_s":3,"path":"u/a \"b/"}'
	} | metricreport --as index >out.html
	run sed -n 's/.*<a href="\([^"]*index.html\)".*/\1/p' out.html
	[ "$output" = './u/a%20%22b/index.html
./u/old/index.html' ]
}

@test "an unchanged page is not written again" {
	cellmetrics "$data" >metrics
	metricreport --pages pages --output out.html metrics
	touch -d 2000-01-01 pages/*
	sed -i 's/"render_s":1.7/"render_s":1.8/' metrics
	metricreport --pages pages --output out.html metrics
	run find pages -type f -newermt 2001-01-01
	[ "$output" = pages/demo-n1-modepng.html ]
}

@test "what no run recorded is unknown, and one run does not differ from itself" {
	{ cell n 1 2; notebook n 2 Completed '"kernel":"python3"'; } | metricreport --output out.html
	run section environment out.html
	has '<th scope="row">nbscope</th><td>unknown</td>'
	has '<th scope="row">kernel</th><td>python3</td>'
	{ notebook n 2 Completed '"kernel":"python3"'; notebook m 2 Completed '"window":"9x9"'; } | metricreport --output out.html
	run section environment out.html
	has '<th scope="row">window</th><td>unknown, and others: the runs differ</td>'
	has '<th scope="row">kernel</th><td>python3, and others: the runs differ</td>'
	has '<th scope="row">language</th><td>unknown</td>'
}

@test "the record of a report conforms to its schema" {
	cellmetrics "$data" | metricreport --as record >record
	run "$ROOT/build/testvenv/bin/python" "$ROOT/tests/validate" --strict record
	status_is 0
}

@test "runs without a time are counted without a range" {
	for k in 1 2; do
		{ cell n 1 null; notebook n null Skipped; } | sed 's/"repetition":1/"repetition":'$k'/; /cell_metrics/s/Completed/Skipped/'
	done | metricreport >out.html
	run grep -c 'nan' out.html
	[ "$output" = 0 ]
	grep -q '<td class="n">2</td>' out.html
}

@test "failures, outliers and the comparison link to a cell under its name in the other tables" {
	{
		for k in 1 2; do
			cell u-side$k 1 0.5 '"params":{"side":'$k'}' | sed 's/"params":{},//'
			notebook u-side$k 0.5 Failed '"failed_cell":1' | sed "s/\"params\":{}/\"params\":{\"side\":$k}/"
		done
		echo '{"type":"comparison","name":"u-side2","cell_index":1,"source_line":"show()","metric":"client_execution_time_metric","result":"worse","base_median":1,"median":2,"change":"+100 % (+90 to +110)","result_text":"worse","q":0.01}'
		echo '{"type":"comparison","name":"gone","cell_index":3,"source_line":"old()","metric":"client_execution_time_metric","result":"worse","base_median":1,"median":2,"change":"+100 % (+90 to +110)","result_text":"worse","q":0.01}'
		echo '{"type":"comparison_verdict","line":"worse","tests":2,"no_worse":0,"better":0,"worse":2,"unknown":0}'
		echo '{"type":"outlier","column":"client_execution_time_metric","unit":"s","of":{"name":"u-side2","cell_index":"1","repetition":"1"},"value":9,"times_median":9,"group":{"median":1}}'
	} | metricreport --pages pages --output out.html
	for part in failures comparison outliers; do
		run sed -n "/id=\"$part\"/,/<.section>/p" out.html
		has 'href="pages/u-side2.html#c-u-side2/1">'
	done
	# On its own page, which is in the same folder.
	grep -q '<h3><a href="u-side2.html#c-u-side2/1">' pages/u-side2.html
	run sed -n '/id="comparison"/,/<.section>/p' out.html
	has '>side=2</a>, cell&nbsp;1</th><td>client time</td><td>+100 % (+90 to +110)</td><td class="status bad">worse</td>'
	has 'gone, cell&nbsp;3'
	has '<td>+100 % (+90 to +110)</td><td class="status bad">worse</td>'
	run sed -n '/id="outliers"/,/<.section>/p' out.html
	has '>side=2</a>, cell&nbsp;1, repetition=1</td>'
}

@test "scaling has a column of limits if any is known, and reports how many rows it omits" {
	line='{"type":"scaling","cell_index":1,"source_line":"f()","metric":"client_execution_time_metric","word":"linear","param":"n","exponent":1,"exponent_low":0.9,"exponent_high":1.1,"levels":4'
	echo "$line,\"limit_at\":null}" | metricreport >out.html
	run ! grep -q 'limit reached at' out.html
	{ for _ in $(seq 103); do echo "$line,\"limit_at\":null}"; done; echo "$line,\"limit_at\":7}"; } | metricreport >out.html
	grep -q 'limit reached at' out.html
	grep -q '<p>4 more: <code>metricscale</code> lists all.</p>' out.html
}

@test "one call writes the report, the pages and the record, and reads its input once" {
	cellmetrics "$data" | metricreport --pages pages --record record --output out.html -
	grep -q '1 of 2 runs failed' out.html
	[ "$(ls pages)" = $'demo-n1-modepng.html\ndemo-n2-modewebp.html' ]
	[ "$(jq -c '[.type, .notebooks, .cells, .failed]' record)" = '["report",2,8,1]' ]
}

@test "the navigation of a page links to the sections of its template, in order" {
	cat >t <<-'T'
	<!--nbscope:nav--><section id="b"><h2>Two</h2></section><section id="a"><h2>One</h2></section><section id="c">none</section>
	T
	metricreport --template t </dev/null >out.html
	[ "$(grep -c '<a ' out.html)" = 2 ]
	[ "$(sed -n 's/^<a href="\(.*\)">\(.*\)<.a>$/\1 \2/p' out.html)" = $'#b Two\n#a One' ]
	cellmetrics "$data" | metricreport --pages pages >out.html
	for f in out.html pages/demo-n1-modepng.html; do
		[ "$(grep -c '^<a href="#[a-z]*">' "$f")" = "$(grep -c '<section id=' "$f")" ]
	done
}

@test "runs that are stale or damaged are counted with their reasons" {
	{
		cell n 1 0.5; notebook n 0.5 Completed
		for k in 1 2; do echo '{"type":"run_plan","label":"l","name":"n","repetition":'$k',"state":"stale","reason":"template <x>"}'; done
		echo '{"type":"run_plan","label":"l","name":"n","repetition":3,"state":"damaged","reason":null}'
		echo '{"type":"run_plan","label":"l","name":"n","repetition":4,"state":"current","reason":null}'
	} | metricreport >out.html
	grep -q '<p>Runs on disk that are not included: 2 stale: template &lt;x&gt;; 1 damaged.</p>' out.html
}

@test "a report that lacks a required run names it, and does not say that all completed" {
	state() { printf '{"type":"run_plan","run":"runs/%s.jsonl","required":true,"state":"%s","profile":null,"reason":null}\n' "$@"; }
	{ cell n 1 0.5; notebook n 0.5 Completed; state n current m missing l rerun; } | metricreport >out.html
	grep -q '<span class="badge bad">2 runs missing: m ...</span>' out.html
	grep -q 'not all have run' out.html
	run ! grep -q 'all completed' out.html
	{ cell n 1 0.5; notebook n 0.5 Completed; state n current; } | metricreport >out.html
	grep -q '<span class="badge good">all completed</span>' out.html
	{ notebook n 0.5 Completed; state n current m missing; } >in
	run runsum in
	[ "${lines[-1]}" = 'verdict: 1 notebook profiled, 1 cell completed; 1 run could not be made: m' ] || has 'the verdict'
}

@test "client time that the phases do not explain is shown as unattributed" {
	{ cell n 1 0.31; notebook n 0.31 Completed; } | metricreport >out.html
	run ! grep -q unattributed out.html
	{ cell n 1 0.62; notebook n 0.62 Completed; } | metricreport >out.html
	grep -A2 '>unattributed<' out.html | grep -q '<td class="n">0.310</td><td class="n">50.0</td>'
}

@test "the part of render in which the reply waited for the browser is hatched, with a tooltip, where it can be seen" {
	of_cell() { { cell n 1 0.31 "\"handling_delay_s\":$1"; notebook n 0.31 Completed; } | metricreport | grep -A9 'id="c-n/1"'; }
	of_cell 0.155 >row
	# Render begins at 0.11 s.
	grep -q 'viewBox="0 0 0.31 10".*<g class="handling"><title>0.155 s of render: the answer had arrived, but waited for the busy browser</title><rect class="render" x="0.11000" width="0.15500" height="10"/><path d="M0.11000 5h0.15500"/></g></svg>' row
	# Never more than render is.
	of_cell 9 | grep -q '<g class="handling"><title>0.200 s of render'
	run ! grep -q handling <(of_cell null)
	run ! grep -q handling <(of_cell 0.0006)
	grep -q handling <(of_cell 0.0007)
}

@test "a phase that is unknown is a dash in the tables, and 0 in the bars" {
	cell n 1 0.5 '"queue_s":null' | sed 's/"transport_s":0/"transport_s":null/' | cat - <(notebook n 0.5 Completed) | metricreport >out.html
	grep -A9 'id="c-n/1"' out.html >row
	grep -q '<td class="n none">&ndash;</td><td class="n">0.100</td>' row
	grep -q '<title>dispatch 0.010 s (3 %), kernel 0.100 s (32 %), render 0.200 s (65 %)</title>' row
}

@test "the first screen has three numbers: how long a person waits and where the longest, the longest phase, the slowest cell" {
	{
		for k in 1 2 3; do
			cell n$k 1 0.$k; cell n$k 2 1.$k '"cell_id":"b"' | sed 's/"kernel_s":0.1/"kernel_s":1/'
			notebook n$k $k.5 Completed
		done
	} | metricreport --pages pages --output out.html
	run section overview out.html
	has '<h3>A person waits</h3><p class="value">2.500 s</p><p>median of 3 notebooks, 1.500 s to 3.500 s</p><p>Longest: <a href="pages/n3.html">n3</a></p></div>'
	has '<h3>Most of it: kernel</h3><p class="value">72 %</p>'
	has '<h3>Slowest cell</h3><p class="value">1.300 s</p>'
	has ', cell&nbsp;2: 37&nbsp;% of its notebook</p>'
	has 'Each cell ran once'
}

@test "client time has one name in all tables" {
	{ cell n 1 2 '"t":1'; cell m 1 1; notebook n 2 Completed; notebook m 1 Completed; } | metricreport --pages pages --output out.html
	run -0 grep -ohE '<th scope="col"[^>]*>(client[^<]*|seconds)' out.html pages/n.html
	[ "$(printf '%s\n' "${lines[@]}" | sort | uniq -c | tr -s ' ')" = ' 5 <th scope="col" class="n">client time, s' ]
}

@test "a badge says how many cells other processes disturbed, and that there is nothing to doubt only if the load is known" {
	{ cell a 1 1 '"run_queue_wait_cause":"others","machine_cpu_s":2'; cell a 2 1 '"machine_cpu_s":1'; notebook a 2 Completed; } >records
	metricreport --output out.html records
	grep -q '<span class="badge bad"><a href="#trust">busy machine: 1 of 2 cells</a></span>' out.html
	grep -q 'id="trust"><h3>Doubtful: other processes disturbed 1 of 2 cells' out.html
	sed '/others/d' records | metricreport --output out.html
	grep -q '<span class="badge good">quiet machine</span>' out.html
	grep -q '<div class="trust" id="trust"><h3>Reliable: no other process disturbed the cells</h3>' out.html
	sed 's/others/own/' records | metricreport --output out.html
	run -0 grep -o '<span class="badge[^/]*/a></span>' out.html
	[ "$output" = '<span class="badge"><a href="#trust">no other processes; kernel and browser compete: 1 of 2 cells</a></span>' ]
	grep -q '<p class="warning">kernel, browser and server compete' out.html
	# Such a machine is a person's, too: nothing is in doubt.
	grep -q '<div class="trust" id="trust"><h3>Reliable for this machine: ' out.html
	run ! grep -q 'quiet machine' out.html
	sed 's/others/unknown/' records | metricreport --output out.html
	grep -q '>busy processors, cause unknown: 1 of 2 cells</a></span>' out.html
	run ! grep -q 'quiet machine' out.html
	sed '/others/d; s/"machine_cpu_s":1/"machine_cpu_s":null/' records | metricreport --output out.html
	run ! grep -qE 'busy machine|quiet machine' out.html
	grep -q 'id="trust"><h3>Unknown: how busy the machine was' out.html
}

@test "each diagnosis is in the report once, with the cell that it explains" {
	{
		cell n 1 2 '"cell_id":"a","diagnosis":"the kernel takes all"'
		cell n 2 0.01 '"cell_id":"b","diagnosis":"2 errors in the console"'
		cell n 3 0.01 '"cell_id":"c"'
		notebook n 2.02 Completed
	} | metricreport --output out.html
	[ "$(grep -o 'the kernel takes all' out.html | wc -l)" = 1 ]
	[ "$(grep -o '2 errors in the console' out.html | wc -l)" = 1 ]
	section slowest out.html | grep -q 'the kernel takes all'
	section diagnosis out.html | grep -q 'cell&nbsp;2 .*2 errors in the console'
}

@test "a section without contents is one line, and navigation skips it" {
	{ cell n 1 2; notebook n 2 Completed; } | metricreport --pages pages --output out.html
	for id in failures diagnosis comparison scaling outliers calibration figures; do
		[ "$(grep -c "^<p class=\"folded\" id=\"$id\"><b>[A-Z][a-z ]*</b> .*</p>$" out.html)" = 1 ] || { echo "$id"; false; }
		run ! grep -q "href=\"#$id\">[A-Z]" out.html
	done
	grep -q '<a href="#slowest">Slowest cells</a>' out.html
	grep -q '<p class="folded" id="strip">' pages/n.html
	{ cell n 1 0.1; notebook n 0.1 Failed '"failed_cell":1'; } | metricreport --output out.html
	grep -q '<a href="#failures">Failures</a>' out.html
}

@test "the slowest cells show what was on screen, within a budget, and otherwise say why not" {
	mkdir -p shots/n thumbs/n shots/n@film/cell-004
	for k in 1 2; do printf '\211PNG\r\n\032\n' >shots/n/cell-00$k.png; done
	truncate -s 100000 shots/n/cell-001.png
	printf JPEG >thumbs/n/cell-001.jpg
	printf 'frame' >shots/n@film/cell-004/0009.png
	{
		for k in 1 2 3 4; do cell n $k 0.$k '"cell_id":"c'$k'","t":'$k',"screenshot":'"$([ $k -gt 3 ] && echo null || echo "\"cell-00$k.png\"")"; done
		notebook n 1 Completed
		cell n 4 null '"cell_id":"c4","t":9,"speed_index_s":0.625,"frames":[{"after_s":0,"progress":0,"file":"cell-004/0001.png"},{"after_s":0.7,"progress":1,"file":"cell-004/0009.png"}]' | sed 's/"repetition":1/"repetition":0/'
		notebook n null Completed '"speed_index_s":0.75' | sed 's/"repetition":1/"repetition":0/; s/"marks":\[\]/"marks":["filmed"]/'
	} >records
	metricreport --screenshots shots --thumbnails thumbs --output out.html records
	run section slowest out.html
	# A small copy, a small picture, none, and the last frame of a film.
	has 'alt="What was on screen after cell 1" src="data:image/jpeg;base64,SlBFRw=="'
	has 'alt="What was on screen after cell 2" src="data:image/png;base64,'
	has '<span class="none">No picture.</span>'
	has 'alt="What was on screen after cell 4" src="data:image/png;base64,ZnJhbWU="'
	metricreport --screenshots shots --output out.html records
	run section slowest out.html
	has 'The picture is too large for this page.'
	metricreport --output out.html records
	run section slowest out.html
	has 'SCREENSHOTS=1'
	# What a film is for; the page of a notebook without one has no such column.
	metricreport --pages pages --output out.html records
	grep -q '; Speed Index 0.750 s</p>' pages/n.html
	grep -q '<th scope="col" class="n">Speed Index, s</th><th scope="col" class="n">script time, ms</th>' pages/n.html
	grep -A20 '<tr id="c-n/4">' pages/n.html | grep -q '<td class="n">0.625</td>'
	sed '/"repetition":0/d' records | metricreport --pages plain --output out.html
	run ! grep -q 'Speed Index' plain/n.html
	# The film is no run that was measured.
	run grep -A1 'class="lead"' out.html
	has '1 notebook, 4 cells,'
	[ "$(metricreport --as record records | jq .runs)" = 1 ]
}

@test "a notebook's page has its pictures in order of time, and each cell's source with links to and from its times" {
	mkdir -p shots/n
	for k in 1 2; do printf '\211PNG%s' $k >shots/n/cell-00$k.png; done
	{
		for k in 1 2; do cell n $k 0.5 '"cell_id":"c'$k'","t":'$((10 * k))',"screenshot":"cell-00'$k'.png","source":"x = '$k'\n<b>y</b>","outputs":2,"outputs_bytes":1500'; done
		notebook n 1 Completed
	} | metricreport --pages pages --screenshots shots --output out.html
	tags pages/n.html >tags
	[ "$(sed -n 's/.* id=\([^ ]*\).*/\1/p' tags | sort | uniq -d | wc -l)" = 0 ]
	run section strip pages/n.html
	[[ "$output" == *'<b>0.5 s</b> <a href="#source-1">cell&nbsp;1</a>'*'<b>10.5 s</b> <a href="#source-2">cell&nbsp;2</a>'* ]]
	run section sources pages/n.html
	has $'<pre tabindex="0"><code>x = 2\n&lt;b&gt;y&lt;/b&gt;</code></pre>'
	has '2 outputs, 1.500 kB; <a href="#c-n/2">times of cell 2</a>'
	grep -q '<tr id="c-n/2">.*<td class="code"><a href="#source-2">' pages/n.html
	section slowest out.html | grep -q '<a href="pages/n.html#source-1">'
}

@test "outliers of cells need five repetitions, and a scaling three values and an interval without 0" {
	outlier() { echo '{"type":"outlier","column":"client_execution_time_metric","unit":"s","of":{"name":"n","cell_index":"1"},"value":9,"times_median":9,"group":{"median":1,"count":'$1'}}'; }
	scaling() { echo '{"type":"scaling","cell_index":1,"source_line":"f()","metric":"client_execution_time_metric","word":"linear","param":"n","exponent":1,"exponent_low":'$2',"exponent_high":1.1,"levels":'$1'}'; }
	{ cell n 1 2; notebook n 2 Completed; } >n
	{ cat n; outlier 4; scaling 2 0.9; scaling 4 -0.1; } | metricreport --output out.html
	grep -q '<p class="folded" id="outliers">.*REPEAT=5' out.html
	grep -q '<p class="folded" id="scaling">.*None found: each of 2 fits' out.html
	{ cat n; outlier 5; scaling 3 0.9; } | metricreport --output out.html
	section outliers out.html | grep -q 'cell&nbsp;1'
	section scaling out.html | grep -q 'linear'
}

# profiled: metrics of two notebooks, and the folded profile of cell 5 of the first one.
profiled() {
	for n in 1 2; do
		cell demo-n$n 5 $((n * 2)) '"source":"spectra = run_all(alerts)"'
		notebook demo-n$n $((n * 2)) Completed
	done | sed 's/"usecase":"u"/"usecase":"demo"/' >metrics
	runprofile -f json "$ROOT/tests/data/profiles/spectrum.jsonl" >folded
}

@test "the page of a profiled notebook has each line with its heat, the functions, the memory and a flame graph" {
	profiled
	metricreport --profiles folded --pages pages --output out.html metrics
	tags pages/demo-n1.html >tags
	[ "$(sed -n 's/.* id=\([^ ]*\).*/\1/p' tags | sort | uniq -d | wc -l)" = 0 ]
	[ "$(grep -c '^table' tags)" = "$(grep -c '^caption' tags)" ]
	run cat pages/demo-n1.html
	has 'id="profile-5"><h3>Cell 5 <code>spectra = run_all(alerts)</code></h3><p class="lead">86 % of cell 5 is line 55 of spectrum.py'
	has '<tr style="--heat:86%"><td class="n">55</td><td class="n">30</td><td class="n">860.000</td><td class="n">86.0</td><td><code>        fit(a)</code></td></tr>'
	has '<tr><td class="n">53</td><td></td><td></td><td></td><td><code>def run_powerspectrum_analysis(a):</code></td></tr>'
	has '<code>glue/core/data.py:55 Data.get_mask</code></th><td class="n">12</td><td class="n">0.400</td><td class="n">2.400</td>'
	has '<caption>Allocated at the peak: 1.200 GB</caption>'
	has '<div class="flame-frame package" style="width:77.778%" title="run_all (src/spec/run.py:7): 0.700 s, 77.8 %"><span>run_all (src/spec/run.py:7)</span><div class="frames">'
	has 'Flame graph of the sampled stacks.'
	# The report and the other notebook link to it.
	run grep -o '<a href="pages/demo-n1.html#profile-5">[^<]*' out.html
	[ "$(sort -u <<<"$output")" = $'<a href="pages/demo-n1.html#profile-5">its profile\n<a href="pages/demo-n1.html#profile-5">its profile in n1' ]
	grep -q '; <a href="#profile-5">its profile</a>' pages/demo-n1.html
	grep -q '; <a href="demo-n1.html#profile-5">its profile in n1</a>' pages/demo-n2.html
	run ! grep 'class="flame"' pages/demo-n2.html
	# With the profilers' own files next to it.
	mkdir -p files/{demo-n1@profile-functions,demo-n1@profile-lines+memory@2,demo-n12@profile-lines}
	touch files/demo-n1@profile-functions/cell-00{5.pstats,50.pstats,5.cpuprofile} files/demo-n1@profile-lines+memory@2/cell-005@2.lprof files/demo-n12@profile-lines/cell-005.lprof
	metricreport --profiles folded --profile-files "$PWD/files" --pages pages --output out.html metrics
	[ "$(grep -o '<a download[^<]*' pages/demo-n1.html)" = $'<a download href="../files/demo-n1@profile-functions/cell-005.cpuprofile">cell-005.cpuprofile\n<a download href="../files/demo-n1@profile-functions/cell-005.pstats">cell-005.pstats\n<a download href="../files/demo-n1@profile-lines%2Bmemory@2/cell-005@2.lprof">cell-005@2.lprof' ]
	# Without pages it is in the report itself.
	metricreport --profiles folded --output whole.html metrics
	grep -q 'id="profile-5"' whole.html
	grep -q '<a href="#profile-5">' whole.html
}

@test "profiles are in the order of time, and a line has the share that its sentence says" {
	profiled
	for cell in 1:1 2:9 3:4; do
		echo '{"type":"profile","cell_index":'"${cell%:*}"',"profiler":"samples","wall_s":'"${cell#*:}"',"error":null,"reason":null}'
	done | runprofile -f json >folded
	echo '{"type":"profile_line","cell_index":2,"file":"a.py","function":"f","first_line":1,"line":1,"hits":1,"time_s":1,"source":"x","share":0.25,"place":"a.py:1 f","hot":true,"page":false}' >>folded
	metricreport --profiles folded --pages pages --model model --output out.html metrics
	[ "$(jq -c '[.profiles[].cell], [.profiles[].parts[].codes[].lines[].pct]' model | paste -sd' ')" = '[2,3,1] [25]' ]
}

@test "the cards of slow cells say where their time goes, and profiles are in the order of time" {
	profiled
	for n in 1 2; do cell demo-n$n 3 $((n * 3)) '"source":"show()","diagnosis":"the kernel takes 90 % of the time, on 1.0 core"'; done |
		sed 's/"usecase":"u"/"usecase":"demo"/' >>metrics
	jq -c 'select(.type == "profile" or .type == "profile_cell") | .cell_index = 3 |
		if .kernel_s then .kernel_s = 9 else . end | if .sentence then .sentence = "all of it is `show`" else . end' folded >more
	{
		cat folded more
		for rank in 1 2 3; do
			printf '{"type":"contributor","usecase":"demo","cell_index":3,"page":false,"rank":%d,"kind":"%s","text":"%s","client_ms":%d,"overlapped_ms":0}\n' \
				$rank $(sed -n ${rank}p <<<$'javascript draw 5000\npaint painting 900\nunattributed unattributed 100')
		done
	} >both
	metricreport --profiles both --pages pages --output out.html --model model metrics
	[ "$(grep -o '<p class="why[^<]*' out.html | head -2)" = $'<p class="why sentence">all of it is `show`\n<p class="why sentence">all of it is `show`' ]
	run ! grep -F '90 % of the time, on 1.0 core' <(section slowest out.html)
	[ "$(jq -c '[.profiles[] | [.cell, .time_s]]' model)" = '[[3,6],[5,3]]' ]
	section profiles out.html | grep -oE '(all of it|86 %)' >order
	[ "$(paste -sd, order)" = 'all of it,86 %' ]
	run cat pages/demo-n1.html
	has '<caption>What a person waited for: 6 s with the profilers</caption>'
	has '<tr><th scope="row">draw</th><td class="n">5000.0</td><td class="n">83.3</td>'
	has '<tr><th scope="row">unattributed</th><td class="n">100.0</td>'
}

@test "profiles of earlier code are left out, and the report says so" {
	profiled
	plan() { echo '{"type":"run_plan","name":"demo-n1","profile":"lines","state":"'$1'","reason":"the notebook changed","usable":false}'; }
	plan stale | metricreport --output out.html metrics -
	grep -q '<p class="folded" id="profiles"><b>Profiles</b> 1 profile run left out: the notebook changed.' out.html
	plan stale | metricreport --profiles folded --output out.html metrics -
	section profiles out.html | grep -q '<p>1 profile run left out: the notebook changed.'
	plan current | metricreport --output out.html metrics -
	grep -q 'id="profiles"><b>Profiles</b> No cell was profiled' out.html
}

@test "without stacks the flame graph is estimated from the function profile, and its frames fit into their callers" {
	profiled
	sed -i '/profile_stack/d' folded
	metricreport --profiles folded --pages pages --output out.html metrics
	run cat pages/demo-n1.html
	has 'Estimated from the function profile'
	# Of 3.0 s, get_mask has 2.4, and in it numpy.array 1.5.
	has 'title="Data.get_mask (glue/core/data.py:55): 2.400 s, 80.0 %"'
	has 'title="&lt;built-in method numpy.array&gt;: 1.500 s, 50.0 %"'
	has 'title="&lt;built-in method numpy.array&gt;: 0.100 s, 3.3 %"'
	python3 - <<-'P'
	import re
	from html.parser import HTMLParser
	class Frames(HTMLParser):
	    depth, stack, n = 0, [], 0
	    def handle_starttag(self, tag, attrs):
	        attrs = dict(attrs)
	        if tag != "div": return
	        self.depth += 1
	        if "flame-frame" in attrs.get("class", ""):
	            self.n += 1
	            width = float(re.match(r"width:([\d.]+)%", attrs["style"])[1])
	            share = float(attrs["title"].split(", ")[-1].split()[0])
	            if self.stack:
	                parent = self.stack[-1]
	                parent["sum"] += width
	                assert parent["sum"] <= 100.01, attrs
	                assert abs(parent["share"] * width / 100 - share) < 0.11, attrs
	            self.stack.append({"depth": self.depth, "sum": 0, "share": share})
	    def handle_endtag(self, tag):
	        if tag != "div": return
	        if self.stack and self.stack[-1]["depth"] == self.depth: self.stack.pop()
	        self.depth -= 1
	p = Frames(); p.feed(open("pages/demo-n1.html").read())
	assert p.n == 7 and not p.stack, p.n
	P
}

@test "functions that call each other in a circle, and stacks of many frames, end" {
	profiled
	{
		for i in 1 2 3; do
			echo '{"type":"profile_function","cell_index":5,"usecase":"demo","id":'$i',"file":"/a.py","line":'$i',"function":"f'$i'","calls":9,"primitive_calls":1,"own_s":1,"cumulative_s":3,"callers":[['$((i % 3 + 1))',1,1,1,3],['$i',8,0,1,3],[4,1,1,1,3]]}'
		done
		echo '{"type":"profile_function","cell_index":5,"usecase":"demo","id":4,"file":"<cell 5>","line":1,"function":"<cell 5>","calls":1,"primitive_calls":1,"own_s":0,"cumulative_s":3,"callers":[]}'
	} | runprofile -f json >circle
	metricreport --profiles circle --pages pages --output out.html metrics
	run cat pages/demo-n1.html
	has 'style="width:100%" title="cell 5: 3.000 s, 100.0 %"><span>cell 5</span><div class="frames"><div class="flame-frame own" style="width:100.000%" title="&lt;cell 5&gt;: 3.000 s, 100.0 %">'
	# The cell is the root, even if what runs it is called by it.
	sed '/"function":"<cell 5>"/s/"callers":\[\]/"callers":[[1,1,1,0,3]]/' circle | runprofile -f json | metricreport --profiles - --pages called --output out.html metrics
	run cat called/demo-n1.html
	has '<span>cell 5</span><div class="frames"><div class="flame-frame own" style="width:100.000%" title="&lt;cell 5&gt;: 3.000 s, 100.0 %">'
	jq -nc '{type:"profile_stack",cell_index:5,process:"kernel",thread:"t",samples:1,time_s:1,stack:[range(5000)|"f\(.) (a.py:1)"]}' | runprofile -f json >deep
	metricreport --profiles deep --pages deep-pages --output out.html metrics
	n=$(grep -o 'class="flame-frame' deep-pages/demo-n1.html | wc -l)
	[ "$n" -gt 50 ] && [ "$n" -lt 100 ]
}

@test "text of profiles cannot become an element, an attribute or a script" {
	profiled
	evil='</script><script>alert(1)</script></title><img src=x onerror=alert(2)>\" onmouseover=\"alert(3) '"'"' \u001b[31m\u202e'
	{
		printf '{"type":"profile","t":1,"cell_index":5,"cell_id":"%s","profiler":"%s","version":"%s","wall_s":1,"error":"%s","reason":"%s","source_line":"%s"}\n' "$evil" "$evil" "$evil" "$evil" "$evil" "$evil"
		printf '{"type":"profile_function","cell_index":5,"id":1,"file":"%s","line":1,"function":"%s","calls":1,"primitive_calls":1,"own_s":1,"cumulative_s":1,"callers":[]}\n' "$evil" "$evil"
		printf '{"type":"profile_line","cell_index":5,"file":"%s","function":"%s","first_line":1,"line":1,"hits":1,"time_s":1,"source":"%s"}\n' "$evil" "$evil" "$evil"
		printf '{"type":"profile_allocation","cell_index":5,"when":"peak","file":"%s","line":1,"function":"%s","bytes":1,"allocations":1}\n' "$evil" "$evil"
		printf '{"type":"profile_stack","cell_index":5,"process":"%s","thread":"%s","stack":["%s (%s:1)"],"samples":1,"time_s":1}\n' "$evil" "$evil" "$evil" "$evil"
		printf '{"type":"profile_stack","cell_index":5,"process":"b","thread":"b","stack":[],"samples":1,"time_s":1}\n'
	} | runprofile -f json >evil
	sed '/profile_stack/d' evil >functions
	for f in evil functions; do
		metricreport --profiles $f --pages $f-pages --output $f.html metrics
		for page in $f.html $f-pages/demo-n1.html; do
			tags $page >tags
			run ! grep '^img' tags
			run grep -P '\x1b|\xe2\x80\xae' $page
			[ -z "$output" ]
		done
		tags $f-pages/demo-n1.html >tags
		[ "$(grep -c '^script' tags)" = 1 ]
		grep -q '^figure class=flame' tags
	done
}
