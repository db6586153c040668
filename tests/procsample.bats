# bats file_tags=untimed,long
load helpers

setup_file() {
	export PEAK=$BATS_FILE_TMPDIR/treepeak
	# shellcheck disable=SC2086  # options
	"${CC:-gcc}" -std=c11 -O2 ${CFLAGS-} -D_GNU_SOURCE -I"$ROOT/tools/lib" -I"$ROOT/tools/run/lib" -o "$PEAK" "$ROOT/tests/treepeak.c" \
		"${LIB%/*}/run/lib.a" "$LIB" -ljansson -lm -pthread
}

setup() {
	busy=$ROOT/tests/busy.py
	runs=$ROOT/tests/data/runs.jsonl
	cd "$BATS_TEST_TMPDIR" || return
}

teardown() {
	for pid in $started; do
		kill -KILL "$pid" 2>/dev/null || true
	done
}

# wait_for COMMAND...: until it succeeds, at most 10 s.
wait_for() {
	for _ in {1..1000}; do
		"$@" && return
		read -r -t 0.01 <> <(:) || true
	done
	echo "never succeeded: $*" >&2
	return 1
}

# last MEMBER FILE: the member in the last sample of a process tree.
last() { jq -s "map(select(.type == \"sample\" and .role != \"machine\"))[-1].$1" "$2"; }

# near GOT TRUTH PERCENT
near() {
	awk -v got="$1" -v truth="$2" -v pct="$3" 'BEGIN {
		off = truth ? 100 * (got - truth) / truth : 1e9
		printf "got %s, truth %s: %+.2f %%\n", got, truth, off
		exit !(off <= pct && off >= -pct)
	}' >&3 2>&3 || { echo "$1 is not within $3 % of $2"; return 1; }
}

# cpu_of PERCENT WORK...: its CPU time as sampled, against the true one.
cpu_of() {
	pct=$1
	shift
	procsample --no-machine -o out -- "$busy" truth "$@"
	near "$(last cpu_s out)" "$(jq .cpu_s truth)" "$pct"
}

@test "one core busy for 1 s is reported within 2 %" {
	cpu_of 2 burn 1
}

@test "four children of 0.25 s each are reported within 2 %" {
	cpu_of 2 children 4 0.25
}

@test "CPU time of a child that was idle before appears in the interval in which it was used" {
	cat >wakes.py <<-'P'
	import os, time
	if os.fork() == 0:
	    for _ in range(2):
	        time.sleep(1.2)
	        end = time.thread_time() + 0.15
	        while time.thread_time() < end:
	            pass
	    os._exit(0)
	os.wait()
	P
	procsample --no-machine -i 5 -o out -- python3 wakes.py
	# One thread: never more than the time between two readings, except for their delay.
	jq -se '[.[] | select(.type == "sample")] | [range(1; length) as $i | (.[$i].cpu_s - .[$i - 1].cpu_s) - (.[$i].t - .[$i - 1].t)] | max < 0.04' out
}

@test "the CPU time of ended threads is kept" {
	cpu_of 2 threads 10 0.12
}

@test "a thousand processes that start and end between readings are counted" {
	procsample --no-machine -i 200 -o out -- "$busy" truth many 1000
	near "$(last cpu_s out)" "$(jq .cpu_s truth)" 3
	near "$(last minor_faults out)" "$(jq .minor_faults truth)" 1
	[ "$(last processes out)" = 0 ]
}

@test "an orphan that ends before it is seen is counted in a command's tree, and stays no zombie" {
	cat >leave.sh <<-'S'
	burn="import time; t = time.process_time() + 0.05
	while time.process_time() < t: pass"
	for i in 1 2 3 4 5 6; do
		(python3 -S -c "$burn" & )
	done
	sleep 1.2
	ps -o stat= --ppid "$PPID" | grep -c Z >zombies
	S
	procsample -i 300 -o out -- bash leave.sh || true
	[ "$(jq -s 'map(select(.role == "process" and .type == "sample"))[-1].cpu_s > 0.3' out)" = true ]
	[ "$(cat zombies)" = 0 ]
}

@test "a daemon whose parents ended before they were seen stays in the tree" {
	for sessions in own parent; do
		procsample --no-machine -o out -- "$busy" truth daemon 0.5 "$sessions"
		awk -v got="$(last cpu_s out)" -v truth="$(jq .cpu_s truth)" 'BEGIN { exit !(got - truth > 0.45 && got - truth < 0.55) }' ||
			{ echo "$sessions: $(last cpu_s out), without the daemon $(cat truth)"; return 1; }
	done
}

