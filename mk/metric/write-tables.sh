#!/bin/sh
# write-tables.sh FOLDER RECORDS: writes the tables of metrics into FOLDER: of cells, of notebooks and,
# if there are any, of interactions.
set -eu
to=$1 records=$2
set -- --cells-to "$to/cell_metrics.csv" --notebooks-to "$to/notebook_metrics.csv"
rm -f "$to/interaction_metrics.csv"
! grep -q '^{"type":"interaction_metrics"' "$records" ||
	set -- "$@" --interactions-to "$to/interaction_metrics.csv"
metrics2csv "$@" <"$records"
