# bats file_tags=quick
# share/page/README.md, the map of the scripts, agrees with the scripts.
load helpers

setup() {
	cd "$ROOT/share/page" || return
	sed -n 's/^| \([a-z]*\.\(js\|py\|json\)\) |/\1 |/p' README.md >"$BATS_TEST_TMPDIR/rows"
}

@test "each script is in the map once" {
	diff <(cut -d' ' -f1 "$BATS_TEST_TMPDIR/rows" | sort) <(ls | grep -v README.md)
}

@test "the map's order is that in which the page gets the scripts" {
	run -0 python3 - "$ROOT/tools/run/lib/page/page_load.c" <<'P'
import re, sys
body = re.search(r"^all_scripts\(void\).*?^}", open(sys.argv[1]).read(), re.M | re.S)[0]
names = {"page_rules_json": "rules.json", "python": "endless.py\npending.py"}
arguments = re.search(r"xasprintf\((.*?)\);", body, re.S)[1]
print("own.js", *(names.get(a) or re.sub(r"page_(\w+)_js", r"\1.js", a)
    for a in re.findall(r"\b(page_\w+|python)\b(?=,|$)", arguments)), sep="\n")
P
	[ "$output" = "$(sed '/^picture/,$d; s/ .*//' "$BATS_TEST_TMPDIR/rows")" ]
}

@test "what each script defines and uses is in its row" {
	while IFS='|' read -r file defines uses _; do
		file=${file% }
		[[ $file == *.js ]] || continue
		defined=$(grep -oE "defineProperty\(window, '__nbscope\w+" "$file" | sed 's/.*__nbscope//' | sort -u | paste -sd' ')
		used=$(grep -oE '__nbscope\w+' "$file" | sed 's/__nbscope//' | sort -u | grep -vxF "$defined" | paste -sd' ')
		[ "$(xargs <<<"$defines")/$(xargs <<<"$uses")" = "$defined/$used" ] || { echo "$file: the map says '$defines/$uses', the source '$defined/$used'"; false; }
	done <"$BATS_TEST_TMPDIR/rows"
}

@test "the labextension has its scripts in the map's order, and the colours of its phases are those of all figures" {
	cd "$ROOT/share/labextension"
	python3 write.py "$BATS_TEST_TMPDIR/made"
	run -0 python3 - "$BATS_TEST_TMPDIR" ../../tools/lib/metric/phase.c <<'P'
import glob, json, re, sys
made = glob.glob(f"{sys.argv[1]}/made/static/nbscope.*.js")[0]
rows = [line.split(" ")[0] for line in open(f"{sys.argv[1]}/rows")]
has = re.findall(r"^// (\w+\.js):", open(made).read(), re.M)
assert has[-1] == "line.js" and has[:-1] == [name for name in rows if name in has], has
package = json.load(open(f"{sys.argv[1]}/made/package.json"))
open(f"{sys.argv[1]}/made/{package['jupyterlab']['_build']['load']}")
phases = dict((n, c) for n, *c in re.findall(r'"(\w+)", "(#\w+)", "(#\w+)"', open(sys.argv[2]).read()))
colours = {}
for name, colour in re.findall(r"--(\w+): (#\w+)", open("line.css").read()):
    colours.setdefault(name, []).append(colour)
assert colours and colours == {name: list(phases[name]) for name in colours}, (colours, phases)
P
}
