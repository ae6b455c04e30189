/* MRSL Fig. 7: wrinkles against bend limits. */
#include "experiment.h"
#include "outline.h"
#include "trial.h"

#include <math.h>
#include <string.h>

enum { RUNS = 2, MOST_SIDE = 81, RATE = 30 };

static const double bend[RUNS] = {60, 30}; /* degrees a centimetre */
static const double SIDE = 0.4, GATHER = 0.7, PROMINENCE = 0.001;

typedef struct outcome {
    double folds, angle, residual, residual_bend; /* angle: degrees, the mean over the triangles */
    float *xyz;
} outcome;

static bool prepare(trial *t, int n, double degrees, taut_error *error)
{
    *t = trial_default();
    t->dt = 1.0f / RATE;
    t->world_def.gravity[1] = -9.81f;
    t->material.limit.stretch[0] = 0.95f, t->material.limit.stretch[1] = 1.05f;
    t->material.limit.bend[1] = (float)(degrees * 100 * 0.017453292519943295);
    t->material.limit.bend[0] = -t->material.limit.bend[1];
    t->material.limit.iterations = 128;
    t->material.limit.threshold = 0.001f;
    t->material.damping.global = 2;
    t->options.levels = TAUT_LEVELS_AUTO;
    t->body_def.imperfection = 0.5f;
    bool ok = taut_mesh_sheet(&t->mesh, n, n, (float)SIDE, (float)SIDE, error);
    for (int v = 0; v < n && ok; v++) ok = taut_mesh_pin(&t->mesh, v, error);
    return ok && trial_open(t, error);
}

/* The upper edge is drawn together over a second, and the sheet settles. */
static bool gather(trial *t, int n, int frames, taut_error *error)
{
    for (int frame = 0; frame < frames; frame++) {
        double share = fmin(1, (double)(frame + 1) / RATE), scale = 1 - (1 - GATHER) * share;
        for (int v = 0; v < n; v++) {
            const float *x = t->mesh.x + 3 * v;
            double z = 0.012 * share * sin(v * 6.283185307179586 * 7 / (n - 1));
            const float to[3] = {(float)(scale * (double)x[0]), x[1], (float)z};
            if (!taut_body_pin(t->world, t->body, v, to, 1, error)) return false;
        }
        if (!trial_run(t, 1, error)) return false;
    }
    return true;
}

/* The mean number of folds along the rows of the lower three quarters. */
static double count_folds(const float *xyz, int n)
{
    double z[MOST_SIDE], sum = 0;
    int rows = 0;
    for (int j = n / 4; j < n; j += 2, rows++) {
        for (int i = 0; i < n; i++) z[i] = (double)xyz[3 * (j * n + i) + 2];
        sum += outline_folds(z, n, PROMINENCE, false);
    }
    return sum / rows;
}

static bool run_one(paper_result *r, int n, double degrees, int frames, outcome *o, taut_mesh *mesh, taut_error *error)
{
    trial t = trial_default();
    trial_measure angle;
    size_t size = 3 * sizeof(float) * (size_t)(n * n);
    o->xyz = paper_take(r, size);
    bool ok = o->xyz && prepare(&t, n, degrees, error) && gather(&t, n, frames, error) &&
              trial_measure_of(&t, TAUT_BEND, &angle, error);
    if (ok) {
        memcpy(o->xyz, trial_xyz(&t), size);
        o->folds = count_folds(o->xyz, n);
        o->angle = angle.mean * 57.29577951308232;
        o->residual = 100 * taut_world_residual(t.world, taut_kind_find("limit_tri")).mean;
        o->residual_bend = 57.29577951308232 * taut_world_residual(t.world, taut_kind_find("limit_bend")).mean;
        *mesh = t.mesh;
        t.mesh = (taut_mesh){0};
    }
    trial_close(&t);
    return ok;
}

static bool run(paper_result *r, bool quick, taut_error *error)
{
    const int n = quick ? 41 : MOST_SIDE;
    outcome o[RUNS];
    paper_picture *p = NULL;
    paper_table(r, "The sheet at the end",
                "bend limit, degrees/cm|folds along a row|bend angle, degrees (mean)|"
                "mean residual strain of violated|mean residual angle of violated");
    for (int i = 0; i < RUNS; i++) {
        taut_mesh mesh = {0};
        if (!run_one(r, n, bend[i], quick ? 60 : 150, &o[i], &mesh, error)) return false;
        paper_row(r, "%.0f|%.1f|%.1f|%.3f %%|%.2f\xc2\xb0", bend[i], o[i].folds, o[i].angle, o[i].residual,
                  o[i].residual_bend);
        if (i == 0) p = paper_add_picture(r, "sheets", 600, 0, 5, "Left: 60 degrees/cm. Right: 30 degrees/cm");
        paper_show(p, &mesh, o[i].xyz, (float[3]){0.42f * (float)i, 0, 0}, paper_color[i]);
        taut_mesh_free(&mesh);
        paper_progress(r, (i + 1.0) / RUNS);
    }
    paper_claim(r, paper_holds(o[0].folds > o[1].folds),
                "loose bend limits allow more wrinkles: %.1f folds along a row with 60 degrees/cm, %.1f with 30",
                o[0].folds, o[1].folds);
    paper_claim(r, paper_holds(o[0].angle > 1.2 * o[1].angle),
                "tight limits prevent small wrinkles: the mean bend angle is %.1f degrees with 60 degrees/cm and %.1f "
                "with 30",
                o[0].angle, o[1].angle);
    return true;
}

const experiment mrsl_fig7 = {
    .id = "mrsl/fig7",
    .title = "wrinkles against bend limits",
    .shows =
        "Two sheets of cloth: loose bend limits of 60 degrees/cm allow small wrinkles, tighter ones of 30 degrees/cm "
        "prevent them.",
    .method =
        "A sheet of 0.4 m hangs by its upper edge, which is drawn together to 70 %. Strain is limited to 5 %, with "
        "levels, 128 passes on each, and 1/30 s a frame. Folds are counted along the rows: turns of the profile "
        "after it rose or fell by more than 1 mm.",
    .run = run,
};
