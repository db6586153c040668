# A history in the order of its labels, each entry once: histories that were merged as texts may have
# some twice.
# In:  label_history and step records, as inputs
# Out: the same; labels of a use case that all are versions (v4.10, 5.0rc1) in their order, others by
#      date

# 5.0rc1 precedes 5.0, which precedes 5.0.post1 and 5.0.1.
def version: [ltrimstr("v") | scan("[0-9]+|[A-Za-z]+") |
	if test("[0-9]") then [2, tonumber] elif . == "post" then [2, -1] else [0, .] end] + [[1]];
def is_version: test("^v?[0-9]+([.][0-9]|$)");

[inputs | select(.type == "label_history" or .type == "step")] |
group_by(.usecase)[] |
(map(select(.type == "label_history")) | all(.[]; .label | is_version)) as $versions |
to_entries | map(.value.place = .key | .value) |
sort_by(.type, if $versions then .label | version else .t // 0 end, .place) |
to_entries | map(.value.place = .key | .value) |
unique_by(if .type == "step" then del(.place) else
	[.usecase, .label, .machine, .name, .cell_index, .cell_id, .interaction, .metric]
	end) |
sort_by(.place)[] | del(.place)
