/* profile_place.h: whose code a file is, and how it is called. */
#pragma once

#include <stdbool.h>

enum profile_owner {
	OWNER_PACKAGE,	/* the user's own, or one that is installed */
	OWNER_CELL,
	OWNER_STANDARD,	/* of Python's standard library, or none that has a file */
	OWNER_KERNEL,	/* what runs the cells, and the profilers */
	OWNER_BUILTIN,
};
enum profile_owner profile_place_owner(const char *file);
long profile_place_cell(const char *file);	/* 5 of "<cell 5>"; 0 of another file */
bool profile_place_is_installed(const char *file);	/* in a folder of packages */
/* "glue/core/data.py": without the folder in which packages are; of other files the last three
 * names.  Borrowed from `file`. */
const char *profile_place_short(const char *file);
/* "f (glue/core/data.py:7)" from "f (/v/lib/python3.11/site-packages/glue/core/data.py:7)", a frame
 * of a stack; the caller's. */
char *profile_place_frame(const char *frame, enum profile_owner *);
