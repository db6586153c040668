# bats file_tags=quick
# What notebooks and servers put into names, errors and values must not control a terminal.
load helpers

# on_terminal COMMAND: its output, as a terminal gets it, without the styles that are our own.
on_terminal() {
	TERM=xterm script -qec "$1" /dev/null </dev/null | tr -d '\r' | sed 's/\x1b\[\(0\|1\|1;3[12]\|33\)m//g'
}

# controls FILE: the code points in it that control a terminal.
controls() {
	python3 -c '
import sys, unicodedata
text = open(sys.argv[1], "rb").read().decode("utf-8", "surrogateescape")
bad = [c for c in text if c not in "\r\n\t" and (unicodedata.category(c) in ("Cc", "Cf") or c == "\ufdd3" or 0xdc80 <= ord(c) <= 0xdcff)]
print(" ".join(f"{ord(c):x}" for c in bad), end="")' "$1"
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	python3 - "$ROOT/tests/data/used.jsonl" <<-'EOF'
	import json, sys
	bad = "\x1b[31m \x1b]0;pwned\x07 \u009b31m \u202e \x7f \u00e9 \U000e0041 \ufdd3"
	with open("run", "w", encoding="utf-8") as out:
	    for line in open(sys.argv[1]):
	        r = json.loads(line)
	        if r["type"] == "run":
	            r["params"] = {"word": bad}
	        if r["type"] == "cell":
	            r["status"], r["error_name"], r["error_value"], r["reason"] = "failed", bad, bad, bad
	        out.write(json.dumps(r, ensure_ascii=False, separators=(",", ":")) + "\n")
	EOF
	cellmetrics run >metrics
	printf 'name,x\na\033[31m\xc2\x9b31m\007,1\r\nb\xe2\x80\xae,2\r\n' >table.csv
}

@test "nothing that a program writes to a terminal controls it, whatever the format" {
	local command n=0
	grep -qF $'\u009b' metrics
	for command in 'metrics2csv metrics' 'metrics2csv --notebooks metrics' 'runexport --cells run' 'runexport run' \
		'metricstat -b name --of x -f csv table.csv' 'metricstat -b name --of x -f markdown table.csv' 'metricstat -b name --of x -f latex table.csv' \
		'metricstat -b name --of x table.csv' 'metricstat -b name --of x -f json table.csv' 'runsum metrics' 'cellmetrics run' 'runbar <run' \
		'runkeep kept <run' 'procsample --interval 1000 <run' 'metricreport metrics' 'metricprom metrics' 'metricjunit metrics' 'runtrace run'; do
		on_terminal "$command 2>/dev/null" >out
		run -0 controls out
		[ -z "$output" ] || { echo "$command: $output"; return 1; }
		if grep -qF -e u001b -e x1b -e u009b out; then
			n=$((n + 1))
		else
			echo "none: $command"
		fi
	done
	# As escapes they are there, so this has examined something.
	echo "$n commands showed escapes"
	[ "$n" -ge 10 ]
}

@test "JSON on a terminal is the same JSON, and a file or a pipe gets every byte" {
	on_terminal 'cellmetrics run' >out
	cellmetrics run | jq -S . | cmp - <(jq -S . out)
	# Characters that two writes share are whole.
	python3 -c '
print("name,x")
for i in range(300):
	print(f"{chr(0x20ac) * 333}{i},1")' >wide.csv
	on_terminal 'metricstat -b name --of x -f csv wide.csv' | cmp - <(metricstat -b name --of x -f csv wide.csv | tr -d '\r')
	metrics2csv metrics >file
	grep -qF $'\e]0;pwned\a' file
	metrics2csv metrics | cmp - file
	run controls file
	has '1b'
}

@test "output that a terminal took is a success, and what it did not take an error" {
	TERM=xterm run -0 script -qec 'cellmetrics run' /dev/null </dev/null
	run -4 python3 -c '
import os, subprocess, sys
master, slave = os.openpty()
p = subprocess.Popen(["runbar"], stdin=subprocess.PIPE, stdout=slave, stderr=subprocess.DEVNULL)
os.close(slave)
lines = open("run", "rb").readlines()
p.stdin.write(lines[0])
p.stdin.flush()
os.read(master, 1)
# The terminal is closed while the program runs.
os.close(master)
try:
	p.communicate(b"".join(lines[1:]), timeout=20)
finally:
	p.kill()
sys.exit(p.returncode)'
}

@test "what make refuses is shown without what controls a terminal" {
	local v
	for v in LABEL BASE REPEAT RERUN; do
		run -2 make --no-print-directory -C "$ROOT" help "$v=a"$'\e[31m\u009b31m b\a'
		has "$v must be"
		printf '%s' "$output" >out
		run -0 controls out
		[ -z "$output" ]
	done
}

