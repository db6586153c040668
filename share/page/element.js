// element.js: finds an element of an output again by what a person sees of it.
// tell() says which it is in the words of `on` in interactions.jsonl; place() finds it, after a
// reload too, and says where it is in the window, or why it cannot be used. Both search frames of
// the same origin and open shadow roots. Boxes are in CSS pixels of the top page.
(() => {
	if (window.__nbscopeElement)
		return;
	const W = window.__nbscopeWatch, N = window.__nbscopeNotebook;
	const MAX_TEXT = 80;	// a longer text is content, not a name
	const MAX_NAMED = 5;	// of others, in a reason
	const WAIT_MS = 2000;	// for an element that is still to come, or moves
	const NEAR = 4;	// levels up from a part of a control to what contains no other
	const FAR = 8;	// levels up to a class that distinguishes it from others
	const MOVED_PX = 0.5;
	const E = {};

	// ---- the tree, across shadow roots and frames ---------------------------------------

	const kind = el => el.nodeName.toLowerCase();
	const insideOf = el => el.shadowRoot || el.contentDocument;	// null: another origin
	// All elements below, in the order of the document.
	const all = (node, list = []) => {
		for (const el of node ? node.querySelectorAll('*') : []) {
			list.push(el);
			all(insideOf(el), list);
		}
		return list;
	};
	const frameOf = el => {
		const win = el.ownerDocument.defaultView;
		return win && win !== window ? win.frameElement : null;
	};
	const up = el => el.parentElement || el.getRootNode().host || frameOf(el);
	const nearest = (el, selector) => {
		while (el && !el.matches(selector))
			el = up(el);
		return el;
	};
	const contains = (outer, el) => {
		while (el && el !== outer)
			el = up(el);
		return !!el;
	};
	// From a frame's own pixels to those around it.
	const frameBox = f => {
		const b = f.getBoundingClientRect(), scale = b.width / (f.offsetWidth || 1);
		return {x: b.left + f.clientLeft * scale, y: b.top + f.clientTop * scale, scale};
	};
	const outward = (el, x, y) => {
		for (let f = frameOf(el); f; f = frameOf(f)) {
			const b = frameBox(f);
			[x, y] = [b.x + x * b.scale, b.y + y * b.scale];
		}
		return [x, y];
	};
	// A control may have no size of its own, but what it contains.
	const shownOf = el => W.shown(el) ? el : [...el.children].find(W.shown) || el;
	const isVisible = el => W.shown(shownOf(el)) && (!el.checkVisibility ||
		el.checkVisibility({visibilityProperty: true, checkVisibilityCSS: true}));
	const boxOf = el => {
		const b = shownOf(el).getBoundingClientRect(), [x, y] = outward(el, b.x, b.y);
		const [right, bottom] = outward(el, b.right, b.bottom);
		return {x, y, width: right - x, height: bottom - y};
	};
	// Where an event on an element was; it may have no place.
	E.pointOf = (e, el) => outward(el, e.clientX || 0, e.clientY || 0);
	const hitAt = (x, y) => {
		let hit = null;
		for (let root = document, next; root; root = insideOf(hit)) {
			next = root.elementFromPoint(x, y);
			if (!next || next === hit)
				break;
			hit = next;
			const b = hit.contentDocument ? frameBox(hit) : {x: 0, y: 0, scale: 1};
			[x, y] = [(x - b.x) / b.scale, (y - b.y) / b.scale];
		}
		return hit;
	};

	// ---- what a person sees of an element -------------------------------------------------

	const WIDGET = '.jupyter-widgets, .jupyter-widgets-view > *, .js-plotly-plot, ' +
		'.leaflet-container, .bk-Figure, .vega-embed, .dt-container, ' +
		'.jp-OutputArea-output > *';
	// What ipywidgets and Vuetify put around a control and its name.
	const NAMED = '.widget-inline-hbox, .v-input', NAME = ':scope > .widget-label, .v-label';
	const GRAPHIC = 'canvas, svg, img, video';
	const DISABLED = ':disabled, [aria-disabled="true"], .v-input--is-disabled, ' +
		'.v-btn--disabled';
	const TYPED = 'textarea, select, [contenteditable="true"]', FIELD = `input, ${TYPED}`;
	const FOCUSABLE = `${FIELD}, button, a[href], [tabindex]`;
	const IMPLIED = {
		button: 'button, summary, [type="button"], [type="submit"], .modebar-btn',
		checkbox: '[type="checkbox"]', radio: '[type="radio"]', slider: '[type="range"]',
		spinbutton: '[type="number"]', link: 'a[href]', combobox: 'select:not([multiple])',
		listbox: 'select', option: 'option', columnheader: 'th', cell: 'td', textbox: FIELD,
	};
	const CONTROL = [...Object.values(IMPLIED), ...[...Object.keys(IMPLIED), 'menuitem', 'tab',
		'menuitemcheckbox', 'menuitemradio', 'switch', 'treeitem', 'gridcell', 'searchbox',
		'scrollbar'].map(role => `[role="${role}"]`)].join(', ');
	// Words of a state, those that a build has numbered, and those that all widgets have.
	const PASSING = /active|focus|hover|select|open|dirty|disabled|is-|-mod-|cursor-|\d{3}/;
	const GENERAL = /^(lm|p)-|^jupyter-widgets$|^widget-(container|inline)|^js-/;
	const short = text => {
		const words = W.words(text || '', Infinity).replace(/[\s\u200b]+/g, ' ').trim();
		return words.length <= MAX_TEXT && words || null;
	};
	const roleOf = el => el.getAttribute('role') || el.matches(CONTROL) &&
		Object.keys(IMPLIED).find(role => el.matches(IMPLIED[role])) || null;
	// Never what was typed, nor what a picture contains.
	const textOf = el => el.matches(`${TYPED}, ${GRAPHIC}`) || el.querySelector(TYPED) ? null :
		short(el.textContent);
	const labelsOf = el => {
		const id = el.getAttribute('aria-labelledby'), named = el.closest(NAMED);
		const before = named && named.previousElementSibling;
		const names = [
			id && el.getRootNode().getElementById(id.split(/\s/)[0]),
			el.labels && el.labels[0], named && named.querySelector(NAME),
			before && !before.querySelector(CONTROL) && before,
		];
		return [el.getAttribute('aria-label'),
			...names.map(l => l && l !== el && l.textContent),
			...['title', 'data-title', 'alt', 'placeholder']
				.map(a => el.getAttribute(a))].map(short).filter(t => t);
	};
	const labelOf = el => labelsOf(el)[0] || null;
	const classesOf = el => {
		const words = [...el.classList].filter(c =>
			/^[A-Za-z][\w-]*$/.test(c) && !PASSING.test(c));
		return words.sort((a, b) => GENERAL.test(a) - GENERAL.test(b));
	};
	// For messages.
	const call = el => {
		const name = labelOf(el) || roleOf(el) && textOf(el), [word] = classesOf(el);
		return `${kind(el)}${word ? `.${word}` : ''}${name ? ` '${name}'` : ''}`;
	};

	// ---- describing ---------------------------------------------------------------------

	// What a person means who points at an element: the control that it is a part of, or that
	// lies below it; else the picture; else itself, or what has a class around it.
	E.meant = (el, x, y) => {
		const control = nearest(el, CONTROL);
		if (control && !control.querySelector('canvas'))
			return control;
		const graphic = nearest(el, GRAPHIC), svg = graphic && graphic.ownerSVGElement;
		if (graphic)
			return svg ? E.meant(svg, x, y) : graphic;
		for (let o = el, n = 0; o && n < NEAR && !o.matches(WIDGET); o = up(o), n++) {
			const inside = all(o).filter(c => c.matches(CONTROL) && isVisible(c));
			const b = inside.length === 1 && boxOf(inside[0]);
			if (b && x >= b.x && y >= b.y && x <= b.x + b.width && y <= b.y + b.height)
				return inside[0];
			if (inside.length > 0)
				break;
		}
		while (!classesOf(el).length && !textOf(el) && !el.matches(WIDGET) && up(el))
			el = up(el);
		return el;
	};
	// What a wheel turns over: a picture, or what it scrolls.
	E.scroller = el => {
		for (let o = el; o && !o.matches(`.jp-Cell, ${GRAPHIC}`); o = up(o))
			if (o.scrollHeight > o.clientHeight &&
				/auto|scroll/.test(window.getComputedStyle(o).overflowY))
				return o;
		return el;
	};
	const outputOf = cell => cell && (cell.querySelector('.jp-Cell-outputWrapper') || cell);
	const round = n => Math.round(n * 1e4) / 1e4;
	E.share = (b, x, y) => [round((x - b.x) / b.width), round((y - b.y) / b.height)];
	// What is to be seen at a point of an element, before an input changes it; tell() makes
	// words of it later, since that takes longer.
	E.see = (hit, x, y) => {
		const el = E.meant(hit, x, y), box = boxOf(el), tag = kind(el), outer = [];
		const role = roleOf(el), label = labelOf(el), text = textOf(el);
		const classes = classesOf(el), icon = !label && !text && el.querySelector('i');
		const value = role === 'button' && el.getAttribute('value');
		for (let o = el, n = 0; o && n < FAR && !o.matches(WIDGET); n++) {
			o = up(o);
			outer.push(...o ? classesOf(o).slice(0, 1) : []);
		}
		// Ways to say it, the best one first.
		const ways = [
			label && role && {role, label},
			text && (role || tag === 'label') && {...role ? {role} : {tag}, text},
			...classes.map(c => label && {label, class: c}),
			value && {css: `${tag}[value=${JSON.stringify(value)}]`},
			role && {role}, ...classes.map(c => ({class: c})),
			text && !all(el).some(o => textOf(o) === text) && {text},
			...icon ? classesOf(icon).map(c => ({css: `${tag}:has(.${c})`})) : [],
			...outer.map(c => ({css: `.${c} ${tag}`})), {tag},
		].filter(on => on);
		return {el, box, ways, at: E.share(box, x, y), typing: el.matches(FIELD)};
	};
	// In which elements are searched: those of the cell's outputs come first.
	const inOrder = output => {
		const first = all(output), had = new Set(first);
		return [...first, ...all(document).filter(el => !had.has(el))];
	};
	// The first way that means this element and no other, else the one that means the fewest,
	// and its place among them; for a search that begins in the outputs of `cell`. It may have
	// changed since it was seen.
	E.tell = ({el, ways, at}, cell) => {
		const output = outputOf(cell);
		const known = output && contains(output, el) ? all(output) : inOrder(output);
		let best = null;
		for (const on of ways) {
			const others = find(on, known).filter(o => o !== el &&
				!(on.text && (contains(el, o) || contains(o, el))));
			if (!best || others.length < best.others.length)
				best = {on, others};
			if (others.length === 0)
				break;
		}
		const nth = best.others.filter(o => known.indexOf(o) < known.indexOf(el)).length;
		return {...best.on, ...nth && {nth}, at};
	};

	// ---- finding ------------------------------------------------------------------------

	const find = (on, known) => {
		const css = (on.tag || '') + (on.class || '').split(/\s+/).filter(c => c)
			.map(c => `.${window.CSS.escape(c)}`).join('');
		const found = known.filter(el => (!css || el.matches(css)) &&
			(!on.css || el.matches(on.css)) && (!on.role || roleOf(el) === on.role) &&
			(!on.label || labelsOf(el).includes(on.label)) &&
			(!on.text || textOf(el) === on.text) && isVisible(el));
		// A label alone means the control that has it, not its parts; of elements in each
		// other that have the same text, the innermost.
		const alone = on.label && !css && !on.css;
		const controls = alone ? found.filter(el => el.matches(CONTROL)) : [];
		return controls.length ? controls : !on.text ? found :
			found.filter(el => !found.some(o => o !== el && contains(el, o)));
	};
	const notFound = (on, known) => {
		const {role, tag, css, class: words} = on, said = {...on, at: undefined};
		const names = find({role, tag, css, class: words}, known)
			.map(on.text === undefined ? labelOf : textOf).filter(n => n);
		return `no visible element is ${JSON.stringify(said)}: is it closed, or in a ` +
			'frame from another origin?' + (names.length ? ' There is ' +
			JSON.stringify([...new Set(names)].slice(0, MAX_NAMED)) : '');
	};
	// What a slider's handle moves along.
	const sliderOf = el => {
		const track = el.closest('.noUi-base, .v-slider') || el;
		const ends = [el, ...track.querySelectorAll('[role="slider"]')].flatMap(h =>
			['min', 'max'].map(a => Number(h.getAttribute(`aria-value${a}`) || h[a])));
		return {
			min: Math.min(...ends), max: Math.max(...ends), track: boxOf(track),
			now: Number(el.getAttribute('aria-valuenow') || el.value),
			vertical: el.getAttribute('aria-orientation') === 'vertical',
		};
	};
	const topOf = E.top = el =>
		(nearest(el, '.jp-WindowedPanel-outer, .jp-Notebook') || {scrollTop: 0}).scrollTop;
	const placeNow = (on, position, before) => {
		const nth = on.nth || 0, [sx, sy] = on.at || [0.5, 0.5];
		const cell = position >= 0 && outputOf(N.cellAt(position));
		let found = cell ? find(on, all(cell)) : [];
		if (found.length <= nth)
			found = find(on, inOrder(cell));
		const el = found[nth];
		if (!el)
			return {answer: {status: 'not_found', reason: notFound(on, inOrder(cell))}};
		let x, y, hit, box;
		// The layers of a picture belong together.
		const hits = () => {
			box = boxOf(el);
			[x, y] = [box.x + sx * box.width, box.y + sy * box.height];
			hit = hitAt(x, y);
			return !!hit && (contains(el, hit) || hit === up(el) ||
				E.meant(hit, x, y) === el ||
				(el.matches(GRAPHIC) && !!hit.closest(GRAPHIC) &&
				nearest(el, WIDGET) === nearest(hit, WIDGET)));
		};
		if (!hits())
			el.scrollIntoView({block: 'center', inline: 'nearest'});
		const still = before && before.el === el && ['x', 'y', 'width', 'height']
			.every(k => Math.abs(before.box[k] - boxOf(el)[k]) < MOVED_PX);
		const [, status, reason] = [
			[nearest(el, DISABLED), 'disabled', 'is disabled: enable it before'],
			[!hits(), 'covered', (hit ? `is covered by ${call(hit)}` :
				'is outside the window') + ` at ${sx}, ${sy}: choose another "at"`],
			[!still, 'moved', 'still moves: set "pause_ms"'], [true, 'found', null],
		].find(([is]) => is);
		return {el, box, top: topOf(el), answer: {
			status, reason: reason && `${call(el)} ${reason}`, box, point: [x, y],
			element: call(el), matches: found.length,
			slider: roleOf(el) === 'slider' ? sliderOf(el) : null,
		}};
	};
	let placed = null;
	// Searches in the outputs of the cell at this position of the notebook, else (-1: only) in
	// the page, and scrolls there. Resolves with {status: found, not_found, covered, disabled
	// or moved; reason, box, point: where `at` is, element: for messages, matches: how many
	// there are, slider: if it is one, its values, and the box that it moves along}.
	E.place = async (on, position, waitMs = WAIT_MS) => {
		const deadline = performance.now() + waitMs;
		placed = null;
		for (let n = 0; n < 2 || performance.now() < deadline; n++) {
			await W.frame();
			placed = placeNow(on, position, placed);
			if (placed.answer.status === 'found')
				break;
		}
		return placed.answer;
	};
	// Gives the keyboard's focus to it, the field in it, or what is around it in its output;
	// whether it can have it.
	E.focus = () => {
		const {el} = placed, output = nearest(el, '.jp-OutputArea');
		const around = nearest(el, FOCUSABLE);
		const to = around && around !== output && contains(output, around) ? around :
			all(el).find(e => e.matches(FOCUSABLE));
		if (to)
			to.focus({preventScroll: true});
		return !!to;
	};
	// How far it has moved since, and the notebook was scrolled, in px; null: it is gone.
	E.moved = () => {
		const {el, box, top} = placed || {}, b = el && el.isConnected && boxOf(el);
		return b ? {x: b.x - box.x, y: b.y - box.y, scrolled: topOf(el) - top} : null;
	};
	Object.defineProperty(window, '__nbscopeElement', {value: E});
})();
