/* SBD Fig. 5: skin that slides over a body, against linear blend skinning. */
#include "experiment.h"
#include "trial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An arm along x with a joint at 0, whose skin is a layer of tets: `around` cells around, `along` cells along. */
typedef struct arm {
    int around, along;
} arm;

static const double INNER = 0.22, OUTER = 0.3, REACH = 0.9, BLEND = 0.12, PI = 3.14159265358979323846;

static int vertex_of(const arm *a, int i, int j, int layer) { return 2 * (i * a->around + j % a->around) + layer; }

static void place(const arm *a, taut_mesh *mesh)
{
    for (int i = 0; i <= a->along; i++)
        for (int j = 0; j < a->around; j++)
            for (int layer = 0; layer < 2; layer++) {
                float *x = mesh->x + 3 * (size_t)vertex_of(a, i, j, layer);
                double turn = 2 * PI * j / a->around, radius = layer ? OUTER : INNER;
                x[0] = (float)(REACH * (2.0 * i / a->along - 1));
                x[1] = (float)(radius * cos(turn));
                x[2] = (float)(radius * sin(turn));
            }
}

/* Six tets a cell, around its diagonal. Axes: along the arm, around it, and outwards. */
static void fill_cell(const arm *a, taut_mesh *mesh, int i, int j, int first)
{
    static const int order[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    const double turn = 2 * PI * (j + 0.5) / a->around;
    const float axes[9] = {1, 0, 0, 0, (float)-sin(turn), (float)cos(turn), 0, (float)cos(turn), (float)sin(turn)};
    for (int t = 0; t < 6; t++) {
        int at[3] = {0, 0, 0}, *tet = mesh->tet + 4 * (size_t)(first + t);
        tet[0] = vertex_of(a, i, j, 0);
        for (int k = 0; k < 3; k++) {
            at[order[t][k]] = 1;
            tet[k + 1] = vertex_of(a, i + at[0], j + at[1], at[2]);
        }
        if (t < 3) { /* x, around and outwards are a left-handed order */
            int swap = tet[1];
            tet[1] = tet[2], tet[2] = swap;
        }
        memcpy(mesh->frame + 9 * (size_t)(first + t), axes, sizeof axes);
    }
}

/* The inner layer and both ends are pinned: they follow the bones. */
static bool make(const arm *a, taut_mesh *mesh, taut_error *error)
{
    if (!taut_mesh_allocate(mesh, 2 * (a->along + 1) * a->around, 0, 6 * a->along * a->around, 0, false, true, error))
        return false;
    place(a, mesh);
    for (int i = 0; i < a->along; i++)
        for (int j = 0; j < a->around; j++) fill_cell(a, mesh, i, j, 6 * (i * a->around + j));
    for (int v = 0; v < mesh->nvertices; v++) {
        int row = v / (2 * a->around);
        if ((v % 2 == 0 || row == 0 || row == a->along) && !taut_mesh_pin(mesh, v, error)) return false;
    }
    return true;
}

/* Linear blend skinning of two bones; the second turns by `angle` about z. */
static void skin(const float rest[3], double angle, float out[3])
{
    double s = ((double)rest[0] + BLEND) / (2 * BLEND), x = (double)rest[0], y = (double)rest[1];
    s = s < 0 ? 0 : s > 1 ? 1 : s * s * (3 - 2 * s);
    out[0] = (float)((1 - s) * x + s * (cos(angle) * x - sin(angle) * y));
    out[1] = (float)((1 - s) * y + s * (sin(angle) * x + cos(angle) * y));
    out[2] = rest[2];
}

/* ---- Measures ---- */

typedef struct evenness {
    double mean, deviation, longest, shortest; /* of the stretch of the outer surface along the arm */
} evenness;

static double edge_length(const float *x, int a, int b)
{
    double sum = 0;
    for (int k = 0; k < 3; k++) sum += pow((double)x[3 * a + k] - (double)x[3 * b + k], 2);
    return sqrt(sum);
}

/* `heat` gets the stretch at each vertex. */
static void measure(const arm *a, const taut_mesh *mesh, const float *x, evenness *e, float *heat)
{
    double sum = 0, squares = 0;
    int count = a->along * a->around;
    *e = (evenness){.shortest = INFINITY};
    memset(heat, 0, sizeof *heat * (size_t)mesh->nvertices);
    for (int i = 0; i < a->along; i++)
        for (int j = 0; j < a->around; j++) {
            int p = vertex_of(a, i, j, 1), q = vertex_of(a, i + 1, j, 1);
            double stretch = edge_length(x, p, q) / edge_length(mesh->x, p, q) - 1;
            sum += stretch, squares += stretch * stretch;
            e->longest = fmax(e->longest, stretch), e->shortest = fmin(e->shortest, stretch);
            heat[p] += (float)stretch / 2, heat[q] += (float)stretch / 2;
        }
    e->mean = sum / count;
    e->deviation = sqrt(squares / count - e->mean * e->mean);
}

/* ---- The experiment ---- */

/* Bends the arm in a second; then the skin comes to rest. */
static bool bend(trial *t, double angle, float *skinned, int frames, taut_error *error)
{
    bool ok = true;
    for (int frame = 1; ok && frame <= frames; frame++) {
        double now = angle * (frame < 60 ? frame / 60.0 : 1);
        for (int v = 0; ok && v < t->mesh.nvertices; v++) {
            skin(t->mesh.x + 3 * v, now, skinned + 3 * v);
            if (t->mesh.pinned[v]) ok = taut_body_pin(t->world, t->body, v, skinned + 3 * v, 1, error);
        }
        ok = ok && trial_run(t, 1, error);
    }
    return ok;
}

static void report(paper_result *r, const evenness *blend, const evenness *slid)
{
    const double less = 1 - slid->deviation / blend->deviation;
    paper_table(r, "Stretch of the outer surface along the arm", "|mean|standard deviation|largest|smallest");
    paper_row(r, "linear blend skinning|%.1f %%|%.1f %%|%.1f %%|%.1f %%", 100 * blend->mean, 100 * blend->deviation,
              100 * blend->longest, 100 * blend->shortest);
    paper_row(r, "sliding skin|%.1f %%|%.1f %%|%.1f %%|%.1f %%", 100 * slid->mean, 100 * slid->deviation,
              100 * slid->longest, 100 * slid->shortest);
    paper_value(r, "unevenness of stretch (standard deviation), less by", 100 * less, "%", "significantly");
    paper_claim(
        r,
        less > 0.25 ? PAPER_HOLDS
        : less > 0  ? PAPER_DIFFERS
                    : PAPER_DOES_NOT_HOLD,
        "skin sliding makes stretch more even: its standard deviation is %.1f %% in place of %.1f %%, the largest "
        "stretch %.1f %% in place of %.1f %%",
        100 * slid->deviation, 100 * blend->deviation, 100 * slid->longest, 100 * blend->longest);
}

static bool compare(paper_result *r, const arm *a, trial *t, bool quick, taut_error *error)
{
    const float left[3] = {0, 0, 0}, right[3] = {2, 0, 0};
    float *skinned = paper_take(r, 3 * sizeof *skinned * (size_t)t->mesh.nvertices);
    float *heat = paper_take(r, sizeof *heat * (size_t)t->mesh.nvertices);
    evenness blend, slid;
    if (!skinned || !heat) return paper_fail(error, "there is not enough memory");
    if (!bend(t, 1.2, skinned, quick ? 120 : 240, error)) return false;
    paper_picture *picture = paper_add_picture(r, "arms", 520, -12, 14,
                                               "Stretch of the skin along the arm, from -60 % (blue) "
                                               "to 60 % (red): linear blend skinning, and skin that slides");
    picture->low = -0.6f, picture->high = 0.6f;
    picture->wire = true;
    measure(a, &t->mesh, skinned, &blend, heat);
    paper_show_heat(picture, &t->mesh, skinned, left, heat);
    measure(a, &t->mesh, trial_xyz(t), &slid, heat);
    paper_show_heat(picture, &t->mesh, trial_xyz(t), right, heat);
    report(r, &blend, &slid);
    return true;
}

static bool run(paper_result *r, bool quick, taut_error *error)
{
    const arm a = {quick ? 20 : 32, quick ? 36 : 60};
    trial t = trial_default();
    taut_strain *s = &t.material.strain;
    s->xx = s->yy = s->zz = 1;
    s->xy = 0.1f;
    s->yz = s->xz = 0.001f;
    s->volume = 0.2f;
    t.material.damping.global = 5;
    t.world_def.substeps = 4;
    t.world_def.iterations = 5;
    bool ok = make(&a, &t.mesh, error) && trial_open(&t, error) && compare(r, &a, &t, quick, error);
    trial_close(&t);
    return ok;
}

const experiment sbd_fig5 = {
    .id = "sbd/fig5",
    .title = "skin sliding",
    .shows = "Linear blend skinning stretches a surface unevenly. A layer of tets on it with low tangential shear "
             "resistance "
             "lets skin slide, which makes stretch significantly more even.",
    .method =
        "An arm of 0.6 m x 1.8 m with a joint bends by 69 degrees. Its skin is a layer of tets of 0.08 m with frames "
        "along, around and outwards; its inner side and its ends follow linear blend skinning. Stretch and normal "
        "stiffness 1, shear against the body 0.001. The stretch of the outer surface along the arm is compared.",
    .run = run,
};
