/* celllisten.c: cellrun --listen, from the notebook's tab to the run's end. */
#include "celllisten.h"
#include "listen.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct heard {
	struct session *s;
	struct notebook nb;	/* what its file told, if there is one */
	const char *name;	/* for the records */
	json_t *tab;		/* where the notebook was open already, or NULL */
};

/* The tab that shows it; else a file of ours, put on the server; else a notebook
 * that is there, which stays the person's.  NULL, or why it cannot be had. */
static char *
open_heard(struct heard *h, const char *path)
{
	struct session *s = h->s;
	h->name = path;
	if (joined_browser() && (h->tab = tab_find(s->wd, path))) {
		h->name = json_string_value(json_object_get(h->tab, "path"));
		h->nb.kernel = json_string_value(json_object_get(h->tab, "kernel"));
		h->nb.n = (size_t)json_integer_value(json_object_get(h->tab, "code_cells"));
		return NULL;
	}
	if (!path)
		return xstrdup("no tab of the joined browser shows a notebook");
	if (!s->lab)
		return xasprintf("no tab of the joined browser shows '%s', and no server is named to open it on: JUPYTERLAB_URL is not set", path);
	if (joined_browser() && tab_open(s->wd) != 0)
		return wd_fault(s->wd);
	s->own_tab = joined_browser();
	if (access(path, F_OK) == 0) {
		const char *slash = strrchr(path, '/');
		h->nb = xread_notebook(path);
		return session_open(s, &h->nb, slash ? slash + 1 : path);
	}
	if (place_adopt(&s->place, s->lab, path) != 0)
		return xasprintf("'%s' is no file, and the server has no such notebook: %s", path, s->lab->error);
	h->nb.json = place_get(&s->place);
	h->nb.n = count_code_cells(h->nb.json);
	char *error = session_page(s);
	if (!error)
		place_adopt_kernel(&s->place);
	return error;
}

static void
put_run(const struct heard *h)
{
	json_t *r = run_record(&h->s->o, &h->nb, h->name ? h->name : "", h->s->lab, &h->s->place);
	json_object_set_new(json_object_get(r, "settings"), "listen", json_true());
	if (h->tab) {
		json_object_set_new(r, "browser", json_text_or_null(getenv("WD_BROWSER")));
		json_object_set(r, "window", json_object_get(h->tab, "window"));
		json_object_set(r, "jupyterlab", json_object_get(h->tab, "jupyterlab"));
	}
	xput_now(r);
}

static void
listen_to(struct heard *h, struct listening *l)
{
	struct session *s = h->s;
	const char *kernel_id = h->tab ? json_string_value(json_object_get(h->tab, "kernel_id")) : s->place.kernel_id;
	if (kernel_id) {
		xsession_watch(s, kernel_id);
		l->usage = s->usage;
		l->kernel_id = xstrdup(kernel_id);
	}
	listen_run(l);
	if (!s->executed)
		return;
	if (l->renamed && s->place.path) {
		free(s->place.path);
		s->place.path = xstrdup(l->renamed);
	}
	json_t *nb = listen_executed(l);
	xsession_keep(s, nb ? nb : s->place.lab ? place_get(&s->place) : NULL);
}

enum status
listen_notebook(struct session *s, const char *path)
{
	struct heard h = {.s = s};
	xsession_connect(s);
	char *broken = open_heard(&h, path);
	session_stop_if_told();
	double open_ms = session_ms(s);
	put_run(&h);
	struct listening l = {.o = &s->o, .wd = s->wd, .lab = s->lab, .cores = s->o.cores, .save = s->executed && s->place.folder, .put = xput_now,
	    .status = "server_lost", .reason = broken, .path = h.tab ? h.name : s->place.path};
	if (broken) {
		warn("%s", broken);
		xput_now(fault_record("not_opened", broken));
	} else {
		listen_to(&h, &l);
	}
	s->own_tab = s->own_tab && !l.gone;
	xsession_end(s, l.status, l.reason, l.cells, open_ms);
	bool ok = strcmp(l.status, "completed") == 0;
	listen_free(&l);
	json_decref(h.tab);
	return broken ? ST_SYSTEM : ok ? ST_OK : ST_DIFFERS;
}
