// listen.js: what a person does in a notebook, cell by cell and gesture by gesture.
// Builds on watch.js, usage.js, kernel.js and gesture.js. Each cell that is sent to the kernel and
// each gesture on an output is an episode with its own ledger of changes; several may be open at a
// time. next() returns events: what has started and what is over.
// Instants are performance.now() in ms.
(() => {
	const K = window.__nbscopeKernel, W = window.__nbscopeWatch, U = window.__nbscopeUsage;
	const G = window.__nbscopeGesture;
	if (!K || !W || !U || !G || window.__nbscopeListen)
		return;
	const {until, wake, own, ownMs, holds, pageDone, lastIn} = K.means;
	const Own = window.__nbscopeOwn, {timeOf} = Own;
	const S = window.__nbscopeScheduled, N = window.__nbscopeNotebook;
	const PRESS_MS = 5000;	// a request later than this after an input was not caused by it,
	const BURST_MS = 250;	// nor a second one later than this after the first
	const DEALING_MS = 30000;	// limit for JupyterLab to process what has arrived
	const UNSETTLED_MS = 200;	// since the last input
	const SOON_MS = 500;	// between two announcements of a press
	const STALE_MS = 2000;	// age of a count of nodes
	const DRAG_PX = 3;	// a pointer that moves less has clicked
	const now = () => performance.now();
	const unix = t => Math.round((performance.timeOrigin + t) * 1000) / 1e6;
	const R = window.__nbscopeRecord;	// used if lines of gestures are asked for
	const L = {
		on: false, gestures: false, wait: 'auto', settleMs: 300, maxWaitMs: 300000,
		path: null, save: false,
		heard: null, follows: null,	// see L.listen()
	};

	// ---- events for the driver --------------------------------------------------

	const events = [];
	let acknowledged = 0;	// how many the driver has received that are no longer in `events`
	const life = performance.timeOrigin;
	const emit = (event, c = null) => {
		if (L.heard)
			return L.heard(event, c);
		events.push(event);
		wake();
	};
	// The driver has received the first `got` events of this page's life.
	const acknowledge = (lifeKnown, got) => {
		if (lifeKnown === life && got > acknowledged) {
			events.splice(0, got - acknowledged);
			acknowledged = got;
		}
		return {life, events: [...events]};
	};
	// Resolves with the next events as soon as there are any, or with none after waitMs.
	L.next = async (opts, lifeKnown, got, waitMs) => {
		if (L.heard)
			leavePage();
		Object.assign(L, opts);
		acknowledge(lifeKnown, got);
		if (!L.on)
			begin();
		await until(() => events.length > 0, now() + waitMs);
		return acknowledge(life, 0);
	};

	// Without a driver: a function of the page has each event, with the cell that it is about, of
	// all notebooks for which follows() holds, until L.end() or until a driver asks for events.
	L.listen = (opts, heard, follows) => {
		Object.assign(L, opts, {heard, follows});
		begin();
	};
	const leavePage = () => {
		if (L.on)
			L.end();
		L.heard({what: 'driver'});
		Object.assign(L, {heard: null, follows: null});
	};

	// ---- episodes -----------------------------------------------------------------

	const open = new Set();	// cells and gestures that are not over, in the order of their start
	const owners = new Map();	// message -> the episode that it belongs to
	let serial = 0;
	const ledger = () => ({...G.ledger(), serial: ++serial, node: null, viewer: null});
	const enter = e => {
		if (!open.size) {
			W.reset();
			K.means.forget();
		}
		open.add(e);
	};
	const leave = e => {
		open.delete(e);
		S.close(e.life);
		for (const [id, owner] of owners)
			if (owner === e)
				owners.delete(id);
	};
	// A queued cell has not started.
	const begun = () => [...open].filter(e => e.window);
	// The episode of a message that belongs to no request: the last one that started.
	const current = () => begun().pop() || null;
	S.owner = () => open.size && current() && G.lifeOf(current()) || null;
	K.owner = (m, sent = false, socket = null) => {
		if (!open.size)
			return null;
		const e = m && owners.get((sent ? m.header() : m.parent()).msg_id);
		if (e && open.has(e))
			return e;
		const ofIt = socket && begun().filter(b => (b.kernelId || L.kernelId ||
			socket.kernelId) === socket.kernelId);
		return ofIt ? ofIt.pop() || null : current();
	};
	// Whether it is in another notebook that is open in the same page.
	const panelsHeard = new Set();	// of the notebooks that are listened to
	const elsewhere = el => {
		const panel = panelsHeard.size && el && el.nodeType === 1 &&
			el.closest('.jp-NotebookPanel');
		return !!panel && !panelsHeard.has(panel);
	};
	const hears = notebook => {
		L.notebook = notebook;
		if (!L.follows)
			panelsHeard.clear();
		panelsHeard.add(notebook.parent.node);
	};
	// The episode that a change belongs to: the cell that contains it, or the gesture on that
	// output, else the latest. If several may have caused it, all of them are marked.
	const whose = root => {
		const all = begun();
		if (!all.length || elsewhere(root))
			return null;
		if (all.length < 2)
			return all[0];
		const cell = root && root.nodeType === 1 ? root.closest('.jp-Cell') : null;
		const mine = all.filter(e =>
			e.viewer ? e.viewer.contains(root) : e.node && e.node === cell);
		// A cell that runs, or a later gesture on another output, may change an earlier
		// output.
		const able = new Set(mine.length ?
			[...mine, ...all.filter(e => e.serial > mine[0].serial)] : all);
		if (able.size > 1)
			for (const e of able)
				e.marks.add('overlapped');
		return (mine.length ? mine : all).pop();
	};
	W.onchange = (root, ...change) => {
		const e = open.size ? whose(root) : null;
		if (!e)
			return;
		G.changed(e, ...change);
		e.ownAtChange = ownMs();
	};
	// Changes of a canvas that turned out to show the same picture.
	W.ontakeback = (source, t) => {
		for (const e of open)
			G.revoke(e, source, t);
	};
	W.ontext = (node, t) => {
		const el = node.nodeType === 1 ? node : node.parentElement;
		const e = open.size && whose(el);
		if (e)
			e.lastText = t;
	};

	// ---- which cell ---------------------------------------------------------------

	// JupyterLab announces a cell that is about to run.
	const announced = new Map();	// cell id -> {notebook, cell}
	const hearAnnouncements = () => N.hear(({notebook, cell}) => {
		if (isOurs(notebook))
			hears(notebook);
		announced.set(cell.model.id, {notebook, cell});
	});
	// A notebook that is renamed is still listened to.
	const contextOf = notebook => notebook && notebook.parent && notebook.parent.context ||
		null;
	let path = null, followed = null;	// the notebook's latest path and context
	const isOurs = notebook => {
		if (L.follows)
			return L.follows(notebook);
		const context = contextOf(notebook);
		if (L.context && L.context.isDisposed)
			L.context = null;	// closed, maybe to be opened again
		if (!L.context && context && (!path || context.path === path))
			L.context = context;
		if (L.context && L.context !== followed) {
			followed = L.context;
			followed.pathChanged.connect((_, to) => emit({what: 'renamed', path: to}));
		}
		path = L.context ? L.context.path : path;
		return !context || context === L.context;
	};
	const panels = () => {
		const app = window.jupyterapp || window.jupyterlab;
		return app ? [...app.shell.widgets('main')]
			.filter(w => w.context && w.content && w.content.widgets) : [];
	};
	// Without an announcement: the cell that shows [*] and is not in an episode yet.
	const byPage = () => {
		const all = [...document.querySelectorAll(
			'.jp-NotebookPanel:not(.lm-mod-hidden) .jp-Cell')]
			.filter(c => c.querySelector('.jp-InputArea-prompt'));
		const codes = all.filter(c => c.classList.contains('jp-CodeCell'));
		const node = codes.find(c =>
			c.querySelector('.jp-InputArea-prompt').textContent.includes('*') &&
			![...open].some(e => e.node === c));
		return {
			node: node || null, position: Math.max(0, all.indexOf(node)),
			index: Math.max(1, codes.indexOf(node) + 1), tags: [],
		};
	};
	const placeOf = id => {
		const a = announced.get(id);
		announced.delete(id);
		if (!a)
			return byPage();
		const position = a.notebook.widgets.indexOf(a.cell), model = a.cell.model;
		const tags = model.getMetadata ? model.getMetadata('tags') :
			model.metadata.get('tags');
		return {
			node: a.cell.node, position, index: a.notebook.widgets
				.slice(0, position + 1).filter(w => w.model.type === 'code').length,
			tags: Array.isArray(tags) ? tags.filter(t => typeof t === 'string') : [],
			foreign: !isOurs(a.notebook),
		};
	};

	// ---- cells --------------------------------------------------------------------

	// Of another notebook's kernel it is nothing to this cell.
	const lost = c => K.lost && (!K.lost.kernelId || K.lost.kernelId === c.kernelId) ?
		K.lost : null;
	const over = c => {
		c.lost = c.lost || lost(c);
		return !!c.lost || (c.reply !== null && c.idleAt !== null);
	};
	// From now on it has the kernel and the page's counters.
	const starts = c => {
		if (!U.counted || now() - countedAt > STALE_MS)
			count();
		c.window = U.open(c.types);
		c.own = ownMs();
	};
	K.onbusy = (c, t) => {
		if (c.window)
			return;
		starts(c);
		emit({what: 'begin', serial: c.serial, t: unix(t)}, c);
	};
	const describe = c => ({
		serial: c.serial, id: c.cellId, index: c.index, position: c.position,
		source: c.source, tags: c.tags,
	});
	const cellSent = (m, t, socket) => {
		const {cellId} = m.metadata() || {}, content = m.content();
		if (cellId === undefined || content.silent)
			return;	// from a console or an extension
		const at = placeOf(cellId);
		if (at.foreign)
			return;	// from another notebook in the same page
		K.lost = null;
		L.kernelId = socket.kernelId;
		cellSentLast = at;
		const pressed = input && t - input.t <= PRESS_MS &&
			(input.used === undefined || t - input.used <= BURST_MS) ? input : null;
		if (pressed)
			pressed.used = t;
		// The key that runs a cell is not an input to the output under the pointer.
		if (pressed && gesture && open.has(gesture) && gesture.kind === 'key' &&
			gesture.t === pressed.t)
			forget(gesture);
		const queued = [...open].some(e => e.msgId && !over(e));
		const c = {
			...K.means.newCell(cellId, at.position, null), ...ledger(),
			index: at.index, node: at.node, tags: at.tags, source: content.code,
			sent: t, msgId: m.header().msg_id, pressed: pressed && pressed.t,
			pressedBy: pressed && pressed.type, queued, kernelId: socket.kernelId,
			lost: null, socket,
		};
		if (!pressed)
			c.marks.add('untriggered');
		if (queued)
			c.marks.add('queued');
		enter(c);
		owners.set(c.msgId, c);
		if (!queued)
			starts(c);
		emit({
			what: 'start', t: unix(pressed ? pressed.t : t), sent_t: unix(t),
			pressed_t: pressed ? unix(pressed.t) : null, pressedBy: c.pressedBy, queued,
			kernelId: c.kernelId, cell: describe(c),
		}, c);
		followCell(c);
	};
	K.onsend = (m, t, socket) => {
		if (!L.on)
			return;
		const e = current();
		if (m.type === 'execute_request')
			cellSent(m, t, socket);
		else if (m.type.startsWith('comm_') && e)
			owners.set(m.header().msg_id, e);
	};
	// JupyterLab has processed everything when the prompt is no longer [*], but the prompt of a
	// cell that is queued again says nothing.
	const dealtWith = c => {
		const prompt = c.node && c.node.isConnected &&
			c.node.querySelector('.jp-InputArea-prompt');
		return !prompt || !prompt.textContent.includes('*') ||
			[...open].some(e => e.node === c.node && e.serial > c.serial);
	};
	const followCell = async c => {
		await until(() => over(c) || !L.on, Infinity);
		if (!L.on)
			return;
		if (c.lost)
			return finishCell(c, 'lost');
		const received = Math.max(c.reply, c.idleAt);
		const deadline = c.deadline = received + L.maxWaitMs;
		await W.tick();
		if (!await until(() => dealtWith(c) || lost(c),
			Math.min(deadline, now() + DEALING_MS)))
			c.marks.add('prompt_stuck');
		await W.tick();
		for (let n = 0, seen; n < 60 && c.lastText !== null && c.lastText !== seen; n++) {
			seen = c.lastText;
			await W.frame();
		}
		await W.checkCanvases();
		const waits = L.wait === 'tags' ? c.tags.includes('wait_for_viz') :
			L.wait === 'auto' &&
			(c.last !== null || K.means.kernelBusy() || holds(c));
		if (!waits || (c.replyStatus !== 'ok' && c.last === null))
			return finishCell(c, 'done');
		c.waited = true;
		let settled;
		do {
			await pageDone(c);
			settled = await W.settle(received, L.settleMs, deadline,
				() => lost(c) ? null : K.means.kernelBusy(), () => lastIn(c, c));
		} while (settled && holds(c));
		finishCell(c, settled ? 'done' : 'not_settled');
	};
	const finishCell = (c, outcome) => own(() => {
		if (!open.has(c))
			return;
		const page = c.window &&
			U.close(c.window, c.pressed === null ? c.sent : c.pressed, now());
		c.marks = new Set([...c.marks, ...W.marks]);
		const seen = K.means.report(c, outcome, c, page);
		leave(c);
		calmAt = now();
		emit({
			what: 'cell', cell: describe(c), seen: {...seen, lost: c.lost},
			pressedBy: c.pressedBy,
		}, c);
		if (L.save && !open.size && L.notebook)
			L.notebook.parent.context.save().catch(() => {});
	});
	// Requests to a kernel that is restarted get no answer.
	const LOSES = /\/api\/kernels\/([^/?]+)\/restart(\?|$)/;
	const SERVER_SIDE = /\/api\/kernels\/[^/?]+\/execute(\?|$)/;
	const requests = new PerformanceObserver(list => own(() => {
		for (const {name} of L.on ? list.getEntries() : []) {
			const restarted = LOSES.exec(name);
			for (const e of restarted ? open : [])
				e.lost = e.msgId && e.kernelId === restarted[1] && !over(e) ? {
					what: 'kernel', state: 'the kernel was restarted',
					t: now(),
				} : e.lost;
			if (SERVER_SIDE.test(name))
				emit({what: 'server_side'});
		}
		wake();
	}));

	// ---- inputs -------------------------------------------------------------------

	let input = null;	// the last one that may have run a cell: {t, type}
	let calmAt = 0, cellSentLast = null;	// for lines: when the last cell or gesture ended
	let gesture = null, hover = null, soonAt = -Infinity, countedAt = -Infinity;
	const count = () => {
		countedAt = now();
		U.before();
	};
	// The last moment that is not timed: the driver takes its readings then.
	const soon = t => {
		if (t - soonAt < SOON_MS || open.size)
			return;
		soonAt = t;
		count();
		emit({what: 'soon'});
	};
	const MODIFIERS = ['Control', 'Shift', 'Alt', 'Meta', 'AltGraph', 'CapsLock'];
	const editable = el => !!(el && el.closest &&
		el.closest('input, textarea, select, [contenteditable="true"], .cm-editor'));
	// One more input of the gesture, or the first of a new one. `quietly`: without an effect
	// there is no record.
	const act = (kind, e, t, at, quietly, el = e.target) => {
		const viewer = G.viewerOf(el);
		if (!viewer || elsewhere(viewer))
			return null;
		const g = gesture, where = L.gestures && (el === e.target ? R.where(e) : hover);
		if (g && open.has(g) && !g.held && (!K.means.kernelBusy() &&
			t - G.last(g) > L.settleMs || where && parts(g, kind, e, t, where)))
			finishGesture(g, 'completed');	// it was open only for late changes
		if (g && open.has(g) && g.viewer === viewer &&
			(g.kind === kind || kind === 'change')) {
			// A click changes what it ticks.
			G.add(g, el, e, t, at, g.kind === kind);
			if (where)
				R.add(g, e, t);
			return g;
		}
		gesture = {
			...G.open(kind, viewer, ledger()), viewer, quietly,
			kernelId: L.kernelId,
			pauseMs: open.size ? 0 : t - calmAt,
		};
		G.add(gesture, el, e, t, at);
		enter(gesture);
		if (where)
			R.begin(gesture, e, t, where);
		followGesture(gesture);
		return gesture;
	};
	// Whether an input begins another line.
	const parts = (g, kind, e, t, where) => (g.kind === kind || g.kind === 'hover') &&
		!(g.kind === kind && R.continues(g, e, t, where));
	// The cell after which a gesture is performed: the last one that was run, or of all.
	const cellBefore = () => cellSentLast || {node: null, index: document.querySelectorAll(
		'.jp-NotebookPanel:not(.lm-mod-hidden) .jp-CodeCell').length};
	const forget = g => {
		leave(g);
		G.forget(g);
	};
	const followGesture = async g => {
		if (L.gestures)
			keepUnsettled(g);
		const settled = await G.settle(g, L.settleMs, L.maxWaitMs, () => L.on);
		finishGesture(g, settled ? 'completed' : 'not_settled');
	};
	const finishGesture = (g, status) => own(() => {
		if (!open.has(g))
			return;
		leave(g);
		const {record, steps} = G.close(g, status);
		if (g.quietly && g.first === null && !record.comm_messages_sent ||
			L.gestures && R.isBrief(g))
			return;
		calmAt = now();
		if (L.gestures)
			addLine(g, record);
		emit({what: 'interaction', serial: g.serial, console: U.said(), record, steps});
	});
	const addLine = (g, record) => {
		const at = g.lastInput;
		if (!g.lined || g.lined.at !== at)
			g.lined = {at, line: R.line(g, cellBefore(), g.pauseMs)};
		const {line} = g.lined;
		record.line = line.gesture ? line : null;
		record.reasons = {...record.reasons, ...line.why ? {line: line.why} : {}};
	};
	// The person may close the page before the output has settled.
	const keepUnsettled = async g => {
		for (let seen = null; open.has(g) && L.on; seen = g.lastInput) {
			await until(() => !open.has(g) || !L.on, now() + UNSETTLED_MS);
			if (!open.has(g) || g.held || g.lastInput === seen || R.isBrief(g) ||
				g.quietly && g.first === null)
				continue;
			const record = {
				t: unix(g.t), input: g.kind, inputs: g.inputs, marks: [],
				status: 'not_settled',
				reason: 'the page was closed before its output had settled',
			};
			own(() => addLine(g, record));
			emit({what: 'unsettled', serial: g.serial, record});
		}
	};

	let down = null;	// where the pointer is held: {gesture, x, y}
	const keyed = (e, t, at) => {
		if (MODIFIERS.includes(e.key)) {
			soon(t);
			return;
		}
		const typing = editable(e.target);
		if (!typing || e.ctrlKey || e.metaKey || e.altKey ||
			(e.key === 'Enter' && (e.shiftKey || !e.target.closest('.jp-Cell'))))
			input = {t, type: 'keydown'};
		if (W.within(e.target))
			act('key', e, t, at, false);
		else if (!typing && hover && hover.el.isConnected)
			act('key', e, t, at, true, hover.el);
	};
	const pointed = (e, t, at) => {
		if (e.type === 'pointerdown') {
			soon(t);
			const g = act('click', e, t, at, false);
			down = g && {gesture: g, x: e.clientX, y: e.clientY};
			if (g)
				g.held = true;
		} else if (e.type === 'pointermove') {
			hover = R.where(e);
			if (!down) {
				const hovers = gesture && open.has(gesture) &&
					gesture.kind === 'hover';
				if (L.gestures && (hovers || !open.size))
					act('hover', e, t, at, true);
				return;
			}
			const g = down.gesture;
			if (L.gestures)
				R.add(g, e, t);
			if (g.kind === 'click' &&
				Math.hypot(e.clientX - down.x, e.clientY - down.y) >= DRAG_PX)
				g.kind = 'drag';
			if (g.kind === 'drag')
				G.add(g, e.target, e, t, at);
		} else if (down) {
			G.add(down.gesture, e.target, e, t, at, false);
			if (L.gestures)
				R.add(down.gesture, e, t);
			down.gesture.held = false;
			down = null;
		}
	};
	const HEARD = {
		keydown: keyed, pointerdown: pointed, pointermove: pointed, pointerup: pointed,
		pointercancel: pointed,
		wheel: (e, t, at) => act('wheel', e, t, at, true),
		change: (e, t, at) => act('change', e, t, at, true),
	};
	G.oninput = (e, ...at) => {
		if (L.on)
			HEARD[e.type](e, ...at);
	};
	const hear = win => {
		const shift = win.performance.timeOrigin - performance.timeOrigin;
		for (const type of ['pointerdown', 'pointerup', 'mousedown', 'mouseup', 'click'])
			win.addEventListener(type, e => {
				if (e.isTrusted)
					input = {t: timeOf(e) + shift, type};
			}, {capture: true, passive: true});
	};
	W.inEachRealm(hear);

	// ---- beginning and end ------------------------------------------------------------

	const begin = () => {
		L.on = K.listens = K.atOnce = W.atOnce = true;
		requests.observe({type: 'resource'});
		path = L.path;
		const ours = panels().find(p => p.context.path === path);
		if (ours && isOurs(ours.content))
			hears(ours.content);
		hearAnnouncements().catch(e => { K.fault = String(e); });
	};
	// Reports cells and gestures that have not ended, in their current state. After that the
	// scripts do nothing in the page.
	L.end = (lifeKnown, got) => {
		for (const e of [...open])
			if (e.msgId)
				finishCell(e, over(e) ?
					e.lost ? 'lost' : 'not_settled' : 'kernel_busy');
			else
				finishGesture(e, 'not_settled');
		L.on = false;
		requests.disconnect();
		wake();
		return acknowledge(lifeKnown, got);
	};
	// The notebook as it is in the page.
	L.executed = () => {
		const panel = panels().find(p =>
			L.context ? p.context === L.context : !path || p.context.path === path);
		const notebook = L.notebook || (panel && panel.content);
		return notebook ? notebook.model.toJSON() : null;
	};
	Object.defineProperty(window, '__nbscopeListen', {value: L});
	Own.begin();
	Own.lock();
})();
