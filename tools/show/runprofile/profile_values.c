/* profile_values.c: the value of a function or a line in each run. */
#include "profile_values.h"
#include "base/die.h"

void
profile_values_append(struct scan *s, struct profile_values *to, size_t run, double time_s,
    double count)
{
	if (scan_get(s, "runs").p)
		return;
	if (!to->n || to->v[to->n - 1].run != run) {
		*XAPPEND(to->v, to->n) = (struct profile_value){.run = run};
	}
	to->v[to->n - 1].time_s += time_s;
	to->v[to->n - 1].count += count;
}
