# bats file_tags=untimed
# JavaScript by its own names: an extension under development with the source map of its bundler
# (tests/data/extension), modules as anywidget imports them, and what was minified without a map.
load helpers

setup_file() {
	cd "$BATS_FILE_TMPDIR" || return
	"$NBSCOPE_VENV/bin/python" "$ROOT/tests/linkenv.py" env jupyterlab ipywidgets
	mkdir -p env/share/jupyter/labextensions/@nbscope-test
	ln -s "$ROOT/tests/data/extension" env/share/jupyter/labextensions/@nbscope-test/busy
	cp "$ROOT/tests/data/extension/static/module.js" mapped.js
	# Its one long line has no map.
	python3 -c 'print("function spin(e){for(;performance.now()<e;);}" + "/*" + 600 * "x" + "*/export function render({ms}){spin(performance.now()+ms)}")' >minified.js
	python3 "$ROOT/tests/nb.py" nb.ipynb <<-'EON'
		[("code", """from IPython.display import HTML, display
		import base64, ipywidgets, json, pathlib, traitlets
		def busy(**data):
		    display({'application/vnd.nbscope.busy+json': {'ms': 300, **data}}, raw=True)
		def widget(name, text, module='__main__'):
		    made = type(name, (ipywidgets.Widget,), {'__module__': module,
		        '_esm': traitlets.Unicode(text).tag(sync=True)})()
		    busy(module=made._esm)
		    return made"""),
		 ("code", "busy(ms=600)"),
		 ("code", "own = widget('Counter', '''\\nfunction drawAll(end) {\\n  while (performance.now() < end);\\n}\\nexport function render({ms}) { drawAll(performance.now() + ms); }\\n''')"),
		 ("code", "mapped = widget('Mapped', pathlib.Path('mapped.js').read_text())"),
		 ("code", """text, _, inline = pathlib.Path('mapped.js').read_text().rpartition('//# sourceMappingURL=data:application/json;base64,')
		indexed = {'version': 3, 'sections': [{'offset': {'line': 2, 'column': 6}, 'map': json.loads(base64.b64decode(inline))}]}
		index = widget('Index', '// moved\\n\\n/**/  ' + text + '//# sourceMappingURL=data:application/json,' + __import__('urllib.parse').parse.quote(json.dumps(indexed)))"""),
		 ("code", "released = widget('Released', pathlib.Path('minified.js').read_text(), 'ipywidgets.some')"),
		 ("code", "HTML('<script>(function spinInline() { const end = performance.now() + 300; while (performance.now() < end); })()</script>')")]
	EON
	echo '{"profilers": ["browser"], "cells": [2, 3, 4, 5, 6, 7], "functions": [], "overlay": null}' >settings.json
	NBSCOPE_VENV=$PWD/env labserve wdsession cellprofile settings.json cellrun --with-file mapped.js --with-file minified.js nb.ipynb >run.jsonl
	runprofile --files files --format json run.jsonl >folded
}

setup() {
	cd "$BATS_FILE_TMPDIR" || return
}

# busiest CELL: the function that took longest by itself, of those with a script.
busiest() {
	jq -sc --argjson cell "$1" '[.[] | select(.type == "profile_function" and .cell_index == $cell and .file != "~")] |
		max_by(.own_s) | [.file, .line, .function, .own_s > 0.1]' run.jsonl
}

@test "a function of an extension with a source map has its own file, line and name" {
	run -0 jq -sc 'map(select(.type == "cell") | .status) | unique' run.jsonl
	[ "$output" = '["completed"]' ] || has completed
	run -0 busiest 2
	[[ "$output" =~ ^\[\"@nbscope-test/busy/src/layout.ts\",(3,\"measureText\"|11,\"arrangePoints\"),true\]$ ]] || has layout.ts
	run -0 jq -r 'select(.type == "profile_function" and .file == "@nbscope-test/busy/src/index.ts" and .function == "renderModel") | .line' run.jsonl
	[ "$output" = 9 ] || has 9
}

@test "a module of a widget is its class, and its lines are those of the text" {
	run -0 busiest 3
	[ "$output" = '["Counter._esm",2,"drawAll",true]' ] || has drawAll
}

@test "a module of a widget with an inline source map, also one with sections, has its own file, line and name" {
	for cell in 4 5; do
		run -0 busiest $cell
		[[ "$output" =~ ^\[\"src/engine.ts\",(4,\"step\"|12,\"countSteps\"),true\]$ ]] || has step
	done
}

@test "what was minified without a source map is its package and version, and no line" {
	run -0 busiest 6
	version=$(jq -r .version env/share/jupyter/labextensions/@jupyter-widgets/jupyterlab-manager/package.json)
	python=$(env/bin/python -c 'import importlib.metadata as m; print(m.version("ipywidgets"))')
	[ "$output" = '["ipywidgets '"$python"'",0,"spin",true]' ] || has spin
	jq -se --arg name "@jupyter-widgets/jupyterlab-manager $version" 'any(.[]; .type == "profile_function" and .file == $name and .line == 0)' run.jsonl
	jq -se 'any(.[]; .type == "profile_function" and (.file | test("^JupyterLab [0-9.]+$")) and (.script | test("^/static/lab/.*:1:[0-9]+$")))' run.jsonl
	# No hash of a chunk anywhere.
	run jq -r 'select(.type == "profile_function").file, (select(.type == "profile_stack").stack[] | capture(" \\((?<file>[^()]*)\\)$").file)' run.jsonl
	[ "$(grep -cE '[.-][0-9a-f]{8,}' <<<"$output")" = 0 ] || has nothing
}

@test "a script in an output is no function of the driver" {
	run -0 busiest 7
	[ "$output" = '["(inline script)",1,"spinInline",true]' ] || has spinInline
}

@test "tables, stacks and the file for DevTools have these names" {
	run -0 runprofile run.jsonl
	has ' @nbscope-test/busy/src/layout.ts:'
	has ' ipywidgets '
	jq -se 'any(.[]; .type == "profile_stack" and .cell_index == 6 and any(.frames[]; (.[0] | test("^spin \\(ipywidgets [0-9.]+\\)$")) and .[1] == "package"))' folded
	jq -e 'any(.nodes[]; .callFrame | .functionName == "drawAll" and .url == "Counter._esm" and .lineNumber == 1)' files/cell-003.cpuprofile
	"$ROOT/tests/validate" <run.jsonl
}
