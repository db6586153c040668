# Browsers that a test starts with its folder as TMPDIR, and a driver of its own.

# How many processes name this test's folder in their command line: the profile does.
ours() {
	pgrep -f "$BATS_TEST_TMPDIR/nbscope-[b]rowser" | wc -l
}

# Within 5 s neither a process nor a folder of theirs is left.
gone() {
	timeout 5 sh -c "while pgrep -f '$BATS_TEST_TMPDIR/nbscope-[b]rowser' >/dev/null || [ -n \"\$(ls -d '$BATS_TEST_TMPDIR'/nbscope-browser* 2>/dev/null)\" ]; do read -r _ </proc/uptime; done"
}

# A driver that stands elsewhere: its id in $driver, WEBDRIVER_URL set, and in $args
# what its browsers want.
start_driver() {
	chromedriver --port=0 >"$BATS_TEST_TMPDIR/driver.log" 2>&1 3>&- &
	driver=$!
	timeout 20 sh -c "until grep -q 'successfully on port' '$BATS_TEST_TMPDIR/driver.log'; do read -r _ </proc/uptime; done"
	WEBDRIVER_URL=http://127.0.0.1:$(sed -n 's/.*successfully on port \([0-9]*\).*/\1/p' "$BATS_TEST_TMPDIR/driver.log")/
	export WEBDRIVER_URL
	args=
	[ "$(id -u)" != 0 ] || args=--arg=--no-sandbox
}
