# bats file_tags=untimed,long
# The makefile: what a user types, on the real thing. What fails or ends early is in makeagain.bats,
# what is no use case of one's own in makecase.bats.
load helpers
load make
load oneserver

@test "make alone explains itself" {
	run -0 make --no-print-directory -C "$ROOT"
	has 'usage: make TARGET'
	has 'profile '
	has 'MAX_WAIT_TIME    300'
	has 'BROWSER          chromium'
}

@test "profile makes runs, tables and a verdict; then nothing runs again" {
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

}

@test "one value that is another makes one run, a setting that is another makes all" {
	use_server
	export BROWSER=none
	use_case
	run -0 nb profile
	touch "$BATS_TEST_TMPDIR/before"
	echo '{"n": [10, 30], "word": ["good"]}' >"$UC/params.json"
	run -0 nb profile
	[ "$(find "$UC/runs" -name '[!.]*.jsonl' -newer "$BATS_TEST_TMPDIR/before" -printf '%f ')" = 'small-n30-wordgood.jsonl ' ]
	[ ! -e "$UC/notebooks/small-n20-wordgood.ipynb" ]
	[ -e "$UC/runs/current/small-n20-wordgood.jsonl" ]
	run -0 grep -c small-n20 "$UC/metrics/current/cell_metrics.csv" || [ "$output" = 0 ]

	# A setting of the label is another: both run.
	touch "$BATS_TEST_TMPDIR/before"
	run -0 nb profile MAX_WAIT_TIME=299
	[ "$(find "$UC/runs" -name '[!.]*.jsonl' -newer "$BATS_TEST_TMPDIR/before" | wc -l)" = 2 ]
}

@test "WHERE selects and prunes nothing; REPEAT makes one run per repetition" {
	use_server
	export BROWSER=none
	use_case
	run -0 nb profile WHERE='n=20' REPEAT=2
	[ "$(runs_of)" = $'small-n20-wordgood.jsonl\nsmall-n20-wordgood@2.jsonl' ]
	[ -e "$UC/notebooks/small-n10-wordgood.ipynb" ]
	run -0 cut -d, -f1,2,10 "$UC/metrics/current/cell_metrics.csv"
	has 'small-n20-wordgood.ipynb,1,2'
}

@test "what does not fit the machine is recorded as skipped, with the reason, and is no failure" {
	use_server
	use_case
	run -0 nb profile MEMORY_BYTES='n * 1e15'
	has 'skipped'
	run -0 grep -c Skipped "$UC/metrics/current/cell_metrics.csv"
	[ "$output" = 6 ]
}

@test "plan reports the number, memory and disk before anything runs" {
	use_server
	use_case
	run -0 nb plan
	has '2 notebooks'
	has "plan: nothing was run: make plan USECASE=$UC TRIAL=1 runs one notebook to predict the rest"
	[ -z "$(ls "$UC/runs/current")" ]
	run -0 nb plan TRIAL=1 BROWSER=none
	has 'plan: no earlier run; a trial with small-n10-wordgood'
	[ "$(runs_of)" = small-n10-wordgood.jsonl ]
}

@test "calibrate has its own settings, not those of the use case that goes without a name" {
	run -0 sh -c 'make -C "$1" -pn calibrate REPEAT=2 | sed -n "s/^\(SETTLE_MS\|MAX_WAIT_TIME\|REPEAT\) :*= //p" | sort -u | paste -sd" "' sh "$ROOT"
	[ "$output" = "2 30 300" ] || has "2 30 300"
}

@test "calibrate of the widgets has its own settings, and an environment of its own" {
	run -0 sh -c 'make -C "$1" -pn calibrate CALIBRATE=widgets | sed -n "s/^\(USECASE\|VENV\|WINDOW\|SAMPLE_INTERVAL\) :*= //p" | sort -u | paste -sd" "' sh "$ROOT"
	[[ $output =~ "$ROOT/build/venv-"[0-9]+' 0 900x1300 widgets' ]]
	run -0 sh -c 'make -C "$1" -pn calibrate CALIBRATE=widgets VENV=/mine | sed -n "s/^VENV :*= //p"' sh "$ROOT"
	[ "$output" = /mine ] || has /mine
	run -2 make -C "$ROOT" -n calibrate CALIBRATE=widget
	has 'CALIBRATE must be one of: metrics widgets'
}

@test "a use case that is not there, and no name for a new one, are named" {
	run -2 make --no-print-directory -C "$ROOT" profile USECASE=nosuch
	has "no use case 'nosuch'"
	[ ! -e "$ROOT/usecases/nosuch" ]
	run -2 make --no-print-directory -C "$ROOT" new-usecase NAME='../x y'
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
	for given in RERUN=fialed SCREENSHOTS=yes HEADLESS=no; do
		run -2 nb profile "$given"
		has "${given%%=*} must be one of"
		has "not '${given#*=}'"
	done
	run -2 nb profile RETRY=often
	has 'RETRY must be a whole number'
	for given in chromuim firefx /usr/bin/xdg-open 'chromium firefox'; do
		run -2 nb profile BROWSER="$given"
		has "BROWSER must be chromium, firefox, the path of either, or none, not '$given'"
	done
	# In a desktop's environment it has another meaning.
	BROWSER=/usr/bin/xdg-open run -0 nb generate
	[ ! -e "$UC/runs" ]
	# What a use case has of its own, and what its label is made of, are known.
	echo 'POINTS ?= 3' >"$UC/usecase.mk"
	run -0 nb generate POINTS=4 WITH_other=x
	# And what has nothing to do with programs leaves them as they are.
	run -0 make --no-print-directory -C "$ROOT" help CFLAGS=-O1 V=1
	run make --no-print-directory -C "$ROOT" --question programs
	status_is 0
}

