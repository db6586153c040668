/* enosys CALL... -- COMMAND...: runs a command on a kernel that does not know these system calls: a
 * name of the table, or "newer", all that Linux 4.18 does not have. */
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The first number that is the same on all processors. */
enum { NEWER = 424 };
static const struct {
	const char *name;
	unsigned number;
} calls[] = {{"pidfd_open", SYS_pidfd_open}, {"close_range", SYS_close_range},
	{"getrandom", SYS_getrandom}, {"memfd_create", SYS_memfd_create},
	{"copy_file_range", SYS_copy_file_range}, {"newer", NEWER}};

int
main(int argc, char **argv)
{
	struct sock_filter f[64] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
	    offsetof(struct seccomp_data, nr))};
	unsigned short n = 1;
	int i = 1;
	for (; i < argc && strcmp(argv[i], "--") != 0 && n < 60; i++) {
		size_t k = 0;
		while (k < sizeof calls / sizeof *calls && strcmp(calls[k].name, argv[i]) != 0)
			k++;
		if (k == sizeof calls / sizeof *calls)
			return fprintf(stderr, "enosys: no call '%s'\n", argv[i]), 2;
		unsigned short test = calls[k].number == NEWER ? BPF_JGE : BPF_JEQ;
		f[n++] = (struct sock_filter)BPF_JUMP((unsigned short)(BPF_JMP | test | BPF_K),
		    calls[k].number, 0, 1);
		f[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS);
	}
	f[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	if (i + 1 >= argc || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &(struct sock_fprog){n, f}) != 0)
		return perror("enosys"), 4;
	execvp(argv[i + 1], argv + i + 1);
	return perror(argv[i + 1]), 127;
}
