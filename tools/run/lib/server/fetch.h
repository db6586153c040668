/* fetch.h: downloads the notebook's file, however large, in little memory. */
#pragma once

#include "server/server_files.h"

#include <stdint.h>

/* Writes the notebook's file to `path`, or warns.  The server may still be writing it although it
 * already has its new date: until end_ns it is asked again for a complete one. */
void xfetch_executed(struct server_files *, const char *path, uint64_t end_ns);
