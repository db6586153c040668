// page.js SECONDS PREFIX CORPUS: feeds invalid messages, in both framings and both directions, to
// the page's scripts that read messages.
// Its own mutation loop is guided by V8's coverage, with a fixed seed (FUZZ_SEED). What must hold:
// JupyterLab's own send and listeners see every message and no exception of the scripts; nothing
// takes long; no prototype changes; a cell's numbers stay numbers. PREFIX: where a finding is
// written; CORPUS: earlier findings.
'use strict';
const fs = require('fs'), path = require('path'), vm = require('vm');
const inspector = require('inspector'), crypto = require('crypto');
const [seconds, prefix, corpus] = [Number(process.argv[2]), process.argv[3], process.argv[4]];
const FILES = ['message.js', 'outputs.js', 'pending.js', 'asking.js', 'notebook.js', 'kernel.js']
	.map(name => path.join(__dirname, '../../share/page', name));
const MAX_MS = 500;	// of CPU time, because other programs run too
const cpuMs = () => { const u = process.cpuUsage(); return (u.user + u.system) / 1000; };
const MAX_KEPT = 2000, BATCH = 20;

// ---- the page ----------------------------------------------------------------

let state = Number(process.env.FUZZ_SEED || 1) >>> 0;
const random = n => {	// xorshift: the same on every machine
	state ^= state << 13; state >>>= 0;
	state ^= state >>> 17;
	state ^= state << 5; state >>>= 0;
	return state % n;
};
const pick = list => list[random(list.length)];

const WORLD = [
	'window', 'WebSocket', 'PerformanceObserver', 'document', 'setTimeout', 'clearTimeout',
	'requestAnimationFrame', 'RULES', 'MODULE', 'TELL',
];
const RULES = JSON.parse(
	fs.readFileSync(path.join(__dirname, '../../share/page/rules.json'), 'utf8'));
// watch.js needs a whole page, except for its function that limits texts.
const WATCH = fs.readFileSync(path.join(__dirname, '../../share/page/watch.js'), 'utf8');
const words = vm.runInThisContext(/^\tW\.words = (.*?^\t});$/ms.exec(WATCH)[1]);
const scripts = FILES.map(file =>
	vm.compileFunction(fs.readFileSync(file, 'utf8'), WORLD, {filename: file}));
class Socket {
	constructor() {
		this.url = 'ws://h/api/kernels/k1/channels?session_id=s';
		this.listeners = [];
		this.sent = 0;
	}
	addEventListener(type, f) { if (type === 'message') this.listeners.push(f); }
	send() { this.sent++; }
	set onmessage(f) { this.listeners.push(f); }
	get onmessage() { return null; }
}
const freshPage = () => {
	class WebSocket extends Socket {}
	for (const key of ['addEventListener', 'send', 'onmessage'])
		Object.defineProperty(WebSocket.prototype, key,
			Object.getOwnPropertyDescriptor(Socket.prototype, key));
	const nothing = () => {};
	const window = {
		addEventListener: nothing,
		PerformanceObserver: class {
			observe() {}
			takeRecords() { return []; }
		},
		__nbscopeWatch: {
			ownMs: 0, marks: new Set(), counts: {}, last: null, lastText: null,
			lastKind: null, words, scrollTo: nothing, reset: nothing, drain: nothing,
			often: () => (work, a, b) => work(a, b), markUnseen: nothing,
		},
		__nbscopeUsage: {
			ownMs: 0, sent: nothing, received: nothing, begin: nothing, before: nothing,
			end: () => ({}), said: () => [], blockedIn: () => 0,
		},
	};
	window.window = window.parent = window;
	const real = {
		setTimeout: () => 0, clearTimeout: nothing, requestAnimationFrame: nothing,
	};
	window.__nbscopeScheduled = {
		real, leave: nothing, life: () => ({}), holds: () => false, arrived: nothing, close: () => ({}),
		giveUp: nothing,
	};
	window.__nbscopeOwn = {replaced: () => '', timeOf: e => e.timeStamp};
	Object.assign(window, {
		WebSocket, ...real, RULES, MODULE: 'module', TELL: 'module.tell()',
		document: {
			addEventListener: nothing, querySelectorAll: () => [],
			querySelector: () => null,
		},
	});
	for (const script of scripts)
		script(...WORLD.map(name => window[name]));
	return window;
};

// ---- messages ----------------------------------------------------------------

