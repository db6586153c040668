/* labkeys.h: JupyterLab's keyboard, for those who open and drive its page. */
#ifndef LABKEYS_H
#define LABKEYS_H

#include "labpage.h"

#define KEY_CONTROL "\xEE\x80\x89"	/* U+E009 */
#define KEY_ENTER "\xEE\x80\x87"	/* U+E007 */
#define KEY_ESCAPE "\xEE\x80\x8C"	/* U+E00C */
#define KEY_DOWN "\xEE\x80\x95"	/* U+E015 */
#define KEY_UP "\xEE\x80\x93"	/* U+E013 */

/* Into `keys`, an array of WebDriver's: pressed and let go, so many times. */
void keys_add(json_t *keys, const char *value, size_t times);
void keys_add_with_control(json_t *keys, const char *value);
/* Takes the keys.  0, or -1: see w->code. */
int keys_perform(struct wd *, json_t *keys);
int keys_press(struct wd *, const char *value);

/* What K.panelState() tells; NULL: see w->code. */
json_t *panel_state(struct wd *);
bool is_true_at(const json_t *state, const char *name);
/* Command mode with the focus in the notebook: keys go where they should.
 * 0; -1: *error is a line for people (the caller frees it). */
int take_focus(struct wd *, char **error);

#endif
