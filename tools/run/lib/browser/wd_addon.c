/* wd_addon.c: a script in the documents of a Firefox, by a temporary add-on.
 * A driver runs scripts in a document that has loaded, and in a sandbox; an add-on's script runs
 * before those of the document, as one of them. An add-on is a ZIP archive, here not compressed. */
#include "browser/wd_addon.h"
#include "base/buf.h"
#include "text/base64.h"

enum { INSTALL_MS = 30000, ZIP_VERSION = 20, FIRST_DATE = 0x21 };	/* 1 January 1980 */

static const char manifest[] =
    "{\"manifest_version\": 2, \"name\": \"nbscope\", \"version\": \"1\","
    "\"content_scripts\": [{\"matches\": [\"<all_urls>\"], \"js\": [\"page.js\"],"
    "\"run_at\": \"document_start\", \"world\": \"MAIN\", \"all_frames\": true,"
    "\"match_about_blank\": true}]}";

struct addon_file {
	const char *name, *text;
	uint32_t at;	/* where its header is */
};

static uint32_t
crc_of(const char *p, size_t n)
{
	uint32_t crc = ~0u;
	for (size_t i = 0; i < n; i++) {
		crc ^= (unsigned char)p[i];
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
	}
	return ~crc;
}

static void
add_number(struct buf *zip, uint32_t v, int bytes)
{
	for (int i = 0; i < bytes; i++)
		buf_add(zip, &(char){(char)(v >> 8 * i)}, 1);
}

/* What the headers before a file and in the list at the end have in common. */
static void
add_description(struct buf *zip, const struct addon_file *f)
{
	uint32_t n = (uint32_t)strlen(f->text);
	add_number(zip, ZIP_VERSION, 2);
	add_number(zip, 0, 2);		/* flags */
	add_number(zip, 0, 2);		/* not compressed */
	add_number(zip, 0, 2);		/* time */
	add_number(zip, FIRST_DATE, 2);
	add_number(zip, crc_of(f->text, n), 4);
	add_number(zip, n, 4);
	add_number(zip, n, 4);
	add_number(zip, (uint32_t)strlen(f->name), 2);
	add_number(zip, 0, 2);		/* no extra field */
}

static void
add_file(struct buf *zip, struct addon_file *f)
{
	f->at = (uint32_t)zip->n;
	buf_add(zip, "PK\3\4", 4);
	add_description(zip, f);
	buf_add(zip, f->name, strlen(f->name));
	buf_add(zip, f->text, strlen(f->text));
}

static void
add_to_list(struct buf *zip, const struct addon_file *f)
{
	buf_add(zip, "PK\1\2", 4);
	add_number(zip, ZIP_VERSION, 2);
	add_description(zip, f);
	add_number(zip, 0, 2);		/* no comment */
	add_number(zip, 0, 4);		/* disk, kind */
	add_number(zip, 0, 4);		/* attributes */
	add_number(zip, f->at, 4);
	buf_add(zip, f->name, strlen(f->name));
}

static char *
make_addon(const char *script)
{
	struct addon_file files[] = {{"manifest.json", manifest, 0}, {"page.js", script, 0}};
	struct buf zip = {0};
	for (size_t i = 0; i < COUNT(files); i++)
		add_file(&zip, &files[i]);
	uint32_t list = (uint32_t)zip.n;
	for (size_t i = 0; i < COUNT(files); i++)
		add_to_list(&zip, &files[i]);
	uint32_t list_bytes = (uint32_t)zip.n - list;
	buf_add(&zip, "PK\5\6", 4);
	add_number(&zip, 0, 4);		/* disks */
	add_number(&zip, COUNT(files), 2);
	add_number(&zip, COUNT(files), 2);
	add_number(&zip, list_bytes, 4);
	add_number(&zip, list, 4);
	add_number(&zip, 0, 2);		/* no comment */
	char *text = base64_encode(zip.p, zip.n);
	buf_free(&zip);
	return text;
}

static int
install_addon(struct wd *w, const char *script)
{
	char *addon = make_addon(script);
	int bad = wd_do(w, "POST", "moz/addon/install", json_pack("{s:s, s:b}", "addon", addon,
	    "temporary", 1), INSTALL_MS);
	free(addon);
	return bad;
}

int
wd_add_script(struct wd *w, const char *script)
{
	json_t *done = wd_script_cdp(w, "Page.addScriptToEvaluateOnNewDocument",
	    json_pack("{s:s}", "source", script));
	json_decref(done);
	return done ? 0 : install_addon(w, script);
}
