/* report_template.h: templates, and their placeholders replaced by parts of a report. */
#ifndef REPORT_TEMPLATE_H
#define REPORT_TEMPLATE_H

#include "report_model.h"

extern const char report_html[], report_notebook_html[], report_index_html[], report_tables_html[];
extern const char report_head_html[], report_foot_html[], report_css[], report_js[];
/* Adds `template` with each <!--nbscope:NAME--> replaced; dies with ST_INPUT on an unknown NAME.
 * `file` names the template in messages. */
void xreport_template_fill(struct buf *, const char *template, const char *file,
    const struct report *);

#endif
