/* profile_order.h: what was found in a cell, in the order in which it is shown. */
#ifndef PROFILE_ORDER_H
#define PROFILE_ORDER_H

#include "profile/profile_fold.h"

/* Code with a time: the cells' own first, then what took longest.  The list is the caller's. */
const struct profile_code **profile_order_codes(const struct profile_cell *, size_t *n);
/* Allocations at the end or at the peak, the largest first.  The list is the caller's. */
const struct profile_allocation **profile_order_allocations(const struct profile_cell *,
    bool at_end, size_t *n);

#endif
