/* outlier.h: rows far from their group. */
#pragma once

#include "table/stat_figure.h"

#include <jansson.h>

/* An array of records; a new reference. */
json_t *outlier_records(const struct stat_table *, const struct list *shown);
