// Adds to a page that is complete without it: tables that can be sorted and filtered and are shown a hundred rows at a time, values
// under the pointer, larger pictures, a timeline with zoom, and links to single cells. Loads nothing; sets all text as text.
'use strict';
(() => {
	const rows_at_once = 100;
	const rows_when_idle = 250;
	const zoom_step = 1.6;

	const make = (tag, props, ...inside) => {
		const e = Object.assign(document.createElement(tag), props);
		e.append(...inside);
		return e;
	};
	const button = (text, label, act) => {
		const b = make('button', {type: 'button', textContent: text});
		if (label)
			b.setAttribute('aria-label', label);
		b.addEventListener('click', act);
		return b;
	};

	/* ---- sort, filter, a hundred rows at a time ------------------------------------------------ */

	const value_of = td => {
		const text = td.dataset.v || td.textContent.trim();
		if (td.classList.contains('wide'))
			return null;
		if (!td.classList.contains('n'))
			return text;
		const x = parseFloat(text);
		return Number.isNaN(x) ? null : x;
	};
	// The further rows of a long table, which a page without this script shows; with it they are text, one for each row.
	const rest_of = table => {
		const rest = table.parentElement.nextElementSibling;
		return rest && rest.tagName === 'NOSCRIPT' ? rest.textContent.split(/(?=<tr id=)/).slice(1) : [];
	};
	// The status of such a row, without parsing it.
	const status_in = text => (/<td class="status[^"]*">([^<]*)</.exec(text) || ['', ''])[1];
	const words = new Intl.Collator('en', {numeric: true});
	const compare = (a, b) => typeof a === 'number' && typeof b === 'number' ? a - b : words.compare(String(a), String(b));
	const missing = v => v === null || v === '' || v === '\u2013';

	// The text includes the full name of the notebook, which is not shown.
	const text_of = row => row.text || (row.text = [...[...row.node.cells].map(value_of).filter(v => v !== null), row.node.id].join(' ').toLowerCase());

	// "client>1.5 kernel<=2 words": a row must match all of them.
	const test_of = (text, heads) => text.trim().toLowerCase().split(/\s+/).filter(t => t).map(token => {
		const m = /^([a-z]+)(<=|>=|<|>|=)(-?[\d.]+)$/.exec(token);
		// A column by its first word, otherwise by any of its words: "peak>500".
		const begins = h => h.toLowerCase().startsWith(m[1]), has = h => h.toLowerCase().split(/[^a-z]+/).includes(m[1]);
		const at = !m ? -1 : heads.some(begins) ? heads.findIndex(begins) : heads.findIndex(has);
		if (at < 0)
			return row => text_of(row).includes(token);
		const limit = Number(m[3]);
		const holds = {'<': (x, y) => x < y, '>': (x, y) => x > y, '<=': (x, y) => x <= y, '>=': (x, y) => x >= y, '=': (x, y) => x === y}[m[2]];
		return row => typeof row.value(at) === 'number' && holds(row.value(at), limit);
	});

	class Row {
		constructor(tr) {
			this.node = tr;
			this.values = [];
		}
		value(at) {
			if (!(at in this.values))
				this.values[at] = value_of(this.node.cells[at]);
			return this.values[at];
		}
	}
	class Live {
		constructor(table) {
			this.table = table;
			this.body = table.tBodies[0];
			this.heads = [...table.tHead.rows[0].cells];
			this.names = this.heads.map(h => h.textContent);
			this.rows = [...this.body.rows].map(tr => new Row(tr));
			this.rest = rest_of(table);
			this.size = this.rows.length + this.rest.length;
			this.shown = this.rows;
			this.from = 0;
			this.heads.forEach((h, i) => this.sortable(h, i));
			this.add_tools();
		}
		// The further rows are parsed when something asks for them or the browser is idle: a page of 10,000 opens sooner.
		parse(n) {
			const text = this.rest.splice(0, n).join('');
			const rest = text ? new DOMParser().parseFromString('<table>' + text, 'text/html').querySelectorAll('tr') : [];
			rest.forEach(tr => this.rows.push(new Row(tr)));
			return this.rest.length > 0;
		}
		all() {
			this.parse(this.rest.length);
			return this.rows;
		}
		parse_when_idle() {
			window.requestIdleCallback?.(() => this.parse(rows_when_idle) && this.parse_when_idle());
		}
		sortable(head, at) {
			if (head.textContent === 'phases' || head.textContent === 'timeline')
				return;
			const b = button(head.textContent, null, () => this.sort(at));
			head.replaceChildren(b);
		}
		sort(at) {
			const head = this.heads[at];
			const numbers = head.classList.contains('n');
			// Numbers: descending first.
			const before = head.getAttribute('aria-sort');
			const up = before ? before === 'descending' : !numbers;
			this.heads.forEach(h => h.removeAttribute('aria-sort'));
			head.setAttribute('aria-sort', up ? 'ascending' : 'descending');
			const sign = up ? 1 : -1;
			this.rows = this.all().map((r, i) => [r, i]).sort(([a, i], [b, k]) => {
				const x = a.value(at), y = b.value(at);
				if (missing(x) || missing(y))
					return missing(x) && missing(y) ? i - k : missing(x) ? 1 : -1;
				return sign * compare(x, y) || i - k;
			}).map(([r]) => r);
			this.filter();
		}
		filter() {
			const tests = this.input ? test_of(this.input.value, this.names) : [];
			const status = this.choice ? this.choice.value : '';
			const at = this.names.indexOf('status');
			this.shown = this.all().filter(r => (!status || r.value(at) === status) && tests.every(t => t(r)));
			this.from = 0;
			this.show();
		}
		show() {
			const shown = this.rest.length ? this.size : this.shown.length;
			const to = Math.min(this.from + rows_at_once, shown);
			this.body.replaceChildren(...this.shown.slice(this.from, to).map(r => r.node));
			const all = this.size;
			this.state.textContent = shown === 0 ? `none of ${all.toLocaleString('en')}`
				: to - this.from === all ? `${all.toLocaleString('en')} rows`
					: `${(this.from + 1).toLocaleString('en')} to ${to.toLocaleString('en')} of ${shown.toLocaleString('en')}` +
						(shown < all ? `, ${all.toLocaleString('en')} in all` : '');
			this.back.hidden = this.on.hidden = shown <= rows_at_once;
			this.back.disabled = this.from === 0;
			this.on.disabled = to >= shown;
		}
		move(by) {
			this.all();
			this.from = Math.max(0, Math.min(this.from + by * rows_at_once, this.shown.length - 1));
			this.show();
		}
		add_tools() {
			const bar = make('div', {className: 'tools'});
			this.state = make('span', {className: 'state'});
			this.state.setAttribute('role', 'status');
			this.back = button('Back', 'Back to the previous rows', () => this.move(-1));
			this.on = button('Next', 'Next rows', () => this.move(1));
			if (this.size > 5) {
				this.input = make('input', {type: 'search', placeholder: this.names.some(n => n.startsWith('client time')) ? 'words, or client>1' : 'words', autocomplete: 'off', spellcheck: false});
				this.input.setAttribute('aria-label', 'Filter: ' + this.table.caption.textContent.split(',')[0]);
				this.input.addEventListener('input', () => this.filter());
				bar.append(this.input);
				this.add_choice(bar);
			}
			bar.append(this.state, this.back, this.on);
			if (this.size > 5)
				this.table.parentElement.before(bar);
			this.show();
		}
		add_choice(bar) {
			const at = this.names.indexOf('status');
			const statuses = at < 0 ? [] : [...new Set([...this.rows.map(r => r.value(at)), ...this.rest.map(status_in)])].sort();
			if (statuses.length < 2)
				return;
			this.choice = make('select', {}, make('option', {value: '', textContent: 'any status'}), ...statuses.map(w => make('option', {value: w, textContent: w})));
			this.choice.setAttribute('aria-label', 'Status: ' + this.table.caption.textContent);
			this.choice.addEventListener('change', () => this.filter());
			bar.append(this.choice);
		}
		// Shows the row of that id, whatever the filter was.
		find(id) {
			let at = this.shown.findIndex(r => r.node.id === id);
			if (at < 0 && this.all().some(r => r.node.id === id)) {
				if (this.input)
					this.input.value = '';
				if (this.choice)
					this.choice.value = '';
				this.filter();
				at = this.shown.findIndex(r => r.node.id === id);
			}
			if (at < 0)
				return null;
			this.from = at - at % rows_at_once;
			this.show();
			return this.shown[at].node;
		}
	}
	const tables = [...document.querySelectorAll('table.live')].map(t => new Live(t));
	window.addEventListener('load', () => tables.forEach(t => t.parse_when_idle()));

	/* ---- to one cell ------------------------------------------------------------------------ */

	const go = () => {
		const id = location.hash.slice(1);
		document.querySelectorAll('.here').forEach(e => e.classList.remove('here'));
		if (!id.startsWith('c-'))
			return;
		for (const t of tables) {
			const row = t.find(id);
			if (row) {
				row.classList.add('here');
				row.scrollIntoView({block: 'center'});
				row.tabIndex = -1;
				row.focus({preventScroll: true});
				return;
			}
		}
	};
	window.addEventListener('hashchange', go);
	go();

	/* ---- values under the pointer ---------------------------------------------------------------- */

	const say = figure_groups.pointer_text();
	const label_of = svg => {
		const title = svg.querySelector('title');
		if (title) {
			// Otherwise the browser would show its own as well.
			svg.setAttribute('aria-label', title.textContent);
			title.remove();
		}
		return svg.getAttribute('aria-label');
	};
	document.addEventListener('pointermove', e => {
		const target = e.target instanceof Element ? e.target : null;
		if (target && target.closest('.groups'))
			return;
		const svg = target && target.closest('svg.bar');
		say(svg ? label_of(svg) : null, e);
	});
	document.addEventListener('scroll', () => { say(null); }, {passive: true});

	/* ---- curves of the history: the nearest label, by the pointer or by arrow keys ------------------- */

	document.querySelectorAll('.plot svg').forEach(svg => {
		const dots = [...svg.querySelectorAll('.dot')].map(e => ({e, x: e.getBBox().x, text: label_of(e)}));
		let now = dots.length - 1;
		const show = (i, at) => {
			now = i;
			dots.forEach((d, k) => d.e.classList.toggle('here', k === i));
			svg.setAttribute('aria-valuenow', i + 1);
			svg.setAttribute('aria-valuetext', dots[i].text);
			say(dots[i].text, at);
		};
		const hide = () => {
			dots[now].e.classList.remove('here');
			say(null);
		};
		for (const [name, value] of [['tabindex', 0], ['role', 'slider'], ['aria-valuemin', 1], ['aria-valuemax', dots.length]])
			svg.setAttribute(name, value);
		svg.addEventListener('pointermove', e => {
			e.stopPropagation();
			const box = svg.getBoundingClientRect(), x = (e.clientX - box.left) / box.width * svg.viewBox.baseVal.width;
			show(dots.reduce((best, d, i) => Math.abs(d.x - x) < Math.abs(dots[best].x - x) ? i : best, 0), e);
		});
		svg.addEventListener('pointerleave', hide);
		svg.addEventListener('blur', hide);
		svg.addEventListener('focus', () => show(now, dots[now].e));
		svg.addEventListener('keydown', e => {
			const to = {ArrowLeft: now - 1, ArrowDown: now - 1, ArrowRight: now + 1, ArrowUp: now + 1, Home: 0, End: dots.length - 1}[e.key];
			if (to === undefined)
				return;
			e.preventDefault();
			show(Math.max(0, Math.min(dots.length - 1, to)), dots[Math.max(0, Math.min(dots.length - 1, to))].e);
		});
	});

	/* ---- zoom of the timeline ---------------------------------------------------------------------- */

	document.querySelectorAll('table.fall').forEach(table => {
		const bars = [...table.querySelectorAll('svg.bar')];
		const state = make('span', {className: 'state'});
		// Bars are in seconds of the run; a notebook's runs differ in length.
		const whole = bars.map(b => b.viewBox.baseVal.width);
		let from = 0, wide = 1000;
		state.setAttribute('role', 'status');
		const set = (f, w) => {
			wide = Math.max(1, Math.min(1000, w));
			from = Math.max(0, Math.min(1000 - wide, f));
			bars.forEach((b, i) => b.setAttribute('viewBox', `${from * whole[i] / 1000} 0 ${wide * whole[i] / 1000} 10`));
			state.textContent = wide < 1000 ? `${Math.round(from / 10)} % to ${Math.round((from + wide) / 10)} % of the run` : '';
		};
		const zoom = by => set(from + (wide - wide / by) / 2, wide / by);
		table.parentElement.before(make('div', {className: 'tools'},
			button('+', 'Zoom into the timeline', () => zoom(zoom_step)), button('\u2212', 'Zoom out of the timeline', () => zoom(1 / zoom_step)),
			button('\u2190', 'Earlier', () => set(from - wide / 3, wide)), button('\u2192', 'Later', () => set(from + wide / 3, wide)),
			button('All', 'All of the timeline', () => set(0, 1000)), state));
		let start = null;
		table.addEventListener('pointerdown', e => {
			const svg = e.target.closest('svg.bar');
			start = svg && e.button === 0 ? [svg.getBoundingClientRect(), e.clientX] : null;
			if (start)
				e.preventDefault();
		});
		// Dragging selects the part to show.
		window.addEventListener('pointerup', e => {
			if (!start || Math.abs(e.clientX - start[1]) < 8) {
				start = null;
				return;
			}
			const [box, x] = start;
			const at = v => from + wide * Math.max(0, Math.min(1, (v - box.left) / box.width));
			const [a, b] = [at(Math.min(x, e.clientX)), at(Math.max(x, e.clientX))];
			start = null;
			set(a, b - a);
		});
	});

	/* ---- larger pictures --------------------------------------------------------------------------------- */

	document.querySelectorAll('.picture img').forEach(img => {
		const label = 'Enlarge: ' + img.alt;
		const groups = figure_groups.from_image(img, say);
		const open = () => {
			if (document.querySelector('dialog[open]'))
				return;
			let wide = 100;
			const big = groups || make('img', {src: img.src, alt: img.alt});
			const set = w => {
				wide = Math.max(25, Math.min(1000, w));
				big.style.width = wide + '%';
			};
			const before = document.activeElement, place = make('div', {hidden: true});
			if (groups) {
				groups.parentElement.style.minHeight = groups.parentElement.offsetHeight + 'px';
				groups.replaceWith(place);
			}
			const box = make('dialog', {}, make('div', {className: 'tools'}, button('+', 'Larger', () => set(wide * zoom_step)), button('\u2212', 'Smaller', () => set(wide / zoom_step)), button('Fit', 'Fit the window', () => set(100)), button('Close', null, () => box.close())), make('div', {className: 'frame', tabIndex: 0}, big));
			box.addEventListener('close', () => {
				set(100);
				place.replaceWith(big);
				say(null);
				box.remove();
				before.focus({preventScroll: true});
			});
			box.addEventListener('keydown', e => {
				if (e.key === '+' || e.key === '-' || e.key === '0')
					set(e.key === '0' ? 100 : e.key === '+' ? wide * zoom_step : wide / zoom_step);
			});
			box.addEventListener('wheel', e => {
				if (!e.ctrlKey)
					return;
				e.preventDefault();
				set(e.deltaY < 0 ? wide * zoom_step : wide / zoom_step);
			}, {passive: false});
			document.body.append(box);
			box.showModal();
		};
		if (groups) {
			groups.addEventListener('click', e => e.composedPath().some(n => n.getAttribute?.('role') === 'button') || open());
			const hint = groups.shadowRoot.querySelector('[role=button]') ? 'Click on a name of the legend to hide its group.' : '';
			img.replaceWith(groups, make('p', {className: 'tools'}, button('Enlarge', label, open), make('span', {className: 'state', textContent: hint})));
			return;
		}
		img.classList.add('zooms');
		img.tabIndex = 0;
		img.setAttribute('role', 'button');
		img.setAttribute('aria-label', label);
		img.addEventListener('click', open);
		img.addEventListener('keydown', e => {
			if (e.key === 'Enter' || e.key === ' ') {
				e.preventDefault();
				open();
			}
		});
	});
})();
