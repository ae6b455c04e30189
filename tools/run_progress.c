#define _DEFAULT_SOURCE /* winsize */

#include "run_progress.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

static const double REDRAW_SECONDS = 0.1, LINE_SECONDS = 60;

enum { COLUMNS = 80, LONGEST_BAR = 40, SHORTEST_BAR = 5, LONGEST_TEXT = 160 };

double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void progress_begin(progress *p, const run *r)
{
    *p = (progress){.quiet = r->options->quiet,
                    .terminal = isatty(STDOUT_FILENO),
                    .first = r->scene->frame,
                    .last = r->scene->frames,
                    .began = seconds_now()};
    p->shown = p->began;
    p->shown_tenth = p->last ? 10 * p->first / p->last : 0;
}

static void put_time(char text[32], double seconds)
{
    int whole = (int)(seconds + 0.5);
    if (seconds < 10) snprintf(text, 32, "%.1f s", seconds);
    else if (whole < 60) snprintf(text, 32, "%d s", whole);
    else if (whole < 3600) snprintf(text, 32, "%d min %02d s", whole / 60, whole % 60);
    else snprintf(text, 32, "%d h %02d min", whole / 3600, whole / 60 % 60);
}

/* "frame  12/300  4.2 s left  13.1 ms/frame  stretch 1.2 %  contacts 345" */
static void describe(const progress *p, const run *r, char text[LONGEST_TEXT])
{
    char left[32];
    int digits = snprintf(NULL, 0, "%d", p->last), now = r->scene->frame;
    const run_frame *frame = &r->frame[now];
    double each = (seconds_now() - p->began) / (now > p->first ? now - p->first : 1);
    put_time(left, each * (p->last - now));
    int used = snprintf(text, LONGEST_TEXT, "frame %*d/%d  %s left  %.*f ms/frame  stretch %.1f %%  contacts %d",
                        digits, now, p->last, left, each < 0.01 ? 2 : 1, 1000 * each, 100 * frame->worst.stretch,
                        (int)frame->contacts);
    if (frame->bad_particles > 0 && used > 0 && used < LONGEST_TEXT)
        snprintf(text + used, LONGEST_TEXT - (size_t)used, "  bad particles %d", (int)frame->bad_particles);
}

static int terminal_columns(void)
{
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return COLUMNS;
    return size.ws_col;
}

/* The last column stays free: some terminals go to the next line after it. */
static void draw_bar(const progress *p, int now, const char *text)
{
    static const char full[LONGEST_BAR + 1] = "########################################";
    static const char empty[LONGEST_BAR + 1] = "........................................";
    int columns = terminal_columns() - 1, width = columns - (int)strlen(text) - 3;
    if (width > LONGEST_BAR) width = LONGEST_BAR;
    printf("\r");
    if (width >= SHORTEST_BAR) {
        int filled = p->last ? (int)((long long)width * now / p->last) : width;
        printf("[%.*s%.*s] ", filled, full, width - filled, empty);
    }
    printf("%.*s\033[K", columns, text); /* and clears what an older, longer text left */
    fflush(stdout);
}

void progress_show(progress *p, const run *r)
{
    char text[LONGEST_TEXT];
    int now = r->scene->frame, tenth = p->last ? (int)(10LL * now / p->last) : 10;
    double since = seconds_now() - p->shown;
    bool due = p->terminal ? since >= REDRAW_SECONDS || now == p->last
                           : since >= LINE_SECONDS || tenth > p->shown_tenth;
    if (p->quiet || !due) return;
    describe(p, r, text);
    if (p->terminal) draw_bar(p, now, text);
    else printf("%s\n", text);
    fflush(stdout);
    p->shown = seconds_now();
    p->shown_tenth = tenth;
}

void progress_end(const progress *p)
{
    if (!p->quiet && p->terminal) printf("\n");
}
