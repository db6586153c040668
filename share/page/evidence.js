// evidence.js: what of a cell the rules of plain mistakes judge (share/ipython/nbscope/rules): data
// that the kernel sends again, traits of widgets that it sets again and again, pictures that have far
// more pixels than their place. Of large data only samples at equal distances are compared.
(() => {
	if (window.__nbscopeEvidence)
		return;
	const MIN_BYTES = 65536, SAMPLES = 16384;
	const MIN_UPDATES = 50;	// of one trait
	const MAX_KNOWN = 10000, MAX_WORD = 100, MAX_ROWS = 20;
	const FAR_MORE = 8;	// times the pixels of the place
	const END = 128;	// bytes at the end of a widget's message, with its id
	const before = new Set();	// what widgets have received, in all cells
	const models = new Map();	// ids of widgets -> names of their models
	const word = text => String(text).slice(0, MAX_WORD);

	// Two hashes of 32 bits, by FNV-1a with two primes.
	const digest = bytes => {
		const step = Math.max(1, Math.floor(bytes.length / SAMPLES)) | 1;
		let a = 0x811c9dc5, b = 0x1000193;
		for (let i = 0; i < bytes.length; i += step) {
			a = Math.imul(a ^ bytes[i], 0x1000193);
			b = Math.imul(b ^ bytes[i], 0x85ebca6b);
		}
		return `${bytes.length} ${a} ${b}`;
	};
	const known = key => {
		const was = before.has(key);
		if (before.size < MAX_KNOWN)
			before.add(key);
		return was;
	};
	const isImage = el => el.naturalWidth * el.naturalHeight > 0;
	const pictureOf = el => {
		const box = el.getBoundingClientRect(), src = el.src || '';
		const at = src.startsWith('data:') ? src.indexOf(';base64,') : -1;
		return {
			width: el.naturalWidth, height: el.naturalHeight,
			shown_width: Math.round(box.width * devicePixelRatio),
			shown_height: Math.round(box.height * devicePixelRatio),
			bytes: at < 0 ? null : Math.floor((src.length - at - 8) * 3 / 4),
		};
	};
	const isTooLarge = p => p.shown_width * p.shown_height > 0 &&
		p.width * p.height >= FAR_MORE * p.shown_width * p.shown_height;

	class Evidence {
		// For another notebook in the same page.
		static renew() {
			before.clear();
			models.clear();
		}
		constructor() {
			Object.assign(this, {sent: new Map(), traits: new Map()});
		}
		// content: if it is short; t: when it arrived, ms.
		noteComm(m, content, t) {
			const {comm_id: comm, data} = content || {}, state = data && data.state || {};
			if (state._model_name && models.size < MAX_KNOWN)
				models.set(comm, word(state._model_name));
			const model = models.get(comm) || 'a widget';
			const paths = (data && data.buffer_paths || []).map(p => p[0]);
			if (data && data.method === 'update')
				for (const trait of new Set([...Object.keys(state), ...paths]))
					this.noteUpdate(comm, model, word(trait), t);
			if (m.type === 'comm_close' || data && data.method === 'echo_update')
				return;
			if (!content && m.contentBytes >= MIN_BYTES && m.bytes())
				this.noteSent(model, m.bytes().subarray(0, -END), known);
			m.buffers().forEach((bytes, i) => {
				if (bytes.length >= MIN_BYTES)
					this.noteSent(paths[i] ? `${model}.${word(paths[i])}` : model,
						bytes, known);
			});
		}
		noteUpdate(comm, model, trait, t) {
			const key = `${comm} ${trait}`, u = this.traits.get(key);
			if (u)
				Object.assign(u, {times: u.times + 1, last: t});
			else
				this.traits.set(key, {model, trait, times: 1, first: t, last: t});
		}
		noteOutput(m) {
			if (m.contentBytes >= MIN_BYTES && m.type !== 'stream' && m.bytes())
				this.noteSent('an output', m.bytes(), () => false);
		}
		noteSent(what, bytes, wasBefore) {
			const key = digest(bytes), s = this.sent.get(key);
			const was = wasBefore(key);
			if (s)
				s.times++;
			else
				this.sent.set(key,
					{what, bytes: bytes.length, times: was ? 2 : 1});
		}
		// replaced: as Outputs says; element: the cell's, or null. Null: there is nothing.
		close(replaced, element) {
			const sent = [...this.sent.values()].filter(s => s.times > 1);
			const updates = [...this.traits.values()].filter(u => u.times >= MIN_UPDATES)
				.map(({model, trait, times, first, last}) =>
					({model, trait, times, span_s: (last - first) / 1e3}));
			const images = element ?
				[...element.querySelectorAll('.jp-OutputArea img')] : [];
			const pictures = images.filter(isImage).map(pictureOf).filter(isTooLarge);
			const all = {replaced, sent, updates, pictures}, found = {};
			for (const [name, of] of Object.entries(all))
				if (Array.isArray(of) ? of.length > 0 : of)
					found[name] = Array.isArray(of) ? of.slice(0, MAX_ROWS) : of;
			return Object.keys(found).length > 0 ? found : null;
		}
	}
	Object.defineProperty(window, '__nbscopeEvidence', {value: Evidence});
})();
