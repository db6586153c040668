/* scorep_tags.c: tags of cells that say the environment and the arguments of Score-P. */
#include "notebook/scorep_tags.h"

#include <stddef.h>
#include <string.h>

json_t *
scorep_tags_of(const json_t *tags)
{
	json_t *found = json_array(), *tag;
	size_t i;
	json_array_foreach(tags, i, tag) {
		const char *text = json_string_value(tag);
		if (text && strncmp(text, SCOREP_TAGS_BEGIN, strlen(SCOREP_TAGS_BEGIN)) == 0)
			json_array_append(found, tag);
	}
	return found;
}

json_t *
scorep_tags_of_notebook(const json_t *notebook)
{
	json_t *all = json_array(), *cell;
	size_t i;
	json_array_foreach(json_object_get(notebook, "cells"), i, cell) {
		const json_t *metadata = json_object_get(cell, "metadata");
		json_t *tags = scorep_tags_of(json_object_get(metadata, "tags"));
		json_array_extend(all, tags);
		json_decref(tags);
	}
	return all;
}
