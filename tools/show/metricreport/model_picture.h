/* model_picture.h: what was on screen: pictures of a cell's output, within a number of bytes, which
 * each picture reduces. A picture is {file, type}, or {missing} with the reason. */
#pragma once

#include "report.h"

/* A file in a run's folder: its thumbnail if there is one, or the picture itself if it is small. */
json_t *model_picture(const struct report *, const struct run_summary *, const char *file,
    size_t *bytes);
/* The whole picture; null if there is none. */
json_t *model_picture_whole(const struct report *, const struct run_summary *, const char *file,
    size_t *bytes);
/* What was on screen after a cell: its screenshot, or the last frame of its film.  NULL: there is
 * no picture; otherwise the file, the caller's, and whose run's it is. */
char *model_picture_of(const struct report *, const struct report_notebook *,
    const struct report_cell *, const struct run_summary **run);
/* FOLDER/NAME[@RUN]END; NULL: there is no folder, or the name is not valid; the caller's. */
char *model_run_path(const char *folder, const struct run_summary *, const char *end);
