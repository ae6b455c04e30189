/* TB Fig. 1: a plant with triangle bending. */
#include "creature.h"
#include "experiment.h"
#include "trial.h"

#include <math.h>
#include <string.h>

enum { SHOTS = 4, FRAMES = 686, WIND_FROM = 30, WIND_TO = 250 };

static const int shots[SHOTS] = {0, 79, 248, FRAMES};
static const double KAPPA = 0.0005, ROOT = 0.05;

/* A stem of 1 m with leaves. */
static const limb limbs[] = {
    {{0, 0, 0, 0.06}, {0.01, 0.3, 0, 0.05}},
    {{0.01, 0.3, 0, 0.05}, {0, 0.6, 0.02, 0.045}},
    {{0, 0.6, 0.02, 0.045}, {0.03, 0.95, 0, 0.035}},
    {{0.01, 0.3, 0, 0.045}, {0.25, 0.5, 0.05, 0.05}},
    {{0.25, 0.5, 0.05, 0.05}, {0.5, 0.55, 0.1, 0.03}},
    {{0, 0.45, 0, 0.045}, {-0.22, 0.66, 0.1, 0.05}},
    {{-0.22, 0.66, 0.1, 0.05}, {-0.46, 0.7, 0.2, 0.03}},
    {{0, 0.6, 0.02, 0.045}, {0.12, 0.8, -0.2, 0.045}},
    {{0.12, 0.8, -0.2, 0.045}, {0.2, 0.85, -0.42, 0.03}},
};

typedef struct plant {
    trial t;
    float *xyz[SHOTS];
    double lean[FRAMES + 1]; /* m: how far the highest vertex is from where it was at first */
    int top;
} plant;

static bool prepare(plant *p, bool bends, int substeps, bool quick, taut_error *error)
{
    trial *t = &p->t;
    *t = trial_default();
    t->material.edge = 1;
    t->material.damping.global = 2;
    t->world_def.substeps = substeps, t->world_def.iterations = 8;
    t->world_def.gravity[1] = -9.81f;
    if (bends)
        t->material.bend =
            (taut_bend){.model = TAUT_BEND_TRIANGLE, .stiffness = 1, .mode = TAUT_BEND_AT_MOST, .kappa = (float)KAPPA};
    bool ok = limbs_shell(&t->mesh, limbs, sizeof limbs / sizeof *limbs, quick ? 0.045 : 0.035, error);
    for (int v = 0; v < t->mesh.nvertices && ok; v++) {
        if ((double)t->mesh.x[3 * v + 1] < ROOT) ok = taut_mesh_pin(&t->mesh, v, error);
        if (t->mesh.x[3 * v + 1] > t->mesh.x[3 * p->top + 1]) p->top = v;
    }
    return ok && trial_open(t, error);
}

/* A steady force from the side, as of wind. */
static bool blow(plant *p, int frame, taut_error *error)
{
    const float wind = frame >= WIND_FROM && frame < WIND_TO ? 4 : 0;
    return taut_world_set_gravity(p->t.world, (float[3]){wind, -9.81f, 0}, error);
}

static bool grow(paper_result *r, plant *p, taut_error *error)
{
    size_t size = 3 * (size_t)p->t.mesh.nvertices * sizeof(float);
    const float *rest = p->t.mesh.x + 3 * p->top;
    for (int frame = 0, shot = 0; frame <= FRAMES; frame++) {
        if (frame > 0 && (!blow(p, frame, error) || !trial_run(&p->t, 1, error))) return false;
        const float *now = trial_xyz(&p->t) + 3 * p->top;
        for (int k = 0; k < 3; k++) p->lean[frame] += pow((double)now[k] - (double)rest[k], 2);
        p->lean[frame] = sqrt(p->lean[frame]);
        if (frame != shots[shot]) continue;
        p->xyz[shot] = paper_take(r, size);
        if (!p->xyz[shot]) return paper_fail(error, "there is not enough memory");
        memcpy(p->xyz[shot++], trial_xyz(&p->t), size);
    }
    return true;
}

static void show(paper_result *r, const plant *p)
{
    double x[FRAMES + 1];
    paper_picture *picture = paper_add_picture(
        r, "frames", 460, 0, 6, "From left to right: frame 1, 79, 248 (the wind blows) and 686 (at rest)");
    for (int i = 0; i < SHOTS; i++)
        paper_show(picture, &p->t.mesh, p->xyz[i], (float[3]){1.25f * (float)i, 0, 0}, (float[3]){0.35f, 0.62f, 0.29f});
    for (int i = 0; i <= FRAMES; i++) x[i] = i;
    paper_plot *plot = paper_add_plot(r, "lean", "frame", "the top's way from its place, m",
                                      "The wind blows from frame 30 to frame 250");
    paper_add_series(plot, "plant", x, p->lean, FRAMES + 1);
}

static void judge(paper_result *r, const plant *p, const plant *limp, const plant *fewer)
{
    double height = (double)p->t.mesh.x[3 * p->top + 1];
    double before = p->lean[WIND_FROM - 1], in_wind = p->lean[248], after = p->lean[FRAMES], still = 0;
    for (int i = FRAMES - 60; i < FRAMES; i++) still = fmax(still, fabs(p->lean[i] - after));
    paper_value(r, "height of the plant", height, "m", "");
    paper_value(r, "its top's way before the wind", before, "m", "");
    paper_value(r, "in the wind", in_wind, "m", "");
    paper_value(r, "at the end", after, "m", "");
    paper_value(r, "at the end without bending", limp->lean[FRAMES], "m", "");
    paper_value(r, "at the end with a quarter of the substeps", fewer->lean[FRAMES], "m", "");
    paper_claim(r, paper_holds(limp->lean[FRAMES] > height && after < height / 2),
                "triangle bending carries the plant: its top ends %.3f m from its place, without bending %.3f m; it is "
                "%.2f m high",
                after, limp->lean[FRAMES], height);
    paper_claim(r, paper_holds(in_wind > 2 * after && still < 0.01 * height),
                "it bends in the wind, by %.3f m, and comes back to rest, within %.4f m over the last second", in_wind,
                still);
}

static bool run(paper_result *r, bool quick, taut_error *error)
{
    const int substeps = quick ? 8 : 32;
    plant *p = paper_take(r, 3 * sizeof *p), *limp = p + 1, *fewer = p + 2;
    bool ok = p && prepare(p, true, substeps, quick, error) && grow(r, p, error);
    paper_progress(r, 0.4);
    ok = ok && prepare(limp, false, substeps, quick, error) && grow(r, limp, error);
    paper_progress(r, 0.8);
    ok = ok && prepare(fewer, true, substeps / 4, quick, error) && grow(r, fewer, error);
    if (ok) judge(r, p, limp, fewer), show(r, p);
    for (int i = 0; p && i < 3; i++) trial_close(&p[i].t);
    return ok;
}

const experiment tb_fig1 = {
    .id = "tb/fig1",
    .title = "a plant",
    .shows = "A quasi plant at frames 1, 79, 248 and 686: with triangle bending constraints as inequalities it stands, "
             "bends in nice curves and comes back.",
    .method =
        "A stem of 1 m with leaves, a hollow shell with rigid edges, is held at its root. Heights are at most "
        "h\xe2\x82\x80 + \xce\xba with "
        "\xce\xba = 0.5 mm; 32 substeps of 8 iterations a frame (quick, with larger triangles: 8). The paper says "
        "neither its mesh nor its iterations. A force from the side, 0.4 of gravity, acts from "
        "frame 30 to frame "
        "250. The same plant without bending is the control.",
    .run = run,
};
