/* SBD 3.4: with the square root of strain, less stretch is left after the same number of iterations. */
#include "experiment.h"
#include "trial.h"

#include <stdio.h>

enum { FORMS = 2, COUNTS = 5 };

static const int iterations[COUNTS] = {1, 2, 4, 8, 16};

typedef struct setting {
    const char *name;
    int side;
    float stiffness;
    bool irregular;
} setting;

/* What is left of stretch while a sheet hangs by two corners: the mean over the last second of |s - 1|. */
static bool measure(const setting *s, bool root, int count, int frames, double *left, taut_error *error)
{
    trial t = trial_default();
    t.material.strain.xx = t.material.strain.yy = s->stiffness;
    t.material.strain.xy = s->stiffness / 2;
    t.material.strain.stretch_form = root ? TAUT_STRETCH_SPAN : TAUT_STRETCH_RAW;
    t.material.damping.global = 1;
    t.world_def.gravity[1] = -9.81f;
    t.world_def.iterations = count;
    bool ok = s->irregular ? taut_mesh_sheet_irregular(&t.mesh, s->side, s->side, 1, 1, 0.35f, 1, error)
                           : taut_mesh_sheet(&t.mesh, s->side, s->side, 1, 1, error);
    ok = ok && taut_mesh_pin(&t.mesh, 0, error) && taut_mesh_pin(&t.mesh, s->side - 1, error) && trial_open(&t, error);
    ok = ok && trial_run(&t, frames - 60, error);
    *left = 0;
    for (int i = 0; ok && i < 60; i++) {
        trial_measure x, y;
        ok = trial_run(&t, 1, error) && trial_measure_of(&t, TAUT_STRETCH_X, &x, error) &&
             trial_measure_of(&t, TAUT_STRETCH_Y, &y, error);
        if (ok) *left += (x.mean + y.mean) / 2 / 60;
    }
    trial_close(&t);
    return ok;
}

/* Fills what is left, percent of the rest length, for each number of iterations. */
static bool measure_setting(paper_result *r, const setting *s, int frames, double left[FORMS][COUNTS],
                            taut_error *error)
{
    for (int form = 0; form < FORMS; form++)
        for (int c = 0; c < COUNTS; c++) {
            if (!measure(s, form == 1, iterations[c], frames, &left[form][c], error)) return false;
            left[form][c] *= 100;
        }
    for (int c = 0; c < COUNTS; c++)
        paper_row(r, "%s|%d|%.2f|%.2f|%.1f %%", s->name, iterations[c], left[0][c], left[1][c],
                  100 * (1 - left[1][c] / left[0][c]));
    return true;
}

static void plot(paper_result *r, double left[FORMS][COUNTS], const char *caption)
{
    double x[COUNTS];
    for (int c = 0; c < COUNTS; c++) x[c] = iterations[c];
    paper_plot *p = paper_add_plot(r, "iterations", "iterations a frame", "stretch that is left, %", caption);
    p->log_x = p->log_y = true;
    paper_add_series(p, "S - s\xc2\xb2 (eq. 9)", x, left[0], COUNTS);
    paper_add_series(p, "\xe2\x88\x9aS - s (eq. 14)", x, left[1], COUNTS);
}

static bool run(paper_result *r, bool quick, taut_error *error)
{
    const setting settings[] = {{"regular 17 x 17, k 1", 17, 1, false},
                                {"irregular 17 x 17, k 1", 17, 1, true},
                                {"irregular 17 x 17, k 0.8", 17, 0.8f, true},
                                {"irregular 33 x 33, k 1", 33, 1, true}};
    const int count = quick ? 2 : 4, frames = quick ? 180 : 600;
    double left[4][FORMS][COUNTS], gain = 0, one = 0, sixteen = 0;
    int better = 0;
    paper_table(r, "Mean of |stretch| along warp and weft, percent of the rest length",
                "sheet|iterations|S - s\xc2\xb2|\xe2\x88\x9aS - s|less by");
    for (int i = 0; i < count; i++) {
        if (!measure_setting(r, &settings[i], frames, left[i], error)) return false;
        paper_progress(r, (i + 1.0) / count);
        for (int c = 0; c < COUNTS; c++) {
            double less = 1 - left[i][1][c] / left[i][0][c];
            gain += 100 * less / (COUNTS * count);
            if (c == 0) one += 100 * less / count;
            if (c == COUNTS - 1) sixteen += 100 * less / count;
            better += less > 0;
        }
    }
    paper_value(r, "stretch that is left, less by, mean of all runs", gain, "%", "25");
    paper_value(r, "the same at 1 iteration", one, "%", "");
    paper_value(r, "the same at 16 iterations", sixteen, "%", "");
    paper_claim(r,
                better == count * COUNTS      ? PAPER_HOLDS
                : 2 * better > count * COUNTS ? PAPER_DIFFERS
                                              : PAPER_DOES_NOT_HOLD,
                "the root leaves less stretch in %d of %d runs", better, count * COUNTS);
    paper_claim(r,
                gain > 20 && gain < 30 ? PAPER_HOLDS
                : gain > 0             ? PAPER_DIFFERS
                                       : PAPER_DOES_NOT_HOLD,
                "it leaves %.1f %% less on average, the paper says 25 %%; the gain is %.1f %% at 1 iteration and "
                "%.1f %% at 16",
                gain, one, sixteen);
    plot(r, left[0], "What is left of stretch on the first sheet");
    return true;
}

const experiment sbd_sqrt = {
    .id = "sbd/sqrt",
    .title = "the square root of strain (3.4)",
    .shows =
        "Constraining the root of a diagonal entry of the strain tensor (eq. 14) instead of the entry itself (eq. 9) "
        "leaves 25 % less stretch on average after the same number of solver iterations.",
    .method =
        "Sheets of 1 m x 1 m hang by two corners under gravity, by plain position-based dynamics at 60 steps a "
        "second. Both forms run with 1 to 16 iterations; the mean of |stretch| over the triangles is averaged over "
        "the last second.",
    .run = run,
};
