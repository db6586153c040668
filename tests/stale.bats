# bats file_tags=untimed,long
# Which runs make makes, and which count. Every notebook is too large for the machine and so
# is recorded as skipped: servers start, browsers do not.
load helpers
load oneserver
load renderer

setup_file() {
	start_server
	start_renderer
}

teardown_file() {
	stop_renderer
	stop_server
}

setup() {
	use_server
	UC=$BATS_TEST_TMPDIR/small
	mkdir -p "$UC/files"
	echo 1 >"$UC/files/data"
	python3 "$ROOT/tests/nb.py" "$UC/template.ipynb" <<<'[("code", "n = {n_value}", ["parameters"])]'
	echo '{"n": [1, 2]}' >"$UC/params.json"
}

nb() {
	make --no-print-directory -C "$ROOT" USECASE="$UC" MEMORY_BYTES=1e30 "$@"
}

# made: the runs made since the last call, as LABEL/NAME.
made() {
	(cd "$UC/runs" && find . -name '[!.]*.jsonl' -newer "$BATS_TEST_TMPDIR/mark" -printf '%P\n' 2>/dev/null | sort)
	touch "$BATS_TEST_TMPDIR/mark"
}

counted() {
	jq -r 'select(.type == "notebook_metrics") | "\(.name)@\(.repetition)"' "$UC/metrics/${1:-current}/metrics.jsonl" | sort | paste -sd' '
}

@test "a run of another setting stays on disk, and counts in no table" {
	touch -d 2000-01-01 "$BATS_TEST_TMPDIR/mark"
	run -0 nb profile REPEAT=2
	[ "$(made | wc -l)" = 4 ]
	run -0 nb profile SETTLE_MS=299
	has '2 stale runs are left out: setting settle_ms 300 -> 299 (2)'
	[ "$(made)" = $'current/small-n1.jsonl\ncurrent/small-n2.jsonl' ]
	[ -e "$UC/runs/current/small-n1@2.jsonl" ]
	[ "$(counted)" = 'small-n1@1 small-n2@1' ]
	# As before: those of then are current again, the others are not.
	run -0 nb plan REPEAT=2
	has '2 notebooks, 2 runs each'
	run -0 nb profile REPEAT=2
	[ "$(made)" = $'current/small-n1.jsonl\ncurrent/small-n2.jsonl' ]
	[ "$(counted)" = 'small-n1@1 small-n1@2 small-n2@1 small-n2@2' ]
}

@test "after an edit of the template no program counts runs of the old one" {
	run -0 nb profile
	sed -i 's/n = /n  = /' "$UC/template.ipynb"
	run nb metrics
	[ "$(counted)" = '' ]
	run -2 nb profile WHERE=n=9
	has "generate: WHERE='n=9' selects none of the 2 combinations; there are:
  n = 1, 2"
	run -0 nb profile WHERE=n=1
	has '1 stale run is left out: template or parameters (1)'
	[ "$(counted)" = small-n1@1 ]
}

@test "after an edit of the template, whatever is made of tables makes them again first" {
	local goal
	run -0 nb profile LABEL=released
	run -0 nb profile LABEL=pr
	echo '- client: 1 s' >"$UC/budgets.yaml"
	for goal in compare figures ${ALL:+check history scaling}; do
		sed -i 's/n = /n  = /' "$UC/template.ipynb"
		run -0 nb profile LABEL=pr WHERE=n=1
		sed -i 's/n  = /n = /' "$UC/template.ipynb"
		[ "$(counted pr)" = small-n1@1 ]
		run nb "$goal" BASE=released LABEL=pr
		[ "$(counted pr)" = small-n2@1 ] || { echo "$goal: $(counted pr): $output"; return 1; }
		[ "$(jq -r 'select(.type == "run_plan" and .state == "stale").reason' "$UC/metrics/pr/metrics.jsonl")" = 'template or parameters' ]
	done
	# The base's runs are stale, too.
	sed -i 's/n = /n   = /' "$UC/template.ipynb"
	run -0 nb profile LABEL=pr
	run -2 nb compare BASE=released LABEL=pr
	[ "$(counted released)" = '' ]
	has "cannot tell: no metrics of the base 'released'; released: 2 stale runs are left out: template or parameters (2)"
}

