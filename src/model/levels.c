/* The hierarchy of a model (MRSL 4): coarser and coarser meshes, each a model of its own, tied to the next finer one by
 * weights.
 *
 *     level 0   the mesh itself: all constraints and limits
 *     level 1   a quarter of the vertices; limits only
 *     level 2   ...
 *
 * A coarse triangle of cloth that is not trained may only be stretched, never compressed, by its limits: a fine wrinkle
 * is a coarse compression. Where the fine cloth is as stiff as can be along an axis, a limit of its rest stretch is
 * what the coarse levels get: it cannot be wrong, and it carries a load across the cloth in a few steps. */
#include "model/model.h"

#include "base/error.h"
#include "base/hash.h"
#include "model/hierarchy.h"
#include "model/train.h"

#include <math.h>
#include <string.h>

static bool is_rigid(const taut_material *material, float stiffness)
{
    return material->units == TAUT_PHYSICAL ? isinf(stiffness) : stiffness == 1;
}

void tt_level_material(const taut_material *fine, bool trained, taut_material *coarse)
{
    const float stretch[2] = {fine->strain.xx, fine->strain.yy};
    *coarse = taut_default_material();
    memset(&coarse->strain, 0, sizeof coarse->strain);
    memcpy(coarse->strain.rest, fine->strain.rest, sizeof coarse->strain.rest);
    coarse->bend.model = TAUT_BEND_NONE;
    coarse->tether = coarse->drag = coarse->lift = 0;
    coarse->density = fine->density;
    coarse->thickness = fine->thickness;
    coarse->friction = 0;
    coarse->limit = fine->limit;
    coarse->limit.stretch[0] = 0;
    coarse->limit.bend[0] = -INFINITY, coarse->limit.bend[1] = INFINITY;
    coarse->limit.axis[2][0] = 0, coarse->limit.axis[2][1] = INFINITY;
    if (is_rigid(fine, fine->edge)) coarse->limit.stretch[1] = fminf(coarse->limit.stretch[1], 1);
    for (int a = 0; a < 2; a++) { /* shells have no third axis */
        coarse->limit.axis[a][0] = 0;
        if (is_rigid(fine, stretch[a]))
            coarse->limit.axis[a][1] = fminf(coarse->limit.axis[a][1], fmaxf(1, fine->strain.rest[a]));
    }
    if (!trained) return;
    memcpy(coarse->limit.stretch, fine->limit.stretch, sizeof coarse->limit.stretch);
    memcpy(coarse->limit.bend, fine->limit.bend, sizeof coarse->limit.bend);
}

bool tt_has_limits(const taut_material *material)
{
    const taut_limit *limit = &material->limit;
    bool any = limit->stretch[0] > 0 || isfinite(limit->stretch[1]) || isfinite(limit->bend[0]) ||
               isfinite(limit->bend[1]);
    for (int a = 0; a < 3; a++) any = any || limit->axis[a][0] > 0 || isfinite(limit->axis[a][1]);
    return any;
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

static bool link_levels(tt_scope *scratch, taut_model *fine, const taut_mesh *fine_mesh, const taut_mesh *coarse_mesh,
                        const int *origin)
{
    tt_transfer up, down;
    return tt_transfer_build(scratch, coarse_mesh, fine_mesh, (tt_transfer_options){.origin = origin}, &up) &&
           copy_origins(scratch, origin, coarse_mesh->nvertices, &down) &&
           in_particles(&fine->scope, fine->coarser, fine, &up, &fine->up) &&
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

/* The trained limits of a level. */
static bool take_trained(tt_scope *scratch, const tt_trained_level *trained, const tt_coarse_mesh *coarse,
                         const taut_limit *limit, tt_own_limits *limits)
{
    float *stretch = TT_TAKE(scratch, float, 2 * (size_t)trained->ntris);
    float *bend = TT_TAKE(scratch, float, 6 * (size_t)trained->ntris);
    if (!stretch || !bend) return false;
    tt_trained_factors(trained, &coarse->mesh, &coarse->topology, limit, stretch, bend);
    limits->limit_factor = stretch, limits->bend_factor = bend;
    return true;
}

/* Adds level i of the hierarchy to `fine`, and the others to that. `trained`: of level i and on, or NULL. */
static bool add_level(tt_scope *scratch, taut_model *fine, const taut_mesh *mesh, const tt_hierarchy *h, int i,
                      const taut_model_options *options)
{
    taut_material material;
    tt_own_limits limits = {0};
    if (i == h->count) return true;
    const tt_coarse_mesh *coarse = &h->level[i];
    const taut_training *training = options->training;
    fine->trained = training != NULL;
    tt_level_material(&fine->material, fine->trained, &material);
    if (training && !take_trained(scratch, &training->level[i], coarse, &material.limit, &limits)) return false;
    fine->coarser = tt_model_compile(&coarse->mesh, &material, options, &limits);
    if (!fine->coarser) return false;
    fine->coarser->level = fine->level + 1;
    if (!link_levels(scratch, fine, mesh, &coarse->mesh, coarse->origin)) return false;
    if (!add_level(scratch, fine->coarser, &coarse->mesh, h, i + 1, options)) return false;
    fine->hash = hash_links(fine);
    return true;
}

/* The training has been checked; but another version of the library may have made other meshes. */
static bool fits(const taut_training *training, const tt_hierarchy *h)
{
    bool same = training->nlevels == h->count;
    for (int i = 0; same && i < h->count; i++)
        same = training->level[i].ntris == h->level[i].mesh.ntris &&
               training->level[i].nhinges == h->level[i].topology.nhinges;
    return same;
}

bool tt_levels_build(taut_model *model, const taut_mesh *mesh, const taut_model_options *options, taut_error *error)
{
    tt_scope scratch;
    tt_hierarchy h;
    tt_scope_open(&scratch, options->allocator);
    bool ok = tt_hierarchy_build(&scratch, mesh, &model->material, options, &h);
    bool fit = !ok || !options->training || fits(options->training, &h);
    ok = ok && (!fit || add_level(&scratch, model, mesh, &h, 0, options));
    tt_scope_close(&scratch);
    if (!fit)
        return tt_fail(error, TAUT_BAD_TRAINING, -1, "the limits were trained by another version of taut: train again");
    return ok || tt_no_memory(error);
}
