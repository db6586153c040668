# bats file_tags=untimed,long
# The makefile: what a user types, on the real thing.
load helpers

# A use case of its own, outside the repository; each notebook takes a moment.
use_case() {
	UC=$BATS_TEST_TMPDIR/small
	mkdir -p "$UC"
	python3 "$ROOT/tests/nb.py" "$UC/template.ipynb" <<'EON'
[("code", "n = {n_value}\nword = {word_value}", ["parameters"]),
 ("code", "import time\ntime.sleep(n / 1000)"),
 ("code", "assert word != 'bad', 'a bad word'")]
EON
	echo "${1:-{\"n\": [10, 20], \"word\": [\"good\"]\}}" >"$UC/params.json"
}

nb() {
	make --no-print-directory -C "$ROOT" USECASE="$UC" "$@"
}

# runs_of: the runs that there are, by name.
runs_of() {
	(cd "$UC/runs/current" && ls -- *.jsonl)
}

@test "make alone explains itself" {
	run -0 make --no-print-directory -C "$ROOT"
	has 'usage: make TARGET'
	has 'profile '
	has 'MAX_WAIT_TIME    300'
	has 'BROWSER          chromium'
}

@test "profile makes runs, tables and a verdict; then only what changed runs again" {
	use_case
	run -0 nb profile
	[ "${lines[-3]}" = 'verdict: 2 notebooks profiled, 6 cells, all completed' ] || { echo "$output"; false; }
	[ "${lines[-2]}" = "tables: $UC/metrics/current/{cell,notebook}_metrics.csv" ]
	[ "${lines[-1]}" = "next: make report USECASE=$UC" ]
	[ "$(runs_of)" = $'small-n10-wordgood.jsonl\nsmall-n20-wordgood.jsonl' ]
	run -0 jq -r .verdict "$UC/metrics/current/verdict.json"
	[ "$output" = ok ]
	run -0 "$ROOT/build/venv/bin/python" - "$UC/metrics/current/cell_metrics.csv" <<'EOP'
import sys, pandas
t = pandas.read_csv(sys.argv[1])
assert list(t.columns[:7]) == ['notebook_filename', 'cell_index', 'execution_status', 'n_param', 'word_param',
    'client_total_data_received_metric', 'client_execution_time_metric'], list(t.columns)
assert len(t) == 6 and set(t.n_param) == {10, 20} and t.client_execution_time_metric.dtype == float
EOP
	[ -e "$UC/executed/current/small-n10-wordgood.ipynb" ]

	# Nothing changed: nothing runs.
	touch "$BATS_TEST_TMPDIR/before"
	run -0 nb profile
	[ -z "$(find "$UC/runs" -name '[!.]*.jsonl' -newer "$BATS_TEST_TMPDIR/before")" ]

	# One value of one parameter is another: one notebook runs, the other's stays.
	echo '{"n": [10, 30], "word": ["good"]}' >"$UC/params.json"
	run -0 nb profile
	[ "$(find "$UC/runs" -name '[!.]*.jsonl' -newer "$BATS_TEST_TMPDIR/before" -printf '%f ')" = 'small-n30-wordgood.jsonl ' ]
	[ ! -e "$UC/notebooks/small-n20-wordgood.ipynb" ]
	[ -e "$UC/runs/current/small-n20-wordgood.jsonl" ]
	run -0 grep -c small-n20 "$UC/metrics/current/cell_metrics.csv" || [ "$output" = 0 ]

	# A setting of the label is another: both run.
	touch "$BATS_TEST_TMPDIR/before"
	run -0 nb profile SETTLE_MS=250
	[ "$(find "$UC/runs" -name '[!.]*.jsonl' -newer "$BATS_TEST_TMPDIR/before" | wc -l)" = 2 ]
}

@test "a failed cell is a result: kept, named, make non-zero, run again when asked" {
	use_case '{"n": [10], "word": ["good", "bad"]}'
	run -2 nb profile
	has "verdict: 1 of 2 notebooks failed: word=bad cell 3 (AssertionError: a bad word)"
	run -0 jq -r .verdict "$UC/metrics/current/verdict.json"
	[ "$output" = failed ]
	touch "$BATS_TEST_TMPDIR/before"
	run -2 nb profile
	[ -z "$(find "$UC/runs" -name '[!.]*.jsonl' -newer "$BATS_TEST_TMPDIR/before")" ]
	run -2 nb profile RERUN=failed
	[ "$(find "$UC/runs" -name '[!.]*.jsonl' -newer "$BATS_TEST_TMPDIR/before" -printf '%f ')" = 'small-n10-wordbad.jsonl ' ]
}

