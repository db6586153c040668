# bats file_tags=quick
load helpers

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	mkdir -p runs notebooks files/data
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
made_from() { runstale --made-from --with-file files --settings settings "notebooks/$1.ipynb"; }
# ran NAME [SUFFIX [STATUS]]: a run of it, as it is made now.
ran() {
	cellrun --made-from "$(made_from "$1")" --skip x "notebooks/$1.ipynb" | sed "s/\"status\":\"skipped\"/\"status\":\"${3:-completed}\"/" >"runs/$1${2:-}.jsonl"
}
# states [OPTION...]: "name repetition state reason" of each run of a and b.
states() {
	{ combination a; combination b; } | runstale --runs runs --notebooks notebooks --with-file files --settings settings "$@" 2>err |
		jq -r 'select(.type == "run_state") | [.name, .repetition // "film", .state, .reason // "-"] | join(" ")'
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
	run -0 runstale --runs runs --notebooks notebooks --with-file files --settings settings one
	run -1 runstale --runs runs --notebooks notebooks --with-file files --settings settings <(combination b)
}

@test "dates make nothing stale, nor does what was edited and restored" {
	ran a
	ran b
	touch notebooks/* files/helpers.py settings
	touch -d 1999-01-01 runs/*
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
	echo settle_ms=1 >settings
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
	: >runs/a.jsonl
	both 'damaged empty' 'current -'
	[ "$(cat err)" = "runstale: 'runs/a.jsonl' is damaged: empty" ]
	sed -i '$d' runs/b.jsonl
	both 'damaged empty' 'damaged no run_end record at its end'
	echo '{"type":"cell"}' >runs/b.jsonl
	both 'damaged empty' 'damaged no run record at its beginning'
	rm runs/b.jsonl
	mkdir runs/b.jsonl
	both 'damaged empty' 'damaged not a regular file'
	ran a
	head -c 300 runs/a.jsonl >cut && mv cut runs/a.jsonl
	both 'damaged no run record at its beginning' 'damaged not a regular file'
	# Both ends are there, but not all between them: a full disk or a crash left a gap.
	ran a
	sed -i '2s/.*/{"type":"cell","t":1/' runs/a.jsonl
	both 'damaged line 2 is no record' 'damaged not a regular file'
	grep -qF "runstale: 'runs/a.jsonl' is damaged: line 2 is no record" err
	ran a
	printf '{"type":"sample","t":17' >>runs/a.jsonl
	both "damaged line $(($(wc -l <runs/a.jsonl) + 1)) is no record" 'damaged not a regular file'
}

@test "a run that does not say what it was made from, and one without a notebook, are stale" {
	cellrun --skip x notebooks/a.ipynb >runs/a.jsonl
	ran b
	rm notebooks/b.ipynb
	both 'stale no record of what it was made from' 'stale the notebook no longer exists'
}

@test "repetitions and the film are required as asked; --all adds what else is on disk, and only that of a combination" {
	ran a
	ran a @2
	ran a @10
	ran a @film
	touch runs/a@01.jsonl runs/a@x.jsonl runs/a-2.jsonl runs/c.jsonl runs/.a.jsonl
	run states --repeat 2 --film
	[ "$output" = $'a 1 current -\na 2 current -\na film current -\nb 1 missing -\nb 2 missing -\nb film missing -' ] || has six
	run states --repeat 0 --all
	[ "$output" = $'a 1 current -\na 10 current -\na 2 current -\na film current -' ] || has four
	run bash -c "$(declare -f combination); { combination a ',\"selected\":false'; combination b ',\"selected\":true'; } |
		runstale --runs runs --notebooks notebooks --with-file files --settings settings --all | jq -r 'select(.run) | [.name, .repetition, .required] | join(\" \")'"
	[ "$output" = $'a 1 false\na 10 false\na 2 false\na  false\nb 1 true' ] || has five
}

@test "a run that is asked for again is so until another is in its place" {
	ran a
	ran b '' failed
	run states --rerun failed
	[ "$output" = $'a 1 current -\nb 1 rerun requested again' ] || has b
	run states --rerun all
	[ "$output" = $'a 1 rerun requested again\nb 1 rerun requested again' ] || has both
	{ combination a; combination b; } | runstale --runs runs --notebooks notebooks --with-file files --settings settings --rerun failed | jq -c 'select(.state == "rerun")' >runs/.rerun
	both 'current -' 'rerun requested again'
	ran b
	both 'current -' 'current -'
}

@test "a list of such runs that was cut off is named, and what is left of it counts" {
	ran a
	ran b
	{ combination a; combination b; } | runstale --runs runs --notebooks notebooks --with-file files --settings settings --rerun all | jq -c 'select(.state == "rerun")' >runs/.rerun
	truncate -s -20 runs/.rerun
	run states
	has 'a 1 rerun requested again'
	has 'b 1 current -'
	[ "$(cat err)" = "runstale: 'runs/.rerun' is damaged: line 2, which names a run to make again, is ignored" ]
}

@test "all else passes byte for byte, the combination after its states" {
	{ combination a; echo '{"type":"other", "x" : 1.0 }'; combination b; } >in
	run -1 runstale --runs runs --notebooks notebooks in
	grep -v run_state <<<"$output" | cmp - in
	[ "$(jq -r .type <<<"$output" | paste -sd,)" = run_state,combination,other,run_state,combination ]
	run "$ROOT/build/testvenv/bin/python" "$ROOT/tests/validate" --strict <(ran a; states >/dev/null; combination a | runstale --runs runs --notebooks notebooks --with-file files --settings settings -a)
	status_is 0
}

@test "files that did not change are not read again" {
	ran a
	head -c 1000000 /dev/zero >files/data/big
	# Dates must be old enough to be distinguished from a later change.
	read -r -t 2.1 <> <(:) || true
	run states --cache notebooks/.digests
	has 'a 1 stale files/'
	jq -e 'keys | length == 6' notebooks/.digests
	# It believes what is remembered of a file that is as it was.
	good=$(runstale --made-from --with-file files --cache notebooks/.digests notebooks/a.ipynb)
	jq -c 'map_values(sub(" [0-9a-f]{64}"; " " + "0" * 64))' notebooks/.digests >forged && mv forged notebooks/.digests
	[ "$(runstale --made-from --with-file files --cache notebooks/.digests notebooks/a.ipynb)" != "$good" ]
	touch files/helpers.py files/data/* notebooks/a.ipynb
	[ "$(runstale --made-from --with-file files --cache notebooks/.digests notebooks/a.ipynb)" = "$good" ]
	# What is gone is forgotten, and a damaged cache is replaced.
	rm files/data/big
	read -r -t 2.1 <> <(:) || true
	runstale --made-from --with-file files --cache notebooks/.digests notebooks/a.ipynb
	run ! grep -q big notebooks/.digests
	echo '{' >notebooks/.digests
	runstale --made-from --with-file files --cache notebooks/.digests notebooks/a.ipynb
	jq -e length notebooks/.digests
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
	run -4 runstale --made-from --with-file files notebooks/a.ipynb
	has 'folders too deep'
}

@test "bad input is named" {
	for bad in '{' '[]' '{"type":"combination"}' '{"type":"combination","name":"a/b"}' '{"type":"combination","name":7}'; do
		echo "$bad" >bad
		run -3 runstale --runs runs bad
		has 'runstale: bad:1:'
	done
	combination a >in
	echo '{' >notebooks/a.ipynb
	run -3 runstale --runs runs --notebooks notebooks in
	has "runstale: notebooks/a.ipynb:"
	notebook a x
	echo settle >settings
	run -3 runstale --runs runs --settings settings in
	has 'runstale: settings:1:1: not NAME=VALUE'
	run -4 runstale --runs runs --settings none in
	run -4 runstale --runs runs --notebooks notebooks --with-file none in
	has "cannot read 'none'"
	run -2 runstale in
	run -2 runstale --runs runs --rerun some in
	run -2 runstale --made-from
	run -4 runstale --made-from notebooks/none.ipynb
	run bash -c 'runstale --runs runs in >/dev/full'
	status_is 4
}
