#!/bin/sh
# make-container.sh ROOT [MIRROR]: makes the root file system of nbscope's container in the folder
# ROOT, as root, with debootstrap instead of a container engine. Where ROOT exists, what changed is
# copied and built. apt and pip are set up as on this machine: mirrors, proxies and certificates.
set -eu
[ "${1-}" != --help ] || exec mk/setup/print-usage.sh "$0"
[ "$(id -u)" = 0 ] || { echo "container-root: only root can do this" >&2; exit 4; }
root=$1
shift
if [ ! -e "$root/etc/debian_version" ]; then
	rm -rf "$root"
	mkdir -p "$(dirname "$root")"
	echo "container: Debian 12 into $root (takes a minute or two, once)"
	debootstrap --variant=minbase --include=ca-certificates bookworm "$root" "$@" >"$root.log" 2>&1 || { tail -n 5 "$root.log" >&2; exit 1; }
fi
for file in /etc/resolv.conf /etc/pip.conf /etc/apt/sources.list /etc/apt/sources.list.d /etc/apt/apt.conf.d /usr/local/share/ca-certificates; do
	[ ! -e "$file" ] || cp -RL "$file" "$root${file%/*}/"
done
rm -f "$root"/etc/apt/apt.conf.d/docker-*
chroot "$root" update-ca-certificates >/dev/null
mkdir -p "$root/opt/nbscope" "$root/data"
tar -c --exclude-from=.dockerignore . | tar -x -C "$root/opt/nbscope" --no-same-owner
mk/setup/run-in-container.sh "$root" "$root/data" /opt/nbscope/share/container/provision
echo "container: $(du -sm --one-file-system "$root" | cut -f1) MB in $root"
