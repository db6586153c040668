# %nbscope next to the last run of a cell in an earlier kernel: nbscope-ipython(7).
# bats file_tags=untimed
load helpers
load kernelshell

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	export PYTHONDONTWRITEBYTECODE=1 XDG_STATE_HOME=$PWD/state
	unset NBSCOPE_LAST_RUNS
}

# kernel NOTEBOOK: a kernel of it, as the server starts it; what its %nbscope says of the first cell's CPU time.
kernel() {
	JPY_SESSION_NAME=$1 cells >out <<-'EOC'
	sum(range(3 * 10**6))
	##
	1 / 0
	##
	%nbscope --cell 1
	##
	%nbscope
	EOC
	grep -A 1 'CPU  ' out | head -2
}

@test "what a cell used in an earlier kernel of the same notebook is shown next to what it used now, and not that of another notebook" {
	run -0 kernel /folder/one.ipynb
	[[ $output != *'last run'* ]] || has nothing
	first=$(sed -n 's/^  CPU  *//p' <<<"$output")
	run -0 kernel /other/one.ipynb
	[[ $output != *'last run'* ]] || has nothing
	run -0 kernel /folder/one.ipynb
	[[ $output == *$'\n'*"$first on $(date +%Y)-"*', the last run' ]] || has "$first"
	run -0 grep -c 's, failed on .*, the last run' out
	[ "$output" = 1 ]
	# Others cannot read it, and it does not have the code.
	[ "$(stat -c %a state/nbscope/one-*.jsonl | sort -u)" = 600 ]
	run ! grep -r 'sum(range' state
	# A line that was cut off, and a folder that cannot be made, hide nothing else.
	for file in state/nbscope/one-*.jsonl; do printf '{"id": ""' >>"$file"; done
	run -0 kernel /folder/one.ipynb
	has 'the last run'
	NBSCOPE_LAST_RUNS='' run -0 kernel /folder/one.ipynb
	[[ $output != *'last run'* ]] || has nothing
	touch file
	XDG_STATE_HOME=$PWD/file run -0 kernel /folder/one.ipynb
	has CPU
}

@test "a run of a driver leaves no such file" {
	python3 "$ROOT/tests/nb.py" n.ipynb <<<'[("code", "%load_ext nbscope"), ("code", "x = 1"), ("code", "%nbscope")]'
	labserve kernelrun --executed done.ipynb n.ipynb >n.jsonl 3>&-
	run -0 jq -r '.cells[2].outputs[].text | add' done.ipynb
	has ': x = 1'
	[ ! -e state/nbscope ]
}
