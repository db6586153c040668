/* junit_xml.h: the suites as JUnit XML. */
#ifndef JUNIT_XML_H
#define JUNIT_XML_H

#include "base/buf.h"

void junit_xml(struct buf *);

#endif
