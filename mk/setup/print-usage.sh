#!/bin/sh
# print-usage.sh SCRIPT: prints the head comment of a script of mk/, which is its help, and from
# where to run it.
[ "${1-}" != --help ] || set -- "$0"
sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$1"
echo
echo "Run it in the repository's root, with build/bin in PATH."
