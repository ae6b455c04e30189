#include "subject.h"

#include <math.h>
#include <string.h>

/* ---- A public mesh, brought to size ---- */

static void bounds(const taut_mesh *mesh, float low[3], float high[3])
{
    for (int k = 0; k < 3; k++) low[k] = INFINITY, high[k] = -INFINITY;
    for (int i = 0; i < 3 * mesh->nvertices; i++) {
        low[i % 3] = fminf(low[i % 3], mesh->x[i]);
        high[i % 3] = fmaxf(high[i % 3], mesh->x[i]);
    }
}

/* A copy of the triangles around 0 0 0, `size` long along an axis. If it `stands`, its lowest vertex has y = 0. */
static bool sized(taut_mesh *copy, const taut_mesh *mesh, int axis, double size, bool stands, taut_error *error)
{
    float low[3], high[3];
    if (!mesh_of_triangles(copy, mesh, mesh->tri, mesh->ntris, error)) return false;
    bounds(copy, low, high);
    float scale = (float)size / (high[axis] - low[axis]);
    for (int i = 0; i < 3 * copy->nvertices; i++) {
        int k = i % 3;
        float from = stands && k == 1 ? low[k] : 0.5f * (low[k] + high[k]);
        copy->x[i] = scale * (copy->x[i] - from);
    }
    return true;
}

/* The animals look along -z; ours look along x. */
static bool animal(taut_mesh *copy, const taut_mesh *mesh, double height, taut_error *error)
{
    if (!sized(copy, mesh, 1, height, true, error)) return false;
    for (int v = 0; v < copy->nvertices; v++) {
        float *x = copy->x + 3 * (size_t)v, ahead = -x[2];
        x[2] = x[0], x[0] = ahead;
    }
    return true;
}

/* ---- Animals ---- */

bool subject_shell(const paper_result *r, taut_mesh *shell, creature which, double height, double cell,
                   taut_error *error)
{
    const taut_mesh *given = paper_public_mesh(r);
    return given ? animal(shell, given, height, error) : creature_shell(shell, which, height, cell, error);
}

bool subject_solid(const paper_result *r, taut_mesh *solid, creature which, double height, double cell,
                   taut_error *error)
{
    const taut_mesh *given = paper_public_mesh(r);
    taut_mesh shell = {0};
    if (!given) return creature_solid(solid, which, height, cell, error);
    bool done = animal(&shell, given, height, error) && taut_mesh_fill(&shell, (float)cell, solid, error);
    taut_mesh_free(&shell);
    return done;
}

/* ---- Tori ---- */

/* Along the big circle, outwards, and along the axis of symmetry, which is y. */
static void frame_at(const taut_mesh *solid, int tet, float frame[9])
{
    float outwards[2] = {0, 0};
    for (int c = 0; c < 4; c++) {
        const float *x = solid->x + 3 * (size_t)solid->tet[4 * tet + c];
        outwards[0] += x[0], outwards[1] += x[2];
    }
    float length = sqrtf(outwards[0] * outwards[0] + outwards[1] * outwards[1]);
    float x = outwards[0] / length, z = outwards[1] / length;
    memcpy(frame, (float[9]){-z, 0, x, x, 0, z, 0, 1, 0}, 9 * sizeof *frame);
}

static bool add_frames(taut_mesh *solid, taut_error *error)
{
    taut_mesh framed;
    if (!taut_mesh_allocate(&framed, solid->nvertices, 0, solid->ntets, 0, false, true, error)) return false;
    memcpy(framed.x, solid->x, 3 * sizeof *framed.x * (size_t)solid->nvertices);
    memcpy(framed.tet, solid->tet, 4 * sizeof *framed.tet * (size_t)solid->ntets);
    for (int t = 0; t < framed.ntets; t++) frame_at(&framed, t, framed.frame + 9 * (size_t)t);
    taut_mesh_free(solid);
    *solid = framed;
    return true;
}

bool subject_torus(const paper_result *r, taut_mesh *solid, int around, int rings, float big_radius, float small_radius,
                   taut_error *error)
{
    const taut_mesh *given = paper_public_mesh(r);
    taut_mesh surface = {0};
    if (!given) return taut_mesh_torus(solid, around, rings, big_radius, small_radius, error);
    float cell = 6.2831853f * big_radius / (float)around;
    bool done = sized(&surface, given, 0, 2 * (double)(big_radius + small_radius), false, error) &&
                taut_mesh_fill(&surface, cell, solid, error) && add_frames(solid, error);
    taut_mesh_free(&surface);
    return done;
}
