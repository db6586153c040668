/* kernel_expression.c: what the kernel answers to an expression, in a silent request. */
#include "kernel_expression.h"
#include "base/die.h"
#include "browser/wd_script.h"
#include "json/json_text.h"

#include <stdlib.h>

enum { SLACK_MS = 5000 };

/* A JSON text is a Python literal, as json.loads() reads it. */
char *
kernel_expression_text(const char *text)
{
	json_t *value = json_string(text);
	char *literal = json_dumps(value, JSON_ENCODE_ANY | JSON_ENSURE_ASCII);
	json_decref(value);
	return literal;
}

char *
kernel_expression_value(const json_t *value)
{
	char *text = json_text_of(value), *literal = kernel_expression_text(text);
	free(text);
	return literal;
}

json_t *
kernel_expression(struct wd *w, const char *expression, long limit_ms, char **why)
{
	json_t *args = json_pack("[s, s, I]", expression, KERNEL_EXPRESSION_MIME,
	    (json_int_t)limit_ms);
	json_t *answer = wd_script_async(w, "const done = arguments[arguments.length - 1];"
	    "window.__nbscopeKernel.evaluate(...[...arguments].slice(0, 3))"
	    ".then(done, e => done({reason: String(e)}))", args, limit_ms + SLACK_MS);
	json_t *data = json_incref(json_object_get(answer, "data"));
	const char *reason = json_string_value(json_object_get(answer, "reason"));
	json_decref(args);
	if (!data)
		*why = answer ? xstrdup(reason ? reason : "no answer") : wd_error(w);
	json_decref(answer);
	return data;
}
