# bats file_tags=untimed,long
# The makefile: a single notebook, the quickstart, a new use case, and the user's own server.
load helpers
load make

@test "one notebook that is no use case is profiled with the files that are named" {
	mkdir "$BATS_TEST_TMPDIR/mine"
	cd "$BATS_TEST_TMPDIR/mine"
	mkdir data
	echo 7 >data/x.txt
	echo 'path = "data/x.txt"' >helpers.py
	python3 "$ROOT/tests/nb.py" mine.ipynb <<<'[("code", "import helpers\nprint(open(helpers.path).read())")]'
	run -2 make --no-print-directory -C "$ROOT" profile-notebook NOTEBOOK="$PWD/mine.ipynb" BROWSER=none
	has "'helpers.py' is in the notebook's folder"
	has "
    make profile-notebook NOTEBOOK=$PWD/mine.ipynb FILES=helpers.py
tables: $PWD/nbscope/mine/metrics/current/{cell,notebook}_metrics.csv
next: make report NOTEBOOK=$PWD/mine.ipynb
"
	run -0 make --no-print-directory -C "$ROOT" profile-notebook NOTEBOOK="$PWD/mine.ipynb" FILES='data/ helpers.py'
	has 'all completed'
	[ "${lines[-1]}" = "next: make report NOTEBOOK=$PWD/mine.ipynb" ]
	# What the quickstart sets is not for it.
	run -0 jq -c 'select(.type == "run").settings | [.settle_ms, .max_wait_s]' nbscope/mine/runs/current/mine.jsonl
	[ "$output" = "[300,300]" ] || has "[300,300]"
	mkdir other
	echo '{"a": 1}' >other/none.ipynb
	run -2 make --no-print-directory -C "$ROOT" profile-notebook NOTEBOOK="$PWD/other/none.ipynb"
	has "cellrun: $PWD/other/none.ipynb:1:1: not a notebook"
	[ "$(ls other)" = none.ipynb ]
	run -2 make --no-print-directory -C "$ROOT" profile-notebook NOTEBOOK="$PWD/mine.ipynb" FILES=y.txt
	has "'y.txt'"
	# The same of a version that does not exist: stale.bats.
	[ -n "${ALL:-}" ] || return 0
	local label=none-$RANDOM
	run -2 make --no-print-directory -C "$ROOT" profile-notebook NOTEBOOK="$PWD/mine.ipynb" LABEL=$label WITH="-e $PWD/none"
	rm -rf "$ROOT/build/envs/$label"{,.with}
	has "env: '-e $PWD/none' cannot be installed"
}

@test "the quickstart shows a real image in a real Imviz" {
	every_package
	UC=$BATS_TEST_TMPDIR/quickstart
	cp -R "$ROOT/usecases/quickstart" "$UC"
	rm -rf "$UC"/{notebooks,runs,executed,metrics,screenshots}
	run -0 nb profile WHERE=image_pixel_side=250 SCREENSHOTS=1
	has 'verdict: 1 notebook profiled, 8 cells, all completed'
	run -0 jq -s -c '[.[] | select(.type == "cell")] | [(map(.ws_bytes_received) | add > 5000000), (map(.changes.webgl) | add > 1), (map(.marks[]) | index("blank"))]' \
		"$UC/runs/current/quickstart-image_pixel_side250.jsonl"
	[ "$output" = '[true,true,null]' ] || { echo "$output"; false; }
	run -0 file "$UC/screenshots/current/quickstart-image_pixel_side250/cell-008.png"
	has 'PNG image data'
	# Those that were made without do not get pictures by themselves.
	sed -i '1s/"screenshots":true/"screenshots":false/' "$UC/runs/current/quickstart-image_pixel_side250.jsonl"
	run -0 nb profile WHERE=image_pixel_side=250 SCREENSHOTS=1
	has "profile: 1 of these runs were made without pictures; to make them again: make profile USECASE=$UC SCREENSHOTS=1 RERUN=all"
	run -0 nb profile WHERE=image_pixel_side=250
	[[ $output != *'without pictures'* ]]
}

