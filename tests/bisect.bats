# bats file_tags=quick
# make bisect: the search, where a program simulates the runs of make (tests/bisectmake.py); and
# once with make itself.
load helpers
load make

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	ln -s "$ROOT"/{mk,share,tests} .
	mkdir uc index
	export UC=$BATS_TEST_TMPDIR/uc NBSCOPE_SCRATCH=$BATS_TEST_TMPDIR MAX_TIME=20min MAX_SECONDS=1200
	export PIP_NO_INDEX=1 PIP_FIND_LINKS=$BATS_TEST_TMPDIR/index PLANTED='[]' SEED=1
	unset NOISE PIP_PRE
}

# guilty OPTION...: the program that make bisect runs.
guilty() {
	run "$ROOT/build/testvenv/bin/python" -B "$ROOT/share/bisect/find_guilty.py" --releases "${RELEASES:-final}" --make "python3 tests/bisectmake.py" "$@" uc
}
releases() {
	python3 tests/wheels.py index demo 1.{0..15} 1.8rc1 </dev/null
}
between() { guilty --package demo --good 1.0 --bad "${1:-1.15}"; }
# compared: which versions make ab compared with 1.0.
compared() {
	sed -n 's/^ab .* B=demo-\(.*\)-vs-demo-1\.0 .*/\1/p' uc/called | paste -sd' '
}
two_locks() {
	printf '%s==1.0\n' "$@" same >old.txt
	sed '/same/!s/1\.0/2.0/' old.txt >new.txt
	guilty --from old.txt --to new.txt
}

@test "the first bad of 16 releases is found in five comparisons of noisy runs; the plan comes first" {
	releases
	NOISE=0.02 PLANTED='[["==1\\.(9|1.)$", 1.1]]' between
	status_is 1
	[[ "${lines[0]}" == 'bisect: 16 versions: demo 1.0, demo 1.1, demo 1.2,'* ]]
	[[ "${lines[1]}" == *'at most 4 between them, '*'each in MAX_TIME=20min, all in 2 h 20 min;'* ]]
	[[ "${lines[-1]}" =~ 'bisect: the first bad version is demo 1.9: client time of nb cell 2 +'[0-9.]+' % (+'.*', against demo 1.0' ]]
	[ "$(compared)" = '1.15 1.7 1.11 1.9 1.8' ]
	[ "$(grep -c '^env LABEL=demo-1.0 WITH=demo==1.0$' uc/called)" = 1 ]
	# The first comparison is by the gate; the others by the test that it found.
	[ "$(grep -c '^ab .* ALPHA=0.005 .*GATE=client_execution_time_metric' uc/called)" = 4 ]
}

@test "the steps ask the most certain time that is worse; an interval without bounds is not certain" {
	run -0 env PYTHONPATH="$ROOT/share/bisect" python3 -Bc '
from experiment import deciding_test
def test(cell, unit, shift, low, high, result="worse"):
    return dict(cell_index=cell, unit=unit, shift=shift, shift_low=low, shift_high=high, gate=True, result=result)
tests = [test(1, "s", 3, None, None), test(2, "s", 3, 2, 4), test(3, "s", 3, 2.9, 3.1), test(4, "B", 3, 3, 3), test(5, "s", 3, 3, 3, "no_worse")]
print(deciding_test(tests)["cell_index"], deciding_test(tests[:1] + tests[3:])["cell_index"], deciding_test(tests[3:])["cell_index"], deciding_test(tests[4:]))'
	[ "$output" = '3 1 4 None' ]
}

@test "where none is worse, one comparison says so" {
	releases
	between
	status_is 0
	[ "${lines[-1]}" = 'bisect: none: demo 1.15 is no worse than demo 1.0' ]
	[ "$(compared)" = 1.15 ]
}

@test "pre-releases and yanked releases are compared only if asked" {
	python3 tests/wheels.py index demo 1.0 1.1rc1 1.2 1.3 </dev/null
	mkdir -p simple/demo
	for f in index/*; do
		yanked=
		[[ $f != *1.2* ]] || yanked=' data-yanked="broken"'
		echo "<a href=\"../../$f\"$yanked>${f#*/}</a><br>"
	done >simple/demo/index.html
	unset PIP_NO_INDEX PIP_FIND_LINKS
	export PIP_INDEX_URL=file://$PWD/simple
	local which found
	for which in final:1.0,1.3 pre:1.0,1.1rc1,1.3 yanked:1.0,1.2,1.3 all:1.0,1.1rc1,1.2,1.3; do
		RELEASES=${which%%:*} between 1.3
		found=$(sed -n 's/^bisect: .* versions: //; s/demo //g; s/, /,/gp; 1q' <<<"$output")
		[ "$found" = "${which#*:}" ] || { echo "$which: $output"; return 1; }
	done
}

@test "what does not install or run is stepped over and named; two that cannot tell leave a range" {
	releases
	PLANTED='[["==1\\.[78]$", "missing"], ["==1\\.9$", "broken"], ["==1\\.1.$", 1.3]]' between
	status_is 1
	has 'bisect: stepped over, does not install: demo 1.7, demo 1.8'
	has 'bisect: stepped over, does not run: demo 1.9'
	has 'the first bad version is demo 1.10, or one before it that was not measured: demo 1.7, demo 1.8, demo 1.9: client time'
	PLANTED='[["==1\\.[5-9]$", "unclear"], ["==1\\.1.$", 1.3]]' between
	status_is 6
	has 'bisect: stepped over, cannot tell: demo 1.7, demo 1.8'
	[[ "${lines[-1]}" == 'bisect: cannot tell which: after demo 1.0, up to demo 1.15: client time of nb cell 2 +30 %'* ]]
	PLANTED='[["==1\\.15$", "broken"]]' between
	status_is 6
	has 'bisect: cannot tell: demo 1.15: does not run'
	PLANTED='[["==1\\.0$", "missing"]]' between
	status_is 6
	has 'GOOD does not install: demo 1.0'
}

