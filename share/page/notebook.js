// notebook.js: JupyterLab's notebook, which knows all its cells in order, rendered or not, and what
// the page shows of it.
// The page may not expose the application, but the modules that its extensions share are always
// there: they announce each cell that is about to run.
(() => {
	if (window.__nbscopeNotebook)
		return;
	const N = {};
	let order = null, notebook = null;	// ids of its cells as they were at the first announcement
	let restore = null;	// what a gesture has changed of the focus
	const modules = () => {
		const found = [];
		for (const name of Object.keys(window).filter(k => /^(rs|web)packChunk/.test(k))) {
			let need = null;
			try {
				window[name].push([[`nbscope-${performance.now()}-${name}`], {}, r => {
					need = r;
				}]);
			} catch {
				continue;
			}
			const versions = need && need.S && need.S.default &&
				need.S.default['@jupyterlab/notebook'];
			found.push(...Object.values(versions || {}).filter(v => v.loaded));
		}
		return found;
	};
	// Calls heard({notebook, cell}) for each cell that is about to run, of any notebook. True if
	// it will.
	N.hear = async heard => {
		for (const module of modules()) {
			const {NotebookActions} = (await module.get())();
			if (!NotebookActions || !NotebookActions.executionScheduled)
				continue;
			NotebookActions.executionScheduled.connect((_, announced) => heard(announced));
			return true;
		}
		return false;
	};
	// For another notebook in the same page.
	N.renew = () => { order = notebook = restore = null; };
	const ids = () => notebook.widgets.map(w => w.model.id);
	// From its first cell that runs on, cells are known by their ids.
	N.keep = announced => {
		if (notebook || !announced.notebook || !announced.notebook.widgets)
			return;
		notebook = announced.notebook;
		order = ids();
	};
	// Where the cell is now that was at this position; -1: nowhere.
	N.placeOf = position => {
		if (!order || position >= order.length)
			return position;
		const {widgets} = notebook, at = widgets[position];
		return at && at.model.id === order[position] ? position :
			ids().indexOf(order[position]);
	};
	// Of the cell that was at this position.
	N.setMetadata = (position, name, value) => {
		const cell = notebook && notebook.widgets[N.placeOf(position)];
		if (cell && cell.model.setMetadata)
			cell.model.setMetadata(name, value);
		else if (cell)
			cell.model.metadata.set(name, value);	// JupyterLab 3
	};
	// How many cells it has more than at first.
	N.added = () => order ? notebook.widgets.length - order.length : 0;

	// ---- its panel in the page ------------------------------------------------------------

	const panel = () => [...document.querySelectorAll('.jp-NotebookPanel')]
		.find(p => !p.classList.contains('lm-mod-hidden') && p.offsetParent !== null);
	const within = selector => {
		const p = panel();
		return p ? p.querySelector(selector) : null;
	};
	const activeIndex = nb => {
		const active = nb.querySelector('.jp-Cell.jp-mod-active');
		const given = active && active.getAttribute('data-windowed-list-index');
		return !active ? -1 : given !== null ? Number(given) :
			[...nb.querySelectorAll('.jp-Cell')].indexOf(active);
	};
	// Whether keys are commands to the notebook: an output may have taken the focus, and what
	// is typed into it is not for the notebook.
	const commands = nb => !nb.classList.contains('jp-mod-editMode') &&
		!nb.classList.contains('jp-mod-readWrite') && nb.contains(document.activeElement) &&
		!document.activeElement.matches(
			':read-write, [data-lm-suppress-shortcuts="true"] *');
	const focusedNotebook = () => {
		const nb = document.activeElement && document.activeElement.closest('.jp-Notebook');
		return nb && commands(nb) ? nb : null;
	};
	N.hasFocus = () => focusedNotebook() !== null;
	// Whether keys act on this cell.
	N.isActive = position => {
		const nb = focusedNotebook();
		return !!nb && activeIndex(nb) === position;
	};
	const isVisible = el => !el.checkVisibility || el.checkVisibility(
		{visibilityProperty: true, checkVisibilityCSS: true});
	// panel: whether it is visible; index: of the active cell, -1: none; command: whether keys are
	// commands to it.
	N.state = () => {
		const nb = within('.jp-Notebook');
		return {
			panel: !!nb && isVisible(nb), index: nb ? activeIndex(nb) : -1,
			command: !!nb && commands(nb),
		};
	};
	// The reply may belong to another connection to the same kernel: the notebook's own is
	// ready when its indicator shows idle. (That alone is not enough: it also shows idle before
	// the first request, and then initialising again.)
	N.isIdle = () => {
		const p = panel(), light = p && p.querySelector('.jp-Notebook-ExecutionIndicator');
		const name = p && p.querySelector('.jp-KernelName, .jp-Toolbar-kernelName');
		return !!p && (!light || light.getAttribute('data-status') === 'idle') &&
			!(name && /^\s*No Kernel/.test(name.textContent));
	};
	// The element of the cell that was at this position; null: it is not in the page.
	N.cellAt = position => {
		const nb = within('.jp-Notebook'), place = N.placeOf(position);
		return !nb || place < 0 ? null :
			nb.querySelector(`.jp-Cell[data-windowed-list-index="${place}"]`) ||
			[...nb.querySelectorAll('.jp-Cell')][place] || null;
	};
	N.activePrompt = () => within('.jp-Cell.jp-mod-active .jp-InputArea-prompt');
	N.focus = () => {
		N.restore();
		const nb = within('.jp-Notebook');
		if (!nb)
			return false;
		if (!commands(nb) && document.activeElement)
			document.activeElement.blur();
		// Which of them takes the focus depends on JupyterLab's version.
		for (const el of [nb.querySelector('.jp-Cell.jp-mod-active'), nb,
			nb.querySelector('.jp-WindowedPanel-outer')])
			if (el && !nb.contains(document.activeElement))
				el.focus();
		return nb.contains(document.activeElement);
	};
	// Before a gesture: the active cell, what has the focus, and how far it is scrolled; this is
	// restored when the next cell is to be run, since one gesture may go on where another ended.
	N.remember = () => {
		const {activeElement: focus} = document, active = notebook && notebook.activeCellIndex;
		const outer = within('.jp-WindowedPanel-outer') || within('.jp-Notebook');
		const top = outer && outer.scrollTop;
		restore = restore || (() => {
			if (notebook)
				Object.assign(notebook, {mode: 'command', activeCellIndex: active});
			if (document.activeElement && document.activeElement !== focus)
				document.activeElement.blur();
			if (focus && focus.isConnected)
				focus.focus({preventScroll: true});
			if (outer)
				outer.scrollTop = top;
		});
	};
	N.restore = () => {
		const restores = restore;
		restore = null;
		if (restores)
			restores();
	};
	Object.defineProperty(window, '__nbscopeNotebook', {value: N});
})();
