# Of the metrics of two labels, those that one test requires: the runs, without other cells and
# interactions.
# In:  $of (metric, name, cell_index: null for the notebook, interaction: null for a cell), metrics
#      records
# Out: these records
select((.type != "cell_metrics" and .type != "interaction_metrics") or (.name == $of.name and
	.cell_index == $of.cell_index and .interaction == $of.interaction)) |
if .type == "notebook_metrics" and ($of.cell_index != null or $of.interaction != null or
	.name != $of.name)
then del(.[$of.metric]) else . end
