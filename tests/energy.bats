# bats file_tags=quick
load helpers

# The machine is read below ./root, whose /proc is the real one unless a test makes its own.
setup() {
	cd "$BATS_TEST_TMPDIR" || return
	unset PUE CARBON_INTENSITY COUNTRY CPU_WATTS MEMORY_WATTS NBSCOPE_NVML NVML_STUB NVML_STUB_PID
	mkdir -p root/sys/class/powercap
	ln -s /proc root/proc
	ln -s /sys/fs root/sys/fs
	export NBSCOPE_SYSROOT=$PWD/root
}

# own_proc: makes a /proc of the test's own, without control groups.
own_proc() {
	rm root/proc root/sys/fs
	mkdir -p root/proc root/sys/fs/cgroup
	printf 'MemTotal: %d kB\nMemFree: 1 kB\nMemAvailable: 2048 kB\n' "${1:-16777216}" >root/proc/meminfo
	echo '0.25 0.50 0.75 1/100 4242' >root/proc/loadavg
	echo 'cpu 0 0 0 0 0 0 0 0 0 0' >root/proc/stat
}

# zone FOLDER NAME COUNTER [RANGE]: makes one folder of powercap.
zone() {
	local z=root/sys/class/powercap/$1
	mkdir -p "$z"
	echo "$2" >"$z/name"
	echo "$3" >"$z/energy_uj"
	echo "${4:-262143328850}" >"$z/max_energy_range_uj"
}
# counter FOLDER VALUE: changes a counter without ever truncating its file.
counter() { printf '%s\n' "$2" | dd of="root/sys/class/powercap/$1/energy_uj" conv=notrunc status=none; }
export -f counter

# machine COMMAND...: samples the machine every 20 ms while it runs, into `samples`.
machine() {
	run --separate-stderr procsample --machine --interval 20 -- "$@"
	status_is 0
	jq -c 'select(.type == "sample" and .role == "machine")' <<<"$output" >samples
	[ -s samples ]
}
# is FILTER VALUE: checks the last sample.
is() {
	local got
	got=$(tail -1 samples | jq -c "$1")
	[ "$got" = "$2" ] && return
	printf 'wanted %s %s, got %s\n' "$1" "$2" "$got" >&2
	tail -1 samples >&2
	return 1
}
# nvml [FLAG...]: builds the stub library and sets NBSCOPE_NVML to it.
nvml() {
	cc -shared -fPIC "$@" -o nvml.so "$ROOT/tests/nvml_stub.c"
	export NBSCOPE_NVML=$PWD/nvml.so
}

# ---- counters ----

@test "a package's joules are the increase of its counter since the start" {
	zone intel-rapl:0 package-0 5000000
	machine bash -c 'counter intel-rapl:0 7500000; sleep 0.2'
	is .energy_j 2.5
	is .energy_method '"rapl"'
	is .energy_reason null
	is .energy_domains '"package-0"'
	[ "$(head -1 samples | jq '.energy_j < 2.6')" = true ]
}

@test "a counter that wraps around continues from its range" {
	zone intel-rapl:0 package-0 9000000 10000000
	machine bash -c 'counter intel-rapl:0 2000000; sleep 0.2'
	is .energy_j 3
}

@test "a counter that was reset did not wrap around: null with a reason" {
	zone intel-rapl:0 package-0 900000000
	machine bash -c 'counter intel-rapl:0 1; sleep 0.2'
	is .energy_j null
	tail -1 samples | jq -r .energy_reason | grep -q 'it was reset'
}

@test "energy never decreases; a counter that decreased, of unknown range, is null with a reason" {
	zone intel-rapl:0 package-0 9000000 10000000
	rm root/sys/class/powercap/intel-rapl:0/max_energy_range_uj
	machine bash -c 'counter intel-rapl:0 2000000; sleep 0.2'
	is .energy_j null
	is .energy_method null
	tail -1 samples | jq -r .energy_reason | grep -q 'it decreased, and its range is unknown'
}

