/* procsample: what watched processes and all their descendants use, sampled.
 * A filter that puts samples between the records that pass, for each `watch`
 * among them; or a tool of its own for processes, a command or the machine. */
#include "energy.h"
#include "keep.h"
#include "machusage.h"
#include "proctreecommand.h"
#include "proctreewatch.h"
#include "pass.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

enum { MOST_IDS = 1 << 22, MOST_WANTED = 64 };
enum { ON_TIMER, ON_INPUT, ON_COMMAND, ON_READER, WAITED };

static double interval_ms = 50, pss_ms;
static long min_samples;
static const char *out_path;
static bool always_machine, no_machine;
static struct opt opts[] = {
	{'w', "watch", OPT_CALL, NULL, 0, 0, "PID", "sample this process and its descendants until they end; repeatable"},
	{'i', "interval", OPT_REAL, &interval_ms, 1, 3600000, "MS", "between two samples (default 50)"},
	{'n', "min-samples", OPT_INT, &min_samples, 0, 1000000, "N", "samples that a cell must have to be reported (default 0)"},
	{'p', "pss", OPT_REAL, &pss_ms, 1, 3600000, "MS", "read the proportional set size so often (default: never)"},
	{'m', "machine", OPT_FLAG, &always_machine, 0, 0, NULL, "sample the machine also while nothing is watched"},
	{'M', "no-machine", OPT_FLAG, &no_machine, 0, 0, NULL, "do not sample the machine"},
	{'o', "output", OPT_STRING, &out_path, 0, 0, "FILE", "samples into FILE, not to standard output"},
	{0},
};
static const struct usage usage = {"procsample", "[options] [COMMAND [ARG]...]",
	"Samples the processes that passing watch records, --watch or COMMAND name.", opts};

static pid_t wanted[MOST_WANTED];
static size_t n_wanted;
static struct watches watches;
static struct machusage *machine;
static struct saving out;
static struct buf pending;	/* samples that are not written yet */
static int timer = -1;
static bool sampling, torn_line;	/* torn: the input's last line had no newline */
static uint64_t samples, late, began_ns, began_cpu_ns, pss_ns;
static volatile sig_atomic_t stop;	/* set within ppoll() alone */
static sigset_t unblocked;
static pid_t command;
static int output_error;

/* ---- output ------------------------------------------------------------------------- */

/* While a command runs its end is waited for, whatever became of the output. */
static void
xwrite(const char *p, size_t n)
{
	while (n && !output_error) {
		ssize_t got = write(STDOUT_FILENO, p, n);
		if (got >= 0) {
			p += got;
			n -= (size_t)got;
		} else if (errno != EINTR) {
			output_error = errno;
		}
	}
	if (output_error && !command) {
		if (output_error == EPIPE)
			exit(ST_SYSTEM);	/* the reader left: not our news */
		errno = output_error;
		die(ST_SYSTEM, "cannot write to standard output:");
	}
}

static void
put_pending(void)
{
	if (!pending.n)
		return;
	if (torn_line && !out_path)
		xwrite("\n", 1);
	torn_line = false;
	if (!out_path)
		xwrite(pending.p, pending.n);
	else if (fwrite(pending.p, 1, pending.n, out.f) != pending.n)
		die(ST_SYSTEM, "cannot write '%s':", out_path);
	pending.n = 0;
}

static void
add_record(json_t *r)
{
	dump_json(&pending, r);
	buf_add(&pending, "\n", 1);
	json_decref(r);
}

/* ---- samples -------------------------------------------------------------------------- */

static uint64_t
own_cpu_ns(void)
{
	struct timespec ts;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec + (machine ? machusage_child_cpu_ns(machine) : 0);
}

static void
set_timer(bool on)
{
	struct itimerspec when = {0};
	if (on) {
		uint64_t step = (uint64_t)llround(interval_ms * 1e6), first = now_ns() + step;
		when.it_interval = (struct timespec){(time_t)(step / 1000000000u), (long)(step % 1000000000u)};
		when.it_value = (struct timespec){(time_t)(first / 1000000000u), (long)(first % 1000000000u)};
	}
	/* Absolute: what one reading takes does not delay the next. */
	if (timerfd_settime(timer, TFD_TIMER_ABSTIME, &when, NULL) != 0)
		die(ST_SYSTEM, "cannot set a timer:");
	sampling = on;
}

