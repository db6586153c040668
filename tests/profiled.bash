# profiled.bash: cells in a kernel of their own, under profilers; and what these have found.
find_overlay() {
	export PYTHON=${NBSCOPE_VENV:-$ROOT/build/venv}/bin/python
	OVERLAY=$(cd "$ROOT" && mk/setup/install-profilers.sh "$PYTHON")
	export OVERLAY
}

# profiled OPTION... CELL...: the driver's lines, also in $BATS_TEST_TMPDIR/out. With COMPILED=yes the
# modules that are imported are compiled once for all processes.
profiled() {
	cd "$BATS_TEST_TMPDIR" || return
	PYTHONPATH=$BATS_FILE_TMPDIR${EXTRA:+:$EXTRA} JUPYTER_RUNTIME_DIR=$BATS_TEST_TMPDIR PYTHONDONTWRITEBYTECODE=$([ "${COMPILED-}" ] || echo 1) \
		timeout 150 "$PYTHON" "$ROOT/tests/profilers.py" "$@" >out 2>err || { cat err; return 1; }
}

# value FILTER: what jq makes of all lines of the driver.
value() {
	run -0 jq -rn --argjson none null "[inputs] | $1" "$BATS_TEST_TMPDIR/out"
}

# is FILTER VALUE
is() {
	value "$1"
	[ "$output" = "$2" ] || { printf '%s\nwanted: %s\ngot: %s\n' "$1" "$2" "$output" >&2; return 1; }
}

# lines_of FUNCTION: "line:hits" of those that were hit.
lines_of() {
	echo "[.[] | select(.type == \"profile_line\" and .function == \"$1\" and .hits > 0) | \"\(.line):\(.hits)\"] | join(\" \")"
}

# The file of a profiler, unpacked.
unpack() {
	jq -r --arg name "$1" 'select(.type == "profile_file" and .name == $name) | .base64' out | base64 -d >"$1"
	[ -s "$1" ]
}
