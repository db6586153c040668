"""pages.py FOLDER VERSION PAGE...: manual pages as HTML, in FOLDER, with an index.

mandoc makes each page. A reference to another page of these leads to it, a section that the text
says is in another page leads there, and other projects' pages are those of Debian. The exit status
is 1 if a section that text refers to is in none.
"""

import html
import pathlib
import re
import subprocess
import sys

SHARE = pathlib.Path(__file__).resolve().parent.parent
ELSEWHERE = "https://manpages.debian.org/bookworm/{}.en.html"
PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="stylesheet" href="style.css">
</head>
<body>
<header><a href="index.html">nbscope {version}: manuals</a></header>
<main>
{body}
</main>
</body>
</html>
"""


missing = []  # sections that text refers to, and no page has


def rendered(page):
    """PAGE as HTML without its head and foot; a reference to another page leads to NAME.SECTION."""
    command = ["mandoc", "-T", "html", "-O", "fragment,toc,man=%N.%S", page]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return re.sub(r'<table class="(head|foot)">.*?</table>\n?', "", done.stdout, flags=re.S)


def description(page):
    """What its index says of PAGE."""
    return re.search(r"^\.Nd (.*)$", page.read_text(), re.M)[1].replace("\\&", "")


def anchors(text):
    return set(re.findall(r'\bid="([^"]*)"', text))


def linked(name, bodies):
    """The body of page NAME, whose links lead to pages of BODIES or elsewhere."""
    body = bodies[name]
    here = anchors(body)

    def section_of_another(match):
        target, other = match["target"], match["other"]
        if target in here or target not in anchors(bodies.get(other, "")):
            return match[0]
        return match[0].replace(f'href="#{target}"', f'href="{other}#{target}"')

    # "SECTION in PAGE" and "PAGE, SECTION".
    link = r'<a class="Sx" href="#(?P<target>[^"]*)">[^<]*</a>'
    page = r'<a class="Xr" href="(?P<other>[^"#]*)">[^<]*</a>'
    body = re.sub(rf"{link}(?:\s+in\s+){page}", section_of_another, body)
    body = re.sub(rf"{page}(?:,\s+(?:section\s+)?){link}", section_of_another, body)
    body = re.sub(
        r'href="([\w.-]+\.[0-9])(#[^"]*)?"',
        lambda m: 'href="{}"'.format(
            f"{m[1]}.html{m[2] or ''}" if m[1] in bodies else ELSEWHERE.format(m[1])
        ),
        body,
    )
    for target in re.findall(r'<a class="Sx" href="#([^"]*)"', body):
        if target not in here:
            print(f"html-manuals: {name}: no section '{target.replace('_', ' ')}'", file=sys.stderr)
            missing.append(target)
    return body


def listing(pages):
    yield "<dl>"
    for page in pages:
        name, section = page.name.rsplit(".", 1)
        text = html.escape(description(page), quote=False)
        yield f'<dt><a href="{page.name}.html">{name}({section})</a></dt><dd>{text}</dd>'
    yield "</dl>"


def doors():
    """The table of who begins where."""
    yield "<table>\n<tr><th>you are a</th><th>begin with</th><th>read</th></tr>"
    for line in (SHARE / "doors").read_text().splitlines():
        if line and not line.startswith("#"):
            who, command, page = re.split("  +", line)
            name, section = re.fullmatch(r"(.*)\(([0-9])\)", page).groups()
            yield (
                f"<tr><td>{who}</td><td><code>{html.escape(command, quote=False)}</code></td>"
                f'<td><a href="{name}.{section}.html">{page}</a></td></tr>'
            )
    yield "</table>"


def main(folder, version, *names):
    pages = sorted((pathlib.Path(name) for name in names), key=lambda p: (p.suffix, p.stem))
    folder.mkdir(parents=True, exist_ok=True)
    bodies = {page.name: rendered(page) for page in pages}
    for name in bodies:
        title = "{}({})".format(*name.rsplit(".", 1))
        body = linked(name, bodies)
        (folder / f"{name}.html").write_text(PAGE.format(title=title, version=version, body=body))
    guides = [page for page in pages if page.suffix == ".7"]
    programs = [page for page in pages if page.suffix == ".1"]
    body = ["<h1>nbscope: manuals</h1>", *doors()]
    body += ["<h2>Guides</h2>", *listing(guides), "<h2>Programs</h2>", *listing(programs)]
    title = f"nbscope {version}: manuals"
    text = PAGE.format(title=title, version=version, body="\n".join(body))
    (folder / "index.html").write_text(text)
    (folder / "style.css").write_text((SHARE / "manual/style.css").read_text())


main(pathlib.Path(sys.argv[1]), *sys.argv[2:])
sys.exit(bool(missing))
