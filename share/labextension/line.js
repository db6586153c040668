// line.js: one line under each cell that a person runs: how long it took, and why.
// Builds on listen.js, whose events it hears. The line is an element of the cell's footer, so no
// notebook contains it, and it vanishes with its cell. What the kernel used comes from its comm
// (share/ipython/nbscope/page.py), and what the page saw goes back there when no cell runs.
(() => {
	const L = window.__nbscopeListen, S = window.__nbscopeScheduled;
	if (!L || !S || window.__nbscopeLine)
		return;
	const {setTimeout} = S.real;
	const MAX_WAIT_MS = 30000;	// for an output that goes on changing
	const SOON_MS = 200;	// a cell that takes less does not show that it runs
	const LINE = 'nbscope-line', FOOTER = '.jp-CellFooter';
	const given = {VERSION: null, comms: new Map(), off: null};
	const running = new Map();	// serial numbers of cells -> what is known of them
	const used = new Map();	// kernel and cell -> what the kernel said of its last execution
	const took = new Map();	// likewise, its time in ms
	const shown = new Map();	// likewise, the line that shows it
	let unsent = [];
	const keyOf = (kernelId, id) => `${kernelId} ${id}`;

	// ---- words ------------------------------------------------------------------------

	const duration = ms => {
		const s = ms / 1000;
		return s < 0.9995 ? `${Math.round(ms)} ms` : s < 9.995 ? `${s.toFixed(2)} s` :
			s < 99.95 ? `${s.toFixed(1)} s` :
			`${Math.floor(s / 60)} min ${Math.floor(s % 60)} s`;
	};
	const lastTime = (kernelId, id) => {
		const {last = {}} = (given.comms.get(kernelId) || {}).hello || {};
		const had = took.get(keyOf(kernelId, id));
		return had === undefined ? id in last ? last[id] * 1000 : null : had;
	};
	const otherVersion = kernelId => {
		const {version} = (given.comms.get(kernelId) || {}).hello || {};
		return version && version !== given.VERSION ?
			`labextension ${given.VERSION} is not that of the programs, ${version}` :
			null;
	};

	// ---- times ------------------------------------------------------------------------

	// As cell_record.c has them, without what only the driver knows. A cell that was queued
	// begins when the kernel began it.
	const times = (seen, begun) => {
		const {sent, busy, idle, received, settled, stepped} = seen;
		const from = begun !== null ? begun : seen.pressed === null ? sent : seen.pressed;
		if (received === null)
			return {ms: null, phases: null};
		const end = Math.max(received, settled === null ? 0 : settled);
		const kernel = stepped || busy === null || idle === null ? null : idle - busy;
		return {ms: end - from, phases: kernel === null ? null : {
			dispatch: Math.max(0, begun === null ? sent - from : 0),
			transport: Math.max(0, received - (begun === null ? sent : begun) - kernel),
			kernel, render: end - received,
		}};
	};

	// ---- the line ---------------------------------------------------------------------

	const element = (name, className, text = null) => {
		const made = document.createElement(name);
		made.className = `${LINE}-${className}`;
		made.textContent = text;
		return made;
	};
	const bar = phases => {
		const spent = Object.entries(phases).filter(([, ms]) => ms > 0);
		const sum = spent.reduce((all, [, ms]) => all + ms, 0);
		const made = element('span', 'bar');
		made.title = spent.map(([name, ms]) => `${name} ${duration(ms)}`).join(', ');
		made.setAttribute('role', 'img');
		made.setAttribute('aria-label', made.title);
		for (const [name, ms] of spent) {
			const part = element('i', name);
			part.style.flexGrow = ms / sum;
			made.append(part);
		}
		return made;
	};
	const offButton = () => {
		const made = element('button', 'off', '×');
		made.title = 'Show these lines no longer (the command palette turns them on again)';
		made.setAttribute('aria-label', made.title);
		made.onclick = given.off;
		return made;
	};
	const lineOf = node => {
		const footer = node.querySelector(FOOTER);
		const had = footer && footer.querySelector(`.${LINE}`);
		if (had || !footer)
			return had;
		const made = document.createElement('div');
		made.className = LINE;
		made.setAttribute('role', 'note');
		made.setAttribute('aria-label', 'what this cell took');
		made.dataset.lmSuppressShortcuts = 'true';
		footer.append(made);
		return made;
	};
	const draw = (node, parts) => {
		const line = node && lineOf(node);
		if (line)
			line.replaceChildren(...parts.filter(p => p), offButton());
		return line;
	};
	const text = (words, className = 'text') => words && element('span', className, words);
	const drawRunning = r => {
		const line = draw(r.node, [
			text('running'), r.last !== null && text(`last time ${duration(r.last)}`),
			text(otherVersion(r.kernelId), 'why'),
		]);
		if (line)
			delete line.dataset.clientMs;
	};
	const mistakeOf = ({text: words, instead}) => {
		const made = element('span', 'why', words);
		made.title = [words, instead].filter(w => w).join('\n');
		return made;
	};
	const drawEnded = r => {
		const {peak, mistakes} = used.get(r.key) || {};
		const line = draw(r.node, [
			text(duration(r.ms), 'time'), r.phases && bar(r.phases), text(r.status),
			text(peak && `peak memory ${peak}`),
			r.last !== null && text(`last time ${duration(r.last)}`),
			mistakes && mistakes[0] ? mistakeOf(mistakes[0]) :
				text(otherVersion(r.kernelId), 'why'),
		]);
		if (line)
			line.dataset.clientMs = r.ms;
	};
	const remove = node => {
		const line = node && node.querySelector(`.${LINE}`);
		if (line)
			line.remove();
	};

	// ---- events -----------------------------------------------------------------------

	const onStart = (event, c) => {
		const {kernelId, cell: {id}} = event, key = keyOf(kernelId, id);
		const r = {node: c.node, kernelId, key, begun: null, last: lastTime(kernelId, id)};
		running.set(c.serial, r);
		used.delete(key);
		setTimeout(() => running.get(c.serial) === r && drawRunning(r), SOON_MS);
	};
	const statusOf = ({outcome, replyStatus}) => outcome === 'lost' ? 'the kernel ended' :
		outcome === 'not_settled' ? 'its output is still changing' :
		replyStatus === 'error' ? 'failed' : null;
	const onCell = ({cell: {id}, seen}, {serial}) => {
		const r = running.get(serial);
		running.delete(serial);
		if (!r)
			return;
		Object.assign(r, times(seen, r.begun), {status: statusOf(seen)});
		// The kernel does not record what only shows something, such as %nbscope.
		if (r.ms === null || seen.replyStatus === 'aborted' || !used.has(r.key) && !r.status)
			return remove(r.node);
		shown.set(r.key, r);
		took.set(r.key, r.ms);
		drawEnded(r);
		unsent.push({kernelId: r.kernelId, data: {
			what: 'cell', id, client_ms: r.ms, script_ms: seen.ownMs,
			evidence: seen.page && seen.page.evidence || {},
		}});
		send();
	};
	const send = () => {
		if (running.size)	// the kernel is busy
			return;
		const these = unsent;
		unsent = [];
		for (const {kernelId, data} of these)
			try {
				given.comms.get(kernelId).comm.send(data);
			} catch { /* the kernel has gone */ }
	};
	const heard = (event, c) => {
		if (event.what === 'start')
			onStart(event, c);
		else if (event.what === 'begin' && running.has(event.serial))
			running.get(event.serial).begun = event.t * 1000 - performance.timeOrigin;
		else if (event.what === 'cell')
			onCell(event, c);
		else if (event.what === 'driver')
			clear();
	};
	const clear = () => {
		running.clear();
		shown.clear();
		for (const line of document.querySelectorAll(`.${LINE}`))
			line.remove();
	};
	const follows = ({parent}) => {
		const session = parent && parent.context && parent.context.sessionContext.session;
		return !!session && !!session.kernel && given.comms.has(session.kernel.id);
	};
	const style = document.createElement('style');
	style.textContent = LINE_CSS;
	document.head.append(style);
	Object.defineProperty(window, '__nbscopeLine', {value: {
		// given: the version of the labextension, the kernels' comms, what turns lines off.
		begin: now => {
			Object.assign(given, now);
			if (!L.on)
				L.listen({maxWaitMs: MAX_WAIT_MS}, heard, follows);
		},
		end: () => {
			if (L.heard)
				L.end();
			clear();
		},
		// A message of a kernel about one of its cells.
		tell: (kernelId, data) => {
			const key = keyOf(kernelId, data.id), r = shown.get(key);
			used.set(key, {...used.get(key), ...data});
			if (r && ![...running.values()].some(other => other.key === key))
				drawEnded(r);
		},
	}});
})();
