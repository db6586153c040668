# bats file_tags=untimed
# Several runs at once on this machine, and what happens when a sweep has ended. Except where a test
# says so, each notebook is too large for the machine and so is recorded as skipped: no browser starts.
load helpers
load faults
load make
load oneserver

setup() {
	use_server
	use_case '{"n": [1, 2, 3], "word": ["good"]}'
	[ "$(nproc)" -ge 2 ] || skip 'one processor'
}

# skipping ARGS...: make profile, without a browser.
skipping() {
	nb MEMORY_BYTES=1e30 profile "$@"
}

@test "the processors are divided into parts without a common one, and none is too small" {
	cd "$ROOT"
	run -0 mk/run/divide-processors.sh 2 ''
	[ "${#lines[@]}" = 2 ]
	[ -z "$(printf '%s\n' "${lines[@]}" | tr , '\n' | sort | uniq -d)" ]
	run -0 taskset -c "${lines[1]%%,*}" mk/run/divide-processors.sh 1 ''
	[[ $output =~ ^[0-9]+$ ]]
	run -2 taskset -c "$output" mk/run/divide-processors.sh 2 ''
	has 'JOBS=2 is too many: 1 processors can be used here'
	run -2 mk/run/divide-processors.sh 2 999
	has 'and each run needs 999'
	run -2 mk/run/divide-processors.sh 2 0-1
	has 'CORES is a number'
	run -2 mk/run/divide-processors.sh '' ''
	has 'ENGINE=local needs JOBS=n'
}

@test "every run is made once, and says how many were made at once; runs of another number are stale" {
	run -0 skipping ENGINE=local JOBS=2
	has '3 skipped'
	[ "$(runs_of | wc -l)" = 3 ]
	[ "$(jq -r 'select(.type == "run").made_from.settings.jobs' "$UC"/runs/current/*.jsonl | uniq)" = 2 ]
	run -0 nb plan ENGINE=local JOBS=2 MEMORY_BYTES=1e30
	has '0 to run'
	run -0 skipping WHERE=n=1
	has '2 stale runs are left out: setting jobs 2 -> unset (2)'
	"$ROOT/build/testvenv/bin/python" "$ROOT/tests/validate" --strict "$UC/metrics/current/metrics.jsonl"
	run -0 jq -r 'select(.type == "environment").machines[].host' "$UC/metrics/current/metrics.jsonl"
	[ "$output" = "$(uname -n)" ]
	run -0 skipping ENGINE=local JOBS=1
	has '[1/2]'
	run -0 nb plan MEMORY_BYTES=1e30
	has '0 to run'
}

@test "where nothing can be submitted, ENGINE=slurm says so, and an unknown engine is refused" {
	! command -v sbatch >/dev/null || skip 'Slurm is installed'
	run -2 skipping ENGINE=slurm
	has 'ENGINE=slurm needs sbatch'
	run -2 skipping ENGINE=fast
	has 'ENGINE must be one of: serial local slurm'
}

@test "what needs more than its part of the memory is made first, fewer at once" {
	local half
	half=$(awk '/^MemTotal/ {printf "%.0f", $2 * 1024 * 0.6}' /proc/meminfo)
	cat >"$BATS_TEST_TMPDIR/labserve" <<-'EOS'
	#!/bin/sh
	# What it would run at once.
	[ "${1##*/}" != execute-plan.sh ] || { jq -c '[.at_once, (.name | .[6:8])]' "$2" | head -n "$6" >"$QUEUE.$6"; echo $(($6 + 1)) >"$4"; }
	EOS
	chmod +x "$BATS_TEST_TMPDIR/labserve"
	cd "$ROOT"
	run -0 nb generate
	RUN_SETTINGS="environment="$'\n'":memory_bytes=$half * (n - 1) / 2" mk/run/prepare-label.sh "$UC" current
	runplan "$UC" >"$BATS_TEST_TMPDIR/plan" || true
	QUEUE=$BATS_TEST_TMPDIR/queue PATH=$BATS_TEST_TMPDIR:$PATH NBSCOPE_SCRATCH=$BATS_TEST_TMPDIR JOBS=2 SPARE_BYTES=2000000000 \
		run -0 mk/run/execute-parallel.sh "$UC" current "$BATS_TEST_TMPDIR/plan"
	has 'runs that need much memory: 1, of which 1 at once'
	[ "$(cat "$BATS_TEST_TMPDIR/queue.1")" = '[1,"n3"]' ]
	[ "$(tail -n 2 "$BATS_TEST_TMPDIR/queue.3")" = $'[2,"n1"]\n[2,"n2"]' ]
}

