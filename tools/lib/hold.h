/* hold.h: what a holder's command must leave alone. */
#ifndef HOLD_H
#define HOLD_H

#include "kin.h"

enum { MOST_HELD = 32 };

/* Under make, a recipe's shell may be killed and leave us behind: we are told to
 * end when our parent does.  Orphans below us become our children. */
void hold_with_parent(void);
void hold_child_signals(void);	/* in a fork, before exec: as a program expects them */
/* The kin of each group that is held, to be freed; how many. */
size_t hold_kin(struct kin of[MOST_HELD]);
pid_t hold_janitor(void);	/* 0: none runs */

#endif
