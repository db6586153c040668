/* profile_record.h: members of profile records. */
#pragma once

#include "json/scan.h"

/* Dies with ST_INPUT: "file:line:1: a TYPE without WHAT". */
_Noreturn void xprofile_record_lacks(const struct lines *, const char *type, const char *what);
char *xprofile_record_text(struct scan *, const struct lines *, const char *type,
    const char *key);
long profile_record_line(struct scan *, const char *key);	/* 0: there is none */
double profile_record_amount(struct scan *, const char *key);	/* 0: none, or negative */
size_t profile_record_runs(struct scan *);	/* of a folded record; else 1 */
/* Adds the record's runs to *runs, once in each run that is read. */
void profile_record_count(struct scan *, size_t run, size_t *runs, size_t *last_run);
