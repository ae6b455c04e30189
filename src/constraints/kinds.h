/* The tables that kinds.c makes, one for each instruction set. */
#ifndef TAUT_CONSTRAINTS_KINDS_H
#define TAUT_CONSTRAINTS_KINDS_H

#include "constraints/constraint.h"
#include "constraints/lane.h"

extern const tt_kind *const TT_NAME(tt_kinds)[];

#endif