@test "core and uncore are part of their package, dram is added, and packages are summed" {
	zone intel-rapl:0 package-0 1000000
	zone intel-rapl:0:0 core 1000000
	zone intel-rapl:0:1 uncore 1000000
	zone intel-rapl:0:2 dram 1000000
	zone intel-rapl:1 package-1 1000000
	zone intel-rapl:1:0 dram 1000000
	machine bash -c 'for z in 0 0:0 0:1 0:2 1 1:0; do counter intel-rapl:$z 2000000; done; sleep 0.2'
	is .energy_j 4
	is .energy_domains '"package-0, dram of package-0, package-1, dram of package-1"'
}

@test "psys contains the packages, so it is read only if there are none" {
	zone intel-rapl:0 package-0 1000000
	zone intel-rapl:1 psys 1000000
	machine bash -c 'counter intel-rapl:0 2000000; counter intel-rapl:1 9000000; sleep 0.2'
	is .energy_j 1
	rm -r root/sys/class/powercap/intel-rapl:0
	machine bash -c 'counter intel-rapl:1 12000000; sleep 0.2'
	is .energy_j 3
	is .energy_domains '"psys"'
}

@test "a counter that a second driver shows again is not counted again" {
	zone intel-rapl-mmio:0 package-0 1000000
	zone intel-rapl:0 package-0 1000000
	machine bash -c 'counter intel-rapl:0 2000000; counter intel-rapl-mmio:0 2000000; sleep 0.2'
	is .energy_j 1
	rm -r root/sys/class/powercap/intel-rapl:0
	machine bash -c 'counter intel-rapl-mmio:0 5000000; sleep 0.2'
	is .energy_j 3
}

@test "dies that mirror one counter are one package, dies with their own counters are summed" {
	zone intel-rapl:0 package-0-die-0 50000000
	zone intel-rapl:1 package-0-die-1 50000100
	machine bash -c 'counter intel-rapl:0 52000000; counter intel-rapl:1 52000100; sleep 0.2'
	is .energy_j 2
	counter intel-rapl:0 91000000
	machine bash -c 'counter intel-rapl:0 92000000; counter intel-rapl:1 53000100; sleep 0.2'
	is .energy_j 2
	is .energy_domains '"package-0-die-0, package-0-die-1"'
}

@test "a counter that only root may read is named, and energy is estimated from the design power" {
	zone intel-rapl:0 package-0 1000000
	echo 65000000 >root/sys/class/powercap/intel-rapl:0/constraint_0_max_power_uw
	chmod 0 root/sys/class/powercap/intel-rapl:0/energy_uj
	without=()
	[ "$(id -u)" -ne 0 ] || without=(setpriv --bounding-set=-dac_override,-dac_read_search)
	run --separate-stderr "${without[@]}" procsample --machine --interval 20 -- true
	status_is 0
	jq -c 'select(.role == "machine")' <<<"$output" >samples
	is .energy_method '"estimate"'
	is '.energy_processor_w * .processors | round' 65
	is .energy_reason "\"cannot read '$PWD/root/sys/class/powercap/intel-rapl:0/energy_uj': Permission denied (only root may since Linux 5.10); processor by its design power, memory by codecarbon 3.3.2\""
}

@test "if one counter is missing, energy is not measured" {
	zone intel-rapl:0 package-0 1000000
	zone intel-rapl:1 package-1 1000000
	rm root/sys/class/powercap/intel-rapl:1/energy_uj
	machine true
	is .energy_method '"estimate"'
	tail -1 samples | jq -r .energy_reason | grep -q "cannot read '.*intel-rapl:1/energy_uj': No such file"
}

@test "a counter that does not move is unknown, not 0 joules" {
	zone intel-rapl:0 package-0 0
	machine true
	is .energy_method '"estimate"'
	tail -1 samples | jq -r .energy_reason | grep -q 'counts nothing'
	zone intel-rapl:0 package-0 77
	machine sleep 1.2
	is .energy_j null
	is .energy_reason '"the counters of RAPL (package-0) do not move"'
}

@test "a powercap folder full of nonsense has no counter" {
	zone intel-rapl:0 '' 12
	zone intel-rapl:1 package-1 many
	zone dtpm:0 package-2 5
	mkdir root/sys/class/powercap/intel-rapl root/sys/class/powercap/intel-rapl:9
	machine true
	is .energy_method '"estimate"'
	rm -r root/sys/class/powercap/intel-rapl:1
	machine true
	tail -1 samples | jq -r .energy_reason | grep -q 'has no package'
}

# ---- the estimate ----

