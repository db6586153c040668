# bats file_tags=untimed,long
# share/profile/workers.py: functions and lines of worker processes, whose shares of CPU time and
# whose hits are known.
load helpers
load profiled
every_package

setup_file() {
	find_overlay
	# 20 times 6 ms and 2 ms for each number: the work of others on the machine hits both alike.
	cat >"$BATS_FILE_TMPDIR/model.py" <<-'P'
		import time

		def spend(s):
		    end = time.thread_time() + s
		    while time.thread_time() < end:
		        pass

		def slow():
		    spend(0.006)

		def fast():
		    spend(0.002)

		def work(i):
		    for _ in range(20):
		        slow()
		        fast()
		    return i
	P
}

POOLS=('import concurrent.futures, multiprocessing, os, model
def by_pool(method, numbers):
    with multiprocessing.get_context(method).Pool(2) as pool:
        return pool.map(model.work, numbers, chunksize=1)' 'by_pool("fork", range(4))' 'by_pool("spawn", range(4))'
	'by_pool("forkserver", range(4))' 'with concurrent.futures.ProcessPoolExecutor(2) as pool:
    found = list(pool.map(model.work, range(4)))
found')

# shares TYPE MEMBER SLOW FAST: of the two functions or lines in each cell the calls or hits and the
# processes; and whether the first has 75 % of the time of both, within 5 points.
shares() {
	value "[.[] | select(.type == \"$1\" and .processes)] | [group_by(.cell_index)[] |
		[.[0].cell_index, (.[] | select($3, $4) | .calls // .hits, .processes)] | join(\" \")],
		((map(select($3) | .$2) | add) / (map(select($3, $4) | .$2) | add) * 100 | if . > 70 and . < 80 then \"right\" else . end) | tostring"
}

@test "functions of workers have their shares of CPU time, however they were started" {
	profiled --profilers functions --arm 2,3,4,5 "${POOLS[@]}"
	is '[.[] | select(.type == "output" and .cell > 1) | .data["text/plain"]] | unique[]' '[0, 1, 2, 3]'
	shares profile_function cumulative_s '.function == "slow"' '.function == "fast"'
	[ "$output" = $'["2 80 2 80 2","3 80 2 80 2","4 80 2 80 2","5 80 2 80 2"]\nright' ] || { echo "$output"; false; }
	# 4 times 20 times 8 ms, however long they waited for a processor; and little else.
	is '[.[] | select(.type == "profile_function" and .processes and .function == "spend") | .cumulative_s > 0.63 and .cumulative_s < 0.9] | join(" ")' 'true true true true'
	is '[.[] | select(.type == "profile" and .processes) | .work_s > 0.63 and .work_s < 2.5] | join(" ")' 'true true true true'
	is '[.[] | select(.type == "profile" and .note and (.processes | not)) | .note | contains("2 worker processes profiled, too") and (contains("other processes") or contains("killed") | not)] | join(" ")' 'true true true true'
	# In the kernel itself, none of them is called.
	is '[.[] | select(.type == "profile_function" and (.processes | not) and .file == "model.py")] | length' 0
	unpack cell-002.workers.pstats
	run -0 "$PYTHON" -c 'import pstats; pstats.Stats("cell-002.workers.pstats").print_stats("slow")'
	has '   80 '
	jq -c 'select(.type | startswith("profile"))' out | "$ROOT/tests/validate"
}

@test "lines of workers have their shares of time and exact hits, however they were started" {
	profiled --profilers lines --function model:work --arm 2,3,4,5 "${POOLS[@]}"
	shares profile_line time_s '.source == "        slow()"' '.source == "        fast()"'
	[ "$output" = $'["2 80 2 80 2","3 80 2 80 2","4 80 2 80 2","5 80 2 80 2"]\nright' ] || { echo "$output"; false; }
	is '[.[] | select(.type == "profile_line" and .processes and (.source | test("slow|fast"))) | [.cell_index, .time_s]] | group_by(.[0]) | map((map(.[1]) | add) as $s | $s > 0.6 and $s < 1.5) | join(" ")' 'true true true true'
	unpack cell-003.workers.lprof
	jq -c 'select(.type | startswith("profile"))' out | "$ROOT/tests/validate"
	jq -c 'select(.type | startswith("profile"))' out >run.jsonl
	COLUMNS=200 run -0 runprofile run.jsonl
	grep -qE '^cell 3 in 2 worker processes: [0-9.]+ m?s of [0-9.]+ m?s are line (9 of model.py in `slow`, `spend\(0.006\)`, 80|5 of model.py in `spend`, .*) times$' <<<"$output" || { echo "$output"; false; }
}

@test "a pool that lives for several cells has in each what was done there, also of functions of cells and of threads" {
	profiled --profilers functions+lines --arm 3,4,6 'import concurrent.futures, os, threading
def twice(i):
    total = 0
    for n in range(i):
        total += n
    return total
def in_thread(i):
    t = threading.Thread(target=twice, args=(i,))
    t.start()
    t.join()
pool = concurrent.futures.ProcessPoolExecutor(1, __import__("multiprocessing").get_context("fork"))
pool.submit(twice, 1000).result()' 'pool.submit(twice, 500).result()' 'pool.submit(twice, 7).result()' \
		'pool.submit(in_thread, 11).result()' 'pool.submit(twice, 300).result()' 'if os.fork() == 0:
    twice(13)
    os._exit(0)
os.wait()
pool.shutdown()'
	is "[.[] | select(.type == \"profile_line\" and .processes and .line == 5) | \"\(.cell_index) \(.file) \(.hits)\"] | join(\", \")" \
		'3 <cell 1> 7, 4 <cell 1> 11, 6 <cell 1> 13'
	is '[.[] | select(.type == "profile_function" and .processes and .function == "twice") | "\(.cell_index) \(.calls)"] | join(", ")' '3 1, 4 1, 6 1'
}

@test "a worker that is killed is named, and those that it worked with are whole" {
	profiled --profilers lines --function model:work 'import model, multiprocessing, os, signal, time
fork = multiprocessing.get_context("fork")' 'victim = fork.Process(target=model.spend, args=(60,))
victim.start()
with fork.Pool(1) as pool:
    pool.map(model.work, range(3))
os.kill(victim.pid, signal.SIGKILL)
victim.join()
print(victim.pid)' 'ended = fork.Process(target=model.spend, args=(60,))
ended.start()
time.sleep(0.2)
ended.terminate()
ended.join()'
	pid=$(jq -r 'select(.type == "output") | .text' out)
	value '.[] | select(.type == "profile" and .cell_index == 2 and (.processes | not)) | .note'
	has "1 worker process ($pid) killed or silent: what it did last is not counted"
	is '[.[] | select(.type == "profile_line" and .processes and .source == "        slow()") | .hits] | join(" ")' 60
	# One that the notebook ends by terminate() hands over before.
	is '.[] | select(.type == "profile" and .cell_index == 3 and (.processes | not)) | .note | contains("killed") | not' true
	[ -z "$(find "${TMPDIR:-/tmp}" -maxdepth 1 -name 'nbscope-profile.*' -newer "$BATS_FILE_TMPDIR/model.py")" ]
}

@test "what workers print, raise, return and are is as without a profiler" {
	mkdir "$BATS_TEST_TMPDIR/own"
	echo 'print_from_site = "sitecustomize of the user"' >"$BATS_TEST_TMPDIR/own/sitecustomize.py"
	cat >"$BATS_FILE_TMPDIR/state.py" <<-'P'
		import os, pickle, signal, sys, threading
		class Known(Exception):
		    pass
		def state(_=None):
		    import sitecustomize
		    return (sorted(k for k in os.environ if k[:6] in ("PYTHON", "NBSCOP")), os.environ.get("PYTHONPATH"), [p for p in sys.path if "profilers/" not in p], os.path.basename(sys.argv[0]), len(sys.argv),
		            sys.modules["__main__"].__name__, threading.active_count(), str(signal.getsignal(signal.SIGTERM)), sitecustomize.print_from_site,
		            pickle.loads(pickle.dumps(state)) is state)
		def fail(i):
		    raise Known(i)
		def talk(i):
		    os.write(1, b"written\n")
		    print("printed", flush=True)
		    return 2 * i
	P
	local cells=('import multiprocessing, concurrent.futures, subprocess, sys, state, os
def on(method, function):
    with multiprocessing.get_context(method).Pool(1) as pool:
        return pool.map(function, [1])' 'on("fork", state.talk)' 'on("spawn", state.talk)' 'on("fork", state.fail)' 'on("spawn", state.fail)' 'on("fork", state.state)' 'on("spawn", state.state)' \
		'on("forkserver", state.state)' 'print(subprocess.run([sys.executable, "-c", "import state; print(state.state())"], capture_output=True, text=True).stdout)' \
		'with concurrent.futures.ProcessPoolExecutor(1) as pool:
    print(pool.submit(state.fail, 3).exception(), pool.submit(os.getenv, "PYTHONPATH").result())' 'p = multiprocessing.get_context("fork").Process(target=sys.exit, args=(3,)); p.start(); p.join(); p.exitcode' '!echo $PYTHONPATH'
		'p = multiprocessing.get_context("spawn").Process(target=sys.exit, args=(3,)); p.start(); p.join(); p.exitcode')
	local differs='del(.metadata) | walk(if type == "string" then gsub("0x[0-9a-f]+|ipykernel_[0-9]+|profilers/[^:]*"; "") else . end)' with
	for with in none functions ${ALL:+lines}; do
		# shellcheck disable=SC2046  # two words, or none
		EXTRA=$BATS_TEST_TMPDIR/own profiled $([ $with = none ] || echo "--profilers $with") "${cells[@]}"
		grep -v '^{' out >"$with"
		grep '^{' out | jq -c "select(.type | test(\"^(output|reply|after)\")) | $differs" >>"$with"
	done
	[ "$(wc -l <none)" -ge 25 ]
	grep -q '^written' none
	grep -q 'sitecustomize of the user' none
	diff none functions
	[ -z "${ALL:-}" ] || diff none lines
}

# install_test NAME REQUIREMENT...: into a folder for tests, once.
install_test() {
	local folder=$ROOT/build/profilers/$1-test
	[ -d "$folder" ] || (cd "$ROOT" && mk/setup/install-packages.sh "$PYTHON" --target "$folder" "${@:2}") >&2
	echo "$folder"
}

# Cells 3 and 4 use what cell 2 makes; cell 4 ends it, too. Functions of the notebook have come there
# as their code.
CELL_WORK='import time
def spend(s):
    end = time.thread_time() + s
    while time.thread_time() < end:
        pass
def slow():
    spend(0.006)
def fast():
    spend(0.002)
def work(i):
    for _ in range(20):
        slow()
        fast()
    return i'

found_in_cells() {
	is '[.[] | select(.type == "reply") | .status] | unique[]' ok
	shares "$@"
	[ "$output" = "$EXPECTED" ] || { echo "$output"; false; }
}

# bats test_tags=thorough
@test "dask's worker processes are profiled by function and line" {
	local dask
	dask=$(install_test dask --only-binary :all: "distributed==$("$PYTHON" -c 'import dask; print(dask.__version__)')" bokeh prometheus_client)
	local cells=("$CELL_WORK" 'from distributed import Client, LocalCluster
client = Client(LocalCluster(n_workers=2, threads_per_worker=2, dashboard_address=None))' 'client.gather(client.map(work, range(4)))' \
		'client.gather(client.map(lambda i: work(i), range(4, 8)))
client.close()
client.cluster.close()')
	EXPECTED=$'["3 80 2 80 2","4 80 2 80 2"]\nright'
	EXTRA=$dask profiled --profilers functions --arm 3,4 "${cells[@]}"
	found_in_cells profile_function cumulative_s '.function == "slow"' '.function == "fast"'
	is '[.[] | select(.type == "profile_function" and .processes and .function == "slow") | .file] | unique[]' '<cell 1>'
	EXTRA=$dask profiled --profilers lines --arm 3,4 "${cells[@]}"
	found_in_cells profile_line time_s '.source == "        slow()"' '.source == "        fast()"'
}

# bats test_tags=thorough
@test "Spark's Python workers are profiled by function and line" {
	command -v java >/dev/null || skip 'no java (Debian: openjdk-17-jre-headless)'
	local spark
	spark=$(install_test spark 'pyspark==4.0.*' pyarrow)
	local cells=("$CELL_WORK" 'import sys, os
os.environ["PYSPARK_PYTHON"] = sys.executable
from pyspark.sql import SparkSession
from pyspark.sql.functions import pandas_udf
spark = (SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").config("spark.ui.showConsoleProgress", "false")
    .config("spark.driver.bindAddress", "127.0.0.1").config("spark.driver.host", "127.0.0.1").getOrCreate())
@pandas_udf("double")
def score(x):
    return x * work(2)
numbers = spark.range(0, 400, 1, 4)' 'numbers.select(score("id")).toPandas().sum().iloc[0]' 'print(numbers.select(score("id")).toPandas().sum().iloc[0])
spark.stop()')
	EXPECTED=$'["3 80 2 80 2","4 80 2 80 2"]\nright'
	EXTRA=$spark profiled --profilers functions --arm 3,4 "${cells[@]}"
	found_in_cells profile_function cumulative_s '.function == "slow"' '.function == "fast"'
	EXTRA=$spark profiled --profilers lines --arm 3,4 "${cells[@]}"
	found_in_cells profile_line time_s '.source == "        slow()"' '.source == "        fast()"'
	is '.[] | select(.type == "profile" and .cell_index == 4 and (.processes | not)) | .note | contains("killed") | not' true
}
