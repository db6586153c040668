/* yaml.h: one YAML document to a JSON value, by the 1.2 core schema, with merge keys. */
#pragma once

#include "json/source.h"

/* Parses the text of the source; dies with ST_INPUT if JSON cannot represent it. */
void xyaml_load(struct source *);
