/* grid.h: the parameter grid that a file describes: axes, ranges, zipped groups, exclude and
 * include.  The text of each value is made once, so that a combination is a few copies.
 */
#pragma once

#include "json/source.h"
#include "text/condition.h"

/* One or more parameters with their values. */
struct grid_choice {
	char *json, *name;	/* "a":1,"b":2   -a1-b2 */
	size_t json_n, name_n;
	bool plain;		/* a name with it needs no hash */
	const json_t **values;	/* of an axis: equal values are the same object */
};
/* A parameter, or a zipped group. */
struct grid_axis {
	json_t *value;	/* in the file, as a member of the root */
	size_t member;
	size_t first_param, n_params;
	struct grid_choice *choices;
	size_t n_choices;
};
/* An entry of exclude or include. */
struct grid_entry {
	bool exclude;
	bool alone;	/* include: no combination has its values, so it is one itself */
	struct grid_member {
		size_t param;
		json_t *value;
		const json_t *match;	/* the axis's equal object; NULL if it has none */
		struct grid_choice choice;	/* of a parameter that only include has */
	} *members;		/* in the order of the parameters */
	size_t n_members, last_axis;	/* the last axis that it asks for */
	struct grid_choice choice;	/* of an include entry */
};
struct grid {
	const struct source *source;
	bool drops_suffix;	/* every name in the file ends in "_value" */
	bool mixed;		/* combinations differ in which parameters they have */
	struct grid_param {
		char *name;
		size_t axis, place;
	} *params;		/* those of the axes first; for the others, axis is n_axes */
	size_t n_params, n_matrix;
	json_t *numbers;	/* of parameters, by name */
	json_t *seen;		/* values, by the text of their choice */
	struct grid_axis *axes;
	size_t n_axes;
	struct grid_entry *entries;
	size_t n_entries;
	struct grid_late {	/* conditions on parameters that only include has */
		const struct condition *condition;
		size_t param;
	} *late;
	size_t n_late;
};
void xgrid_read(struct grid *, const struct source *);
/* n_params if no parameter has this name. */
size_t grid_find_param(const struct grid *, const char *name);
