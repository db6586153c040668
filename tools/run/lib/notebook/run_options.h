/* run_options.h: the options that every driver of a run has. */
#pragma once

#include "base/opt.h"
#include "jupyter/lab.h"
#include "run/run_defaults.h"

#include <jansson.h>

enum { MAX_WITH_FILES = 64 };

/* Rows of an option table. */
#define PAGE_OPTIONS \
	{0, "wait", OPT_STRING, &run_options.wait, 0, 0, "WHICH", \
		"which cells wait for their output to settle: auto, tags or none; default auto"}, \
	{'v', "viz-selector", OPT_STRING, &run_options.selector, 0, 0, "CSS", \
		"what to watch for visible changes; default: everything that cells show"}, \
	{0, "settle-ms", OPT_INT, &run_options.settle_ms, 1, 60000, "MS", \
		"an output that has not changed for this long has settled; " \
		RUN_DEFAULT(RUN_SETTLE_MS)}
#define RUN_OPTIONS \
	{0, "with-file", OPT_CALL, NULL, 0, 0, "PATH", \
		"put a file, or a folder's content, next to the notebook; repeatable", \
		run_options_add_file}, \
	{0, "cold", OPT_FLAG, &run_options.cold, 0, 0, NULL, \
		"first drop these files from the system's page cache"}, \
	{0, "max-wait-time", OPT_REAL, &run_options.max_wait_s, 0.1, 86400, "S", \
		"limit for each cell; " RUN_DEFAULT(RUN_MAX_WAIT_S)}, \
	{'e', "executed", OPT_STRING, &run_options.executed, 0, 0, "FILE", \
		"write the executed notebook with its outputs"}, \
	{0, "kernel", OPT_STRING, &run_options.kernel, 0, 0, "NAME", \
		"kernelspec on the server; default: the notebook's own"}, \
	{0, "run-path", OPT_STRING, &run_options.run_path, 0, 0, "PATH", \
		"what {run} in KERNEL_PREFIX stands for; default: the notebook's name, in the " \
		"folder of labserve"}, \
	{0, "cores", OPT_STRING, &run_options.cores, 0, 0, "N|LIST", \
		"pin the kernel to N processors, or to those in a list such as 0-3,6"}, \
	{'l', "label", OPT_STRING, &run_options.label, 0, 0, "LABEL", \
		"label, for the run record; default current"}, \
	{0, "repetition", OPT_INT, &run_options.repetition, 0, 1000000, "K", \
		"repetition, for the run record; 0: a film; default 1"}, \
	{0, "attempt", OPT_INT, &run_options.attempt, 1, 1000, "K", \
		"attempt, for the run record; default 1"}, \
	{0, "before", OPT_STRING, &run_options.before, 0, 0, "TEXT", \
		"how the earlier attempts ended, for a fault record"}, \
	{0, "made-from", OPT_STRING, &run_options.made_from_text, 0, 0, "JSON", \
		"what the run is made from (see runplan), for the run record"}, \
	{0, "insecure", OPT_FLAG, &lab_insecure, 0, 0, NULL, \
		"accept any TLS certificate of the server, with a warning"}, \
	{0, "ready-timeout", OPT_INT, &run_options.ready_timeout_s, 1, 3600, "S", \
		"limit until the notebook is open and its kernel ready; default 120"}
/* What a driver has besides that runs the cells itself. */
#define CELL_OPTIONS \
	{0, "noise", OPT_FLAG, &run_options.noise, 0, 0, NULL, \
		"first measure how steady the machine is, for a machine_noise record"}, \
	{0, "no-extension", OPT_FLAG, &run_options.no_extension, 0, 0, NULL, \
		"load no IPython extension for cells with its magics"}, \
	{0, "skip", OPT_STRING, &run_options.skip, 0, 0, "REASON", \
		"run nothing: record every cell as skipped, with this reason"}

struct run_options {	/* strings: NULL if not given */
	const char *label;
	const char *cores;	/* the kernel's, see affinity.h; NULL: all */
	const char *kernel;	/* a kernelspec; NULL: the notebook's own */
	const char *executed;	/* where the executed notebook is written */
	const char *run_path;	/* for {run}, see kernel_prefix.h */
	const char *skip, *before, *made_from_text;
	const char *with_files[MAX_WITH_FILES];	/* copied to the notebook's folder */
	size_t n_files;
	long repetition, attempt, ready_timeout_s;
	double max_wait_s;
	bool noise;
	bool no_extension;
	const json_t *extension;	/* what became of it, see extension.h; NULL: not needed */
	bool cold;	/* files are dropped from memory before the run */
	json_t *made_from;	/* made_from_text; NULL: unknown */
	json_t *hooks;	/* what hooks add to the settings: cell_hook.h; NULL: none */

	/* What only a run in a page has. */
	bool page, screenshots, filmed;
	const char *wait, *selector;
	long settle_ms;
};
extern struct run_options run_options;

void run_options_add_file(const char *path);
/* For a driver with a page: the defaults of PAGE_OPTIONS. */
void run_options_set_page(void);
/* What the table cannot check; dies with ST_USAGE. */
void run_options_check(const struct opt_usage *);
