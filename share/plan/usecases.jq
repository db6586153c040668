# The verdict of make all-usecases.
# In:  the verdicts of all use cases, as a list
[.[] | select(.verdict != "ok").usecase] as $bad |
{verdict: (if $bad == [] then "ok" else "failed" end),
line: ("verdict: " + if $bad == [] then "\(length) use cases, " +
		"\(map(.notebooks // 0) | add) notebooks, " +
		"\(map(.cells // 0) | add) cells, all completed"
	else "\($bad | length) of \(length) use cases failed: \($bad | join(", "))" end),
usecases: .}
