/* porter.h: a browser that is handed over while its command already runs, and given
 * back before that command ends.
 *
 * A sweep's notebooks take some tenths of a second less each: the server gets ready
 * while the browser starts, and the kernel ends while the browser is ended.  WD_HANDOVER
 * names the command's end of a socket.  From it comes one line, a JSON object of the
 * variables that would else stand in the environment (WD_SESSION ...), and then,
 * when the browser is gone, the end; nothing but the end: there will be no browser,
 * and the holder has said why.
 */
#ifndef PORTER_H
#define PORTER_H

#include "nbscope.h"

/* The holder's side.  Starts a process that makes the variables (it may die() at
 * that), hands them over and ends when the command wants the browser no more. */
void porter_start(json_t *(*open)(void *), void *arg);
/* Whether that process has ended, told once: for hold_command_tended(). */
bool porter_ended(void);
/* The browser is gone, or will be: ends that process too. */
void porter_close(void);

/* The command's side. */
bool porter_expected(void);
/* Waits for the variables and sets them; -1: none come, or http_stop was set. */
int porter_take(void);
/* The browser is wanted no more; false: nobody will end it before we do. */
bool porter_give_back(void);
/* Waits until it is gone; false: it still was after most_ms. */
bool porter_gone(int most_ms);

#endif
