/* speed_index.c: Speed Index and visual completeness. */
#include "speed_index.h"
#include "base/die.h"

#include <math.h>
#include <stdlib.h>

static struct {
	double t, progress;
} *frames;
static size_t n_frames;
static const double completeness[] = {0.85, 0.95, 0.99};

void
speed_index_read(struct scan *film)
{
	json_t *list = span_json(scan_get(film, "frames")), *frame;
	size_t i;
	n_frames = 0;
	frames = xrealloc(frames, (json_array_size(list) + 1) * sizeof *frames);
	json_array_foreach(list, i, frame) {
		json_t *t = json_object_get(frame, "t");
		json_t *progress = json_object_get(frame, "progress");
		if (!json_is_number(t) || !json_is_number(progress))
			continue;
		frames[n_frames].t = json_number_value(t);
		frames[n_frames++].progress = json_number_value(progress);
	}
	json_decref(list);
}

void
speed_index_forget(void)
{
	n_frames = 0;
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
