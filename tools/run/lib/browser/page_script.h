/* page_script.h: the scripts of share/page, NUL-terminated. */
#pragma once

extern const char page_watch_js[], page_moving_js[], page_usage_js[], page_message_js[],
    page_outputs_js[], page_evidence_js[], page_pending_js[], page_scheduled_js[],
    page_asking_js[], page_notebook_js[], page_kernel_js[], page_timing_js[], page_gesture_js[],
    page_reuse_js[], page_element_js[], page_record_js[], page_listen_js[], page_where_js[];

/* These scripts, the caller's, so that they call the browser's functions and not what the page has
 * put in their place since its document began. */
char *page_script_protected(const char *scripts);
