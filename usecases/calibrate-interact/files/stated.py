"""What the gestures of calibrate-interact cause, as the page and the kernel state it themselves."""

import json
import time

from IPython.display import HTML, display

truths = {}  # name of a gesture -> field of its record -> true value

# heard(): an input of a gesture; changed(): what is visible has changed.
PAGE = """<script>{
  const states = window.stated = {};
  const ms = t => Math.round(t * 1000) / 1000;
  window.heard = (name, e) => {
    const state = states[name] ??= {first: e.timeStamp, truth: {}};
    state.last = e.timeStamp;
    return state;
  };
  window.changed = (name, fields) => {
    const state = states[name], t = performance.now(), {truth} = state;
    const values = {
      first_visual_change_ms: truth.first_visual_change_ms ?? ms(t - state.first),
      last_visual_change_ms: ms(t - state.last), client_ms: ms(t - state.first),
      frames_shown: (truth.frames_shown ?? 0) + !state.waits,
    };
    state.waits ||= requestAnimationFrame(() => { state.waits = 0; });
    for (const field of fields)
      truth[field] = values[field];
  };
}</script>"""


def page(html, script):
    """Shows `html`, and runs `script` with its element, `root`."""
    display(
        HTML(f"""<div>{html}</div><script>{{
  const root = document.currentScript.previousElementSibling;
  {script}
}}</script>""")
    )


def counted(name, widget):
    """From now on, messages of the page to this widget are truths of a gesture."""
    truth = truths[name] = {"kernel_callback_ms": 0, "comm_messages_sent": 0}
    handle = widget._handle_msg

    def handle_counted(message):
        begin = time.monotonic()
        handle(message)
        truth["kernel_callback_ms"] += (time.monotonic() - begin) * 1000
        truth["comm_messages_sent"] += 1

    widget.comm.on_msg(handle_counted)
    return widget


def report(states):
    """All true values, of the kernel and (`states`, as JSON) of the page."""
    both = {name: dict(truth) for name, truth in truths.items()}
    for name, state in json.loads(states).items():
        both.setdefault(name, {}).update(state["truth"])
    return json.dumps(both)
