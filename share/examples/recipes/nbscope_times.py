"""An extension of Sphinx: pages of notebooks show what each cell cost, as nbscope measured it.

In _config.yml of a Jupyter Book: sphinx: {local_extensions: {nbscope_times: .}}
"""

from docutils import nodes
from sphinx.transforms import SphinxTransform


def words(cost):
    seconds = [
        f"{cost[name]:.2f} s{where}"
        for name, where in (("client_s", ""), ("kernel_s", " in the kernel"))
        if cost.get(name) is not None
    ]
    memory, status = cost.get("kernel_peak_rss_bytes"), cost.get("status", "completed")
    parts = seconds + ([f"{memory / 1e6:.0f} MB"] if memory else [])
    return ", ".join(([] if status == "completed" else [status.replace("_", " ")]) + parts)


class CellTimes(SphinxTransform):
    default_priority = 400

    def apply(self):
        for cell in list(self.document.findall(nodes.container)):
            cost = cell.get("cell_metadata", {}).get("nbscope") or {}
            text = words(cost)
            if text:
                cell += nodes.paragraph("", text, classes=["nbscope-times"])


def setup(app):
    app.add_transform(CellTimes)
    return {"parallel_read_safe": True}
