/* page_screenshot.h: a picture of what the watched part of a page shows. */
#pragma once

#include "browser/wd.h"

struct page_screenshot {
	json_t *png;	/* a string in base64; NULL: there is nothing to see */
	int blank;	/* 1: it is of one colour, 0: it is not, -1: unknown */
	char *note;	/* screenshot_note in records; NULL: all outputs of the cell are in it */
};

/* position: of the cell that is pictured, in the notebook; -1: what the page changed last, or the
 * largest thing that it shows. changes: whether what changed elsewhere is the cell's. */
void page_screenshot_take(struct page_screenshot *, struct wd *, long position, bool changes);
void page_screenshot_free(struct page_screenshot *);
