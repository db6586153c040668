/* report_picture.h: what was on screen: pictures of a cell's output, within a number of bytes. */
#ifndef REPORT_PICTURE_H
#define REPORT_PICTURE_H

#include "report_model.h"

/* How many bytes of pictures a part may still contain. */
struct picture_budget { size_t bytes; };
/* An <img> of a file in a run's folder: its thumbnail if there is one, or the picture itself if it
 * is small.  If there is none or it is too large, a few words instead. */
void report_picture(struct buf *, const struct report *, const struct run_summary *,
    const char *file, const char *about, struct picture_budget *);
/* A figure with the whole picture; nothing if there is none. */
void report_picture_whole(struct buf *, const struct report *, const struct run_summary *,
    const char *file, const char *about, struct picture_budget *);
/* What was on screen after a cell: its screenshot, or the last frame of its film.  NULL: there is
 * no picture; otherwise the file, and whose run's it is. */
const char *report_picture_of(const struct report *, const struct book *,
    const struct report_cell *, const struct run_summary **run);

#endif
