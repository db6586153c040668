/* profile_text.c: pieces of a profile as text for people. */
#include "profile_text.h"
#include "base/die.h"
#include "profile/profile_place.h"
#include "text/text.h"
#include "text/unit.h"

#include <stdio.h>

void
profile_text_count(struct buf *b, double count)
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

void
profile_text_cell(struct buf *b, const struct profile_cell *c)
{
	if (c->gesture)
		buf_addf(b, "gesture %ld after ", c->gesture);
	if (c->index)
		buf_addf(b, "cell %ld", c->index);
	else
		buf_addf(b, "the time between cells");
	if (c->page)
		buf_addf(b, " in the page");
	if (c->processes)
		buf_addf(b, " in %ld worker process%s", c->processes,
		    c->processes > 1 ? "es" : "");
}

void
profile_text_pass(struct buf *b, const struct profile_pass *p)
{
	double kernel_s = profile_fold_kernel_s(p);
	buf_addf(b, "%s: %s; %zu run%s", p->profiler, p->version ? p->version : "version unknown",
	    p->runs, text_plural(p->runs));
	if (isfinite(kernel_s))
		buf_addf(b, "; the kernel took %s with it", unit_time(kernel_s).p);
	if (isfinite(p->without_s))
		buf_addf(b, "%s%s without", isfinite(kernel_s) ? ", " : "; the kernel took ",
		    unit_time(p->without_s).p);
	if (isfinite(kernel_s) && p->without_s > 0)
		buf_addf(b, " (%.2f times)", kernel_s / p->without_s);
	if (p->error)
		buf_addf(b, "; the cell raised %s", p->error);
	if (p->reason)
		buf_addf(b, "; %s", p->reason);
	if (p->note)
		buf_addf(b, "; %s", p->note);
	if (p->left_out > 0) {
		buf_addf(b, "; ");
		profile_text_count(b, p->left_out);
		buf_addf(b, " rows left out");
	}
}

void
profile_text_place(struct buf *b, const char *file, long line, const char *function)
{
	bool built_in = strcmp(file, "~") == 0;
	if (!built_in || !function)
		buf_addf(b, "%s", profile_place_short(file));
	if (!built_in && line)
		buf_addf(b, ":%ld", line);
	if (function && strcmp(function, file) != 0)
		buf_addf(b, "%s%s", built_in ? "" : " ", function);
}