# memory_case [N]: a cell that adds a line with its kernel's processors to "kernels" and waits until N
# kernels have done so, and one that copies much memory.
memory_case() {
	python3 "$ROOT/tests/nb.py" "$UC/template.ipynb" <<-EON
	[("code", "n = {n_value}", ["parameters"]), ("code", """import os, time
	with open('$BATS_TEST_TMPDIR/kernels', 'a') as f: print(*sorted(os.sched_getaffinity(0)), file=f)
	end = time.time() + 30
	while len(open('$BATS_TEST_TMPDIR/kernels').readlines()) < ${1:-1} and time.time() < end: time.sleep(0.01)""", ["skip_profiling"]),
	("code", """block = bytearray(60_000_000)
	for _ in range(8): copy = bytes(block)""")]
	EON
	echo '{"n": [1]}' >"$UC/params.json"
	unset JUPYTERLAB_URL JUPYTERLAB_TOKEN
	export BROWSER=none
}

@test "what sharing costs is the mean of several runs made again alone, with its interval; of fewer, it is not measured" {
	cat >"$BATS_TEST_TMPDIR/labserve" <<-'EOS'
	#!/bin/sh
	# run PATH FACTOR: its cells take FACTOR times as long.
	run() { jq -c --argjson by "$2" 'if .client_ms then .client_ms *= $by else . end' "$ROOT/tests/data/used.jsonl" >"$1"; }
	mkdir -p "$UC/runs/current"
	jq -r .run "$2" | while read -r path; do
		case $2 in
		*/alone/plan) echo "$path" >>"$QUEUE" && run "$path" 1 ;;
		*) mkdir "$path.once" 2>/dev/null && run "$path" "1.2$((k = (k + 7) % 10))" ;;
		esac
	done
	EOS
	chmod +x "$BATS_TEST_TMPDIR/labserve"
	shared() {
		rm -rf "$BATS_TEST_TMPDIR"/{alone,again-alone} "$UC/runs"
		RUN_SETTINGS="environment="$'\n'":repeat=$1" mk/run/prepare-label.sh "$UC" current
		runplan "$UC" >"$BATS_TEST_TMPDIR/plan" || true
		QUEUE=$BATS_TEST_TMPDIR/again-alone PATH=$BATS_TEST_TMPDIR:$PATH NBSCOPE_SCRATCH=$BATS_TEST_TMPDIR JOBS=2 SPARE_BYTES=1 \
			run -0 mk/run/execute-parallel.sh "$UC" current "$BATS_TEST_TMPDIR/plan"
	}
	cd "$ROOT"
	export ROOT UC
	run -0 nb generate
	shared 12
	has '3 runs again, alone'
	[[ $output =~ sharing:\ client\ time\ in\ company,\ compared\ with\ alone\ on\ as\ many\ processors:\ \+([0-9.]+)\ %\ \(\+([0-9.]+)\ to\ \+([0-9.]+)\ %,\ 3\ runs\) ]] || has sharing
	printf "# %s\n" "${BASH_REMATCH[0]}" >&3
	awk -v mean="${BASH_REMATCH[1]}" -v low="${BASH_REMATCH[2]}" -v high="${BASH_REMATCH[3]}" 'BEGIN { exit !(low < mean && mean < high && mean >= 20 && mean < 30) }'
	[ "$(wc -l <"$BATS_TEST_TMPDIR/again-alone")" = 3 ]
	shared 9
	[[ $output != *alone* ]]
	[ ! -e "$BATS_TEST_TMPDIR/again-alone" ]
}

