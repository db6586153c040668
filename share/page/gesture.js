// gesture.js: one gesture on an output: what it caused in the page and in the kernel.
// Builds on kernel.js, timing.js, usage.js and watch.js. listen.js makes one for each gesture of a
// person; cellinteract's performed gesture is between begin() and end(), and the next cell, which
// is armed already, is measured as if there had been none. Inert otherwise.
// Instants are performance.now() in ms.
(() => {
	const K = window.__nbscopeKernel, W = window.__nbscopeWatch, U = window.__nbscopeUsage;
	if (!K || !W || !U || window.__nbscopeGesture)
		return;
	const {
		until, own, ownMs, newCell, kernelBusy, offset, suspend, gestureSettled, resume,
	} = K.means;
	const S = window.__nbscopeScheduled, {timeOf} = window.__nbscopeOwn;
	const {Timing, watch} = window.__nbscopeTiming;
	// Long enough for a kernel's debounce (500 ms in glue-jupyter) and its answer.
	const SETTLE_MS = 1500;
	const ARRIVE_MS = 2000;	// limit for inputs that were dispatched to reach the page
	const MAX_CLASS = 200;
	const now = () => performance.now();
	const unix = t => Math.round((performance.timeOrigin + t) * 1000) / 1e6;
	const ms = t => Math.round(t * 1000) / 1000;
	const G = {
		// Each trusted input, (event, when it was made, when it was heard), first of all
		// listeners; set by listen.js.
		oninput: null,
	};

	// ---- elements -------------------------------------------------------------------

	const classOf = el => W.words(el.getAttribute('class') || '', MAX_CLASS);
	// viewer: the widget inside JupyterLab's frame around it.
	const elementOf = (el, output) => ({
		tag: el.nodeName.toLowerCase(), role: el.getAttribute('role'), class: classOf(el),
		viewer: classOf(output.matches('.lm-Panel.jp-OutputArea-output') &&
			output.firstElementChild || output),
		mime: output.getAttribute('data-mime-type'),
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
		g.timing = new Timing(g.life);
		return g;
	};
	// One more input, on el. counts: it is one of the person's, not its consequence.
	G.add = (g, el, e, t, at, counts = true) => {
		if (g.t === null) {
			g.t = t;
			g.element = el.nodeType === 1 ? elementOf(el, g.viewer || el) : null;
		}
		g.inputs += counts;
		g.lastInput = t;
		g.timing.input(e, t, at);
	};
	G.changed = (g, kind, t, source, by) => {
		W.enter(g, kind, t, source);
		if (g.timing)
			g.timing.changed(t, source, by);
	};
	G.revoke = (g, source, t) => {
		W.revoke(g, source, t);
		if (g.timing)
			g.timing.revoke(source, t);
	};
	G.lifeOf = g => g.timing ? g.timing.cause.life : g.life;
	G.last = g => Math.max(g.lastInput, g.last === null ? 0 : g.last);
	// Resolves with whether a person's output has settled; goesOn(): whether that matters.
	G.settle = async (g, settleMs, maxWaitMs, goesOn) => {
		const busy = () => K.lost ? null : g.held ? 'input' : kernelBusy();
		for (;;) {
			const seen = g.lastInput, settled = await W.settle(seen,
				Math.max(settleMs, SETTLE_MS), seen + maxWaitMs, busy,
				() => G.last(g));
			if (g.lastInput === seen || !goesOn())
				return settled;
		}
	};
	G.forget = g => {
		const left = S.close(g.life);
		if (left.periodic || g.pending.periodic)
			g.marks.add('periodic_updates');
		if (left.later || g.pending.later)
			g.marks.add('late_updates_possible');
		g.timing.end();
		return U.close(g.window, g.t === null ? now() : g.t, now());
	};
	// Ends it: the members of its record, and of those of its steps.
	G.close = (g, status) => {
		const page = G.forget(g), changed = g.first !== null, reasons = {...page.reasons};
		const blocked = (page.long_animation_frames || [])
			.map(f => ({from: f.t * 1000 - performance.timeOrigin, ms: f.duration_ms}));
		const comms = Object.entries(page.messages_by_type)
			.filter(([type]) => type.startsWith('comm_'));
		const sum = key => comms.reduce((all, [, n]) => all + n[key], 0);
		const {members, steps} = g.timing.report(g.lastInput, offset(), blocked);
		if (members.delivery_ms === null)
			reasons.delivery_ms = 'the clocks\' offset is not known well enough: ' +
				'transport_ms is both ways';
		return {steps, record: {
			t: unix(g.t), input: g.kind, inputs: g.inputs,
			gesture_ms: ms(g.lastInput - g.t), element: g.element, status,
			reason: K.lost ? `the ${K.lost.what}: ${K.lost.state}` :
				status === 'not_settled' ?
				'the output was still changing at the limit' :
				changed ? null : 'no output changed',
			first_visual_change_ms: changed ? ms(Math.max(0, g.first - g.t)) : null,
			last_visual_change_ms: changed ?
				ms(Math.max(0, g.last - g.lastInput)) : null,
			changes: g.counts, last_visual_change_kind: g.lastKind,
			comm_messages_sent: sum('sent_messages'),
			comm_bytes_sent: sum('sent_bytes'),
			comm_messages_received: sum('received_messages'),
			comm_bytes_received: sum('received_bytes'),
			long_animation_frame_count: page.long_animation_frame_count,
			long_animation_frame_ms: page.long_animation_frame_ms,
			total_blocking_time_ms: page.total_blocking_time_ms,
			long_animation_frames: page.long_animation_frames, scripts: page.scripts,
			frames_dropped: page.frames_dropped, ...members,
			script_ms: ms(ownMs() - g.own),
			marks: [...new Set([...g.marks, ...W.marks])], reasons,
		}};
	};

	// ---- inputs ---------------------------------------------------------------------

	const INPUTS = ['keydown', 'pointerdown', 'pointermove', 'pointerup', 'pointercancel',
		'wheel', 'change'];
	// What an output's own scroll bars and fields show without a change of the document.
	const SHOWS = {scroll: 'size', input: 'dom'};
	const hear = win => {
		const shift = win.performance.timeOrigin - performance.timeOrigin;
		watch(win);
		for (const [type, kind] of Object.entries(SHOWS))
			win.addEventListener(type, e => {
				const [el] = e.composedPath(), t = timeOf(e) + shift;
				const counts = e.isTrusted && (G.oninput || K.gesture);
				if (counts && el.nodeType === 1 && W.within(el))
					own(() => W.onchange(el, kind, t, el));
			}, {capture: true, passive: true});
		for (const type of INPUTS)
			win.addEventListener(type, e => {
				const at = now(), hears = G.oninput || K.gesture && heard;
				if (e.isTrusted && hears)
					own(() => hears(e, timeOf(e) + shift, at));
			}, {capture: true, passive: true});
	};
	W.inEachRealm(hear);

	// ---- a performed gesture ----------------------------------------------------------

	const heard = (e, t, at) => {
		const g = K.gesture, first = g.t === null;
		// A pointer moves to where it presses; what a press changes is no other input.
		if (first ? e.type === 'pointermove' && g.kind !== 'hover' : e.type === 'change')
			return;
		g.held = e.type === 'pointerdown' || g.held && e.type === 'pointermove';
		S.leave();
		G.add(g, e.composedPath()[0], e, t, at, !/up$|cancel/.test(e.type));
	};
	// Called before the first input is dispatched.
	G.begin = ({settleMs = 300, maxWaitMs = 300000, kind}) => own(() => {
		if (K.gesture)
			K.gesture.giveUp();
		W.reset();
		const g = Object.assign(G.open(kind, null), {settleMs, maxWaitMs, giveUp: () => {
			G.forget(g);
			resume(false, settleMs);
		}});
		suspend(g);
		W.onchange = (root, ...change) => G.changed(g, ...change);
		W.ontakeback = (source, t) => G.revoke(g, source, t);
		return {now: now(), timeOrigin: performance.timeOrigin};
	});
	const finish = (g, settled) => g.t === null ? G.forget(g) && {steps: [], record: {
		t: null, input: g.kind, inputs: 0, status: 'not_run', marks: [],
		reason: 'no input reached the page',
	}} : G.close(g, !K.lost ? settled ? 'completed' : 'not_settled' :
		K.lost.what === 'kernel' ? 'kernel_died' : 'server_lost');
	// Resolves with {record, steps, console} when that many inputs have been dispatched and the
	// output has settled.
	G.end = async ({inputs = 1} = {}) => {
		const g = K.gesture;
		if (!g)
			return {fault: 'no gesture is being performed: the page was loaded again'};
		await until(() => g.t !== null, now() + ARRIVE_MS);
		let seen = null, settled = false;
		while (g.lastInput !== seen) {
			seen = g.lastInput;
			settled = await gestureSettled(g, seen, g.settleMs, SETTLE_MS,
				seen + g.maxWaitMs);
		}
		if (K.gesture !== g)
			return {fault: 'the gesture was given up'};
		const answer = own(() => finish(g, settled));
		resume(settled, g.settleMs);
		answer.record.inputs_dispatched = inputs;
		return {...answer, console: U.said()};
	};
	Object.defineProperty(window, '__nbscopeGesture', {value: G});
})();
