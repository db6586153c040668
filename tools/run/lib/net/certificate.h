/* certificate.h: a server's own certificate, and the keys by which a browser recognises it. */
#pragma once

/* Makes a key and a certificate of it for a host, a name or an address; both as PEM texts, the
 * caller's.  Dies with ST_SYSTEM. */
void xcertificate_make(const char *host, char **certificate, char **key);
/* The public keys of all certificates in a PEM file, as Chromium takes them: SHA-256 in base64,
 * separated by commas; the caller's.  NULL: the file cannot be read (errno) or has none (0). */
char *certificate_pins(const char *path);