@test "a process that only shares the group and session of the watched one is not counted" {
	"$busy" truth burn 0.5 &
	started="$started $!"
	setsid "$busy" truth2 burn 0.3 &
	started="$started $!"
	procsample --no-machine -o out -- bash -c 'read -r -t 1 <> <(:); true'
	awk -v got="$(last cpu_s out)" 'BEGIN { exit !(got < 0.1) }' || { cat out; return 1; }
}

@test "disk reads and writes of children are counted" {
	[ "$(stat -f -c %T .)" != tmpfs ] || skip "a file system in memory has no storage"
	procsample --no-machine -o out -- "$busy" truth disk 4 16
	near "$(last write_bytes out)" 64000000 0.5
	near "$(last read_bytes out)" 64000000 3
	near "$(last syscall_write_bytes out)" 64000000 0.5
	near "$(last syscall_read_bytes out)" 64000000 5
}

@test "read and write calls are counted, including those of ended children" {
	procsample --no-machine -o out -- bash -c 'dd if=/dev/zero of=/dev/null bs=1 count=20000; :' 2>/dev/null
	near "$(last read_calls out)" 20000 5
	near "$(last write_calls out)" 20000 5
}

@test "what a command writes in its last instant is counted, however little CPU time that takes" {
	cat >late.py <<-'P'
	import os, time
	fd, data = os.open("/dev/null", os.O_WRONLY), bytes(1000000)
	time.sleep(0.1)
	os.write(fd, data)
	os._exit(0)
	P
	for _ in {1..6}; do
		procsample --no-machine -i 5 -o out -- python3 -S late.py
		[ "$(last syscall_write_bytes out)" -ge 1000000 ]
	done
}

# bats test_tags=timed
@test "context switches and run-queue wait are reported" {
	cat >wait.py <<-'P'
	import os, time
	born = time.monotonic()
	end = born + 1.5
	for _ in range(7):
	    now = time.monotonic()
	    if os.fork() == 0:
	        born = now
	        break
	while time.monotonic() < end:
	    pass
	print(time.monotonic() - born, flush=True)
	os._exit(0)
	P
	procsample --no-machine -i 20 -o out -- taskset -c 0 python3 wait.py >>walls
	[ "$(wc -l <walls)" = 8 ]
	# Eight processes on one core: each is always running or waiting for the core.
	near "$(jq -n "$(last run_queue_wait_s out) + $(last cpu_s out)")" "$(jq -s add walls)" 25
	jq -n -e "$(last run_queue_wait_s out) > 4 * $(last cpu_s out)"
	[ "$(last context_switches out)" -gt 100 ]
}

@test "300 MB held for milliseconds are in the peak within 1 %" {
	for who in root child four; do
		run "$PEAK" "$who" 300
		status_is 0
		read -r ms truth got method <<<"$output"
		echo "$who: $ms ms, $method" >&3
		near "$got" "$truth" 1
		[ "$who" = four ] || [ "$method" = vmhwm ]
	done
	# The sum of four is sampled, unless their high-water marks agree.
	[ "$method" = sampled ] || [ "$method" = vmhwm ]
}

@test "a child between vfork and exec does not count its parent's memory again" {
	cat >borrow.c <<-'C'
	#include <stdlib.h>
	#include <string.h>
	#include <unistd.h>
	int main(void) {
		char *p = malloc(200 << 20);
		memset(p, 1, 200 << 20);
		if (vfork() == 0) {
			usleep(500000);
			_exit(p[5] - 1);
		}
		return 0;
	}
	C
	cc -O1 -w -o borrow borrow.c
	procsample -i 20 -o s.jsonl -- ./borrow
	run -0 jq -s '[.[] | select(.type == "sample" and .processes == 2).rss_bytes] | length > 5 and min > 200e6 and max < 230e6' s.jsonl
	has true
}

@test "held memory is in the samples" {
	procsample --no-machine --pss 50 -o out -- python3 -c '
import time
x = b"x" * 300_000_000
time.sleep(0.3)'
	for member in rss_bytes anon_bytes pss_bytes; do
		top=$(jq -s "map(.$member // 0) | max" out)
		[ "$top" -gt 300000000 ] && [ "$top" -lt 330000000 ] || { echo "$member $top"; return 1; }
	done
}

