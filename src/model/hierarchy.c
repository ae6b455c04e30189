#include "model/hierarchy.h"

#include "mesh/coarsen.h"

enum {
    SMALLEST_AUTO = 1500, /* vertices of a mesh for which TAUT_LEVELS_AUTO is not 0      */
    COARSEST = 12,        /* vertices at which there is nothing left to coarsen          */
    STEP = 4              /* vertices of a level to those of the next                    */
};

/* The next level over `fine`; *found is false when it gets no coarser. */
static bool add_coarser(tt_scope *scope, const tt_reach *reach, const tt_metric *fine,
                        const taut_model_options *options, tt_coarse_mesh *next, bool *found)
{
    const taut_mesh *mesh = fine->mesh;
    int target = mesh->nvertices / STEP;
    *found = target >= COARSEST;
    if (!*found) return true;
    if (!tt_coarsen(scope, mesh, options->axis, target, mesh->pinned, &next->mesh, &next->origin)) return false;
    *found = next->mesh.ntris > 0 && next->mesh.nvertices <= mesh->nvertices / 2;
    if (!*found) return true;
    next->metric = (tt_metric){.mesh = &next->mesh};
    return tt_topology_build(scope, &next->mesh, &next->metric.topology) &&
           tt_reach_links(scope, reach, fine, next->origin, options->axis, &next->metric, &next->nlinks, &next->link);
}

bool tt_hierarchy_build(tt_scope *scope, const taut_mesh *mesh, const taut_material *material,
                        const taut_model_options *options, tt_hierarchy *hierarchy)
{
    bool automatic = options->levels == TAUT_LEVELS_AUTO, found = true;
    int most = automatic ? TT_MOST_LEVELS : options->levels;
    tt_reach reach = tt_reach_of(material);
    tt_metric finest = {.mesh = mesh};
    const tt_metric *fine = &finest;
    *hierarchy = (tt_hierarchy){0};
    if (most == 0 || mesh->ntris == 0 || (automatic && mesh->nvertices < SMALLEST_AUTO) || !tt_reach_exists(&reach))
        return true;
    if (!tt_topology_build(scope, mesh, &finest.topology)) return false;
    while (hierarchy->count < most) {
        tt_coarse_mesh *next = &hierarchy->level[hierarchy->count];
        if (!add_coarser(scope, &reach, fine, options, next, &found)) return false;
        if (!found) return true;
        fine = &next->metric;
        hierarchy->count++;
    }
    return true;
}
