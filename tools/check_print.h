/* The output of taut check for a file, as text or as one JSON object: begin, each frame, end. */
#ifndef TOOLS_CHECK_PRINT_H
#define TOOLS_CHECK_PRINT_H

#include "check.h"

/* A frame that was searched. */
typedef struct check_frame {
    int number;
    check_counts counts;
    const taut_crossing *list; /* the first `listed` crossings */
    int listed;
} check_frame;

/* Over all frames. */
typedef struct check_summary {
    int frames, bad;      /* bad: with intersections */
    int first_bad, worst; /* numbers of frames; the worst has the most pairs, then the most crossings */
    check_counts most;    /* of the worst */
} check_summary;

typedef struct check_printer {
    void (*begin)(const check *c, const char *path);
    void (*frame)(const check *c, const check_frame *frame, bool first);
    void (*end)(const check_summary *summary, const char *error); /* error: why there are no more frames, or NULL */
} check_printer;

extern const check_printer check_text, check_json;

#endif
