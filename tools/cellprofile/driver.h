/* driver.h: the driver that runs the cells (cellrun, kernelrun), and what it does for its hook. */
#ifndef DRIVER_H
#define DRIVER_H

#include <jansson.h>

#define DRIVER_MIME "application/vnd.nbscope.profile+jsonl"

/* Once: the socket. */
void driver_open(int socket);
/* The driver's next question: "open", "before" ...; NULL: it has ended. */
json_t *driver_next(void);
/* Ends the answer to a question; takes its members (NULL: none). */
void driver_done(json_t *members);
/* Takes a record, which becomes part of the run. */
void driver_write(json_t *record);
/* Evaluates a Python expression in the kernel by a silent request: its data of DRIVER_MIME;
 * NULL and the reason in *why, which the caller frees. */
json_t *driver_evaluate(const char *expression, long limit_ms, char **why);
/* Calls a method of the browser's DevTools; takes the parameters.  The result; NULL and why. */
json_t *driver_call_devtools(const char *method, json_t *params, char **why);

#endif
