/* SBD Fig. 1: a tight skirt, in its bind pose and in one that needs more room. */
#include "capsule.h"
#include "experiment.h"
#include "human.h"
#include "trial.h"

#include <math.h>

enum { SETTINGS = 4, LEGS = 2 };
enum { BIND, STIFF, SOFT, SOFT_AROUND };

static const struct {
    const char *name;
    bool soft_around, soft_along;
    double spread; /* rad: how far the legs go apart */
} settings[SETTINGS] = {{"bind pose, stiff", false, false, 0},
                        {"other pose, stiff", false, false, 0.42},
                        {"other pose, soft", true, true, 0.42},
                        {"other pose, soft around", true, false, 0.42}};

static const float RADIUS = 0.2f, LENGTH = 0.55f, LEG = 0.095f, HIP = 0.1f;

/* A leg as a capsule from the hip, which goes outwards by `angle`. */
static taut_collider_def leg_at(int side, double angle)
{
    taut_collider_def d = taut_default_collider_def();
    const float way = side ? 1 : -1;
    d.shape = TAUT_CAPSULE;
    d.radius = LEG;
    d.a[0] = way * HIP, d.a[1] = 0.5f * LENGTH - 0.05f;
    d.b[0] = way * (HIP + 0.8f * (float)sin(angle)), d.b[1] = d.a[1] - 0.8f * (float)cos(angle);
    d.friction = 0.3f;
    return d;
}

typedef struct skirt {
    trial t;
    int around, along;
    double speed, depth;         /* root mean square speed of the last second, m/s; deepest vertex in a leg, m */
    taut_collider_def leg[LEGS]; /* or the human in place of both */
    human wearer;
} skirt;

static int count_legs(const skirt *s) { return s->wearer.rest ? 1 : LEGS; }

/* Brings the legs to a pose: capsules, or the legs of the human. */
static void stand(skirt *s, double spread)
{
    if (s->wearer.rest) human_move(&s->wearer, spread);
    for (int k = 0; k < count_legs(s); k++)
        s->leg[k] = s->wearer.rest ? human_collider(&s->wearer, 0.3f) : leg_at(k, spread);
}

/* The waist of the human is where the capsules end. */
static bool find_wearer(skirt *s, paper_result *r, taut_error *error)
{
    return !paper_public_mesh(r) || human_open(&s->wearer, r, 1.72, -0.72, error);
}

/* The skirt hangs from its waist, which is pinned; the legs take their pose in a second; two more until the end. */
static bool wear(skirt *s, int which, taut_error *error)
{
    trial *t = &s->t;
    int id[LEGS] = {0, 0};
    bool ok = taut_mesh_tube(&t->mesh, s->around, s->along, RADIUS, LENGTH, error);
    for (int v = 0; ok && v < t->mesh.nvertices; v++)
        if (t->mesh.x[3 * v + 1] > 0.499f * LENGTH) ok = taut_mesh_pin(&t->mesh, v, error);
    ok = ok && trial_open(t, error);
    stand(s, 0);
    for (int k = 0; ok && k < count_legs(s); k++)
        ok = (id[k] = taut_world_add_collider(t->world, &s->leg[k], error)) >= 0;
    for (int frame = 1; ok && frame <= 180; frame++) {
        stand(s, settings[which].spread * (frame < 60 ? frame / 60.0 : 1));
        for (int k = 0; ok && k < count_legs(s); k++) ok = taut_collider_move(t->world, id[k], &s->leg[k], error);
        taut_deformation d;
        ok = ok && trial_run(t, 1, error) && taut_body_deformation(t->world, t->body, t->measurer, &d, error);
        if (ok && frame > 120) s->speed += d.rms_speed / 60;
    }
    return ok;
}

/* What a wearer would see. */
typedef struct fit {
    double hem;           /* m: the mean height of the hem over that in the bind pose of the model */
    double around, along; /* mean stretch, signed                                                  */
    double speed, depth;
} fit;

static bool measure(const skirt *s, fit *f, taut_error *error)
{
    trial_measure around, along;
    const float *x = trial_xyz(&s->t);
    *f = (fit){.speed = s->speed, .depth = -INFINITY};
    if (!trial_measure_of(&s->t, TAUT_STRETCH_X, &around, error) ||
        !trial_measure_of(&s->t, TAUT_STRETCH_Y, &along, error))
        return false;
    for (int i = 0; i < s->around; i++) /* row 0 is the lowest */
        f->hem += ((double)x[3 * i + 1] - (double)s->t.mesh.x[3 * i + 1]) / s->around;
    if (s->wearer.rest) f->depth = human_depth(&s->wearer, x, s->t.mesh.nvertices);
    for (int v = 0; v < s->t.mesh.nvertices && !s->wearer.rest; v++)
        for (int k = 0; k < LEGS; k++) f->depth = fmax(f->depth, capsule_depth(&s->leg[k], x + 3 * v));
    f->around = around.mean_signed;
    f->along = along.mean_signed;
    return true;
}

