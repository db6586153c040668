/* wd_script.h: scripts and DevTools commands in the page of a WebDriver session. */
#ifndef WD_SCRIPT_H
#define WD_SCRIPT_H

#include "browser/wd.h"

/* Run a function body with args (an array, borrowed, or NULL). */
json_t *wd_script(struct wd *, const char *script, json_t *args, long timeout_ms);
json_t *wd_script_async(struct wd *, const char *script, json_t *args, long timeout_ms);
/* One DevTools command: chromedriver only. */
json_t *wd_script_cdp(struct wd *, const char *method, json_t *params);
/* Makes every further document of the session run `script` before its own scripts: 0; -1 if
 * the driver cannot. */
int wd_script_add(struct wd *, const char *script);

#endif
