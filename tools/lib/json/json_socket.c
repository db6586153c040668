/* json_socket.c: sends JSON through a socket, a line for each value. */
#include "json/json_socket.h"
#include "base/output.h"
#include "json/json_text.h"

int
json_socket_send(int socket, json_t *value)
{
	struct buf line = {0};
	json_text_add(&line, value);
	json_decref(value);
	int sent = buf_add(&line, "\n", 1) == 0 ? output_send_all(socket, line.p, line.n) : -1;
	buf_free(&line);
	return sent;
}
