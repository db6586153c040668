/* output.c: stdout, whose errors end the program, and sockets. */
#include "base/output.h"
#include "base/die.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

/* Ends the program after a failed write; errno is its reason. */
_Noreturn static void
die_of_write(void)
{
	if (errno != EPIPE)
		die(ST_SYSTEM, "cannot write to standard output:");
	/* The reader has gone, which needs no message. */
	if (die_in_fork)
		_exit(ST_SYSTEM);
	exit(ST_SYSTEM);
}

void
xoutput_flush(void)
{
	if (!errno)
		errno = EIO;	/* an earlier write failed; its errno is lost */
	if (fflush(stdout) != 0 || ferror(stdout))
		die_of_write();
}

void
xoutput_line(const char *line, size_t len)
{
	if (fwrite(line, 1, len, stdout) != len || putchar('\n') == EOF)
		die_of_write();
}

void
xoutput_text(const char *text, size_t len)
{
	if (fwrite(text, 1, len, stdout) != len)
		die_of_write();
}

int
output_send_all(int fd, const char *bytes, size_t n)
{
	while (n) {
		ssize_t k = send(fd, bytes, n, MSG_NOSIGNAL);
		if (k == 0 || (k < 0 && errno != EINTR))
			return -1;
		bytes += k > 0 ? k : 0;
		n -= k > 0 ? (size_t)k : 0;
	}
	return 0;
}

void
xoutput_close(void)
{
	xoutput_flush();
	if (fclose(stdout) != 0 && errno != EBADF)
		die(ST_SYSTEM, "cannot write to standard output:");
}

bool
output_reader_left(int fd)
{
	struct pollfd p = {.fd = fd};
	return poll(&p, 1, 0) == 1 && (p.revents & POLLERR);
}
