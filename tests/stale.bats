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
	UC=$PWD/nbscope
	one() { RETRY=0 BROWSER=chromium make --no-print-directory -C "$ROOT" profile-notebook NOTEBOOK="$PWD/mine.ipynb" FILES=x.txt; }
	touch -d 2000-01-01 "$BATS_TEST_TMPDIR/mark"
	run -0 one
	[ "$(made)" = current/mine.jsonl ]
	run -0 one
	has 'verdict: 1 notebook profiled, 1 cell, all completed'
	[ -z "$(made)" ]
	echo 8 >x.txt
	run -0 one
	[ "$(made)" = current/mine.jsonl ]
}

@test "each script of mk/ says with --help what it does" {
	local script
	cd "$ROOT"
	for script in states run-notebooks prepare profile metrics tables-sum plan unknown-target with-files interleave compare-ab compare-aa profile-notebook calibrate-cost generate; do
		run -0 "mk/$script" --help
		[[ $output == "$script "*: ]] || has "$script "
		[ "${#lines[@]}" -gt 2 ]
	done
}
