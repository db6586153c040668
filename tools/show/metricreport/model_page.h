/* model_page.h: what the page of one notebook says, in its model. */
#pragma once

#include "report.h"

/* Sets `page`. */
void model_page(json_t *model, const struct report *, const struct report_notebook *);
