// reuse.js: opens notebooks in a page of JupyterLab, which may show one after another
// (cellrun --reuse).
// The server must expose the application to scripts, as labserve's does.
(() => {
	const K = window.__nbscopeKernel;
	if (!K || window.__nbscopeReuse)
		return;
	const W = window.__nbscopeWatch, U = window.__nbscopeUsage;
	const S = window.__nbscopeScheduled, N = window.__nbscopeNotebook;
	const GROWTH = 1.25;	// the heap of a page that may serve another notebook
	const SIDES = ['top', 'left', 'right', 'bottom', 'down'];
	const R = {notebooks: 0, bytes: null, firstBytes: null};
	let own = null;	// what JupyterLab itself has outside its main area
	// Each button that was closed would remain: it still listens for a change of forced colours.
	const leftBehind = [];
	const lab = () => window.jupyterapp;
	const outside = () => SIDES.flatMap(area => [...lab().shell.widgets(area)]);
	const renew = () => {
		for (const part of [W, U, S, N, K])
			part.renew();
	};
	// The first notebook is open, and no cell has run yet.
	R.loaded = () => {
		own = new WeakSet(outside());
		const add = MediaQueryList.prototype.addListener;
		MediaQueryList.prototype.addListener = function (listener) {
			if (this.media === '(forced-colors)')
				leftBehind.push([this, listener]);
			return add.call(this, listener);
		};
	};
	// What this page was, if it is one of this server; null: it is not.
	R.found = url => own && location.href.startsWith(url) ? {
		notebooks_before: R.notebooks, heap_bytes: R.bytes, first_heap_bytes: R.firstBytes,
	} : null;
	// JupyterLab sets window.jupyterapp before it starts its extensions.
	const application = () => new Promise(resolve => {
		let app = lab();
		if (app)
			resolve(app);
		else
			Object.defineProperty(window, 'jupyterapp', {
				configurable: true, get: () => app,
				set: value => { app = value; resolve(value); },
			});
	});
	// As a click on its name in the list of recent files does.
	const open = path => lab().commands.execute('docmanager:open', {path});
	// The first one. Its address would open it 0.8 s later: JupyterLab saves its layout first,
	// and waits for 750 ms before that. If the file cannot be opened, a dialog says why.
	R.load = path => {
		application().then(app => app.restored).then(() => open(path)).catch(() => {});
	};
	R.open = async path => {
		renew();
		W.select(null);
		await open(path);
		for (const widget of [...lab().shell.widgets('main')])
			if (!widget.context || widget.context.path !== path)
				widget.dispose();
	};
	// Unsaved changes are discarded. False: a dialog is open, which may be a notebook's.
	R.close = async () => {
		const others = outside().filter(widget => !own.has(widget));
		for (const widget of [...lab().shell.widgets('main'), ...others])
			widget.dispose();
		for (const [query, listener] of leftBehind.splice(0))
			query.removeListener(listener);
		renew();
		await W.frame();
		await W.tick();
		return !document.querySelector('.jp-Dialog');
	};
	// The heap after a collection of garbage. What the first notebook has loaded, such as the
	// code of widgets, stays.
	R.measured = bytes => {
		R.notebooks++;
		R.bytes = bytes;
		R.firstBytes = R.firstBytes || bytes;
		return bytes <= GROWTH * R.firstBytes;
	};
	Object.defineProperty(window, '__nbscopeReuse', {value: R});
})();
