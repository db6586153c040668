// outputs.js: a cell's outputs, counted from its messages as the notebook will contain them.
(() => {
	const W = window.__nbscopeWatch;
	if (!W || window.__nbscopeOutputs)
		return;
	const MAX_KEPT_BYTES = 64 << 20;	// of message contents, for counting
	// A record among the outputs of a cell: record/apart_record.h.
	const APART = 'application/vnd.nbscope.record+json';
	// The size of a message with which an Output widget begins or ends, at most.
	const MAX_CAPTURE_BYTES = 2000;
	const MAX_NAME = 200, MAX_ITEMS_LINE = 10000, OTHER_LINE = '-';	// characters
	// A server that limits the message rate drops messages and inserts a short text of its own.
	// Only texts of that size are examined.
	const {
		types: TYPES, lost_texts: LOST_TEXTS, min_lost_bytes: MIN_LOST,
		max_lost_bytes: MAX_LOST,
	} = RULES.outputs;
	const isAboutLoss = text => LOST_TEXTS.some(t => text.trimStart().startsWith(t));
	const utf8 = new TextEncoder();
	const sizeOf = v => utf8.encode(typeof v === 'string' ? v : JSON.stringify(v)).length;

	const kindsOf = (type, content, bytes) => {
		if (type === 'error' || !content)
			return {[type === 'error' ? 'error' : 'unknown']: bytes};
		return Object.fromEntries(Object.entries(content.data || {}).map(([mime, v]) =>
			[W.words(mime, MAX_NAME).replace(/\0/g, '\ufffd'), sizeOf(v)]));
	};

	// What a person sees, not text: its bytes.
	const FIGURE = /^(image\/|application\/(?!javascript$|json$|vnd\.nbscope))/;
	const figureOf = (o, content) => {
		const found = Object.entries(content && content.data || {})
			.find(([mime]) => FIGURE.test(mime));
		return found ? {bytes: sizeOf(found[1]), t: o.t} : null;
	};

	// Sums the lines {"type": "items", "items": N, "done": M} of a text that arrives in pieces,
	// and ignores all other lines.
	class Items {
		constructor() {
			Object.assign(this, {items: null, done: null, rest: ''});
		}
		add(text) {
			const lines = (this.rest + text).split('\n'), rest = lines.pop();
			// The start of a line that cannot be such a line is replaced by one character.
			this.rest = rest && (rest[0] !== '{' || rest.length > MAX_ITEMS_LINE) ?
				OTHER_LINE : rest;
			for (const line of lines)
				this.line(line);
		}
		line(line) {
			if (line[0] !== '{')
				return;
			let r = null;
			try {
				r = JSON.parse(line);
			} catch {
				return;
			}
			if (r.type !== 'items')
				return;
			for (const key of ['items', 'done'])
				if (typeof r[key] === 'number' && r[key] >= 0)
					this[key] += r[key];
		}
	}

	// Of the figures that were shown, those that did not stay; null: all did.
	const gone = (figures, stay) => {
		const left = figures.filter(f => !stay.has(f));
		return left.length === 0 ? null : {
			shown: figures.length, times: left.length,
			bytes: left.reduce((sum, f) => sum + f.bytes, 0),
			span_s: (figures[figures.length - 1].t - figures[0].t) / 1e3,
		};
	};

	// The request whose outputs an Output widget takes from its cell, by the widget's comm.
	const captures = new Map();

	class Outputs {
		// Returns the content of a message of a widget, if it is short.
		static capture(m) {
			if (m.contentBytes > MAX_CAPTURE_BYTES)
				return null;
			try {
				const content = m.content(), {comm_id: comm, data} = content;
				const {msg_id: id, _model_name: model} = data.state;
				const isOutput = model === 'OutputModel' || captures.has(comm);
				if (isOutput && typeof id === 'string')
					captures.set(comm, id);
				return content;
			} catch { /* it is no message of a widget */ }
			return null;
		}
		constructor() {
			Object.assign(this, {
				list: [], keptBytes: 0, lost: false, fault: null, items: null,
				itemsDone: null, apart: [], caught: null, error: null,
				replaced: null,
			});
		}
		// Ignores other messages, and what an Output widget takes: no notebook has it. t: when it
		// arrived, ms.
		keep(m, t = 0) {
			if (!TYPES.includes(m.type))
				return;
			if ([...captures.values()].includes(m.parent().msg_id)) {
				if (m.type === 'error')
					this.caught = {content: () => m.content()};
				return;
			}
			const bytes = m.contentBytes;
			const kept = this.keptBytes + bytes <= MAX_KEPT_BYTES;
			if (m.type === 'stream' && bytes > MIN_LOST && bytes < MAX_LOST &&
				!this.lost)
				this.lost = isAboutLoss(String(m.content().text));
			this.list.push(
				{type: m.type, bytes, t, content: kept ? () => m.content() : null});
			if (kept)
				this.keptBytes += bytes;
		}
		// A pager's text is an output.
		keepPage(page) {
			const content = () => ({data: page.data});
			if (page)
				this.list.push({type: 'display_data', bytes: 0, content});
		}
		// Null if it was too large to be kept, or has none.
		contentOf(o) {
			try {
				const content = o.content ? o.content() : null;
				return content && typeof content === 'object' ? content : null;
			} catch (err) {
				this.fault = String(err);
				return null;
			}
		}
		// Streams of the same name are merged, clears are applied (one that waits, when
		// something follows), and a display counts with what it shows at the end: an update
		// changes it, or another display with its id. Items are those of the standard output
		// that remains; unknown if some of it was too large to keep.
		count() {
			let held = [], clearing = false, items = new Items(), whole = true;
			// Displays of other cells that this one updated, by id.
			const others = new Map(), figures = [];
			for (const o of this.list) {
				const content = this.contentOf(o), last = held[held.length - 1];
				const id = content && content.transient &&
					content.transient.display_id;
				const updates = o.type === 'update_display_data';
				const figure = figureOf(o, content);
				if (id || updates) {
					const kinds = kindsOf(o.type, content, o.bytes);
					const mine = id ? held.filter(h => h.id === id) : [];
					for (const h of mine)
						Object.assign(h, {kinds, figure});
					if (figure && updates && mine.length)
						figures.push(figure);
					if (updates && !mine.length)
						others.set(id || {}, kinds);
				}
				if (updates)
					continue;
				const clear = o.type === 'clear_output';
				const wait = clear && content && content.wait;
				if (clear ? !wait : clearing)
					[held, items, whole] = [[], new Items(), true];
				clearing = !!wait;
				if (clear)
					continue;
				if (o.type === 'display_data' && content && content.data &&
					content.data[APART])
					this.apart.push(content.data[APART]);
				if (o.type !== 'stream') {
					const error = o.type === 'error' ? content : null;
					const kinds = kindsOf(o.type, content, o.bytes);
					held.push({id, kinds, error, figure});
					if (figure)
						figures.push(figure);
					continue;
				}
				const name = content && typeof content.name === 'string' ?
					W.words(content.name, MAX_NAME) : 'stream';
				const bytes = content ? utf8.encode(content.text).length : o.bytes;
				whole = whole && !!content;
				if (name === 'stdout' && typeof content.text === 'string')
					items.add(content.text);
				if (held.length && last.stream === name)
					last.kinds[name] += bytes;
				else
					held.push({stream: name, kinds: {[name]: bytes}});
			}
			items.line(items.rest);
			this.replaced = gone(figures, new Set(held.map(h => h.figure)));
			// The last error that remains, or that an Output widget shows.
			this.error = held.map(h => h.error).filter(e => e).pop() ||
				this.caught && this.contentOf(this.caught);
			[this.items, this.itemsDone] = whole ? [items.items, items.done] :
				[null, null];
			const by_kind = {};
			for (const kinds of [...held.map(h => h.kinds), ...others.values()])
				for (const [kind, n] of Object.entries(kinds))
					by_kind[kind] = (by_kind[kind] || 0) + n;
			return {
				count: held.length,
				bytes: Object.values(by_kind).reduce((sum, n) => sum + n, 0),
				by_kind,
			};
		}
	}
	Object.defineProperty(window, '__nbscopeOutputs', {value: Outputs});
})();
