/* session_offer.h: hands a browser over to a command that already runs, and takes it back. */
#pragma once

#include <jansson.h>
#include <stdbool.h>

/* Starts a process that opens the browser (it may die()), hands over the variables that open()
 * returns, and ends when the command returns the browser. */
void xsession_offer_start(json_t *(*open)(void *), void *arg);
/* Starts a process that opens a browser and hands it over to each program that connects to the
 * socket `path`, one after the other.  A browser that is not returned with SESSION_KEPT is closed,
 * and the next program gets another one. */
void xsession_offer_keep(const char *path, json_t *(*open)(void *),
    void (*close)(const json_t *variables));
/* True once: that process has ended. For the on_event function of hold_command(). */
bool session_offer_ended(void);
/* The browser is gone, or will be: ends that process, too. */
void session_offer_stop(void);

/* Starts a process that opens the browser and closes it when this one has ended, however that
 * happens, also while it is being opened. Waits for the browser, and sets its variables. */
void xsession_offer_take(json_t *(*open)(void *), void (*close)(const json_t *variables));
/* Has it closed. */
void session_offer_return(void);
