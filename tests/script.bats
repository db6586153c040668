# Cells as a script, scripts as notebooks, and decorators that profile: nbscope-script(7).
# bats file_tags=untimed,long
load helpers
load oneserver

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	use_server
	export PYTHONPATH=$ROOT/share/ipython PYTHONDONTWRITEBYTECODE=1
	python=${NBSCOPE_VENV:-$ROOT/build/venv}/bin/python
}

# script [OPTION...] NOTEBOOK: the cells as a script.
script() {
	"$python" -m nbscope.script "$@"
}

# notebook NAME: of the cells on stdin.
notebook() {
	python3 "$ROOT/tests/nb.py" "$1"
}

# same NOTEBOOK: its script prints what it shows when a real kernel runs it.
same() {
	kernelrun --executed executed.ipynb "$1" >run.jsonl || { cat run.jsonl; return 1; }
	python3 "$ROOT/tests/shown.py" executed.ipynb >wanted
	[ -s wanted ]
	script --output plain.py "$1" || return
	"$python" plain.py >got || { cat plain.py; return 1; }
	diff wanted got || { cat plain.py; return 1; }
}

@test "a script prints what the notebook shows, with magics, shell lines, captures, values and await" {
	notebook it.ipynb <<-'EON'
	[("markdown", "# Title"),
	 ("code", "%matplotlib inline\nfrom __future__ import annotations\nimport os\nx, s = 3, '''a\n  b\n'''\nx, s"),
	 ("code", "# only a comment"),
	 ("code", "x * 2;"),
	 ("code", "!echo {x + 1} $x '$HOME' \"$$x\"\n!echo $NOWHERE {x}"),
	 ("code", "lines = !printf 'a\\nb c\\n'\nlines[1].split(), lines.n"),
	 ("code", "!!echo two"),
	 ("code", "%env NBSCOPE_A=b {x}\nos.environ['NBSCOPE_A']"),
	 ("code", "%%capture kept\nprint('captured')\n5"),
	 ("code", "kept.stdout"),
	 ("code", "%%bash\nfor i in 1 2; do\n  echo \"$i\"\ndone"),
	 ("code", "%%writefile made.txt\nline \"\"\" \\ 1\n"),
	 ("code", "%%writefile -a made.txt\nline 2\n"),
	 ("code", "print(open('made.txt').read())\n%cd /"),
	 ("code", "import asyncio\nawait asyncio.sleep(0)\ny = 4\ny"),
	 ("code", "def f():\n    for i in range(2):\n        !echo in {i}\n    \"\"\"no\n    docstring\"\"\"\nf()\nz = f'''{x}\n  {y}'''"),
	 ("code", "z"),
	 ("code", "display('a', [1, 'é'])\n{'k' * 30: list(range(20)), 'l' * 30: {1: 2}}"),
	 ("code", "1, 2  # a tuple"),
	 ("code", "1 / 0", ["raises-exception"]),
	 ("code", "_[1] + 1"),
	 ("code", "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()\nprint('shown')\nplt.figure(figsize=(3, 2)); plt.figure();"),
	 ("code", "%%capture\nplt.figure()"),
	 ("code", "figure, axes = plt.subplots()\naxes.get_title(), len(plt.get_fignums())"),
	 ("code", "plt.ioff()\nplt.figure()\nplt.get_fignums()"),
	 ("code", "len(plt.get_fignums())")]
	EON
	same it.ipynb
	[ "$(head -1 plain.py)" = '#!/usr/bin/env python3' ]
	sh -n plain_run.sh
	rm made.txt
	./plain_run.sh >got
	diff wanted got
}

