# bats file_tags=untimed
# Files next to the notebook: linked, copied, reused or uploaded, and never changed where they come from.
# Without a browser, which has no part in it.
load helpers
load server

setup_file() {
	start_holder server 'export -p | grep -E "JUPYTERLAB_|LABSERVE_STORE"' labserve
	mkdir "$BATS_FILE_TMPDIR/files"
	head -c 8M /dev/urandom >"$BATS_FILE_TMPDIR/files/big"
	echo small >"$BATS_FILE_TMPDIR/files/small"
	(cd "$BATS_FILE_TMPDIR/files" && sha256sum big small >"$BATS_FILE_TMPDIR/sums")
}

teardown_file() {
	stop_server
}

setup() {
	use_server
	files=$BATS_FILE_TMPDIR/files
	# Root may write what nobody may write, unless it has given that up.
	without=()
	[ "$(id -u)" -ne 0 ] || without=(setpriv --bounding-set=-dac_override,-dac_read_search)
}

# run_once NAME CELL [OPTION...]: a run of one cell, with the files.
run_once() {
	local name=$1 cell=$2
	shift 2
	python3 "$ROOT/tests/nb.py" "$BATS_FILE_TMPDIR/$name.ipynb" <<<"[('code', $(jq -n --arg c "$cell" '$c'))]"
	kernelrun --with-file "$files" "$@" "$BATS_FILE_TMPDIR/$name.ipynb" 3>&- >"$BATS_FILE_TMPDIR/$name.jsonl"
}

# placed NAME: bytes that were linked, reused, copied or cloned, uploaded.
placed() {
	jq -r 'select(.type == "run").placed_files | "\(.linked_bytes) \(.reused_bytes) \(.copied_bytes + .cloned_bytes) \(.uploaded_bytes)"' "$BATS_FILE_TMPDIR/$1.jsonl"
}

unchanged() {
	(cd "$files" && sha256sum --quiet -c "$BATS_FILE_TMPDIR/sums")
}

@test "a large file is copied once, again only after a notebook has changed its copy, and never changed itself" {
	run_once reads 'assert len(open("big", "rb").read()) == 8 << 20; open("small", "a").write("x")'
	[ "$(placed reads)" = '0 0 8388614 0' ] || { placed reads; return 1; }
	run_once writes 'open("big", "r+b").write(b"changed")'
	# A clone costs nothing: it is made each time.
	cloned=$(jq -s '.[0].placed_files.cloned_bytes' "$BATS_FILE_TMPDIR/reads.jsonl")
	[ "$cloned" -gt 0 ] || [ "$(placed writes)" = '0 8388608 6 0' ] || { placed writes; return 1; }
	run_once cold "import hashlib; print(hashlib.sha256(open('big', 'rb').read()).hexdigest())" --cold --executed "$BATS_FILE_TMPDIR/cold.out"
	[ "$(placed cold)" = '0 0 8388614 0' ] || { placed cold; return 1; }
	grep -q "$(cut -c 1-64 "$BATS_FILE_TMPDIR/sums" | head -1)" "$BATS_FILE_TMPDIR/cold.out"
	unchanged
	# All pages of a tmpfs are in memory.
	run -0 jq -r 'select(.type == "run") | .settings.cold, .placed_files.cold.resident_bytes' "$BATS_FILE_TMPDIR/cold.jsonl"
	[ "$(stat -fc %T "${TMPDIR:-/tmp}")" = tmpfs ] || [ "$output" = $'true\n0' ] || has 'nothing in memory'
	run -0 jq -s '.[0] | [.settings.cold, .placed_files.cold]' -c "$BATS_FILE_TMPDIR/reads.jsonl"
	has '[false,null]'
}

@test "a file that the user cannot write is linked, and remains when a killed run is cleaned up" {
	local only=$BATS_TEST_TMPDIR/only runs=$BATS_FILE_TMPDIR/linked.jsonl pid
	mkdir "$only"
	cp "$files/big" "$only"
	chmod a-w "$only/big"
	python3 "$ROOT/tests/nb.py" "$BATS_TEST_TMPDIR/nb.ipynb" <<<"[('code', 'import os\nassert os.path.samefile(\"big\", \"$only/big\")\ntry:\n    open(\"big\", \"a\")\nexcept PermissionError: pass\nelse: raise ValueError'), ('code', 'import time; time.sleep(60)')]"
	# A server whose kernels have no right that the user has not.
	"${without[@]}" env -u JUPYTERLAB_URL -u JUPYTERLAB_TOKEN labserve sh -c 'kernelrun --with-file "$1" "$2" >"$3" & echo $! >"$4"; wait' \
		sh "$only" "$BATS_TEST_TMPDIR/nb.ipynb" "$runs" "$BATS_TEST_TMPDIR/pid" 3>&- &
	pid=$!
	wait_for grep -q '"type":"cell_start".*"cell_index":2' "$runs"
	[ "$(placed linked)" = '8388608 0 0 0' ] || { placed linked; return 1; }
	[ "$(jq -r 'select(.type == "cell").status' "$runs")" = completed ]
	kill -9 "$(cat "$BATS_TEST_TMPDIR/pid")"
	wait "$pid"
	cmp "$only/big" "$files/big"
	[ "$(ls "$only")" = big ]
}

