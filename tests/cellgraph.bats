# bats file_tags=quick
load helpers
load renderer

setup_file() {
	start_renderer
}

teardown_file() {
	stop_renderer
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	run=$ROOT/tests/data/sampled.jsonl
	export TZ=UTC TERM=dumb
	unset COLUMNS NO_COLOR
}

# svg ARGS...: the picture's elements, one per line, "tag class text-or-path"; it is well-formed XML.
svg() {
	cellgraph -f svg "$@" >picture.svg || return
	python3 -c '
import sys, xml.etree.ElementTree as x
for e in x.parse("picture.svg").iter():
    print(e.tag.split("}")[1], e.get("class", "-"), (e.text or "").strip() or e.get("d", "-") if e.tag[-5:] != "style" else "-")'
}

# record TYPE MEMBERS: one line.
record() { printf '{"type":"%s",%s}\n' "$1" "$2"; }

# begin: the first records of a run of one's own.
begin() { record run '"t":1000,"name":"n","notebook":"n.ipynb","label":"l","repetition":1,"attempt":1,"params":null,"code_cells":1'; }

# cell INDEX START_S CLIENT_MS [MEMBERS]: a cell that was completed.
cell() { record cell "\"t\":$2,\"cell_index\":$1,\"status\":\"completed\",\"source\":\"c\",\"pressed_t\":$2,\"idle_t\":$2,\"client_ms\":$3,\"marks\":[]${4:+,$4}"; }

# sample ROLE T CPU_S [PID [RSS]]
sample() { record sample "\"t\":$2,\"role\":\"$1\",\"pid\":${4:-7},\"cpu_s\":$3,\"rss_bytes\":${5:-1000000},\"read_bytes\":0,\"write_bytes\":0"; }

# calc EXPRESSION: its value, with one decimal at least.
calc() { awk "BEGIN { x = $1; printf x == int(10 * x) / 10 ? \"%.1f\" : \"%.3f\", x }"; }

# widest FILE: the columns of its widest line.
widest() {
	python3 -c '
import sys, unicodedata
print(max(sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in l.rstrip("\n")) for l in open(sys.argv[1])))' "$1"
}

@test "a cell's CPU is the difference of its counters, as percent of a core" {
	{ begin; for i in {0..20}; do sample kernel "$(calc "1000 + $i / 10")" "$(calc "$i * 0.075")"; done; cell 1 1000.2 1600; } >in
	run cellgraph -m cpu in
	has 'mean 75.0 %'
	run svg -m cpu in
	# The axis goes to 100: the curve lies at a quarter of 96 pixels from its top.
	top=$(grep '^path grid' <<<"$output" | tail -1 | sed 's/.*M[0-9.]* \([0-9.]*\)L.*/\1/')
	[[ "$output" == *"path c0 curve M62.0 $(calc "$top + 24")H"* ]]
}

@test "the totals of the cell's own readings follow the names, exactly" {
	run cellgraph -c 1 "$run"
	has 'kernel: CPU, % of one core (0.90 s, mean 90.0 %)'
	has 'browser: CPU, % of one core (0.10 s, mean 10.0 %)'
	has 'kernel: written to storage, MB/s (2.00 MB)'
	has 'kernel: read from storage, B/s: 0 throughout'
}

@test "a peak between two samples is drawn and given in words" {
	run cellgraph -c 1 -m memory "$run"
	has 'kernel: memory (RSS), MB (peak 400 MB)'
	has 'memory, dotted: the peak within the cell'
	run svg -c 1 -m memory "$run"
	[ "$(grep -c 'path c[01] level' <<<"$output")" = 2 ]
}

@test "the peak is at least the samples', which include children that ended in the cell" {
	u='"usage":{"kernel":{"peak_rss_bytes":2000000}}'
	{ begin; for i in 0 1 2 3; do sample kernel 100$i $i 7 $((1000000 + i % 2 * 8000000)); done; cell 1 1000 2900 "$u"; } >in
	run cellgraph -m memory in
	has 'kernel: memory (RSS), MB (peak 9.00 MB)'
}

