# The gallery: outputs of many kinds, whose last change the page's own pictures show. Here one of each kind
# that JupyterLab has itself, with ALL=1 those of which there are several, and ipympl; `make calibrate
# CALIBRATE=widgets` runs all. A first repetition in which all are right is enough; after one that the
# machine spoilt there is a second, if there is time for it.
load helpers
[ -z "${ALL:-}" ] || every_package

setup_file() {
	cd "$BATS_FILE_TMPDIR" || return
	local left='ipyvolume|solara|threejs|vuetify|vega|progress|bqplot|same-origin|script-animation|css-endless|svg-endless|other-origin'
	[ -n "${ALL:-}" ] || left+='|printed|display-(id|update|thread)|svg-animation|css-animation|ipympl'
	echo '{"rest_s": [0.3]}' >params.json
	jq --arg left "^($left)(-(setup|rest|update|opened))*\$" '.cells |= map(select(.metadata.tags // [] | index("own") | not) | select(.id | test($left) | not))' \
		"$ROOT/usecases/widgets/template.ipynb" >template.ipynb
	nbexpand --usecase widgets params.json | nbpatch -o notebooks template.ipynb
	BROWSER=$ROOT/usecases/widgets/files/capturing-chromium WINDOW=900x1300 labserve sh -c 'for k in 1 2; do
		wdsession cellrun --max-wait-time 30 --repetition $k --with-file "$1" notebooks/*.ipynb >run.jsonl
		cat run.jsonl >>runs.jsonl
		runtruth run.jsonl >truth.jsonl
		! jq -s -e "$2" truth.jsonl >wrong.json && [ $(($(date +%s) - $3)) -lt 45 ] || break
	done' sh "$ROOT/usecases/widgets/files" '[.[] | select(.type == "truth" and (.ok | not))] | length <= 3' "$(date +%s)" || true
}

setup() {
	cd "$BATS_FILE_TMPDIR" || return
}

@test "every cell of the gallery ran as it should" {
	run -0 jq -s -c '[.[] | select(.type == "cell" and .status != "completed") | [.cell_id, .status, .reason]]' run.jsonl
	[ "$output" = '[]' ] || has nothing
}

@test "each of 12 or more outputs changed last within a frame of what the pixels show, or its cell is marked" {
	run -0 jq -s -c --slurpfile run run.jsonl '($run | map(select(.type == "cell")) | INDEX(.cell_id)) as $cells |
		[.[] | select(.type == "truth" and .metric == "last_visual_change_ms")] | if length < '"$((12 + ${ALL:+8} + 0))"' then error("\(length)") else . end |
		map(select((.ok | not) and $cells[.cell_id].marks == []) | [.cell_id, .truth, .measured, .resolution])' truth.jsonl
	[ "$(jq length <<<"$output")" -le 1 ] || has nothing
}

@test "when three or more of them changed is known within a frame, also where pictures are further apart" {
	run -0 jq -s '[.[] | select(.type == "truth" and .resolution != null) | .resolution <= 17] | (map(select(.)) | length) >= 3' truth.jsonl
	[ "$output" = true ] || has "$(jq -c '[.cell_id, .resolution] | select(.[1])' truth.jsonl)"
}

@test "the marks are those of what cannot be seen, and of no other cell" {
	run -0 jq -r 'select(.type == "cell" and .marks - ["late_updates_possible"] != []) | select(.tags | index("truth:settled")) | "\(.cell_id) \(.marks - ["late_updates_possible"] | sort | join(","))"' run.jsonl
	[ "$output" = 'other-origin-late cross_origin_frame
svg-picture animated_image
worker offscreen_canvas,web_worker' ] || has nothing
}
