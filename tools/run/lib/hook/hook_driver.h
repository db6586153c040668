/* hook_driver.h: the driver of the cells, and what it does for its hook. */
#pragma once

#include <jansson.h>
#include <stdbool.h>

#define HOOK_MIME "application/vnd.nbscope.profile+jsonl"

/* Once: the socket. */
void hook_driver_open(int socket);
/* The driver's next question: "open", "before" ...; NULL: it has ended. */
json_t *hook_driver_next(void);
/* Ends the answer to a question; takes its members (NULL: none). */
void hook_driver_done(json_t *members);
/* Takes a record, which becomes part of the run. */
void hook_driver_write(json_t *record);
/* What a kernel sends may be anything: writes those of its lines that are records which accepts()
 * may change and returns true for.  How many others there are. */
size_t hook_driver_write_lines(const char *text, size_t n, bool (*accepts)(json_t *, const void *),
    const void *arg);
/* Evaluates a Python expression in the kernel by a silent request: its data of HOOK_MIME;
 * NULL and the reason in *why, which the caller frees, unless it is NULL. */
json_t *hook_driver_evaluate(const char *expression, long limit_ms, char **why);
/* Has the driver ask all other hooks this question, which it takes, about a gesture: their
 * marks. */
json_t *hook_driver_ask_others(json_t *question);
/* Calls a method of the browser's DevTools; takes the parameters.  The result; NULL and why
 * likewise. */
json_t *hook_driver_call_devtools(const char *method, json_t *params, char **why);