@test "tables that are up to date are not made again, whatever REPEAT was, and need no runs and no template" {
	local dates goal
	run -0 nb profile LABEL=released REPEAT=2
	run -0 nb profile LABEL=pr REPEAT=2
	echo '- client: 1 s' >"$UC/budgets.yaml"
	dates() { stat -c %y "$UC"/metrics/*/metrics.jsonl; }
	all() {
		dates=$(dates)
		for goal in compare check history scaling figures; do
			run nb "$goal" BASE=released LABEL=pr
			[ "$dates" = "$(dates)" ] || { echo "$goal made tables again"; return 1; }
			[[ $output != *metrics.jsonl* && $output != *runplan* ]] || { echo "$output"; return 1; }
		done
		has 'figures: '
	}
	all
	# As of an archive: tables alone, then without the template.
	rm -r "$UC/runs/released"
	[ -z "${ALL:-}" ] || all
	rm -r "$UC/runs"
	[ -z "${ALL:-}" ] || all
	rm -r "$UC/template.ipynb" "$UC/notebooks"
	all
}

# recorded LABEL N REPETITIONS [FACTOR]: runs of the combination N as records of real cells, made from what it is made from now.
recorded() {
	local runs=$UC/runs/$1 executed=$UC/executed/$1 name=small-n$2 at from k
	mkdir -p "$runs" "$executed"
	echo environment= >"$runs/.settings"
	for k in $(seq "$3"); do
		at=@$k
		from=$(made_from "$UC" "$name" "$1")
		sed "s/\"name\":\"[^\"]*\"/\"name\":\"$name\"/; s/\"usecase\":\"[^\"]*\"/\"usecase\":\"small\"/; s/\"label\":\"[^\"]*\"/\"label\":\"$1\"/; s/\"repetition\":1,/\"repetition\":$k,/" "$ROOT/tests/data/used.jsonl" |
			jq -c --argjson from "$from" --argjson f "${4:-1}" 'if .type == "run" then .made_from = $from elif .type == "cell" and .client_ms then .client_ms *= $f | .received_t += (.client_ms / 1000 * ($f - 1)) else . end' >"$runs/$name${at#@1}.jsonl"
		executed_notebook >"$executed/$name${at#@1}.ipynb"
	done
}

@test "report and archive have the current runs alone, and a comparison of the tables of today" {
	local report=$UC/report/pr against=$UC/metrics/pr/against-released date
	run -0 nb generate
	recorded released 1 3
	recorded released 2 3
	recorded pr 1 3
	recorded pr 2 3
	run -0 nb report LABEL=pr BASE=released
	[ "$(cd "$report/samples" && ls)" = "$(printf '%s\n' small-n{1,2}{,@2,@3}.svg)" ]
	grep -q "$(jq -r .line "$against/verdict.json" | cut -c1-40)" "$report/index.html"
	# Nothing changed: nothing is compared again.
	date=$(stat -c %y "$against/comparison.jsonl")
	run -0 nb report LABEL=pr BASE=released
	[ "$(stat -c %y "$against/comparison.jsonl")" = "$date" ]
	grep -q 'The verdict is that of client time, ' "$report/index.html"
	# What decides changed.
	run -0 nb report LABEL=pr BASE=released GATE=kernel FAIL_ON=worse
	[ "$(jq -r .fails_on "$against/verdict.json")" = worse ]
	grep -q 'The verdict is that of kernel time; FAIL_ON=worse: ' "$report/index.html"
	date=$(stat -c %y "$against/comparison.jsonl")
	# Runs of another state stay on disk, and are neither drawn nor packed.
	jq -c 'if .type == "run" then .made_from.environment = "e" else . end' "$UC/runs/pr/small-n1@3.jsonl" >x
	mv x "$UC/runs/pr/small-n1@3.jsonl"
	run -0 nb archive LABEL=pr BASE=released
	[ "$(cd "$report/samples" && ls)" = "$(printf '%s\n' small-n{1,2}{,@2,@3}.svg | grep -v n1@3)" ]
	[ "$(tar -tzf "$report.tar.gz" | grep -c '/runs/small')" = 5 ]
	[ "$(stat -c %y "$against/comparison.jsonl")" != "$date" ]
	# The base changed, and the label did not.
	date=$(stat -c %y "$against/comparison.jsonl")
	rm "$UC/runs/released/small-n2@3.jsonl"
	run -0 nb report LABEL=pr BASE=released
	[ "$(stat -c %y "$against/comparison.jsonl")" != "$date" ]
	# Without tables of the base there is no comparison with it.
	rm -r "$UC/metrics/released" "$UC/runs/released"
	run -0 nb report LABEL=pr BASE=released
	has "report: no comparison with 'released': "
	run ! grep -q 'than released' "$report/index.html"
	[ ! -e "$report/comparison.csv" ]
}

@test "publish makes a report again that is older than the runs" {
	local to=$BATS_TEST_TMPDIR/public
	run -0 nb generate
	recorded current 1 1
	recorded current 2 1
	run -0 nb report
	run -0 nb publish DEST="$to"
	[ "${#lines[@]}" = 1 ] || { echo "$output"; false; }
	rm "$UC/runs/current/small-n2.jsonl"
	run -0 nb publish DEST="$to"
	has "report: $UC/report/current/index.html"
	[ ! -e "$to/small/current/samples/small-n2.svg" ]
	[ -e "$to/small/current/samples/small-n1.svg" ]
}

@test "the calibration has the current runs alone, and is of the label that is asked for or of the last one" {
	cd "$ROOT"
	local copy=$BATS_TEST_TMPDIR/tree
	mkdir -p "$copy/usecases/calibrate"
	cp -R mk "$copy"
	cd "$copy"
	jq -nc '{type: "combination", usecase: "calibrate", name: "c", params: {}}' | (mkdir -p usecases/calibrate/notebooks; cat >usecases/calibrate/notebooks/.combinations.jsonl)
	cp "$UC/template.ipynb" usecases/calibrate/notebooks/c.ipynb
	run -0 mk/calibrate/list-runs.sh usecases/calibrate current
	[ -z "$output" ]
	made() {
		local runs=usecases/calibrate/runs/$1 from
		mkdir -p "$runs"
		printf 'environment=e\n' >"$runs/.settings"
		from=$(made_from usecases/calibrate c "$1" | sed "s/\"e\"/\"$3\"/")
		printf '{"type":"run","t":1,"made_from":%s}\n{"type":"run_end","t":2,"status":"completed","wall_ms":1}\n' "$from" >"$runs/$2.jsonl"
	}
	made old c e
	made new c e
	made new c@2 earlier
	touch -d 2000-01-01 usecases/calibrate/runs/old
	run -0 mk/calibrate/list-runs.sh usecases/calibrate current
	[ "$output" = usecases/calibrate/runs/new/c.jsonl ]
	run -0 mk/calibrate/list-runs.sh usecases/calibrate old
	[ "$output" = usecases/calibrate/runs/old/c.jsonl ]
	made new c other
	run -0 mk/calibrate/list-runs.sh usecases/calibrate current
	[ "$output" = usecases/calibrate/runs/old/c.jsonl ]
}

@test "a damaged run is named and made again, and so are tables that were cut short" {
	touch -d 2000-01-01 "$BATS_TEST_TMPDIR/mark"
	run -0 nb profile
	made
	local csv=$UC/metrics/current/cell_metrics.csv records=$UC/metrics/current/metrics.jsonl bad
	cp "$csv" "$records" "$BATS_TEST_TMPDIR"
	for bad in "$csv" "$records"; do
		truncate -s 100 "$bad"
		run -2 nb scaling
		has 'is damaged or was edited: make metrics USECASE='
		run -0 nb metrics
		cmp "$bad" "$BATS_TEST_TMPDIR/${bad##*/}"
	done
	: >"$UC/runs/current/small-n1.jsonl"
	sed -i '2s/.$//' "$UC/runs/current/small-n2.jsonl"
	run -0 nb metrics
	has "small-n1.jsonl' is damaged: empty"
	has "small-n2.jsonl' is damaged: line 2 is no record"
	[ "$(counted)" = '' ]
	run -0 nb profile
	[ "$(made)" = $'current/small-n1.jsonl\ncurrent/small-n2.jsonl' ]
	[ "$(counted)" = 'small-n1@1 small-n2@1' ]
	# What is known of the machine, cut short, blocks nothing.
	truncate -s 100 "$UC/runs/current/.environment.jsonl"
	run -0 nb metrics
	has "runs/current/.environment.jsonl' is damaged and left out"
	[ "$(counted)" = 'small-n1@1 small-n2@1' ]
}

