# A real JupyterHub (make test-hub installs it), in the current folder.

free_ports() {
	python3 -c '
import socket
s = [socket.create_server(("127.0.0.1", 0)) for _ in range(4)]
print(*(x.getsockname()[1] for x in s))'
}

# has_hub: whether there is a JupyterHub, which is in PATH then.
has_hub() {
	hub_bin=$(dirname "$(command -v jupyterhub || echo "${NBSCOPE_HUB:-$ROOT/build/hub/bin}/jupyterhub")")
	[ -x "$hub_bin/jupyterhub" ] && PATH=$hub_bin:$PATH
}

# hub_needed: skips the test if there is none. (In setup_file, bats would take that for a failure.)
hub_needed() {
	has_hub || skip "no jupyterhub: make test-hub installs it"
}

# start_hub [LINE...]: with further lines of its configuration. Its address is $hub_url, its process
# $hub_pid; zoe has the token of 32 digits, and the password is that of all.
start_hub() {
	local port
	read -ra port <<<"$(free_ports)"
	cat >jupyterhub_config.py <<EOP
c.JupyterHub.bind_url = "http://127.0.0.1:${port[0]}/pre/"
c.JupyterHub.hub_port = ${port[1]}
c.ConfigurableHTTPProxy.api_url = "http://127.0.0.1:${port[2]}"
c.JupyterHub.authenticator_class = "dummy"
c.DummyAuthenticator.password = "pass & wörd+%"
c.Authenticator.allow_all = True
c.JupyterHub.spawner_class = "simple"
c.Spawner.args = ["--allow-root"]
c.Spawner.notebook_dir = "$PWD"
c.JupyterHub.db_url = "sqlite:///:memory:"
c.JupyterHub.allow_named_servers = True
c.JupyterHub.load_roles = [{"name": "same-as-user", "scopes": ["self"], "users": ["zoe"]}]
c.JupyterHub.api_tokens = {"0123456789abcdef0123456789abcdef": "zoe"}
EOP
	[ $# = 0 ] || printf '%s\n' "$@" >>jupyterhub_config.py
	jupyterhub -f jupyterhub_config.py 3>&- >hub.log 2>&1 &
	hub_pid=$!
	hub_url=http://127.0.0.1:${port[0]}/pre
	wait_for curl -sf "$hub_url/hub/api"
}