@test "a RERUN that cannot begin, or a plan of it, loses no run; the next profile makes them" {
	use_case '{"n": [10], "word": ["good"]}'
	run -0 nb profile
	cp "$UC/runs/current/small-n10-wordgood.jsonl" "$BATS_TEST_TMPDIR/first"
	run -0 nb plan RERUN=all
	TMPDIR=/nonexistent run -2 nb profile RERUN=all
	has "labserve: cannot make a folder '/nonexistent/"
	run -0 cmp "$UC/runs/current/small-n10-wordgood.jsonl" "$BATS_TEST_TMPDIR/first"
	run -0 nb profile
	run -1 cmp "$UC/runs/current/small-n10-wordgood.jsonl" "$BATS_TEST_TMPDIR/first"
}

@test "earlier results of a run that could not be made do not pass for a success" {
	use_case '{"n": [10, 20], "word": ["good"]}'
	run -0 nb profile WHERE=n=10
	mkdir "$BATS_TEST_TMPDIR/broken"
	printf '#!/bin/sh\necho "no luck"\nexit 1\n' >"$BATS_TEST_TMPDIR/broken/chromedriver"
	chmod +x "$BATS_TEST_TMPDIR/broken/chromedriver"
	sed -i 's/1000)/999)/' "$UC/template.ipynb"
	PATH=$BATS_TEST_TMPDIR/broken:$PATH run -2 nb profile RETRY=0
	has "wdsession: 'chromedriver' ended at once: no luck"
	# The run of the old template stays on disk, and its numbers are no longer reported.
	[ -e "$UC/runs/current/small-n10-wordgood.jsonl" ]
	has '1 stale run is left out: template or parameters (1)'
	has 'verdict: no notebook was profiled; 2 runs could not be made: small-n10-wordgood and 1 more'
	run -0 jq -c '[.verdict, .missing]' "$UC/metrics/current/verdict.json"
	[ "$output" = '["nothing",["small-n10-wordgood","small-n20-wordgood"]]' ]
	run -0 nb profile
	has 'verdict: 2 notebooks profiled, 6 cells, all completed'
}

@test "WHERE selects and prunes nothing; REPEAT makes one run per repetition" {
	use_case
	run -0 nb profile WHERE='n=20' REPEAT=2
	[ "$(runs_of)" = $'small-n20-wordgood.jsonl\nsmall-n20-wordgood@2.jsonl' ]
	[ -e "$UC/notebooks/small-n10-wordgood.ipynb" ]
	run -0 cut -d, -f1,2,10 "$UC/metrics/current/cell_metrics.csv"
	has 'small-n20-wordgood.ipynb,1,2'
}

@test "an interrupt loses the notebook that was running, and nothing else" {
	use_case '{"n": [10, 60000], "word": ["good"]}'
	TMPDIR=$BATS_TEST_TMPDIR setsid env --default-signal=INT make --no-print-directory -C "$ROOT" USECASE="$UC" profile >"$BATS_TEST_TMPDIR/out" 2>&1 3>&- &
	group=$!
	timeout 100 sh -c "until grep -q 'n=60000.*cell 1/3' '$BATS_TEST_TMPDIR/out'; do read -r _ </proc/uptime; done"
	kill -INT -- -$group
	timeout 10 sh -c "while pgrep -g $group >/dev/null; do read -r _ </proc/uptime; done"
	wait $group || true
	[ "$(cd "$UC/runs/current" && ls -A | grep -v '^\.')" = small-n10-wordgood.jsonl ] || { ls -A "$UC/runs/current"; false; }
	run ! pgrep -f "$BATS_TEST_TMPDIR/nbscope-[lb]"
	# Nothing temporary is left: why a run was refused, what a run was written in.
	[ -z "$(cd "$UC/runs/current" && ls -A | grep -v -e '^small' -e '^\.digests$' -e '^\.settings$' -e '^\.environment')" ] || { ls -A "$UC/runs/current"; false; }
	grep "^runkeep: '.*/small-n60000-wordgood.jsonl' is not kept: interrupted; the next make profile continues$" "$BATS_TEST_TMPDIR/out"
	# Shorter now: it goes on from there.
	touch "$BATS_TEST_TMPDIR/before"
	echo '{"n": [10, 60], "word": ["good"]}' >"$UC/params.json"
	run -0 nb profile
	[ "$(find "$UC/runs" -name '[!.]*.jsonl' -newer "$BATS_TEST_TMPDIR/before" -printf '%f ')" = 'small-n60-wordgood.jsonl ' ]
}

