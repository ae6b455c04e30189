/* Pins in meshes. */
#include "base/error.h"

#include <stdlib.h>

bool taut_mesh_pin(taut_mesh *mesh, int vertex, taut_error *error)
{
    tt_clear(error);
    if (vertex < 0 || vertex >= mesh->nvertices)
        return tt_fail(error, TAUT_BAD_ARGUMENT, vertex, "vertex %d is outside 0..%d", vertex, mesh->nvertices - 1);
    if (!mesh->pinned) mesh->pinned = calloc((size_t)mesh->nvertices, 1);
    if (!mesh->pinned) return tt_no_memory(error);
    mesh->pinned[vertex] = 1;
    return true;
}
