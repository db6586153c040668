#!/bin/sh
# find-mistakes.sh [--metrics METRICS]: judges the cells of the runs whose paths are on the standard
# input, one per line, by the rules of nbscope-rules(7); prints mistake records. METRICS are the
# cell_metrics records that say how long cells take without a profiler.
nbscope=${0%/*}/../..
xargs -d '\n' -r grep -lsE -e '"evidence":\{|^\{"type":"profile_' -- |
	"$nbscope/mk/run/pass-arguments.sh" python3 -B "$nbscope/share/ipython/nbscope/rules" \
		"$@" --
