/* request.c: what to request for further executions of each group.
 *
 * The share of further ones that exceeds the r-th largest of n has the distribution
 * Beta(r, n - r + 1), whatever that of the values, or is smaller where some are equal (Wilks 1941).
 * A limit of memory, and one of time for those that have enough, share r ranks (Wald 1943). */
#include "request.h"
#include "base/die.h"
#include "base/num.h"
#include "base/str.h"
#include "json/json_value.h"
#include "stat_record.h"
#include "stats/beta.h"
#include "table/column_unit.h"
#include "table/column_words.h"
#include "table/rows_where.h"
#include "table/table_options.h"

static const double margin = 1.2, busy = 0.95, idle_core = 0.05, gb_hour = 3600e9;
static const size_t most_executions = 1000000000000;

struct request_options request_options = {.confidence_pct = 99.9, .attempts = 1};
static struct conditions killed;
static double risk, risk_error;	/* it is exceeded with at most this probability */

void
xrequest_need(void)
{
	const char *text = request_options.risk;
	bool percent = str_ends_with(text, "%");
	char *number = xasprintf("%.*s", (int)(strlen(text) - percent), text);
	risk = xopt_real(number, 0, percent ? 50 : 0.5, percent ? "--request: a risk in %" :
	    "--request: a risk without %") / (percent ? 100 : 1);
	table_options_need("cores", KEEP_IF_MET);
	if (request_options.execution)
		table_options_need(request_options.execution, KEEP_WORD);
	if (request_options.killed)
		xconditions_add(&killed, request_options.killed);
	for (size_t i = 0; i < killed.n; i++)
		table_options_need(killed.list[i].name, KEEP_GUESS);
}

/* ---- ranks -------------------------------------------------------------------------------- */

/* Whether the share that exceeds the r-th largest of n is at most the risk, but for the error. */
static bool
is_sure(size_t r, size_t n)
{
	return r <= n && beta_share(1 - risk, (double)(n - r + 1), (double)r) <= risk_error;
}

/* The largest r of n; or, if n is 0, the smallest n that has these ranks. */
static size_t
search(size_t n, size_t ranks)
{
	size_t low = n ? 0 : ranks, high = n ? n : most_executions;
	while (low < high) {
		size_t x = low + (high - low) / 2;
		if (n ? !is_sure(x + 1, n) : is_sure(ranks, x))
			high = x;
		else
			low = x + 1;
	}
	return low;
}

/* ---- executions --------------------------------------------------------------------------- */

struct request_execution {	/* with all its attempts */
	double memory;	/* bytes; infinite if it was killed: it needed more than its peak */
	double peak, time, cores;	/* bytes, s; NaN: unknown */
};
struct request_rows {
	const struct stat_table *s;
	const double *memory, *time, *cores;	/* NULL: unknown */
	double memory_unit, time_unit;
	const struct column *execution;	/* NULL: each row is one */
	struct groups g;		/* attempts of one execution follow each other */
	const bool *killed;
};

/* NULL: no column is one. */
static const double *
xmeasure(const struct stat_table *s, enum column_concept is, enum quantity of, double *unit)
{
	for (size_t i = 0; i < s->n_of; i++) {
		struct unit u = column_unit(s->of[i]->name);
		if (column_concept(s->of[i]->name) != is)
			continue;
		if (u.quantity == OF_NOTHING)
			die(ST_USAGE, "--request: unknown unit of '%s': --unit names it",
			    s->of[i]->name);
		*unit = u.factor;
		if (u.quantity == of)
			return s->of[i]->number;
	}
	return NULL;
}

