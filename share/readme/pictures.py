"""pictures.py USECASE FOLDER: the pictures of the README, from a report of USECASE's label current.

report.png is the top of the report's page in a browser, up to an empty line; figure.png is the time
of the cells by phase. Both have a palette, so that they are small.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

from PIL import Image

WIDTH, HEIGHT, COLOURS = 1200, 1400, 256


def page_shown(page, picture):
    command = ["chromium", "--headless=new", "--hide-scrollbars", f"--window-size={WIDTH},2000"]
    command += ["--no-sandbox"] if os.geteuid() == 0 else []
    command += [f"--screenshot={picture}", page.resolve().as_uri()]
    subprocess.run(command, check=True, capture_output=True, timeout=60)


def cut(image):
    """IMAGE up to the last line, at most HEIGHT, in which all is background."""
    pixels = image.convert("L")
    background = pixels.getpixel((0, 0))
    for y in range(min(HEIGHT, image.height) - 1, 0, -1):
        if pixels.crop((0, y, image.width, y + 1)).getextrema() == (background, background):
            return image.crop((0, 0, image.width, y))
    return image


def save(image, path):
    small = image.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    small.save(path, optimize=True)
    print(f"readme-pictures: {path}: {path.stat().st_size / 1000:.0f} kB")


def main(usecase, folder):
    report = usecase / "report/current"
    with tempfile.TemporaryDirectory() as scratch:
        picture = pathlib.Path(scratch, "page.png")
        page_shown(report / "index.html", picture)
        save(cut(Image.open(picture)), folder / "report.png")
    figure = Image.open(report / "figures/waterfall.png")
    height = round(figure.height * WIDTH / figure.width)
    save(figure.resize((WIDTH, height), Image.Resampling.LANCZOS), folder / "figure.png")


main(*(pathlib.Path(name) for name in sys.argv[1:]))
