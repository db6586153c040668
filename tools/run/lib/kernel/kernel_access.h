/* kernel_access.h: how a driver lets other modules reach its kernel and its page. */
#pragma once

#include <jansson.h>

struct kernel_access {
	/* Evaluates a Python expression in the kernel by a silent request, which leaves nothing in
	 * the notebook or its history: its data of this MIME type; NULL and the reason in *why,
	 * which the caller frees. */
	json_t *(*evaluate)(const char *expression, const char *mime, long limit_ms, char **why);
	/* Calls a method of the browser's DevTools: its result; NULL and the reason. */
	json_t *(*call_devtools)(const char *method, json_t *params, char **why);
};
