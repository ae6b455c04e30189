/* The notes on cloth: bending by distances, by dihedral angles and by isometric bending, side by side. */
#include "experiment.h"
#include "random.h"
#include "trial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MODELS = 4, STEPS = 64 };

static const struct {
    const char *name, *kind;
    taut_bend_model model;
} models[MODELS] = {{"none", NULL, TAUT_BEND_NONE},
                    {"distance of far vertices", "stick", TAUT_BEND_STICK},
                    {"dihedral angle", "dihedral", TAUT_BEND_DIHEDRAL},
                    {"isometric", "isometric", TAUT_BEND_ISOMETRIC}};

static trial trial_of(int model)
{
    trial t = trial_default();
    t.material.edge = 1;
    t.material.bend.model = models[model].model;
    t.material.bend.stiffness = model ? 1 : 0;
    return t;
}

/* ---- Convergence: a rumpled sheet becomes flat ---- */

static bool rumple(trial *t, taut_error *error)
{
    uint32_t seed = 4;
    float *x = malloc(sizeof *x * 3 * (size_t)t->mesh.nvertices);
    if (!x) return paper_fail(error, "there is not enough memory");
    memcpy(x, t->mesh.x, sizeof *x * 3 * (size_t)t->mesh.nvertices);
    for (int v = 0; v < t->mesh.nvertices; v++) x[3 * v + 2] += (float)uniform(&seed, -0.03, 0.03);
    bool ok = trial_place(t, x, error);
    free(x);
    return ok;
}

/* The mean angle over edges, degrees, after each iteration. */
static bool flatten(int model, int side, double angle[STEPS + 1], taut_error *error)
{
    trial t = trial_of(model);
    t.material.damping.global = 1000; /* no speed is kept */
    bool ok = taut_mesh_sheet_irregular(&t.mesh, side, side, 1, 1, 0.3f, 6, error) && trial_open(&t, error) &&
              rumple(&t, error);
    for (int i = 0; ok && i <= STEPS; i++) {
        trial_measure m;
        ok = trial_measure_of(&t, TAUT_BEND, &m, error) && (i == STEPS || trial_run(&t, 1, error));
        angle[i] = m.mean * 57.29577951308232;
    }
    trial_close(&t);
    return ok;
}

/* ---- Stretch: what the constraints of a flat sheet say when it is 10 % longer ---- */

static bool residual_of_stretch(int model, double *before, double *after, taut_error *error)
{
    trial t = trial_of(model);
    bool ok = taut_mesh_sheet_irregular(&t.mesh, 17, 17, 1, 1, 0.3f, 6, error) && trial_open(&t, error);
    float *x = ok ? malloc(sizeof *x * 3 * (size_t)t.mesh.nvertices) : NULL;
    if (ok && !x) paper_fail(error, "there is not enough memory"), ok = false;
    for (int i = 0; ok && i < 3 * t.mesh.nvertices; i++) x[i] = t.mesh.x[i] * (i % 3 == 0 ? 1.1f : 1);
    int kind = taut_kind_find(models[model].kind);
    if (ok) *before = taut_world_residual(t.world, kind).rms;
    ok = ok && trial_place(&t, x, error);
    if (ok) *after = taut_world_residual(t.world, kind).rms;
    free(x);
    trial_close(&t);
    return ok;
}

/* ---- Behaviour: a strip that sticks out ---- */

/* A strip of 0.5 m x 0.1 m is clamped level at one end. How far below the clamp is its tip, degrees? */
static bool droop(int model, paper_picture *picture, double *angle, double *stretch, taut_error *error)
{
    const float at[3] = {0, 0, -0.3f * (float)model};
    trial t = trial_of(model);
    trial_measure m;
    t.material.damping.global = 2;
    t.world_def.gravity[1] = -9.81f;
    t.world_def.substeps = 32;
    t.world_def.iterations = 10;
    t.body_def.rotation[0] = t.body_def.rotation[3] = 0.70710678f;
    bool ok = taut_mesh_sheet_irregular(&t.mesh, 31, 7, 0.5f, 0.1f, 0.3f, 6, error);
    for (int v = 0; ok && v < t.mesh.nvertices; v++)
        if (v % 31 < 2) ok = taut_mesh_pin(&t.mesh, v, error);
    ok = ok && trial_open(&t, error) && trial_run(&t, 240, error) && trial_measure_of(&t, TAUT_STRETCH_X, &m, error);
    if (ok) {
        const float *clamp = trial_xyz(&t) + 3 * (3 * 31 + 1), *tip = trial_xyz(&t) + 3 * (3 * 31 + 30);
        *angle = 57.29577951308232 * atan2((double)(clamp[1] - tip[1]), (double)(tip[0] - clamp[0]));
        *stretch = 100 * m.mean;
        paper_show(picture, &t.mesh, trial_xyz(&t), at, paper_color[model]);
    }
    trial_close(&t);
    return ok;
}

