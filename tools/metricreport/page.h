/* page.h: pages from templates: the files of share/report, and the sections of a page. */
#ifndef PAGE_H
#define PAGE_H

#include "template.h"

enum page_kind { PAGE_REPORT, PAGE_NOTEBOOK, PAGE_INDEX, PAGE_TABLES, N_PAGES };

/* The template of share/report. */
const struct template *page_template(enum page_kind);
/* Fills a template. A section without contents becomes one line, and navigation skips it. */
void xpage_write(struct buf *, enum page_kind, const struct template *, json_t *model);
/* A paragraph on the method, without markup. */
void xpage_write_method(struct buf *, json_t *model);

#endif
