#!/bin/sh
# archive-report.sh UC LABEL [TRUTH...]: packs what readers of a paper need to check its numbers in
# UC/report/LABEL.tar.gz, with the report unchanged. TRUTH are runs of the calibration.
# In the environment: AUTHOR for CITATION.cff (default git's user.name), SEED (default 1)
set -eu
[ "${1-}" != --help ] || exec mk/setup/print-usage.sh "$0"
[ "${NBSCOPE_SCRATCH-}" ] || exec runlock --scratch "$1/report" "$0" "$@"
uc=$1 label=$2 report=$1/report/$2 metrics=$1/metrics/$2
shift 2
name=$(basename "$uc")-$label
out=$uc/report/$label.tar.gz
work=$NBSCOPE_SCRATCH
a=$work/$name
records=$metrics/metrics.jsonl
mkdir -p "$a/runs" "$a/metrics" "$a/usecase" "$a/calibration"

[ ! -d "$uc/runs/$label" ] || mk/run/list-usable.sh "$records" | xargs -0 -r cp -p -t "$a/runs"
cp -p "$metrics"/*.jsonl "$metrics"/*.csv "$a/metrics/"
for f in "$uc"/template.ipynb "$uc"/params.json "$uc"/params.y*ml "$uc"/usecase.mk "$uc"/budgets.* \
	"$uc"/files "$uc"/notebooks; do
	[ ! -e "$f" ] || cp -pRL "$f" "$a/usecase/"
done
[ $# -eq 0 ] || cp -p "$@" "$a/calibration/"
cp -pR "$report" "$a/report"

# The packages in pip's format, if they were recorded with the runs.
environment=$uc/runs/$label/.environment.jsonl noted=
[ -e "$environment" ] || {
	LABEL=$label mk/run/note-environment.sh "$work/environment" && environment=$work/environment
	noted="# the environment of today: that of the runs was not recorded"
}
cp "$environment" "$a/environment.jsonl"
order=$uc/runs/$label/.order.jsonl
[ -e "$order" ] || order=/dev/null
{ lscpu --json 2>/dev/null || echo '{}'; } >"$work/cpu"
version=$(metricreport --version) version=${version##* }
author=${AUTHOR:-$(git config user.name 2>/dev/null || true)}
# The machine in the runs' records, and this machine, which may be another.
jq -n --arg noted "$noted" --arg kernel "$(uname -srvm)" --arg seed "${SEED:-1}" --arg name "$name" \
	--arg author "${author:-The authors of $name}" --arg version "$version" --slurpfile order "$order" \
	--slurpfile environment "$environment" --slurpfile cpu "$work/cpu" '
	[inputs | select(.type == "notebook_metrics")] as $runs | $environment[0] as $e |
	{requirements: [($noted | select(. != "")), "# Python \($e.python // "unknown")",
		(($e.packages // {}) | to_entries[] | "\(.key)==\(.value)")],
	hardware: {
		measured_on: [$runs[] | {machine, browser, window, jupyterlab, kernel, language, nbscope_version}] | unique,
		archived_on: {$kernel, cpu: ([$cpu[] | .. | objects | select(has("field"))
			| {key: (.field | rtrimstr(":")), value: .data}] | from_entries)}},
	seeds: {seed: ($seed | tonumber? // $seed), $order},
	citation: [
		"cff-version: 1.2.0",
		"message: Please cite these measurements as below.",
		"type: dataset",
		"title: \("Measurements of notebooks: " + $name | tojson)",
		"authors:",
		"  - name: \($author | tojson)",
		"date-released: \([$runs[].t | numbers] | max // 0 | strftime("%Y-%m-%d"))",
		"references:",
		"  - type: software",
		"    title: nbscope",
		"    version: \($version)",
		"    authors:",
		"      - name: The nbscope developers"]}' "$records" >"$work/about"
jq -r '.requirements[]' "$work/about" >"$a/requirements.txt"
jq .hardware "$work/about" >"$a/hardware.json"
jq .seeds "$work/about" >"$a/seeds.json"
jq -r '.citation[]' "$work/about" >"$a/CITATION.cff"

runtruth "$@" >"$work/truth" 2>/dev/null || true
[ $# -gt 0 ] || : >"$work/truth"
{
	echo "# Methods"
	echo
	metricreport --as methods "$records" "$work/truth"
} >"$a/METHODS.md"

(cd "$a" && find . -type f ! -name SHA256SUMS -printf '%P\n' | LC_ALL=C sort | tr '\n' '\0' |
	xargs -0 sha256sum) >"$work/sums"
mv "$work/sums" "$a/SHA256SUMS"
tar --sort=name --owner=0 --group=0 --numeric-owner -C "$work" -czf "$work/packed" "$name"
mv "$work/packed" "$out"
mk/show/sanitize-text.sh "archive: $out, $(wc -l <"$a/SHA256SUMS") files"
