/* cellinteract: runs COMMAND, whose driver runs cells, and performs gestures after them.
 * The driver (cellrun) asks after each cell; the gestures of FILE that belong there are dispatched
 * to the browser as a person's inputs are, and the driver writes what they cost. */
#include "base/die.h"
#include "base/opt.h"
#include "base/output.h"
#include "base/str.h"
#include "hook/hook_command.h"
#include "interaction.h"
#include "performer.h"
#include "run/cell_status.h"

#include <stdio.h>

static bool check;
static const char *file, *screenshots, *film, *pace;
static const struct opt opts[] = {
	{0, "check", OPT_FLAG, &check, 0, 0, NULL,
	    "check FILE, and that each NOTEBOOK has what it names; run nothing"},
	{0, "film", OPT_STRING, &film, 0, 0, "DIR",
	    "save the frames that the browser shows while a gesture is performed"},
	{0, "pace", OPT_STRING, &pace, 0, 0, "PACE",
	    "of all gestures: recorded, or fast: each input when the page has shown the last"},
	{'s', "screenshots", OPT_STRING, &screenshots, 0, 0, "DIR",
	    "save a picture of the page after each gesture that failed"},
	{0},
};
static const struct opt_usage usage = {"cellinteract",
	"[options] FILE COMMAND... | --check FILE [NOTEBOOK...]",
	"Performs the gestures in FILE after the cells that COMMAND runs.", opts};

static struct interactions interactions;
static struct notebook notebook;
static struct performer *performer;

/* No other cell runs: those that follow get no question. */
static void
skip_later(size_t cell, const char *why)
{
	for (size_t k = cell; k < notebook.n; k++)
		for (size_t i = 0; i < interactions.n; i++)
			if (interaction_follows(&interactions.v[i], &notebook.cells[k]))
				performer_skip(&interactions.v[i], &notebook.cells[k], why);
}

static void
on_recorded(size_t cell, const char *word)
{
	const struct notebook_cell *c = &notebook.cells[cell - 1];
	enum cell_status status = cell_status_of(word);
	bool bad = cell_status_outcome(status) != CELL_PASSED && status != CELL_NOT_SETTLED;
	char *why = xasprintf("cell %zu: %s", cell, word);
	for (size_t i = 0; i < interactions.n; i++) {
		const struct interaction *g = &interactions.v[i];
		if (!interaction_follows(g, c))
			continue;
		if (bad)
			performer_skip(g, c, why);
		else
			performer_perform(performer, g, c);
	}
	if (!cell_status_continues(status))
		skip_later(cell, why);
	free(why);
}

static json_t *
on_question(const char *type, const json_t *question)
{
	if (strcmp(type, "open") == 0) {
		const char *path = json_string_value(json_object_get(question, "notebook"));
		notebook = xnotebook_read(path);
		interactions = xinteractions_read(file, &notebook, path);
		performer = performer_open(question, screenshots, film, pace);
	} else if (strcmp(type, "recorded") == 0) {
		on_recorded((size_t)json_integer_value(json_object_get(question, "cell")),
		    json_string_value(json_object_get(question, "status")));
	}
	return NULL;
}

static int
check_notebooks(char *const *notebooks)
{
	json_t *cells = json_object();
	for (size_t i = 0; i < interactions.n; i++)
		json_object_set_new(cells, json_dumps(json_object_get(
		    interactions.v[i].source.root, "after_cell"), JSON_ENCODE_ANY), json_null());
	for (; *notebooks; notebooks++) {
		struct notebook nb = xnotebook_read(*notebooks);
		xinteractions_read(file, &nb, *notebooks);
	}
	printf("%zu gesture%s after %zu cell%s\n", interactions.n,
	    interactions.n == 1 ? "" : "s", json_object_size(cells),
	    json_object_size(cells) == 1 ? "" : "s");
	xoutput_close();
	return ST_OK;
}

int
main(int argc, char **argv)
{
	int first = opt_parse(argc, argv, &usage);
	if (argc - first < (check ? 1 : 2))
		opt_die(&usage, check ? "FILE is required" : "FILE and COMMAND are required");
	if (pace && strcmp(pace, "recorded") != 0 && strcmp(pace, "fast") != 0)
		opt_die(&usage, "--pace must be recorded or fast, not '%s'", pace);
	file = argv[first];
	interactions = xinteractions_read(file, NULL, NULL);
	if (check)
		return check_notebooks(argv + first + 1);
	return hook_command(argv + first + 1, on_question);
}
