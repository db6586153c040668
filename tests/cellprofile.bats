# bats file_tags=quick
# cellprofile with a driver that has no kernel; with real ones: explain.bats, scorep.bats.
load helpers

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	python3 "$ROOT/tests/nb.py" nb.ipynb <<<'[("code", "1"), ("code", "2", ["profile"])]'
}

# hooked PROFILERS CELLS ANSWER...: what the hook sends to a driver that replies with these.
hooked() {
	jq -nc --argjson p "$1" --argjson c "$2" '{profilers: $p, cells: $c, functions: [], overlay: null}' >settings.json
	shift 2
	printf '%s\n' "$@" >answers
	run cellprofile settings.json python3 "$ROOT/tests/hooked.py" nb.ipynb answers
	status_is 0
}

@test "it ends with the status of its command, and writes nothing of its own" {
	echo '{"profilers": []}' >settings.json
	run cellprofile settings.json sh -c 'exit 7'
	[ "$status/$output" = 7/ ]
	run cellprofile settings.json sh -c 'kill -9 $$'
	status_is 137
	run -127 cellprofile settings.json nosuch
}

@test "a file that is not one of settings is named, with the place" {
	run cellprofile none.json true
	status_is 4
	has "cannot read 'none.json'"
	echo '{"profilers": [}' >settings.json
	run cellprofile settings.json true
	status_is 3
	has 'settings.json:1:16: '
	echo '{"profilers": "lines"}' >settings.json
	run cellprofile settings.json true
	status_is 3
	has 'settings.json:1:1: no list of "profilers"'
}

@test "a selected cell is marked, and the kernel's records become those of the run" {
	hooked '["functions"]' '[1]' '{"type": "answer", "data": {}, "reason": null}' '{"type": "answer", "data": {}, "reason": null}' \
		'{"type": "answer", "data": "{\"type\": \"profile\", \"cell_index\": 1}\nno record\n", "reason": null}' '{"type": "answer", "data": "", "reason": null}'
	run -0 jq -c '[.type, .mark // .record // .settings.profile.profilers]' < <(grep '^{' <<<"$output")
	has '["done",["functions"]]
["evaluate",null]
["done",null]
["evaluate",null]
["done",null]
["done","profiler"]
["evaluate",null]
["evaluate",null]'
	has '["record",{"type":"profile","cell_index":1}]
["done",null]'
}

@test "a cell that is not selected has no mark" {
	hooked '["functions"]' null '{"type": "answer", "data": {}, "reason": null}' '{"type": "answer", "data": {}, "reason": null}' \
		'{"type": "answer", "data": "", "reason": null}'
	[ "$(grep -c '"mark"' <<<"$output")" = 0 ]
}

@test "what cannot be profiled has a record with the reason" {
	hooked '["lines", "stacks", "browser"]' '[1]' '{"type": "answer", "data": null, "reason": "no Python"}'
	run -0 jq -c 'select(.record) | .record | [.profiler, .reason]' < <(grep "^{" <<<"$output")
	has '["stacks","the kernel'"'"'s process is not on this machine"]
["browser","no browser ran (kernelrun)"]
["lines","no Python"]'
}

@test "a driver whose hook has ended ends, and says why" {
	echo '{"profilers": []}' >settings.json
	run cellprofile settings.json sh -c 'kill -9 $(ps --ppid $PPID -o pid=,comm= | awk "\$2 == \"cellprofile\" { print \$1 }"); exec kernelrun --skip x nb.ipynb'
	status_is 4
	has 'CELL_HOOK'
	run env CELL_HOOK=77 kernelrun --skip x nb.ipynb
	status_is 2
	has "CELL_HOOK must be numbers of open sockets, not '77'"
}

@test "each profiler of the table has a paragraph in the manual, and each of the kernel its file" {
	run -0 awk '!/^#/ { print $1 }' "$ROOT/share/profile/profilers"
	[ "$(sed -n '/^.Sh PROFILERS/,/^.Sh ENV/s/^\.It Cm //p' "$ROOT/man/cellprofile.1")" = "$output"$'\nleaks' ]
	for name in $(awk '$2 == "kernel" { print $1 }' "$ROOT/share/profile/profilers"); do
		grep -q "^PROFILERS\\[\"$name\"\\] = " "$ROOT/share/profile/$name.py"
	done
}

@test "no two files that become the one module of profilers define the same name" {
	run -0 python3 - "$ROOT"/share/profile/*.py "$ROOT"/share/ipython/nbscope/{tracing,rules/collect}.py <<-'P'
		import ast, collections, sys
		names = collections.defaultdict(set)
		for path in sys.argv[1:]:
		    for node in ast.parse(open(path).read()).body:
		        targets = [t for target in getattr(node, "targets", ()) for t in ast.walk(target)]
		        for name in [getattr(node, "name", None)] + [getattr(t, "id", None) for t in targets if isinstance(getattr(t, "ctx", None), ast.Store)]:
		            names[name].add(path)
		print({name: paths for name, paths in names.items() if name and len(paths) > 1})
	P
	[ "$output" = '{}' ] || has 'each name once'
}
