# How far a comparison has come, in a line: the first metric of the notebook, else of the cell with
# the largest change.
# In:  comparison records, as an array
# Out: "client time of nb +3 % (-8 to +15): cannot tell"
map(select(.gate)) | .[0].metric as $first |
map(select(.metric == $first)) | (map(select(.cell_index == null)) | .[0]) //
	max_by((.ratio // 1) | log | fabs) |
if . == null then "no values" else
	"\(.metric | sub("_execution_time_metric$"; " time")) of \(.name)" +
	(if .cell_index then " cell \(.cell_index)" else "" end) +
	" \(.change): \(.result | gsub("_"; " "))" |
	sub("unknown$"; "cannot tell") end
