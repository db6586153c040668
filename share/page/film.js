// film.js: the visual progress of each frame, in runs that are filmed.
// A frame is a PNG in base64. Its progress is how far its colours (a histogram of each channel, as
// for the Speed Index) have moved from those of the first frame to those of the last.
(() => {
	if (window.__nbscopeFilm)
		return;
	const BINS = 256;
	const F = {answer: null, frames: []};
	const histogram = async (png, crop) => {
		const blob = await (await fetch(`data:image/png;base64,${png}`)).blob();
		const image = await createImageBitmap(blob);
		const scale = image.width / innerWidth;
		const box = crop ? crop.map(v => Math.round(v * scale)) :
			[0, 0, image.width, image.height];
		const width = Math.max(1, Math.min(box[2], image.width - box[0]));
		const height = Math.max(1, Math.min(box[3], image.height - box[1]));
		const c = new OffscreenCanvas(width, height)
			.getContext('2d', {willReadFrequently: true});
		c.drawImage(image, -box[0], -box[1]);
		image.close();
		const counts = new Uint32Array(3 * BINS);
		const data = c.getImageData(0, 0, width, height).data;
		for (let i = 0; i < data.length; i += 4)
			for (let k = 0; k < 3; k++)
				counts[k * BINS + data[i + k]]++;
		return counts;
	};
	const distance = (a, b) => a.reduce((sum, n, i) => sum + Math.abs(n - b[i]), 0);
	// Where the output is now, in pixels of the page: [x, y, width, height], or null.
	F.crop = () => {
		const el = window.__nbscopeWatch.viewer(), r = el && el.getBoundingClientRect();
		if (!r)
			return null;
		const x = Math.max(0, r.left), y = Math.max(0, r.top);
		const right = Math.min(innerWidth, r.right);
		const bottom = Math.min(innerHeight, r.bottom);
		return right - x >= 1 && bottom - y >= 1 ? [x, y, right - x, bottom - y] : null;
	};
	F.begin = () => { F.frames = []; };
	F.add = async (png, crop) => { F.frames.push(await histogram(png, crop)); };
	// 0 to 1 for each added frame; all 1 if nothing changed.
	F.progress = () => {
		const first = F.frames[0], last = F.frames[F.frames.length - 1];
		const all = distance(first, last);
		return F.frames.map(f =>
			all === 0 ? 1 : Math.min(1, Math.max(0, 1 - distance(f, last) / all)));
	};
	F.now = () => (performance.timeOrigin + performance.now()) / 1000;
	Object.defineProperty(window, '__nbscopeFilm', {value: F});
})();