static void judge(paper_result *r, const fit f[SETTINGS])
{
    const double up = f[STIFF].hem - f[BIND].hem, down = f[BIND].hem - f[SOFT].hem;
    const double kept = fabs(f[SOFT_AROUND].hem - f[BIND].hem);
    paper_claim(
        r, paper_holds(up > 0.01 || f[STIFF].depth > 0.002 || f[STIFF].speed > 10 * f[BIND].speed),
        "the stiff skirt causes problems in the other pose: its hem is %.0f mm higher than in the bind pose, it is "
        "up to %.1f mm deep in the legs and moves at %.0f mm/s, in the bind pose at %.0f mm/s",
        1000 * up, 1000 * fmax(0, f[STIFF].depth), 1000 * f[STIFF].speed, 1000 * f[BIND].speed);
    paper_claim(r, paper_holds(down > 0.02), "lower stiffness in all directions lets it sag by %.0f mm", 1000 * down);
    paper_claim(
        r,
        paper_holds(kept < 0.5 * fmax(down, up) && f[SOFT_AROUND].depth < 0.002 &&
                    f[SOFT_AROUND].speed < fmax(10 * f[BIND].speed, 0.01)),
        "lower stiffness around the body alone solves the problem: the hem is %.0f mm from where it is in the bind "
        "pose, the cloth is stretched by %.1f %% around and %.1f %% along the body, it is %.1f mm deep in the legs "
        "and moves at %.0f mm/s",
        1000 * kept, 100 * f[SOFT_AROUND].around, 100 * f[SOFT_AROUND].along, 1000 * fmax(0, f[SOFT_AROUND].depth),
        1000 * f[SOFT_AROUND].speed);
}

static void set_material(trial *t, int which, bool quick)
{
    const float soft = quick ? 0.2f : 0.4f; /* a ratio acts more softly on a finer mesh */
    t->material.strain.xx = settings[which].soft_around ? soft : 1;
    t->material.strain.yy = settings[which].soft_along ? soft : 1;
    t->material.strain.xy = 0.5f * t->material.strain.xx;
    t->material.bend.model = TAUT_BEND_ISOMETRIC;
    t->material.bend.flat = true;
    t->material.bend.stiffness = 0.02f;
    t->material.thickness = 0.003f;
    t->material.friction = 1;
    t->material.damping.global = 2;
    t->world_def.gravity[1] = -9.81f;
    t->world_def.substeps = 8;
    t->world_def.iterations = quick ? 4 : 8;
}

static bool run(paper_result *r, bool quick, taut_error *error)
{
    fit f[SETTINGS];
    bool ok = true;
    const float skin[3] = {0.62f, 0.62f, 0.64f}, apart = paper_public_mesh(r) ? 1.75f : 1.05f;
    paper_picture *picture = paper_add_picture(r, "skirts", 520, 10, 2,
                                               "From left to right: the bind pose; another pose; the "
                                               "skirt softer in all directions; softer around the body alone");
    paper_table(r, "After 3 s",
                "setting|stiffness around, along|hem higher by|stretch around|along|deepest in a leg|speed");
    for (int i = 0; ok && i < SETTINGS; i++) {
        const float at[3] = {apart * (float)i, 0, 0};
        skirt s = {.t = trial_default(), .around = quick ? 40 : 64, .along = quick ? 20 : 32};
        set_material(&s.t, i, quick);
        ok = find_wearer(&s, r, error) && wear(&s, i, error) && measure(&s, &f[i], error);
        if (ok) {
            paper_row(r, "%s|%g, %g|%.0f mm|%.1f %%|%.1f %%|%.1f mm|%.0f mm/s", settings[i].name,
                      (double)s.t.material.strain.xx, (double)s.t.material.strain.yy, 1000 * f[i].hem,
                      100 * f[i].around, 100 * f[i].along, 1000 * f[i].depth, 1000 * f[i].speed);
            paper_show(picture, &s.t.mesh, trial_xyz(&s.t), at, paper_color[i]);
            if (s.wearer.rest) paper_show(picture, &s.wearer.mesh, s.wearer.mesh.x, at, skin);
            for (int k = 0; k < LEGS && !s.wearer.rest; k++) paper_show_collider(picture, &s.leg[k], at);
        }
        trial_close(&s.t);
        paper_progress(r, (i + 1.0) / SETTINGS);
    }
    if (ok) judge(r, f);
    return ok;
}

const experiment sbd_fig1 = {
    .id = "sbd/fig1",
    .title = "a tight skirt in another pose",
    .shows =
        "A tight skirt fits in its bind pose and causes problems in another pose. Lower stiffness makes it sag; lower "
        "stiffness along the horizontal direction alone solves the problem.",
    .method =
        "A tube of cloth, 0.55 m long and 0.4 m wide, hangs from its waist over two legs of 0.19 m, which go apart by "
        "24 degrees each within a second. How much higher or lower is the hem after three seconds, how much is the "
        "cloth stretched around and along the body, is it in the legs, and is it at rest?",
    .mesh = &public_human,
    .run = run,
};
