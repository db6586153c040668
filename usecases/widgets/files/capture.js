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
	const ids = new WeakMap();
	let n = 0, areas = 0;
	const places = () => {
		const found = [], view = document.querySelector('.jp-Notebook').getBoundingClientRect();
		for (const el of document.querySelectorAll('.jp-Cell-outputArea')) {
			const r = el.getBoundingClientRect(), output = el.querySelector('.jp-OutputArea-output');
			if (!output || !r.width || !r.height)
				continue;
			if (!ids.has(el))
				ids.set(el, ++areas);
			// Without the prompt at its left, which depends on the active cell.
			const left = Math.round(output.getBoundingClientRect().left);
			found.push({id: ids.get(el), x: left, y: Math.round(r.top),
				width: Math.floor(r.right) - left, height: Math.floor(r.height),
				free: [...el.querySelectorAll('video, canvas')].some(isFree)});
		}
		return {places: found, left: Math.ceil(view.left) + BACK, top: Math.ceil(view.top) + EDGE,
			bottom: Math.floor(view.bottom) - EDGE};
	};
	// What observers of sizes change after this is in this frame, too: it ends before the next task.
	const drawn = new win.MessageChannel();
	drawn.port2.onmessage = e => worker.postMessage({n: e.data, end: unix()});
	const draw = () => {
		n++;
		for (let i = 0; i < BITS + 2; i++) {
			pen.fillStyle = i === 0 || i <= BITS && n >> BITS - i & 1 ? '#fff' : '#000';
			fillRect(i * SQUARE, 0, SQUARE, SQUARE);
		}
		drawn.port1.postMessage(n);
		worker.postMessage({n, t: unix(), cell, size: `${innerWidth}x${innerHeight}`, ...places()});
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
