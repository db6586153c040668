/* request.h: a request to a proxy: its head, and where its body ends. */
#pragma once

#include "base/buf.h"

#include <sys/types.h>

enum { MAX_HEAD_BYTES = 64 << 10 };
enum request_body_state {
	BODY_DONE, BODY_LENGTH, BODY_SIZE, BODY_EXTENSION, BODY_DATA, BODY_DATA_END,
	BODY_TRAILER,
};
struct request_body {
	enum request_body_state state;
	uint64_t left;		/* of the body, or of the current chunk */
	int digits;		/* of the current chunk's size; length of a trailer line */
};
struct request_head {
	bool connect;		/* the method is CONNECT */
	bool upgrade;		/* asks for another protocol: a WebSocket */
	char host[256], port[6];
	struct buf text;	/* as the server expects it */
	struct request_body body;
};

/* Returns where the head ends (after its empty line); 0: not within these bytes. */
size_t request_head_end(const char *, size_t n);
/* Parses a whole head, in place. NULL, or what is wrong with it; the caller frees r->text in
 * either case. */
const char *request_head_parse(char *head, size_t n, struct request_head *);
/* Advances over the bytes that belong to the body and returns their number; -1: its chunks
 * are malformed. */
ssize_t request_body_advance(struct request_body *, const char *, size_t n);
