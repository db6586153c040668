/* hold.h: processes and temporary folders that are gone when the holder has ended.
 *
 * Each held process leads a process group of its own. A reaper (reaper.h) is started with
 * the first thing held: if the holder is killed, even by SIGKILL, the reaper ends the groups
 * and removes the folders.
 */
#pragma once

#include "process/descendants.h"

enum { MAX_HELD = 32 };

/* A new folder in TMPDIR, mode 700; borrowed. */
char *xhold_tempdir(const char *prefix);
/* Makes such a folder, but in /tmp if its path in TMPDIR would be longer than max_bytes or contain
 * a character that LD_PRELOAD takes for a separator. */
char *xhold_plain_tempdir(const char *prefix, size_t max_bytes);
char *xhold_tempdir_in(const char *folder, const char *prefix);
/* Whether another user could replace a folder in `dir` with one of theirs. */
bool hold_is_open_to_all(const char *dir);
/* Removes one of these folders early. */
void hold_remove(const char *dir);
/* Writes a file, mode 600, into one of them; returns its path, the caller's. */
char *xhold_put_file(const char *dir, const char *name, const void *bytes, size_t n);

/* Starts argv (searched in PATH) in a process group of its own, with stdin from /dev/null
 * and stdout and stderr appended to `log` (a path; NULL: /dev/null). `env` is a NULL-ended
 * list of "K=V" to set in, or "K" to remove from, the environment, or NULL.
 * Returns the pid, or -1 and errno (also if exec fails). */
pid_t hold_spawn(char *const argv[], char *const env[], const char *log);
bool hold_alive(pid_t);
/* Ends a held group and its descendants: SIGTERM, then SIGKILL after grace_ms. */
void hold_end(pid_t, int grace_ms);
/* Ends everything held, newest first. Also runs at exit(). */
void hold_release(void);
/* The last max_bytes of a log file, for an error message; never NULL. */
char *hold_log_tail(const char *path, size_t max_bytes);

/* The rest is used by hold_command(). */

/* Makes orphans below this process its children. Under make, which may be killed and leave
 * this process behind, also requests SIGTERM when the parent ends. */
void hold_adopt_orphans(void);
/* Restores, in a forked process before exec, the signal handling that programs expect. */
void hold_reset_signals(void);
/* The descendants of each held group, for the caller to free; returns how many groups. */
size_t hold_descendants(struct descendants groups[MAX_HELD]);
pid_t hold_reaper(void);	/* 0: none runs */
