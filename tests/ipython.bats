# The IPython extension: JUmPER's README, cell by cell, under python3 in a real JupyterLab.
# bats file_tags=untimed
load helpers
load oneserver

# The steps of JUmPER's README, with the toy example of its notebooks; a report every 0.05 s.
cells() {
	cat <<'EON'
[("code", "%env JUMPER_REPORT_FREQUENCY=0.05"),
 ("code", "%env JUMPER_REPORTS_MIN=3"),
 ("code", "from random import random\nfrom multiprocessing import Pool\n\ndef throw_dart(iterations):\n    return sum(random() ** 2 + random() ** 2 <= 1 for _ in range(iterations))\n\ndef compute_pi(iterations, process_count):\n    with Pool(processes=process_count) as pool:\n        hits = pool.map(throw_dart, [iterations // process_count] * process_count)\n    print(4 * sum(hits) / iterations)"),
 ("code", "compute_pi(2 * 10**6, 2)"),
 ("code", "block = bytearray(100_000_000)\nimport time\ntime.sleep(0.3)\ndel block"),
 ("code", "%%display_code_history"),
 ("code", "%%display_code_for_index 0"),
 ("code", "%%display_graph_for_last"),
 ("code", "%%display_graph_for_index 0 cpu_agg mem"),
 ("code", "%%display_graph_for_all"),
 ("code", "%%display_graph_for_index 99"),
 ("code", "%%perfdata_to_variable data"),
 ("code", "print(len(data), [len(cell) for cell in data], [len(cell[0]) for cell in data], max(data[0][0][0][-2]) > 10, len(data[1][0][1]) > 2)"),
 ("code", "%%perfdata_to_json toy"),
 ("code", "import json\nprint(len(json.load(open('toy_perfdata.json'))), [code for when, code in json.load(open('toy_code.json'))])"),
 ("code", "%nbscope --cell 5"),
 ("code", "%nbscope --history"),
 ("code", "%nbscope --save all.jsonl\n%nbscope --save all.csv"),
 ("code", "print(open('all.jsonl').read())"),
 ("code", "%%scorep_env\nSCOREP_ENABLE_TRACING=1"),
 ("code", "%%scorep_python_binding_arguments\n--noinstrumenter"),
 ("code", "%%marshalling_settings"),
 ("code", "%%serializer_settings\nMARSHALLER=dill\nMODE=memory"),
 ("code", "%%enable_multicellmode"),
 ("code", "%%abort_multicellmode"),
 ("code", "%%start_writefile toy_script"),
 ("code", "%%end_writefile"),
 ("code", "import nbscope\nwith nbscope.emissions('block') as e:\n    pass")]
EON
}

setup_file() {
	start_server
	use_server
	cd "$BATS_FILE_TMPDIR" || return
	cells | python3 "$ROOT/tests/nb.py" jumper.ipynb
	echo 0 >status
	kernelrun --executed done.ipynb jumper.ipynb >run.jsonl 2>err 3>&- || echo $? >status
}

setup() {
	cd "$BATS_FILE_TMPDIR" || return
}

# out N: the text that code cell N printed or shows; svg N: its pictures.
out() {
	jq -r --argjson n "$1" '[.cells[] | select(.cell_type == "code")][$n - 1].outputs[] |
		.text // .data["text/plain"] // "\(.ename): \(.evalue)" | if type == "array" then add else . end' done.ipynb
}
svg() {
	jq -r --argjson n "$1" '[.cells[] | select(.cell_type == "code")][$n - 1].outputs[].data["image/svg+xml"] // empty |
		if type == "array" then add else . end' done.ipynb
}

@test "a notebook with JUmPER's magics completes under python3, and the record says why" {
	run jq -c 'select(.type == "cell") | [.cell_index, .status, .error_value] | select(.[1] != "completed")' run.jsonl
	[ "$(cat status) $output" = "0 " ] || { cat err; has nothing; }
	run jq -c 'select(.type == "run").settings.extension | .loaded, .reason, (.magics | length, index("perfdata_to_json") != null)' run.jsonl
	[ "$output" = $'true\nnull\n16\ntrue' ] || has nothing
	run jq -c 'select(.type == "emissions") | [.cell_index, .name, .status, .duration_s > 0]' run.jsonl
	[ "$output" = '[28,"block","completed",true]' ] || has nothing
	# What samples for the extension is no part of the kernel.
	run jq -c 'select(.type == "cell" and .cell_index == 5).usage.kernel.processes' run.jsonl
	[ "$output" = 1 ] || has nothing
}

@test "JUmPER's index counts the cells with enough samples from 0" {
	run out 7
	has $'\n--\ncompute_pi(2 * 10**6, 2)'
	run out 6
	has 'compute_pi'
	has 'block ='
	[[ "$output" != *'def throw_dart'* ]]
	run out 11
	has 'there are only 2 cells, with index 0 to 1'
}

@test "graphs are SVG with the same as text, of the cells and metrics that were named" {
	for n in 8 9 10; do
		svg "$n" | python3 -c "import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.stdin)" || return
		[ "$(svg "$n" | grep -c '<title>')" = 1 ]
	done
	run out 8
	has 'block ='
	has 'kernel: CPU'
	has 'kernel: memory'
	run out 9
	has 'compute_pi'
	has 'kernel: CPU'
	[[ "$output" != *'read'* ]]
	run out 10
	has '2 cells'
}

@test "samples are exported in JUmPER's lists, and as records" {
	run out 13
	has '2 [9, 9] [8, 8] True True'
	run out 15
	has "2 ['compute_pi(2 * 10**6, 2)', 'block = bytearray"
	out 19 | grep . >all.jsonl
	run "$ROOT/build/testvenv/bin/python" "$ROOT/tests/validate" all.jsonl
	status_is 0
	run jq -sc '[.[] | select(.type == "cell")] | length, (.[3].usage.kernel | .cpu_s > 0.2, .processes), (.[4].usage.kernel.peak_rss_bytes - .[4].usage.kernel.rss_before_bytes > 9e7)' all.jsonl
	[ "$(echo $output)" = '7 true 1 true' ] || has nothing
}

@test "the extension is loaded only for magics that the kernel lacks, and not with --no-extension" {
	use_server
	echo '[("code", "%%time\n1 + 1"), ("code", "import nbscope"), ("code", "%%bash\ntrue")]' | python3 "$ROOT/tests/nb.py" plain
	# Without an installed kernel of that name, labserve has one.
	jq '.metadata.kernelspec.name = "nbscope"' plain >plain.ipynb
	echo '[("code", "%%display_code_history")]' | python3 "$ROOT/tests/nb.py" magic.ipynb
	run -0 --separate-stderr kernelrun plain.ipynb
	[ "$(jq -c 'select(.type == "run").settings.extension' <<<"$output")" = null ]
	run -1 --separate-stderr kernelrun --no-extension magic.ipynb
	[ "$(jq -r 'select(.type == "run").settings.extension.reason, (select(.type == "cell").error_name)' <<<"$output")" = $'--no-extension\nUsageError' ]
}
