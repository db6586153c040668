/* suspension.h: whether this process or the machine was suspended meanwhile. */
#pragma once

#include <stdbool.h>

struct suspension {
	int continued;
	double suspended_s;
};
/* Notices from now on when this process is continued after a stop. */
void suspension_catch(void);
struct suspension suspension_now(void);
bool suspension_since(struct suspension before);
