#!/bin/sh
# print-emissions.sh METRICS: prints the notebook_metrics of the file METRICS as codecarbon's
# emissions.csv, one row for each run. Energy is the machine's, times PUE, in kWh; emissions are in
# kg. What nbscope does not know is empty; texts are escaped as json/csv.c does it. In the
# environment: PUE, CARBON_INTENSITY, COUNTRY.
set -eu
[ "${1-}" != --help ] || exec mk/setup/print-usage.sh "$0"
jq -nr --argjson pue "${PUE:-1}" --argjson intensity "${CARBON_INTENSITY:-null}" --arg country "${COUNTRY-}" \
	--arg name "$([ -z "${COUNTRY-}" ] || sed -n "s/^$COUNTRY,[^,]*,[^,]*,//p" share/energy/countries.csv | tr -d '"')" '
	def columns: "timestamp project_name run_id experiment_id duration emissions emissions_rate cpu_power gpu_power ram_power cpu_energy gpu_energy ram_energy energy_consumed water_consumed country_name country_iso_code region cloud_provider cloud_region os python_version codecarbon_version cpu_count cpu_model gpu_count gpu_model longitude latitude ram_total_size tracking_mode cpu_utilization_percent gpu_utilization_percent ram_utilization_percent ram_used_gb on_cloud pue wue" | split(" ");
	def safe: if type == "string" and test("^[\u0027]*[ ]*[=+@\t\r\n\uff1d\uff0b\uff0d\uff20-]") and (test("^-?(0|[1-9][0-9]*)([.][0-9]+)?([eE][-+]?[0-9]+)?$") | not)
		then "\u0027" + . else . end;
	(columns | join(",")),
	(inputs | select(.type == "notebook_metrics" and (.repetition // 1) > 0)
		| (if .machine_energy_j == null then null else .machine_energy_j / 3600000 * $pue end) as $kwh
		| (if $kwh == null or $intensity == null then null else $kwh * $intensity / 1000 end) as $kg
		| .client_execution_time_metric as $s
		| {timestamp: (if .run_t then .run_t | floor | strftime("%Y-%m-%dT%H:%M:%S") else null end), project_name: (.usecase | safe), run_id: ("\(.name) \(.repetition // 1)" | safe),
			experiment_id: (.label | safe), duration: $s, emissions: $kg, emissions_rate: (if $kg and $s and $s > 0 then $kg / $s else null end), energy_consumed: $kwh,
			country_name: $name, country_iso_code: $country, os: .machine.os, cpu_count: .machine.cores, cpu_model: (.machine.cpu // null),
			ram_total_size: (if .machine.memory_bytes then .machine.memory_bytes / 1e9 else null end), tracking_mode: "machine", on_cloud: null,
			gpu_utilization_percent: .gpu_mean_utilization_pct, pue: $pue} as $row
		| [columns[] as $c | $row[$c]] | @csv)' "$1"
