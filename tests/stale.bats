# bats file_tags=untimed
# Which runs make makes, and which count. Every notebook is too large for the machine and so
# is recorded as skipped: servers start, browsers do not.
load helpers

setup() {
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

@test "A/B runs are made again after an edit of a file beside the notebook, and not without one" {
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

@test "what is made of a use case's runs is made of a notebook's too, whatever its path is; clean removes nothing else" {
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
	run -0 mine clean
	[ ! -e "$dir/nbscope/mine 1" ]
	run -0 make --no-print-directory -C "$ROOT" clean NOTEBOOK="$dir/mine.ipynb"
	[ "$(cat "$dir/nbscope/mine/history.jsonl")" = keep ]
	# Nothing was done to the use case that is named nowhere.
	[ ! -e "$ROOT/usecases/quickstart/runs/b" ]
	for of in "$dir/none.ipynb" "$BATS_TEST_TMPDIR/none/it.ipynb" "$dir/...ipynb" "$dir/..ipynb"; do
		run -2 make --no-print-directory -C "$ROOT" clean NOTEBOOK="$of"
		[[ $output == *'no such notebook'* || $output == *'cannot begin with a dot'* ]] || has 'a reason'
	done
	[ "$(ls "$dir")" = $'mine 1.ipynb\nmine.ipynb\nnbscope' ]
}

@test "a file or module that is beside the notebook, and which a cell did not find, is named with what to type" {
	cd "$BATS_TEST_TMPDIR"
	mkdir -p mine/data mine/nbscope/it/{metrics/current,notebooks/.files}
	touch mine/{a.csv,mod.py}
	cd mine
	said() {
		jq -nc --arg n "$1" --arg v "$2" '{failures: [{error_name: $n, error_value: $v}]}' >nbscope/it/metrics/current/verdict.json
		output=$(cd "$ROOT" && NOTEBOOK=it.ipynb mk/missing-files "$OLDPWD/nbscope/it" current)
	}
	said FileNotFoundError "[Errno 2] No such file or directory: 'data/x/y.csv'"
	[ "$output" = "'data' is beside the notebook, and FILES does not name it; to have it there for the run:
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
	WITH='nosuch==77' PIP_NO_INDEX=1 PIP_FIND_LINKS=$links run -1 mk/make-env "$BATS_TEST_TMPDIR/env"
	[ "$output" = "env: nosuch==77 into $BATS_TEST_TMPDIR/env
env: there is no 'nosuch==77'; the newest versions are 6.0 7.0 8.0 9.0" ]
	WITH='-e /none/such' PIP_NO_INDEX=1 PIP_FIND_LINKS=$links run -1 mk/make-env "$BATS_TEST_TMPDIR/env"
	[ "${lines[-1]}" = "env: '-e /none/such' cannot be installed" ]
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

@test "each script of mk/ says with --help what it does" {
	local script
	cd "$ROOT"
	for script in states run-notebooks prepare profile metrics tables-sum plan unknown-target with-files interleave compare-ab compare-aa calibrate-cost generate \
	    notebook-folder adopt command summary missing-files clean; do
		run -0 "mk/$script" --help
		[[ $output == "$script "*: ]] || has "$script "
		[ "${#lines[@]}" -gt 2 ]
	done
}
