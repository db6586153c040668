#!/bin/sh
# run-in-container.sh ROOT FOLDER COMMAND...: runs COMMAND in the root file system ROOT, with
# FOLDER as /data, as root, in namespaces of its own. Nothing of it is left when COMMAND has ended.
set -eu
[ "${1-}" != --help ] || exec mk/setup/print-usage.sh "$0"
# After a chroot, instead of pivot_root, nobody could create a user namespace.
# shellcheck disable=SC2016  # for the other shell
exec unshare --mount --pid --fork --kill-child sh -euc '
	root=$1 folder=$2
	shift 2
	[ "$folder" -ef "$root/data" ] || bind=$(cd "$folder" && pwd)
	mount --bind "$root" "$root"
	[ -z "${bind-}" ] || mount --bind "$bind" "$root/data"
	mount -t proc proc "$root/proc"
	mount --rbind /dev "$root/dev"
	mount --rbind /sys "$root/sys"
	cd "$root"
	pivot_root . .
	umount -l .
	exec env -C /data "$@"' sh "$@"
