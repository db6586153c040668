/* output.h: stdout, whose errors end the program, and sockets. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

void xoutput_line(const char *line, size_t n);	/* adds the newline */
void xoutput_text(const char *text, size_t n);
void xoutput_flush(void);
/* The last thing that every program does: dies with ST_SYSTEM if stdout cannot be
 * flushed and closed (a full disk). */
void xoutput_close(void);
/* Whether the reader of this pipe has gone, for programs that wait for other things
 * than their next write. */
bool output_reader_left(int fd);
/* All of it into a socket; -1 and errno if the peer has gone. */
int output_send_all(int socket, const char *bytes, size_t n);
