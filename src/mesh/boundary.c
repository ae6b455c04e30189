#include "base/error.h"
#include "mesh/topology.h"

#include <string.h>

bool taut_mesh_boundary(const taut_mesh *mesh, unsigned char *boundary, taut_error *error)
{
    tt_scope scope;
    tt_topology topology;
    if (!taut_mesh_check(mesh, error)) return false;
    tt_scope_open(&scope, NULL);
    bool built = tt_topology_build(&scope, mesh, &topology);
    if (built) memset(boundary, 0, (size_t)mesh->nvertices);
    for (int i = 0; built && i < topology.nedges; i++)
        if (topology.edge[i].ntris == 1) boundary[topology.edge[i].a] = boundary[topology.edge[i].b] = 1;
    tt_scope_close(&scope);
    return built || tt_no_memory(error);
}
