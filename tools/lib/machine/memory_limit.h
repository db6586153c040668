/* memory_limit.h: the memory that a notebook can use. */
#pragma once

struct memory_limit {
	double bytes;		/* of the machine, or what a control group allows */
	double available_bytes;	/* now; NaN: the limit was given, perhaps for another machine */
	const char *set_by;	/* "machine", "cgroup" or "option" */
};
void xmemory_limit_read(struct memory_limit *);
