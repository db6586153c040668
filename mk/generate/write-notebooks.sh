#!/bin/sh
# write-notebooks.sh PARAMS TEMPLATE COMBINATIONS: writes the file COMBINATIONS, a `combination`
# record for each combination of PARAMS, and a notebook for each in the same folder. In the
# environment:
#   UC_NAME   the use case's name (default: that of TEMPLATE's folder)
set -eu
. "${0%/*}/../show/say.sh"
params=$1 template=$2 combinations=$3 all=$NBSCOPE_SCRATCH/all marked=$NBSCOPE_SCRATCH/marked
UC_NAME=${UC_NAME:-$(basename "$(cd "$(dirname "$2")" && pwd)")}

nbexpand --usecase "$UC_NAME" "$params" >"$all"
if [ -z "${WHERE:-}" ]; then
	cp "$all" "$marked"
else
	nbexpand --usecase "$UC_NAME" --where "$WHERE" "$params" >"$marked.these"
	[ -s "$marked.these" ] || {
		say "generate: WHERE='$WHERE' selects none of the $(wc -l <"$all") combinations;" \
			"there are:"
		jq -nr 'reduce (inputs.params | to_entries[]) as {$key, $value}
			({}; .[$key][$value | tojson] = 1)
			| to_entries[] | (.value | keys_unsorted) as $values
			| "  \(.key) = \($values[:12] | join(", "))\(if $values[12:] == [] then ""
				else ", ... (\($values | length) values)" end)"' "$all"
		exit 2
	} >&2
	awk 'NR == FNR { these[$0]; next }
		{ sub(/}$/, ",\"selected\":" ($0 in these ? "true" : "false") "}") }
		1' "$marked.these" "$all" >"$marked"
fi
folder=$(dirname "$combinations") edited=$NBSCOPE_SCRATCH/edited
notebooks() { find "$folder" -maxdepth 1 -name '*.ipynb' "$@"; }
notebooks -type d | while read -r it; do
	stop 4 "generate: '$it' is a folder, and a notebook belongs there: move it away"
done || exit
[ ! -e "$combinations" ] || notebooks -newercm "$combinations" >"$edited"
nbpatch -o "$folder" --prune "$template" <"$all"
# What a person changed is no longer the combination that its name says.
if [ -s "$edited" ] && notebooks -newercm "$all" | grep -Fxf "$edited" >"$edited.mended"; then
	say "generate: written again, because it was not what template and parameters give:" \
		"$(sed 's|.*/||' "$edited.mended" | head -n 5 | paste -sd' ')" >&2
fi
touch "$marked"	# no notebook is newer
sync "$marked"
mv "$marked" "$combinations"
