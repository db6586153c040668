"""Makes small copies of the pictures that a report may show.

Usage: thumbnails.py METRICS SCREENSHOTS FOLDER

METRICS are cell_metrics records; SCREENSHOTS has a folder of PNGs for each run. Writes
FOLDER/RUN/NAME.jpg for each large picture unless it is newer, and removes those of other pictures.
"""

import base64
import json
import os
import pathlib
import struct
import sys
from concurrent.futures import ProcessPoolExecutor

WIDTH, QUALITY, SMALL_BYTES, MOST = 640, 70, 60000, 3000
SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
    'width="{w}" height="{h}"><rect width="{w}" height="{h}" fill="#fff"/>'
    '<image width="{w}" height="{h}" xlink:href="data:image/png;base64,{png}"/></svg>'
)


def pictures_of(record):
    """RUN/NAME.png of what the record names."""
    name, repetition = record["name"], record.get("repetition") or 1
    run = f"{name}@{repetition}" if repetition > 1 else name
    if record.get("screenshot"):
        yield f"{run}/{record['screenshot']}"
    for frame in record.get("frames") or ():
        yield f"{name}@film/{frame['file']}"


def wanted(metrics):
    with open(metrics, encoding="utf-8") as lines:
        for line in lines:
            if '"type":"cell_metrics"' in line and not (
                '"screenshot":null' in line and '"frames":null' in line
            ):
                yield from pictures_of(json.loads(line))


def is_inside(name):
    return ".." not in pathlib.PurePath(name).parts and not name.startswith("/")


def make(paths):
    import vl_convert

    png, to = paths
    data = png.read_bytes()
    width, height = struct.unpack(">II", data[16:24])
    scale = min(1, WIDTH / width)
    svg = SVG.format(
        w=round(width * scale), h=max(1, round(height * scale)), png=base64.b64encode(data).decode()
    )
    to.parent.mkdir(parents=True, exist_ok=True)
    part = to.with_suffix(".part")
    part.write_bytes(vl_convert.svg_to_jpeg(svg, quality=QUALITY))
    part.rename(to)


def main():
    metrics, shots, folder = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    current, todo = set(), []
    for name in sorted({n for n in wanted(metrics) if is_inside(n)})[:MOST]:
        png, to = shots / name, (folder / name).with_suffix(".jpg")
        if not png.is_file() or png.stat().st_size <= SMALL_BYTES:
            continue
        current.add(to)
        if not to.exists() or to.stat().st_mtime < png.stat().st_mtime:
            todo.append((png, to))
    for old in folder.rglob("*.jpg"):
        if old not in current:
            old.unlink()
    if len(todo) > 1:
        with ProcessPoolExecutor(min(len(todo), os.cpu_count() or 1)) as pool:
            list(pool.map(make, todo))
    elif todo:
        make(todo[0])


main()
