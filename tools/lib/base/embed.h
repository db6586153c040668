/* embed.h: a file of share/ inside the program, so that it runs wherever it is
 * installed.  EMBED(symbol, "path") defines `const char symbol[]`, NUL-ended, and
 * symbol_end, where that NUL is. */
#ifndef EMBED_H
#define EMBED_H

#define EMBED(symbol, path) \
	__asm__(".section .rodata\n" \
	        ".global " #symbol "\n" \
	        #symbol ":\n" \
	        ".incbin \"" path "\"\n" \
	        ".global " #symbol "_end\n" \
	        #symbol "_end:\n" \
	        ".byte 0\n" \
	        ".previous\n")

#endif
