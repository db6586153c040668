# bats file_tags=quick
load helpers

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	# Sixty cells from 5 ms to 2 s, twenty runs with a noise of 4 %.
	python3 - >m <<-'P'
	import json, random
	r = random.Random(5)
	for c in range(60):
	    for k in range(20):
	        t = 0.005 * 1.105 ** c * r.lognormvariate(0, 0.04)
	        print(json.dumps({"type": "cell_metrics", "name": "n", "label": "x", "repetition": k + 1, "cell_index": c + 1, "execution_status": "Completed",
	            "client_execution_time_metric": t, "kernel_execution_time_metric": t * 0.8, "kernel_peak_rss_bytes": 6e7, "client_total_data_received_metric": 0.003}))
	P
}

@test "with 20 runs of 100 cells at most 5 % of trials give a false alarm, and 10 % more of 200 ms is found in 90 %" {
	run metricrate --trials 100 m
	status_is 0
	jq -e '.false_alarm_rate <= 0.05 and .power >= 0.9 and .tests == 40400' <<<"$output"
	run "$ROOT/build/testvenv/bin/python" "$ROOT/tests/validate" --strict <(metricrate --trials 2 m)
	status_is 0
}

@test "the same seed gives the same trials, another seed others" {
	[ "$(metricrate --trials 5 --seed 3 m)" = "$(metricrate --trials 5 --seed 3 m)" ]
	[ "$(metricrate --trials 20 --runs 7 --slowdown 0.08 --seed 3 m)" != "$(metricrate --trials 20 --runs 7 --slowdown 0.08 --seed 4 m)" ]
}

@test "pairs of an interleaved experiment are drawn as pairs: what both runs of one share is no noise" {
	# Each repetition of both labels is slower or faster by 20 %, its runs by 2 %; b is half as slow again.
	python3 - >pairs <<-'P'
	import json, random
	r = random.Random(5)
	print(json.dumps({"type": "interleaving", "t": 1, "a": "a", "b": "b", "seed": 1, "order": "ABBA" * 15}))
	for c in range(6):
	    for k in range(30):
	        drift = r.lognormvariate(0, 0.2)
	        for l in "ab":
	            t = 0.2 * drift * r.lognormvariate(0, 0.02) * (1.5 if l == "b" else 1)
	            print(json.dumps({"type": "cell_metrics", "name": "n", "label": l, "repetition": k + 1, "cell_index": c + 1, "execution_status": "Completed", "client_execution_time_metric": t}))
	P
	run metricrate -g client --cells 6 --runs 10 --trials 50 pairs
	status_is 0
	jq -e '.paired and .donors == 6 and .found >= 48 and .false_alarms <= 6' <<<"$output"
	run "$ROOT/build/testvenv/bin/python" "$ROOT/tests/validate" --strict <(metricrate -g client --trials 2 pairs)
	status_is 0
	grep -v interleaving pairs >samples
	metricrate -g client --cells 6 --runs 10 --trials 50 samples | jq -e '(.paired | not) and .donors == 12 and .found < 25'
	[[ "$(metricrate -g client --runs 10 --trials 1 -f table pairs)" == '100 cells, 10 pairs of runs, drawn from 6 '* ]]
}

# bats test_tags=thorough
@test "the noise of such cells is reported, and --noise scales it to another machine's" {
	[ "$(metricrate --trials 5 m | jq '[.noise > 0.03, .noise < 0.05, .noise_measured] | all')" = true ]
	[ "$(metricrate --trials 50 --noise 0.2 m | jq '[.found < 10, .noise == 0.2, .noise_measured == false, .false_alarms < 6] | all')" = true ]
	[ "$(metricrate --trials 50 --noise 0.02 m | jq .found)" = 50 ]
	metricrate --trials 5 -f table m | grep -q 'such cells vary by [34][.][0-9] %$'
	metricrate --trials 5 --noise 0.1 -f table m | grep -q 'such cells are scaled to vary by 10.0 %$'
}

@test "without cells that ran often enough the status is 6" {
	grep '"repetition": [1-4],' m >few
	run metricrate few
	status_is 6
	has 'cannot tell: no cell has 5 runs of one label'
	run metricrate /dev/null
	status_is 6
	printf '{' >bad
	run metricrate bad
	status_is 3
}
