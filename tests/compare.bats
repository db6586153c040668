# bats file_tags=untimed
load helpers

# make's side of comparing, on metrics that are there: no browser runs.
setup() {
	cd "$BATS_TEST_TMPDIR" || return
	mkdir -p uc/metrics/released uc/metrics/pr
	echo '{"cells":[{"cell_type":"code","execution_count":null,"id":"c","metadata":{"tags":["parameters"]},"outputs":[],"source":"a = 1"}],"metadata":{},"nbformat":4,"nbformat_minor":5}' >uc/template.ipynb
	echo '{"a": [1]}' >uc/params.json
	uc=$PWD/uc
}

# metrics LABEL N FACTOR
metrics() {
	jq -nc --arg l "$1" --argjson n "$2" --argjson f "$3" 'range(1; $n + 1) as $k |
		{type: "cell_metrics", usecase: "uc", name: "uc-a1", label: $l, repetition: $k, cell_index: 1, cell_id: "c", params: {a: $k}, execution_status: "Completed",
			client_execution_time_metric: (0.2 * $f * (1 + $k / 1000))}' >"uc/metrics/$1/metrics.jsonl"
}
nbscope() { make --no-print-directory -C "$ROOT" USECASE="$uc" "$@"; }

@test "make compare prints the verdict last, and writes it with records, CSV and Markdown" {
	metrics released 10 1
	metrics pr 10 1.3
	run nbscope BASE=released LABEL=pr GATE=client compare
	status_is 2
	has 'verdict: worse: client time of uc-a1 cell 1 +30.0 %'
	[ "$(jq -r .verdict uc/metrics/pr/against-released/verdict.json)" = worse ]
	[ "$(ls uc/metrics/pr/against-released)" = $'comparison.csv\ncomparison.jsonl\ncomparison.md\nverdict.json' ]
	metrics pr 10 1
	run nbscope BASE=released LABEL=pr GATE=client compare
	status_is 0
	[[ "${lines[-1]}" == 'verdict: no worse: '* ]]
}

@test "one run of each label is undecided, which fails make unless FAIL_ON=worse" {
	metrics released 1 1
	metrics pr 1 1
	run nbscope BASE=released LABEL=pr compare
	status_is 2
	has 'verdict: cannot tell: 1 of 1 tests undecided with 1 run of each label'
	run nbscope BASE=released LABEL=pr FAIL_ON=worse compare
	status_is 0
	[[ "${lines[-1]}" == 'verdict: cannot tell: 1 of 1 tests undecided with 1 run of each label'* ]]
}

@test "what is missing is named with what makes it" {
	metrics released 1 1
	run nbscope LABEL=pr compare
	status_is 2
	has 'make compare BASE=released LABEL=pr'
	run nbscope BASE=released LABEL=pr compare
	has "no metrics of label 'pr' yet: make profile USECASE=$uc LABEL=pr"
	run nbscope LABEL=none check
	has "no metrics of label 'none' yet"
	run nbscope LABEL=none history
	has "no metrics of label 'none' yet"
	local goal
	for goal in compare check history scaling figures publish report; do
		run -2 make --no-print-directory -C "$ROOT" USECASE=nosuch BASE=released LABEL=pr DEST="$BATS_TEST_TMPDIR" $goal
		has "no use case 'nosuch'"
	done
	run nbscope ab
	has 'ab: A and B must be labels'
	run nbscope WITH=x VENV=/y generate
	status_is 2
	has 'WITH and VENV are both set'
}

@test "make check without budgets proposes some, and applies them" {
	metrics released 6 1
	run -2 nbscope LABEL=released check
	has "no $uc/budgets.yaml: limits from label 'released' are in $uc/budgets.yaml.new: "
	mv uc/budgets.yaml.new uc/budgets.yaml
	run -0 nbscope LABEL=released check
	[[ "${lines[-1]}" == 'verdict: within budget: 1 limit' ]]
	metrics released 6 1.2
	run -2 nbscope LABEL=released check
	has 'verdict: over budget: client time of uc-a1 cell 1'
}

@test "proposed limits leave room for the noise of the runs, and hold for no other notebook" {
	name='x[0,1]*"'
	for k in 1 2 3; do
		jq -nc --arg n "$name" --argjson k $k '{name: $n, label: "l", repetition: $k, execution_status: "Completed"} |
			(. + {type: "cell_metrics"} + ({cell_index: 1, cell_id: "a", client_execution_time_metric: (0.8 + 0.2 * $k)}, {cell_index: 2, client_execution_time_metric: 2.5}, {cell_index: 3, client_execution_time_metric: 0.01})),
			. + {type: "notebook_metrics", kernel_peak_rss_bytes: 2e8, client_execution_time_metric: (3.3 + 0.2 * $k)}'
	done >runs
	jq -nrf "$ROOT/share/plan/budgets.jq" runs >b.yaml
	# 1.2 * (1 + t(0.99, 2) * 0.2/1.2 * sqrt(pi/3)), by scipy: 2.6255; no noise: 10 %.
	grep -qF 'cell: "a", client: 2.63 s}  # 1.2 s + 119 %; 3 runs, cv 16.7 %; cell 1' b.yaml
	grep -qF 'cell: "2", client: 2.75 s}  # 2.5 s + 10 %; 3 runs, cv 0 %; cell 2' b.yaml
	grep -qF 'whole: true, memory: 220 MB}  # 200 MB + 10 %; 3 runs' b.yaml
	run -0 metricbudget -f table b.yaml runs
	has 'verdict: within budget: 4 limits'
	sed 's/x\[0,1\]/x0/' runs >others
	run -6 metricbudget -f table b.yaml others
	has 'no cell with a value matches'
	head -n 2 runs | jq -nrf "$ROOT/share/plan/budgets.jq" | grep -qF 'client: 1.5 s}  # 1 s + 50 %; only 1 run; cell 1'
}

