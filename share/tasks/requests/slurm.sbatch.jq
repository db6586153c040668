# Slurm: the lines for each kind's job script. Slurm's M is 2^20 bytes; times are minutes.
include "common";

# A line of a script ends a name.
def one_line: gsub("[\u0000-\u001f\u007f]"; " ");
def time: . as $m | [$m / 1440, $m % 1440 / 60, $m % 60 | floor | tostring] |
	"\(.[0])-\(.[1] | if length < 2 then "0" + . else . end)" +
	":\(.[2] | if length < 2 then "0" + . else . end):00";

"# Copy the lines of a kind of task into its job script, below the line with #!.",
(kinds[] |
	"",
	"# \(.name | one_line): \(reason)",
	"#SBATCH --job-name=\(.name | one_line | quoted("\""; "\"\\"))",
	"#SBATCH --mem=\(.memory_bytes | mib)M",
	(.time_s // empty | "#SBATCH --time=\(minutes | time)"),
	(.cores // empty | "#SBATCH --cpus-per-task=\(.)"),
	(.memory_bytes as $memory | range(1; .attempts) |
		"# after a kill: sbatch --mem=\($memory * pow(2; .) | mib)M ..."))
