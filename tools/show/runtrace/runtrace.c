/* runtrace: writes a run as a trace, for trace viewers.
 * Reads the records of a run; writes a Chrome trace (Perfetto opens it) or an OTF2 archive
 * (Vampir does).  All is on the clock of the samples, since a sample comes before the record
 * that holds the offset of the other clocks. */
#include "base/opt.h"
#include "base/output.h"
#include "trace_cell.h"
#include "trace_chrome.h"
#include "trace_group.h"
#include "trace_number.h"
#include "trace_otf2.h"
#include "trace_run.h"
#include "trace_stack.h"

#include <signal.h>

static const char *otf2_to;
static const struct opt opts[] = {
	{0, "otf2", OPT_STRING, &otf2_to, 0, 0, "DIR",
		"write an OTF2 archive into the new folder DIR"},
	{0},
};
static const struct opt_usage usage = {"runtrace", "[options] [FILE]",
	"Writes a run as a Chrome trace, or as an OTF2 archive.", opts};

static struct run_reader reader;

static void
trace_event(struct scan *s, const struct lines *in)
{
	int64_t page_shift_us = llround(run_page_shift_s(&reader) * 1e6);
	if (scan_type_is(s, "sample"))
		trace_sample(s, trace_run_until(xtrace_record_us(s, in)));
	else if (scan_type_is(s, "interaction") && !span_is(scan_get(s, "t"), "null"))
		trace_interaction(s, xtrace_record_us(s, in) + page_shift_us);
	else if (scan_type_is(s, "interaction_step"))
		trace_interaction_step(s, xtrace_record_us(s, in) + page_shift_us);
	else if (scan_type_is(s, "console") || scan_type_is(s, "viz"))
		trace_run_instant(s, "console", xtrace_record_us(s, in) + page_shift_us);
	else if (scan_type_is(s, "fault") || scan_type_is(s, "sampler"))
		trace_run_instant(s, "events", xtrace_record_us(s, in));
}

static void
trace_record(struct scan *s, const struct lines *in, const char *line, size_t len)
{
	(void)line, (void)len;
	enum run_record kind = run_record_kind(s);
	if (kind != RUN_OTHER)
		trace_stack_end();
	if (kind == RUN_BEGIN) {
		xtrace_record_us(s, in);
		trace_run_end(&reader);
	}
	if (kind == RUN_OTHER) {
		if (!trace_stack_read(s))
			trace_event(s, in);
		return;
	}
	run_read(&reader, s);
	if (kind == RUN_BEGIN) {
		trace_run_begin(s, &reader);
		trace_cells_begin();
	} else if (kind == RUN_WATCH) {
		if (!span_null(scan_get(s, "pid")))
			trace_group_of(scan_get(s, "role"), scan_get(s, "pid"));
	} else if (kind == RUN_CELL) {
		trace_cell(s, &reader);
	} else if (kind == RUN_END) {
		trace_run_until(xtrace_record_us(s, in));
		trace_run_end(&reader);
	}
}

int
main(int argc, char **argv)
{
	int first = opt_parse(argc, argv, &usage);
	if (argc - first > 1)
		opt_die(&usage, "more than one file");
	signal(SIGINT, SIG_IGN);
	trace_writer = otf2_to ? xtrace_otf2(otf2_to) : trace_chrome();
	xscan_files(argv + first, trace_record);
	trace_stack_end();
	trace_run_end(&reader);
	char *about = trace_run_about();
	trace_writer->close(about);
	free(about);
	xoutput_close();
	return ST_OK;
}
