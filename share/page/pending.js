// pending.js: what a cell has left to do in the kernel after its reply.
// question(first, parent, own) returns the Python expression that lists it, as pending.py
// describes. It leaves only the module _nbscope in the kernel, in sys.modules. Once it is there,
// TELL lists the same at the end of a cell, with the cell's own request. Pending reads the answers
// for one cell. RULES (rules.json), MODULE (the expression that defines the module) and TELL are
// constants in front of the scripts; kernelrun reads the same rules.
// Instants are performance.now() in ms.
(() => {
	if (window.__nbscopePending)
		return;
	const {
		late_ms: LATE_MS,	// after the reply: a later change belongs to no cell
		poll_ms: POLL_MS,	// between questions while something endless lives
		after_ms: AFTER_MS,	// from when a timer is due to the next question
		min_ms: MIN_MS,	// between two questions
		rounds: ROUNDS,	// of a loop that has not ended at the limit, and is a clock
		early_ms: EARLY_MS,	// that a timer may seem to run before it is due
		tick_ms: TICK_MS,	// from a periodic message to the changes that it causes
		mention_ms: MENTION_MS,	// a timer due within this time is worth a mark
		kinds: KINDS,	// of items that may end: from when they are due, when to ask
	} = RULES.pending;
	const MAX_LATE = 2000;	// messages and changes after the reply whose times are kept

	const python = value => JSON.stringify(value).replace(/[\u007f-\uffff]/g,
		c => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
	// `first`: defines the function, which later questions call: compiling it takes longer than
	// all the rest.
	const question = (first, parent, own) =>
		`${first ? MODULE : '__import__("sys").modules["_nbscope"]'}.ask(` +
		`__import__("json").loads(${python(JSON.stringify(parent))}), ${python(own)})`;
	const isDelay = kind => KINDS[kind].from === 'request';
	// What pending.py's ask() or tell() returns; null if there is no answer.
	const answerOf = content => {
		const {nbscope} = content.user_expressions || {};
		const text = nbscope && nbscope.data && nbscope.data['text/plain'];
		try {
			const [cpuMs, items, wallMs, at] = JSON.parse(text.slice(1, -1));
			return {cpuMs, items, wallMs, at};
		} catch {
			return null;
		}
	};

	class Pending {
		// earlier: the keys of what was pending before the cell started.
		constructor(earlier = new Set()) {
			Object.assign(this, {
				earlier, seen: null, next: null, periodic: false, later: false,
				spans: new Map(), loops: new Map(), clocks: new Set(),
			});
		}
		// The items of an answer at t to a question at `asked`, about a cell that was sent
		// at `sent`; messages: how many the kernel has sent by itself since the answer
		// before. Sets `next`: when to ask again, or null. Returns the keys.
		read(items, t, sent, messages = 0, asked = t) {
			const rounds = new Map(), live = new Set();
			Object.assign(this, {seen: new Set(), next: null, later: false});
			this.periodic = this.clocks.size > 0;
			for (const [kind, key, due, repetition, round] of items) {
				this.seen.add(key);
				if (this.earlier.has(repetition))
					this.seen.add(repetition);
				else if (this.earlier.has(key))
					continue;
				else if (!KINDS[kind])
					this.periodic = true;
				else if (!this.isClock(key, repetition)) {
					const from = (isDelay(kind) ? sent : asked) + due * 1000;
					this.follow(key, kind === 'unknown' ? 0 : from, repetition);
					this.add(kind, due * 1000, t, sent);
					live.add(key);
					const others = rounds.get(repetition) || [];
					rounds.set(repetition, [...others, {key, round}]);
				}
			}
			for (const [key, span] of this.spans)
				span.to = live.has(key) ? Infinity : Math.min(span.to, t);
			rounds.delete('');
			for (const [repetition, now] of rounds)
				this.repeat(repetition, now, messages);
			return this.seen;
		}
		// from: when it may send something.
		follow(key, from, repetition) {
			if (this.spans.has(key))
				return;
			this.spans.set(key, {from: from - EARLY_MS, to: Infinity, repetition});
		}
		// A delay began between the request and this answer.
		add(kind, due, t, sent) {
			const soonest = (isDelay(kind) ? sent : t) + due;
			this.later = this.later || soonest < t + MENTION_MS;
			if (soonest > t + LATE_MS)
				return;
			const next = KINDS[kind].ask === 'when due' ?
				Math.max(soonest + AFTER_MS, t + MIN_MS) : t + POLL_MS;
			this.next = this.next === null ? next : Math.min(this.next, next);
		}
		// Rounds of a loop that are pending: if others were before, it has run.
		repeat(name, pending, messages) {
			const rounds = pending.map(p => p.round);
			const l = this.loops.get(name) ||
				{rounds, ran: 0, sent: 0, keys: new Set()};
			const lacks = (some, others) => some.some(r => !others.includes(r));
			l.ran += lacks(l.rounds, rounds) && lacks(rounds, l.rounds);
			l.sent += messages;
			for (const {key} of pending)
				l.keys.add(key);
			l.rounds = rounds;
			this.loops.set(name, l);
		}
		// A loop is one thing, wherever it was when it was seen first.
		isClock(key, repetition) {
			return this.clocks.has(key) || this.clocks.has(repetition);
		}
		// Called after the last question. A loop that has sent something in each round and
		// goes on is a clock. In later cells, its next rounds are not new.
		end() {
			for (const [name, l] of this.loops) {
				const lives = [...l.keys]
					.some(key => this.spans.get(key).to === Infinity);
				if (!lives || !l.ran)
					continue;
				this.seen.add(name);
				if (l.ran >= ROUNDS && l.sent >= l.ran - 1)
					this.clocks = new Set([...this.clocks, name, ...l.keys]);
			}
			if (!this.clocks.size)
				return;
			this.periodic = true;
			this.later = [...this.spans].some(([key, s]) =>
				s.to === Infinity && !this.isClock(key, s.repetition));
		}
		// Whether something of the cell other than a clock may have sent a message at t.
		explains(t) {
			for (const [key, {from, to, repetition}] of this.spans)
				if (t >= from && t <= to && !this.isClock(key, repetition))
					return true;
			return false;
		}
	}
	// What the kernel sent by itself after its reply, and what changed since. As soon as it is
	// known that there is a clock, what the clock has sent and changed belongs to no cell.
	class Late {
		constructor() {
			Object.assign(this, {
				messages: [], counted: 0, changes: [], replied: new Map(),
			});
		}
		message(t) {
			if (this.messages.length < MAX_LATE)
				this.messages.push(t);
		}
		// How many since the last call.
		count() {
			const before = this.counted;
			this.counted = this.messages.length;
			return this.counted - before;
		}
		// The last change of a source at or before the reply, and each one after it.
		change(t, source, repliedAt) {
			if (repliedAt === null || t <= repliedAt)
				this.replied.set(source, t);
			else if (this.changes.length < MAX_LATE && !source.life)
				this.changes.push({t, source});
		}
		// Calls back(source, t) for each source whose last change is a clock's: it was at t
		// (null: never). Returns {last, ticks}: when the last message came that is not a
		// clock's, and when the last ones came that are, or null.
		takeBack(pending, back) {
			const isOwn = t => pending.explains(t);
			const known = this.messages.length + this.changes.length < MAX_LATE;
			if (!pending.periodic || !known || this.messages.every(isOwn))
				return null;
			const isTick = ({t}) => {
				const cause = this.messages.filter(at => at <= t).pop();
				return t - cause < TICK_MS && !isOwn(cause);
			};
			for (const source of new Set(this.changes.map(c => c.source))) {
				const of = this.changes.filter(c => c.source === source);
				const own = of.filter(c => !isTick(c)).pop();
				const before = own ? own.t : this.replied.get(source) || null;
				if (isTick(of[of.length - 1]))
					back(source, before);
			}
			return {
				last: this.messages.filter(isOwn).pop() || null,
				ticks: this.messages.filter(t => !isOwn(t)).slice(-10).reverse(),
			};
		}
	}
	Object.defineProperty(window, '__nbscopePending', {
		value: {LATE_MS, TICK_MS, Late, Pending, answerOf, question},
	});
})();
