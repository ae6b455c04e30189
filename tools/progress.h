/* Progress: on a terminal a bar that is drawn over itself, elsewhere a line now and then. */
#ifndef TOOLS_PROGRESS_H
#define TOOLS_PROGRESS_H

#include <stdbool.h>
#include <stdio.h>

double seconds_now(void); /* by a clock that is never set back */

enum { PROGRESS_TEXT = 160, PROGRESS_TIME = 32 };

typedef struct progress {
    FILE *to;
    bool quiet, terminal;
    int first, last;       /* steps: the number done when this process began, and the number of all */
    double began, shown;   /* seconds_now */
    int shown_tenth;       /* of all steps, when the last line was printed */
} progress;

void progress_begin(progress *p, FILE *to, bool quiet, int first, int last);
/* Whether it is time to show something again after step `now`. */
bool progress_due(const progress *p, int now);
/* Prints the bar and the text, or the text alone. */
void progress_draw(progress *p, int now, const char *text);
/* Ends the bar's line, if there is one. */
void progress_end(const progress *p);
/* Takes the bar off the terminal, so that something else can be printed there. */
void progress_erase(const progress *p);

/* Returns seconds per step; fills `left` with the time for the rest, such as "4.2 s" or "3 min 20 s". */
double progress_pace(const progress *p, int now, char left[PROGRESS_TIME]);

#endif
