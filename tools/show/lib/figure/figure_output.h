/* figure_output.h: a Vega-Lite specification, or an SVG, as files. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

enum figure_format {
	FIGURE_SVG,
	FIGURE_PNG,
	FIGURE_PDF,
	FIGURE_HTML,
	FIGURE_SPEC,
	FIGURE_FORMATS,
};
struct figure_file {
	const char *path;	/* NULL: standard output */
	enum figure_format as;
};

/* "svg", "spec", or "json", which is a specification too; FIGURE_FORMATS: another word. */
enum figure_format figure_format_of(const char *word);
/* Starts the process that draws, so that it is ready when the first figure is. */
void xfigure_output_start(void);
/* Writes all files of a specification, or of a text that is an SVG, each whole or not at all.
 * Dies with ST_SYSTEM if nothing can draw. */
void xfigure_output_write(const json_t *spec, const struct figure_file *, size_t n);
void figure_output_end(void);
