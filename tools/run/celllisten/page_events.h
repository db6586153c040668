/* page_events.h: what share/page/listen.js reports, as records. */
#pragma once

#include "page/session.h"

struct page_events {
	struct session *session;
	const char *path;	/* the notebook's on the server; NULL: any notebook in the page */
	char *renamed;		/* what the person renamed it to; or NULL */
	const char *server_url;	/* NULL: unknown */
	char *kernel_id;	/* session->usage belongs to it; NULL: unknown */
	double read_t;		/* when the last reading before a cell was complete */
	size_t cells;		/* recorded so far */
	json_int_t interactions;

	double life;		/* the load of the page that `received` counts in */
	size_t received;	/* events of it */
	json_t *open;		/* serial -> description of a cell that is not over */
	json_t *used;		/* serial -> usage of a cell that another cell followed */
	json_t *unsettled;	/* serial -> event of a gesture whose output has not settled */
	json_t *overlapping;	/* serials of cells whose usage a late reading mixed */
	json_int_t latest;	/* the serial of the cell that has the kernel; 0: none */
};

/* `kernel_id` and `server_url`, which is borrowed, may be NULL. */
void page_events_open(struct page_events *, struct session *, const char *kernel_id,
    const char *server_url);
/* An answer of L.next(): all its events. */
void page_events_on_answer(struct page_events *, const json_t *answer);
/* `last`: no event follows it. */
void page_events_on_event(struct page_events *, json_t *event, bool last);
/* Reads the usage if the kernel has been restarted since and no cell runs. */
void page_events_check_kernel(struct page_events *);
/* Writes a truncated record for each cell that is not over, and what is known of gestures whose
 * output has not settled. */
void page_events_truncate(struct page_events *, const char *why);
void page_events_close(struct page_events *);
