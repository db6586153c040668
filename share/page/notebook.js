// notebook.js: JupyterLab's notebook, which knows all its cells in order, rendered or not.
// The page may not expose the application, but the modules that its extensions share are always
// there: they announce each cell that is about to run.
(() => {
	if (window.__nbscopeNotebook)
		return;
	const N = {};
	let order = null, notebook = null;	// ids of its cells as they were at the first announcement
	const modules = () => {
		const found = [];
		for (const name of Object.keys(window).filter(k => /^(rs|web)packChunk/.test(k))) {
			let need = null;
			try {
				window[name].push([[`nbscope-${performance.now()}-${name}`], {}, r => {
					need = r;
				}]);
			} catch (e) {
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
	N.renew = () => { order = notebook = null; };
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
	// How many cells it has more than at first.
	N.added = () => order ? notebook.widgets.length - order.length : 0;
	Object.defineProperty(window, '__nbscopeNotebook', {value: N});
})();
