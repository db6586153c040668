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

@test "programs, captures, shown values, folders and tasks are those of the notebook" {
	notebook it.ipynb <<-'EON'
	[("code", "greeting, n, x = 'hello there', 2, 1"),
	 ("code", "%%bash -s \"$greeting\" {n}\necho \"got: $1 / $2\""),
	 ("code", "%%sh -s 1 2\necho $1-$2"),
	 ("code", "%%bash --out listing --err said --no-raise-error\necho alpha\necho beta >&2\nfalse"),
	 ("code", "listing.split(), said"),
	 ("code", "%%script env A=b sh\necho $A"),
	 ("code", "%%script false --no-raise-error\nx = 99"),
	 ("code", "%%script nonesuch\nx"),
	 ("code", "%%python\nx = 5\nprint('inner', x)"),
	 ("code", "x"),
	 ("code", "%%capture c\n%%time\ny = 3\nprint('y', y)\ndisplay('d')\n!echo in\ny"),
	 ("code", "y, c.stdout.startswith('y 3'), len(c.outputs), c.outputs[1].data['text/plain'], 'in\\r\\n' in c.stdout"),
	 ("code", "%%capture c\n%%bash\necho hi\necho err >&2"),
	 ("code", "c()\nc.stdout, c.stderr, str(c)"),
	 ("code", "%%capture --no-stdout e\nprint('seen')\n1/0"),
	 ("code", "!exit 3\n_exit_code, e.stdout"),
	 ("code", "from IPython.display import display, HTML\ndisplay('shown', 3)\ndisplay(HTML('<b>x</b>'))"),
	 ("code", "%%html\n<b>x</b>"),
	 ("code", "import os\nhere = os.getcwd()\n%cd -q /"),
	 ("code", "%cd /usr\n%cd -\nos.getcwd()"),
	 ("code", "cd /usr"), ("code", "pwd"),
	 ("code", "%cd -q {here}"),
	 ("code", "%%writefile {greeting[:5]}.py\nimport sys\nprint(sys.argv, __name__)\nz = 7\nsys.exit(0)"),
	 ("code", "%run hello $n 'a b'\nz, __name__"),
	 ("code", "%%writefile bad.py\nraise KeyError('k')"),
	 ("code", "%run bad.py\nprint('goes on')"),
	 ("code", "%%writefile shared.py\nw = globals().get('n', 0)"), ("code", "n = 4\n%run -i shared.py\nw"), ("code", "%run shared.py\nw"),
	 ("code", "open('shared.py').read()"), ("code", "s = %sx printf 'a\\nb'\ns, s.n"), ("code", "%system echo {n}"),
	 ("code", "import asyncio\nres = []\nasync def bg(n):\n    await asyncio.sleep(0)\n    res.append(n)\nt = asyncio.create_task(bg(1))"),
	 ("code", "res, t.done()"),
	 ("code", "_ = await asyncio.gather(bg(2), bg(3))\nres, asyncio.get_running_loop() is asyncio.get_event_loop()"),
	 ("code", "%precision 2\n1.2345"), ("code", "%precision"), ("code", "1.2345"),
	 ("code", "%pprint\nlist(range(60))"), ("code", "%pprint"), ("code", "list(range(60))"),
	 ("code", "%pylab inline --no-import-all\nprint(np.arange(3), plt is not None)"),
	 ("code", "from IPython.core.interactiveshell import InteractiveShell\nInteractiveShell.ast_node_interactivity = 'all'\n1"),
	 ("code", "1\nfor i in range(2):\n    i\ndef f():\n    5\ntry:\n    7\nfinally:\n    8\n9"),
	 ("code", "1\n2;"),
	 ("code", "%config InteractiveShell.ast_node_interactivity = 'last'\n1\n2"),
	 ("code", "1\nfor i in range(2): i"),
	 ("code", "get_ipython().ast_node_interactivity = 'last_expr_or_assign'"),
	 ("code", "a: int = 3"), ("code", "a += 1  # c"), ("code", "a, b = 1, 2"), ("code", "a = 5;"),
	 ("code", "%config InteractiveShell.ast_node_interactivity = 'none'"), ("code", "a\n1")]
	EON
	same it.ipynb
}

