/* page_screenshot.c: a picture of what a cell, or a page, shows. */
#include "browser/page_screenshot.h"
#include "base/die.h"
#include "base/embed.h"
#include "browser/page_script.h"

EMBED_STATIC(page_picture_js, "share/page/picture.js");
extern const char page_picture_js[];

enum { CALL_MS = 30000 };

/* Calls a function of picture.js; NULL if it failed. */
static json_t *
call_script(struct wd *w, const char *before, const char *function, json_t *args)
{
	char *script = xasprintf("%s; Promise.resolve([...arguments].slice(0, -1))"
	    ".then(args => window.__nbscopePicture.%s(...args))"
	    ".then(v => done({value: v}), e => done({fault: String(e)}))", before, function);
	json_t *answer = wd_script_async(w, script, args, CALL_MS);
	json_t *value = json_incref(json_object_get(answer, "value"));
	json_decref(answer);
	free(script);
	return value;
}

static const char *
text_of(const json_t *o, const char *name)
{
	return json_string_value(json_object_get(o, name));
}

/* The page's own scripts may have replaced any answer. */
void
page_screenshot_take(struct page_screenshot *s, struct wd *w, long position, bool changes)
{
	char *script = page_script_protected(page_picture_js);
	json_t *at = position < 0 ? json_null() : json_integer(position), *png, *ready;
	json_t *begun = call_script(w, script, "begin", json_pack("[o, b]", at, changes));
	const char *reason = begun ? text_of(begun, "reason") : "page_fault";
	const char *note = reason ? reason : text_of(begun, "note");
	*s = (struct page_screenshot){.blank = -1};
	while (!reason && (ready = call_script(w, "", "next", NULL)) == json_true()) {
		if (!json_is_string(png = wd_call(w, "GET", "screenshot", NULL, CALL_MS)))
			reason = note = "page_fault";
		else
			json_decref(call_script(w, "", "add", json_pack("[O]", png)));
		json_decref(png);
	}
	json_t *end = begun && !text_of(begun, "reason") ? call_script(w, "", "end", NULL) : NULL;
	s->png = text_of(end, "png") ? json_incref(json_object_get(end, "png")) : NULL;
	if (s->png)
		s->blank = json_is_true(json_object_get(end, "blank"));
	if (!s->png && !reason)
		note = "hidden";
	else if (json_is_true(json_object_get(end, "cut")))
		note = "cut";
	s->note = note ? xstrdup(note) : NULL;
	json_decref(begun);
	json_decref(end);
	free(script);
}

void
page_screenshot_free(struct page_screenshot *s)
{
	json_decref(s->png);
	free(s->note);
}
