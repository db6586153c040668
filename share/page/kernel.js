// kernel.js: the instants of a cell, from the page's own events.
// Hooks every WebSocket of the page. For those of kernels it decodes the header of each message
// (never a large content) and notes when requests left and when their answers arrived. It handles
// one cell at a time: arm(), a trusted key press, wait(). listen.js uses the same functions for
// the cells that a person runs.
// Instants are performance.now() in ms; kernel dates are Unix ms.
(() => {
	if (window.__nbscopeKernel || (() => {
		try {
			return window.parent !== window && window.parent.__nbscopeKernel;
		} catch {
			return null;
		}
	})())
		return;
	const W = window.__nbscopeWatch, U = window.__nbscopeUsage;
	const {parse, isOnShell} = window.__nbscopeMessage;
	const Outputs = window.__nbscopeOutputs, Evidence = window.__nbscopeEvidence;
	const {LATE_MS, TICK_MS, Late, Pending} = window.__nbscopePending;
	const S = window.__nbscopeScheduled, N = window.__nbscopeNotebook;
	const Own = window.__nbscopeOwn, {otherJSON, replaced, timeOf} = Own;
	const {setTimeout, clearTimeout, requestAnimationFrame} = S.real;
	const PRESS_MS = 5000;	// a press without a request within this time is an error,
	const SWALLOWED_MS = 1000;	// or within this one if no script but the page's has seen it
	const NO_REPLY_MS = 5000;	// from the kernel's idle status to its reply, at most
	const DEALING_MS = 30000;	// limit for JupyterLab to process what has arrived
	const OTHER_JSON_MS = 3000;	// the same if the page has replaced JSON: it may never do so
	const LOST_MS = 10000;	// limit for a closed WebSocket to be replaced
	const TOGETHER_MS = 4;	// messages that arrive within this time are read together
	const REPORT_MS = 400;	// limit for the report of a long frame that was shown late
	const HELD_MS = 15;	// a longer delay means that the page was busy
	const PAGE_MS = 100;	// between two checks of what is pending in the page
	const OTHER_SETTLE_MS = 1000;	// with widgets of a kernel that cannot be asked
	// Characters of an error and of a dialog.
	const MAX_NAME = 200, MAX_VALUE = 10000, MAX_DIALOG = 300;
	const now = () => performance.now();
	const unix = t => performance.timeOrigin + t;
	const utf8 = new TextEncoder();
	// What is known of the notebook that the page shows.
	const ofNotebook = () => ({
		ready: {infoId: null, reply: false, idle: false}, openedAt: 0,
		cell: null, sockets: 0, kernelId: null, socket: null, lost: null, heard: 0,
		drops: 0, dialogs: 0, questionMs: 0,	// CPU time of the kernel
		language: undefined, mute: false, widgets: false, fault: undefined,
		typed: 0, typedKey: '',	// keys that the page presses itself and JupyterLab obeys
		swallowed: false,	// the last key press reached no script but the page's
	});
	const K = {
		...ofNotebook(), ownMs: 0,
		atOnce: false,	// read each message when it arrives; set by listen.js, gesture.js
		listens: false,	// to a person; set by listen.js
		gesture: null,	// that is being performed
	};
	const executions = new Map();	// positions of cells -> the dates of their messages
	let broken = null;	// what the page has replaced that these scripts need
	let armed = false;	// a cell was, in this page
	const own = work => {
		const t = now();
		try { return work(); } finally { K.ownMs += now() - t; }
	};
	const ownMs = () => K.ownMs + W.ownMs + U.ownMs;
	// The cell that a message (null: not a kernel's) belongs to. listen.js replaces it by a
	// function of (m, sent, socket).
	K.owner = () => K.gesture || K.cell;
	// Whether a cell's reply and the kernel's idle status have arrived.
	const answered = c => c.reply !== null && c.idleAt !== null;
	const waiters = new Set();
	const wake = () => waiters.forEach(w => w());
	const noteBroken = () => { broken = broken || replaced('language') || null; };
	// The page has no part in a message that cannot be decoded.
	const noteFault = err => {
		K.fault = String(err);
		if (!(err instanceof SyntaxError || err instanceof RangeError))
			noteBroken();
		wake();
	};
	// Resolves when test() holds or at the deadline. Only events wake it: it does not poll.
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

	const A = window.__nbscopeAsking(K, {until, wake, own});

	// ---- the offset between the kernel's clock and the page's -------------------
	// offset = kernel's clock - page's clock, in ms: sent <= busy bounds it from above,
	// idle <= received from below.
	const clock = {lo: -Infinity, hi: Infinity, steps: 0};
	const STEP_MS = 20;	// more than clocks can drift between two messages
	const narrow = (lo, hi) => {
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
	const sizeOf = data => typeof data === 'string' ? utf8.encode(data).length :
		data.byteLength || data.size || 0;

	const COMM = /^comm_(open|msg|close)$/;
	const sessions = new Map();	// kernels' ids -> the session of their process
	const open = new Map();	// requests without an answer: msg_id -> {t, type}

	// Returns what is sent: the page's message, or a cell's request with a question.
	const sending = (socket, data, t) => {
		if (unread.length)
			readQueued();
		const bytes = sizeOf(data), m = socket.kernel ? parse(data) : null;
		if (m && m.channel() === 'shell')
			socket.last = m;
		if (m && K.onsend)
			K.onsend(m, t, socket);
		const c = K.owner(m, true, socket);
		if (c && c.counting && socket.kernel) {
			c.sentMessages++;
			c.sentBytes += bytes;
		}
		if (!m)
			return data;
		const type = m.type, id = m.header().msg_id;
		U.sent(type, bytes, c);
		U.crossed(m, bytes, t, true, dateOf);
		if (m.channel() !== 'stdin')
			open.set(id, {t, type});
		if (type === 'kernel_info_request')
			K.ready.infoId = K.ready.infoId || id;
		if (!c)
			return data;
		if (c.counting && type.startsWith('comm_'))
			c.commSent++;
		if (c.timing && type.startsWith('comm_'))
			c.timing.sent(id, t);
		if (type === 'execute_request' && c.pressed !== null && c.sent === null) {
			const cellId = m.metadata().cellId;
			c.sent = t;
			c.msgId = id;
			c.socket = socket;
			c.bytesBefore = socket.bytes;
			c.wrong = cellId !== undefined && c.cellId && cellId !== c.cellId ?
				String(cellId) : null;
			wake();
			if (c.mayAsk)
				return A.carry(socket, m, data);
		}
		return data;
	};

	// A kernel's new process has a new session. Some kernels write that of the page.
	const noteSession = (m, socket) => {
		const {session} = m.header(), before = sessions.get(socket.kernelId);
		if (!session || session === m.parent().session)
			return;
		sessions.set(socket.kernelId, session);
		if (before && before !== session && K.ready.idle && !K.listens &&
			socket.kernelId === K.kernelId)
			K.lost = K.lost || {what: 'kernel', state: 'restarted', t: now()};
	};
	// What JupyterLab stores of a cell with its setting recordTiming, for the executed notebook.
	const keepDate = (c, name, date) => {
		if (typeof date === 'string')
			c.execution[name] = date;
	};
	const status = (m, t, socket) => {
		const state = m.content().execution_state, parentId = m.parent().msg_id;
		const c = K.owner(m), text = m.header().date;
		if (c && parentId === c.msgId)
			keepDate(c, `iopub.status.${state}`, text);
		const read = dateOf(text);
		const date = Number.isFinite(read) ? read : unix(t);
		// The arrival replaces a date that cannot be parsed.
		if (date !== read && c)
			c.no_timestamp = true;
		const request = open.get(parentId);
		if (state === 'restarting' || state === 'autorestarting' || state === 'dead') {
			K.lost = K.lost || {what: 'kernel', state, t, kernelId: socket.kernelId};
			open.clear();
			return;
		}
		noteSession(m, socket);
		if (state === 'busy') {
			if (request) {
				narrow(null, date === read ? date - unix(request.t) : null);
				request.busy = date;
			}
			if (c && parentId === c.msgId) {
				c.busy = date;
				if (K.onbusy)
					K.onbusy(c, t);
			}
		} else if (state === 'idle') {
			narrow(date === read ? date - unix(t) : null, null);
			if (parentId === K.ready.infoId)
				K.ready.idle = true;
			if (c && parentId === c.msgId) {
				c.idle = date;
				c.idleAt = t;
				c.ownAtReceived = ownMs();
				if (c.reply === null)
					setTimeout(wake, NO_REPLY_MS + 1);
			} else if (c && c.idle !== null && request && request.busy) {
				c.afterMs += Math.max(0, Math.min(
					date - Math.max(request.busy, c.idle), t - c.idleAt));
				if (COMM.test(request.type)) {
					c.servedAt = t;
					c.stale = true;
					followPending(c);
				}
			}
			if (c && c.timing && request)
				c.timing.served(parentId, request.busy, date, t);
			open.delete(parentId);
		}
	};
	// Date.parse() drops the kernel's microseconds.
	const micro = date => {
		const f = /\.\d{3}(\d{1,3})/.exec(date);
		return f ? Number(f[1].padEnd(3, '0')) / 1000 : 0;
	};
	const dateOf = text => Date.parse(text) + micro(text);	// Unix ms

	const reply = (m, t) => {
		const c = K.owner(m);
		if (!c || m.parent().msg_id !== c.msgId)
			return;
		const content = m.content();
		c.reply = t;
		c.ownAtReceived = ownMs();
		c.replyStatus = String(content.status);
		keepDate(c, 'shell.execute_reply.started', m.metadata().started);
		keepDate(c, 'shell.execute_reply', m.header().date);
		// JupyterLab handles what comes with a reply only if the cell has succeeded.
		// exit() ends the kernel in any case.
		const all = Array.isArray(content.payload) ? content.payload.filter(p => p) : [];
		const payload = c.replyStatus === 'ok' ? all : [];
		c.inserts = payload.some(p => p.source === 'set_next_input' && !p.replace);
		c.exit = all.find(p => p.source === 'ask_exit') || null;
		c.outputs.keepPage(payload.find(p => p.source === 'page'));
		c.told = A.told(m, content);
		if (c.told) {
			c.receivedBytes -= c.told.bytes;
			[c.toldMs, c.toldCpuMs] = [c.told.wallMs, c.told.cpuMs];
		}
		if (content.status === 'error')
			c.error = {ename: content.ename, evalue: content.evalue};
	};

	const LATE = /^(comm_|(update_)?display_data$|execute_result$|stream$|clear_output$)/;
	// The bytes of a frame of the WebSocket, from the server; with TLS 1.3 of its records.
	const TLS_BYTES = 22, TLS_RECORD_BYTES = 16384;
	const frameBytes = (bytes, tls) => {
		const frame = bytes + (bytes < 126 ? 2 : bytes < 65536 ? 4 : 10);
		return frame + (tls ? TLS_BYTES * Math.ceil(frame / TLS_RECORD_BYTES) : 0);
	};
	const readMessage = (socket, e) => {
		const {data} = e, t = timeOf(e);
		const bytes = sizeOf(data), m = socket.kernel ? parse(data) : null;
		socket.bytes += frameBytes(bytes, socket.tls);
		// JupyterLab would show the kernel as busy and then as idle, which takes it longer
		// than the kernel takes to answer.
		if (m && A.isAnswer(m)) {
			e.stopImmediatePropagation();
			return;
		}
		const c = K.owner(m, false, socket);
		if (c && c.counting && socket.kernel) {
			c.receivedMessages++;
			c.receivedBytes += bytes;
		}
		if (!m)
			return;
		const type = m.type;
		K.heard = t;
		U.received(type, bytes, c);
		U.crossed(m, bytes, t, false, dateOf);
		if (LATE.test(type)) {
			noteLate(c, m, t);
			if (c && c.timing)
				c.timing.received(m.parent().msg_id, t);
		}
		if (type === 'status') {
			status(m, t, socket);
		} else if (type === 'execute_reply') {
			reply(m, t);
		} else if (type === 'kernel_info_reply') {
			if (m.parent().msg_id === K.ready.infoId)
				K.ready.reply = true;
			K.language = (m.content().language_info || {}).name || null;
		} else if (type === 'input_request') {
			if (c)
				c.input = true;
		} else if (type.startsWith('comm_')) {
			const content = Outputs.capture(m);
			if (c && c.counting)
				c.commReceived++;
			if (c)
				c.evidence.noteComm(m, content, t);
		} else if (c && m.parent().msg_id === c.msgId) {
			if (type === 'execute_input')
				keepDate(c, 'iopub.execute_input', m.header().date);
			c.outputs.keep(m, t);
			c.evidence.noteOutput(m);
		}
		if (c && c.socket === socket && (c.reply === t || c.idleAt === t))
			c.bytesReceived = socket.bytes;
		if (c && c.mayAsk && answered(c))
			askEarly(c);
		if (type === 'status' || type === 'execute_reply' || type === 'kernel_info_reply' ||
			type === 'input_request')
			wake();
	};

	// A message is only queued when it arrives, and read a moment later together with those
	// that arrived meanwhile: reading each one at once, in between the page's own work, takes
	// four times as long. drain() reads what is queued.
	let unread = [], timed = false;
	let heldAt = -Infinity;	// when a message last kept the page busy
	const readQueued = () => {
		const these = unread;
		unread = [];
		const held = {from: timeOf(these[1]), to: now()};
		if (held.to - held.from > HELD_MS)
			heldAt = held.to;
		if (K.cell && held.to - held.from > K.cell.held.to - K.cell.held.from)
			K.cell.held = held;
		for (let i = 0; i < these.length; i += 2)
			try {
				readMessage(these[i], these[i + 1]);
			} catch (err) {
				noteFault(err);
			}
	};
	const drain = () => {
		if (unread.length)
			own(readQueued);
	};
	const keep = (socket, e) => {
		unread.push(socket, e);
		if (!timed) {
			timed = true;
			setTimeout(() => { timed = false; drain(); }, TOGETHER_MS);
		}
	};
	const often = W.often(K);
	// Whether one of the two has arrived, and not both: a cell's messages are read at once then,
	// so that the kernel is asked before JupyterLab has processed them.
	const ends = (c, data) => !!c && c.sent !== null && !answered(c) &&
		(c.reply !== null || c.idleAt !== null || isOnShell(data));
	const arrived = (socket, e) => {
		S.leave();
		if (!K.atOnce && !A.isOpen() &&
			!ends(K.cell, e.data))
			return often(keep, socket, e);
		unread.push(socket, e);
		drain();
	};

	// ---- what is pending in the kernel -----------------------------------------------

	// What was pending at the end of the cell before.
	let earlier = new Set();
	// Evaluates an expression whose value is of this MIME type. Resolves with {data}, or with
	// {reason} if there is none. What threads print from then on belongs to the cell again.
	K.evaluate = async (expression, mime, limitMs) => {
		if (!A.canAsk(K.socket))
			return {reason: K.lost ? 'the kernel is gone' : K.language === 'python' ?
				'the kernel does not answer' : 'its kernel does not run Python'};
		const end = now() + limitMs, read = ({user_expressions: values}) => {
			const {data, ename, evalue} = (values || {}).nbscope || {};
			return data ? {data: data[mime] || ''} :
				{reason: `${ename}: ${evalue}`.slice(0, MAX_NAME)};
		};
		const a = await A.evaluate(K.socket, () => expression, read, end);
		if (a.answer)
			await A.ask(K.socket, end);
		return a.answer || {reason: 'the kernel did not answer in time'};
	};
	// Asks before the first cell what is pending, and how much CPU time a question takes.
	const askFirst = async deadline => {
		const answers = [];
		for (let n = 0; n < 3 && A.canAsk(K.socket); n++)
			answers.push(await A.ask(K.socket, deadline));
		const [, before, last] = answers;
		if (!last || !before)
			return;
		earlier = new Pending().read(last.items, now(), 0);
		K.questionMs = last.cpuMs - before.cpuMs;
	};
	// How many ms each of n requests takes in which the kernel does next to nothing.
	K.emptyRequests = async (n, limitMs) => {
		const end = now() + limitMs, times = [];
		while (times.length < n && now() < end && A.canAsk(K.socket)) {
			await A.rest();
			const t = now();
			if (await A.ask(K.socket, end))
				times.push(now() - t);
		}
		return times;
	};
	// Later, if the page had not finished by then and sent further requests.
	const lateFrom = c => Math.max(c.reply, c.idleAt, Math.min(c.servedAt, W.last)) + LATE_MS;
	const lateEnd = c => Math.min(c.deadline, lateFrom(c));
	// Reads the answer that came with the cell's reply, once. Returns whether there was one.
	const readTold = c => {
		const {told} = c;
		if (!told)
			return false;
		const of = told.at - (clock.lo + clock.hi) / 2 - performance.timeOrigin;
		const at = Number.isFinite(of) ? Math.max(c.sent, Math.min(of, c.reply)) : c.reply;
		c.pending.read(told.items, at, c.sent, c.late.count(), at);
		c.told = null;
		takeTicksBack(c);
		return true;
	};
	// Asks until nothing is pending that this cell started, and again after each message of the
	// page that the kernel has handled meanwhile: it may have scheduled something.
	const followPending = async c => {
		if (!c.asks || c.following || !A.canAsk(c.socket))
			return;
		c.following = true;
		const p = c.pending;
		const goesOn = () => !c.closed && !K.mute && !K.lost && (c.stale || p.next !== null);
		for (let known = readTold(c); !known || goesOn(); known = true) {
			if (p.next !== null)
				await until(() => c.closed || c.stale, Math.min(p.next, lateEnd(c)));
			await until(() => c.closed || !kernelBusy(), lateEnd(c));
			if (c.closed || now() >= lateEnd(c))
				break;
			c.stale = false;
			c.questions++;
			const pended = p.next !== null;
			const asked = now();
			const answer = await A.ask(c.socket, lateEnd(c), pended);
			c.askedMs += now() - asked;
			if (answer) {
				p.read(answer.items, now(), c.sent, c.late.count(), asked);
				takeTicksBack(c);
			}
			if (pended)
				c.pendedAt = now();
		}
		if (p.seen) {
			p.end();
			takeTicksBack(c);
		}
		c.following = false;
		wake();
	};
	// The page has hardly anything to render if no widget has changed.
	const askEarly = c => {
		c.mayAsk = false;
		c.asks = c.replyStatus === 'ok';
		if (c.commReceived === 0)
			followPending(c);
	};
	// Whether the page has something left to do that this cell started.
	S.owner = () => K.gesture ? K.gesture.timing.cause.life :
		K.cell && K.cell.counting ? K.cell.life : null;
	S.onrun = wake;
	const holds = c => !K.lost && now() < lateEnd(c) && S.holds(c.life, lateEnd(c));
	const pageDone = async c => {
		while (holds(c))
			await until(() => !holds(c), now() + PAGE_MS);
	};
	const lastIn = (c, seen) => {
		if (now() >= lateFrom(c))
			S.giveUp(c.life);
		return seen.last;
	};
	// A message that the kernel sent after its reply. Messages of an earlier cell, or of a
	// periodic callback of this one, change the output endlessly: such changes are not the
	// cell's.
	const noteLate = (c, m, t) => {
		K.widgets = K.widgets || m.type === 'comm_open';
		if (!c || c.msgId === null)
			return;
		const p = c.pending, replied = c.idleAt !== null;
		const unasked = !open.has(m.parent().msg_id);	// by no request in progress
		const inTime = replied && now() < lateEnd(c), clocks = W.periodic || p.periodic;
		if (unasked && inTime)
			c.late.message(t);
		if (unasked && (clocks ? !p.explains(t) : p.next !== null && !inTime))
			c.ticks = [t, ...c.ticks.slice(0, 9)];
		else if (inTime && p.next !== null)
			c.lateAt = c.otherAt = t;
		else
			c.otherAt = t;
	};
	const takeTicksBack = c => {
		if (!c.pending.periodic)
			return;
		drain();
		W.drain();
		const found = c.late.takeBack(c.pending, W.takeBack);
		if (found)
			[c.lateAt, c.ticks] = [found.last, [...found.ticks, ...c.ticks].slice(0, 10)];
	};
	// Whether a change at t of what last changed at `last` is due to such a message.
	W.isTick = (t, last) => {
		const c = K.gesture || K.cell;
		if (c && (W.periodic || c.pending.periodic))
			drain();
		return !!c && t - c.otherAt > TICK_MS && c.ticks.some(at =>
			t >= at && t - at < TICK_MS && !(at - last < TICK_MS / 2));
	};

	// ---- hooks ---------------------------------------------------------------------

	const hooked = new WeakMap();
	const hook = ws => {
		if (hooked.has(ws))
			return hooked.get(ws);
		const found = KERNEL_URL.exec(ws.url || '');
		const socket = {
			ws, kernel: !!found, kernelId: found && decodeURIComponent(found[1]),
			last: null,	// the last message that the page sent on the shell channel
			tls: ws.url.startsWith('wss:'),
			bytes: 0,	// received so far
		};
		hooked.set(ws, socket);
		const {ready} = K;	// of the notebook that it belongs to
		if (found) {
			K.socket = socket;
			K.kernelId = socket.kernelId;
			K.sockets++;
		}
		listen.call(ws, 'message', e => arrived(socket, e));
		listen.call(ws, 'close', () => {
			if (!socket.kernel || K.ready !== ready)
				return;
			K.sockets--;
			K.drops++;
			setTimeout(() => {
				if (K.sockets === 0 && !K.lost && K.ready === ready) {
					K.lost = {
						what: 'server',
						state: 'the kernel\'s WebSocket closed',
						t: now(),
					};
					wake();
				}
			}, LOST_MS);
		});
		return socket;
	};
	const proto = WebSocket.prototype, listen = proto.addEventListener, send = proto.send;
	proto.send = function (data) {
		const sent = own(() => {
			try {
				return sending(hook(this), data, now());
			} catch (err) {
				noteFault(err);
				return data;
			}
		});
		return Reflect.apply(send, this, [sent]);
	};
	const onmessage = Object.getOwnPropertyDescriptor(proto, 'onmessage');
	Object.defineProperty(proto, 'onmessage', {...onmessage, set(f) {
		hook(this);
		onmessage.set.call(this, f);
	}});
	proto.addEventListener = function (type) {
		if (type === 'message')
			hook(this);
		return Reflect.apply(listen, this, arguments);
	};

	// Server-side execution sends the code by HTTP, not through the page's WebSocket.
	const EXECUTE_URL = /\/api\/kernels\/[^/]+\/execute/;
	let httpBytes = [];
	// A frame's document has its own list of resources and its own clock.
	const resources = (list, win) => {
		const shift = list.length ? win.performance.timeOrigin - performance.timeOrigin : 0;
		for (const e of list) {
			if (K.cell && K.cell.counting && e.startTime + shift >= K.cell.pressed &&
				EXECUTE_URL.test(e.name))
				K.cell.serverSide = true;
			httpBytes.push([e.responseEnd + shift, e.transferSize]);
			if (e.initiatorType === 'script')
				S.arrived(e.name);
		}
		wake();
	};
	let watched = [];	// {observer, win}
	const watchResources = win => {
		const observer = new win.PerformanceObserver(list =>
			own(() => resources(list.getEntries(), win)));
		observer.observe({type: 'resource', buffered: true});
		watched = [...watched.filter(w => !w.win.closed), {observer, win}];
	};
	W.inEachRealm(watchResources);

	document.addEventListener('keydown', () => { K.swallowed = false; }, true);
	let moving = false;	// by keys of these scripts
	// A moment later, JupyterLab has handled it.
	const noteTyped = e => setTimeout(() => {
		if (!e.defaultPrevented)
			return;
		K.typed++;
		K.typedKey = `${e.ctrlKey ? 'Control+' : ''}${e.shiftKey ? 'Shift+' : ''}${e.key}`;
	});
	window.addEventListener('keydown', e => {
		const c = K.cell;
		if (!e.isTrusted && !moving)
			noteTyped(e);
		K.swallowed = true;
		// Escape from the driver closes a dialog of JupyterLab: it has no other use for it.
		if (e.key === 'Escape' && document.querySelector('.jp-Dialog'))
			K.dialogs++;
		if (!c || c.pressed !== null || !e.isTrusted || K.gesture)
			return;
		// Control is pressed just before Enter: the last moment that is not timed.
		if (e.key === 'Control' || e.key === 'Shift')
			own(() => { W.scrollTo(c.viewer); U.before(); });
		if (e.key !== 'Enter' || !(e.ctrlKey || e.shiftKey))
			return;
		S.leave();
		c.own = ownMs();
		own(() => { c.astray = !N.isActive(N.placeOf(c.position)); });
		if (c.astray) {
			c.focused = N.hasFocus();
			e.preventDefault();
			e.stopImmediatePropagation();
			wake();
			return;
		}
		drain();
		W.reset();
		c.pressed = timeOf(e);
		c.counting = true;
		U.begin();
		httpBytes = [];
		wake();
	}, true);

	// ---- JupyterLab's notebook ---------------------------------------------------------

	K.panelState = () => {
		const dialog = document.querySelector('.jp-Dialog');
		return {
			...N.state(), target: K.cell ? N.placeOf(K.cell.position) : -1,
			swallowed: K.swallowed,
			typed: K.cell && K.typed > K.cell.typed ? K.typedKey : null,
			dialog: dialog ? W.words(dialog.innerText, MAX_DIALOG) : null,
			login: !!document.querySelector(
				'form#login_form, form[action*="login"], input[type=password]'),
		};
	};
	// Moves to the armed cell, with synthetic keys.
	K.move = () => {
		if (K.gesture)	// the process that performed it has not ended it
			K.gesture.giveUp();
		N.restore();
		const {index, target} = K.panelState(), steps = target < 0 ? 0 : target - index;
		const [key, keyCode] = steps > 0 ? ['ArrowDown', 40] : ['ArrowUp', 38];
		moving = true;
		for (let n = Math.abs(steps); n > 0 && document.activeElement; n--)
			for (const type of ['keydown', 'keyup'])
				document.activeElement.dispatchEvent(new KeyboardEvent(type, {
					key, code: key, keyCode, bubbles: true, cancelable: true,
					composed: true,
				}));
		moving = false;
		return K.moved();
	};
	// The state after the keys, once JupyterLab has rendered it and is idle.
	K.moved = async () => {
		await W.frame();
		await W.tick();
		if (window.requestIdleCallback)
			await new Promise(resolve => requestIdleCallback(resolve, {timeout: 100}));
		await A.rest();
		if (K.cell)
			W.scrollTo(K.cell.viewer);
		return K.panelState();
	};
	K.isReady = () => K.ready.reply && K.ready.idle && open.size === 0 && N.isIdle();
	let hears = false;	// announcements of cells
	K.waitReady = async deadlineMs => {
		const end = now() + deadlineMs;
		const ok = await until(() => K.isReady() || K.lost, end);
		if (ok) {
			hears = hears || await N.hear(N.keep).catch(err => { K.fault = String(err); });
			await askFirst(end);
			Own.begin();
		}
		return {
			ready: !!ok && !K.lost, loadingMs: now() - K.openedAt, lost: K.lost,
			open: [...open.values()].map(o => o.type), ...K.ready,
		};
	};
	// JupyterLab processes messages one after the other, and those of widgets may take long:
	// everything has been processed when the cell's prompt is no longer [*]. The prompt is read
	// with each batch of mutations, but searched for only once, because a search may force a
	// layout.
	const dealtWith = c => {
		if (!c.prompt || !c.prompt.isConnected)
			c.prompt = N.activePrompt();
		return !c.prompt || !c.prompt.textContent.includes('*');
	};
	W.onmutation = () => {
		if (!K.cell || K.cell.dealing)
			wake();
	};
	// ---- one cell -------------------------------------------------------------------------

	const newCell = (cellId, position, viewer) => ({
		cellId, position, viewer, astray: false, focused: true, inserts: false,
		added: N.added(), pressed: null, sent: null, msgId: null,
		busy: null, idle: null, idleAt: null, reply: null, replyStatus: null,
		error: null, exit: null, wrong: null, input: false, serverSide: false,
		no_timestamp: false, execution: {},
		afterMs: 0, counting: false, sentMessages: 0, sentBytes: 0, receivedMessages: 0,
		receivedBytes: 0, commSent: 0, commReceived: 0, outputs: new Outputs(),
		evidence: new Evidence(),
		ownAtChange: null, ownAtReceived: 0, prompt: null, done: null, waited: false,
		held: {from: 0, to: 0}, steps: clock.steps, drops: K.drops, dialogs: K.dialogs,
		typed: K.typed,
		socket: null, bytesBefore: null, bytesReceived: null, pending: new Pending(earlier),
		asks: false, mayAsk: false, following: false,
		stale: false, questions: 0, askedMs: 0, told: null, toldMs: 0, toldCpuMs: 0,
		closed: false, deadline: 0, servedAt: 0, lateAt: null,
		pendedAt: 0, ticks: [], otherAt: -Infinity, life: S.life(),
		late: new Late(),
	});
	// asks: whether the kernel is asked what the cell has left pending.
	K.arm = (cellId, position, asks) => {
		Own.lock();
		drain();
		armed = true;
		K.cell = newCell(cellId, position,
			W.lastRoot && W.lastRoot.isConnected ? W.lastRoot : null);
		executions.set(position, K.cell.execution);
		Object.assign(K.cell, {mayAsk: asks, deadline: Infinity});
		let kept = false;
		// JupyterLab scrolls to the cell that runs: scrolls back to the output, once.
		W.onchange = (root, kind, t, source) => {
			if (K.cell) {
				K.cell.ownAtChange = ownMs();
				K.cell.late.change(t, source, K.cell.idleAt);
			}
			if (!K.cell || K.cell.pressed === null || kept || !root ||
				!root.isConnected)
				return;
			kept = true;
			requestAnimationFrame(() => W.scrollTo(root));
		};
		return true;
	};

	const over = c => answered(c) || K.lost || c.wrong;
	// The kernel has no reply if its code has broken what the reply needs.
	const unanswered = c => c.reply === null && c.idleAt !== null &&
		now() - c.idleAt > NO_REPLY_MS;
	// Whether the kernel has not processed all widget messages yet.
	const kernelBusy = () => {
		drain();
		return [...open.values()].some(o => COMM.test(o.type)) && 'kernel';
	};

	// opts: {empty, waitViz: 'auto'|'yes'|'no', settleMs, maxWaitMs, graceMs, pressMs, next}.
	// `next` ({id, position} or null) is armed if this cell succeeds.
	// Resolves with what happened. May be called again after an interrupt, or after an alert
	// aborted the call, because the state is kept in the page.
	K.wait = opts => new Promise((resolve, reject) => {
		const onBroken = () => {
			if (!broken)
				return false;
			waiters.delete(onBroken);
			resolve({outcome: 'page_fault', fault: `the page has replaced ${broken}`});
			return true;
		};
		waiters.add(onBroken);
		waitCell(opts).then(answer => {
			own(noteBroken);
			return onBroken() || resolve(answer);
		}, err => {
			noteFault(err);
			return onBroken() || reject(err);
		}).finally(() => waiters.delete(onBroken));
		onBroken();
	});
	const waitCell = async opts => {
		const c = K.cell;
		if (!c && armed)
			broken = 'scripts of nbscope';
		if (!c)
			return {outcome: 'other_page'};
		if (c.pressed === null)
			await until(() => c.pressed !== null || c.astray, now() + PRESS_MS);
		if (c.astray) {
			c.astray = false;
			return {outcome: 'astray', focused: c.focused};
		}
		if (c.pressed === null)
			return {outcome: 'no_press'};
		const deadline = c.pressed + opts.maxWaitMs;
		if (opts.empty) {
			await W.tick();
			return finish(c, c.sent === null ? 'empty' : 'done', opts);
		}
		await until(() => c.sent !== null || c.serverSide || K.lost,
			c.pressed + (K.swallowed ? SWALLOWED_MS : opts.pressMs || PRESS_MS));
		if (c.sent === null)
			return finish(c, K.lost ? 'lost' : c.serverSide ? 'server_side' :
				K.swallowed ? 'swallowed' : 'no_request', opts);
		c.deadline = deadline;
		c.mayAsk = c.mayAsk && opts.waitViz !== 'no';
		// Nobody is there to answer input(): the driver interrupts it.
		await until(() => over(c) || unanswered(c) || c.input && !opts.graceMs,
			opts.graceMs ? now() + opts.graceMs : deadline);
		if (c.wrong)
			return finish(c, 'wrong_cell', opts);
		if (K.lost && !answered(c))
			return finish(c, 'lost', opts);
		if (!over(c)) {
			// Messages that arrived meanwhile, and the last long frame, may be pending.
			await W.frame();
			await W.tick();
			drain();
		}
		if (!over(c))
			return finish(c, unanswered(c) ? 'no_reply' : 'kernel_busy', opts);
		return settle(c, opts, deadline);
	};

	// Whether the page may be within a long frame: the last message arrived late, another
	// message kept the page busy, or as much time has passed since as such a frame takes. True
	// if unknown.
	const heldUp = (c, received) => {
		const bound = (clock.hi - clock.lo) / 2;
		const idle = c.idle - (clock.lo + clock.hi) / 2 - performance.timeOrigin;
		return !(received - idle < HELD_MS + bound) ||
			now() - received > U.LONG_MS - HELD_MS || received - heldAt < 2 * U.LONG_MS;
	};
	// Resolves with whether nothing more changes, and nothing is pending, before the deadline.
	const unchanging = async (c, seen, received, settleMs, deadline, busy) => {
		let settled, met;
		do {
			if (c.following && c.pending.next !== null)
				await until(() => !c.following || K.lost, deadline);
			await pageDone(c);
			met = Math.max(received, c.lateAt, c.pendedAt, S.scriptAt);
			settled = await W.settle(met, settleMs, deadline, busy, () => lastIn(c, seen));
			if (settled && c.following)
				await until(() => !c.following || K.lost, deadline);
			else if (met >= Math.max(c.lateAt, c.pendedAt, S.scriptAt) && !holds(c))
				break;
		} while (settled && !K.lost);
		return settled;
	};
	const settle = async (c, opts, deadline) => {
		const received = Math.max(c.reply, c.idleAt), failed = c.replyStatus !== 'ok';
		if (c.mayAsk)
			askEarly(c);
		c.asks = c.asks && opts.waitViz !== 'no';
		c.dealing = true;
		await W.tick();
		const dealt = () => dealtWith(c) || K.lost, began = now();
		const limit = ms => until(dealt, Math.min(deadline, began + ms));
		if (!await limit(OTHER_JSON_MS) && (otherJSON() || !await limit(DEALING_MS)))
			W.marks.add('prompt_stuck');
		else
			c.done = now();
		c.dealing = false;
		if (c.commReceived > 0)
			followPending(c);
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
			// A long frame is reported after it was shown: the first one here may still
			// be it.
			await W.frame();
			await W.frame();
			await W.tick();
			const end = now() + REPORT_MS, {from, to} = c.held;
			while (to - from > 2 * U.LONG_MS && !U.blockedIn(from, to) && now() < end)
				await W.frame();
		}
		await W.checkCanvases();
		// A widget may render a message in the next frame, or after a timer of its own.
		const dumb = K.language !== 'python' || K.mute;
		const mayChange = () => W.last !== null || c.commReceived > 0 || kernelBusy() ||
			holds(c) || dumb && K.widgets;
		if (!mayChange())
			await until(() => !c.following || !c.asks || K.lost, deadline);
		const waits = opts.waitViz === 'yes' || (opts.waitViz === 'auto' && mayChange());
		if (!waits || (failed && W.last === null))
			return finish(c, 'done', opts);
		c.waited = true;
		const settleMs = dumb && K.widgets ?
			Math.max(opts.settleMs, OTHER_SETTLE_MS) : opts.settleMs;
		if (W.given && W.matches() === 0)
			await until(() => W.matches() > 0,
				Math.min(deadline, now() + opts.settleMs));
		if (W.given && W.matches() === 0)
			return finish(c, 'no_viewer', opts);
		const settled = await unchanging(c, W, received, settleMs, deadline,
			() => K.lost ? null : kernelBusy());
		return finish(c, K.lost ? 'lost' : settled ? 'done' : 'not_settled', opts);
	};

	// What it has left pending or restless is not the next cell's.
	const settleUp = (c, settled, settleMs) => {
		const p = c.pending;
		c.closed = true;
		if (p.seen) {
			earlier = p.seen;
			W.periodic = p.seen.size > 0;
		}
		W.rest(settleMs);
		if (!settled)
			W.giveUp(settleMs);
	};
	const finish = (c, outcome, opts) => {
		const answer = report(c, outcome);
		settleUp(c, outcome !== 'not_settled', opts.settleMs);
		if (opts.next && ['done', 'empty', 'not_settled', 'no_viewer'].includes(outcome))
			K.arm(opts.next.id, opts.next.position, opts.next.asks);
		answer.left = now();
		return answer;
	};
	// The time of these scripts within the cell's client time. What they do later, such as
	// waiting until the output has settled, is not counted.
	const ownWithin = (c, settled, received) => {
		if (received === null)
			return ownMs() - c.own;
		const late = settled !== null && settled > received && c.ownAtChange !== null;
		return Math.max(0, (late ? c.ownAtChange : c.ownAtReceived) - c.own);
	};
	// seen: the ledger of changes; page: what usage.js counted.
	const report = (c, outcome, seen = W, page = null) => {
		drain();
		W.drain();
		for (const {observer, win} of watched)
			resources(observer.takeRecords(), win);
		const left = S.close(c.life), end = now(), from = c.pressed === null ? c.sent : c.pressed;
		c.counting = false;
		const lo = clock.lo, hi = clock.hi;
		const known = Number.isFinite(lo) && Number.isFinite(hi);
		const received = answered(c) ? Math.max(c.reply, c.idleAt) : null;
		const at = t => t === null ? null : unix(t);
		own(() => W.markUnseen(seen));
		const marks = [...seen.marks];
		// If a kernel was busy for longer than the page waited for it, or for a negative
		// time, its clock has been set meanwhile.
		const span = c.busy === null || c.idle === null || received === null ? null :
			c.idle - c.busy;
		const stepped = span !== null && (span < 0 || span > received - c.sent + STEP_MS);
		if (stepped)
			[clock.lo, clock.hi] = [-Infinity, Infinity];
		if (stepped || clock.steps > c.steps)
			marks.push('clock_stepped');
		if (seen.ignored)
			marks.push('overlapped');
		if (K.dialogs > c.dialogs)
			marks.push('dialog');
		if (K.typed > c.typed)
			marks.push('page_keys');
		if (K.drops > c.drops && !K.lost)
			marks.push('reconnected');
		if (c.outputs.lost ||
			c.reply !== null && c.idle === null && outcome === 'kernel_busy')
			marks.push('messages_lost');
		if (c.no_timestamp)
			marks.push('no_timestamp');
		if (own(() => replaced(K.listens ? 'all' : 'document')))
			marks.push('page_replaced');
		// A person inserts cells too (Shift+Enter in the last one), and runs them.
		if (c.inserts || !K.listens && N.added() > c.added)
			marks.push('inserted_cell');
		if (c.pending.periodic || left.periodic)
			marks.push('periodic_updates');
		if (c.pending.later || left.later && outcome === 'done')
			marks.push('late_updates_possible');
		page = page || own(() => U.end(c.pressed, end));
		const outputs = c.outputs.count(), shown = c.outputs.error;
		const evidence = own(() => c.evidence.close(
			c.outputs.replaced, c.node ||
			(c.position === null ? null : N.cellAt(c.position))));
		if (page && evidence)
			page.evidence = evidence;
		// ipykernel's reply does not name an exception that was raised while a value was
		// formatted.
		const named = c.error && (c.error.ename !== 'NoneType' || !shown);
		const error = named ? c.error : shown;
		const settled = seen.last === null && seen.lastText === null ? null :
			Math.max(seen.last || 0, seen.lastText || 0);
		return {
			outcome, marks,
			dialog: outcome === 'no_request' ? K.panelState().dialog : null,
			replaced: outcome === 'no_request' ? replaced('all') : '',
			origin: performance.timeOrigin, pressed: c.pressed, sent: c.sent, received,
			busy: c.busy, idle: c.idle === null ? null : c.idle - c.toldMs, stepped,
			sinceHeard: end - K.heard - U.blockedIn(K.heard, end),
			settled, done: c.done, end, late: c.lateAt,
			questionMs: c.questions * K.questionMs + c.toldCpuMs, askedMs: c.askedMs,
			offset: known && !stepped ? (lo + hi) / 2 : null,
			bound: known && !stepped ? (hi - lo) / 2 : null,
			waited: c.waited, changed: seen.last !== null, changes: seen.counts,
			lastKind: seen.lastKind, replied: c.reply !== null,
			replyStatus: c.replyStatus, exit: c.exit,
			errorName: error ? W.words(error.ename || 'Error', MAX_NAME) : null,
			errorValue: error ? W.words(error.evalue || '', MAX_VALUE) : null,
			typed: K.typed > c.typed ? K.typedKey : null,
			input: c.input, wrong: c.wrong, lost: K.lost,
			afterMs: c.afterMs, sockets: K.sockets, fault: K.fault || c.outputs.fault,
			sentMessages: c.sentMessages, sentBytes: c.sentBytes,
			receivedMessages: c.receivedMessages, receivedBytes: c.receivedBytes,
			bytesBefore: c.bytesBefore, bytesReceived: c.bytesReceived,
			bytesEnd: c.socket && c.socket.bytes,
			commSent: c.commSent, commReceived: c.commReceived,
			httpBytes: httpBytes.reduce((sum, [t, n]) =>
				sum + (t >= from && t <= end ? n : 0), 0),
			outputs, items: c.outputs.items, itemsDone: c.outputs.itemsDone, page,
			apart: c.outputs.apart,
			console: U.said(), ownMs: ownWithin(c, settled, received) + c.toldMs,
			pressedAt: at(c.pressed),
		};
	};

	// A gesture is performed between two cells: until resume(), all that happens belongs to it.
	const suspend = g => {
		drain();
		N.remember();
		Object.assign(K, {gesture: g, atOnce: true});
		Object.assign(g, {
			msgId: '', idle: 0, socket: K.socket,
			kept: {clock: {...clock}, onchange: W.onchange},
		});
	};
	// Resolves with whether its output has settled after the input at t. Of a kernel that cannot
	// be asked, changes are waited for.
	const gestureSettled = (g, t, settleMs, otherMs, deadline) => {
		const sent = g.sentMessages > 0, asks = A.canAsk(K.socket);
		Object.assign(g, {sent: t, reply: t, idleAt: t, deadline, asks});
		if (sent)
			followPending(g);
		return unchanging(g, g, t, sent && !asks ? otherMs : settleMs, deadline,
			() => K.lost ? null : g.held && 'input' || kernelBusy());
	};
	// The cell that is armed finds everything as it was, except what the gesture has changed in
	// the notebook.
	const resume = (settled, settleMs) => {
		const c = K.cell, {kept} = K.gesture;
		drain();
		settleUp(K.gesture, settled, settleMs);
		Object.assign(K, {gesture: null, atOnce: false});
		if (clock.steps === kept.clock.steps)
			Object.assign(clock, kept.clock);
		W.reset();
		Object.assign(W, {onchange: kept.onchange, ontakeback: null});
		if (c && c.pressed === null && !c.closed) {
			K.arm(c.cellId, c.position, c.mayAsk);
			K.cell.viewer = c.viewer && c.viewer.isConnected ? c.viewer : K.cell.viewer;
		}
	};

	// Called before the notebook is saved.
	K.setExecutions = () => own(() => executions.forEach((execution, position) => {
		if (Object.keys(execution).length)
			N.setMetadata(position, 'execution', execution);
	}));
	// Called for another notebook in the same page, with another kernel.
	K.renew = () => {
		drain();
		open.clear();
		Object.assign(K, ofNotebook(), {openedAt: now()});
		Object.assign(clock, {lo: -Infinity, hi: Infinity, steps: 0});
		A.renew();
		broken = null;
		[earlier, httpBytes, heldAt] = [new Set(), [], -Infinity];
		executions.clear();
		Evidence.renew();
	};
	// These are for gesture.js, and for listen.js, which handles many cells.
	K.means = {
		until, wake, own, ownMs, newCell, report, kernelBusy, holds, pageDone, lastIn,
		offset: () => ({	// unknown if the bound is infinite
			offset: (clock.lo + clock.hi) / 2, bound: (clock.hi - clock.lo) / 2,
		}),
		suspend, gestureSettled, resume,
		forget: () => { httpBytes = []; },
	};
	Object.defineProperty(window, '__nbscopeKernel', {value: K});
})();
