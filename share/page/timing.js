// timing.js: how long the page and the kernel took for each input of a gesture.
// A Timing notes when an input was made and heard, which messages and changes it caused, and the
// page's frames, which it requests meanwhile. What an input causes is what its listeners do, and
// the callbacks that they schedule; what a message causes is due to the input that had led to its
// request.
// Instants are performance.now() in ms; kernel dates are Unix ms.
(() => {
	const W = window.__nbscopeWatch, S = window.__nbscopeScheduled;
	if (!W || !S || window.__nbscopeTiming)
		return;
	const {requestAnimationFrame} = S.real;
	const MAX_CHANGES = 20000, MAX_STEPS = 1000;
	const REFRESH_MS = 1000 / 60;
	// Event Timing: the shortest duration that it reports, and what all are multiples of.
	const THRESHOLD_MS = 16, GRAIN_MS = 8;
	const now = () => performance.now();
	const ms = t => Math.round(t * 1000) / 1000;
	const since = (t, from) => t === null ? null : ms(t - from);
	const unix = t => Math.round((performance.timeOrigin + t) * 1000) / 1e6;
	const sum = list => list.reduce((all, n) => all + n, 0);
	const most = list => list.length ? Math.max(...list) : null;
	const isRelease = step => /up$|cancel/.test(step.type);

	// ---- what is noted while gestures are followed -----------------------------------

	const followed = new Set();
	let requested = 0, notedAt = null;
	const request = () => {
		requested++;
		requestAnimationFrame(t => {
			requested--;
			const f = {from: now(), to: Infinity};
			for (const timing of t === notedAt ? [] : followed)
				timing.frames.push(f);
			notedAt = t;
			W.tick().then(() => { f.to = now(); });
			if (!requested && followed.size)
				request();
		});
	};
	// So that a frame is noted before the page's own callback, which draws.
	S.onframe = () => {
		if (requested < 2 && followed.size)
			request();
	};
	// The windows' observers of Event Timing, which knows when a press or a key was shown.
	const observers = [];
	const keep = (list, shift) => {
		for (const e of list)
			for (const timing of e.interactionId ? followed : [])
				timing.entries.push({
					id: e.interactionId, from: e.startTime + shift,
					heard: e.processingStart + shift,
					done: e.processingEnd + shift,
					shown: e.startTime + e.duration + shift,
				});
	};
	const watch = win => {
		const shift = win.performance.timeOrigin - performance.timeOrigin;
		const {PerformanceObserver: Observer} = win;
		if ((Observer.supportedEntryTypes || []).includes('event'))
			observers.push({
				shift,
				observer: new Observer(list => keep(list.getEntries(), shift)),
			});
	};

	// ---- what follows from it ----------------------------------------------------------

	// When the listeners of each step had ended, and when that was shown: the next frame. They
	// ran within a task of their own, or right before a frame's callbacks.
	const timeSteps = ({steps, frames}) => {
		let k = 0;
		// The end of a frame is reported late if the next one, or an input, is due.
		frames.forEach((f, i) => {
			f.to = Math.min(f.to, (frames[i + 1] || {from: f.to}).from);
		});
		steps.forEach((s, i) => {
			for (; k < frames.length && frames[k].from < s.heard; k++)
				frames[k].to = Math.min(frames[k].to, s.heard);
			const f = frames[k] || {from: Infinity, to: Infinity};
			const next = (steps[i + 1] || f).heard || Infinity;
			const done = Math.min(s.task, f.from, next);
			s.done = done === Infinity ? s.heard : done;
			s.shown = f.to === Infinity ? null : Math.max(f.to, s.done);
		});
	};
	// Event Timing's entries of one interaction that were shown by the same frame are one
	// latency, of the step that began it.
	const timeByEntries = ({steps, entries}) => {
		const all = [];
		for (const e of entries.sort((a, b) => a.from - b.from)) {
			const had = all.find(o =>
				o.id === e.id && Math.abs(o.shown - e.shown) <= GRAIN_MS);
			if (had)
				had.done = Math.max(had.done, e.done);
			else
				all.push(e);
		}
		for (const e of all) {
			const s = steps.findLast(o =>
				!/move|wheel/.test(o.type) && o.t < e.from + 1);
			e.shown = Math.max(e.shown, e.done);
			if (s && (s.source === 'frame' || e.shown - e.from > s.shown - s.from))
				Object.assign(s, e, {source: 'event_timing'});
		}
	};
	const latencyOf = s => ({
		latency_ms: since(s.shown, s.from), input_delay_ms: ms(s.heard - s.from),
		processing_ms: ms(s.done - s.heard), presentation_ms: since(s.shown, s.done),
		latency_source: s.source,
	});
	// When the output had caught up with a step: by what the kernel had sent, if something was
	// sent because of it, else by what the page has changed itself. Null: it never did, or the
	// step has no effect.
	const caughtUp = (s, {changes}, kernel) => {
		const asks = s.messages.length > 0 || kernel && s.unanswered > 0;
		const of = message => changes.find(c => c.t >= s.t &&
			c.cause.message === message && c.cause.step.number >= s.number);
		const found = !isRelease(s) && (asks || s.cause.last !== null) &&
			(asks && of(true) || of(false));
		return found ? ms(found.t - s.t) : null;
	};
	const callbacksOf = messages => {
		const known = messages.filter(m => m.busy !== null);
		return known.length ? ms(sum(known.map(m => m.idle - m.busy))) : null;
	};
	// The whole time in parts: at each instant, the first of these that was in progress.
	const PHASES = ['kernel', 'transport', 'page', 'delivery', 'render', 'input'];
	const phasesOf = ({steps, causes, messages}, from, to, last, {offset, bound}, blocked) => {
		const spent = {person: 0, unattributed: 0}, open = {blocked: 0};
		const edges = [{t: Math.min(last, to), n: 0}, {t: to, n: 0}];
		const add = (phase, a, b) => {
			const t = Math.max(a, from), end = Math.min(b, to);
			if (t < end)
				edges.push({t, phase, n: 1}, {t: end, phase, n: -1});
		};
		for (const m of messages.values()) {
			const at = m.at === null ? to : m.at;
			const known = m.busy !== null && bound < Infinity;
			const when = (date, least) => !known ? at : Math.min(at, Math.max(least,
				date - performance.timeOrigin - offset));
			const busy = when(m.busy, m.sent), idle = when(m.idle, busy);
			add('transport', m.sent, busy);
			add('kernel', busy, idle);
			add('delivery', idle, at);
		}
		for (const s of steps) {
			add('input', s.t, s.heard);
			add('page', s.heard, s.done);
			add('render', s.done, s.shown);	// null: not at all
		}
		for (const c of causes)
			add('render', c.message ? c.t : c.step.done, c.last);
		for (const b of blocked)
			add('blocked', b.from, b.from + b.ms);
		for (const phase of PHASES)
			spent[phase] = open[phase] = 0;
		let at = from;
		for (const {t, phase, n} of edges.sort((a, b) => a.t - b.t)) {
			const phaseNow = PHASES.find(p => open[p] > 0) ||
				(at < last ? 'person' : 'unattributed');
			// A page that is too busy to receive has something to render.
			const counts = phaseNow === 'delivery' && open.blocked ? 'render' : phaseNow;
			spent[counts] += t - at;
			open[phase] += n;
			at = t;
		}
		const bothWays = spent.transport + spent.delivery;
		if (messages.size && !(bound <= Math.max(1, bothWays / 10))) {
			spent.transport += spent.delivery;
			spent.delivery = null;
		}
		return Object.fromEntries(Object.entries(spent)
			.map(([phase, t]) => [`${phase}_ms`, since(t, 0)]));
	};
	// Each change is shown by the first frame that ends after it.
	const framesOf = ({changes, frames}, from, to, last) => {
		const shown = [];
		let k = 0;
		for (const f of frames) {
			const had = k;
			while (k < changes.length && changes[k].t <= f.to)
				k++;
			if (k > had)
				shown.push(f.from);
		}
		const gaps = frames.map((f, i) => i ? f.from - frames[i - 1].from : 0)
			.filter(gap => gap > 3 && gap < 1.5 * REFRESH_MS).sort((a, b) => a - b);
		const period = gaps[gaps.length >> 1] || REFRESH_MS;
		const during = [from, ...shown.filter(t => t < last), last];
		return {
			frames_shown: shown.length,
			frames_possible: Math.max(shown.length, Math.round((to - from) / period)),
			longest_gap_ms: last - from > period && shown.length ?
				ms(most(during.map((t, i) => i ? t - during[i - 1] : 0))) : null,
		};
	};

	class Timing {
		// life: of the gesture, in scheduled.js.
		constructor(life) {
			Object.assign(this, {
				life, steps: [], messages: new Map(), causes: [], changes: [],
				frames: [], entries: [], open: 0, unanswered: 0, cause: {life},
			});
			for (const {observer} of followed.size ? [] : observers)
				observer.observe({type: 'event', durationThreshold: THRESHOLD_MS});
			followed.add(this);
			if (!requested)
				request();
		}
		end() {
			for (const {observer, shift} of observers)
				keep(observer.takeRecords(), shift);
			followed.delete(this);
			for (const {observer} of followed.size ? [] : observers)
				observer.disconnect();
		}
		// From t on, what is not scheduled by something else is due to this step.
		because(t, step, message) {
			const cause = {t, step, message, last: null};
			cause.life = Object.create(this.life, {cause: {value: cause}});
			this.causes.push(cause);
			return this.cause = cause;
		}
		// An input that was made at t and heard first at `heard`.
		input(e, t, heard) {
			const merged = e.getCoalescedEvents ? e.getCoalescedEvents().length : 0;
			const step = {
				number: this.steps.length + 1, type: e.type, t, from: t, heard,
				task: Infinity, merged: Math.max(1, merged), unanswered: this.open,
				messages: [], source: 'frame',
			};
			step.cause = this.because(heard, step, false);
			W.tick().then(() => { step.task = now(); });
			this.steps.push(step);
		}
		// What the page sends is due to the latest input, also what a widget had kept back.
		sent(id, t) {
			const step = this.steps.at(-1);
			if (!step)
				return;
			const message = {step, sent: t, busy: null, idle: null, at: null};
			this.messages.set(id, message);
			step.messages.push(message);
			this.unanswered = Math.max(this.unanswered, ++this.open);
		}
		// The kernel has handled it: its dates, and when the page heard of it.
		served(id, busy, idle, at) {
			const message = this.messages.get(id);
			if (message && message.at === null) {
				Object.assign(message, {busy: busy || null, idle, at});
				this.open--;
			}
		}
		received(parentId, t) {
			const {step} = this.messages.get(parentId) || {step: this.steps.at(-1)};
			if (step)
				this.because(t, step, true);
		}
		// by: the callback that made it, if it is known (W.maker()).
		changed(t, source, by) {
			const {cause = null} = by && by.chain.life || {};
			if (this.changes.length < MAX_CHANGES)
				this.changes.push({t, source, cause});
		}
		// See W.revoke().
		revoke(source, t) {
			this.changes = this.changes.filter(c =>
				c.source !== source || t !== null && c.t <= t);
		}
		// {members, steps} of the records. last: the last input; blocked: long frames.
		report(last, clock, blocked) {
			const {steps, changes, causes} = this;
			const messages = [...this.messages.values()];
			timeSteps(this);
			timeByEntries(this);
			// In a joined browser a message is read after the page has handled it.
			for (const list of [changes, causes])
				list.sort((a, b) => a.t - b.t);
			for (const c of changes) {
				c.cause = c.cause || causes.findLast(o => o.t <= c.t) || causes[0];
				c.cause.last = c.t;
			}
			const from = steps[0].t;
			const kernel = causes.some(c => c.message && c.last !== null);
			const end = most([last, steps.at(-1).shown, ...causes.map(c => c.last)]);
			const behind = steps.map(s => caughtUp(s, this, kernel));
			const late = behind.filter(t => t !== null);
			const [longest] = [...steps]
				.sort((a, b) => b.shown - b.from - (a.shown - a.from));
			const records = steps.slice(0, MAX_STEPS).map((s, i) => {
				const own = s.messages;
				const of = changes.filter(c => c.cause.step === s);
				const when = found => found ? ms(found.t - s.t) : null;
				return {
					t: unix(s.t), step: s.number, input: s.type,
					at_ms: ms(s.t - from),
					inputs_merged: s.merged, ...latencyOf(s),
					first_visual_change_ms: when(of[0]),
					answer_visual_change_ms:
						when(of.find(c => c.cause.message)),
					behind_ms: behind[i], comm_messages_sent: own.length,
					answered: own.length ? own.every(m => m.at !== null) : null,
					kernel_callback_ms: callbacksOf(own),
				};
			});
			return {steps: records, members: {
				...latencyOf(longest), client_ms: ms(end - from),
				...phasesOf(this, from, end, last, clock, blocked),
				...framesOf(this, from, end, last),
				inputs_merged: sum(steps.map(s => s.merged)),
				behind_mean_ms: late.length ? ms(sum(late) / late.length) : null,
				behind_max_ms: most(late),
				after_end_ms: changes.length ?
					ms(Math.max(0, changes.at(-1).t - last)) : null,
				kernel_callback_ms: callbacksOf(messages),
				unanswered_max: this.unanswered,
				updates_coalesced: steps.filter(s => messages.length &&
					!isRelease(s) && s.unanswered && !s.messages.length).length,
			}};
		}
	}
	Object.defineProperty(window, '__nbscopeTiming', {value: {Timing, watch}});
})();
