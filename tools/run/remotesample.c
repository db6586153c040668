/* remotesample: runs COMMAND, whose driver's kernel is sampled where it is, if that is elsewhere.
 * The driver (cellrun or kernelrun) asks before and after each cell; Python in the kernel reads
 * what it has used, which becomes the usage in the cell's record, and samples. */
#include "base/clock.h"
#include "base/die.h"
#include "base/embed.h"
#include "base/num.h"
#include "base/opt.h"
#include "hook/hook_command.h"
#include "hook/hook_driver.h"
#include "json/json_value.h"
#include "kernel/kernel_clock.h"
#include "kernel/kernel_process.h"
#include "kernel/python_literal.h"
#include "run/role.h"

#include <jansson.h>

#define MODULE "_nbscope_remote"

enum { START_MS = 30000, ASK_MS = 10000, MAX_PARTS = 256 };

EMBED_STATIC(remote_py, "share/ipython/nbscope/remote.py");
extern const char remote_py[];

struct remote_usage {
	double interval_ms;
	char *reason;	/* why nothing is known; or NULL */
	json_t *machine;	/* the kernel's, and the limits of its cgroup; NULL: unknown */
	bool begun;	/* the cell has a baseline */
	struct kernel_clock clock;
	size_t requests, bytes;	/* to the module, in this cell */
	double asked_s;	/* how long they took */
};

/* The module's answer to a call, a text; NULL: none, and why. */
static json_t *
call_module(struct remote_usage *r, const char *expression, long limit_ms, char **why)
{
	double sent_s = clock_unix_s();
	json_t *text = hook_driver_evaluate(expression, limit_ms, why);
	r->requests++;
	r->bytes += json_string_length(text);
	r->asked_s += clock_unix_s() - sent_s;
	return text;
}

/* The kernel's date in an answer bounds the offset of its clock. */
static void
bound_offset(struct remote_usage *r, const json_t *answer, double sent_s)
{
	double now = json_value_real_at(answer, "now");
	if (!isnan(now))
		kernel_clock_bound(&r->clock, (now - clock_unix_s()) * 1000,
		    (now - sent_s) * 1000);
}

/* The module's answer, which is an object as JSON; NULL: none, and why. */
static json_t *
ask_module(struct remote_usage *r, const char *expression, long limit_ms, char **why)
{
	double sent_s = clock_unix_s();
	json_t *text = call_module(r, expression, limit_ms, why);
	json_t *answer = text ? json_loads(json_string_value(text), 0, NULL) : NULL;
	if (text && !answer)
		*why = xstrdup("its answer is not JSON");
	bound_offset(r, answer, sent_s);
	json_decref(text);
	return answer;
}

static json_t *
ask_function(struct remote_usage *r, const char *call, char **why)
{
	char *expression = xasprintf("__import__('sys').modules['" MODULE "'].%s()", call);
	json_t *answer = ask_module(r, expression, ASK_MS, why);
	free(expression);
	return answer;
}

/* ---- a run --------------------------------------------------------------------------------- */

/* Starts sampling.  NULL: the kernel's process is on this machine. */
static struct remote_usage *
remote_usage_open(double interval_ms, const char *kernel_id)
{
	static struct remote_usage r;
	if (kernel_process_find(kernel_id))
		return NULL;
	r = (struct remote_usage){.interval_ms = interval_ms};
	kernel_clock_reset(&r.clock);
	char *source = python_literal(remote_py), *module = python_module(MODULE, remote_py);
	char *expression = xasprintf("%s.start(%s, %g)", module, source, interval_ms / 1000);
	json_t *answer = ask_module(&r, expression, START_MS, &r.reason);
	r.machine = json_incref(json_object_get(answer, "machine"));
	if (r.reason)
		warn("the kernel cannot be sampled on its machine: %s", r.reason);
	json_decref(answer);
	free(expression);
	free(module);
	free(source);
	return &r;
}

/* Before a cell is pressed. */
static void
remote_usage_before(struct remote_usage *r)
{
	r->requests = r->bytes = 0;
	r->asked_s = 0;
	r->begun = false;
	if (r->reason)
		return;
	char *why = NULL;
	json_t *answer = ask_function(r, "before", &why);
	r->begun = answer != NULL;
	json_decref(answer);
	free(why);
}

/* ---- after a cell -------------------------------------------------------------------------- */

/* 0 where that is possible: on the same clock. */
static double
offset_s(const struct remote_usage *r)
{
	double offset_ms = kernel_clock_offset(&r->clock);
	return fabs(offset_ms) > kernel_clock_error(&r->clock) ? offset_ms / 1000 : 0;
}

/* A sample of the kernel, whose dates become those of this machine's clock. */
static bool
accept_sample(json_t *record, const void *remote)
{
	static const char *const dates[] = {"t", "gpu_t"};
	const char *type = json_string_value(json_object_get(record, "type"));
	const char *role = json_string_value(json_object_get(record, "role"));
	if (strcmp(type, "sample") != 0 || !role || strcmp(role, role_word(ROLE_KERNEL)) != 0)
		return false;
	for (size_t i = 0; i < COUNT(dates); i++) {
		double t = json_value_real_at(record, dates[i]) - offset_s(remote);
		if (isfinite(t))
			json_object_set_new(record, dates[i], json_value_time(t));
	}
	return true;
}

