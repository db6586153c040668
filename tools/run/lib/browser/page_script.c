/* page_script.c: the scripts of share/page, inside the programs that inject them. */
#include "browser/page_script.h"
#include "base/die.h"
#include "base/embed.h"

EMBED_STATIC(own_js, "share/page/own.js");
extern const char own_js[];
EMBED(page_watch_js, "share/page/watch.js");
EMBED(page_moving_js, "share/page/moving.js");
EMBED(page_usage_js, "share/page/usage.js");
EMBED(page_message_js, "share/page/message.js");
EMBED(page_outputs_js, "share/page/outputs.js");
EMBED(page_evidence_js, "share/page/evidence.js");
EMBED(page_pending_js, "share/page/pending.js");
EMBED(page_scheduled_js, "share/page/scheduled.js");
EMBED(page_asking_js, "share/page/asking.js");
EMBED(page_notebook_js, "share/page/notebook.js");
EMBED(page_kernel_js, "share/page/kernel.js");
EMBED(page_timing_js, "share/page/timing.js");
EMBED(page_gesture_js, "share/page/gesture.js");
EMBED(page_reuse_js, "share/page/reuse.js");
EMBED(page_element_js, "share/page/element.js");
EMBED(page_record_js, "share/page/record.js");
EMBED(page_listen_js, "share/page/listen.js");
EMBED(page_where_js, "share/page/where.js");

char *
page_script_protected(const char *scripts)
{
	return xasprintf("{%s%s}", own_js, scripts);
}