@test "make programs prints one line with the seconds that it took" {
	printf '#!/bin/sh\nfor word; do\n\tcase $before in -o|-MF) : >"$word"; chmod +x "$word" ;; esac\n\tbefore=$word\ndone\n' >"$BATS_TEST_TMPDIR/cc"
	printf '#!/bin/sh\n: >"$2"\n' >"$BATS_TEST_TMPDIR/ar"
	chmod +x "$BATS_TEST_TMPDIR"/{cc,ar}
	build() {
		NBSCOPE_BUILD=$BATS_TEST_TMPDIR/build run -0 make --no-print-directory -C "$ROOT" programs CC="$BATS_TEST_TMPDIR/cc" AR="$BATS_TEST_TMPDIR/ar" "$@"
	}
	build
	[[ "$output" =~ ^setup:\ [0-9]+\ programs\ in\ .*/build/bin\ \([0-9]+\ s\)$ ]] || has 'one line'
	build
	has "Nothing to be done for 'programs'."
	[ "${#lines[@]}" = 1 ]
	rm "$BATS_TEST_TMPDIR/build/bin/runkeep"
	build V=1
	has "$BATS_TEST_TMPDIR/cc"
}

@test "on a fresh machine profile waits for the programs that make runs and tables, and compiles the others at its end" {
	use_case
	first() { NBSCOPE_BUILD=$1 run make -n --no-print-directory -C "$ROOT" USECASE="$UC" "${@:2}"; }
	first "$BATS_TEST_TMPDIR/none" profile
	[[ "$output" =~ ONLY=\'([a-z0-9\ ]+)\' ]] || has ONLY=
	only=${BASH_REMATCH[1]}
	for program in nbexpand nbpatch runplan runexec cellrun kernelrun cellmetrics metrics2csv runsum; do
		[[ " $only " == *" $program "* ]] || { echo "$program is not among $only"; return 1; }
	done
	[[ " $only " != *' metricreport '* && " $only " != *' table2metrics '* ]]
	sed -n '/show-summary/,$p' <<<"$output" | grep -E 'make.* programs$'
	# Other goals need all, and where there are programs there is nothing to begin with.
	first "$BATS_TEST_TMPDIR/none" profile report
	[[ $output != *ONLY=* ]] || has nothing
	first build profile
	[[ $output != *ONLY=* ]] || has nothing
}

# bats test_tags=thorough
@test "the programs are compiled on all processors, and again only when something changed" {
	[ "$(nproc)" -gt 1 ] || skip 'one processor'
	# A compiler that writes what it is asked for, and when it begins and ends.
	cat >"$BATS_TEST_TMPDIR/cc" <<-'C'
	#!/bin/sh
	echo begin >>"${0%/*}/log"
	for word; do
		case $before in -o|-MF) : >"$word"; [ -c "$word" ] || chmod +x "$word" ;; esac
		before=$word
	done
	sleep 0.02
	echo end >>"${0%/*}/log"
	C
	printf '#!/bin/sh\n: >"$2"\n' >"$BATS_TEST_TMPDIR/ar"
	chmod +x "$BATS_TEST_TMPDIR"/{cc,ar}
	build() {
		: >"$BATS_TEST_TMPDIR/log"
		NBSCOPE_BUILD=$BATS_TEST_TMPDIR/build run -0 make -s --no-print-directory -C "$ROOT" programs CC="$BATS_TEST_TMPDIR/cc" AR="$BATS_TEST_TMPDIR/ar" "$@"
	}
	build
	# How many compilers started while another was running.
	[ "$(awk '/begin/ {n += running > 0; running++} /end/ {running--} END {print n}' "$BATS_TEST_TMPDIR/log")" -gt 50 ]
	build
	[ ! -s "$BATS_TEST_TMPDIR/log" ]
	build CFLAGS=-O1
	[ -s "$BATS_TEST_TMPDIR/log" ]
}

@test "what embeds a file is compiled again when that file changes" {
	local given
	for given in share/parquet/rows.py:tools/lib/table/parquet_output.c share/page/watch.js:tools/run/lib/browser/page_script.c \
		share/report/model.jq:tools/show/metricreport/page.c share/profile/lines.py:tools/run/cellprofile/profiling.c; do
		run -0 make --no-print-directory -C "$ROOT" -n COMPILE=1 compiled
		[[ $output != *"${given#*:}"* ]]
		run -0 make --no-print-directory -C "$ROOT" -n -W "${given%:*}" COMPILE=1 compiled
		has "${given#*:}"
	done
}
