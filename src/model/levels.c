/* The hierarchy of a model (MRSL 4): coarser and coarser meshes, each a model of its own, tied to the next finer one by
 * weights.
 *
 *     level 0   the mesh itself: all constraints and limits
 *     level 1   a quarter of the vertices; limits only
 *     level 2   ...
 *
 * Coarse shells that are not trained may only be stretched, never compressed, by their limits: a fine wrinkle is a
 * coarse compression. They have limits on the lengths of their edges (reach.c) that no state of the cloth violates
 * unless its own constraints are violated too, and that carry a load across the cloth in a few steps. So have ropes,
 * where a level has half the lines. */
#include "model/model.h"

#include "base/hash.h"
#include "mesh/coarsen.h"
#include "mesh/coarsen_lines.h"
#include "model/reach.h"

#include <math.h>
#include <string.h>

enum {
    SMALLEST_AUTO = 1500, /* vertices of a mesh for which TAUT_LEVELS_AUTO is not 0      */
    COARSEST = 12,       /* vertices at which there is nothing left to coarsen          */
    STEP = 4,            /* vertices of a level to those of the next                    */
    AUTO_LINES = 64,     /* lines of a mesh without triangles for which it is not 0     */
    FEWEST_LINES = 4     /* of a level                                                  */
};

void tt_level_material(const taut_model *model, const taut_material *material, taut_material *coarse)
{
    tt_reach built = tt_reach_of(&model->material, model->lines), now = tt_reach_of(material, model->lines);
    *coarse = taut_default_material();
    memset(&coarse->strain, 0, sizeof coarse->strain);
    coarse->bend.model = TAUT_BEND_NONE;
    coarse->tether = coarse->drag = coarse->lift = 0;
    coarse->density = material->density;
    coarse->thickness = material->thickness;
    coarse->friction = 0;
    coarse->limit.iterations = material->limit.iterations;
    coarse->limit.threshold = material->limit.threshold;
    coarse->limit.enforcement = material->limit.enforcement;
    coarse->limit.edge[1] = (float)tt_reach_growth(&built, &now);
}

bool tt_has_limits(const taut_material *material)
{
    const taut_limit *limit = &material->limit;
    bool any = limit->stretch[0] > 0 || isfinite(limit->stretch[1]) || limit->edge[0] > 0 ||
               isfinite(limit->edge[1]) || isfinite(limit->bend[0]) || isfinite(limit->bend[1]);
    for (int a = 0; a < 3; a++) any = any || limit->axis[a][0] > 0 || isfinite(limit->axis[a][1]);
    return any;
}

/* A coarser mesh, and what carries its values to the finer one. */
typedef struct coarse_mesh {
    taut_mesh mesh;
    int *origin; /* of each of its vertices, in the finer mesh */
    tt_transfer up;
} coarse_mesh;

static bool coarsen(tt_scope *scratch, const tt_metric *fine, const float axis[3], coarse_mesh *coarse)
{
    const taut_mesh *mesh = fine->mesh;
    if (mesh->ntris == 0)
        return tt_coarsen_lines(scratch, mesh, &fine->topology, &coarse->mesh, &coarse->origin, &coarse->up);
    if (!tt_coarsen(scratch, mesh, axis, mesh->nvertices / STEP, mesh->pinned, &coarse->mesh, &coarse->origin))
        return false;
    return tt_transfer_build(scratch, &coarse->mesh, mesh, (tt_transfer_options){.origin = coarse->origin},
                             &coarse->up);
}

/* Whether the coarse mesh is enough coarser, and still a mesh. */
static bool is_worth_it(const taut_mesh *fine, const taut_mesh *coarse)
{
    if (fine->ntris == 0) return coarse->nlines >= FEWEST_LINES && coarse->nlines <= 3 * fine->nlines / 4;
    return coarse->ntris > 0 && coarse->nvertices <= fine->nvertices / 2;
}

/* A transfer in the particles of two models, from one in the vertices of their meshes. Particles that fill up the last
 * block take nothing. */