static void
sample(int what)
{
	what |= PT_DELAY;
	uint64_t now = now_ns();
	if (pss_ms > 0 && now - pss_ns >= (uint64_t)(pss_ms * 1e6)) {
		what |= PT_PSS;
		pss_ns = now;
	}
	watch_sample(&watches, what, &pending);
	if (machine && (always_machine || sampling)) {
		json_t *r = json_object();
		json_object_set_new(r, "type", json_string("sample"));
		json_object_set_new(r, "t", json_t_of(now_t()));
		json_object_set_new(r, "role", json_string("machine"));
		machusage_fill(machine, r);
		add_record(r);
	}
	samples++;
	if (watches.n == 0 && !always_machine)
		set_timer(false);
}

static void
open_machine(void)
{
	if (!machine && !no_machine)
		machine = machusage_open();
}

static void
begin_sampling(void)
{
	open_machine();
	if (!sampling)
		set_timer(true);
	sample(PT_FAST);
}

static void
tick(void)
{
	uint64_t moments = 0;
	if (read(timer, &moments, sizeof moments) != (ssize_t)sizeof moments || !sampling)
		return;
	late += moments - 1;
	sample(PT_FAST);
	put_pending();
}

/* What sampling cost since the last such record. */
static void
tell_cost(void)
{
	uint64_t cpu = own_cpu_ns(), now = now_ns();
	json_t *r = json_object();
	json_object_set_new(r, "type", json_string("sampler"));
	json_object_set_new(r, "t", json_t_of(now_t()));
	json_object_set_new(r, "interval_ms", json_real(interval_ms));
	json_object_set_new(r, "min_samples", json_integer(min_samples));
	json_object_set_new(r, "samples", json_integer((json_int_t)samples));
	json_object_set_new(r, "late", json_integer((json_int_t)late));
	json_object_set_new(r, "cpu_s", json_real((double)(cpu - began_cpu_ns) / 1e9));
	json_object_set_new(r, "wall_s", json_real((double)(now - began_ns) / 1e9));
	add_record(r);
	samples = late = 0;
	began_cpu_ns = cpu;
	began_ns = now;
}

static void
end_sampling(void)
{
	/* After the last reading nothing is looked at again, so it puts nothing off. */
	if (sampling)
		sample(PT_WHOLE);
	watch_end_all(&watches);
	if (machine)
		machusage_watch_none(machine);
	if (!always_machine)
		set_timer(false);
	tell_cost();
}

/* ---- a filter ----------------------------------------------------------------------------- */

/* A role that lives as long as the program: machusage keeps it. */
static const char *
lasting(const char *role)
{
	static const char *const known[] = {"kernel", "browser", "server", "process"};
	for (size_t i = 0; i < COUNT(known); i++)
		if (strcmp(role, known[i]) == 0)
			return known[i];
	return "other";
}

static void
watch(const char *role, pid_t pid)
{
	char error[256];
	if (!watch_begin(&watches, role, pid, error)) {
		watch_nothing(role, pid, error, &pending);
		return;
	}
	open_machine();
	if (machine)
		machusage_watch(machine, pid, lasting(role));
	begin_sampling();
}

static void
take_watch(struct scan *s, const struct lines *in)
{
	struct span pid = scan_get(s, "pid");
	double id = span_number(pid);
	char *role = span_string(scan_get(s, "role"));
	if (!role)
		die(ST_INPUT, "%s:%lu:1: a watch without a role", in->name, in->number);
	if (!span_null(pid)) {
		if (!(id >= 1 && id <= MOST_IDS && id == floor(id)))
			die(ST_INPUT, "%s:%lu:1: the watch's pid is no process id", in->name, in->number);
		watch(role, (pid_t)id);
	}
	free(role);
}

static void
before_line(struct scan *s, const struct lines *in)
{
	(void)in;
	/* A run's cost belongs into the run. */
	if (scan_type_is(s, "run_end"))
		end_sampling();
	put_pending();
}

static void
after_line(struct scan *s, const struct lines *in, bool whole)
{
	torn_line = !whole;
	if (scan_type_is(s, "watch"))
		take_watch(s, in);
	put_pending();
}

/* ---- a tool ---------------------------------------------------------------------------------- */

static void
add_wanted(const char *value)
{
	if (n_wanted == MOST_WANTED)
		die(ST_USAGE, "--watch can be given %d times", MOST_WANTED);
	wanted[n_wanted++] = (pid_t)xint(value, 1, MOST_IDS, "--watch");
}

