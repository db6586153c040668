/* layout.c: how the files of a run are named below a use case. */
#include "layout/layout.h"
#include "base/buf.h"
#include "base/die.h"
#include "base/str.h"

#define RECORD ".jsonl"
#define FILM "@film"
#define PROFILE "@profile-"

char *
layout_run_suffix(const struct layout_run *r)
{
	struct buf b = {0};
	buf_addf(&b, "%s%s", r->pass ? PROFILE : "", r->pass ? r->pass : "");
	if (r->repetition == LAYOUT_FILM)
		buf_addf(&b, FILM);
	else if (r->repetition > 1)
		buf_addf(&b, "@%ld", r->repetition);
	return b.p;
}

char *
layout_run_name(const struct layout_run *r)
{
	char *suffix = layout_run_suffix(r), *name = xasprintf("%s%s", r->name, suffix);
	free(suffix);
	return name;
}

char *
layout_profile_prefix(const char *name)
{
	return xasprintf("%s" PROFILE, name);
}

/* The repetition that "", "@2" or "@film" means; -1: none. */
static long
repetition_of(const char *suffix, bool may_be_film)
{
	char *end;
	if (!*suffix)
		return 1;
	if (strcmp(suffix, FILM) == 0)
		return may_be_film ? LAYOUT_FILM : -1;
	if (*suffix != '@' || suffix[1] < '1' || suffix[1] > '9')
		return -1;
	long k = strtol(suffix + 1, &end, 10);
	return k > 1 && !*end ? k : -1;
}

bool
layout_read_run(const char *file, const char *name, char **pass, long *repetition)
{
	size_t n = strlen(name), profile_n = strlen(PROFILE);
	*pass = NULL;
	if (strncmp(file, name, n) != 0 || !str_ends_with(file, RECORD))
		return false;
	char *suffix = xasprintf("%.*s", (int)(strlen(file) - n - strlen(RECORD)), file + n);
	const char *rest = suffix;
	if (strncmp(suffix, PROFILE, profile_n) == 0) {
		size_t pass_n = strcspn(suffix + profile_n, "@");
		*pass = xasprintf("%.*s", (int)pass_n, suffix + profile_n);
		rest = suffix + profile_n + pass_n;
	}
	*repetition = repetition_of(rest, !*pass);
	free(suffix);
	if (*repetition >= 0 && !(*pass && !**pass))
		return true;
	free(*pass);
	*pass = NULL;
	return false;
}

char *
layout_notebook(const struct layout *l, const char *name)
{
	return xasprintf("%s/notebooks/%s.ipynb", l->folder, name);
}

char *
layout_combinations(const struct layout *l)
{
	return xasprintf("%s/notebooks/.combinations.jsonl", l->folder);
}

char *
layout_runs(const struct layout *l)
{
	return xasprintf("%s/runs/%s", l->folder, l->label);
}

char *
layout_runs_file(const struct layout *l, const char *what)
{
	return xasprintf("%s/runs/%s/.%s", l->folder, l->label, what);
}

char *
layout_of_run(const struct layout *l, enum layout_kind kind, const struct layout_run *r)
{
	static const struct { const char *folder, *end; } kinds[] = {
		[LAYOUT_RECORD] = {"runs", RECORD}, [LAYOUT_KERNEL_FILES] = {"runs", ".files"},
		[LAYOUT_EXECUTED] = {"executed", ".ipynb"},
		[LAYOUT_SCREENSHOTS] = {"screenshots", ""}, [LAYOUT_PROFILES] = {"profiles", ""},
	};
	char *name = layout_run_name(r);
	char *path = xasprintf("%s/%s/%s/%s%s", l->folder, kinds[kind].folder, l->label, name,
	    kinds[kind].end);
	free(name);
	return path;
}

char *
layout_profile_spec(const struct layout *l, const char *name, const char *pass)
{
	char *run = layout_run_name(&(struct layout_run){name, pass, 1});
	char *path = xasprintf("%s/runs/%s/.profile/%s.json", l->folder, l->label, run);
	free(run);
	return path;
}

char *
layout_files(const struct layout *l, size_t i)
{
	static const char *const folders[LAYOUT_FILES] = {"files", "notebooks/.files"};
	return xasprintf("%s/%s", l->folder, folders[i]);
}

char *
layout_interactions(const struct layout *l)
{
	return xasprintf("%s/interactions.jsonl", l->folder);
}
