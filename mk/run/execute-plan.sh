#!/bin/sh
# execute-plan.sh PLAN [OPTION...]: makes the due runs of the file PLAN, in its order, in the server
# that labserve runs or checks. OPTIONs are runexec's. If a run cannot be made, an earlier record
# stays in its place, and runplan reports it. For PAGE=warm, each browser begins with the caches of
# one that has loaded JupyterLab once.
set -u
. "${0%/*}/../show/say.sh"
[ "${JUPYTERLAB_URL-}" ] ||
	stop 2 "execute-plan: no JUPYTERLAB_URL: use labserve mk/run/execute-plan.sh PLAN"
plan=$1 page=${PAGE:-fresh}
shift
[ "$page" = fresh ] || [ "$JUPYTERLAB_URL" = "${LABSERVE_URL-}" ] ||
	stop 2 "execute-plan: PAGE=$page requires a JupyterLab that nbscope starts," \
		"not JUPYTERLAB_URL"
[ "$page" != warm ] || [ -d "$LABSERVE_CACHES" ] || wdsession --save-caches "$LABSERVE_CACHES" \
	${INSECURE:+--insecure} cellrun "$nbscope/share/lab/warm.ipynb" >/dev/null ||
	stop 4 "execute-plan: PAGE=warm: JupyterLab could not be loaded for the browsers' caches"
[ "$page" != reuse ] || exec wdsession --keep runexec "$@" "$plan"
exec runexec "$@" "$plan"
