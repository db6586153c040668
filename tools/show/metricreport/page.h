/* page.h: pages from templates: the files of share/report, and the sections of a page. */
#pragma once

#include "template.h"

/* The methods are a paragraph, without markup. */
enum page_kind {
	PAGE_REPORT, PAGE_NOTEBOOK, PAGE_INDEX, PAGE_HISTORY, PAGE_TABLES, PAGE_METHODS, N_PAGES
};

/* What --as names; N_PAGES: it is no page. */
enum page_kind page_kind_of(const char *as);
/* The text of a file of share/report that is there. */
const char *page_file(const char *name);
/* The template of share/report. */
struct html_template *page_template(enum page_kind);
/* Fills a template. A section without contents becomes one line, and navigation skips it. */
void xpage_write(struct buf *, enum page_kind, struct html_template *, json_t *model);
