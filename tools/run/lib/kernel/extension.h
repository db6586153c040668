/* extension.h: nbscope's IPython extension in the kernel of a run (share/ipython). */
#pragma once

#include "notebook/notebook.h"
#include "kernel/kernel_access.h"

/* Loads it if a line begins with a magic that only the extension has, unless --no-extension; notes
 * in run_options what became of it, for the run record. */
void extension_load(const struct kernel_access *, const struct notebook *);
