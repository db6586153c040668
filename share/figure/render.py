"""Draws Vega-Lite specifications.

Reads from standard input one request a line, {"spec", "formats": ["svg", "png", "pdf", "html"],
"script"}, where "spec" may be the text of an SVG instead and "script" is for the page, and answers
each on standard output, in the machine's byte order: for each format uint32 length and the picture,
or once 0xffffffff, uint32 length and the text of an error. With the argument --library it only
makes what all pages share.

spec.usermeta.nbscope has "width" (of the picture, in px of 1/96 inch), "id", "title", "about",
"ground" and "ink" (colours of a page) and "dark" (colours and what they are on a dark ground). The
specification itself has no background, so that its viewer can have a dark one.
"""

import functools
import html
import json
import os
import re
import struct
import sys
import zlib

import vl_convert

VERSION = "5.8"  # of Vega-Lite: JupyterLab's is 5.6
PT_PER_PX, DOTS_PER_INCH, LISTED = 0.75, 300, 2000
MARK, MANY = (
    re.compile(
        r'<path ((?:[a-z-]*="[^"]*" )*?)transform="translate\(([-0-9.e]+),([-0-9.e]+)\)" ([^>]*?)/>'
    ),
    500,
)
TAG = re.compile(r'<(?:"[^"]*"|[^">])*>')
# Characters that XML does not allow: the characters themselves, and JSON's escapes of them.
ODD = re.compile(r"(?<!\\)((?:\\\\)*)\\u00(?:0[0-8bcef]|1[0-9a-f])|[\x7f\ufffe\uffff]", re.I)
ODD_SIGNS = "\\u00", "\x7f", "\ufffe", "\uffff"  # searched for first, in a tenth of the time


def dark_style(meta):
    """Colours are attributes, which a style sheet can replace."""
    rules = "".join(
        f'[fill="{a}"]{{fill:{b}}}[stroke="{a}"]{{stroke:{b}}}' for a, b in meta["dark"].items()
    )
    return f"<style>@media screen and (prefers-color-scheme:dark){{{rules}}}</style>"


def own_ids(body, name):
    """Ids, which a page has once, begin with the figure's."""

    def rename(tag):
        return re.sub(
            r"url\(#([a-z_0-9]+)\)",
            rf"url(#{name}-\1)",
            re.sub(r' id="([a-z_0-9]+)"', rf' id="{name}-\1"', tag[0]),
        )

    return TAG.sub(rename, body) if ' id="' in body else body


def compact(body, name):
    """Marks of one form and style are written once, and used at each of their places."""
    forms = {}

    def use(match):
        words, x, y, form = match.groups()
        form = words + form
        count = forms.setdefault(form, [f"{name}-m{len(forms)}", 0])
        count[1] += 1
        return f'<use xlink:href="#{count[0]}" x="{float(x):.5g}" y="{float(y):.5g}"/>'

    used = MARK.sub(use, body)
    if sum(n for _, n in forms.values()) < MANY:
        return body
    return (
        "<defs>"
        + "".join(f'<path id="{i}" {form}/>' for form, (i, _) in forms.items())
        + "</defs>"
        + used
    )


def svg_of(spec, meta):
    svg = vl_convert.vegalite_to_svg(spec, vl_version=VERSION)
    head, width, height, rest = re.match(
        r'(<svg [^>]*?)width="([0-9.]+)" height="([0-9.]+)"([^>]*>)', svg
    ).groups()
    body = svg[len(head) + len(rest) + len(f'width="{width}" height="{height}"') :]
    name = html.escape(meta["id"])
    body = compact(own_ids(body, name), name)
    # Panels next to each other are as wide as their names allow; the picture has the width that
    # was asked for.
    wide = meta["width"]
    size = f'width="{wide:g}" height="{float(height) * wide / float(width):.5g}"'
    words = f"<title>{html.escape(meta['title'])}</title><desc>{html.escape(meta['about'])}</desc>"
    return f'<svg id="{name}" role="img" {head[5:]}{size}{rest}{words}{dark_style(meta)}{body}\n'


