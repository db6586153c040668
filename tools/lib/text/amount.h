/* amount.h: an amount of bytes, for people. */
#ifndef AMOUNT_H
#define AMOUNT_H

#include "base/buf.h"

void amount_bytes(struct buf *, double bytes, int decimals);	/* "1.2 GB", of 10^9 bytes */

#endif