@test "sums never decrease, and times increase" {
	procsample -i 5 -o out -- "$busy" truth many 200
	jq -s -e 'def rises: . as $x | all(range(1; length); $x[.] >= $x[. - 1]);
		map(select(.role == "process" and .type == "sample"))
		| all(("t", "cpu_s", "run_queue_wait_s", "minor_faults", "context_switches", "syscall_read_bytes") as $k | map(.[$k]) | rises; .)' out
}

@test "records fit their schemas" {
	{ procsample --pss 20 -- "$busy" truth many 50; procsample </dev/null; procsample --no-machine <<<'{"type":"watch","t":1,"role":"kernel","pid":4194304}'; } >all
	run "$ROOT/build/testvenv/bin/python" "$ROOT/tests/validate" --strict all
	status_is 0
}

@test "the stream passes byte for byte and in order, with samples between its lines" {
	bash -c 'read -r -t 1 <> <(:); true' &
	{
		cat "$runs"
		printf '{ "type":"watch" , "t":1, "role":"kernel","pid":%s}\n{"type":"watch","t":1,"role":"browser","pid":null,"reason":"far"}\n' $!
		cat "$runs"
		printf '{"type":"note",  "x": 1.50}'
	} >in
	procsample -i 1 <in >out
	grep -c '"type":"sample","t"' out
	grep -v '^{"type":"sample","t"\|^{"type":"sampler","t"' out >passed
	cmp <(cat in; echo) passed
}

@test "a watched process is sampled from the watch to its end" {
	mkfifo in
	procsample -i 10 <in >out &
	exec 7>in
	echo '{"type":"note"}' >&7
	bash -c 'read -r -t 0.5 <> <(:); true' &
	pid=$!
	echo "{\"type\":\"watch\",\"t\":1,\"role\":\"kernel\",\"pid\":$pid}" >&7
	wait_for grep -q '"processes":0' out
	n=$(wc -l <out)
	read -r -t 0.1 <> <(:) || true
	[ "$(wc -l <out)" = "$n" ]
	exec 7>&-
	wait
	[ "$(jq -r .type out | uniq | tr '\n' ' ')" = 'note watch sample sampler ' ]
	[ "$(jq -s 'map(select(.role == "kernel" and .type == "sample")) | length' out)" -gt 20 ]
	jq -s -e 'map(select(.role == "machine")) | length > 20' out
	jq -s -e 'map(select(.role == "kernel" and .type == "sample"))[0].cpu_s < 0.05' out
}

@test "a record passes at once, and the filter ignores an interrupt" {
	mkfifo in
	procsample <in >out &
	pid=$!
	exec 7>in
	echo '{"type":"note"}' >&7
	wait_for grep -q note out
	kill -INT $pid
	echo '{"type":"more"}' >&7
	exec 7>&-
	wait $pid
	[ "$(cat out)" = $'{"type":"note"}\n{"type":"more"}' ]
}

@test "the sampler record of a run comes before its run_end, and its watches end with it" {
	bash -c 'read -r -t 5 <> <(:); true' &
	pid=$!
	started="$started $pid"
	for _ in 1 2; do
		printf '{"type":"run"}\n{"type":"watch","t":1,"role":"kernel","pid":%s}\n{"type":"run_end"}\n' "$pid"
	done | procsample --no-machine --min-samples 3 -i 7.5 >out
	[ "$(jq -r .type out | tr '\n' ' ')" = 'run watch sample sample sampler run_end run watch sample sample sampler run_end ' ]
	jq -s -e 'map(select(.type == "sampler")) | all(.interval_ms == 7.5 and .min_samples == 3 and .samples == 2 and .cpu_s > 0 and .wall_s > 0 and .late == 0)' out
}

@test "a kernel inside a watched server's tree counts only as the kernel" {
	cat >server.py <<-'P'
	import os, subprocess, sys
	busy = sys.argv[1]
	kernel = subprocess.Popen([busy, "kernel", "burn", "0.6"])
	print(kernel.pid, flush=True)
	other = subprocess.Popen([busy, "other", "burn", "0.3"])
	kernel.wait()
	other.wait()
	P
	mkfifo in pid
	procsample --no-machine -i 20 <in >out &
	filter=$!
	exec 7>in
	python3 server.py "$busy" >pid &
	server=$!
	read -r kernel <pid
	printf '{"type":"watch","t":1,"role":"%s","pid":%s}\n' server "$server" kernel "$kernel" >&7
	wait $server
	exec 7>&-
	wait $filter
	got() { jq -s "map(select(.type == \"sample\" and .role == \"$1\")) | map(.cpu_s) | max" out; }
	near "$(got kernel)" "$(jq .cpu_s kernel)" 15
	near "$(got server)" "$(jq .cpu_s other)" 40
}

