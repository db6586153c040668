/* template_fill.h: a combination's values in a template. */
#pragma once

#include "template.h"

struct combination {
	const char *usecase, *name;
	json_t *params;
	unsigned long line;	/* of standard input */
};
/* Dies unless every parameter has a placeholder, and every placeholder a parameter whose value can
 * be written there. */
void xtemplate_check(const struct template *, const struct combination *);
/* Appends the notebook of a checked combination. */
void template_fill(const struct template *, const struct combination *, struct buf *);
