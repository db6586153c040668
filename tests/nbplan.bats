# bats file_tags=quick
load helpers

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	mkdir -p runs notebooks
	T=1700000000
}

# combination NAME PARAMS, after the states of its runs, which are all current; sides 1 2 4: one for each, named s1 s2 s4.
combination() {
	local run
	for run in "runs/$1".jsonl "runs/$1"@[1-9]*.jsonl; do
		[ ! -s "$run" ] || state "$(grep -o '"status":"[a-z_]*"' "$run" | tail -1 | cut -d'"' -f4)"
	done
	printf '{"type":"combination","usecase":"demo","name":"%s","params":%s}\n' "$1" "$2"
}
# state STATUS [STATE [REQUIRED]]: a record that runplan writes.
state() { printf '{"type":"run_plan","required":%s,"state":"%s","status":"%s"}\n' "${3:-true}" "${2:-current}" "$1"; }
# nbplan: with a record for each run on disk before the others, as runplan --all writes them.
nbplan() {
	[[ " $* " == *' --runs runs'* ]] || { command nbplan "$@"; return; }
	{
		for run in runs/*.jsonl; do
			[[ ! -f $run || $run == *@x.jsonl ]] || on_disk "$run" "${STATE:-current}"
		done
		cat
	} | command nbplan "$@"
}
# on_disk FILE STATE
on_disk() {
	local name=${1##*/}
	name=${name%.jsonl}
	printf '{"type":"run_plan","name":"%s","film":false,"run":"%s","required":false,"state":"%s","status":null}\n' "${name%@*}" "$1" "$2"
}
sides() { local s; for s; do combination "s$s" "{\"side\":$s}"; done; }
# ran NAME PARAMS SECONDS [STATUS [PAUSE]]: a run, PAUSE seconds after the one before.
ran() {
	printf '{"type":"run","t":%s,"params":%s}\n{"type":"run_end","t":%s,"status":"%s","reason":null,"cells_run":1,"wall_ms":%s,"open_ms":1.0}\n' \
		"$T" "$2" "$((T + ${5:-3} + $3))" "${4:-completed}" "$(($3 * 1000)).0" >"runs/$1.jsonl"
	T=$((T + ${5:-3} + $3))
}
# field NAME: of the last run's record.
field() { jq -c ".$1" <<<"$output"; }
is() {
	[ "$(field "$1")" = "$2" ] && return
	printf 'wanted %s %s, got %s\nstatus: %s\noutput: %s\n' "$1" "$2" "$(field "$1")" "$status" "$output" >&2
	return 1
}
# A record from the combinations on stdin.
plan() { run --separate-stderr nbplan --json --machine-memory 10e9 --runs runs "$@"; }
needs() { run --separate-stderr nbplan --json --machine-memory 1e18 --memory "$1" < <(combination a "${2:-{\}}"); }

# ---- the expression ----

@test "arithmetic follows Python's rules" {
	while read -r text value; do
		needs "$text" '{"n":3,"side":10,"yes":true,"no":false,"x":2.5,"word":"a"}'
		is memory_peak_bytes "$value" || { echo "for $text"; return 1; }
	done <<-'END'
		1+2*3 7
		(1+2)*3 9
		10-4-3 3
		100/10/5 2
		2**3**2 512
		2^3^2 512
		2**-1*8 4
		-2**2+10 6
		+-+-5 5
		7%4 3
		-7%4 1
		7%-4+2 1
		min(5,3,4) 3
		max(5,min(9,7),4) 7
		max(6) 6
		n*side*side*4 1200
		n*side**2*4+1.5e3 2700
		.5e1+1E+1 15
		x*2+yes*100+no*1000 105
		min(n,side)%2+n 4
	END
}

@test "blanks and newlines are allowed anywhere in the expression" {
	needs ' n *
		( side + 1 ) ' '{"n":3,"side":10}'
	is memory_peak_bytes 33
}

