#include "creature.h"

#include "experiment.h"

#include <stdlib.h>
#include <string.h>

enum { BALL_LEVELS = 3, MOST_LIMBS = 24, SMOOTHINGS = 6 };

/* ---- The animals, 1 high ---- */

#define BOTH(x, y, z, r, x2, y2, z2, r2)                                                                               \
    {{x, y, z, r}, {x2, y2, z2, r2}},                                                                                  \
    {                                                                                                                  \
        {x, y, -(z), r}, { x2, y2, -(z2), r2 }                                                                         \
    }

static const limb rabbit[] = {
    {{-0.16, 0.28, 0, 0.27}, {0.05, 0.34, 0, 0.22}},     /* body  */
    {{0.05, 0.34, 0, 0.22}, {0.2, 0.55, 0, 0.14}},       /* neck  */
    {{0.2, 0.6, 0, 0.17}, {0.33, 0.55, 0, 0.11}},        /* head  */
    BOTH(0.16, 0.7, 0.07, 0.06, 0.02, 0.95, 0.12, 0.05), /* ears  */
    BOTH(-0.2, 0.16, 0.18, 0.14, 0.02, 0.07, 0.2, 0.07), /* hind legs */
    BOTH(0.15, 0.25, 0.1, 0.09, 0.25, 0.06, 0.1, 0.06),  /* fore legs */
    {{-0.42, 0.25, 0, 0.09}, {-0.42, 0.25, 0, 0.09}},    /* tail  */
};

static const limb duck[] = {
    {{-0.2, 0.3, 0, 0.25}, {0.12, 0.3, 0, 0.3}},           /* body */
    {{-0.2, 0.35, 0, 0.22}, {-0.52, 0.58, 0, 0.06}},       /* tail */
    {{0.16, 0.4, 0, 0.2}, {0.22, 0.7, 0, 0.14}},           /* neck */
    {{0.24, 0.79, 0, 0.21}, {0.24, 0.79, 0, 0.21}},        /* head */
    {{0.4, 0.75, 0, 0.09}, {0.58, 0.72, 0, 0.06}},         /* beak */
    BOTH(-0.02, 0.36, 0.24, 0.13, -0.3, 0.42, 0.25, 0.06), /* wings */
};

static const limb cow[] = {
    {{-0.45, 0.62, 0, 0.26}, {0.3, 0.62, 0, 0.25}},         /* body  */
    {{0.35, 0.68, 0, 0.19}, {0.6, 0.82, 0, 0.13}},          /* neck  */
    {{0.62, 0.86, 0, 0.14}, {0.85, 0.72, 0, 0.1}},          /* head  */
    BOTH(0.62, 0.92, 0.1, 0.05, 0.6, 0.96, 0.24, 0.04),     /* horns */
    BOTH(-0.5, 0.5, 0.14, 0.12, -0.52, 0.075, 0.16, 0.075), /* hind legs */
    BOTH(0.3, 0.5, 0.14, 0.11, 0.32, 0.075, 0.16, 0.075),   /* fore legs */
    {{-0.68, 0.72, 0, 0.06}, {-0.76, 0.35, 0, 0.05}},       /* tail  */
};

static const limb dragon[] = {
    {{-0.35, 0.36, 0, 0.22}, {0.2, 0.4, 0, 0.24}},          /* body  */
    {{-0.35, 0.34, 0, 0.2}, {-0.8, 0.16, 0.1, 0.1}},        /* tail  */
    {{-0.8, 0.16, 0.1, 0.1}, {-1.1, 0.08, 0.32, 0.06}},     /* its end */
    {{0.22, 0.45, 0, 0.2}, {0.5, 0.72, 0, 0.14}},           /* neck  */
    {{0.52, 0.76, 0, 0.17}, {0.82, 0.68, 0, 0.09}},         /* head  */
    BOTH(0.5, 0.86, 0.08, 0.06, 0.38, 0.95, 0.12, 0.05),    /* horns */
    BOTH(-0.35, 0.28, 0.16, 0.14, -0.25, 0.08, 0.24, 0.08), /* hind legs */
    BOTH(0.18, 0.28, 0.16, 0.13, 0.28, 0.08, 0.24, 0.08),   /* fore legs */
};

static const struct {
    const limb *limbs;
    int count;
} animals[] = {
    {rabbit, sizeof rabbit / sizeof *rabbit},
    {duck, sizeof duck / sizeof *duck},
    {cow, sizeof cow / sizeof *cow},
    {dragon, sizeof dragon / sizeof *dragon},
};

/* ---- Meshes ---- */

/* The hull of the two balls of a limb. */
static bool make_limb(taut_mesh *hull, const limb *l, taut_error *error)
{
    taut_mesh ball;
    if (!taut_mesh_sphere(&ball, BALL_LEVELS, 1, error)) return false;
    int n = ball.nvertices;
    float *points = malloc(6 * (size_t)n * sizeof *points);
    for (int i = 0; points && i < 6 * n; i++) {
        const double *end = i < 3 * n ? l->from : l->to;
        points[i] = (float)(end[i % 3] + end[3] * (double)ball.x[i % (3 * n)]);
    }
    bool same = true;
    for (int k = 0; k < 4; k++) same = same && l->from[k] == l->to[k];
    bool done = points ? taut_mesh_hull(hull, points, same ? n : 2 * n, error)
                       : paper_fail(error, "there is not enough memory");
    free(points);
    taut_mesh_free(&ball);
    return done;
}

