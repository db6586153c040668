#!/bin/sh
# print-carbon.sh COUNTRY: prints the carbon intensity of the country's electricity in grams of CO2
# equivalent per kWh, from share/energy/countries.csv; a message says of which year. COUNTRY is a
# code of three letters, such as FRA.
set -u
[ "${1-}" != --help ] || exec mk/setup/print-usage.sh "$0"
row=$(grep "^$(printf '%s' "$1" | tr -cd A-Z)," share/energy/countries.csv)
case $1 in [A-Z][A-Z][A-Z]) ;; *) row= ;; esac
[ -n "$row" ] || { echo "carbon: no country '$(mk/show/sanitize-text.sh "$1")' in share/energy/countries.csv: COUNTRY is a code of three letters, such as FRA" >&2; exit 2; }
echo "$row" | awk -F, '{print $2; gsub(/"/, ""); printf "carbon: %s, %s g of CO2e per kWh in %s (codecarbon)\n", $4, $2, $3 >"/dev/stderr"}'
