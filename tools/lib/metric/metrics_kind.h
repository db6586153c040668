/* metrics_kind.h: which records are metrics. */
#pragma once

#include "json/scan.h"

/* TABLE: a row of a table that table2metrics has read, a cell or a notebook. */
enum metrics_kind { METRICS_OTHER, METRICS_CELL, METRICS_NOTEBOOK, METRICS_INTERACTION,
	METRICS_TABLE };
enum metrics_kind metrics_kind_of(struct scan *);
