/* junit_xml.h: the suites as JUnit XML. */
#pragma once

#include <stdio.h>

void junit_xml(FILE *, void *unused);
