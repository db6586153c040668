// capture_worker.js: compares the pictures of capture.js.
// A place is where a cell's output is in the window: {id, x, y, width, height, free}. What is free changes
// without the page's frames, so the number of a frame says less of it than the pictures' own times.
// Number of a frame -> {t, laid, end, opaque, causes, cell, places, left, top, bottom}.
const states = new Map();
const changes = [];	// {cell, ids, free, old, now, frames}: what differs between two pictures
const WAITING = 60;	// frames whose end may still be reported
const capture = {pictures: 0, skipped: 0, format: null, fault: null};
let BITS, SQUARE, before = null;

// A plane of a picture: `part` 2 has one value for 2x2 pixels; `bytes` are those of a value.
const planesOf = (format, layouts) => layouts.map(({offset, stride}, i) => ({
	offset, stride, part: /^(I420|NV12)/.test(format) && i > 0 ? 2 : 1,
	bytes: /^(RGB|BGR)/.test(format) ? 4 : format === 'NV12' && i > 0 ? 2 : 1,
}));
const read = async video => {
	const data = new Uint8Array(video.allocationSize());
	const planes = planesOf(video.format, await video.copyTo(data));
	capture.format = `${video.format} ${video.codedWidth}x${video.codedHeight}`;
	const received = (performance.timeOrigin + performance.now()) / 1000;
	return {data, planes, received, taken: video.timestamp / 1e6, height: video.codedHeight,
		width: video.codedWidth};
};
const indexOf = (plane, x, y) => plane.offset + y * plane.stride + x * plane.bytes;
// The number of the frame that a picture shows; null if it cannot be read.
const numberOf = ({data, planes, height}) => {
	const y = height - SQUARE / 2;
	const bit = i => data[indexOf(planes[0], i * SQUARE + SQUARE / 2, y)] > 127;
	if (!bit(0) || bit(BITS + 1))
		return null;
	let n = 0;
	for (let i = 1; i <= BITS; i++)
		n = 2 * n + bit(i);
	return n;
};

// Whether a rectangle of two pictures differs.
const differs = (a, b, {left, top, right, bottom}) => a.planes.some((plane, p) => {
	const {part, bytes} = plane;
	const from = Math.ceil(left / part), n = (Math.floor(right / part) - from) * bytes;
	for (let y = Math.ceil(top / part); y < Math.floor(bottom / part); y++) {
		let i = indexOf(plane, from, y), k = indexOf(b.planes[p], from, y);
		for (const end = i + n; i < end; i++, k++)
			if (a.data[i] !== b.data[k])
				return true;
	}
	return false;
});
// Whether a rectangle differs from the one dy pixels above. What was only moved (the notebook was
// scrolled) is painted a little differently, maybe between two lines: so each pixel may be as those next
// to it were, and somewhat darker or lighter.
const NEARLY = 64;	// of 256
const differsMoved = (a, b, {left, top, right, bottom}, dy) => {
	const plane = a.planes[0], line = plane.stride;
	for (let y = top + 1; y < bottom - 1; y++) {
		let i = indexOf(plane, left, y - dy), k = indexOf(b.planes[0], left, y);
		for (const end = i + (right - left) * plane.bytes; i < end; i++, k++) {
			const v = b.data[k], u = a.data[i - line], m = a.data[i], w = a.data[i + line];
			if (v > Math.max(u, m, w) + NEARLY || v < Math.min(u, m, w) - NEARLY)
				return true;
		}
	}
	return false;
};
// Whether a rectangle shows more than the notebook's background, which is at x = back.
const shows = (a, {left, top, right, bottom}, back) => {
	const [plane] = a.planes;
	for (let y = top; y < bottom; y++) {
		const begin = indexOf(plane, left, y), end = indexOf(plane, right, y);
		const blank = indexOf(plane, back, y);
		for (let i = begin; i < end; i++)
			if (a.data[i] !== a.data[blank + (i - begin) % plane.bytes])
				return true;
	}
	return false;
};
// The visible part of a place.
const visible = (place, state, picture) => ({
	left: Math.max(0, place.x), top: Math.max(state.top, place.y),
	right: Math.min(picture.width, place.x + place.width),
	bottom: Math.min(state.bottom, picture.height - SQUARE, place.y + place.height),
});
const isEmpty = r => r.right <= r.left || r.bottom <= r.top;
// Whether an output differs; `old` is where it was in the picture before. One that was only moved has
// not changed (the notebook was scrolled); one that also has another height is compared, moved.
const changed = (place, old, picture, state) => {
	const now = visible(place, state, picture);
	if (isEmpty(now))
		return false;
	if (!old)
		return shows(picture, now, state.left);
	const dy = place.y - old.y, was = visible(old, before.state, before.picture);
	const both = {
		left: Math.max(was.left, now.left), top: Math.max(was.top + dy, now.top),
		right: Math.min(was.right, now.right),
		bottom: Math.min(was.bottom + dy, now.bottom),
	};
	const added = {...now, top: Math.max(now.top, old.y + dy + old.height)};
	const gone = {...was, top: Math.max(was.top, place.y - dy + place.height)};
	const compare = !dy ? differs : place.height !== old.height ? differsMoved : () => false;
	return place.x === old.x && !isEmpty(both) && compare(before.picture, picture, both, dy) ||
		!isEmpty(added) && shows(picture, added, state.left) ||
		!isEmpty(gone) && shows(before.picture, gone, state.left);
};
// The clock of the pictures, bounded by each of them: it was taken after its frame began, and before it
// was here. Seconds to be added.
const clock = {lo: -Infinity, hi: Infinity};
const look = (picture, n) => {
	const state = states.get(n), {taken, received} = picture;
	clock.lo = Math.max(clock.lo, state.t - taken);
	clock.hi = Math.min(clock.hi, received - taken);
	const now = {n, picture, state};
	if (before && state.cell) {
		const places = before.state.places, same = before.n === n;
		const differ = state.places.filter(p => (p.free || !same) &&
			changed(p, places.find(o => o.id === p.id), picture, state));
		const gone = places.filter(o => !state.places.some(p => p.id === o.id) &&
			shows(before.picture, visible(o, before.state, before.picture), state.left));
		const ids = [...differ, ...gone].map(p => p.id);
		if (ids.length)
			changes.push({cell: state.cell, free: !gone.length && differ.every(p => p.free),
				ids, frames: framesTo(before.n, n), old: times(before), now: times(now)});
	}
	before = now;
	for (const known of states.keys())
		if (known < n - WAITING)
			states.delete(known);
};
const framesTo = (m, n) => [...states].filter(([k]) => k >= m && k <= n).map(([, state]) => state);
// What is known of when a picture was taken. `state`: its frame, whose end is reported later.
const times = ({picture: {taken, received}, state}) => ({taken, received, state});

