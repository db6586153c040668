/* amount.c: an amount of bytes, for people. */
#include "text/amount.h"
#include "base/nbscope.h"
#include "base/num.h"

void
amount_bytes(struct buf *b, double bytes, int decimals)
{
	static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB", "PB", "EB"};
	size_t i = 0;
	while (i + 1 < COUNT(units) && num_round(bytes, i ? decimals : 0) >= 1000) {
		bytes /= 1000;
		i++;
	}
	buf_addf(b, "%.*f %s", i ? decimals : 0, bytes, units[i]);
}
