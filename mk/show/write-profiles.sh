#!/bin/sh
# write-profiles.sh UC LABEL: writes what profile runs, whose paths are on the standard input, one
# per line, have for people and other programs to UC/profiles/LABEL: mistakes.jsonl, the plain
# mistakes of their cells, if there are any, explain.txt, the tables of functions and lines, and a
# folder for each run with the profilers' own files.
set -euf
nbscope=${0%/*}/../..
profiles=$1/profiles/$2 metrics=$1/metrics/$2/metrics.jsonl
newline='
'
IFS=$newline
# shellcheck disable=SC2046  # lines
set -- $(cat)
[ $# -gt 0 ] || exit 0
mkdir -p "$profiles"
# shellcheck disable=SC2016  # of the inner shell
"$nbscope/mk/metric/make-unless.sh" unless "$profiles/.mistakes" mistakes.jsonl -- "$metrics" "$@" \
	-- sh -c 'out=$1 find=$2 metrics=$3 && shift 3 &&
		printf "%s\n" "$@" | "$find" --metrics "$metrics" >"$out.new" &&
		mv "$out.new" "$out" && { [ -s "$out" ] || rm "$out"; }' \
		sh "$profiles/mistakes.jsonl" "$nbscope/mk/run/find-mistakes.sh" "$metrics" "$@"
# Without a profile, its kernel died.
# shellcheck disable=SC2046  # lines
set -- $(printf '%s\n' "$@" | xargs -r -d '\n' grep -l '^{"type":"profile"')
unset IFS
[ $# -gt 0 ] || exit 0
for run; do
	files=${run##*/} files=$profiles/${files%.jsonl}
	mkdir -p "$files"
	"$nbscope/mk/metric/make-unless.sh" unless "$files/.made" . -- "$run" -- \
		runprofile --format json --files "$files" -- "$run" >/dev/null
done
[ ! -e "$profiles/mistakes.jsonl" ] || set -- "$@" "$profiles/mistakes.jsonl"
# shellcheck disable=SC2016  # of the inner shell
"$nbscope/mk/metric/make-unless.sh" unless "$profiles/.tables" explain.txt -- "$metrics" "$@" -- \
	sh -c 'out=$1 && shift && runprofile --metrics "$@" >"$out.new" && mv "$out.new" "$out"' \
		sh "$profiles/explain.txt" "$metrics" -- "$@"
