/* source_line.h: the line of a cell's source that names the cell. */
#pragma once

#include <stddef.h>

/* The first line that calls something, unless it only makes an object: not that of an import, of a
 * definition with its body, or of "out = w.Output()", whose function has a capital.  If there is
 * none, the first line that is no comment and no magic (# or %), else the first that is not blank.
 * Without the blanks around it, and at most `most` bytes and the character that they end in; the
 * caller's. */
char *source_line(const char *source, size_t most);
