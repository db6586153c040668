#!/bin/sh
# publish-report.sh UC LABEL DEST [REPORT NAME/NAME]: copies a label's report to
# DEST/USECASE/LABEL, or the folder REPORT to DEST/NAME/NAME, adds the use case's history to
# DEST/USECASE/history.jsonl, and updates DEST/index.html, which draws all histories and lists all
# reports there. Files of an earlier publish that the report no longer has are removed unless they
# were changed: DEST/USECASE/LABEL/.published has their checksums.
uc=$1 label=$2 dest=$3 work=$NBSCOPE_SCRATCH
report=${4:-$uc/report/$label} to=$dest/${5:-$(basename "$uc")/$label}
. "${0%/*}/../show/say.sh"
[ -e "$report/index.html" ] || stop 2 "publish: no report of label '$2': run $(type_to report)"
# Never replace an index.html that nbscope did not write.
[ ! -e "$dest/index.html" ] || grep -q '<title>Reports - nbscope</title>' "$dest/index.html" ||
	stop 2 "publish: '$dest/index.html' was not written by nbscope: use another DEST"

mkdir -p "$to"
touch "$to/.published"
(cd "$report" && find . -type f ! -path '*/.*' -printf '%P\0' | sort -z | xargs -0 sha256sum) \
	>"$work/new"
cut -c 67- "$work/new" >"$work/names"
# Only names inside the folder.
while read -r sum name; do
	case /$name/ in */../* | //*) continue ;; esac
	[ -f "$to/$name" ] && [ ! -L "$to/$name" ] && ! grep -qxF -- "$name" "$work/names" ||
		continue
	if [ "$(sha256sum <"$to/$name")" = "$sum  -" ]; then
		rm "$to/$name"
	else
		say "publish: kept '$to/$name': it was changed after it was published" >&2
	fi
done <"$to/.published"
while IFS= read -r name; do
	cmp -s "$report/$name" "$to/$name" || { mkdir -p "$(dirname "$to/$name")" &&
		cp "$report/$name" "$to/$name.$$" && mv "$to/$name.$$" "$to/$name"; }
done <"$work/names"
find "$to" -mindepth 1 -type d -empty -delete
mv "$work/new" "$to/.published"

for f in "$dest"/*/*/report.json; do
	path=${f#"$dest"/}
	[ ! -e "$f" ] || jq -ce --arg path "${path%report.json}" \
		'select(type == "object" and .type == "report") + {$path}' "$f" 2>/dev/null ||
		say "publish: '$path' is not a report of nbscope: not in the index" >&2
done >"$work/reports"
# Two machines may publish the same use case.
history=$(dirname "$to")/history.jsonl
[ ! -e "$uc/history.jsonl" ] ||
	metrichist --append "$history" --format json "$uc/history.jsonl" >"$work/steps" || exit 4
: >"$work/history"
for history in "$dest"/*/history.jsonl; do
	[ ! -e "$history" ] || jq -cnf "$nbscope/share/plan/history.jq" "$history" \
		>>"$work/history" ||
		say "publish: '$history' is not a history of nbscope: not in the index" >&2
done
metrichist --format json "$work/history" >"$work/steps"
metricreport --as index --output "$dest/index.html" "$work/reports" "$work/history" "$work/steps"
say "publish: $to/index.html; reports in $dest/index.html: $(wc -l <"$work/reports")"