@test "the line that plan COMMANDS=1 prints makes the record that profile makes, on the user's own server, and leaves nothing there" {
	# With ALL=1 in a browser.
	local driver='wdsession *cellrun'
	[ -n "${ALL:-}" ] || local -x BROWSER=none driver=kernelrun
	use_case '{"n": [10], "word": ["good"]}'
	load server
	BATS_FILE_TMPDIR=$BATS_TEST_TMPDIR
	start_server
	use_server
	run -0 nb profile
	after=$(rest api/sessions; rest api/contents | jq -c '[.content[].name]')
	[ "$after" = '[][]' ] || { echo "$after"; false; }
	mv "$UC/runs/current/small-n10-wordgood.jsonl" "$BATS_TEST_TMPDIR/made.jsonl"
	run -0 nb plan COMMANDS=1
	[ "${#lines[@]}" = 1 ]
	[[ $output == 'labserve '$driver' '*' | procsample --interval 50 | runbar | runkeep '* ]] || has labserve
	# Tokens stay in the environment.
	[[ $output != *"$JUPYTERLAB_TOKEN"* ]]
	(cd "$ROOT" && sh -c "$output" >/dev/null)
	stop_server
	# The same types, members and texts; times, ids, addresses and lists of what happened differ.
	shape() {
		jq -r .type "$1" | sort -u
		jq -r 'select(.type | . == "run" or . == "cell" or . == "cell_start" or . == "run_end") | .type as $type
			| paths as $p | select(all($p[]; type == "string")) | "\($type) \($p | join("."))"' "$1" | sort -u
		jq -c 'select(.type == "run" or .type == "cell" or .type == "run_end") |
			[.type, .name, .label, .repetition, .status, .source, .made_from, .params, .settings]' "$1"
	}
	diff <(shape "$BATS_TEST_TMPDIR/made.jsonl") <(shape "$UC/runs/current/small-n10-wordgood.jsonl")
	run -0 jq -c 'select(.type == "run_plan") | [.usable, .due]' <(cd "$ROOT" && runplan "$UC")
	[ "$output" = '[true,false]' ]
}

# What it is made of runs without a browser in the next test.
# bats test_tags=thorough
@test "a new use case runs as it is" {
	every_package
	run -0 make --no-print-directory -C "$ROOT" new-usecase NAME=bats_new
	run make --no-print-directory -C "$ROOT" profile USECASE=bats_new WHERE='n_points=1000'
	rm -rf "$ROOT/usecases/bats_new"
	status_is 0
	has 'all completed'
}

# bats test_tags=thorough
@test "all use cases below a folder have one index, one verdict and a page each, and a new one can be anywhere" {
	every_package
	run -0 make --no-print-directory -C "$ROOT" new-usecase NAME="$BATS_TEST_TMPDIR/all/of/mine"
	has "all/of/mine: edit template.ipynb"
	run -2 make --no-print-directory -C "$ROOT" new-usecase NAME="$BATS_TEST_TMPDIR/all/of/mine"
	has "exists already"
	use_case '{"n": [10], "word": ["bad"]}'
	run make --no-print-directory -C "$ROOT" all-usecases BROWSER=none LABEL=x WHERE= USECASES="$BATS_TEST_TMPDIR/all small" DEST="$BATS_TEST_TMPDIR/out"
	status_is 2
	has "no use case 'small'"
	jq 'map_values(.[:1])' "$ROOT/share/usecase/params.json" >"$BATS_TEST_TMPDIR/all/of/mine/params.json"
	run make --no-print-directory -C "$ROOT" all-usecases BROWSER=none LABEL=x USECASES="$BATS_TEST_TMPDIR/all $UC" DEST="$BATS_TEST_TMPDIR/out"
	status_is 2
	grep -qx 'verdict: 1 of 2 use cases failed: small' <<<"$output"
	run -0 jq -c '[.verdict, (.usecases[] | .usecase, .verdict, .notebooks)]' "$BATS_TEST_TMPDIR/out/verdict.json"
	[ "$output" = '["failed","mine","ok",1,"small","failed",1]' ] || { echo "$output"; false; }
	cd "$BATS_TEST_TMPDIR/out"
	[ "$(ls -d -- */x/index.html | paste -sd' ')" = 'mine/x/index.html small/x/index.html' ]
	grep -q 'href="./mine/x/index.html">x</a>' index.html
	grep -q 'href="./small/x/index.html">x</a>' index.html
}

@test "setup installs the packages of the browser that is asked for, and of no other" {
	run -0 make -C "$ROOT" --no-print-directory -n -W share/packages build/deps-firefox.done BROWSER=firefox
	has 'install-deps.sh setup firefox'
	[[ $output != *chromium* ]]
	run -0 make -C "$ROOT" --no-print-directory -n -W share/packages build/deps.done
	has 'install-deps.sh setup chromium'
	[[ $output != *firefox* ]]
}
