# Kernels on another machine, sampled there (remotesample): a kernel in another process and network
# namespace than the driver, of a real Jupyter server.
# bats file_tags=untimed
load helpers
load server

setup_file() {
	cd "$BATS_FILE_TMPDIR"
	unshare -rnpf --mount-proc true 2>/dev/null || return 0
	local port python=${NBSCOPE_VENV:-$ROOT/build/venv}/bin/python
	port=$(free_port)
	mkdir -p home/data/kernels/elsewhere
	jq -n --arg python "$python" '{display_name: "elsewhere", language: "python", argv: ["unshare", "-rnpf", "--mount-proc",
		$python, "-m", "ipykernel_launcher", "-f", "{connection_file}"]}' >home/data/kernels/elsewhere/kernel.json
	# Its network has no TCP to the server: its sockets are files.
	users_server "$PWD/home" --port="$port" --IdentityProvider.token=s3cret-token --KernelManager.transport=ipc
	printf 'export JUPYTERLAB_URL=http://127.0.0.1:%s/ JUPYTERLAB_TOKEN=s3cret-token users_pid=%s\n' "$port" "$users_pid" >server.env
	wait_for curl -sf "http://127.0.0.1:$port/api"
	. ./server.env
	HOOK="remotesample --interval 50" away used <<'EON'
[("code", "import multiprocessing, os, time\ndef burn(s):\n    end = time.process_time() + s\n    while time.process_time() < end:\n        pass"),
 ("code", "burn(0.6)\nchild = multiprocessing.get_context('fork').Process(target=burn, args=(0.5,))\nchild.start(); child.join()"),
 ("code", "x = bytearray(200_000_000)\nx[::4096] = b'x' * len(x[::4096])\ndel x"),
 ("code", "open('out', 'wb').write(b'x' * 5_000_000)"),
 ("code", "open('/proc/net/dev').read().count(':'), os.getpid() < 20")]
EON
	away without <<<'[("code", "x = sum(range(10**7))")]'
}

teardown_file() {
	[ ! -e "$BATS_FILE_TMPDIR/server.env" ] || { . "$BATS_FILE_TMPDIR/server.env"; kill "$users_pid"; }
}

setup() {
	cd "$BATS_FILE_TMPDIR" || return
	[ -e server.env ] || skip 'no namespaces of our own'
}

# away NAME [kernelrun's options]: below $HOOK, if set; the driver sees no process of the kernel.
away() {
	python3 "$ROOT/tests/nb.py" "$1.ipynb"
	# shellcheck disable=SC2086  # words
	unshare -rpf --mount-proc ${HOOK-} kernelrun --kernel elsewhere "${@:2}" "$1.ipynb" >"$1.jsonl" 3>&-
}

the_cells() {
	jq -sc "[.[] | select(.type == \"cell\")] | $2" "$1.jsonl"
}

@test "a kernel in another process and network namespace has its CPU time, with that of its children" {
	run -0 the_cells used 'map(.status) | unique'
	[ "$output" = '["completed"]' ]
	run -0 the_cells used '.[1].usage.kernel | .cpu_s >= 1.1 and .cpu_s < 1.3, .run_queue_wait_s >= 0, .reason'
	has $'true\ntrue\nnull'
	# It is elsewhere: its network has one device, and its process id is small.
	run -0 jq -s '.[] | select(.type == "run").kernel_machine | .pid < 20, (.cgroup | has("memory_limit_bytes"))' used.jsonl
	has $'true\ntrue'
}

@test "its peak, its memory and what it writes are those of the cell" {
	run -0 the_cells used '.[2].usage.kernel | .peak_rss_bytes - .rss_before_bytes >= 195e6, .rss_bytes - .rss_before_bytes < 50e6, .peak_method'
	has $'true\ntrue\n"'
	run -0 the_cells used '.[3].usage.kernel | .syscall_write_bytes >= 5e6 and .syscall_write_bytes < 6e6'
	[ "$output" = true ]
}

@test "its samples have the clock of the driver, lie in their cell, and come with what they cost" {
	run -0 jq -sc '(map(select(.type == "cell"))[1]) as $c | map(select(.type == "sample" and .role == "kernel" and .t > $c.busy_t and .t < $c.idle_t)) |
		length > 10, (.[-1].cpu_s - .[0].cpu_s > 0.8), (map(.processes) | max)' used.jsonl
	has $'true\ntrue\n2'
	run -0 jq -sc 'map(select(.type == "remote_sampler")) | length, (map(.running) | unique), (.[1] | .cpu_s / .wall_s < 0.1, .clock_offset_ms, .clock_bound_ms < 100)' used.jsonl
	has $'5\n[true]\ntrue\n0\ntrue'
	run -0 "$ROOT/build/testvenv/bin/python" "$ROOT/tests/validate" --strict used.jsonl
}

