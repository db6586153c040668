/* scaling_words.c: how a cost grows, in words. */
#include "stats/scaling_words.h"
#include "base/die.h"
#include "stats/scaling.h"

enum { MIN_LEVELS = 3 };	/* two values lie on every law */

bool
scaling_holds(size_t levels, double low, double high)
{
	return levels >= MIN_LEVELS && (low > 0 || high < 0);
}

char *
scaling_word(size_t levels, double k, double low, double high)
{
	static const struct { double k; const char *word; } known[] =
	    {{0, "constant"}, {0.5, "square root"}, {1, "linear"}, {2, "quadratic"}, {3, "cubic"}};
	size_t nearest = 0;
	bool wide = !(high - low <= SCALING_MAX_WIDTH);
	for (size_t i = 1; i < COUNT(known); i++)
		if (fabs(known[i].k - k) < fabs(known[nearest].k - k))
			nearest = i;
	if (levels < MIN_LEVELS || (wide && !scaling_holds(levels, low, high)) ||
	    (nearest && !scaling_holds(levels, low, high)))
		return xstrdup("unknown");
	if (wide)
		return xstrdup(low > 0 ? "growing" : "falling");
	if ((known[nearest].k >= low && known[nearest].k <= high) ||
	    fabs(known[nearest].k - k) < 0.02)
		return xstrdup(known[nearest].word);
	if (fabs(known[nearest].k - k) < 0.1)
		return xasprintf("nearly %s", known[nearest].word);
	if (k < 0)
		return xstrdup("falling");
	for (size_t i = 0; i + 1 < COUNT(known); i++)
		if (k > known[i].k && k < known[i + 1].k)
			return xasprintf("between %s and %s", known[i].word, known[i + 1].word);
	return xstrdup("more than cubic");
}

char *
scaling_interval(double low, double high)
{
	if (isfinite(low) && isfinite(high))
		return xasprintf("%.2f to %.2f", low, high);
	if (isfinite(low) || isfinite(high))
		return xasprintf("%.2f or %s", isfinite(low) ? low : high,
		    isfinite(low) ? "more" : "less");
	return xstrdup("any");
}

char *
scaling_bad_text(double off, double noise)
{
	return xasprintf("no simple law fits (off by %.2g %%, runs differ by %.2g %%)", 100 * off,
	    100 * noise);
}
