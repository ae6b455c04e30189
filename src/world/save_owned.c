#include "world/save_owned.h"

#include "base/error.h"

#include <float.h>

static void walk_vertices(tt_cursor *c, float *x, int count) { tt_walk_array(c, x, (size_t)count, 3, 3, -FLT_MAX); }

/* The present and next places of the vertices of a mesh; NULL: they are only checked. */
static void walk_places(tt_cursor *c, tt_surface *surface, int nvertices)
{
    walk_vertices(c, surface ? surface->now : NULL, nvertices);
    walk_vertices(c, surface ? surface->target : NULL, nvertices);
}

static void walk_lattice(tt_cursor *c, tt_field *field)
{
    for (int k = 0; k < 3; k++) tt_walk_int(c, &field->n[k]);
    tt_walk_vector(c, &field->cell, 1);
    tt_walk_vector(c, field->low, 3);
}

static void walk_values(tt_cursor *c, const tt_field *field)
{
    tt_walk_array(c, field->value, (size_t)tt_field_points(field), 1, 1, -FLT_MAX);
}

void tt_owned_write(tt_cursor *c, tt_owned *owned)
{
    if (owned->field) {
        walk_lattice(c, owned->field);
        walk_values(c, owned->field);
        return;
    }
    tt_walk_int(c, &owned->nvertices);
    walk_vertices(c, owned->x, owned->nvertices);
    if (!owned->surface) return;
    tt_walk_int(c, &owned->ntris);
    for (size_t i = 0; i < 3 * (size_t)owned->ntris; i++) tt_walk_int(c, &owned->tri[i]);
    walk_places(c, owned->surface, owned->nvertices);
}

void tt_owned_read(tt_cursor *c, tt_owned *owned)
{
    if (owned->field) {
        tt_field same;
        walk_lattice(c, &same);
        c->at += (size_t)tt_field_points(&same) * sizeof(float);
        return;
    }
    const size_t vertex = 3 * sizeof(float), triangle = 3 * sizeof(int32_t);
    c->at += sizeof(int32_t) + (size_t)owned->nvertices * vertex;
    if (!owned->surface) return;
    c->at += sizeof(int32_t) + (size_t)owned->ntris * triangle;
    walk_places(c, owned->surface, owned->nvertices);
    owned->surface->stale = true;
}

/* Counts are checked against the bytes that are left before any memory is taken for them. */
static bool read_count(tt_cursor *c, int *count, taut_error *error)
{
    *count = -1;
    tt_walk_int(c, count);
    bool there = !c->failed && *count >= 0 && (size_t)*count <= (c->size - c->at) / (3 * sizeof(float));
    return there || tt_fail(error, TAUT_BAD_SAVE, -1, "the save is cut short");
}

static bool read_mesh(tt_cursor *c, tt_scope *scratch, taut_shape shape, taut_mesh *mesh, taut_error *error)
{
    if (!read_count(c, &mesh->nvertices, error)) return false;
    mesh->x = TT_TAKE_RAW(scratch, float, 3 * (size_t)mesh->nvertices);
    if (!mesh->x) return tt_no_memory(error);
    c->walk = TT_READ;
    walk_vertices(c, mesh->x, mesh->nvertices);
    c->walk = TT_CHECK;
    if (tt_shape_owns_triangles(shape)) {
        if (!read_count(c, &mesh->ntris, error)) return false;
        mesh->tri = TT_TAKE_RAW(scratch, int, 3 * (size_t)mesh->ntris);
        if (!mesh->tri) return tt_no_memory(error);
        for (size_t i = 0; i < 3 * (size_t)mesh->ntris; i++) tt_walk_int(c, &mesh->tri[i]);
        walk_places(c, NULL, mesh->nvertices);
    }
    return !c->failed || tt_fail(error, TAUT_BAD_SAVE, -1, "the save holds impossible values");
}

static bool read_field(tt_cursor *c, tt_scope *scratch, tt_field *field, taut_error *error)
{
    walk_lattice(c, field);
    if (c->failed || !tt_field_is_sound(field))
        return tt_fail(error, TAUT_BAD_SAVE, -1, "the save holds impossible values");
    if ((uint64_t)tt_field_points(field) > (c->size - c->at) / sizeof(float))
        return tt_fail(error, TAUT_BAD_SAVE, -1, "the save is cut short");
    field->value = TT_TAKE_RAW(scratch, float, tt_field_points(field));
    if (!field->value) return tt_no_memory(error);
    c->walk = TT_READ;
    walk_values(c, field);
    c->walk = TT_CHECK;
    return !c->failed || tt_fail(error, TAUT_BAD_SAVE, -1, "the save holds impossible values");
}

static tt_owned *check_field(tt_cursor *c, const tt_scope *like, tt_owned *present, taut_error *error)
{
    tt_scope scratch;
    tt_field field = {.cell = 0};
    tt_owned *owned = NULL;
    tt_scope_open(&scratch, &like->allocator);
    if (read_field(c, &scratch, &field, error))
        owned = present && present->hash == tt_owned_hash_field(&field) ? present
                                                                        : tt_owned_copy_field(like, &field, error);
    tt_scope_close(&scratch);
    return owned;
}

tt_owned *tt_owned_check(tt_cursor *c, const tt_scope *like, taut_shape shape, tt_owned *present, taut_error *error)
{
    if (shape == TAUT_FIELD) return check_field(c, like, present, error);
    tt_scope scratch;
    taut_mesh mesh = {0};
    tt_owned *owned = NULL;
    tt_scope_open(&scratch, &like->allocator);
    if (read_mesh(c, &scratch, shape, &mesh, error)) {
        bool same = present && present->hash == tt_owned_hash(shape, &mesh);
        owned = same ? present : tt_owned_create(like, shape, &mesh, error);
        if (!owned && error && error->code != TAUT_NO_MEMORY) error->code = TAUT_BAD_SAVE;
    }
    tt_scope_close(&scratch);
    return owned;
}
