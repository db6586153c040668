# bats file_tags=untimed,long
# What is derived from runs is whole again after the next make, or a line names the file and the way out.
load helpers
load server
load renderer

# In one use case, with kernels alone: label b is compared with label a, and was explained. One server
# runs all.
setup_file() {
	start_server
	use_server
	start_renderer
	export BROWSER=none UC=$BATS_FILE_TMPDIR/uc FAIL_ON=worse
	mkdir "$UC"
	python3 "$ROOT/tests/nb.py" "$UC/template.ipynb" <<<'[("code", "n = {n_value}", ["parameters"]), ("code", "print(sum(range(n)))")]'
	echo '{"n": [1, 2]}' >"$UC/params.json"
	nb profile LABEL=a
	nb profile LABEL=b
	nb explain LABEL=b PROFILERS=functions
	all
	all
	cp -a "$UC" "$BATS_FILE_TMPDIR/good"
}

nb() {
	make --no-print-directory -C "$ROOT" USECASE="$UC" "$@"
}

all() {
	nb profile report compare LABEL=b BASE=a
}

# damage HOW FILE
damage() {
	case $1 in
	empty) : >"$2" ;;
	halve) truncate -s $(($(stat -c %s "$2") / 2)) "$2" ;;
	replace) echo '<<other>>' >"$2" ;;
	remove) rm "$2" ;;
	esac
}

