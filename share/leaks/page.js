// page.js: how many comms of the notebook's kernel are open in the page, and models of widgets there
// are, by their names.  Released bundles mangle the names of classes, but not those of models.
(async () => {
	const widgets = window.jupyterapp ? [...window.jupyterapp.shell.widgets('main')] : [];
	const panel = widgets.find(w => w.content && w.content.rendermime && w.isVisible);
	if (!panel)
		return {reason: 'this JupyterLab does not show its notebook to scripts'};
	const {session} = panel.sessionContext, models = {};
	const comms = session && session.kernel && session.kernel._comms;
	let manager = null;
	try {
		const renderer = panel.content.rendermime.createRenderer(
			'application/vnd.jupyter.widget-view+json');
		manager = await Promise.race([renderer._manager.promise, null]);
		renderer.dispose();
	} catch {	// without widgets
	}
	const held = manager && manager._models || {};
	for (const each of held instanceof Map ? held.values() : Object.values(held)) {
		const model = await Promise.race([each, null]);
		const name = model ? String(model.get('_model_name')) : 'not loaded';
		models[name] = (models[name] || 0) + 1;
	}
	return {comms: comms ? comms.size : null, models};
})()
