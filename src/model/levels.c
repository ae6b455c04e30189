/* The hierarchy of a model (MRSL 4): coarser and coarser meshes, each a model of its own, tied to the next finer one by
 * weights.
 *
 *     level 0   the mesh itself: all constraints and limits
 *     level 1   a mesh of far fewer vertices; limits only
 *     level 2   ...
 *
 * Coarse shells that are not trained have no least stretch, because a fine wrinkle is a coarse compression. They have
 * limits on the lengths of their edges (reach.c). A state of the cloth violates these only if it violates its own
 * constraints too. These limits carry a load across the cloth in a few steps. If bending is limited, coarse shells also
 * have limits on the folds of their hinges (curl.c), and their edges push.
 *
 * Solids do not wrinkle: a coarse tet is stretched as much as the fine tets in it are on average, so it has their
 * limits. */
#include "model/model.h"

#include "base/error.h"
#include "base/hash.h"
#include "model/curl.h"
#include "model/hierarchy.h"
#include "model/train.h"

#include <math.h>
#include <string.h>

void tt_level_material(const taut_model *model, const taut_material *material, taut_material *coarse)
{
    bool ropes = model->mesh_type == TT_MESH_ROPES;
    tt_reach built = tt_reach_of(&model->material, ropes), now = tt_reach_of(material, ropes);
    *coarse = taut_default_material();
    memset(&coarse->strain, 0, sizeof coarse->strain);
    coarse->bend.model = TAUT_BEND_NONE;
    coarse->tether = coarse->drag = coarse->lift = 0;
    coarse->density = material->density;
    coarse->thickness = material->thickness;
    coarse->friction = 0;
    coarse->limit.iterations = material->limit.iterations;
    coarse->limit.threshold = material->limit.threshold;
    if (material->limit.enforcement == TAUT_RANDOM) coarse->limit.enforcement = TAUT_RANDOM; /* means would jitter */
    if (model->mesh_type != TT_MESH_SOLID) coarse->limit.edge[1] = (float)tt_reach_growth(&built, &now);
    if (model->mesh_type == TT_MESH_SOLID || model->trained)
        memcpy(coarse->limit.stretch, material->limit.stretch, sizeof coarse->limit.stretch);
    if (model->mesh_type == TT_MESH_SOLID) memcpy(coarse->limit.axis, material->limit.axis, sizeof coarse->limit.axis);
    if (model->trained || (model->mesh_type == TT_MESH_CLOTH && tt_curl_exists(&model->material)))
        memcpy(coarse->limit.bend, material->limit.bend, sizeof coarse->limit.bend);
}

bool tt_level_pushes(const taut_model *model, const taut_material *material)
{
    tt_reach built = tt_reach_of(&model->material, false), now = tt_reach_of(material, false);
    return model->mesh_type == TT_MESH_CLOTH && isfinite(now.curl) && now.curl <= built.curl;
}

tt_mesh_type tt_mesh_type_of(const taut_mesh *mesh)
{
    bool tris = mesh && mesh->ntris > 0, tets = mesh && mesh->ntets > 0;
    if (!mesh || (tris && tets)) return TT_MESH_MIXED;
    return tris ? TT_MESH_CLOTH : tets ? TT_MESH_SOLID : mesh->nlines > 0 ? TT_MESH_ROPES : TT_MESH_MIXED;
}

bool tt_limits_solids(const taut_material *material)
{
    const taut_limit *limit = &material->limit;
    bool any = limit->stretch[0] > 0 || isfinite(limit->stretch[1]);
    for (int a = 0; a < 3; a++) any = any || limit->axis[a][0] > 0 || isfinite(limit->axis[a][1]);
    return any;
}

bool tt_has_limits(const taut_material *material)
{
    const taut_limit *limit = &material->limit;
    return tt_limits_solids(material) || limit->edge[0] > 0 || isfinite(limit->edge[1]) || isfinite(limit->bend[0]) ||
           isfinite(limit->bend[1]);
}

/* Converts a transfer between the vertices of two meshes into one between the particles of their models. Particles that
 * fill up the last block get no weights. */
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

/* The same for a restriction. */
static bool made_of_particles(tt_scope *scope, const taut_model *from, const taut_model *to,
                              const tt_restriction *vertices, tt_restriction *particles)
{
    int entries = vertices->first[vertices->count], n = to->nparticles;
    *particles = (tt_restriction){.count = n, .first = TT_TAKE(scope, int, (size_t)n + 1),
                                  .index = TT_TAKE(scope, int, entries), .weight = TT_TAKE(scope, float, entries)};
    if (!particles->first || !particles->index || !particles->weight) return false;
    for (int v = 0; v < to->nvertices; v++)
        particles->first[to->place[v] + 1] = vertices->first[v + 1] - vertices->first[v];
    for (int i = 0; i < n; i++) particles->first[i + 1] += particles->first[i];
    for (int v = 0; v < to->nvertices; v++)
        for (int i = vertices->first[v], at = particles->first[to->place[v]]; i < vertices->first[v + 1]; i++, at++) {
            particles->index[at] = from->place[vertices->index[i]];
            particles->weight[at] = vertices->weight[i];
        }
    return true;
}

