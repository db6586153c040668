# Browsers that a test starts with its folder as TMPDIR, and a driver.

# The number of processes with this test's folder in their command line, as the profile.
ours() {
	pgrep -f "$BATS_TEST_TMPDIR/nbscope-[b]rowser" | wc -l
}

# Checks that within 5 s no process and no folder of theirs is left.
gone() {
	timeout 5 sh -c "while pgrep -f '$BATS_TEST_TMPDIR/nbscope-[b]rowser' >/dev/null ||
		[ -n \"\$(ls -d '$BATS_TEST_TMPDIR'/nbscope-browser* 2>/dev/null)\" ]
	do sleep 0.1; done"
}

# Starts a driver that wdsession has not started: its pid in $driver, its address in WEBDRIVER_URL,
# and options for its browsers in $args.
start_driver() {
	local log=$BATS_TEST_TMPDIR/driver.log
	chromedriver --port=0 >"$log" 2>&1 3>&- &
	driver=$!
	timeout 20 sh -c "until grep -q 'successfully on port' '$log'
	do sleep 0.1; done"
	WEBDRIVER_URL=http://127.0.0.1:$(sed -n 's/.*fully on port \([0-9]*\).*/\1/p' "$log")/
	export WEBDRIVER_URL
	args=
	[ "$(id -u)" != 0 ] || args=--arg=--no-sandbox
}
