/* Triangles as ground to walk on: the corners at a vertex, the triangle across a side, and each triangle laid flat. */
#ifndef TAUT_MESH_TERRAIN_H
#define TAUT_MESH_TERRAIN_H

#include "base/vec.h"
#include "mesh/sides.h"
#include "mesh/topology.h"
#include "mesh/unfold.h"

typedef struct tt_terrain {
    const taut_mesh *mesh;
    const tt_topology *topology;
    const double *length;       /* of each edge; NULL: as the positions say          */
    int *corner_start, *corner; /* corners of each vertex, as indices into mesh->tri */
} tt_terrain;

/* The arguments must outlive the terrain. False when memory ran out. */
bool tt_terrain_build(tt_scope *scope, const taut_mesh *mesh, const tt_topology *topology, const double *length,
                      tt_terrain *terrain);

/* The triangle of a side, with that side on the x axis (unfold.h). */
tt_flat tt_lay_flat(const tt_terrain *terrain, int slot);

static inline vec3 tt_terrain_at(const tt_terrain *terrain, int v) { return vec_of(terrain->mesh->x + 3 * (size_t)v); }

/* The length of the side of that slot. */
static inline double tt_side_length(const tt_terrain *terrain, int slot)
{
    const int *tri = terrain->mesh->tri;
    if (terrain->length) return terrain->length[terrain->topology->side_edge[slot]];
    return vec_length(vec_sub(tt_terrain_at(terrain, tri[tt_slot_next(slot)]), tt_terrain_at(terrain, tri[slot])));
}

#endif
