#!/bin/sh
# print-carbon.sh COUNTRY: prints the carbon intensity of the country's electricity in grams of CO2
# equivalent per kWh, from share/energy/countries.csv; a message says of which year. COUNTRY is a
# code of three letters, such as FRA.
set -u
. "${0%/*}/../show/say.sh"
row=
case $1 in [A-Z][A-Z][A-Z]) row=$(grep "^$1," share/energy/countries.csv) ;; esac
[ -n "$row" ] || stop 2 "carbon: no country '$1' in share/energy/countries.csv:" \
		"COUNTRY is a code of three letters, such as FRA"
echo "$row" | awk -F, '{
	print $2
	gsub(/"/, "")
	printf "carbon: %s, %s g of CO2e per kWh in %s (codecarbon)\n", $4, $2, $3 >"/dev/stderr"
}'
