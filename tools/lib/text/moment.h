/* moment.h: dates with a time of day, as ISO 8601 and SQL write them. */
#pragma once

/* "2026-11-25T20:42:37.125Z", "2026-11-25 20:42:37 +01:00", "2026-11-25" as Unix seconds, in UTC
 * if it names no zone.  NaN: the text is none. */
double moment_unix_s(const char *text);
