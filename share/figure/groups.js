// Groups of a figure with a legend: a click, or Enter or the space bar, on a name of the legend hides or shows its group, and the
// pointer on a hull names it. In a figure's page on what Vega has drawn, in a report on a copy of its picture. Loads nothing.
'use strict';
const figure_groups = (() => {
	const svg_names = 'http://www.w3.org/2000/svg';
	const elements = new Set(['svg', 'g', 'defs', 'clipPath', 'path', 'use', 'rect', 'line', 'text', 'tspan', 'style']);
	const most_named = 5;

	// A function that shows a text at the pointer or at an element, in front of a dialog too; null: nothing.
	const pointer_text = () => {
		const tip = Object.assign(document.createElement('div'), {id: 'tip', hidden: true});
		tip.setAttribute('aria-hidden', 'true');
		return (text, at) => {
			tip.hidden = text === null;
			if (tip.hidden)
				return;
			(document.querySelector('dialog[open]') || document.body).append(tip);
			const box = at instanceof Element ? at.getBoundingClientRect() : {left: at.clientX, top: at.clientY, bottom: at.clientY + 12};
			tip.textContent = text;
			tip.style.left = Math.max(4, Math.min(box.left + 14, innerWidth - tip.offsetWidth - 4)) + 'px';
			// Above an element, whose neighbours below are of its kind; below the pointer.
			const above = box.top - tip.offsetHeight - 8, below = box.bottom + 6;
			tip.style.top = ((at instanceof Element ? above > 0 : below + tip.offsetHeight > innerHeight) ? above : below) + 'px';
		};
	};

	// A picture from a file: shapes, texts and colours of it, and nothing that acts or loads.
	const copy_of = node => {
		const to = document.createElementNS(svg_names, node.localName);
		for (const {name, value} of node.attributes) {
			if (name === 'href' || name === 'xlink:href') {
				if (value.startsWith('#'))
					to.setAttribute('href', value);
			} else if (!/^on|^style$|^xmlns|^role$/i.test(name)) {
				to.setAttribute(name, value);
			}
		}
		for (const child of node.childNodes) {
			if (child.nodeType === Node.TEXT_NODE)
				to.append(child.data);
			else if (elements.has(child.localName))
				to.append(copy_of(child));
		}
		return to;
	};
	// Of a mark that is written once and used at many places, the text is there.
	const label_of = mark => {
		const used = mark.getAttribute('href');
		return (used ? mark.getRootNode().getElementById(used.slice(1)) : mark)?.getAttribute('aria-label');
	};
	// A mark has the text of its group, and a hull more after it.
	const is_of = (label, name) => label === name || label?.startsWith(name + ': ');

	// The groups: {name, about, marks, entry: of the legend, or null where each has a panel}.
	const groups_of = svg => {
		const marks = [...svg.querySelectorAll('.role-mark path, .role-mark use')].map(mark => [mark, label_of(mark)]).filter(([, label]) => label);
		const named = [...svg.querySelectorAll('.role-legend-label text')].map(text => [text.textContent, text.closest('.role-legend-label').parentElement.parentElement]);
		if (!named.length)
			named.push(...marks.map(([, label]) => [label.slice(0, label.lastIndexOf(': hull of ')), null]));
		return named.map(([name, entry]) => {
			const own = marks.filter(([, label]) => is_of(label, name));
			const about = own.map(([, label]) => label.slice(name.length + 2)).find(rest => rest) || name;
			return {name, about, entry, marks: own.map(([mark]) => mark)};
		}).filter(group => group.marks.length);
	};

	const style = '.role-legend-entry [role=button] { cursor: pointer; pointer-events: all; } [role=button] > .background { pointer-events: all; }' +
		'[role=button][aria-pressed=false] { opacity: .35; } [role=button]:focus-visible { outline: 1.5px solid; outline-offset: 0; }' +
		'path.lit { stroke-width: 2.5px; fill-opacity: .18; }';

	// say(text, element): shows a text at that element, or hides it if it is null.
	const act = (svg, say) => {
		const groups = groups_of(svg);
		const hulls = group => group.marks.filter(mark => label_of(mark) !== group.name);
		const light = (group, on) => hulls(group).forEach(mark => mark.classList.toggle('lit', on));
		svg.querySelector('.role-legend')?.removeAttribute('aria-hidden');
		svg.querySelectorAll('.role-mark').forEach(marks => marks.setAttribute('aria-hidden', 'true'));
		for (const group of groups.filter(g => g.entry)) {
			const {entry, about, marks} = group;
			const toggle = () => {
				const shown = entry.getAttribute('aria-pressed') !== 'true';
				entry.setAttribute('aria-pressed', String(shown));
				marks.forEach(mark => { mark.style.display = shown ? '' : 'none'; });
			};
			for (const [name, value] of Object.entries({role: 'button', tabindex: '0', 'aria-pressed': 'true', 'aria-label': about}))
				entry.setAttribute(name, value);
			entry.addEventListener('click', toggle);
			entry.addEventListener('mousedown', e => e.preventDefault());	// No focus, whose ring would cover others.
			entry.addEventListener('keydown', e => {
				if (e.key !== 'Enter' && e.key !== ' ')
					return;
				e.preventDefault();
				toggle();
			});
			for (const [event, on] of Object.entries({pointerenter: true, pointerleave: false, focus: true, blur: false}))
				entry.addEventListener(event, () => {
					light(group, on);
					say(on ? about : null, entry);
				});
		}
		return groups;
	};

	// The texts of what is at a place, also below others: of hulls, and in a page, where Vega has them, of points.
	const texts_at = (root, groups, x, y) => {
		const under = new Set(root.elementsFromPoint(x, y));
		const points = [...under].filter(e => e.closest('.mark-symbol.role-mark')).map(e => e.__data__?.tooltip).filter(text => text);
		const texts = [...points, ...groups.filter(group => group.marks.some(mark => under.has(mark))).map(group => group.about)];
		return texts.length > most_named ? [...texts.slice(0, most_named), `and ${texts.length - most_named} more`] : texts;
	};

	const name_marks = (svg, groups, say) => {
		svg.addEventListener('pointermove', e => {
			if (e.target.closest('[role=button]'))
				return;
			const texts = texts_at(svg.getRootNode(), groups, e.clientX, e.clientY);
			say(texts.length ? texts.join('\n') : null, e);
		});
		svg.addEventListener('pointerleave', () => say(null));
	};

	// An element with the picture, whose legend can be used; null: it has no hulls.
	const from_image = (img, say) => {
		const data = 'data:image/svg+xml;base64,';
		if (!img.src.startsWith(data))
			return null;
		const text = new TextDecoder().decode(Uint8Array.from(atob(img.src.slice(data.length)), c => c.charCodeAt(0)));
		if (!text.includes('aria-roledescription="line mark"'))
			return null;
		const from = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement;
		if (from.localName !== 'svg')
			return null;
		const host = Object.assign(document.createElement('div'), {className: 'groups'}), root = host.attachShadow({mode: 'open'}), svg = copy_of(from);
		const rules = document.createElement('style');
		rules.textContent = ':host { display: block; contain: paint; } svg { display: block; width: 100%; height: auto; }' + style;
		svg.setAttribute('role', 'group');
		svg.setAttribute('aria-label', img.alt);
		root.append(rules, svg);
		const groups = act(svg, say);
		name_marks(svg, groups, say);
		return groups.length ? host : null;
	};

	// A figure's own page. Vega would show the text of one mark, which is on top.
	const in_page = svg => {
		if (!groups_of(svg).length)
			return;
		const rules = document.createElement('style');
		rules.textContent = style + '#vg-tooltip-element { display: none; } #tip { position: fixed; pointer-events: none; padding: 4px 8px; ' +
			'white-space: pre-line; background: CanvasText; color: Canvas; }';
		document.head.append(rules);
		const say = pointer_text();
		name_marks(svg, act(svg, say), say);
	};

	return {from_image, in_page, pointer_text};
})();