@test "a cell with too few samples says so and shows its own readings" {
	run cellgraph -c 2 -m cpu "$run"
	status_is 0
	has 'demo-n1.ipynb, cell 2: x = 1'
	has 'kernel: CPU, % of one core (0.02 s, mean 50.0 %)'
	has 'only 0 samples in this cell; dotted: the mean of its own readings'
	run svg -c 2 -m cpu "$run"
	has 'path c0 level'
	has 'path c1 level'
	run cellgraph "$run"
	has 'fewer than 3 samples in cells 2, 4; dotted: the mean of its own readings'
	run cellgraph --min-samples 100 "$run"
	has 'no cell has 100 samples'
	run cellgraph --min-samples 1 -c 1 "$run"
	[[ "$output" != *samples* ]]
}

@test "a mean of a cell's own readings is over the time between them, which is longer than the cell" {
	{ begin; for i in 0 1; do sample kernel "$((1000 + 9 * i))" "$i"; done
		cell 1 1000.2 20 '"usage":{"kernel":{"cpu_s":0.03,"write_bytes":4096},"machine":{"elapsed_s":0.4,"cpu_busy_s":0.1,"energy_j":1}}'; } >in
	run cellgraph -m cpu in
	has '(0.03 s, mean 7.50 %)'
	sed 's/"marks"/"profiled":true,"tags":[],&/' in | cellmetrics 2>errors >metrics
	[ "$(jq 'select(.cell_index).kernel_mean_cpu_metric' metrics)" = 7.5 ]
	run cellgraph -m write in
	has 'written to storage, kB/s (4.10 kB)'
	has 15
}

@test "a mean of samples is that of cellmetrics: of whole intervals whose middle is in the cell" {
	{ begin; record watch '"t":1000,"role":"kernel","pid":7,"reason":null'; sample kernel 1000 0; sample kernel 1000.5 0.4; sample kernel 1001 0.5; sample kernel 1001.5 0.9; sample kernel 1002 0.9; sample kernel 1002.5 1.2
		cell 1 1000.1 2000 '"profiled":true,"tags":[]'; } >in
	run cellgraph -m cpu in
	has 'mean 45.0 %'
	cellmetrics in 2>errors >metrics
	[ "$(jq 'select(.cell_index).kernel_mean_cpu_metric' metrics)" = 45 ]
}

@test "cells without a sample are unknown, not 0" {
	{ begin; for i in 0 1 2; do sample kernel "$((1000 + i))" "$i"; done; cell 1 1003 20; } >in
	run cellgraph -m memory in
	status_is 6
	has 'nothing to draw: not known'
}

@test "without a single sample the cells' own readings are drawn" {
	grep -v '"type":"sample"' "$run" >in
	run cellgraph in
	status_is 0
	has 'no cell has 3 samples; dotted: the mean of its own readings'
	run svg in
	[ "$(grep -c 'path c0 level' <<<"$output")" -ge 6 ]
}

@test "one cell has marks where it was pressed, the kernel was done, the output settled" {
	run svg -c 3 "$run"
	for word in pressed 'kernel done' settled; do
		has "text mark $word"
	done
	has 'text title demo-n1.ipynb, cell 3: viewer.show(a)'
	has 'text sub completed in 2 s (kernel 500 ms, render 1.500 s); label current, 2026-09-21 14:13:24'
	has 'text legend seconds since the key that runs the cell was pressed'
	run svg -c 1 "$run"
	[[ "$output" != *settled* ]]
}

@test "the kernel's end and the cell are brought to one clock" {
	# The data's kernel runs 250 ms ahead: 0.5 s of 2 s, after a margin of 4 %.
	run svg -c 3 -m cpu "$run"
	has "path at M$(printf %.1f "$(calc '62 + 724 * (0.08 + 0.502) / 2.16')")"
}

@test "cells are brought to the samples' clock if the offset exceeds its bound and the kernel was watched" {
	late() { { begin; record watch "\"t\":4600,\"role\":\"kernel\",\"pid\":$1,\"reason\":null"; for i in 0 1 2 3 4; do sample kernel 460$i 0.$((2 * i)); done
		cell 1 1001 2000 "\"clock_offset_ms\":3600000,\"clock_bound_ms\":$2" | sed 's/"idle_t":1001/"idle_t":4602/'; } >in; }
	late 7 1
	run cellgraph -m cpu in
	has 'kernel: CPU, % of one core (0.40 s, mean 20.0 %)'
	run svg -m cpu in
	has "path at M$(printf %.1f "$(calc '62 + 724 * (0.08 + 1) / 2.16')")"
	for unsure in 'null 1' '7 null' '7 3600001'; do
		late $unsure
		run cellgraph -m cpu in
		status_is 6
	done
}

