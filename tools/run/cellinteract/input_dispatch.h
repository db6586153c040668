/* input_dispatch.h: inputs as they are sent to a browser. */
#pragma once

#include "browser/wd.h"
#include "devtools/devtools.h"
#include "gesture_inputs.h"

/* Sends one to a Chromium, without waiting for the page unless `waits`.  0; -1 and *why. */
int input_dispatch(struct devtools *, const struct interaction *, const struct gesture_input *,
    bool waits, char **why);
/* Performs all of them by WebDriver's actions, which wait for the page at each one. 0; -1: see
 * wd->code. */
int input_dispatch_actions(struct wd *, const struct interaction *, const struct gesture_inputs *);
