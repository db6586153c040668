// picture.js: a picture of what a cell has drawn, in parts where that is higher than the window.
// A part is a picture of the whole window, a PNG in base64, of which the output is cut out.
(() => {
	if (window.__nbscopePicture)
		return;
	const W = window.__nbscopeWatch, N = window.__nbscopeNotebook;
	const MAX_PARTS = 20;
	const MARGIN_PX = 8;	// of the background that is kept on each side
	const SHADOW_PX = 6;	// of the toolbar, over the notebook's first rows
	let job = null;

	const home = el => el && el.closest('.jp-Cell') || el;
	// What is in the picture, or the reason why nothing is. A cell that shows nothing but text
	// may have changed another cell's output, which is then what it has drawn. Without a cell,
	// it is what changed last.
	const chosen = (position, changes) => {
		if (position === null) {
			const el = W.viewer();
			return el ? {els: [el]} : {reason: 'nothing is shown'};
		}
		const cell = N.cellAt(position);
		const outputs = cell ? [...cell.querySelectorAll('.jp-OutputArea-output')] : [];
		const own = outputs.filter(W.shown);
		if (own.some(el => el.matches(W.OUTPUTS) || el.querySelector(W.OUTPUTS)))
			return {els: own};
		const others = !changes ? [] : [...W.changed.keys()].filter(el => el && el.isConnected)
			.map(W.outermost).filter(el => el && W.shown(el) && !(cell && cell.contains(el)));
		const last = home(others[others.length - 1]);
		if (last)
			return {els: others.filter(el => home(el) === last), note: 'changed_output'};
		if (own.length > 0)
			return {els: own};
		return {reason: outputs.length > 0 ? 'hidden' : 'no_output'};
	};
	const box = els => {
		const all = els.filter(W.shown).map(el => el.getBoundingClientRect());
		return all.length === 0 ? null : {
			left: Math.min(...all.map(r => r.left)), top: Math.min(...all.map(r => r.top)),
			right: Math.max(...all.map(r => r.right)),
			bottom: Math.max(...all.map(r => r.bottom)),
		};
	};
	// What moves the elements through the window, if anything does.
	const scrollerOf = el => {
		while ((el = el.parentElement))
			if (/auto|scroll/.test(getComputedStyle(el).overflowY) &&
				el.scrollHeight > el.clientHeight)
				return el;
		return document.scrollingElement;
	};
	const view = () => {
		const page = job.scroller === document.scrollingElement;
		const r = job.scroller.getBoundingClientRect();
		return page ? {left: 0, top: 0, right: innerWidth, bottom: innerHeight} : {
			left: Math.max(0, r.left), top: Math.max(0, r.top) + SHADOW_PX,
			right: Math.min(innerWidth, r.right), bottom: Math.min(innerHeight, r.bottom),
		};
	};

	const P = {};
	// position: of the cell in the notebook, or null; changes: whether a change elsewhere is the
	// cell's. Returns {note} or {reason}: see screenshot_note in cell records.
	P.begin = (position, changes) => {
		const {els, reason, note} = chosen(position, changes), b = els && box(els);
		job = b && {els, note, scroller: scrollerOf(els[0]), parts: 0, drawn: 0};
		if (!job)
			return {reason: reason || 'hidden'};
		Object.assign(job, {from: job.scroller.scrollTop, width: b.right - b.left,
			height: b.bottom - b.top});
		return {note: note || null};
	};
	// Whether there is a part to be pictured; it is then in the window.
	P.next = async () => {
		const v = view(), b = box(job.els);
		if (!b || job.drawn >= job.height - 1 || job.parts++ === MAX_PARTS)
			return false;
		const fits = b.bottom - b.top <= v.bottom - v.top;
		if (!fits || b.top < v.top || b.bottom > v.bottom) {
			const past = fits && b.top >= v.top ? b.bottom - v.bottom :
				b.top + job.drawn - v.top;
			job.scroller.scrollTo({top: job.scroller.scrollTop + past, behavior: 'instant'});
			await W.frame();
			await W.frame();
		}
		return true;
	};
	P.add = async png => {
		const bytes = Uint8Array.from(atob(png), c => c.charCodeAt(0));
		const image = await createImageBitmap(new Blob([bytes], {type: 'image/png'}));
		const scale = image.width / innerWidth, v = view(), b = box(job.els);
		const px = n => Math.round(n * scale);
		const top = b ? Math.max(b.top + job.drawn, v.top) : 0;
		const bottom = b ? Math.min(b.bottom, v.bottom) : 0;
		if (bottom - top >= 1) {
			const left = Math.max(b.left, v.left), right = Math.min(b.right, v.right);
			const [width, height] = [px(right) - px(left), px(bottom) - px(top)];
			if (!job.canvas) {
				job.canvas = new OffscreenCanvas(Math.max(1, width), px(job.height));
				job.canvas.ends = 0;
			}
			job.canvas.getContext('2d', {willReadFrequently: true}).drawImage(image,
				px(left), px(top), width, height, 0, job.canvas.ends, width, height);
			job.canvas.ends += height;
			job.drawn = bottom - b.top;
		} else
			job.parts = MAX_PARTS;	// it cannot be scrolled into the window
		image.close();
	};
	// The largest rectangle whose sides are not of one colour, as [x, y, width, height]; null if
	// all is of one colour.
	const trimmed = (pixels, width, height) => {
		const uniform = (from, step, n) => {
			for (let i = 0; i < n; i++)
				if (pixels[from + i * step] !== pixels[from])
					return false;
			return true;
		};
		const row = y => uniform(y * width, 1, width);
		const column = x => uniform(x, width, height);
		// Lines from this side that have the colour of the first.
		const blank = (n, test, at) => {
			let k = 0;
			while (k < n && test(k) && pixels[at(k)] === pixels[at(0)])
				k++;
			return k;
		};
		const above = blank(height, row, y => y * width);
		if (above === height)
			return null;
		const below = blank(height, k => row(height - 1 - k), k => (height - 1 - k) * width);
		const before = blank(width, column, x => x);
		const after = blank(width, k => column(width - 1 - k), k => width - 1 - k);
		const [x, y] = [before, above].map(n => Math.max(0, n - MARGIN_PX));
		return [x, y, width - Math.max(0, after - MARGIN_PX) - x,
			height - Math.max(0, below - MARGIN_PX) - y];
	};
	const base64 = async blob => {
		const bytes = new Uint8Array(await blob.arrayBuffer());
		let text = '';
		for (let i = 0; i < bytes.length; i += 0x8000)
			text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
		return btoa(text);
	};
	// Scrolls back. Returns {png (null: nothing was seen), blank: whether it is of one colour,
	// cut: whether a part is missing}.
	P.end = async () => {
		const {canvas, drawn, height, scroller, from} = job;
		if (scroller.scrollTop !== from)
			scroller.scrollTo({top: from, behavior: 'instant'});
		job = null;
		if (!canvas)
			return {png: null, blank: null, cut: false};
		const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.ends);
		const at = trimmed(new Uint32Array(data.data.buffer), canvas.width, canvas.ends);
		const [x, y, w, h] = at || [0, 0, canvas.width, canvas.ends];
		const out = new OffscreenCanvas(w, h);
		out.getContext('2d').putImageData(data, -x, -y);
		return {png: await base64(await out.convertToBlob({type: 'image/png'})),
			blank: at === null, cut: drawn < height - 1};
	};
	Object.defineProperty(window, '__nbscopePicture', {value: P});
})();