@test "A/B runs are made again after an edit of a file in the notebook's folder, and not without one" {
	touch -d 2000-01-01 "$BATS_TEST_TMPDIR/mark"
	nb ab A=a B=b REPEAT=2 || true
	[ "$(made | wc -l)" = 8 ]
	[ "$(jq -r .order "$UC/runs/a/.order.jsonl" | tr -d '\n' | wc -c)" = 4 ]
	nb ab A=a B=b REPEAT=2 || true
	[ -z "$(made)" ]
	echo 2 >"$UC/files/data"
	nb ab A=a B=b REPEAT=2 || true
	[ "$(made | wc -l)" = 8 ]
	# A label of its own is judged by the same rule.
	run -0 nb profile LABEL=a REPEAT=2
	[ -z "$(made)" ]
}

@test "a notebook that is no use case is run again when it or a file that it needs changed" {
	mkdir "$BATS_TEST_TMPDIR/mine"
	cd "$BATS_TEST_TMPDIR/mine"
	echo 7 >x.txt
	python3 "$ROOT/tests/nb.py" mine.ipynb <<<'[("code", "1")]'
	UC=$PWD/nbscope/mine
	one() { make --no-print-directory -C "$ROOT" profile-notebook NOTEBOOK="$PWD/mine.ipynb" MEMORY_BYTES=1e30 "$@"; }
	touch -d 2000-01-01 "$BATS_TEST_TMPDIR/mark"
	run -0 one FILES=x.txt
	[ "$(made)" = current/mine.jsonl ]
	# FILES remain those of the last time, until they are given again.
	run -0 one
	has 'verdict: 0 notebooks profiled, 0 cells, all completed; 1 skipped'
	[ -z "$(made)" ]
	echo 8 >x.txt
	run -0 one
	[ "$(made)" = current/mine.jsonl ]
	run -0 one FILES=
	[ "$(made)" = current/mine.jsonl ]
	run -0 one
	[ -z "$(made)" ]
	run -0 one REPEAT=2
	[ "$(made)" = current/mine@2.jsonl ]
}