const encoder = new TextEncoder();
const binary = (...parts) => {
	const bodies = parts.map(p => encoder.encode(typeof p === 'string' ? p :
		JSON.stringify(p).replace('"msg_type":', '"msg_type": ')));
	const offsets = [8 * (bodies.length + 2)];
	for (const b of bodies)
		offsets.push(offsets[offsets.length - 1] + b.length);
	const out = new Uint8Array(offsets[offsets.length - 1]), view = new DataView(out.buffer);
	view.setBigUint64(0, BigInt(offsets.length), true);
	offsets.forEach((o, i) => view.setBigUint64(8 * (i + 1), BigInt(o), true));
	bodies.forEach((b, i) => out.set(b, offsets[i]));
	return out;
};
const DATE = '2026-11-21T18:00:00.123456Z';
const message = (type, parent, content, metadata = {}, channel = 'iopub') => ({
	channel, header: {msg_id: 'm-' + type, msg_type: type, date: DATE},
	parent_header: parent ? {msg_id: parent} : {}, metadata, content,
});
const SENT = [
	message('execute_request', null, {code: '1'}, {cellId: 'c1'}, 'shell'),
	message('comm_msg', null, {comm_id: 'c', data: {}}, {}, 'shell'),
	message('kernel_info_request', null, {}, {}, 'shell'),
	message('input_reply', null, {value: 'x'}, {}, 'stdin'),
];
const EXECUTE = 'm-execute_request';
const RECEIVED = [
	message('status', EXECUTE, {execution_state: 'busy'}),
	message('stream', EXECUTE, {name: 'stdout', text: 'a\n'}),
	message('execute_reply', EXECUTE,
		{status: 'error', ename: 'E', evalue: 'half of a pair: \ud800'}, {}, 'shell'),
	message('display_data', EXECUTE, {data: {'text/plain': 'x', 'image/png': 'aGk='}}),
	message('clear_output', EXECUTE, {wait: true}),
	message('error', EXECUTE, {ename: 'E', evalue: 'v', traceback: []}),
	message('status', EXECUTE, {execution_state: 'idle'}),
	message('input_request', EXECUTE, {prompt: '?'}, {}, 'stdin'),
	message('comm_open', 'x', {comm_id: 'c', data: {}}),
	message('comm_open', EXECUTE,
		{comm_id: 'o', data: {state: {_model_name: 'OutputModel', msg_id: EXECUTE}}}),
	message('kernel_info_reply', 'm-kernel_info_request', {}, {}, 'shell'),
	message('status', '', {execution_state: 'restarting'}),
];
const asText = m => encoder.encode(JSON.stringify(m));
const asBinary = m => binary(m.channel, m.header, m.parent_header, m.metadata, m.content);
// A frame: sent or received, text or binary, its bytes.
const frames = (sent, list) => list.flatMap(m =>
	[{sent, text: true, data: asText(m)}, {sent, text: false, data: asBinary(m)}]);
const SEEDS = [...frames(true, SENT), ...frames(false, RECEIVED)];
const DICTIONARY = [
	'__proto__', 'constructor', 'null', '{}', '[]', '""', '"msg_type": "', '"header":',
	'"status"', '"parent_header":', '"date":""', '1e999', '-1', '\\ud800',
	'"execution_state":"idle"',
	'"content":null', '"data":{"__proto__":{"x":1}}', '"name":{}', '"text":1', '"msg_id":{}',
].map(s => encoder.encode(s));
const NUMBERS = [0, 1, 5, 6, 7, 8, 16, 255, 256, 9999, 10000, 0x7fffffff, 0xfffffff8, 0xffffffff];

// ---- mutations ----------------------------------------------------------------

const splice = (data, at, drop, put) => {
	const out = new Uint8Array(data.length - drop + put.length);
	out.set(data.subarray(0, at));
	out.set(put, at);
	out.set(data.subarray(at + drop), at + put.length);
	return out;
};
const mutateData = data => {
	const at = random(data.length + 1), left = data.length - at;
	switch (random(7)) {
	case 0: return left ? splice(data, at, 1, [random(256)]) : data;
	case 1: return splice(data, at, Math.min(left, 1 + random(16)), []);
	case 2: return splice(data, at, 0, pick(DICTIONARY));
	case 3: {
		const d = pick(DICTIONARY);
		return splice(data, at, Math.min(left, d.length), d);
	}
	case 4: {	// an offset
		if (data.length < 64)
			return data;
		const out = data.slice();
		const i = 8 * random(8) + 4 * random(2);
		new DataView(out.buffer).setUint32(i, pick(NUMBERS), true);
		return out;
	}
	case 5: return data.subarray(0, at);
	default: {
		const from = random(data.length + 1);
		return splice(data, at, 0, data.subarray(from, from + random(64)));
	}
	}
};
const mutate = input => {
	const out = input.slice();
	for (let n = 1 + random(4); n > 0; n--) {
		const i = random(out.length + 1);
		if (i === out.length || random(8) === 0)
			out.splice(i, 0, pick(SEEDS));
		else if (out.length > 1 && random(8) === 0)
			out.splice(i, 1);
		else if (random(16) === 0)
			out[i] = {...out[i], text: !out[i].text};
		else
			out[i] = {...out[i], data: mutateData(out[i].data)};
	}
	return out.slice(0, 40);
};

// ---- a run --------------------------------------------------------------------