static void
take_samples(struct remote_usage *r)
{
	static const char call[] = "__import__('sys').modules['" MODULE "'].take()";
	size_t bad = 0, n = 1;
	char *why = NULL;
	for (int part = 0; part < MAX_PARTS && n; part++) {
		json_t *text = call_module(r, call, ASK_MS, &why);
		n = json_string_length(text);
		bad += hook_driver_write_lines(json_string_value(text), n, accept_sample, r);
		json_decref(text);
	}
	if (bad)
		warn("%zu lines from the kernel's sampler are not samples and were left out", bad);
	if (why)
		warn("samples of the kernel are missing: %s", why);
	free(why);
}

/* What this has cost, where the kernel is and on the way. */
static void
write_cost(const struct remote_usage *r, const json_t *answer)
{
	double error_ms = kernel_clock_error(&r->clock);
	hook_driver_write(json_pack("{s:s, s:o, s:f, s:I, s:o, s:o, s:b, s:I, s:I, s:o, s:o, s:o}",
	    "type", "remote_sampler", "t", json_value_time(clock_unix_s()),
	    "interval_ms", r->interval_ms,
	    "samples", json_integer_value(json_object_get(answer, "samples")),
	    "cpu_s", json_value_real(json_value_real_at(answer, "cpu_s")),
	    "wall_s", json_value_real(json_value_real_at(answer, "wall_s")),
	    "running", json_is_true(json_object_get(answer, "running")),
	    "requests", (json_int_t)r->requests, "bytes", (json_int_t)r->bytes,
	    "request_ms", json_value_ms(r->asked_s * 1000),
	    "clock_offset_ms", json_value_ms(offset_s(r) * 1000),
	    "clock_bound_ms", json_value_ms(error_ms)));
}

/* The driver has put there what its questions in the kernel used during the cell. */
static void
subtract_questions(json_t *used, const json_t *before)
{
	double cpu_s = json_value_real_at(used, "cpu_s");
	double own_s = json_value_real_at(before, "questions_cpu_s");
	if (isfinite(cpu_s) && own_s > 0)
		json_object_set_new(used, "cpu_s", json_real(fmax(num_round(cpu_s - own_s, 9), 0)));
}

/* When it is over: writes its samples, and returns what is to replace the usage of the kernel that
 * the driver knows; NULL: nothing. */
static json_t *
remote_usage_after(struct remote_usage *r, const json_t *kernel)
{
	if (!json_is_object(kernel))
		return NULL;
	char *why = NULL;
	json_t *answer = r->begun ? ask_function(r, "after", &why) : NULL;
	json_t *used = json_object_get(answer, "usage"), *usage = json_copy((json_t *)kernel);
	if (json_is_object(used)) {
		subtract_questions(used, kernel);
		json_object_update_existing(usage, used);
		take_samples(r);
		write_cost(r, answer);
	} else {
		const char *reason = r->reason ? r->reason : why ? why : "it has no baseline";
		json_object_set_new(usage, "reason", json_sprintf("the kernel's process is not on "
		    "this machine and could not be read there: %.200s", reason));
	}
	json_decref(answer);
	free(why);
	return usage;
}

static double interval_ms = 50;
static struct remote_usage *usage_there;	/* NULL: the kernel is on this machine */
static const struct opt opts[] = {
	{0, "interval", OPT_REAL, &interval_ms, 10, 3600000, "MS",
		"milliseconds between two samples; default 50"},
	{0},
};
static const struct opt_usage usage = {"remotesample", "[options] COMMAND...",
	"Runs COMMAND, whose driver's kernel on another machine is sampled there.", opts};

static json_t *
on_question(const char *type, const json_t *question)
{
	const char *status = json_string_value(json_object_get(question, "status"));
	const char *kernel_id = json_string_value(json_object_get(question, "kernel_id"));
	if (strcmp(type, "settings") == 0)
		return json_pack("{s:{s:f}}", "settings", "remote_samples_ms", interval_ms);
	if (strcmp(type, "open") == 0)
		usage_there = remote_usage_open(interval_ms, kernel_id);
	if (!usage_there)
		return NULL;
	if (strcmp(type, "open") == 0)
		return json_pack("{s:{s:O}}", "run", "kernel_machine",
		    usage_there->machine ? usage_there->machine : json_null());
	if (strcmp(type, "before") == 0)
		remote_usage_before(usage_there);
	else if (strcmp(type, "ended") == 0 && strcmp(status, "not_run") != 0)
		return json_pack("{s:o?}", "usage", remote_usage_after(usage_there,
		    json_object_get(question, "usage")));
	return NULL;
}

int
main(int argc, char **argv)
{
	int first = opt_parse(argc, argv, &usage);
	if (argc == first)
		opt_die(&usage, "COMMAND is required");
	return hook_command(argv + first, on_question);
}
