/* nbscope.h: what two or more of nbscope's programs need.
 *
 * Who frees: what a function takes is borrowed, what it returns is the
 * caller's, unless its comment says otherwise.  A json_t that is returned is a
 * new reference.  Who fails: x... and die... end the process with a message;
 * every other function returns an error that the caller handles.
 * Units stand in names: _ms, _s, _ns, _bytes; `t` is unix seconds.
 */
#ifndef NBSCOPE_H
#define NBSCOPE_H

#include <jansson.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#define NBSCOPE_VERSION "0.1.0"

/* Exit statuses, the same for every program: nbscope(7). */
enum status {
	ST_OK = 0,	/* all well */
	ST_DIFFERS = 1,	/* it worked, and what it looked at failed or differs */
	ST_USAGE = 2,
	ST_INPUT = 3,	/* the input breaks its contract */
	ST_SYSTEM = 4,	/* system or network */
	ST_TIMEOUT = 5,	/* the tool itself ran out of its time */
	ST_UNKNOWN = 6,	/* it cannot tell */
};

#define PRINTF(f, a) __attribute__((format(printf, f, a)))
#define COUNT(a) (sizeof(a) / sizeof *(a))

/* ---- die.c: messages ---------------------------------------------------- */

/* The program's name, set by options(); every message begins with it. */
extern const char *tool;

/* "tool: message" on stderr, then exit(status).  A format that ends in ':'
 * gets errno's reason, as in  die(ST_SYSTEM, "cannot open '%s':", path). */
_Noreturn void die(enum status, const char *fmt, ...) PRINTF(2, 3);
void warn(const char *fmt, ...) PRINTF(1, 2);
/* Of a forked process: what the first one left to do at its exit is not its own. */
extern bool die_alone;

/* Progress and detail for LOG_LEVEL (DEBUG INFO WARNING ERROR, default
 * WARNING) on stderr, and into LOG_FILE where one is set. */
enum level { LV_DEBUG, LV_INFO, LV_WARNING, LV_ERROR };
void logline(enum level, const char *fmt, ...) PRINTF(2, 3);

void *xmalloc(size_t);
void *xrealloc(void *, size_t);
char *xstrdup(const char *);
char *xasprintf(const char *fmt, ...) PRINTF(1, 2);
void xsetenv(const char *name, const char *value);
/* Those members of an object that are texts; how many. */
size_t xsetenv_all(const json_t *variables);

/* ---- opt.c: options are a table that also prints the help ---------------- */

enum opt_kind { OPT_FLAG, OPT_STRING, OPT_INT, OPT_REAL, OPT_CALL };
struct opt {
	char letter;		/* 0: no short form */
	const char *name;	/* long form without "--"; NULL ends the table */
	enum opt_kind kind;
	void *to;		/* bool*, const char**, long*, double*, or a
				 * void (*)(const char *value) for OPT_CALL */
	double lo, hi;		/* range of OPT_INT and OPT_REAL, inclusive */
	const char *arg;	/* the value's name in the help, e.g. "MS" */
	const char *help;
};
struct usage {
	const char *name;	/* "cellrun" */
	const char *synopsis;	/* "[options] NOTEBOOK" */
	const char *about;	/* one sentence */
	const struct opt *opts;	/* ended by a row without a name */
};
/* Parses options, which may stand among operands and behind them, but for a COMMAND
 * of the synopsis, whose own they are; "--" ends them.  Answers --help and --version
 * itself; dies with ST_USAGE on anything else that is not in the table.  Returns the
 * index of the first operand; all that follow are operands. */
int options(int argc, char **argv, const struct usage *);
/* For a tool of one operand: the operand. */
const char *xone_operand(int argc, char **argv, const struct usage *);
char *xmay_operand(int argc, char **argv, const struct usage *);	/* or NULL: there is none */
_Noreturn void die_usage(const struct usage *, const char *fmt, ...) PRINTF(2, 3);
/* Of a tool that writes a table for people or records: whether it is the table;
 * NULL: where stdout is a terminal.  Dies with ST_USAGE on another word. */
bool xas_table(const char *format, const struct usage *);
/* A number from outside, whole text, within [lo,hi]; dies with ST_USAGE
 * naming `what`. */
long xint(const char *text, long lo, long hi, const char *what);
double xreal(const char *text, double lo, double hi, const char *what);

/* ---- buf.c: a buffer that grows to a limit ------------------------------- */

