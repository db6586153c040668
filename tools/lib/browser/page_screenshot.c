/* page_screenshot.c: a picture of what the watched part of a page shows. */
#include "browser/page_screenshot.h"
#include "base/die.h"
#include "browser/wd.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { CALL_MS = 30000 };

/* Whether all pixels have one colour; -1: unknown. */
static int
is_blank(struct wd *w, json_t *png)
{
	json_t *v = wd_script_async(w,
	    "fetch('data:image/png;base64,' + arguments[0]).then(r => r.blob())"
	    ".then(createImageBitmap).then(b => {"
	    " const c = new OffscreenCanvas(b.width, b.height).getContext('2d');"
	    " c.drawImage(b, 0, 0);"
	    " const d = new Uint32Array(c.getImageData(0, 0, b.width, b.height).data.buffer);"
	    " done(d.every(v => v === d[0])) }, () => done(null))", json_pack("[O]", png), CALL_MS);
	int blank = json_is_boolean(v) ? json_is_true(v) : -1;
	json_decref(v);
	return blank;
}

/* The page's own scripts may have replaced the answer by anything. */
static bool
is_element_id(const char *word)
{
	while (word && (isalnum((unsigned char)*word) || (*word && strchr("._-", *word))))
		word++;
	return word && !*word;
}

json_t *
page_screenshot(struct wd *w, int *blank)
{
	json_t *element = wd_script(w, "const v = window.__nbscopeWatch.viewer();"
	    "window.__nbscopeWatch.scrollTo(v); return v", NULL, CALL_MS), *png = NULL;
	const char *id = json_string_value(json_object_iter_value(json_object_iter(element)));
	if (is_element_id(id)) {
		char *path = xasprintf("element/%s/screenshot", id);
		png = wd_call(w, "GET", path, NULL, CALL_MS);
		free(path);
	}
	json_decref(element);
	*blank = png ? is_blank(w, png) : -1;
	return png;
}
