/* kernel_message.h: messages of a kernel on its WebSocket, in either framing: that of the
 * subprotocol v1.kernel.websocket.jupyter.org, or JSON. */
#pragma once

#include "base/buf.h"

#include <jansson.h>

#define KERNEL_MESSAGE_PROTOCOL "v1.kernel.websocket.jupyter.org"

struct kernel_message {
	const char *type, *parent_id;	/* borrowed; "" if it has none */
	json_t *header, *parent, *metadata;
	size_t bytes, content_bytes;	/* of the whole, and of its content */
	/* Private: the content, parsed or not yet. */
	json_t *whole, *content;
	const char *content_text;
};
/* Reads a message that arrived: its data must outlive it.  0; -1: it is not one. */
int kernel_message_read(struct kernel_message *, const char *data, size_t n, bool binary,
    bool framed);
/* Borrowed; NULL: it cannot be read. */
json_t *kernel_message_content(struct kernel_message *);
void kernel_message_free(struct kernel_message *);
/* When the kernel sent it, Unix ms; NaN: it does not say. */
double kernel_message_date(const struct kernel_message *);

/* Appends a message as it is sent. */
void kernel_message_add(struct buf *, bool framed, const char *channel, const json_t *header,
    const json_t *metadata, const json_t *content);