@test "cells that are not for Score-P are framed, and the shell script has its variables and arguments" {
	notebook it.ipynb <<-'EON'
	[("code", "a = '''no\n  indent'''\nprint(a)"),
	 ("code", "%%start_writefile traced"),
	 ("code", "%%scorep_env\nSCOREP_ENABLE_TRACING=1\nSCOREP_METRIC_PAPI='a $b'"),
	 ("code", "%%scorep_python_binding_arguments\n--noinstrumenter --verbose"),
	 ("code", "a = '''no\n  indent'''\nprint(a)"),
	 ("code", "%%execute_with_scorep\n%env X=1\nb = len(a)"),
	 ("code", "%%enable_multicellmode"), ("code", "b += 1"), ("code", "%%finalize_multicellmode"),
	 ("code", "print(b)"),
	 ("code", "%%end_writefile"),
	 ("code", "never")]
	EON
	run -0 script it.ipynb
	[ "$output" = "traced.py
traced_run.sh" ] || { echo "$output"; false; }
	sed '1,/^# %%/d' traced.py >cells
	diff - cells <<-'EOS'
	with scorep.instrumenter.disable():
	    a = '''no
	  indent'''
	    print(a)

	# %% cell 6
	_notebook_env('X=1')
	b = len(a)

	# %% cell 8
	b += 1

	# %% cell 10
	with scorep.instrumenter.disable():
	    print(b)
	EOS
	# Plain Python runs it, without Score-P.
	run -0 "$python" traced.py
	[ "$output" = 'no
  indent
env: X=1
12' ] || { echo "$output"; false; }
	# What Score-P would get, from a module that takes its place.
	mkdir -p fake/scorep
	printf 'import json, os, sys\nprint(json.dumps([sys.argv[1:], os.environ["SCOREP_METRIC_PAPI"]]))\n' >fake/scorep/__main__.py
	PYTHONPATH=$PWD/fake run -0 ./traced_run.sh 'a b'
	[ "$output" = "[[\"--noinstrumenter\", \"--verbose\", \"$PWD/traced.py\", \"a b\"], \"a \$b\"]" ] || { echo "$output"; false; }
	sh -n traced_run.sh
	command -v shellcheck >/dev/null || skip "no shellcheck: the shell script is not checked by it"
	shellcheck traced_run.sh
}

@test "the cells of a script are those that are numbered, else those with the tag script, else all" {
	notebook it.ipynb <<<'[("code", "print(1)"), ("code", "print(2)", ["script"]), ("code", "print(3)")]'
	cells_of() { script "$@" it.ipynb >/dev/null && "$python" jupyter_to_script.py | paste -sd' '; }
	[ "$(cells_of)" = 2 ]
	[ "$(cells_of --cells 1,3)" = '1 3' ]
	[ "$(cells_of --cells all)" = '1 2 3' ]
	run -3 script --cells 9 it.ipynb
	has 'there is no code cell 9'
	# What only measures or helps is left out, with its output.
	notebook it.ipynb <<<'[("code", "%time n = 4\nprint?\nn"), ("code", "%%time\n%timeit n\nn + 1"), ("code", "m = %time n + 2\nm;")]'
	[ "$(cells_of)" = '4 5' ]
	notebook it.ipynb <<<'[("code", "x = (")]'
	run -3 script it.ipynb
	has 'cell 1: line 1'
	notebook it.ipynb <<<'[("code", "%%cython\ncdef int x"), ("code", "%some_magic")]'
	run -0 script it.ipynb
	has 'cell 1: %%cython has no equivalent'
	has 'cell 2: %some_magic has no equivalent'
}

@test "what is run between %%start_writefile and %%end_writefile is written, and not executed" {
	notebook it.ipynb <<-EON
	[("code", "x = 5\nprint('executed')"),
	 ("code", "%%start_writefile $PWD/mode.py"),
	 ("code", "x = 6\nprint('written')\nx"),
	 ("code", "%%end_writefile"),
	 ("code", "x")]
	EON
	kernelrun --executed executed.ipynb it.ipynb >run.jsonl
	run -0 python3 "$ROOT/tests/shown.py" executed.ipynb
	[ "$output" = "executed
nbscope: the next cells are written to $PWD/mode.py and not executed
nbscope: written to the script
nbscope: wrote $PWD/mode.py
nbscope: wrote $PWD/mode_run.sh
5" ] || { echo "$output"; false; }
	run -0 ./mode_run.sh
	[ "$output" = 'written
6' ] || { echo "$output"; false; }
}

# nb GOAL NOTEBOOK [SETTING...]: make for a script.
nb() {
	local goal=$1 of=$2
	shift 2
	env -u PYTHONPATH -u JUPYTERLAB_URL -u JUPYTERLAB_TOKEN make --no-print-directory -C "$ROOT" "$goal" NOTEBOOK="$of" BROWSER=none "$@"
}

@test "a script is profiled as a notebook, and its profile has the script's lines" {
	cat >work.py <<-'P'
	"""A script."""
	# %%
	import sys
	import time


	# %% [markdown]
	# A text.

	# %%
	# %matplotlib inline
	def wait(n):
	    for i in range(n):
	        time.sleep(0.01)
	    return 0


	# %%
	if __name__ == "__main__":
	    assert sys.argv == ["work.py", "--way", "a b"] and __file__.endswith("/work.py"), sys.argv
	    open(__file__).close()

	    sys.exit(wait(20))
	P
	run -0 nb profile-notebook "$PWD/work.py" ARGUMENTS="--way 'a b'"
	has '1 notebook profiled, 5 cells, all completed'
	run -0 nb explain "$PWD/work.py" PROFILERS=lines CELLS=5 FUNCTIONS=work:wait
	has 'is line 14 of work.py, wait, hit 20 times'
	run=nbscope/work.py/runs/current/work.py@profile-lines.jsonl
	[ "$(jq -c 'select(.type == "profile_line" and .file == "work.py" and .hits > 0) | [.line, .hits, .function, .source]' "$run" | sort | head -4)" = \
'[13,21,"wait","    for i in range(n):"]
[14,20,"wait","        time.sleep(0.01)"]
[15,1,"wait","    return 0"]
[19,1,"<module>","if __name__ == \"__main__\":"]' ] || { jq -c 'select(.type == "profile_line")' "$run"; false; }
}

@test "a script has the arguments that it is given, and so has the script that is written of its cells" {
	printf 'import sys\n\n"no value"\n\nprint(sys.argv)\n' >plain.py
	run -2 nb plan "$PWD/plain.py" ARGUMENTS="'a b"
	has 'ARGUMENTS: No closing quotation'
	run -0 nb script "$PWD/plain.py" ARGUMENTS="-n 'a b'"
	written=nbscope/plain.py/scripts/plain.py/jupyter_to_script_run.sh
	run -0 "$written"
	[ "$output" = "['plain.py', '-n', 'a b']" ]
	run -0 "$written" other
	[ "$output" = "['plain.py', 'other']" ]
	kernelrun --with-file nbscope/plain.py/notebooks/.files --executed executed.ipynb nbscope/plain.py/notebooks/plain.py.ipynb >run.jsonl
	run -0 python3 "$ROOT/tests/shown.py" executed.ipynb
	[ "$output" = "['plain.py', '-n', 'a b']" ]
}

@test "a function of a module becomes a notebook that runs, and a script with a syntax error does not" {
	printf 'import time\nimport sys\n\n\ndef main():\n    time.sleep(0.01)\n    print("ran")\n    sys.exit(0)\n' >pipeline.py
	run -0 nb plan "-m $PWD/pipeline:main"
	has 'pipeline.main, label current: 1 notebook'
	kernelrun --with-file nbscope/pipeline.main/notebooks/.files --executed executed.ipynb nbscope/pipeline.main/notebooks/pipeline.main.ipynb >run.jsonl
	run -0 python3 "$ROOT/tests/shown.py" executed.ipynb
	[ "$output" = ran ]
	run -2 nb plan "-m $PWD/none/pipeline:main"
	printf 'x = (\n' >bad.py
	run -2 nb plan "$PWD/bad.py"
	has 'bad.py:1'
	[ ! -e nbscope/bad.py ]
}
