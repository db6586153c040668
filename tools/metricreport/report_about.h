/* report_about.h: what was measured, where and how, in words. */
#ifndef REPORT_ABOUT_H
#define REPORT_ABOUT_H

#include "report_model.h"

report_part report_environment;
report_part report_method, report_method_text, report_links, report_made;

#endif
