// outputs.js: a cell's outputs from its messages, counted as the notebook will
// hold them.
(() => {
	const W = window.__nbscopeWatch;
	if (!W || window.__nbscopeOutputs)
		return;
	const KEPT_BYTES = 64 << 20;	// kept for counting, at most
	const MOST_NAME = 200;	// characters
	const TYPES = ['stream', 'display_data', 'execute_result', 'error', 'update_display_data', 'clear_output'];
	// A server that limits the rate drops messages, and puts in a few words of its
	// own: of such a size alone is it worth a look.
	const LOST_TEXT = /^\s*IOPub (data|message) rate exceeded/, LOST_LEAST = 200, LOST_MOST = 2000;
	const utf8 = new TextEncoder();
	const sizeOf = v => utf8.encode(typeof v === 'string' ? v : JSON.stringify(v)).length;

	const kindsOf = (type, content, bytes) => {
		if (type === 'error' || !content)
			return {[type === 'error' ? 'error' : 'unknown']: bytes};
		return Object.fromEntries(Object.entries(content.data || {}).map(([mime, v]) => [W.words(mime, MOST_NAME).replace(/\0/g, '\ufffd'), sizeOf(v)]));
	};

	class Outputs {
		constructor() {
			Object.assign(this, {list: [], keptBytes: 0, lost: false, fault: null});
		}
		// Of a message that is none, nothing.
		keep(m) {
			if (!TYPES.includes(m.type))
				return;
			const bytes = m.contentBytes, kept = this.keptBytes + bytes <= KEPT_BYTES;
			if (m.type === 'stream' && bytes > LOST_LEAST && bytes < LOST_MOST && !this.lost)
				this.lost = LOST_TEXT.test(m.content().text);
			this.list.push({type: m.type, bytes, content: kept ? () => m.content() : null});
			if (kept)
				this.keptBytes += bytes;
		}
		// Null where it was too much to keep, or is none.
		contentOf(o) {
			try {
				const content = o.content ? o.content() : null;
				return content && typeof content === 'object' ? content : null;
			} catch (err) {
				this.fault = String(err);
				return null;
			}
		}
		// Streams of one name merged, clears obeyed (one that waits, once something
		// follows), of a display what it shows at the end.
		count() {
			let held = [], clearing = false;
			const others = new Map();	// displays of other cells, by id: what they were told to show
			for (const o of this.list) {
				const content = this.contentOf(o), last = held[held.length - 1];
				const id = content && content.transient && content.transient.display_id;
				if (o.type === 'update_display_data') {
					const kinds = kindsOf(o.type, content, o.bytes), mine = id ? held.filter(h => h.id === id) : [];
					for (const h of mine)
						h.kinds = kinds;
					if (!mine.length)
						others.set(id || {}, kinds);
					continue;
				}
				const clear = o.type === 'clear_output', wait = clear && content && content.wait;
				if (clear ? !wait : clearing)
					held = [];
				clearing = !!wait;
				if (clear)
					continue;
				if (o.type !== 'stream') {
					held.push({id, kinds: kindsOf(o.type, content, o.bytes)});
					continue;
				}
				const name = content && typeof content.name === 'string' ? W.words(content.name, MOST_NAME) : 'stream';
				const bytes = content ? utf8.encode(content.text).length : o.bytes;
				if (held.length && last.stream === name)
					last.kinds[name] += bytes;
				else
					held.push({stream: name, kinds: {[name]: bytes}});
			}
			const by_kind = {};
			for (const kinds of [...held.map(h => h.kinds), ...others.values()])
				for (const [kind, n] of Object.entries(kinds))
					by_kind[kind] = (by_kind[kind] || 0) + n;
			return {count: held.length, bytes: Object.values(by_kind).reduce((sum, n) => sum + n, 0), by_kind};
		}
	}
	Object.defineProperty(window, '__nbscopeOutputs', {value: Outputs});
})();