@test "the tables have the CPU use of such a kernel from its samples" {
	cellmetrics used.jsonl >metrics
	run -0 jq -sc 'map(select(.type == "cell_metrics"))[1] | .kernel_cpu_s >= 1.1, .kernel_samples > 10, .kernel_usage_reason' metrics
	has $'true\ntrue\nnull'
}

@test "without the option there are times, and a reason in place of the usage" {
	run -0 the_cells without '.[0] | .kernel_ms > 0, .usage.kernel.cpu_s, .usage.kernel.reason'
	has 'not on this machine'
	run -0 jq -s 'map(select(.type == "remote_sampler" or (.type == "sample" and .role == "kernel"))) | length' without.jsonl
	[ "$output" = 0 ]
}

@test "the GPUs of the kernel's machine are in its samples, and in the tables in place of the driver's" {
	cc -shared -fPIC -o nvml.so "$ROOT/tests/nvml_stub.c"
	NBSCOPE_NVML=$PWD/nvml.so python3 -c '
import os, subprocess, sys
sampler = subprocess.Popen([sys.executable, "-I", "-S", sys.argv[1], "0.05", str(os.getpid())], stdout=subprocess.PIPE)
print(sampler.stdout.readline().decode())' "$ROOT/share/ipython/nbscope/remote.py" >sample
	run -0 jq -c '[.gpu_reason, (.gpus[0] | .name, .utilization_pct, .memory_bytes, .power_w, .reason)]' sample
	[ "$output" = '[null,"First",37,3221225472,61.5,null]' ]
	jq -c --slurpfile s sample 'if .type == "sample" and .role == "kernel" then .gpus = $s[0].gpus
		elif .type == "sample" then .gpus = [] else . end' used.jsonl | cellmetrics >metrics
	run -0 jq -sc 'map(select(.type == "cell_metrics"))[1] | .gpu_mean_utilization_pct, .gpu_max_memory_bytes' metrics
	has $'18.5\n6442450944'
	run -0 jq -s 'map(select(.type == "sample"))[0] | .gpus, (.gpu_reason | length > 0)' used.jsonl
	has $'null\ntrue'
}

@test "the limits of the kernel's cgroup are the tightest of all groups above it" {
	groups=/sys/fs/cgroup
	if [ -e $groups/cgroup.controllers ]; then
		kinds=. files='memory.max pids.max'
	else
		kinds='memory pids' files='memory.limit_in_bytes pids.max'
	fi
	for kind in $kinds; do
		mkdir "$groups/$kind/nbscope-$$" 2>/dev/null || skip 'no cgroup of our own'
		mkdir "$groups/$kind/nbscope-$$/inner"
	done
	for file in $files; do
		[ ! -e "$groups/${file%%.*}" ] || kind=${file%%.*}
		echo 500002816 >"$groups/${kind:-.}/nbscope-$$/$file" || true
	done
	run sh -c 'group=$1; shift; for kind; do echo $$ >"/sys/fs/cgroup/$kind/$group/inner/cgroup.procs"; done
		exec python3 -B -c "import json, sys; sys.path.insert(0, sys.argv[1]); import remote; print(json.dumps(remote.cgroup()))" "$ROOT/share/ipython/nbscope"' sh "nbscope-$$" $kinds
	for kind in $kinds; do
		rmdir "$groups/$kind/nbscope-$$/inner" "$groups/$kind/nbscope-$$"
	done
	[ "$(jq -c '.memory_limit_bytes, .path' <<<"$output")" = "500002816"$'\n'"\"/nbscope-$$/inner\"" ] || has limits
}

@test "hooks around each other add to one record, and the interval is that of the record" {
	echo '{"profilers": [], "cells": null}' >settings.json
	python3 "$ROOT/tests/nb.py" skipped.ipynb <<<'[("code", "1")]'
	run -0 bash -c 'remotesample --interval 20 cellprofile settings.json kernelrun --skip x skipped.ipynb | jq -c "select(.type == \"run\").settings | [.remote_samples_ms, .profile.profilers]"'
	[ "$output" = '[20,[]]' ]
}
