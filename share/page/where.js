// where.js: which notebook this page shows, and which kernel runs it.
// The body of an asynchronous script, which ends by calling done(), that is run in each tab of a
// joined browser. It changes nothing in the page.
(async () => {
	const panel = [...document.querySelectorAll('.jp-NotebookPanel')]
		.find(p => !p.classList.contains('lm-mod-hidden') && p.offsetParent !== null);
	if (!panel)
		return null;
	const data = document.getElementById('jupyter-config-data');
	const config = data ? JSON.parse(data.textContent) : {};
	const tab = document.querySelector(`.lm-TabBar-tab[data-id="${panel.id}"]`);
	const titled = /^Path: (.*)$/m.exec(tab ? tab.title : '');
	const addressed = /\/(?:tree|notebooks)\/(.+)$/.exec(location.pathname);
	const path = titled ? titled[1] : addressed ? decodeURIComponent(addressed[1]) : null;
	const base = new URL(config.baseUrl || '/', location.origin).href;
	const headers = config.token ? {Authorization: `token ${config.token}`} : {};
	const sessions = await fetch(`${base}api/sessions`, {headers}).then(r => r.json())
		.catch(() => []);
	const session = Array.isArray(sessions) ?
		sessions.find(s => s.path === path && s.kernel) : null;
	return {
		path, server: base, kernel_id: session ? session.kernel.id : null,
		kernel: session ? session.kernel.name : null,
		code_cells: panel.querySelectorAll('.jp-CodeCell').length,
		jupyterlab: config.appVersion || null,
		visible: document.visibilityState === 'visible',
		window: `${innerWidth}x${innerHeight}`,
	};
})().then(done, () => done(null));
