// timing.js: how long the page and the kernel took for each input of a gesture.
// A Timing notes when an input was made and heard, which messages and changes it caused, and the
// page's frames, which it requests meanwhile. What an input causes is what its listeners do, and the
// callbacks that they schedule; what a message causes belongs to the input that had sent the request.
// Instants are performance.now() in ms; kernel dates are Unix ms.
(() => {
	const W = window.__nbscopeWatch, S = window.__nbscopeScheduled;
	if (!W || !S || window.__nbscopeTiming)
		return;
	const {requestAnimationFrame} = S.real;
	const MAX_CHANGES = 20000, MAX_STEPS = 1000;
	const REFRESH_MS = 1000 / 60, FASTEST_MS = 3, SLOWEST_MS = 1.5 * REFRESH_MS;
	// Event Timing: the shortest duration that it reports, and what its durations are multiples of.
	const THRESHOLD_MS = 16, GRAIN_MS = 8;
	const now = () => performance.now();
	const ms = t => t === null ? null : Math.round(t * 1000) / 1000;
	const unix = t => Math.round((performance.timeOrigin + t) * 1000) / 1e6;
	const lastOf = list => list[list.length - 1];

	// ---- what is noted while gestures are followed -----------------------------------

	const followed = new Set();
	let asked = false;
	const frame = () => {
		const f = {from: now(), to: Infinity};
		for (const timing of followed)
			timing.frames.push(f);
		W.tick().then(() => { f.to = now(); });
		asked = followed.size > 0;
		if (asked)
			requestAnimationFrame(frame);
	};
	// The windows' observers of Event Timing, which knows when a press or a key was shown.
	const observers = [];
	const keep = (list, shift) => {
		for (const e of list)
			for (const timing of e.interactionId ? followed : [])
				timing.entries.push({
					id: e.interactionId, start: e.startTime + shift,
					heard: e.processingStart + shift, done: e.processingEnd + shift,
					end: e.startTime + e.duration + shift,
				});
	};
	const reports = win => (win.PerformanceObserver.supportedEntryTypes || [])
		.includes('event');
	const watch = win => {
		const shift = win.performance.timeOrigin - performance.timeOrigin;
		if (!reports(win))
			return;
		const observer = new win.PerformanceObserver(l => keep(l.getEntries(), shift));
		observers.push({win, observer, shift});
	};
	const observe = ({observer}) =>
		observer.observe({type: 'event', durationThreshold: THRESHOLD_MS});

	class Timing {
		// life: of the gesture, in scheduled.js.
		constructor(life) {
			Object.assign(this, {
				life, steps: [], messages: new Map(), causes: [], changes: [],
				frames: [], entries: [], open: 0, unanswered: 0, cause: {life},
			});
			if (!followed.size)
				observers.filter(o => !o.win.closed).forEach(observe);
			followed.add(this);
			if (!asked) {
				asked = true;
				requestAnimationFrame(frame);
			}
		}
		end() {
			for (const {observer, shift} of observers)
				keep(observer.takeRecords(), shift);
			followed.delete(this);
			if (!followed.size)
				observers.forEach(o => o.observer.disconnect());
		}
		// From t on, what is not scheduled by something else is due to this step.
		because(t, step, message) {
			const cause = {t, step, message, last: null};
			cause.life = Object.create(this.life, {cause: {value: cause}});
			this.causes.push(cause);
			this.cause = cause;
			return cause;
		}
		// An input that was made at t and heard first at `heard`.
		input(e, t, heard) {
			const merged = e.getCoalescedEvents ? e.getCoalescedEvents().length : 0;
			const step = {
				type: e.type, t, heard, task: Infinity, merged: Math.max(1, merged),
				sent: 0, unanswered: this.open, messages: [],
			};
			step.cause = this.because(heard, step, false);
			W.tick().then(() => { step.task = now(); });
			this.steps.push(step);
		}
		// What the page sends is due to the latest input, also if a widget had kept it back.
		sent(id, t) {
			const step = lastOf(this.steps);
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
			if (!message || message.at !== null)
				return;
			Object.assign(message, {busy: busy || null, idle, at});
			this.open--;
		}
		received(parentId, t) {
			const of = this.messages.get(parentId), step = of ? of.step : lastOf(this.steps);
			if (step)
				this.because(t, step, true);
		}
		// by: the callback that made it, if it is known (W.maker()).
		changed(t, source, by) {
			if (this.changes.length >= MAX_CHANGES)
				return;
			let cause = by && by.chain.life && by.chain.life.cause;
			for (let i = this.causes.length - 1; !cause && i >= 0; i--)
				if (this.causes[i].t <= t)
					cause = this.causes[i];
			if (cause)
				this.changes.push({t, source, cause});
		}
		// See W.revoke().
		revoke(source, t) {
			this.changes = this.changes.filter(c =>
				c.source !== source || t !== null && c.t <= t);
		}

		// ---- what follows from it, after the end --------------------------------

		// When its listeners had ended, and when that was shown: the next frame. They ran
		// within a task of their own, or right before a frame's callbacks.
		finish() {
			const {frames, steps} = this;
			let k = 0;
			steps.forEach((s, i) => {
				while (k < frames.length && frames[k].from < s.heard)
					k++;
				const f = frames[k], next = steps[i + 1];
				s.done = Math.min(s.task, f ? f.from : Infinity,
					next ? next.heard : Infinity);
				s.done = s.done === Infinity ? s.heard : s.done;
				s.shown = f && f.to !== Infinity ? Math.max(f.to, s.done) : null;
				s.source = 'frame';
			});
			this.measured();
			this.changes.sort((a, b) => a.t - b.t);
			for (const c of this.changes) {
				c.cause.first = c.cause.first || c.t;
				c.cause.last = Math.max(c.cause.last, c.t);
			}
		}
		// Event Timing's entries of one interaction that were shown by the same frame are
		// one latency.
		measured() {
			const all = [];
			for (const e of [...this.entries].sort((a, b) => a.start - b.start)) {
				const had = all.find(o =>
					o.id === e.id && Math.abs(o.end - e.end) <= GRAIN_MS);
				if (!had) {
					all.push({...e});
					continue;
				}
				had.done = Math.max(had.done, e.done);
				had.end = Math.max(had.end, e.end);
			}
			for (const e of all) {
				const s = this.steps.filter(o => !/move|wheel/.test(o.type) &&
					o.t < e.start + 1).pop();
				if (!s || s.source === 'event_timing' && s.shown - s.t > e.end - e.start)
					continue;
				Object.assign(s, {
					from: e.start, heard: e.heard, done: e.done,
					shown: Math.max(e.done, e.end), source: 'event_timing',
				});
			}
		}
		latencyOf(s) {
			const from = s.from === undefined ? s.t : s.from, shown = s.shown !== null;
			return {
				latency_ms: shown ? ms(s.shown - from) : null,
				input_delay_ms: ms(Math.max(0, s.heard - from)),
				processing_ms: ms(s.done - s.heard),
				presentation_ms: shown ? ms(s.shown - s.done) : null,
				latency_source: s.source,
			};
		}
		// When the output had caught up with the step: by what the kernel had sent, if the
		// step had an answer, else by what the page has changed itself. Null: it never did,
		// or the step has no effect.
		caughtUp(i, kernel) {
			const s = this.steps[i], held = kernel && s.unanswered > 0;
			const asks = s.messages.length > 0 || held;
			if (!asks && !s.cause.first)
				return null;
			const of = message => this.changes.find(c => c.t >= s.t &&
				c.cause.message === message && this.steps.indexOf(c.cause.step) >= i);
			const found = asks && of(true) || of(false);
			return found ? found.t : null;
		}
		// The whole time in parts: at each instant, the first of these that was in progress.
		phases(from, to, last, {offset, bound}, blocked) {
			const PHASES = [
				'kernel', 'transport', 'page', 'delivery', 'render', 'input', 'blocked',
			];
			const edges = [], add = (phase, a, b) => {
				const [lo, hi] = [Math.max(a, from), Math.min(b, to)];
				if (lo < hi)
					edges.push({t: lo, phase, n: 1}, {t: hi, phase, n: -1});
			};
			const toPage = date => date - performance.timeOrigin - offset;
			for (const m of this.messages.values()) {
				const at = m.at === null ? to : m.at, known = m.busy !== null && offset !== null;
				const busy = known ? Math.min(at, Math.max(m.sent, toPage(m.busy))) : at;
				const idle = known ? Math.min(at, Math.max(busy, toPage(m.idle))) : at;
				add('transport', m.sent, busy);
				add('kernel', busy, idle);
				add('delivery', idle, at);
			}
			for (const b of blocked)
				add('blocked', b.from, b.to);
			for (const s of this.steps) {
				add('input', s.t, s.heard);
				add('page', s.heard, s.done);
				add('render', s.done, s.shown === null ? s.done : s.shown);
			}
			for (const c of this.causes)
				add('render', c.message ? c.t : c.step.done, c.last);
			const spent = {person: 0, unattributed: 0}, open = {};
			for (const phase of PHASES)
				spent[phase] = open[phase] = 0;
			let at = from;
			const pass = t => {
				const phase = PHASES.find(p => open[p] > 0 && p !== 'blocked') ||
					(at < last ? 'person' : 'unattributed');
				// A page that is too busy to receive has something to render.
				spent[phase === 'delivery' && open.blocked ? 'render' : phase] += t - at;
				at = t;
			};
			edges.push({t: Math.min(last, to), phase: null, n: 0});
			for (const e of edges.sort((a, b) => a.t - b.t)) {
				pass(e.t);
				open[e.phase] += e.n;
			}
			pass(to);
			const apart = !this.messages.size || bound <= Math.max(1, (spent.transport + spent.delivery) / 10);
			return {
				person_ms: ms(spent.person), input_ms: ms(spent.input),
				page_ms: ms(spent.page),
				transport_ms: ms(spent.transport + (apart ? 0 : spent.delivery)),
				kernel_ms: ms(spent.kernel), delivery_ms: apart ? ms(spent.delivery) : null,
				render_ms: ms(spent.render), unattributed_ms: ms(spent.unattributed),
			};
		}
		// Frames that showed a change: the first that was shown after it.
		framesIn(from, to, last) {
			const shown = [], gaps = [], {frames} = this;
			const times = this.changes.map(c => c.t).sort((a, b) => a - b);
			let k = 0;
			for (const f of frames) {
				const had = k;
				while (k < times.length && times[k] <= f.to)
					k++;
				if (k > had)
					shown.push(f.from);
			}
			for (let i = 1; i < frames.length; i++) {
				const gap = frames[i].from - frames[i - 1].from;
				if (gap > FASTEST_MS && gap < SLOWEST_MS)
					gaps.push(gap);
			}
			gaps.sort((a, b) => a - b);
			const period = gaps[gaps.length >> 1] || REFRESH_MS;
			const during = [from, ...shown.filter(t => t < last), last];
			return {
				frames_shown: shown.length,
				frames_possible: Math.max(shown.length, Math.round((to - from) / period)),
				longest_gap_ms: last - from > period && shown.length ?
					ms(Math.max(...during.map((t, i) => i ? t - during[i - 1] : 0))) :
					null,
			};
		}
		// {members, steps} of the records. last: the last input; blocked: long frames.
		report(last, clock, blocked) {
			this.finish();
			const {steps, changes, causes} = this, from = steps[0].t;
			const messages = [...this.messages.values()];
			const kernel = causes.some(c => c.message && c.last !== null);
			const end = Math.max(last, lastOf(steps).shown, ...causes.map(c => c.last));
			const behind = [], records = [];
			steps.forEach((s, i) => {
				const answer = changes.find(c => c.cause.step === s && c.cause.message);
				const caught = /up$|cancel/.test(s.type) ? null : this.caughtUp(i, kernel);
				if (caught !== null)
					behind.push(caught - s.t);
				const served = s.messages.filter(m => m.busy !== null);
				records.push({
					t: unix(s.t), step: i + 1, input: s.type, at_ms: ms(s.t - from),
					inputs_merged: s.merged, ...this.latencyOf(s),
					first_visual_change_ms: s.cause.first ? ms(s.cause.first - s.t) : null,
					answer_visual_change_ms: answer ? ms(answer.t - s.t) : null,
					behind_ms: caught === null ? null : ms(caught - s.t),
					comm_messages_sent: s.messages.length,
					answered: s.messages.length ? s.messages.every(m => m.at !== null) : null,
					kernel_callback_ms: served.length ?
						ms(served.reduce((sum, m) => sum + m.idle - m.busy, 0)) : null,
				});
			});
			const longest = [...steps].sort((a, b) =>
				(b.shown || 0) - b.t - ((a.shown || 0) - a.t))[0];
			const timed = messages.filter(m => m.busy !== null);
			return {steps: records.slice(0, MAX_STEPS), members: {
				...this.latencyOf(longest), client_ms: ms(end - from),
				...this.phases(from, end, last, clock, blocked),
				...this.framesIn(from, end, last),
				inputs_merged: steps.reduce((sum, s) => sum + s.merged, 0),
				behind_mean_ms: behind.length ?
					ms(behind.reduce((sum, t) => sum + t, 0) / behind.length) : null,
				behind_max_ms: behind.length ? ms(Math.max(...behind)) : null,
				after_end_ms: changes.length ?
					ms(Math.max(0, lastOf(changes).t - last)) : null,
				unanswered_max: this.unanswered,
				unanswered_at_end: messages.filter(m =>
					m.sent <= last && !(m.at !== null && m.at <= last)).length,
				updates_coalesced: messages.length ? steps.filter(s =>
					!/up$/.test(s.type) && s.unanswered && !s.messages.length).length : 0,
				kernel_callback_ms: timed.length ?
					ms(timed.reduce((sum, m) => sum + m.idle - m.busy, 0)) : null,
			}};
		}
	}
	Object.defineProperty(window, '__nbscopeTiming', {value: {Timing, watch}});
})();