@test "what a script lacks is said with its cell, and the rest of the notebook is written" {
	notebook it.ipynb <<-'EON'
	[("code", "x = 1\nx"), ("code", "In[1], Out[1], _1, _i"), ("code", "get_ipython().user_ns"),
	 ("code", "import IPython\nh = IPython.display.display('a', display_id=True)\nh.update('b')\nIPython.display.clear_output()"),
	 ("code", "%pip install x\n%config Application.verbose_crash = True\n%watermark"),
	 ("code", "IPython.core.interactiveshell.InteractiveShell.ast_node_interactivity = x"),
	 ("code", "%%time\n%%nonesuch\nx"), ("code", "t = %timeit -o -n1 -r1 1\n%timeit 1"), ("code", "%%bash --out o --bg\necho"),
	 ("code", "from IPython.utils.capture import capture_output"), ("code", "def f():\n    print(hasattr(__import__('builtins'), 'get_ipython'))\nf()")]
	EON
	run -0 script it.ipynb
	[ "$(sed -n 's/^script: //p' <<<"$output")" = "cell 2: In has no equivalent: a script does not have it
cell 2: Out has no equivalent: a script does not have it
cell 2: _1 has no equivalent: a script does not have it
cell 2: _i has no equivalent: a script does not have it
cell 3: get_ipython has no equivalent: a script does not have it
cell 4: an output that changes is printed each time
cell 5: %pip has no equivalent: it is left out
cell 5: %config has no equivalent: it is left out
cell 5: %watermark has no equivalent: it is left out
cell 6: which values later cells show cannot be told
cell 7: %%nonesuch has no equivalent: the cell is left out
cell 8: %timeit has no equivalent: it is left out
cell 9: what --bg leaves in a variable is read without await
cell 10: capture_output keeps what is displayed as text of its stdout" ] || { echo "$output"; false; }
	run -0 script --cells 1,4,11 it.ipynb
	run -0 "$python" jupyter_to_script.py
	[ "$output" = "1
'a'
'b'
False" ] || { echo "$output"; false; }
}

@test "cells that are not for Score-P are framed, and the shell script has its variables and arguments" {
	notebook it.ipynb <<-'EON'
	[("code", "a = '''no\n  indent'''\nprint(a)"),
	 ("code", "%%scorep_env\nSCOREP_METRIC_PAPI='a $b'"),
	 ("code", "%%start_writefile traced"),
	 ("code", "%%scorep_env\nSCOREP_ENABLE_TRACING=1"),
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

	# %% cell 7
	_notebook_env('X=1')
	b = len(a)

	# %% cell 9
	b += 1

	# %% cell 11
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
	[ "$output" = "[[\"--nocompiler\", \"--thread=pthread\", \"--noinstrumenter\", \"--verbose\", \"$PWD/traced.py\", \"a b\"], \"a \$b\"]" ] || { echo "$output"; false; }
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
	notebook it.ipynb <<<'[("code", "x = 1"), ("code", "class K:\n    x = await f()")]'
	run -3 script it.ipynb
	has "cell 2: line 2: 'await' outside function"
	notebook it.ipynb <<<'[("code", "%%cython\ncdef int x"), ("code", "%some_magic")]'
	run -0 script it.ipynb
	has 'cell 1: %%cython has no equivalent'
	has 'cell 2: %some_magic has no equivalent'
}

@test "what is run between %%start_writefile and %%end_writefile is written, and not executed" {
	notebook it.ipynb <<-EON
	[("code", "x = 5\nprint('executed')"),
	 ("code", "%%scorep_env\nNBSCOPE_X=1"),
	 ("code", "%%start_writefile $PWD/mode.py"),
	 ("code", "x = 6\nprint('written')\nx"),
	 ("code", "%%end_writefile"),
	 ("code", "x")]
	EON
	kernelrun --executed executed.ipynb it.ipynb >run.jsonl
	run -0 python3 "$ROOT/tests/shown.py" executed.ipynb
	[ "$output" = "executed
Score-P environment: NBSCOPE_X=1
nbscope: the next cells are written to $PWD/mode.py and not executed
nbscope: written to the script
nbscope: wrote $PWD/mode.py
nbscope: wrote $PWD/mode_run.sh
5" ] || { echo "$output"; false; }
	[ "$(grep export mode_run.sh)" = 'export NBSCOPE_X=1' ]
	run -0 "$python" mode.py
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
	has 'is line 14 of work.py in `wait`, '
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

# as_cells SCRIPT: what the script's cells print, one after the other in one plain Python.
as_cells() {
	"$python" "$ROOT/share/script/notebook.py" "$1" cells.ipynb || return
	"$python" - <<-'P'
	import json
	names = {"__name__": "__main__", "__file__": "x"}
	for cell in json.load(open("cells.ipynb"))["cells"]:
	    if cell["cell_type"] == "code":
	        exec(compile(cell["source"], "cell", "exec"), names)
	P
}

@test "a script is divided between its statements alone, and read as Python reads it" {
	cells_are() {
		[ "$(as_cells "$1" | tee got)" = "$("$python" "$1" | tee wanted)" ] || { diff wanted got; return 1; }
		of=$(jq -c '[.cells[1:][] | [.cell_type[:1], (.metadata.nbscope.line // 0), (.source | split("\n") | length)] | join("")]' cells.ipynb)
		[ "$of" = "$2" ] || { echo "$1: $of"; return 1; }
	}
	printf 'n = 1\n\nif n > 5:\n    print(5)\n\nelif n > 3:\n    print(3)\n\nelse:\n    print(1)\n' >if.py
	cells_are if.py '["c11","c38"]'
	printf 'try:\n    int("a")\n\nexcept ValueError:\n    x = 0\n\nfinally:\n    print("end")\n\nprint(x)\n' >try.py
	cells_are try.py '["c18","c101"]'
	printf 'import functools\n\n@functools.lru_cache\n\ndef f():\n    return 3\n\nprint(\n\n    f(),\n\n)\nx = [\n1,\n\n2,\n]; y = [\n\n3]\nprint(x, y)\n' >parts.py
	cells_are parts.py '["c11","c34","c813"]'
	printf 'x = """\n\n# %%%%\n\n"""\n\n# Text: rm\n# rm -rf x\n\n# ls\nprint(x)\n\n# +\na = 1\n\nb = 2\n# -\n\nprint(a, b)\n' >text.py
	cells_are text.py '["c15","m02","c102","c143","c191"]'
	printf '#!/usr/bin/python\n# %%%% tags=["x"]\nif 1:\n    print(1)\n# %%%%\nelse:\n    pass\n#%%%% [markdown]\n# # H\n# In[2]:\n# rm x\nprint(2)\n' >marks.py
	cells_are marks.py '["c11","c35","m01","c112"]'
	[ "$(jq -c '.cells[2].metadata.tags' cells.ipynb)" = '["x"]' ]
	printf '\xef\xbb\xbfimport sys\r\n\r\nprint("\xc3\xa9t\xc3\xa9")\r\n' >bom.py
	cells_are bom.py '["c11","c31"]'
	printf '# -*- coding: latin-1 -*-\rx = "\xe9t\xe9"\rprint(x)\r' >latin.py
	cells_are latin.py '["c13"]'
	printf 'x = 1\nprint("\xe9t\xe9")\n' >bad.py
	run -1 as_cells bad.py
	has 'bad.py:2:1: not utf-8, and no other coding is declared'
	printf 'x = 1\nreturn x\n' >bad.py
	run -1 as_cells bad.py
	has "bad.py:2:1: 'return' outside function"
	printf '# coding: none\nx = 1\n' >bad.py
	run -1 as_cells bad.py
	has 'bad.py:1:1: unknown encoding'
}

@test "in the cells of a script, sys.exit() and event loops are those of a script" {
	cat >ends.py <<-'P'
	import asyncio


	async def main():
	    await asyncio.sleep(0)
	    return asyncio.get_running_loop()

	print(isinstance(asyncio.run(main()), asyncio.AbstractEventLoop))

	loop = asyncio.get_event_loop_policy().new_event_loop()
	print(loop.run_until_complete(main()) is loop)

	try:
	    asyncio.get_running_loop()
	except RuntimeError as error:
	    print(error)
	    exit()

	print("never")
	P
	"$python" ends.py >wanted
	ran() {
		"$python" "$ROOT/share/script/notebook.py" "$1.py" "$1.ipynb"
		run kernelrun --with-file "$1.py" --executed executed.ipynb "$1.ipynb"
		echo "$output" >run.jsonl
		cells=$(jq -r 'select(.type == "cell" or .type == "run_end") | .error_value // .status' run.jsonl | paste -sd' ')
	}
	ran ends
	[ "$cells" = "completed completed completed completed completed completed completed completed" ] || { cat run.jsonl; false; }
	python3 "$ROOT/tests/shown.py" executed.ipynb | diff wanted -
	[ "$(jq -r '.cells[-1].outputs[] | .name + ": " + .text[0]' executed.ipynb)" = "stderr: not run: the script has ended" ]
	cat >marks.py <<-'P'
	# %%
	import asyncio, sys
	x = asyncio.run(asyncio.sleep(0, 3))
	# %%
	asyncio.get_running_loop().is_running(), x
	# %%
	sys.exit("status 1")
	# %%
	print("never")
	P
	ran marks
	[ "$cells" = "completed completed completed status 1 not_run failed" ] || { cat run.jsonl; false; }
	run -0 python3 "$ROOT/tests/shown.py" executed.ipynb
	[ "$output" = "(True, 3)" ]
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
