# runlock: one command at a time in a folder, and nothing left behind.
# bats file_tags=quick
load helpers

setup() { cd "$BATS_TEST_TMPDIR" || return; }

# until_true COMMAND...: retries it, for at most two seconds.
until_true() {
	for _ in {1..200}; do
		"$@" >/dev/null 2>&1 && return
		read -r -t 0.01 <> <(:) || true
	done
	return 1
}

# held FOLDER [OPTIONS]: a runlock in the background that holds it; its pid in $holder.
held() {
	runlock "${@:2}" "$1" sh -c 'touch ready; exec tail -f /dev/null' 3>&- &
	holder=$!
	until_true test -e ready
}

teardown() {
	[ -z "$holder" ] || kill -KILL "$holder" 2>/dev/null || true
}

@test "the folder is created, the command runs and its status is passed on" {
	run -7 runlock a/b sh -c 'test -d a/b && exit 7'
	run -127 runlock a/b no-such-command
	has "runlock: cannot run 'no-such-command'"
	run -0 runlock a/b
	[ -z "$output" ]
}

@test "a second runlock names the first, and waits no longer than --wait" {
	held a
	run -5 runlock --wait 0 a touch ran
	has "runlock: 'a' is in use by process $holder (runlock a sh -c "
	run -5 runlock --wait 1 a touch ran
	has ": waiting"
	has "still in use by process $holder"
	has "after 1 s"
	[ ! -e ran ]
	run -0 runlock --no-lock --wait 0 a touch ran
	[ -e ran ]
	run -0 runlock --wait 0 other true
}

@test "a second runlock continues as soon as the first ends, even by SIGKILL" {
	held a
	runlock a touch ran 2>err 3>&- &
	until_true grep -q waiting err
	[ ! -e ran ]
	kill -KILL "$holder"
	until_true test -e ran
}

@test "the scratch folder is private, below the folder, and removed afterwards" {
	run -0 runlock --scratch a sh -c 'touch "$NBSCOPE_SCRATCH/x"; stat -c %a "$NBSCOPE_SCRATCH"; dirname "$NBSCOPE_SCRATCH"'
	[ "$output" = $'700\na' ] || has '700 and a'
	[ -z "$(ls -A a)" ]
	held a --scratch
	[ -n "$(ls -A a)" ]
	kill -KILL "$holder"
	until_true rmdir a
}

@test "SIGTERM ends the command and everything that it had started" {
	runlock a sh -c 'sh -c "touch ready; tail -f ready" & wait' 3>&- &
	holder=$!
	until_true test -e ready
	kill "$holder"
	ended=0
	wait "$holder" || ended=$?
	[ $ended = 143 ]
	run -1 pgrep -f 'tail -f ready$'
	holder=
}

@test "what a command leaves in the background continues if the command ends by itself" {
	run -0 runlock a sh -c 'tail -f /dev/null >/dev/null 2>&1 3>&- & echo $!'
	kill -0 "$output"
	kill "$output"
}

@test "a folder that cannot be used is reported with the reason" {
	touch file
	run -4 runlock file true
	has "runlock: cannot make the folder 'file': Not a directory"
	run -4 runlock file/x true
	has 'Not a directory'
	ln -s nowhere dangling
	run -4 runlock dangling/current true
	has "runlock: 'dangling' is a link to 'nowhere', which cannot be used (No such file or directory)"
	[ ! -e nowhere ]
	mkdir own
	ln -s own mine
	run -0 runlock mine/current true
	[ -d own/current ]
}

@test "another user's folder behind a link, and another user's link, are refused" {
	[ "$(id -u)" = 0 ] || skip 'only root can make them'
	mkdir theirs
	ln -s theirs a
	chown nobody theirs
	run -4 runlock a true
	has "runlock: 'a' is a link to 'theirs', which belongs to another user"
	chown root theirs
	chown -h nobody a
	run -4 runlock a true
	has "runlock: 'a' is a link that another user made"
}

@test "FOLDER is required" {
	run -2 runlock
	has 'no folder given'
}
