// watch.js: when did what a person looks at last change, and how?
// Runs in any page (JupyterLab, Voila, Panel ...) under any number of injections.
// Changes are DOM mutations, canvas draws (2-D, WebGL), loads of images, and
// sizes, inside the elements that a selector names; an endless CSS animation is
// none of them. All instants are performance.now() of the top page, in ms.
(() => {
	if (window.__nbscopeWatch)
		return;
	// A frame's changes are the top page's, however deep it lies.
	const parentWatch = (() => {
		for (let w = window; w !== w.parent;) {
			w = w.parent;
			try { if (w.__nbscopeWatch) return w.__nbscopeWatch; } catch (e) { /* of another origin */ }
		}
		return null;
	})();
	if (parentWatch) {
		parentWatch.realm(window);
		return;
	}

	// All that cells draw and what widgets put beside the notebook, but not plain
	// text, nor where a person answers input(), and not JupyterLab's own frame.  Only
	// JupyterLab's own renderers tell a type: an extension's (Plotly's, JSON, Vega)
	// and the frame around a widget have none.
	const TEXT = ['text/plain', 'application/vnd.jupyter.stdout', 'application/vnd.jupyter.stderr', 'application/vnd.jupyter.error'];
	const OUTPUT = '.jp-OutputArea-output';
	const WIDGETS = ', .jupyter-widgets-view, .jupyter-widgets, .jupyterlab-sidecar, .jp-LinkedOutputView, .vuetify-styles';
	const DRAWN = `${OUTPUT}:not(.jp-Stdin)` + TEXT.map(m => `:not([data-mime-type="${m}"])`).join('') + WIDGETS;
	const TEXTS = TEXT.map(m => `${OUTPUT}[data-mime-type="${m}"]`).join(', ');
	const FRAME_MS = 100;	// longest wait for a frame of a page that shows none
	const MOST_CHANGED = 100;	// elements of which it is known when they changed
	const READ_MS = 16;	// mutations that come within this are read together
	const LAST_MS = 17;	// of the quiet, in which a frame must be seen
	const ANSWER_MS = 12;	// of the quiet, for its end to be told
	const SAMPLE_PX = 128;
	const LOOK_SHARE = 0.05, WAIT_SHARE = 0.2;	// of the page's time that looking at a canvas may take
	const LOOP_MS = 100;	// draws no further apart may be a render loop's,
	const LOOP_DRAWS = 8;	// and so many of them one after the other are
	const PERIOD_DRAWS = 4, PERIOD_RATIO = 1.25;	// as are draws at equal distances

	const now = () => performance.now();
	const W = {
		selector: null, either: null,	// by choose(): what is watched; and that or any output, which is told sooner
		lastRoot: null, ownMs: 0,	// and a ledger, by W.reset()
		restless: [],	// what went on changing when a wait for it ended: {root, last}
	};
	const own = work => {
		const t = now();
		try { return work(); } finally { W.ownMs += now() - t; }
	};
	// What is little and comes often: of so many one is timed, for all of them.  A look
	// at the clock costs more, and is no part of what the others cost; nor is another
	// process's turn.  Of a clock of 0.1 ms single differences are most often 0, and now
	// and then below: their sum is right, in the ledger's ownMs.
	const TIMED = 16, MOST_OFTEN_MS = 0.2;
	W.often = ledger => {
		let n = 0;
		return (work, a, b) => {
			if (++n % TIMED)
				return work(a, b);
			const before = now(), from = now();
			work(a, b);
			ledger.ownMs += TIMED * Math.max(-MOST_OFTEN_MS, Math.min(now() - from - (from - before), MOST_OFTEN_MS));
		};
	};

	// A text from anywhere, as WebDriver can carry it: half of a surrogate pair, as a
	// cut may leave it, costs the whole answer.
	W.words = (value, most) => {
		const all = String(value), kept = all.length > most ? `${all.slice(0, most)}... (${all.length} characters)` : all;
		return kept.replace(/\p{Surrogate}/gu, '\ufffd');
	};

	// A ledger of changes: the page's own (W), or what listen.js keeps of one cell.
	W.ledger = () => ({
		first: null, last: null, lastKind: null, lastText: null, marks: new Set(),
		counts: {dom: 0, canvas2d: 0, webgl: 0, image: 0, size: 0},
		latest: new Map(),	// the change of each source: a canvas's may turn out to be none
	});
	// Whether this change is its last.
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
	// The source's latest change was at t, or (null) there was none.
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
		Object.assign(W, W.ledger(), {looking: false, drawn: new Map(), changed: new Map(), ignored: 0});
	};
	const choose = selector => {
		W.selector = selector || DRAWN;
		W.either = OUTPUT + (W.selector === DRAWN ? WIDGETS : `, ${W.selector}`);
	};
	choose(window.__nbscopeSelector);

	// ---- what counts -------------------------------------------------------

	const up = el => {
		const top = el.getRootNode();
		if (top.host)
			return top.host;
		const frame = top.defaultView && top.defaultView !== window && top.defaultView.frameElement;
		return frame || null;
	};
	// The nearest element around the node that the selector names, across
	// shadow roots and frames.
	const within = (node, selector) => {
		let el = node.nodeType === 1 ? node : node.parentElement || (node.getRootNode && node.getRootNode().host);
		if (node.nodeType === 9)
			el = node.defaultView && node.defaultView !== window ? node.defaultView.frameElement : node.documentElement;
		for (; el; el = up(el)) {
			const found = el.closest(selector);
			if (found)
				return found;
		}
		return null;
	};
	const holds = (node, selector) => node.nodeType === 1 && (node.matches(selector) ? node : node.querySelector(selector));
	const holding = list => [...list].filter(n => holds(n, W.either));
	const shown = el => {
		const r = el.getBoundingClientRect();
		return r.width > 0 && r.height > 0;
	};

	// A viewer that never rests tells nothing of the cells behind its own: what changes
	// in it is not theirs, until it has rested.
	const restlessAt = el => W.restless.find(r => r.root.contains(el));
	const ignored = (root, t) => {
		const r = restlessAt(root);
		if (r) {
			r.last = t;
			W.ignored++;
		}
		return !!r;
	};
	W.giveUp = quietMs => {
		for (const tree of living())	// nor does a script that never came hold up the next cell
			neverLoads(tree.querySelectorAll('script'));
		for (const [root, t] of W.changed)
			if (root && now() - t < quietMs)
				W.restless.push({root, last: t});
	};
	W.rest = quietMs => {
		W.restless = W.restless.filter(r => r.root.isConnected && now() - r.last < quietMs);
	};
	const change = (root, kind, t, source = 'page') => {
		if (ignored(root, t))
			return;
		W.changed.delete(root);
		W.changed.set(root, t);
		if (W.changed.size > MOST_CHANGED)
			W.changed.delete(W.changed.keys().next().value);
		if (W.enter(W, kind, t, source))
			W.lastRoot = root;
		if (W.onchange)
			W.onchange(root, kind, t, source);
		if (W.onpaint)
			W.onpaint(t);
	};
	// What an element shows has changed now, if it is watched.
	const changed = (el, kind) => {
		const root = within(el, W.selector);
		if (root)
			change(root, kind, now());
	};
	const takeBack = (source, t) => {
		if (W.ontakeback)
			W.ontakeback(source, t);
		W.revoke(W, source, t);
	};

	// ---- DOM ---------------------------------------------------------------

	const sameAttribute = r => r.target.getAttributeNS(r.attributeNamespace, r.attributeName) === r.oldValue;
	const INVISIBLE = /^(aria-|data-|role$|tabindex$|title$)/;
	const RUNS = /^(module|(text|application)\/(x-)?(java|ecma)script)?$/i;
	const willLoad = s => !!s.src && !s.__nbscopeDone && !s.noModule && RUNS.test(s.type);
	// What HTML brings as text never runs, so it never loads.
	const neverLoads = scripts => {
		for (const s of scripts)
			s.__nbscopeDone = true;
	};
	const bring = (tree, html, work) => {
		const holder = tree && (tree.content || tree), before = holder && /<script/i.test(html) && new Set(holder.querySelectorAll('script'));
		const answer = work();
		if (before)
			own(() => neverLoads([...holder.querySelectorAll('script')].filter(s => !before.has(s))));
		return answer;
	};
	const inert = win => {
		for (const [proto, name, holder] of [[win.Element.prototype, 'innerHTML', el => el], [win.ShadowRoot.prototype, 'innerHTML', el => el],
			[win.Element.prototype, 'outerHTML', el => el.parentNode]]) {
			const real = Object.getOwnPropertyDescriptor(proto, name);
			if (real)
				Object.defineProperty(proto, name, {...real, set(html) { bring(holder(this), html, () => real.set.call(this, html)); }});
		}
		for (const [proto, name, which, holder] of [[win.Element.prototype, 'insertAdjacentHTML', 1, el => el.parentNode || el],
			[win.Element.prototype, 'setHTMLUnsafe', 0, el => el], [win.ShadowRoot.prototype, 'setHTMLUnsafe', 0, el => el]]) {
			const real = proto[name];
			if (real)
				proto[name] = function (...args) { return bring(holder(this), args[which], () => Reflect.apply(real, this, args)); };
		}
		const parse = win.DOMParser.prototype.parseFromString;
		win.DOMParser.prototype.parseFromString = function (html) {
			const doc = Reflect.apply(parse, this, arguments);
			if (/<script/i.test(html))
				own(() => neverLoads(doc.querySelectorAll('script')));
			return doc;
		};
	};
	// Which frames a window has is known without a search, but for those in shadow roots.
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
	// Mutations are but kept when they come, and read a moment later: what lies where is
	// then searched for once.  Whoever wants to know all that changed calls W.drain(), as
	// the next frame does where W.onunread() says so.
	let unread = [], asked = false;
	const often = W.often(W);
	const mutated = (lists, values, tree) => {
		often(() => {
			const framed = !unread.length && W.onunread && W.onunread();
			unread.push(lists, values, now());
			meetFrames(lists, tree);
			if (!asked && !W.atOnce) {
				asked = true;
				setTimeout(() => { asked = false; W.drain(); }, framed ? FRAME_MS : READ_MS);
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
				for (let i = 0; i < these.length; i += 3)
					read(these[i], these[i + 1], these[i + 2], seen);
			});
	};
	// lists: records of children that came and went; values: of attributes and text.
	const read = (lists, values, t, seen) => {
		let hit = false, root = null, text = false;
		const meet = el => {
			hit = hit || !!el;
			if (el && el.isConnected)	// what a cell clears away is not what it shows
				root = el;
		};
		// Many records have one target, and it lies where it lies.
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
		// Most lie in JupyterLab's own frame: one search tells.
		const near = target => {
			const found = around(target, W.either);
			if (found)
				meet(around(target, W.selector));
			return found;
		};
		// Of thousands most are a viewer's: the first of them tells.
		for (let i = 0, r; !root && (r = lists[i]); i++) {
			const target = r.target, found = near(target);
			if (root)
				break;
			const brought = holding(r.addedNodes);
			for (const n of [...brought, ...holding(r.removedNodes)])
				if (!root)
					meet(holds(n, W.selector));
			if (!text && !hit)
				text = found && around(target, TEXTS) || brought.some(n => holds(n, TEXTS)) && target;
		}
		for (let i = 0, r; !root && (r = values[i]); i++) {
			if (r.attributeName !== null && (INVISIBLE.test(r.attributeName) || sameAttribute(r)))
				continue;
			const found = near(r.target);
			if (!root && !text && !hit)
				text = found && around(r.target, TEXTS);
		}
		if (hit) {
			change(root || W.lastRoot, 'dom', t);
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
					// With its scrollbar, which an animation may make come and go.
					const box = e.borderBoxSize[0], size = `${Math.round(box.inlineSize)}x${Math.round(box.blockSize)}`;
					const before = sized.get(e.target);
					sized.set(e.target, size);
					if (before !== null && before !== size && e.target.isConnected)
						change(e.target, 'size', t);
				}
			}));
		resizer.observe(root, {box: 'border-box'});
	};

	// ---- canvases ----------------------------------------------------------

	let dirty = new Map();
	const small = document.createElement('canvas');
	small.width = small.height = SAMPLE_PX;
	small.getContext('2d', {willReadFrequently: true}).imageSmoothingQuality = 'high';	// a dot counts
	const sampleOf = canvas => {
		const c = small.getContext('2d');
		c.clearRect(0, 0, SAMPLE_PX, SAMPLE_PX);
		c.drawImage(canvas, 0, 0, SAMPLE_PX, SAMPLE_PX);
		const words = new Uint32Array(c.getImageData(0, 0, SAMPLE_PX, SAMPLE_PX).data.buffer);
		let h = 0;
		for (let i = 0; i < words.length; i++)
			h = Math.imul(h ^ words[i], 0x01000193) + i | 0;
		return h;
	};
	// A page may draw the same picture for ever (a render loop), which matters to
	// who waits for quiet: a canvas that then still draws as a loop does is looked
	// at, as often as is cheap, and from then on.  Draws of a picture that was there
	// already are no change, and draws between two looks at the same picture were
	// none either.  A look waits until the drawing is done (it takes longer than all
	// else here), so that a canvas which draws now and then is not looked at.
	const pictures = new WeakMap();	// canvas that repeats its picture -> its hash
	const look = (canvas, d) => {
		const t = now();
		let hash = null;
		try { hash = sampleOf(canvas); } catch (e) { /* of a foreign origin: cannot be looked at */ }
		d.lookFrom = t + (now() - t) / (W.looking ? WAIT_SHARE : LOOK_SHARE);
		return hash;
	};
	// Does this draw go on with a loop's? d.since is where that began.
	const repeating = (d, t) => {
		const gap = d.at === null ? null : t - d.at, loop = gap !== null && gap < LOOP_MS;
		const even = gap !== null && d.gap !== null && Math.max(gap, d.gap) < PERIOD_RATIO * Math.min(gap, d.gap);
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
		const d = W.drawn.get(canvas) || {at: null, since: null, inRun: 0, inPeriod: 0, gap: null, lookFrom: 0, draws: 0,
			hash: pictures.get(canvas), same: pictures.has(canvas), pending: null};
		W.drawn.set(canvas, d);
		const repeats = repeating(d, t);
		const hash = (d.same || repeats && W.looking) && t >= d.lookFrom ? look(canvas, d) : null;
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
				W.marks.add('endless_drawing');
			return;
		}
		if (d.hash !== undefined)
			d.since = t;
		d.hash = hash;
		d.same = false;
		pictures.delete(canvas);
		change(root, kind, t, canvas);
	};
	// Only draws from now on are held against a canvas: it may be done by now.
	const suspect = () => {
		W.looking = true;
		for (const d of W.drawn.values())
			d.inRun = d.inPeriod = 0;
	};
	// To be called when it is time to know: what was drawn and not looked at.
	W.look = async () => {
		W.drain();
		if (!W.looking)
			suspect();
		const unknown = [...W.drawn].filter(([, d]) => d.pending), end = now() + 2 * LOOP_MS;
		for (const [, d] of unknown)
			d.lookFrom = 0;
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
	let drawing = false;	// our own calls are not the page's
	const flush = () => own(() => {
		const t = now(), drawn = dirty;
		dirty = new Map();
		drawing = true;
		for (const [canvas, kind] of drawn) {
			const root = canvas.isConnected && within(canvas, W.selector);
			if (root && !ignored(root, t))
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

	// What a control shows is a property, which no mutation tells of.
	const CONTROLS = [['HTMLInputElement', 'value'], ['HTMLInputElement', 'checked'], ['HTMLTextAreaElement', 'value'],
		['HTMLSelectElement', 'value'], ['HTMLSelectElement', 'selectedIndex'], ['HTMLOptionElement', 'selected']];
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

	// A frame's window stays the same object when its document is another, and
	// sometimes keeps its prototypes too: each is seen to once.
	const known = new WeakSet();
	const first = thing => !!thing && !known.has(thing) && !!known.add(thing);
	W.realm = win => {
		if (win && first(win.document))
			observe(win.document);
		if (!win || !first(win.Element.prototype))
			return;
		if (W.onrealm)
			W.onrealm(win);
		const targets = new WeakMap();	// WebGL context -> its framebuffer
		const onScreen = gl => !targets.get(gl);
		wrap(win.CanvasRenderingContext2D && win.CanvasRenderingContext2D.prototype,
			['fillRect', 'clearRect', 'strokeRect', 'fill', 'stroke', 'fillText', 'strokeText', 'drawImage', 'putImageData', 'reset'], 'canvas2d');
		wrap(win.ImageBitmapRenderingContext && win.ImageBitmapRenderingContext.prototype, ['transferFromImageBitmap'], 'canvas2d');
		for (const gl of [win.WebGLRenderingContext, win.WebGL2RenderingContext]) {
			if (!gl)
				continue;
			const bind = gl.prototype.bindFramebuffer;
			gl.prototype.bindFramebuffer = function (target, buffer) {
				if (target !== this.READ_FRAMEBUFFER)
					targets.set(this, buffer);
				return Reflect.apply(bind, this, arguments);
			};
			wrap(gl.prototype, ['drawArrays', 'drawElements', 'drawRangeElements', 'drawArraysInstanced', 'drawElementsInstanced', 'blitFramebuffer', 'clear'], 'webgl', onScreen);
		}
		for (const [type, name] of CONTROLS)
			control(win[type].prototype, name);
		const hand = win.HTMLCanvasElement.prototype.transferControlToOffscreen;
		if (hand)
			win.HTMLCanvasElement.prototype.transferControlToOffscreen = function () {
				W.marks.add('offscreen_canvas');
				return Reflect.apply(hand, this, arguments);
			};
		inert(win);
		const animate = win.Element.prototype.animate;
		if (animate)
			win.Element.prototype.animate = function () {
				const animation = Reflect.apply(animate, this, arguments);
				animation.addEventListener('finish', () => own(() => changed(this, 'dom')));
				return animation;
			};
		const shadow = win.Element.prototype.attachShadow;
		win.Element.prototype.attachShadow = function () {
			const root = Reflect.apply(shadow, this, arguments);
			observe(root);
			return root;
		};
	};
	// Documents and shadow roots: no search through one comes to another.
	const trees = new Set();
	const lives = tree => tree.host ? tree.isConnected && tree.ownerDocument.defaultView : tree.defaultView;
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
		// What happened at one time is one change, whichever of the two is told first.
		const ofLists = new MutationObserver(records => mutated(records, ofValues.takeRecords(), node));
		const ofValues = new MutationObserver(records => mutated(ofLists.takeRecords(), records, node));
		ofLists.observe(node, {subtree: true, childList: true});
		ofValues.observe(node, {subtree: true, characterData: true, attributes: true, attributeOldValue: true});
		new MutationObserver(retyped).observe(node, {subtree: true, attributeFilter: ['data-mime-type']});
		for (const el of node.querySelectorAll('*')) {	// that were there before
			if (el.shadowRoot)
				observe(el.shadowRoot);
			if (el.localName === 'script' || el.localName === 'iframe')
				el.__nbscopeDone = true;
		}
		// load and error do not bubble; transitions are finite changes. A film's
		// first picture is one.
		for (const type of ['load', 'error', 'loadeddata'])
			node.addEventListener(type, e => own(() => loaded(e)), true);
		for (const type of ['transitionend', 'animationend', 'endEvent'])
			node.addEventListener(type, e => own(() => changed(e.target, 'dom')), true);
	};
	const loaded = e => {
		const el = e.target;
		if (!el || !el.nodeName)
			return;
		if (el.nodeName === 'SCRIPT' || el.nodeName === 'IFRAME')
			el.__nbscopeDone = true;
		if (el.nodeName === 'IFRAME')
			frames(el);
		if (!['IMG', 'IMAGE', 'IFRAME', 'VIDEO', 'OBJECT', 'EMBED', 'INPUT'].includes(el.nodeName.toUpperCase()))
			return;
		changed(el, 'image');
	};
	const frames = node => {
		const list = node.nodeName === 'IFRAME' ? [node] : node.getElementsByTagName('iframe');
		for (const f of list)
			try {
				W.realm(f.contentWindow);
			} catch (e) {
				if (first(f) || f === node)
					W.marks.add('foreign_frame');	// where it is met and when it loads, not in each cell behind it
			}
	};

	// ---- is something still on its way? -------------------------------------

	const roots = () => living().flatMap(tree => [...tree.querySelectorAll(W.selector)]);
	// A picture of a style or of an SVG tells nobody that it is on its way.  One of ours
	// with the same address waits for the same answer, and asks for nothing anew.
	const PICTURED = 'image, [style*="url("]', MOST_ARRIVED = 1000;
	const arrived = new Set(), awaited = new Map();	// addresses; and those on their way -> our picture
	const addresses = el => el.localName === 'image' ? [el.href.baseVal] : [...el.style.cssText.matchAll(/url\("([^"]*)"\)/g)].map(m => m[1]);
	const awaits = (el, address) => {
		if (/^(#|data:|$)/.test(address))
			return false;
		const url = new URL(address, el.baseURI).href;
		if (arrived.has(url) || awaited.has(url))
			return awaited.has(url);
		const picture = new el.ownerDocument.defaultView.Image();
		picture.src = url;
		if (arrived.size > MOST_ARRIVED)
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
	// What is not shown is not loaded.
	const pictured = el => {
		try {
			return el.getClientRects().length > 0 && addresses(el).filter(a => awaits(el, a)).length > 0;
		} catch (e) {
			return false;	// of an address that is none
		}
	};
	const inSight = el => {
		const r = el.getBoundingClientRect();
		return r.width > 0 && r.height > 0 && el.getRootNode().elementsFromPoint((r.left + r.right) / 2, (r.top + r.bottom) / 2).includes(el);
	};
	// An SVG's own animations are no Animation.
	const moves = el => {
		try {
			const times = el.getAttribute('repeatCount'), from = el.getStartTime(), t = el.ownerSVGElement.getCurrentTime();
			return times !== 'indefinite' && !el.hasAttribute('repeatDur') && t >= from && t < from + el.getSimpleDuration() * (Number(times) || 1) && 'animation';
		} catch (e) {
			return false;	// it has not begun, or has no end
		}
	};
	const late = {
		animate: moves, animateTransform: moves, animateMotion: moves,
		script: el => willLoad(el) && 'script',	// wherever it is
		img: el => el.src && !el.complete && (el.loading !== 'lazy' || inSight(el)) && 'image',
		video: el => el.networkState === el.NETWORK_LOADING && el.readyState < el.HAVE_CURRENT_DATA && 'image',
		iframe: el => {
			let doc = null;
			try { doc = el.contentDocument; } catch (e) { /* of another origin */ }
			const coming = !el.__nbscopeDone && el.loading !== 'lazy' && /^(https?|blob|data):/.test(el.src);
			return (coming || doc && doc.readyState !== 'complete') && 'frame';
		},
	};
	const NAMES = Object.keys(late).join(', ');
	// In what changed; before anything did, in all.
	const unpictured = () => {
		for (const root of W.changed.size ? W.changed.keys() : roots())
			if (root && root.isConnected && !restlessAt(root))
				for (const el of [root, ...root.querySelectorAll(PICTURED)])
					if (el.matches(PICTURED) && pictured(el))
						return 'image';
		return null;
	};
	const unfinished = () => {
		for (const tree of living())
			for (const el of tree.querySelectorAll(NAMES)) {
				const why = late[el.localName](el);
				if (why && (why === 'script' || within(el, W.selector) && !restlessAt(el)))
					return why;
			}
		if (unpictured())
			return 'image';
		for (const tree of living())
			for (const a of tree.getAnimations ? tree.getAnimations() : [])
				if (a.playState === 'running' && a.effect && Number.isFinite(a.effect.getComputedTiming().endTime) &&
					a.effect.target && within(a.effect.target, W.selector) && !restlessAt(a.effect.target))
					return 'animation';
		return null;
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

	// Until quietMs have passed without a change since `from` (or the last
	// change) with nothing on its way; false when `deadline` came first.
	// `busy()` says why not yet, for what only the caller knows; `last()` which
	// changes are meant.
	W.settle = async (from, quietMs, deadline, busy, lastOf = () => W.last) => {
		const last = () => {
			W.drain();
			return lastOf();
		};
		const why = () => own(() => (busy && busy()) || unfinished());
		let met;	// the last change after which pictures on their way were looked for
		await W.look();
		try {
			for (;;) {
				if (met !== last()) {
					met = last();
					own(unpictured);
				}
				const until = Math.max(from, last() === null ? from : last()) + quietMs - ANSWER_MS;
				const left = until - now();
				if (now() >= deadline)
					return false;
				if (left > LAST_MS) {
					await sleep(Math.min(left - LAST_MS, deadline - now()));
					continue;
				}
				const seen = last();
				if (why()) {
					await sleep(Math.min(50, quietMs));
					// What came to its end ends now: quiet begins again.
					if (!why())
						from = now();
					continue;
				}
				// A long task may have held back a frame that draws.
				await W.frame();
				await W.look();
				if (last() === seen && now() < until)
					await sleep(until - now());
				if (last() === seen && !why())
					return true;
			}
		} finally {
			W.looking = false;
		}
	};

	// What a screenshot is taken of: what changed last, else the largest. Of what
	// lies in a frame it is the frame: the driver knows no element in there.
	W.viewer = () => {
		W.drain();
		const last = W.lastRoot;
		let best = null, area = 0;
		if (last && last.isConnected && shown(last) && last.matches(W.selector))
			for (let el = last; el; el = el.parentElement && el.parentElement.closest(W.selector))
				best = el;
		for (const el of best ? [] : roots()) {
			const r = el.getBoundingClientRect();
			if (r.width * r.height > area)
				[best, area] = [el, r.width * r.height];
		}
		while (best && best.ownerDocument !== document)
			best = best.ownerDocument.defaultView.frameElement;
		return best;
	};
	W.scrollTo = el => {
		if (!el || !el.isConnected)
			return;
		const r = el.getBoundingClientRect();
		if (!shown(el) || r.bottom < 1 || r.top > innerHeight - 1 || (r.top < 0 && r.height <= innerHeight) || (r.bottom > innerHeight && r.top > 0))
			el.scrollIntoView({block: el.getBoundingClientRect().height > innerHeight ? 'start' : 'nearest', behavior: 'instant'});
	};
	W.select = selector => {
		choose(selector);
		W.given = !!selector;
		document.querySelector(W.selector);	// throws on a bad selector
		for (const root of roots())
			sizes(root);
	};
	W.within = node => within(node, W.selector);
	W.matches = () => roots().length;

	// vizwait's one answer about what the selector shows.
	W.report = async (selector, quietMs, maxWaitMs) => {
		const jupyter = !!document.querySelector('#main.jp-LabShell, .jp-LabShell, [data-jp-theme-name]');
		const start = now(), deadline = start + maxWaitMs;
		const want = selector || (jupyter ? DRAWN : 'body');
		if (want !== W.selector) {
			W.select(want);
			W.reset();
		}
		while (W.matches() === 0 && now() < deadline) {
			await sleep(Math.min(20, deadline - now()));
		}
		const matched = W.matches();
		const quiet = matched > 0 && await W.settle(W.last === null ? start : W.last, quietMs, deadline);
		const unix = t => t === null ? null : Math.round((performance.timeOrigin + t) * 1000) / 1e6;
		return {
			status: matched === 0 ? 'no_viewer' : quiet ? 'completed' : 'not_settled', selector: W.selector, matched,
			start_t: unix(start), first_t: unix(W.first), settled_t: unix(W.last), ended_t: unix(now()),
			last_change: W.lastKind, changes: W.counts, marks: [...W.marks], url: location.origin + location.pathname,
		};
	};

	Object.defineProperty(window, '__nbscopeWatch', {value: W});
	W.realm(window);
	if (document.documentElement)
		frames(document.documentElement);
})();
