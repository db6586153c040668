# bats file_tags=untimed
# make leaks: planted leaks are found and named, and notebooks that close what they show are not
# accused.
load helpers
load server

setup_file() {
	start_server
}

teardown_file() {
	stop_server
}

setup() {
	use_server
	cd "$BATS_TEST_TMPDIR" || return
}

# rounds DRIVER NAME...: runs notebooks of closing.py eight times; what is left, in NAME.leaks.
rounds() {
	local driver=$1 session='' name
	shift
	[ "$driver" = kernelrun ] || session=wdsession
	echo '{"profilers": ["leaks"], "cells": [], "rounds": 8, "round": "notebook"}' >spec.json
	python3 "$ROOT/tests/closing.py" . "$@"
	for name; do
		$session cellprofile spec.json "$driver" "$name.ipynb" >"$name.jsonl" 3>&-
		jq -L "$ROOT/share/jq" -ncf "$ROOT/share/leaks/slopes.jq" "$name.jsonl" >"$name.leaks"
	done
}

# left NAME SIDE: verdict, bytes in MB, holder and type of what is left on that side.
left() {
	run -0 jq -r --arg side "$2" 'select(.type == "leak" and .side == $side) |
		[.verdict, (.bytes_per_round // empty | . / 1e5 | round / 10), .holder // empty, .of // empty] |
		join(" ")' "$1.leaks"
}

@test "what a notebook keeps in its kernel is found and named" {
	planted=kept+closure+class+output
	rounds kernelrun $planted
	left $planted kernel
	for held in 'by_design [0-9.]+ Out\[\] str' 'leak (1|0.8|1.3) __main__.kept bytearray' \
		'leak (1|0.8|1.3) __main__.make.<locals>.<lambda> \(closure: held\) numpy.ndarray' \
		'leak (1.1|0.8|1.3) __main__.Cache.seen list'; do
		grep -qxE "$held" <<<"$output" || { echo "$held"; cat $planted.leaks; return 1; }
	done
	left $planted page
	[ "$output" = unknown ]
	run -0 jq -s 'map(select(.type == "leak_round")) | length, (map(.counted | select(.)) | length)' $planted.jsonl
	[ "$output" = $'8\n5' ]
	run -0 "$ROOT/build/testvenv/bin/python" "$ROOT/tests/validate" ./*.jsonl ./*.leaks
}

@test "in rounds of gestures the cells run once, and each round is measured" {
	printf '[("code", "a = 1"), ("code", "b = 2")]' | python3 "$ROOT/tests/nb.py" twice.ipynb
	echo '{"profilers": ["leaks"], "cells": [], "rounds": 8, "round": "gestures"}' >spec.json
	cellprofile spec.json kernelrun twice.ipynb >twice.jsonl 3>&-
	run -0 jq -sr 'map(select(.type | IN("cell", "leak_round")) | "\(.type) \(.cell_index // .round)") | join(" ")' twice.jsonl
	[ "$output" = "cell 1 cell 2$(printf ' leak_round %d' 1 2 3 4 5 6 7 8)" ]
}

# bats test_tags=thorough
@test "what a notebook keeps in its page is found and named" {
	rounds cellrun window
	left window page
	[ "$output" = 'leak 1 window.keptHere Array' ] || { cat window.leaks; return 1; }
	left window kernel
	[ "$output" = none ] || { cat window.leaks; return 1; }
	run -0 "$ROOT/build/testvenv/bin/python" "$ROOT/tests/validate" ./*.jsonl ./*.leaks
}

# bats test_tags=thorough
@test "widgets that are never closed are named with their models, and are no leak" {
	rounds cellrun unclosed
	left unclosed kernel
	[[ $output = 'by_design 0.3 widgets that are not closed ipywidgets'*HTML ]] || { cat unclosed.leaks; return 1; }
	left unclosed page
	[ "$output" = 'by_design 0.3 WidgetManager._models HTMLModel' ] || { cat unclosed.leaks; return 1; }
}

# bats test_tags=thorough
@test "a listener of the window that keeps 1 MB is named" {
	rounds cellrun listener
	left listener page
	[[ $output = 'leak 1 window'* ]] || { cat listener.leaks; return 1; }
}

# bats test_tags=thorough
@test "notebooks that close what they show are not accused" {
	for name in ${LEAKS_OF:-text inline output_widget}; do
		rounds cellrun "$name"
		run -1 grep -E '"verdict":"(leak|unexplained|unknown)"' "$name.leaks"
	done
}
