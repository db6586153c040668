/* wait_cause.h: because of which processes kernel and browser waited for processors. */
#ifndef WAIT_CAUSE_H
#define WAIT_CAUSE_H

/* OWN: kernel, browser and server themselves; UNKNOWN: the machine's CPU time is. */
enum wait_cause { WAIT_NONE, WAIT_OTHERS, WAIT_OWN, WAIT_UNKNOWN, WAIT_CAUSES };
/* The words of the column run_queue_wait_cause; NULL: there is none. */
extern const char *const wait_cause_words[WAIT_CAUSES];

#endif
