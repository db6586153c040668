#!/bin/sh
# copy-example.sh FROM TO: copies the use case FROM, which belongs to an installed nbscope and may
# be read-only, into the folder TO.
set -eu
. "${0%/*}/../show/say.sh"
to=$2/${1##*/}
mkdir -p "$2"
cp -R "$1" "$to.$$"
chmod -R u+w "$to.$$"
mv "$to.$$" "$to"
say "nbscope: copied the example ${1##*/} to $to"