@test "all results of a use case's runs exist for a notebook's too, whatever its path is; clean removes nothing else" {
	local dir="$BATS_TEST_TMPDIR/it's mine" of target
	mkdir -p "$dir/nbscope/mine"
	echo keep >"$dir/nbscope/mine/history.jsonl"
	python3 "$ROOT/tests/nb.py" "$dir/mine 1.ipynb" <<<'[("code", "1")]'
	cp "$dir/mine 1.ipynb" "$dir/mine.ipynb"
	mine() { make --no-print-directory -C "$ROOT" NOTEBOOK="$dir/mine 1.ipynb" MEMORY_BYTES=1e30 "$@"; }
	of="NOTEBOOK='${dir/\'/\'\\\'\'}/mine 1.ipynb'"
	for target in compare check history scaling figures metrics report; do
		run -2 mine "$target" BASE=a LABEL=b
		[ "$target" = check ] || has "make profile-notebook $of LABEL=$([ "$target" = compare ] && echo a || echo b)"
	done
	run -0 mine profile LABEL=a
	run -0 mine profile-notebook LABEL=b
	has "next: make report $of LABEL=b
      make compare $of LABEL=b BASE=a"
	run -0 mine plan LABEL=b
	has 'mine 1, label b: 1 notebook'
	run mine compare BASE=a LABEL=b
	has 'verdict: '
	run -0 mine report LABEL=b
	[ "$output" = "report: $dir/nbscope/mine 1/report/b/index.html" ]
	run -0 mine figures LABEL=b
	run -2 mine generate
	has 'generate is for a use case'
	run -0 mine clean YES=1
	[ ! -e "$dir/nbscope/mine 1" ]
	run -0 make --no-print-directory -C "$ROOT" clean YES=1 NOTEBOOK="$dir/mine.ipynb"
	[ "$(cat "$dir/nbscope/mine/history.jsonl")" = keep ]
	# Nothing was done to the use case that is named nowhere.
	[ ! -e "$ROOT/usecases/quickstart/runs/b" ]
	for of in "$dir/none.ipynb" "$BATS_TEST_TMPDIR/none/it.ipynb" "$dir/...ipynb" "$dir/..ipynb"; do
		run -2 make --no-print-directory -C "$ROOT" clean NOTEBOOK="$of"
		[[ $output == *'no such notebook'* || $output == *'cannot begin with a dot'* ]] || has 'a reason'
	done
	[ "$(ls "$dir")" = $'mine 1.ipynb\nmine.ipynb\nnbscope' ]
}

