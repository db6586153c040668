# bats file_tags=quick
load helpers

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	PATH=$PATH:$ROOT/build/testdebs/usr/bin
}

recorded() { cellmetrics "$ROOT"/tests/data/{runs,used}.jsonl; }

# cell STATUS MEMBERS; notebook STATUS MEMBERS: metrics of u-a1.
cell() { printf '{"type":"cell_metrics","usecase":"u","name":"u-a1","label":"l","cell_index":1,"execution_status":"%s"%s}\n' "$1" "${2-}"; }
notebook() { printf '{"type":"notebook_metrics","usecase":"u","name":"u-a1","label":"l","execution_status":"%s"%s}\n' "$1" "${2-}"; }

# xml FILE PYTHON: what an expression says of the root, by a strict parser.
xml() { python3 -c 'import sys, xml.etree.ElementTree as E; root = E.parse(sys.argv[1]).getroot(); print(eval(sys.argv[2]))' "$@"; }

# The shape that satisfies both known schemas, that of Jenkins and the stricter one
# of Ant: what either asks for is there, what either does not know is not.
schema() {
	cat >junit.xsd <<'X'
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
 <xs:simpleType name="seconds"><xs:restriction base="xs:decimal"><xs:fractionDigits value="3"/></xs:restriction></xs:simpleType>
 <xs:attributeGroup name="counts">
  <xs:attribute name="tests" type="xs:nonNegativeInteger" use="required"/><xs:attribute name="failures" type="xs:nonNegativeInteger" use="required"/>
  <xs:attribute name="errors" type="xs:nonNegativeInteger" use="required"/><xs:attribute name="skipped" type="xs:nonNegativeInteger"/>
  <xs:attribute name="time" type="seconds" use="required"/>
 </xs:attributeGroup>
 <xs:complexType name="bad"><xs:simpleContent><xs:extension base="xs:string">
  <xs:attribute name="type" type="xs:string" use="required"/><xs:attribute name="message" type="xs:string"/>
 </xs:extension></xs:simpleContent></xs:complexType>
 <xs:complexType name="skipped"><xs:simpleContent><xs:extension base="xs:string"><xs:attribute name="message" type="xs:string"/></xs:extension></xs:simpleContent></xs:complexType>
 <xs:element name="testsuites"><xs:complexType><xs:sequence>
  <xs:element name="testsuite" minOccurs="0" maxOccurs="unbounded"><xs:complexType><xs:sequence>
   <xs:element name="properties"><xs:complexType><xs:sequence><xs:element name="property" minOccurs="0" maxOccurs="unbounded"><xs:complexType>
    <xs:attribute name="name" use="required"><xs:simpleType><xs:restriction base="xs:token"><xs:minLength value="1"/></xs:restriction></xs:simpleType></xs:attribute>
    <xs:attribute name="value" type="xs:string" use="required"/></xs:complexType></xs:element></xs:sequence></xs:complexType></xs:element>
   <xs:element name="testcase" minOccurs="0" maxOccurs="unbounded"><xs:complexType><xs:choice minOccurs="0">
    <xs:element name="skipped" type="skipped"/><xs:element name="error" type="bad"/><xs:element name="failure" type="bad"/></xs:choice>
    <xs:attribute name="name" type="xs:token" use="required"/><xs:attribute name="classname" type="xs:token" use="required"/>
    <xs:attribute name="time" type="xs:decimal" use="required"/></xs:complexType></xs:element>
   <xs:element name="system-out" type="xs:string"/><xs:element name="system-err" type="xs:string"/>
  </xs:sequence>
   <xs:attribute name="id" type="xs:nonNegativeInteger" use="required"/><xs:attribute name="package" type="xs:token" use="required"/>
   <xs:attribute name="name" type="xs:token" use="required"/><xs:attribute name="timestamp" type="xs:dateTime" use="required"/>
   <xs:attribute name="hostname" type="xs:token" use="required"/><xs:attributeGroup ref="counts"/>
  </xs:complexType></xs:element></xs:sequence>
 </xs:complexType></xs:element>
</xs:schema>
X
}