struct buf {
	char *p;	/* always NUL-terminated once something was added */
	size_t n, cap, limit;	/* limit 0: 1 GiB */
};
/* 0, or -1 when the limit is reached (nothing is added then). */
int buf_add(struct buf *, const void *, size_t);
int buf_addf(struct buf *, const char *fmt, ...) PRINTF(2, 3);
void buf_free(struct buf *);

/* ---- lines.c: JSON lines in, JSON lines out ------------------------------ */

enum { LINE_LIMIT_BYTES = 16 << 20 };
struct lines {
	int fd;
	const char *name;	/* for messages: "stdin" or the file's name */
	size_t limit;		/* of one line; 0: LINE_LIMIT_BYTES */
	unsigned long number;	/* of the line last returned, from 1 */
	struct buf buf;		/* private */
	size_t pos;
	bool eof;
};
/* The next line without its newline, NUL-terminated, borrowed until the next
 * call; NULL at the end.  Flushes stdout before it may wait.  Dies with
 * ST_INPUT on a line over the limit, with ST_SYSTEM on a read error. */
char *xnext_line(struct lines *, size_t *len);
/* The line as a JSON object whose first member is a string "type"; dies with
 * ST_INPUT and "name:line:column: reason" otherwise (duplicate keys, NaN,
 * invalid UTF-8, a NUL in a key and a number that does not fit are refused). */
json_t *xparse_record(const struct lines *, const char *line, size_t len);
const char *record_type(const json_t *record);	/* borrowed; "" if none */
/* A string's characters, with U+FFFD for each NUL in it, which C ends at. */
char *whole_text(const json_t *string);
/* One object as one line on stdout / any file; reals in the shortest form that
 * reads back the same. */
void xput_record(const json_t *);
/* All of it into a socket; -1: its reader is gone, errno says why. */
int send_all(int fd, const char *bytes, size_t n);
void xput_line(const char *line, size_t len);
void xput_text(const char *text, size_t len);	/* as it stands, no newline */
/* Compact JSON text of any value, reals shortest, NaN and infinities null. */
char *json_text(const json_t *);
void dump_json(struct buf *, const json_t *);
/* A whole JSON file or text, strictly; NULL and a message
 * "name:line:column: reason" in *error (the caller frees it) otherwise. */
json_t *parse_json(const char *text, size_t len, const char *name, char **error);
/* Whether this pipe has no reader any more: what waits for other things than its
 * next write would learn it late. */
bool reader_left(int fd);
/* Flushes and closes stdout; dies with ST_SYSTEM when it cannot (full disk).
 * The last thing that every program does. */
void xclose_stdout(void);

/* ---- inherit.c: what who started us left ---------------------------------- */

/* `handler` runs when the signal comes, unless it was ignored already: under nohup a
 * program lives on when its terminal hangs up. */
void catch_signal(int sig, void (*handler)(int));
bool signal_ignored(int sig);
/* Those given to catch_signal() are as they were before: for a child's command. */
void signals_as_found(void);
/* A standard file that was closed is no other file's, and cannot be used. */
void fill_standard_files(void);

/* ---- num.c --------------------------------------------------------------- */

double now_t(void);		/* unix seconds, microseconds resolved */
uint64_t now_ns(void);		/* monotonic */
/* Between two looks at what tells nothing by itself (a starting server, a dying
 * group); a signal cuts it short.  Never part of a measurement. */
void pause_ms(long ms);
/* For qsort(3) and bsearch(3), of doubles that are numbers. */
int compare_reals(const void *, const void *);
double round_to(double x, int decimals);
json_t *json_ms(double ms);	/* rounded to a microsecond; NaN: null */
json_t *json_text_or_null(const char *);	/* null for NULL and "" */
json_t *json_real_or_null(double);	/* null where it is not finite */
/* NAN where there is no number. */
double json_real_at(const json_t *object, const char *key);
json_t *json_t_of(double t);	/* unix seconds, rounded to 1 us; NaN: null */
/* At least 32 hexadecimal digits of the kernel's randomness into `hex`. */
void xrandom_hex(char *hex, size_t digits);

/* ---- file.c: a file appears whole or not at all -------------------------- */

/* The whole file; NULL and errno set when it cannot be read or is larger than
 * limit (EFBIG).  Ends in a NUL that *n does not count. */
char *read_file(const char *path, size_t limit, size_t *n);
/* A file in the folder that `temp` names (below `at`, a folder or AT_FDCWD) which
 * has no name yet; where the file system cannot do that it is called `temp` and
 * *named is true (O_EXCL, O_NOFOLLOW).  A descriptor, or -1 and errno. */
