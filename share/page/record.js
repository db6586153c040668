// record.js: what a person did as a line of interactions.jsonl, so that it can be performed again.
// Used by listen.js, which knows when a gesture begins and ends. What is typed into a field for
// passwords, and whatever else shows it, is in no line.
(() => {
	const E = window.__nbscopeElement;
	if (!E || window.__nbscopeRecord)
		return;
	const {timeOf} = window.__nbscopeOwn;
	const STEP_MS = 16;	// between two points of a path
	const TWICE_MS = 500, TWICE_PX = 5;	// between the presses of a double click
	const HOVER_MS = 300;	// a pointer that rests for less on an element passes by
	const MAX_PAUSE_MS = 5000;
	const SECRET = 'typed into a field for passwords, or the same text';
	const MIN_SECRET = 3;	// characters: a shorter text may be anywhere by chance
	const MODIFIERS = ['Control', 'Alt', 'Shift', 'Meta'];
	const R = {};

	// ---- what is typed into a field for passwords --------------------------------------------

	const hidden = new Set(), secrets = new Set();
	const isSecret = el => hidden.has(el) || el.type === 'password' ||
		/password|one-time-code/.test(el.autocomplete || '') ||
		!/^(none)?$/.test(window.getComputedStyle(el).webkitTextSecurity || '');
	// A field may show its text later, or clear it: what has ever been in it counts.
	const watchSecrets = el => {
		for (const root of new Set([document, el.ownerDocument || document, el.getRootNode()]))
			for (const field of root.querySelectorAll('[type="password"]'))
				hidden.add(field);
		if (el.nodeType === 1 && isSecret(el))
			hidden.add(el);
		for (const field of hidden) {
			const text = field.value === undefined ? field.textContent : field.value;
			if (text.length < MIN_SECRET || [...secrets].some(s => s.startsWith(text)))
				continue;
			for (const part of [...secrets].filter(s => text.startsWith(s)))
				secrets.delete(part);
			secrets.add(text);
		}
	};
	const shows = value => {
		const text = JSON.stringify(value);
		return [...secrets].some(s => text.includes(JSON.stringify(s).slice(1, -1)));
	};

	// ---- a gesture ---------------------------------------------------------------------------

	const drafts = new WeakMap();	// gesture -> {seen, t, steps ...}
	const targetOf = e => e.composedPath()[0];
	const modifiersOf = e => MODIFIERS.filter(m => e.getModifierState && e.getModifierState(m));
	// Where an input is; a key may be for the element below the pointer.
	R.where = e => {
		const el = targetOf(e), [x, y] = E.pointOf(e, el);
		return {el, x, y};
	};
	// Its first input.
	R.begin = (g, e, t, {el, x, y}) => {
		const seen = E.see(el, x, y);
		drafts.set(g, {
			seen, t, x, y, steps: [], presses: 0, modifiers: modifiersOf(e), button: e.button,
			secret: g.kind === 'key' && isSecret(seen.el), last: t, to: null,
			placed: e.clientX !== undefined || el !== targetOf(e),
		});
		R.add(g, e, t);
	};
	// Whether this input belongs to the same line.
	R.continues = (g, e, t, {el, x, y}) => {
		const d = drafts.get(g);
		if (!d || e.type !== 'pointerdown')
			return !!d && (e.type === 'change' || d.seen.el === E.meant(el, x, y));
		return d.presses === 1 && e.button === d.button && t - d.t < TWICE_MS &&
			Math.hypot(x - d.x, y - d.y) < TWICE_PX;
	};
	const ADD = {
		pointerdown: d => { d.presses++; },
		keydown: (d, e) => {
			const held = modifiersOf(e).filter(m => m !== 'Shift' || e.key.length > 1);
			d.steps.push([...held, e.key].join('+'));
		},
		wheel: (d, e, t) => {
			const scale = [1, 16, innerHeight][e.deltaMode];
			d.steps.push([Math.round(t - d.t), e.deltaX * scale, e.deltaY * scale]);
		},
		change: (d, e) => {
			const {selectedOptions: options} = targetOf(e);
			d.to = options && options.length === 1 ? options[0].text.trim() : null;
		},
	};
	const move = (d, e, t) => {
		const parts = e.getCoalescedEvents ? e.getCoalescedEvents() : [];
		for (const part of parts.length ? parts : [e]) {
			const at = t + timeOf(part) - timeOf(e), last = e.type === 'pointerup';
			if (at - d.last < STEP_MS && d.steps.length > 0 && !last)
				continue;
			d.last = at;
			d.steps.push([Math.round(at - d.t),
				...E.share(d.seen.box, ...E.pointOf(part, targetOf(e)))]);
		}
	};
	R.add = (g, e, t) => {
		const d = drafts.get(g);
		if (!d)
			return;
		watchSecrets(targetOf(e));
		if (e.type.startsWith('pointer'))
			move(d, e, t);
		if (ADD[e.type])
			ADD[e.type](d, e, t);
	};
	// Pasted text, which will not be in the clipboard again.
	R.paste = (g, text) => {
		const d = drafts.get(g);
		if (!d || d.secret || !text)
			return;
		if (/^(Control|Meta)\+v$/i.test(d.steps[d.steps.length - 1] || ''))
			d.steps.pop();
		d.steps.push(...text);
	};
	R.isBrief = g => drafts.has(g) && g.kind === 'hover' && drafts.get(g).last - g.t < HOVER_MS;
	const DONE = {
		click: d => d.seen.el.matches('select') ? DONE.change(d) :
			{gesture: d.presses > 1 ? 'double click' : 'click'},
		drag: d => ({gesture: 'drag', path: d.steps}),
		hover: d => ({gesture: 'hover', path: d.steps}),
		wheel: d => ({gesture: 'wheel', turns: d.steps}),
		change: d => d.to === null ? {why: null} : {gesture: 'choose', to: d.to},
		key: d => d.secret ? {why: SECRET} :
			d.steps.some(k => /Dead|Process|Unidentified/.test(k)) ?
				{why: 'typed with an input method'} :
			d.steps.every(k => k.length === 1) && d.seen.typing ?
				{gesture: 'text', text: d.steps.join('')} : {gesture: 'keys', keys: d.steps},
	};
	// Its line, which is performed after `cell`, {index, node}; or {why} there is none, null if
	// there is nothing to be performed.
	R.line = (g, cell, pauseMs) => {
		const d = drafts.get(g), done = d ? DONE[g.kind](d) : {why: null};
		if (!done.gesture)
			return done;
		watchSecrets(document);
		const {at, ...on} = E.tell({...d.seen, ways: d.seen.ways.filter(w => !shows(w))}, cell.node);
		const more = g.kind === 'key' || done.gesture === 'choose' ? {} : {
			...d.button > 0 && {button: ['', 'middle', 'right'][d.button] || 'left'},
			...d.modifiers.length && {modifiers: d.modifiers},
		};
		const line = {
			after_cell: cell.index, ...done, ...more,
			on: d.placed ? {...on, at} : on,
			...pauseMs > 0 && {pause_ms: Math.round(Math.min(pauseMs, MAX_PAUSE_MS))},
		};
		return shows(line) ? {why: SECRET} : line;
	};
	Object.defineProperty(window, '__nbscopeRecord', {value: R});
})();
