/* fuzz.h: what the fuzz targets share.
 *
 * The library ends the process where its input is bad.  Under test its exit() is
 * caught (-Dexit=fuzz_exit), so that a million bad inputs pass in one process;
 * what it had allocated is freed then.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include "base/nbscope.h"

enum { FUZZ_RETURNED = -1 };

/* Calls work(arg); FUZZ_RETURNED, or the status with which it wanted to exit.
 * What it left allocated is freed: *left (may be NULL) counts it. */
int fuzz_caught(void (*work)(void *), void *arg, size_t *left);
/* Where an exit goes that nobody catches; _exit unless it is set. */
extern void (*fuzz_leave)(int);
/* What was said on stderr meanwhile, without the last newline.  Aborts if it is
 * not one line "tool: ..." of printable text where an exit was caught. */
const char *fuzz_said(void);
/* Ends the run with a line, as a finding. */
_Noreturn void fuzz_finding(const char *fmt, ...) PRINTF(1, 2);
#define WANT(cond) ((cond) ? (void)0 : fuzz_finding("%s:%d: not so: %s", __FILE__, __LINE__, #cond))
/* A copy of exactly n bytes and a NUL, so that a read behind it is seen. */
char *fuzz_copy(const uint8_t *data, size_t n);
/* A file without a name that holds the data; its path is good until fuzz_unfile. */
const char *fuzz_file(const uint8_t *data, size_t n);
void fuzz_unfile(void);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);
int LLVMFuzzerInitialize(int *argc, char ***argv);

#endif
