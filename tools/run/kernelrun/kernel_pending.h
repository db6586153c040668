/* kernel_pending.h: what cells have left to do in the kernel after their replies. */
#pragma once

#include "kernel_client.h"

/* Before the first cell: notes what is pending already, in a Python kernel. */
void kernel_pending_begin(struct kernel_client *);
/* Waits until no timer, task or thread that the cells started is pending, but 5 s at most. */
void kernel_pending_wait(struct kernel_client *);