/* ---- The experiment ---- */

typedef struct effect {
    double angle[STEPS + 1], residual, at_rest, droop, stretch;
} effect;

/* The first iteration after which a tenth of the angle is left; STEPS + 1: none. */
static int steps_to_tenth(const effect *e)
{
    int i = 0;
    while (i <= STEPS && e->angle[i] > 0.1 * e->angle[0]) i++;
    return i;
}

static bool measure(paper_result *r, int model, int side, paper_picture *picture, effect *e, taut_error *error)
{
    *e = (effect){.residual = 0};
    if (!flatten(model, side, e->angle, error) || !droop(model, picture, &e->droop, &e->stretch, error)) return false;
    if (model && !residual_of_stretch(model, &e->at_rest, &e->residual, error)) return false;
    paper_row(r, "%s|%.1f\xc2\xb0|%.1f\xc2\xb0|%.2f\xc2\xb0|%.1f\xc2\xb0|%.1e|%.0f\xc2\xb0|%.1f %%", models[model].name,
              e->angle[0], e->angle[1], e->angle[4], e->angle[STEPS], e->residual, e->droop, e->stretch);
    paper_progress(r, (model + 1.0) / MODELS);
    return true;
}

static void judge(paper_result *r, const effect e[MODELS])
{
    const double none = e[0].angle[STEPS];
    paper_claim(
        r, paper_holds(e[1].angle[STEPS] < none && e[2].angle[STEPS] < none && e[3].angle[STEPS] < none),
        "stretching constraints alone do not prevent folds, bending constraints do: after %d iterations the mean "
        "angle is %.1f degrees without, and %.1f, %.1f and %.1f degrees with distances, dihedral angles and "
        "isometric bending",
        STEPS, e[0].angle[STEPS], e[1].angle[STEPS], e[2].angle[STEPS], e[3].angle[STEPS]);
    paper_claim(
        r, paper_holds(e[2].residual < 1e-6 && e[1].residual > 1e-3),
        "the dihedral angle is independent of stretch: a flat sheet that is 10 %% longer has a residual of %.0e "
        "rad, with distances one of %.0f mm",
        e[2].residual, 1000 * e[1].residual);
    paper_claim(r, paper_holds(e[3].residual < 1e-6 * STEPS),
                "isometric bending of a flat sheet is zero under stretch in its plane too: %.0e m", e[3].residual);
    paper_claim(r, paper_holds(steps_to_tenth(&e[3]) <= steps_to_tenth(&e[2])),
                "isometric bending is effective for cloth: a tenth of the angle is left after %d iterations, with "
                "dihedral angles after %d, with distances after %d (%d: never)",
                steps_to_tenth(&e[3]), steps_to_tenth(&e[2]), steps_to_tenth(&e[1]), STEPS + 1);
}

static bool run(paper_result *r, bool quick, taut_error *error)
{
    static effect e[MODELS];
    double step[STEPS + 1];
    paper_picture *picture = paper_add_picture(r, "strips", 420, 35, 14,
                                               "Strips that are clamped at their left ends, from "
                                               "the front: no bending, distances, dihedral angles, isometric");
    paper_plot *plot = paper_add_plot(r, "convergence", "iterations", "mean angle over edges, degrees",
                                      "A rumpled sheet becomes flat, one iteration a step");
    plot->log_y = true;
    paper_table(r, "A rumpled sheet; the residual of a sheet stretched by 10 %; a clamped strip",
                "bending|angle at the start|after 1 iteration|4|64|residual of stretch (m or rad)|tip hangs by|strip "
                "stretched by");
    for (int i = 0; i <= STEPS; i++) step[i] = i;
    for (int model = 0; model < MODELS; model++) {
        if (!measure(r, model, quick ? 17 : 33, picture, &e[model], error)) return false;
        paper_add_series(plot, models[model].name, step, e[model].angle, STEPS + 1);
    }
    judge(r, e);
    return true;
}

const experiment notes_bending = {
    .id = "notes/bending",
    .title = "distance, dihedral and isometric bending",
    .shows =
        "Constraints on edges keep cloth from stretching but not from folding. Bending is resisted by distances, by "
        "dihedral angles, which are independent of stretch, or by isometric bending, a quadratic energy for cloth "
        "that hardly stretches.",
    .method =
        "Each model with stiffness 1 beside full stiffness of edges. A sheet whose vertices are 30 mm off the plane "
        "becomes flat, one iteration a step without speed; the constraints of a flat sheet that is 10 % longer are "
        "evaluated; a strip of 0.5 m that is clamped level comes to rest under gravity (32 substeps of 10 iterations a "
        "frame).",
    .run = run,
};