# elsewhere: a user's server whose root folder is not visible here.
elsewhere() {
	local python=${NBSCOPE_VENV:-$ROOT/build/venv}/bin/python home=$BATS_TEST_TMPDIR/home port
	port=$(free_port)
	unshare -m true 2>/dev/null || skip 'no mount namespace of our own'
	mkdir -p "$home/env/bin"
	printf '#!/bin/sh\nexec unshare -m sh -c '\''mount -t tmpfs tmpfs "$0" && exec "$@"'\'' "%s" "%s" "$@"\n' "$home/root" "$python" >"$home/env/bin/python"
	chmod +x "$home/env/bin/python"
	NBSCOPE_VENV=$home/env users_token=secret users_server "$home" --ServerApp.port="$port"
	export JUPYTERLAB_URL=http://127.0.0.1:$port/ JUPYTERLAB_TOKEN=secret
	wait_for rest api/status
}

names() {
	rest api/contents | jq -c '.content | map(.name)'
}

is_empty() {
	[ "$(names)" = '[]' ]
}

@test "to a server elsewhere a file is uploaded once, and nothing remains there" {
	elsewhere
	export -f run_once placed names rest
	# Other files with the same content: one gets the copy of the run before, which the server copies.
	export files same=$BATS_TEST_TMPDIR/same
	mkdir "$same"
	cp "$files/big" "$same/big"
	cp "$files/big" "$same/twin"
	run -0 labserve bash -c 'run_once first "assert len(open(\"big\", \"rb\").read()) == 8 << 20" --cold; run_once second "len(open(\"big\", \"rb\").read()) == 8 << 20"; names; files=$same
		run_once two "assert open(\"big\", \"rb\").read() == open(\"twin\", \"rb\").read()"
		echo changed >>$same/big; run_once three "assert open(\"big\", \"rb\").read().endswith(b\"changed\\n\")"'
	has '["nbscope-store-'
	[ "$(placed first)" = '0 0 0 8388614' ] || { placed first; return 1; }
	[ "$(placed second)" = '0 8388608 0 6' ] || { placed second; return 1; }
	run -0 jq -c 'select(.type == "run").placed_files.cold' "$BATS_FILE_TMPDIR/first.jsonl"
	has '{"resident_bytes":null,"reason":"the server is not on this machine"}'
	[ "$(placed two)" = '0 8388608 8388608 0' ] || { placed two; return 1; }
	[ "$(placed three)" = '0 8388608 0 8388616' ] || { placed three; return 1; }
	run -0 jq -s 'map(select(.type == "cell").status) | unique' -c "$BATS_FILE_TMPDIR"/{two,three}.jsonl
	has '["completed"]'
	unchanged
	is_empty || { names; kill "$users_pid"; return 1; }
	# Nor if labserve is killed.
	run labserve bash -c 'curl -sf -X PUT -H "Authorization: token $JUPYTERLAB_TOKEN" -d "{\"type\": \"directory\"}" "${JUPYTERLAB_URL}api/contents/$LABSERVE_STORE"; names; kill -9 $PPID'
	has nbscope-store-
	wait_for is_empty
	kill "$users_pid"
}

# ---- by make: every notebook is too large for the machine, so that browsers do not start --------

nb() {
	make --no-print-directory -C "$ROOT" USECASE="$UC" MEMORY_BYTES=1e30 "$@"
}

@test "files that a use case makes or fetches are there before the runs, with their checksums in the records" {
	local port server
	UC=$BATS_TEST_TMPDIR/small
	port=$(free_port)
	mkdir -p "$UC" "$BATS_TEST_TMPDIR/web"
	echo cube >"$BATS_TEST_TMPDIR/web/cube"
	sum=$(sha256sum <"$BATS_TEST_TMPDIR/web/cube" | cut -d ' ' -f 1)
	python3 -m http.server --bind 127.0.0.1 --directory "$BATS_TEST_TMPDIR/web" "$port" 3>&- >/dev/null 2>"$BATS_TEST_TMPDIR/log" &
	server=$!
	wait_for curl -sf "http://127.0.0.1:$port/cube"
	python3 "$ROOT/tests/nb.py" "$UC/template.ipynb" <<<'[("code", "n = {n_value}", ["parameters"])]'
	echo '{"n": [1]}' >"$UC/params.json"
	cat >"$UC/usecase.mk" <<-EOM
		MADE_FILES = cube noise
		\$(UC)/files/cube: ; mk/generate/fetch-file.sh http://127.0.0.1:$port/cube $sum \$@
		\$(UC)/files/noise: \$(UC)/files/cube ; tr a-z n-za-m <\$< >\$@
	EOM
	run -0 nb profile
	run -0 jq -c 'select(.type == "run").made_from | .made_files.cube, .settings.made_files' "$UC/runs/current/small-n1.jsonl"
	has "\"$sum\""$'\n'null
	[ "$(cat "$UC/files/noise")" = phor ]
	requests=$(grep -c 'GET /cube' "$BATS_TEST_TMPDIR/log")
	run -0 nb profile
	[ "$(grep -c 'GET /cube' "$BATS_TEST_TMPDIR/log")" = "$requests" ]
	run -0 nb profile COLD=1
	run -0 jq -r 'select(.type == "run").made_from.settings.cold' "$UC/runs/current/small-n1.jsonl"
	[ "$output" = 1 ]
	# What is there already, and right, is not fetched again; what is wrong never gets there.
	touch "$UC/files/cube"
	mk/generate/fetch-file.sh "http://127.0.0.1:$port/cube" "$sum" "$UC/files/cube"
	[ "$(grep -c 'GET /cube' "$BATS_TEST_TMPDIR/log")" = "$requests" ]
	rm "$UC/files/cube"
	echo other >"$BATS_TEST_TMPDIR/web/cube"
	run -2 nb profile
	has "/cube has the checksum"
	[ ! -e "$UC/files/cube" ]
	kill "$server"
}
