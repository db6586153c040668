/* procsample: samples what watched processes and all their descendants use.
 * As a filter it adds samples between the records that pass, for each `watch` among them; by
 * itself it samples given processes, a command or the machine. */
#include "base/atomic_file.h"
#include "base/clock.h"
#include "base/die.h"
#include "base/opt.h"
#include "base/output.h"
#include "base/signals.h"
#include "base/terminal_output.h"
#include "json/json_text.h"
#include "json/json_value.h"
#include "json/passthrough.h"
#include "process_command.h"
#include "process_watch.h"
#include "resource/energy.h"
#include "resource/machine_usage.h"
#include "resource/processor_usage.h"
#include "run/role.h"
#include "run/run_defaults.h"

#include <errno.h>
#include <poll.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { MAX_PID = 1 << 22, MAX_PIDS = 64 };
enum { PROCESSORS_NS = 100000000 };	/* between two readings of each processor */
enum { ON_TIMER, ON_INPUT, ON_COMMAND, ON_READER, EVENTS };

static double interval_ms = RUN_SAMPLE_MS, pss_ms;
static long min_samples;
static const char *out_path;
static bool always_machine, no_machine;
static void add_pid(const char *);
static const struct opt opts[] = {
	{0, "watch", OPT_CALL, NULL, 0, 0, "PID",
		"sample this process and its descendants until they end; repeatable", add_pid},
	{'i', "interval", OPT_REAL, &interval_ms, 1, 3600000, "MS",
		"time between two samples; " RUN_DEFAULT(RUN_SAMPLE_MS)},
	{0, "min-samples", OPT_INT, &min_samples, 0, 1000000, "N",
		"samples that a cell needs for its sampled metrics to be reported (default 0)"},
	{0, "pss", OPT_REAL, &pss_ms, 1, 3600000, "MS",
		"time between two readings of the proportional set size (default: never read)"},
	{0, "machine", OPT_FLAG, &always_machine, 0, 0, NULL,
		"sample the machine even while no process is watched"},
	{0, "no-machine", OPT_FLAG, &no_machine, 0, 0, NULL, "do not sample the machine"},
	{'o', "output", OPT_STRING, &out_path, 0, 0, "FILE",
		"write samples to FILE instead of standard output"},
	{0},
};
static const struct opt_usage usage = {"procsample", "[options] [COMMAND [ARG]...]",
	"Samples the processes named by passing watch records, --watch or COMMAND.", opts};

static pid_t pids[MAX_PIDS];	/* of --watch */
static size_t n_pids;
static struct process_watches watches;
static struct machine_usage *machine;	/* NULL: not sampled */
static struct processor_usage *processors;	/* with it */
static struct atomic_file out;
static struct buf pending;	/* samples that are not written yet */
static int timer = -1;
static bool sampling, line_unfinished;	/* the input's last line had no newline */
static uint64_t samples, late, start_ns, start_cpu_ns, pss_ns, processors_ns;
static volatile sig_atomic_t stop;	/* set only during ppoll() */
static sigset_t unblocked;
static pid_t command;
static int output_error;

/* ---- output ------------------------------------------------------------------------- */

/* While a command runs, an output error does not end the program before the command ends. */
static void
xwrite(const char *p, size_t n)
{
	if (!output_error)
		output_error = terminal_output_write(p, n);
	if (output_error && !command) {
		if (output_error == EPIPE)
			exit(ST_SYSTEM);	/* the reader has left: no message */
		errno = output_error;
		die(ST_SYSTEM, "cannot write to standard output:");
	}
}

static void
xwrite_pending(void)
{
	if (!pending.n)
		return;
	if (line_unfinished && !out_path)
		xwrite("\n", 1);
	line_unfinished = false;
	if (!out_path)
		xwrite(pending.p, pending.n);
	else if (fwrite(pending.p, 1, pending.n, out.f) != pending.n)
		die(ST_SYSTEM, "cannot write '%s':", out_path);
	pending.n = 0;
}

static void
add_record(json_t *r)
{
	json_text_add(&pending, r);
	buf_add(&pending, "\n", 1);
	json_decref(r);
}

/* ---- samples -------------------------------------------------------------------------- */

static uint64_t
own_cpu_ns(void)
{
	struct timespec ts;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	uint64_t child_ns = machine ? gpu_cpu_ns(machine_usage_gpu(machine)) : 0;
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec + child_ns;
}

