/* lab_keys.h: JupyterLab's keyboard. */
#pragma once

#include "browser/wd.h"

#define KEY_CONTROL "\xEE\x80\x89"	/* U+E009 */
#define KEY_ENTER "\xEE\x80\x87"	/* U+E007 */
#define KEY_ESCAPE "\xEE\x80\x8C"	/* U+E00C */
#define KEY_DOWN "\xEE\x80\x95"	/* U+E015 */
#define KEY_UP "\xEE\x80\x93"	/* U+E013 */

/* Append presses to `keys`, an array of WebDriver key actions. */
void lab_keys_add(json_t *keys, const char *value, size_t times);
void lab_keys_add_control(json_t *keys, const char *value);
/* Sends the keys and frees them. 0, or -1: see w->code. */
int lab_keys_perform(struct wd *, json_t *keys);
int lab_keys_press(struct wd *, const char *value);

/* The answer of K.panelState(); NULL: see w->code. */
json_t *lab_keys_panel_state(struct wd *);
/* Whether the page's answer has this member, and it is true. */
bool lab_keys_flag(const json_t *answer, const char *name);
/* Command mode with the focus in the notebook, so that keys go where they should.
 * 0; -1: not within about this time, see lab_keys_obstacle(). */
int lab_keys_focus(struct wd *, long limit_ms);
/* Why keys have no effect in the notebook, a line for people (the caller frees it); NULL: the
 * browser does not answer, see w->code. */
char *lab_keys_obstacle(struct wd *);
/* What was the obstacle for a call that just failed. */
char *lab_keys_fault(struct wd *);
