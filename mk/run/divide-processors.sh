#!/bin/sh
# divide-processors.sh JOBS CORES: divides the processors that this process may use into JOBS parts
# of the same size, and prints each as a list for taskset, one per line. The threads of a core are
# in one part. Fails if a part would have none, or less than CORES, the number that the kernel has.
set -eu
. "${0%/*}/../show/say.sh"
case $1/$2 in
/* | *[!0-9]*/* | 0*) stop 2 "profile: ENGINE=local needs JOBS=n: how many runs at once" ;;
*/*[!0-9]*) stop 2 "profile: with ENGINE=local, CORES is a number, since each run has processors" \
	"of its own; not '$2'" ;;
esac
# Cpus_allowed_list has the form 0-3,6.
all=$(sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status | tr , '\n' |
	while IFS=- read -r from to; do seq "$from" "${to:-$from}"; done |
	while read -r cpu; do
		siblings=/sys/devices/system/cpu/cpu$cpu/topology/thread_siblings_list
		core=$(sed 's/[-,].*//' $siblings 2>/dev/null) || :
		echo "${core:-$cpu} $cpu"
	done | sort -n -k1,1 -k2,2 | cut -d' ' -f2)
n=$(echo "$all" | wc -l)
[ $(($1 * ${2:-1})) -le "$n" ] || stop 2 "profile: JOBS=$1 is too many:" \
	"$n processors can be used here${2:+, and each run needs $2}"
echo "$all" | head -n $((n / $1 * $1)) | xargs -n $((n / $1)) | tr " " ,
