# bats file_tags=quick
# interactions.jsonl before runs: which file it is, and what is said of it.
load helpers

setup() {
	cd "$BATS_TEST_TMPDIR" || return
}

# notebook PATH: two code cells, the second with a tag.
notebook() {
	python3 "$ROOT/tests/nb.py" "$1" <<<'[("code", "1"), ("code", "2", ["viewer"])]'
}
gesture() { printf '{"after_cell":%s,"gesture":"click","on":{"role":"button"}}\n' "$@"; }
check() { "$ROOT/mk/run/check-interactions.sh" uc; }

@test "gestures are counted, and a cell that a notebook does not have is named with it, before anything runs" {
	mkdir -p uc/notebooks
	notebook uc/notebooks/a.ipynb
	notebook uc/notebooks/b.ipynb
	printf '{"type":"combination","name":"%s"%s}\n' a '' b ',"selected":false' >uc/notebooks/.combinations.jsonl
	run -0 check
	[ -z "$output" ]
	gesture 1 1 '"viewer"' >uc/interactions.jsonl
	run -0 check
	[ "$output" = 'interactions: 3 gestures after 2 cells in each run (interactions.jsonl)' ]
	gesture 1 3 >uc/interactions.jsonl
	run -3 check
	has "uc/interactions.jsonl:2:2: 'uc/notebooks/a.ipynb' has no code cell 3"
	run -3 env HEADLESS=1 "$ROOT/mk/run/prepare-label.sh" uc current
	has 'no code cell 3'
	# Why none is performed, whatever is in the file.
	INTERACTIONS=0 run -0 check
	has 'not performed: INTERACTIONS=0'
	BROWSER=none run -0 check
	has 'not performed: BROWSER=none has no page'
	run -0 bash -c 'BROWSER=none "$0"/mk/run/prepare-label.sh uc current 2>&1 >/dev/null' "$ROOT"
	has 'not performed: BROWSER=none has no page'
}

@test "a notebook has the gestures next to it, by its name or else those of its folder, and never loses its own" {
	notebook a.ipynb
	adopt() { "$ROOT/mk/generate/adopt-notebook.sh" a.ipynb "$PWD/nbscope/a" && cat nbscope/a/interactions.jsonl; }
	run ! adopt
	gesture 1 >interactions.jsonl
	run -0 adopt
	[ "$output" = "$(gesture 1)" ]
	gesture 2 >a.interactions.jsonl
	run -0 adopt
	[ "$output" = "$(gesture 2)" ]
	rm ./*.jsonl
	run ! adopt
	[ ! -L nbscope/a/interactions.jsonl ]
	gesture 3 >nbscope/a/interactions.jsonl
	gesture 1 >interactions.jsonl
	run -0 adopt
	[ "$output" = "$(gesture 3)" ]
}

@test "the gestures of each use case belong to its notebooks" {
	local file n=0
	for file in "$ROOT"/usecases/*/interactions.jsonl; do
		nbexpand "${file%/*}"/params.* >combinations
		n=$((n + 1))
		nbpatch -o "notebooks$n" "${file%/*}/template.ipynb" <combinations
		cellinteract --check "$file" "notebooks$n"/*.ipynb
	done
	[ "$n" -gt 0 ]
}
