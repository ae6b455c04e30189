/* TB Fig. 7: the error of the bending constraints against the number of iterations. */
#include "experiment.h"
#include "fabric.h"

#include <math.h>

enum { COUNTS = 9, FRAME = 5 };

static const double counts[COUNTS] = {1, 2, 4, 8, 12, 16, 24, 32, 64};

/* Errors at the start and after each number of iterations in a single step: of the model's own constraints, and of the
 * bend angle. */
typedef struct decay {
    double own[COUNTS], angle[COUNTS], start, start_angle;
} decay;

/* The fabric as it is some frames after it was crumpled, with few iterations a frame. */
static bool take_frame(float xyz[3 * FABRIC_VERTICES], taut_error *error)
{
    trial t;
    float start[3 * FABRIC_VERTICES];
    bool ok = fabric_make(&t, TAUT_BEND_TRIANGLE, error);
    t.world_def.iterations = 1;
    if (ok) fabric_crumple(&t.mesh, start);
    ok = ok && trial_open(&t, error) && trial_place(&t, start, error) && trial_run(&t, FRAME, error);
    for (int i = 0; ok && i < 3 * FABRIC_VERTICES; i++) xyz[i] = trial_xyz(&t)[i];
    trial_close(&t);
    return ok;
}

static bool errors_now(trial *t, int model, double *own, double *angle, taut_error *error)
{
    trial_measure bend;
    if (!trial_measure_of(t, TAUT_BEND, &bend, error)) return false;
    *own = taut_world_residual(t->world, taut_kind_find(fabric_kind[model])).rms;
    *angle = bend.rms;
    return true;
}

/* One step with `iterations` from the frame on. */
static bool step(int model, const float *xyz, int iterations, decay *d, int at, taut_error *error)
{
    trial t;
    bool ok = fabric_make(&t, fabric_model[model], error);
    t.world_def.iterations = iterations;
    ok = ok && trial_open(&t, error) && trial_place(&t, xyz, error) &&
         errors_now(&t, model, &d->start, &d->start_angle, error) && trial_run(&t, 1, error) &&
         errors_now(&t, model, &d->own[at], &d->angle[at], error);
    trial_close(&t);
    if (!ok) return false;
    d->own[at] /= d->start;
    d->angle[at] /= d->start_angle;
    return true;
}

/* The factor by which an iteration reduces the error, over the iterations of a frame. */
static double rate(const double *left, int from, int to)
{
    return pow(left[to] / left[from], 1 / (counts[to] - counts[from]));
}

static void report(paper_result *r, const decay *d)
{
    paper_table(r, "What is left of the error after one step",
                "iterations|triangle, own|dihedral, own|stick, own|"
                "triangle, angle|dihedral, angle|stick, angle");
    for (int i = 0; i < COUNTS; i++)
        paper_row(r, "%.0f|%.4f|%.4f|%.4f|%.4f|%.4f|%.4f", counts[i], d[0].own[i], d[1].own[i], d[2].own[i],
                  d[0].angle[i], d[1].angle[i], d[2].angle[i]);
    paper_plot *own = paper_add_plot(r, "own", "iterations", "relative error",
                                     "The error of each model's own constraints, relative to that at the start");
    paper_plot *angle = paper_add_plot(r, "angle", "iterations", "relative bend angle",
                                       "The same for one measure of all models: the bend angle");
    own->log_y = angle->log_y = true;
    for (int m = 0; m < FABRIC_MODELS; m++) {
        paper_add_series(own, fabric_name[m], counts, d[m].own, COUNTS);
        paper_add_series(angle, fabric_name[m], counts, d[m].angle, COUNTS);
    }
}

static bool run(paper_result *r, bool quick, taut_error *error)
{
    enum { AT_4 = 2, AT_16 = 5, AT_64 = 8 };
    float xyz[3 * FABRIC_VERTICES];
    decay d[FABRIC_MODELS];
    (void)quick;
    if (!take_frame(xyz, error)) return false;
    for (int m = 0; m < FABRIC_MODELS; m++)
        for (int i = 0; i < COUNTS; i++)
            if (!step(m, xyz, (int)counts[i], &d[m], i, error)) return false;
    report(r, d);
    double triangle = rate(d[0].own, AT_4, AT_16), dihedral = rate(d[1].own, AT_4, AT_16);
    paper_value(r, "an iteration leaves of the error: triangle, 4 to 16 iterations", triangle, "", "");
    paper_value(r, "an iteration leaves of the error: dihedral, 4 to 16 iterations", dihedral, "", "");
    paper_claim(r, paper_holds(d[0].own[AT_16] < d[1].own[AT_16]),
                "triangle bending converges faster: 16 iterations leave %.1f %% of its error and %.1f %% of that of "
                "dihedral angles",
                100 * d[0].own[AT_16], 100 * d[1].own[AT_16]);
    paper_claim(r, paper_holds(d[0].angle[AT_16] < d[1].angle[AT_16]),
                "it does so in the same measure for both, the bend angle: %.1f %% against %.1f %% are left",
                100 * d[0].angle[AT_16], 100 * d[1].angle[AT_16]);
    double late[2] = {rate(d[0].own, AT_16, AT_64), rate(d[1].own, AT_16, AT_64)};
    paper_claim(r, paper_holds(late[0] < 1 && late[1] < 1),
                "both converge Q-linearly: from 16 to 64 iterations each iteration leaves %.3f (triangle) and %.3f "
                "(dihedral) of the error",
                late[0], late[1]);
    return true;
}

const experiment tb_fig7 = {
    .id = "tb/fig7",
    .title = "convergence",
    .shows = "The normalised error of the constraints against the number of solver iterations, on a frame from the "
             "beginning of Fig. 3. Triangle bending and dihedral angles converge Q-linearly, triangle bending faster.",
    .method = "From one frame of the crumpled fabric, a single step with 1 to 64 iterations is done with each model. "
              "What is left is the root mean square of the model's own constraints. As models measure different "
              "things, the bend angle over all triangles is measured too.",
    .run = run,
};
