// pending.js: what a cell has left to do in the kernel after its reply.
// question(first, parent, own) returns the Python expression that lists it: the event loop's timers
// and tasks, and threads. It leaves only the module _nbscope in the kernel, in sys.modules. Pending
// reads its answers for one cell.
// Instants are performance.now() in ms.
(() => {
	if (window.__nbscopePending)
		return;
	// An item is [kind, key, due, repetition]. Kinds: timer (due in seconds), delay (a
	// threading.Timer, whose start is unknown: due is its interval), unknown (lives, without a
	// known end) and periodic (cannot end). A key is the same as long as the thing lives; a
	// repetition is the same each time that a callback is scheduled.
	// The answer to a question has the question as its parent, and so would all that threads
	// print and display from then on, which JupyterLab would not show: the previous parent is
	// set again.
	const PYTHON = String.raw`
def ask(parent, own_id):
    import asyncio, contextvars, dis, functools, json, sys, threading, time
    OWN = ("_nbscope", "ipykernel", "zmq", "jupyter", "IPython", "debugpy", "pydevd", "_pydev",
           "tornado.platform", "tqdm.")
    IDLE = ("queue", "selectors", "multiprocessing.pool", "multiprocessing.connection")
    LIB = tuple({sys.prefix, sys.base_prefix, sys.exec_prefix})
    items = []
    def module(frame):
        return str(frame.f_globals.get("__name__"))
    def is_users(frame):
        return module(frame) == "__main__" or not frame.f_code.co_filename.startswith(LIB + ("<frozen",))
    def is_endless(frame):
        # Whether no return can be reached from where it is.
        ops = list(dis.get_instructions(frame.f_code))
        at = {op.offset: n for n, op in enumerate(ops)}
        todo, seen = [at.get(frame.f_lasti)], set()
        while todo:
            n = todo.pop()
            if n is None:
                return False
            if n in seen or n == len(ops):
                continue
            seen.add(n)
            op = ops[n]
            if op.opname in ("RETURN_VALUE", "RETURN_CONST"):
                return False
            if op.opname in ("RAISE_VARARGS", "RERAISE"):
                continue
            if op.opcode in dis.hasjrel or op.opcode in dis.hasjabs:
                todo.append(at.get(op.argval))
                if op.opname.startswith(("JUMP_FORWARD", "JUMP_BACKWARD", "JUMP_ABSOLUTE")):
                    continue
            todo.append(n + 1)
        return True
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
    def add_handles(loop, sleeping):
        now = loop.time()
        for handle in list(loop._scheduled) + list(loop._ready.copy()):
            if handle._cancelled:
                continue
            f, args = called(handle)
            owner = getattr(f, "__self__", None)
            name = str(getattr(f, "__module__", None) or type(owner).__module__)
            due = max(0, getattr(handle, "_when", now) - now)
            if type(owner).__name__ == "PeriodicCallback":
                items.append(["periodic", "c%x" % id(owner), 0, ""])
            elif getattr(f, "__name__", "") == "_set_result_unless_cancelled" and args:
                sleeping[id(args[0])] = due
            elif isinstance(owner, asyncio.Future) or name.startswith(OWN + ("asyncio", "_asyncio", "tornado.")):
                pass
            else:
                items.append(["timer", "h%x.%s" % (id(handle), getattr(handle, "_when", "")), due,
                              "%x.%x" % (id(getattr(f, "__func__", f)), id(owner))])
    def add_tasks(loop, sleeping):
        for task in asyncio.all_tasks(loop):
            coro, frames = task.get_coro(), []
            while coro is not None:
                frame = getattr(coro, "cr_frame", None) or getattr(coro, "gi_frame", None)
                if frame is None:
                    break
                frames.append(frame)
                coro = getattr(coro, "cr_await", None) or getattr(coro, "gi_yieldfrom", None)
            if task is asyncio.current_task(loop) or not frames or module(frames[0]).startswith(OWN):
                continue
            waits, key = getattr(task, "_fut_waiter", None), "k%x" % id(task)
            if waits is None:
                items.append(["timer", key, 0, ""])
            elif id(waits) in sleeping:
                endless = any(is_endless(f) for f in frames if is_users(f))
                items.append(["periodic" if endless else "timer", key, sleeping[id(waits)], ""])
            elif not isinstance(waits, asyncio.Task) and type(waits).__name__ != "_GatheringFuture" \
                    and module(frames[-1]) not in ("asyncio.queues", "asyncio.locks"):
                items.append(["unknown", key, 0, ""])
    def stack_of(thread, tops):
        stack, frame = [], tops.get(thread.ident)
        while frame:
            stack.append(frame)
            frame = frame.f_back
        return stack
    def add_thread(thread, stack):
        names = (type(thread).__module__, str(getattr(getattr(thread, "_target", None), "__module__", "")))
        if thread in (threading.main_thread(), threading.current_thread()) or \
                any(n.startswith(OWN) for n in names) or hasattr(thread, "is_pydev_daemon_thread"):
            return
        key = "r%x.%s" % (id(thread), thread.native_id)
        waits = [f for f in stack[:3] if module(f) == "threading" and f.f_code.co_name == "wait"]
        limit = waits[-1].f_locals.get("timeout") if waits else 0
        if isinstance(thread, threading.Timer):
            items.append(["delay" if waits else "unknown", key, thread.interval, ""])
        elif not stack or limit is None or limit > 5 or any(module(f) in IDLE for f in stack[:4]) or \
                (stack[0].f_code.co_name == "_worker" and module(stack[0]) == "concurrent.futures.thread"):
            pass
        elif not thread.daemon or any(is_users(f) for f in stack):
            endless = any(is_endless(f) for f in stack if is_users(f))
            items.append(["periodic" if endless else "unknown", key, 0, ""])
    def add_threads(main):
        # Subshells, which handle widget messages, have an event loop of their own.
        tops, loops = sys._current_frames(), [main]
        for thread in threading.enumerate():
            stack = stack_of(thread, tops)
            loops += [f.f_locals["self"] for f in stack
                      if f.f_code.co_name == "run_forever" and module(f) == "asyncio.base_events"]
            add_thread(thread, stack)
        for loop in {id(l): l for l in loops}.values():
            sleeping = {}
            add_handles(loop, sleeping)
            add_tasks(loop, sleeping)
    def set_parent_again(loop):
        kernel = sys.modules["IPython"].get_ipython().kernel
        ident = kernel._parent_ident["shell"]
        if hasattr(kernel, "_shell_context"):
            contextvars.copy_context().run(kernel.set_parent, ident, parent, channel="shell")
            return
        def after():
            if kernel.get_parent("shell").get("header", {}).get("msg_id") == own_id:
                kernel.set_parent(ident, parent, channel="shell")
        loop.call_soon(after)
    loop = asyncio.get_running_loop()
    for work in (set_parent_again, add_threads):
        try:
            work(loop)
        except (AttributeError, KeyError, TypeError):
            pass
    return json.dumps([time.process_time() * 1000, items])
`;
	const LATE_MS = 5000;	// a change later than this after the reply belongs to no cell
	const POLL_MS = 250;	// between questions while something without a known end lives
	const AFTER_MS = 10, MIN_MS = 30;	// from when a timer is due, and from the last question
	const ROUNDS = 4, ROUNDS_MS = 2000;	// of a loop that is taken for endless
	const MENTION_MS = 60000;	// a timer due within this time is worth a mark

	const python = value => JSON.stringify(value).replace(/[\u007f-\uffff]/g,
		c => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
	// `first`: defines the function, which later questions call: compiling it takes longer than
	// all the rest.
	const question = (first, parent, own) => `(lambda m, s: (0, ` +
		(first ? `s.modules.__setitem__("_nbscope", m("types").ModuleType("_nbscope")), ` +
			`exec(${python(PYTHON)}, s.modules["_nbscope"].__dict__), ` : '') +
		`s.modules["_nbscope"].ask(m("json").loads(${python(JSON.stringify(parent))}), ` +
		`${python(own)}))[-1])(__import__, __import__("sys"))`;
	// {cpuMs, items} of the answer; null if there is none. cpuMs: the kernel's CPU time so far.
	const answerOf = content => {
		const {nbscope} = content.user_expressions || {};
		const text = nbscope && nbscope.data && nbscope.data['text/plain'];
		try {
			const [cpuMs, items] = JSON.parse(text.slice(1, -1));
			return {cpuMs, items};
		} catch (err) {
			return null;
		}
	};

	class Pending {
		// earlier: the keys of what was pending before the cell started.
		constructor(earlier = new Set()) {
			Object.assign(this, {
				earlier, seen: null, next: null, periodic: false, later: false,
				rounds: new Map(),
			});
		}
		// The items of an answer at t, about a cell that was sent at `sent`. Sets `next`: when
		// to ask again, or null. Returns the keys.
		read(items, t, sent) {
			this.seen = new Set();
			this.next = null;
			this.periodic = this.later = false;
			for (const [kind, key, due, repetition] of items) {
				const at = t + due * 1000;
				const loops = !!repetition && this.isLoop(repetition, key, at, t);
				this.seen.add(loops ? repetition : key);
				if (repetition && this.earlier.has(repetition))
					this.seen.add(repetition);
				else if (this.earlier.has(key))
					continue;
				else if (loops || kind === 'periodic')
					this.periodic = true;
				else
					this.add(kind, kind === 'delay' ? sent + due * 1000 : at, t);
			}
			return this.seen;
		}
		// soonest: when it may run. A delay began between the request and this answer.
		add(kind, soonest, t) {
			this.later = this.later || soonest < t + MENTION_MS;
			if (soonest > t + LATE_MS)
				return;
			const next = kind === 'timer' ? Math.max(soonest + AFTER_MS, t + MIN_MS) :
				t + POLL_MS;
			this.next = this.next === null ? next : Math.min(this.next, next);
		}
		// Whether a callback that has run schedules itself again and again.
		isLoop(name, key, at, t) {
			const r = this.rounds.get(name);
			if (!r || r.key !== key && r.at > t)	// it was put off
				this.rounds.set(name, {key, at, from: t, n: 1});
			else if (r.key !== key)
				Object.assign(r, {key, at, n: r.n + 1});
			return !!r && r.n >= ROUNDS && t - r.from >= ROUNDS_MS;
		}
	}
	Object.defineProperty(window, '__nbscopePending', {
		value: {LATE_MS, Pending, answerOf, question},
	});
})();
