# bats file_tags=untimed
# Who may do what, in real runs: tokens, names and values that mean harm, ports,
# certificates.
load helpers
load server

# As it is, and as an address has it.
TOKEN='s3cr+t/T0k=n%20&x'
TOKEN_ENCODED='s3cr%2Bt%2FT0k%3Dn%2520%26x'

# tls_server: a user's server with TLS and a log of all it does.
tls_server() {
	local home=$BATS_FILE_TMPDIR/home port users_token=$TOKEN
	port=$(free_port)
	certificate "$home"
	users_server "$home" --debug --port="$port" --certfile="$home/cert" --keyfile="$home/key"
	echo $users_pid >"$BATS_FILE_TMPDIR/pid"
	echo "https://127.0.0.1:$port/" >"$BATS_FILE_TMPDIR/url"
	wait_for curl -sfk "https://127.0.0.1:$port/api"
}

# A use case that fails, and whose every name and value means harm.
hostile_use_case() {
	UC=$BATS_FILE_TMPDIR/hostile
	mkdir -p "$UC/files"
	python3 "$ROOT/tests/nb.py" "$UC/template.ipynb" <<'EON'
[("code", "word = {word_value}", ["parameters"]),
 ("code", "from IPython.display import HTML\nHTML('<div style=\"height:80px;background:red\">x</div>')"),
 ("code", "class E(Exception):\n    pass\nE.__name__ = '\\x1b[31m$(touch pwned)<script>alert(1)</script>'\n"
  "raise E('\\x1b]0;pwned\\x07 `touch pwned` \\u202e\\u009b31m ../../x ' + word)")]
EON
	python3 -c '
import json, sys
json.dump({"word": ["$(touch pwned)`touch pwned`\u0027; touch pwned; \"$(shell touch pwned)\"\n\x1b[31m</script><script>alert(1)</script>../../x"]}, sys.stdout)' >"$UC/params.json"
	(cd "$UC/files" && touch -- '$(shell touch pwned)' 'a; touch pwned #' 'it'\''s "quoted" `touch pwned`' $'two\nlines: pwned' '%.ipynb' -rf)
}

# Whatever may be seen of all processes while the command runs.
with_eyes() {
	local status=0
	printf '%s\n' "$TOKEN" "$TOKEN_ENCODED" >"$BATS_FILE_TMPDIR/tokens"
	python3 - "$BATS_FILE_TMPDIR" 3>&- <<-'P' &
	import glob, sys, time
	tokens = open(sys.argv[1] + "/tokens", "rb").read().split()
	with open(sys.argv[1] + "/seen", "wb", 0) as seen:
	    while not time.sleep(0.05):
	        for path in glob.iglob("/proc/[0-9]*/cmdline"):
	            try:
	                words = open(path, "rb").read()
	            except OSError:
	                continue
	            if any(token in words for token in tokens):
	                seen.write(words + b"\n")
	P
	local eyes=$!
	wait_for test -e "$BATS_FILE_TMPDIR/seen"
	"$@" || status=$?
	kill $eyes
	return $status
}

setup_file() {
	tls_server
	hostile_use_case
	mkdir "$BATS_FILE_TMPDIR/tmp" "$BATS_FILE_TMPDIR/myhome"
	export TMPDIR=$BATS_FILE_TMPDIR/tmp
	url=$(cat "$BATS_FILE_TMPDIR/url")
	cd "$ROOT" || return
	JUPYTERLAB_URL="${url}lab?token=$TOKEN_ENCODED" LOG_FILE=$BATS_FILE_TMPDIR/log LOG_LEVEL=DEBUG HOME=$BATS_FILE_TMPDIR/myhome \
		with_eyes make profile USECASE="$UC" INSECURE=1 SCREENSHOTS=1 RETRY=0 >"$BATS_FILE_TMPDIR/said" 2>&1 || true
}

teardown_file() {
	kill "$(cat "$BATS_FILE_TMPDIR/pid")"
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	UC=$BATS_FILE_TMPDIR/hostile
}

@test "a failing run on a server of the user's, at LOG_LEVEL DEBUG, is a result" {
	run -0 cat "$BATS_FILE_TMPDIR/said"
	has 'verdict: 1 of 1 notebook failed'
	has 'cell 3'
	[ -s "$BATS_FILE_TMPDIR/log" ]
	[ -n "$(find "$UC/executed" -name '*.ipynb')" ] && [ -n "$(find "$UC/screenshots" -name '*.png')" ]
}

@test "its token is in no file, name, log, output or argument list, in either spelling" {
	# The server's own note of itself is no doing of ours.
	rm -f "$BATS_FILE_TMPDIR"/home/run/jpserver-*
	run -1 grep -raF -f "$BATS_FILE_TMPDIR/tokens" "$UC" "$BATS_FILE_TMPDIR/home" "$BATS_FILE_TMPDIR/log" "$BATS_FILE_TMPDIR/said" "$TMPDIR" \
		"$BATS_FILE_TMPDIR/tmp" "$ROOT/build/obj" "$ROOT/mk"
	run -0 cat "$BATS_FILE_TMPDIR/seen"
	[ -z "$output" ] || has 'nothing'
	run -1 grep -F -e "$TOKEN" -e "$TOKEN_ENCODED" <(find "$BATS_FILE_TMPDIR")
	# A browser's profile is gone, and so is a log of its driver.
	run -0 find "$BATS_FILE_TMPDIR/tmp" "$BATS_FILE_TMPDIR/myhome" -mindepth 1
	[ -z "$output" ] || has 'nothing'
}

@test "no name and no value of a notebook, a parameter or a file ran as code" {
	run -0 find "$ROOT" "$BATS_FILE_TMPDIR" -name 'pwned*' -not -path "$ROOT/build/venv/*"
	[ -z "$output" ] || has 'nothing'
	run -0 find "$UC/notebooks" -name '*.ipynb' -printf '%f\n'
	[[ "$output" =~ ^[A-Za-z0-9._-]+$ ]] || has 'one name, a plain one'
	# The value arrived as it is.
	run -0 jq -rs '[.[] | select(.type == "cell")][2].error_value' "$UC"/runs/current/*.jsonl
	has '$(touch pwned)`touch pwned`'"'"'; touch pwned; "$(shell touch pwned)"'
}

@test "the warning about certificates is said by each that does not check them" {
	run -0 cat "$BATS_FILE_TMPDIR/said"
	has 'labserve: the certificate of'
	has 'wdsession: the browser checks no certificate'
	has 'cellrun: the certificate of'
}

@test "INSECURE counts on the command line alone" {
	run ! env JUPYTERLAB_URL="$(cat "$BATS_FILE_TMPDIR/url")" JUPYTERLAB_TOKEN="$TOKEN" INSECURE=1 NBSCOPE_INSECURE=1 \
		make -C "$ROOT" --no-print-directory profile USECASE="$UC" RERUN=all RETRY=0
	has 'self-signed certificate'
	! [[ $output == *'not checked'* ]] || has 'no warning'
}

@test "without --insecure a browser opens no page whose certificate nobody signed" {
	echo '[("code", "1")]' | python3 "$ROOT/tests/nb.py" one.ipynb
	JUPYTERLAB_URL=$(cat "$BATS_FILE_TMPDIR/url") JUPYTERLAB_TOKEN=$TOKEN run -4 labserve --insecure wdsession cellrun --insecure one.ipynb
	has 'the browser opens no page of'
	has ERR_CERT_AUTHORITY_INVALID
	has 'wdsession --insecure'
}

# bats test_tags=thorough
@test "nor does a Firefox" {
	PATH=$PATH:$ROOT/build/geckodriver/bin
	command -v firefox >/dev/null && command -v geckodriver >/dev/null || skip 'no firefox or no geckodriver: make setup BROWSER=firefox installs them'
	echo '[("code", "1")]' | python3 "$ROOT/tests/nb.py" one.ipynb
	BROWSER=firefox JUPYTERLAB_URL=$(cat "$BATS_FILE_TMPDIR/url") JUPYTERLAB_TOKEN=$TOKEN run -4 labserve --insecure wdsession cellrun --insecure one.ipynb
	has 'its certificate is invalid (wdsession --insecure'
	BROWSER=firefox JUPYTERLAB_URL=$(cat "$BATS_FILE_TMPDIR/url") JUPYTERLAB_TOKEN=$TOKEN run -0 labserve --insecure wdsession --insecure cellrun --insecure one.ipynb
	has '"status":"completed"'
}

# inside: lists the server's folder after a run that fails.
inside() {
	local dir
	printf '%s\n' "$JUPYTERLAB_TOKEN" >token
	dir=$(dirname "$(grep -lF -f token "$TMPDIR"/nbscope-lab.*/settings.json)")
	wdsession cellrun --executed out/bad.ipynb bad.ipynb >bad.jsonl 2>said || echo "status $?"
	grep -raF -f token out bad.jsonl said "$dir/server.log" && echo leaked
	find "$dir" -maxdepth 0 -printf 'folder %m\n'
	grep -rlF -f token "$dir" | xargs stat -c '%a %n'
	find "$dir/runtime" -type f -perm /077
	find "$dir" -name '*open.html'
	tr '\0' '\n' </proc/"$(pgrep -f "serve.py own $dir" | head -1)"/cmdline | grep -F -f token
	ss -ltnp | grep -F "pid=$(pgrep -f "serve.py own $dir" | head -1)," | awk '{print $4}' | grep -v '^127\.0\.0\.1:'
	true
}
export -f inside