# formula: checks that each sample's joules are its seconds times its powers.
formula() {
	jq -es 'length > 0 and all(.[]; .energy_method == "estimate" and
		((.energy_processor_w * .cpu_busy_s + .energy_memory_w * .elapsed_s - .energy_j) | fabs) < 2e-6)' samples >/dev/null ||
		{ tail -1 samples >&2; return 1; }
}

@test "an estimate is the processors' power times their busy seconds, and the memory's power" {
	machine bash -c 'for ((i = 0; i < 100000; i++)); do :; done'
	formula
	is .energy_processor_w 4
	[ "$(tail -1 samples | jq '.cpu_busy_s > 0')" = true ]
	tail -1 samples | jq -r .energy_reason | grep -q "^no RAPL: .*; processor by codecarbon 3.3.2, memory by codecarbon 3.3.2$"
}

@test "a command shorter than the interval has its joules" {
	run --separate-stderr procsample --machine --interval 10000 -- sleep 0.1
	jq -c 'select(.role == "machine")' <<<"$output" >samples
	formula
	[ "$(tail -1 samples | jq '.energy_j >= .energy_memory_w * 0.1')" = true ]
}

@test "CPU_WATTS and MEMORY_WATTS replace the model's powers" {
	CPU_WATTS=120 MEMORY_WATTS=0 machine sleep 0.1
	formula
	is '.energy_processor_w * .processors' 120
	is .energy_memory_w 0
	tail -1 samples | jq -r .energy_reason | grep -q 'processor by CPU_WATTS, memory by MEMORY_WATTS'
}

@test "the memory's power is that of codecarbon's guess of its modules" {
	[[ $(uname -m) = *86* ]] || skip "5 W a module is for x86"
	for pair in 1:10 16:10 24:20 64:20 65:38 128:38 129:42 256:38 5000:126; do
		own_proc "$((${pair%:*} * 1048576))"
		machine true
		is .energy_memory_w "${pair#*:}"
		rm -r root/proc root/sys/fs
		ln -s /proc root/proc
		ln -s /sys/fs root/sys/fs
	done
}

@test "without CPU seconds or memory size there is no estimate, and no 0" {
	own_proc
	rm root/proc/stat
	machine true
	is .cpu_busy_s null
	is .energy_j null
	is .energy_method null
	is .energy_reason '"no RAPL, and no CPU seconds or memory size to estimate from"'
	tail -1 samples | jq -r .reason | grep -q "cannot read '.*/proc/stat': No such file"
}

@test "a setting that is not a number in its range is refused with status 2" {
	for setting in PUE=0.9 PUE=eleven PUE=11 CARBON_INTENSITY=-1 CARBON_INTENSITY=5001 CARBON_INTENSITY=nan \
		CPU_WATTS=0 CPU_WATTS=1e9 MEMORY_WATTS=-5 'MEMORY_WATTS=5 W'; do
		run env "$setting" procsample --machine -- true
		status_is 2
		has "${setting%%=*} must be a number from"
		run env "$setting" procsample <<<'{"type":"combination"}'
		status_is 2
	done
	PUE='' CARBON_INTENSITY='' CPU_WATTS='' MEMORY_WATTS='' machine true
}

