/* nbscope.h: for the time of the move: everything. */
#ifndef NBSCOPE_H
#define NBSCOPE_H

#include "base/common.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/die.h"
#include "base/file.h"
#include "base/atomic_file.h"
#include "base/num.h"
#include "base/opt.h"
#include "base/output.h"
#include "base/signals.h"
#include "json/json_text.h"
#include "json/json_value.h"
#include "json/lines.h"
#include "text/base64.h"
#include "jupyter/dotenv.h"
#include <signal.h>
#include <stdio.h>
#include <sys/types.h>

#endif