# bats test_tags=timed
@test "at 1 ms a process is read 1000 times a second, and missed readings are counted" {
	procsample --no-machine -i 1 -o out -- bash -c 'read -r -t 1 <> <(:); true'
	jq -s -c '.[-1]' out >&3
	jq -s -e '(.[-1].samples + .[-1].late) / (1000 * (.[-1].t - .[1].t)) | . > 0.98 and . < 1.02' out
	jq -s -e '.[-1] | .samples > 500' out
}

# bats test_tags=timed
@test "readings missed while the sampler was stopped count as late" {
	procsample --no-machine -i 20 -o out -- bash -c 'read -r -t 1.5 <> <(:); true' &
	pid=$!
	read -r -t 0.2 <> <(:) || true
	kill -STOP $pid
	read -r -t 0.6 <> <(:) || true
	kill -CONT $pid
	wait $pid
	jq -s -e '.[-1] | .late >= 25 and .late <= 45 and .samples + .late >= 65' out || { tail -1 out; return 1; }
}

# bats test_tags=timed
@test "its own cost is in its record and is small" {
	procsample --no-machine -i 10 -o out -- bash -c 'read -r -t 1 <> <(:); true'
	jq -s -c '.[-1]' out >&3
	jq -s -e '.[-1] | .cpu_s > 0.001 and .cpu_s < 0.05 * .wall_s' out
}

@test "the priority of the watched process does not change" {
	nice -n 5 bash -c 'read -r -t 20 <> <(:); true' &
	pid=$!
	started="$started $pid"
	procsample --no-machine -i 5 --watch $pid >out &
	sampler=$!
	wait_for grep -q '"processes":1' out
	run ps -o ni= -o cls= -p $pid
	[[ "$output" =~ ^\ *5\ +TS ]] || { echo "$output"; return 1; }
	kill -TERM $sampler
	wait $sampler
}

@test "a command's exit status is passed on, and its output does not mix with the records" {
	run --separate-stderr procsample --no-machine -- sh -c 'echo hello; exit 7'
	status_is 7
	[ "$stderr" = hello ]
	[ "$(jq -r .type <<<"$output" | uniq | tr '\n' ' ')" = 'watch sample sampler ' ]
	run --separate-stderr procsample --no-machine -o out -- sh -c 'cat; kill -TERM $$' <<<given
	status_is 143
	[ "$output" = given ]
	[ -s out ]
	run -127 procsample --no-machine -o out -- ./no-such-command
	has "procsample: cannot run './no-such-command': No such file or directory"
	run procsample --no-machine -o out -- /
	status_is 126
}

@test "SIGTERM ends --watch in order, and is passed on to a command" {
	bash -c 'read -r -t 5 <> <(:); true' &
	pid=$!
	started="$started $pid"
	procsample --no-machine --watch $pid >out &
	sampler=$!
	wait_for grep -q '"type":"sample"' out
	kill -TERM $sampler
	wait $sampler
	jq -s -e '.[-1].type == "sampler"' out
	kill -0 $pid
	procsample --no-machine -o out -- bash -c 'trap "exit 9" TERM; echo up; while :; do read -r -t 0.05 <> <(:); done' >up &
	sampler=$!
	wait_for grep -q up up
	kill -TERM $sampler
	status=0
	wait $sampler || status=$?
	status_is 9
}

@test "a signal in a command's first instant reaches it" {
	"${CC:-cc}" -shared -fPIC -o early.so "$ROOT/tests/earlysignal.c"
	for who in parent child; do
		run env EARLY=$who LD_PRELOAD="$PWD/early.so" procsample --no-machine -i 3600000 -o out -- sleep 2
		status_is 143
	done
}

@test "under nohup it survives SIGHUP, and likewise other ignored signals" {
	for ignored in HUP TERM INT; do
		rm -f up
		env --default-signal=HUP,TERM,INT --ignore-signal=$ignored procsample --no-machine -o out -- sh -c 'touch up; sleep 0.3; echo lived' >said &
		pid=$!
		wait_for test -e up
		kill -$ignored $pid
		wait $pid
		[ "$(cat said)" = lived ]
	done
}

