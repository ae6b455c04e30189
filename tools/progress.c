#define _DEFAULT_SOURCE /* winsize */

#include "progress.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

static const double REDRAW_SECONDS = 0.1, LINE_SECONDS = 60;

enum { COLUMNS = 80, LONGEST_BAR = 40, SHORTEST_BAR = 5 };

double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int tenth_of(const progress *p, int now) { return p->last ? (int)(10LL * now / p->last) : 10; }

void progress_begin(progress *p, FILE *to, bool quiet, int first, int last)
{
    *p = (progress){
        .to = to, .quiet = quiet, .terminal = isatty(fileno(to)), .first = first, .last = last, .began = seconds_now()};
    p->shown = p->began;
    p->shown_tenth = last ? tenth_of(p, first) : 0;
}

static void put_time(char text[PROGRESS_TIME], double seconds)
{
    int whole = (int)(seconds + 0.5);
    if (seconds < 10) snprintf(text, PROGRESS_TIME, "%.1f s", seconds);
    else if (whole < 60) snprintf(text, PROGRESS_TIME, "%d s", whole);
    else if (whole < 3600) snprintf(text, PROGRESS_TIME, "%d min %02d s", whole / 60, whole % 60);
    else snprintf(text, PROGRESS_TIME, "%d h %02d min", whole / 3600, whole / 60 % 60);
}

double progress_pace(const progress *p, int now, char left[PROGRESS_TIME])
{
    double each = (seconds_now() - p->began) / (now > p->first ? now - p->first : 1);
    put_time(left, each * (p->last - now));
    return each;
}

static int terminal_columns(FILE *to)
{
    struct winsize size;
    if (ioctl(fileno(to), TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return COLUMNS;
    return size.ws_col;
}

/* The last column stays free, because some terminals go to the next line after it. */
static void draw_bar(const progress *p, int now, const char *text)
{
    static const char full[LONGEST_BAR + 1] = "########################################";
    static const char empty[LONGEST_BAR + 1] = "........................................";
    int columns = terminal_columns(p->to) - 1, width = columns - (int)strlen(text) - 3;
    if (width > LONGEST_BAR) width = LONGEST_BAR;
    fprintf(p->to, "\r");
    if (width >= SHORTEST_BAR) {
        int filled = p->last ? (int)((long long)width * now / p->last) : width;
        fprintf(p->to, "[%.*s%.*s] ", filled, full, width - filled, empty);
    }
    fprintf(p->to, "%.*s\033[K", columns, text); /* also clears the rest of an older, longer text */
}

bool progress_due(const progress *p, int now)
{
    double since = seconds_now() - p->shown;
    if (p->quiet) return false;
    return p->terminal ? since >= REDRAW_SECONDS || now == p->last
                       : since >= LINE_SECONDS || tenth_of(p, now) > p->shown_tenth;
}

void progress_draw(progress *p, int now, const char *text)
{
    if (p->terminal) draw_bar(p, now, text);
    else fprintf(p->to, "%s\n", text);
    fflush(p->to);
    p->shown = seconds_now();
    p->shown_tenth = tenth_of(p, now);
}

void progress_end(const progress *p)
{
    if (!p->quiet && p->terminal) fprintf(p->to, "\n");
}

void progress_erase(const progress *p)
{
    if (p->quiet || !p->terminal) return;
    fprintf(p->to, "\r\033[K");
    fflush(p->to);
}
