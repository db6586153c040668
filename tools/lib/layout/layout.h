/* layout.h: how the files of a run are named below a use case.
 * A run is called NAME[@profile-PASS][@K|@film] after its combination, its profiler pass and its
 * repetition. Its record, notebook and pictures have this name in the folders of its label. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { LAYOUT_FILM = 0 };	/* the repetition of a filmed run */

struct layout_run {
	const char *name;	/* of the combination */
	const char *pass;	/* profilers, joined by +; NULL: a run whose times count */
	long repetition;	/* from 1, or LAYOUT_FILM */
};

char *layout_run_name(const struct layout_run *);
/* What follows the combination's name: "", "@2", "@film", "@profile-lines@2". */
char *layout_run_suffix(const struct layout_run *);
/* "NAME@profile-", with which the names of all profile runs of a combination begin. */
char *layout_profile_prefix(const char *name);
/* Whether a file in the folder of runs is one of the combination's. Sets the pass, which the caller
 * frees, and the repetition. */
bool layout_read_run(const char *file, const char *name, char **pass, long *repetition);

/* Paths below the folder of a use case, of a label. */
struct layout {
	const char *folder, *label;
};
char *layout_notebook(const struct layout *, const char *name);
char *layout_combinations(const struct layout *);
char *layout_runs(const struct layout *);	/* the folder of a label's runs */
/* A file of make's own in that folder: "settings", "plan", "digests", "rerun". */
char *layout_runs_file(const struct layout *, const char *what);
enum layout_kind {
	LAYOUT_RECORD,
	LAYOUT_KERNEL_FILES,	/* that the command of KERNEL_PREFIX wrote */
	LAYOUT_EXECUTED, LAYOUT_SCREENSHOTS,
	LAYOUT_PROFILES,	/* files of the profilers for other viewers */
};
char *layout_of_run(const struct layout *, enum layout_kind, const struct layout_run *);
/* What a profiler pass is to find in a combination: its profilers, cells and functions. */
char *layout_profile_spec(const struct layout *, const char *name, const char *pass);
/* The folders whose contents are put next to each notebook: the use case's files/, and the
 * links to what FILES names for a single notebook. */
enum { LAYOUT_FILES = 2 };
char *layout_files(const struct layout *, size_t i);
/* The gestures that are performed after cells. */
char *layout_interactions(const struct layout *);
