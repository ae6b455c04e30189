/* SBD 1: perfectly constrained edges keep a triangle mesh from bending; low shear stiffness lets it bend. */
#include "experiment.h"
#include "trial.h"

#include <stdlib.h>

enum { WAYS = 3 };
static const char *const names[WAYS] = {"edges", "stretch and shear", "stretch alone (shear 0)"};

typedef struct effect {
    double drop;    /* m: how far the boundary hangs below the top of the ball, mean */
    double bend;    /* degrees: mean over the triangles of the largest angle over an edge */
    double stretch; /* %: mean along warp and weft */
} effect;

/* A sheet of 1 m x 1 m falls on a ball and comes to rest. */
static bool drape(trial *t, int way, bool irregular, bool quick, taut_error *error)
{
    const int side = quick ? 17 : 33;
    taut_collider_def ball = taut_default_collider_def();
    if (way == 0) t->material.edge = 1;
    else t->material.strain.xx = t->material.strain.yy = 1, t->material.strain.xy = way == 1 ? 1 : 0;
    t->material.damping.global = 2;
    t->material.friction = 1;
    t->world_def.gravity[1] = -9.81f;
    t->world_def.substeps = 10;
    t->world_def.iterations = quick ? 20 : 60;
    t->body_def.rotation[0] = -0.70710678f, t->body_def.rotation[3] = 0.70710678f;
    t->body_def.position[2] = -0.5f;
    t->body_def.imperfection = 0.01f;
    ball.shape = TAUT_SPHERE;
    ball.radius = 0.15f, ball.friction = 1;
    ball.a[1] = -0.16f;
    bool ok = irregular ? taut_mesh_sheet_irregular(&t->mesh, side, side, 1, 1, 0.35f, 4, error)
                        : taut_mesh_sheet(&t->mesh, side, side, 1, 1, error);
    return ok && trial_open(t, error) && taut_world_add_collider(t->world, &ball, error) >= 0 &&
           trial_run(t, quick ? 150 : 300, error);
}

static bool measure(const trial *t, effect *e, taut_error *error)
{
    const float *x = trial_xyz(t);
    trial_measure bend, warp, weft;
    int count = 0;
    unsigned char *boundary = malloc((size_t)t->mesh.nvertices);
    *e = (effect){0};
    if (!boundary) return paper_fail(error, "there is not enough memory");
    bool ok = taut_mesh_boundary(&t->mesh, boundary, error) && trial_measure_of(t, TAUT_BEND, &bend, error) &&
              trial_measure_of(t, TAUT_STRETCH_X, &warp, error) && trial_measure_of(t, TAUT_STRETCH_Y, &weft, error);
    for (int v = 0; ok && v < t->mesh.nvertices; v++)
        if (boundary[v]) e->drop -= (double)x[3 * v + 1], count++;
    free(boundary);
    if (!ok) return false;
    e->drop /= count;
    e->bend = bend.mean * 57.29577951308232;
    e->stretch = 50 * (warp.mean + weft.mean);
    return true;
}

static bool run(paper_result *r, bool quick, taut_error *error)
{
    effect e[2][WAYS];
    bool ok = true;
    paper_picture *picture = paper_add_picture(r, "drapes", 420, 25, 12,
                                               "Sheets on a ball, an irregular mesh: edges; "
                                               "stretch and shear; stretch alone");
    paper_table(r, "At rest", "mesh|constraints|boundary below the top|mean angle over edges|stretch of warp and weft");
    for (int i = 0; ok && i < 2 * WAYS; i++) {
        const int irregular = i / WAYS, way = i % WAYS;
        const float at[3] = {1.35f * (float)way, 0, 0};
        trial t = trial_default();
        ok = drape(&t, way, irregular, quick, error) && measure(&t, &e[irregular][way], error);
        const effect *now = &e[irregular][way];
        if (ok)
            paper_row(r, "%s|%s|%.0f mm|%.1f\xc2\xb0|%.2f %%", irregular ? "irregular" : "regular", names[way],
                      1000 * now->drop, now->bend, now->stretch);
        if (ok && irregular) paper_show(picture, &t.mesh, trial_xyz(&t), at, paper_color[way]);
        trial_close(&t);
        paper_progress(r, (i + 1.0) / (2 * WAYS));
    }
    for (int i = 0; ok && i < 2; i++)
        paper_claim(r, paper_holds(e[i][2].drop > 1.1 * e[i][0].drop && e[i][2].stretch < 2 * e[i][0].stretch + 0.5),
                    "%s mesh: without shear stiffness the cloth hangs %.0f mm below the top of the ball, with edges "
                    "%.0f mm, with full shear stiffness %.0f mm; warp and weft are stretched by %.2f %%, %.2f %% and "
                    "%.2f %%",
                    i ? "irregular" : "regular", 1000 * e[i][2].drop, 1000 * e[i][0].drop, 1000 * e[i][1].drop,
                    e[i][2].stretch, e[i][0].stretch, e[i][1].stretch);
    return ok;
}

const experiment sbd_locking = {
    .id = "sbd/locking",
    .title = "low shear stiffness avoids locking (1)",
    .shows =
        "Perfectly constrained edges keep a triangle mesh from bending in general directions (locking). Reducing the "
        "shear stiffness alone avoids that on any triangle mesh.",
    .method =
        "A sheet of 1 m x 1 m without bending stiffness falls on a ball of radius 0.15 m, with many iterations. How "
        "far does its boundary fall, and how much does it bend? Once with distance constraints along all edges, "
        "once with full and once without shear stiffness.",
    .run = run,
};
