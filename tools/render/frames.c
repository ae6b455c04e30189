#include "frames.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool read_number(const char **text, int *number)
{
    char *end;
    if (!isdigit((unsigned char)**text)) return false;
    errno = 0;
    long value = strtol(*text, &end, 10);
    if (errno || value > INT_MAX) return false;
    *number = (int)value;
    *text = end;
    return true;
}

/* Reads one piece of the list: a number, "a-b" or "a-". */
static bool read_span(const char **text, int available, int *first, int *last)
{
    if (!read_number(text, first)) return false;
    *last = *first;
    if (**text != '-') return true;
    ++*text;
    if (**text == ',' || **text == '\0') *last = available - 1;
    else if (!read_number(text, last)) return false;
    return true;
}

static bool mark(const char *list, int available, unsigned char *wanted, char why[200])
{
    const char *at = list;
    int first, last;
    for (;;) {
        if (!read_span(&at, available, &first, &last) || (*at != ',' && *at != '\0')) {
            snprintf(why, 200, "--frames must be like 0,10,20-40 or 100-, got '%.100s'", list);
            return false;
        }
        if (first >= available || last >= available || first > last) {
            snprintf(why, 200, "--frames %.60s: there are frames 0 to %d", list, available - 1);
            return false;
        }
        memset(wanted + first, 1, (size_t)(last - first) + 1);
        if (*at++ == '\0') return true;
    }
}

int *frames_choose(const char *list, int every, int available, int *count, char why[200])
{
    unsigned char *wanted = calloc((size_t)available + 1, 1);
    int *frame = malloc(sizeof *frame * ((size_t)available + 1)), seen = 0;
    bool fine = wanted && frame;
    if (!fine) snprintf(why, 200, "out of memory");
    else if (list) fine = mark(list, available, wanted, why);
    else memset(wanted, 1, (size_t)available);
    *count = 0;
    for (int i = 0; fine && i < available; i++)
        if (wanted[i] && seen++ % every == 0) frame[(*count)++] = i;
    free(wanted);
    if (fine) return frame;
    free(frame);
    return NULL;
}

void frames_spread(int *frame, int *count, int wanted)
{
    if (wanted >= *count) return;
    for (int i = 0; i < wanted; i++) {
        size_t at = wanted == 1 ? (size_t)*count - 1 : (size_t)i * (size_t)(*count - 1) / (size_t)(wanted - 1);
        frame[i] = frame[at];
    }
    *count = wanted;
}
