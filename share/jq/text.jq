# What programs of jq share: jq -L share/jq, and `include "text";`.

# Of numbers; null: there is none.
def median: sort | if length == 0 then null else
	(.[(length - 1) / 2 | floor] + .[length / 2 | floor]) / 2 end;

def tenths: . * 10 | round / 10;

# A time as people read it, from seconds.
def duration: if . >= 172800 then "\(. / 86400 | tenths) days"
	elif . >= 7200 then "\(. / 3600 | tenths) hours"
	elif . >= 120 then "\(. / 60 | tenths) minutes"
	elif . >= 0.0995 then "\(. * 100 | round / 100) s" else "\(. * 1000 | tenths) ms" end;