int nameless_open(int at, const char *temp, mode_t, bool *named);
/* Its name from here on is `path`; what had that name is replaced.  0, or -1 and
 * errno: then it has none. */
int nameless_put(int at, int fd, const char *temp, const char *path, bool named);
/* The same as a stream.  What is a pipe or a device is written to as it is. */
struct saving {
	FILE *f;
	char *path, *temp;
	bool named;	/* `temp` stands in the folder */
	bool stream;	/* `path` stays, whatever becomes of it */
};
int save_open(struct saving *, const char *path);	/* 0, or -1 and errno */
int save_commit(struct saving *);	/* flush, fsync, rename; 0 or -1/errno */
void save_abort(struct saving *);	/* removes it; keeps errno */
int make_dirs(const char *path);	/* mkdir -p; 0 or -1 and errno */
int remove_tree(const char *path);	/* rm -rf, follows no link, enters no other file system; 0 or -1 */
/* JUPYTERLAB_* from `path` (KEY=value lines, "export", quotes and # known)
 * into the environment where they are not set yet.  A missing file is fine. */
void xload_dotenv(const char *path);

/* base64.c */
char *base64_encode(const void *, size_t n);
unsigned char *base64_decode(const char *, size_t *n);	/* NULL: not base64 */

/* ---- hold.c, command.c: holders -------------------------------------------- */

/* What a holder opens: child processes in groups of their own and temporary
 * folders.  A janitor process is started with the first of them; if the holder
 * is killed (-9 too) the janitor ends the groups and removes the folders. */
char *xhold_tempdir(const char *prefix);	/* in TMPDIR; mode 700; borrowed */
/* Likewise; in /tmp where TMPDIR would make its name longer than that, or one
 * that LD_PRELOAD cannot hold. */
char *xhold_plain_tempdir(const char *prefix, size_t longest);
char *xhold_tempdir_in(const char *folder, const char *prefix);
/* Likewise in /dev/shm; NULL where TMPDIR is set, or so much is not free there. */
char *xhold_memory_tempdir(const char *prefix, double least_bytes);
/* Removes one of these, before all that is held is released. */
void hold_remove(const char *dir);
/* Starts argv (searched in PATH) in a process group of its own, stdin
 * /dev/null, stdout+stderr into `log` (a path; NULL: /dev/null).  `env` is a
 * NULL-ended list of "K=V" added to (or "K": removed from) the environment, or
 * NULL.  Returns the pid, or -1 and errno (also when exec fails). */
pid_t hold_spawn(char *const argv[], char *const env[], const char *log);
/* Ends one held group: SIGTERM, up to grace_ms, SIGKILL. */
void hold_end(pid_t pid, int grace_ms);
bool hold_alive(pid_t pid);
/* Runs a holder's COMMAND with the holder's stdin and stdout and waits for it:
 * SIGINT, SIGTERM and SIGHUP are passed on to it, and 5 s later it is killed.
 * If it was told to end, or was killed, what it had started is ended too.
 * Returns its exit status (128+signal when it was killed by one). */
int hold_command(char *const argv[]);
/* The same, and calls tend(SIGCHLD) when any child changed its state and
 * tend(SIGUSR1) when that came; true from it: the command is told to end.  While it
 * works, hold_told() says whether it should leave off.  tend(SIGTERM): what the
 * command left behind is told to end, and nobody needs any more what is held. */
int hold_command_tended(char *const argv[], bool (*tend)(int sig));
bool hold_told(void);
/* A child of the holder's own, none of the command's. */
void hold_spare(pid_t);
/* Ends all that is held, newest first.  Also runs at exit(). */
void hold_release(void);
/* A free loopback TCP port (closed again: the caller binds it soon). */
int free_port(void);
/* The last lines of a log file, for an error message; never NULL. */
char *log_tail(const char *path, size_t max_bytes);

/* ---- http.c: REST over libcurl -------------------------------------------- */