static bool in_particles(tt_scope *scope, const taut_model *from, const taut_model *to, const tt_transfer *vertices,
                         tt_transfer *particles)
{
    *particles = (tt_transfer){.count = to->nparticles};
    particles->index = (int(*)[4])TT_TAKE(scope, int, 4 * (size_t)to->nparticles);
    particles->weight = (float(*)[4])TT_TAKE(scope, float, 4 * (size_t)to->nparticles);
    if (!particles->index || !particles->weight) return false;
    for (int v = 0; v < to->nvertices; v++)
        for (int i = 0; i < 4; i++) {
            particles->index[to->place[v]][i] = from->place[vertices->index[v][i]];
            particles->weight[to->place[v]][i] = vertices->weight[v][i];
        }
    return true;
}

/* Coarse vertices are fine ones: they copy their origin. */
static bool copy_origins(tt_scope *scope, const int *origin, int count, tt_transfer *down)
{
    *down = (tt_transfer){.count = count};
    down->index = (int(*)[4])TT_TAKE(scope, int, 4 * (size_t)count);
    down->weight = (float(*)[4])TT_TAKE(scope, float, 4 * (size_t)count);
    if (!down->index || !down->weight) return false;
    for (int v = 0; v < count; v++) {
        for (int i = 0; i < 4; i++) down->index[v][i] = origin[v];
        down->weight[v][0] = 1;
    }
    return true;
}

static bool link_levels(tt_scope *scratch, taut_model *fine, const coarse_mesh *coarse)
{
    tt_transfer down;
    return copy_origins(scratch, coarse->origin, coarse->mesh.nvertices, &down) &&
           in_particles(&fine->scope, fine->coarser, fine, &coarse->up, &fine->up) &&
           in_particles(&fine->scope, fine, fine->coarser, &down, &fine->down);
}

static uint64_t hash_links(const taut_model *model)
{
    uint64_t hash = tt_hash(model->hash, &model->coarser->hash, sizeof model->coarser->hash);
    hash = tt_hash(hash, model->up.index, (size_t)model->up.count * sizeof *model->up.index);
    hash = tt_hash(hash, model->up.weight, (size_t)model->up.count * sizeof *model->up.weight);
    hash = tt_hash(hash, model->down.index, (size_t)model->down.count * sizeof *model->down.index);
    return tt_hash(hash, model->down.weight, (size_t)model->down.count * sizeof *model->down.weight);
}

/* Adds a coarser level to `fine`, and more to that; `model` is the finest of all. */
static bool add_level(tt_scope *scratch, const taut_model *model, taut_model *fine, const tt_metric *metric, int left,
                      const taut_model_options *options)
{
    const taut_mesh *mesh = metric->mesh;
    tt_reach reach = tt_reach_of(&model->material, model->lines);
    taut_material material;
    coarse_mesh coarse;
    if (!left || !tt_reach_exists(&reach) || (mesh->ntris > 0 && mesh->nvertices / STEP < COARSEST)) return true;
    if (!coarsen(scratch, metric, options->axis, &coarse)) return false;
    if (!is_worth_it(mesh, &coarse.mesh)) return true;
    tt_metric next = {.mesh = &coarse.mesh};
    if (!tt_topology_build(scratch, &coarse.mesh, &next.topology)) return false;
    tt_own_limits limits = {0};
    tt_link *link;
    if (!tt_reach_links(scratch, &reach, metric, coarse.origin, options->axis, &next, &limits.nlinks, &link))
        return false;
    limits.link = link;
    tt_level_material(model, &model->material, &material);
    fine->coarser = tt_model_compile(&coarse.mesh, &material, options, &limits);
    if (!fine->coarser) return false;
    fine->coarser->level = fine->level + 1;
    if (!link_levels(scratch, fine, &coarse)) return false;
    if (!add_level(scratch, model, fine->coarser, &next, left - 1, options)) return false;
    fine->hash = hash_links(fine);
    return true;
}

bool tt_levels_build(taut_model *model, const taut_mesh *mesh, const taut_model_options *options)
{
    bool automatic = options->levels == TAUT_LEVELS_AUTO;
    bool lines = model->lines, small = lines ? mesh->nlines < AUTO_LINES : mesh->nvertices < SMALLEST_AUTO;
    if (options->levels == 0 || (mesh->ntris == 0 && !lines) || (automatic && small)) return true;
    tt_scope scratch;
    tt_scope_open(&scratch, options->allocator);
    tt_metric metric = {.mesh = mesh};
    bool ok = tt_topology_build(&scratch, mesh, &metric.topology) &&
              add_level(&scratch, model, model, &metric, automatic ? TT_MOST_LEVELS : options->levels, options);
    tt_scope_close(&scratch);
    return ok;
}
