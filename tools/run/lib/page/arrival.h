/* arrival.h: when a cell's last message reached this machine.
 *
 * The page handles messages on its main thread: if that is busy, long after they arrived. The
 * system knows when data arrived on the connection of the kernel's WebSocket, whatever the
 * browser does, but only of the last data: therefore a thread reads it again and again while a
 * cell runs. Which data complete a message follows from the number of bytes, which the page
 * counts too. */
#pragma once

#include <jansson.h>

/* Before the key press: starts reading the connections to the server at this URL; NULL: none. */
void arrival_begin(const char *server_url);
/* The cell is over: adds `arrived` to what the page reports, in ms of its clock, if known. */
void arrival_end(json_t *seen);
/* Goes on reading for other cells, which began before the end of that one. */
void arrival_continue(void);