@test "what does not fit the machine is recorded as skipped, with the reason, and is no failure" {
	use_case
	run -0 nb profile MEMORY_BYTES='n * 1e15'
	has 'skipped'
	run -0 grep -c Skipped "$UC/metrics/current/cell_metrics.csv"
	[ "$output" = 6 ]
}

@test "plan reports the number, memory and disk before anything runs" {
	use_case
	run -0 nb plan
	has '2 notebooks'
	has "plan: nothing was run: make plan USECASE=$UC TRIAL=1 runs one notebook to predict the rest"
	[ -z "$(ls "$UC/runs/current")" ]
	run -0 nb plan TRIAL=1
	has 'plan: no earlier run; a trial with small-n10-wordgood'
	[ "$(runs_of)" = small-n10-wordgood.jsonl ]
}

@test "the user's own server is used, and nothing of ours is left on it" {
	use_case '{"n": [10], "word": ["good"]}'
	load server
	BATS_FILE_TMPDIR=$BATS_TEST_TMPDIR
	start_server
	use_server
	run nb profile
	after=$(rest api/sessions; rest api/contents | jq -c '[.content[].name]')
	stop_server
	status_is 0
	[ "$after" = '[][]' ] || { echo "$after"; false; }
}

@test "calibrate has its own settings, not those of the use case that goes without a name" {
	run -0 sh -c 'make -C "$1" -pn calibrate REPEAT=2 | sed -n "s/^\(SETTLE_MS\|MAX_WAIT_TIME\|REPEAT\) :*= //p" | sort -u | paste -sd" "' sh "$ROOT"
	[ "$output" = "2 30 300" ] || has "2 30 300"
}

@test "calibrate of the widgets has its own settings, and an environment of its own" {
	run -0 sh -c 'make -C "$1" -pn calibrate CALIBRATE=widgets | sed -n "s/^\(USECASE\|VENV\|WINDOW\|SAMPLE_INTERVAL\) :*= //p" | sort -u | paste -sd" "' sh "$ROOT"
	[ "$output" = "$ROOT/build/widgets-venv 0 900x1300 widgets" ] || has "$ROOT/build/widgets-venv 0 900x1300 widgets"
	run -0 sh -c 'make -C "$1" -pn calibrate CALIBRATE=widgets VENV=/mine | sed -n "s/^VENV :*= //p"' sh "$ROOT"
	[ "$output" = /mine ] || has /mine
	run -2 make -C "$ROOT" -n calibrate CALIBRATE=widget
	has 'CALIBRATE must be one of: metrics widgets'
}

@test "one notebook that is no use case is profiled with the files that are named" {
	mkdir "$BATS_TEST_TMPDIR/mine"
	cd "$BATS_TEST_TMPDIR/mine"
	mkdir data
	echo 7 >data/x.txt
	echo 'path = "data/x.txt"' >helpers.py
	python3 "$ROOT/tests/nb.py" mine.ipynb <<<'[("code", "import helpers\nprint(open(helpers.path).read())")]'
	run -2 make --no-print-directory -C "$ROOT" profile-notebook NOTEBOOK="$PWD/mine.ipynb"
	has "'helpers.py' is in the notebook's folder"
	has "
    make profile-notebook NOTEBOOK=$PWD/mine.ipynb FILES=helpers.py
tables: $PWD/nbscope/mine/metrics/current/{cell,notebook}_metrics.csv
next: make report NOTEBOOK=$PWD/mine.ipynb
"
	run -0 make --no-print-directory -C "$ROOT" profile-notebook NOTEBOOK="$PWD/mine.ipynb" FILES='data/ helpers.py'
	has 'all completed'
	[ "${lines[-1]}" = "next: make report NOTEBOOK=$PWD/mine.ipynb" ]
	# What the quickstart sets is not for it.
	run -0 jq -c 'select(.type == "run").settings | [.settle_ms, .max_wait_s]' nbscope/mine/runs/current/mine.jsonl
	[ "$output" = "[300,300]" ] || has "[300,300]"
	mkdir other
	echo '{"a": 1}' >other/none.ipynb
	run -2 make --no-print-directory -C "$ROOT" profile-notebook NOTEBOOK="$PWD/other/none.ipynb"
	has "cellrun: $PWD/other/none.ipynb:1:1: not a notebook"
	[ "$(ls other)" = none.ipynb ]
	run -2 make --no-print-directory -C "$ROOT" profile-notebook NOTEBOOK="$PWD/mine.ipynb" FILES=y.txt
	has "'y.txt'"
	local label=none-$RANDOM
	run -2 make --no-print-directory -C "$ROOT" profile-notebook NOTEBOOK="$PWD/mine.ipynb" LABEL=$label WITH="-e $PWD/none"
	rm -rf "$ROOT/build/envs/$label"{,.with}
	has "env: '-e $PWD/none' cannot be installed"
}

