"""closing.py FOLDER [NAME[+NAME...]...]: notebooks that close what they show, and planted leaks.

make leaks must accuse none of the first (tests/leaks.bats; all of them take half an hour), and name
what holds the leak of the others.
"""

import json
import os
import sys

CLOSE = "from ipywidgets import Widget\nWidget.close_all()"
CLOSING = {
    # outputs alone
    "text": ["for i in range(200):\n    print(i)", "1 + 1;"],
    "table": [
        "import numpy as np, pandas as pd\nfrom IPython.display import display",
        "display(pd.DataFrame(np.random.rand(60, 8)))",
    ],
    "image": [
        "from IPython.display import Image, display\nimport matplotlib.pyplot as plt, io",
        "fig, ax = plt.subplots()\nax.plot(range(100))\nb = io.BytesIO()\nfig.savefig(b)\n"
        "plt.close(fig)\ndisplay(Image(b.getvalue()))",
    ],
    "inline": [
        "import matplotlib.pyplot as plt",
        "plt.scatter(range(500), range(500))\nplt.show()",
    ],
    "html": [
        "from IPython.display import HTML, display",
        "display(HTML('<ul>' + '<li>item</li>' * 300 + '</ul>'))",
    ],
    "markdown": [
        "from IPython.display import Markdown, Math, display",
        "display(Markdown('# A\\n\\n' + 'some *text* ' * 200), Math(r'\\int_0^1 x^2 dx'))",
    ],
    "display_id": [
        "from IPython.display import display",
        "h = display(0, display_id=True)\nfor i in range(50):\n    h.update(i)",
    ],
    "large_array": ["import numpy as np", "a = np.random.rand(500, 500)\nb = a @ a\nb.sum();"],
    "error_caught": ["try:\n    {}['x']\nexcept KeyError as e:\n    print(repr(e))"],
    "thread": [
        "import threading, queue\nq = queue.Queue()",
        "t = [threading.Thread(target=q.put, args=(bytes(1000),)) for _ in range(8)]\n"
        "[x.start() for x in t]; [x.join() for x in t]\n[q.get() for _ in t];",
    ],
    # widgets
    "slider": [
        "import ipywidgets as w\nfrom IPython.display import display",
        "s = w.IntSlider()\ndisplay(s)\ns.value = 5",
        CLOSE,
    ],
    "interact": [
        "import ipywidgets as w\nimport matplotlib.pyplot as plt",
        "@w.interact(n=(1, 9))\ndef f(n=3):\n    plt.plot(range(n))\n    plt.show()",
        CLOSE,
    ],
    "boxes": [
        "import ipywidgets as w\nfrom IPython.display import display",
        "t = w.HBox([w.VBox([w.Text(), w.Button(), w.Output()]) for _ in range(4)])\ndisplay(t)",
        CLOSE,
    ],
    "output_widget": [
        "import ipywidgets as w\nfrom IPython.display import display",
        "o = w.Output()\ndisplay(o)\nwith o:\n    for i in range(20):\n        print(i)",
        CLOSE,
    ],
    "linked": [
        "import ipywidgets as w\nfrom IPython.display import display",
        "a, b = w.FloatSlider(), w.FloatText()\nl = w.jslink((a, 'value'), (b, 'value'))\n"
        "display(a, b)\na.observe(print, 'value')",
        "l.unlink(); a.unobserve_all(); " + CLOSE.replace("\n", "; "),
    ],
    "bqplot": [
        "import numpy as np, bqplot.pyplot as plt",
        "fig = plt.figure()\nplt.plot(np.arange(200), np.random.rand(200))\nplt.show()",
        "plt._context.update(figure=None, figure_registry={}, scales={}, scale_registry={},\n"
        "                    last_mark=None)\n" + CLOSE,
    ],
    "vuetify": [
        "import ipyvuetify as v\nfrom IPython.display import display",
        "b = v.Card(children=[v.Btn(children=['x']), v.TextField(label='y')])\ndisplay(b)",
        # What close_all() closes as well is a theme that the module makes once.
        "for each in [*b.children, b]:\n    each.close()",
    ],
    "ipympl": [
        "%matplotlib widget\nimport matplotlib.pyplot as plt",
        "fig, ax = plt.subplots()\nax.imshow([[1, 2], [3, 4]])\nplt.show()",
        "plt.close('all')\n" + CLOSE,
    ],
    "anywidget": [
        "import anywidget, traitlets",
        "class C(anywidget.AnyWidget):\n"
        "    _esm = '''export default {render({model, el}) {\n"
        "        const b = document.createElement('button');\n"
        "        b.textContent = model.get('n'); el.append(b); }}'''\n"
        "    n = traitlets.Int(0).tag(sync=True)",
        "from IPython.display import display\nc = C()\ndisplay(c)\nc.n = 3",
        CLOSE,
    ],
    "ipyleaflet": [
        "import ipyleaflet as l\nfrom IPython.display import display",
        "m = l.Map(center=(0, 0), zoom=1, layers=[l.TileLayer(url='data:,')])\nm.add(l.Marker())\n"
        "display(m)",
        CLOSE,
    ],
    "plotly": [
        "import plotly.graph_objects as go",
        "f = go.Figure(go.Scatter(y=list(range(100))))\nf.show()",
    ],
    "itables": [
        "import itables, pandas as pd, numpy as np\nfrom IPython.display import display",
        "itables.show(pd.DataFrame(np.random.rand(50, 4)))",
    ],
}
LEAKING = {
    "kept": ["kept = globals().get('kept', [])", "kept.append(bytearray(1_000_000))"],
    "closure": [
        "def make():\n    held = []\n    return lambda x: held.append(x)\n"
        "f = globals().get('f') or make()",
        "import numpy as np\nf(np.ones(125_000))",
    ],
    "class": [
        "class Cache:\n    seen = globals()['Cache'].seen if 'Cache' in globals() else {}",
        "Cache.seen[len(Cache.seen)] = ['x' * 1000 + str(i) for i in range(1000)]",
    ],
    "output": ["'x' * 1_000_000 + str(len(Out))"],
    "window": [
        "from IPython.display import Javascript, display",
        "display(Javascript('(window.keptHere = window.keptHere || [])'\n"
        "    '.push(new Array(125000).fill(1.5))'))",
    ],
    "listener": [
        "from IPython.display import Javascript, display",
        "display(Javascript('const big = new Float64Array(125000);'\n"
        "    'window.addEventListener(\"resize\", () => big.length)'))",
    ],
    "unclosed": [
        "import ipywidgets as w\nfrom IPython.display import display",
        "s = w.HTML('<p>' + 'x' * 300_000)\ndisplay(s)",
    ],
}


def write(folder, name, sources):
    cells = [
        {"cell_type": "code", "id": f"c{i}", "metadata": {}, "source": source, "outputs": [],
         "execution_count": None}
        for i, source in enumerate(sources)
    ]  # fmt: skip
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    with open(os.path.join(folder, name + ".ipynb"), "w") as file:
        json.dump(
            {
                "cells": cells,
                "metadata": {"kernelspec": kernel},
                "nbformat": 4,
                "nbformat_minor": 5,
            },
            file,
        )


folder, *names = sys.argv[1:]
ALL = {**CLOSING, **LEAKING}
for name in names or ALL:
    write(folder, name, [source for part in name.split("+") for source in ALL[part]])
