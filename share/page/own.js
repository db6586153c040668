// own.js: the browser's functions as they were when the document began, under their usual names,
// for the scripts that follow in the same block. A page may replace its own at any time.
const {Date, JSON, Map, Math, Object, Promise, Reflect, Set, WeakMap, WeakSet, performance} = (() => {
	const {Array: A, JSON: J, Object: O, Reflect: R, performance: clock} = window;
	try {
		const had = window.__nbscopeOwn || window.parent.__nbscopeOwn;
		if (had)
			return had;
	} catch (e) { /* a frame from another origin */ }
	const {getOwnPropertyDescriptor, getOwnPropertyDescriptors, hasOwn, isExtensible, keys} = O;
	const {apply, ownKeys} = R, {parse, stringify} = J;
	const {isArray, prototype: array} = A, object = O.prototype;
	const copy = (to, from, without = []) => {
		const had = getOwnPropertyDescriptors(from);
		for (const key of ownKeys(had))
			if (!without.includes(key))
				O.defineProperty(to, key, had[key]);
		return to;
	};
	const functions = thing => copy(O.create(null), thing);
	// Its instances have the methods themselves.
	const kept = Base => {
		const Kept = {[Base.name]: class extends Base {}}[Base.name];
		copy(Kept, Base, ['length', 'name', 'prototype']);
		copy(Kept.prototype, Base.prototype, ['constructor']);
		return Kept;
	};
	// Of plain data, where the page has given all arrays or objects a toJSON().
	const written = v => {
		if (v === null || typeof v !== 'object')
			return apply(stringify, J, [v]);
		const list = isArray(v), names = list ? v : keys(v);
		let text = '';
		for (let i = 0; i < names.length; i++) {
			const one = written(list ? v[i] : v[names[i]]);
			if (list)
				text += `${text && ','}${one === undefined ? 'null' : one}`;
			else if (one !== undefined)
				text += `${text && ','}${apply(stringify, J, [names[i]])}:${one}`;
		}
		return list ? `[${text}]` : `{${text}}`;
	};
	const text = window.String, {is, getPrototypeOf} = O, {iterator} = window.Symbol;
	const timeStamp = getOwnPropertyDescriptor(window.Event.prototype, 'timeStamp').get;
	// What the scripts, and the browser's driver, call as it is: of the language, without which
	// nothing is right, and of the document, without which an output may be overlooked.
	const rest = [];
	const add = (language, name, thing, key) => {
		const had = getOwnPropertyDescriptor(thing, key);
		if (had)
			rest[rest.length] = {language, name, thing, key, had};
	};
	const addAll = (language, name, thing, without = []) => {
		for (const key of ownKeys(getOwnPropertyDescriptors(thing)))
			if (!without.includes(key))
				add(language, `${name}.${text(key)}`, thing, key);
	};
	for (const name of ['Array', 'String', 'Number', 'RegExp', 'Function', 'Promise', 'Map', 'Set',
		'WeakMap', 'Error', 'Symbol', 'ArrayBuffer', 'Uint8Array', 'DataView', 'TextDecoder',
		'Event', 'MessageEvent', 'PerformanceEntry']) {
		add(true, name, window, name);
		addAll(true, name, window[name], ['prototype', 'stackTraceLimit']);
		addAll(true, `${name}.prototype`, window[name].prototype, ['timeStamp']);
	}
	addAll(true, 'TypedArray.prototype', getPrototypeOf(window.Uint8Array.prototype));
	for (const iterable of [[], '', new window.Map(), new window.Set()])
		addAll(true, 'Iterator.prototype', getPrototypeOf(iterable[iterator]()));
	for (const name of ['EventTarget', 'Node', 'Element', 'HTMLElement', 'Document', 'DOMTokenList',
		'MutationObserver', 'MutationRecord'])
		addAll(false, `${name}.prototype`, window[name].prototype);
	for (const name of ['Animation', 'Blob', 'CSSTransition', 'EventTarget', 'KeyboardEvent',
		'KeyframeEffect', 'MediaQueryList', 'MessageChannel', 'MessagePort', 'MutationObserver',
		'OffscreenCanvas', 'PerformanceObserver', 'Proxy', 'RangeError', 'ResizeObserver',
		'SyntaxError', 'TextEncoder', 'URL', 'Uint32Array', 'WeakRef', 'WebSocket',
		'addEventListener', 'atob', 'btoa', 'clearTimeout', 'createImageBitmap',
		'decodeURIComponent', 'fetch', 'getComputedStyle', 'postMessage', 'queueMicrotask',
		'requestAnimationFrame', 'requestIdleCallback', 'setTimeout'])
		add(false, name, window, name);
	// What any object seems to have if the page gives it to all of them.
	const given = ['then', 'get', 'set', 'value', 'writable', 'enumerable', 'configurable', 'next',
		'done', 'return', '0'];
	const isReplaced = ({thing, key, had}) => {
		const now = getOwnPropertyDescriptor(thing, key);
		return !now || !is(now.value, had.value) || now.get !== had.get || now.set !== had.set;
	};
	// Whether the page has replaced the one with which JupyterLab reads messages.
	const otherJSON = () =>
		window.JSON !== J || J.parse !== parse || J.stringify !== stringify;
	// What the scripts offer each other: the page cannot replace its functions, and if it has
	// frozen an object, this is noticed.
	const offered = [], SET_LATER = 'onchange';
	const lockAll = thing => {
		const had = getOwnPropertyDescriptors(thing);
		offered[offered.length] = thing;
		for (const key of ownKeys(had))
			if (typeof had[key].value === 'function' && key !== SET_LATER)
				O.defineProperty(thing, key, {writable: false, configurable: false});
	};
	const MAX_NAMES = 3;
	const own = {
		...O.fromEntries(['Date', 'Map', 'Set', 'WeakMap', 'WeakSet']
			.map(name => [name, kept(window[name])])),
		Math: functions(window.Math), Object: functions(O), Reflect: functions(R),
		Promise: window.Promise,
		JSON: {
			parse,
			stringify: v => array.toJSON || object.toJSON ? written(v) :
				apply(stringify, J, [v]),
		},
		performance: {
			now: clock.now.bind(clock), timeOrigin: clock.timeOrigin,
			get memory() { return clock.memory; },
		},
		otherJSON,
		timeOf: e => apply(timeStamp, e, []),
		// Once, before the first cell: what the scripts after this and JupyterLab have
		// replaced until then does not count.
		begin: () => {
			let n = 0;
			own.begin = () => {};
			for (let i = 0; i < rest.length; i++)
				if (!isReplaced(rest[i]))
					rest[n++] = rest[i];
			rest.length = n;
		},
		// Once, before the first cell, when all scripts of ours have set their functions.
		lock: () => {
			own.lock = () => {};
			for (const name of O.getOwnPropertyNames(window)) {
				const thing = name.startsWith('__nbscope') && window[name];
				if (thing && (typeof thing === 'object' || thing.prototype))
					lockAll(thing.prototype || thing);
			}
		},
		// What the page has replaced, for people; '': nothing. Which: 'language', 'document',
		// or 'all', with what only the page itself calls.
		replaced: which => {
			let names = '', n = 0;
			const name = word => {
				if (++n <= MAX_NAMES)
					names += `${names && ', '}${word}`;
			};
			if (which === 'all' && otherJSON())
				name('JSON');
			if (which === 'all' && (array.toJSON || object.toJSON))
				name('toJSON');
			for (let i = 0; i < given.length && which !== 'document'; i++)
				if (hasOwn(object, given[i]))
					name(`Object.prototype.${given[i]}`);
			for (let i = 0; i < offered.length && which !== 'document'; i++)
				if (!isExtensible(offered[i])) {
					name('scripts of nbscope');
					break;
				}
			for (let i = 0; i < rest.length; i++)
				if ((which === 'all' || rest[i].language === (which === 'language')) &&
					isReplaced(rest[i]))
					name(rest[i].name);
			return names + (n > MAX_NAMES ? ` and ${n - MAX_NAMES} more` : '');
		},
	};
	O.defineProperty(window, '__nbscopeOwn', {value: own});
	// chromedriver writes its answers with the page's JSON, which it has kept under this name.
	for (const name of keys(window).filter(key => /^cdc_\w+_JSON$/.test(key)))
		window[name] = own.JSON;
	return own;
})();
