/* statcheck.c: a summary that somebody else made, against the rows. */
#include "stat.h"

json_t *
check_records(const struct stat *s, const char *summary, const struct list *map, double tolerance, bool *differs)
{
	(void)s, (void)summary, (void)map, (void)tolerance, (void)differs;
	return json_array();
}
