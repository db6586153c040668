# Kernels under a command: labserve --kernel-prefix, KERNEL_PREFIX, with real kernels and real tools.
# bats file_tags=untimed,long
load helpers
load server
load make

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	export TMPDIR=$BATS_TEST_TMPDIR
}

# under PREFIX NAME [kernelrun's options]: the cells on stdin, in a kernel under this command.
under() {
	python3 "$ROOT/tests/nb.py" "$2.ipynb"
	labserve --kernel-prefix "$1" kernelrun "${@:3}" "$2.ipynb" >"$2.jsonl" 3>&-
}

# the_cells NAME FILTER: jq over its cell records.
the_cells() {
	jq -sc "[.[] | select(.type == \"cell\")] | $2" "$1.jsonl"
}

@test "a kernel is started with the words of the command before its own, which name the run, the notebook and the process" {
	mkdir out
	under "sh -c 'printf \"%s|\" \"\$@\" >\"\$1.txt\"; grep processes /proc/self/limits >>\"\$1.txt\"; shift 3; exec \"\$@\"' sh {run} \"{notebook} it\" {pid}" \
		'my notebook' --run-path out/n@2 <<<'[("code", "import os; print(os.getpid())\nx = sum(range(10**7))")]'
	run -0 cat out/n@2.txt
	[[ $output == "$PWD/out/n@2|my notebook it|"[0-9]*'|'*ipykernel_launcher* && $output =~ 'Max processes'\ +[0-9] ]] || has 'the three'
	pid=$(cut -d '|' -f 3 out/n@2.txt)
	# It replaced itself: it is the kernel, whose parent is the server.
	run -0 the_cells 'my notebook' "map([.status, .usage.kernel.pid == $pid, .usage.kernel.cpu_s > 0.1, .usage.server.cpu_s >= 0])"
	[ "$output" = '[["completed",true,true,true]]' ]
	run -0 jq -r 'select(.type == "run").settings.kernel_prefix | startswith("sh -c")' 'my notebook.jsonl'
	[ "$output" = true ]
	run -0 "$ROOT/build/testvenv/bin/python" "$ROOT/tests/validate" --strict 'my notebook.jsonl'
}

# bats test_tags=thorough
@test "the kernel below two commands is the one that is measured, and their parent is the server" {
	under "sh -c '\"\$@\"; exit' a sh -c '\"\$@\"; exit' b" deep <<<'[("code", "x = sum(range(10**7))")]'
	run -0 the_cells deep '.[0] | [.status, .usage.kernel.processes, .usage.kernel.cpu_s > 0.1]'
	[ "$output" = '["completed",1,true]' ]
	run -0 jq -sc '[.[] | select(.type == "watch" and .pid) | .pid] | unique | length' deep.jsonl
	[ "$output" = 2 ]
}

@test "memray records the whole kernel, and its file names what a cell allocates" {
	overlay=$(cd "$ROOT" && mk/setup/install-profilers.sh "${NBSCOPE_VENV:-$ROOT/build/venv}/bin/python" 2>/dev/null) && [ -d "$overlay/memray" ] || skip 'no memray'
	under "env PYTHONPATH=$overlay python -m memray run -q -o {run}.bin" allocates <<'EON'
[("code", "def fifty_megabytes():\n    return bytearray(50_000_000)"), ("code", "kept = fifty_megabytes()")]
EON
	run -0 the_cells allocates 'map(.status)'
	[ "$output" = '["completed","completed"]' ]
	run -0 env PYTHONPATH="$overlay" "${NBSCOPE_VENV:-$ROOT/build/venv}/bin/python" -m memray stats --json -o stats.json allocates.bin
	run -0 jq -r '.top_allocations_by_size[].location' stats.json
	has fifty_megabytes
}

# bats test_tags=thorough
@test "perf samples the kernel from outside, and its file is whole" {
	perf record -q -o probe -- true 2>/dev/null || skip 'perf may not sample here'
	under 'perf record -q -g -o {run}.perf' sampled <<<'[("code", "x = sum(i * i for i in range(3 * 10**6))")]'
	run -0 the_cells sampled '.[0] | [.status, .usage.kernel.cpu_s > 0.05]'
	[ "$output" = '["completed",true]' ]
	run -0 sh -c 'perf report -i sampled.perf --stdio 2>/dev/null'
	has python
}

