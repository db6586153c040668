# sharing.jq: what sharing a machine costs. In: for each run that was also made alone, its seconds
# [[client, kernel] in company, [client, kernel] alone]. Out: one line with the mean change, and its
# interval of 95 % by Student's t, of the logarithms of the ratios; nothing of fewer than three.
# Without a browser, the kernel's time is all there is.
def pct: (exp - 1) * 1000 | round / 10 | if . < 0 then "\(.)" else "+\(.)" end;
map(select(length == 2)) as $pairs |
first((0, 1) as $what |
	[$pairs[] | map(.[$what] // 0) | select(.[0] > 0 and .[1] > 0) | .[0] / .[1] | log] as $x |
	($x | length) as $n | select($n >= 3 and $n <= 8) |
	($x | add / $n) as $mean |
	([4.303, 3.182, 2.776, 2.571, 2.447, 2.365][$n - 3] *
		(($x | map(pow(. - $mean; 2)) | add) / ($n - 1) / $n | sqrt)) as $half |
	"sharing: \(["client", "kernel"][$what]) time in company, compared with alone on as many " +
	"processors: \($mean | pct) % (\($mean - $half | pct) to \($mean + $half | pct) %, \($n) runs)")
