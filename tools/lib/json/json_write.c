/* json_write.c: a file of one JSON value. */
#include "json/json_write.h"
#include "base/atomic_file.h"
#include "base/die.h"
#include "json/json_text.h"

void
xjson_write(const char *path, const json_t *v)
{
	struct buf b = {0};
	if (!v)
		die(ST_SYSTEM, "out of memory");
	json_text_add(&b, v);
	buf_add(&b, "\n", 1);
	xatomic_file_put_buf(path, &b);
	buf_free(&b);
}

void
xjson_write_new(const char *path, json_t *v)
{
	xjson_write(path, v);
	json_decref(v);
}
