#!/bin/sh
# print-members.sh MEMBER...: prints these members of each record on standard input, one per line.
# shellcheck disable=SC2016  # for the program
exec jq -r '.[$ARGS.positional[]]' --args "$@"
