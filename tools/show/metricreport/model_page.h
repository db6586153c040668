/* model_page.h: what the page of one notebook says, in its model. */
#ifndef MODEL_PAGE_H
#define MODEL_PAGE_H

#include "report.h"

/* Sets `page`. */
void model_page(json_t *model, const struct report *, const struct report_notebook *);

#endif
