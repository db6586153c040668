// entry.js: the labextension of nbscope, a container of JupyterLab's module federation.
// It waits until the extension of a notebook's kernel (share/ipython/nbscope/page.py) opens a comm, and
// only then loads the scripts that listen and draw (line.js). Until then it does nothing in the page.
(() => {
	const VERSION = '@VERSION@', SCRIPTS = '@SCRIPTS@', TARGET = 'nbscope';
	const STORED = 'nbscope:lines', TOGGLE = 'nbscope:toggle-lines';
	const {src} = document.currentScript;
	let scope = {}, loading = null;
	// What JupyterLab and its extensions share, by the name of a package.
	const shared = async name => {
		const versions = Object.values(scope[name] || {});
		const found = versions.find(v => v.loaded) || versions.pop();
		return found ? (await found.get())() : {};
	};
	const load = () => loading = loading || new Promise((resolve, reject) => {
		const script = document.createElement('script');
		script.onload = () => resolve(window.__nbscopeLine);
		script.onerror = () => reject(new Error(`${script.src} cannot be loaded`));
		script.src = new URL(SCRIPTS, src).href;
		document.head.append(script);
	});
	const isOff = () => localStorage.getItem(STORED) === 'off';
	const comms = new Map();	// kernels' ids -> {comm, hello}

	const show = async () => {
		const line = await load();
		if (!isOff())
			line.begin({VERSION, comms, off: () => turn(true)});
	};
	const turn = off => {
		localStorage.setItem(STORED, off ? 'off' : 'on');
		if (off && window.__nbscopeLine)
			window.__nbscopeLine.end();
		else if (comms.size)
			show();
	};
	// A kernel's comm, which either end has opened.
	const attend = (kernel, comm) => {
		const its = {comm, hello: null};
		comm.onMsg = ({content: {data}}) => heard(data);
		comm.onClose = () => comms.delete(kernel.id);
		const heard = data => {
			if (data.what === 'hello')
				its.hello = data;
			else if (window.__nbscopeLine)
				window.__nbscopeLine.tell(kernel.id, data);
			if (data.what === 'hello' && !isOff())
				show();
		};
		comms.set(kernel.id, its);
		return heard;
	};
	// Of a kernel that had loaded the extension before this page was opened.
	const ask = async kernel => {
		await kernel.info;
		const {content} = await kernel.requestCommInfo({target_name: TARGET});
		for (const id of Object.keys(content.comms || {})) {
			if (kernel.hasComm(id))
				continue;
			const comm = kernel.createComm(TARGET, id);
			attend(kernel, comm);
			comm.send({what: 'hello'});
		}
	};
	const meet = kernel => {
		kernel.registerCommTarget(TARGET, (comm, {content}) =>
			attend(kernel, comm)(content.data));
		const connected = () => {
			if (kernel.connectionStatus === 'connected')
				ask(kernel).catch(() => {});	// it has gone meanwhile
		};
		kernel.connectionStatusChanged.connect(connected);
		connected();
	};
	const known = new WeakSet();
	const follow = ({sessionContext}) => {
		const meetIts = () => {
			const kernel = sessionContext.session && sessionContext.session.kernel;
			if (kernel && !known.has(kernel)) {
				known.add(kernel);
				meet(kernel);
			}
		};
		sessionContext.kernelChanged.connect(meetIts);
		meetIts();
	};
	const activate = (app, tracker, palette) => {
		if (window.__nbscopeKernel)	// a run of nbscope measures this page
			return;
		app.commands.addCommand(TOGGLE, {
			label: 'Show What Each Cell Took (nbscope)', isToggleable: true,
			isToggled: () => !isOff(), execute: () => turn(!isOff()),
		});
		if (palette)
			palette.addItem({command: TOGGLE, category: 'Notebook Operations'});
		tracker.forEach(follow);
		tracker.widgetAdded.connect((_, panel) => follow(panel));
	};
	const plugin = async () => {
		const {INotebookTracker} = await shared('@jupyterlab/notebook');
		const {ICommandPalette} = await shared('@jupyterlab/apputils');
		return {
			id: 'nbscope:line', description: 'What each cell took, as a line under it',
			autoStart: true, requires: [INotebookTracker], optional: [ICommandPalette],
			activate,
		};
	};
	window._JUPYTERLAB = window._JUPYTERLAB || {};
	window._JUPYTERLAB.nbscope = {
		init: given => { scope = given; },
		get: async () => {
			const module = {__esModule: true, default: await plugin()};
			return () => module;
		},
	};
})();
