/* table_memory.h: arrays with a value for each row.  Large ones are mapped from a temporary file
 * without a name, if there is room for it, so that they need memory only where they are used. */
#pragma once

#include <stddef.h>

/* A new array, or one that has the size from now on; NULL as the old one: there is none. */
void *table_memory_resize(void *, size_t bytes);
/* What is in the memory of a large array goes to its file until it is used again. */
void table_memory_release(void *);
void table_memory_free(void *);
