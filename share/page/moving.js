// moving.js: pictures that change without an event: of a video, and of a canvas that a worker draws.
// A video reports when it shows another picture; which one is the last is only known when it ends.
// Canvases of workers are compared in each frame of the page, as often as is cheap.
// Instants are performance.now() in ms.
(() => {
	const W = window.__nbscopeWatch;
	if (!W || W.playing)
		return;
	const PAUSE_MS = 500;	// a worker that draws nothing for this long has ended,
	const ENDLESS_MS = 2000;	// and one that draws for longer is taken for endless
	// The share of the page's time that comparing may take; and for one that never ends.
	const SHARE = 0.5, ENDLESS_SHARE = 0.1;
	const MAX_HEAD = 2000;	// characters of an image's data, of which its kind can be read
	const {requestAnimationFrame} = window;	// the browser's own, which scheduled.js wraps
	const now = () => performance.now();

	// ---- videos ------------------------------------------------------------------------

	const shown = new WeakMap();	// video -> when it last showed another picture
	const follow = video => {
		if (shown.has(video) || !video.requestVideoFrameCallback)
			return;
		const top = video.ownerDocument === document;
		let at = null;	// in the video, of the picture that it shows
		const next = (_, {mediaTime, presentationTime}) => {
			if (mediaTime !== at)
				shown.set(video, top ? Math.min(presentationTime, now()) : now());
			at = mediaTime;
			video.requestVideoFrameCallback(next);
		};
		shown.set(video, now());
		video.requestVideoFrameCallback(next);
		for (const type of ['ended', 'pause'])
			video.addEventListener(type, () =>
				W.changedAt(video, 'image', shown.get(video), video));
	};
	// Why to wait for a video of this cell, if it ends soon.
	W.playing = video => {
		if (video.paused || video.ended || !W.changed.has(W.within(video)) ||
			now() - shown.get(video) > W.SHORT_S * 1000)	// it has stalled
			return false;
		const left = (video.duration - video.currentTime) / video.playbackRate;
		return !video.loop && left <= W.SHORT_S && 'video';
	};

	// ---- images ------------------------------------------------------------------------

	const ANIMATED = /<animate|<set\b|@keyframes|^GIF8[^]*NETSCAPE|^RIFF[^]*ANIM|^\x89PNG[^]*acTL/;
	const isAnimated = url => {
		const [, base64, data] = /^data:image\/[^,]*?(;base64)?,([^]*)$/.exec(url) || [];
		if (!data)
			return false;
		try {
			return ANIMATED.test(base64 ? atob(data.slice(0, MAX_HEAD)) : decodeURIComponent(data));
		} catch {
			return false;	// the data are invalid
		}
	};
	W.onpicture = el => {
		if (el.nodeName === 'VIDEO')
			follow(el);
		else if (el.nodeName === 'IMG' && W.within(el) && isAnimated(el.src))
			W.marks.add('animated_image');
	};

	// ---- canvases of workers -----------------------------------------------------------

	const canvases = new Map();	// canvas -> what it showed, and since when it changes
	const blank = W.sampleOf(document.createElement('canvas'));
	const compare = (canvas, c, t) => {
		const hash = W.sampleOf(canvas);
		c.cost = Math.min(c.cost, now() - t);	// another process may have run meanwhile
		c.next = t + c.cost / (c.endless ? ENDLESS_SHARE : SHARE);
		if (hash === c.hash)
			return;
		c.hash = hash;
		if (t - c.at > PAUSE_MS)
			[c.from, c.endless] = [t, false];
		c.at = t;
		if (!c.endless && t - c.from > ENDLESS_MS) {
			c.endless = true;
			W.takeBack(canvas, c.from);
		}
		if (!c.endless)
			W.changedAt(canvas, 'canvas2d', t, canvas);
	};
	const look = () => {
		const t = now();
		for (const [canvas, c] of canvases) {
			if (canvas.isConnected)
				c.connected = true;
			else if (c.connected)
				canvases.delete(canvas);
			if (t >= c.next && canvas.isConnected && W.within(canvas))
				W.own(() => compare(canvas, c, t));
		}
		if (canvases.size)
			requestAnimationFrame(look);
	};
	const renew = W.renew;
	W.renew = () => {
		renew();
		canvases.clear();
	};
	W.onoffscreen = canvas => {
		if (!canvases.size)
			requestAnimationFrame(look);
		canvases.set(canvas, {
			hash: blank, from: 0, at: -Infinity, next: 0, endless: false, connected: false,
			cost: Infinity,
		});
	};
})();
