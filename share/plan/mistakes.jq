# The lines that print the mistakes of cells, those first that cost most.
# In:  mistake records, also among others; $most lines; $instead: whether each has a second line, with
#      what to write instead
# What a profiler pass says of a rule in a cell replaces what the page says of it.
[inputs | select(.type == "mistake")]
| group_by([.usecase, .cell_index, .rule])
| map((if any(.profiled) then map(select(.profiled)) else . end)
	| group_by([.file, .line])[]
	| (map(.name) | unique) as $names
	| max_by(.saved_s // 0) + {$names})
| sort_by(-(.saved_s // 0), -(.saved_bytes // 0), .cell_index)
| (.[:$most][] | "mistake: \(.text)" +
	(if .names[1] then ", in \(.names | length) notebooks" else "" end) +
	" (\(.rule))", if $instead then "  instead: \(.instead)" else empty end),
  if length > $most then "\(length - $most) more mistakes are in the report" else empty end