struct http;	/* one connection's state: cookies, authorisation, keep-alive */
struct reply {
	long status;	/* HTTP status; 0: no answer, see error */
	char *body;	/* NUL-terminated */
	size_t n;
	char *url;	/* the final one, after redirects */
	char error[256];	/* one line for people; "" when answered */
};
/* A signal handler sets it: calls under way end within a second, unanswered. */
extern volatile sig_atomic_t http_stop;
/* Calls end likewise, with SIGPIPE as http_stop, when who reads our stdout left. */
extern bool http_reader;
/* The program ended within a call: at its exit no more of them can be made. */
extern bool http_broken;
struct http *http_open(void);
/* With the same headers and cookies, and a connection of its own: for a fork. */
struct http *http_again(const struct http *);
void http_close(struct http *);
/* Sent with every request from here on; replaces one of the same name. */
void http_header(struct http *, const char *name, const char *value);
void http_insecure(struct http *);	/* accept any TLS certificate */
/* method, url, optional body with its content type; follows redirects only if
 * `follow`.  timeout_ms bounds the whole call.  Fill *r; free with reply_free. */
struct request {
	const char *method, *url, *body, *content_type;
	size_t n;
	long timeout_ms;
	bool follow;
	int (*sink)(void *to, const char *data, size_t n);	/* takes the body in pieces, not 0: stop; NULL: into reply.body */
	void *to;
};
void http_call(struct http *, const struct request *, struct reply *);
void reply_free(struct reply *);
/* Cookies for `url` as WebDriver wants them: [{"name","value","domain","path",
 * "secure","httpOnly"}...]. */
json_t *http_cookies(struct http *);
const char *http_cookie(struct http *, const char *name);	/* borrowed; NULL */

/* ---- lab.c: a Jupyter server ----------------------------------------------- */

#define OLDEST_LAB "4.2"	/* before it, key presses reach a page too early */
bool lab_too_old(const char *version);	/* "4.1.8": true */

struct lab {
	char *url;	/* base, ends in '/' */
	char *version;	/* of jupyter_server */
	char *lab_version;	/* of jupyterlab, or NULL when it is not told */
	long limit_ms;	/* of one call; 0: two minutes */
	bool held;	/* by the labserve above us: all that is on it ends with it */
	struct http *http;
	char error[512];	/* one line, set when a call fails */
};
/* For --insecure: any TLS certificate will do, and each lab_open() warns.  Never
 * taken from the environment: nobody inherits it. */
extern bool lab_insecure;
/* Opens the server that JUPYTERLAB_URL names, with JUPYTERLAB_TOKEN or
 * JUPYTERLAB_USERNAME and JUPYTERLAB_PASSWORD, and proves that it lets us in.
 * NULL and a line in error[512] otherwise. */
struct lab *lab_open(char error[512]);
void lab_close(struct lab *);
/* lab_open again and again for so long, but not when told to end: a server that
 * was there comes back. */
struct lab *lab_reopen(long wait_ms, char error[512]);
/* Asks the labserve above us, if there is one, to look after its server. */
void lab_complain(void);
/* One REST call below url, e.g. lab_call(l, "GET", "api/sessions", NULL).
 * Returns the JSON answer (json_null() for none); NULL: see l->error, and
 * *status holds the HTTP status (0: no answer) if status is not NULL. */
json_t *lab_call(struct lab *, const char *method, const char *path, const json_t *body, long *status);
/* Whether the server has a kernel of this name, or does not tell; else ->error names
 * those that it has, since a wrong name is a common slip. */
bool lab_has_kernel(struct lab *, const char *name);
/* Cookies that let a browser in without a token in any URL. */
json_t *lab_cookies(struct lab *);

/* ---- wd.c: a WebDriver session ---------------------------------------------- */

struct wd {
	char *session;	/* http://127.0.0.1:4444/session/ID */
	struct http *http;
	char *code;	/* of the last error: "javascript error", "no such window"...;
			 * "no answer" when the driver did not answer in time */
	char *message;	/* its first line */
	unsigned alerts;	/* JavaScript dialogs that the driver closed so far */
};
struct wd *wd_open(const char *session_url);
void wd_close(struct wd *);	/* forgets it; the session stays */
/* The last error in a line: "code: message"; the caller's. */
char *wd_fault(struct wd *);
/* path is below the session, e.g. "url", "actions"; body may be NULL.
 * Returns the answer's value; NULL: see code and message. */
json_t *wd_call(struct wd *, const char *method, const char *path, const json_t *body, long timeout_ms);
/* Runs a function body with args (an array, borrowed, or NULL). */
json_t *wd_script(struct wd *, const char *script, json_t *args, long timeout_ms);
json_t *wd_async(struct wd *, const char *script, json_t *args, long timeout_ms);
/* Chromium only, through chromedriver: one DevTools command. */
json_t *wd_cdp(struct wd *, const char *method, json_t *params);

#endif
