/* Checks of the coarser meshes of solids that the user gave. */
#include "model/hierarchy.h"

#include "base/error.h"
#include "mesh/bvh.h"
#include "mesh/frame.h"

static bool check_tets(const taut_mesh *mesh, taut_error *error)
{
    double inverse[9], volume;
    if (mesh->ntets == 0)
        return tt_fail(error, TAUT_BAD_MESH, -1, "a coarser mesh of a solid needs tets, this has none");
    if (mesh->ntris > 0 || mesh->nlines > 0)
        return tt_fail(error, TAUT_BAD_MESH, -1,
                       "a coarser mesh of a solid has tets alone, this has %d triangles and %d lines", mesh->ntris,
                       mesh->nlines);
    for (int t = 0; t < mesh->ntets; t++)
        if (!tt_tet_frame(mesh, t, inverse, &volume))
            return tt_fail(error, TAUT_BAD_MESH, t, "tet %d has no volume", t);
    return true;
}

/* Does not use fmin and fmax, because gcc 12 for aarch64 fails with an internal error at a loop of them. */
static tt_box box_of(const taut_mesh *mesh)
{
    vec3 first = vec_of(mesh->x);
    tt_box b = tt_box_around(&first, 1);
    for (int v = 1; v < mesh->nvertices; v++)
        for (int c = 0; c < 3; c++) {
            double at = (double)mesh->x[3 * (size_t)v + (size_t)c];
            if (at < b.low[c]) b.low[c] = at;
            if (at > b.high[c]) b.high[c] = at;
        }
    return b;
}

static vec3 corner_of(const double at[3]) { return (vec3){at[0], at[1], at[2]}; }
static double diagonal_of(tt_box b) { return vec_length(vec_sub(corner_of(b.high), corner_of(b.low))); }
static vec3 middle_of(tt_box b) { return vec_scale(vec_add(corner_of(b.low), corner_of(b.high)), 0.5); }

/* Whether `a` is inside of `b`, or outside by at most half of the diagonal of b. */
static bool is_about_in(tt_box a, tt_box b)
{
    double far = diagonal_of(b) / 2;
    bool inside = true;
    for (int c = 0; c < 3; c++) inside = inside && b.low[c] - a.low[c] <= far && a.high[c] - b.high[c] <= far;
    return inside;
}

bool taut_mesh_check_coarse(const taut_mesh *coarse, const taut_mesh *finer, taut_error *error)
{
    if (!taut_mesh_check(coarse, error) || !check_tets(coarse, error)) return false;
    if (coarse->ntets >= finer->ntets)
        return tt_fail(error, TAUT_BAD_MESH, -1, "it has %d tets, which must be fewer than the next finer mesh has: %d",
                       coarse->ntets, finer->ntets);
    tt_box own = box_of(coarse), other = box_of(finer);
    if (is_about_in(own, other) && is_about_in(other, own)) return true;
    vec3 at = middle_of(own), wanted = middle_of(other);
    return tt_fail(error, TAUT_BAD_MESH, -1,
                   "it is elsewhere or of another size: %.4g across about (%.4g, %.4g, %.4g), the next finer mesh %.4g "
                   "about (%.4g, %.4g, %.4g)",
                   diagonal_of(own), at.x, at.y, at.z, diagonal_of(other), wanted.x, wanted.y, wanted.z);
}

bool tt_given_check(const taut_mesh *mesh, const taut_model_options *options, taut_error *error)
{
    int count = options->ncoarse;
    if (count < 0 || count > TAUT_MOST_LEVELS)
        return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "options.ncoarse must be in [0,%d], got %d", TAUT_MOST_LEVELS,
                       count);
    if (count == 0) return true;
    if (!options->coarse)
        return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "options.ncoarse is %d but options.coarse is NULL", count);
    if (tt_mesh_type_of(mesh) != TT_MESH_SOLID)
        return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "options.coarse is for solids: tets without triangles");
    for (int i = 0; i < count; i++) {
        taut_error cause;
        if (!taut_mesh_check_coarse(options->coarse[i], i ? options->coarse[i - 1] : mesh, &cause))
            return tt_fail(error, cause.code, cause.index, "options.coarse[%d]: %s", i, cause.text);
    }
    return true;
}
