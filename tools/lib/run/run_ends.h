/* run_ends.h: a run's first and last record, read without what lies between. */
#ifndef RUN_ENDS_H
#define RUN_ENDS_H

#include <jansson.h>

struct run_ends {
	json_t *run, *end;	/* NULL: the file has no such record there */
};
void run_ends_read(struct run_ends *, int fd, long long file_bytes);
void run_ends_free(struct run_ends *);

#endif
