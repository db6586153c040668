# The notebook_metrics records as codecarbon's emissions.csv, one row for each run.
# In:  the records; $countries (the text of countries.csv); in the environment: PUE,
#      CARBON_INTENSITY, COUNTRY
# Energy is the machine's, times PUE, in kWh; emissions are in kg. What nbscope does not know is
# empty; texts are escaped as json/csv.c does it.
def columns: "timestamp project_name run_id experiment_id duration emissions emissions_rate
	cpu_power gpu_power ram_power cpu_energy gpu_energy ram_energy energy_consumed
	water_consumed country_name country_iso_code region cloud_provider cloud_region os
	python_version codecarbon_version cpu_count cpu_model gpu_count gpu_model longitude
	latitude ram_total_size tracking_mode cpu_utilization_percent
	gpu_utilization_percent ram_utilization_percent ram_used_gb on_cloud
	pue wue" | [splits("[ \n\t]+")];
def safe: if test("^[\u0027]*[ ]*[=+@\t\r\n\uff1d\uff0b\uff0d\uff20-]")
	and (test("^-?(0|[1-9][0-9]*)([.][0-9]+)?([eE][-+]?[0-9]+)?$") | not)
	then "\u0027" + . else . end;
def given(f): if . == null then null else f end;
def setting($name; $default): $ENV[$name] // "" | if . == "" then $default else . end;
(setting("PUE"; "1") | tonumber) as $pue
| (setting("CARBON_INTENSITY"; null) | given(tonumber)) as $intensity
| setting("COUNTRY"; "") as $code
| (first($countries | split("\n")[] | select(startswith("\($code),"))) // ""
	| split(",")[3:] | join(",") | gsub("\""; "")) as $name
| (columns | join(",")),
(inputs | select(.type == "notebook_metrics" and (.repetition // 1) > 0)
	| (.machine_energy_j | given(. / 3600000 * $pue)) as $kwh
	| ($kwh | given($intensity | given(. * $kwh / 1000))) as $kg
	| .client_execution_time_metric as $s
	| {timestamp: (.run_t | given(floor | strftime("%Y-%m-%dT%H:%M:%S"))),
		project_name: (.usecase | given(safe)),
		run_id: ("\(.name) \(.repetition // 1)" | safe),
		experiment_id: (.label | given(safe)), duration: $s, emissions: $kg,
		emissions_rate: (if $kg and $s and $s > 0 then $kg / $s else null end),
		energy_consumed: $kwh, country_name: $name, country_iso_code: $code,
		os: .machine.os, cpu_count: .machine.cores, cpu_model: .machine.cpu,
		ram_total_size: (.machine.memory_bytes | given(. / 1e9)),
		tracking_mode: "machine", pue: $pue,
		gpu_utilization_percent: .gpu_mean_utilization_pct} as $row
	| [columns[] as $c | $row[$c]] | @csv)
