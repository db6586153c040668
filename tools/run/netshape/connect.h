/* connect.h: from a name to a connected socket, without blocking, within a time limit. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum connect_state { CONNECT_NONE, CONNECT_RUNNING, CONNECT_OPEN, CONNECT_FAILED };
struct connect {
	enum connect_state state;
	int fd;			/* to poll for input while running; the socket once open */
	uint64_t end_ns;	/* when it fails at the latest */
	bool timed_out;		/* failed because no answer came in time */
	const char *reason;	/* of a failure */
	struct connect_attempt *attempt;	/* private */
};

void connect_start(struct connect *, const char *host, const char *port, uint64_t now);
/* Advances it; call this while it runs, when fd is ready or end_ns has come. */
void connect_step(struct connect *, bool ready, uint64_t now);
void connect_close(struct connect *);
