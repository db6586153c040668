#!/bin/sh
# print-carbon.sh COUNTRY: prints the carbon intensity of the country's electricity in grams of CO2
# equivalent per kWh, from share/energy/countries.csv; a message says of which year. COUNTRY is a
# code of three letters, such as FRA.
. "${0%/*}/../show/say.sh"
awk -F, -v code="$1" 'code ~ /^[A-Z][A-Z][A-Z]$/ && $1 == code {
	print $2
	gsub(/"/, "")
	printf "carbon: %s, %s g of CO2e per kWh in %s (codecarbon)\n", $4, $2, $3 >"/dev/stderr"
	found = 1
}
END { exit !found }' "$nbscope/share/energy/countries.csv" ||
	stop 2 "carbon: no country '$1' in share/energy/countries.csv:" \
		"COUNTRY is a code of three letters, such as FRA"
