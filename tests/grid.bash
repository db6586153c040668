# A real Selenium Grid (make test-grid fetches it), and a machine of its own for browsers: another
# network namespace, of which this side sees nothing but its address.

GRID_JARS=$ROOT/build/grid

# has_grid: whether there is a Grid, and what runs it.
has_grid() {
	[ -e "$GRID_JARS/.done" ] && [ -n "$(command -v java)" ]
}

grid_needed() {
	has_grid || skip 'no Selenium Grid: make test-grid fetches it'
}

# in_background LOG COMMAND...: in a process group of its own; its pid in $started.
in_background() {
	local log=$1
	shift
	setsid "$@" 3>&- 4>&- >"$log" 2>&1 </dev/null &
	started=$!
}

# grid COMMAND...: a part of a Grid. FAR is a command before it, such as one that enters a namespace.
grid() {
	# shellcheck disable=SC2086  # a command line
	in_background "$BATS_TEST_TMPDIR/$1.$RANDOM.log" ${FAR-} java -Xmx300m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Djava.io.tmpdir="$TMPDIR" \
		-cp "$GRID_JARS/*" org.openqa.selenium.grid.Main "$@"
}

# ready_nodes N: whether that many nodes of the Grid are up.
ready_nodes() {
	[ "$(curl -sf "$WEBDRIVER_URL/status" | jq '[.value.nodes[] | select(.availability == "UP")] | length')" = "$1" ]
}

# driver_options SLOTS: of a node with that many Chromiums, or Firefoxes if GRID_BROWSER is firefox.
driver_options() {
	local driver=chromedriver browser='{"browserName":"chrome","goog:chromeOptions":{"binary":"/usr/lib/chromium/chromium","args":["--no-sandbox"]}}'
	[ "${GRID_BROWSER-}" != firefox ] || driver=geckodriver browser='{"browserName":"firefox"}'
	driver_options=(--detect-drivers false --override-max-sessions true --max-sessions "$1" --driver-configuration "display-name=$driver" "max-sessions=$1"
		webdriver-executable="$(command -v $driver)" "stereotype=$browser")
}

# start_grid HOST SLOTS [OPTION...]: a Grid of one node; WEBDRIVER_URL is its address, $grid its process.
# GRID_USER is the name and the password that it requires.
start_grid() {
	local port
	port=$(free_port)
	driver_options "$2"
	grid standalone --host "$1" --port "$port" "${driver_options[@]}" "${@:3}"
	grid=$started
	export WEBDRIVER_URL=http://${GRID_USER:+$GRID_USER@}$1:$port
	wait_for ready_nodes 1
}

# start_hub_and_nodes HOST NODES [OPTION...]: a Grid whose nodes have one Chromium each; their processes are $nodes.
start_hub_and_nodes() {
	local ports i
	read -ra ports <<<"$(python3 -c '
import socket
s = [socket.create_server(("127.0.0.1", 0)) for _ in range('$(($2 + 3))')]
print(*(x.getsockname()[1] for x in s))')"
	local bus=(--publish-events "tcp://$1:${ports[1]}" --subscribe-events "tcp://$1:${ports[2]}")
	grid hub --host "$1" --port "${ports[0]}" "${bus[@]}" "${@:3}"
	grid=$started nodes=()
	export WEBDRIVER_URL=http://$1:${ports[0]}
	driver_options 1
	for ((i = 0; i < $2; i++)); do
		grid node --host "$1" --port "${ports[3 + i]}" --hub "$WEBDRIVER_URL" "${bus[@]}" "${driver_options[@]}"
		nodes+=("$started")
	done
	wait_for ready_nodes "$2"
}

# end_group PID [SIGNAL]: of in_background.
end_group() {
	kill "${2:--TERM}" -- "-$1" 2>/dev/null || true
}

# sessions: the sessions of the Grid, one per line: id and node.
sessions() {
	curl -sf "$WEBDRIVER_URL/status" | jq -r '.value.nodes[] | (.externalUri // .uri) as $at | .slots[].session.sessionId // empty | "\(.) \($at)"'
}

# ---- the other machine -----------------------------------------------------------------------

# make_far: the namespace $far_name, whose address is $far; this side's is $near. False if none can be made here.
make_far() {
	far_name=nbscope-$$ near=10.213.$((RANDOM % 250)).1
	far=${near%1}2
	ip netns add "$far_name" 2>/dev/null && ip link add "nb$$" type veth peer name eth0 netns "$far_name" &&
		ip addr add "$near/30" dev "nb$$" && ip link set "nb$$" up &&
		ip -n "$far_name" addr add "$far/30" dev eth0 && ip -n "$far_name" link set eth0 up && ip -n "$far_name" link set lo up
}

remove_far() {
	ip netns delete "$far_name"
}
