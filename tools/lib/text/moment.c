/* moment.c: dates with a time of day, as ISO 8601 and SQL write them. */
#include "text/moment.h"
#include "base/nbscope.h"

#include <time.h>

double
moment_unix_s(const char *text)
{
	struct tm tm = {0};
	double fraction = 0;
	bool four = strspn(text, "0123456789") == 4;
	const char *p = four ? strptime(text, "%Y-%m-%d", &tm) : NULL;
	if (p && (*p == 'T' || *p == ' ')) {
		const char *minutes = strptime(p + 1, "%H:%M", &tm);
		p = minutes && *minutes == ':' ? strptime(minutes, ":%S", &tm) : minutes;
	}
	if (p && *p == '.') {
		char *end;
		fraction = strtod(p, &end);
		p = end;
	}
	if (p && *p && strcmp(p, " UTC") != 0 && ((p = strptime(p, " %z", &tm)), p && *p))
		return NAN;
	long ahead_s = tm.tm_gmtoff;
	return p ? (double)(timegm(&tm) - ahead_s) + fraction : (double)NAN;
}
