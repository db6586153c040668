#!/bin/sh
# publish-report.sh UC LABEL DEST: copies a label's report to DEST/USECASE/LABEL and updates
# DEST/index.html, which lists all reports there. Files of an earlier publish that the report no
# longer has are removed unless they were changed: DEST/USECASE/LABEL/.published has their
# checksums.
[ "${1-}" != --help ] || exec mk/setup/print-usage.sh "$0"
[ "${NBSCOPE_SCRATCH-}" ] || exec runlock --scratch "$3" "$0" "$@"
report=$1/report/$2 usecase=$(basename "$1") label=$2 dest=$3
[ -e "$report/index.html" ] || { echo "publish: no report of label '$label': run $(mk/show/print-command.sh report "$1" "$2")" >&2; exit 2; }
to=$dest/$usecase/$label
work=$NBSCOPE_SCRATCH
# Never replace an index.html that nbscope did not write.
[ ! -e "$dest/index.html" ] || grep -q '<title>Reports - nbscope</title>' "$dest/index.html" ||
	{ mk/show/sanitize-text.sh "publish: '$dest/index.html' was not written by nbscope: use another DEST" >&2; exit 2; }

mkdir -p "$to"
(cd "$report" && find . -type f ! -path '*/.*' -exec sha256sum {} +) | sed 's#  \./#  #' | sort -k 2 >"$work/new"
if [ -e "$to/.published" ]; then
	# Only names inside the folder.
	while read -r sum name; do
		case /$name/ in
		*/../* | //*) continue ;;
		esac
		[ -f "$to/$name" ] && ! [ -L "$to/$name" ] || continue
		! awk -v n="$name" 'substr($0, 67) == n {found = 1} END {exit !found}' "$work/new" || continue
		if [ "$(sha256sum <"$to/$name" | cut -d' ' -f1)" = "$sum" ]; then
			rm "$to/$name"
		else
			mk/show/sanitize-text.sh "publish: kept '$to/$name': it was changed after it was published" >&2
		fi
	done <"$to/.published"
fi
while read -r _ name; do
	mkdir -p "$(dirname "$to/$name")"
	cmp -s "$report/$name" "$to/$name" || { cp "$report/$name" "$to/$name.$$" && mv "$to/$name.$$" "$to/$name"; }
done <"$work/new"
find "$to" -mindepth 1 -type d -empty -delete
mv "$work/new" "$to/.published"

for f in "$dest"/*/*/report.json; do
	path=${f#"$dest"/}
	[ -e "$f" ] || continue
	jq -ce --arg path "${path%report.json}" 'select(type == "object" and .type == "report") + {path: $path}' "$f" 2>/dev/null ||
		mk/show/sanitize-text.sh "publish: '$path' is not a report of nbscope: not in the index" >&2
done >"$work/reports"
metricreport --as index --output "$dest/index.html" "$work/reports"
mk/show/sanitize-text.sh "publish: $to/index.html; reports in $dest/index.html: $(wc -l <"$work/reports")"
