/* wd_addon.h: a script in all further documents of a browser, if need be by an add-on. */
#pragma once

#include "browser/wd.h"

/* Makes every further document of the session run `script` before its own scripts: 0; -1 if
 * the driver cannot. */
int wd_add_script(struct wd *, const char *script);