@test "cells are drawn one after the other, without the time between them unless --idle is given" {
	run svg "$run"
	has 'text title demo-n1.ipynb, 4 cells'
	has 'text sub these cells took 3.140 s; the run: failed'
	for name in 1 2 3 '4!'; do
		has "text mark $name"
	done
	has 'text note 1 cell took no time: not run, or empty'
	has 'text legend seconds of the cells, one after the other'
	[[ "$output" != *'text tick 4'* ]]
	run svg --idle "$run"
	has 'text legend seconds since the first of these cells began'
	has 'text tick 4'
}

@test "--idle goes from the first press to the last end, in any order of the records" {
	{ begin; for i in {0..9}; do sample kernel 100$i $i; done; cell 2 1003 1000; cell 1 1002 5000; } >in
	run svg --idle -m cpu in
	has 'text mark 1'
	has 'text mark 2'
	has 'text tick 5'
	[ "$(grep -o 'class="cell" x="[0-9.]*"' picture.svg)" = 'class="cell" x="206.8"
class="cell" x="62.0"' ]
}

# crowd N: a run of N cells of 0.2 s each, the kernel's end in the middle.
crowd() {
	begin
	sample kernel 1000 0
	awk -v n="$1" 'BEGIN { for (i = 1; i <= n; i++) printf "{\"type\":\"cell\",\"t\":%g,\"cell_index\":%d,\"status\":\"completed\",\"source\":\"c\",\"pressed_t\":%.1f,\"idle_t\":%.1f,\"last_visual_change_t\":%.1f,\"client_ms\":200,\"marks\":[]}\n", t = 1000 + i / 5, i, t, t + 0.1, t + 0.2 }'
	sample kernel 2000 500
}

@test "numbers of many cells do not overlap, and marks of a thousand cells do not hide the curve" {
	crowd 100 >in
	cellgraph -m cpu -f svg in >picture.svg
	grep -c 'class="within"' picture.svg | grep -qx 100
	python3 - <<-'P'
	import re
	names = sorted((float(x), len(n)) for x, n in re.findall(r'x="([\d.]+)"[^>]*class="mark"[^>]*>(\d+)<', open("picture.svg").read()))
	assert len(names) > 30, names
	for (a, m), (b, n) in zip(names, names[1:]):
	    assert b - a > 6 * (m + n) / 2 + 3, (a, b)
	P
	run cellgraph -m cpu -W 80 in
	has '|1|4|7|10|'
	crowd 1000 >in
	cellgraph -m cpu -f svg in >picture.svg
	run ! grep -q 'class="within"' picture.svg
}

@test "cells are named by index, from the end, by ranges and by lists" {
	titles() { cellgraph -m cpu --each "$@" "$run" 2>&1 | sed -n 's/.*, cell \([0-9]*\):.*/\1/p' | paste -sd,; }
	[ "$(titles -c 3)" = 3 ]
	[ "$(titles -c last)" = 4 ]
	[ "$(titles -c all)" = 1,2,3,4 ]
	[ "$(titles -c 2:3)" = 2,3 ]
	[ "$(titles -c 2-3)" = 2,3 ]
	[ "$(titles -c :2)" = 1,2 ]
	[ "$(titles -c 3:)" = 3,4 ]
	[ "$(titles -c -3:-2)" = 2,3 ]
	[ "$(titles -c 2:last)" = 2,3,4 ]
	[ "$(titles -c 1,3)" = 1,3 ]
	for bad in 0 x '' 3:2 :: 1,, 1.5 -1:-2 1:2:3 lastly 99999999999999999999; do
		run cellgraph -c "$bad" "$run"
		status_is 2
		has '--cell must name cells'
	done
}

@test "a cell that does not exist, or took no time, is reported with status 6" {
	run cellgraph -c 9 "$run"
	status_is 6
	[ "$output" = "cellgraph: no cell '9' in the record, which has 5" ]
	run cellgraph -c 5 "$run"
	status_is 6
	[ "$output" = 'cellgraph: cell 5 took no time: not_run: cell 4 failed' ]
}

@test "a metric that the run does not have is reported with the reason" {
	run cellgraph -m gpu "$run"
	status_is 6
	[ "$output" = 'cellgraph: nothing to draw: not known: no NVIDIA driver' ]
	run cellgraph -m cpu,gpu -c 1 "$run"
	status_is 0
	has 'GPU utilization: not known: no NVIDIA driver'
	{ begin; record watch '"t":1000,"role":"kernel","pid":null,"reason":"the server is remote"'; sample browser 1000 0; sample browser 1001 1; cell 1 1000 900; } >in
	run cellgraph -r kernel in
	status_is 6
	has 'the server is remote'
	run cellgraph -m power "$run"
	has 'machine: power, W ('
	has 'mean 20.0 W'
	has 'power is estimated by a model, not measured'
}

@test "the reason why one process was not watched is not given for another" {
	{ begin; record watch '"t":1000,"role":"browser","pid":null,"reason":"elsewhere"'; sample kernel 1000 0; sample kernel 1001 1; cell 1 2000 900; } >in
	run cellgraph -m cpu in
	status_is 6
	[ "$output" = 'cellgraph: nothing to draw: not known: the run has no reading of it' ]
	run cellgraph -m cpu -r browser in
	[ "$output" = 'cellgraph: nothing to draw: not known: elsewhere' ]
}

@test "GPUs have their panels, and the kernel's share of them" {
	gpu() { record sample "\"t\":$1,\"role\":\"machine\",\"cpu_busy_s\":0,\"gpus\":[{\"index\":0,\"utilization_pct\":$2,\"memory_bytes\":2e9,\"power_w\":null,\"processes\":[{\"pid\":7,\"memory_bytes\":1500000000,\"utilization_pct\":null}]},{\"index\":1,\"utilization_pct\":5,\"memory_bytes\":1e9,\"processes\":null}],\"gpu_reason\":null"; }
	{ begin; for t in 1000 1001 1002; do sample kernel $t 0; gpu $t 60; done; cell 1 1000 1900; } >in
	run cellgraph in
	status_is 0
	has 'GPU 0: GPU utilization, % (at most 60.0 %)'
	has 'GPU 1: GPU utilization, % (at most 5.00 %)'
	has 'kernel: GPU memory, GB (at most 1.50 GB)'
	has 'GPU 0: GPU memory, GB (at most 2.00 GB)'
	[[ "$output" != *'kernel: GPU utilization'* ]]
}

@test "of several cells a queued one is shown from its turn, alone with its turn marked" {
	{ begin; for i in {0..40}; do sample kernel "$(calc "1000 + $i / 10")" "$(calc "$i * 0.05")"; done
		cell 1 1000 2000
		record cell '"t":1003,"cell_index":2,"status":"completed","source":"c","pressed_t":1000.5,"busy_t":1002,"idle_t":1003,"received_t":1003,"client_ms":2500,"marks":["queued"]'
	} >in
	run cellgraph -m cpu in
	has 'these cells took 3 s'
	has 'kernel: CPU, % of one core (1.50 s, mean 50.0 %)'
	run svg -c 2 -m cpu in
	has 'its turn'
	run svg -c 1 -m cpu in
	[[ "$output" != *'its turn'* ]]
}

@test "a truncated cell is shown until it was cut off" {
	{ begin; for i in {0..20}; do sample kernel "$(calc "1000 + $i / 10")" "$(calc "$i * 0.05")"; done
		record cell '"t":1001.5,"cell_index":1,"status":"browser_died","source":"c","pressed_t":1000.5,"sent_t":1000.5,"client_ms":null,"marks":["truncated"]'
	} >in
	run cellgraph -m cpu in
	has 'browser_died in 1 s'
	has 'mean 50.0 %'
}

@test "a cell without a press is sampled from its request on" {
	{ begin; for i in {0..20}; do sample kernel "$(calc "1000 + $i / 10")" "$(calc "$i * 0.12")"; done
		record cell '"t":1002,"cell_index":1,"status":"completed","source":"c","pressed_t":null,"sent_t":1000.5,"idle_t":1001.5,"received_t":1001.5,"client_ms":null,"usage":{"machine":{"elapsed_s":1},"kernel":{"cpu_s":0.1}},"marks":["untriggered"]'
	} >in
	run cellgraph -m cpu in
	has '(0.10 s, mean 120 %)'
	has '| sent '
	has 'seconds since the page asked the kernel to run the cell'
	[[ "$output" != *'few'* && "$output" != *'samples in this cell'* ]]
}

@test "gpu-all is all four GPU metrics, and read and write calls are counted" {
	{ begin; for i in 0 1 2 3; do
		record sample "\"t\":100$i,\"role\":\"machine\",\"gpus\":[{\"index\":0,\"utilization_pct\":50,\"memory_utilization_pct\":12,\"memory_bytes\":5,\"power_w\":70}]"
		record sample "\"t\":100$i,\"role\":\"kernel\",\"pid\":7,\"read_calls\":$((40 * i)),\"write_calls\":0"
	done; cell 1 1000 3000; } >in
	run svg -m gpu-all in
	[ "$(grep -c '^text name' <<<"$output")" = 4 ]
	run cellgraph -m gpu-bandwidth in
	has "GPU 0: GPU memory bandwidth, % (at most 12.0 %)"
	run cellgraph -m read-calls,write-calls in
	has 'kernel: read calls, per second (120 in all)'
	has 'kernel: write calls, per second: 0 throughout'
}

# gpus T LIST...: a reading of GPUs that have these lists of processes.
gpus() {
	local t=$1 i=0 all= list
	shift
	for list; do
		all+="${all:+,}{\"index\":$((i++)),\"utilization_pct\":90,\"memory_bytes\":9000000000,\"processes\":$list}"
	done
	record sample "\"t\":$t,\"role\":\"machine\",\"cpu_busy_s\":0,\"gpus\":[$all],\"gpu_reason\":null"
}

@test "of several GPUs the kernel has the memory of all and the utilization of the one that it uses most" {
	user() { echo "[{\"pid\":7,\"memory_bytes\":$1,\"utilization_pct\":$2}]"; }
	{ begin; for t in 1000 1001 1002; do sample kernel $t 0; gpus $t "$(user 3000000000 80)" "$(user 1000000000 10)" '[]'; done; cell 1 1000 1900; } >in
	run cellgraph -m gpu,gpu-memory in
	has 'kernel: GPU utilization, % (at most 80.0 %)'
	has 'kernel: GPU memory, GB (at most 4.00 GB)'
}

@test "a kernel that left the GPU uses 0 of it, and nothing is known if the driver does not report it" {
	here='[{"pid":7,"memory_bytes":3000000000,"utilization_pct":80}]'
	left() { { begin; for i in 0 1 2 3; do sample kernel 100$i 0; gpus 100$i "$([ $i -lt 2 ] && echo "$here" || echo "$1")"; done; cell 1 "$2" 900; } >in; }
	left '[{"pid":8,"memory_bytes":5,"utilization_pct":5}]' 1002.05
	run cellgraph -m gpu,gpu-memory in
	has 'kernel: GPU utilization, %: 0 throughout'
	has 'kernel: GPU memory, B: 0 throughout'
	left null 1002.05
	run cellgraph -m gpu,gpu-memory in
	has 'GPU 0: GPU utilization'
	[[ "$output" != *kernel:* ]]
}

@test "a counter that restarts interrupts the curve, and so does another process" {
	{ begin; sample kernel 1000 50; sample kernel 1001 50.5; sample kernel 1002 0; sample kernel 1003 0.5; sample kernel 1004 30 8; sample kernel 1005 30.5 8; cell 1 1000 5000; } >in
	run cellgraph -m cpu in
	status_is 0
	has 'mean 50.0 %'
	run svg -m cpu in
	[ "$(grep -c '^path c0 curve M[0-9.]* [0-9.]*H' <<<"$output")" = 3 ]
}

@test "null is a gap, not 0" {
	{ begin; for i in 0 1 2 3 4 5; do sample kernel 100$i $i 7 "$([ $i = 2 ] && echo null || echo 5000000)"; done; cell 1 1000 5000; } >in
	run svg -m memory in
	[ "$(grep -c '^path c0 curve M[0-9.]* [0-9.]*H[0-9.]*$' <<<"$output")" = 2 ]
	has 'at most 5.00 MB'
}

@test "samples without cells are drawn, each process separately" {
	for i in 0 1 2; do sample process 100$i $i 11; sample process 100$i 0.$i 12; done >in
	run cellgraph -m cpu in
	status_is 0
	has 'process 11: CPU, % of one core (2.00 s, mean 100 %)'
	has 'process 12: CPU, % of one core (0.20 s, mean 10.0 %)'
	has 'seconds since the first sample'
	run cellgraph -c 1 in
	status_is 6
}

@test "metrics and roles can be selected, metrics by JUmPER's names too" {
	run svg -m cpu_summary,mem -r browser,machine "$run"
	[ "$(grep -c '^text name' <<<"$output")" = 2 ]
	has 'text legend browser'
	has 'text legend machine'
	[[ "$output" != *'legend kernel'* ]]
	run svg -m io_read,io_write "$run"
	[ "$(grep -c '^text name' <<<"$output")" = 2 ]
	run svg -m all "$run"
	[ "$(grep -c '^text name' <<<"$output")" = 26 ]
	run cellgraph -m cpu,nonsense "$run"
	status_is 2
	has "cellgraph: unknown metric 'nonsense'"
	run cellgraph -r user "$run"
	status_is 2
	has "cellgraph: unknown role 'user'"
}

@test "a gap in the readings stays one in a picture, and a constant curve is one piece" {
	pieces() { cellgraph -f svg -m memory "$1" | grep -o 'class="c0 curve" d="[^"]*H' | wc -l; }
	for gap in null 5000000; do
		{ begin; for i in 0 1 2 3 4 5; do sample kernel 100$i $i 7 "$([ $i = 2 ] && echo $gap || echo 5000000)"; done; cell 1 1000 5000; } >$gap
	done
	[ "$(pieces null)" = 2 ]
	[ "$(pieces 5000000)" = 1 ]
}

@test "the file's extension selects the format, and --each puts the cell's number in the name" {
	cellgraph --each -o new/cell.svg "$run"
	[ "$(ls new)" = 'cell-1.svg
cell-2.svg
cell-3.svg
cell-4.svg' ]
	cellgraph -o g.txt "$run"
	[ "$(head -1 g.txt)" = 'demo-n1.ipynb, 4 cells' ]
	run cellgraph -o g.jpg "$run"
	status_is 2
	has "unknown format of 'g.jpg': use --format"
	run cellgraph -f gif "$run"
	status_is 2
	cellgraph -f svg -o g.jpg "$run"
	[ "$(head -c 4 g.jpg)" = '<svg' ]
	for f in svg png; do
		run cellgraph --each -f $f "$run"
		status_is 2
		has '--each requires --output FILE'
	done
}

@test "--each writes a file for each time that a cell ran" {
	{ begin; for i in 0 1 2 3 4 5 6 7 8; do sample kernel 100$i $i; done; cell 1 1000 1900; cell 2 1002 1900; cell 1 1004.5 1900; cell 1 1006 1900; } >in
	cellgraph --each -m cpu -o g.txt in
	[ "$(ls g-*)" = 'g-1-2.txt
g-1-3.txt
g-1.txt
g-2.txt' ]
	grep -q '00:16:40' g-1.txt
	grep -q '00:16:44' g-1-2.txt
	grep -q '00:16:46' g-1-3.txt
}

@test "--each does not change the folder's name, even with dots in it" {
	cellgraph --each -c 1 -m cpu -f svg -o out.d/graph "$run"
	[ "$(find . -name '*-1*')" = ./out.d/graph-1 ]
}

@test "a PNG has the requested width, and without what draws it one line says what to install" {
	run env NBSCOPE_FIGURE_VENV="$PWD/none" cellgraph -o g.png "$run"
	status_is 4
	[ "$output" = "cellgraph: cannot draw: no Python with vl-convert-python (run 'make setup', or set NBSCOPE_FIGURE_VENV)" ]
	[ ! -e g.png ]
	cellgraph -o g.png "$run"
	cellgraph -f png -W 500 -H 450 "$run" >small.png
	python3 - g.png small.png <<-'P'
	import struct, sys, zlib
	def read(path):
	    d = open(path, "rb").read()
	    assert d[:8] == b"\x89PNG\r\n\x1a\n"
	    w, h, depth, kind = struct.unpack(">IIBB", d[16:26])
	    return w, h, d
	assert read("g.png")[0] == 800 and read("g.png")[1] > 300
	assert read("small.png")[0] == 500 and 440 <= read("small.png")[1] <= 460, read("small.png")[:2]
	assert len(read("g.png")[2]) > 10000
	P
}

@test "a picture has the requested width and height" {
	for w in 320 800 1500; do
		svg -W $w "$run" >/dev/null
		grep -q "^<svg .* width=\"$w\" " picture.svg
	done
	svg -H 900 "$run" >/dev/null
	grep -q ' height="900" ' picture.svg
	run cellgraph -f svg -W 319 "$run"
	status_is 2
}

@test "text is never wider than requested, nor much higher" {
	for w in 40 41 80 133 300; do
		for g in braille block ascii; do
			cellgraph -W $w --glyphs $g "$run" >out
			[ "$(widest out)" -le $w ]
			cellgraph -W $w --glyphs $g -c 3 "$run" >out
			[ "$(widest out)" -le $w ]
		done
	done
	for w in 5 8 39; do
		run cellgraph -W $w "$run"
		status_is 2
		has 'text must be at least 40 columns wide'
	done
	COLUMNS=90 cellgraph "$run" >out
	[ "$(widest out)" -le 90 ]
	[ "$(widest out)" -gt 80 ]
	cellgraph -H 20 -c 3 -m cpu "$run" >out
	[ "$(wc -l <out)" -le 20 ]
}

@test "characters are those that the terminal can show" {
	cellgraph -m cpu "$run" | grep -q '⣿'
	LC_ALL=C cellgraph "$run" >out
	[ -z "$(LC_ALL=C tr -d '\n -~' <out)" ]
	grep -q '::::' out
	TERM=linux cellgraph -m cpu "$run" | grep -q '█'
	run cellgraph --glyphs bricks "$run"
	status_is 2
}

@test "colours are written to a terminal only, and not with NO_COLOR" {
	[[ "$(cellgraph "$run")" != *$'\e'* ]]
	[[ "$(TERM=xterm script -qec "cellgraph -m cpu '$run'" /dev/null)" == *$'\e[36m'* ]]
	[[ "$(TERM=xterm NO_COLOR=1 script -qec "cellgraph -m cpu '$run'" /dev/null)" != *$'\e'* ]]
}

@test "a terminal's width is respected" {
	script -qec "stty cols 57; cellgraph -m cpu '$run'" /dev/null | tr -d '\r' >out
	[ "$(widest out)" -le 57 ]
	[ "$(widest out)" -gt 50 ]
}

@test "names and sources can neither break the picture nor control the terminal" {
	{ begin | sed 's/n\.ipynb/<b>\&\\"\\u001b[2J\\u202e\\u0007/'; sample kernel 1000 0; sample kernel 1001 1; sample kernel 1002 2
		cell 1 1000 1900 '"reason":"</text>\u0000"' | sed 's/\\u0000/\\u0001/; s/"c"/"<![CDATA[\\ufffe\\u009b1m"/'; } >in
	run svg in
	status_is 0
	has 'text title <b>&"?[2J??, cell 1: <![CDATA[??1m'
	run cellgraph in
	status_is 0
	[[ "$output" != *$'\e'* ]]
}

@test "of several runs the last is drawn, or the one that --run selects" {
	{ cat "$run"; begin; sample kernel 1000 0; sample kernel 1001 1; sample kernel 1002 2; cell 1 1000 1900; } >in
	run cellgraph in
	has 'n.ipynb, cell 1: c'
	[[ "$output" != *demo* ]]
	run cellgraph --run 1 in
	has 'demo-n1.ipynb, 4 cells'
	has 'kernel: CPU, % of one core (1.30 s'
	run cellgraph --run 3 in
	status_is 6
	has 'no run 3 in the record, which has 2'
}

@test "an incomplete run is drawn as far as it goes" {
	head -60 "$run" >in
	run cellgraph in
	status_is 0
	has 'the run: incomplete'
}

@test "standard input does as well as a file, and options may follow the file" {
	[ "$(cellgraph <"$run")" = "$(cellgraph "$run" -m cpu,memory,io)" ]
	[ "$(cellgraph - <"$run")" = "$(cellgraph "$run")" ]
	run cellgraph "$run" "$run"
	status_is 2
	run cellgraph no-such-file
	status_is 4
	has "cellgraph: cannot open 'no-such-file'"
}

@test "absurd numbers do no harm" {
	{ begin; sample kernel 1000 0; sample kernel 1000 1; sample kernel 999 5; sample kernel 1001 1e308; sample kernel 1002 1.7e308 7 1e300; sample kernel 1003 -1 7 -5; cell 1 1000 2900; cell 2 1e300 1e300; cell 3 -5 1e-300; } >in
	run cellgraph in
	[ "$status" -le 6 ]
	run svg in -c 1
	status_is 0
	[[ "$output" != *nan* && "$output" != *inf* ]]
	run svg in
	[[ "$output" != *nan* && "$output" != *inf* ]]
}

@test "empty input is nothing to draw" {
	run cellgraph </dev/null
	status_is 6
	has 'the record has no cells and no samples'
	run cellgraph < <(echo '{"type":"note"}')
	status_is 6
}

@test "lines that are not records are refused with line and column" {
	for bad in x '[]' '{"type":"cell","a":1,"a":2}' '{"type":"a","b":NaN}' $'{"type":"\xff"}' '' '{"type":"cell","t":1}'; do
		run cellgraph < <(begin; echo "$bad")
		status_is 3
		[[ "$output" =~ ^cellgraph:\ stdin:2:[0-9]+:\  ]] || { echo "for $bad: $output"; return 1; }
	done
}

@test "a last line without a newline counts" {
	run cellgraph -m cpu < <(begin; sample kernel 1000 0; sample kernel 1001 1; cell 1 1000 900 | tr -d '\n')
	status_is 0
	has 'n.ipynb, cell 1: c'
}

@test "a line of 100 MB is refused" {
	run bash -c "(printf '{\"type\":\"x\",\"a\":\"'; head -c 100000000 /dev/zero | tr '\\0' a; echo '\"}') | cellgraph"
	status_is 3
	has 'cellgraph: stdin:1:1: line longer than 16777216 bytes'
}

@test "a full disk is an error, a reader that leaves ends it silently, and a file is whole or does not exist" {
	for f in text svg; do
		run bash -c 'cellgraph -f "$1" "$2" >/dev/full' - $f "$run"
		status_is 4
		has 'cellgraph: cannot write to standard output: No space left on device'
	done
	run bash -c 'cellgraph -m all --each "$1" | head -1; exit "${PIPESTATUS[0]}"' - "$run"
	[ "$output" = 'demo-n1.ipynb, cell 1: a = work()' ]
	mkdir dir.svg
	run cellgraph -o dir.svg "$run"
	status_is 4
	has "cellgraph: cannot write 'dir.svg': Is a directory"
	[ -z "$(find . -name '*.tmp')" ]
}

# each_busy N: samples of N processors for 2 s, of which 0 works all the time and 1 in the second half.
each_busy() {
	for i in 0 1 2 3 4 5 6 7 8 9 10; do
		t=$((i * 200))
		record sample "$(jq -cn --argjson n "$1" --argjson ms $t '{t: (1000 + $ms / 1000), role: "machine", cpu_busy_s: 0, load_1min: 0,
			processor_ids: [range($n)], processor_busy_s: [range($n) | [$ms, ([$ms - 1000, 0] | max)][.] // 0 | . / 1000]}' | sed 's/^{//; s/}$//')"
	done
}

@test "each processor is a row of a strip where more than two are there, several share one where there are many" {
	each_busy 2 >in
	run cellgraph -r machine -m load,processors --glyphs ascii -W 48 in
	status_is 0
	[ "$(grep -A2 'processors, % busy' <<<"$output" | tail -2)" = $'      0|########################################\n      1|                    ####################' ]
	run cellgraph --glyphs ascii in
	[[ "$output" != *processors* ]]
	each_busy 4 >in
	run svg in
	has 'text name processors, % busy'
	[ "$(grep -c '^rect s0' <<<"$output")" = 2 ]
	each_busy 64 >in
	run cellgraph -m processors --glyphs ascii in
	[ "$(grep -c '[0-9]-[0-9]*|' <<<"$output")" = 32 ]
	has '  62-63|'
	record sample '"t":1000,"role":"machine","cpu_busy_s":0,"processor_ids":null,"processor_busy_s":null,"processor_reason":"x"' >in
	record sample '"t":1001,"role":"machine","cpu_busy_s":1' >>in
	run -6 cellgraph -m processors in
	has 'the run has no reading of each processor'
}