static struct request_rows
xfind_rows(const struct stat_table *s)
{
	const struct column *cores = table_column(&s->t, "cores");
	struct request_rows r = {s, .cores = cores ? cores->number : NULL, .g = s->g,
		.killed = xrows_where(&s->t, &killed)};
	r.memory = xmeasure(s, OF_MEMORY, OF_BYTES, &r.memory_unit);
	r.time = xmeasure(s, OF_ELAPSED_TIME, OF_TIME, &r.time_unit);
	if (!r.memory)
		die(ST_USAGE, "--request: no analysed column is one of memory: --alias "
		    "memory=COLUMN names it");
	if (request_options.execution) {
		struct column **by = xmalloc((s->n_by + 1) * sizeof *by);
		memcpy(by, s->by, s->n_by * sizeof *by);
		r.execution = by[s->n_by] = xtable_column(&s->t, request_options.execution, false);
		table_group_make(&r.g, &s->t, by, s->n_by + 1, s->keep);
	}
	return r;
}

/* Those of a group whose memory, and time if there is a column of it, are known; no peak is 0.
 * A group has the same rows in r->g as in s->g. */
static size_t
executions_of(const struct request_rows *r, size_t group, struct request_execution *v)
{
	const struct column *c = r->execution;
	const uint32_t *rows = r->g.rows;
	size_t n = 0, to = r->s->g.first[group + 1];
	for (size_t k = r->s->g.first[group]; k < to; ) {
		struct request_execution x = {INFINITY, (double)NAN, (double)NAN, (double)NAN};
		uint32_t row;
		do {
			row = rows[k++];
			x.peak = fmax(x.peak, r->memory[row] * r->memory_unit);
			x.time = fmax(x.time, r->time ? r->time[row] * r->time_unit : 1);
			x.cores = fmax(x.cores, r->cores ? r->cores[row] : (double)NAN);
			x.memory = killed.n && r->killed[row] ? x.memory : 0;
		} while (k < to && c && c->code[row] != NO_WORD && c->code[row] ==
		    c->code[rows[k]]);
		x.memory = fmax(x.memory, x.peak);
		if (x.peak > 0 && !isnan(x.time))
			v[n++] = x;
	}
	return n;
}

/* What is enough for 95 % of them, of which a part of a core may be idle; NaN: unknown. */
static double
cores_of(const struct request_execution *v, size_t n)
{
	double *cores = xmalloc((n + 1) * sizeof *cores);
	size_t known = 0;
	for (size_t i = 0; i < n; i++)
		if (!isnan(v[i].cores))
			cores[known++] = v[i].cores;
	double x = known ? fmax(1, quantile_of_few(cores, known, busy) - idle_core) : (double)NAN;
	free(cores);
	return x;
}

/* ---- plans -------------------------------------------------------------------------------- */

struct request_plan {
	size_t n, killed, ranks, attempts;
	const char *basis;	/* "ranks", or why limits are the maximum and a margin */
	double memory, max_memory, time, cores;	/* memory of the first attempt */
	double low, high;	/* the interval of the risk; NaN: it is unknown */
	double cost, max_cost;	/* byte seconds, also of the maximum and the margin */
};

/* Memory times time, if each attempt takes the whole time. */
static double
cost_of(const struct request_execution *v, size_t n, double memory, size_t attempts)
{
	double cost = 0;
	for (size_t i = 0; i < n; i++) {
		double limit = memory;
		for (size_t k = 1; k < attempts && v[i].memory > limit; k++, limit *= 2)
			cost += limit * v[i].time;
		cost += limit * v[i].time;
	}
	return cost;
}

/* The number of attempts that costs least if the last one has this memory. */
static void
set_attempts(struct request_plan *p, const struct request_execution *v, double last, size_t most)
{
	p->cost = (double)INFINITY;
	for (size_t k = 1; k <= most; k++, last /= 2) {
		double cost = cost_of(v, p->n, last, k);
		if (cost < p->cost) {
			p->cost = cost;
			p->attempts = k;
			p->memory = last;
		}
	}
}

