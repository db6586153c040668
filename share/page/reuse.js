// reuse.js: a page of JupyterLab that shows one notebook after another (cellrun --reuse).
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
	const lab = () => window.jupyterapp;
	const outside = () => SIDES.flatMap(area => [...lab().shell.widgets(area)]);
	const renew = () => {
		for (const part of [W, U, S, N, K])
			part.renew();
	};
	// The first notebook is open, and no cell has run yet.
	R.loaded = () => { own = new Set(outside()); };
	// What this page was, if it is one of this server; null: it is not.
	R.found = url => own && location.href.startsWith(url) ? {
		notebooks_before: R.notebooks, heap_bytes: R.bytes, first_heap_bytes: R.firstBytes,
	} : null;
	// As the address of a notebook does.
	R.open = async path => {
		renew();
		W.select(null);
		await lab().commands.execute('filebrowser:open-path', {path, dontShowBrowser: true});
		for (const widget of [...lab().shell.widgets('main')])
			if (!widget.context || widget.context.path !== path)
				widget.dispose();
	};
	// Unsaved changes are discarded. False: a dialog is open, which may be a notebook's.
	R.close = async () => {
		const others = outside().filter(widget => !own.has(widget));
		for (const widget of [...lab().shell.widgets('main'), ...others])
			widget.dispose();
		// The notebook's folder is about to be removed.
		await lab().commands.execute('filebrowser:go-to-path', {path: '', dontShowBrowser: true});
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