@test "closed standard files are an error, and no other file gets their descriptors" {
	run -4 bash -c 'timeout 5 procsample <&-'
	has "procsample: cannot read 'stdin': Bad file descriptor"
	run -4 bash -c 'procsample --no-machine -- true >&-'
	has 'procsample: cannot write to standard output: Bad file descriptor'
	procsample --no-machine -o out -- true <&- >&- 2>&-
	[ "$(jq -r .type out | uniq | tr '\n' ' ')" = 'watch sample sampler ' ]
}

@test "--watch can be repeated, and ends when all have ended" {
	bash -c 'read -r -t 1.5 <> <(:); true' &
	a=$!
	bash -c 'read -r -t 2 <> <(:); true' &
	run --separate-stderr procsample --no-machine --watch $a --watch $!
	status_is 0
	[ "$(jq -r 'select(.type == "watch").pid' <<<"$output" | sort)" = "$(printf '%s\n' $a $! | sort)" ]
	[ "$(jq -r 'select(.processes == 0).pid' <<<"$output" | sort)" = "$(printf '%s\n' $a $! | sort)" ]
}

@test "--machine samples the machine with nothing watched" {
	mkfifo in
	procsample --machine -i 10 <in >out &
	exec 7>in
	wait_for grep -q sample out
	exec 7>&-
	wait
	jq -s -e 'map(select(.type == "sample")) | length > 0 and all(.role == "machine" and .load_1min >= 0)' out
	run procsample --machine --no-machine </dev/null
	status_is 2
}

@test "a missing process is a reason in a stream, and exit status 4 with --watch" {
	run --separate-stderr procsample <<<'{"type":"watch","t":1,"role":"kernel","pid":4194304}'
	status_is 0
	[ "$(jq -r 'select(.type == "sample") | [.cpu_s, .rss_bytes, .reason] | map(tostring) | join(" ")' <<<"$output")" = 'null null there is no process 4194304' ]
	run procsample --watch 4194304
	status_is 4
	[ "$output" = 'procsample: there is no process 4194304' ]
	# A zombie, and the program itself.
	python3 -c 'import os, time; pid = os.fork() or os._exit(0); print(pid, file=open("zombie", "w")); time.sleep(5)' &
	started="$started $!"
	wait_for grep -qs 'State:.Z' "/proc/$(wait_for test -s zombie; cat zombie)/status"
	run -4 procsample --watch "$(cat zombie)"
	has 'has ended'
	run -4 sh -c 'exec procsample --watch $$'
	has 'is the program that samples'
	for bad in 0 -1 x 1.5 99999999999; do
		run procsample --watch "$bad"
		status_is 2
	done
}

@test "what may not be read of a process is null, with the reason" {
	[ "$(id -u)" = 0 ] || skip "needs a process of another user"
	bash -c 'read -r -t 1.5 <> <(:); true' &
	run --separate-stderr setpriv --reuid 65534 --clear-groups "$BIN/procsample" --no-machine --watch $!
	status_is 0
	jq -s -e --arg why "cannot read /proc/$!/io: Permission denied" \
		'map(select(.processes == 1)) | length > 3 and all(.read_bytes == null and .reason == $why and .cpu_s >= 0 and .rss_bytes > 0)' <<<"$output"
}

@test "a zombie holds no memory, and a tree whose root has ended lives on with its child" {
	cat >z.py <<-'P'
	import os, time
	if os.fork() == 0:
	    os._exit(0)
	time.sleep(1)
	# A child whose parent ends before the child was seen is not counted.
	time.sleep(1.2 if os.fork() == 0 else 0.3)
	P
	python3 z.py &
	run --separate-stderr procsample --no-machine --watch $!
	status_is 0
	jq -s -e 'map(select(.type == "sample")) | (map(select(.processes == 1)) | length) > length * 0.5 and .[-1].t - .[0].t > 1.2 and .[-1].processes == 0' <<<"$output"
}

@test "a process that gets the id of an ended one is not counted as that one" {
	[ -w /proc/sys/kernel/ns_last_pid ] || skip "needs the right to choose a process id"
	mkfifo in
	procsample --no-machine -i 300 <in >out &
	exec 7>in
	bash -c 'read -r -t 5 <> <(:); true' &
	first=$!
	echo "{\"type\":\"watch\",\"t\":1,\"role\":\"kernel\",\"pid\":$first}" >&7
	wait_for grep -q '"type":"sample"' out
	kill -KILL $first
	wait $first || true
	for _ in {1..50}; do
		echo $((first - 1)) >/proc/sys/kernel/ns_last_pid
		"$busy" truth burn 0.7 &
		[ $! = "$first" ] && break
		kill -KILL $!
	done
	[ $! = "$first" ] || skip "the number went to another"
	wait $!
	exec 7>&-
	wait
	[ "$(jq -s 'map(select(.type == "sample"))[-1] | .processes' out)" = 0 ]
	jq -s -e 'map(select(.type == "sample"))[-1].cpu_s < 0.1' out
}