@test "each notebook is a suite and each cell a case, with matching counts" {
	recorded | metricjunit >x
	[ "$(xml x '[(s.get("name"), s.get("tests"), s.get("failures"), s.get("skipped"), s.get("time")) for s in root]')" = \
		"[('demo-n1-modepng', '4', '0', '0', '3.280'), ('demo-n2-modewebp', '4', '1', '1', '2.600'), ('used-n1', '3', '0', '0', '0.520')]" ]
	[ "$(xml x '[(s.get("id"), s.get("package")) for s in root]')" = "[('0', 'demo'), ('1', 'demo'), ('2', 'used')]" ]
	[ "$(xml x 'root[0].find("properties/property[@name=\"param.limits\"]").get("value")')" = '[0,1]' ]
	[ "$(xml x '(root[0].get("timestamp"), root[0].get("hostname"))')" = "('2026-09-21T14:13:20', 'bench')" ]
}

@test "a cell's own fault is a failure, a fault of its environment an error, and a cell that did not run is skipped" {
	for s in Completed Failed 'Timed Out' 'Not Settled' 'No Viewer' 'Kernel Died' 'Browser Died' 'Server Lost' Skipped 'Not Run'; do
		cell "$s"
	done | metricjunit >x
	[ "$(xml x '[c[0].tag if len(c) else "" for c in root.iter("testcase")]')" = \
		"['', 'failure', 'failure', 'failure', 'failure', 'error', 'error', 'error', 'skipped', 'skipped']" ]
	[ "$(xml x '[c[0].get("type") for c in root.iter("testcase") if len(c)][:3]')" = "['Failed', 'Timed Out', 'Not Settled']" ]
}

@test "a failure has the error's name, its text and the cell's line" {
	recorded | metricjunit >x
	[ "$(xml x 'root[1].find("testcase/failure").get("type")')" = ValueError ]
	[ "$(xml x 'root[1].find("testcase/failure").get("message").split("\n")[-1]')" = 'do not' ]
	[[ "$(xml x 'root[1].find("testcase/failure").text')" == *viewer.show* ]]
	[ "$(xml x 'root[1].find("testcase/skipped").get("message")')" = 'cell 3 failed' ]
}

@test "a run that failed outside its cells has a case of its own" {
	notebook 'Server Lost' ',"reason":"the server went away"' | metricjunit --markdown-to s.md >x
	[ "$(xml x '[(c.get("name"), c[0].tag, c[0].get("message")) for c in root.iter("testcase")]')" = "[('notebook', 'error', 'the server went away')]" ]
	grep -q '| u-a1 | notebook | Server Lost | the server went away |' s.md
	{ cell Failed; notebook Failed; } | metricjunit >x
	[ "$(xml x 'root[0].get("tests")')" = 1 ]
}

@test "a later attempt replaces an earlier one, and each repetition has a suite" {
	{ cell Failed ',"repetition":1,"attempt":1'; cell Completed ',"repetition":1,"attempt":2'; cell Completed ',"repetition":2,"attempt":1'; } | metricjunit >x
	[ "$(xml x '[(s.get("name"), s.get("tests"), s.get("failures")) for s in root]')" = "[('u-a1', '1', '0'), ('u-a1@2', '1', '0')]" ]
}

@test "hostile text stays text: markup, quotes, characters that XML 1.0 forbids, ends of sections" {
	printf '%s\n' '{"type":"cell_metrics","usecase":"<u>&","name":"a\"b'"'"'","label":"l","cell_index":1,"execution_status":"Failed","error_name":"<E>","error_value":"]]></failure><x a=\"1\">\u0000\u0001\u000b\u001b\ufffe\uffff\r\n\t\u007f é 😀 &amp;","source_line":"a<b && c>d","params":{"p\u0002":"<\u0003>"}}' | metricjunit >x
	[ "$(xml x 'ascii(root[0].find("testcase/failure").get("message"))')" = \
		"']]></failure><x a=\"1\">\\ufffd\\ufffd\\ufffd\\ufffd\\ufffd\\ufffd\\r\\n\\t\\x7f \\xe9 \\U0001f600 &amp;'" ]
	[ "$(xml x 'root[0].find("testcase/failure").text.split("\n")[1]')" = 'a<b && c>d' ]
	[ "$(xml x 'root[0].find("testcase").get("classname")')" = "<u>&.a\"b'" ]
	if command -v xmllint; then xmllint --noout x; fi
}

@test "it conforms to the schemas of CI servers" {
	command -v xmllint >/dev/null || skip "no xmllint (Debian: libxml2-utils)"
	schema
	recorded | metricjunit >x
	run xmllint --noout --schema junit.xsd x
	status_is 0
	metricjunit </dev/null >x || [ $? = 6 ]
	run xmllint --noout --schema junit.xsd x
	status_is 0
	{ notebook 'Server Lost'; cell Failed; } | metricjunit >x
	run xmllint --noout --schema junit.xsd x
	status_is 0
}

@test "a case is called by the parameters of its notebook, and its class by the notebook's file" {
	echo '{"type":"cell_metrics","usecase":"u","name":"u-bins20-n_sensors4","params":{"n_sensors":4,"bins":20},"repetition":2,"cell_index":3,"execution_status":"Failed"}' >in
	metricjunit --markdown-to s.md in >x
	grep -q '<testcase classname="u.u-bins20-n_sensors4" name="n_sensors=4 bins=20 cell 3"' x
	grep -q '<testsuite .* name="u-bins20-n_sensors4@2"' x
	grep -qF '| n&#95;sensors=4 bins=20&#64;2 | cell 3 | Failed |' s.md
	sed 's/"params":{[^}]*},//' in | metricjunit >x
	grep -q '<testcase classname="u.u-bins20-n_sensors4" name="cell 3"' x
}

@test "the summary lists incomplete cells with their reasons, and slow ones" {
	recorded | metricjunit -o x --markdown-to s.md --title 'demo (pr)'
	run cat s.md
	[ "${lines[0]}" = '### demo (pr): 1 of 11 cells did not complete' ]
	has '| n=2 throttling=-1 mode=webp limits=&#91;0,0.5&#93; smooth=true | cell 3 | Failed | ValueError: =limits must rise'
	has '| n=2 throttling=-1 mode=webp limits=&#91;0,0.5&#93; smooth=true | cell 2 | 2.500 s |'
	cell Completed | metricjunit -o x --markdown-to s.md
	[ "$(head -1 s.md)" = '### nbscope: all cells that ran completed' ]
	metricjunit -o x --markdown-to s.md </dev/null || [ $? = 6 ]
	[ "$(head -1 s.md)" = '### nbscope: nothing ran' ]
}

@test "nothing in the summary is markup, a link or a mention, and it stays short" {
	for ((i = 0; i < 30; i++)); do
		printf '{"type":"cell_metrics","name":"n%d","cell_index":1,"execution_status":"Failed","error_name":"E","error_value":"@team #1 [x](http://a) <img> | `y` **b** www.a.org\\n%0500d"}\n' $i 0
	done | metricjunit -o x --markdown-to s.md
	run grep -E '@|[^#&]#1|\[x\]|<img|`|\*\*|http:|www\.' s.md
	[ -z "$output" ] || { echo "$output"; return 1; }
	[ "$(grep -c '^| n[0-9]* | cell 1 | Failed' s.md)" = 20 ]
	grep -qx '10 more did not complete\.' s.md
	[ "$(wc -c <s.md)" -lt 20000 ]
}

@test "files appear whole or not at all, and nothing else is written to stdout" {
	recorded >metrics
	run metricjunit -o a/x --markdown-to b/s.md metrics
	status_is 0
	[ -z "$output" ]
	run metricjunit -o a/x --markdown-to b/s.md metrics no-such-file
	status_is 4
	[ "$(ls -A a b)" = $'a:\nx\n\nb:\ns.md' ]
	run metricjunit -o /dev/null/x metrics
	status_is 4
}

@test "input that is not a record is reported with its line" {
	for bad in 'not json' '{"type":"cell_metrics","name":NaN}' '{"type":"cell_metrics","type":"x"}' $'{"type":"\xff"}' '{"type":"cell_metrics"}'; do
		run --separate-stderr metricjunit <<<"$bad"
		status_is 3
		[[ "$stderr" == 'metricjunit: stdin:1:'* ]] || { echo "$bad: $stderr"; return 1; }
	done
	cell Completed | tr -d '\n' | metricjunit | grep -q '<testcase'
}

@test "a full disk is noticed" {
	recorded >metrics
	run bash -c 'metricjunit metrics >/dev/full'
	status_is 4
	has 'cannot write to standard output: No space left on device'
}

@test "a skipped notebook has a case for each cell only" {
	for k in 1 2; do echo '{"type":"cell_metrics","name":"n","cell_index":'$k',"execution_status":"Skipped","reason":"too large"}'; done >m
	echo '{"type":"notebook_metrics","name":"n","execution_status":"Skipped","reason":"too large"}' >>m
	metricjunit -o x.xml --markdown-to x.md m
	[ "$(grep -c '<testcase' x.xml)" = 2 ]
	grep -q ' 2 cells, 0 completed, 2 skipped or not run' x.md
	# One without cells is reported too.
	tail -1 m | metricjunit | grep -q 'name="notebook"'
}

@test "a comparison is a suite of its own with the estimates that the terminal shows; worse is a failure, an unknown result is skipped" {
	for l in old new; do
		for k in 1 2 3 4 5 6 7 8; do
			for c in 1 2 3; do
				echo '{"type":"cell_metrics","usecase":"u","name":"u-a1","label":"'$l'","cell_index":'$c',"execution_status":"Completed","client_execution_time_metric":'"$(case $l$c in new1) echo 2.$k ;; *3) echo $((1 + k * 7 % 5)).$((k * 3 % 10)) ;; *) echo 1.0$k ;; esac)}"
			done
		done
	done >metrics
	metriccmp --gate client metrics >compared || true
	metriccmp --gate client -f table metrics >table || true
	metricjunit --markdown-to summary.md compared <metrics >junit.xml
	metricjunit compared metrics >both.xml
	schema
	if command -v xmllint >/dev/null; then xmllint --noout --schema junit.xsd junit.xml; fi
	[ "$(xml junit.xml '[(s.get("name"), s.get("tests"), s.get("failures"), s.get("skipped")) for s in root]')" = "[('new against old', '3', '1', '1')]" ]
	[ "$(xml junit.xml '[root[0].find(f".//testcase[@name=\"u-a1 cell 1: client time\"]/failure").get("message")]')" = "['$(jq -r 'select(.cell_index == 1) | "\(.change): \(.result_text)"' compared)']" ]
	while IFS=$'\t' read -r change result; do
		grep -F "$change" table | grep -qF "$result"
		grep -qF "$change: $result" junit.xml
	done < <(jq -r 'select(.type == "comparison") | [.change, .result_text] | @tsv' compared)
	grep -q '^### nbscope: nothing ran' summary.md
	[ "$(xml both.xml 'len(root)')" = 3 ]
}

@test "a film has a suite of its own name, next to that of the run" {
	echo '{"type":"cell_metrics","name":"n","cell_index":1,"repetition":1,"execution_status":"Completed"}' >m
	sed 's/"repetition":1/"repetition":0/' m >>m.film
	[ "$(metricjunit m m.film | grep -o ' name="n[^"]*" tests' | cut -d'"' -f2 | paste -sd' ')" = 'n n@film' ]
}

@test "an input without metrics or comparisons is status 6" {
	run metricjunit /dev/null
	status_is 6
	has "cannot tell: the input has no metrics and no comparisons"
}