@test "an error in the expression is reported with its column" {
	while IFS='|' read -r text message; do
		run nbplan --memory "$text" </dev/null
		status_is 2
		[ "$output" = "nbplan: --memory: $message" ] || { echo "for $text: $output"; return 1; }
	done <<-'END'
		1 +|column 4: a number or a parameter is missing
		1 + * 2|column 5: expected a number or a parameter, not '*'
		2 GB|column 3: an operator is missing before 'GB'
		2GB|column 2: an operator is missing before 'GB'
		(1 + 2|column 7: unclosed '(' at column 1
		1 + 2)|column 6: this ')' has no '('
		sqrt(2)|column 1: unknown function 'sqrt': expected min or max
		min(1, 2|column 9: a ',' or the ')' of min is missing
		max()|column 5: expected a number or a parameter, not ')'
		1e999|column 1: the number is too large
		0x10|column 2: an operator is missing before 'x10'
		n é 2|column 3: an operator is missing before 'é'
		$(reboot)|column 1: expected a number or a parameter, not '$'
		a = 3|column 3: an operator is missing before '='
	END
}

@test "an expression can be long but not deep" {
	needs "$(printf '1%.0s+' {1..2000})1"
	is memory_peak_bytes 2001
	needs "$(printf '(%.0s' {1..100})1$(printf ')%.0s' {1..100})"
	is memory_peak_bytes 1
	for deep in '(' '-' '2**' 'min('; do
		run nbplan --memory "$(for _ in {1..500}; do printf %s "$deep"; done)1" </dev/null
		status_is 2
		has 'nested more than 100 deep'
	done
}

@test "a parameter that is not a number is reported if the expression uses it" {
	params='{"n":1,"mode":"png","list":[1,2],"none":null,"map":{"a":1}}'
	needs 'n * 5' "$params"
	status_is 6
	is memory_peak_bytes 5
	for use in 'mode:a string' 'list:a list' 'none:null' 'map:an object' 'absent:missing'; do
		run nbplan --memory "n * ${use%%:*}" < <(combination ok '{"n":1,"mode":1,"list":1,"none":1,"map":1,"absent":1}'; combination bad "$params")
		status_is 3
		[ "$output" = "nbplan: stdin:2:1: --memory, column 5: parameter '${use%%:*}' is ${use#*:} in 'bad', not a number" ]
	done
}

@test "a need that is not a number of bytes is refused" {
	while IFS='|' read -r text message; do
		run nbplan --memory "$text" < <(combination a '{"n":0}')
		status_is 3
		[ "$output" = "nbplan: stdin:1:1: $message" ] || { echo "for $text: $output"; return 1; }
	done <<-'END'
		5 / n|--memory, column 3: division by zero for 'a'
		5 % n|--memory, column 3: division by zero for 'a'
		(n - 8) ** 0.5|--memory, column 9: the result is not a number for 'a'
		1 + 10 ** 400|--memory, column 8: the result is too large for 'a'
		n - 5|--memory is negative for 'a': -5 bytes
	END
}

# ---- memory ----

@test "combinations that do not fit are grouped by the values that explain it" {
	run nbplan --machine-memory 25.3e9 --runs runs --memory 'n_images * image_pixel_side ** 2 * 4 + viewport_pixel_size ** 2 * (n_images * 32 + 350) + 1.5e9' \
		< <(nbexpand "$ROOT/usecases/imviz_images/params.json")
	status_is 6
	[ "${lines[0]}" = 'imviz_images, label current: 240 notebooks' ]
	[ "${lines[1]}" = 'notebooks   0 up to date, 177 to run, 63 skipped' ]
	[ "${lines[2]}" = 'skipped     60: image_pixel_side=100000 (need 41.6 GB to 1.0 TB, this machine has 25.3 GB)' ]
	[ "${lines[3]}" = '            3: n_images, image_pixel_side, viewport_pixel_size together (needs 29.9 GB, this machine has 25.3 GB)' ]
	[ "${lines[4]}" = 'time        unknown: no past run' ]
	[ "${lines[5]}" = 'memory      up to 20.0 GB of 25.3 GB' ]
}

@test "a combination that needs exactly the available memory fits" {
	plan --memory 'side * 1e9' < <(sides 10)
	is skipped 0
	plan --memory 'side * 1e9 + 1' < <(sides 10)
	is skipped 1
}

@test "if nothing fits, nothing is to run, and that is not an error" {
	run nbplan --machine-memory 1e9 --memory 2e9 < <(sides 1 2)
	status_is 0
	has 'notebooks   0 up to date, 0 to run, 2 skipped'
	has 'skipped     2: every combination (needs 2.0 GB, this machine has 1.0 GB)'
	has 'time        none'
}

@test "many values, and values that are too large only together, are summarized in one line" {
	plan --memory 'side * 1e9' < <(sides {1..30})
	is 'skips[0].what' '"side=11,12,13,14,15,16,17,18,... (20 values)"'
	plan --memory 'a * b * 1e9' < <(for a in {1..9}; do for b in {1..9}; do combination "$a-$b" "{\"a\":$a,\"b\":$b}"; done; done)
	is 'skips' '[{"what":"a, b together","notebooks":56,"need_low_bytes":12000000000,"need_high_bytes":81000000000}]'
}

@test "sizes that would look the same get more decimals" {
	run nbplan --machine-memory 10.01e9 --memory 'side * 1e7' < <(sides 1 1002)
	has 'skipped     1: side=1002 (needs 10.02 GB, this machine has 10.01 GB)'
}

# ---- what is up to date ----

@test "what is up to date is what run_plan records say, of required runs alone" {
	ran s1 '{"side":1}' 10
	ran s2 '{"side":2}' 10
	plan < <(sides 1 2)
	is up_to_date 2
	is time_s 0
	status_is 0
	for other in stale rerun missing damaged; do
		plan < <(sides 1; state completed "$other"; sides 2 | grep -v run_plan)
		is up_to_date 1
		is to_run 1
		is time_from '"own"'
	done
	plan < <(state completed current false; sides 1 2 | grep -v run_plan)
	is to_run 2
	# A run that is made again needs no additional space.
	plan < <(state completed stale; sides 1 | grep -v run_plan)
	is disk_bytes 0
	plan < <(state completed damaged; sides 1 | grep -v run_plan)
	[ "$(field disk_bytes)" -gt 0 ]
}

@test "a combination that is not selected is left out" {
	plan < <(sides 1 2; printf '{"type":"combination","usecase":"demo","name":"s3","params":{},"selected":false}\n')
	is notebooks 2
}

@test "missing repetitions are runs to make" {
	ran s1 '{"side":1}' 10
	ran s1@2 '{"side":1}' 20
	plan --repeat 3 < <(sides 1 2)
	is to_run 2
	is runs 4
	is up_to_date 0
	plan --repeat 2 < <(sides 1)
	is up_to_date 1
	plan < <(sides 1)
	is up_to_date 1
}

@test "what an earlier run skipped stays skipped, and is reported if it fits now" {
	ran s1 '{"side":1}' 0 skipped
	ran s20 '{"side":20}' 0 skipped
	plan --memory 'side * 1e9' < <(sides 1 20)
	is skipped 2
	is skipped_before 1
	is 'skips[0].notebooks' 1
	is time_notebooks 0
	run nbplan --runs runs < <(sides 1 20)
	has 'skipped     2: by an earlier run, though they fit now'
}

# ---- time ----

@test "without a past run the time is unknown, and the status is 6" {
	plan < <(sides 1)
	status_is 6
	is time_s null
	is time_reason '"no past run"'
	rmdir runs
	plan < <(sides 1)
	status_is 6
}

@test "a notebook that has run is predicted to take the same time, plus the pause between runs" {
	ran s1 '{"side":1}' 10
	ran s1@2 '{"side":1}' 20 completed 5
	ran s2 '{"side":2}' 30 completed 7
	ran other '{"side":9}' 50 completed 4000
	plan --repeat 3 < <(sides 1 2 | grep -v run_plan)
	status_is 0
	is between_s 6
	is time_s 171
	is time_from '"own"'
	is time_low_s "$(field time_s)"
}

@test "the time in which JupyterLab loads is what PAGE=reuse would save, unless it does already" {
	ran s1 '{"side":1}' 10
	ran s2 '{"side":2}' 30
	plan --repeat 5 < <(sides 1 2 | grep -v run_plan)
	is loading_s null
	sed -i 's/"open_ms":1.0/&,"loading_ms":3000/; s/"params"/"made_from":{"settings":{"page":"fresh"}},&/' runs/s1.jsonl
	sed -i 's/"open_ms":1.0/&,"loading_ms":500/; s/"params"/"made_from":{"settings":{"page":"reuse"}},&/' runs/s2.jsonl
	plan --repeat 5 < <(sides 1 2 | grep -v run_plan)
	is loading_s 30
	run -0 nbplan --repeat 5 --runs runs < <(sides 1 2 | grep -v run_plan)
	has '30 s of it to load JupyterLab, most of which PAGE=reuse would save'
	PAGE=reuse run -0 nbplan --repeat 5 --runs runs < <(sides 1 2 | grep -v run_plan)
	[[ $output != *PAGE* ]]
}

@test "stale runs of a notebook count only as long as it has no current one, and are named; what is not whole never does" {
	ran s1 '{"side":1}' 10
	ran s1@2 '{"side":1}' 30
	ran s2 '{"side":2}' 50
	states() { on_disk runs/s1.jsonl stale; on_disk runs/s1@2.jsonl "$1"; on_disk runs/s2.jsonl "$2"; combination s1 '{}' | tail -n 1; combination s2 '{}' | tail -n 1; }
	told() { run --separate-stderr env nbplan --json --machine-memory 10e9 --runs runs < <(states "$@"); [ "$(field '| [.time_s, .time_from, .time_stale]')" = "$3" ] || is "| [.time_s, .time_from, .time_stale]" "$3"; }
	told current current '[86,"own",false]'
	told current stale '[86,"own",true]'
	told stale stale '[76,"own",true]'
	# The other notebook is predicted from what is current, if anything is.
	told current missing '[66,"mean",false]'
	told damaged missing '[20,"mean",true]'
	run env nbplan --runs runs < <(states stale damaged)
	has 'some of these runs are stale: it may take longer, or less'
	# A film is no run of the notebook.
	run --separate-stderr env nbplan --json --runs runs < <(on_disk runs/s1.jsonl current | sed 's/"film":false/"film":true/'; combination s1 '{}' | tail -n 1)
	is time_s null
}

@test "one past notebook gives a time but no range" {
	ran s1 '{"side":1}' 40
	plan < <(sides 1 2 4)
	is time_s 80
	is time_low_s null
	is time_reason '"one past notebook gives no range"'
	is extrapolated 2
	run nbplan --runs runs < <(sides 1 2 4)
	has 'time        1 min 20 s, from 1 past notebook: too few for a range'
	has '            2 of 2 extrapolated outside the values of past runs'
}

@test "if no parameter explains the times, their mean is used" {
	ran m1 '{"n":1}' 10 completed 0
	ran m2 '{"n":1}' 40 completed 0
	ran m3 '{"n":2}' 20 completed 0
	ran m4 '{"n":2}' 30 completed 0
	plan < <(combination a '{"n":1}'; combination b '{"n":2}')
	is time_from '"mean"'
	is time_s 50
	is time_low_s 20
	is time_high_s 80
	is extrapolated 0
}

@test "a power law in two parameters is found, without two others that do not matter" {
	i=0
	for n in 1 4 9; do for side in 10 20 40; do
		i=$((i + 1))
		ran "r$i" "{\"n\":$n,\"side\":$side,\"odd\":$((i * 7 % 5 + 1)),\"rate\":-1,\"mode\":\"x\"}" "$(jq -n "$n * $side * $side")" completed 0
	done; done
	plan < <(combination a '{"n":2,"side":30,"odd":3,"rate":-1,"mode":"x"}')
	is time_from '"fit"'
	is time_s 1800
	is time_notebooks 9
	is 'time_terms | sort_by(.param)' '[{"param":"n","power":1},{"param":"side","power":2}]'
	is extrapolated 0
	run nbplan --runs runs < <(combination a '{"n":2,"side":300,"odd":3,"rate":-1,"mode":"x"}')
	has '1 of 1 extrapolated outside the values of past runs'
	has ': proportional to side^2.00 * n^1.00, typical error 0 %'
	run nbplan --runs runs < <(combination a '{"n":"many","side":30,"odd":3}')
	status_is 0
}

@test "a fixed part and a power law are found together" {
	for n in 1 2 4 8 16 32; do
		ran "n$n" "{\"n\":$n}" "$((20 + 5 * n))" completed 0
	done
	plan < <(combination a '{"n":24}')
	is time_s 140
	is time_fixed_s 20
	run nbplan --runs runs < <(combination a '{"n":24}')
	has 'from 6 past notebooks: 20 s and a part proportional to n^1.00, typical error 0 %'
}

@test "repetitions of a notebook count as one point" {
	for k in 1 2 3 4 5 6; do
		at=@$k
		ran "s1${at#@1}" '{"side":1}' 10 completed 0
		ran "s2${at#@1}" '{"side":2}' 20 completed 0
	done
	plan < <(sides 4)
	is time_from '"mean"'
	is time_notebooks 2
}

@test "runs that ended early count only if there are no others" {
	ran s1 '{"side":1}' 100
	ran s2 '{"side":2}' 1 failed
	plan < <(sides 4)
	is time_s 103
	is time_notebooks 1
	is time_ended_early false
	rm runs/s1.jsonl
	plan < <(sides 4)
	is time_s 1
	is time_ended_early true
	run nbplan --runs runs < <(sides 4)
	has '            some of these runs ended early: it may take longer'
}

@test "only the two ends of a long run are read" {
	{
		printf '{"type":"run","t":1.5,"params":{"word":"%s","side":4}}\n' "$(head -c 100000 /dev/zero | tr '\0' x)"
		yes '{"type":"sample","note":"filler"}' | head -c 5000000
		printf '\n{"type":"run_end","t":99.0,"status":"not_settled","wall_ms":7000.0}\n{"type":"sample"}\n'
	} >runs/s4.jsonl
	plan --repeat 2 < <(sides 4)
	is time_s 7
	plan < <(sides 8)
	is extrapolated 1
}

@test "a file that is not a run causes a warning" {
	ran s1 '{"side":1}' 10
	echo 'not a record' >runs/s2.jsonl
	: >runs/s3.jsonl
	echo '{"type":"run_end","t":1,"status":"completed","wall_ms":NaN}' >runs/s5.jsonl
	touch runs/.hidden.jsonl runs/note.txt 'runs/s1@x.jsonl'
	mkdir runs/folder.jsonl
	mkfifo runs/pipe.jsonl
	plan < <(sides 1 4)
	status_is 0
	is time_s 10
	for f in s2 s3 s5; do
		[[ "$stderr" == *"nbplan: 'runs/$f.jsonl' has no run_end: its duration is unknown"* ]]
	done
}

# ---- disk ----

@test "disk space is predicted from existing files" {
	mkdir -p executed shots/a shots/b
	ran s1 '{"side":1}' 10
	head -c 20000 /dev/zero >executed/s1.ipynb
	head -c 10000 /dev/zero >notebooks/s1.ipynb
	head -c 50000 /dev/zero | tee shots/a/1.png >shots/b/1.png
	touch runs/*
	size() { stat -c '%b %B %s' "$@" | awk '{d = $1 * $2; sum += d > $3 ? d : $3} END {print sum / NR}'; }
	plan --notebooks notebooks --executed executed --screenshots shots < <(sides 1 2 4)
	is disk_bytes "$(jq -n "2 * ($(size runs/s1.jsonl) + $(size executed/s1.ipynb) + $(size notebooks/s1.ipynb) + $(size shots/a) + $(size shots/a/1.png))")"
	is disk_reason null
	rm -r executed shots
	plan --notebooks notebooks --executed executed --screenshots shots < <(sides 1 2 4)
	is disk_reason '"not counting executed notebooks, screenshots: none exist yet"'
}

@test "a template gives the size of notebooks that do not exist yet" {
	ran s1 '{"side":1}' 10
	head -c 1000000 /dev/zero >template.ipynb
	plan --notebooks absent --template template.ipynb < <(sides 1 2)
	[ "$(field disk_bytes)" -ge 2000000 ]
	run nbplan --template absent.ipynb < <(sides 1)
	status_is 4
	[ "$output" = "nbplan: cannot open 'absent.ipynb': No such file or directory" ]
}

@test "a plan that does not fit on the disk fails" {
	ran s1 '{"side":1}' 10
	truncate -s 1T template
	run nbplan --runs runs --notebooks notebooks --template template < <(sides {1..999})
	status_is 1
	has ': too little'
}

# ---- the output ----

@test "each record fits its schema" {
	ran s1 '{"side":1}' 10
	ran s2 '{"side":2}' 20
	{
		sides 1 2 4 20 | nbplan --json --runs runs --memory 'side * 1e9' --machine-memory 10e9
		sides 1 | nbplan --json || [ $? -eq 6 ]
		sides 1 2 | nbplan --json --runs runs
	} >records
	"$ROOT/build/testvenv/bin/python" "$ROOT/tests/validate" --strict records
}

@test "a whole plan for people" {
	ran s1 '{"side":1}' 60
	ran s2 '{"side":2}' 120
	touch -d @1700000000 notebooks/s1.ipynb
	run nbplan --label old --repeat 2 --runs runs --memory 'side * 1e9' --machine-memory 5e9 < <(sides 1 2 4 8)
	status_is 0
	[ "${lines[0]}" = 'demo, label old: 4 notebooks, 2 runs each' ]
	[ "${lines[1]}" = 'notebooks   0 up to date, 3 to run (4 runs), 1 skipped' ]
	[ "${lines[2]}" = 'skipped     1: side=8 (needs 8.0 GB, this machine has 5.0 GB)' ]
	[ "${lines[3]}" = 'time        6 min 12 s (5 min 12 s to 7 min 12 s), from 2 past notebooks: their mean' ]
	[ "${lines[4]}" = '            1 of 3 extrapolated outside the values of past runs' ]
	[ "${lines[5]}" = 'memory      up to 4.0 GB of 5.0 GB' ]
	[[ "${lines[6]}" =~ ^disk\ {8}.*\ more,\ .*\ free$ ]]
	[ "${#lines[@]}" -eq 7 ]
}

@test "times have a suitable unit" {
	while read -r seconds text; do
		ran a '{}' "$seconds"
		run nbplan --runs runs --repeat 2 < <(combination a '{}')
		has "time        $text, from their own past runs" || return
		rm runs/*
	done <<-'END'
		9 9 s
		99 1 min 39 s
		6000 1 h 40 min
		259200 72 h 00 min
		864000 10 days 00 h
		94672800 3.0 years
	END
}

@test "names and values cannot control the terminal" {
	run nbplan --memory 'side * 1e30' < <(printf '{"type":"combination","usecase":"a\\u001b[31mb","name":"n","params":{"side":1}}\n')
	[[ "$output" != *$'\e'* ]]
	has 'a?[31mb, label current'
}

# ---- bad input ----

@test "no combination at all is an error" {
	run nbplan </dev/null
	status_is 3
	[ "$output" = 'nbplan: stdin:1:1: no combination' ]
	run nbplan <<<'{"type":"other"}'
	status_is 3
}

@test "other records are ignored" {
	plan < <(echo '{"type":"note","a":[1,{"b":2}]}'; sides 1)
	is notebooks 1
}

@test "lines that are not records are refused with line and column" {
	for bad in x '[]' '{"type":"combination","name":"a","name":"b"}' '{"type":"a","b":NaN}' $'{"type":"\xff"}' ''; do
		run nbplan < <(sides 1; echo "$bad")
		status_is 3
		[[ "$output" =~ ^nbplan:\ stdin:2:[0-9]+:\  ]] || { echo "for $bad: $output"; return 1; }
	done
}

@test "a combination without name or params is refused" {
	run nbplan <<<'{"type":"combination","params":{}}'
	status_is 3
	[ "$output" = 'nbplan: stdin:1:1: a combination without "name"' ]
	run nbplan <<<'{"type":"combination","name":"a","params":[]}'
	status_is 3
	[ "$output" = 'nbplan: stdin:1:1: a combination without "params"' ]
}

@test "--each writes what a run of each notebook that is to run and fits needs" {
	ran s1 '{"side":1}' 10
	run -0 --separate-stderr nbplan --each --memory 'side * 1e9' --machine-memory 3e9 --runs runs --repeat 2 < <(sides 1 2 4)
	[ "$(jq -r '[.name, .runs, .memory_bytes, .time_s, .extrapolated] | @csv' <<<"$output")" = $'"s1",1,1000000000,10,false\n"s2",2,2000000000,10,true' ]
	run -0 --separate-stderr nbplan --each --runs runs < <(sides 2)
	[ "$(jq -c '[.memory_bytes, .time_s, .time_high_s]' <<<"$output")" = '[null,10,null]' ]
	run -0 nbplan --each < <(combination new '{}')
	[ "$(jq -c '[.memory_bytes, .time_s]' <<<"$output")" = '[null,null]' ]
	echo "$output" >plan
	"$ROOT/build/testvenv/bin/python" "$ROOT/tests/validate" --strict plan
}

@test "a last line without a newline counts" {
	plan < <(sides 1 2 | head -c -1)
	is notebooks 2
}

@test "a line of 100 MB is refused" {
	run bash -c "(printf '{\"type\":\"x\",\"a\":\"'; head -c 100000000 /dev/zero | tr '\\0' a; echo '\"}') | nbplan"
	status_is 3
	has 'nbplan: stdin:1:1: line longer than 16777216 bytes'
}

@test "a full disk is an error, and a reader that exits early causes no message" {
	for more in '' --json; do
		run bash -c 'nbplan $1 >/dev/full' sh "$more" < <(sides 1)
		status_is 4
		has 'nbplan: cannot write to standard output: No space left on device'
	done
	run bash -c 'nbplan | true; exit "${PIPESTATUS[0]}"' < <(sleep 0.2; sides 1)
	[[ "$status" =~ ^(4|141)$ ]]
	[ -z "$output" ]
}

@test "options are checked" {
	for wrong in '--repeat 0' '--machine-memory -1' '--memory' 'operand' '--nothing'; do
		# shellcheck disable=SC2086  # words
		run nbplan $wrong </dev/null
		status_is 2
	done
	run nbplan --runs "$ROOT/Makefile" < <(sides 1)
	status_is 4
	has "nbplan: cannot open the folder '$ROOT/Makefile': Not a directory"
}

@test "a million combinations are planned within 40 MB" {
	echo '{"a":{"from":1,"to":1000,"step":1},"b":{"from":1,"to":1000,"step":1}}' >p.json
	run bash -c 'nbexpand --usecase x p.json | ($ULIMIT 40000; nbplan --json --machine-memory 5e11 --memory "a * b * 1e6")'
	is notebooks 1000000
	is 'skipped + .to_run' 1000000
}
