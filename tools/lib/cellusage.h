/* cellusage.h: what processes and the machine used while one cell ran, read just
 * before its key and just after its end. */
#ifndef CELLUSAGE_H
#define CELLUSAGE_H

#include "nbscope.h"

/* The process that runs this kernel, found by its connection file's name among
 * the processes of this machine; 0: there is none. */
pid_t kernel_pid(const char *kernel_id);

struct cellusage;
/* Watches the kernel (its process, 0: elsewhere), the browser (WD_BROWSER_PID) and
 * the server above the kernel, as far as they run on this machine.  The lab may be
 * NULL.  Never NULL. */
struct cellusage *cellusage_open(struct lab *, const char *kernel_id, pid_t kernel);
/* Calls put() with a watch record for each role; borrows nothing. */
void cellusage_watches(const struct cellusage *, void (*put)(json_t *));
/* Whether the kernel's process has ended and another runs under the kernel's id. */
bool cellusage_renewed(const struct cellusage *);
void cellusage_before(struct cellusage *);
/* The reading before the last one counts: the cell began during the last. */
void cellusage_back(struct cellusage *);
/* The record's "usage": differences since cellusage_before(); json_null() when
 * that was not called for this cell. */
json_t *cellusage_after(struct cellusage *);
void cellusage_close(struct cellusage *);

/* pin.c: a process, and what it will start, on so many processors ("1") or on
 * these ("0-3,6", as taskset(1) names them).  0; -1 and a line in error. */
int pin_check(const char *processors, char error[256]);
int pin_process(pid_t, const char *processors, char error[256]);

#endif
