// A flame graph shows all of its frames without this; a click makes a frame as wide as the graph.
for (const figure of document.querySelectorAll('.flame')) {
	const frames = Array.from(figure.querySelectorAll('svg > svg'), svg => ({
		svg, x: parseFloat(svg.getAttribute('x')), y: parseFloat(svg.getAttribute('y')),
		width: parseFloat(svg.getAttribute('width')),
		name: svg.querySelector('title').textContent.replace(/: [^:]*$/, ''),
	}));
	const zoom = to => {
		for (const {svg, x, y, width, name} of frames) {
			const left = 100 * (x - to.x) / to.width, wide = 100 * width / to.width;
			const above = y < to.y && x <= to.x && x + width >= to.x + to.width - 0.01;
			svg.setAttribute('x', `${above ? 0 : left}%`);
			svg.setAttribute('width', `${above ? 100 : wide}%`);
			svg.style.display = above || y >= to.y && left > -0.01 && left < 99.99 ? '' : 'none';
			if (!svg.querySelector('text') && wide > 1.5) {
				const text = document.createElementNS(svg.namespaceURI, 'text');
				text.setAttribute('x', '3');
				text.setAttribute('y', '13');
				text.textContent = name;
				svg.append(text);
			}
		}
	};
	figure.classList.add('zooms');
	for (const frame of frames)
		frame.svg.addEventListener('click', () => zoom(frame));
}
