// capture.js: the last visible change of each cell, by a capture that the page makes of itself.
// In each frame, a strip of squares in the page's corner shows the frame's number. So a picture of
// the capture says which state of the page it shows: what differs between the pictures of frames m and
// n was changed after m was drawn, and not after n.
// It runs in an iframe that is in no output, so nbscope counts nothing of what it does. Instants are
// Unix seconds.
(() => {
	const BITS = 20, SQUARE = 8;	// of the number; its strip begins with a white square, ends with a black one
	const EDGE = 8;	// pixels of the notebook that its neighbours' shadows reach
	const BACK = 3;	// from its left edge: nothing but its background is there
	const MIDDLE = 0.45;	// of the window
	const frame = document.createElement('iframe');
	frame.style.cssText = `position: fixed; left: 0; bottom: 0; width: ${(BITS + 2) * SQUARE}px; ` +
		`height: ${SQUARE}px; border: 0; z-index: 100000; pointer-events: none`;
	document.body.append(frame);
	const win = frame.contentWindow, strip = win.document.createElement('canvas');
	const nextFrame = win.requestAnimationFrame.bind(win);
	strip.width = (BITS + 2) * SQUARE;
	strip.height = SQUARE;
	strip.style.cssText = 'position: absolute; left: 0; top: 0';
	win.document.body.append(strip);
	const pen = strip.getContext('2d'), fillRect = pen.fillRect.bind(pen);
	const source = new win.Blob([window.cellCaptureWorker], {type: 'text/javascript'});
	const worker = new win.Worker(win.URL.createObjectURL(source));
	const unix = () => (performance.timeOrigin + performance.now()) / 1000;

	// The measured cell that was run last. Before it runs, it is scrolled to where its output fits
	// in, and so does that of the cell before, which it may change: so nothing moves while it runs.
	let cell = null;
	win.addEventListener.call(window, 'keydown', e => {
		const {model, node} = window.jupyterapp.shell.currentWidget.content.activeCell;
		const tags = model.getMetadata('tags') || [];
		if (!tags.some(tag => tag.startsWith('truth:')))
			return;
		if (e.key === 'Control' || e.key === 'Shift')
			node.closest('.jp-WindowedPanel-outer').scrollTop +=
				node.getBoundingClientRect().top - innerHeight * MIDDLE;
		else if (e.key === 'Enter' && (e.ctrlKey || e.shiftKey))
			cell = model.id;
	}, true);

	// What is drawn without the page's frames: by videos, and by workers.
	const drawnElsewhere = new WeakSet(), {transferControlToOffscreen} = HTMLCanvasElement.prototype;
	HTMLCanvasElement.prototype.transferControlToOffscreen = function () {
		drawnElsewhere.add(this);
		return transferControlToOffscreen.call(this);
	};
	const isFree = el => el.nodeName === 'VIDEO' || drawnElsewhere.has(el);

	// The parts of the window in which the cells' outputs are.
	const AREA = '.jp-Cell-outputArea', ids = new WeakMap();
	let n = 0, areas = 0;
	const idOf = el => ids.get(el) || ids.set(el, ++areas).get(el);
	const places = () => {
		const found = [], view = document.querySelector('.jp-Notebook').getBoundingClientRect();
		for (const el of document.querySelectorAll(AREA)) {
			const r = el.getBoundingClientRect(), output = el.querySelector('.jp-OutputArea-output');
			if (!output || !r.width || !r.height)
				continue;
			// Without the prompt at its left, which depends on the active cell.
			const left = Math.round(output.getBoundingClientRect().left);
			found.push({id: idOf(el), x: left, y: Math.round(r.top),
				width: Math.floor(r.right) - left, height: Math.floor(r.height),
				free: [...el.querySelectorAll('video, canvas')].some(isFree)});
		}
		return {places: found, left: Math.ceil(view.left) + BACK, top: Math.ceil(view.top) + EDGE,
			bottom: Math.floor(view.bottom) - EDGE};
	};

	// ---- what may have changed an output ----------------------------------------------------

	// The frames of two pictures may be far apart. An output can only have changed in between when
	// its elements did, a canvas in it was drawn, or an image had arrived. The page may paint that
	// when the script returns that did it: this is the instant; of a canvas, from when it was drawn.
	const PAINTS = /^(fill|stroke|draw|clear(Rect|Buffer|$)|put|reset$|blit|transferFrom)/;
	// What moves by itself, or is drawn by another process, has no such instants.
	const OPAQUE = 'video, iframe, object, embed, animate, animateTransform, animateMotion, set';
	let causes = [], touched = new Set(), drawn = new Map(), moving = [];
	const areaOf = node => {
		const el = node && (node.nodeType === 1 ? node : node.parentElement);
		return node && (el && el.closest(AREA) || areaOf(node.getRootNode().host));
	};
	const note = (area, from, to, added = []) => {
		if (!area)
			return;
		touched.add(area);
		causes.push({id: idOf(area), from, to, added});
	};
	const noteAll = records => {
		const t = unix(), moved = new Set(records.flatMap(r => [...r.removedNodes]));
		for (const [area, of] of Map.groupBy(records, r => areaOf(r.target)))
			note(area, t, t, of.flatMap(r => [...r.addedNodes]).filter(el => !moved.has(el)));
	};
	const noteDrawn = () => {
		for (const [canvas, from] of drawn)
			note(areaOf(canvas), from, unix());
		drawn = new Map();
	};
	const observer = new win.MutationObserver(noteAll), trees = [];
	const follow = tree => {
		trees.push(tree);
		observer.observe(tree,
			{attributes: true, characterData: true, childList: true, subtree: true});
		win.addEventListener.call(tree, 'load', ({target}) =>
			note(areaOf(target), unix(), unix()), true);
	};
	follow(document);
	for (const {prototype} of [window.CanvasRenderingContext2D, window.WebGLRenderingContext,
		window.WebGL2RenderingContext, window.ImageBitmapRenderingContext])
		for (const [key, {value}] of Object.entries(Object.getOwnPropertyDescriptors(prototype)))
			if (value && PAINTS.test(key))
				prototype[key] = function (...args) {
					const answer = Reflect.apply(value, this, args);
					if (!drawn.size)
						win.queueMicrotask(noteDrawn);
					drawn.set(this.canvas, unix());
					return answer;
				};
	// Whether a node is seen, and something in it.
	const isSeen = node => {
		const el = node.nodeType === 1 ? node : node.parentElement;
		const r = el && node.isConnected && el.getBoundingClientRect();
		return r && r.width * r.height > 0 && el.contains(el.getRootNode().elementFromPoint(
			r.left + r.width / 2, r.top + r.height / 2)) &&
			!!(el.closest('svg') || el.innerText.trim() || el.querySelector('canvas, img, svg'));
	};
	// What has happened since the last call; `sure`: it is seen.
	const happened = () => {
		const all = causes.map(({added, ...cause}) => ({...cause, sure: added.some(isSeen)}));
		causes = [];
		return all;
	};
	// The outputs with what moves by itself, also in the frame after its end. A shadow tree is known
	// from the next frame on.
	const opaque = () => {
		const before = moving;
		for (const area of touched)
			for (const {shadowRoot} of area.querySelectorAll('*'))
				if (shadowRoot && !trees.includes(shadowRoot)) {
					follow(shadowRoot);
					note(area, unix(), unix());
				}
		touched = new Set();
		moving = [...document.querySelectorAll(OPAQUE), ...trees.flatMap(tree =>
			tree.getAnimations().map(a => a.effect && a.effect.target))];
		return [...before, ...moving].map(el => ids.get(areaOf(el)));
	};

	// The frame is painted after observers of sizes were called, and ends before the next task.
	const ended = new win.MessageChannel(), laid = [];
	const sized = win.document.createElement('div');
	ended.port2.onmessage = ({data}) => worker.postMessage(
		{n: data, laid: laid[data], end: unix(), causes: happened()});
	win.document.body.append(sized);
	new win.ResizeObserver(() => { laid[n] = unix(); }).observe(sized);
	const draw = () => {
		n++;
		for (let i = 0; i < BITS + 2; i++) {
			pen.fillStyle = i === 0 || i <= BITS && n >> BITS - i & 1 ? '#fff' : '#000';
			fillRect(i * SQUARE, 0, SQUARE, SQUARE);
		}
		sized.style.width = `${n % 2}px`;
		ended.port1.postMessage(n);
		worker.postMessage({n, t: unix(), cell, size: `${innerWidth}x${innerHeight}`,
			opaque: opaque(), causes: happened(), ...places()});
		nextFrame(draw);
	};

	const begin = async () => {
		// Not scaled. The browser's notice that the page is captured makes it smaller.
		const size = () => ({frameRate: 60, width: innerWidth, height: innerHeight});
		const stream = await navigator.mediaDevices.getDisplayMedia(
			{video: size(), preferCurrentTab: true});
		const [track] = stream.getVideoTracks();
		window.addEventListener('resize', () => track.applyConstraints(size()));
		const {readable} = new MediaStreamTrackProcessor({track});
		worker.postMessage({readable, BITS, SQUARE}, [readable]);
		draw();
	};
	// {cell id: {settled: [from, to]}} and what the capture was like.
	const truths = () => new win.Promise(resolve => {
		worker.onmessage = e => resolve(e.data);
		worker.postMessage({report: true});
	});
	const end = () => { cell = null; };	// what changes now belongs to no cell
	window.cellCapture = {begin, end, truths};
})();
