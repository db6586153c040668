/* wd_addon.h: a script in the documents of a Firefox, by a temporary add-on. */
#ifndef WD_ADDON_H
#define WD_ADDON_H

#include "browser/wd.h"

/* Does what wd_script_add() does, with geckodriver only. */
int wd_addon_add_script(struct wd *, const char *script);

#endif
