/* Contacts of the coarser levels of solids (MRSL 4.3).
 *
 * The vertices of a coarse level are not vertices of the solid but of a lattice around it. A body that touched
 * colliders with them would rest on an invisible box. So the finest mesh makes the contacts. Each vertex of its
 * surface is a probe: it goes where the coarse level takes it, and whatever pushes it out of a collider pushes the
 * coarse vertices that it rides on (tt_stage_probe). */
#include "model/model.h"

#include "mesh/surface.h"

/* Marks the vertices of the surface; returns how many there are, or -1 when memory ran out. */
static int mark_surface(tt_scope *scratch, const taut_mesh *mesh, unsigned char *outer)
{
    int ntris = 0, count = 0;
    const int *tri = tt_surface(scratch, mesh->x, mesh->tet, mesh->ntets, &ntris);
    if (!tri) return -1;
    for (int i = 0; i < 3 * ntris; i++) {
        count += !outer[tri[i]];
        outer[tri[i]] = 1;
    }
    return count;
}

static bool take_probes(taut_model *level, int count)
{
    level->probe = TT_TAKE(&level->scope, int, count);
    level->ride = (tt_transfer){.count = count};
    level->ride.index = (int(*)[4])TT_TAKE(&level->scope, int, 4 * (size_t)count);
    level->ride.weight = (float(*)[4])TT_TAKE(&level->scope, float, 4 * (size_t)count);
    return level->probe && level->ride.index && level->ride.weight;
}

bool tt_probes_build(taut_model *level, const taut_mesh *coarse, const taut_model *finest, const taut_mesh *mesh)
{
    tt_scope scratch;
    tt_transfer all;
    tt_scope_open(&scratch, &level->scope.allocator);
    unsigned char *outer = TT_TAKE(&scratch, unsigned char, mesh->nvertices);
    int count = outer ? mark_surface(&scratch, mesh, outer) : -1;
    bool ok = count >= 0 && tt_transfer_build(&scratch, coarse, mesh, (tt_transfer_options){0}, &all) &&
              take_probes(level, count);
    for (int v = 0; ok && v < mesh->nvertices; v++) {
        if (!outer[v]) continue;
        int i = level->nprobes++;
        level->probe[i] = finest->place[v];
        for (int k = 0; k < 4; k++) {
            level->ride.index[i][k] = level->place[all.index[v][k]];
            level->ride.weight[i][k] = all.weight[v][k];
        }
    }
    tt_scope_close(&scratch);
    return ok;
}
