# The steps that a comparison of interleaved runs found, for a history.
# In:  comparison records
# Out: step records
select(.type == "comparison" and .gate and (.result == "worse" or .result == "better") and
	(.base_median | type) == "number") |
{type: "step", usecase, name, cell_index, cell_id, metric, label: .label, label_before: .base, t: null,
	before: .base_median, after: .median, change_low: .shift_low, change_high: .shift_high, p: .q,
	latest: false, machine: null} + if .interaction then {interaction} else {} end