@test "what make prints of a path, a goal or an error is shown without what controls a terminal" {
	local bad=$'u\e[31m\u009b31m\a' uc
	uc=$PWD/$bad/nbscope/a
	mkdir -p "$uc/notebooks" "$uc/metrics/current"
	cp metrics "$uc/metrics/current/metrics.jsonl"
	metrics2csv --cells-to "$uc/metrics/current/cell_metrics.csv" --notebooks-to "$uc/metrics/current/notebook_metrics.csv" metrics
	echo '{"name":"a"}' >"$uc/notebooks/.combinations.jsonl"
	touch "$bad/$bad"
	jq -n --arg bad "$bad" '{failures: [{error_name: "FileNotFoundError", error_value: "no such file: \"\($bad)\""}]}' >"$uc/metrics/current/verdict.json"
	cd "$ROOT" || return
	shows() {
		printf '%s\n' "$output" >"$BATS_TEST_TMPDIR/out"
		has 'u?[31m?31m?'
		run -0 controls "$BATS_TEST_TMPDIR/out"
		[ -z "$output" ] || { echo "$output"; cat "$BATS_TEST_TMPDIR/out"; return 1; }
	}
	run -2 make --no-print-directory "$bad"
	shows
	run -2 mk/generate/name-folder.sh "$uc/none.ipynb"
	shows
	run -0 make --no-print-directory report NOTEBOOK="${uc%/nbscope/a}/a.ipynb"
	shows
	mkdir -p "$uc/runs/current"
	run -0 runlock --no-lock --scratch "$BATS_TEST_TMPDIR/scratch" mk/show/archive-report.sh "$uc" current
	shows
	run -0 runlock --no-lock --scratch "$BATS_TEST_TMPDIR/scratch" mk/show/publish-report.sh "$uc" current "$uc/$bad.d"
	shows
	run -0 env NOTEBOOK="${uc%/nbscope/a}/a.ipynb" mk/show/suggest-files.sh "$uc" current
	shows
	run -0 runlock --no-lock --scratch "$BATS_TEST_TMPDIR/scratch" mk/show/show-summary.sh "$uc" current
	shows
	echo x >"$uc/metrics/current/.made"
	run -2 mk/metric/check-tables.sh figures "$uc" current
	shows
	YES=1 run -0 mk/setup/remove-results.sh "$uc"
	shows
}

# styles COMMAND: what a terminal gets, each of our styles as a word.
styles() {
	script -qec "$1" /dev/null </dev/null | tr -d '\r' | sed 's/\x1b\[0m/<>/g; s/\x1b\[1m/<heading>/g; s/\x1b\[1;31m/<bad>/g; s/\x1b\[1;32m/<good>/g; s/\x1b\[33m/<doubt>/g'
}

@test "on a terminal headings, failures and the verdict have a style; not with NO_COLOR, on a dumb terminal or in a pipe" {
	local without
	cellmetrics "$ROOT/tests/data/runs.jsonl" >two
	export TERM=xterm
	styles 'runsum two' >out
	run cat out
	has '<heading>demo, label current; notebooks by n/mode/limits
'
	has '<heading>slowest cells
'
	has ' <bad>2 ok, 1 failed      <> '
	has '<bad>      Failed in cell 3 of 4: ValueError: '
	has '<bad>verdict: 1 of 2 notebooks failed: '
	run styles 'head -5 two | runsum'
	has '<good>verdict: 1 notebook profiled, 4 cells, all completed<>'
	without=$(sed 's/<[a-z]*>//g' out)
	for variables in NO_COLOR=1 TERM=dumb TERM=; do
		[ "$(env "$variables" script -qec 'runsum two' /dev/null </dev/null | tr -d '\r')" = "$without" ] || { echo "$variables"; return 1; }
	done
	[ "$(NO_COLOR='' styles 'runsum two')" = "$(cat out)" ]
	# The width of script's terminal is not known.
	[ "$(runsum two)" = "$without" ]
}

@test "the end of make profile on a terminal has its width and styles, and the verdict's status" {
	mkdir -p uc/metrics/current
	cellmetrics "$ROOT/tests/data/runs.jsonl" >uc/metrics/current/metrics.jsonl
	uc=$PWD/uc
	cd "$ROOT" || return
	TERM=xterm run script -qec "stty cols 80; runlock --no-lock --scratch '$BATS_TEST_TMPDIR/scratch' mk/show/show-summary.sh '$uc' current" /dev/null </dev/null
	[ "$status" = 1 ]
	has $'\e[1;31mverdict: 1 of 2 notebooks failed'
	has 'transport% kernel% render%'$'\r\n'
}
