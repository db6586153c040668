/* http: what servers answer: a Jupyter server that is opened and asked, and a
 * WebDriver.  A server on loopback gives the input's parts, one a connection,
 * parted by a line "====". */
#include "base/die.h"
#include "browser/wd.h"
#include "fuzz.h"
#include "jupyter/login.h"

#include <arpa/inet.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int listener = -1;
static char url[64];
static const char *rest, *end;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Waiting for a hub takes no time here: a pause moves the clock instead. */
static uint64_t slept_ns;
uint64_t __real_clock_monotonic_ns(void);
uint64_t __wrap_clock_monotonic_ns(void);
void __wrap_clock_pause_ms(long ms);
uint64_t
__wrap_clock_monotonic_ns(void)
{
	return __real_clock_monotonic_ns() + slept_ns;
}
void
__wrap_clock_pause_ms(long ms)
{
	slept_ns += (uint64_t)(ms < 5000 ? 5000 : ms) * 1000000;
}

static char *
next_part(size_t *n)
{
	static const char line[] = "\n====\n";
	pthread_mutex_lock(&lock);
	const char *at = rest ? memmem(rest, (size_t)(end - rest), line, sizeof line - 1) : NULL;
	*n = rest ? (size_t)((at ? at : end) - rest) : 0;
	char *part = fuzz_copy((const uint8_t *)rest, *n);
	rest = at ? at + sizeof line - 1 : NULL;
	pthread_mutex_unlock(&lock);
	return part;
}

static void
answer(int to)
{
	char head[1 << 14];
	size_t got = 0, n, put = 0;
	struct pollfd one = {.fd = to, .events = POLLIN};
	while (got < sizeof head - 1 && poll(&one, 1, 1000) == 1) {
		ssize_t k = recv(to, head + got, sizeof head - 1 - got, 0);
		if (k <= 0)
			break;
		got += (size_t)k;
		if (memmem(head, got, "\r\n\r\n", 4))
			break;
	}
	char *part = next_part(&n);
	for (ssize_t k; put < n && (k = send(to, part + put, n - put, MSG_NOSIGNAL)) > 0; put += (size_t)k)
		continue;
	free(part);
	shutdown(to, SHUT_WR);
	/* What is unread when it closes would reset the connection. */
	while (poll(&one, 1, 50) == 1 && recv(to, head, sizeof head, 0) > 0)
		continue;
	close(to);
}

static void *
serve(void *unused)
{
	for (int to; (to = accept4(listener, NULL, NULL, SOCK_CLOEXEC)) >= 0 || true; )
		if (to >= 0)
			answer(to);
	return unused;
}

static void
start(void)
{
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t n = sizeof at;
	pthread_t thread;
	listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (listener < 0 || bind(listener, (struct sockaddr *)&at, n) != 0 || listen(listener, 64) != 0 ||
	    getsockname(listener, (struct sockaddr *)&at, &n) != 0 || pthread_create(&thread, NULL, serve, NULL) != 0)
		abort();
	snprintf(url, sizeof url, "http://127.0.0.1:%d/user/u/", ntohs(at.sin_port));
	stderr = fopen("/dev/null", "w");
	program_name = "fuzz";
}

static void
check_line(const char *line)
{
	WANT(*line && strlen(line) < 512);
}

static void
as_jupyter(const char *token, const char *password)
{
	char error[512] = "";
	setenv("JUPYTERLAB_URL", url, 1);
	token ? setenv("JUPYTERLAB_TOKEN", token, 1) : unsetenv("JUPYTERLAB_TOKEN");
	password ? setenv("JUPYTERLAB_PASSWORD", password, 1) : unsetenv("JUPYTERLAB_PASSWORD");
	struct lab *l = lab_open(error);
	if (!l) {
		check_line(error);
		WANT(!strstr(error, "s3cret"));
		return;
	}
	json_t *list = lab_call(l, "GET", "api/sessions", NULL, NULL);
	if (!list)
		check_line(l->error);
	json_decref(list);
	struct http_reply r;
	login_post(l, url, "token=s3cret", &r);
	http_reply_free(&r);
	json_decref(http_cookies(l->http));
	lab_close(l);
}

static void
as_driver(void)
{
	struct wd *w = wd_open(url);
	json_t *value = wd_call(w, "GET", "title", NULL, 2000);
	if (!value)
		WANT(w->code && w->message && !strchr(w->message, '\n'));
	json_decref(value);
	wd_close(w);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	if (listener < 0)
		start();
	if (!n)
		return 0;
	char *text = fuzz_copy(data + 1, n - 1);
	pthread_mutex_lock(&lock);
	rest = text;
	end = text + n - 1;
	pthread_mutex_unlock(&lock);
	if (*data % 3 == 0)
		as_driver();
	else
		as_jupyter(*data % 3 == 1 ? "s3cret" : NULL, *data % 3 == 2 ? "s3cret" : NULL);
	pthread_mutex_lock(&lock);
	rest = NULL;
	pthread_mutex_unlock(&lock);
	free(text);
	return 0;
}
