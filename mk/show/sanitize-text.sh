#!/bin/sh
# sanitize-text.sh TEXT...: prints TEXT in one line, without what controls a terminal.
# A control character becomes "?"; bytes that are not UTF-8 are left out.
printf %s "$*" | iconv -cf UTF-8 -t UTF-8 | LC_ALL=C.UTF-8 sed -z 's/[[:cntrl:]]/?/g'
echo
