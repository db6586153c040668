/* template.h: a small template language over a JSON value.
 *   {{NAME}} {{A.B}} {{.}}              a value, always escaped: there is no way to write it raw
 *   {{HELPER VALUE ARGUMENT}}           a value in the form that a helper gives it: html.h
 *   {{#each LIST FROM TO}} {{else}} {{/each}}   its items, or one object; @first: whether it is the
 *                                       first item
 *   {{#members OBJECT}} {{else}} {{/members}}   its members; @name: the name of this one
 *   {{#if VALUE}} {{#if known VALUE}} {{#if VALUE = "text"}} {{#if VALUE > 1}} {{else}} {{/if}},
 *                                       and #unless
 *   {{>PART}} or <!--nbscope:PART-->    another template with the same values; data: the model
 *   {{! a comment }}
 * A name is looked up in the innermost item that has it. False are null, false, 0, and empty
 * texts and lists. A line that has nothing but a tag of a block or a comment is left out. */
#pragma once

#include "base/buf.h"

#include <jansson.h>

struct html_template {
	const char *file;	/* in messages */
	const char *text;
	bool raw;	/* not a template: a style or a script, written as it is */
	struct template_node *nodes;	/* private */
};
/* Returns a part by its name; or NULL, and sets the reason. */
typedef struct html_template *template_part(const char *name, const char **reason);
/* Stands for an item of a list that is made when a template comes to it. */
struct template_mark {
	json_t null;	/* another one than json_null() */
	json_t *(*make)(const struct template_mark *);	/* a new reference */
};
#define TEMPLATE_MARK(make) ((struct template_mark){{JSON_NULL, SIZE_MAX}, make})
/* Makes all items in the lists of a model. */
void template_make_items(json_t *model);

/* Dies with FILE:LINE:COLUMN: REASON where the template is not valid. */
void xtemplate_write(struct buf *, struct html_template *, json_t *model, template_part *);