const watch = async readable => {
	const reader = readable.getReader();
	for (;;) {
		const {value: video, done} = await reader.read();
		if (done)
			return;
		const picture = await read(video);
		video.close();
		capture.pictures++;
		const n = numberOf(picture);
		if (n !== null && states.has(n))
			look(picture, n);
		else
			capture.skipped++;
	}
};
// Between which instants the pictures show a change: after the older frame was laid out, before the
// newer one ended and its picture was here. One that is free was made between the two pictures.
const pictured = ({free, old, now: {taken, received, state}}) => {
	if (!free)
		return [old.state.laid || old.state.t, Math.min(state.end || received, received)];
	const known = clock.lo <= clock.hi;
	return [Math.max(old.state.t, known ? old.taken + clock.lo : 0),
		Math.min(received, known ? taken + clock.hi : Infinity)];
};
// What happened to an output between the pictures, from the last that is sure to be seen.
const causesOf = (change, id) => {
	const [from, to] = pictured(change);
	const all = change.frames.flatMap(frame => frame.causes)
		.filter(c => c.id === id && c.to >= from && c.from <= to);
	return all.slice(Math.max(0, all.findLastIndex(c => c.sure)));
};
const isOpaque = ({free, frames}, id) => free || frames.some(f => f.opaque.includes(id));
// {cell id: {settled: [from, to], pictured, shown}}; shown: when the frame with the last change
// began. Of an output that once changed without a cause, only the pictures are believed.
const truths = () => {
	const uncaused = new Set(changes.flatMap(change =>
		change.ids.filter(id => !isOpaque(change, id) && !causesOf(change, id).length)));
	return Object.fromEntries(changes.map(change => {
		const {cell, ids, now} = change, [from, to] = pictured(change);
		const unknown = ids.some(id => uncaused.has(id) || isOpaque(change, id));
		const last = pick => Math.max(...ids.map(id => pick(causesOf(change, id))));
		return [cell, {pictured: [from, to], shown: now.state.t, settled: unknown ? [from, to] : [
			Math.max(from, last(all => all[0].from)),
			Math.min(to, last(all => all.at(-1).to)),
		]}];
	}));
};
onmessage = ({data}) => {
	if (data.report) {
		postMessage({changes: truths(), capture});
	} else if (data.readable) {
		({BITS, SQUARE} = data);
		watch(data.readable).catch(err => { capture.fault = String(err); });
	} else if (data.t) {
		states.set(data.n, data);
	} else {
		const state = states.get(data.n) || {causes: []};
		Object.assign(state, data, {causes: [...state.causes, ...data.causes]});
	}
};