@test "a tree's share is its part of the busy seconds, and unknown stays unknown" {
	cat >t.c <<-'C'
	#include "machine/energy_share.h"
	#include <math.h>
	#include <stdio.h>
	int main(void)
	{
		struct energy_share_settings s;
		xenergy_share_settings(&s);
		printf("%g %g %g\n", energy_share_j(10, 4, 1), energy_share_j(10, 4, 4), energy_share_j(10, 4, 0));
		printf("%g %g\n", energy_share_j(10, 0.01, 0.012), energy_share_j(10, 0, 0.001));
		printf("%d%d%d%d\n", isnan(energy_share_j(10, 0, 0)), isnan(energy_share_j(NAN, 1, 1)),
		    isnan(energy_share_j(1, NAN, 1)), isnan(energy_share_j(1, 1, NAN)));
		printf("%g %g %s\n", s.pue, energy_share_co2e_g(3.6e6, &s), s.carbon_reason ? s.carbon_reason : "set");
	}
	C
	# shellcheck disable=SC2086  # options
	cc ${CFLAGS-} -I"$ROOT/tools/lib" -o t t.c "$LIB" -ljansson -lm
	run ./t
	[ "$output" = '2.5 10 0
10 10
1111
1 nan CARBON_INTENSITY (g of CO2e per kWh) is not set' ]
	PUE=1.5 CARBON_INTENSITY=400 run ./t
	[ "${lines[3]}" = '1.5 600 set' ]
}

# ---- processors, pressure, memory ----

@test "busy time includes neither idle nor iowait nor steal" {
	own_proc
	# user nice system idle iowait irq softirq steal guest guest_nice
	echo 'cpu 100 100 100 100 100 100 100 100 100 100' >root/proc/stat
	machine bash -c 'printf "cpu 110 120 130 500 600 140 150 700 105 110\n" | dd of=root/proc/stat conv=notrunc status=none; sleep 0.2'
	is .cpu_busy_s 1.5
	is .load_1min 0.25
	is .memory_available_bytes 2097152
	is .reason null
}

@test "a control group is read for the machine only if it is the root group" {
	own_proc
	printf 'usage_usec 9000000\nuser_usec 1000000\nsystem_usec 1000000\n' >root/sys/fs/cgroup/cpu.stat
	grow="printf 'usage_usec 9900000\nuser_usec 1300000\nsystem_usec 1200000\n' | dd of=root/sys/fs/cgroup/cpu.stat conv=notrunc status=none; sleep 0.2"
	machine bash -c "$grow"
	is .cpu_busy_s 0.5
	echo domain >root/sys/fs/cgroup/cgroup.type
	machine bash -c "$grow"
	is .cpu_busy_s 0
	mkdir root/sys/fs/cgroup/cpuacct
	echo 1000000000 >root/sys/fs/cgroup/cpuacct/cpuacct.usage
	touch root/sys/fs/cgroup/cpuacct/release_agent
	machine bash -c 'printf "1000500000\n" | dd of=root/sys/fs/cgroup/cpuacct/cpuacct.usage conv=notrunc status=none; sleep 0.2'
	is .cpu_busy_s 0.0005
}

@test "busy seconds never decrease" {
	own_proc
	echo 'cpu 200 0 0 0 0 0 0 0 0 0' >root/proc/stat
	machine bash -c 'for n in 250 249 248; do printf "cpu %s 0 0 0 0 0 0 0 0 0\n" $n | dd of=root/proc/stat conv=notrunc status=none; sleep 0.1; done'
	is .cpu_busy_s 0.5
	[ "$(jq -s 'map(.cpu_busy_s) | . == sort' samples)" = true ]
}

@test "the busy seconds of real work are right" {
	read -r before _ < <(awk '/^cpu / {print $2 + $3 + $4 + $7 + $8}' /proc/stat)
	machine bash -c 'for ((i = 0; i < 300000; i++)); do :; done'
	read -r after _ < <(awk '/^cpu / {print $2 + $3 + $4 + $7 + $8}' /proc/stat)
	tail -1 samples | jq -e --argjson d "$((after - before))" '.cpu_busy_s <= $d / 100 + 0.1 and .cpu_busy_s > 0.05' >/dev/null ||
		{ tail -1 samples; echo "$before $after"; return 1; }
}

@test "pressure is counted in seconds since the start" {
	own_proc
	mkdir root/proc/pressure
	for p in cpu io memory; do
		printf 'some avg10=0.00 avg60=0.00 avg300=0.00 total=1000000\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=7\n' >root/proc/pressure/$p
	done
	machine bash -c 'printf "some avg10=1.00 avg60=0.00 avg300=0.00 total=1250000\n" | dd of=root/proc/pressure/io conv=notrunc status=none; sleep 0.2'
	is '[.cpu_pressure_s, .io_pressure_s, .memory_pressure_s]' '[0,0.25,0]'
	is .pressure_reason null
}

@test "unreadable pressure is null with the reason" {
	own_proc
	machine true
	is '[.cpu_pressure_s, .io_pressure_s, .memory_pressure_s]' '[null,null,null]'
	is .pressure_reason "\"cannot read '$PWD/root/proc/pressure/cpu': No such file or directory\""
	mkdir -p root/proc/pressure/io
	echo nonsense | tee root/proc/pressure/cpu >root/proc/pressure/memory
	machine true
	is .io_pressure_s null
	is .pressure_reason "\"cannot read '$PWD/root/proc/pressure/cpu': it lacks the expected number\""
}

# ---- GPUs: a stub library, not a GPU ----

@test "without NVIDIA's library there are no GPUs, with the reason" {
	NBSCOPE_NVML=./none.so machine sleep 0.2
	is .gpus null
	is .gpu_reason '"no NVIDIA driver: ./none.so: cannot open shared object file: No such file or directory"'
}

@test "what NVML reports is in the record, each process once" {
	nvml
	NVML_STUB_PID=1 machine sleep 0.5
	is '.gpus[0] | [.index, .name, .utilization_pct, .memory_utilization_pct, .memory_bytes, .memory_total_bytes, .power_w, .reason]' \
		'[0,"First",37,5,3221225472,17179869184,61.5,null]'
	is '.gpus[0].processes | map([.pid, .memory_bytes, .utilization_pct, .role])' \
		'[[1,1500,22,null],[4000001,null,0,null],[4000002,70,0,null]]'
	is '.gpus[1] | [.index, .name, .utilization_pct, .processes]' '[1,"Second",0,[]]'
	is .gpu_reason null
	[ "$(tail -1 samples | jq '.gpu_t <= .t and .gpu_t > .t - 10')" = true ]
}

@test "a GPU's joules count from the start and never decrease" {
	nvml
	machine sleep 0.7
	[ "$(jq -s 'map(.gpus // [] | .[0].energy_j // empty) | . == sort and first < 5 and last >= 1.5' samples)" = true ]
}

@test "a process of the watched tree has its role" {
	nvml
	sleep 1 &
	NVML_STUB_PID=$! run --separate-stderr procsample --interval 50 --watch $!
	jq -c 'select(.role == "machine" and .gpus)' <<<"$output" >samples
	is '.gpus[0].processes | map([.memory_bytes, .role])' '[[1500,"process"],[null,null],[70,null]]'
}

@test "a process has its role in each of many runs" {
	nvml
	sleep 20 &
	one=$!
	sleep 20 &
	other=$!
	for run in 1 2 3 4 5 6 7; do
		for role in server browser kernel; do
			echo "{\"type\":\"watch\",\"t\":1,\"role\":\"$role\",\"pid\":$([ $role = kernel ] && echo $one || echo $other)}"
		done
		read -r -t 0.3 <> <(:) || true
		echo '{"type":"run_end"}'
	done | NVML_STUB_PID=$one procsample --interval 20 >all
	kill $one $other
	jq -r 'if .type == "run_end" then "end" elif .role == "machine" and .gpus then .gpus[0].processes[0].role else empty end' all | uniq >roles
	[ "$(grep -v null roles | tr '\n' ' ')" = "$(printf 'kernel end %.0s' 1 2 3 4 5 6 7)" ]
}

@test "the child that asks NVML is not part of a watched tree" {
	nvml
	run --separate-stderr setsid -w sh -c 'procsample --interval 50 --watch $$ -o tree & sleep 0.5; kill $!; wait'
	jq -s -e '[.[] | select(.type == "sample" and .role == "process") | .processes] | max <= 2' tree
}

@test "a process that holds GPU memory and computes nothing has a utilization of 0" {
	nvml
	NVML_STUB=idle NVML_STUB_PID=1 machine sleep 0.4
	is '.gpus[0].processes[0] | [.pid, .memory_bytes, .utilization_pct]' '[1,1500,0]'
}

@test "what a GPU does not support is null with NVML's words" {
	nvml
	NVML_STUB=unsupported machine sleep 0.4
	is '.gpus[0] | [.utilization_pct, .memory_utilization_pct, .power_w, .memory_bytes, .reason]' '[null,null,null,3221225472,"utilization_pct: Not Supported; power_w: Not Supported"]'
	NVML_STUB=lost machine sleep 0.4
	is '.gpus[0].name' '"First"'
	is '.gpus[1] | [.name, .utilization_pct, .memory_bytes, .power_w, .energy_j, .processes, .reason]' \
		'[null,null,null,null,null,null,"device: GPU is lost"]'
}

@test "an old driver, with another process list and no joules, is read too" {
	nvml -DOLD_DRIVER
	NVML_STUB_PID=1 machine sleep 0.4
	is '.gpus[0].processes | map([.pid, .memory_bytes, .utilization_pct])' '[[1,1500,22],[4000001,null,0],[4000002,70,0]]'
	is '.gpus[0] | [.memory_bytes, .energy_j, .power_w, .reason]' '[4294967296,null,61.5,"energy_j: the driver has no such call"]'
}

@test "a driver that does not start, has no device, or dies is the reason" {
	nvml
	NVML_STUB='no driver' machine sleep 0.3
	is .gpus null
	is .gpu_reason '"cannot initialize NVML: Driver Not Loaded"'
	NVML_STUB='no device' machine sleep 0.3
	is .gpu_reason '"NVML reports no device"'
	NVML_STUB=dies machine sleep 0.5
	is .gpu_reason '"the process that asks NVML has died"'
	NBSCOPE_NVML=$ROOT/tests/energy.bats machine sleep 0.3
	tail -1 samples | jq -r .gpu_reason | grep -q '^no NVIDIA driver: .*invalid ELF header'
}

@test "a driver that hangs does not block procsample, and its process is gone afterwards" {
	nvml
	export NVML_STUB=hang NVML_STUB_PIDFILE=$PWD/asker
	run --separate-stderr timeout 10 bash -c 'procsample --machine --interval 20 -- sleep 0.3 | cat'
	status_is 0
	jq -c 'select(.role == "machine")' <<<"$output" >samples
	is .gpus null
	is .gpu_reason '"NVML has not answered yet"'
	[ -s asker ]
	run ! kill -0 "$(cat asker)"
}

@test "COUNTRY sets the carbon intensity with its year, and an unknown one is refused" {
	cd "$ROOT"
	run -0 --separate-stderr mk/metric/print-carbon.sh FRA
	[ "$output" = 56.039 ]
	[ "$stderr" = 'carbon: France, 56.039 g of CO2e per kWh in 2023 (codecarbon)' ]
	run make -s help COUNTRY='F$(shell touch x)'
	[ "$status" -eq 2 ]
	has 'COUNTRY is a code of three letters, such as FRA'
	# intensity VARIABLE...: what make exports.
	intensity() { make -s -n -p help "$@" 2>/dev/null | sed -n 's/^CARBON_INTENSITY :\{0,1\}= *//p' | tail -1; }
	[ "$(intensity COUNTRY=DEU)" = "$(awk -F, '$1 == "DEU" {print $2}' share/energy/countries.csv)" ]
	[ "$(intensity COUNTRY=DEU CARBON_INTENSITY=7)" = 7 ]
	run -1 grep -vE '^#|^[A-Z]{3},[0-9.]+,(2009|20[12][0-9]),|^iso_code' share/energy/countries.csv
}

@test "emissions.csv has codecarbon's columns, with the machine's energy in kWh and the emissions in kg" {
	cd "$ROOT"
	PUE=1.2 CARBON_INTENSITY=56.039 cellmetrics tests/data/used.jsonl >"$BATS_TEST_TMPDIR/m"
	PUE=1.2 CARBON_INTENSITY=56.039 COUNTRY=FRA jq -nrf share/energy/emissions.jq --rawfile countries share/energy/countries.csv "$BATS_TEST_TMPDIR/m" >"$BATS_TEST_TMPDIR/e.csv"
	python3 - "$BATS_TEST_TMPDIR/e.csv" <<-'P'
	import csv, sys
	rows = list(csv.DictReader(open(sys.argv[1])))
	assert len(rows) == 1, rows
	row = rows[0]
	kwh = 30 / 3.6e6 * 1.2
	assert abs(float(row["energy_consumed"]) / kwh - 1) < 1e-9, row
	assert abs(float(row["emissions"]) / (kwh * 0.056039) - 1) < 1e-9, row
	assert abs(float(row["emissions_rate"]) / (kwh * 0.056039 / 0.52) - 1) < 1e-9, row
	assert row["country_iso_code"] == "FRA" and row["country_name"] == "France" and row["cpu_count"] == "2", row
	assert list(row)[:8] == "timestamp project_name run_id experiment_id duration emissions emissions_rate cpu_power".split() and len(row) == 38, list(row)
	P
}

@test "emissions.csv and metrics2csv escape the same texts" {
	cd "$BATS_TEST_TMPDIR"
	printf '%s\n' a =1 +1 -x -5 @a "'=1" ' =1' ＝1 '	x' a=1 '"q"' | jq -Rc '{type: "notebook_metrics", usecase: ., name: "n", label: "l", repetition: 1}' >m
	jq -nrf "$ROOT/share/energy/emissions.jq" --rawfile countries /dev/null m >e.csv
	metrics2csv --notebooks <m >m.csv
	python3 - <<-'P'
	import csv
	ours, theirs = (list(csv.DictReader(open(p))) for p in ("m.csv", "e.csv"))
	ours, theirs = [r["usecase"] for r in ours], [r["project_name"] for r in theirs]
	assert len(ours) == 12 and ours == theirs, (ours, theirs)
	P
}

# ---- a block of code ----

# blocks: the Python on stdin, with the extension's module, in which joules(J) lets the counter advance.
blocks() {
	cat - >block.py
	run -0 --separate-stderr env PYTHONPATH="$ROOT/share/ipython" python3 -c '
import json, threading, time
import nbscope
counted = [5_000_000]
def joules(j):
    end = time.perf_counter() + 0.2
    while time.perf_counter() < end:  # the kernel works meanwhile
        pass
    counted[0] += round(j * 1e6)
    with open("root/sys/class/powercap/intel-rapl:0/energy_uj", "r+") as f:
        f.write(str(counted[0]))
exec(open("block.py").read())'
}

@test "a block of code has the joules between its ends and its process's share, by the factors of a run's cells" {
	zone intel-rapl:0 package-0 5000000
	PUE=1.5 CARBON_INTENSITY=400 blocks <<-'P'
	with nbscope.emissions("outer") as outer:
	    joules(3)
	    with nbscope.emissions() as inner:
	        joules(5)
	    try:
	        with nbscope.emissions() as failed:
	            joules(4)
	            raise ValueError("passes on")
	    except ValueError as error:
	        print(error, failed.status, failed.machine_energy_j)
	print(outer.machine_energy_j, inner.machine_energy_j, outer.energy_method, outer.reason, outer.status)
	for e in (outer, inner, failed):
	    assert 0 < e.energy_j <= e.machine_energy_j, e
	    assert abs(e.co2e_g - e.energy_j / 3.6e6 * 1.5 * 400) <= 1e-6, e.record()
	assert outer.duration_s > inner.duration_s + failed.duration_s > 0.4, outer
	together = [nbscope.emissions(str(n)) for n in range(3)]
	def run(e):
	    with e:
	        ready.wait()
	        ready.wait()
	ready = threading.Barrier(4)
	threads = [threading.Thread(target=run, args=(e,)) for e in together]
	for t in threads: t.start()
	ready.wait()
	joules(2)
	ready.wait()
	for t in threads: t.join()
	print([e.machine_energy_j for e in together])
	print(outer, repr(inner).split(", ")[-1], sep="\n")
	P
	has $'passes on failed 4.0\n12.0 5.0 rapl None completed\n[2.0, 2.0, 2.0]\n'
	has 'emissions of outer: 0.'
	has $' g of CO2e, 12 J of the machine, by rapl\nby rapl'
}

@test "what a block of code cannot know is None with the reason" {
	blocks <<-'P'
	with nbscope.emissions() as e:
	    print(e)
	print(e.co2e_g, e.energy_j is not None, e.reason, e.duration_s > 0)
	P
	[ "$output" = $'emissions: the block has not ended\nNone True CARBON_INTENSITY (g of CO2e per kWh) is not set True' ] || has nothing
	PUE=77 blocks <<-'P'
	with nbscope.emissions() as e: pass
	print(e.machine_energy_j, e.reason)
	P
	[ "$output" = "None cellmetrics: PUE must be a number from 1 to 10, not '77'" ] || has nothing
	own_proc
	rm root/proc/stat root/proc/meminfo
	blocks <<-'P'
	with nbscope.emissions() as e: pass
	print(e.machine_energy_j, e.energy_j, e.energy_method, e.reason)
	P
	[ "$output" = 'None None None no RAPL, and no CPU seconds or memory size to estimate from' ] || has nothing
	blocks <<-'P'
	nbscope.programs.find = lambda name: None
	with nbscope.emissions() as e: pass
	print(e.energy_j, e.duration_s > 0, e.reason)
	P
	[ "$output" = 'None True there is no program procsample on PATH' ] || has nothing
}
