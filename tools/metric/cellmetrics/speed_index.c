/* speed_index.c: Speed Index, visual completeness, and the frames that show the progress. */
#include "speed_index.h"
#include "base/die.h"
#include "base/num.h"
#include "json/json_text.h"
#include "json/json_value.h"
#include "json/member.h"

/* Frames of a cell in its metrics: the first, the last, and those between that show most. */
enum { SHOWN_FRAMES = 8 };
static struct {
	double t, progress;
	char *file;	/* NULL: unknown */
} *frames;
static size_t n_frames;
static const double completeness[] = {0.85, 0.95, 0.99};

void
speed_index_read(struct scan *film)
{
	json_t *list = span_json(scan_get(film, "frames")), *frame;
	bool gesture = !span_null(scan_get(film, "interaction"));
	size_t i;
	speed_index_forget();
	frames = xrealloc(frames, (json_array_size(list) + 1) * sizeof *frames);
	json_array_foreach(list, i, frame) {
		json_t *t = json_object_get(frame, "t");
		json_t *progress = json_object_get(frame, "progress");
		if (!json_is_number(t) || (!json_is_number(progress) && !gesture))
			continue;
		const char *file = json_string_value(json_object_get(frame, "file"));
		frames[n_frames].file = file ? xstrdup(file) : NULL;
		frames[n_frames].t = json_number_value(t);
		frames[n_frames++].progress = json_is_number(progress) ?
		    json_number_value(progress) : (double)NAN;
	}
	json_decref(list);
}

void
speed_index_forget(void)
{
	while (n_frames)
		free(frames[--n_frames].file);
}

/* The area above the curve of progress, which has a step at each frame. */
struct speed_index
speed_index_of(double from_t)
{
	struct speed_index v = {NAN, {NAN, NAN, NAN}};
	double at = from_t, progress = 0, area = 0;
	for (size_t i = 0; i < n_frames; i++) {
		double t = fmax(frames[i].t, from_t);
		area += (1 - progress) * (t - at);
		at = t;
		progress = frames[i].progress;
		for (size_t k = 0; k < COUNT(completeness); k++)
			if (isnan(v.complete_s[k]) && progress >= completeness[k])
				v.complete_s[k] = t - from_t;
	}
	if (n_frames && isfinite(from_t))
		v.speed_index_s = area;
	return v;
}

/* Its progress, or what has passed of the time of a gesture, which may lead back. */
static double
frame_share(size_t i)
{
	double passed_s = frames[i].t - frames[0].t, all_s = frames[n_frames - 1].t - frames[0].t;
	return isnan(frames[i].progress) ? all_s > 0 ? passed_s / all_s : 1 : frames[i].progress;
}

/* Whether frame i shows something new: it is the first or last, or its share has entered another
 * part of SHOWN_FRAMES - 2 since the last frame shown. */
static bool
is_frame_shown(size_t i, size_t last)
{
	double parts = SHOWN_FRAMES - 2;
	return i == 0 || i == n_frames - 1 ||
	    floor(frame_share(i) * parts) > floor(frame_share(last) * parts);
}

void
speed_index_put_frames(struct buf *b, double from_t)
{
	json_t *shown = json_array();
	for (size_t i = 0, last = 0; i < n_frames && isfinite(from_t); i++) {
		if (!is_frame_shown(i, last) || !frames[i].file)
			continue;
		last = i;
		json_array_append_new(shown, json_pack("{s:f, s:o, s:s}", "after_s",
		    num_round(fmax(frames[i].t - from_t, 0), 6), "progress",
		    json_value_real(frames[i].progress), "file", frames[i].file));
	}
	char *text = json_array_size(shown) ? json_text_of(shown) : NULL;
	member_span(b, "frames", text ? (struct span){text, strlen(text)} : (struct span){0});
	free(text);
	json_decref(shown);
}
