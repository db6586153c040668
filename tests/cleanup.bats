# What a run leaves on a server of the user's that is killed in the middle, or that has no space.
# bats file_tags=untimed
load helpers
load server
load faults

# theirs: the user's server, with a trash of its own and, like most, one that deletes into it; its pid in $users_pid.
theirs() {
	XDG_DATA_HOME=$home/xdg users_server "$home" --ServerApp.port="$port" --IdentityProvider.token=s3cret
	wait_until 60 rest api/status
}

setup() {
	home=$BATS_TEST_TMPDIR/home port=$(free_port)
	export TMPDIR=$BATS_TEST_TMPDIR/tmp MARK=$BATS_TEST_TMPDIR/mark JUPYTERLAB_URL=http://127.0.0.1:$port/ JUPYTERLAB_TOKEN=s3cret
	mkdir -p "$TMPDIR" "$home/root"
}

teardown() {
	kill "$users_pid" 2>/dev/null || true
	! mountpoint -q "$home/root" || umount -l "$home/root"
}

# kept: what the server's user has of the run, in its folder, its trash and its workspaces.
kept() {
	find "$home/root" "$home/xdg" -mindepth 1 ! -path '*/jupyter*' ! -path "$home/root/lost+found" 2>/dev/null
	find "$home" -name '*.jupyterlab-workspace'
}

nothing_kept() {
	[ -z "$(kept)" ]
}

@test "a server that is killed and restarted in the middle keeps nothing of the run, also not in its trash" {
	theirs
	killed() {
		kill -9 "$users_pid"
		read -r -t 1 <> <(:) || true
		theirs
		echo "$users_pid" >"$BATS_TEST_TMPDIR/second"
	}
	once_marked killed
	# What the kernel leaves behind still writes into the folder, so that it is not gone at once.
	run -1 profile again <<EON
[("code", '''import os, subprocess, time
subprocess.Popen(["python3", "-c", """import time
end = time.time() + 20
while time.time() < end:
    open(f"w{time.time_ns() % 9}", "w").close()
    time.sleep(0.001)"""], start_new_session=True)
open("$MARK", "w").close()
time.sleep(60)'''), ("code", "2")]
EON
	wait "$breaker" || { tail "$home/log"; false; }
	users_pid=$(cat "$BATS_TEST_TMPDIR/second")
	run -0 cells again 'map(.status)'
	has '["server_lost","not_run"]'
	wait_until 30 nothing_kept
	# And not again: JupyterLab's page is gone.
	read -r -t 2 <> <(:) || true
	run -0 kept
	[ -z "$output" ]
}

# bats test_tags=thorough
@test "a server that is killed and stays away keeps no folder of the run; its workspace is named, and removed if it returns" {
	theirs
	once_marked kill -9 "$users_pid"
	run -1 profile away < <(slow_once)
	[ -z "$(find "$home/root" -mindepth 1)" ]
	[[ $output =~ 'cellrun: the server does not answer: unless it does within 20 s, the workspace '\'nbscope-[0-9a-f]+\'' remains on it' ]] || has 'the warning'
	theirs
	wait_until 25 nothing_kept
}

# bats test_tags=thorough
@test "on a full disk the run's folder is removed, and no trash is made there" {
	mount -t tmpfs -o size=400k none "$home/root" 2>/dev/null || skip 'no mounts here'
	theirs
	run -1 profile full <<'EON'
[("code", "1"), ("code", "f = open('fill', 'wb', 0)\nwhile True: f.write(bytes(1000))"), ("code", "2")]
EON
	run -0 cells full 'map([.status, .error_name])'
	has '[["completed",null],["failed","OSError"],["not_run",null]]'
	nothing_kept || { kept; false; }
	[ -z "$(ls -A "$home/root")" ]
	# Also if there is no space for the notebook itself: no kernel was started.
	head -c 200000 /dev/zero >"$home/root/theirs"
	run -4 profile large <<<"[('code', '#$(printf %0300000d 0)')]"
	run -0 jq -r 'select(.type == "run_end") | .status, .reason' "$BATS_FILE_TMPDIR/large.jsonl"
	has failed
	[ "$(ls -A "$home/root")" = theirs ]
}