@test "a use case that is not there, and no name for a new one, are named" {
	run -2 make --no-print-directory -C "$ROOT" profile USECASE=nosuch
	has "no use case 'nosuch'"
	[ ! -e "$ROOT/usecases/nosuch" ]
	run -2 make --no-print-directory -C "$ROOT" new-usecase NAME='../x'
	has 'NAME must be'
}

@test "a misspelt target is answered with the nearest one; files and a use case's own targets are left to make" {
	local given
	use_case
	for given in profil:profile rport:report prof:profile Profile:profile tests:test calibrat:calibrate; do
		run -2 nb "${given%:*}"
		has "no target '${given%:*}'; did you mean '${given#*:}'?"
	done
	run -2 nb setup xyzzy
	has "no target 'xyzzy': see 'make help'"
	run -2 nb none/such
	has "No rule to make target 'none/such'"
	echo 'include more.mk' | sed "s|more|$UC/more|" >>"$UC/usecase.mk"
	printf 'mine:\n\t@echo made it\n' >"$UC/more.mk"
	run -0 nb mine
	[ "$output" = 'made it' ]
	[ ! -e "$UC/runs" ]
}

@test "a misspelt variable, or an invalid value, is refused before anything runs" {
	use_case
	local given
	for given in ONYL=n=10 only=n=10 REPAET=3 LABELS=x; do
		run -2 nb profile "$given"
		has "there is no variable '${given%%=*}'"
	done
	run -2 nb profile QUIET=700
	has "there is no variable 'QUIET': it is called SETTLE_MS"
	run -2 nb profile ONLY=n=10
	has "there is no variable 'ONLY': it is called WHERE"
	for given in RERUN=fialed SCREENSHOTS=yes HEADLESS=no; do
		run -2 nb profile "$given"
		has "${given%%=*} must be one of"
		has "not '${given#*=}'"
	done
	run -2 nb profile RETRY=often
	has 'RETRY must be a whole number'
	[ ! -e "$UC/runs" ]
	# What a use case has of its own, and what its label is made of, are known.
	echo 'POINTS ?= 3' >"$UC/usecase.mk"
	run -0 nb generate POINTS=4 WITH_other=x
	# And what has nothing to do with programs leaves them as they are.
	run -0 make --no-print-directory -C "$ROOT" help CFLAGS=-O1 V=1
	run make --no-print-directory -C "$ROOT" --question programs
	status_is 0
}

@test "a new use case runs as it is" {
	run -0 make --no-print-directory -C "$ROOT" new-usecase NAME=bats_new
	run make --no-print-directory -C "$ROOT" profile USECASE=bats_new WHERE='n_points=1000'
	rm -rf "$ROOT/usecases/bats_new"
	status_is 0
	has 'all completed'
}

@test "the quickstart shows a real image in a real Imviz" {
	UC=$BATS_TEST_TMPDIR/quickstart
	cp -R "$ROOT/usecases/quickstart" "$UC"
	rm -rf "$UC"/{notebooks,runs,executed,metrics,screenshots}
	run -0 nb profile WHERE=image_pixel_side=250 SCREENSHOTS=1
	has 'verdict: 1 notebook profiled, 8 cells, all completed'
	run -0 jq -s -c '[.[] | select(.type == "cell")] | [(map(.ws_bytes_received) | add > 5000000), (map(.changes.webgl) | add > 1), (map(.marks[]) | index("blank"))]' \
		"$UC/runs/current/quickstart-image_pixel_side250.jsonl"
	[ "$output" = '[true,true,null]' ] || { echo "$output"; false; }
	run -0 file "$UC/screenshots/current/quickstart-image_pixel_side250/cell-008.png"
	has 'PNG image data'
}
