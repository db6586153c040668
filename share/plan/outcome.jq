# How make profile ended, for ON_END: its verdict or, if there is none, how many runs are made.
# In:  the verdict, or the run_plan records; $usecase, $l (the label), $signal (without SIG; empty:
#      none), $status (of make)
[inputs] as $read | {$usecase, "label": $l} +
if $read[0].verdict then $read[0] else
	[$read[] | select(.type == "run_plan" and .required) | .due] as $due |
	{verdict: (if $signal != "" then "interrupted" else "error" end), t: now,
	line: ("verdict: " + (if $signal != "" then "interrupted by SIG\($signal)"
		else "make failed with status \($status)" end) +
		"; \($due | map(select(not)) | length) of \($due | length) runs are made")}
end
