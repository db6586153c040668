// gesture.js: one gesture on an output: what it caused in the page and in the kernel.
// Builds on kernel.js, usage.js and watch.js. listen.js makes one for each gesture of a person;
// cellinteract's performed gesture is between begin() and end(), and the next cell, which is armed
// already, is measured as if there had been none. Inert otherwise.
// Instants are performance.now() in ms.
(() => {
	const K = window.__nbscopeKernel, W = window.__nbscopeWatch, U = window.__nbscopeUsage;
	if (!K || !W || !U || window.__nbscopeGesture)
		return;
	const {until, own, ownMs, newCell, kernelBusy, holds, suspend, resume} = K.means;
	const S = window.__nbscopeScheduled, {timeOf} = window.__nbscopeOwn;
	// Long enough for a kernel's debounce (500 ms in glue-jupyter) and its answer.
	const SETTLE_MS = 1500;
	const ARRIVE_MS = 2000;	// limit for inputs that were dispatched to reach the page
	const MAX_CLASS = 200;
	const now = () => performance.now();
	const unix = t => Math.round((performance.timeOrigin + t) * 1000) / 1e6;
	const ms = t => Math.round(t * 1000) / 1000;
	const G = {
		// Each trusted input, (event, instant), first of all listeners; set by listen.js.
		oninput: null,
	};

	// ---- elements -------------------------------------------------------------------

	// The widget inside JupyterLab's frame around it.
	const named = viewer =>
		viewer.matches('.lm-Panel.jp-OutputArea-output') && viewer.firstElementChild ||
		viewer;
	const elementOf = (el, viewer) => ({
		tag: el.nodeName.toLowerCase(), role: el.getAttribute && el.getAttribute('role'),
		class: W.words(el.getAttribute && el.getAttribute('class') || '', MAX_CLASS),
		viewer: W.words(named(viewer).getAttribute('class') || '', MAX_CLASS),
		mime: viewer.getAttribute('data-mime-type'),
	});
	// The outermost element: the parts of a widget are one output.
	G.viewerOf = el => {
		let viewer = el && W.within(el);
		for (let out = viewer; out; out = out.parentElement && W.within(out.parentElement))
			viewer = out;
		return viewer;
	};

	// ---- a gesture ------------------------------------------------------------------

	G.ledger = () => ({
		...W.ledger(), types: new Map(), window: null, counting: true, own: ownMs(),
	});
	// kind: of its inputs; viewer: the output. Its first input comes with G.add().
	G.open = (kind, viewer, ledger = G.ledger()) => {
		const g = {
			...newCell(null, null, null), ...ledger, kind, viewer, element: null,
			t: null, lastInput: null, inputs: 0, held: false,
		};
		g.window = U.open(g.types);
		return g;
	};
	// One more input.
	G.add = (g, el, t, counts = true) => {
		if (g.t === null) {
			g.t = t;
			g.element = el.nodeType === 1 ? elementOf(el, g.viewer || el) : null;
		}
		g.inputs += counts;
		g.lastInput = t;
	};
	G.last = g => Math.max(g.lastInput, g.last === null ? 0 : g.last);
	// Resolves with whether the output has settled after the last input; goesOn(): whether
	// that is of interest.
	G.settle = async (g, settleMs, maxWaitMs, goesOn = () => true) => {
		const busy = () => K.lost ? null : g.held ? 'input' : kernelBusy();
		let settled, seen;
		do {
			seen = g.lastInput;
			settled = await W.settle(seen, Math.max(settleMs, SETTLE_MS),
				seen + maxWaitMs, busy, () => G.last(g));
		} while (g.lastInput !== seen && goesOn());
		return settled;
	};
	G.forget = g => {
		S.close(g.life);
		return U.close(g.window, g.t === null ? now() : g.t, now());
	};
	const commOf = types => {
		const comm = {
			sent_messages: 0, sent_bytes: 0, received_messages: 0, received_bytes: 0,
		};
		for (const [type, n] of Object.entries(types))
			for (const key of type.startsWith('comm_') ? Object.keys(comm) : [])
				comm[key] += n[key];
		return comm;
	};
	// Ends it; the members of its record.
	G.close = (g, status) => {
		const page = G.forget(g), comm = commOf(page.messages_by_type);
		const changed = g.first !== null;
		return {
			t: unix(g.t), input: g.kind, inputs: g.inputs,
			gesture_ms: ms(g.lastInput - g.t), element: g.element, status,
			reason: status === 'not_settled' ?
				'the output was still changing at the limit' :
				changed ? null : 'no output changed',
			first_visual_change_ms: changed ? ms(Math.max(0, g.first - g.t)) : null,
			last_visual_change_ms: changed ?
				ms(Math.max(0, g.last - g.lastInput)) : null,
			changes: g.counts, last_visual_change_kind: g.lastKind,
			comm_messages_sent: comm.sent_messages,
			comm_messages_received: comm.received_messages,
			comm_bytes_sent: comm.sent_bytes, comm_bytes_received: comm.received_bytes,
			long_animation_frame_count: page.long_animation_frame_count,
			long_animation_frame_ms: page.long_animation_frame_ms,
			total_blocking_time_ms: page.total_blocking_time_ms,
			frames_shown: page.frames_shown, frames_dropped: page.frames_dropped,
			script_ms: ms(ownMs() - g.own),
			marks: [...new Set([...g.marks, ...W.marks])], reasons: page.reasons,
		};
	};

	// ---- inputs ---------------------------------------------------------------------

	const INPUTS = ['keydown', 'keyup', 'pointerdown', 'pointermove', 'pointerup',
		'pointercancel', 'wheel', 'change'];
	const hear = win => {
		const shift = win.performance.timeOrigin - performance.timeOrigin;
		for (const type of INPUTS)
			win.addEventListener(type, e => {
				if (e.isTrusted && (G.oninput || performed))
					own(() => (G.oninput || heard)(e, timeOf(e) + shift));
			}, {capture: true, passive: true});
	};
	const onrealm = W.onrealm;
	W.onrealm = win => {
		if (onrealm)
			onrealm(win);
		hear(win);
	};

	// ---- a performed gesture ----------------------------------------------------------

	// What a gesture's input is, by its kind: what else arrives is a consequence of it.
	const COUNTED = {
		key: ['keydown'], text: ['keydown'], keys: ['keydown'], wheel: ['wheel'],
		click: ['pointerdown'], 'double click': ['pointerdown'],
		drag: ['pointerdown', 'pointermove'], hover: ['pointermove'],
	};
	let performed = null;	// {g, settleMs, maxWaitMs}
	const heard = (e, t) => {
		const {g} = performed;
		g.held = e.type === 'pointerdown' ||
			g.held && e.type !== 'pointerup' && e.type !== 'pointercancel';
		// A pointer moves to where it presses.
		if (g.t === null && e.type === 'pointermove' && g.kind !== 'hover')
			return;
		const counts = COUNTED[g.kind] ? COUNTED[g.kind].includes(e.type) :
			e.type !== 'keyup' && e.type !== 'pointerup';
		G.add(g, e.composedPath()[0], t, counts);
	};
	// Called before the first input is dispatched. kind: a key of COUNTED; others are possible.
	G.begin = ({settleMs = 300, maxWaitMs = 300000, kind}) => own(() => {
		W.reset();
		const g = G.open(kind, null);
		performed = {g, settleMs, maxWaitMs};
		suspend(g);
		W.onchange = (root, what, t, source) => { W.enter(g, what, t, source); };
		W.ontakeback = (source, t) => W.revoke(g, source, t);
		return {now: now(), timeOrigin: performance.timeOrigin};
	});
	const statusOf = (g, settled) => {
		if (K.lost)
			return K.lost.what === 'kernel' ? 'kernel_died' : 'server_lost';
		return g.t === null ? 'not_run' : settled ? 'completed' : 'not_settled';
	};
	// Resolves with {record, steps, console} when that many inputs have been dispatched and the
	// output has settled.
	G.end = async ({inputs = 1} = {}) => {
		if (!performed)
			return {fault: 'no gesture is being performed: the page was loaded again'};
		const {g, settleMs, maxWaitMs} = performed;
		await until(() => g.t !== null, now() + ARRIVE_MS);
		const settled = g.t !== null && await G.settle(g, settleMs, maxWaitMs);
		while (settled && holds(g))
			await W.frame();
		const status = statusOf(g, settled);
		if (g.t === null)
			g.t = g.lastInput = now();
		const record = {...own(() => G.close(g, status)), inputs_dispatched: inputs};
		if (status === 'not_run')
			record.reason = 'no input reached the page';
		performed = null;
		W.ontakeback = null;
		await resume();
		return {record, steps: [], console: U.said()};
	};
	hear(window);
	Object.defineProperty(window, '__nbscopeGesture', {value: G});
})();
