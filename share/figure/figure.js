// Adds to a figure's page: values under the pointer or by the arrow keys, zoom by the wheel or + and -, moving by dragging,
// reset by 0 or a double click. Without it, the picture and the list of values are complete.
'use strict';
(() => {
	const svg = document.querySelector('svg');
	const tips = JSON.parse(document.getElementById('values').textContent);
	const box = svg.viewBox.baseVal;
	const whole = [box.x, box.y, box.width, box.height];
	const reach = 14;
	const zoom_most = 60;
	const value = document.getElementById('value');
	const frame = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
	let now = -1;
	let drag = null;
	frame.setAttribute('class', 'here');
	frame.style.display = 'none';
	svg.append(frame);
	document.getElementById('help').hidden = false;

	const at = e => {
		const p = new DOMPoint(e.clientX, e.clientY).matrixTransform(svg.getScreenCTM().inverse());
		return [p.x, p.y];
	};
	const scale = () => box.width / whole[2];
	const show = k => {
		now = k;
		frame.style.display = k < 0 ? 'none' : '';
		value.textContent = k < 0 ? '' : tips[k][4];
		value.hidden = k < 0;
		if (k < 0)
			return;
		const [x0, y0, x1, y1] = tips[k];
		const pad = 3 * scale();
		frame.setAttribute('x', Math.min(x0, x1) - pad);
		frame.setAttribute('y', Math.min(y0, y1) - pad);
		frame.setAttribute('width', Math.abs(x1 - x0) + 2 * pad);
		frame.setAttribute('height', Math.abs(y1 - y0) + 2 * pad);
		frame.setAttribute('stroke-width', 1.5 * scale());
		const p = new DOMPoint(Math.max(x0, x1), Math.min(y0, y1)).matrixTransform(svg.getScreenCTM());
		const room = document.documentElement.clientWidth;
		value.style.left = Math.max(4, Math.min(p.x + 10, room - value.offsetWidth - 4)) + window.scrollX + 'px';
		value.style.top = Math.max(4, p.y - value.offsetHeight - 6) + window.scrollY + 'px';
	};
	// The nearest value; of two at the same distance, the smaller one, which is on top.
	const nearest = ([x, y]) => {
		let best = -1, least = reach * scale(), size = Infinity;
		tips.forEach(([x0, y0, x1, y1], k) => {
			const dx = Math.max(Math.min(x0, x1) - x, 0, x - Math.max(x0, x1));
			const dy = Math.max(Math.min(y0, y1) - y, 0, y - Math.max(y0, y1));
			const d = Math.hypot(dx, dy), area = Math.abs((x1 - x0) * (y1 - y0));
			if (d < least || d === least && area < size) {
				best = k;
				least = d;
				size = area;
			}
		});
		return best;
	};
	const set = (x, y, w) => {
		const wide = Math.min(whole[2], Math.max(whole[2] / zoom_most, w)), high = wide * whole[3] / whole[2];
		box.width = wide;
		box.height = high;
		box.x = Math.min(Math.max(x, whole[0]), whole[0] + whole[2] - wide);
		box.y = Math.min(Math.max(y, whole[1]), whole[1] + whole[3] - high);
	};
	const zoom = (factor, [x, y]) => {
		const w = Math.min(whole[2], Math.max(whole[2] / zoom_most, box.width * factor)), f = w / box.width;
		set(x - (x - box.x) * f, y - (y - box.y) * f, w);
		show(now);
	};
	svg.addEventListener('wheel', e => {
		e.preventDefault();
		zoom(e.deltaY < 0 ? 0.8 : 1.25, at(e));
	}, {passive: false});
	svg.addEventListener('pointerdown', e => {
		drag = [e.clientX, e.clientY, box.x, box.y];
		svg.setPointerCapture(e.pointerId);
	});
	svg.addEventListener('pointerup', () => { drag = null; });
	svg.addEventListener('pointercancel', () => { drag = null; });
	svg.addEventListener('pointermove', e => {
		if (!drag)
			return show(nearest(at(e)));
		const k = box.width / svg.getBoundingClientRect().width;
		show(-1);
		set(drag[2] - (e.clientX - drag[0]) * k, drag[3] - (e.clientY - drag[1]) * k, box.width);
	});
	svg.addEventListener('pointerleave', () => show(-1));
	svg.addEventListener('dblclick', () => set(...whole));
	document.addEventListener('keydown', e => {
		// The browser's shortcuts and the list's keys remain; the arrow keys scroll unless the picture has the focus.
		if (e.ctrlKey || e.metaKey || e.altKey || e.target !== svg && (e.target !== document.body || e.key.startsWith('Arrow')))
			return;
		const middle = [box.x + box.width / 2, box.y + box.height / 2];
		const step = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1}[e.key];
		if (step && tips.length)
			show((now + step + tips.length + (now < 0 && step < 0 ? 1 : 0)) % tips.length);
		else if (e.key === '+' || e.key === '-')
			zoom(e.key === '+' ? 0.8 : 1.25, middle);
		else if (e.key === '0' || e.key === 'Escape')
			set(...whole), show(-1);
		else
			return;
		e.preventDefault();
	});
})();
