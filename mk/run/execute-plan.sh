#!/bin/sh
# execute-plan.sh PLAN [OPTION...]: makes the due runs of the file PLAN, in its order, in the
# server that labserve runs or checks. OPTIONs are runexec's. If a run cannot be made, an earlier
# record stays in its place, and runplan reports it. In the environment: what runexec and wdsession
# read there, and
#   JUPYTERLAB_URL, JUPYTERLAB_TOKEN, JUPYTERLAB_CERT  the server: labserve sets them
#   PAGE             reuse: the page stays for the next notebook (cellrun --reuse); warm: each
#                    browser begins with JupyterLab in its caches, as one that has loaded it once
#   LABSERVE_CACHES  where the caches are: labserve removes them
#   INSECURE         1: accept any TLS certificate of the server
set -u
[ "${1-}" != --help ] || exec mk/setup/print-usage.sh "$0"
[ "${JUPYTERLAB_URL-}" ] || { echo "execute-plan: no JUPYTERLAB_URL: use labserve mk/run/execute-plan.sh PLAN" >&2; exit 2; }
plan=$1
shift
case ${PAGE:-fresh} in fresh) exec runexec "$@" "$plan" ;; esac
[ "$JUPYTERLAB_URL" = "${LABSERVE_URL-}" ] || {
	echo "execute-plan: PAGE=$PAGE requires a JupyterLab that nbscope starts, not JUPYTERLAB_URL" >&2
	exit 2
}
[ "$PAGE" != reuse ] || exec wdsession --keep runexec "$@" "$plan"
[ -d "$LABSERVE_CACHES" ] ||
	wdsession --save-caches "$LABSERVE_CACHES" ${INSECURE:+--insecure} cellrun share/lab/warm.ipynb >/dev/null || {
	echo "execute-plan: PAGE=warm: JupyterLab could not be loaded for the caches of the browsers" >&2
	exit 4
}
exec runexec "$@" "$plan"
