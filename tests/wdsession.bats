# bats file_tags=untimed
# wdsession, with a real driver and a real browser.
load helpers
load browser

setup() {
	TMPDIR=$BATS_TEST_TMPDIR
	export TMPDIR
}

# held SIGNAL: sends it to a wdsession that holds a browser, and waits for its end.
held() {
	wdsession sh -c 'touch "$1/ready"; exec tail -f /dev/null' sh "$BATS_TEST_TMPDIR" 3>&- &
	pid=$!
	timeout 60 sh -c "until [ -e '$BATS_TEST_TMPDIR/ready' ]; do sleep 0.1; done"
	[ "$(ours)" -gt 3 ]
	kill "-$1" $pid
	wait $pid || true
}

@test "the command has the session, the browser's name, its window and its process id" {
	run -0 wdsession --window 1000x700 sh -c 'curl -s "$WD_SESSION/url"; echo " $WD_BROWSER $WD_WINDOW"; tr "\0" "\n" <"/proc/$WD_BROWSER_PID/cmdline" | head -1'
	has '{"value":'
	has 'chrome '
	has '1000x700'
	has 'chromium'
}

@test "the browser shows only a blank page, not even one of its own address line" {
	run -0 wdsession sh -c 'sleep 1; curl -s -H "Content-Type: application/json" -d "$1" "$WD_SESSION/goog/cdp/execute"' sh \
		'{"cmd": "Target.getTargets", "params": {"filter": [{}]}}'
	run -0 jq -r '.value.targetInfos[].url' <<<"$output"
	[ "$(sort -u <<<"$output")" = about:blank ] || has 'about:blank alone'
}

@test "the command has the address of Chromium's DevTools, which are those of its session" {
	run -0 wdsession sh -c 'curl -s "$WD_DEVTOOLS/json/list" | jq -r ".[].id"; curl -s "$WD_SESSION/window" | jq -r .value'
	[ "${#lines[@]}" = 2 ]
	[ "${lines[0]}" = "${lines[1]}" ]
}

@test "the command's exit status is passed on" {
	run -7 wdsession sh -c 'exit 7'
	run -127 wdsession /no/such/command
	has "cannot run '/no/such/command'"
}

@test "a TMPDIR that is long or has blanks prevents neither the browser's start nor the guard of its driver" {
	for name in "$(printf 'n%.0s' {1..100})" 'two words'; do
		mkdir -p "$BATS_TEST_TMPDIR/$name"
		TMPDIR=$BATS_TEST_TMPDIR/$name run -0 timeout 20 wdsession sh -c 'ls -d "$TMPDIR"/nbscope* 2>/dev/null
			tr "\\0" "\n" </proc/$(awk "{print \$4}" /proc/$WD_BROWSER_PID/stat)/environ | grep LD_PRELOAD'
		[[ $output =~ ^LD_PRELOAD=(/tmp/nbscope-browser\.[^/]*)/driverguard.so$ ]]
		[ ! -e "${BASH_REMATCH[1]}" ]
	done
}

@test "stdin and stdout belong to the command" {
	run -0 --separate-stderr wdsession cat <<<'line'
	[ "$output" = line ]
	[ -z "$stderr" ]
}

@test "afterwards no process and no folder is left" {
	wdsession true
	run -0 ours
	[ "$output" = 0 ]
	[ -z "$(ls -d "$BATS_TEST_TMPDIR"/nbscope-browser* 2>/dev/null)" ]
}

@test "SIGTERM leaves no process and no folder" {
	held TERM
	gone
}

@test "SIGKILL leaves no process and no folder" {
	held KILL
	gone
}

@test "WebGL works without a graphics card" {
	run -0 wdsession sh -c 'curl -s "$WD_SESSION/execute/sync" -d "{\"script\": \"return !!document.createElement(\\\"canvas\\\").getContext(\\\"webgl2\\\")\", \"args\": []}"'
	has '{"value":true}'
}

@test "a session of another driver is opened and deleted, the driver stays" {
	start_driver
	run wdsession $args sh -c 'echo "$WD_SESSION" "[$WD_BROWSER_PID]"'
	echo "$output"
	after=$(curl -s "$(cut -d' ' -f1 <<<"$output")/url")
	kill $driver
	status_is 0
	has '[]'
	[[ "$after" == *'invalid session id'* ]] || { echo "$after"; false; }
}

@test "a missing driver is reported with its package" {
	mkdir "$BATS_TEST_TMPDIR/bin"
	ln -s "$BIN/wdsession" "$BATS_TEST_TMPDIR/bin"
	PATH=$BATS_TEST_TMPDIR/bin run -4 wdsession true
	has "cannot start 'chromedriver' (on Debian: apt-get install chromium chromium-driver): No such file or directory"
}

@test "a driver that dies at once is reported at once" {
	mkdir "$BATS_TEST_TMPDIR/bin"
	printf '#!/bin/sh\necho "no luck"\nexit 1\n' >"$BATS_TEST_TMPDIR/bin/chromedriver"
	chmod +x "$BATS_TEST_TMPDIR/bin/chromedriver"
	PATH=$BATS_TEST_TMPDIR/bin:$PATH run -4 wdsession true
	has "'chromedriver' ended at once: no luck"
}

@test "a driver whose port was taken is started again, at most twice" {
	local n=$BATS_TEST_TMPDIR/n real fails
	real=$(command -v chromedriver)
	mkdir "$BATS_TEST_TMPDIR/bin"
	printf '#!/bin/sh\necho >>%s\n[ "$(wc -l <%s)" -gt "$FAILS" ] || { echo "Address already in use (98)"; exit 1; }\nexec %s "$@"\n' \
		"$n" "$n" "$real" >"$BATS_TEST_TMPDIR/bin/chromedriver"
	chmod +x "$BATS_TEST_TMPDIR/bin/chromedriver"
	for fails in 1:0 9:4; do
		rm -f "$n"
		FAILS=${fails%:*} PATH=$BATS_TEST_TMPDIR/bin:$PATH run "-${fails#*:}" wdsession true
	done
	[ "$(wc -l <"$n")" = 3 ]
	has 'Address already in use'
}

@test "usage errors are reported" {
	run -2 wdsession
	has 'no command given'
	run -2 wdsession --window big true
	has "the window's size must be like 1600x1200"
	run -2 wdsession --browser lynx true
	has "not 'lynx'"
}

@test "a desktop's BROWSER that is not a browser is ignored" {
	BROWSER=/usr/bin/xdg-open run -0 wdsession sh -c 'echo "$WD_BROWSER"'
	has chrome
}

@test "a window without a display, or a browser to join that is not there, is refused at once" {
	run -4 env -u DISPLAY -u WAYLAND_DISPLAY timeout 5 wdsession --show true
	has 'wdsession: a visible window requires a display, but DISPLAY is not set: run without --show'
	run -4 timeout 5 wdsession --join 127.0.0.1:1 true
	has 'wdsession: no browser answers at 127.0.0.1:1: '
	has 'start Chromium with --remote-debugging-port=1'
}