# heals HOW FILE...: after the damage and make, each is whole.
heals() {
	local how=$1 f
	shift
	for f; do
		damage "$how" "$UC/$f"
	done
	run -0 all
	for f; do
		[ -s "$UC/$f" ] && run ! grep -q '<<other>>' "$UC/$f"
		# Of the same size, but for times in it; a run has as many samples as the machine takes for it.
		case $f in
		runs/*n1.jsonl) tail -n 1 "$UC/$f" | grep -q '"type":"run_end"' && continue ;;
		esac
		[ "$(stat -c %s "$UC/$f")" -gt $(($(stat -c %s "$BATS_FILE_TMPDIR/good/$f") * 6 / 10)) ] || has "$how: $f is whole"
	done
}

# are_named HOW [FILE COMMAND]...: after the damage, one line has each file and what to type.
are_named() {
	local how=$1 i
	shift
	for ((i = 1; i < $#; i += 2)); do
		damage "$how" "$UC/${!i}"
	done
	run all
	while [ $# -gt 0 ]; do
		[ "$(grep -cF "/$1'" <<<"$output")" = 1 ] && [ "$(grep -F "/$1'" <<<"$output" | grep -cF "$2")" = 1 ] || has "$how: one line on $1 with $2"
		cp -p "$BATS_FILE_TMPDIR/good/$1" "$UC/$1"
		shift 2
	done
}

teardown_file() {
	stop_renderer
	stop_server
}

# On a copy of its own.
setup() {
	use_server
	rm -rf "$UC"
	cp -a "$BATS_FILE_TMPDIR/good" "$UC"
}

# derived [GREP-OPTION...]: the files below the use case, by kind.
derived() {
	(cd "$BATS_FILE_TMPDIR/good" && find . -type f -printf '%P\n' | sort | grep "$@")
}

# What heals: the caches of the plan are written again, too, once the files are older than two seconds.
healing() {
	derived -E '^(metrics|notebooks|profiles|report)/|^runs/./plan$' | grep -v -e a/.made -e a/.summed
}

@test "tables, verdicts, comparisons, figures, pages, notebooks, plans and stamps heal, also of the other label" {
	local how
	# shellcheck disable=SC2046  # no blanks
	for how in halve ${ALL:+empty replace} remove; do
		heals "$how" $(healing)
	done
	run -0 jq -r .verdict "$UC/metrics/a/verdict.json"
	[ "$output" = ok ]
}

@test "runs, executed notebooks, settings and records of the environment heal, or a line names the file and the way out" {
	local how
	# shellcheck disable=SC2086  # words
	for how in halve ${ALL:+empty replace}; do
		heals "$how" runs/b/uc-n1.jsonl runs/b/.environment.jsonl runs/b/.settings
		are_named "$how" runs/a/uc-n1.jsonl 'make profile LABEL=a' \
			executed/b/uc-n1.ipynb "make profile USECASE=$UC LABEL=b RERUN=failed" \
			runs/b/uc-n1@profile-functions.jsonl 'make explain LABEL=b'
		are_named "$how" runs/a/.settings 'make profile LABEL=a'
		are_named "$how" runs/a/.environment.jsonl "make profile USECASE=$UC LABEL=a"
	done
	heals remove runs/b/uc-n1.jsonl runs/b/.environment.jsonl runs/b/.settings
	are_named remove executed/a/uc-n2.ipynb "make profile USECASE=$UC LABEL=a RERUN=failed"
	are_named empty executed/b/uc-n1@profile-functions.ipynb "make explain USECASE=$UC LABEL=b PROFILERS=functions RERUN=failed"
	# What is named is mended by what the line says.
	damage halve "$UC/executed/b/uc-n1.ipynb"
	run -0 nb profile LABEL=b RERUN=failed
	run -0 all
	[[ $output != *'executed notebook'* ]] || has 'no line'
}

@test "a report that lacks a run or a profile says which, with the way out, and never that all completed" {
	rm "$UC/runs/b/uc-n2.jsonl" "$UC/runs/b/.profile/uc-n1@profile-functions.json"
	run -0 nb report LABEL=b BASE=a
	has "report: 1 profile run is left out, as uc-n1@profile-functions"
	has ": make explain USECASE=$UC LABEL=b"
	run -0 grep -c '1 run missing: uc-n2' "$UC/report/b/index.html"
	run -1 grep 'all completed' "$UC/report/b/index.html"
	run -0 nb compare LABEL=b BASE=a
	has 'b: 1 run missing: uc-n2'
	[[ $output != *'all completed'* ]] || has 'another verdict'
}

@test "a pipe, a socket or a device in the place of a file of ours is refused, not waited for" {
	local f
	for f in runs/b/uc-n1.jsonl runs/b/plan runs/b/.settings runs/b/.digests runs/a/.settings notebooks/uc-n1.ipynb notebooks/.settings \
		notebooks/.combinations.jsonl metrics/b/.made metrics/a/metrics.jsonl executed/b/uc-n1.ipynb report/b/index.html; do
		rm "$UC/$f"
		mkfifo "$UC/$f"
		run -2 timeout 20 make --no-print-directory -C "$ROOT" USECASE="$UC" profile report compare LABEL=b BASE=a
		has "'$UC/$f' is no regular file: remove it"
		rm "$UC/$f"
		cp -p "$BATS_FILE_TMPDIR/good/$f" "$UC/$f"
	done
	rm "$UC/runs/b/plan" "$UC/metrics/b/.made"
	ln -s /dev/zero "$UC/runs/b/plan"
	run -2 nb compare LABEL=b BASE=a
	has "'$UC/runs/b/plan' is no regular file: remove it"
	rm "$UC/runs/b/plan"
	python3 -c 'import os, socket, sys; os.chdir(sys.argv[1]); socket.socket(socket.AF_UNIX).bind(".made")' "$UC/metrics/b"
	run -2 nb report LABEL=b BASE=a
	has "'$UC/metrics/b/.made' is no regular file: remove it"
}

@test "a full disk is one line for one cause, whatever is made" {
	[ "$(id -u)" = 0 ] || skip 'only root can mount'
	local disk=$BATS_TEST_TMPDIR/disk goal said=
	mkdir "$disk"
	mount -t tmpfs -o size=8m none "$disk" 2>/dev/null || skip 'no mounts here'
	cp -a "$UC" "$disk/uc"
	nb generate USECASE="$disk/uc"
	dd if=/dev/zero of="$disk/fill" bs=1k 2>/dev/null || true
	for goal in 'metrics MIN_SAMPLES=3' report compare 'figures FIGURES_AS=json' 'profile RERUN=all' 'generate WHERE=n=1' explain archive; do
		# shellcheck disable=SC2086  # words
		run nb $goal USECASE="$disk/uc" LABEL=b BASE=a
		[[ $status = 2 && "$(grep -cvE '^make(\[[0-9]+\])?: |  Stop\.$' <<<"$output")" = 1 && $output = *'No space left on device'* ]] ||
			said="$said$goal: $output"$'\n'
	done
	umount "$disk"
	[ -z "$said" ] || { echo "$said"; false; }
}

# bats test_tags=thorough
@test "each file heals alone" {
	local f n=0 how=(empty halve replace remove)
	for f in $(healing); do
		heals "${how[n++ % 4]}" "$f"
	done
}
