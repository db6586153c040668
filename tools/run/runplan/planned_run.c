/* planned_run.c: in which state a run is, and its record. */
#include "planned_run.h"
#include "digest.h"
#include "made_from.h"
#include "base/die.h"
#include "base/installation.h"
#include "json/json_value.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- its state ---------------------------------------------------------------------- */

/* The number of the first line that is no record; 0: there is none. */
static unsigned long
bad_line(const char *path, int fd)
{
	struct lines in = {.fd = fd, .name = path};
	struct scan s = {0};
	size_t len;
	bool good = true;
	for (char *line; good && (line = xlines_next(&in, &len)); )
		good = scan_record(&s, line, len);
	free(s.m);
	buf_free(&in.buf);
	return good ? 0 : in.number;
}

/* Of a whole notebook.  Only its ends are read: it is longer than its run. */
static enum run_state
executed_state(const struct planned_run *r)
{
	enum { TAIL_BYTES = 64 };	/* Jupyter writes "nbformat_minor" last */
	char head = '\0', tail[TAIL_BYTES + 1] = "";
	struct stat st;
	int fd = open(r->executed, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return STATE_MISSING;
	bool whole = fstat(fd, &st) == 0 && st.st_size > TAIL_BYTES &&
	    pread(fd, &head, 1, 0) == 1 && head == '{' &&
	    pread(fd, tail, TAIL_BYTES, st.st_size - TAIL_BYTES) == TAIL_BYTES &&
	    strstr(tail, "\"nbformat_minor\"");
	close(fd);
	return whole ? STATE_CURRENT : STATE_DAMAGED;
}

/* What is wrong with the file, which the caller frees; NULL: nothing. */
static char *
damage_of(struct planned_run *r, int fd)
{
	struct stat st;
	if (fstat(fd, &st) != 0)
		die(ST_SYSTEM, "cannot read '%s':", r->path);
	if (!S_ISREG(st.st_mode))
		return xstrdup("not a regular file");
	run_ends_read(&r->ends, fd, st.st_size);
	if (!r->ends.begun || !r->ends.ended)
		return xstrdup(!st.st_size ? "empty" :
		    !r->ends.begun ? "no run record at its beginning" :
		    "no run_end record at its end");
	if (digest_run_is_whole(r->path, &st))
		return NULL;
	unsigned long bad = bad_line(r->path, fd);
	if (bad)
		return xasprintf("line %lu is no record", bad);
	digest_remember_whole(r->path, &st);
	return NULL;
}

static bool
is_damaged(struct planned_run *r, int fd)
{
	r->reason = damage_of(r, fd);
	if (!r->reason)
		return false;
	r->state = STATE_DAMAGED;
	warn("'%s' is damaged: %s; %s %s LABEL=%s makes it again", r->path, r->reason,
	    installation_command(), r->as.pass ? "explain" : "profile", r->label);
	return true;
}

void
xplanned_run_judge(struct planned_run *r)
{
	int fd = open(r->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0 && errno != ENOENT)
		die(ST_SYSTEM, "cannot open '%s':", r->path);
	r->state = STATE_MISSING;
	r->executed_state = RUN_STATES;
	if (fd < 0 || is_damaged(r, fd)) {
		if (fd >= 0)
			close(fd);
		return;
	}
	close(fd);
	const json_t *before = r->ends.made_from;
	const char *why = !r->now ? "the notebook no longer exists" :
	    !json_is_object(before) ? "no record of what it was made from" : NULL;
	r->reason = why ? xstrdup(why) : made_from_difference(before, r->now);
	r->state = r->reason ? STATE_STALE : STATE_CURRENT;
	if (!r->reason && r->ends.run.end.status == CELL_COMPLETED)
		r->executed_state = executed_state(r);
}

bool
planned_run_is_due(const struct planned_run *r)
{
	return r->required && r->state != STATE_CURRENT;
}

/* ---- its record --------------------------------------------------------------------- */

static json_t *
take_text(char *text)
{
	json_t *value = json_value_text(text);
	free(text);
	return value;
}

json_t *
planned_run_record(const struct planned_combination *c, const struct planned_run *r)
{
	enum cell_status status = r->ends.run.end.status;
	bool film = r->as.repetition == LAYOUT_FILM;
	return json_pack("{s:s, s:s, s:s, s:o, s:b, s:s?, s:s, s:s, s:s, s:s?, s:o, s:o, s:o,"
	    " s:b, s:s, s:o, s:b, s:b, s:o, s:o, s:o, s:o, s:O?}",
	    "type", "run_plan", "label", c->at.label, "name", c->name,
	    "repetition", film ? json_null() : json_integer(r->as.repetition), "film", film,
	    "profile", r->as.pass, "notebook", c->notebook, "run", r->path,
	    "executed", r->executed, "executed_state", run_state_word(r->executed_state),
	    "screenshots", take_text(layout_of_run(&c->at, LAYOUT_SCREENSHOTS, &r->as)),
	    "kernel_files", take_text(layout_of_run(&c->at, LAYOUT_KERNEL_FILES, &r->as)),
	    "profile_files",
	    r->as.pass ? take_text(layout_of_run(&c->at, LAYOUT_PROFILES, &r->as)) : json_null(),
	    "required", r->required, "state", run_state_word(r->state),
	    "reason", json_value_text(r->reason), "usable", run_state_counts(r->state),
	    "due", planned_run_is_due(r),
	    "status", json_value_text(status == CELL_STATUSES ? NULL : cell_status_word(status)),
	    "t", json_value_real(r->ends.run.t), "memory_bytes",
	    json_value_real(c->memory_bytes), "skip", json_value_text(c->skip),
	    "made_from", r->required ? r->now : NULL);
}

void
planned_run_free(struct planned_run *r)
{
	run_ends_free(&r->ends);
	free(r->reason);
	free(r->path);
	free(r->executed);
}
