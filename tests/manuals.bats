# bats file_tags=quick
# The manuals as a website: make html-manuals.
load helpers

setup() { cd "$BATS_TEST_TMPDIR" || return; }

# page NAME.SECTION: a manual page with the description on standard input.
page() {
	printf '.Dd November 28, 2026\n.Dt X %s\n.Os nbscope\n.Sh NAME\n.Nm x\n.Nd page %s\n.Sh DESCRIPTION\n' \
		"${1##*.}" "$1" >"$1"
	cat >>"$1"
}

# links FOLDER: links of its pages that lead nowhere, and how many there are.
links() {
	python3 - "$1" <<'P'
import html.parser, pathlib, sys

class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.ids, self.links = set(), []
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.ids.add(given.get("id"))
        self.links += [given[a] for a in ("href", "src") if a in given]

folder = pathlib.Path(sys.argv[1])
pages = {path.name: Page(path) for path in folder.glob("*.html")}
here = 0
for name, page in pages.items():
    for link in page.links:
        if link.startswith("https://"):
            continue
        here += 1
        file, _, anchor = link.partition("#")
        if not (folder / (file or name)).is_file() or anchor and anchor not in pages[file or name].ids:
            print(f"{name}: {link}")
print(len(pages), "pages, more than 1000 links" if here > 1000 else here)
P
}

@test "html-manuals writes each page and an index, and all their links lead somewhere" {
	run -0 make -s -C "$ROOT" html-manuals
	[ "$output" = 'html-manuals: build/html-manuals/index.html' ]
	run -0 links "$ROOT/build/html-manuals"
	[ "$output" = "$(($(ls "$ROOT"/man/*.[17] | wc -l) + 1)) pages, more than 1000 links" ] || { echo "$output"; false; }
	for given in "$ROOT"/man/*.[17]; do
		run -0 grep -F "<a href=\"${given##*/}.html\">" "$ROOT/build/html-manuals/index.html"
	done
	run -0 cat "$ROOT/build/html-manuals/index.html"
	has "nbscope $(<"$ROOT/VERSION"): manuals"
	has '>cellmetrics(1)</a></dt><dd>compute the metrics of cells, interactions and notebooks from the records of runs</dd>'
}

@test "a section of another page, and a page of another project, are links" {
	page a.1 <<-'M'
	See
	.Sx There
	in
	.Xr b 7 ,
	or
	.Xr b 7 ,
	.Sx There ,
	and
	.Xr jq 1 .
	M
	printf '.Ss There\ntext\n' | page b.7
	run -0 python3 "$ROOT/share/manual/pages.py" out 1.2.3 a.1 b.7
	run -0 grep -o '<a class="[SX][xr]" href="[^"]*"' out/a.1.html
	[ "$output" = '<a class="Sx" href="b.7.html#There"
<a class="Xr" href="b.7.html"
<a class="Xr" href="b.7.html"
<a class="Sx" href="b.7.html#There"
<a class="Xr" href="https://manpages.debian.org/bookworm/jq.1.en.html"' ] || { echo "$output"; false; }
	grep -F '<dt><a href="b.7.html">b(7)</a></dt><dd>page b.7</dd>' out/index.html
}

@test "a reference to a section that no page has is named, and fails" {
	page a.1 <<-'M'
	See
	.Sx Nowhere .
	M
	run -1 python3 "$ROOT/share/manual/pages.py" out 1.2.3 a.1
	[ "$output" = "html-manuals: a.1: no section 'Nowhere'" ]
}