@test "empty input is not an error" {
	run procsample </dev/null
	status_is 0
	[ -z "$output" ]
}

@test "lines that are not records are refused with line and column" {
	for bad in x '[]' '{"type":"a","b":1,"b":2}' '{"type":"a","b":NaN}' $'{"type":"\xff"}' '' '{"type":"watch","pid":1}' \
		'{"type":"watch","role":"kernel","pid":"1"}' '{"type":"watch","role":"kernel","pid":1.5}' '{"type":"watch","role":"kernel","pid":-1}'; do
		run --separate-stderr procsample < <(echo '{"type":"note"}'; echo "$bad")
		status_is 3
		[[ "$stderr" =~ ^procsample:\ stdin:2:[0-9]+:\  ]] || { echo "for $bad: $stderr"; return 1; }
		[ "${lines[0]}" = '{"type":"note"}' ]
	done
}

@test "a line of 100 MB is refused in little memory" {
	run bash -c "$ULIMIT 200000; (printf '{\"type\":\"x\",\"a\":\"'; head -c 100000000 /dev/zero | tr '\\0' a; echo '\"}') | procsample"
	status_is 3
	has 'procsample: stdin:1:1: line longer than 16777216 bytes'
}

@test "a full disk is an error, and a reader that leaves ends it without a message" {
	run bash -c 'procsample <"$1" >/dev/full' - "$runs"
	status_is 4
	[ "$output" = 'procsample: cannot write to standard output: No space left on device' ]
	run bash -c 'yes "{\"type\":\"note\"}" | procsample | head -1; exit "${PIPESTATUS[1]}"'
	[ "$output" = '{"type":"note"}' ]
	# The command goes on although its samples cannot be written.
	run bash -c 'procsample --no-machine -- sh -c "read -r -t 0.3 <> /dev/null; echo done >end" >/dev/full'
	status_is 4
	has 'No space left on device'
	[ "$(cat end)" = done ]
	run procsample -o /dev/null/x </dev/null
	status_is 4
}

@test "each processor that the process may use is read, ten times a second at most; where that cannot be, the reason is there" {
	allowed=$(taskset -cp $$ | sed 's/.*: //')
	one=${allowed%%[-,]*}
	taskset -c "$one" procsample -i 10 -o all -- sh -c 'i=0; while [ $i -lt 400000 ]; do i=$((i+1)); done'
	[ "$(jq -sc "map(select(.role == \"machine\" and .processor_ids)) | map(.processor_ids) | unique == [[$one]]" all)" = true ]
	run jq -se 'map(select(.role == "machine")) | (map(select(.processor_busy_s)) | length) as $n | $n >= 2 and $n <= 2 + 10 * .[-1].elapsed_s' all
	status_is 0
	run jq -se 'map(select(.processor_busy_s)) | .[-1] | .processor_busy_s[0] > 0.5 * .elapsed_s - 0.05 and .processor_busy_s[0] <= .elapsed_s + 0.05' all
	status_is 0
	# A kernel that is pinned has its own, whatever the sampler may use.
	taskset -c "$one" sleep 5 &
	pid=$!
	wait_for sh -c "taskset -cp $pid | grep -q ': $one$'"
	run -0 sh -c "{ echo '{\"type\":\"watch\",\"role\":\"kernel\",\"pid\":$pid}'; sleep 0.3; } | procsample"
	kill $pid
	[ "$(jq -sc 'map(select(.processor_ids).processor_ids) | unique' <<<"$output")" = "[[$one]]" ]
	mkdir -p root/proc
	echo 'cpu  1 2 3 4 5 6 7' >root/proc/stat
	NBSCOPE_SYSROOT=$PWD/root procsample -o none -- true
	[ "$(jq -r 'select(.role == "machine") | .processor_busy_s, .processor_reason' none | head -n 2)" = $'null\n'"cannot read each processor's line in '$PWD/root/proc/stat': No data available" ]
}
