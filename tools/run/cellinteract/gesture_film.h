/* gesture_film.h: the frames that the browser shows while a gesture is performed, as PNG files. */
#pragma once

#include "devtools/devtools.h"

/* From now on, each frame of the tab becomes a file in DIR/interaction-NUMBER. */
void gesture_film_begin(struct devtools *, const char *dir, size_t number);
/* Events of the tab that are frames; others are left alone. */
void gesture_film_receive(struct devtools *, const char *method, const json_t *params);
/* Their record, `film`; NULL: there is no frame. */
json_t *gesture_film_end(struct devtools *, size_t cell);