/* All limbs in one mesh; they overlap. */
static bool join(taut_mesh *all, const limb *limbs, int count, taut_error *error)
{
    taut_mesh part[MOST_LIMBS] = {{0}};
    int nvertices = 0, ntris = 0;
    bool ok = true;
    for (int i = 0; i < count && ok; i++) {
        ok = make_limb(&part[i], &limbs[i], error);
        nvertices += part[i].nvertices, ntris += part[i].ntris;
    }
    ok = ok && taut_mesh_allocate(all, nvertices, ntris, 0, 0, false, false, error);
    nvertices = ntris = 0;
    for (int i = 0; i < count && ok; i++) {
        for (int k = 0; k < 3 * part[i].nvertices; k++) all->x[3 * nvertices + k] = part[i].x[k];
        for (int k = 0; k < 3 * part[i].ntris; k++) all->tri[3 * ntris + k] = part[i].tri[k] + nvertices;
        nvertices += part[i].nvertices, ntris += part[i].ntris;
    }
    for (int i = 0; i < count; i++) taut_mesh_free(&part[i]);
    return ok;
}

static bool limbs_solid(taut_mesh *solid, const limb *limbs, int count, double cell, taut_error *error)
{
    taut_mesh all = {0};
    bool done = join(&all, limbs, count, error) && taut_mesh_fill(&all, (float)cell, solid, error);
    taut_mesh_free(&all);
    return done;
}

/* Each vertex goes to the mean of its neighbours by this share of the way. Every neighbour counts twice, because a
 * closed surface has two triangles on an edge. */
static bool smooth(taut_mesh *shell, float share)
{
    float *sum = calloc(4 * (size_t)shell->nvertices + 1, sizeof *sum);
    if (!sum) return false;
    for (int i = 0; i < 3 * shell->ntris; i++) {
        int from = shell->tri[i];
        for (int other = 1; other < 3; other++) {
            int to = shell->tri[i / 3 * 3 + (i + other) % 3];
            for (int k = 0; k < 3; k++) sum[4 * from + k] += shell->x[3 * to + k];
            sum[4 * from + 3]++;
        }
    }
    for (int i = 0; i < 3 * shell->nvertices; i++) {
        const float *s = sum + i / 3 * 4;
        shell->x[i] += share * (s[i % 3] / s[3] - shell->x[i]);
    }
    free(sum);
    return true;
}

bool mesh_of_triangles(taut_mesh *part, const taut_mesh *mesh, const int *tri, int ntris, taut_error *error)
{
    int *number = calloc((size_t)mesh->nvertices + 1, sizeof *number), count = 0;
    if (!number) return paper_fail(error, "there is not enough memory");
    for (int i = 0; i < 3 * ntris; i++)
        if (!number[tri[i]]) number[tri[i]] = ++count;
    bool done = taut_mesh_allocate(part, count, ntris, 0, 0, false, false, error);
    for (int v = 0; done && v < mesh->nvertices; v++)
        if (number[v]) memcpy(part->x + 3 * (number[v] - 1), mesh->x + 3 * (size_t)v, 3 * sizeof *part->x);
    for (int i = 0; done && i < 3 * ntris; i++) part->tri[i] = number[tri[i]] - 1;
    free(number);
    return done;
}

static bool shell_of(taut_mesh *shell, const taut_mesh *solid, taut_error *error)
{
    int ntris, *tri = taut_mesh_surface(solid, &ntris, error);
    bool done = tri && mesh_of_triangles(shell, solid, tri, ntris, error);
    free(tri);
    for (int i = 0; done && i < SMOOTHINGS; i++) /* Taubin's pair of steps keeps the volume */
        if (!smooth(shell, 0.5f) || !smooth(shell, -0.53f)) return paper_fail(error, "there is not enough memory");
    return done;
}

bool limbs_shell(taut_mesh *shell, const limb *limbs, int count, double cell, taut_error *error)
{
    taut_mesh solid = {0};
    bool done = limbs_solid(&solid, limbs, count, cell, error) && shell_of(shell, &solid, error);
    taut_mesh_free(&solid);
    return done;
}

/* ---- Animals ---- */

static int scaled(limb *list, creature which, double height)
{
    for (int i = 0; i < animals[which].count; i++) {
        list[i] = animals[which].limbs[i];
        for (int k = 0; k < 4; k++) list[i].from[k] *= height, list[i].to[k] *= height;
    }
    return animals[which].count;
}

/* Filled from a smooth shell, because the creases between limbs would leave spikes. */
bool creature_solid(taut_mesh *solid, creature which, double height, double cell, taut_error *error)
{
    taut_mesh shell = {0};
    bool done =
        creature_shell(&shell, which, height, cell / 2, error) && taut_mesh_fill(&shell, (float)cell, solid, error);
    taut_mesh_free(&shell);
    return done;
}

bool creature_shell(taut_mesh *shell, creature which, double height, double cell, taut_error *error)
{
    limb list[MOST_LIMBS];
    int count = scaled(list, which, height);
    return limbs_shell(shell, list, count, cell, error);
}
