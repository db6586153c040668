#!/bin/sh
# archive-report.sh UC LABEL [TRUTH...]: packs what readers of a paper need to check its numbers in
# UC/report/LABEL.tar.gz, with the report unchanged. TRUTH are runs of the calibration.
set -eu
. "${0%/*}/../show/say.sh"
uc=$1 label=$2 metrics=$1/metrics/$2 records=$1/metrics/$2/metrics.jsonl runs=$1/runs/$2
name=$(basename "$1")-$2 out=$1/report/$2.tar.gz work=$NBSCOPE_SCRATCH
a=$work/$name
shift 2
mkdir -p "$a/runs" "$a/metrics" "$a/usecase" "$a/calibration"

[ ! -d "$runs" ] || "$nbscope/mk/run/list-usable.sh" "$records" |
	xargs -d '\n' -r cp -p -t "$a/runs"
cp -p "$metrics"/*.jsonl "$metrics"/*.csv "$a/metrics/"
for f in "$uc"/template.ipynb "$uc"/params.json "$uc"/params.y*ml "$uc"/usecase.mk "$uc"/budgets.* \
	"$uc"/interactions.jsonl "$uc"/files "$uc"/notebooks; do
	[ ! -e "$f" ] || cp -pRL "$f" "$a/usecase/"
done
[ $# -eq 0 ] || cp -p "$@" "$a/calibration/"
cp -pR "$uc/report/$label" "$a/report"

# quoted TEXT: as JSON and YAML have it.
quoted() { printf '"%s"' "$(printf '%s' "$1" | sed 's/[\\"]/\\&/g')"; }
# The packages in pip's format, if they were recorded with the runs.
noted=
cp "$runs/.environment.jsonl" "$a/environment.jsonl" 2>/dev/null || {
	LABEL=$label "$nbscope/mk/run/note-environment.sh" "$a/environment.jsonl"
	noted="# the environment of today: that of the runs was not recorded"
}
jq -r --arg noted "$noted" '($noted | select(. != "")), "# Python \(.python // "unknown")",
	(.packages // {} | to_entries[] | "\(.key)==\(.value)")' \
	"$a/environment.jsonl" >"$a/requirements.txt"
order=$(paste -sd, "$runs/.order.jsonl" 2>/dev/null) || :
seed=${SEED:-1}
case $seed in *[!0-9]* | 0?*) seed=$(quoted "$seed") ;; esac
printf '{"seed": %s, "order": [%s]}\n' "$seed" "$order" >"$a/seeds.json"
# The machine in the runs' records, and this machine, which may be another.
{ lscpu --json 2>/dev/null || echo '{}'; } >"$work/cpu"
jq -n --arg kernel "$(uname -srvm)" --slurpfile cpu "$work/cpu" '{
	measured_on: [inputs | select(.type == "notebook_metrics") |
		{machine, browser, window, jupyterlab, kernel, language, nbscope_version}] | unique,
	archived_on: {$kernel, cpu: ([$cpu[] | .. | objects | select(has("field"))
		| {key: (.field | rtrimstr(":")), value: .data}] | from_entries)}}' \
	"$records" >"$a/hardware.json"

author=${AUTHOR:-$(git config user.name 2>/dev/null || true)} version=$(metricreport --version)
measured=$(sed -n '/^{"type":"notebook_metrics"/s/.*"t":\([0-9]*\).*/\1/p' "$records" |
	sort -n | tail -1)
cat >"$a/CITATION.cff" <<END
cff-version: 1.2.0
message: Please cite these measurements as below.
type: dataset
title: $(quoted "Measurements of notebooks: $name")
authors:
  - name: $(quoted "${author:-The authors of $name}")
date-released: $(date -u -d "@${measured:-0}" +%F)
references:
  - type: software
    title: nbscope
    version: ${version##* }
    authors:
      - name: The nbscope developers
END

runtruth "${@:-/dev/null}" >"$work/truth" 2>/dev/null || :
{
	printf '# Methods\n\n'
	metricreport --as methods "$records" "$work/truth"
} >"$a/METHODS.md"
(cd "$a" && find . -type f -printf '%P\0' | LC_ALL=C sort -z | xargs -0 sha256sum) >"$work/sums"
mv "$work/sums" "$a/SHA256SUMS"
tar --sort=name --owner=0 --group=0 --numeric-owner -C "$work" -czf "$work/packed" "$name"
mv "$work/packed" "$out"
say "archive: $out, $(wc -l <"$a/SHA256SUMS") files"