/* Sorts v. */
static struct request_plan
make_plan(struct request_execution *v, size_t n, size_t limits)
{
	struct request_plan p = {n, .ranks = n ? search(n, 0) : 0, .low = NAN, .high = NAN,
		.cores = cores_of(v, n)};
	size_t over = 0, at = p.ranks + 1 - limits;
	qsort(v, n, sizeof *v, num_compare);	/* by memory */
	for (size_t i = 0; i < n; i++) {
		p.killed += isinf(v[i].memory) != 0;
		p.max_memory = fmax(p.max_memory, v[i].peak);
		p.time = fmax(p.time, v[i].time * margin);
	}
	p.basis = p.ranks < limits ? "too_few" : at <= p.killed ? "killed" : "ranks";
	p.max_cost = cost_of(v, n, p.max_memory * margin, 1);
	if (*p.basis != 'r') {	/* the maximum may be too little */
		set_attempts(&p, v, p.max_memory * (p.killed ? 2 : margin), 1);
		return p;
	}
	double last = v[n - at].memory;
	p.time = 0;
	for (size_t i = 0; i < n; i++)
		p.time = fmax(p.time, v[i].memory > last ? 0 : v[i].time);
	for (size_t i = 0; i < n; i++)
		over += v[i].memory > last || v[i].time > p.time;
	set_attempts(&p, v, last, (size_t)request_options.attempts);
	p.low = over ? beta_quantile(risk_error, (double)over, (double)(n - over + 1)) : 0;
	p.high = beta_quantile(1 - risk_error, (double)p.ranks, (double)(n - p.ranks + 1));
	return p;
}

/* ---- records ------------------------------------------------------------------------------ */

static json_t *
whole(double x)
{
	return x > 0 ? json_integer((json_int_t)ceil(x)) : json_null();
}

static json_t *
record_of(const struct request_rows *r, size_t group, const struct request_plan *p, size_t needed)
{
	double timed = r->time && p->n ? 1 : (double)NAN;
	return json_pack("{s:s,s:o,s:I,s:I,s:s,s:o,s:f,s:o,s:o,s:f,s:I,s:o,s:o,s:o,s:o,s:o,s:o,"
	    "s:o}", "type", "request", "group", stat_record_group(r->s, group),
	    "executions", (json_int_t)p->n, "killed", (json_int_t)p->killed, "basis", p->basis,
	    "executions_needed", needed < most_executions ? whole((double)needed) : json_null(),
	    "risk_pct", 100 * risk, "risk_low_pct", json_value_real(100 * p->low),
	    "risk_high_pct", json_value_real(100 * p->high), "confidence_pct",
	    request_options.confidence_pct, "attempts", (json_int_t)p->attempts, "memory_bytes",
	    whole(p->memory), "last_memory_bytes", whole(ldexp(p->memory, (int)p->attempts - 1)),
	    "max_memory_bytes", whole(p->max_memory), "time_s", json_value_real(timed * p->time),
	    "cores", whole(p->cores), "gb_hours", json_value_real(timed * p->cost / gb_hour),
	    "max_gb_hours", json_value_real(timed * p->max_cost / gb_hour));
}

/* The error is shared (Bonferroni) by the groups that alone have enough executions. */
json_t *
xrequest_records(const struct stat_table *s)
{
	struct request_rows r = xfind_rows(s);
	struct request_execution *v = xmalloc((s->t.n_rows + 1) * sizeof *v);
	size_t sharing = 0, limits = r.time ? 2 : 1;
	json_t *all = json_array();
	risk_error = 1 - request_options.confidence_pct / 100;
	size_t needed = search(0, limits);
	for (size_t g = 0; g < s->g.n; g++)
		sharing += executions_of(&r, g, v) >= needed;
	risk_error /= fmax(1, (double)sharing);
	needed = search(0, limits);
	for (size_t g = 0; g < s->g.n; g++) {
		struct request_plan p = make_plan(v, executions_of(&r, g, v), limits);
		json_array_append_new(all, record_of(&r, g, &p, needed));
	}
	free(v);
	return all;
}
