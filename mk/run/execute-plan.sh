#!/bin/sh
# execute-plan.sh PLAN [OPTION...]: makes the due runs of the file PLAN, in its order, in the server
# that labserve runs or checks. OPTIONs are runexec's. If a run cannot be made, an earlier record
# stays in its place, and runplan reports it. In a long sweep, browsers begin with JupyterLab in
# their caches: twelve runs repay the time that it takes to make these.
set -u
. "${0%/*}/../show/say.sh"
[ "${JUPYTERLAB_URL-}" ] ||
	stop 2 "execute-plan: no JUPYTERLAB_URL: use labserve mk/run/execute-plan.sh PLAN"
plan=$1 page=${PAGE:-fresh} own=
shift
[ "$JUPYTERLAB_URL" != "${LABSERVE_URL-}" ] || own=yes
[ "$page" = fresh ] || [ "$own" ] ||
	stop 2 "execute-plan: PAGE=$page requires a JupyterLab that nbscope starts," \
		"not JUPYTERLAB_URL"
# Runs that alternate with those of another label, or that have company, have none.
if [ "$page" = fresh ] && [ "$own" ] && [ "${ENGINE:-serial}" = serial ] &&
	[ ! "${OTHER_LABEL-}${WEBDRIVER_URL-}" ] && [ "$(grep -c '"due":true' "$plan")" -ge 12 ]
then
	case ${BROWSER:-chromium} in *chrom*)
		"$nbscope/mk/run/save-caches.sh" ${INSECURE:+--insecure} ||
			say "profile: no JupyterLab could be loaded for the browsers' caches" >&2
		;;
	esac
fi
[ "$page" != reuse ] || exec wdsession --keep runexec "$@" "$plan"
exec runexec "$@" "$plan"
