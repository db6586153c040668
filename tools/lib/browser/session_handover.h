/* session_handover.h: a browser that is handed over while its command already runs, and
 * returned before that command ends.
 *
 * The server is prepared while the browser starts, and the kernel ends while the browser does:
 * nbscope's own time for each notebook, besides loading the page and running the cells, was
 * measured as 1.05 s instead of 1.39 s.
 *
 * WD_HANDOVER is the number of the command's end of a socket. It first receives one line, a
 * JSON object of the variables that would otherwise be in the environment (WD_SESSION ...),
 * and the end of the stream when the browser is gone. The end alone means that there will be
 * no browser, which the holder has reported.
 */
#ifndef SESSION_HANDOVER_H
#define SESSION_HANDOVER_H

#include <jansson.h>
#include <stdbool.h>

/* Sets the variables in the environment; returns their number. */
size_t session_handover_set(json_t *variables);

/* The holder's side. Starts a process that opens the browser (it may die()), hands over the
 * variables that open() returns, and ends when the command returns the browser. */
void xsession_handover_start(json_t *(*open)(void *), void *arg);
/* True once: that process has ended. For the on_event function of hold_command(). */
bool session_handover_ended(void);
/* The browser is gone, or will be: ends that process, too. */
void session_handover_stop(void);

/* The command's side. */
bool session_handover_expected(void);
/* Waits for the variables and sets them; -1: none came, or http_stop was set. */
int session_handover_receive(void);
/* Returns the browser; false if it was not handed over: it stays until the command ends. */
bool session_handover_return(void);
/* Waits until it is gone; false if it is not after max_ms. */
bool session_handover_wait_closed(int max_ms);

#endif
