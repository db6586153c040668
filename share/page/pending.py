# pending.py: what a kernel has left to do: the timers and tasks of its event loops, and threads.
# pending.js sends it after endless.py, and calls ask() and tell().
# An item is [kind, key, due, repetition, round]. Kinds: timer (due in seconds), delay (a
# threading.Timer, whose start is unknown: due is its interval), unknown (lives, without a known
# end) and periodic (does not end). The key is the same as long as the thing lives. The repetition
# is the same each time that a callback is scheduled or a loop waits; the round differs.
import asyncio
import contextvars
import functools
import gc
import itertools
import json
import operator
import sys
import threading
import time

# Of asyncio and tornado: what wakes a task of the user.
WAKING = ("asyncio.locks", "asyncio.queues", "tornado.locks", "tornado.queues")
IDLE = ("multiprocessing.queues", "queue", "socketserver")
WAITING = ("asyncio.locks", "asyncio.queues")


def called(handle):
    f, args = handle._callback, tuple(handle._args or ())
    for _ in range(8):
        if isinstance(f, functools.partial):
            f, args = f.func, f.args + args
        elif getattr(f, "__name__", "") in ("_run_callback", "run") and args and callable(args[0]):
            f, args = args[0], args[1:]
        else:
            break
    return f, args


def is_internal(f, owner, word):
    if isinstance(owner, asyncio.Future):
        return word not in ("set_result", "set_exception", "cancel")
    name = str(getattr(f, "__module__", None) or type(owner).__module__)
    return (
        is_own(name)
        or name not in WAKING
        and name.split(".")[0] in ("asyncio", "_asyncio", "tornado")
    )


def add_handles(items, loop, sleeping):
    now = loop.time()
    for handle in list(loop._scheduled) + list(loop._ready.copy()):
        if handle._cancelled:
            continue
        f, args = called(handle)
        owner, word = getattr(f, "__self__", None), getattr(f, "__name__", "")
        when = getattr(handle, "_when", now)
        if type(owner).__name__ == "PeriodicCallback":
            items.append(["periodic", f"c{id(owner):x}", 0, "", ""])
        elif word == "_set_result_unless_cancelled" and args:
            sleeping[id(args[0])] = (max(0, when - now), when)
        elif not is_internal(f, owner, word):
            name, again = callback(f)
            key = f"h{id(handle):x}.{getattr(handle, '_when', '')}"
            items.append(
                [
                    "periodic" if again else "timer",
                    "c" + name if again else key,
                    max(0, when - now),
                    name,
                    key,
                ]
            )


def add_task(items, task, sleeping):
    coro, frames = task.get_coro(), []
    while coro is not None:
        frame = getattr(coro, "cr_frame", None) or getattr(coro, "gi_frame", None)
        if frame is None:
            break
        frames.append(frame)
        coro = getattr(coro, "cr_await", None) or getattr(coro, "gi_yieldfrom", None)
    if not frames or is_own(module(frames[0])):
        return
    waits, key = getattr(task, "_fut_waiter", None), f"k{id(task):x}"
    if waits is None:
        items.append(["timer", key, 0, "", ""])
    elif id(waits) in sleeping:
        due, when = sleeping[id(waits)]
        how = [endless(f) for f in frames if is_users(f)]
        if "again" in how:
            key = f"c{id(frames[0].f_code):x}"
        items.append(["periodic" if any(how) else "timer", key, due, repetition(frames), str(when)])
    elif (
        not isinstance(waits, asyncio.Task)
        and type(waits).__name__ != "_GatheringFuture"
        and module(frames[-1]) not in WAITING
    ):
        items.append(["unknown", key, 0, "", ""])


def stacks_of(threads):
    """The frames of each thread, the innermost first: all in one call of C, during which no other
    thread runs. A thread that ran between two steps would free what its frames refer to."""
    tops = map(dict.get, iter(sys._current_frames, None), [thread.ident for thread in threads])
    chains = map(itertools.chain, zip(tops), itertools.repeat(itertools.repeat("f_back")))
    walks = map(itertools.accumulate, chains, itertools.repeat(getattr))
    stacks = map(itertools.takewhile, itertools.repeat(operator.truth), walks)
    collects = gc.isenabled()
    gc.disable()  # a collection runs code of Python
    try:
        return list(map(list, stacks))
    finally:
        if collects:
            gc.enable()


def local(stack, name, function, of):
    """A variable of a library's function on the stack, or None."""
    for frame in stack:
        if frame.f_code.co_name == function and module(frame) == of:
            return frame.f_locals.get(name)
    return None


def is_woken(stack):
    """Whether what a thread waits for has come, though the thread has not run since."""
    for frame in stack[:4]:
        waiter = frame.f_locals.get("waiter") if module(frame) == "threading" else None
        if waiter is not None and waiter not in frame.f_locals["self"]._waiters:
            return True
    jobs = local(stack[:1], "work_queue", "_worker", "concurrent.futures.thread")
    return jobs is not None and jobs.qsize() > 0


