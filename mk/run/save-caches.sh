#!/bin/sh
# save-caches.sh [OPTION...]: saves in the folder LABSERVE_CACHES, unless it is there, what a
# browser caches of labserve's JupyterLab; OPTIONs are wdsession's. It is loaded twice in one
# browser: with the second load, Chromium saves the scripts as they are compiled then, which is all
# that has run until a notebook is ready, and nothing that runs first in a cell.
set -eu
. "${0%/*}/../show/say.sh"
[ ! -d "$LABSERVE_CACHES" ] || exit 0
# shellcheck disable=SC2016  # for the inner shell
exec wdsession --save-caches "$LABSERVE_CACHES" "$@" sh -euc \
	'for load in 1 2; do cellrun --load-only "$0"; done' \
	"$nbscope/share/lab/warm.ipynb" >/dev/null
