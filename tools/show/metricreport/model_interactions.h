/* model_interactions.h: the interactions of a notebook on its page, with their pictures. */
#pragma once

#include "report.h"

/* Leaves only those of the notebook in `interactions` and `slow_interactions` of the model, which
 * share/report/model.jq has made, and sets `interactions` of each of the page's `cells`, and
 * `loose` of the page, those that belong to no cell. */
void model_interactions(json_t *model, json_t *page, const struct report *,
    const struct report_notebook *);
