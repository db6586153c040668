#!/bin/sh
# prepare-label.sh UC LABEL: writes what the runs of a label depend on into
# UC/runs/LABEL/.settings, and refuses settings with which no run is possible. In the environment:
#   RUN_SETTINGS  lines NAME=VALUE (unset: the settings stay as they are)
#   HEADLESS      0: the browser is shown, which requires a display (default 1)
#   ENGINE, JOBS  local: JOBS runs at once need a processor each, or CORES
set -eu
[ "${1-}" != --help ] || exec mk/setup/print-usage.sh "$0"
if [ "${HEADLESS:-1}" = 0 ] && [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}${WEBDRIVER_URL:-}" ]; then
	echo "HEADLESS=0 shows the browser, but there is no display (DISPLAY is not set): leave HEADLESS out, or run make under xvfb-run" >&2
	exit 2
fi
[ "${ENGINE:-serial}" != local ] || mk/run/divide-processors.sh "${JOBS:-}" "${CORES:-}" >/dev/null || exit 2
file=$1/runs/$2/.settings
[ "${RUN_SETTINGS-}" ] && [ "$RUN_SETTINGS" != "$(cat "$file" 2>/dev/null)" ] || exit 0
# Tasks that wait would run with settings that are not in their environment. Lines that begin with a
# colon are of the plan.
if [ -d "$1/runs/$2/.jobs" ] && [ "$(printf '%s\n' "$RUN_SETTINGS" | grep -v '^:')" != "$(grep -v '^:' "$file")" ] &&
	[ "$(mk/cluster/list-tasks.sh "$1" "$2")" ]; then
	echo "profile: a job makes runs with other settings: wait for it, or $(mk/show/print-command.sh cancel "$1" "$2")" >&2
	exit 2
fi
mk/setup/write-stamp.sh "$file" "$RUN_SETTINGS"
