// usage.js: what happened in the page while a cell ran.
// Long animation frames with the scripts that caused them, frames shown and dropped, heap, nodes,
// widget views, messages by type, console errors. Costs next to nothing while nothing happens: no
// timer, no loop. Times are performance.now() in ms. What a browser does not report is null, with
// a reason.
(() => {
	const W = window.__nbscopeWatch;
	if (!W || window.__nbscopeUsage)
		return;
	const {requestAnimationFrame} = window;	// the browser's own, which scheduled.js wraps
	const PERIOD_MS = 1000 / 60;	// between frames, until a shorter period was seen
	// Frames further apart, without a change in between, are not an animation.
	const PAUSE_MS = 100;
	const MAX_SCRIPTS = 5, MAX_LINES = 100, MAX_TEXT = 2000, MAX_ADDRESS = 200;
	const MAX_MESSAGES = 20000;
	// Views of the base class only (anywidget, ipycanvas) have no class of their own. The parts
	// of a view (a tab's contents, a figure's buttons) are not views.
	const VIEWS = ['.lm-Widget.jupyter-widgets',
		...['.jp-OutputArea-output:not([data-mime-type])', '.widget-container',
			'.widget-tab-contents']
			.map(frame =>
				`${frame} > .lm-Widget:not(.jupyter-widgets):not(.lm-TabBar)`)]
		.map(v => `${v}:not(.jupyter-widget-Collapse):not(.widget-tab-contents)`)
			.join(', ');
	// Shown instead of a view.
	const BROKEN = '.jupyter-widgets > .jupyter-widgets-error-widget';
	const now = () => performance.now();
	const unix = t => Math.round((performance.timeOrigin + t) * 1000) / 1e6;
	const ms = t => Math.round(t * 1000) / 1000;
	const reasons = {};
	const U = {cell: null, lines: [], dropped: 0, ownMs: 0, messages: null};
	const own = work => {
		const t = now();
		try { return work(); } finally { U.ownMs += now() - t; }
	};

	// ---- long animation frames ----------------------------------------------

	let longFrames = [];
	const entryTypes =
		window.PerformanceObserver && PerformanceObserver.supportedEntryTypes || [];
	const keepFrames = list => { longFrames.push(...list); };
	let frameObserver = null;
	if (entryTypes.includes('long-animation-frame')) {
		frameObserver = new PerformanceObserver(list => keepFrames(list.getEntries()));
		frameObserver.observe({type: 'long-animation-frame', buffered: true});
	} else {
		reasons.long_animation_frames =
			'this browser does not report long animation frames';
	}
	U.LONG_MS = frameObserver ? 50 : Infinity;	// there is none within a shorter time
	// A script is named by its program and function: a URL contains a port, maybe a token, the
	// URL of a blob differs in each run, and a bundler's files and variables have no meaning.
	const HASH = /[.-][0-9a-f]{8,}(?=\.)/, NUMBERED = /^\d+\.m?js$/;
	const EXTENSION = /\/lab\/extensions\/((?:@[^/]+\/)?[^/]+)\/static\//;
	const fileName = url => {
		if (/^(blob|data):/.test(url))
			return url.slice(0, 4);
		const path = url.replace(/[?#].*$/, ''), extension = EXTENSION.exec(path);
		if (extension)
			return extension[1];
		if (path.includes('/static/lab/'))
			return 'JupyterLab';
		const name = path.replace(/^.*\//, '').replace(HASH, '');
		return NUMBERED.test(name) ? '' : name;
	};
	const functionName = s => {
		const name = s.sourceFunctionName || '';
		return (name.length > 2 ? name : s.invoker || '')
			.replace(/\w+:\/\/[^ ]*/g, fileName).replace(/#\S*\d\S*(?=\.)/, '');
	};
	const scriptName = s => {
		const file = fileName(s.sourceURL || ''), what = functionName(s);
		return [file, what === file ? '' : what].filter(t => t).join(' ') || '(inline)';
	};
	const scriptsOf = (e, into) => {
		for (const s of e.scripts || []) {
			const name = scriptName(s);
			const had = into.get(name) ||
				{script: name, duration_ms: 0, forced_layout_ms: 0};
			had.duration_ms += s.duration;
			had.forced_layout_ms += s.forcedStyleAndLayoutDuration || 0;
			into.set(name, had);
		}
		return into;
	};
	const costliest = scripts => [...scripts.values()]
		.sort((a, b) => b.duration_ms - a.duration_ms).slice(0, MAX_SCRIPTS)
		.map(s => ({
			...s, duration_ms: ms(s.duration_ms),
			forced_layout_ms: ms(s.forced_layout_ms),
		}));
	const longFramesIn = (from, to) => {
		if (!frameObserver)
			return {
				long_animation_frames: null, long_animation_frame_count: null,
				long_animation_frame_ms: null, total_blocking_time_ms: null,
				scripts: null,
			};
		keepFrames(frameObserver.takeRecords());
		const mine = longFrames.filter(e =>
			e.startTime < to && e.startTime + e.duration > from), scripts = new Map();
		// Infinity: there are none
		const others = Math.min(...[...windows].map(w => w.from));
		longFrames = longFrames.filter(e =>
			e.startTime >= to || e.startTime + e.duration > others);
		const frames = mine.map(e => {
			const top = costliest(scriptsOf(e, new Map()))[0];
			scriptsOf(e, scripts);
			return {
				t: unix(e.startTime), duration_ms: ms(e.duration),
				total_blocking_time_ms: ms(e.blockingDuration),
				render_ms: e.renderStart ?
				ms(e.startTime + e.duration - e.renderStart) : 0,
				script: top ? top.script : null,
			};
		});
		const sum = key => ms(frames.reduce((s, f) => s + f[key], 0));
		return {
			long_animation_frame_count: frames.length,
			long_animation_frame_ms: sum('duration_ms'),
			total_blocking_time_ms: sum('total_blocking_time_ms'),
			long_animation_frames: frames.sort((a, b) => b.duration_ms - a.duration_ms)
				.slice(0, MAX_LINES),
			scripts: costliest(scripts),
		};
	};

	// How long the main thread was blocked within this time.
	U.blockedIn = (from, to) => {
		if (!frameObserver)
			return 0;
		keepFrames(frameObserver.takeRecords());
		return longFrames.reduce((sum, e) => sum + Math.max(0,
			Math.min(to, e.startTime + e.duration) - Math.max(from, e.startTime)), 0);
	};

	// ---- frames shown ---------------------------------------------------------

	// What is being counted: the driven cell (U.cell), or the cells and gestures of listen.js.
	const windows = new Set();
	// Every frame is requested while something changes, and none while nothing does.
	const frames = {asked: false, last: null, changed: false, period: PERIOD_MS};
	const often = W.often(U);
	const seen = t => {
		if (frames.last !== null) {
			const gap = t - frames.last;
			if (gap > 3 && gap < frames.period)
				frames.period = gap;
			for (const w of windows) {
				w.dropped += Math.max(0, Math.round(gap / frames.period) - 1);
				w.gap = Math.max(w.gap || 0, gap);
			}
		}
		for (const w of windows)
			w.shown += frames.changed;
		frames.changed = false;
		frames.last = t;
		if (now() - frames.at < PAUSE_MS)
			ask();
		else
			frames.last = null;
	};
	const frame = t => {
		frames.asked = false;
		if (!windows.size)
			return;
		W.drain();	// changes since the last frame belong to this one
		often(() => seen(t));
	};
	const ask = () => {
		if (!frames.asked && windows.size) {
			frames.asked = true;
			requestAnimationFrame(frame);
		}
		return frames.asked;
	};
	W.onunread = ask;
	W.onpaint = t => {
		frames.changed = true;
		frames.at = t;
		ask();
	};

	// ---- console and errors -----------------------------------------------------

	const line = (kind, message, source) => {
		if (U.lines.length >= MAX_LINES) {
			U.dropped++;
			return;
		}
		U.lines.push({
			t: unix(now()), kind, message: W.words(message, MAX_TEXT),
			source: source ? W.words(source, MAX_TEXT) : null,
			in_cell: windows.size > 0,
		});
	};
	const place = (file, row, column) =>
		file ? `${String(file).replace(/[?#].*$/, '')}:${row}:${column}` : null;
	// An error's stack begins with its message in Chromium, but not in Firefox.
	const errorText = e => {
		const words = String(e), stack = String(e.stack || '');
		return stack.startsWith(words) ? stack : stack ? `${words}\n${stack}` : words;
	};
	// The class name of what has no members of its own (an event, an error of another frame).
	const objectText = v => {
		const text = JSON.stringify(v);
		return text !== '{}' ? text : `${v.constructor.name} ${v.message || ''}`.trim();
	};
	const shown = v => {
		try {
			return v instanceof Error ? errorText(v) :
				v !== null && typeof v === 'object' ? objectText(v) : String(v);
		} catch {
			return Object.prototype.toString.call(v);
		}
	};
	// The address that did not load, without its query, which may contain a secret.
	const addressOf = el => {
		const href = el.href && el.href.baseVal || el.href;	// an object in an SVG
		const url = String(el.currentSrc || el.src || href || el.data || '')
			.replace(/[?#].*$/, '');
		return (url.startsWith(`${location.origin}/`) ?
			url.slice(location.origin.length) : url).slice(0, MAX_ADDRESS);
	};
	// The document of a frame has its own console.
	const listen = win => {
		const real = win.console.error;
		win.console.error = function (...args) {
			own(() => line('console_error', args.map(shown).join(' ')));
			return Reflect.apply(real, this, args);
		};
		const assert = win.console.assert;
		win.console.assert = function (holds, ...args) {
			if (!holds)
				own(() => line('console_error',
					['Assertion failed:', ...args.map(shown)].join(' ')));
			return Reflect.apply(assert, this, [holds, ...args]);
		};
		win.addEventListener('error', e => own(() => {
			if (e.message !== undefined)
				line('exception', e.error ? shown(e.error) : e.message,
					place(e.filename, e.lineno, e.colno));
			else if (e.target.nodeName)
				line('not_loaded', `${e.target.nodeName.toLowerCase()} ${
					addressOf(e.target)}`);
		}), true);
		win.addEventListener('unhandledrejection',
			e => own(() => line('rejection', shown(e.reason))));
	};
	// JupyterLab catches an error of a renderer and shows it in place of the output.
	W.onretype = el => {
		if (el.getAttribute('data-mime-type') === 'application/vnd.jupyter.stderr' &&
			el.lastElementChild)
			line('exception', el.lastElementChild.textContent);
	};
	W.inEachRealm(listen);

	// ---- one cell -----------------------------------------------------------------

	const heap = () => performance.memory ? performance.memory.usedJSHeapSize : null;
	if (!performance.memory)
		reasons.heap_bytes = 'this browser does not report its heap';
	const counted = () => ({
		heap: heap(), nodes: document.getElementsByTagName('*').length,
		views: document.querySelectorAll(VIEWS).length -
			document.querySelectorAll(BROKEN).length,
	});

	U.before = () => { U.counted = counted(); };
	U.open = (types = new Map()) => {
		const w = {
			from: now(), types, shown: 0, dropped: 0, gap: null,
			before: U.counted || {heap: null, nodes: null, views: null},
		};
		if (!windows.size)
			Object.assign(frames, {last: null, changed: false});
		windows.add(w);
		return w;
	};
	U.begin = () => {
		windows.clear();
		U.cell = U.open();
	};
	const ofType = (types, type) => types.get(type) || types.set(type, {
		sent_messages: 0, sent_bytes: 0, received_messages: 0, received_bytes: 0,
	}).get(type);
	// of: the cell or gesture that it belongs to; none: the driven cell.
	const counter = (messages, bytesOf) => (type, bytes, of) => {
		const types = of && of.types || U.cell && U.cell.types;
		if (!types)
			return;
		const n = ofType(types, type);
		n[messages]++;
		n[bytesOf] += bytes;
	};
	U.sent = counter('sent_messages', 'sent_bytes');
	U.received = counter('received_messages', 'received_bytes');
	// The messages of a profiled cell, whose profiler sets U.messages to a list: when they were sent
	// or handled, and the kernel's date. Decoding a header takes time: nobody else needs it.
	U.crossed = (m, bytes, t, sent, dateOf) => {
		if (!U.messages || U.messages.length >= MAX_MESSAGES)
			return;
		const {msg_id: id, date} = m.header();
		U.messages.push({
			id, parent: m.parent().msg_id || null, message: m.type, bytes, sent,
			page_t: unix(t), kernel_t: sent ? null : dateOf(date) / 1000,
			state: m.type === 'status' ? m.content().execution_state : null,
		});
	};
	U.end = (from, to) => {
		const cell = U.cell;
		U.cell = null;
		return cell && U.close(cell, from, to);
	};
	U.close = (w, from, to) => {
		windows.delete(w);
		const before = w.before, after = counted();
		const received = [...w.types].reduce((sum, [type, n]) =>
			sum + (type.startsWith('comm_') ? n.received_messages : 0), 0);
		const long = longFramesIn(from, to);
		const gap = Math.max(w.gap || 0,
			...(long.long_animation_frames || []).map(f => f.duration_ms));
		return {
			...long, frames_shown: w.shown, frames_dropped: w.dropped,
			longest_gap_ms: gap > 0 ? ms(gap) : null,
			heap_before_bytes: before.heap, heap_bytes: after.heap,
			nodes_before: before.nodes, nodes: after.nodes,
			widget_views_before: before.views, widget_views: after.views,
			comm_messages_per_view: after.views > 0 ? ms(received / after.views) : null,
			messages_by_type: Object.fromEntries(w.types), reasons,
		};
	};
	// The console lines since the last call.
	U.said = () => {
		const lines = U.lines;
		if (U.dropped)
			lines.push({
				t: unix(now()), kind: 'dropped', message: `${U.dropped} more lines`,
				source: null, in_cell: false,
			});
		U.lines = [];
		U.dropped = 0;
		return lines;
	};
	// For another notebook in the same page.
	U.renew = () => {
		windows.clear();
		longFrames = [];
		Object.assign(U, {cell: null, lines: [], dropped: 0, counted: undefined});
	};
	Object.defineProperty(window, '__nbscopeUsage', {value: U});
})();
