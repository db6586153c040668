/* hook_command.h: runs a command whose driver asks this program around each cell.
 * cellprofile(1) describes what the driver asks. */
#pragma once

#include <jansson.h>

/* Runs the command and returns its exit status.  on_question() gets each question, in a process of
 * its own, and may use hook_driver.h; it returns the members of the answer (NULL: none). */
int hook_command(char *const argv[], json_t *(*on_question)(const char *type, const json_t *));