@test "a command that does not exist, broken quotes and a server of one's own are refused before anything runs" {
	run -4 labserve --kernel-prefix 'nosuchcommand -x' echo never
	has "--kernel-prefix: there is no command 'nosuchcommand' on PATH"
	run -4 env KERNEL_PREFIX='sh -c "' labserve echo never
	has '--kernel-prefix: No closing quotation'
	run -2 env JUPYTERLAB_URL=http://127.0.0.1:9/ labserve --kernel-prefix env echo never
	has "nbscope's own JupyterLab"
}

# bats test_tags=thorough
@test "a kernel under a command that starts processes without an end is killed, and its cell says how many it had" {
	under env many <<'EON' || true
[("code", "import os, time\nfor n in range(1100):\n    os.posix_spawn('/bin/sleep', ['sleep', '60'], {})\ntime.sleep(60)")]
EON
	run -0 the_cells many '.[0] | [.status, .kernel_end.last_words]'
	[[ $output == '["kernel_died","it was killed because it had 1'*' processes"]' ]] || has killed
}

@test "make keeps the command's files next to each run, and makes runs again when the command changes" {
	export BROWSER=none
	use_case '{"n": [10], "word": ["good"]}'
	run -0 nb profile KERNEL_PREFIX="sh -c 'date >\"\$0.txt\"; exec \"\$@\"' {run}"
	[ -s "$UC/runs/current/small-n10-wordgood.files/small-n10-wordgood.txt" ] || has "$(ls -R "$UC/runs")"
	before=$(stat -c %Y.%i "$UC/runs/current/small-n10-wordgood.jsonl")
	run -0 nb profile KERNEL_PREFIX="sh -c 'date >\"\$0.txt\"; exec \"\$@\"' {run}"
	[ "$(stat -c %Y.%i "$UC/runs/current/small-n10-wordgood.jsonl")" = "$before" ]
	run -0 nb profile REMOTE_SAMPLES=1 SAMPLE_INTERVAL=100
	[ ! -e "$UC/runs/current/small-n10-wordgood.files" ]
	# This kernel is here: it is sampled from outside.
	run -0 jq -sc '.[0].settings.remote_samples_ms, .[0].kernel_machine, (map(select(.type == "remote_sampler")) | length)' "$UC/runs/current/small-n10-wordgood.jsonl"
	[ "$output" = $'100\nnull\n0' ]
}

@test "the run has the limits of its kernel's cgroup, as a job's or a container's" {
	limits() { jq -c 'select(.type == "run").kernel_cgroup | del(.path, .cpus)' "$1.jsonl"; }
	# Version 2, by files as the system's documentation has them.
	if unshare -rm true; then
		mkdir two
		echo '150000 100000' >two/cpu.max
		echo 2147483648 >two/memory.max
		echo max >two/pids.max
		echo 0-1 >two/cpuset.cpus.effective
		python3 "$ROOT/tests/nb.py" of_two.ipynb <<<'[("code", "1")]'
		unshare -rm sh -c 'mount --bind two /sys/fs/cgroup && exec labserve kernelrun of_two.ipynb' >of_two.jsonl 3>&-
		run -0 limits of_two
		[ "$output" = '{"memory_limit_bytes":2147483648,"cpu_limit":1.5,"processes_limit":null}' ]
		run -0 jq -r 'select(.type == "run").kernel_cgroup.cpus' of_two.jsonl
		[ "$output" = 0-1 ]
		run -0 "$ROOT/build/testvenv/bin/python" "$ROOT/tests/validate" --strict of_two.jsonl
	fi
	# The system's own, where it lets us: the kernel alone is in the group.
	group=$(mktemp -d /sys/fs/cgroup/pids/nbscope-test.XXXXXX 2>/dev/null) || group=$(mktemp -d /sys/fs/cgroup/nbscope-test.XXXXXX 2>/dev/null) ||
		skip 'no cgroup of our own'
	echo 3000 >"$group/pids.max" || { rmdir "$group"; skip 'no limit of processes'; }
	under "sh -c 'echo \$\$ >$group/cgroup.procs && exec \"\$@\"' sh" own <<<'[("code", "1")]'
	run -0 jq -r 'select(.type == "run").kernel_cgroup.processes_limit' own.jsonl
	wait_for rmdir "$group"
	[ "$output" = 3000 ]
}
