/* passthrough.c: records that a filter passes on unchanged. */
#include "json/passthrough.h"

#include <unistd.h>

bool
xpassthrough_input(const struct passthrough *pass)
{
	static struct lines in = {.fd = STDIN_FILENO, .name = "stdin"};
	static struct scan s;
	size_t n;
	xlines_read(&in);
	for (char *line; (line = xlines_take(&in, &n)); ) {
		bool whole = line + n < in.buf.p + in.pos;
		xscan_record(&s, &in, line, n);
		if (pass->before)
			pass->before(&s, &in);
		if (whole)
			line[n] = '\n';
		pass->write(line, n + whole);
		if (pass->after)
			pass->after(&s, &in, whole);
	}
	if (in.eof)
		buf_free(&in.buf);
	return !in.eof;
}
