// own.js: the browser's functions as they were when the document began, under their usual names,
// for the scripts that follow in the same block. A page may replace its own at any time.
const {Date, JSON, Map, Math, Object, Promise, Reflect, Set, WeakMap, WeakSet, performance} = (() => {
	const {Array: A, JSON: J, Object: O, Reflect: R, performance: clock} = window;
	try {
		const had = window.__nbscopeOwn || window.parent.__nbscopeOwn;
		if (had)
			return had;
	} catch (e) { /* a frame from another origin */ }
	const {getOwnPropertyDescriptor, getOwnPropertyDescriptors, keys} = O;
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
	// What the scripts call as it is, because hardly any page runs without it.
	const rest = ['Array', 'String', 'TextDecoder', 'DataView'].map(name => {
		const thing = window[name].prototype, had = getOwnPropertyDescriptors(thing);
		return {name, thing, had, all: ownKeys(had)};
	});
	// Whether the page has replaced the one with which JupyterLab reads messages.
	const otherJSON = () =>
		window.JSON !== J || J.parse !== parse || J.stringify !== stringify;
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
		// What the page has replaced, for people: of the rest, which the scripts call, or
		// also of what only the page itself calls. '': nothing.
		replaced: (alsoPages = true) => {
			let names = '', n = 0;
			const add = name => {
				if (++n <= MAX_NAMES)
					names += `${names && ', '}${name}`;
			};
			if (alsoPages && otherJSON())
				add('JSON');
			if (alsoPages && (array.toJSON || object.toJSON))
				add('toJSON');
			for (let i = 0; i < rest.length; i++) {
				const {name, thing, had, all} = rest[i];
				for (let k = 0; k < all.length; k++) {
					const now = getOwnPropertyDescriptor(thing, all[k]);
					if (!now || now.value !== had[all[k]].value)
						add(`${name}.prototype.${String(all[k])}`);
				}
			}
			return names + (n > MAX_NAMES ? ` and ${n - MAX_NAMES} more` : '');
		},
	};
	O.defineProperty(window, '__nbscopeOwn', {value: own});
	// chromedriver writes its answers with the page's JSON, which it has kept under this name.
	for (const name of keys(window).filter(key => /^cdc_\w+_JSON$/.test(key)))
		window[name] = own.JSON;
	return own;
})();
