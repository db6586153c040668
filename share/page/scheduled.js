// scheduled.js: what a page has left to do because of a cell.
// Wraps, in the page and its frames, the functions that schedule work: timers, frames, requests,
// images. An item is one call of these. What an item's callback schedules belongs to its chain,
// and a chain to the life of the cell that was in progress when it began. JupyterLab's own items
// hold no cell up.
// Instants are performance.now() in ms.
(() => {
	'use strict';	// `this` of a function that is called without an object
	const W = window.__nbscopeWatch;
	if (!W || window.__nbscopeScheduled)
		return;
	const ROUNDS = 5, ROUNDS_MS = 2000;	// of a chain that is taken for endless,
	const LATE_ROUNDS = 3;	// of one that has not ended at the limit,
	const INTERVAL_ROUNDS = 2;	// and of one that repeats by itself
	const MENTION_MS = 60000;	// an item due within this time is worth a mark
	const FRAMES = 15;	// of a call's stack
	const SKIPS = 3;	// callbacks of a clock's round that change nothing
	const IMPORT = /\bimport\b[^;"'`]*["'`](https?:[^"'`]+)/g, MAX_TEXT = 100000;
	const MAX_QUEUED = 1000;	// messages of a port whose other end is elsewhere
	// The browser's own, which a page may replace.
	const {apply, construct} = Reflect, {then} = Promise.prototype;
	const listen = EventTarget.prototype.addEventListener;
	const {postMessage} = MessagePort.prototype, tasks = window.scheduler;
	const postTask = tasks && tasks.postTask;
	const now = () => performance.now();
	const S = {
		owner: () => null,	// the life of the cell in progress; set by kernel.js
		onrun: null,	// called after each callback of a cell's chain
		onframe: null,	// called before the page requests a frame; set by timing.js
		real: {setTimeout, clearTimeout, requestAnimationFrame},
		life: () => ({closed: false, items: new Set(), end: Infinity}),
	};

	// ---- chains ----------------------------------------------------------------------

	class Chain {
		constructor(life) {
			Object.assign(this, {
				life, from: now(), fired: 0, changed: -1, run: 0, roots: new Set(),
				canvases: new Map(), givenUp: false,
			});
		}
		// Its callback number n changed what a root shows.
		change(n, root, source) {
			if (n !== this.changed)
				this.run = n - this.changed <= SKIPS ? this.run + 1 : 1;
			this.changed = n;
			this.roots.add(root);
			if (source === 'page')
				return this;
			const before = W.latest.get(source);
			if (!this.canvases.has(source))
				this.canvases.set(source, before ? before.t : null);
			return source;
		}
	}
	// What was scheduled while no cell was in progress.
	const outside = new Chain(null);
	let chain = null;	// that the current task belongs to
	let ending = false;
	const end = () => {
		const ran = chain && chain.life;
		ending = false;
		chain = null;
		if (ran && S.onrun)
			S.onrun();
	};
	const next = new MessageChannel();
	next.port1.onmessage = end;
	// Promises continue after the callback has returned, but within the same task.
	const enter = to => {
		chain = to;
		if (!to || ending)
			return;
		ending = true;
		if (postTask)
			apply(postTask, tasks, [end, {priority: 'user-blocking'}]);
		else
			apply(postMessage, next.port2, [0]);
	};
	S.leave = () => { chain = null; };
	// Which callback makes a change.
	W.maker = () => chain && chain.life ? {chain, n: chain.fired} : null;

	// The stack is only formatted if an item is pending when its cell could end.
	const trace = () => {
		const had = Error.stackTraceLimit;
		Error.stackTraceLimit = FRAMES;
		const error = new Error();
		Error.stackTraceLimit = had;
		return error;
	};
	const often = W.often(W);
	const add = (ms, url = null) => often(schedule, ms, url);
	const schedule = (ms, url) => {
		const life = chain ? chain.life : S.owner(), t = now();
		const item = {
			chain: chain || (life ? new Chain(life) : outside), at: t,
			due: t + (Number(ms) || 0), every: null, url, error: null, core: null,
		};
		if (life && !life.closed) {
			item.error = trace();
			life.items.add(item);
		}
		return item;
	};
	const remove = item => {
		if (item && item.error)
			item.chain.life.items.delete(item);
	};
	const enters = item => {
		enter(item.chain);
		chain.fired++;
	};
	const once = (target, type, item) => apply(listen, target, [type, () => {
		remove(item);
		enters(item);
	}, {once: true}]);

	// ---- what is pending ---------------------------------------------------------------

	let addresses = null;
	const jupyter = () => addresses = addresses || read();
	const read = () => {
		const data = document.getElementById('jupyter-config-data');
		const config = data ? JSON.parse(data.textContent) : {};
		const full = path => new URL(path, location.href).href;
		return {
			scripts: full(config.fullStaticUrl || '/static/'),
			server: full(config.baseUrl || '/'),
		};
	};
	const PLACE = /(?:^|[\s(@])([^\s()@]+):\d+:\d+\)?$/;
	// JupyterLab's own code scheduled it: no function of an output, an extension or a frame
	// called. Its requests for files are those of an output.
	const isCore = item => {
		if (item.core === null) {
			const {scripts, server} = jupyter();
			item.core = String(item.error.stack).split('\n').every(line => {
				const place = PLACE.exec(line);
				return !place || place[1] === 'nbscope.js' ||
					place[1].startsWith(scripts);
			}) && (!item.url || item.url.startsWith(server) &&
				!item.url.startsWith(`${server}files/`));
		}
		return item.core;
	};
	const roundsOf = item => item.every !== null ? INTERVAL_ROUNDS :
		Math.max(now(), item.due) < item.chain.life.end ? ROUNDS : LATE_ROUNDS;
	const isEndless = item => item.chain.fired >= roundsOf(item) &&
		now() - item.chain.from >= ROUNDS_MS;
	// Nothing says that import() waits for a script, but its address may be in a script's text.
	const searched = new WeakSet(), arrived = new Set(), imports = new Map();
	const search = () => {
		for (const script of document.scripts) {
			if (searched.has(script))
				continue;
			searched.add(script);
			if (script.src || !W.RUNS.test(script.type) || script.text.length > MAX_TEXT)
				continue;
			for (const [, url] of script.text.matchAll(IMPORT))
				if (!arrived.has(url))
					imports.set(url, Object.assign(add(0), {core: false}));
		}
	};
	S.scriptAt = 0;	// when an output's script last arrived: it may import others
	S.arrived = url => {
		arrived.add(url);
		remove(imports.get(url));
		imports.delete(url);
		if (!url.startsWith(jupyter().scripts))
			S.scriptAt = now();
	};
	// For another notebook in the same page.
	S.renew = () => {
		S.leave();
		S.scriptAt = 0;
		imports.clear();
	};
	// Whether something is pending that may run until `limit`.
	S.holds = (life, limit) => {
		life.end = limit;
		search();
		for (const item of life.items)
			if (item.due <= limit && !isEndless(item) && !isCore(item) &&
				!(W.isTick && W.isTick(item.at)))
				return true;
		return false;
	};
	// From now on the changes of endless chains belong to no cell. What such a chain has
	// changed each time, like a clock, was not a change of the cell; but one that draws only
	// when there is something new draws for the cell.
	S.giveUp = life => {
		W.drain();
		for (const item of life.items) {
			const c = item.chain;
			if (c.givenUp || !isEndless(item) || c.fired - c.changed > SKIPS ||
				c.run < roundsOf(item))
				continue;
			c.givenUp = true;
			W.takeBack(c, null);
			for (const [canvas, t] of c.canvases)
				W.takeBack(canvas, t);
		}
	};
	// Ends a life. Returns what it leaves.
	S.close = life => {
		const left = {periodic: false, later: false}, soon = now() + MENTION_MS;
		S.giveUp(life);
		for (const item of life.items) {
			if (isCore(item))
				continue;
			if (isEndless(item) || item.every !== null && item.due > life.end)
				left.periodic = true;
			else
				left.later = left.later || item.due < soon;
		}
		life.closed = true;
		life.items = new Set();
		return left;
	};

	// ---- what schedules work -------------------------------------------------------------

	const timer = (win, name, items) => {
		const real = win[name], repeats = name === 'setInterval', {eval: evaluate} = win;
		if (!real)
			return;
		win[name] = {[name](what, ms) {
			const f = typeof what === 'string' ? () => evaluate(what) : what;
			if (typeof f !== 'function')
				return apply(real, this, arguments);
			if (S.onframe && name === 'requestAnimationFrame')
				S.onframe();
			const item = add(ms), args = [...arguments];
			item.every = repeats ? Number(ms) || 0 : null;
			args[0] = function () {
				if (repeats) {
					item.due = now() + item.every;
				} else {
					remove(item);
					items.delete(id);
				}
				enters(item);
				return apply(f, this, arguments);
			};
			const id = apply(real, this, args);
			if (item.error)
				items.set(id, item);
			return id;
		}}[name];
	};
	const clear = (win, name, items) => {
		const real = win[name];
		if (real)
			win[name] = {[name](id) {
				remove(items.get(id));
				items.delete(id);
				return apply(real, this, arguments);
			}}[name];
	};
	const task = win => {
		const proto = win.Scheduler && win.Scheduler.prototype;
		const real = proto && proto.postTask;
		if (!real)
			return;
		proto.postTask = {postTask(f, options) {
			if (typeof f !== 'function')
				return apply(real, this, arguments);
			const {delay, signal} = options || {}, item = add(delay);
			const args = [...arguments];
			args[0] = function () {
				remove(item);
				enters(item);
				return apply(f, this, arguments);
			};
			if (item.error && signal instanceof win.AbortSignal)
				apply(listen, signal, ['abort', () => remove(item), {once: true}]);
			return apply(real, this, args);
		}}.postTask;
		promise(proto, 'yield', () => null);
	};
	const promise = (object, name, addressOf) => {
		const real = object[name];
		if (real)
			object[name] = {[name]() {
				const item = add(0, addressOf(this, arguments));
				const settled = () => { remove(item); enters(item); };
				return apply(then, apply(real, this, arguments), [
					value => { settled(); return value; },
					err => { settled(); throw err; }]);
			}}[name];
	};
	const address = url => {
		try {
			return String(new URL(url, location.href));
		} catch {
			return '';	// it is invalid
		}
	};
	const request = win => {
		const proto = win.XMLHttpRequest.prototype, {open, send} = proto;
		const sent = new WeakMap();	// request -> {item, url}
		proto.open = {open(method, url) {
			if (!sent.has(this))	// called before the page's own listeners
				apply(listen, this, ['readystatechange', () => {
					const {item} = sent.get(this);
					if (item)
						enter(item.chain);
				}]);
			sent.set(this, {item: null, url: address(url)});
			return apply(open, this, arguments);
		}}.open;
		proto.send = {send() {
			const s = sent.get(this);
			if (s) {
				const item = s.item = add(0, s.url);
				once(this, 'loadend', item);
			}
			return apply(send, this, arguments);
		}}.send;
	};
	// An image outside the document, such as one that a canvas will draw.
	const image = win => {
		const proto = win.HTMLImageElement.prototype;
		const real = Object.getOwnPropertyDescriptor(proto, 'src');
		Object.defineProperty(proto, 'src', {...real, set(url) {
			real.set.call(this, url);
			if (this.complete || this.isConnected || this.loading === 'lazy')
				return;
			const item = add(0);
			for (const type of item.error ? ['load', 'error'] : [])
				once(this, type, item);
		}});
	};
	// A message to oneself, as React sends.
	const channel = win => {
		const queues = new WeakMap(), post = win.MessagePort.prototype.postMessage;
		const link = (from, to) => {
			const queue = [];
			queues.set(from, queue);
			apply(listen, to, ['message', () => enter(queue.shift() || null)]);
		};
		win.MessageChannel = new Proxy(win.MessageChannel, {construct(...args) {
			const c = construct(...args);
			link(c.port1, c.port2);
			link(c.port2, c.port1);
			return c;
		}});
		win.MessagePort.prototype.postMessage = {postMessage() {
			const queue = queues.get(this);
			if (queue && queue.length < MAX_QUEUED)
				queue.push(chain);
			return apply(post, this, arguments);
		}}.postMessage;
	};
	// Observers of sizes are called after the frame's callbacks, by the layout.
	const observer = (win, name) => {
		win[name] = new Proxy(win[name], {construct(target, [f, ...rest], made) {
			return construct(target, [typeof f !== 'function' ? f : function () {
				chain = null;
				return apply(f, this, arguments);
			}, ...rest], made);
		}});
	};
	// The source of a module, as anywidget makes one, and what it imports: it is loaded when its
	// address is revoked, unless it is a worker's.
	const module = win => {
		const made = new Map(), {createObjectURL, revokeObjectURL} = win.URL;
		win.URL.createObjectURL = {createObjectURL(blob) {
			const url = apply(createObjectURL, this, arguments);
			const item = /script/.test(blob.type) && add(0);
			if (item && item.error)
				made.set(url, item);
			return url;
		}}.createObjectURL;
		const loaded = url => {
			remove(made.get(url));
			made.delete(url);
		};
		win.URL.revokeObjectURL = {revokeObjectURL(url) {
			loaded(url);
			return apply(revokeObjectURL, this, arguments);
		}}.revokeObjectURL;
		for (const name of ['Worker', 'SharedWorker'])
			win[name] = new Proxy(win[name], {construct(target, args, base) {
				loaded(String(args[0]));
				const w = construct(target, args, base);
				if (!isCore({error: trace(), url: null, core: null}))
					workers.add(w);
				markWorker(w);
				if (name === 'Worker')
					worker(w);
				return w;
			}});
		const {postMessage: post} = win.Worker.prototype;
		win.Worker.prototype.postMessage = {postMessage() {
			const of = answers.get(this);
			markWorker(this);
			if (of)
				of.expect();
			return apply(post, this, arguments);
		}}.postMessage;
	};
	// Only the messages of a worker are followed: what else it does may change what is shown,
	// for instance in an OffscreenCanvas.
	const workers = new WeakSet();	// of outputs
	const markWorker = w => {
		const life = chain ? chain.life : S.owner();
		if (life && !life.closed && workers.has(w))
			W.marks.add('web_worker');
	};
	// The first message of a worker, and one after those that are sent to it. A worker
	// that did not answer within the life of its cell is not waited for again.
	const answers = new WeakMap();
	const worker = w => {
		const of = {item: null, silent: false, expect() {
			if (of.item)
				of.silent = of.silent || of.item.chain.life.closed;
			if (!of.item && !of.silent) {
				const item = add(0);
				of.item = item.error && item;
			}
		}};
		answers.set(w, of);
		for (const type of ['message', 'error'])
			apply(listen, w, [type, () => {
				const {item} = of;
				of.item = null;
				chain = null;
				if (item && !item.chain.life.closed) {
					remove(item);
					enters(item);
				}
			}]);
		of.expect();
	};
	const wrap = win => {
		const timers = new Map(), shown = new Map(), idle = new Map();
		for (const [set, unset, items] of [
			['setTimeout', 'clearTimeout', timers],
			['setInterval', 'clearInterval', timers],
			['requestAnimationFrame', 'cancelAnimationFrame', shown],
			['requestIdleCallback', 'cancelIdleCallback', idle],
		]) {
			timer(win, set, items);
			clear(win, unset, items);
		}
		task(win);
		promise(win, 'fetch', (_, [what]) => address(what && what.url || what));
		for (const name of ['json', 'text', 'blob', 'arrayBuffer', 'formData', 'bytes'])
			promise(win.Response.prototype, name, response => response.url);
		request(win);
		image(win);
		channel(win);
		observer(win, 'ResizeObserver');
		observer(win, 'IntersectionObserver');
		module(win);
		for (const type of ['load', 'error'])
			win.addEventListener(type, e => {
				if (e.isTrusted && e.target !== win)
					chain = null;
			}, true);
	};
	W.inEachRealm(wrap);
	Object.defineProperty(window, '__nbscopeScheduled', {value: S});
})();