@test "the embedded server's token and keys are for its user alone, also after a run that fails" {
	echo '[("code", "import os; print(dict(os.environ))"), ("code", "1/0")]' | python3 "$ROOT/tests/nb.py" bad.ipynb
	LOG_LEVEL=DEBUG TMPDIR=$BATS_TEST_TMPDIR run -0 labserve bash -c inside
	has 'status 1'
	has 'folder 700'
	! [[ $output == *leaked* ]] || has 'no leak'
	# What holds the token is for nobody else, even if the folder were open.
	[ "$(grep -c ' /' <<<"$output")" = "$(grep -c '^600 /' <<<"$output")" ] || has 'mode 600 alone'
	[ "$(grep -c '^600 /' <<<"$output")" = 3 ] || has 'settings, what is made of them, and the note of the server'
	! grep '^/\|^[0-9.*[]*:[0-9]' <<<"$output" || has 'no more'
}

@test "the ports of a driver, its browser and netshape take no other user" {
	[ "$(id -u)" = 0 ] || skip 'only root can become another user'
	command -v setpriv >/dev/null || skip 'no setpriv'
	look() {
		local url=${WD_SESSION%/session/*}
		curl -sf -m 5 "$url/status" >/dev/null && echo 'the driver takes us'
		setpriv --reuid=65534 --regid=65534 --clear-groups curl -s -m 5 "$url/status" || echo "the driver does not take others"
		setpriv --reuid=65534 --regid=65534 --clear-groups curl -s -m 5 "http://[::1]:${url##*:}/status" || echo "nor by IPv6"
		curl -sf -m 5 -o /dev/null -x "$NETSHAPE_PROXY" --noproxy '' "$url/status" && echo 'netshape takes us'
		setpriv --reuid=65534 --regid=65534 --clear-groups curl -s -m 5 -x "$NETSHAPE_PROXY" --noproxy '' "$url/status" || echo "netshape does not take others"
		curl -sf -m 5 "$WD_DEVTOOLS/json/version" >/dev/null && echo 'the browser takes us'
		setpriv --reuid=65534 --regid=65534 --clear-groups curl -s -m 5 "$WD_DEVTOOLS/json/version" || echo "the browser does not take others"
		tr '\0' '\n' <"/proc/$WD_BROWSER_PID/environ" | grep -c '^JUPYTERLAB_'
		cat $(sed 's|.*|/proc/&/environ|' <<<"$(pgrep -P "$WD_BROWSER_PID")") | tr '\0' '\n' | grep -c '^LD_PRELOAD='
	}
	export -f look
	export JUPYTERLAB_TOKEN=x JUPYTERLAB_URL=http://127.0.0.1:1/?token=x
	run netshape --control wdsession bash -c look
	[ "$output" = $'the driver takes us\nthe driver does not take others\nnor by IPv6\nnetshape takes us\nnetshape does not take others\nthe browser takes us\nthe browser does not take others\n0\n0' ] || has 'that'
}

nb() {
	make --no-print-directory -C "$ROOT" "$@"
}

@test "a notebook's name may be anything: nothing of it runs, and all results are next to it" {
	local dir=$PWD/$'d $(touch pwned)`touch pwned`' name=$'it\'s "a" $(shell touch pwned)`touch pwned` \x1b[31m\xc2\x9b #1 %41' bad
	mkdir "$dir"
	echo '[("code", "1")]' | python3 "$ROOT/tests/nb.py" "$dir/$name.ipynb"
	# A line end, which would end the name in a list of files, is refused before anything is made.
	for bad in "$dir/a"$'\n'"touch pwned.ipynb" "$dir/a"$'\n.ipynb' "$dir"$'\n/a.ipynb'; do
		mkdir -p "${bad%/*}"
		cp "$dir/$name.ipynb" "$bad"
		run -2 nb profile-notebook "NOTEBOOK=$bad"
		has 'nbscope: the path of a notebook cannot contain a line end: rename '
		[ ! -e "${bad%/*}/nbscope" ]
	done
	for bad in "$dir/a"$'\n'"b.ipynb" "$dir/..ipynb" "$dir/$(printf %0195d 0).ipynb"; do
		cp "$dir/$name.ipynb" "$bad"
		run -3 cellrun --skip 'only parsed' "$bad"
		[[ $output =~ "cannot run '".*"': its name "(contains a line end|begins with a dot|has more than 200 bytes)": rename it" ]] || has 'why'
	done
	VENV="/nonexistent'; touch pwned; '\$(shell touch pwned)" run -2 nb profile USECASE="$UC" RERUN=all
	has 'is not a Python environment'
	# As far as a server that cannot be started.
	mkdir -p env/bin env/lib/python3/site-packages/ipykernel
	: >env/lib/python3/site-packages/ipykernel/__init__.py
	printf '#!/bin/sh\nexit 1\n' >env/bin/python
	chmod +x env/bin/python
	VENV=$PWD/env run -2 nb profile-notebook "NOTEBOOK=$dir/$name.ipynb"
	has "cannot use '$PWD/env/bin/python'"
	run -2 nb profile-notebook "NOTEBOOK=$dir/none $name.ipynb"
	has 'no such notebook'
	! [[ $output == *$'\x1b'* ]] || has 'no escape'
	# And from there on, without one: it needs more memory than this machine has.
	echo ':memory_bytes=1e15' >>"$dir/nbscope/$name/runs/current/.settings"
	runplan "$dir/nbscope/$name" >"$dir/plan" || [ $? = 1 ]
	JUPYTERLAB_URL=http://127.0.0.1:9 run -0 runexec "$dir/plan"
	run -0 find . -newer "$dir/$name.ipynb" -name '*pwned*jsonl'
	has runs/current
	# And as far as the tables.
	run -0 nb metrics "NOTEBOOK=$dir/$name.ipynb"
	run -0 python3 -c 'import csv, sys; print([r["execution_status"] for r in csv.DictReader(open(sys.argv[1])) if r["notebook_filename"] == sys.argv[2]])' \
		"$dir/nbscope/$name/metrics/current/notebook_metrics.csv" "$name.ipynb"
	has "['Skipped']"
	run -0 find "$ROOT" . -name 'pwned*' -not -path "$ROOT/build/venv/*"
	[ -z "$output" ] || has 'nothing'
}
