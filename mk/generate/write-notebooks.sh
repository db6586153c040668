#!/bin/sh
# write-notebooks.sh PARAMS TEMPLATE COMBINATIONS: writes the file COMBINATIONS, a `combination`
# record for each combination of PARAMS, and a notebook for each in the same folder. In the
# environment:
#   UC_NAME   the use case's name (default: that of TEMPLATE's folder)
#   WHERE     conditions; the member "selected" says whether a combination meets them
set -eu
[ "${1-}" != --help ] || exec mk/setup/print-usage.sh "$0"
[ "${NBSCOPE_SCRATCH-}" ] || exec runlock --scratch "$(dirname "$3")" "$0" "$@"
params=$1 template=$2 combinations=$3
UC_NAME=${UC_NAME:-$(basename "$(cd "$(dirname "$2")" && pwd)")}
all=$NBSCOPE_SCRATCH/all marked=$NBSCOPE_SCRATCH/marked

nbexpand --usecase "$UC_NAME" "$params" >"$all"
if [ -n "${WHERE:-}" ]; then
	nbexpand --usecase "$UC_NAME" --where "$WHERE" "$params" >"$marked.these"
	[ -s "$marked.these" ] || {
		mk/show/sanitize-text.sh "generate: WHERE='$WHERE' selects none of the $(wc -l <"$all") combinations; there are:"
		jq -nr 'reduce (inputs.params | to_entries[]) as $p ({}; .[$p.key][$p.value | tojson] = 1)
			| to_entries[] | (.value | keys_unsorted) as $values
			| "  \(.key) = \($values[:12] | join(", "))\(if $values[12:] == [] then "" else ", ... (\($values | length) values)" end)"' "$all"
		exit 2
	} >&2
fi
nbpatch -o "$(dirname "$combinations")" --prune "$template" <"$all"
if [ -n "${WHERE:-}" ]; then
	jq -nc --slurpfile these "$marked.these" '($these | INDEX(.name)) as $in | inputs | .selected = ($in[.name] != null)' "$all" >"$marked"
else
	mv "$all" "$marked"
fi
sync "$marked"
mv "$marked" "$combinations"
