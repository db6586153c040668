/* run_word.h: words in the records of a run that is read. */
#pragma once

#include "json/scan.h"
#include "run/cell_status.h"
#include "run/role.h"

enum cell_status run_word_status(struct span word);
enum role run_word_role(struct scan *watch_or_sample);
