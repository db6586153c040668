# The addresses at which dask's scheduler and its workers serve metrics, as targets for Prometheus'
# file_sd_configs, from the run in which make explain PROFILERS=dask met them last.
last(inputs | select(.type == "profile") | .prometheus_targets // empty) // {} |
	[{targets: [.scheduler // empty], labels: {role: "scheduler"}},
		{targets: (.workers // []), labels: {role: "worker"}}] | map(select(.targets != []))
