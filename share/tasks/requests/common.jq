# What the templates of engines share. In: request records, see metricstat(1).

def mib: . / 1048576 | ceil;
def minutes: . / 60 | ceil | if . < 1 then 1 else . end;
def seconds: ceil | if . < 1 then 1 else . end;

def digits: if . == 0 then "0" else (log10 | floor) as $e |
	pow(10; 1 - $e) as $f | (. * $f | round) / $f | tostring end;

# Why the limits are what they are, one line.
def reason:
	if .basis == "ranks" then "at most \(.risk_pct) % are killed (\(.risk_low_pct | digits) " +
		"to \(.risk_high_pct | digits) %); from \(.executions) executions"
	else (if .killed > 0 then "twice the maximum" else "the maximum + 20 %" end) + ": " +
		if .basis == "killed" then "\(.killed) of \(.executions) executions were killed, " +
			"what they need is unknown"
		else "\(.executions) executions are too few for a risk of \(.risk_pct) %" +
			(.executions_needed | if . then ", which needs \(.)" else "" end) end end;

# The kinds of task that have a name and a known peak; keys of several columns are one name.
def kinds: [inputs | select(.memory_bytes and all(.group[]; . != null)) |
	. + {name: [.group[]] | join(" ")}];

# A text between quotes, with a backslash before these characters.
def quoted($quote; $characters): $quote + (explode | map([.] | implode |
	if . as $c | $characters | index($c) then "\\" + . else . end) | add // "") + $quote;
