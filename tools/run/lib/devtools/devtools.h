/* devtools.h: a connection of our own to a Chromium's DevTools, next to that of its WebDriver.
 * A tab's methods can be called without waiting for their answers. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct devtools;
struct wd;
/* An event of the tab.  Large results come as many of them, each parsed and freed on its own. */
typedef void devtools_receiver(void *arg, const char *method, const json_t *params);

/* The browser's address, from WD_DEVTOOLS: HOST:PORT or a WebSocket's URL; NULL: it has none. */
const char *devtools_address(void);
/* Attaches to the tab of the session, in the browser of that address.  NULL and the reason in *why,
 * which the caller frees. */
struct devtools *devtools_open(struct wd *, long limit_ms, char **why);
/* Likewise, in the session that the driver described in its question "open". */
struct devtools *devtools_open_session(json_t *variables, long limit_ms, char **why);
/* From now on. */
void devtools_listen(struct devtools *, devtools_receiver *, void *arg);
/* Calls a method; takes the parameters (NULL: none).  Its result; NULL and *why.  What arrives
 * meanwhile is received. */
json_t *devtools_call(struct devtools *, const char *method, json_t *params, long limit_ms,
    char **why);
/* Calls a method without waiting for the answer; takes the parameters.  0; -1: closed. */
int devtools_send(struct devtools *, const char *method, json_t *params);
/* Waits for something to arrive, until end_ns at most, and handles it. */
void devtools_turn(struct devtools *, uint64_t end_ns);
/* Why nothing arrives any more: the browser, or the tab, has gone; NULL: it is there. */
const char *devtools_gone(const struct devtools *);
void devtools_close(struct devtools *);
