/* session_variables.h: the environment that describes a browser's session (WD_SESSION ...). */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* The number of the command's end of a socket, if the browser is handed over while the command
 * already runs, and returned before it ends.  The socket first receives one line, a JSON object
 * of the variables that would otherwise be in the environment, and the end of the stream when
 * the browser is gone.  The end alone means that there will be no browser, which the holder has
 * reported.
 *
 * The server is prepared while the browser starts, and the kernel ends while the browser does:
 * nbscope's own time for each notebook, besides loading the page and running the cells, was
 * measured as 1.05 s instead of 1.39 s. */
#define SESSION_HANDOVER "WD_HANDOVER"

/* The path of a socket that gives the same to each program that connects to it, one after the
 * other.  A program that sends SESSION_KEPT before it ends its stream has left the browser so that
 * the next one may have it; otherwise it is closed. */
#define SESSION_KEEPER "WD_KEEPER"
#define SESSION_KEPT 'k'

/* Sets the variables in the environment; returns their number. */
size_t session_variables_set(json_t *variables);
/* Sets those that arrive in one line on a socket.  -1: none did, or http_stop was set. */
int session_variables_receive(int socket);
/* Adds the address of the DevTools of a new session, if it has one that can be reached: by a Grid,
 * or, if the browser is `here`, by its port. */
void session_variables_add_devtools(json_t *variables, const json_t *capabilities, bool here);
/* Whether the described browser's WebDriver is no child of wdsession, and whether that browser is
 * on another machine. */
bool session_variables_is_remote(void);
bool session_variables_is_elsewhere(void);
