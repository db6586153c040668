"""pending.py NAME...: starts what each of the functions below leaves to do, and prints the kinds of
the items that share/page/pending.py lists, without those that were there before."""

import asyncio
import concurrent.futures
import functools
import json
import multiprocessing
import os
import queue
import subprocess
import sys
import threading
import time
import types

import _nbscope

kernel = types.SimpleNamespace(
    _parent_ident={"shell": []}, get_parent=lambda channel: {}, set_parent=lambda *a, **k: None
)
sys.modules["IPython"] = types.SimpleNamespace(
    get_ipython=lambda: types.SimpleNamespace(kernel=kernel, user_expressions=dict)
)
_nbscope.attempt = lambda work, *args: work(*args)  # a failure is seen
running, going, k = True, True, 0
stop, wake, awake = threading.Event(), threading.Event(), asyncio.Event()
work, more = queue.Queue(), asyncio.Queue()
simple, jobs = queue.SimpleQueue(), {}
fork = multiprocessing.get_context("fork")
START = {}


def start(f):
    """f(loop) leaves something to do."""
    START[f.__name__] = f
    return f


def task(f):
    """So does the coroutine function f."""
    START[f.__name__] = lambda loop: asyncio.ensure_future(f())
    return f


def thread(f):
    """So does the function f in a thread."""
    START[f.__name__] = lambda loop: threading.Thread(target=f, daemon=True).start()
    return f


def later(f, *args):
    return asyncio.get_running_loop().call_later(1, f, *args)


def change():
    pass


def timed(f):
    t = threading.Timer(1, f)
    t.daemon = True
    t.start()


@start
def nothing(loop):
    pass


START["nothing_again"] = nothing


@start
def timer(loop):
    later(print)


# ---- callbacks that always schedule themselves again ----------------------------------------


def repeat():
    change()
    later(repeat)


def repeat_lambda():
    change()
    later(lambda: repeat_lambda())


def repeat_if():
    if not running:
        return
    change()
    later(repeat_if)


def repeat_partial(n):
    change()
    later(functools.partial(repeat_partial, n + 1))


def repeat_timer():
    change()
    timed(repeat_timer)


class Clock:
    running = True

    def __init__(self):
        self.ticking = True

    def tick(self):
        change()
        later(self.tick)

    def timer(self):
        if self.ticking:
            change()
            timed(self.timer)

    def run(self):
        while self.running:
            change()
            time.sleep(0.3)


START.update(
    tick=lambda loop: repeat(),
    tick_lambda=lambda loop: repeat_lambda(),
    tick_if=lambda loop: repeat_if(),
    tick_partial=lambda loop: repeat_partial(1),
    tick_method=lambda loop: Clock().tick(),
    tick_timer=lambda loop: repeat_timer(),
    tick_timer_method=lambda loop: Clock().timer(),
)


@start
def tick_closure(loop):
    def again():
        change()
        loop.call_later(1, again)

    again()


# ---- loops without an end --------------------------------------------------------------------


@task
async def endless_task():
    while True:
        change()
        await asyncio.sleep(0.5)


@task
async def endless_caught():
    try:
        while True:
            await asyncio.sleep(0.5)
            change()
    except asyncio.CancelledError:
        change()


@task
async def flag_task():
    while running:
        change()
        await asyncio.sleep(0.5)


@task
async def event_task():
    while not awake.is_set():
        change()
        await asyncio.sleep(0.5)


@task
async def task_again():
    change()
    await asyncio.sleep(0.5)
    asyncio.ensure_future(task_again())


@thread
def endless_thread():
    while True:
        change()
        time.sleep(0.3)


@thread
def wait_thread():
    while not stop.wait(0.5):
        change()


@thread
def set_thread():
    while not stop.is_set():
        change()
        stop.wait(0.5)


@thread
def named_wait_thread():
    while not stop.wait(timeout=0.5):
        change()


@thread
def dict_thread():
    while True:
        jobs.get(1)
        time.sleep(0.3)


START["flag_thread"] = lambda loop: threading.Thread(target=Clock().run, daemon=True).start()


# ---- what has an end -------------------------------------------------------------------------


@start
def chain(loop):
    global k
    k += 1
    if k < 5:
        later(chain, loop)


@start
def chain_argument(loop):
    def step(n):
        change()
        if n:
            loop.call_later(1, step, n - 1)

    step(3)


def proceed():
    global going
    if time.time() > 1e12:
        going = False


@task
async def changed_flag_task():
    while going:
        proceed()
        await asyncio.sleep(0.5)


@task
async def counting_task():
    n = 0
    while n < 20:
        n += 1
        await asyncio.sleep(0.5)


@task
async def for_task():
    for _ in range(20):
        await asyncio.sleep(0.5)


@thread
def counting_thread():
    end = time.time() + 9
    while time.time() < end:
        time.sleep(0.5)


