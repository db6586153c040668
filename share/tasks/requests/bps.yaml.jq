# LSST BPS: a file for includeConfigs. Memory is in MB, which HTCondor takes for 2^20 bytes, time in
# seconds.
include "common";

def hex: if . < 10 then 48 + . else 87 + . end;
# A string of JSON is one of YAML, but for characters that YAML does not print and its line ends.
def yaml: tojson | explode | map(if (. >= 127 and . < 160) or . == 8232 or . == 8233 or . == 65279
	then [92, 85, (. as $c | range(7; -1; -1) | ($c / pow(16; .) | floor) % 16 | hex)]
	else [.] end) | add | implode;

"# Include it in the configuration of bps submit: includeConfigs",
"pipetask:",
(kinds[] |
	"  # \(reason)",
	"  \(.name | yaml):",
	"    requestMemory: \(.memory_bytes | mib)",
	(.time_s // empty | "    requestWalltime: \(seconds)"),
	(.cores // empty | "    requestCpus: \(.)"),
	(if .attempts > 1 then
		"    memoryMultiplier: 2",
		"    numberOfRetries: \(.attempts - 1)"
	else empty end))
