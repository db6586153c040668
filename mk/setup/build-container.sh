#!/bin/sh
# build-container.sh COMMAND...: builds the image nbscope of share/container, by podman or docker,
# after COMMAND has made the wheel. In the environment: APT, further Debian packages, and
# REQUIREMENTS, a file of further Python packages.
set -eu
. "${0%/*}/../show/say.sh"
for engine in podman docker ''; do
	! command -v "$engine" >/dev/null || break
done
file=${REQUIREMENTS:-/dev/null}
# The image has no other file of this machine.
elsewhere=$(grep -m 1 '^ *[-./]' "$file") || elsewhere=
[ ! "$elsewhere" ] || stop 2 "container: '$elsewhere' of '$file' names what is not in the image:" \
	"only packages that pip downloads can be"
[ "$engine" ] || stop 4 "container: neither podman nor docker is here: apt-get install podman"
"$@"
exec "$engine" build --tag nbscope --build-arg "APT=${APT-}" \
	--build-arg "REQUIREMENTS=$(cat "$file")" --file share/container/Containerfile .