# ---- workers ---------------------------------------------------------------------------------


def serve(source):
    while True:
        source.get()
        time.sleep(0.5)
        change()


def serve_event():
    while True:
        wake.wait()
        wake.clear()
        time.sleep(0.5)
        change()


async def serve_task():
    while True:
        await more.get()
        await asyncio.sleep(0.5)
        change()


async def before(names):
    """What is there before the others start."""
    if "worker" in names:
        threading.Thread(target=serve, args=(work,), daemon=True).start()
    if "woken_worker" in names:
        threading.Thread(target=serve, args=(work,), daemon=True).start()
    if "woken_event" in names:
        threading.Thread(target=serve_event, daemon=True).start()
    if "woken_pool" in names:
        jobs[7] = concurrent.futures.ThreadPoolExecutor(1)
        jobs[7].submit(int).result()
    if "task_worker" in names:
        asyncio.ensure_future(serve_task())
    await asyncio.sleep(0.02)


START.update(
    idle_worker=lambda loop: threading.Thread(target=serve, args=(work,), daemon=True).start(),
    idle_task_worker=lambda loop: asyncio.ensure_future(serve_task()),
    worker=lambda loop: work.put(1),
    task_worker=lambda loop: more.put_nowait(1),
)


@start
def simple_worker(loop):
    threading.Thread(target=serve, args=(simple,), daemon=True).start()
    simple.put(1)


@start
def event_worker(loop):
    threading.Thread(target=serve_event, daemon=True).start()
    wake.set()


# ---- pools and processes ---------------------------------------------------------------------


@start
def process_pool(loop):
    jobs[1] = concurrent.futures.ProcessPoolExecutor(1, fork)
    jobs[1].submit(time.sleep, 3).add_done_callback(change)


@start
def pool(loop):
    jobs[2] = fork.Pool(1)
    jobs[2].apply_async(time.sleep, (3,), callback=change)


@start
def idle_pool(loop):
    jobs[3] = fork.Pool(1)


@thread
def subprocess_run():
    subprocess.run(["sleep", "1"], capture_output=True)
    change()


@start
def idle_process_pool(loop):
    jobs[4] = concurrent.futures.ProcessPoolExecutor(1, fork)
    jobs[4].submit(int).result()


@start
def idle_thread_pool(loop):
    jobs[5] = concurrent.futures.ThreadPoolExecutor(1)
    jobs[5].submit(int).result()


def job():
    time.sleep(0.3)


def woken(wakes):
    """What is pending at the end of a cell, when no other thread has run since."""

    def start_at_once(loop):
        time.sleep(0.1)
        known.update(item[1] for item in asked())
        sys.setswitchinterval(60)
        wakes()
        print("at once:", *[item[0] for item in asked() if item[1] not in known], flush=True)
        sys.setswitchinterval(0.005)
        time.sleep(0.1)

    return start_at_once


START.update(
    woken_worker=woken(lambda: work.put(1)),
    woken_event=woken(lambda: wake.set()),
    woken_pool=woken(lambda: jobs[7].submit(job)),
    started_thread=woken(lambda: threading.Thread(target=job, daemon=True).start()),
    nothing_woken=woken(lambda: None),
)


@start
def two_jobs(loop):
    """The first one is there before."""
    jobs[6] = concurrent.futures.ThreadPoolExecutor(1)
    for _ in range(2):
        jobs[6].submit(job)
    time.sleep(0.1)
    known.update(item[1] for item in asked())
    time.sleep(0.35)


# ---- what wakes a task, and what is Jupyter's own ----------------------------------------------


async def wait_for(source):
    await source
    change()


@start
def event_set(loop):
    asyncio.ensure_future(wait_for(awake.wait()))
    later(awake.set)


@start
def queue_put(loop):
    asyncio.ensure_future(wait_for(more.get()))
    later(more.put_nowait, 1)


@start
def future_set(loop):
    later(loop.create_future().set_result, 1)


def callback_of(module):
    f = types.FunctionType(change.__code__, {"__name__": module})
    f.__module__ = module
    return lambda loop: later(f)


START.update(
    ipykernel_callback=callback_of("ipykernel.kernelbase"),
    tornado_callback=callback_of("tornado.gen"),
    jupyter_rfb_callback=callback_of("jupyter_rfb.widget"),
)


def asked():
    return json.loads(_nbscope.ask({}, "x"))[1]


known = set()


async def main(names):
    await before(names)
    for name in names:
        known.update(item[1] for item in asked())
        START[name](asyncio.get_running_loop())
        await asyncio.sleep(0.1)
        print(name, [item[0] for item in asked() if item[1] not in known], flush=True)


async def shielded(names):
    try:
        await main(names)
    finally:
        for child in multiprocessing.active_children():
            child.kill()
    os._exit(0)  # whatever still runs


asyncio.run(shielded(sys.argv[1:]))
