// record.js: what a person did as a line of interactions.jsonl, so that it can be performed again.
// Used by listen.js, which knows when a gesture begins and ends. What is typed into a field for
// passwords, and whatever else shows it, is in no line.
(() => {
	const E = window.__nbscopeElement;
	if (!E || window.__nbscopeRecord)
		return;
	const {timeOf} = window.__nbscopeOwn;
	const STEP_MS = 16;	// between two points of a path
	const TWICE_MS = 500;	// between the presses of a double click
	const SAME_PX = 5;	// between inputs at one place
	const HOVER_MS = 300;	// a pointer that rests for less on an element passes by
	const MAX_PAUSE_MS = 5000;
	const MIN_SECRET = 3;	// characters: a shorter text may be anywhere by chance
	const SECRET = 'typed into a field for passwords, or the same text';
	const PASTED = 'pasted, or typed with an input method: write it yourself, with "text"';
	const NOT_KEYS = /Dead|Process|Unidentified|(Control|Meta).[vV]$/;
	const MODIFIERS = ['Control', 'Alt', 'Shift', 'Meta'];
	const R = {};

	// ---- what is typed into a field for passwords ---------------------------------------

	const hidden = new Set(), secrets = new Set();
	const isSecret = el => hidden.has(el) || el.type === 'password' ||
		/password|one-time-code/.test(el.autocomplete || '') ||
		!/^(none)?$/.test(window.getComputedStyle(el).webkitTextSecurity || '');
	// A field may show its text later, or clear it: what has ever been in it counts.
	const watchSecrets = el => {
		for (const root of new Set([document, el.getRootNode()]))
			for (const field of root.querySelectorAll('[type="password"]'))
				hidden.add(field);
		if (el !== document && isSecret(el))
			hidden.add(el);
		for (const field of hidden)
			secrets.add(field.value === undefined ? field.textContent : field.value);
	};
	// The beginnings of a secret, as it was typed, are none.
	const shows = value => {
		const text = JSON.stringify(value), known = [...secrets];
		return known.some(s => s.length >= MIN_SECRET && text.includes(JSON.stringify(s)
			.slice(1, -1)) && !known.some(o => o !== s && o.startsWith(s)));
	};

	// ---- a gesture ----------------------------------------------------------------------

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
		const seen = E.see(g.kind === 'wheel' ? E.scroller(el) : el, x, y);
		drafts.set(g, {
			seen, t, x, y, top: E.top(el), last: t, steps: [], presses: 0, to: null,
			button: e.button,
			modifiers: modifiersOf(e), secret: g.kind === 'key' && isSecret(seen.el),
			placed: e.clientX !== undefined || el !== targetOf(e),
		});
		R.add(g, e, t);
	};
	// Whether this input belongs to the same line.
	R.continues = (g, e, t, {el, x, y}) => {
		const d = drafts.get(g);
		if (!d || (e.type !== 'pointerdown' && e.type !== 'wheel'))
			return !!d && (e.type === 'change' || d.seen.el === E.meant(el, x, y));
		return Math.hypot(x - d.x, y - d.y) < SAME_PX && (e.type === 'wheel' ||
			d.presses === 1 && e.button === d.button && t - d.t < TWICE_MS);
	};
	// A slow page gets several moves in one event.
	const move = (d, e, t) => {
		const parts = e.getCoalescedEvents ? e.getCoalescedEvents() : [];
		for (const part of parts.length ? parts : [e]) {
			const at = t + timeOf(part) - timeOf(e), xy = E.pointOf(part, targetOf(e));
			if (at - d.last < STEP_MS && d.steps.length && e.type === 'pointermove')
				continue;
			d.last = at;
			d.steps.push([Math.round(at - d.t), ...E.share(d.seen.box, ...xy)]);
		}
	};
	const ADD = {
		pointerdown: (d, e, t) => {
			d.presses++;
			move(d, e, t);
		},
		pointermove: move, pointerup: move,
		keydown: (d, e) => d.steps.push([...modifiersOf(e).filter(m =>
			m !== 'Shift' || e.key.length > 1), e.key].join('+')),
		// Pixels, unless deltaMode is read.
		wheel: (d, e, t) => d.steps.push([Math.round(t - d.t), e.deltaX, e.deltaY]),
		change: (d, e) => {
			const {selectedOptions: options} = targetOf(e);
			d.to = options && options.length === 1 ? options[0].text.trim() : null;
		},
	};
	R.add = (g, e, t) => {
		const d = drafts.get(g);
		watchSecrets(targetOf(e));
		if (d && ADD[e.type])
			ADD[e.type](d, e, t);
	};
	R.isBrief = g => g.kind === 'hover' && drafts.has(g) && drafts.get(g).last - g.t < HOVER_MS;
	const DONE = {
		// The browser's own list is opened, and maybe nothing is chosen.
		click: d => ({gesture: d.seen.el.matches('select') ? null :
			d.presses > 1 ? 'double click' : 'click'}),
		drag: d => ({gesture: 'drag', path: d.steps}),
		hover: d => ({gesture: 'hover', path: d.steps}),
		wheel: d => E.top(d.seen.el) !== d.top ? {why: 'it scrolled the notebook'} :
			{gesture: 'wheel', turns: d.steps},
		change: () => ({}),
		key: d => d.secret ? {why: SECRET} :
			d.steps.some(k => NOT_KEYS.test(k)) ? {why: PASTED} :
			d.steps.every(k => k.length === 1) && d.seen.typing ?
				{gesture: 'text', text: d.steps.join('')} :
				{gesture: 'keys', keys: d.steps},
	};
	// Its line, which is performed after `cell`, {index, node}; or {why} there is none.
	R.line = (g, cell, pauseMs) => {
		const d = drafts.get(g), done = !d ? {} :
			d.to !== null ? {gesture: 'choose', to: d.to} : DONE[g.kind](d);
		if (!done.gesture)
			return done;
		watchSecrets(document);
		const {seen, button, modifiers} = d, ways = seen.ways.filter(way => !shows(way));
		const {at, ...on} = E.tell({...seen, ways}, cell.node);
		const pointed = g.kind !== 'key' && g.kind !== 'change' && g.kind !== 'hover';
		const line = {
			after_cell: cell.index, ...done, on: d.placed ? {...on, at} : on,
			...pointed && button > 0 && {button: ['', 'middle', 'right'][button]},
			...pointed && modifiers.length && {modifiers},
			...pauseMs > 0 && {pause_ms: Math.round(Math.min(pauseMs, MAX_PAUSE_MS))},
		};
		return shows(line) ? {why: SECRET} : line;
	};
	Object.defineProperty(window, '__nbscopeRecord', {value: R});
})();
