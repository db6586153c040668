/* extension.h: nbscope's IPython extension in the kernel of a run (share/ipython). */
#ifndef EXTENSION_H
#define EXTENSION_H

#include "drive/notebook.h"
#include "drive/profiling.h"

/* Loads it if a cell begins with a magic that only the extension has, unless --no-extension; notes
 * in run_options what became of it, for the run record. */
void extension_load(const struct profiling_driver *, const struct notebook *);

#endif