@test "make check applies budgets.yaml, make history appends" {
	metrics released 6 1
	echo '- client: 100 ms' >uc/budgets.yaml
	run nbscope LABEL=released check
	status_is 2
	has 'verdict: over budget: client time of uc-a1 cell 1'
	echo '- client: 1 s' >uc/budgets.yaml
	run nbscope LABEL=released check
	status_is 0
	run nbscope LABEL=released history
	status_is 0
	has 'cannot tell: 1 label in the history'
	[ "$(wc -l <uc/history.jsonl)" = 1 ]
}

@test "a checkout is another when its commit, a file of it or a new file is" {
	git init -q co
	git -C co -c user.name=n -c user.email=e@x commit -q --allow-empty -m 1
	cd "$BATS_TEST_TMPDIR"
	first=$("$ROOT/mk/setup/identify-checkouts.sh" '-e co')
	[ "$first" = "co@$(git -C co rev-parse --short=12 HEAD) " ]
	echo 1 >co/new
	second=$("$ROOT/mk/setup/identify-checkouts.sh" co)
	echo 2 >co/new
	third=$("$ROOT/mk/setup/identify-checkouts.sh" co)
	[ "$first" != "$second" ]
	[ "$second" != "$third" ]
	mkdir plain
	echo 1 >plain/f
	first=$("$ROOT/mk/setup/identify-checkouts.sh" "./plain x==1")
	echo 2 >plain/f
	[ "$first" != "$("$ROOT/mk/setup/identify-checkouts.sh" "./plain x==1")" ]
	[ -z "$("$ROOT/mk/setup/identify-checkouts.sh" x==1)" ]
}

@test "a front-end extension that is built in a checkout is linked into its environment, and its contents identify the checkout" {
	local own=co/my_widgets/labextension
	git init -q co
	echo '*/labextension/' >co/.gitignore
	mkdir -p $own co/node_modules/x/labextension co/.venv/share/jupyter/labextensions/other
	echo home= >co/.venv/pyvenv.cfg
	git -C co add . && git -C co -c user.name=n -c user.email=e@x commit -q -m 1
	first=$("$ROOT/mk/setup/identify-checkouts.sh" '-e co')
	for at in $own co/node_modules/x/labextension co/.venv/share/jupyter/labextensions/other; do
		echo "{\"name\":\"@of/${at##*/}\",\"jupyterlab\":{\"_build\":{\"load\":\"static/remoteEntry.1.js\"}}}" >"$at/package.json"
	done
	second=$("$ROOT/mk/setup/identify-checkouts.sh" '-e co')
	sed -i s/Entry.1/Entry.2/ $own/package.json
	third=$("$ROOT/mk/setup/identify-checkouts.sh" '-e co')
	[ "$first" != "$second" ]
	[ "$second" != "$third" ]
	# What pip copied once is replaced.
	mkdir -p env/share/jupyter/labextensions/@of/labextension/static
	run -0 "$ROOT/mk/setup/link-labextensions.sh" env "x==1 co"
	[ ! -L env/share/jupyter/labextensions/@of/labextension ]
	run -0 "$ROOT/mk/setup/link-labextensions.sh" env "x==1 -e co"
	[ "$(cd env/share/jupyter/labextensions && find . ! -type d)" = ./@of/labextension ]
	grep -q Entry.2 env/share/jupyter/labextensions/@of/labextension/package.json
}

@test "what a label was measured in is an environment record" {
	local dir=$PWD
	cd "$ROOT"
	LABEL=pr VENV=build/venv WITH='jdaviz==5' mk/run/note-environment.sh "$dir/e"
	LABEL=pr VENV=build/venv JUPYTERLAB_URL=http://x mk/run/note-environment.sh "$dir/own"
	cd "$dir"
	run "$ROOT/build/testvenv/bin/python" "$ROOT/tests/validate" --strict e
	status_is 0
	[ "$(jq -r '.packages.jupyterlab + " " + .with' e)" = "$(sed -n 's/^jupyterlab==//p' "$ROOT/share/lab/requirements.txt") jdaviz==5" ]
	run -0 "$ROOT/build/testvenv/bin/python" "$ROOT/tests/validate" --strict own
	[ "$(jq -c '[.packages, .reason]' own)" = '[null,"a server of your own"]' ]
	[ "$(ls -A | grep -c environment)" = 0 ]
}
