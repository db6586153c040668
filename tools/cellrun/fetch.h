/* fetch.h: downloads the notebook's file, however large, in little memory. */
#ifndef FETCH_H
#define FETCH_H

#include "server_files.h"

#include <stdio.h>

/* Replaces the content of `to`. 0, or -1: see lab->error. */
int fetch_notebook(struct server_files *, FILE *to);

#endif
