#include "run_progress.h"

#include "run_notes.h"

#include <stdio.h>

/* "frame  12/300  4.2 s left  13.1 ms/frame  stretch 1.2 % (worst 3.1 %)  contacts 345  off by 0.8 %" */
static void describe(const progress *p, const run *r, char text[PROGRESS_TEXT])
{
    char left[PROGRESS_TIME];
    int digits = snprintf(NULL, 0, "%d", p->last), now = r->scene->frame;
    const run_frame *frame = &r->frame[now];
    double each = progress_pace(p, now, left);
    taut_error error;
    run_body_note most;
    if (!run_note_now(r, &most, &error)) most = (run_body_note){0};
    int used = snprintf(
        text, PROGRESS_TEXT, "frame %*d/%d  %s left  %.*f ms/frame  stretch %.1f %% (worst %.1f %%)  contacts %d",
        digits, now, p->last, left, each < 0.01 ? 2 : 1, 1000 * each, 100 * (double)most.number[RUN_STRETCH_P99],
        100 * (double)most.number[RUN_STRETCH], (int)frame->contacts);
    if (frame->searches > 0 && used > 0 && used < PROGRESS_TEXT)
        used += snprintf(text + used, PROGRESS_TEXT - (size_t)used, "  off by %.1f %%", 100 * frame->stretch_reached);
    if (frame->bad_particles > 0 && used > 0 && used < PROGRESS_TEXT)
        snprintf(text + used, PROGRESS_TEXT - (size_t)used, "  bad particles %d", (int)frame->bad_particles);
}

void run_progress_show(progress *p, const run *r)
{
    char text[PROGRESS_TEXT];
    if (!progress_due(p, r->scene->frame)) return;
    describe(p, r, text);
    progress_draw(p, r->scene->frame, text);
}

void run_progress_building(int body, float done, void *user)
{
    char text[PROGRESS_TEXT];
    progress *p = user;
    int now = (int)(done * RUN_PROGRESS_BUILT);
    if (!p->terminal || now == RUN_PROGRESS_BUILT || !progress_due(p, now)) return;
    snprintf(text, sizeof text, "building body %d", body);
    progress_draw(p, now, text);
}