static void
on_signal(int sig)
{
	stop = sig;
}

static void
watch_wanted(pid_t pid)
{
	char error[256];
	if (!watch_begin(&watches, "process", pid, error))
		die(ST_SYSTEM, "%s", error);
	open_machine();
	if (machine)
		machusage_watch(machine, pid, "process");
	json_t *r = json_pack("{s:s, s:o, s:s, s:I, s:n}", "type", "watch", "t", json_t_of(now_t()), "role", "process", "pid",
	    (json_int_t)pid, "reason");
	add_record(r);
}

/* From here on they are met in run() alone: none is lost, none comes too early. */
static void
meet_signals(bool to_command)
{
	sigset_t met;
	sigemptyset(&met);
	sigaddset(&met, SIGTERM);
	sigaddset(&met, SIGHUP);
	if (!to_command)
		sigaddset(&met, SIGINT);
	sigprocmask(SIG_BLOCK, &met, &unblocked);
	catch_signal(SIGTERM, on_signal);
	catch_signal(SIGHUP, on_signal);
	/* The terminal sends it to the command too. */
	catch_signal(SIGINT, to_command ? SIG_IGN : on_signal);
}

/* ---- both -------------------------------------------------------------------------------------- */

/* Until the input, the command, or all that is watched ends, or a signal comes. */
static void
run(bool filter, int command_fd)
{
	struct pollfd p[WAITED] = {
		[ON_TIMER] = {.fd = timer, .events = POLLIN},
		[ON_INPUT] = {.fd = filter ? STDIN_FILENO : -1, .events = POLLIN},
		[ON_COMMAND] = {.fd = command_fd, .events = POLLIN},
		[ON_READER] = {.fd = filter ? STDOUT_FILENO : -1},
	};
	while (filter || command_fd >= 0 || always_machine || watches.n) {
		if (ppoll(p, WAITED, NULL, &unblocked) < 0 && errno != EINTR)
			die(ST_SYSTEM, "cannot wait:");
		if (stop && command)
			kill(command, stop);
		else if (stop)
			break;
		stop = 0;
		if (p[ON_COMMAND].revents)
			break;
		if ((p[ON_READER].revents & POLLERR) && !(p[ON_INPUT].revents & POLLIN))
			exit(ST_SYSTEM);	/* the reader left */
		if (p[ON_TIMER].revents)
			tick();
		if (p[ON_INPUT].revents && !xpass_input(&(struct passing){before_line, xwrite, after_line}))
			break;
	}
}

int
main(int argc, char **argv)
{
	void (*call)(const char *) = add_wanted;
	memcpy(&opts[0].to, &call, sizeof call);
	int first = options(argc, argv, &usage);
	struct command started = {.ended_fd = -1};
	if (always_machine && no_machine)
		die_usage(&usage, "--machine and --no-machine exclude each other");
	bool filter = n_wanted == 0 && first == argc && !(always_machine && isatty(STDIN_FILENO));
	xenergy_check();
	command_file_limit(&started);
	began_ns = now_ns();
	timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (timer < 0)
		die(ST_SYSTEM, "cannot make a timer:");
	sigprocmask(SIG_SETMASK, NULL, &unblocked);
	if (filter)
		signal(SIGINT, SIG_IGN);
	else
		meet_signals(first < argc);
	if (out_path)
		xkeep_open(&out, out_path);
	for (size_t i = 0; i < n_wanted; i++)
		watch_wanted(wanted[i]);
	if (first < argc) {
		catch_signal(SIGPIPE, SIG_IGN);
		started.mask = unblocked;
		command = command_start(&started, argv + first, out_path != NULL);
		watch_wanted(command);
		watch_adopt(&watches, command, machine ? machusage_child(machine) : 0);
	}
	if (watches.n || always_machine)
		begin_sampling();
	put_pending();
	if (command)
		command_go(&started);
	run(filter, started.ended_fd);
	if (samples || watches.n || !filter)
		end_sampling();
	put_pending();
	int status = command ? command_wait(&started) : ST_OK;
	command = 0;
	if (out_path && save_commit(&out) != 0)
		die(ST_SYSTEM, "cannot write '%s':", out_path);
	xwrite("", 0);
	xclose_stdout();
	machusage_close(machine);
	return status;
}