static bool link_levels(taut_model *fine, const tt_coarse_mesh *coarse)
{
    return in_particles(&fine->scope, fine->coarser, fine, &coarse->up, &fine->up) &&
           made_of_particles(&fine->scope, fine, fine->coarser, &coarse->down, &fine->down);
}

static uint64_t hash_links(const taut_model *model)
{
    uint64_t hash = tt_hash(model->hash, &model->coarser->hash, sizeof model->coarser->hash);
    hash = tt_hash(hash, model->up.index, (size_t)model->up.count * sizeof *model->up.index);
    hash = tt_hash(hash, model->up.weight, (size_t)model->up.count * sizeof *model->up.weight);
    const tt_restriction *down = &model->down;
    size_t entries = (size_t)down->first[down->count];
    hash = tt_hash(hash, down->first, ((size_t)down->count + 1) * sizeof *down->first);
    hash = tt_hash(hash, down->index, entries * sizeof *down->index);
    return tt_hash(hash, down->weight, entries * sizeof *down->weight);
}

/* The trained limits of a level. */
static bool take_trained(tt_scope *scratch, const tt_trained_level *trained, const tt_coarse_mesh *coarse,
                         const taut_limit *limit, tt_own_limits *limits)
{
    float *stretch = TT_TAKE(scratch, float, 2 * (size_t)trained->ntris);
    float *bend = TT_TAKE(scratch, float, 6 * (size_t)trained->ntris);
    if (!stretch || !bend) return false;
    tt_trained_factors(trained, &coarse->mesh, &coarse->metric.topology, limit, stretch, bend);
    limits->limit_factor = stretch, limits->bend_factor = bend;
    return true;
}

/* Adds level i of the hierarchy to `fine`, and the coarser ones to that level; `model` is the finest of all. */
static bool add_level(tt_scope *scratch, tt_site *site, const taut_model *model, taut_model *fine,
                      const tt_hierarchy *h, int i, float *const *bend_factor, const taut_model_options *options)
{
    taut_material material;
    if (i == h->count) return true;
    const tt_coarse_mesh *coarse = &h->level[i];
    tt_own_limits limits = {.nlinks = coarse->nlinks, .link = coarse->link, .bend_factor = bend_factor[i]};
    const taut_training *training = options->training;
    tt_level_material(model, &model->material, &material);
    if (training && !take_trained(scratch, &training->level[i], coarse, &material.limit, &limits)) return false;
    const tt_topology *topology = model->mesh_type == TT_MESH_SOLID ? NULL : &coarse->metric.topology;
    fine->coarser = tt_model_compile(site, &coarse->mesh, topology, &material, options, &limits);
    if (!fine->coarser) return false;
    fine->coarser->level = fine->level + 1;
    if (!link_levels(fine, coarse)) return false;
    if (!add_level(scratch, site, model, fine->coarser, h, i + 1, bend_factor, options)) return false;
    fine->hash = hash_links(fine);
    return true;
}

/* Whether the training is for these coarse meshes. It has been checked, but another version of the library may have
 * made other coarse meshes for it. */
static bool fits(const taut_training *training, const tt_hierarchy *h)
{
    bool same = training->nlevels == h->count;
    for (int i = 0; same && i < h->count; i++)
        same = training->level[i].ntris == h->level[i].mesh.ntris &&
               training->level[i].nhinges == h->level[i].metric.topology.nhinges;
    return same;
}

bool tt_levels_build(taut_model *model, tt_site *site, tt_scope *scratch, tt_hierarchy *h,
                     const taut_model_options *options, taut_error *error)
{
    const taut_material *material = &model->material;
    float *bend_factor[TAUT_MOST_LEVELS] = {NULL};
    model->trained = options->training != NULL;
    if (options->training && !fits(options->training, h))
        return tt_fail(error, TAUT_BAD_TRAINING, -1, "the limits were trained by another version of taut: train again");
    bool curls = model->mesh_type == TT_MESH_CLOTH && !options->training && tt_curl_exists(material);
    bool ok = tt_hierarchy_tie(scratch, site->pool, material, options, h) &&
              (!curls || tt_curl_factors(scratch, h->finest.mesh, &material->limit, h, bend_factor)) &&
              add_level(scratch, site, model, model, h, 0, bend_factor, options);
    ok = ok && (options->levels == 0 || tt_riders_build(model));
    return ok || tt_no_memory(error);
}
