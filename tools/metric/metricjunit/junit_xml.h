/* junit_xml.h: the suites as JUnit XML. */
#pragma once

#include "base/buf.h"

void junit_xml(struct buf *);
