/* profile_number.c: numbers of a profile, for people. */
#include "profile_number.h"

#include <stdio.h>
#include <string.h>

void
profile_number_count(struct buf *b, double count)
{
	char digits[64];
	size_t n;
	if (count > 1e15) {
		buf_addf(b, "%g", count);
		return;
	}
	n = (size_t)snprintf(digits, sizeof digits, "%.0f", count);
	for (size_t i = 0; i < n; i++)
		buf_addf(b, "%s%c", i && (n - i) % 3 == 0 ? "," : "", digits[i]);
}
