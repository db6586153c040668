# bats file_tags=quick
load helpers

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	python=$ROOT/build/testvenv/bin/python
	unset KERNEL
}

# quoted TEXT: as a JSON string.
quoted() {
	local text=${1//\\/\\\\}
	text=${text//\"/\\\"}
	text=${text//$'\n'/\\n}
	text=${text//$'\r'/\\r}
	printf '"%s"' "$text"
}

# cell KIND SOURCE [TAG] [ID]: one cell, as a line of JSON.
cell() {
	printf '{"cell_type": "%s", "metadata": {%s}, "source": %s%s%s}\n' "$1" "${3:+\"tags\": [\"$3\"]}" "$(quoted "$2")" \
		"${4:+, \"id\": \"$4\"}" "$([ "$1" != code ] || echo ', "outputs": [], "execution_count": null')"
}

# notebook LANGUAGE < CELLS: t.ipynb; cell k is on line k + 1.
notebook() {
	{
		echo '{"cells": ['
		sed '$!s/$/,/'
		printf '], "metadata": {"kernelspec": {"name": "k", "display_name": "K", "language": "%s"}}, "nbformat": 4, "nbformat_minor": 5}\n' "$1"
	} >t.ipynb
}

# template SOURCE [LANGUAGE]: a template of one cell.
template() { cell code "$1" parameters p | notebook "${2:-python}"; }

# combination PARAMS [NAME]: its record.
combination() { printf '{"type":"combination","usecase":"u","name":"%s","params":%s}\n' "${2:-u-x}" "$1"; }

# patched PARAMS [OPTIONS]: nbpatch of t.ipynb; $source is the first code cell's.
patched() {
	local params=$1
	shift
	run --separate-stderr nbpatch t.ipynb "$@" < <(combination "$params")
	source=$(jq -j '[.cells[] | select(.cell_type == "code")][0].source | if type == "array" then join("") else . end' <<<"$output" 2>/dev/null; echo .)
	source=${source%.}
	output+=$stderr
}

# gives SOURCE PARAMS WANT [LANGUAGE]: what a parameters cell becomes.
gives() {
	template "$1" "${4:-python}"
	patched "$2"
	[ "$status" = 0 ] && [ "$source" = "$3" ] && return
	printf 'of:     %s\nwith:   %s\nwanted: %s\ngot:    %s\n%s\n' "$1" "$2" "$3" "$source" "$stderr" >&2
	return 1
}

# refused PARAMS MESSAGE: t.ipynb is refused so, and nothing is written.
refused() {
	run nbpatch -o out t.ipynb < <(combination "$1")
	status_is 3
	has "nbpatch: $2"
	[ ! -e out ]
}

# ---- placeholders ----

@test "a placeholder in code becomes a literal of Python" {
	gives 'v = {a_value}' '{"a": null}' 'v = None'
	gives 'v = {a_value}' '{"a": true}' 'v = True'
	gives 'v = {a_value}' '{"a": -9223372036854775808}' 'v = -9223372036854775808'
	gives 'v = {a_value}' '{"a": "it'"'"'s \"é\" \\ \n\t\u0001\u2028"}' 'v = "it'"'"'s \"é\" \\ \n\t\x01\u2028"'
	gives 'v = {a_value}' '{"a": [1, [], {"k": [false, null]}, {}]}' 'v = [1, [], {"k": [False, None]}, {}]'
	gives 'v = {a_value}' '{"a": [1.0, 0.1, 1e22, -1e-300]}' 'v = [1.0, 0.1, 1e+22, -1e-300]'
}

@test "a placeholder in code becomes a literal of R" {
	gives 'v <- {a_value}' '{"a": null}' 'v <- NULL' R
	gives 'v <- {a_value}' '{"a": [true, false]}' 'v <- c(TRUE, FALSE)' R
	gives 'v <- {a_value}' '{"a": [1, 2.5]}' 'v <- c(1, 2.5)' R
	gives 'v <- {a_value}' '{"a": [1, "x", null]}' 'v <- list(1, "x", NULL)' R
	gives 'v <- {a_value}' '{"a": {"k": "v\"\\", "l m": []}}' 'v <- list("k" = "v\"\\", "l m" = list())' R
	gives 'v <- {a_value}' '{"a": "\u0001$\n"}' 'v <- "\u0001$\n"' R
	gives 'v <- {a_value}' '{"a": -1}' 'v <- -1' R
}

@test "a placeholder in code becomes a literal of Julia" {
	gives 'v = {a_value}' '{"a": null}' 'v = nothing' julia
	gives 'v = {a_value}' '{"a": [true, 1, "x"]}' 'v = [true, 1, "x"]' julia
	gives 'v = {a_value}' '{"a": {"k": "$(run)", "l": {}}}' 'v = Dict("k" => "\$(run)", "l" => Dict())' julia
}

@test "a placeholder in a string is its text, escaped for that string" {
	value='{"a": "it'"'"'s \"q\" \\ {b}\n"}'
	gives "v = '{a_value}'" "$value" 'v = '"'"'it\'"'"'s "q" \\ {b}\n'"'"
	gives 'v = "x{a_value}y"' "$value" 'v = "xit'"'"'s \"q\" \\ {b}\ny"'
	gives 'v = f"{a_value}"' "$value" 'v = f"it'"'"'s \"q\" \\ {{b}}\n"'
	gives 'v = f"{a_value} {{a_value}} {{{a_value}}}"; w = f"""{{a_value}}"""' '{"a": "x"}' 'v = f"x {{a_value}} {{x}}"; w = f"""{{a_value}}"""'
	gives 'v = """
"{a_value}"
"""' "$value" 'v = """
"it'"'"'s \"q\" \\ {b}\n"
"""'
	gives 'v = "{a_value}"' '{"a": [true, null, "x"]}' 'v = "[True, None, \"x\"]"'
	gives 'v = r"{a_value}"' '{"a": "C:\\x"}' 'v = r"C:\x"'
	gives 'v <- '"'{a_value}'" '{"a": "it'"'"'s"}' 'v <- '"'it\\'s'" R
	gives 'v <- r"---(x {a_value})---"' '{"a": "\\d"}' 'v <- r"---(x \d)---"' R
	gives 'v = "$(f("x")) {a_value}"' '{"a": "$x \"y\""}' 'v = "$(f("x")) \$x \"y\""' julia
	gives 'v = raw"{a_value}"' '{"a": "$x"}' 'v = raw"$x"' julia
	# A quote after a value transposes it; elsewhere it begins a character.
	gives "v = 2+A'*{a_value}+'\"'*{a_value}" '{"a": "x"}' "v = 2+A'*\"x\"+'\"'*\"x\"" julia
}

@test "a backslash before a placeholder stays a backslash and does not escape the value" {
	gives 'v = "C:\{a_value}"' '{"a": "new"}' 'v = "C:\\new"'
	gives 'v = "C:\\{a_value}"' '{"a": "new"}' 'v = "C:\\new"'
	gives 'v = "\{a_value}"' '{"a": 1.5}' 'v = "\\1.5"'
	gives 'v = r"C:\{a_value}"' '{"a": "new"}' 'v = r"C:\new"'
	template 'v = r"C:\{a_value}"'
	refused '{"a": ""}' "stdin:1:1: cannot write the parameter 'a' into code cell 1 (id 'p'): a raw string cannot end in a backslash"
}

@test "a source that is a list has one line per element, also after a value with a newline" {
	template "v = r'''{a_value}'''"
	jq '.cells[0].source |= [.]' t.ipynb >list.ipynb
	run nbpatch list.ipynb < <(combination '{"a": "x\ny"}')
	[ "$(jq -c '.cells[0].source' <<<"$output")" = "[\"v = r'''x\\n\",\"y'''\"]" ]
}

@test "a value that a string cannot contain is refused" {
	template 'v = r"{a_value}"'
	refused '{"a": "x\"y"}' "stdin:1:1: cannot write the parameter 'a' into code cell 1 (id 'p'): a raw string cannot contain its own quote"
	refused '{"a": "x\\"}' "stdin:1:1: cannot write the parameter 'a' into code cell 1 (id 'p'): a raw string cannot end in a backslash"
	refused '{"a": "x\ny"}' "stdin:1:1: cannot write the parameter 'a' into code cell 1 (id 'p'): a raw string cannot contain a newline"
	template "v = r'''{a_value}'''"
	refused '{"a": "x\ry"}' "stdin:1:1: cannot write the parameter 'a' into code cell 1 (id 'p'): a raw string cannot contain a carriage return, which is read as a newline"
	template 'v = b"{a_value}"'
	refused '{"a": "é"}' "stdin:1:1: cannot write the parameter 'a' into code cell 1 (id 'p'): a bytes literal can contain ASCII characters only"
	template 'v <- {a_value}' R
	refused '{"a": 9007199254740993}' "stdin:1:1: cannot write the parameter 'a': R represents integers exactly up to 2^53 only"
}

@test "characters that change the direction of text are escaped, or refused in R's raw strings" {
	gives 'v <- {a_value}' '{"a": "x\u202e\u2066"}' 'v <- "x\u202e\u2066"' R
	gives 'v = 1  # {a_value} of {b_value}
w = {a_value} + {b_value}' '{"a": "\u202a", "b": 2}' 'v = 1  # \u202a of 2
w = "\u202a" + 2'
	template 'v <- r"({a_value})"' R
	refused '{"a": "\u2069"}' "stdin:1:1: cannot write the parameter 'a' into code cell 1 (id 'p'): R refuses characters that change the direction of text in a raw string"
}

@test "a comment stays a comment for any value" {
	gives 'v = {a_value}  # is {a_value}, it'"'"'s' '{"a": "x\nimport os\r\"y"}' \
		'v = "x\nimport os\r\"y"  # is x\nimport os\r"y, it'"'"'s'
	gives 'v = {a_value} #= {a_value} #= =# {a_value} =#' '{"a": "=#"}' 'v = "=#" #= =\x23 #= =# =\x23 =#' julia
}

@test "a negative number gets parentheses next to operators, but not in a shell command" {
	gives 'v = {a_value} ** 2; w = -{a_value}' '{"a": -1}' 'v = (-1) ** 2; w = -(-1)'
	gives '!echo {a_value} b' '{"a": -1}' '!echo -1 b'
	gives '  %timeit -n {a_value} f()' '{"a": -1}' '  %timeit -n -1 f()'
	gives $'v = (4\n  %{a_value}**2\n  != {a_value}**2)' '{"a": -1}' $'v = (4\n  %(-1)**2\n  != (-1)**2)'
	gives '!f && {a_value}^2' '{"a": -1}' '!f && (-1)^2' julia
	gives '!f && {a_value}^2' '{"a": -1}' '!f && (-1)^2' R
}

@test "all other braces are left alone, without doubling" {
	text='a = {a_value}; d = {"a_value": {1, 2}, **{}}; e = {}; f"{a}{{}}{d!r:>{a}}"; "{} {0} {x}".format(1, 2, x=3)
max_value = 3; f"{max_value}"; s = {max_value}; "{ a_value }"; {a_values}; {{a_value}}'
	gives "$text" '{"a": 5}' "$(sed 's/{a_value}/5/g' <<<"$text")"
	gives 'a_value = {a_value}; f"{a_value}"' '{"a": 5}' 'a_value = 5; f"5"'
}

@test "a number among operators stays one number" {
	gives 'v = {a_value} ** 2 - {a_value}; w = f({a_value}, x={a_value})[{a_value}]; {a_value}.real' '{"a": -1}' \
		'v = (-1) ** 2 - (-1); w = f(-1, x=-1)[-1]; (-1).real'
	gives 'v = {a_value} ** 2; {a_value}.real' '{"a": 1}' 'v = 1 ** 2; (1).real'
}

@test "Python reads back any value from any place" {
	cat >check.py <<-'P'
	import json, random, subprocess
	source = "a = {a_value}\nb = '{s_value}' # {s_value}\nc = f\"{s_value}\" + \"{s_value}\"\nd = '''\n{s_value}'''\ne = -{n_value} ** 2\nend = 1\n"
	cells = [{"cell_type": "code", "metadata": {"tags": ["parameters"]}, "source": source, "outputs": [], "execution_count": None}]
	json.dump({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, open("t.ipynb", "w"))
	parts = ['"', "'", '"""', "'''", "\\", "\n", "\r", "{", "}", "{a_value}", "$", "#", "é", "\U0001f600", "\u2028", "\x85", "\x01", "\x7f", "%", "a"]
	def value(r, depth):
	    kind = r.randrange(9 if depth < 3 else 6)
	    if kind < 4:
	        return text(r)
	    if kind == 4:
	        return r.choice([None, True, False, 0, -1, 2**63 - 1, -2**63])
	    if kind == 5:
	        return r.choice([0.1, 1e22, -0.0, 5e-324, 1.7976931348623157e308, r.uniform(-1, 1)])
	    if kind == 6:
	        return {text(r): value(r, depth + 1) for _ in range(r.randrange(3))}
	    return [value(r, depth + 1) for _ in range(r.randrange(4))]
	def text(r):
	    return "".join(r.choice(parts) for _ in range(r.randrange(9)))
	r = random.Random(7)
	for i in range(100):
	    params = {"a": value(r, 0), "s": text(r), "n": r.choice([1, -1, -2.5])}
	    record = json.dumps({"type": "combination", "usecase": "u", "name": "n", "params": params})
	    out = subprocess.run(["nbpatch", "t.ipynb"], input=record, capture_output=True, text=True, check=True).stdout
	    got = {}
	    exec("".join(json.loads(out)["cells"][0]["source"]), got)
	    s = params["s"]
	    assert repr(got["a"]) == repr(params["a"]), (params, got["a"])
	    assert (got["b"], got["c"], got["d"], got["e"], got["end"]) == (s, s + s, "\n" + s, -(params["n"] ** 2), 1), (params, got)
	P
	run python3 check.py
	status_is 0
}

# ---- cells of assignments, as papermill makes them ----

@test "a parameters cell without placeholders gets a cell of assignments after it" {
	{ cell markdown '# t' '' m; cell code 'a = 1' parameters p; cell code 'print(a)' '' q; } | notebook python
	patched '{"a": 2, "b": ["x", null]}'
	[ "$(jq -c '[.cells[].id]' <<<"$output")" = '["m","p","injected-parameters","q"]' ]
	[ "$(jq -r '.cells[2].source' <<<"$output")" = $'# Parameters\na = 2\nb = ["x", None]' ]
	[ "$(jq -c '.cells[2].metadata.tags' <<<"$output")" = '["injected-parameters"]' ]
	[ "$(jq -r '.cells[1].source' <<<"$output")" = 'a = 1' ]
	text=$'max_value = 3; f"{max_value}"  # {a_value}'
	template "$text"
	patched '{"a": 2}'
	[ "$source" = "$text" ]
	[ "$(jq -r '.cells[1].source' <<<"$output")" = $'# Parameters\na = 2' ]
}

@test "a cell that an earlier tool injected is replaced" {
	{ cell code 'a = 1' parameters p; cell code 'a = 9' injected-parameters old; cell code 'print(a)' '' q; } | notebook R
	patched '{"a": true}'
	[ "$(jq -c '[.cells[].id]' <<<"$output")" = '["p","injected-parameters","q"]' ]
	[ "$(jq -r '.cells[1].source' <<<"$output")" = $'# Parameters\na = TRUE' ]
	{ cell code 'a = {a_value}' parameters p; cell code 'a = 9' injected-parameters old; } | notebook python
	refused '{"a": 1}' "t.ipynb:3:1: code cell 2 (id 'old') is tagged 'injected-parameters' and would override the placeholders of code cell 1 (id 'p')"
}

@test "without parameters, neither a tag nor a placeholder is required" {
	cell code '1' '' x | notebook python
	patched '{}'
	status_is 0
	[ "$(jq '.cells | length' <<<"$output")" = 1 ]
	template 'a = 1'
	patched '{}'
	[ "$(jq '.cells | length' <<<"$output")" = 1 ]
}

# ---- what is refused ----

@test "a parameter without a placeholder is reported with the cell" {
	template 'a = {a_value}  # {b_value}'
	refused '{"a": 1, "c": 1}' "t.ipynb:2:1: code cell 1 (id 'p') has no placeholder {c_value} for the parameter 'c'"
	refused '{"a": 1, "b": 1}' "t.ipynb:2:1: code cell 1 (id 'p') has no placeholder {b_value} for the parameter 'b' outside of comments"
}

@test "a placeholder without a parameter is reported with the cell and the combination" {
	template 'a = {a_value}; b = "{b_value}"'
	refused '{"a": 1}' "t.ipynb:2:1: code cell 1 (id 'p') has the placeholder {b_value}, but the combination 'u-x' has no parameter 'b'"
	gives 'a = {a_value}  # {b_value}' '{"a": 1}' 'a = 1  # {b_value}'
}

@test "other languages' names, keywords and code in Unicode are left alone" {
	gives $'größe = {größe_value}; x = {x_value}' '{"x": 1}' $'größe = {größe_value}; x = 1'
	gives 'Δt = {x_value}; s = "λ $(f({x_value})) {x_value}"' '{"x": "é"}' 'Δt = "é"; s = "λ $(f("é")) é"' julia
	gives '`my var` <- {x_value}; "`{x_value}`"' '{"x": "a`b"}' '`my var` <- "a`b"; "`a`b`"' R
	gives 'x: int = {x_value}  # type: ignore' '{"x": -1}' 'x: int = -1  # type: ignore'
}

@test "placeholders without a tagged cell, or in a second one, are refused" {
	cell code 'a = {a_value}' '' x | notebook python
	refused '{"a": 1}' "t.ipynb:1:1: no code cell is tagged 'parameters'"
	{ cell code '{a_value}' parameters x; cell markdown 'm'; cell code '{a_value}' parameters; } | notebook python
	refused '{"a": 1}' "t.ipynb:4:1: code cell 2 is tagged 'parameters', as is code cell 1 (id 'x'): only the first can have placeholders"
	{ cell markdown 'a' parameters; cell code '{a_value}'; } | notebook python
	refused '{"a": 1}' "t.ipynb:1:1: no code cell is tagged 'parameters'"
}

# ids_with NOTE IDS: a = 2 is injected with this note; the ids of the cells then.
ids_with() {
	patched '{"a": 2}'
	status_is 0
	has "$1"
	[ "$(jq -r '[.cells[].id] | join(" ")' <<<"${output%"$stderr"}")" = "$2" ]
}

@test "the first code cell with the tag counts, also behind a heading with it, and the others are named" {
	{ cell markdown '# t' parameters m; cell raw 'r' parameters r; cell code 'a = 1' parameters p; cell code 'print(a)' '' q; } | notebook python
	ids_with "t.ipynb: cell 1 is tagged 'parameters' but is not a code cell: its tag is ignored" 'm r p injected-parameters q'
	has "cell 2 is tagged 'parameters' but is not a code cell"
	{ cell code 'a = 1' parameters p; cell code 'b = 1; f"{a}"  # {a_value}' parameters q; } | notebook python
	ids_with "t.ipynb: code cell 2 (id 'q') is tagged 'parameters', as is code cell 1 (id 'p'): the parameters are those of the first" 'p injected-parameters q'
	# papermill, too, injects after a heading, if that is all there is.
	{ cell code '1' '' o; cell markdown 'a' parameters m; cell code 'print(a)' '' q; } | notebook python
	ids_with "cell 2 is tagged 'parameters' but is not a code cell" 'o m injected-parameters q'
}

@test "a parameter name that is not an identifier is refused" {
	template 'a = 1'
	refused '{"a = 1; import os": 1}' "stdin:1:1: 'a = 1; import os' is not a parameter name"
}

@test "an error in the second combination prevents the first one's notebook" {
	template 'a = {a_value}'
	run nbpatch -o out t.ipynb < <(combination '{"a": 1}' n1; combination '{"b": 1}' n2)
	status_is 3
	[ ! -e out ]
}

@test "anything but a notebook of format 4 is refused" {
	echo '{"nbformat": 3, "nbformat_minor": 0, "metadata": {}, "worksheets": []}' >t.ipynb
	refused '{}' "t.ipynb:1:1: notebook format 3: only format 4 is supported (convert it: jupyter nbconvert --to notebook)"
	echo '{"nbformat": 5, "cells": []}' >t.ipynb
	refused '{}' "t.ipynb:1:1: notebook format 5: only format 4 is supported"
	for text in '{}' '[]' '{"nbformat": 4}' '{"cells": []}' '{"nbformat": 4, "cells": {}}' '{"nbformat": 4, "cells": [], "metadata": 1}'; do
		echo "$text" >t.ipynb
		refused '{}' "t.ipynb:1:1: not a notebook"
	done
	cell markdown 'x' | notebook python
	refused '{}' "t.ipynb:1:1: no code cell"
	echo '{"nbformat": 4, "cells": [
 {"cell_type": "code"}]}' >t.ipynb
	refused '{}' "t.ipynb:2:2: cell 1 has no source"
	echo '{"nbformat": 4, "cells": [{"cell_type": "heading", "source": ""}]}' >t.ipynb
	refused '{}' "t.ipynb:1:27: cell 1 is not a code, markdown or raw cell"
}

@test "a template that is malformed, empty or missing is refused" {
	: >t.ipynb
	refused '{}' "t.ipynb:1:1: empty"
	echo '{"cells": [' >t.ipynb
	refused '{}' "t.ipynb:2:1: ']' expected near end of file"
	echo '{"a": 1, "a": 2}' >t.ipynb
	refused '{}' "t.ipynb:1:"
	has "duplicate object key"
	printf '{"cells": ["\xff"]}' >t.ipynb
	refused '{}' "t.ipynb:1:"
	echo '{"nbformat": NaN}' >t.ipynb
	refused '{}' "t.ipynb:1:16: invalid token near 'NaN'"
	run nbpatch none.ipynb </dev/null
	status_is 4
	has "nbpatch: cannot open 'none.ipynb': No such file or directory"
}

@test "the language is that of the kernel, the notebook's or the kernel's name; an unknown one is refused" {
	template 'a = {a_value}' scala
	refused '{"a": 1}' "t.ipynb:1:1: unknown language 'scala': only Python, R and Julia are supported"
	template 'a = {a_value}' ''
	cp t.ipynb any.ipynb
	# KERNELSPEC.LANGUAGE LANGUAGE_INFO.NAME KERNEL: what a value becomes; '-': missing.
	becomes() {
		jq --arg l "$1" --arg i "$2" --arg k "$3" '.metadata = {kernelspec: {name: $k, display_name: "K", language: $l}, language_info: {name: $i}}
			| if $l == "-" then del(.metadata.kernelspec.language) else . end | if $i == "-" then del(.metadata.language_info) else . end' any.ipynb >t.ipynb
		patched '{"a": true}'
		[ "$source" = "a = $4" ] || { echo "$*: $source $stderr"; false; }
	}
	becomes '' python python3 True
	becomes '' pyspark pysparkkernel True
	becomes ipython - python3 True
	becomes sage python sagemath True
	becomes sage - sagemath-9.8 True
	becomes '' '' python3 True
	becomes - - my-env True
	[ "$(jq -r .metadata.kernelspec.language <<<"$output")" = python ]
	becomes - R ir TRUE
	[ "$(jq -c .metadata.kernelspec <<<"$output")" = '{"name":"ir","display_name":"K","language":"R"}' ]
	becomes '' '' ir TRUE
	becomes '' - julia-1.10 true
	becomes scala python x True
	jq '.metadata.kernelspec = {name: "scala"} | .metadata.language_info = {name: "rust"}' any.ipynb >t.ipynb
	refused '{"a": 1}' "t.ipynb:1:1: unknown language 'rust'"
}

@test "each line end of Python is a newline, also within a string, and a byte order mark is no text" {
	gives $'m = \'a \\\r\nb {a_value}\'\r\nt = {a_value}' '{"a": "x y"}' $'m = \'a \\\nb x y\'\nt = "x y"'
	gives $'# of it\rn = {a_value}\r' '{"a": -1}' $'# of it\nn = -1\n'
	gives $'f(\r{a_value})\r!ls {a_value}\r{a_value} ** 2' '{"a": -1}' $'f(\n-1)\n!ls -1\n(-1) ** 2'
	gives $'# of it\r{a_value}\r\nn <- {a_value}' '{"a": 1}' $'# of it\r1\r\nn <- 1' R
	template 'a = {a_value}'
	{ printf '\xef\xbb\xbf'; cat t.ipynb; } >bom.ipynb
	patched '{"a": 1}'
	plain=$output
	mv bom.ipynb t.ipynb
	patched '{"a": 1}'
	[ "$output" = "$plain" ]
	refused '{"b": 1}' "t.ipynb:2:1: code cell 1 (id 'p') has no placeholder {b_value} for the parameter 'b'"
	run -0 cellrun --skip 'only parsed' t.ipynb
	has '"type":"run"'
}

# ---- what comes in ----

@test "a malformed record is refused, and records of other types are ignored" {
	template 'a = {a_value}'
	try() { run --separate-stderr nbpatch -o out t.ipynb; output+=$stderr; }
	try </dev/null
	status_is 3
	has "nbpatch: stdin:1:1: no combination"
	try <<<'{"type":"cell","name":"x"}'
	status_is 3
	has "nbpatch: stdin:2:1: no combination"
	try <<<'nonsense'
	status_is 3
	has "nbpatch: stdin:1:"
	try <<<'[]'
	has "nbpatch: stdin:1:1: not a JSON object"
	try <<<'{"name":"x"}'
	has 'nbpatch: stdin:1:1: no "type" in the record'
	for text in '"name":"x","params":{}' '"usecase":"u","params":{}' '"usecase":"u","name":"x"' '"usecase":"u","name":"x","params":[]' '"usecase":1,"name":"x","params":{}'; do
		try <<<"{\"type\":\"combination\",$text}"
		status_is 3
		has 'nbpatch: stdin:1:1: a combination needs '
	done
	[ ! -e out ]
	printf '%s\n%s' '{"type":"other"}' "$(combination '{"a": 1}')" | nbpatch -o out t.ipynb
	[ -e out/u-x.ipynb ]
}

@test "no name leads outside the folder" {
	template 'a = {a_value}'
	for name in ../x /x a/b .x -x '' . .. "$(printf 'x%.0s' {1..181})" 'a b' 'é'; do
		run nbpatch -o out t.ipynb < <(combination '{"a": 1}' "$name" | jq -c --arg name "$name" '.name = $name')
		status_is 3
		has "nbpatch: stdin:1:1: \"name\" is too long or has other characters than A-Z a-z 0-9 . _ -"
	done
	[ ! -e out ]
}

@test "two combinations with the same name are refused" {
	template 'a = {a_value}'
	run nbpatch -o out t.ipynb < <(combination '{"a": 1}'; combination '{"a": 2}')
	status_is 3
	has "nbpatch: stdin:2:1: duplicate combination 'u-x'"
}

@test "a malformed line is reported with its number: duplicate keys, NaN, UTF-8, 100 MB" {
	template 'a = {a_value}'
	good=$(combination '{"a": 1}')
	try() { run nbpatch -o out t.ipynb; status_is 3; has "nbpatch: stdin:2:"; }
	try <<<"$good"$'\n{"type":"combination","type":"combination"}'
	try <<<"$good"$'\n{"type":"combination","usecase":NaN}'
	try < <(printf '%s\n{"type":"combination","usecase":"\xff"}' "$good")
	try < <(printf '%s\n{"type":"combination"' "$good")
	try < <(echo "$good"; head -c 100000000 /dev/zero | tr '\0' x)
	has "line longer than 16777216 bytes"
	[ ! -e out ]
}

# ---- what goes out ----

@test "without -o the only notebook goes to stdout, and a second is a usage error" {
	template 'a = {a_value}'
	patched '{"a": 1}'
	[ "$(jq -r '.cells[0].source' <<<"$output")" = 'a = 1' ]
	run --separate-stderr nbpatch t.ipynb < <(combination '{"a": 1}' n1; combination '{"a": 2}' n2)
	status_is 2
	[ -z "$output" ]
	[[ "$stderr" == "nbpatch: more than one combination: -o DIR is required"* ]]
	run nbpatch --prune t.ipynb </dev/null
	status_is 2
	run nbpatch - </dev/null
	status_is 2
}

@test "only outputs, counts, kernel, ids and nbscope's metadata of the template change" {
	cat >t.ipynb <<-'N'
	{"metadata": {"kernelspec": {"name": "other", "display_name": "Other", "language": "python", "x": 1}, "widgets": {"big": [1.5, 1e300]},
	 "language_info": {"name": "python", "version": "3.11"}, "nbscope": "old"},
	 "nbformat_minor": 2, "nbformat": 4, "extra": null,
	 "cells": [
	  {"cell_type": "markdown", "metadata": {"k": [true]}, "source": ["# t\n", "![i](attachment:i.png)"], "attachments": {"i.png": {"image/png": "AAAA"}}},
	  {"cell_type": "code", "metadata": {"tags": ["other", "parameters"], "collapsed": true}, "source": ["a = {a_value}\n", "b = 2"], "outputs": [{"output_type": "stream"}], "execution_count": 7},
	  {"cell_type": "raw", "metadata": {}, "source": "{a_value}"},
	  {"cell_type": "code", "id": "keep", "source": "", "metadata": {}},
	  {"cell_type": "code", "id": "keep", "source": [], "metadata": {}},
	  {"cell_type": "code", "id": "not good!", "source": "x"}]}
	N
	patched '{"a": "x\ny"}'
	status_is 0
	want=$(jq -c '.cells[1] += {outputs: [], execution_count: null, source: ["a = \"x\\ny\"\n", "b = 2"]}
		| .cells[3,4,5] += {outputs: [], execution_count: null} | .cells[5].metadata = {}
		| .cells[0].id = "cell-1" | .cells[1].id = "cell-2" | .cells[2].id = "cell-3" | .cells[4].id = "cell-5" | .cells[5].id = "cell-6"
		| .nbformat_minor = 5 | .metadata.kernelspec.name = "python3" | .metadata.kernelspec.display_name = "python3"
		| .metadata.nbscope = {usecase: "u", name: "u-x", params: {a: "x\ny"}}' t.ipynb)
	diff <(jq -S . <<<"$want") <(jq -S . <<<"$output")
	[ "$(jq -c keys_unsorted <<<"$output")" = '["metadata","nbformat_minor","nbformat","extra","cells"]' ]
}

@test "the kernel is --kernel, else KERNEL, else python3" {
	template 'a = {a_value}'
	patched '{"a": 1}'
	[ "$(jq -c .metadata.kernelspec <<<"$output")" = '{"name":"python3","display_name":"python3","language":"python"}' ]
	KERNEL=mine patched '{"a": 1}'
	[ "$(jq -r .metadata.kernelspec.name <<<"$output")" = mine ]
	KERNEL=mine patched '{"a": 1}' --kernel k
	[ "$(jq -c .metadata.kernelspec <<<"$output")" = '{"name":"k","display_name":"K","language":"python"}' ]
	KERNEL='' patched '{"a": 1}'
	[ "$(jq -r .metadata.kernelspec.name <<<"$output")" = python3 ]
	template 'a = {a_value}' julia
	patched '{"a": 1}'
	[ "$(jq -r .metadata.kernelspec.name <<<"$output")" = k ]
}

@test "only notebooks whose content differs are written" {
	template 'a = {a_value}'
	all() { for i in "$@"; do combination "{\"a\": $i}" "n$i"; done; }
	all 1 2 3 | nbpatch -o out t.ipynb
	[ "$(ls out)" = $'n1.ipynb\nn2.ipynb\nn3.ipynb' ]
	touch -d 2001-01-01 out/*
	echo '{}' >out/n2.ipynb
	truncate -s -1 out/n3.ipynb
	all 1 2 3 4 | nbpatch -o out t.ipynb
	[ "$(find out -newermt 2002-01-01 | sort)" = $'out\nout/n2.ipynb\nout/n3.ipynb\nout/n4.ipynb' ]
	[ "$(jq -r '.cells[0].source' out/n2.ipynb)" = 'a = 2' ]
	[ "$(ls -A out | wc -l)" -eq 4 ]
}

@test "the output is the same every time" {
	run bash -c 'for i in 1 2; do nbexpand "$0"/params.json | nbpatch -o "out$i" "$0"/template.ipynb || exit; done; diff -r out1 out2' "$ROOT/usecases/imviz_images"
	status_is 0
	[ "$(ls out1 | wc -l)" -eq 240 ]
}

@test "--prune removes what it made for this use case, and nothing else" {
	template 'a = {a_value}'
	{ combination '{"a": 1}' n1; combination '{"a": 2}' n2; } | nbpatch -o out t.ipynb
	combination '{"a": 3}' n3 | jq -c '.usecase = "v"' | nbpatch -o out t.ipynb
	cp out/n2.ipynb out/renamed.ipynb
	echo '{"metadata": {}}' >out/mine.ipynb
	echo 'nonsense' >out/broken.ipynb
	ln -s n2.ipynb out/link.ipynb
	mkdir out/folder.ipynb
	cp out/n2.ipynb out/n2.json
	combination '{"a": 1}' n1 | nbpatch -o out t.ipynb
	[ -e out/n2.ipynb ]
	combination '{"a": 1}' n1 | nbpatch -o out --prune t.ipynb
	[ "$(ls out)" = $'broken.ipynb\nfolder.ipynb\nlink.ipynb\nmine.ipynb\nn1.ipynb\nn2.json\nn3.ipynb\nrenamed.ipynb' ]
	run nbpatch -o out --prune t.ipynb </dev/null
	status_is 3
	[ -e out/n1.ipynb ]
}

@test "a link in a notebook's place is replaced, never written through" {
	template 'a = {a_value}'
	mkdir out
	echo precious >target
	ln -s ../target out/u-x.ipynb
	combination '{"a": 1}' | nbpatch -o out t.ipynb
	[ "$(cat target)" = precious ]
	[ ! -L out/u-x.ipynb ]
	# Even where the target has the very content.
	mv out/u-x.ipynb same
	ln -s ../same out/u-x.ipynb
	combination '{"a": 1}' | nbpatch -o out t.ipynb
	[ ! -L out/u-x.ipynb ]
}

@test "a folder that cannot be written, or a notebook that cannot be, is a system error" {
	template 'a = {a_value}'
	: >file
	run nbpatch -o file t.ipynb < <(combination '{"a": 1}')
	status_is 4
	has "nbpatch: cannot open 'file': Not a directory"
	mkdir -p out/u-x.ipynb
	run nbpatch -o out t.ipynb < <(combination '{"a": 1}')
	status_is 4
	has "nbpatch: cannot write 'out/u-x.ipynb': Is a directory"
	[ "$(ls -A out)" = u-x.ipynb ]
}

@test "a full disk is reported, and no partial file remains" {
	template 'a = {a_value}'
	run bash -c 'nbpatch t.ipynb 2>&1 >/dev/full' < <(combination '{"a": 1}')
	status_is 4
	has "nbpatch: cannot write to standard output: No space left on device"
	# A limit on file sizes simulates a full disk.
	jq '.metadata.big = "x" * 3000' t.ipynb >big.ipynb
	run bash -c 'ulimit -f 2; trap "" XFSZ; nbpatch -o out big.ipynb' < <(combination '{"a": 1}')
	status_is 4
	has "nbpatch: cannot write 'out/u-x.ipynb': File too large"
	[ -z "$(ls -A out)" ]
}

@test "nbpatch writes nothing if it is interrupted before its input ends" {
	template 'a = {a_value}'
	mkfifo in
	env --default-signal=INT nbpatch -o out t.ipynb <in &
	pid=$!
	exec 9>in
	combination '{"a": 1}' >&9
	# Again: until env was run, the shell's child ignores it.
	for _ in $(seq 100); do kill -INT "$pid" 2>/dev/null || break; sleep 0.05; done
	wait "$pid" || status=$?
	exec 9>&-
	[ "$status" -eq 130 ]
	[ ! -e out ]
}

@test "nbpatch leaves only complete notebooks if it is interrupted while it writes" {
	template 'a = {a_value}'
	printf '{"type":"combination","usecase":"u","name":"n%d","params":{"a":1}}\n' {1..20000} >all
	nbpatch -o out t.ipynb <all &
	pid=$!
	until [ -e out/n1.ipynb ]; do :; done
	kill -TERM "$pid"
	wait "$pid" || status=$?
	[ "$status" -eq 143 ]
	[ "$(find out -not -name '*.ipynb' | wc -l)" -eq 1 ]
	find out -name '*.ipynb' -exec jq empty {} +
}

@test "results validate under nbformat, for all languages and templates" {
	[ -x "$python" ]
	cases=0
	for language in python R julia; do
		for source in 'a = {a_value}' 'a = "{a_value}"' 'a = 1'; do
			{ cell markdown '# t'; cell raw 'r'; cell code "$source" parameters; cell code '' '' 'bad id'; } | notebook "$language"
			for minor in 0 2 4 5; do
				jq ".nbformat_minor = $minor" t.ipynb >"t$minor.ipynb"
				cases=$((cases + 1))
				combination '{"a": ["é", null, {"k": 1.5}]}' "n$cases" | nbpatch -o out "t$minor.ipynb"
			done
		done
	done
	for folder in "$ROOT"/usecases/*/; do
		nbexpand --limit 20 "$folder"params.* | nbpatch -o out "$folder"template.ipynb
	done
	run "$python" - <<-'P'
	import glob, nbformat
	files = glob.glob("out/*.ipynb")
	assert len(files) > 60, len(files)
	for f in files:
	    nb = nbformat.read(f, as_version=nbformat.NO_CONVERT)
	    nbformat.validate(nb)
	    assert (nb.nbformat, nb.nbformat_minor) == (4, 5)
	    assert all(not c.outputs and c.execution_count is None for c in nb.cells if c.cell_type == "code")
	    assert f == f"out/{nb.metadata.nbscope.name}.ipynb"
	P
	status_is 0
}

@test "every use case's template accepts its parameters" {
	for folder in "$ROOT"/usecases/*/; do
		nbexpand "$folder"params.* >combinations
		nbpatch -o "out" "$folder"template.ipynb <combinations
		[ "$(ls out | wc -l)" -eq "$(wc -l <combinations)" ]
		rm -r out
	done
}

@test "without placeholders, a parameter sets NAME_value if the cell has no variable NAME" {
	cd "$BATS_TEST_TMPDIR"
	template 'threshold_value = 0'
	run nbpatch t.ipynb <<<"$(combination '{"threshold": 2}')"
	has '# Parameters\nthreshold_value = 2"'
	template $'threshold_value = 0\nthreshold = 1'
	run nbpatch t.ipynb <<<"$(combination '{"threshold": 2}')"
	has '# Parameters\nthreshold = 2"'
}

@test "a parameter that is a keyword of the language is refused where it would be assigned, not as a placeholder" {
	template 'x = 1'
	refused '{"lambda": 0.5}' "stdin:1:1: 'lambda' is a keyword of the notebook's language and cannot be assigned: rename the parameter, or write {lambda_value} in the parameters cell"
	template 'x = 1' R
	refused '{"repeat": 1}' "stdin:1:1: 'repeat' is a keyword of the notebook's language"
	template 'x = 1' julia
	refused '{"end": 1}' "stdin:1:1: 'end' is a keyword of the notebook's language"
	gives 'x = {lambda_value}' '{"lambda": 0.5}' 'x = 0.5'
}

@test "a raw string with three quotes takes single ones, but not at its ends" {
	gives "s = r'''{a_value}'''" '{"a": "it'"'"'s"}' "s = r'''it's'''"
	refused '{"a": "its'"'"'"}' "stdin:1:1: cannot write the parameter 'a' into code cell 1 (id 'p'): a raw string cannot contain its own quote"
	refused '{"a": "a'"'''"'b"}' "stdin:1:1: cannot write the parameter 'a' into code cell 1 (id 'p'): a raw string cannot contain its own quote"
}

@test "values in a command for the shell are quoted for it, or refused where they would change" {
	gives '!ls {a_value}' '{"a": "it'"'"'s a `file` \\n"}' '!ls '"'it'\\''s a \`file\` \\n'"
	gives 'files = !ls -d {a_value}' '{"a": "x y"}' "files = !ls -d 'x y'"
	gives '!ls "{a_value}/b"' '{"a": "x y"}' '!ls "x y/b"'
	template '!ls {a_value}'
	refused '{"a": "$HOME"}' "stdin:1:1: cannot write the parameter 'a' into code cell 1 (id 'p'): IPython changes \$, { and } in a shell command"
	refused '{"a": "x\ny"}' "stdin:1:1: cannot write the parameter 'a' into code cell 1 (id 'p'): IPython changes \$, { and } in a shell command, which ends at a newline"
	refused '{"a": [1]}' "stdin:1:1: cannot write the parameter 'a' into code cell 1 (id 'p'): a shell command cannot have a list or an object as a word"
	template '!ls "{a_value}"'
	refused '{"a": "a\"b"}' "stdin:1:1: cannot write the parameter 'a' into code cell 1 (id 'p'): a quote, a backslash or ! cannot be within quotes of a shell command"
	gives $'s = """\n!x {a_value}\n"""' '{"a": "$b"}' $'s = """\n!x $b\n"""'
}

@test "without a parameters cell they are assigned at the top, as papermill does, which is said" {
	{ cell markdown 'title'; cell code 'print(a)' '' x; } | notebook python
	patched '{"a": 1, "b": "x"}'
	[ "$status" = 0 ]
	[ "$source" = $'# Parameters\na = 1\nb = "x"' ]
	[[ "$stderr" == "nbpatch: t.ipynb: no code cell is tagged 'parameters': they are assigned in a cell of their own at the top, and "* ]]
	[ "$(jq -r '.cells[0].metadata.tags[0]' <<<"${output%nbpatch: *}")" = injected-parameters ]
	# One that papermill has injected is replaced where it is.
	{ cell code 'import os' '' x; cell code 'a = 7' injected-parameters y; cell code 'print(a)' '' z; } | notebook python
	run --separate-stderr nbpatch t.ipynb < <(combination '{"a": 2}')
	[ "$(jq -c '[.cells[].source]' <<<"$output")" = '["import os","# Parameters\na = 2","print(a)"]' ]
}
