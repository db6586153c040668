/* kernel_call.h: system calls that Linux before 5.9, or an old C library, lacks: where the kernel
 * does not know them, something older does the same. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

void kernel_call_close_from(int first);	/* this file descriptor and all above it */
/* A descriptor, closed on exec, that is readable once this child, of which no one waits for the end
 * before, has ended; -1 and errno. One at a time. */
int kernel_call_end_of(pid_t);
/* A new file in memory, or one without a name in TMPDIR; -1 and errno. */
int kernel_call_memory_file(const char *name, bool closed_on_exec);
void kernel_call_wipe(void *, size_t n);	/* a secret; no compiler leaves it out */
