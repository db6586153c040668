/* metricjunit: how cells ended, as a CI server shows it.
 * Reads cell_metrics and notebook_metrics; writes JUnit XML, a suite a notebook
 * and a case a cell, and with --markdown-to a summary for a pull request. */
#include "base/atomic_file.h"
#include "junit.h"

#include <signal.h>

static const char *out, *markdown_to, *title = "nbscope";
static long most = 20;
static const struct opt opts[] = {
	{'o', "output", OPT_STRING, &out, 0, 0, "FILE", "the XML whole into FILE"},
	{'m', "markdown-to", OPT_STRING, &markdown_to, 0, 0, "FILE", "a summary as Markdown into FILE"},
	{'t', "title", OPT_STRING, &title, 0, 0, "TEXT", "the summary's heading, default nbscope"},
	{0, "most", OPT_INT, &most, 0, 200, "N", "the summary's longest list, default 20"},
	{0},
};
static const struct opt_usage usage = {"metricjunit", "[options] [FILE...]", "Writes metrics as JUnit XML and as a Markdown summary.", opts};

int
main(int argc, char **argv)
{
	int first = opt_parse(argc, argv, &usage);
	signal(SIGINT, SIG_IGN);
	xscan_files(argv + first, suite_take);
	struct buf xml = {0}, markdown = {0};
	suite_xml(&xml);
	suite_markdown(&markdown, title, (size_t)most);
	xatomic_file_put_buf(out, &xml);
	if (markdown_to)
		xatomic_file_write_buf(markdown_to, &markdown);
	xoutput_close();
	return ST_OK;
}
