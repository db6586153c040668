/* page.c: the scripts of share/page, inside the programs that inject them, so
 * that a program runs wherever it is installed. */
#include "labpage.h"

#define EMBED(symbol, path) \
	__asm__(".section .rodata\n" \
	        ".global " #symbol "\n" \
	        #symbol ":\n" \
	        ".incbin \"" path "\"\n" \
	        ".byte 0\n" \
	        ".previous\n")

EMBED(page_watch_js, "share/page/watch.js");
EMBED(page_kernel_js, "share/page/kernel.js");
