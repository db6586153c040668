// watch.js: when the visible content of a page last changed, and how.
// Runs in any page (JupyterLab, Voila, Panel ...); injecting it again does nothing. Changes are DOM
// mutations, canvas draws (2-D, WebGL), loaded images and changed sizes inside the elements that a
// selector matches, but not an endless CSS animation. Instants are performance.now() of the top
// page, in ms.
(() => {
	if (window.__nbscopeWatch)
		return;
	// Changes in a frame, however deep it is, belong to the top page.
	const parentWatch = (() => {
		for (let w = window; w !== w.parent;) {
			w = w.parent;
			try {
				if (w.__nbscopeWatch)
					return w.__nbscopeWatch;
			} catch { /* another origin */ }
		}
		return null;
	})();
	if (parentWatch) {
		parentWatch.realm(window);
		return;
	}

	// Everything that cells show, and what widgets put next to the notebook, but not plain
	// text, the field of input() or JupyterLab's own frame. Only JupyterLab's own renderers set
	// a type: those of extensions (Plotly, JSON, Vega) and the frame around a widget have none.
	const TEXT = [
		'text/plain', 'application/vnd.jupyter.stdout', 'application/vnd.jupyter.stderr',
		'application/vnd.jupyter.error',
	];
	const OUTPUT = '.jp-OutputArea-output';
	const WIDGETS = ', .jupyter-widgets-view, .jupyter-widgets, .jupyterlab-sidecar, ' +
		'.jp-LinkedOutputView, .vuetify-styles';
	const SHOWN = `${OUTPUT}:not(.jp-Stdin)` +
		TEXT.map(m => `:not([data-mime-type="${m}"])`).join('') + WIDGETS;
	const TEXTS = TEXT.map(m => `${OUTPUT}[data-mime-type="${m}"]`).join(', ');
	// The browser's own, which scheduled.js wraps.
	const {setTimeout, clearTimeout, requestAnimationFrame, MessageChannel} = window;
	const FRAME_MS = 100;	// longest wait for a frame, in a page that shows none
	const REFRESH_MS = 1000 / 60;	// between two frames of an animation
	const MAX_CHANGED = 100;	// elements of which the time of the last change is kept
	const READ_MS = 16;	// mutations that arrive within this time are read together
	const LAST_MS = 17;	// last part of the settle window, in which a frame must be shown
	const ANSWER_MS = 12;	// part of the settle window that reporting its end takes
	const SAMPLE_PX = 128;
	// The share of the page's time that sampling a canvas may take, and while waiting.
	const SAMPLE_SHARE = 0.05, WAIT_SHARE = 0.2;
	// A render loop: this many draws in a row that are no further apart, or these at equal
	// intervals.
	const LOOP_MS = 100, LOOP_DRAWS = 8;
	const PERIOD_DRAWS = 4, PERIOD_RATIO = 1.25;

	const now = () => performance.now();
	const W = {
		// Set by choose(): what is watched; and that or any output, which is faster to
		// match.
		selector: null, either: null,
		lastRoot: null, ownMs: 0,	// and a ledger, set by W.reset()
		restless: [],	// outputs that were still changing at the limit: {root, last}
		SHORT_S: 5,	// a video that plays for longer has no last change in its cell
		OUTPUTS: SHOWN,
		maker: () => null,	// which callback makes a change; set by scheduled.js
	};
	const own = W.own = work => {
		const t = now();
		try { return work(); } finally { W.ownMs += now() - t; }
	};
	// Measures short and frequent work: one call in TIMED is timed, for all of them. Reading
	// the clock costs more than the work, so its cost is subtracted; the time slice of another
	// process is limited. With a clock of 0.1 ms a single difference is mostly 0 and sometimes
	// negative, but the sum in the ledger's ownMs is right.
	const TIMED = 16, MAX_OFTEN_MS = 0.2;
	W.often = ledger => {
		let n = 0;
		return (work, a, b) => {
			if (++n % TIMED)
				return work(a, b);
			const before = now(), from = now(), result = work(a, b);
			ledger.ownMs += TIMED * Math.max(-MAX_OFTEN_MS,
				Math.min(now() - from - (from - before), MAX_OFTEN_MS));
			return result;
		};
	};

	// Any text, as WebDriver can transport it: half a surrogate pair, which a cut may leave,
	// would lose the whole answer.
	W.words = (value, most) => {
		const all = String(value);
		const kept = all.length > most ?
			`${all.slice(0, most)}... (${all.length} characters)` : all;
		return kept.replace(/\p{Surrogate}/gu, '\ufffd');
	};

	// A ledger of changes: the page's own (W), or that of one cell or gesture in listen.js.
	W.ledger = () => ({
		first: null, last: null, lastKind: null, lastText: null, marks: new Set(),
		counts: {dom: 0, canvas2d: 0, webgl: 0, image: 0, size: 0},
		// The last change by each source: that of a canvas may be revoked.
		latest: new Map(),
	});
	// Adds a change; returns whether it is the last one.
	W.enter = (l, kind, t, source) => {
		if (l.first === null || t < l.first)
			l.first = t;
		l.counts[kind]++;
		l.latest.delete(source);
		l.latest.set(source, {t, kind});
		if (l.last !== null && t < l.last)
			return false;
		[l.last, l.lastKind] = [t, kind];
		return true;
	};
	// Corrects the source's last change: it was at t, or (null) there was none.
	W.revoke = (l, source, t) => {
		const had = l.latest.get(source);
		if (!had || had.t === t)
			return;
		if (t === null)
			l.latest.delete(source);
		else
			had.t = t;
		l.last = l.lastKind = null;
		for (const {t: at, kind} of l.latest.values())
			if (l.last === null || at >= l.last)
				[l.last, l.lastKind] = [at, kind];
		if (l.last === null)
			l.first = null;
	};
	W.reset = () => {
		W.drain();
		Object.assign(W, W.ledger(),
			{sampling: false, drawn: new Map(), changed: new Map(), ignored: 0});
	};
	const choose = selector => {
		W.selector = selector || SHOWN;
		W.either = OUTPUT + (W.selector === SHOWN ? WIDGETS : `, ${W.selector}`);
	};
	choose(window.__nbscopeSelector);

	// ---- what counts -------------------------------------------------------

	const up = el => {
		const top = el.getRootNode();
		if (top.host)
			return top.host;
		const frame = top.defaultView && top.defaultView !== window &&
			top.defaultView.frameElement;
		return frame || null;
	};
	// The nearest element around the node that matches, across shadow roots and frames.
	const within = (node, selector) => {
		let el = node.nodeType === 1 ? node :
			node.parentElement || (node.getRootNode && node.getRootNode().host);
		if (node.nodeType === 9)
			el = node.defaultView && node.defaultView !== window ?
				node.defaultView.frameElement : node.documentElement;
		for (; el; el = up(el)) {
			const found = el.closest(selector);
			if (found)
				return found;
		}
		return null;
	};
	const holds = (node, selector) => node.nodeType === 1 &&
		(node.matches(selector) ? node : node.querySelector(selector));
	const holding = list => [...list].filter(n => holds(n, W.either));
	const shown = W.shown = el => {
		const r = el.getBoundingClientRect();
		return r.width > 0 && r.height > 0;
	};

	// Changes in an output that never settles do not belong to later cells, until it has
	// settled; nor do those that a periodic message of the kernel causes.
	const restlessAt = el => W.restless.find(r => r.root.contains(el));
	const ignored = (root, t, by, kind = null) => {
		const ticks = by && by.chain.givenUp && by.chain.roots.has(root);
		if (ticks && kind === 'dom')	// a clock draws nothing else
			return true;
		let r = ticks ? {root} : restlessAt(root);
		if (!r && root && W.isTick && W.isTick(t, W.changed.get(root))) {
			r = {root, periodic: true};
			W.restless.push(r);
		}
		if (r) {
			r.last = t;
			W.ignored++;
		}
		return !!r;
	};
	W.giveUp = settleMs => {
		// The next cell does not wait for a script that never loaded.
		for (const tree of living())
			neverLoads(tree.querySelectorAll('script'));
		for (const [root, t] of W.changed)
			if (root && now() - t < settleMs)
				W.restless.push({root, last: t});
	};
	W.rest = settleMs => {
		W.restless =
			W.restless.filter(r => r.root.isConnected &&
				(r.periodic && W.periodic || now() - r.last < settleMs));
	};
	const change = (root, kind, t, source = 'page', by = W.maker()) => {
		if (ignored(root, t, by, kind))
			return;
		if (by)
			source = by.chain.change(by.n, root, source);
		W.changed.delete(root);
		W.changed.set(root, t);
		if (W.changed.size > MAX_CHANGED)
			W.changed.delete(W.changed.keys().next().value);
		if (W.enter(W, kind, t, source))
			W.lastRoot = root;
		if (W.onchange)
			W.onchange(root, kind, t, source, by);
		if (W.onpaint)
			W.onpaint(t);
	};
	// Notes that what an element shows has changed, if it is watched.
	const changed = W.changedAt = (el, kind, t = now(), source = 'page') => {
		const root = within(el, W.selector);
		if (root)
			change(root, kind, t, source);
	};
	const takeBack = W.takeBack = (source, t) => {
		if (W.ontakeback)
			W.ontakeback(source, t);
		W.revoke(W, source, t);
	};

	// ---- DOM ---------------------------------------------------------------

	const sameAttribute = r =>
		r.target.getAttributeNS(r.attributeNamespace, r.attributeName) === r.oldValue;
	const INVISIBLE = /^(aria-|data-|role$|tabindex$|title$)/;
	// JupyterLab holds the height of outputs for a moment when it replaces them.
	const AREA = 'jp-OutputArea';
	const holdsHeight = r => r.attributeName === 'style' && r.target.classList.contains(AREA);
	const RUNS = W.RUNS = /^(module|(text|application)\/(x-)?(java|ecma)script)?$/i;
	const willLoad = s => !!s.src && !s.__nbscopeDone && !s.noModule && RUNS.test(s.type);
	// A script inserted as HTML text never runs, so it never loads.
	const neverLoads = scripts => {
		for (const s of scripts)
			s.__nbscopeDone = true;
	};
	const bring = (tree, html, work) => {
		const holder = tree && (tree.content || tree);
		const before = holder && /<script/i.test(html) &&
			new Set(holder.querySelectorAll('script'));
		const answer = work();
		if (before)
			own(() => neverLoads([...holder.querySelectorAll('script')]
				.filter(s => !before.has(s))));
		return answer;
	};
	const inert = win => {
		for (const [proto, name, holder] of [
			[win.Element.prototype, 'innerHTML', el => el],
			[win.ShadowRoot.prototype, 'innerHTML', el => el],
			[win.Element.prototype, 'outerHTML', el => el.parentNode],
		]) {
			const real = Object.getOwnPropertyDescriptor(proto, name);
			if (real)
				Object.defineProperty(proto, name, {...real, set(html) {
					bring(holder(this), html, () => real.set.call(this, html));
				}});
		}
		for (const [proto, name, which, holder] of [
			[win.Element.prototype, 'insertAdjacentHTML', 1, el => el.parentNode || el],
			[win.Element.prototype, 'setHTMLUnsafe', 0, el => el],
			[win.ShadowRoot.prototype, 'setHTMLUnsafe', 0, el => el],
		]) {
			const real = proto[name];
			if (real)
				proto[name] = function (...args) {
					return bring(holder(this), args[which],
						() => Reflect.apply(real, this, args));
				};
		}
		const parse = win.DOMParser.prototype.parseFromString;
		win.DOMParser.prototype.parseFromString = function (html) {
			const doc = Reflect.apply(parse, this, arguments);
			if (/<script/i.test(html))
				own(() => neverLoads(doc.querySelectorAll('script')));
			return doc;
		};
	};
	// The frames of a window are known without a search, except those in shadow roots.
	const framesOf = new WeakMap();	// window -> its frames' windows
	const otherFrames = win => {
		const had = framesOf.get(win) || [], n = win.length;
		let same = n === had.length;
		for (let i = 0; same && i < n; i++)
			same = win[i] === had[i];
		if (!same)
			framesOf.set(win, Array.from({length: n}, (_, i) => win[i]));
		return !same;
	};
	const meetFrames = (lists, tree) => {
		const win = tree.defaultView;
		if (win && otherFrames(win))
			frames(tree);
		if (tree.host)
			for (const r of lists)
				for (const n of r.addedNodes)
					if (n.nodeType === 1)
						frames(n);
	};
	// Mutations are only queued when they arrive, and read a moment later, so that the
	// ancestors of each node are searched once. W.drain() reads what is queued; so does the
	// next frame if W.onunread() returns true.
	let unread = [], asked = false;
	const often = W.often(W);
	const mutated = (lists, values, tree) => {
		often(() => {
			const framed = !unread.length && W.onunread && W.onunread();
			unread.push(lists, values, now(), W.maker());
			meetFrames(lists, tree);
			if (!asked && !W.atOnce) {
				asked = true;
				setTimeout(() => {
					asked = false;
					W.drain();
				}, framed ? FRAME_MS : READ_MS);
			}
		});
		if (W.atOnce)
			W.drain();
		if (W.onmutation)
			W.onmutation();
	};
	W.drain = () => {
		if (unread.length)
			own(() => {
				const these = unread, seen = new Map();
				unread = [];
				for (let i = 0; i < these.length; i += 4)
					read(these[i], these[i + 1], these[i + 2], these[i + 3],
						seen);
			});
	};
	// lists: records of added and removed children; values: records of attributes and text.
	const read = (lists, values, t, by, seen) => {
		let hit = false, root = null, text = false;
		const meet = el => {
			hit = hit || !!el;
			if (el && el.isConnected)	// what a cell removes is not what it shows
				root = el;
		};
		// Many records have the same target, whose ancestors do not change.
		const last = W.lastRoot && W.lastRoot.isConnected ? W.lastRoot : null;
		const around = (node, selector) => {
			if (last && selector === W.selector && last.contains(node))
				return last;
			let known = seen.get(node);
			if (!known)
				seen.set(node, known = new Map());
			if (!known.has(selector))
				known.set(selector, within(node, selector));
			return known.get(selector);
		};
		// Most are in JupyterLab's own frame: one search is enough for them.
		const near = target => {
			const found = around(target, W.either);
			if (found)
				meet(around(target, W.selector));
			return found;
		};
		// Of thousands most are in one output: the first of them is enough.
		for (let i = 0, r; !root && (r = lists[i]); i++) {
			const target = r.target, found = near(target);
			if (root)
				break;
			const brought = holding(r.addedNodes);
			for (const n of [...brought, ...holding(r.removedNodes)])
				if (!root)
					meet(holds(n, W.selector));
			if (!text && !hit)
				text = found && around(target, TEXTS) ||
					brought.some(n => holds(n, TEXTS)) && target;
		}
		for (let i = 0, r; !root && (r = values[i]); i++) {
			if (r.attributeName !== null &&
				(INVISIBLE.test(r.attributeName) || sameAttribute(r) ||
				holdsHeight(r)))
				continue;
			const found = near(r.target);
			if (!root && !text && !hit)
				text = found && around(r.target, TEXTS);
		}
		if (hit) {
			change(root || W.lastRoot, 'dom', t, 'page', by);
			sizes(root || W.lastRoot);
		}
		if (text) {
			W.lastText = t;
			if (W.ontext)
				W.ontext(text, t);
		}
	};
	W.reset();

	const retyped = records => own(() => {
		for (const r of W.onretype ? records : [])
			W.onretype(r.target);
	});

	let resizer = null;
	const sized = new WeakMap();
	const sizes = root => {
		if (!root || sized.has(root))
			return;
		sized.set(root, null);
		if (!resizer)
			resizer = new ResizeObserver(entries => own(() => {
				const t = now();
				for (const e of entries) {
					// Including the scrollbar, which an animation may show and
					// hide.
					const box = e.borderBoxSize[0];
					const size = `${Math.round(box.inlineSize)}x${
						Math.round(box.blockSize)}`;
					const before = sized.get(e.target);
					sized.set(e.target, size);
					if (before !== null && before !== size &&
						e.target.isConnected)
						change(e.target, 'size', t);
				}
			}));
		resizer.observe(root, {box: 'border-box'});
	};

	// ---- canvases ----------------------------------------------------------

	let dirty = new Map();
	const small = document.createElement('canvas');
	small.width = small.height = SAMPLE_PX;
	// So that a single changed pixel counts.
	small.getContext('2d', {willReadFrequently: true}).imageSmoothingQuality = 'high';
	const sampleOf = W.sampleOf = canvas => {
		const c = small.getContext('2d');
		c.clearRect(0, 0, SAMPLE_PX, SAMPLE_PX);
		c.drawImage(canvas, 0, 0, SAMPLE_PX, SAMPLE_PX);
		const words = new Uint32Array(
			c.getImageData(0, 0, SAMPLE_PX, SAMPLE_PX).data.buffer);
		let h = 0;
		for (let i = 0; i < words.length; i++)
			h = Math.imul(h ^ words[i], 0x01000193) + i | 0;
		return h;
	};
	// A page may draw the same picture for ever (a render loop) and would never settle. While
	// a cell is being waited for, a canvas that draws like a loop is sampled as often as is cheap, and from
	// then on. Drawing the picture that was there already is not a change, and neither were
	// draws between two samples of the same picture. A sample waits until the drawing is
	// finished, and takes longer than everything else here, so a canvas that draws now and then
	// is not sampled.
	const pictures = new WeakMap();	// canvas that repeats its picture -> its hash
	const takeSample = (canvas, d) => {
		const t = now();
		let hash = null;
		try {
			hash = sampleOf(canvas);
		} catch { /* of another origin: cannot be read */ }
		d.sampleFrom = t + (now() - t) / (W.sampling ? WAIT_SHARE : SAMPLE_SHARE);
		return hash;
	};
	// Whether this draw continues a loop. d.since is when that began.
	const repeating = (d, t) => {
		const gap = d.at === null ? null : t - d.at, loop = gap !== null && gap < LOOP_MS;
		const even = gap !== null && d.gap !== null &&
			Math.max(gap, d.gap) < PERIOD_RATIO * Math.min(gap, d.gap);
		d.inRun = loop ? d.inRun + 1 : 1;
		d.inPeriod = even ? d.inPeriod + 1 : 2;
		if (!loop && !even)
			d.since = gap === null ? t : d.at;
		d.draws++;
		d.at = t;
		d.gap = gap;
		return d.inRun >= LOOP_DRAWS || d.inPeriod >= PERIOD_DRAWS;
	};
	const drew = (canvas, root, kind, t) => {
		const d = W.drawn.get(canvas) || {
			at: null, since: null, inRun: 0, inPeriod: 0, gap: null, sampleFrom: 0,
			draws: 0, hash: pictures.get(canvas), same: pictures.has(canvas),
			pending: null,
		};
		W.drawn.set(canvas, d);
		const repeats = repeating(d, t);
		const hash = (d.same || repeats && W.sampling) && t >= d.sampleFrom ?
			takeSample(canvas, d) : null;
		if (hash === null) {
			if (d.same)
				d.pending = {root, kind, t};
			else
				change(root, kind, t, canvas);
			return;
		}
		d.pending = null;
		if (d.hash === hash) {
			d.same = true;
			pictures.set(canvas, hash);
			takeBack(canvas, d.since);
			if (d.draws > 30)
				W.marks.add('endless_redraw');
			return;
		}
		if (d.hash !== undefined)
			d.since = t;
		d.hash = hash;
		d.same = false;
		pictures.delete(canvas);
		change(root, kind, t, canvas);
	};
	// Only draws from now on make a canvas suspicious: it may have finished already.
	const suspect = () => {
		W.sampling = true;
		for (const d of W.drawn.values())
			d.inRun = d.inPeriod = 0;
	};
	// Samples canvases that have drawn since their last sample, before a decision depends on
	// them.
	W.checkCanvases = async () => {
		W.drain();
		if (!W.sampling)
			suspect();
		const unknown = [...W.drawn].filter(([, d]) => d.pending);
		const end = now() + 2 * LOOP_MS;
		for (const [, d] of unknown)
			d.sampleFrom = 0;
		while (unknown.some(([, d]) => d.pending) && now() < end)
			await W.frame();
		for (const [canvas, d] of unknown)
			if (d.pending) {
				change(d.pending.root, d.pending.kind, d.pending.t, canvas);
				d.since = d.pending.t;
				d.same = false;
				d.pending = null;
			}
	};
	let drawing = false;	// by this script, not by the page
	const flush = () => own(() => {
		const t = now(), drawn = dirty;
		dirty = new Map();
		drawing = true;
		for (const [canvas, kind] of drawn) {
			const root = canvas.isConnected && within(canvas, W.selector);
			if (root && !ignored(root, t, W.maker()))
				drew(canvas, root, kind, t);
		}
		drawing = false;
	});
	const touch = (canvas, kind) => {
		if (drawing || !canvas || canvas === small || dirty.has(canvas))
			return;
		if (dirty.size === 0)
			queueMicrotask(flush);
		dirty.set(canvas, kind);
	};
	const wrap = (proto, names, kind, seen) => {
		for (const name of names) {
			const real = proto && proto[name];
			if (typeof real !== 'function')
				continue;
			proto[name] = function () {
				if (!seen || seen(this, arguments))
					touch(this.canvas, kind);
				return Reflect.apply(real, this, arguments);
			};
		}
	};

	// A control shows a property, whose change is not a mutation.
	const CONTROLS = [
		['HTMLInputElement', 'value'], ['HTMLInputElement', 'checked'],
		['HTMLTextAreaElement', 'value'], ['HTMLSelectElement', 'value'],
		['HTMLSelectElement', 'selectedIndex'], ['HTMLOptionElement', 'selected'],
	];
	const control = (proto, name) => {
		const real = Object.getOwnPropertyDescriptor(proto, name);
		Object.defineProperty(proto, name, {...real, set(value) {
			const before = real.get.call(this);
			real.set.call(this, value);
			if (real.get.call(this) !== before)
				own(() => changed(this, 'dom'));
		}});
	};

	// ---- one realm: this window, or a frame of the same origin -----------------

	// A frame's window remains the same object when its document changes, and sometimes its
	// prototypes remain too: each of them is hooked once.
	const known = new WeakSet();
	const first = thing => !!thing && !known.has(thing) && !!known.add(thing);
	const begins = [];
	// Calls it with this window, and with each frame's that has functions of its own.
	W.inEachRealm = begin => {
		begins.push(begin);
		begin(window);
	};
	W.realm = win => {
		if (win && first(win.document))
			observe(win.document);
		if (!win || !first(win.Element.prototype))
			return;
		for (const begin of begins)
			begin(win);
		const targets = new WeakMap();	// WebGL context -> its framebuffer
		const onScreen = gl => !targets.get(gl);
		wrap(win.CanvasRenderingContext2D && win.CanvasRenderingContext2D.prototype,
			['fillRect', 'clearRect', 'strokeRect', 'fill', 'stroke', 'fillText',
				'strokeText', 'drawImage', 'putImageData', 'reset'], 'canvas2d');
		wrap(win.ImageBitmapRenderingContext && win.ImageBitmapRenderingContext.prototype,
			['transferFromImageBitmap'], 'canvas2d');
		for (const gl of [win.WebGLRenderingContext, win.WebGL2RenderingContext]) {
			if (!gl)
				continue;
			const bind = gl.prototype.bindFramebuffer;
			gl.prototype.bindFramebuffer = function (target, buffer) {
				if (target !== this.READ_FRAMEBUFFER)
					targets.set(this, buffer);
				return Reflect.apply(bind, this, arguments);
			};
			wrap(gl.prototype, ['drawArrays', 'drawElements', 'drawRangeElements',
				'drawArraysInstanced', 'drawElementsInstanced', 'blitFramebuffer',
				'clear'], 'webgl', onScreen);
		}
		for (const [type, name] of CONTROLS)
			control(win[type].prototype, name);
		const hand = win.HTMLCanvasElement.prototype.transferControlToOffscreen;
		if (hand)
			win.HTMLCanvasElement.prototype.transferControlToOffscreen = function () {
				W.marks.add('offscreen_canvas');
				const offscreen = Reflect.apply(hand, this, arguments);
				if (W.onoffscreen)
					W.onoffscreen(this);
				return offscreen;
			};
		inert(win);
		const animate = win.Element.prototype.animate;
		if (animate)
			win.Element.prototype.animate = function () {
				const animation = Reflect.apply(animate, this, arguments);
				animation.addEventListener('finish',
					() => own(() => changed(this, 'dom', endOf(this))));
				return animation;
			};
		const shadow = win.Element.prototype.attachShadow;
		win.Element.prototype.attachShadow = function () {
			const root = Reflect.apply(shadow, this, arguments);
			observe(root);
			return root;
		};
	};
	// Documents and shadow roots: a search in one does not reach another.
	const trees = new Set();
	const lives = tree => tree.host ? tree.isConnected && tree.ownerDocument.defaultView :
		tree.defaultView;
	const living = () => {
		const found = [];
		for (const ref of trees) {
			const tree = ref.deref();
			if (!tree)
				trees.delete(ref);
			else if (lives(tree))
				found.push(tree);
		}
		return found;
	};
	const observe = node => {
		if (node.host && !first(node))
			return;
		trees.add(new WeakRef(node));
		// What happened at the same time is one change, whichever observer is called first.
		const ofLists = new MutationObserver(records =>
			mutated(records, ofValues.takeRecords(), node));
		const ofValues = new MutationObserver(records =>
			mutated(ofLists.takeRecords(), records, node));
		ofLists.observe(node, {subtree: true, childList: true});
		ofValues.observe(node, {
			subtree: true, characterData: true, attributes: true,
			attributeOldValue: true,
		});
		new MutationObserver(retyped)
			.observe(node, {subtree: true, attributeFilter: ['data-mime-type']});
		for (const el of node.querySelectorAll('*')) {	// what was there before
			if (el.shadowRoot)
				observe(el.shadowRoot);
			if (el.localName === 'script' || el.localName === 'iframe')
				el.__nbscopeDone = true;
		}
		// load and error do not bubble. The end of a transition is a change, and so is the
		// first picture of a video.
		for (const type of ['load', 'error', 'loadeddata'])
			node.addEventListener(type, e => own(() => loaded(e)), true);
		node.addEventListener('playing', e => own(() => markHidden(e.target)), true);
		for (const type of ['transitionend', 'animationend', 'endEvent'])
			node.addEventListener(type, e => own(() =>
				changed(e.target, 'dom', endOf(e.target))), true);
	};
	// When an animation of an element ended: by the timeline, because the event may be late.
	const ends = new WeakMap();	// element -> {end, to}, see visibleEnd()
	const OF_KEYFRAMES = new Set(['offset', 'computedOffset', 'easing', 'composite']);
	const jumps = (el, to) => {
		const style = el.ownerDocument.defaultView.getComputedStyle(el);
		return Object.keys(to).some(name =>
			!OF_KEYFRAMES.has(name) && style[name] !== to[name]);
	};
	const endOf = el => {
		const t = now();
		const {end, to} = ends.get(el) || {};
		const late = el.getSimpleDuration ? sinceEnd(el) * 1000 :
			to && jumps(el, to) ? 0 : document.timeline.currentTime - end;
		if (!(late > 0 && late < 10 * FRAME_MS))
			return t;
		// The first frame after the end of a visible movement shows it.
		return t - (end === undefined ? late : Math.floor(late / REFRESH_MS) * REFRESH_MS);
	};
	const loaded = e => {
		const el = e.target;
		if (!el || !el.nodeName)
			return;
		if (el.nodeName === 'SCRIPT' || el.nodeName === 'IFRAME')
			el.__nbscopeDone = true;
		if (el.nodeName === 'IFRAME')
			frames(el);
		if (!['IMG', 'IMAGE', 'IFRAME', 'VIDEO', 'OBJECT', 'EMBED', 'INPUT']
			.includes(el.nodeName.toUpperCase()))
			return;
		if (W.onpicture)
			W.onpicture(el);
		// Such an image is shown with the next frame, mostly before its event comes.
		if (el.nodeName !== 'IMG' || !el.src.startsWith('data:'))
			changed(el, 'image');
		if (el.nodeName !== 'IFRAME')	// see frames()
			markHidden(el);
	};
	// The mark of an element in which changes are not seen.
	const HIDDEN = {
		iframe: el => el.contentDocument === null && el.contentWindow && 'cross_origin_frame',
		video: el => !el.paused &&
			(el.loop || !(el.duration - el.currentTime <= W.SHORT_S)) &&
			'video_playing',
		object: el => el.contentWindow && 'object_element',
		embed: el => !/^image\/(?!svg)/.test(el.type) && 'object_element',
	};
	const hiddenIn = el => {
		const mark = HIDDEN[el.localName] && HIDDEN[el.localName](el);
		return mark && within(el, W.selector) ? mark : null;
	};
	const markHidden = (el, l = W) => {
		const mark = hiddenIn(el);
		if (mark)
			l.marks.add(mark);
	};
	const inView = el => {
		const r = el.getBoundingClientRect(), {innerWidth: x, innerHeight: y} =
			el.ownerDocument.defaultView;
		return r.width > 0 && r.height > 0 && r.bottom > 0 && r.top < y && r.right > 0 &&
			r.left < x;
	};
	// A cell that changed nothing else may have changed such an element of an earlier cell.
	W.markUnseen = l => {
		for (const tree of l.last === null ? living() : [])
			for (const el of tree.querySelectorAll(Object.keys(HIDDEN).join(', ')))
				if (inView(el))
					markHidden(el, l);
	};
	const frames = node => {
		const list = node.nodeName === 'IFRAME' ? [node] :
			node.getElementsByTagName('iframe');
		for (const f of list)
			try {
				W.realm(f.contentWindow);
			} catch {
				if (first(f) || f === node)
					// Not again in each later cell.
					W.marks.add('cross_origin_frame');
			}
	};

	// ---- what is still loading or moving --------------------------------------

	const roots = () => living().flatMap(tree => [...tree.querySelectorAll(W.selector)]);
	// An image of a style or of an SVG does not report that it is loading. An Image with the
	// same address waits for the same response, without another request.
	const PICTURED = 'image, [style*="url("]', MAX_ARRIVED = 1000;
	const arrived = new Set(), awaited = new Map();	// addresses; address -> Image
	const addresses = el => el.localName === 'image' ? [el.href.baseVal] :
		[...el.style.cssText.matchAll(/url\("([^"]*)"\)/g)].map(m => m[1]);
	const awaits = (el, address) => {
		if (/^(#|data:|$)/.test(address))
			return false;
		const url = new URL(address, el.baseURI).href;
		if (arrived.has(url) || awaited.has(url))
			return awaited.has(url);
		const picture = new el.ownerDocument.defaultView.Image();
		picture.src = url;
		if (arrived.size > MAX_ARRIVED)
			arrived.clear();
		if (picture.complete)
			return !arrived.add(url);
		awaited.set(url, picture);
		picture.onload = picture.onerror = () => own(() => {
			awaited.delete(url);
			arrived.add(url);
			changed(el, 'image');
		});
		return true;
	};
	// What is not visible is not loaded.
	const pictured = el => {
		try {
			return el.getClientRects().length > 0 &&
				addresses(el).filter(a => awaits(el, a)).length > 0;
		} catch {
			return false;	// the address is invalid
		}
	};
	const inSight = el => {
		const r = el.getBoundingClientRect();
		return r.width > 0 && r.height > 0 && el.getRootNode().elementsFromPoint(
			(r.left + r.right) / 2, (r.top + r.bottom) / 2).includes(el);
	};
	// An animation element of an SVG is not an Animation. How many seconds ago it ended: negative
	// if it moves, NaN if it has not started or has no end.
	const sinceEnd = el => {
		try {
			const times = el.getAttribute('repeatCount'), from = el.getStartTime();
			const t = el.ownerSVGElement.getCurrentTime();
			const endless = times === 'indefinite' || el.hasAttribute('repeatDur');
			return t < from || endless ? NaN :
				t - from - el.getSimpleDuration() * (Number(times) || 1);
		} catch {
			return NaN;
		}
	};
	let endless = false;	// an animation without an end is in what has changed
	const isEndless = el => W.changed.has(within(el, W.selector)) && (endless = true);
	const moves = el => {
		if (el.getAttribute('repeatCount') === 'indefinite' || el.hasAttribute('repeatDur'))
			isEndless(el);
		return sinceEnd(el) < 0 && 'animation';
	};
	const late = {
		animate: moves, animateTransform: moves, animateMotion: moves,
		script: el => willLoad(el) && 'script',	// anywhere in the page
		img: el => el.src && !el.complete && (el.loading !== 'lazy' || inSight(el)) &&
			'image',
		video: el => el.networkState === el.NETWORK_LOADING &&
			el.readyState < el.HAVE_CURRENT_DATA ? 'image' :
			!!W.playing && W.playing(el),
		iframe: el => {
			let doc = null;
			try {
				doc = el.contentDocument;
			} catch { /* another origin */ }
			const coming = !el.__nbscopeDone && el.loading !== 'lazy' &&
				/^(https?|blob|data):/.test(el.src);
			return (coming || doc && doc.readyState !== 'complete') && 'frame';
		},
	};
	const NAMES = Object.keys(late).join(', ');
	// In what has changed; or in everything, if nothing has.
	const unpictured = () => {
		for (const root of W.changed.size ? W.changed.keys() : roots())
			if (root && root.isConnected && !restlessAt(root))
				for (const el of [root, ...root.querySelectorAll(PICTURED)])
					if (el.matches(PICTURED) && pictured(el))
						return 'image';
		return null;
	};
	// An easing may end so slowly that nothing is seen of it: the part of its time until all but
	// this share of the way has been gone.
	const UNSEEN = 0.0015, eased = new Map();
	const easedPart = easing => {
		if (!eased.has(easing)) {
			const a = new Animation(
				new KeyframeEffect(null, null, {duration: 1, easing, fill: 'both'}));
			let lo = 0, hi = 1;
			while (hi - lo > 0.005) {
				a.currentTime = (lo + hi) / 2;
				if (a.effect.getComputedTiming().progress < 1 - UNSEEN)
					lo = a.currentTime;
				else
					hi = a.currentTime;
			}
			eased.set(easing, hi);
		}
		return eased.get(easing);
	};
	// When nothing more of an animation will be seen, if that is before its end: {end, to}. One
	// that is not held at its end jumps back then, unless the element has the values `to` anyway.
	const visibleEnd = (a, {duration, endTime, easing, fill, direction, iterations}) => {
		const [from, to] = a.effect.getKeyframes().slice(-2);
		const stays = a instanceof CSSTransition || fill === 'forwards' || fill === 'both';
		if (!to || a.timeline !== document.timeline || a.startTime === null ||
			direction !== 'normal' || iterations % 1)
			return null;
		const whole = easing !== 'linear';	// else each part has its own
		const last = duration * (whole ? 1 : 1 - from.computedOffset);
		const unseen = last * (1 - easedPart(whole ? easing : from.easing));
		return unseen <= LAST_MS ? null :
			{end: a.startTime + (endTime - unseen) / a.playbackRate, to: stays ? null : to};
	};
	// Whether a finite animation is in progress.
	const animated = () => {
		let any = false;
		for (const tree of living())
			for (const a of tree.getAnimations ? tree.getAnimations() : []) {
				const timing = a.effect && a.effect.getComputedTiming();
				if (a.playState !== 'running' || !timing || !a.effect.target ||
					!within(a.effect.target, W.selector) ||
					restlessAt(a.effect.target))
					continue;
				if (!Number.isFinite(timing.endTime)) {
					isEndless(a.effect.target);
					continue;
				}
				any = true;
				const end = visibleEnd(a, timing);
				if (end !== null)
					ends.set(a.effect.target, end);
				else
					ends.delete(a.effect.target);
			}
		return any;
	};
	const unfinished = () => {
		endless = false;
		for (const tree of living())
			for (const el of tree.querySelectorAll(NAMES)) {
				const why = late[el.localName](el);
				if (why && (why === 'script' ||
					within(el, W.selector) && !restlessAt(el)))
					return why;
			}
		if (unpictured())
			return 'image';
		return animated() && 'animation';
	};

	// ---- waiting --------------------------------------------------------------

	W.frame = () => new Promise(resolve => {
		const timer = setTimeout(resolve, FRAME_MS);
		requestAnimationFrame(() => { clearTimeout(timer); resolve(); });
	});
	W.tick = () => new Promise(resolve => {
		const c = new MessageChannel();
		c.port1.onmessage = () => { c.port1.close(); resolve(); };
		c.port2.postMessage(0);
	});
	const sleep = ms => new Promise(resolve => setTimeout(resolve, ms));

	// Resolves with true when settleMs have passed since `from` and the last change, and
	// nothing is loading; with false at `deadline`. busy() returns a reason to wait that only
	// the caller knows; lastOf() returns the time of the last change that counts.
	W.settle = async (from, settleMs, deadline, busy, lastOf = () => W.last) => {
		const last = () => {
			W.drain();
			return lastOf();
		};
		const why = () => own(() => (busy && busy()) || unfinished());
		let met;	// the last change after which loading images were searched for
		await W.checkCanvases();
		try {
			for (;;) {
				if (met !== last()) {
					met = last();
					own(unpictured);
				}
				const until = Math.max(from, last() === null ? from : last()) +
					settleMs - ANSWER_MS;
				const left = until - now();
				if (now() >= deadline)
					return false;
				if (left > LAST_MS) {
					await sleep(Math.min(left - LAST_MS, deadline - now()));
					continue;
				}
				const seen = last();
				if (why()) {
					await sleep(Math.min(50, settleMs));
					// What was loading has ended just now: the settle window
					// starts again.
					if (!why())
						from = now();
					continue;
				}
				// A long task may have delayed a frame that changes something.
				await W.frame();
				await W.checkCanvases();
				if (last() === seen && now() < until)
					await sleep(until - now());
				if (last() === seen && !why()) {
					if (endless)
						W.marks.add('endless_animation');
					return true;
				}
			}
		} finally {
			W.sampling = false;
		}
	};

	// For an element inside a frame the frame, because a picture is of the top page.
	const inTopPage = el => {
		while (el && el.ownerDocument !== document)
			el = el.ownerDocument.defaultView.frameElement;
		return el;
	};
	// What is watched and has the element, which is watched, too.
	W.outermost = el => {
		for (let next = el; next;
			next = el.parentElement && el.parentElement.closest(W.selector))
			el = next;
		return inTopPage(el);
	};
	// The element for a picture: what changed last, else the largest one.
	W.viewer = () => {
		W.drain();
		const last = W.lastRoot;
		if (last && last.isConnected && shown(last) && last.matches(W.selector))
			return W.outermost(last);
		let best = null, area = 0;
		for (const el of roots()) {
			const r = el.getBoundingClientRect();
			if (r.width * r.height > area)
				[best, area] = [el, r.width * r.height];
		}
		return inTopPage(best);
	};
	W.scrollTo = el => {
		if (!el || !el.isConnected)
			return;
		const r = el.getBoundingClientRect();
		if (!shown(el) || r.bottom < 1 || r.top > innerHeight - 1 ||
			(r.top < 0 && r.height <= innerHeight) ||
			(r.bottom > innerHeight && r.top > 0))
			el.scrollIntoView({
				block: el.getBoundingClientRect().height > innerHeight ?
					'start' : 'nearest',
				behavior: 'instant',
			});
	};
	W.select = selector => {
		choose(selector);
		W.given = !!selector;
		document.querySelector(W.selector);	// throws if the selector is invalid
		for (const root of roots())
			sizes(root);
	};
	// For another notebook in the same page.
	W.renew = () => {
		W.reset();
		Object.assign(W, {lastRoot: null, restless: [], periodic: false, onchange: null});
		if (resizer)
			resizer.disconnect();
		resizer = null;
	};
	W.within = node => within(node, W.selector);
	W.matches = () => roots().length;

	// For vizwait: waits until what the selector matches has settled.
	W.report = async (selector, settleMs, maxWaitMs) => {
		const jupyter = !!document.querySelector(
			'#main.jp-LabShell, .jp-LabShell, [data-jp-theme-name]');
		const start = now(), deadline = start + maxWaitMs;
		const watched = selector || (jupyter ? SHOWN : 'body');
		if (watched !== W.selector) {
			W.select(watched);
			W.reset();
		}
		while (W.matches() === 0 && now() < deadline) {
			await sleep(Math.min(20, deadline - now()));
		}
		const matched = W.matches();
		const settled = matched > 0 &&
			await W.settle(W.last === null ? start : W.last, settleMs, deadline);
		const unix = t => t === null ? null :
			Math.round((performance.timeOrigin + t) * 1000) / 1e6;
		return {
			status: matched === 0 ? 'no_viewer' : settled ? 'completed' : 'not_settled',
			selector: W.selector, matched, start_t: unix(start), first_t: unix(W.first),
			last_visual_change_t: unix(W.last), ended_t: unix(now()),
			last_visual_change_kind: W.lastKind, changes: W.counts, marks: [...W.marks],
			url: location.origin + location.pathname,
		};
	};

	Object.defineProperty(window, '__nbscopeWatch', {value: W});
	W.realm(window);
	if (document.documentElement)
		frames(document.documentElement);
})();
