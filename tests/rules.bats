# bats file_tags=untimed,long
# nbscope-rules(7): each rule fires on the cells of tests/data/rules that have its mistake, and is
# silent on those that have not, in a kernel and in a page.
load helpers
load server
every_package

setup_file() {
	export PYTHON=$NBSCOPE_VENV/bin/python
	OVERLAY=$(cd "$ROOT" && mk/setup/install-profilers.sh "$PYTHON")
	export OVERLAY
	start_server
	start_session
}

teardown_file() {
	stop_session
	stop_server
}

setup() {
	use_server
	use_session
	cd "$BATS_TEST_TMPDIR" || return
}

judge() {
	python3 -B "$ROOT/share/ipython/nbscope/rules" "$@"
}

# notebook RULE...: their cells, as rules.ipynb
notebook() {
	python3 "$ROOT/tests/rulecells.py" notebook rules.ipynb "$@"
}

# in_pass PASS DRIVER: what the profilers find
in_pass() {
	jq -n --arg pass "$1" --arg overlay "$OVERLAY" \
		'{profilers: ($pass / "+"), cells: null, functions: [], $overlay}' >settings
	cellprofile settings "$2" rules.ipynb >"$1.jsonl"
}

# in_kernel PASS OPTION RULE...
in_kernel() {
	notebook "${@:3}" $2
	in_pass "$1" kernelrun
	judge "$1.jsonl" >mistakes
	run -0 python3 "$ROOT/tests/rulecells.py" check rules.ipynb <mistakes
	# All of them name the line of the cell.
	[ "$(jq -s 'all(.line > 0 and (.file | startswith("<cell ")))' mistakes)" = true ]
}

@test "in a kernel, each rule fires where there is its mistake, and only there" {
	in_kernel samples+lines '' file_read_again figure_replaced data_sent_again trait_set_in_loop rows_in_loop grown_in_loop
}

# bats test_tags=thorough
@test "other ways to make a mistake are the same mistake, also by functions in place of samples" {
	in_kernel samples+lines --all rows_in_loop grown_in_loop
	in_kernel functions+lines --all rows_in_loop grown_in_loop
}

@test "in a page, what it receives and shows is judged in any run" {
	notebook picture_too_large figure_replaced data_sent_again trait_set_in_loop
	cellrun rules.ipynb >run.jsonl
	judge run.jsonl >mistakes
	run -0 python3 "$ROOT/tests/rulecells.py" check rules.ipynb <mistakes
}
