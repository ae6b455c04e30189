/* SBD Fig. 4 (a) to (d): a torus recovers from an entangled state by its volume constraints. */
#include "experiment.h"
#include "random.h"
#include "subject.h"
#include "tets.h"
#include "trial.h"

#include <stdlib.h>

enum { WAYS = 3, STATES = 4, MOST_STEPS = 400 };
static const float volumes[WAYS] = {0, 0.5f, 1};

static bool prepare(const paper_result *r, trial *t, float volume, bool quick, taut_error *error)
{
    taut_strain *s = &t->material.strain;
    s->xx = s->yy = s->zz = s->xy = s->yz = s->xz = 1;
    s->volume = volume;
    return subject_torus(r, &t->mesh, quick ? 20 : 32, 2, 0.5f, 0.18f, error) && trial_open(t, error);
}

/* Every vertex goes somewhere within 0.25 m along each axis of where it was, which is more than the tube is thick. */
static bool entangle(trial *t, taut_error *error)
{
    uint32_t seed = 3;
    int n = 3 * t->mesh.nvertices;
    float *x = malloc(sizeof *x * (size_t)n);
    if (!x) return paper_fail(error, "there is not enough memory");
    for (int i = 0; i < n; i++) x[i] = t->mesh.x[i] + (float)uniform(&seed, -0.25, 0.25);
    bool ok = trial_place(t, x, error);
    free(x);
    return ok;
}

/* Steps of one iteration each. The material keeps no speed from one step to the next. */
static bool recover(trial *t, int steps, double *inverted, tets_measure *last, paper_picture *picture,
                    taut_error *error)
{
    static const int shown[STATES] = {0, 1, 3, MOST_STEPS};
    bool ok = entangle(t, error);
    for (int i = 0, state = 0; ok && i <= steps; i++) {
        tets_measure_of(&t->mesh, trial_xyz(t), last);
        inverted[i] = 100.0 * last->inverted / t->mesh.ntets;
        if (picture && state < STATES && (i == shown[state] || i == steps)) {
            const float at[3] = {1.6f * (float)state, 0, 0};
            paper_show(picture, &t->mesh, trial_xyz(t), at, paper_color[state]);
            state++;
        }
        ok = i == steps || trial_run(t, 1, error);
    }
    return ok;
}

static void judge(paper_result *r, const tets_measure m[WAYS], int tets)
{
    paper_claim(
        r, paper_holds(m[2].inverted == 0 && m[0].inverted > 0),
        "the volume constraint takes inversions away: of %d tets %d are still inverted at the end, %d without it", tets,
        m[2].inverted, m[0].inverted);
    paper_claim(r, paper_holds(m[2].shear < 0.02 && m[2].volume_off < 0.02),
                "the torus has its shape again: %.2f degrees of shear and %.2f %% of volume are left on average",
                m[2].shear * 57.29577951308232, 100 * m[2].volume_off);
}

static bool run(paper_result *r, bool quick, taut_error *error)
{
    static double step[MOST_STEPS + 1], inverted[WAYS][MOST_STEPS + 1];
    const int steps = quick ? 200 : MOST_STEPS;
    tets_measure m[WAYS] = {{.volume = 0}};
    bool ok = true;
    int tets = 0;
    paper_picture *picture = paper_add_picture(r, "states", 360, 0, 62,
                                               "Volume stiffness 1: at the start, after 1 and "
                                               "12 iterations, at the end");
    paper_plot *plot = paper_add_plot(r, "inverted", "iterations", "inverted tets, %", "Tets that are inverted");
    plot->log_x = true;
    paper_table(r, "", "volume stiffness|inverted at the start|after 10 iterations|at the end|shear left|volume off");
    for (int i = 0; i <= steps; i++) step[i] = i;
    for (int way = 0; ok && way < WAYS; way++) {
        trial t = trial_default();
        t.material.damping.global = 100;
        ok = prepare(r, &t, volumes[way], quick, error) &&
             recover(&t, steps, inverted[way], &m[way], way == 2 ? picture : NULL, error);
        tets = t.mesh.ntets;
        trial_close(&t);
        if (!ok) return false;
        paper_row(r, "%.1f|%.1f %%|%.1f %%|%.1f %%|%.2f\xc2\xb0|%.2f %%", (double)volumes[way], inverted[way][0],
                  inverted[way][10], inverted[way][steps], m[way].shear * 57.29577951308232, 100 * m[way].volume_off);
        paper_add_series(plot,
                         way == 0   ? "volume stiffness 0"
                         : way == 1 ? "0.5"
                                    : "1",
                         step, inverted[way], steps + 1);
        paper_progress(r, (way + 1.0) / WAYS);
    }
    judge(r, m, tets);
    return ok;
}

const experiment sbd_fig4_recovery = {
    .id = "sbd/fig4-recovery",
    .title = "a torus recovers from an entangled state (a to d)",
    .shows = "A torus of tets recovers from a heavily entangled state with only a few iterations, because the volume "
             "constraint is signed: it turns inverted tets the right way round.",
    .method =
        "Every vertex of a torus is moved at random by up to 0.25 m along each axis; the tube is 0.36 m thick. Then "
        "one iteration a step with all strain stiffnesses 1, and volume stiffness 0, 0.5 or 1. (In Taut a volume "
        "stiffness above 0 has full strength while a tet is inverted, see errata/volume.)",
    .mesh = &public_torus,
    .run = run,
};
