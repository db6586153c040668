# bats file_tags=quick
load helpers

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	mkdir -p runs/current executed/current notebooks files/data
	ln -s ../../settings runs/current/.settings
	echo 'answer = 43' >files/helpers.py
	echo 1,2 >files/data/x.csv
	printf 'settle_ms=300\nviz_selector=\nenvironment=e1\n' >settings
	for n in a b; do
		notebook "$n" 'print(1)'
	done
}

# notebook NAME SOURCE [KERNEL]
notebook() {
	jq -nc --arg s "$2" --arg k "${3:-python3}" '{cells: [{cell_type: "code", id: "c", metadata: {}, outputs: [], execution_count: null, source: $s}],
		metadata: {kernelspec: {name: $k, display_name: $k}, nbscope: {params: {a: 1}}}, nbformat: 4, nbformat_minor: 5}' >"notebooks/$1.ipynb"
}
combination() { printf '{"type":"combination","usecase":"u","name":"%s","params":{}%s}\n' "$1" "${2:-}"; }
# ran NAME [SUFFIX [STATUS]]: a run of it, as it is made now.
ran() {
	cellrun --made-from "$(made_from . "$1")" --skip x "notebooks/$1.ipynb" | sed "s/\"status\":\"skipped\"/\"status\":\"${3:-completed}\"/" >"runs/current/$1${2:-}.jsonl"
	cp "notebooks/$1.ipynb" "executed/current/$1${2:-}.ipynb"
}
# states [OPTION...]: "name repetition state reason" of each run of a and b.
states() {
	{ combination a; combination b; } | runplan "$@" . - 2>err |
		jq -r 'select(.type == "run_plan") | [.name, .repetition // "film", .state, .reason // "-"] | join(" ")'
}
both() {
	run states
	[ "$output" = "a 1 $1"$'\n'"b 1 $2" ] || has "$1, $2"
}

@test "a run is current while nothing that it was made from is other, and missing before" {
	both 'missing -' 'missing -'
	ran a
	both 'current -' 'missing -'
	combination a >one
	run -0 runplan . one
	run -1 runplan . <(combination b)
}