def is_idle(stack):
    """Whether a thread waits for something to do."""
    names = [module(f) for f in stack]
    waits = [f for f in stack[:3] if module(f) == "threading" and f.f_code.co_name == "wait"]
    limit = waits[-1].f_locals.get("timeout") if waits else 0
    return (
        not stack
        or not is_woken(stack)
        and (
            limit is None
            or limit > 5
            or any(n in IDLE for n in names[:4])
            or "selectors" in names[:4]
            and "asyncio.base_events" in names
            or names[0] == "concurrent.futures.thread"
            and stack[0].f_code.co_name == "_worker"
        )
    )


def is_starting(thread, stack):
    """Whether it has not reached the user's function yet."""
    code = getattr(getattr(thread, "_target", None) or type(thread).run, "__code__", None)
    return (
        code is not None and not is_installed(code) and all(module(f) == "threading" for f in stack)
    )


def cpu_time(thread):
    """It rises with each round of a loop that sleeps."""
    try:
        return str(int(time.clock_gettime(time.pthread_getcpuclockid(thread.ident)) * 1e6))
    except (AttributeError, OSError):
        return ""


def add_thread(items, thread, stack):
    target = getattr(thread, "_target", None)
    if (
        thread in (threading.main_thread(), threading.current_thread())
        or is_own(type(thread).__module__)
        or is_own(str(getattr(target, "__module__", "")))
        or hasattr(thread, "is_pydev_daemon_thread")
    ):
        return
    # Work that other processes do, whose results a thread of a library waits for.
    awaited = getattr(thread, "pending_work_items", None)
    pooled = local(stack, "cache", "_handle_results", "multiprocessing.pool")
    for job in [*(awaited or {}).values(), *(pooled or {}).values()]:
        items.append(["unknown", f"j{id(getattr(job, 'future', job)):x}", 0, "", ""])
    work = local(stack, "work_item", "_worker", "concurrent.futures.thread")
    key = f"r{id(thread):x}.{thread.native_id}.{id(work):x}"
    users = [f for f in stack if is_users(f)]
    if isinstance(thread, threading.Timer):
        waits = any(f.f_code.co_name == "wait" and module(f) == "threading" for f in stack[:3])
        name, again = callback(thread.function)
        items.append(
            [
                "periodic" if again else "delay" if waits else "unknown",
                "c" + name if again else key,
                thread.interval,
                name,
                key,
            ]
        )
    elif not is_idle(stack) and (
        users or not thread.daemon and awaited is None or is_starting(thread, stack)
    ):
        kind = "periodic" if any(endless(f) == "loop" for f in users) else "unknown"
        items.append([kind, key, 0, repetition(stack), cpu_time(thread)])


def attempt(work, *args):
    # The internals of another version may differ.
    try:
        work(*args)
    except Exception:
        pass


def add_tasks(items, loop, sleeping):
    for task in asyncio.all_tasks(loop):
        if task is not asyncio.current_task(loop):
            attempt(add_task, items, task, sleeping)


def add_all(items, main):
    # Subshells, which handle widget messages, have an event loop of their own.
    threads, loops = threading.enumerate(), [main]
    for thread, stack in zip(threads, stacks_of(threads)):
        loops.append(local(stack, "self", "run_forever", "asyncio.base_events"))
        attempt(add_thread, items, thread, stack)
    for loop in {id(loop): loop for loop in loops if loop}.values():
        sleeping = {}
        attempt(add_handles, items, loop, sleeping)
        attempt(add_tasks, items, loop, sleeping)


# The answer to a question has the question as its parent, and so would all that threads print and
# display from then on, which JupyterLab would not show: the previous parent is set again.
def set_parent_again(loop, parent, own_id):
    kernel = sys.modules["IPython"].get_ipython().kernel
    ident = kernel._parent_ident["shell"]
    if hasattr(kernel, "_shell_context"):
        contextvars.copy_context().run(kernel.set_parent, ident, parent, channel="shell")
        return

    def after():
        if kernel.get_parent("shell").get("header", {}).get("msg_id") == own_id:
            kernel.set_parent(ident, parent, channel="shell")

    loop.call_soon(after)


def pending(loop):
    items = []
    budget[0] = MAX_CODES
    attempt(add_all, items, loop)
    return items


around = []  # ms that IPython took around a call of tell(), each time that it was measured
MEASURED = 3  # times


def measure_around():
    if len(around) == MEASURED:
        return
    began = time.perf_counter()
    sys.modules["IPython"].get_ipython().user_expressions(
        {"nbscope": "__import__('sys').modules['_nbscope'].json.dumps([0.0, [], 0.0, 0.0])"}
    )
    around.append((time.perf_counter() - began) * 1000)


def ask(parent, own_id):
    """With a request of its own: the CPU time of the kernel so far in ms, and the items."""
    loop = asyncio.get_running_loop()
    attempt(set_parent_again, loop, parent, own_id)
    attempt(measure_around)
    return json.dumps([time.process_time() * 1000, pending(loop)])


def tell():
    """With a cell's own request, at its end: the CPU time that this takes in ms, the items, the
    wall time that this takes in ms, and when it began in Unix ms."""
    at, wall, cpu = time.time(), time.perf_counter(), time.thread_time()
    items, more = pending(asyncio.get_running_loop()), min(around, default=0)
    return json.dumps(
        [
            (time.thread_time() - cpu) * 1000 + more,
            items,
            (time.perf_counter() - wall) * 1000 + more,
            at * 1000,
        ]
    )
