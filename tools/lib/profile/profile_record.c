/* profile_record.c: members of profile records. */
#include "profile/profile_record.h"
#include "base/die.h"

void
xprofile_record_lacks(const struct lines *in, const char *type, const char *what)
{
	die(ST_INPUT, "%s:%lu:1: a %s without %s", in->name, in->number, type, what);
}

char *
xprofile_record_text(struct scan *s, const struct lines *in, const char *type, const char *key)
{
	char *text = scan_string(s, key);
	if (!text)
		xprofile_record_lacks(in, type, key);
	return text;
}

long
profile_record_line(struct scan *s, const char *key)
{
	double x = span_number(scan_get(s, key));
	return x >= 1 && x <= 1e9 ? (long)x : 0;
}

double
profile_record_amount(struct scan *s, const char *key)
{
	double x = span_number(scan_get(s, key));
	return isfinite(x) && x > 0 ? x : 0;
}

size_t
profile_record_runs(struct scan *s)
{
	long n = profile_record_line(s, "runs");
	return n ? (size_t)n : 1;
}

void
profile_record_count(struct scan *s, size_t run, size_t *runs, size_t *last_run)
{
	if (*last_run != run)
		*runs += profile_record_runs(s);
	*last_run = run;
}
