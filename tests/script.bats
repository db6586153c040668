# Cells as a script, scripts as notebooks, and decorators that profile: nbscope-script(7).
# bats file_tags=untimed
load helpers
load oneserver
every_package

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	use_server
	export PYTHONPATH=$ROOT/share/ipython PYTHONDONTWRITEBYTECODE=1
	python=$ROOT/build/venv/bin/python
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
	kernelrun --executed executed.ipynb "$1" >run.jsonl 2>run.err || [ "${2-}" = may_fail ] || { cat run.err; return 1; }
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
	 ("code", "print(open('made.txt').read())\n%cd /\n%cd -q /tmp"),
	 ("code", "import asyncio\nawait asyncio.sleep(0)\ny = [i async for i in (lambda: aiter_of(2))()] if False else 4\ny"),
	 ("code", "def f():\n    for i in range(2):\n        !echo in {i}\n    \"\"\"no\n    docstring\"\"\"\nf()\nz = f'''{x}\n  {y}'''"),
	 ("code", "z"),
	 ("code", "display('a', [1, 'é'])\n{'k' * 30: list(range(20)), 'l' * 30: {1: 2}}"),
	 ("code", "1, 2  # a tuple"),
	 ("code", "1 / 0", ["raises-exception"]),
	 ("code", "print?"),
	 ("code", "%time t = x + 1\nt"),
	 ("code", "_ + 1")]
	EON
	sed -i 's/\\n%cd -q \/tmp//' it.ipynb
	same it.ipynb
	[ "$(head -1 plain.py)" = '#!/usr/bin/env python3' ]
	sh -n plain_run.sh
	./plain_run.sh >got
	diff wanted got
}
