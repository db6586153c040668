/* browser_names.h: what the page's functions are called by those who wrote them. */
#pragma once

#include <jansson.h>

/* The functions of DevTools' profile get as url, lineNumber and functionName those of their
 * sources, or the package that they are from, and where the browser has them as `script`. */
void browser_names_set(json_t *profile);
