/* heap_snapshot.c: what holds the objects of a page that came between two instants.
 * share/leaks/heap.py reads a snapshot while it arrives. */
#include "heap_snapshot.h"
#include "base/die.h"
#include "base/embed.h"
#include "base/python_child.h"

enum { SNAPSHOT_MS = 300000 };

EMBED_STATIC(heap_py, "share/leaks/heap.py");
extern const char heap_py[];

static void
on_chunk(void *arg, const char *method, const json_t *params)
{
	struct child *reader = arg;
	const char *text = json_string_value(json_object_get(params, "chunk"));
	if (text && strcmp(method, "HeapProfiler.addHeapSnapshotChunk") == 0)
		fputs(text, reader->to);
}

json_t *
heap_snapshot_read(struct devtools *d, const json_t *marks, char **why)
{
	struct child reader = {0};
	json_t *answer = NULL;
	xpython_child_start(&reader, "NBSCOPE_VENV", "venv", heap_py);
	json_dumpf(marks, reader.to, JSON_COMPACT);
	fputc('\n', reader.to);
	devtools_listen(d, on_chunk, &reader);
	json_t *result = devtools_call(d, "HeapProfiler.takeHeapSnapshot", NULL, SNAPSHOT_MS, why);
	devtools_listen(d, NULL, NULL);
	fclose(reader.to);
	reader.to = NULL;
	if (result)
		answer = json_loadf(reader.from, JSON_DECODE_ANY, NULL);
	if (result && !answer)
		*why = xstrdup("the snapshot of the page's heap could not be read");
	xchild_end_killed(&reader, "cannot read the page's heap");
	json_decref(result);
	return answer;
}