@test "runs at once have kernels on different processors" {
	memory_case 2
	run -0 nb profile ENGINE=local JOBS=2 REPEAT=2
	# Of 2 parts, without a common processor.
	[ "$(wc -l <"$BATS_TEST_TMPDIR/kernels")" = 2 ]
	[ -z "$(head -n 2 "$BATS_TEST_TMPDIR/kernels" | tr ' ' '\n' | sort | uniq -d)" ]
	[ "$(runs_of | wc -l)" = 2 ]
	# The second began before the first had ended.
	jq -s -e '[.[] | select(.type == "run" or .type == "run_end").t] | [.[0:2], .[2:4]] | sort | .[1][0] < .[0][1]' "$UC"/runs/current/*.jsonl
	[ -z "$(find "$UC" -name '.scratch*')" ]
}

# bats test_tags=thorough
@test "an A/A comparison of runs alone and runs at once is refused, unless their settings may differ" {
	memory_case
	run -0 nb profile LABEL=shared ENGINE=local JOBS=2 REPEAT=6
	run -0 nb profile LABEL=alone REPEAT=6
	run nb compare BASE=alone LABEL=shared GATE=kernel
	has 'setting jobs differs (unset, 2)'
	run nb compare BASE=alone LABEL=shared GATE=kernel ALLOW=settings
	has 'differs (allowed): setting jobs: unset | 2'
	grep -E '^(verdict|all)' <<<"$output" | sed 's/^/# A\/A: /' >&3
}

# ---- the end of a sweep --------------------------------------------------------------

@test "ON_END gets the verdict as JSON, also of a profile that failed, and changes no status" {
	run -0 skipping ON_END="cat >$BATS_TEST_TMPDIR/end; false"
	has 'ON_END failed; the results are as they were'
	run -0 jq -c '[.usecase, .label, .verdict, .skipped]' "$BATS_TEST_TMPDIR/end"
	[ "$output" = '["small","current","ok",3]' ]
	run -2 nb profile KERNEL=no_such ON_END="cat >$BATS_TEST_TMPDIR/end"
	run -0 jq -r '[.verdict, .line] | join(" ")' "$BATS_TEST_TMPDIR/end"
	[ "$output" = 'error verdict: make failed with status 2; 0 of 3 runs are made' ]
}

@test "Ctrl-C ends all runs that are made at once, and ON_END is run then, too" {
	unset JUPYTERLAB_URL JUPYTERLAB_TOKEN
	sed -i "s|time.sleep(n .*)|open('$BATS_TEST_TMPDIR/began', 'a').write('x'); time.sleep(600)|" "$UC/template.ipynb"
	setsid env --default-signal=INT make --no-print-directory -C "$ROOT" USECASE="$UC" WHERE=n=1,2 BROWSER=none ENGINE=local JOBS=2 \
		ON_END="cat >$BATS_TEST_TMPDIR/end" profile >"$BATS_TEST_TMPDIR/out" 2>&1 3>&- &
	local leader=$!
	wait_for both_run
	kill -INT -- "-$leader"
	wait "$leader" || true
	run -0 jq -r '[.verdict, .line] | join(" ")' "$BATS_TEST_TMPDIR/end"
	[ "$output" = 'interrupted verdict: interrupted by SIGINT; 0 of 2 runs are made' ]
	run ! pgrep -f "$UC"
	[ -z "$(find "$UC" -name '.scratch*' -o -name '*.tmp')" ]
}

both_run() {
	[ "$(cat "$BATS_TEST_TMPDIR/began")" = xx ]
}

@test "a webhook gets the verdict by curl, as the manual has it" {
	python3 - "$BATS_TEST_TMPDIR/hook" 3>&- <<-'P' &
	import http.server, sys
	class Hook(http.server.BaseHTTPRequestHandler):
	    def do_POST(self):
	        body = self.rfile.read(int(self.headers["Content-Length"]))
	        open(sys.argv[1] + ".json", "wb").write(body)
	        self.send_response(204)
	        self.end_headers()
	    def log_message(self, *args):
	        pass
	server = http.server.HTTPServer(("127.0.0.1", 0), Hook)
	open(sys.argv[1], "w").write(f'url = "http://127.0.0.1:{server.server_port}/hook"\n')
	server.handle_request()
	P
	wait_for test -s "$BATS_TEST_TMPDIR/hook"
	run -0 skipping ON_END="$(sed -n "s/.*ON_END='\(curl.*\)'$/\1/p" "$ROOT/man/nbscope-cluster.7" | sed "s|~/.nbscope-hook|$BATS_TEST_TMPDIR/hook|")"
	run -0 jq -r .line "$BATS_TEST_TMPDIR/hook.json"
	has 'all completed; 3 skipped'
}
