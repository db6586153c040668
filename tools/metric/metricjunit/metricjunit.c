/* metricjunit: how cells ended, as a CI server shows it.
 * Reads cell_metrics and notebook_metrics; writes JUnit XML, a suite for each notebook and a
 * case for each cell, and with --markdown-to a summary for a pull request. */
#include "base/atomic_file.h"
#include "base/die.h"
#include "base/opt.h"
#include "base/output.h"
#include "junit.h"
#include "junit_markdown.h"
#include "junit_xml.h"

#include <signal.h>

static const char *out, *markdown_to, *title = "nbscope";
static long most = 20;
static const struct opt opts[] = {
	{'o', "output", OPT_STRING, &out, 0, 0, "FILE",
		"write the XML to FILE, whole or not at all"},
	{0, "markdown-to", OPT_STRING, &markdown_to, 0, 0, "FILE",
		"write a summary as Markdown to FILE"},
	{0, "title", OPT_STRING, &title, 0, 0, "TEXT", "heading of the summary, default nbscope"},
	{0, "most", OPT_INT, &most, 0, 200, "N", "list at most N cells in the summary, default 20"},
	{0},
};
static const struct opt_usage usage = {"metricjunit", "[options] [FILE...]",
	"Writes metrics as JUnit XML and as a Markdown summary.", opts};

int
main(int argc, char **argv)
{
	int first = opt_parse(argc, argv, &usage);
	signal(SIGINT, SIG_IGN);
	xscan_files(argv + first, junit_read);
	struct buf markdown = {0};
	junit_markdown(&markdown, title, (size_t)most);
	if (out)
		xatomic_file_write(out, junit_xml, NULL);
	else
		junit_xml(stdout, NULL);
	if (markdown_to)
		xatomic_file_write_buf(markdown_to, &markdown);
	xoutput_close();
	if (!junit_n && !junit_n_compared)
		die(ST_UNKNOWN, "cannot tell: the input has no metrics and no comparisons");
	return ST_OK;
}
