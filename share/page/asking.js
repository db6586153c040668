// asking.js: questions to a Python kernel, which belong to no cell and leave no trace.
// __nbscopeAsking(K, {until, wake, own}) returns the functions below; K is kernel.js's state of the
// notebook, of which they read `language` and `lost` and set `mute`.
// A socket is {ws, last}: `last` is the last message that the page sent on its shell channel.
// Instants are performance.now() in ms.
(() => {
	if (window.__nbscopeAsking)
		return;
	const {compose, withContent} = window.__nbscopeMessage;
	const {answerOf, question} = window.__nbscopePending;
	const {send} = WebSocket.prototype;
	const OWN_ID = 'nbscope-';	// begins the ids of our requests
	const ACKNOWLEDGE_MS = 3;	// from an answer to its idle, unless TCP holds that back
	const RESTED_MS = 45;	// from an answer to a question to the next press
	const TELL_MS = 5;	// of CPU: a cell's request does not carry a question that takes more
	const ANSWER = new RegExp('"nbscope": ?\\{"status": ?"ok", ?"data": ?' +
		'\\{"text/plain": ?"(?:[^"\\\\]|\\\\.)*"\\}, ?"metadata": ?\\{\\}\\}');
	const now = () => performance.now();

	const asking = (K, {until, wake, own}) => {
		const {setTimeout} = window.__nbscopeScheduled.real;	// not in frames
		let last = null, questions = 0, defined = false, tells = true;
		let answeredAt = -Infinity;
		const header = (socket, msg_type, msg_id) => {
			const {session, username, version} = socket.last.header();
			return {
				msg_id, msg_type, username, version, session: OWN_ID + session,
				date: new Date().toISOString(),
			};
		};
		// The server's TCP (Nagle's algorithm) holds a message back until the one before has
		// been acknowledged, which the browser's TCP puts off by 40 ms after the page has
		// sent something: a message of the page carries the acknowledgement, of busy and of
		// the answer. A kernel discards a reply on stdin that it did not request. Nothing may
		// be sent after the last message, idle, nor a key be pressed soon after it: its
		// acknowledgement has to be put off and time out, or that of the next cell's first
		// message will be, which adds 40 ms to its time. A person presses later.
		const acknowledge = ({socket, id, idle}) => idle ||
			send.call(socket.ws, compose('stdin', header(socket, 'input_reply', id),
				{status: 'ok', value: ''}, socket.ws.protocol));
		// Whether a message that has arrived answers one of our requests.
		const isAnswer = m => {
			if (m.type !== 'status' && m.type !== 'execute_reply')
				return false;
			const id = m.parent().msg_id;
			if (typeof id !== 'string' || !id.startsWith(OWN_ID))
				return false;
			answeredAt = now();
			if (last && id === last.id) {
				if (m.type === 'execute_reply') {
					last.replied = true;
					last.answer = last.read(m.content());
					setTimeout(acknowledge, ACKNOWLEDGE_MS, last);
				} else if (m.content().execution_state === 'idle') {
					last.idle = true;
				} else {
					acknowledge(last);
				}
				wake();
			}
			return true;
		};
		const canAsk = socket => K.language === 'python' && !K.mute && !K.lost &&
			!!socket && socket.ws.readyState === WebSocket.OPEN && !!socket.last;
		// Evaluates a Python expression in the kernel. Resolves with {replied, idle, answer}:
		// the answer is what read() finds in the reply's content, null if there was none.
		// If `waited`, all that the kernel sent before has arrived too.
		const evaluate = async (socket, expression, read, deadline, waited = true) => {
			const id = `${OWN_ID}${++questions}-${performance.timeOrigin}`;
			const a = {id, socket, read, replied: false, idle: false, answer: null};
			own(() => {
				last = a;
				send.call(socket.ws, compose('shell',
					header(socket, 'execute_request', id), {
					code: '', silent: true, store_history: false,
					allow_stdin: false, stop_on_error: false,
					user_expressions: {nbscope: expression(id)},
				}, socket.ws.protocol));
			});
			await until(() => a.replied && (a.idle || !waited) || K.lost, deadline);
			return a;
		};
		// The kernel's answer to what is pending; null if it gave none.
		const ask = async (socket, deadline, waited = true) => {
			const m = socket.last, parent = m.header();
			const a = await evaluate(socket, id => question(!defined, {
				header: parent, msg_id: parent.msg_id, msg_type: m.type,
				parent_header: m.parent(), metadata: m.metadata(), content: {},
			}, id), answerOf, deadline, waited);
			// Without an answer it has been restarted, or does not have what is asked for.
			K.mute = K.mute || a.replied && !a.answer && !K.lost && !defined;
			defined = !!a.answer;
			return a.answer;
		};
		// A cell's request with the same question, which the kernel answers at the end of the
		// cell, in about a millisecond. A request of its own takes the kernel 5 to 12 ms,
		// and the processors of page and server another 10. The request as it was, if that
		// is not possible.
		const carry = (socket, m, data) => {
			if (!tells || !defined || !canAsk(socket))
				return data;
			const content = m.content(), {user_expressions: others} = content;
			return withContent(data,
				{...content, user_expressions: {...others, nbscope: TELL}});
		};
		// Returns the answer in a reply, and how many bytes of the reply that is; null if there is none.
		const told = (m, content) => {
			const answer = answerOf(content);
			if (!answer)
				return null;
			tells = answer.cpuMs < TELL_MS;
			return {...answer, bytes: (ANSWER.exec(m.text()) || [''])[0].length};
		};
		// Called before a key is pressed or the time of a request is taken.
		const rest = async () => {
			await until(() => !last || last.idle, now() + RESTED_MS);
			await until(() => false, answeredAt + RESTED_MS);
		};
		return {
			isAnswer, canAsk, evaluate, ask, carry, told, rest,
			isOpen: () => last !== null && !(last.replied && last.idle),
			renew: () => {
				[last, defined, tells, answeredAt] = [null, false, true, -Infinity];
			},
		};
	};
	Object.defineProperty(window, '__nbscopeAsking', {value: asking});
})();
