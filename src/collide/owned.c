#include "collide/owned.h"

#include "base/error.h"
#include "base/hash.h"
#include "mesh/hull.h"

#include <string.h>

static vec3 corner_of(const tt_owned *owned, int t, int k)
{
    return vec_of(owned->x + 3 * (size_t)owned->tri[3 * (size_t)t + (size_t)k]);
}

/* ---- Hulls ---- */

/* Each plane goes through the outermost of its three corners. */
static bool make_planes(tt_owned *owned)
{
    owned->plane = tt_take(&owned->scope, (size_t)owned->ntris, sizeof *owned->plane);
    for (int t = 0; owned->plane && t < owned->ntris; t++) {
        vec3 a = corner_of(owned, t, 0);
        vec3 n = vec_cross(vec_sub(corner_of(owned, t, 1), a), vec_sub(corner_of(owned, t, 2), a));
        double length = vec_length(n), far = vec_dot(n, a);
        for (int k = 0; k < 3; k++) far = fmax(far, vec_dot(n, corner_of(owned, t, k)));
        const double plane[4] = {n.x / length, n.y / length, n.z / length, far / length};
        for (int k = 0; k < 4; k++) owned->plane[t][k] = (float)plane[k];
    }
    return owned->plane;
}

/* Leaves out triangles that are so thin that double precision cannot tell their direction; their neighbours cover their
 * place. */
static void drop_thin(tt_owned *owned)
{
    int kept = 0;
    for (int t = 0; t < owned->ntris; t++) {
        vec3 a = corner_of(owned, t, 0), ab = vec_sub(corner_of(owned, t, 1), a),
             ac = vec_sub(corner_of(owned, t, 2), a);
        if (!(vec_length(vec_cross(ab, ac)) > 1e-12 * vec_length(ab) * vec_length(ac))) continue;
        memmove(owned->tri + 3 * (size_t)kept++, owned->tri + 3 * (size_t)t, 3 * sizeof *owned->tri);
    }
    owned->ntris = kept;
}

static bool make_hull(tt_owned *owned, const taut_mesh *mesh, taut_error *error)
{
    owned->ntris = tt_hull(&owned->scope, mesh->x, mesh->nvertices, &owned->tri, error);
    if (owned->ntris == 0) return false;
    drop_thin(owned);
    if (owned->ntris == 0) return tt_fail(error, TAUT_BAD_MESH, -1, "the points of a hull must not lie in a plane");
    return make_planes(owned) || tt_no_memory(error);
}

/* ---- Meshes ---- */

static bool make_surface(tt_owned *owned, const taut_mesh *mesh, taut_error *error)
{
    size_t count = 3 * (size_t)mesh->ntris;
    owned->ntris = mesh->ntris;
    owned->tri = TT_TAKE(&owned->scope, int, count);
    owned->surface = TT_TAKE(&owned->scope, tt_surface, 1);
    if (!owned->tri || !owned->surface) return tt_no_memory(error);
    memcpy(owned->tri, mesh->tri, count * sizeof *owned->tri);
    return tt_surface_build(&owned->scope, mesh, owned->surface, error);
}

/* ---- All ---- */

static bool check_mesh(taut_shape shape, const taut_mesh *mesh, taut_error *error)
{
    if (!mesh) return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "collider.mesh is NULL");
    if (!taut_mesh_check(mesh, error)) return false;
    return shape == TAUT_HULL || mesh->ntris > 0 ||
           tt_fail(error, TAUT_BAD_MESH, -1, "the mesh of a collider has no triangles");
}

uint64_t tt_owned_hash(taut_shape shape, const taut_mesh *mesh)
{
    uint64_t hash = tt_hash(TT_HASH_SEED, mesh->x, 3 * (size_t)mesh->nvertices * sizeof *mesh->x);
    if (!tt_shape_owns_triangles(shape)) return hash;
    return tt_hash(hash, mesh->tri, 3 * (size_t)mesh->ntris * sizeof *mesh->tri);
}

static bool copy_vertices(tt_owned *owned, taut_shape shape, const taut_mesh *mesh)
{
    size_t count = 3 * (size_t)mesh->nvertices;
    owned->nvertices = mesh->nvertices;
    owned->x = TT_TAKE(&owned->scope, float, count);
    if (!owned->x) return false;
    memcpy(owned->x, mesh->x, count * sizeof *owned->x);
    owned->hash = tt_owned_hash(shape, mesh);
    owned->box = (tt_box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (size_t i = 0; i < count; i += 3) {
        vec3 p = vec_of(&owned->x[i]);
        tt_box one = tt_box_around(&p, 1);
        tt_box_grow(&owned->box, &one);
    }
    return true;
}

tt_owned *tt_owned_create(const tt_scope *like, taut_shape shape, const taut_mesh *mesh, taut_error *error)
{
    if (!check_mesh(shape, mesh, error)) return NULL;
    tt_scope scope;
    tt_scope_open(&scope, &like->allocator);
    tt_owned *owned = TT_TAKE(&scope, tt_owned, 1);
    if (!owned) return tt_no_memory(error), NULL;
    owned->scope = scope;
    bool ok = (copy_vertices(owned, shape, mesh) || tt_no_memory(error)) &&
              (shape == TAUT_HULL ? make_hull : make_surface)(owned, mesh, error);
    if (ok) return owned;
    tt_owned_free(owned);
    return NULL;
}

/* ---- Fields ---- */

/* Empty, with a field that has no values yet. */
static tt_owned *open_field(const tt_scope *like, taut_error *error)
{
    tt_scope scope;
    tt_scope_open(&scope, &like->allocator);
    tt_owned *owned = TT_TAKE(&scope, tt_owned, 1);
    tt_field *field = owned ? TT_TAKE(&scope, tt_field, 1) : NULL;
    if (!field) return tt_scope_close(&scope), tt_no_memory(error), NULL;
    owned->scope = scope;
    owned->field = field;
    return owned;
}

uint64_t tt_owned_hash_field(const tt_field *f)
{
    uint64_t hash = tt_hash(TT_HASH_SEED, f->n, sizeof f->n);
    hash = tt_hash(hash, &f->cell, sizeof f->cell);
    hash = tt_hash(hash, f->low, sizeof f->low);
    return tt_hash(hash, f->value, (size_t)tt_field_points(f) * sizeof *f->value);
}

tt_owned *tt_owned_create_field(const tt_scope *like, const taut_mesh *mesh, float cell, tt_helpers helpers,
                                taut_error *error)
{
    tt_owned *owned = check_mesh(TAUT_FIELD, mesh, error) ? open_field(like, error) : NULL;
    bool ok = owned && tt_field_build(&owned->scope, mesh, cell, helpers, owned->field, error);
    if (ok) owned->hash = tt_owned_hash_field(owned->field);
    if (ok) return owned;
    tt_owned_free(owned);
    return NULL;
}

tt_owned *tt_owned_copy_field(const tt_scope *like, const tt_field *field, taut_error *error)
{
    tt_owned *owned = open_field(like, error);
    if (!owned) return NULL;
    size_t points = (size_t)tt_field_points(field);
    *owned->field = *field;
    owned->field->value = TT_TAKE_RAW(&owned->scope, float, points);
    if (!owned->field->value) return tt_owned_free(owned), tt_no_memory(error), NULL;
    memcpy(owned->field->value, field->value, points * sizeof *field->value);
    owned->hash = tt_owned_hash_field(field);
    return owned;
}

void tt_owned_free(tt_owned *owned)
{
    if (!owned) return;
    tt_scope scope = owned->scope; /* `owned` itself is in this memory */
    tt_scope_close(&scope);
}
