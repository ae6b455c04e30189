#include "model/hierarchy.h"
#include "base/vec.h"
#include "mesh/coarsen.h"

enum {
    SMALLEST_AUTO = 400, /* vertices of a mesh for which TAUT_LEVELS_AUTO is not 0      */
    COARSEST = 12,       /* vertices at which there is nothing left to coarsen          */
    STEP = 4             /* vertices of a level to those of the next                    */
};

bool tt_hierarchy_build(tt_scope *scope, const taut_mesh *mesh, const taut_material *material,
                        const taut_model_options *options, tt_hierarchy *hierarchy)
{
    bool automatic = options->levels == TAUT_LEVELS_AUTO;
    *hierarchy = (tt_hierarchy){0};
    taut_material coarse;
    tt_level_material(material, false, &coarse);
    if (!tt_has_limits(&coarse)) return true;
    if (mesh->ntris == 0 || (automatic && mesh->nvertices < SMALLEST_AUTO)) return true;
    int most = automatic ? TT_MOST_LEVELS : options->levels;
    while (hierarchy->count < most && mesh->nvertices / STEP >= COARSEST) {
        tt_coarse_mesh *next = &hierarchy->level[hierarchy->count];
        int target = mesh->nvertices / STEP;
        if (!tt_coarsen(scope, mesh, options->axis, target, mesh->pinned, &next->mesh, &next->origin)) return false;
        if (next->mesh.ntris == 0 || next->mesh.nvertices > mesh->nvertices / 2) return true;
        if (!tt_topology_build(scope, &next->mesh, &next->topology)) return false;
        next->longest = TT_TAKE(scope, double, next->topology.nedges);
        if (!next->longest) return false;
        for (int e = 0; e < next->topology.nedges; e++) {
            vec3 a = vec_of(&next->mesh.x[3 * next->topology.edge[e].a]), b = vec_of(&next->mesh.x[3 * next->topology.edge[e].b]);
            next->longest[e] = vec_length(vec_sub(a, b)) * (double)material->limit.stretch[1];
        }
        mesh = &next->mesh;
        hierarchy->count++;
    }
    return true;
}