const check = (ok, what) => { if (!ok) throw new Error('finding: ' + what); };
const decoder = new TextDecoder();
const given = f => f.text ? decoder.decode(f.data) : random(2) ? f.data.slice().buffer : f.data;
const run = input => {
	const page = freshPage(), K = page.__nbscopeKernel, socket = new page.WebSocket();
	let seen = 0;
	socket.addEventListener('message', () => { seen++; });
	K.arm('c1', 0, true);
	Object.assign(K.cell, {pressed: 1, counting: true});
	let sent = 0, received = 0;
	const start = cpuMs();
	for (const f of input) {
		const data = f.sent ? given(f) : f.text ? decoder.decode(f.data) :
			f.data.slice().buffer;
		if (f.sent) {
			sent++;
			socket.send(data);
		} else {
			received++;
			for (const listener of socket.listeners)
				listener.call(socket, {data, timeStamp: performance.now()});
		}
	}
	const ms = Math.round(cpuMs() - start);
	check(ms < MAX_MS, `${input.length} messages take ${ms} ms of CPU`);
	check(socket.sent === sent && seen === received, 'JupyterLab misses messages');
	check(Object.keys(Object.prototype).length + Object.keys(Array.prototype).length === 0,
		'a prototype has changed');
	const c = K.cell;
	const numbers = [
		'sent', 'busy', 'idle', 'idleAt', 'reply', 'afterMs', 'sentBytes', 'receivedBytes',
		'commSent', 'commReceived',
	];
	for (const key of numbers)
		check(c[key] === null || Number.isFinite(c[key]), `${key} is ${c[key]}`);
	check(c.outputs.keptBytes >= 0, `keptBytes is ${c.outputs.keptBytes}`);
	check(K.fault === undefined || typeof K.fault === 'string', 'a fault that is not a text');
	const report = K.means.report(c, 'done');
	JSON.stringify(report);
	for (const n of [report.outputs.bytes, ...Object.values(report.outputs.by_kind)])
		check(n >= 0, `an output of ${n} bytes`);
	for (const key of ['replyStatus', 'errorName', 'errorValue', 'wrong']) {
		const text = report[key];
		check(text === null || (typeof text === 'string' && !/\p{Surrogate}/u.test(text)),
			`${key} is ${JSON.stringify(text)}`);
	}
};

// ---- the loop -----------------------------------------------------------------

const session = new inspector.Session();
session.connect();
const ask = (method, params) => {
	let answer;
	session.post(method, params, (err, result) => { answer = result; });
	return answer;
};
ask('Profiler.enable');
ask('Profiler.startPreciseCoverage', {callCount: true, detailed: true});
const covered = new Set();
const isNew = () => {
	let fresh = false;
	for (const script of ask('Profiler.takePreciseCoverage').result)
		if (FILES.some(file => script.url.endsWith(file)))
			for (const r of script.functions.flatMap(f => f.ranges)) {
				const range = `${script.url} ${r.startOffset} ${r.endOffset}`;
				if (!covered.has(range) && r.count > 0) {
					covered.add(range);
					fresh = true;
				}
			}
	return fresh;
};
const text = input => JSON.stringify(input.map(f =>
	({sent: f.sent, text: f.text, data: Buffer.from(f.data).toString('base64')})));
const attempt = input => {
	try {
		run(input);
		return true;
	} catch (err) {
		const hash = crypto.createHash('sha1').update(text(input)).digest('hex');
		const file = `${prefix}${hash}.json`;
		const stack = err.stack.split('\n').slice(0, 6).join('\n');
		fs.writeFileSync(file, text(input) + '\n');
		process.stderr.write(`${stack}\nTest unit written to ${file}\n`);
		return false;
	}
};
const kept = [SEEDS.filter(f => f.text), SEEDS.filter(f => !f.text)];
const seen = fs.existsSync(corpus) ? fs.readdirSync(corpus).sort() : [];
for (const name of seen)
	kept.push(JSON.parse(fs.readFileSync(path.join(corpus, name), 'utf8'))
		.map(f => ({...f, data: new Uint8Array(Buffer.from(f.data, 'base64'))})));
let runs = 0, added = 0, good = kept.every(input => { runs++; return attempt(input); });
isNew();
// Reading the coverage takes as long as a batch of runs, so a batch that found new code is kept
// whole.
for (const end = performance.now() + 1000 * seconds; good && performance.now() < end;) {
	const batch = [];
	while (good && batch.length < BATCH) {
		batch.push(mutate(pick(kept)));
		good = attempt(batch[batch.length - 1]);
		runs++;
	}
	if (good && isNew() && kept.length < MAX_KEPT) {
		kept.push(...batch);
		added += batch.length;
	}
}
process.stderr.write(`cov: ${covered.size}\nstat::number_of_executed_units: ${runs}\n` +
	`stat::new_units_added: ${added}\n`);
process.exit(good ? 0 : 1);
