# bats file_tags=untimed
# Notebooks on a real JupyterHub: what is measured there, and what is null.
load helpers
load server
load hub
load faults

setup_file() {
	has_hub || return 0
	cd "$BATS_FILE_TMPDIR"
	# A spawn takes its time, and the hub's own API can end a server, as its culler does.
	start_hub 'import asyncio' \
		'async def slow(spawner): await asyncio.sleep(6 if spawner.name == "slow" else 0)' \
		'c.Spawner.pre_spawn_hook = slow' \
		'c.JupyterHub.load_roles.append({"name": "culler", "scopes": ["admin:servers", "list:users"], "services": ["culler"]})' \
		'c.JupyterHub.services = [{"name": "culler", "api_token": "fedcba9876543210fedcba9876543210"}]'
	printf 'hub_url=%s hub_pid=%s\n' "$hub_url" "$hub_pid" >hub.env
}

teardown_file() {
	[ ! -e "$BATS_FILE_TMPDIR/hub.env" ] || . "$BATS_FILE_TMPDIR/hub.env"
	[ -z "${hub_pid-}" ] || kill "$hub_pid"
}

setup() {
	hub_needed
	. "$BATS_FILE_TMPDIR/hub.env"
	export JUPYTERLAB_TOKEN=0123456789abcdef0123456789abcdef
}

# on_hub NAME SERVER: a run of the cells on stdin on zoe's server.
on_hub() {
	local name=$1
	JUPYTERLAB_URL=$hub_url/user/zoe/$2 HOLDER="${HOLDER:-} labserve" profile "$name" "${@:3}"
}

# run_of NAME FILTER: jq over all records.
run_of() {
	jq -sc "$2" "$BATS_FILE_TMPDIR/$1.jsonl"
}

@test "a named server that takes seconds to spawn is waited for, and its cells have all times" {
	on_hub slow slow/ <<<'[("code", "import time; time.sleep(0.5)"), ("code", "from IPython.display import HTML\nHTML(\"<h1>x</h1>\")")]'
	run -0 cells slow 'map(.status), (.[0] | .kernel_ms >= 500 and .kernel_ms < 600), (.[1].last_visual_change_t != null)'
	has '["completed","completed"]'$'\n'true$'\n'true
	# The wait for it is in no time: it is over before the run begins.
	run -0 run_of slow '.[-1].wall_ms < 60000, (map(select(.type == "watch" and .pid == null).role))'
	has $'true\n[]'
	# Nothing of it remains on the user's server.
	run -0 curl -sf -H "Authorization: token $JUPYTERLAB_TOKEN" "$hub_url/user/zoe/slow/api/sessions"
	[ "$output" = '[]' ]
}

@test "a server that the hub culls during a cell ends the run as server_lost, and starts again for the next attempt" {
	on_hub culled culled/ <<<'[("code", "1"), ("code", "import time; time.sleep(60)"), ("code", "2")]' &
	local pid=$!
	wait_for grep -q '"type":"cell_start".*"cell_index":2' "$BATS_FILE_TMPDIR/culled.jsonl"
	curl -sf -X DELETE -H 'Authorization: token fedcba9876543210fedcba9876543210' "$hub_url/hub/api/users/zoe/servers/culled"
	wait "$pid" || true
	run -0 cells culled 'map(.status)'
	[[ $output == '["completed","server_lost","not_run"]' || $output == '["completed","kernel_died","not_run"]' ]] || has 'how it ended'
	on_hub again culled/ --attempt 2 <<<'[("code", "1"), ("code", "2")]'
	run -0 cells again 'map(.status)'
	[ "$output" = '["completed","completed"]' ]
}

@test "of kernels that run elsewhere the times are measured, and the usage is null with a reason" {
	unshare -pf true 2>/dev/null || skip 'no process namespace of our own'
	# Only this side of it is elsewhere: it sees no process of the hub.
	HOLDER='unshare -pf --mount-proc' on_hub elsewhere '' <<<'[("code", "import time; time.sleep(0.5)")]'
	run -0 cells elsewhere '.[0] | .status, (.kernel_ms >= 500), .usage.kernel.cpu_s, .usage.server.cpu_s, (.usage.browser.cpu_s > 0)'
	has $'"completed"\ntrue\nnull\nnull\ntrue'
	run -0 run_of elsewhere 'map(select(.type == "watch") | [.role, .pid != null, .reason != null])'
	has '["kernel",false,true],["browser",true,false],["server",false,true]'
}