@test "a file or module in the notebook's folder that a cell did not find is named with what to type" {
	cd "$BATS_TEST_TMPDIR"
	mkdir -p mine/data mine/nbscope/it/{metrics/current,notebooks/.files}
	touch mine/{a.csv,mod.py}
	cd mine
	said() {
		jq -nc --arg n "$1" --arg v "$2" '{failures: [{error_name: $n, error_value: $v}]}' >nbscope/it/metrics/current/verdict.json
		output=$(cd "$ROOT" && NOTEBOOK=it.ipynb mk/show/suggest-files.sh "$OLDPWD/nbscope/it" current)
	}
	said FileNotFoundError "[Errno 2] No such file or directory: 'data/x/y.csv'"
	[ "$output" = "'data' is in the notebook's folder, but FILES does not name it; to copy it for the run:
    make profile-notebook NOTEBOOK=it.ipynb FILES=data" ]
	said FileNotFoundError 'a.csv not found.'
	has 'FILES=a.csv'
	ln -s ../../../../data nbscope/it/notebooks/.files/data
	said ModuleNotFoundError "No module named 'mod.part'; 'mod' is not a package"
	has "FILES='data mod.py'"
	said FileNotFoundError "[Errno 2] No such file or directory: 'data/z.csv'"
	[ -z "$output" ]
	rm nbscope/it/notebooks/.files/data
	said FileNotFoundError "[Errno 2] No such file or directory: '/srv/lab/nbscope-0123456789abcdef/data/x.csv'"
	has 'FILES=data'
	ln -s ../../../../data nbscope/it/notebooks/.files/data
	said FileNotFoundError "No such file: '/a.csv' or '../a.csv' or 'b.csv'"
	[ -z "$output" ]
	said ValueError "'a.csv'"
	[ -z "$output" ]
}

@test "a version that does not exist gives one line, which names the newest that do" {
	local links=$BATS_TEST_TMPDIR/links
	cd "$ROOT"
	mkdir "$links"
	touch "$links"/nosuch-{1..9}.0-py3-none-any.whl
	WITH='nosuch==77' PIP_NO_INDEX=1 PIP_FIND_LINKS=$links run -1 mk/setup/make-environment.sh "$BATS_TEST_TMPDIR/env"
	[ "$output" = "env: nosuch==77 into $BATS_TEST_TMPDIR/env
env: there is no 'nosuch==77'; the newest versions are 6.0 7.0 8.0 9.0" ]
}

@test "the environment of WITH has the packages of REQUIREMENTS, but for those that WITH names" {
	local links=$BATS_TEST_TMPDIR/links
	cd "$ROOT"
	mkdir "$links"
	python3 - "$links" <<-'P'
	import sys, zipfile
	for name, version in ("ipykernel", 1), ("alerts", 1), ("alerts", 2), ("ours", 1), ("ours", 2):
	    info = f"{name}-{version}.dist-info"
	    with zipfile.ZipFile(f"{sys.argv[1]}/{name}-{version}-py3-none-any.whl", "w") as wheel:
	        wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
	        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
	        wheel.writestr(f"{info}/RECORD", "")
	P
	printf 'alerts==1 # pinned\n\nOurs==1\n' >"$BATS_TEST_TMPDIR/requirements.txt"
	WITH='ours==2' REQUIREMENTS=$BATS_TEST_TMPDIR/requirements.txt PIP_NO_INDEX=1 PIP_FIND_LINKS=$links run -0 mk/setup/make-environment.sh "$BATS_TEST_TMPDIR/env"
	(cd "$BATS_TEST_TMPDIR"/env/lib/python*/site-packages && ls -d alerts-* ours-*) >"$BATS_TEST_TMPDIR/got"
	[ "$(paste -sd' ' "$BATS_TEST_TMPDIR/got")" = 'alerts-1.dist-info ours-2.dist-info' ]
}

@test "env says when it is done, and with which packages it is measured" {
	local label=ready-$RANDOM env
	env=$ROOT/build/envs/$label
	mkdir -p "$env"
	printf '%s\n' 'a==1 b' >"$env.with"
	touch "$env/.packages.mk"
	run -0 nb env LABEL=$label WITH='a==1 b'
	rm -rf "$env"{,.with}
	[ "$output" = "env: build/envs/$label is ready; next: make profile USECASE=$UC LABEL=$label WITH='a==1 b'" ]
}

@test "a window that no display can show is refused once, before anything is started" {
	run -2 env -u DISPLAY -u WAYLAND_DISPLAY make --no-print-directory -C "$ROOT" USECASE="$UC" profile HEADLESS=0
	has 'HEADLESS=0 shows the browser, but there is no display (DISPLAY is not set): leave HEADLESS out'
	[ "$(grep -c HEADLESS <<<"$output")" = 1 ]
	[ ! -e "$UC/runs/current/.settings" ]
}

@test "each script of mk/ opens with a sentence on what it does" {
	local script
	cd "$ROOT"
	for script in mk/*/*.sh; do
		run -0 sed -n 2p "$script"
		[[ $output == "# ${script##*/}"[\ :]* ]] || { echo "$script: $output"; false; }
	done
}

# bats test_tags=thorough
@test "each script of mk/ runs by hand, in a folder for temporary files and with nothing else in the environment" {
	cd "$ROOT"
	local dir=$BATS_TEST_TMPDIR run
	hand() {
		# shellcheck disable=SC2086  # words
		run env -i PATH="$PATH" HOME="$dir" ${with-} ${held-runlock --no-lock --scratch "$dir/scratch"} "$@"
		[[ $output != *'parameter not set'* && $output != *'unbound'* ]] || { echo "$*: $output"; return 1; }
	}
	# ends STATUS SCRIPT...
	ends() {
		hand "${@:2}"
		status_is "$1"
	}
	ends 0 mk/generate/write-notebooks.sh "$UC/params.json" "$UC/template.ipynb" "$UC/notebooks/.combinations.jsonl"
	[ "$(jq -r .usecase "$UC/notebooks/.combinations.jsonl" | sort -u)" = small ]
	for run in 'released 1 3' 'released 2 3' 'pr 1 3' 'pr 2 3'; do
		# shellcheck disable=SC2086  # words
		recorded $run
	done
	ends 0 mk/run/prepare-label.sh "$UC" pr
	ends 0 mk/run/make-due-runs.sh "$UC" pr
	ends 0 mk/generate/name-folder.sh --link "$dir/one.ipynb"
	ends 0 mk/metric/list-records.sh "$UC" pr
	run -0 nb metrics LABEL=pr
	[ "$(counted pr)" = 'small-n1@1 small-n1@2 small-n1@3 small-n2@1 small-n2@2 small-n2@3' ]
	run -0 nb metrics LABEL=released
	ends 0 mk/metric/check-tables.sh by-hand "$UC" released
	hand mk/show/show-summary.sh "$UC" pr
	has 'next: make report'
	hand mk/metric/compare-labels.sh "$UC" released pr
	has 'verdict: '
	ends 0 mk/show/list-figures.sh "$UC/metrics/pr" "$dir/figures" title svg
	ends 0 mk/show/collect-report.sh "$UC" pr released
	run -0 nb report LABEL=pr
	ends 0 mk/run/profile-pass.sh "$UC" pr functions </dev/null
	ends 0 mk/show/publish-report.sh "$UC" pr "$dir/public"
	ends 0 mk/show/archive-report.sh "$UC" pr
	hand mk/run/predict-cost.sh "$UC" pr
	has 'small, label pr'
	ends 0 mk/calibrate/list-runs.sh usecases/calibrate pr
	ends 0 mk/setup/identify-checkouts.sh "$UC/files"
	ends 0 mk/metric/make-unless.sh unless "$dir/.made" params.json -- "$UC/params.json" text -- cp "$UC/params.json" "$dir"
	ends 0 mk/metric/make-unless.sh unless "$dir/.made" params.json -- "$UC/params.json" text -- false
	ends 1 mk/metric/make-unless.sh unless "$dir/.made" params.json -- "$UC/params.json" other -- false
	ends 0 mk/metric/make-unless.sh whole "$dir/.made" params.json --
	echo >>"$dir/params.json"
	ends 1 mk/metric/make-unless.sh whole "$dir/.made" params.json --
	ends 0 mk/run/list-usable.sh "$UC/metrics/pr/metrics.jsonl"
	ends 0 mk/show/suggest-files.sh "$UC" pr
	ends 0 mk/run/note-environment.sh "$dir/environment"
	ends 0 mk/setup/write-stamp.sh "$dir/stamp" text
	ends 0 mk/setup/find-unknown.sh "$UC" REPEAT
	ends 0 mk/setup/suggest-target.sh Makefile profil
	ends 0 mk/setup/install-deps.sh setup
	ends 0 mk/run/print-members.sh run </dev/null
	ends 0 mk/generate/start-usecase.sh "$dir/of/mine"
	cp "$UC/template.ipynb" "$dir/one.ipynb"
	ends 0 mk/generate/name-folder.sh "$dir/one.ipynb"
	mkdir -p "$dir/nbscope/one"
	held= ends 0 mk/generate/adopt-notebook.sh "$dir/one.ipynb" "$dir/nbscope/one"
	ends 2 mk/setup/make-environment.sh "$dir/env"
	has 'WITH is required'
	: >"$dir/plan"
	ends 2 mk/run/execute-plan.sh "$dir/plan"
	has 'use labserve mk/run/execute-plan.sh'
	with=JUPYTERLAB_URL=http://127.0.0.1:1 ends 0 mk/run/execute-plan.sh "$dir/plan"
	# Nothing is to be made of these, so that no server starts.
	hand mk/run/alternate-labels.sh true "$UC" pr released
	ends 2 mk/setup/remove-results.sh "$UC"
	has 'YES=1 removes all'
	with=YES=1 ends 0 mk/setup/remove-results.sh "$UC"
	[ ! -e "$UC/runs" ]
}

@test "the runs before an edit are kept as LABEL@previous, and profile says which cell changed and why" {
	cd "$BATS_TEST_TMPDIR"
	mkdir uc
	notebook() { python3 "$ROOT/tests/nb.py" uc/template.ipynb <<<"[('code', 'n = {n_value}', ['parameters']), ('code', 'import time; time.sleep($1)'), ('code', '1 + 1')]"; }
	nbscope() { make --no-print-directory -C "$ROOT" USECASE="$BATS_TEST_TMPDIR/uc" BROWSER=none "$@"; }
	echo '{"n": [1]}' >uc/params.json
	notebook 0.5
	run -0 nbscope profile
	[ ! -e uc/metrics/current@previous ]
	notebook 0.1
	run -0 nbscope profile
	[[ $output =~ 'cell 2: 0.5'[0-9]*' s -> 0.1'[0-9]*' s since '[0-9][0-9]:[0-9][0-9]' (other code in cell 2)' ]] || has 'the change'
	# The tables of what it was are not made of runs that there are not.
	run -2 nbscope compare BASE=current@previous
	has 'uc-n1 cell 2             '
	run -0 nbscope report BASE=current@previous
	[ "$(jq -r .label uc/metrics/current@previous/metrics.jsonl 2>/dev/null | sort -u | tr '\n' ' ')" = 'current@previous null ' ]
	for wrong in 'profile LABEL=x@previous' 'ab A=x@previous B=b'; do
		# shellcheck disable=SC2086
		run -2 nbscope $wrong
		has 'has no @previous'
	done
	run -0 nbscope clean LABEL=current@previous
	[ "$(ls uc/metrics)" = current ]
}
