#include "mesh/terrain.h"

bool tt_terrain_build(tt_scope *scope, const taut_mesh *mesh, const tt_topology *topology, const double *length,
                      tt_terrain *terrain)
{
    int nvertices = mesh->nvertices, ncorners = 3 * mesh->ntris;
    int *start = TT_TAKE(scope, int, nvertices + 1), *corner = TT_TAKE(scope, int, ncorners);
    *terrain = (tt_terrain){mesh, topology, length, start, corner};
    if (!start || !corner) return false;
    for (int c = 0; c < ncorners; c++) start[mesh->tri[c]]++;
    for (int v = 0; v < nvertices; v++) start[v + 1] += start[v];
    for (int c = ncorners - 1; c >= 0; c--) corner[--start[mesh->tri[c]]] = c;
    return true;
}

static tt_flat lay_flat_by_lengths(const tt_terrain *terrain, int slot)
{
    double length = tt_side_length(terrain, slot);
    if (!(length > 0)) return (tt_flat){0, 0, 0};
    double right = tt_side_length(terrain, tt_slot_next(slot)), left = tt_side_length(terrain, tt_slot_apex(slot));
    double along = (length * length + left * left - right * right) / (2 * length);
    return (tt_flat){length, along, sqrt(fmax(0, left * left - along * along))};
}

tt_flat tt_lay_flat(const tt_terrain *terrain, int slot)
{
    const int *tri = terrain->mesh->tri;
    if (terrain->length) return lay_flat_by_lengths(terrain, slot);
    vec3 origin = tt_terrain_at(terrain, tri[slot]);
    vec3 side = vec_sub(tt_terrain_at(terrain, tri[tt_slot_next(slot)]), origin);
    vec3 apex = vec_sub(tt_terrain_at(terrain, tri[tt_slot_apex(slot)]), origin);
    double length = vec_length(side);
    if (!(length > 0)) return (tt_flat){0, 0, 0};
    return (tt_flat){length, vec_dot(apex, side) / length, vec_length(vec_cross(side, apex)) / length};
}