static struct timespec
timespec_of(uint64_t ns)
{
	return (struct timespec){(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
}

static void
set_timer(bool on)
{
	struct itimerspec when = {0};
	if (on) {
		uint64_t step_ns = (uint64_t)llround(interval_ms * 1e6);
		when.it_interval = timespec_of(step_ns);
		when.it_value = timespec_of(clock_monotonic_ns() + step_ns);
	}
	/* Absolute times: a slow reading does not delay the next one. */
	if (timerfd_settime(timer, TFD_TIMER_ABSTIME, &when, NULL) != 0)
		die(ST_SYSTEM, "cannot set a timer:");
	sampling = on;
}

static void
take_sample(int what)
{
	what |= PT_DELAY;
	uint64_t now = clock_monotonic_ns();
	if (pss_ms > 0 && now - pss_ns >= (uint64_t)(pss_ms * 1e6)) {
		what |= PT_PSS;
		pss_ns = now;
	}
	process_watch_sample(&watches, what, &pending);
	if (machine && (always_machine || sampling)) {
		json_t *r = json_pack("{s:s, s:o, s:s}", "type", "sample", "t",
		    json_value_time(clock_unix_s()), "role", role_word(ROLE_MACHINE));
		machine_usage_fill(machine, r);
		if (what & PT_WHOLE || now - processors_ns >= PROCESSORS_NS) {
			processor_usage_fill(processors, r);
			processors_ns = now;
		}
		add_record(r);
	}
	samples++;
	if (watches.n == 0 && !always_machine)
		set_timer(false);
}

static void
open_machine(void)
{
	if (machine || no_machine)
		return;
	machine = machine_usage_open();
	processors = processor_usage_open();
}

static void
begin_sampling(void)
{
	open_machine();
	if (!sampling)
		set_timer(true);
	take_sample(PT_FAST);
}

static void
on_timer(void)
{
	uint64_t expirations = 0;
	ssize_t got = read(timer, &expirations, sizeof expirations);
	if (got != (ssize_t)sizeof expirations || !sampling)
		return;
	late += expirations - 1;
	take_sample(PT_FAST);
	xwrite_pending();
}

/* What sampling has cost since the last such record. */
static void
add_sampler_record(void)
{
	uint64_t cpu = own_cpu_ns(), now = clock_monotonic_ns();
	json_t *r = json_pack("{s:s, s:o, s:f, s:I, s:I, s:I, s:f, s:f}", "type", "sampler",
	    "t", json_value_time(clock_unix_s()), "interval_ms", interval_ms,
	    "min_samples", (json_int_t)min_samples, "samples", (json_int_t)samples,
	    "late", (json_int_t)late, "cpu_s", (double)(cpu - start_cpu_ns) / 1e9,
	    "wall_s", (double)(now - start_ns) / 1e9);
	add_record(r);
	samples = late = 0;
	start_cpu_ns = cpu;
	start_ns = now;
}

static void
end_sampling(void)
{
	/* The last reading cannot put anything off to a later one. */
	if (sampling)
		take_sample(PT_WHOLE);
	process_watch_end_all(&watches);
	if (machine)
		gpu_forget_roles(machine_usage_gpu(machine));
	if (!always_machine)
		set_timer(false);
	add_sampler_record();
}

/* ---- as a filter ------------------------------------------------------------------ */

static void
watch_process(const char *role, pid_t pid)
{
	char error[256];
	if (!process_watch_begin(&watches, role, pid, error)) {
		process_watch_sample_unwatched(role, pid, error, &pending);
		return;
	}
	open_machine();
	enum role known = role_of(role);
	if (machine)
		gpu_set_role(machine_usage_gpu(machine), pid,
		    known < ROLES ? role_word(known) : "other");
	if (machine && known == ROLE_KERNEL)
		processor_usage_follow(processors, pid);
	begin_sampling();
}

static void
on_watch(struct scan *s, const struct lines *in)
{
	struct span pid = scan_get(s, "pid");
	double id = span_number(pid);
	char *role = span_string(scan_get(s, "role"));
	if (!role)
		die(ST_INPUT, "%s:%lu:1: the watch record has no role", in->name, in->number);
	if (!span_null(pid)) {
		if (!(id >= 1 && id <= MAX_PID && id == floor(id)))
			die(ST_INPUT, "%s:%lu:1: \"pid\" is not a process id", in->name,
			    in->number);
		watch_process(role, (pid_t)id);
	}
	free(role);
}

static void
before_line(struct scan *s, const struct lines *in)
{
	(void)in;
	/* The cost of sampling a run belongs to the run. */
	if (scan_type_is(s, "run_end"))
		end_sampling();
	xwrite_pending();
}

static void
after_line(struct scan *s, const struct lines *in, bool whole)
{
	line_unfinished = !whole;
	if (scan_type_is(s, "watch"))
		on_watch(s, in);
	xwrite_pending();
}

/* ---- by itself -------------------------------------------------------------------- */

static void
add_pid(const char *value)
{
	if (n_pids == MAX_PIDS)
		die(ST_USAGE, "--watch may be given at most %d times", MAX_PIDS);
	pids[n_pids++] = (pid_t)xopt_int(value, 1, MAX_PID, "--watch");
}

static void
on_signal(int sig)
{
	stop = sig;
}

static void
xwatch_pid(pid_t pid)
{
	const char *role = role_word(ROLE_PROCESS);
	char error[256];
	if (!process_watch_begin(&watches, role, pid, error))
		die(ST_SYSTEM, "%s", error);
	open_machine();
	if (machine) {
		gpu_set_role(machine_usage_gpu(machine), pid, role);
		processor_usage_follow(processors, pid);
	}
	add_record(json_pack("{s:s, s:o, s:s, s:I, s:n}", "type", "watch",
	    "t", json_value_time(clock_unix_s()), "role", role, "pid", (json_int_t)pid, "reason"));
}

/* Lets signals arrive only in xrun_loop() from now on, so that none is lost. */
static void
catch_signals(bool has_command)
{
	sigset_t caught;
	sigemptyset(&caught);
	sigaddset(&caught, SIGTERM);
	sigaddset(&caught, SIGHUP);
	if (!has_command)
		sigaddset(&caught, SIGINT);
	sigprocmask(SIG_BLOCK, &caught, &unblocked);
	signals_catch(SIGTERM, on_signal);
	signals_catch(SIGHUP, on_signal);
	/* The terminal also sends it to the command. */
	signals_catch(SIGINT, has_command ? SIG_IGN : on_signal);
}

/* ---- the loop --------------------------------------------------------------------- */

/* Runs until the input, the command or all watched processes end, or a signal arrives. */
static void
xrun_loop(bool filter, int command_fd)
{
	const struct passthrough passthrough = {before_line, xwrite, after_line};
	struct pollfd p[EVENTS] = {
		[ON_TIMER] = {.fd = timer, .events = POLLIN},
		[ON_INPUT] = {.fd = filter ? STDIN_FILENO : -1, .events = POLLIN},
		[ON_COMMAND] = {.fd = command_fd, .events = POLLIN},
		[ON_READER] = {.fd = filter ? STDOUT_FILENO : -1},
	};
	while (filter || command_fd >= 0 || always_machine || watches.n) {
		if (ppoll(p, EVENTS, NULL, &unblocked) < 0 && errno != EINTR)
			die(ST_SYSTEM, "cannot wait:");
		if (stop && command)
			kill(command, stop);
		else if (stop)
			break;
		stop = 0;
		if (p[ON_COMMAND].revents)
			break;
		if ((p[ON_READER].revents & POLLERR) && !(p[ON_INPUT].revents & POLLIN))
			exit(ST_SYSTEM);	/* the reader has left */
		if (p[ON_TIMER].revents)
			on_timer();
		if (p[ON_INPUT].revents && !xpassthrough_input(&passthrough))
			break;
	}
}

int
main(int argc, char **argv)
{
	int first = opt_parse(argc, argv, &usage);
	struct process_command started = {.ended_fd = -1};
	if (always_machine && no_machine)
		opt_die(&usage, "--machine and --no-machine exclude each other");
	bool filter = n_pids == 0 && first == argc && !(always_machine && isatty(STDIN_FILENO));
	xenergy_check();
	process_command_raise_file_limit(&started);
	start_ns = clock_monotonic_ns();
	timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (timer < 0)
		die(ST_SYSTEM, "cannot create a timer:");
	sigprocmask(SIG_SETMASK, NULL, &unblocked);
	if (filter)
		signal(SIGINT, SIG_IGN);
	else
		catch_signals(first < argc);
	if (out_path)
		xatomic_file_open(&out, out_path);
	for (size_t i = 0; i < n_pids; i++)
		xwatch_pid(pids[i]);
	if (first < argc) {
		signals_catch(SIGPIPE, SIG_IGN);
		started.mask = unblocked;
		command = process_command_start(&started, argv + first, out_path != NULL);
		xwatch_pid(command);
		pid_t asks_gpu = machine ? gpu_child(machine_usage_gpu(machine)) : 0;
		process_watch_adopt(&watches, command, asks_gpu);
	}
	if (watches.n || always_machine)
		begin_sampling();
	xwrite_pending();
	if (command)
		process_command_go(&started);
	xrun_loop(filter, started.ended_fd);
	if (samples || watches.n || !filter)
		end_sampling();
	xwrite_pending();
	int status = command ? process_command_wait(&started) : ST_OK;
	command = 0;
	if (out_path && atomic_file_commit(&out) != 0)
		die(ST_SYSTEM, "cannot write '%s':", out_path);
	xwrite("", 0);
	xoutput_close();
	machine_usage_close(machine);
	processor_usage_close(processors);
	return status;
}
