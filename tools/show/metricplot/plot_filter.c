/* plot_filter.c: share/figure/figure.jq, which binds a kind of figure to what was counted. */
#include "plot_filter.h"
#include "base/child.h"
#include "base/die.h"
#include "base/embed.h"
#include "json/json_text.h"

#include <signal.h>

EMBED_STATIC(plot_figure_jq, "share/figure/figure.jq");
extern const char plot_figure_jq[];

static struct child jq;

void
xplot_filter_start(void)
{
	char *argv[] = {"jq", "-c", "--unbuffered", (char *)(uintptr_t)plot_figure_jq, NULL};
	xchild_start(&jq, argv, false);
	signal(SIGPIPE, SIG_DFL);
}

json_t *
xplot_filter(json_t *input)
{
	char *text = json_text_of(input);
	/* One that did not start is reported when it does not answer. */
	signal(SIGPIPE, SIG_IGN);
	fprintf(jq.to, "%s\n", text);
	fflush(jq.to);
	signal(SIGPIPE, SIG_DFL);
	json_t *answer = json_loadf(jq.from, JSON_DISABLE_EOF_CHECK, NULL);
	const char *error = json_string_value(json_object_get(answer, "error"));
	if (error)
		die(ST_INPUT, "cannot bind this kind of figure: %s", error);
	if (!answer)
		die(ST_SYSTEM, "cannot draw: jq failed, or is not installed");
	free(text);
	json_decref(input);
	return answer;
}

void
plot_filter_end(void)
{
	child_end(&jq);
}