@test "dates make nothing stale, nor does what was edited and restored" {
	ran a
	ran b
	touch notebooks/* files/helpers.py settings
	touch -d 1999-01-01 runs/current/*
	both 'current -' 'current -'
	cp -p files/helpers.py kept
	echo '# edited' >>files/helpers.py
	both 'stale files/' 'stale files/'
	cp kept files/helpers.py
	both 'current -' 'current -'
}

@test "what differs is named: the notebook, a file, its name, a setting, the packages, or all of these" {
	ran a
	ran b
	notebook a 'print(2)'
	both 'stale template or parameters' 'current -'
	ran a
	mv files/data/x.csv files/data/y.csv
	both 'stale files/' 'stale files/'
	mv files/data/y.csv files/data/x.csv
	mkdir files/empty
	both 'stale files/' 'stale files/'
	rmdir files/empty
	mkdir files/__pycache__
	both 'current -' 'current -'
	printf 'settle_ms=700\ncores=2\nenvironment=e1\n' >settings
	both 'stale setting settle_ms 300 -> 700, setting cores unset -> 2' 'stale setting settle_ms 300 -> 700, setting cores unset -> 2'
	printf 'settle_ms=300\nenvironment=e2\n' >settings
	both 'stale packages' 'stale packages'
	notebook a 'print(3)'
	printf 'settle_ms=1\nenvironment=\n' >settings
	both 'stale template or parameters, packages, setting settle_ms 300 -> 1' 'stale packages, setting settle_ms 300 -> 1'
}

@test "the kernel is a setting: by name, whether the notebook or the settings name it" {
	ran a
	echo kernel=python3 >>settings
	both 'current -' 'missing -'
	notebook a 'print(1)' xpython
	both 'current -' 'missing -'
	sed -i '/^kernel/d' settings
	both 'stale setting kernel python3 -> xpython' 'missing -'
}

@test "a file that is empty, truncated or no run is damaged: named, counted as missing and a reason to run" {
	ran a
	ran b
	: >runs/current/a.jsonl
	both 'damaged empty' 'current -'
	[ "$(cat err)" = "runplan: './runs/current/a.jsonl' is damaged: empty; make profile LABEL=current makes it again" ]
	sed -i '$d' runs/current/b.jsonl
	both 'damaged empty' 'damaged no run_end record at its end'
	echo '{"type":"cell"}' >runs/current/b.jsonl
	both 'damaged empty' 'damaged no run record at its beginning'
	rm runs/current/b.jsonl
	mkdir runs/current/b.jsonl
	both 'damaged empty' 'damaged not a regular file'
	ran a
	head -c 300 runs/current/a.jsonl >cut && mv cut runs/current/a.jsonl
	both 'damaged no run record at its beginning' 'damaged not a regular file'
	# Both ends are there, but not all between them: a full disk or a crash left a gap.
	ran a
	sed -i '2s/.*/{"type":"cell","t":1/' runs/current/a.jsonl
	both 'damaged line 2 is no record' 'damaged not a regular file'
	grep -qF "runplan: './runs/current/a.jsonl' is damaged: line 2 is no record" err
	ran a
	printf '{"type":"sample","t":17' >>runs/current/a.jsonl
	both "damaged line $(($(wc -l <runs/current/a.jsonl) + 1)) is no record" 'damaged not a regular file'
}

@test "an executed notebook that is gone, empty, cut off or another file is recorded, and made again when asked" {
	executed() {
		run -0 jq -r 'select(.name == "a" and .run).executed_state' <(combination a | runplan "$@" . -)
	}
	ran a
	executed
	[ "$output" = current ]
	for how in rm 'truncate -s 0' 'truncate -s 200' 'cp files/helpers.py'; do
		cp notebooks/a.ipynb executed/current/a.ipynb
		$how executed/current/a.ipynb
		executed
		[ "$output" = damaged ] || [ "$how$output" = rmmissing ] || has "$how"
		both 'current -' 'missing -'
		run states --rerun failed
		has 'a 1 rerun requested again'
	done
	# One that ended early may have none.
	ran a '' failed
	rm executed/current/a.ipynb
	executed
	[ "$output" = null ]
}

@test "a label's own settings are whole, or named as damaged with the way out" {
	ran a
	cp settings kept
	head -c 40 /dev/zero >zeros
	for how in 'truncate -s 0' 'truncate -s 30' 'cp files/helpers.py' 'cp zeros'; do
		cp kept settings
		$how settings
		run -3 runplan . <(combination a)
		[ "$output" = "runplan: './runs/current/.settings' is damaged: make profile LABEL=current writes it again" ] || has "$how"
	done
}

@test "a run that does not say what it was made from, and one without a notebook, are stale" {
	cellrun --skip x notebooks/a.ipynb >runs/current/a.jsonl
	ran b
	rm notebooks/b.ipynb
	both 'stale no record of what it was made from' 'stale the notebook no longer exists'
}

@test "repetitions and the film are required as asked; what else is on disk is added, and only that of a combination" {
	ran a
	ran a @2
	ran a @10
	ran a @film
	touch runs/current/a@01.jsonl runs/current/a@x.jsonl runs/current/a-2.jsonl runs/current/c.jsonl runs/current/.a.jsonl
	cat runs/current/.settings >kept
	printf ':repeat=2\n:screenshots=film\n' >>settings
	run states
	[ "$output" = $'a 1 current -\na 2 current -\na film current -\na 10 current -\nb 1 missing -\nb 2 missing -\nb film missing -' ] || has seven
	cat kept >settings
	echo :repeat=0 >>settings
	run states
	[ "$output" = $'a 1 current -\na 10 current -\na 2 current -\na film current -' ] || has four
	cat kept >settings
	run bash -c "$(declare -f combination); { combination a ',\"selected\":false'; combination b ',\"selected\":true'; } |
		runplan . - | jq -r 'select(.run) | [.name, .repetition, .required] | join(\" \")'"
	[ "$output" = $'a 1 false\na 10 false\na 2 false\na  false\nb 1 true' ] || has five
}

@test "a run that is asked for again is so until another is in its place" {
	ran a
	ran b '' failed
	run states --rerun failed
	[ "$output" = $'a 1 current -\nb 1 rerun requested again' ] || has b
	run states --rerun all
	[ "$output" = $'a 1 rerun requested again\nb 1 rerun requested again' ] || has both
	{ combination a; combination b; } | runplan --rerun failed . - | jq -c 'select(.state == "rerun")' >runs/current/.rerun
	both 'current -' 'rerun requested again'
	ran b
	both 'current -' 'current -'
}

@test "a list of such runs that was cut off is named, and what is left of it counts" {
	ran a
	ran b
	{ combination a; combination b; } | runplan --rerun all . - | jq -c 'select(.state == "rerun")' >runs/current/.rerun
	truncate -s -20 runs/current/.rerun
	run states
	has 'a 1 rerun requested again'
	has 'b 1 current -'
	[ "$(cat err)" = "runplan: './runs/current/.rerun' is damaged: line 2, which names a run to make again, is ignored" ]
}

@test "all else passes byte for byte, the combination after its states" {
	{ combination a; echo '{"type":"other", "x" : 1.0 }'; combination b; } >in
	run -1 runplan . in
	grep -v run_plan <<<"$output" | cmp - in
	[ "$(jq -r .type <<<"$output" | paste -sd,)" = run_plan,combination,other,run_plan,combination ]
	run "$ROOT/build/testvenv/bin/python" "$ROOT/tests/validate" --strict <(ran a; states >/dev/null; combination a | runplan . -)
	status_is 0
}

@test "files that did not change are not read again" {
	ran a
	head -c 1000000 /dev/zero >files/data/big
	# Dates must be old enough to be distinguished from a later change.
	read -r -t 2.1 <> <(:) || true
	local cache=runs/current/.digests good
	run states
	has 'a 1 stale files/'
	jq -e 'keys | length == 6' $cache
	# It believes what is remembered of a file that is as it was.
	good=$(made_from . a)
	jq -c 'map_values(sub(" [0-9a-f]{64}"; " " + "0" * 64))' $cache >forged && mv forged $cache
	[ "$(made_from . a)" != "$good" ]
	touch files/helpers.py files/data/* notebooks/a.ipynb
	[ "$(made_from . a)" = "$good" ]
	# What is gone is forgotten, and a damaged cache is replaced.
	rm files/data/big
	read -r -t 2.1 <> <(:) || true
	made_from . a
	run ! grep -q big $cache
	echo '{' >$cache
	made_from . a
	jq -e length $cache
}

@test "links are followed to files and folders, as when they are copied for the notebook" {
	ran a
	mkdir elsewhere
	echo 1,2 >elsewhere/x.csv
	rm -r files/data
	ln -s ../elsewhere files/data
	both 'current -' 'missing -'
	echo 3,4 >elsewhere/x.csv
	both 'stale files/' 'missing -'
	ln -s ../files files/files
	run -4 runplan . <(combination a)
	has 'Too many levels of symbolic links'
}

@test "bad input is named" {
	for bad in '{' '[]' '{"type":"combination"}' '{"type":"combination","name":"a/b"}' '{"type":"combination","name":7}'; do
		echo "$bad" >bad
		run -3 runplan . bad
		has 'runplan: bad:1:'
	done
	combination a >in
	echo '{' >notebooks/a.ipynb
	run -3 runplan . in
	has "runplan: ./notebooks/a.ipynb:"
	notebook a x
	echo settle >other
	run -3 runplan --settings other . in
	has 'runplan: other:1:1: not NAME=VALUE'
	run -4 runplan --settings none . in
	run -2 runplan
	run -2 runplan . in in
	run -2 runplan --rerun some . in
	run -2 runplan --specs in . in
	echo '{"type":"x","name":"a"}' >specs
	run -3 runplan --profile lines --specs specs . in
	has 'runplan: specs:1:1: no "name" or no "spec"'
	echo ':memory_bytes=1 +' >>settings
	run -2 runplan . in
	run bash -c 'runplan . in >/dev/full'
	[ "$status" -ne 0 ]
}

# words OF: the command of the first run of a, its Nth program, one word per line.
words() {
	combination a "${2:-}" | runplan . - | jq -r --argjson n "$1" 'select(.run).command[$n][]' | head -n 60
}

@test "the command has the settings, files and places of the run as arguments" {
	printf '%s\n' --settle-ms=700 'viz_selector=' --viz-selector=".it's" cold=1 remote_samples=1 sample_interval=20 window=800x600 :screenshots=1 environment= >settings
	run words 0
	[ "${lines[*]:0:8}" = 'wdsession --early --window 800x600 remotesample --interval 20 cellrun' ]
	has $'--settle-ms\n700\n--viz-selector\n.it\'s\n--cold\n--noise\n./notebooks/a.ipynb'
	has $'--with-file\n./files\n--executed\n./executed/current/a.ipynb\n--screenshots\n./screenshots/current/a'
	[ "$(words 1 | paste -sd' ')" = 'procsample --interval 20' ]
	[ "$(words 3 | paste -sd' ')" = 'runkeep ./runs/current/a.jsonl' ]
	combination a | runplan . - | head -n 1 | jq -e '.made_from.settings == {settle_ms: "700", viz_selector: ".it\u0027s",
		cold: "1", remote_samples: "1", sample_interval: "20", window: "800x600", kernel: "python3"}'
	# Quoted for a shell, it is the same.
	eval "set -- $(combination a | runplan --commands . - | sed 's/ | .*//; s/^labserve //')"
	[ "$(printf '%s\n' "$@")" = "$(words 0)" ]
}

@test "without a page, without samples, on a slow link or with too little memory the command is another" {
	printf 'browser=none\nenvironment=\n' >settings
	[ "$(words 0 | head -n 1)" = kernelrun ]
	printf 'sample_interval=0\nenvironment=\n' >settings
	[ "$(words 1)" = runbar ]
	echo environment= >settings
	printf '{"type":"combination","name":"a","params":{"ui_network_throttling":2.5}}\n' | runplan . - >plan || [ $? = 1 ]
	run -0 jq -c 'select(.run).command[0][:4]' plan
	[ "$output" = '["netshape","--down","2.5","wdsession"]' ]
	echo '{"type":"profile_spec","name":"a","spec":{"profilers":["whatif"],"cells":[1],"functions":[],"delays":[],"down":10,"latency":20}}' >specs
	run -0 jq -c 'select(.run).command[0][:6]' <(combination a | runplan --profile whatif-data-1 --specs specs . -)
	[ "$output" = '["netshape","--down","10","--latency","20","wdsession"]' ]
	printf ':memory_bytes=1e30\nenvironment=\n' >settings
	run -0 jq -c 'select(.run) | [.memory_bytes, (.skip | test("^needs 1000000000000.0 EB of memory, this machine has .* .B$")), .command[0][:2], .command[1]]' <(combination a | runplan . -)
	[ "$output" = '[1e+30,true,["cellrun","--skip"],["runbar"]]' ] || has it
}

@test "gestures that are performed belong to what a run is made from, and are performed around its driver" {
	local plain gesture='{"after_cell":1,"gesture":"click","on":{"role":"button"}}'
	ran a
	plain=$(made_from . a)
	echo "$gesture" >interactions.jsonl
	both 'stale interactions.jsonl' 'missing -'
	[[ "$(words 0 | paste -sd' ')" == 'wdsession --early cellinteract --screenshots ./screenshots/current/a ./interactions.jsonl cellrun '* ]]
	ran a
	both 'current -' 'missing -'
	echo "$gesture" >>interactions.jsonl
	both 'stale interactions.jsonl' 'missing -'
	ran a
	# The plan in a file is made again when they change.
	combination a >in
	run -0 runplan -o plan . in
	echo "$gesture" >interactions.jsonl
	run -1 runplan -o plan . in
	cp settings usual
	printf '%s\n' :interactions=fast environment= settle_ms=300 >settings
	[[ "$(words 0 | paste -sd' ')" == 'wdsession --early cellinteract --pace fast --screenshots ./screenshots/current/a ./interactions.jsonl cellrun '* ]]
	both 'stale interactions.jsonl, packages, setting interactions unset -> fast' 'missing -'
	# None is performed: a run is as without the file.
	for none in :interactions=0 browser=none; do
		{ cat usual; echo "$none"; } >settings
		[[ "$(words 0 | paste -sd' ')" != *cellinteract* ]]
		made_from . a | jq -e --argjson plain "$plain" 'del(.settings.browser) == $plain'
	done
	cp usual settings
	rm interactions.jsonl
	both 'stale interactions.jsonl' 'missing -'
	[ "$(made_from . a)" = "$plain" ]
	# A profiler pass performs them, too; a notebook that is skipped does not.
	echo "$gesture" >interactions.jsonl
	echo '{"type":"x","name":"a","spec":{"profilers":["lines"],"cells":[2],"functions":[],"overlay":null}}' >specs
	runplan --profile lines --specs specs . in >plan || [ $? = 1 ]
	run -0 jq -r 'select(.run).command[0] | index("cellinteract") - index("cellprofile")' plan
	[ "$output" = 2 ]
	printf ':memory_bytes=1e30\nenvironment=\n' >settings
	[[ "$(words 0 | paste -sd' ')" == 'cellrun --skip '* ]]
}

@test "a profile run is planned with what to find, and stale when that is other" {
	local spec='{"type":"profile_spec","name":"a","spec":{"profilers":["lines"],"cells":[2],"functions":["f"],"overlay":null}}'
	echo "$spec" >specs
	{ combination a; combination b; } >in
	runplan --profile lines --specs specs . in >plan || [ $? = 1 ]
	run -0 jq -c 'select(.run) | [.name, .profile, .run, .made_from.settings.profile_cells, .profile_files]' plan
	[ "$output" = '["a","lines","./runs/current/a@profile-lines.jsonl","[2]","./profiles/current/a@profile-lines"]' ] || has one
	run -0 jq -c 'select(.run).command[0] | .[index("cellprofile") + 1]' plan
	run -0 jq -c .functions "$(jq -r . <<<"$output")"
	[ "$output" = '["f"]' ]
	cellrun --skip x --made-from "$(jq -c 'select(.run).made_from' plan)" notebooks/a.ipynb | sed 's/"status":"skipped"/"status":"completed"/' >runs/current/a@profile-lines.jsonl
	run -0 runplan --profile lines --specs specs . in
	run -0 jq -c 'select(.profile) | [.usable, .required]' <(runplan . in)
	[ "$output" = '[true,false]' ]
	sed 's/\[2\]/[3]/' specs >other
	run -1 runplan --profile lines --specs other . in
	has 'setting profile_cells [2] -> [3]'
	run -0 jq -c 'select(.profile) | .usable' <(runplan . in)
	[ "$output" = false ]
}

@test "the plan is written again only if it is another" {
	combination a >in
	runplan --output plan . in || [ $? = 1 ]
	touch -d 2000-01-01 plan
	runplan --output plan . in || [ $? = 1 ]
	[ "$(stat -c %Y plan)" -lt 1000000000 ]
	truncate -s -1 plan
	touch -d 2000-01-01 plan
	runplan --output plan . in || [ $? = 1 ]
	[ "$(stat -c %Y plan)" -gt 1000000000 ]
	cmp plan <(runplan . in)
}

@test "a plan that is kept is made again once a hidden file next to the notebooks is other" {
	echo 1 >files/.hidden
	ran a
	combination a >in
	sleep 2.1	# dates are trusted when they are older than their resolution
	runplan --output runs/current/plan . in
	[ -s runs/current/.planned ]
	echo 2 >files/.hidden
	run -1 runplan --output runs/current/plan . in
	run -0 jq -r 'select(.type == "run_plan").reason' runs/current/plan
	[ "$output" = files/ ] || has files/
}
