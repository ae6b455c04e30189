/* MRSL Fig. 11: a roller presses a hollow and a solid dragon. */
#include "experiment.h"
#include "subject.h"
#include "trial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BODIES = 2 };

static const double HEIGHT = 0.5, RADIUS = 0.12, AXIS = 0.42, FROM = 0.65, TO = -0.45;

typedef struct outcome {
    double change[2]; /* rms of the way of vertices from their places, percent of the height: most, and at the end */
    double strain;    /* the largest |stretch - 1| of all frames, percent */
    double mean;      /* of all elements when it is pressed most */
    double residual;  /* mean over violated elements at the end, percent */
    float *xyz;       /* when it is pressed most */
    double roller;    /* where the roller is then */
} outcome;

/* At x, with the spin (rad/s) of a roller that rolls. */
static taut_collider_def roller_at(double x, double spin)
{
    taut_collider_def c = taut_default_collider_def();
    c.shape = TAUT_CAPSULE;
    c.radius = (float)RADIUS;
    c.a[0] = c.b[0] = (float)x;
    c.a[1] = c.b[1] = (float)AXIS;
    c.a[2] = -0.35f, c.b[2] = 0.35f;
    c.spin[2] = (float)spin;
    c.friction = 0.3f;
    return c;
}

/* The body stands on the ground, to which its feet are fixed. */
static bool prepare(const paper_result *r, trial *t, bool solid, bool quick, taut_error *error)
{
    taut_limit *limit = &t->material.limit;
    taut_collider_def ground = taut_default_collider_def();
    *t = trial_default();
    t->dt = 1.0f / 30;
    t->world_def.gravity[1] = -9.81f;
    t->material.density = solid ? 300 : 0.2f;
    t->material.friction = 0.5f;
    t->material.damping.global = 2;
    limit->stretch[0] = 0.95f, limit->stretch[1] = 1.05f;
    limit->iterations = quick ? 48 : 128;
    limit->threshold = 0.001f;
    t->options.levels = quick ? 1 : 3;
    if (solid) {
        t->material.strain.xx = t->material.strain.yy = t->material.strain.zz = 0.3f;
        t->material.strain.xy = t->material.strain.yz = t->material.strain.xz = 0.2f;
        t->material.strain.volume = 1;
    } else {
        limit->bend[1] = (float)(3 * 100 * 0.017453292519943295), limit->bend[0] = -limit->bend[1];
    }
    bool ok = solid ? subject_solid(r, &t->mesh, CREATURE_DRAGON, HEIGHT, quick ? 0.04 : 0.03, error)
                    : subject_shell(r, &t->mesh, CREATURE_DRAGON, HEIGHT, quick ? 0.03 : 0.014, error);
    for (int v = 0; v < t->mesh.nvertices && ok; v++)
        if ((double)t->mesh.x[3 * v + 1] < 0.06 * HEIGHT) ok = taut_mesh_pin(&t->mesh, v, error);
    return ok && trial_open_trained(t, error) && taut_world_add_collider(t->world, &ground, error) >= 0;
}

static double change_of(const taut_mesh *mesh, const float *xyz)
{
    double sum = 0;
    for (int i = 0; i < 3 * mesh->nvertices; i++) sum += pow((double)xyz[i] - (double)mesh->x[i], 2);
    return 100 * sqrt(sum / mesh->nvertices) / HEIGHT;
}

static bool note(const trial *t, double x, outcome *o, taut_error *error)
{
    trial_measure strain;
    double change = change_of(&t->mesh, trial_xyz(t));
    if (!trial_measure_of(t, TAUT_PRINCIPAL, &strain, error)) return false;
    o->strain = fmin(o->strain, 100 * strain.least);
    o->change[1] = change;
    if (change <= o->change[0]) return true;
    o->change[0] = change, o->roller = x, o->mean = 100 * strain.mean;
    memcpy(o->xyz, trial_xyz(t), 3 * sizeof(float) * (size_t)t->mesh.nvertices);
    return true;
}

