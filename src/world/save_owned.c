#include "world/save_owned.h"

#include "base/error.h"

#include <float.h>

void tt_owned_write(tt_cursor *c, tt_owned *owned)
{
    tt_walk_int(c, &owned->nvertices);
    tt_walk_array(c, owned->x, (size_t)owned->nvertices, 3, 3, -FLT_MAX);
}

void tt_owned_skip(tt_cursor *c, const tt_owned *owned)
{
    int nvertices = 0;
    tt_walk_int(c, &nvertices);
    c->at += 3 * (size_t)owned->nvertices * sizeof(float);
}

/* Counts are checked against the bytes that are there before anything is taken for them. */
static bool read_mesh(tt_cursor *c, tt_scope *scratch, taut_mesh *mesh, taut_error *error)
{
    tt_walk_int(c, &mesh->nvertices);
    if (c->failed || mesh->nvertices < 0 || (size_t)mesh->nvertices > (c->size - c->at) / (3 * sizeof(float)))
        return tt_fail(error, TAUT_BAD_SAVE, -1, "the save is cut short");
    mesh->x = TT_TAKE_RAW(scratch, float, 3 * (size_t)mesh->nvertices);
    if (!mesh->x) return tt_no_memory(error);
    c->walk = TT_READ;
    tt_walk_array(c, mesh->x, (size_t)mesh->nvertices, 3, 3, -FLT_MAX);
    c->walk = TT_CHECK;
    return !c->failed || tt_fail(error, TAUT_BAD_SAVE, -1, "the save holds impossible values");
}

tt_owned *tt_owned_check(tt_cursor *c, const tt_scope *like, tt_owned *present, taut_error *error)
{
    tt_scope scratch;
    taut_mesh mesh = {0};
    tt_owned *owned = NULL;
    tt_scope_open(&scratch, &like->allocator);
    if (read_mesh(c, &scratch, &mesh, error)) {
        bool same = present && present->hash == tt_owned_hash(&mesh);
        owned = same ? present : tt_owned_create(like, &mesh, error);
        if (!owned && error && error->code != TAUT_NO_MEMORY) error->code = TAUT_BAD_SAVE;
    }
    tt_scope_close(&scratch);
    return owned;
}
