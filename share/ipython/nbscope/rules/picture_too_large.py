"""An image has far more pixels than its place."""

from .words import number, size

RULE = {
    "name": "picture_too_large",
    "title": "A picture has far more pixels than its place",
    "saw": "an image of the output has at least eight times as many pixels as the place on the "
    "screen that shows it (pixels of the device, so a sharp picture on a fine screen is none).",
    "instead": "make the picture as large as it is shown: a smaller dpi or figsize, or scale it "
    "down before it is sent",
    "least": {"bytes": 500_000, "pixels": 10_000_000},
    "means": "the bytes of the file, or the pixels that the browser decodes, in excess of those "
    "of the place",
}
FAR_MORE = 8


def find(evidence):
    for p in evidence.get("pictures") or ():
        pixels, shown = p["width"] * p["height"], p["shown_width"] * p["shown_height"]
        if shown <= 0 or pixels < FAR_MORE * shown:
            continue
        of = f" ({size(p['bytes'])})" if p.get("bytes") else ""
        yield {
            "text": f"cell {evidence['cell']} shows a picture of {number(p['width'])} x "
            f"{number(p['height'])} pixels{of} in {number(p['shown_width'])} x "
            f"{number(p['shown_height'])}",
            "saved_bytes": (p.get("bytes") or 0) * (1 - shown / pixels),
            "saved_pixels": pixels - shown,
        }
