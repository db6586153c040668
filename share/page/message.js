// message.js: a kernel's message on its WebSocket, of which only the requested parts are decoded.
// parse(data) returns null if it is not a message, else {type, contentBytes, channel(), header(),
// parent(), metadata(), content(), text(), bytes(), buffers()}, where text() and bytes() are the
// content as it came, and buffers() the binary parts after it. All may throw if the message is
// incomplete. Only the binary framing has bytes() and buffers(). compose(channel, header, content, protocol) returns a message for a
// WebSocket of that subprotocol, and withContent(data, content) the same message with another
// content. isOnShell(data) costs next to nothing.
(() => {
	if (window.__nbscopeMessage)
		return;
	const text = new TextDecoder();
	const CONTENT = 4;	// its place among the parts
	// Compares ASCII text at an offset, four bytes at a time.
	const matcher = ascii => {
		const codes = [...ascii].map(c => c.charCodeAt(0)), words = [];
		const whole = codes.length & ~3;
		for (let i = 0; i < whole; i += 4)
			words.push((codes[i] | codes[i + 1] << 8 | codes[i + 2] << 16 |
				codes[i + 3] << 24) >>> 0);
		return (view, at) => {
			for (let i = 0; i < words.length; i++)
				if (view.getUint32(at + 4 * i, true) !== words[i])
					return false;
			for (let i = whole; i < codes.length; i++)
				if (view.getUint8(at + i) !== codes[i])
					return false;
			return true;
		};
	};
	const isShell = matcher('shell');
	const KEY = '"msg_type": "', isKey = matcher(KEY), QUOTE = '"'.charCodeAt(0);
	const MAX_KNOWN = 50;
	const known = [];	// types seen so far: {type, bytes, isAt}
	const typeFrom = (view, from, to) => {
		for (const k of known)
			if (from + k.bytes < to && view.getUint8(from + k.bytes) === QUOTE &&
				k.isAt(view, from))
				return k.type;
		let type = '', i = from, c = 0;
		for (; i < to && (c = view.getUint8(i)) !== QUOTE && c < 128; i++)
			type += String.fromCharCode(c);
		if (c !== QUOTE)
			return null;
		if (known.length < MAX_KNOWN)
			known.push({type, bytes: type.length, isAt: matcher(type)});
		return type;
	};
	// The key is near the beginning of the header, mostly at the same offset as in the previous
	// one. Decoding the whole header would cost four times as much.
	let lastAt = 0;
	const typeAt = (view, from, to) => {
		const last = to - KEY.length;
		let at = from + lastAt;
		if (!(at < last && isKey(view, at)))
			for (at = from; at < last && !isKey(view, at);)
				at++;
		if (!(at < last))
			return null;
		lastAt = at - from;
		return typeFrom(view, at + KEY.length, to);
	};
	// A message in the binary framing: offsets (64 bits each, whose upper halves are 0 for what
	// fits into memory), then channel, header, parent header, metadata, content. Mostly only
	// the type is needed: the other parts are decoded on request.
	class Framed {
		constructor(view) {
			this.view = view;
			this.type = typeAt(view, this.at(1), this.at(2)) || this.header().msg_type;
		}
		at(i) { return this.view.getUint32(8 * (i + 1), true); }
		raw(i) {
			const from = this.at(i);
			return new Uint8Array(this.view.buffer,
				this.view.byteOffset + from, this.at(i + 1) - from);
		}
		part(i) { return text.decode(this.raw(i)); }
		channel() { return this.part(0); }
		header() { return JSON.parse(this.part(1)); }
		parent() { return JSON.parse(this.part(2)); }
		metadata() { return JSON.parse(this.part(3)); }
		text() { return this.part(CONTENT); }
		bytes() { return this.raw(CONTENT); }
		buffers() {
			const found = [], parts = this.view.getUint32(0, true) - 1;
			for (let i = CONTENT + 1; i < parts; i++)
				found.push(this.raw(i));
			return found;
		}
		content() { return JSON.parse(this.text()); }
		get contentBytes() { return this.at(5) - this.at(4); }
	}
	class Texted {
		constructor(data) {
			this.data = data;
			this.m = JSON.parse(data);
			this.type = this.m.header.msg_type;
			this.contentBytes = data.length;
		}
		channel() { return this.m.channel; }
		header() { return this.m.header; }
		parent() { return this.m.parent_header || {}; }
		metadata() { return this.m.metadata; }
		text() { return this.data; }
		content() { return this.m.content; }
		bytes() { return null; }
		buffers() { return []; }
	}
	// Whether the parts read here follow each other within the message.
	const isFramed = (view, size) => {
		const offsets = size >= 56 ? view.getUint32(0, true) : 0;
		let last = 56, ordered = offsets >= 6 && offsets < 10000;
		for (let i = 1; ordered && i <= 6; i++) {
			const offset = view.getUint32(8 * i, true);
			ordered = offset >= last && offset <= size;
			last = offset;
		}
		return ordered;
	};
	const read = data => {
		if (typeof data === 'string')
			return new Texted(data);
		const view =
			new DataView(data.buffer || data, data.byteOffset || 0, data.byteLength);
		return isFramed(view, data.byteLength) ? new Framed(view) : null;
	};
	const parse = data => {
		const m = read(data);
		return m && typeof m.type === 'string' ? m : null;
	};
	// Whether it is on the shell channel; false if it is not in the binary framing.
	const isOnShell = data => {
		if (!(data instanceof ArrayBuffer))
			return false;
		const view = new DataView(data);
		return isFramed(view, data.byteLength) && isShell(view, view.getUint32(8, true));
	};
	const bytes = new TextEncoder();
	const compose = (channel, header, content, protocol) => {
		const parts = [header, {}, {}, content];
		if (!/^v1\.kernel\./.test(protocol))
			return JSON.stringify({
				channel, header, parent_header: {}, metadata: {}, content, buffers: [],
			});
		const encoded = [channel, ...parts.map(p => JSON.stringify(p))]
			.map(p => bytes.encode(p));
		const count = encoded.length + 1;	// of offsets: the last is the end
		let at = 8 * (count + 1);
		const data = new Uint8Array(at + encoded.reduce((n, p) => n + p.length, 0));
		const view = new DataView(data.buffer);
		view.setUint32(0, count, true);
		encoded.forEach((part, i) => {
			view.setUint32(8 * (i + 1), at, true);
			data.set(part, at);
			at += part.length;
		});
		view.setUint32(8 * count, at, true);
		return data.buffer;
	};
	const withContent = (data, content) => {
		if (typeof data === 'string')
			return JSON.stringify({...JSON.parse(data), content});
		const view =
			new DataView(data.buffer || data, data.byteOffset || 0, data.byteLength);
		const from = view.getUint32(8 * (CONTENT + 1), true);
		const to = view.getUint32(8 * (CONTENT + 2), true);
		const old = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
		const part = bytes.encode(JSON.stringify(content));
		const grown = part.length - (to - from), made = new Uint8Array(old.length + grown);
		made.set(old.subarray(0, from));
		made.set(part, from);
		made.set(old.subarray(to), to + grown);
		const offsets = new DataView(made.buffer), count = view.getUint32(0, true);
		for (let i = CONTENT + 2; i <= count; i++)
			offsets.setUint32(8 * i, view.getUint32(8 * i, true) + grown, true);
		return made.buffer;
	};
	Object.defineProperty(window, '__nbscopeMessage', {
		value: {parse, compose, isOnShell, withContent},
	});
})();