@test "the guilty one of twelve dependencies is named; two that only do it together are, too" {
	PLANTED='[["^k==2", 1.1]]' two_locks {a..l}
	status_is 1
	[[ "${lines[-1]}" == 'bisect: guilty: k 1.0 -> 2.0: client time of nb cell 2 +'*', against old.txt' ]]
	grep -q '^env LABEL=locked-[0-9a-f]* WITH=--no-deps -r /' uc/called
	PLANTED='[["(?s)^c==2.*^h==2", 1.2]]' two_locks {c..h}
	status_is 1
	has 'bisect: guilty together: c 1.0 -> 2.0, h 1.0 -> 2.0: client time'
	# A needs the new b: sets with one of both alone are unresolved.
	PLANTED='[["(?s)^a==2.*^b==1", "missing"], ["(?s)^a==1.*^b==2", "missing"], ["^a==2", 1.2]]' two_locks {a..d}
	status_is 6
	has 'bisect: sets stepped over, does not install: '
	[[ "${lines[-1]}" == 'bisect: cannot tell which of these: a 1.0 -> 2.0, b 1.0 -> 2.0: client time'* ]]
	two_locks a b
	status_is 0
	[ "${lines[-1]}" = 'bisect: none: new.txt is no worse than old.txt' ]
}

@test "commits are those of the first parents, each in a worktree of its own" {
	git init -q -b main co
	g() { git -C co -c user.name=n -c user.email=e@x "$@"; }
	local i
	for i in 0 1 2 3 4; do
		g commit -q --allow-empty -m "change $i"
		g tag "v$i"
		[ "$i" != 2 ] || { g checkout -q -b side && g commit -q --allow-empty -m aside && g checkout -q main; }
	done
	g merge -q --no-ff side -m merged
	bad=$(g rev-parse --short=12 v3) last=$(g rev-parse --short=12 v4) end=$(g rev-parse --short=12 HEAD)
	PLANTED="[[\"co-($bad|$last|$end)\", 1.2]]" guilty --package '-e co' --good v1 --bad HEAD
	status_is 1
	[[ "${lines[0]}" == "bisect: 5 versions: commit "*"'change 1', commit "*"'merged'" ]]
	[[ "${lines[-1]}" == "bisect: the first bad version is commit $bad 'change 3' ($(date +%Y)-"* ]]
	[ "$(git -C "build/envs/co-$bad.tree" rev-parse HEAD)" = "$(g rev-parse v3)" ]
	grep -q "^env LABEL=co-$bad WITH=-e $PWD/build/envs/co-$bad.tree" uc/called
	guilty --package '-e co' --good HEAD --bad v1
	status_is 2
	has 'GOOD=HEAD must be a first-parent ancestor of BAD=v1'
	guilty --package '-e co' --good v9 --bad HEAD
	status_is 2
}

@test "what cannot be searched is named" {
	releases
	local words
	for words in '--package demo --good 1.0' '--from x' '--from x --to y --package demo' ''; do
		# shellcheck disable=SC2086  # words
		guilty $words
		status_is 2
	done
	guilty --package demo --good 1.10 --bad 1.9
	has 'GOOD=1.10 must come before BAD=1.9'
	between 1.99
	has 'there is no demo 1.99; the newest versions are 1.12 1.13 1.14 1.15'
	guilty --package nosuch --good 1 --bad 2
	status_is 4
	has "no release of 'nosuch'"
	guilty --package 'demo>1' --good 1 --bad 2
	has "not 'demo>1'"
	echo '!' >bad.txt
	guilty --from bad.txt --to bad.txt
	status_is 3
	has "bad.txt:1: not a requirement: '!'"
	guilty --from no.txt --to bad.txt
	status_is 4
	WITH=x between
	status_is 2
	has 'WITH is for one environment'
}

# bats test_tags=thorough
@test "make bisect installs and measures: the release that is slower is found, and its profile says why" {
	unset PIP_NO_INDEX UC NBSCOPE_SCRATCH MAX_SECONDS MAX_TIME SEED
	python3 tests/wheels.py index nbdemo 1.{0..4} <<-'EOC'
		def work():
		    n = int(1000000 * (1.6 if VERSION >= "1.3" else 1))
		    return sum(i * i for i in range(n))
	EOC
	mkdir small
	python3 tests/nb.py small/template.ipynb <<<'[("code", "n = {n_value}", ["parameters"]), ("code", "import nbdemo"), ("code", "x = nbdemo.work()")]'
	echo '{"n": [1]}' >small/params.json
	PIP_FIND_LINKS="$PIP_FIND_LINKS ${FIND_LINKS:-/opt/wheels}" run make --no-print-directory -C "$ROOT" USECASE="$PWD/small" BROWSER=none GATE=kernel_cpu_s \
		PACKAGE=nbdemo GOOD=1.0 BAD=1.4 MAX_TIME=5min EXPLAIN=1 PROFILERS=functions CELLS=all bisect
	rm -rf "$ROOT"/build/envs/nbdemo-1.*
	status_is 2
	has 'bisect: the first bad version is nbdemo 1.3: kernel cpu s of '
	has 'Error 1'
	has 'nbdemo.py'
}
