/* plot_glyph.c: characters that this machine's fonts have.
 *
 * Pango draws a character that no font has as a box with its code, and gnuplot scales
 * that box until it is larger than the figure.
 */
#include "base/buf.h"
#include "plot_glyph.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CODES = 0x110000, ALWAYS_THERE = 0x180, BITS = 8, NO_CODE = 0xfffd, LEAD_OF_3 = 3 };

static unsigned char there[CODES / BITS];
static bool known;

/* "TrueType 20-7e a0-17f 192": formats that Pango draws. */
static void
take_line(const char *line)
{
	char *end;
	if (strncmp(line, "TrueType ", 9) != 0 && strncmp(line, "CFF ", 4) != 0)
		return;
	for (const char *p = strchr(line, ' '); *p == ' '; p = end) {
		unsigned long first = strtoul(p + 1, &end, 16), last = first;
		if (end == p + 1)
			return;
		known = true;
		if (*end == '-')
			last = strtoul(end + 1, &end, 16);
		for (unsigned long c = first; c <= last && c < CODES; c++)
			there[c / BITS] |= (unsigned char)(1u << c % BITS);
	}
}

static void
take_lines(int fd)
{
	char *line = NULL;
	size_t cap = 0;
	FILE *f = fdopen(fd, "r");
	while (f && getline(&line, &cap, f) > 0)
		take_line(line);
	free(line);
	if (f)
		fclose(f);
}

/* The list of fontconfig, which gnuplot's Pango requires.  If it fails
 * all characters are assumed to be available. */
static void
ask_for_fonts(void)
{
	static char *const argv[] = {(char *)"fc-list", (char *)"--format", (char *)"%{fontformat} %{charset}\n", (char *)":", NULL};
	int fd[2], status;
	if (pipe(fd) < 0)
		return;
	pid_t pid = fork();
	if (pid == 0) {
		if (dup2(fd[1], STDOUT_FILENO) >= 0) {
			close(fd[0]);
			close(fd[1]);
			execvp(argv[0], argv);
		}
		_exit(127);
	}
	close(fd[1]);
	take_lines(fd[0]);
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		continue;
}

static bool
is_there(unsigned long c)
{
	static bool asked;
	if (c < ALWAYS_THERE)
		return true;
	if (!asked)
		ask_for_fonts();
	asked = true;
	return !known || (c < CODES && there[c / BITS] & 1u << c % BITS);
}

/* Joiners and selectors, which are never drawn. */
static bool
is_unseen(unsigned long c)
{
	return (c >= 0x200b && c <= 0x200f) || (c >= 0x2060 && c <= 0x2064) || (c >= 0xfe00 && c <= 0xfe0f) || (c >= 0xe0000 && c <= 0xe0fff);
}

/* The character at *p, which moves to the next; NO_CODE if it is not UTF-8. */
static unsigned long
next_code(const char **p)
{
	unsigned char lead = (unsigned char)*(*p)++;
	size_t more = lead < 0xc0 ? 0 : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : LEAD_OF_3;
	unsigned long c = lead < 0x80 ? lead : lead < 0xc0 ? NO_CODE : lead & (0x3fu >> more);
	for (; more && ((unsigned char)**p & 0xc0) == 0x80; more--)
		c = c << 6 | ((unsigned char)*(*p)++ & 0x3fu);
	return more ? NO_CODE : c;
}

char *
plot_glyph_text(const char *text)
{
	struct buf b = {0};
	buf_add(&b, "", 0);
	for (const char *p = text; *p;) {
		const char *from = p;
		unsigned long c = next_code(&p);
		if (c != NO_CODE && is_there(c))
			buf_add(&b, from, (size_t)(p - from));
		else if (!is_unseen(c))
			buf_addf(&b, "\uFFFD");
	}
	return b.p;
}
