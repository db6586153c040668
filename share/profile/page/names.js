// names.js: what the functions of a profile are called by those who wrote them. cellprofile
// evaluates this in the page after a cell, in a world of its own, which keeps what was read.
// In:  nodes, those of DevTools' profile; modules, {script: [source, [file, package]]} of those
//      that have no address on the server.
// Out: the nodes. In their callFrame are the url, lineNumber (from 0; -1: unknown) and functionName
//      of the source map, if there is one; else the package and its version of a script that was
//      minified; and script, where the browser has it.
(nodes, modules) => {
	const LIMIT_MS = 15000, MINIFIED = 500; // characters in a line
	const HASH = /[.-](?=[a-f]*\d)[0-9a-f]{8,}(?=\.)/g, ANONYMOUS = '(anonymous)';
	const scripts = globalThis.nbscopeScripts ??= new Map();
	const packages = globalThis.nbscopePackages ??= new Map();
	const limit = AbortSignal.timeout(LIMIT_MS);
	const read = url => fetch(url, {cache: 'force-cache', signal: limit})
		.then(answer => answer.ok ? answer : null).catch(() => null);
	const addressOf = (url, base) => {
		try {
			return new URL(url, base);
		} catch {
			return null;
		}
	};

	// ---- packages ----

	const config = (() => {
		try {
			const {textContent} = document.getElementById('jupyter-config-data');
			return JSON.parse(textContent);
		} catch {
			return {};
		}
	})();
	const versionOf = async folder => {
		const answer = await read(`${folder}/package.json`);
		return answer && answer.json().then(found => found.version).catch(() => null);
	};
	// Its name, its version if that is known, and the rest of the path.
	const packageOf = async ({origin, pathname}) => {
		const NAME = '((?:@[^/@]+/)?[^/@]+)', {fullStaticUrl: core} = config;
		const [, folder, name, path] = pathname.match(
			`^(.*/(?:lab/extensions|nbextensions)/${NAME})/(.+)$`) || [];
		if (name) {
			if (!packages.has(folder))
				packages.set(folder, versionOf(origin + folder));
			return {name, version: await packages.get(folder), path};
		}
		if (core && pathname.startsWith(`${core}/`))
			return {name: config.appName || 'JupyterLab', version: config.appVersion,
				path: pathname.slice(core.length + 1)};
		const [, released, version, rest] =
			pathname.match(`${NAME}@v?(\\d[^/@]*)/(.+)$`) || [];
		return released ? {name: released, version, path: rest} : null;
	};

	// ---- source maps ----

	const textOf = async url => {
		const data = /^data:[^,]*?(;base64)?,/.exec(url);
		if (!data)
			return (await read(url))?.text();
		const rest = url.slice(data[0].length);
		return data[1] ? new TextDecoder().decode(Uint8Array.from(atob(rest),
			c => c.charCodeAt(0))) : decodeURIComponent(rest);
	};
	const COMMENT = /^\s*\/[/*][#@] sourceMappingURL=(\S+?)(\s*\*\/)?\s*$/;
	const LONG_COMMENT = /\/\/# sourceMappingURL=(data:\S+)\s*$/;
	// Its sections, each with the place from which on it holds; [] without a map.
	const mapOf = async (text, header, base) => {
		const last = text.slice(-4096).trimEnd().split('\n').reverse()
			.map(line => COMMENT.exec(line)).find(Boolean) || LONG_COMMENT.exec(text);
		const url = (last && last[1]) || header;
		const address = url && (url.startsWith('data:') ? {href: url} :
			addressOf(url, base));
		if (!address)
			return [];
		try {
			const guard = /^\)\]\}'[^\n]*\n/;
			const map = JSON.parse((await textOf(address.href)).replace(guard, ''));
			return (map.sections || [{offset: {line: 0, column: 0}, map}])
				.filter(section => typeof section.map?.mappings === 'string')
				.map(({offset, map: of}) => ({offset, mappings: of.mappings,
					sources: of.sources, root: of.sourceRoot || '',
					names: of.names || [], texts: (of.sourcesContent || [])
						.map(source => source?.split('\n'))}));
		} catch {
			return [];
		}
	};
	const DIGITS = new Map([
		...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
	].map((c, i) => [c.charCodeAt(0), i]));
	// {line: [[column, source, line, column, name], ...]} for the wanted lines.
	const decode = (mappings, wanted) => {
		const lines = {}, now = [0, 0, 0, 0, 0];
		let row = 0, field = 0, value = 0, shift = 0;
		for (let i = 0; i <= mappings.length; i++) {
			const code = mappings.charCodeAt(i), digit = DIGITS.get(code);
			if (digit !== undefined) {
				value |= (digit & 31) << shift;
				shift += 5;
				if (digit < 32) {
					now[field++] += value & 1 ? -(value >>> 1) : value >>> 1;
					value = shift = 0;
				}
				continue;
			}
			if (field && wanted.has(row))
				(lines[row] ??= []).push(field < 4 ? [now[0]] :
					[...now.slice(0, 4), field > 4 ? now[4] : -1]);
			field = 0;
			if (code === 59) {
				row++;
				now[0] = 0;
			}
		}
		return lines;
	};
	// webpack://PACKAGE/./src/x.ts, ../src/x.ts, webpack:///./node_modules/d3/src/y.js?1a2b
	const sourceName = (source, owner) => {
		const path = source.replace(/^webpack:\/\/\/?/, '').replace(/\?[^/]*$/, '');
		const [, module] = path.match(/.*(?:^|\/)node_modules\/(.+)$/) || [];
		if (module || /^([a-z]+:\/)?\//.test(path))
			return module || path.replace(/^[a-z]+:\/\/[^/]*/, '');
		const [, name, rest] = path.match(/^(?:(.*?)\/)??(?:\.\.?\/)+(.*)$/) ||
			[null, null, path];
		const before = name ||
			(source.startsWith('webpack:') && rest === path ? '' : owner);
		return before ? `${before}/${rest}` : rest;
	};

	// ---- scripts ----

	// What only DevTools has: the driver's scripts, those of outputs, modules of widgets.
	const DRIVER = /\b__nbscope|\bcdc_/;
	const placeOf = (url, owner, address) => {
		if (/^(blob|data):/.test(url))
			return '(module)';
		if (!url || url === document.URL.split('#')[0])
			return '(inline script)';
		const path = owner ? `${owner.name}/${owner.path}` : address.pathname;
		return path.replace(HASH, '');
	};
	const readScript = async (script, url) => {
		const address = addressOf(url), [source, module] = modules[script] || [];
		if (!address && (url || source === undefined))
			return {};
		if (DRIVER.test(source || ''))
			return {file: '(driver)'};
		const answer = source === undefined && /^(http|data)/.test(url) && await read(url);
		const text = source ?? (answer ? await answer.text() : '');
		const header = answer && (answer.headers.get('SourceMap') ||
			answer.headers.get('X-SourceMap'));
		const sections = await mapOf(text, header, address?.href);
		const owner = module || !address ? null : await packageOf(address);
		const lines = text.split('\n');
		return {
			sections, lines: sections.length ? lines : [],
			minified: new Set(lines.flatMap((line, i) =>
				line.length > MINIFIED || (owner && !text) ? [i] : [])),
			release: module ? module[1] :
				owner && [owner.name, owner.version].filter(Boolean).join(' '),
			owner: module ? module[1]?.split(' ')[0] : owner?.name,
			file: module ? module[0] : placeOf(url, owner, address),
		};
	};
	const KEYWORD = /^(async|await|catch|for|function|if|return|switch|while|with)$/;
	// At or before this place of a source: function NAME, NAME(, NAME = (, NAME: (
	const nameAt = (lines, line, column) => {
		const source = lines?.[line] || '';
		const before = source.slice(0, column), after = source.slice(column);
		const value =
			/([\w$]+)\s*(?::[^=;]*=|[=:])\s*(?:async\s*)?(?:function\s*\*?\s*)?\(?$/;
		const [, name] = /^(?:async\s+)?function\s*\*?\s*([\w$]+)/.exec(after) ||
			value.exec(before) ||
			(after[0] === '(' && /([\w$]+)\s*$/.exec(before)) ||
			/^(?:async\s+)?([\w$]+)\s*\(.*\{\s*$/.exec(after) || [];
		return !name || KEYWORD.test(name) ? '' : name;
	};
	const mapped = (of, decoded, frame) => {
		const {lineNumber: line, columnNumber: column, functionName: name} = frame;
		const at = of.sections.findLastIndex(({offset: o}) =>
			o.line < line || (o.line === line && o.column <= column));
		const section = of.sections[at];
		if (!section)
			return null;
		const row = line - section.offset.line;
		const list = decoded[at][row] || [], shift = row ? 0 : section.offset.column;
		const i = list.findLastIndex(segment => segment[0] + shift <= column);
		const [, source, lineNumber, sourceColumn] = list[i] || [];
		if (source === undefined)
			return null;
		// What the bundler calls it is before its parameters.
		const [word] = name.match(/[\w$]*$/), text = of.lines[line] || '';
		const isWord = from => text.startsWith(word, from) &&
			!/[\w$]/.test(text[from + word.length] || '');
		const named = word && list.slice(Math.max(0, i - 8), i + 1)
			.findLast(segment => segment[4] >= 0 && isWord(segment[0] + shift));
		const functionName = (named && section.names[named[4]]) || (word.length < 3 &&
			nameAt(section.texts[source], lineNumber, sourceColumn)) ||
			name || ANONYMOUS;
		return {url: sourceName(section.root + (section.sources[source] || ''), of.owner),
			lineNumber, functionName};
	};
	// V8 puts before a name what it is a member of, of which a bundler has left nothing.
	const bareName = name => name.replace(/^.*\.(?=[\w$]+$)/, '');
	const nameAll = async (script, frames) => {
		const {url} = frames[0];
		if (!scripts.has(script))
			scripts.set(script, readScript(script, url));
		const of = await scripts.get(script);
		const decoded = (of.sections || []).map(({offset, mappings}) =>
			decode(mappings, new Set(frames.map(f => f.lineNumber - offset.line))));
		const {pathname, protocol} = addressOf(url) || {};
		for (const frame of frames) {
			const {lineNumber, columnNumber, functionName: name} = frame;
			const release = of.minified?.has(lineNumber) && of.release;
			Object.assign(frame, {script: protocol?.startsWith('http') ?
				`${pathname}:${lineNumber + 1}:${columnNumber + 1}` : null},
			(of.sections && mapped(of, decoded, frame)) || {
				url: release || of.file || url,
				lineNumber: release ? -1 : lineNumber,
				functionName: (release ? bareName(name) : name) || ANONYMOUS,
			});
		}
	};
	const byScript = new Map();
	for (const node of nodes) {
		delete node.positionTicks; // lines of what the bundler made
		const {scriptId, lineNumber} = node.callFrame;
		if (lineNumber >= 0 && !byScript.has(scriptId))
			byScript.set(scriptId, []);
		byScript.get(scriptId)?.push(node.callFrame);
	}
	return Promise.all([...byScript].map(([script, frames]) =>
		nameAll(script, frames).catch(() => null))).then(() => nodes);
}
