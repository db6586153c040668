/* profile_files.c: files for other viewers of profiles. */
#include "profile_files.h"
#include "base/atomic_file.h"
#include "base/die.h"
#include "json/json_write.h"
#include "profile/profile_record.h"
#include "text/base64.h"

enum { MAX_NAME = 100 };

static const char *folder;
static json_t *written;	/* {name: true} */

static bool
is_plain_name(const char *name)
{
	static const char plain[] =
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+@-";
	size_t n = strspn(name, plain);
	return n > 0 && n <= MAX_NAME && !name[n] && *name != '.';
}

/* A name that was used already gets a number before its ending: "cell-005@2.pstats". */
static char *
path_of_file(const char *name)
{
	const char *dot = strrchr(name, '.');
	size_t stem = dot ? (size_t)(dot - name) : strlen(name);
	char *unused = xstrdup(name);
	for (long n = 2; json_object_get(written, unused); n++) {
		free(unused);
		unused = xasprintf("%.*s@%ld%s", (int)stem, name, n, name + stem);
	}
	json_object_set_new(written, unused, json_true());
	char *path = xasprintf("%s/%s", folder, unused);
	free(unused);
	return path;
}

static size_t
decoded_bytes(const char *base64)
{
	return strcspn(base64, "=") * 3 / 4;
}

static void
write_profile_file(struct scan *s, const struct lines *in)
{
	const char *type = "profile_file";
	char *name = xprofile_record_text(s, in, type, "name");
	char *base64 = xprofile_record_text(s, in, type, "base64");
	double bytes = span_number(scan_get(s, "bytes"));
	if (!is_plain_name(name))
		die(ST_INPUT, "%s:%lu:1: '%s' is not the name of a file", in->name,
		    in->number, name);
	if (!isfinite(bytes) || fabs(bytes - (double)decoded_bytes(base64)) > 0)
		die(ST_INPUT, "%s:%lu:1: '%s' has not the size that its record says", in->name,
		    in->number, name);
	char *path = path_of_file(name);
	if (!xbase64_write_file(path, base64))
		die(ST_INPUT, "%s:%lu:1: '%s' is not base64", in->name, in->number, name);
	free(path);
	free(base64);
	free(name);
}

void
profile_files_open(struct profile_fold *f, const char *to)
{
	folder = to;
	written = json_object();
	f->on_file = write_profile_file;
}

/* ---- stacks ------------------------------------------------------------------------ */

/* In collapsed stacks, ';' separates frames and a blank the count. */
static void
add_collapsed_frame(struct buf *b, const char *frame)
{
	for (; *frame; frame++) {
		unsigned char c = (unsigned char)*frame;
		const char *instead = c == ';' ? ":" : c < ' ' ? " " : frame;
		buf_add(b, instead, 1);
	}
}

/* "kernel;MainThread;main (a.py:1);f (a.py:7) 12" */
static void
write_collapsed(const struct profile_cell *c, const char *path)
{
	struct buf b = {0};
	for (size_t i = 0; i < c->n_stacks; i++) {
		const struct profile_stack *s = &c->stacks[i];
		const json_t *frame;
		size_t k;
		add_collapsed_frame(&b, s->process);
		buf_add(&b, ";", 1);
		add_collapsed_frame(&b, s->thread);
		json_array_foreach(s->frames, k, frame) {
			buf_add(&b, ";", 1);
			add_collapsed_frame(&b, json_string_value(frame));
		}
		buf_addf(&b, " %.0f\n", s->samples);
	}
	xatomic_file_write_buf(path, &b);
	buf_free(&b);
}

struct speedscope {
	json_t *frames, *profiles;	/* arrays */
	json_t *frame_of;	/* {name: index of frames} */
	json_t *profile_of;	/* {process and thread: index of profiles} */
};

static json_int_t
speedscope_frame(struct speedscope *to, const char *name)
{
	json_t *at = json_object_get(to->frame_of, name);
	if (!at) {
		at = json_integer((json_int_t)json_array_size(to->frames));
		json_object_set_new(to->frame_of, name, at);
		json_array_append_new(to->frames, json_pack("{s:s}", "name", name));
	}
	return json_integer_value(at);
}

static json_t *
speedscope_profile(struct speedscope *to, const struct profile_stack *s)
{
	char *name = xasprintf("%s, %s", s->process, s->thread);
	json_t *at = json_object_get(to->profile_of, name);
	if (!at) {
		at = json_integer((json_int_t)json_array_size(to->profiles));
		json_object_set_new(to->profile_of, name, at);
		json_t *profile = json_pack("{s:s, s:s, s:s, s:i, s:f, s:[], s:[]}", "type",
		    "sampled", "name", name, "unit", "seconds", "startValue", 0, "endValue", 0.0,
		    "samples", "weights");
		json_array_append_new(to->profiles, profile);
	}
	free(name);
	return json_array_get(to->profiles, (size_t)json_integer_value(at));
}

static void
add_speedscope_stack(struct speedscope *to, const struct profile_stack *s)
{
	json_t *p = speedscope_profile(to, s), *stack = json_array();
	const json_t *frame;
	size_t i;
	double end_s = json_number_value(json_object_get(p, "endValue"));
	json_array_foreach(s->frames, i, frame)
		json_array_append_new(stack,
		    json_integer(speedscope_frame(to, json_string_value(frame))));
	json_array_append_new(json_object_get(p, "samples"), stack);
	json_array_append_new(json_object_get(p, "weights"), json_real(s->time_s));
	json_object_set_new(p, "endValue", json_real(end_s + s->time_s));
}

static void
write_speedscope(const struct profile_cell *c, const char *name, const char *path)
{
	struct speedscope to = {json_array(), json_array(), json_object(), json_object()};
	for (size_t i = 0; i < c->n_stacks; i++)
		add_speedscope_stack(&to, &c->stacks[i]);
	json_t *file = json_pack("{s:s, s:s, s:s, s:{s:o}, s:o}", "$schema",
	    "https://www.speedscope.app/file-format-schema.json", "exporter",
	    "nbscope " NBSCOPE_VERSION, "name", name, "shared", "frames", to.frames,
	    "profiles", to.profiles);
	xjson_write_new(path, file);
	json_decref(to.frame_of);
	json_decref(to.profile_of);
}

void
xprofile_files_stacks(const struct profile_fold *f)
{
	for (size_t i = 0; i < f->n; i++) {
		const struct profile_cell *c = &f->cells[i];
		if (!c->n_stacks)
			continue;
		char *name = xasprintf("cell-%03ld%s", c->index, c->page ? "-page" : "");
		char *collapsed = xasprintf("%s.collapsed.txt", name);
		char *speedscope = xasprintf("%s.speedscope.json", name);
		char *path = path_of_file(collapsed);
		write_collapsed(c, path);
		free(path);
		path = path_of_file(speedscope);
		write_speedscope(c, name, path);
		free(path);
		free(collapsed);
		free(speedscope);
		free(name);
	}
}
