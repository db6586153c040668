/* html.h: text and numbers in HTML. Everything from outside becomes text: attributes are always
 * quoted, and every character that is special in text or in an attribute is escaped. */
#pragma once

#include "base/buf.h"

#include <jansson.h>

/* Lets all that follows be plain text, without escapes, or HTML again. */
void html_set_plain(bool);
/* An address relative to the page, in characters that are valid there; slashes are kept. */
void html_url(struct buf *, const char *);
/* JSON inside a <script>. */
void html_script_json(struct buf *, const json_t *);
/* Returns whether a name from a record is a file's name, without any folder. */
bool html_is_file_name(const char *);

/* One value: text as it is, nothing for null, everything else as JSON. */
void html_json(struct buf *, const json_t *);
/* A helper of templates writes a value in some form, or a dash for an unknown number. */
struct html_helper;
const struct html_helper *html_helper_of(const char *name);	/* NULL: there is none */
void html_help(struct buf *, const struct html_helper *, const json_t *, const char *arg);
