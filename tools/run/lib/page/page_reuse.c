/* page_reuse.c: a page of JupyterLab that shows one notebook after another. */
#include "page/page_reuse.h"
#include "base/die.h"
#include "page/page_load.h"

enum { CALL_MS = 30000, SLACK_MS = 15000 };

static json_t *found;	/* what R.found() answered; NULL: the page was loaded for this run */

/* ---- opening ---------------------------------------------------------------------------- */

static json_t *
find_page(struct wd *w, const char *url)
{
	json_t *page = wd_script(w, "return window.__nbscopeReuse ? "
	    "window.__nbscopeReuse.found(arguments[0]) : null", json_pack("[s]", url), CALL_MS);
	return json_is_object(page) ? page : NULL;
}

static int
open_notebook(struct wd *w, const struct server_files *f, long ready_ms, char **error)
{
	page_load_set_limits(w, ready_ms);
	json_t *fault = wd_script_async(w, "window.__nbscopeReuse.open(arguments[0])"
	    ".then(() => done(''), e => done(String(e) || 'unknown'))",
	    json_pack("[s]", f->path), ready_ms + SLACK_MS);
	const char *text = json_string_value(fault);
	bool opened = text && !*text;
	if (!opened)
		*error = text ? xasprintf("the page does not open the notebook: %s", text) :
		    wd_error(w);
	json_decref(fault);
	return opened ? 0 : -1;
}

int
page_reuse_open(struct wd *w, struct server_files *f, long ready_ms, char **error)
{
	found = find_page(w, f->lab->url);
	if (found)
		return open_notebook(w, f, ready_ms, error) != 0 ? -1 :
		    page_load_wait(w, f, ready_ms, error);
	if (page_load(w, f, ready_ms, error) != 0)
		return -1;
	wd_script_do(w, "window.__nbscopeReuse.loaded(); return null", NULL, CALL_MS);
	return 0;
}

json_t *
page_reuse_record(void)
{
	return found ? json_incref(found) : json_pack("{s:i, s:n, s:n}", "notebooks_before", 0,
	    "heap_bytes", "first_heap_bytes");
}

/* ---- leaving ---------------------------------------------------------------------------- */

/* -1: the browser does not tell. */
static double
heap_bytes_after_collection(struct wd *w)
{
	json_t *collected = wd_script_cdp(w, "HeapProfiler.collectGarbage", json_object());
	json_t *usage = collected ? wd_script_cdp(w, "Runtime.getHeapUsage", json_object()) : NULL;
	json_t *used = json_object_get(usage, "usedSize");
	double bytes = used ? json_number_value(used) +
	    json_number_value(json_object_get(usage, "backingStorageSize")) : -1;
	json_decref(collected);
	json_decref(usage);
	return bytes;
}

/* A page that opened another window is not as it was. */
static bool
has_one_window(struct wd *w)
{
	json_t *handles = wd_call(w, "GET", "window/handles", NULL, CALL_MS);
	bool one = json_array_size(handles) == 1;
	json_decref(handles);
	return one;
}

bool
page_reuse_close(struct wd *w)
{
	json_t *closed = wd_script_async(w, "window.__nbscopeReuse.close()"
	    ".then(done, () => done(false))", NULL, CALL_MS);
	bool good = json_is_true(closed) && has_one_window(w);
	json_decref(closed);
	return good;
}

bool
page_reuse_collect(struct wd *w)
{
	double bytes = heap_bytes_after_collection(w);
	json_t *kept = bytes < 0 ? NULL : wd_script(w, "return window.__nbscopeReuse"
	    ".measured(arguments[0])", json_pack("[f]", bytes), CALL_MS);
	bool good = json_is_true(kept);
	json_decref(kept);
	return good;
}
