# Nextflow: a file for nextflow -c. Its MB are 2^20 bytes; withName takes a regular expression.
include "common";

# Every character but letters, digits, _, : and - stands for itself, also in a pattern.
def pattern: gsub("(?<c>[^\\p{L}\\p{N}_:-])"; "\\" + .c);
def groovy: quoted("'"; "'\\") | gsub("\n"; "\\n") | gsub("\r"; "\\r");
def comment: gsub("[\u0000-\u001f\u007f]"; " ");

"// Use it with: nextflow run -c FILE ...",
"process {",
(kinds[] |
	"    // \(.name | comment): \(reason)",
	"    withName: \(.name | pattern | groovy) {",
	(if .attempts > 1 then
		"        memory = { \(.memory_bytes | mib).MB * (1 << (task.attempt - 1)) }",
		"        errorStrategy = { task.exitStatus in 137..140 ? 'retry' : 'finish' }",
		"        maxRetries = \(.attempts - 1)"
	else "        memory = \(.memory_bytes | mib).MB" end),
	(.time_s // empty | "        time = \(seconds).s"),
	(.cores // empty | "        cpus = \(.)"),
	"    }"),
"}"
