// kernel.js: the instants of a cell, from the page's own events.
// Hooks every WebSocket of the page; of a kernel's it reads the header of each
// message (never a large content) and keeps when requests left and when their
// answers arrived. One cell at a time: arm(), a trusted key press, wait(); what
// a person runs, listen.js keeps with the same means.
// Instants are performance.now() in ms; kernel dates are unix ms.
(() => {
	if (window.__nbscopeKernel || (() => { try { return window.parent !== window && window.parent.__nbscopeKernel; } catch (e) { return null; } })())
		return;
	const W = window.__nbscopeWatch, U = window.__nbscopeUsage;
	const {parse} = window.__nbscopeMessage, Outputs = window.__nbscopeOutputs;
	const PRESS_MS = 5000;	// a press without a request within this is an error
	const DEALING_MS = 30000;	// JupyterLab's handling of what has arrived
	const LOST_MS = 10000;	// a closed WebSocket that does not come back
	const TOGETHER_MS = 4;	// messages that come within this are read together
	const TELLING_MS = 400;	// of a long frame that a busy machine shows late
	const HELD_MS = 15;	// what waits for longer was held up by other work of the page
	const MOST_NAME = 200, MOST_VALUE = 10000, MOST_DIALOG = 300;	// characters of an error, and of a dialog
	const now = () => performance.now();
	const unix = t => performance.timeOrigin + t;
	const utf8 = new TextEncoder();
	const K = {
		ready: {infoId: null, reply: false, idle: false},
		cell: null, sockets: 0, kernelId: null, lost: null, ownMs: 0, heard: 0, drops: 0, dialogs: 0,
		atOnce: false,	// messages of many cells are read in their order, by listen.js
	};
	const own = work => {
		const t = now();
		try { return work(); } finally { K.ownMs += now() - t; }
	};
	const ownMs = () => K.ownMs + W.ownMs + U.ownMs;
	// Whose message this is (null: of no kernel): the driven cell's, or what
	// listen.js says. sent: by the page.
	K.owner = () => K.cell;	// of (m, sent)
	const waiters = new Set();
	const wake = () => { for (const w of [...waiters]) w(); };
	// Resolves when test() holds or at the deadline; woken by events alone.
	const until = (test, deadline) => new Promise(resolve => {
		let timer = null;
		const check = () => {
			const ok = test();
			if (!ok && now() < deadline)
				return;
			waiters.delete(check);
			clearTimeout(timer);
			resolve(ok);
		};
		waiters.add(check);
		timer = setTimeout(check, Math.max(0, deadline - now()) + 1);
		check();
	});

	// ---- the clock of the kernel against the page's ---------------------------
	// offset = kernel's clock - page's, in ms: sent <= busy bounds it from above,
	// idle <= received from below.
	const clock = {lo: -Infinity, hi: Infinity, steps: 0};
	const STEP_MS = 20;	// more than drift between two messages can be
	const bound = (lo, hi) => {
		if (lo !== null && lo > clock.lo) {
			clock.lo = lo;
			if (clock.lo > clock.hi) {
				clock.steps += clock.lo - clock.hi > STEP_MS;
				clock.hi = clock.lo - clock.hi > STEP_MS ? Infinity : clock.lo;
			}
		}
		if (hi !== null && hi < clock.hi) {
			clock.hi = hi;
			if (clock.lo > clock.hi) {
				clock.steps += clock.lo - clock.hi > STEP_MS;
				clock.lo = clock.lo - clock.hi > STEP_MS ? -Infinity : clock.hi;
			}
		}
	};

	// ---- messages -----------------------------------------------------------------

	const KERNEL_URL = /\/api\/kernels\/([^/]+)\/channels/;
	const sizeOf = data => typeof data === 'string' ? utf8.encode(data).length : data.byteLength || data.size || 0;

	const open = new Map();	// requests on their way: msg_id -> {t, type}

	const sending = (socket, data, t) => {
		if (unread.length)
			read();
		const bytes = sizeOf(data), m = socket.kernel ? parse(data) : null;
		if (m && K.onsend)
			K.onsend(m, t, socket);
		const c = K.owner(m, true, socket);
		if (c && c.counting && socket.kernel) {
			c.sentMessages++;
			c.sentBytes += bytes;
		}
		if (!m)
			return;
		const type = m.type, id = m.header().msg_id;
		U.sent(type, bytes, c);
		if (m.channel() !== 'stdin')
			open.set(id, {t, type});
		if (type === 'kernel_info_request')
			K.ready.infoId = K.ready.infoId || id;
		if (!c)
			return;
		if (c.counting && type.startsWith('comm_'))
			c.commSent++;
		if (type === 'execute_request' && c.pressed !== null && c.sent === null) {
			const cellId = m.metadata().cellId;
			c.sent = t;
			c.msgId = id;
			c.wrong = cellId !== undefined && c.cellId && cellId !== c.cellId ? String(cellId) : null;
			wake();
		}
	};

	const status = (m, t) => {
		const state = m.content().execution_state, parentId = m.parent().msg_id, c = K.owner(m), told = m.header().date;
		const read = Date.parse(told) + micro(told), date = Number.isFinite(read) ? read : unix(t);
		// Of a date that cannot be read the arrival is all that is known.
		if (date !== read && c)
			c.undated = true;
		const request = open.get(parentId);
		if (state === 'restarting' || state === 'autorestarting' || state === 'dead') {
			K.lost = K.lost || {what: 'kernel', state, t};
			open.clear();
		} else if (state === 'busy') {
			if (request) {
				bound(null, date === read ? date - unix(request.t) : null);
				request.busy = date;
			}
			if (c && parentId === c.msgId) {
				c.busy = date;
				if (K.onbusy)
					K.onbusy(c, t);
			}
		} else if (state === 'idle') {
			bound(date === read ? date - unix(t) : null, null);
			if (parentId === K.ready.infoId)
				K.ready.idle = true;
			if (c && parentId === c.msgId) {
				c.idle = date;
				c.idleAt = t;
				c.ownAtReceived = ownMs();
			} else if (c && c.idle !== null && request && request.busy) {
				c.afterMs += Math.max(0, Math.min(date - Math.max(request.busy, c.idle), t - c.idleAt));
			}
			open.delete(parentId);
		}
	};
	// Date.parse keeps milliseconds; the kernel tells microseconds.
	const micro = date => {
		const f = /\.\d{3}(\d{1,3})/.exec(date);
		return f ? Number(f[1].padEnd(3, '0')) / 1000 : 0;
	};

	const reply = (m, t) => {
		const c = K.owner(m);
		if (!c || m.parent().msg_id !== c.msgId)
			return;
		const content = m.content();
		c.reply = t;
		c.ownAtReceived = ownMs();
		c.replyStatus = String(content.status);
		if (content.status === 'error') {
			c.errorName = W.words(content.ename || 'Error', MOST_NAME);
			c.errorValue = W.words(content.evalue || '', MOST_VALUE);
		}
	};

	const received = (socket, data, t) => {
		const bytes = sizeOf(data), m = socket.kernel ? parse(data) : null, c = K.owner(m, false, socket);
		if (c && c.counting && socket.kernel) {
			c.receivedMessages++;
			c.receivedBytes += bytes;
		}
		if (!m)
			return;
		const type = m.type;
		K.heard = t;
		U.received(type, bytes, c);
		if (type === 'status') {
			status(m, t);
		} else if (type === 'execute_reply') {
			reply(m, t);
		} else if (type === 'kernel_info_reply') {
			if (m.parent().msg_id === K.ready.infoId)
				K.ready.reply = true;
		} else if (type === 'input_request') {
			if (c)
				c.input = true;
		} else if (c && c.counting && type.startsWith('comm_')) {
			c.commReceived++;
		} else if (c && m.parent().msg_id === c.msgId) {
			c.outputs.keep(m);
		}
		if (type === 'status' || type === 'execute_reply' || type === 'kernel_info_reply' || type === 'input_request')
			wake();
	};

	// A message is but kept when it comes, and read a moment later together with those
	// that came meanwhile: among all that the page does with each, reading one at a
	// time takes four times as long.  Whoever wants to know all that came calls drain().
	let unread = [], asked = false;
	let heldAt = -Infinity;	// when what a message set off last held the page up
	const read = () => {
		const these = unread;
		unread = [];
		const held = {from: these[1].timeStamp, to: now()};
		if (held.to - held.from > HELD_MS)
			heldAt = held.to;
		if (K.cell && held.to - held.from > K.cell.held.to - K.cell.held.from)
			K.cell.held = held;
		for (let i = 0; i < these.length; i += 2)
			try { received(these[i], these[i + 1].data, these[i + 1].timeStamp); } catch (err) { K.fault = String(err); }
	};
	const drain = () => {
		if (unread.length)
			own(read);
	};
	const keep = (socket, e) => {
		unread.push(socket, e);
		if (!asked) {
			asked = true;
			setTimeout(() => { asked = false; drain(); }, TOGETHER_MS);
		}
	};
	const often = W.often(K);
	const arrived = (socket, e) => {
		if (!K.atOnce)
			return often(keep, socket, e);
		unread.push(socket, e);
		drain();
	};

	// ---- hooks ---------------------------------------------------------------------

	const hooked = new WeakMap();
	const hook = ws => {
		if (hooked.has(ws))
			return hooked.get(ws);
		const found = KERNEL_URL.exec(ws.url || '');
		const socket = {kernel: !!found, kernelId: found && decodeURIComponent(found[1])};
		hooked.set(ws, socket);
		if (found) {
			K.kernelId = socket.kernelId;
			K.sockets++;
		}
		listen.call(ws, 'message', e => arrived(socket, e));
		listen.call(ws, 'close', () => {
			if (!socket.kernel)
				return;
			K.sockets--;
			K.drops++;
			setTimeout(() => {
				if (K.sockets === 0 && !K.lost) {
					K.lost = {what: 'server', state: 'the kernel\'s WebSocket closed', t: now()};
					wake();
				}
			}, LOST_MS);
		});
		return socket;
	};
	const proto = WebSocket.prototype, listen = proto.addEventListener, send = proto.send;
	proto.send = function (data) {
		own(() => {
			try { sending(hook(this), data, now()); } catch (err) { K.fault = String(err); }
		});
		return Reflect.apply(send, this, arguments);
	};
	const onmessage = Object.getOwnPropertyDescriptor(proto, 'onmessage');
	Object.defineProperty(proto, 'onmessage', {...onmessage, set(f) { hook(this); onmessage.set.call(this, f); }});
	proto.addEventListener = function (type) {
		if (type === 'message')
			hook(this);
		return Reflect.apply(listen, this, arguments);
	};

	// Server-side execution sends the code by HTTP, not by the page's socket.
	const EXECUTE_URL = /\/api\/kernels\/[^/]+\/execute/;
	let httpBytes = [];
	// A frame's document has a list, and a clock, of its own.
	const resources = (list, win) => {
		const shift = list.length ? win.performance.timeOrigin - performance.timeOrigin : 0;
		for (const e of list) {
			if (K.cell && K.cell.counting && e.startTime + shift >= K.cell.pressed && EXECUTE_URL.test(e.name))
				K.cell.serverSide = true;
			httpBytes.push([e.responseEnd + shift, e.transferSize]);
		}
		wake();
	};
	let watched = [];	// {observer, win}
	const watchResources = win => {
		const observer = new win.PerformanceObserver(list => own(() => resources(list.getEntries(), win)));
		observer.observe({type: 'resource', buffered: true});
		watched = [...watched.filter(w => !w.win.closed), {observer, win}];
	};
	watchResources(window);
	const onrealm = W.onrealm;
	W.onrealm = win => {
		if (onrealm)
			onrealm(win);
		watchResources(win);
	};

	window.addEventListener('keydown', e => {
		const c = K.cell;
		// A dialog of JupyterLab's, which this closes: the driver has no other use for it.
		if (e.key === 'Escape' && document.querySelector('.jp-Dialog'))
			K.dialogs++;
		if (!c || c.pressed !== null || !e.isTrusted)
			return;
		// Control comes down just before: the last moment that nobody times.
		if (e.key === 'Control' || e.key === 'Shift')
			own(() => { W.scrollTo(c.viewer); U.before(); });
		if (e.key !== 'Enter' || !(e.ctrlKey || e.shiftKey))
			return;
		c.own = ownMs();
		own(() => { c.astray = !isActive(c.position); });
		if (c.astray) {
			e.preventDefault();
			e.stopImmediatePropagation();
			wake();
			return;
		}
		drain();
		W.reset();
		c.pressed = e.timeStamp;
		c.counting = true;
		U.begin();
		httpBytes = [];
		wake();
	}, true);

	// ---- JupyterLab's notebook ---------------------------------------------------------

	const panel = () => [...document.querySelectorAll('.jp-NotebookPanel')].find(p => !p.classList.contains('lm-mod-hidden') && p.offsetParent !== null);
	const activeIndex = nb => {
		const active = nb.querySelector('.jp-Cell.jp-mod-active'), given = active && active.getAttribute('data-windowed-list-index');
		return !active ? -1 : given !== null ? Number(given) : [...nb.querySelectorAll('.jp-Cell')].indexOf(active);
	};
	// What a cell shows may have taken the focus: what is typed into it is not the notebook's.
	const commands = nb => !nb.classList.contains('jp-mod-editMode') && !nb.classList.contains('jp-mod-readWrite') &&
		nb.contains(document.activeElement) && !document.activeElement.matches(':read-write, [data-lm-suppress-shortcuts="true"] *');
	// Whether keys are this cell's.
	const isActive = position => {
		const nb = document.activeElement && document.activeElement.closest('.jp-Notebook');
		return !!nb && commands(nb) && activeIndex(nb) === position;
	};
	K.panelState = () => {
		const p = panel(), dialog = document.querySelector('.jp-Dialog');
		const nb = p && p.querySelector('.jp-Notebook');
		return {
			panel: !!nb, index: nb ? activeIndex(nb) : -1, command: !!nb && commands(nb),
			dialog: dialog ? W.words(dialog.innerText, MOST_DIALOG) : null,
			login: !!document.querySelector('form#login_form, form[action*="login"], input[type=password]'),
		};
	};
	// By so many cells, down or up, with keys of our own making.
	K.move = steps => {
		const [key, keyCode] = steps > 0 ? ['ArrowDown', 40] : ['ArrowUp', 38];
		for (let n = Math.abs(steps); n > 0; n--)
			for (const type of ['keydown', 'keyup'])
				document.activeElement.dispatchEvent(new KeyboardEvent(type, {key, code: key, keyCode, bubbles: true, cancelable: true, composed: true}));
		return K.moved();
	};
	// Where the keys have moved to, once JupyterLab has drawn it and is idle.
	K.moved = async () => {
		await W.frame();
		await W.tick();
		if (window.requestIdleCallback)
			await new Promise(resolve => requestIdleCallback(resolve, {timeout: 100}));
		if (K.cell)
			W.scrollTo(K.cell.viewer);
		return K.panelState();
	};
	// The reply may be another connection's of the same kernel: the notebook's own
	// is there when its indicator says idle. (Alone it is not enough: it says so
	// before the kernel was asked anything, and then initialising again.)
	const indicated = () => {
		const p = panel(), light = p && p.querySelector('.jp-Notebook-ExecutionIndicator');
		const name = p && p.querySelector('.jp-KernelName, .jp-Toolbar-kernelName');
		return !!p && (!light || light.getAttribute('data-status') === 'idle') && !(name && /^\s*No Kernel/.test(name.textContent));
	};
	K.isReady = () => K.ready.reply && K.ready.idle && open.size === 0 && indicated();
	K.waitReady = async deadlineMs => {
		const end = now() + deadlineMs;
		const ok = await until(() => K.isReady() || K.lost, end);
		return {ready: !!ok && !K.lost, loadingMs: now(), lost: K.lost, open: [...open.values()].map(o => o.type), ...K.ready};
	};
	// JupyterLab deals with messages one after the other, and a widget's may take
	// long: what has arrived is dealt with when the cell's prompt is [*] no more.
	// It is asked with each batch of mutations, and searched for (which may make the
	// page lay itself out) but once.
	const prompt = c => {
		if (!c.prompt || !c.prompt.isConnected) {
			const p = panel();
			c.prompt = p && p.querySelector('.jp-Cell.jp-mod-active .jp-InputArea-prompt');
		}
		return c.prompt ? c.prompt.textContent : '';
	};
	const dealtWith = c => !prompt(c).includes('*');
	W.onmutation = () => {
		if (!K.cell || K.cell.dealing)
			wake();
	};
	K.focus = () => {
		const p = panel(), nb = p && p.querySelector('.jp-Notebook');
		if (!nb)
			return false;
		if (!commands(nb) && document.activeElement)
			document.activeElement.blur();
		// Which of them takes the focus differs between JupyterLab's versions.
		for (const el of [nb.querySelector('.jp-Cell.jp-mod-active'), nb, nb.querySelector('.jp-WindowedPanel-outer')])
			if (el && !nb.contains(document.activeElement))
				el.focus();
		return nb.contains(document.activeElement);
	};

	// ---- one cell -------------------------------------------------------------------------

	const newCell = (cellId, position, viewer) => ({
		cellId, position, viewer, astray: false, pressed: null, sent: null, msgId: null, busy: null, idle: null, idleAt: null, reply: null,
		replyStatus: null, errorName: null, errorValue: null, wrong: null, input: false, serverSide: false, undated: false,
		afterMs: 0, counting: false, sentMessages: 0, sentBytes: 0, receivedMessages: 0, receivedBytes: 0,
		commSent: 0, commReceived: 0, outputs: new Outputs(), ownAtChange: null, ownAtReceived: 0, prompt: null, done: null, waited: false, held: {from: 0, to: 0}, steps: clock.steps, drops: K.drops, dialogs: K.dialogs,
	});
	K.arm = (cellId, position) => {
		drain();
		K.cell = newCell(cellId, position, W.lastRoot && W.lastRoot.isConnected ? W.lastRoot : null);
		let kept = false;
		// JupyterLab scrolls to the cell that runs: keep the viewer in view,
		// and bring a new one there, once each.
		W.onchange = root => {
			if (K.cell)
				K.cell.ownAtChange = ownMs();
			if (!K.cell || K.cell.pressed === null || kept || !root || !root.isConnected)
				return;
			kept = true;
			requestAnimationFrame(() => W.scrollTo(root));
		};
		return true;
	};

	const over = c => (c.reply !== null && c.idle !== null) || K.lost || c.wrong;
	// Widgets' messages that the kernel has not dealt with yet.
	const kernelBusy = () => {
		drain();
		return [...open.values()].some(o => /^comm_(open|msg|close)$/.test(o.type)) && 'kernel';
	};

	// opts: {empty, waitViz: 'auto'|'yes'|'no', quietMs, maxWaitMs, graceMs, pressMs, next}.
	// `next` ({id, position} or null) is armed when this one went well.
	// Resolves with what happened; may be called again after an interrupt or
	// after an alert broke the call: the state is the page's.
	K.wait = async opts => {
		const c = K.cell;
		if (!c)
			return {outcome: 'other_page'};
		if (c.pressed === null)
			await until(() => c.pressed !== null || c.astray, now() + PRESS_MS);
		if (c.astray) {
			c.astray = false;
			return {outcome: 'astray'};
		}
		if (c.pressed === null)
			return {outcome: 'no_press'};
		const deadline = c.pressed + opts.maxWaitMs;
		if (opts.empty) {
			await W.tick();
			return finish(c, c.sent === null ? 'empty' : 'done', opts);
		}
		await until(() => c.sent !== null || c.serverSide || K.lost, c.pressed + (opts.pressMs || PRESS_MS));
		if (c.sent === null)
			return finish(c, K.lost ? 'lost' : c.serverSide ? 'server_side' : 'no_request', opts);
		await until(() => over(c), opts.graceMs ? now() + opts.graceMs : deadline);
		if (c.wrong)
			return finish(c, 'wrong_cell', opts);
		if (K.lost && !(c.reply !== null && c.idle !== null))
			return finish(c, 'lost', opts);
		if (!over(c)) {
			// What came meanwhile waits until the page has time; so does its last long frame.
			await W.frame();
			await W.tick();
			drain();
		}
		if (!over(c))
			return finish(c, 'kernel_busy', opts);
		return settle(c, opts, deadline);
	};

	// Whether the page may be within a long frame: a message or the last one's way to
	// here was held up, or the rest of such a frame's time has passed since.  Who
	// cannot say says yes.
	const heldUp = (c, received) => {
		const bound = (clock.hi - clock.lo) / 2, idle = c.idle - (clock.lo + clock.hi) / 2 - performance.timeOrigin;
		return !(received - idle < HELD_MS + bound) || now() - received > U.LONG_MS - HELD_MS || received - heldAt < 2 * U.LONG_MS;
	};
	const settle = async (c, opts, deadline) => {
		const received = Math.max(c.reply, c.idleAt);
		c.dealing = true;
		await W.tick();
		if (!await until(() => dealtWith(c) || K.lost, Math.min(deadline, now() + DEALING_MS)))
			W.marks.add('prompt_stuck');
		else
			c.done = now();
		c.dealing = false;
		await W.tick();
		let held = heldUp(c, received);
		W.drain();
		for (let n = 0, seen; n < 60 && W.lastText !== null && W.lastText !== seen; n++) {
			const t = now();
			seen = W.lastText;
			await W.frame();
			W.drain();
			held = held || now() - t > 2 * HELD_MS;
		}
		if (held && received - c.pressed >= U.LONG_MS) {
			// A long frame is told of after it was shown: the first may still be it.
			await W.frame();
			await W.frame();
			await W.tick();
			const end = now() + TELLING_MS, {from, to} = c.held;
			while (to - from > 2 * U.LONG_MS && !U.blockedIn(from, to) && now() < end)
				await W.frame();
		}
		await W.look();
		const failed = c.replyStatus !== 'ok';
		// What a widget was told it may draw in the next frame, or after a timer of its own.
		const draws = W.last !== null || c.commReceived > 0 || kernelBusy();
		const wanted = opts.waitViz === 'yes' || (opts.waitViz === 'auto' && draws);
		if (!wanted || (failed && W.last === null))
			return finish(c, 'done', opts);
		c.waited = true;
		if (W.given && W.matches() === 0)
			await until(() => W.matches() > 0, Math.min(deadline, now() + opts.quietMs));
		if (W.given && W.matches() === 0)
			return finish(c, 'no_viewer', opts);
		const quiet = await W.settle(received, opts.quietMs, deadline, () => K.lost ? null : kernelBusy());
		return finish(c, K.lost ? 'lost' : quiet ? 'done' : 'not_settled', opts);
	};

	const finish = (c, outcome, opts) => {
		const answer = report(c, outcome);
		W.rest(opts.quietMs);
		if (outcome === 'not_settled')
			W.giveUp(opts.quietMs);
		if (opts.next && ['done', 'empty', 'not_settled', 'no_viewer'].includes(outcome))
			K.arm(opts.next.id, opts.next.position);
		return answer;
	};
	// Our scripts' time within the cell's client time: what came later, waiting
	// for quiet and counting, is in no number.
	const ownWithin = (c, settled, received) => {
		if (received === null)
			return ownMs() - c.own;
		const late = settled !== null && settled > received && c.ownAtChange !== null;
		return Math.max(0, (late ? c.ownAtChange : c.ownAtReceived) - c.own);
	};
	// seen: what changed; page: what usage.js counted.
	const report = (c, outcome, seen = W, page = null) => {
		drain();
		W.drain();
		for (const {observer, win} of watched)
			resources(observer.takeRecords(), win);
		const end = now(), from = c.pressed === null ? c.sent : c.pressed;
		c.counting = false;
		const lo = clock.lo, hi = clock.hi, known = Number.isFinite(lo) && Number.isFinite(hi);
		const received = c.reply !== null && c.idleAt !== null ? Math.max(c.reply, c.idleAt) : null;
		const at = t => t === null ? null : unix(t);
		const marks = [...seen.marks];
		// A kernel that was busy longer than the page waited for it, or less than
		// not at all, has another clock at the end than at the beginning.
		const span = c.busy === null || c.idle === null || received === null ? null : c.idle - c.busy;
		const stepped = span !== null && (span < 0 || span > received - c.sent + STEP_MS);
		if (stepped)
			[clock.lo, clock.hi] = [-Infinity, Infinity];
		if (stepped || clock.steps > c.steps)
			marks.push('clock_stepped');
		if (seen.ignored)
			marks.push('overlapped');
		if (K.dialogs > c.dialogs)
			marks.push('dialog');
		if (K.drops > c.drops && !K.lost)
			marks.push('reconnected');
		if (c.outputs.lost || c.reply !== null && c.idle === null && outcome === 'kernel_busy')
			marks.push('messages_lost');
		if (c.undated)
			marks.push('undated');
		page = page || own(() => U.end(c.pressed, end));
		const outputs = c.outputs.count();
		const settled = seen.last === null && seen.lastText === null ? null : Math.max(seen.last || 0, seen.lastText || 0);
		return {
			outcome, marks, dialog: outcome === 'no_request' ? K.panelState().dialog : null, origin: performance.timeOrigin, pressed: c.pressed, sent: c.sent, received,
			busy: c.busy, idle: c.idle, stepped, sinceHeard: end - K.heard - U.blockedIn(K.heard, end), settled, done: c.done, end, offset: known && !stepped ? (lo + hi) / 2 : null, bound: known && !stepped ? (hi - lo) / 2 : null,
			waited: c.waited, drawn: seen.last !== null, changes: seen.counts, lastKind: seen.lastKind,
			replied: c.reply !== null, replyStatus: c.replyStatus, errorName: c.errorName, errorValue: c.errorValue, input: c.input, wrong: c.wrong,
			lost: K.lost, afterMs: c.afterMs, sockets: K.sockets, fault: K.fault || c.outputs.fault,
			sentMessages: c.sentMessages, sentBytes: c.sentBytes, receivedMessages: c.receivedMessages, receivedBytes: c.receivedBytes,
			commSent: c.commSent, commReceived: c.commReceived,
			httpBytes: httpBytes.reduce((sum, [t, n]) => sum + (t >= from && t <= end ? n : 0), 0),
			outputs, page, console: U.said(), ownMs: ownWithin(c, settled, received), pressedAt: at(c.pressed),
		};
	};

	// For listen.js, which keeps many cells.
	K.means = {until, wake, own, ownMs, newCell, report, kernelBusy, forget: () => { httpBytes = []; }};
	Object.defineProperty(window, '__nbscopeKernel', {value: K});
})();
