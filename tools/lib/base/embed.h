/* embed.h: a file of share/ inside the program, so that it runs wherever it is installed.
 * EMBED(symbol, "path") defines `const char symbol[]`, NUL-terminated; EMBED_STATIC likewise,
 * for use in the same source alone. symbol_end is the address of that NUL, there too. */
#pragma once

#define EMBED_STATIC(symbol, path) \
	__asm__(".section .rodata\n" \
	        #symbol ":\n" \
	        ".incbin \"" path "\"\n" \
	        #symbol "_end:\n" \
	        ".byte 0\n" \
	        ".previous\n")
#define EMBED(symbol, path) EMBED_STATIC(symbol, path); __asm__(".global " #symbol "\n")
