#!/bin/sh
# prepare-label.sh UC LABEL: writes what the runs of a label depend on into UC/runs/LABEL/.settings,
# and refuses settings with which no run is possible. In the environment:
#   RUN_SETTINGS  lines NAME=VALUE (unset: the settings stay as they are)
set -eu
. "${0%/*}/../show/say.sh"
uc=$1 label=$2
if [ "${HEADLESS:-1}" = 0 ] && [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}${WEBDRIVER_URL:-}" ]; then
	stop 2 "HEADLESS=0 shows the browser, but there is no display (DISPLAY is not set):" \
		"leave HEADLESS out, or run $typed under xvfb-run"
fi
[ "${ENGINE:-serial}" != local ] ||
	"$nbscope/mk/run/divide-processors.sh" "${JOBS:-}" "${CORES:-}" >/dev/null || exit 2
"$nbscope/mk/run/check-interactions.sh" "$uc" >/dev/null || exit
[ -z "${WITH-}" ] || "$nbscope/mk/setup/link-labextensions.sh" "$VENV" "$WITH" || exit 4
file=$uc/runs/$label/.settings
[ "${RUN_SETTINGS-}" ] && [ "$RUN_SETTINGS" != "$(cat "$file" 2>/dev/null)" ] || exit 0
# Tasks that wait would run with settings that are not in their environment. Lines that begin with a
# colon are of the plan.
if [ -d "$uc/runs/$label/.jobs" ] && [ "$("$nbscope/mk/cluster/list-tasks.sh" "$uc" "$label")" ] &&
	[ "$(printf '%s\n' "$RUN_SETTINGS" | grep -v '^:')" != "$(grep -v '^:' "$file")" ]; then
	stop 2 "profile: a job makes runs with other settings: wait for it, or $(type_to cancel)"
fi
"$nbscope/mk/setup/write-stamp.sh" "$file" "$RUN_SETTINGS"
