/* json_socket.h: sends JSON through a socket, a line for each value. */
#ifndef JSON_SOCKET_H
#define JSON_SOCKET_H

#include <jansson.h>

/* Takes the value. -1 and errno: its peer has gone. */
int json_socket_send(int socket, json_t *value);

#endif
