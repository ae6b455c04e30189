#include "base/error.h"
#include "mesh/surface.h"
#include "mesh/topology.h"
#include "taut_io.h"

#include <stdlib.h>
#include <string.h>

int *taut_mesh_surface(const taut_mesh *solid, int *ntris, taut_error *error)
{
    tt_scope scope;
    tt_clear(error);
    if (!tt_mesh_check(solid, error)) return NULL;
    tt_scope_open(&scope, NULL);
    const int *found = tt_surface(&scope, solid->x, solid->tet, solid->ntets, ntris);
    size_t bytes = found ? 3 * (size_t)*ntris * sizeof *found : 0;
    int *tri = found ? malloc(bytes ? bytes : 1) : NULL;
    if (tri) memcpy(tri, found, bytes);
    else tt_no_memory(error);
    tt_scope_close(&scope);
    return tri;
}