def rows_of(node):
    """All data of a specification, in its order."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key == "data" and isinstance(value, dict):
                yield from value.get("values", ())
            elif isinstance(value, (dict, list)):
                yield from rows_of(value)
    elif isinstance(node, list):
        for value in node:
            yield from rows_of(value)


@functools.cache
def library():
    """Vega, Vega-Lite and Vega-Embed, which replace the picture by one that answers the pointer.

    To put them together takes seconds, so the result is kept in the environment of the package, if
    that can be written.
    """
    script = (
        "vegaEmbed('#picture', JSON.parse(document.getElementById('spec').textContent)).then("
        "() => figure_groups.in_page(document.querySelector('#picture svg.marks')))"
    )
    path = os.path.join(
        sys.prefix, f"nbscope-{vl_convert.__version__}-{VERSION}-{zlib.crc32(script.encode()):x}.js"
    )
    if sys.prefix != sys.base_prefix and os.path.exists(path):
        with open(path, encoding="utf-8") as f:
            return f.read()
    text = vl_convert.javascript_bundle(script, vl_version=VERSION)
    if sys.prefix != sys.base_prefix:
        try:
            with open(f"{path}.{os.getpid()}", "w", encoding="utf-8") as f:
                f.write(text)
            os.replace(f.name, path)
        except OSError:
            pass  # another user's environment
    return text


PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; \
style-src 'unsafe-inline'; script-src 'unsafe-inline' 'unsafe-eval'; img-src data: blob:">
<meta name="viewport" content="width=device-width">
<link rel="icon" href="data:,">
<title>%(title)s</title>
<style>
:root { color-scheme: light dark; }
body { font: 14px %(font)s; background: %(ground)s; color: %(ink)s; }
@media (prefers-color-scheme: dark) { body { background: %(dark_ground)s; color: %(dark_ink)s; } }
</style>
%(style)s
</head>
<body>
<main>
<div id="picture">%(svg)s</div>
<details><summary>List of values</summary>
<ul>
%(items)s</ul>
%(more)s</details>
</main>
<script type="application/json" id="spec">%(spec)s</script>
<script>%(script)s</script>
<script type="module">%(library)s</script>
</body>
</html>
"""


def html_of(spec, meta, svg, script):
    tips = [row["tip"] for row in rows_of(spec) if "tip" in row]
    ground, ink = meta["ground"], meta["ink"]
    return PAGE % {
        "font": spec["config"]["font"],
        "ground": ground,
        "ink": ink,
        "dark_ground": meta["dark"][ground],
        "dark_ink": meta["dark"][ink],
        "title": html.escape(meta["title"]),
        "style": dark_style(meta),
        "svg": svg,
        "items": "".join(f"<li>{html.escape(tip)}</li>\n" for tip in tips[:LISTED]),
        "more": f"<p>The first {LISTED} of {len(tips)} values.</p>\n" if len(tips) > LISTED else "",
        "spec": json.dumps(spec).replace("<", "\\u003c"),
        "script": script,
        "library": library(),
    }


def smaller(png):
    """The same pixels in a fifth of the bytes: vl-convert compresses for speed."""
    head, pixels, at = png[:8], b"", 8
    while at < len(png):
        length, kind = struct.unpack_from(">I4s", png, at)
        if kind == b"IDAT":
            pixels += png[at + 8 : at + 8 + length]
        elif kind != b"IEND":
            head += png[at : at + 12 + length]
        at += 12 + length
    return head + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in ((b"IDAT", zlib.compress(zlib.decompress(pixels))), (b"IEND", b""))
    )


def pictures(spec, formats, script):
    ready = isinstance(spec, str)
    meta = None if ready else spec["usermeta"]["nbscope"]
    if not ready:
        spec = spec | {"background": meta["ground"]}
    svg = spec if ready else svg_of(spec, meta)
    # On paper.
    plain = svg if ready else re.sub(r"<style>.*?</style>", "", svg, count=1, flags=re.S)
    for form in formats:
        if form == "svg":
            yield svg.encode()
        elif form == "html":
            yield html_of(spec, meta, svg, script).encode()
        elif form == "png":
            # An SVG's pixels are those of the picture.
            size = {} if ready else {"scale": PT_PER_PX, "ppi": DOTS_PER_INCH}
            yield smaller(vl_convert.svg_to_png(plain, **size))
        else:
            yield vl_convert.svg_to_pdf(plain, scale=PT_PER_PX)


def main():
    out = sys.stdout.buffer
    for line in sys.stdin.buffer:
        try:
            text = line.decode()
            if any(sign in text for sign in ODD_SIGNS):
                text = ODD.sub(lambda m: (m[1] or "") + "\ufffd", text)
            request = json.loads(text)
            parts = list(pictures(request["spec"], request["formats"], request.get("script")))
            answer = b"".join(struct.pack("=I", len(p)) + p for p in parts)
        except Exception as e:  # reported for this figure
            text = " ".join(str(e).split()).encode()[:300] or type(e).__name__.encode()
            answer = struct.pack("=II", 0xFFFFFFFF, len(text)) + text
        out.write(answer)
        out.flush()


try:
    if sys.argv[1:] == ["--library"]:
        library()
    else:
        main()
except BrokenPipeError:  # the reader left
    sys.stderr.close()
    sys.exit(4)
