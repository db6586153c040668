# For the tests of the makefile: a small use case, and make for it.

# A use case of its own, outside the repository; each notebook takes a moment.
use_case() {
	UC=$BATS_TEST_TMPDIR/small
	mkdir -p "$UC"
	python3 "$ROOT/tests/nb.py" "$UC/template.ipynb" <<'EON'
[("code", "n = {n_value}\nword = {word_value}", ["parameters"]),
 ("code", "import time\ntime.sleep(n / 1000)"),
 ("code", "assert word != 'bad', 'a bad word'")]
EON
	echo "${1:-{\"n\": [10, 20], \"word\": [\"good\"]\}}" >"$UC/params.json"
}

nb() {
	make --no-print-directory -C "$ROOT" USECASE="$UC" "$@"
}

# runs_of: the runs that there are, by name.
runs_of() {
	(cd "$UC/runs/current" && ls -- *.jsonl)
}

# not_compared_with_fresh LABEL: metriccmp refuses to compare its runs with the same of fresh pages.
not_compared_with_fresh() {
	cellmetrics "$UC/runs/$1"/*.jsonl >"$1"
	jq -c 'if .type == "run" then .label = "fresh" | del(.made_from.settings.page) else . end' "$UC/runs/$1"/*.jsonl | cellmetrics >fresh
	run ! metriccmp --format table --base fresh fresh "$1"
	has 'setting page'
}
