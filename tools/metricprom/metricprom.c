/* metricprom: metrics as Prometheus reads them.
 * Reads cell_metrics and notebook_metrics; writes the text exposition format to
 * stdout, whole into a file for the node exporter, or to a Pushgateway.  Labels
 * are what has few values: no parameters, no error texts, no cell ids. */
#include "base/atomic_file.h"
#include "prom.h"

#include <signal.h>
#include <string.h>

static const char *out, *push;
static const struct opt opts[] = {
	{'o', "output", OPT_STRING, &out, 0, 0, "FILE", "whole into FILE, which ends in .prom where the node exporter reads it"},
	{0, "push", OPT_STRING, &push, 0, 0, "URL", "to the Pushgateway there, a group for each use case and label"},
	{'n', "notebooks", OPT_FLAG, &prom_notebooks_only, 0, 0, NULL, "whole notebooks alone, no cells"},
	{0, "most", OPT_INT, &prom_most, 1, 1e7, "N", "more series than that are refused, default 10000"},
	{0},
};
static const struct opt_usage usage = {"metricprom", "[options] [FILE...]", "Writes metrics in Prometheus' text format.", opts};

int
main(int argc, char **argv)
{
	int first = opt_parse(argc, argv, &usage);
	if (push && strncmp(push, "http://", 7) != 0 && strncmp(push, "https://", 8) != 0)
		opt_die(&usage, "--push must begin with http:// or https://, not '%s'", push);
	if (push && memchr(strstr(push, "//") + 2, '@', strcspn(strstr(push, "//") + 2, "/")))
		opt_die(&usage, "--push must hold no password: PUSHGATEWAY_USERNAME and PUSHGATEWAY_PASSWORD do");
	signal(SIGINT, SIG_IGN);
	xscan_files(argv + first, prom_take);
	struct buf text;
	prom_text(&text, NULL);
	if (push)
		prom_push(push);
	if (out || !push)
		xatomic_file_put_buf(out, &text);
	xoutput_close();
	return ST_OK;
}
