/* driver_preload.h: keeps other users out of a driver's port. */
#ifndef DRIVER_PRELOAD_H
#define DRIVER_PRELOAD_H

/* Writes the library into the held folder; returns "LD_PRELOAD=..." for the driver's
 * environment, the caller's. */
char *xdriver_preload_variable(const char *dir);

#endif
