/* fuzz.c: exits caught, what they left freed, what they said kept. */
#include "fuzz.h"
#include "base/die.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* The address sanitizer's, which reports every allocation in the process. */
int __sanitizer_install_malloc_and_free_hooks(void (*)(const volatile void *, size_t), void (*)(const volatile void *));

enum { SLOTS = 1 << 18, SAID_BYTES = 1 << 16 };

static jmp_buf back;
static _Thread_local bool catching;	/* libFuzzer has threads too, and what they allocate is theirs */
static int status;
static const volatile void *live[SLOTS];
static _Thread_local size_t n_live;
static char said[SAID_BYTES];
static FILE *to_said, *real_stderr;

_Noreturn void fuzz_exit(int);	/* what exit() is in the library under test */
void (*fuzz_leave)(int) = _exit;

_Noreturn void
fuzz_exit(int with)
{
	if (!catching) {
		fuzz_leave(with);
		abort();
	}
	catching = false;
	status = with;
	longjmp(back, 1);
}

static size_t
slot_of(const volatile void *p)
{
	return ((uintptr_t)p >> 4) * 0x9E3779B97F4A7C15u >> 40 & (SLOTS - 1);
}

static void
on_malloc(const volatile void *p, size_t n)
{
	(void)n;
	if (!catching || !p || n_live > SLOTS / 2)
		return;
	size_t i = slot_of(p);
	while (live[i])
		i = (i + 1) & (SLOTS - 1);
	live[i] = p;
	n_live++;
}

/* Those behind it move up, so that a search may end at a free slot. */
static void
on_free(const volatile void *p)
{
	if (!n_live || !p)
		return;
	size_t i = slot_of(p), hole;
	while (live[i] && live[i] != p)
		i = (i + 1) & (SLOTS - 1);
	if (!live[i])
		return;
	n_live--;
	live[hole = i] = NULL;
	for (i = (i + 1) & (SLOTS - 1); live[i]; i = (i + 1) & (SLOTS - 1)) {
		size_t home = slot_of(live[i]);
		if (((i - home) & (SLOTS - 1)) < ((i - hole) & (SLOTS - 1)))
			continue;
		live[hole] = live[i];
		live[hole = i] = NULL;
	}
}

static size_t
free_left(void)
{
	size_t left = n_live;
	for (size_t i = 0; n_live && i < SLOTS; i++)
		while (live[i])
			free((void *)(uintptr_t)live[i]);
	return left;
}

static void
prepare(void)
{
	if (real_stderr)
		return;
	real_stderr = stderr;
	to_said = fmemopen(said, sizeof said, "w");
	if (!to_said || !__sanitizer_install_malloc_and_free_hooks(on_malloc, on_free))
		abort();
	setvbuf(to_said, NULL, _IONBF, 0);
	program_name = "fuzz";
}

int
fuzz_caught(void (*work)(void *), void *arg, size_t *left)
{
	prepare();
	rewind(to_said);
	memset(said, 0, 256);
	status = FUZZ_RETURNED;
	stderr = to_said;
	catching = true;
	if (setjmp(back) == 0)
		work(arg);
	catching = false;
	stderr = real_stderr;
	size_t n = free_left();
	if (left)
		*left = n;
	return status;
}

const char *
fuzz_said(void)
{
	long n = ftell(to_said);
	if (n < 0 || n >= SAID_BYTES)
		fuzz_finding("a message of more than %d bytes", SAID_BYTES);
	said[n] = '\0';
	if (status == FUZZ_RETURNED)
		return said;
	if (n == 0 || said[n - 1] != '\n' || strchr(said, '\n') != said + n - 1 || strncmp(said, "fuzz: ", 6) != 0)
		fuzz_finding("not one line: '%s'", said);
	said[n - 1] = '\0';
	for (const unsigned char *p = (const unsigned char *)said; *p; p++)
		if (*p < 0x20 || *p == 0x7f)
			fuzz_finding("a control character in '%s'", said);
	return said;
}

void
fuzz_finding(const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	FILE *to = real_stderr ? real_stderr : stderr;
	fputs("finding: ", to);
	vfprintf(to, fmt, ap);
	fputs("\n", to);
	fflush(to);
	va_end(ap);
	abort();
}

char *
fuzz_copy(const uint8_t *data, size_t n)
{
	char *copy = malloc(n + 1);
	if (!copy)
		abort();
	if (n)
		memcpy(copy, data, n);
	copy[n] = '\0';
	return copy;
}

static int file = -1;

const char *
fuzz_file(const uint8_t *data, size_t n)
{
	static char path[64];
	file = memfd_create("input", MFD_CLOEXEC);
	fchmod(file, 0600);
	if (file < 0 || write(file, data, n) != (ssize_t)n)
		abort();
	snprintf(path, sizeof path, "/proc/self/fd/%d", file);
	return path;
}

void
fuzz_unfile(void)
{
	close(file);
}
