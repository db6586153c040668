/* certificate.c: a server's own certificate, and the keys by which a browser recognises it. */
#include "net/certificate.h"
#include "base/buf.h"
#include "base/die.h"
#include "base/file.h"
#include "base/random_hex.h"

#include <arpa/inet.h>
#include <errno.h>
#include <openssl/pem.h>
#include <openssl/sha.h>
#include <openssl/x509v3.h>

/* It is used until its server ends. */
enum { VALID_S = 365 * 86400, EARLIER_S = 86400, SERIAL_DIGITS = 15, MAX_PEM_BYTES = 1 << 20 };

static bool
is_address(const char *host)
{
	struct in6_addr a;
	return inet_pton(AF_INET, host, &a) == 1 || inet_pton(AF_INET6, host, &a) == 1;
}

static bool
set_host(X509 *x, const char *host)
{
	char *name = xasprintf("%s:%s", is_address(host) ? "IP" : "DNS", host);
	X509_EXTENSION *e = X509V3_EXT_conf_nid(NULL, NULL, NID_subject_alt_name, name);
	bool set = e && X509_add_ext(x, e, -1);
	X509_EXTENSION_free(e);
	free(name);
	return set;
}

static X509 *
sign_certificate(EVP_PKEY *key, const char *host)
{
	static const unsigned char subject[] = "nbscope";
	char serial[SERIAL_DIGITS + 1];
	X509 *x = X509_new();
	X509_NAME *name = x ? X509_get_subject_name(x) : NULL;
	xrandom_hex(serial, SERIAL_DIGITS);
	if (name && key && X509_set_version(x, X509_VERSION_3) &&
	    ASN1_INTEGER_set_uint64(X509_get_serialNumber(x), strtoull(serial, NULL, 16)) &&
	    X509_gmtime_adj(X509_getm_notBefore(x), -EARLIER_S) &&
	    X509_gmtime_adj(X509_getm_notAfter(x), VALID_S) && X509_set_pubkey(x, key) &&
	    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, subject, -1, -1, 0) &&
	    X509_set_issuer_name(x, name) && set_host(x, host) && X509_sign(x, key, EVP_sha256()))
		return x;
	X509_free(x);
	return NULL;
}

/* The caller's. */
static char *
text_of(BIO *memory)
{
	char *p;
	long n = BIO_get_mem_data(memory, &p);
	return xasprintf("%.*s", (int)n, p);
}

void
xcertificate_make(const char *host, char **certificate, char **key)
{
	EVP_PKEY *pair = EVP_EC_gen("P-256");
	X509 *x = sign_certificate(pair, host);
	BIO *public = BIO_new(BIO_s_mem()), *secret = BIO_new(BIO_s_mem());
	if (!x || !public || !secret || !PEM_write_bio_X509(public, x) ||
	    !PEM_write_bio_PrivateKey(secret, pair, NULL, NULL, 0, NULL, NULL))
		die(ST_SYSTEM, "cannot make a certificate for '%s'", host);
	*certificate = text_of(public);
	*key = text_of(secret);
	BIO_free(public);
	BIO_free(secret);
	X509_free(x);
	EVP_PKEY_free(pair);
}

static void
add_pin(struct buf *pins, X509 *x)
{
	unsigned char *der = NULL, digest[SHA256_DIGEST_LENGTH], text[2 * sizeof digest];
	int n = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(x), &der);
	if (n <= 0)
		return;
	SHA256(der, (size_t)n, digest);
	EVP_EncodeBlock(text, digest, sizeof digest);
	buf_addf(pins, "%s%s", pins->n ? "," : "", (const char *)text);
	OPENSSL_free(der);
}

char *
certificate_pins(const char *path)
{
	size_t n;
	struct buf pins = {0};
	char *text = file_read(path, MAX_PEM_BYTES, &n);
	BIO *memory = text ? BIO_new_mem_buf(text, (int)n) : NULL;
	X509 *x;
	if (!text)
		return NULL;
	while (memory && (x = PEM_read_bio_X509(memory, NULL, NULL, NULL))) {
		add_pin(&pins, x);
		X509_free(x);
	}
	BIO_free(memory);
	free(text);
	errno = 0;
	return pins.p;
}
