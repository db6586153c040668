/* figure_theme.c: the colours and sizes of all pictures, from share/figure/theme.json. */
#include "figure/figure_theme.h"
#include "base/die.h"
#include "base/embed.h"
#include "json/json_parse.h"

EMBED_STATIC(figure_theme_json, "share/figure/theme.json");
extern const char figure_theme_json[];

const json_t *
figure_theme(void)
{
	static json_t *theme;
	json_error_t error;
	if (!theme && !(theme = json_parse_strict(figure_theme_json, strlen(figure_theme_json),
	    &error)))
		die(ST_SYSTEM, "share/figure/theme.json, line %d: %s", error.line, error.text);
	return theme;
}

const json_t *
figure_theme_part(const char *name)
{
	const json_t *part = json_object_get(figure_theme(), name);
	if (!part)
		die(ST_SYSTEM, "share/figure/theme.json has no '%s'", name);
	return part;
}

/* A colour that is the same on any ground is one string instead of two. */
static const char *
colour_on(const json_t *colour, bool dark)
{
	return json_string_value(json_is_array(colour) ? json_array_get(colour, dark) : colour);
}

const char *
figure_theme_colour(const char *name, bool dark)
{
	const char *text = colour_on(json_object_get(figure_theme_part("colours"), name), dark);
	if (!text)
		die(ST_SYSTEM, "share/figure/theme.json has no colour '%s'", name);
	return text;
}
