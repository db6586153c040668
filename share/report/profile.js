// A flame graph shows all of its frames without this; a click makes a frame as wide as the graph.
for (const figure of document.querySelectorAll('.flame')) {
	figure.classList.add('zooms');
	figure.addEventListener('click', e => {
		const frame = e.target.closest('.flame-frame');
		if (!frame)
			return;
		figure.querySelectorAll('.zoomed, .aside').forEach(f => f.classList.remove('zoomed', 'aside'));
		for (let f = frame; f; f = f.parentElement.closest('.flame-frame')) {
			f.classList.add('zoomed');
			[...f.parentElement.children].filter(other => other !== f && other.classList.contains('flame-frame')).forEach(other => other.classList.add('aside'));
		}
	});
}
