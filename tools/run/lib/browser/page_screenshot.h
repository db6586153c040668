/* page_screenshot.h: a picture of what the watched part of a page shows. */
#ifndef PAGE_SCREENSHOT_H
#define PAGE_SCREENSHOT_H

#include "browser/wd.h"

/* A PNG of the watched output (the largest that cells draw, or what the selector matches) as
 * a JSON string in base64; NULL: nothing to see, or see w->code.
 * *blank: 1 if it is of one colour, 0 if not, -1 unknown. */
json_t *page_screenshot(struct wd *, int *blank);

#endif
