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


def state_messages(kernel):
    """Lets the kernel state how many messages it handles for counted() callbacks, and how long."""
    before, after = kernel.pre_handler_hook, kernel.post_handler_hook

    def begin():
        state_messages.names, state_messages.since = set(), time.monotonic()
        before()

    def end():
        for truth in map(truths.get, state_messages.names):
            truth["kernel_callback_ms"] += (time.monotonic() - state_messages.since) * 1000
            truth["comm_messages_sent"] += 1
        # It may have come while a cell ran, which has an end, too.
        state_messages.names = set()
        after()

    kernel.pre_handler_hook, kernel.post_handler_hook = begin, end


def counted(name):
    """Called in a callback: what is being handled is part of this gesture."""
    truths.setdefault(name, {"kernel_callback_ms": 0, "comm_messages_sent": 0})
    state_messages.names.add(name)


def report(states):
    """All true values, of the kernel and (`states`, as JSON) of the page."""
    both = {name: dict(truth) for name, truth in truths.items()}
    for name, state in json.loads(states).items():
        both.setdefault(name, {}).update(state["truth"])
    return json.dumps(both)