/* The roller goes over the dragon in `frames`, and then there are half as many without it. */
static bool roll(paper_result *r, trial *t, bool solid, int frames, outcome *o, taut_error *error)
{
    const double spin = 30 * (FROM - TO) / frames / RADIUS;
    taut_collider_def c = roller_at(FROM, spin);
    o->xyz = paper_take(r, 3 * sizeof(float) * (size_t)t->mesh.nvertices);
    int roller = o->xyz ? taut_world_add_collider(t->world, &c, error) : -1;
    if (roller < 0) return false;
    for (int i = 0; i < frames + frames / 2; i++) {
        double x = FROM + (TO - FROM) * fmin(1, (i + 1.0) / frames);
        c = roller_at(x, spin);
        if (i == frames) taut_world_remove_collider(t->world, roller);
        if (i < frames && !taut_collider_move(t->world, roller, &c, error)) return false;
        if (!trial_run(t, 1, error) || !note(t, x, o, error)) return false;
    }
    o->residual = 100 * taut_world_residual(t->world, taut_kind_find(solid ? "limit_tet" : "limit_tri")).mean;
    return true;
}

static void judge(paper_result *r, const outcome *o)
{
    const outcome *hollow = &o[0], *solid = &o[1];
    paper_value(r, "worst strain of the solid", solid->strain, "%", "around -60");
    paper_claim(r,
                paper_holds(fabs(hollow->change[0] - solid->change[0]) > 0.1 * solid->change[0] ||
                            fabs(hollow->change[1] - solid->change[1]) > 0.1),
                "the hollow body behaves differently from the solid one: it moves by %.1f %% of its height when it is "
                "pressed and stays %.1f %% away, the solid one %.1f %% and %.1f %%",
                hollow->change[0], hollow->change[1], solid->change[0], solid->change[1]);
    paper_claim(
        r, solid->strain < -20 && solid->strain > -100 ? PAPER_HOLDS : PAPER_DIFFERS,
        "where the body is fixed and squeezed, no state is within the limits of 5 %%: the solid reaches %.0f %%, "
        "the paper's around -60 %%. Below -100 %% a tet is turned inside out; the mean of all is %.2f %%",
        solid->strain, solid->mean);
    paper_value(r, "mean residual strain of violated tets at the end", solid->residual, "%", "0.1 to 1");
}

static bool run(paper_result *r, bool quick, taut_error *error)
{
    outcome o[BODIES] = {{.xyz = NULL}};
    paper_picture *p =
        paper_add_picture(r, "bodies", 480, 10, 10, "The hollow body and the solid one when they are pressed most");
    paper_table(r, "The bodies under the roller, way in percent of the height",
                "body|elements|way when pressed most|way at the end|worst strain|mean strain when pressed most");
    for (int b = 0; b < BODIES; b++) {
        trial t;
        bool ok = prepare(r, &t, b == 1, quick, error) && roll(r, &t, b == 1, quick ? 40 : 120, &o[b], error);
        if (ok) {
            paper_row(r, "%s|%d|%.1f|%.2f|%.0f %%|%.2f %%", b ? "solid" : "hollow", b ? t.mesh.ntets : t.mesh.ntris,
                      o[b].change[0], o[b].change[1], o[b].strain, o[b].mean);
            taut_collider_def c = roller_at(o[b].roller, 0);
            float at[3] = {1.2f * (float)b, 0, 0};
            paper_show(p, &t.mesh, o[b].xyz, at, paper_color[b]);
            paper_show_collider(p, &c, at);
        }
        trial_close(&t);
        if (!ok) return false;
        paper_progress(r, (b + 1.0) / BODIES);
    }
    judge(r, o);
    return true;
}

const experiment mrsl_fig11 = {
    .id = "mrsl/fig11",
    .title = "a roller on a hollow and a solid body",
    .shows =
        "A cylindrical roller presses a hollow dragon, which behaves differently from a solid one. Limits are 5 % of "
        "strain, and 3 degrees/cm for the hollow one. The solid one cannot stay within them: around -60 % are "
        "reached.",
    .method =
        "Dragons of 0.5 m, fixed to the ground by their feet; a roller goes over them, 0.16 m below the top of the "
        "head, and is taken away. 1/30 s a frame. The solid one has a little stiffness besides its limits.",
    .mesh = &public_spot,
    .run = run,
};
