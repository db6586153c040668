# Of the metrics of two labels, those that one test requires: the runs, without other cells.
# In:  $of (metric, name, cell_index: null for the notebook), metrics records
# Out: these records
select(.type != "cell_metrics" or (.name == $of.name and .cell_index == $of.cell_index)) |
if .type == "notebook_metrics" and ($of.cell_index != null or .name != $of.name)
then del(.[$of.metric]) else . end
