/* Building a model: mesh + material -> masses, order, parts, blocks. */
#include "base/definition.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/vec.h"
#include "mesh/geodesic.h"
#include "mesh/order.h"
#include "model/hierarchy.h"
#include "model/train.h"

#include <stdatomic.h>
#include <string.h>

enum { COOKIE = 0x7a0731a2, MIN_PART = 512, MAX_PARTS = 64 };

void taut_init_model_options(taut_model_options *options, size_t size)
{
    static const taut_model_options usual = {.cookie = COOKIE, .levels = TAUT_LEVELS_AUTO};
    tt_definition_fill(options, size, &usual, sizeof usual);
}

/* The state of a build besides the model: input and temporary memory. */
typedef struct builder {
    tt_site *site;
    const taut_mesh *mesh;
    const taut_material *material;
    const taut_model_options *options;
    const tt_own_limits *limits;
    taut_model *model;
    tt_scope scratch;
    tt_topology topology;
    double *geodesic;
    int *nearest;
    struct {
        tt_scope scratch;
        tt_maker maker;
        tt_plan *plan; /* NULL: memory ran out */
    } kind[TT_KINDS];
    tt_hierarchy *hierarchy; /* NULL, or coarser meshes whose weights are made along with the constraints */
    tt_scope *level_scratch; /* one for each coarser mesh */
    atomic_bool failed;
} builder;

static bool order_particles(builder *b, taut_model *model)
{
    int n = b->mesh->nvertices;
    model->place = TT_TAKE(&model->scope, int, n);
    if (!model->place) return false;
    int bandwidth = tt_order(&b->scratch, &b->topology, n, model->place);
    if (bandwidth < 0) return false;
    model->mesh_type = tt_mesh_type_of(b->mesh);
    /* Half a part must be wider than a constraint (an edge of a tet, two edges of a hinge), or no constraint would fit
     * across its cuts. */
    int widest = (model->mesh_type == TT_MESH_SOLID ? 2 : 4) * bandwidth, least = widest > MIN_PART ? widest : MIN_PART;
    int parts = n / least;
    parts = parts < 1 ? 1 : parts > MAX_PARTS ? MAX_PARTS : parts;
    model->nvertices = n;
    model->nparticles = tt_whole_blocks(n);
    int size = (model->nparticles + parts - 1) / parts;
    model->part_size = tt_whole_blocks(size);
    model->nparts = (model->nparticles + model->part_size - 1) / model->part_size;
    /* Half parts are ordered, so that the cuts of both phases (model.h) stay where they are. */
    return model->nparts == 1 || tt_order_within(&b->scratch, &b->topology, n, model->part_size / 2, model->place);
}

static bool set_particles(builder *b, taut_model *model)
{
    const taut_mesh *mesh = b->mesh;
    double *mass = TT_TAKE(&b->scratch, double, mesh->nvertices);
    model->rest = TT_TAKE(&model->scope, float, 4 * (size_t)model->nparticles);
    model->pinned = TT_TAKE(&model->scope, unsigned char, model->nparticles);
    if (!mass || !model->rest || !model->pinned) return false;
    tt_masses(mesh, b->material, mass);
    for (int v = 0; v < mesh->nvertices; v++) {
        int at = model->place[v];
        float *p = &model->rest[4 * (size_t)at];
        memcpy(p, &mesh->x[3 * (size_t)v], 3 * sizeof *p);
        p[3] = mass[v] > 0 ? (float)fmin(1 / mass[v], 1e30) : 0;
        model->pinned[at] = mesh->pinned && mesh->pinned[v];
    }
    return true;
}

static bool set_edges(builder *b, taut_model *model)
{
    model->edge = TT_TAKE(&model->scope, tt_rest_edge, b->topology.nedges);
    if (!model->edge) return false;
    for (int e = 0; e < b->topology.nedges; e++) {
        const tt_edge *edge = &b->topology.edge[e];
        vec3 d = vec_sub(vec_of(&b->mesh->x[3 * (size_t)edge->a]), vec_of(&b->mesh->x[3 * (size_t)edge->b]));
        if (!(vec_length(d) > 0)) continue;
        model->edge[model->nedges++] =
            (tt_rest_edge){model->place[edge->a], model->place[edge->b], (float)vec_length(d)};
    }
    return true;
}

/* Tethers hold to pins of the mesh: each pin that is the nearest one of some vertex becomes an anchor. */
static bool set_anchors(builder *b, taut_model *model)
{
    const taut_mesh *mesh = b->mesh;
    int n = mesh->nvertices;
    if (!mesh->pinned || !(b->material->tether > 0)) return true;
    b->geodesic = TT_TAKE(&b->scratch, double, n);
    b->nearest = TT_TAKE(&b->scratch, int, n);
    int *number = TT_TAKE(&b->scratch, int, n);
    model->anchor = TT_TAKE(&model->scope, int, n);
    if (!b->geodesic || !b->nearest || !number || !model->anchor) return false;
    if (!tt_geodesic(&b->scratch, mesh, &b->topology, mesh->pinned, b->geodesic, b->nearest)) return false;
    for (int v = 0; v < n; v++) {
        int pin = b->nearest[v];
        if (pin < 0) continue;
        if (!number[pin]) {
            model->anchor[model->nanchors++] = model->place[pin];
            number[pin] = model->nanchors;
        }
        b->nearest[v] = number[pin] - 1;
    }
    return true;
}

/* Makes the elements of a kind, and decides which of them share a block. */
static void make_elements(builder *b, int kind)
{
    tt_maker *maker = &b->kind[kind].maker;
    *maker = (tt_maker){
        .mesh = b->mesh,
        .topology = &b->topology,
        .material = b->material,
        .axis = b->options->axis,
        .geodesic = b->geodesic,
        .nearest = b->nearest,
        .nlinks = b->limits->nlinks,
        .link = b->limits->link,
        .limit_factor = b->limits->limit_factor,
        .bend_factor = b->limits->bend_factor,
        .scope = &b->kind[kind].scratch,
        .kind = tt_kind_table()[kind],
    };
    if (maker->kind->create(maker)) b->kind[kind].plan = tt_plan_blocks(maker->scope, b->model, maker);
}

/* Makes the weights of a level, or the elements of a kind. */
static void make_part(void *argument, int part)
{
    builder *b = argument;
    int nlevels = b->hierarchy ? b->hierarchy->count : 0;
    if (part >= nlevels) make_elements(b, part - nlevels);
    else if (!tt_hierarchy_ride(&b->level_scratch[part], b->hierarchy, part)) atomic_store(&b->failed, true);
}

/* Makes all kinds and weights at the same time, and then all segments of each kind. */
static bool make_constraints(builder *b, taut_model *model)
{
    for (int kind = 0; kind < TT_KINDS; kind++) tt_scope_open(&b->kind[kind].scratch, b->site->shared);
    tt_pool_run(TT_KINDS + (b->hierarchy ? b->hierarchy->count : 0), make_part, b, b->site->pool);
    bool ok = !atomic_load(&b->failed);
    for (int kind = 0; kind < TT_KINDS; kind++) {
        ok = ok && b->kind[kind].plan && tt_pack(model, b->site->pool, b->kind[kind].plan, &model->group[kind]);
        tt_scope_close(&b->kind[kind].scratch);
    }
    return ok;
}

static uint64_t hash_model(const taut_model *model)
{
    uint64_t hash = TT_HASH_SEED;
    size_t n = (size_t)model->nvertices;
    hash = tt_hash(hash, model->place, n * sizeof *model->place);
    hash = tt_hash(hash, model->rest, 4 * n * sizeof *model->rest);
    hash = tt_hash(hash, model->pinned, n);
    hash = tt_hash(hash, model->anchor, (size_t)model->nanchors * sizeof *model->anchor);
    hash = tt_hash(hash, &model->material.units, sizeof model->material.units);
    for (int kind = 0; kind < TT_KINDS; kind++) {
        const tt_group *group = &model->group[kind];
        const tt_kind *k = tt_kind_table()[kind];
        size_t lanes = (size_t)group->nblocks * TT_BLOCK;
        hash = tt_hash(hash, group->offset, lanes * (size_t)(k->particles + k->anchors) * sizeof *group->offset);
        hash = tt_hash(hash, group->data, lanes * (size_t)k->fields * sizeof *group->data);
        hash = tt_hash(hash, group->live, (size_t)group->nblocks);
        hash = tt_hash(hash, group->segment, (size_t)(2 * model->nparts + 3) * sizeof *group->segment);
    }
    if (model->shell.ntris > 0) hash = tt_hash(hash, model->shell.tri, 3 * (size_t)model->shell.ntris * sizeof(int));
    return hash;
}

/* ---- Step by step ------------------------------------------------------------------------------------------------ */

static taut_model *begin(builder *b)
{
    tt_scope scope;
    tt_scope_open(&scope, b->site->shared);
    taut_model *model = TT_TAKE(&scope, taut_model, 1);
    if (model) model->scope = scope;
    b->model = model;
    tt_scope_open(&b->scratch, b->site->shared);
    return model;
}

static bool set_out(builder *b, taut_model *model)
{
    return order_particles(b, model) && set_particles(b, model) && set_edges(b, model) && set_anchors(b, model);
}

/* Only the mesh itself gets a skin, because coarser levels touch nothing but colliders. */
static bool set_skin(builder *b, taut_model *model)
{
    return !b->hierarchy || tt_skin_build(&model->scope, &b->scratch, b->mesh, model->place, model->rest,
                                          model->nparticles, &model->skin);
}

static bool is_closed(const tt_topology *t, const taut_mesh *mesh)
{
    return mesh->ntris > 0 && t->boundary_edges == 0 && t->nonmanifold_edges == 0 && t->inconsistent_edges == 0;
}

static bool set_shell(builder *b, taut_model *model)
{
    return !b->hierarchy || !tt_has_gas(b->material) || !is_closed(&b->topology, b->mesh) ||
           tt_shell_build(&model->scope, b->mesh, model->place, model->rest, &model->shell);
}

/* Gas needs a closed shell. */
static bool check_shell(const builder *b, const taut_model *model, taut_error *error)
{
    const tt_topology *t = &b->topology;
    if (!tt_has_gas(b->material) || model->shell.volume != 0) return true;
    if (t->boundary_edges > 0 && b->mesh->ntris > 0)
        return tt_fail(error, TAUT_BAD_MATERIAL, -1, "material.gas needs a closed shell: the mesh has %d open edges",
                       t->boundary_edges);
    return tt_fail(error, TAUT_BAD_MATERIAL, -1,
                   "material.gas needs a closed shell of triangles that all face out, two on each edge");
}

static bool furnish(builder *b, taut_model *model)
{
    if (!make_constraints(b, model) || !set_skin(b, model) || !set_shell(b, model)) return false;
    model->material = *b->material;
    model->hash = hash_model(model);
    return tt_set_stable_step(model, &b->scratch);
}

/* Ends a build. The model outlives the site, so it gets the user's allocator back. */
static taut_model *end(builder *b, taut_model *model, bool built)
{
    tt_scope_close(&b->scratch);
    if (model) model->scope.allocator = b->site->own;
    if (built) return model;
    taut_model_free(model);
    return NULL;
}

taut_model *tt_model_compile(tt_site *site, const taut_mesh *mesh, const tt_topology *topology,
                             const taut_material *material, const taut_model_options *options,
                             const tt_own_limits *limits)
{
    builder b = {.site = site, .mesh = mesh, .material = material, .options = options, .limits = limits};
    taut_model *model = begin(&b);
    if (topology) b.topology = *topology;
    bool ok = model && (topology || tt_topology_build(&b.scratch, mesh, &b.topology));
    return end(&b, model, ok && set_out(&b, model) && furnish(&b, model));
}

static bool check_options(const taut_model_options *options, taut_error *error)
{
    if (!tt_cookie_check(options->cookie, COOKIE, TAUT_BAD_ARGUMENT,
                         "the options do not come from taut_default_model_options()", error))
        return false;
    if (options->levels < TAUT_LEVELS_AUTO || options->levels > TAUT_MOST_LEVELS)
        return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "options.levels must be TAUT_LEVELS_AUTO or in [0,%d], got %d",
                       TAUT_MOST_LEVELS, options->levels);
    if (options->threads < 0 || options->threads > TAUT_MOST_THREADS)
        return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "options.threads must be in [0,%d], got %d", TAUT_MOST_THREADS,
                       options->threads);
    for (int i = 0; i < 3; i++)
        if (!isfinite(options->axis[i]))
            return tt_fail(error, TAUT_BAD_ARGUMENT, i, "options.axis[%d] is not finite", i);
    return true;
}

bool tt_model_check(const taut_mesh *mesh, const taut_material *material, const taut_model_options *options,
                    taut_error *error)
{
    return check_options(options, error) && taut_mesh_check(mesh, error) && tt_material_check(material, error) &&
           tt_elastic_check(material, mesh->ntets > 0, error) && tt_given_check(mesh, options, error);
}

/* The beginning of a build makes two things that do not depend on each other: the finest level, and the meshes of the
 * other levels. */
typedef struct beginning {
    builder *builder;
    taut_model *model;
    tt_scope scratch, level_scratch[TAUT_MOST_LEVELS]; /* of the hierarchy */
    tt_hierarchy hierarchy;
    bool set_out, coarsened;
} beginning;

static void begin_with(void *argument, int which)
{
    beginning *a = argument;
    builder *b = a->builder;
    if (which == 0)
        a->coarsened = tt_hierarchy_coarsen(&a->scratch, b->mesh, &b->topology, b->material, b->options, &a->hierarchy);
    else a->set_out = set_out(b, a->model);
}

static taut_model *build(tt_site *site, const taut_mesh *mesh, const taut_material *material,
                         const taut_model_options *options, taut_error *error)
{
    builder b = {.site = site, .mesh = mesh, .material = material, .options = options, .limits = &(tt_own_limits){0}};
    beginning a = {.builder = &b, .model = begin(&b)};
    taut_model *model = a.model;
    tt_scope_open(&a.scratch, site->shared);
    for (int i = 0; i < TAUT_MOST_LEVELS; i++) tt_scope_open(&a.level_scratch[i], site->shared);
    bool ok = model && tt_topology_build(&b.scratch, mesh, &b.topology);
    tt_site_progress(site, 0.1f);
    if (ok) tt_pool_run(2, begin_with, &a, site->pool);
    tt_site_progress(site, 0.5f);
    b.hierarchy = &a.hierarchy, b.level_scratch = a.level_scratch;
    ok = ok && a.set_out && a.coarsened && furnish(&b, model);
    tt_site_progress(site, 0.8f);
    if (!ok) tt_no_memory(error);
    ok = ok && check_shell(&b, model, error);
    ok = ok && tt_levels_build(model, site, &a.scratch, &a.hierarchy, options, error);
    tt_scope_close(&a.scratch);
    for (int i = 0; i < TAUT_MOST_LEVELS; i++) tt_scope_close(&a.level_scratch[i]);
    return end(&b, model, ok);
}

taut_model *taut_model_build(const taut_mesh *mesh, const taut_material *material, const taut_model_options *options,
                             taut_error *error)
{
    taut_material usual;
    taut_model_options default_options = taut_default_model_options();
    material = tt_material_or_usual(material, tt_mesh_type_of(mesh), &usual);
    if (!options) options = &default_options;
    tt_clear(error);
    if (!tt_model_check(mesh, material, options, error)) return NULL;
    const taut_training *training = options->training;
    if (training && !tt_training_check(training, mesh, material, options, error)) return NULL;
    tt_site site;
    tt_site_open(&site, options, mesh->nvertices);
    taut_model *model = build(&site, mesh, material, options, error);
    tt_site_progress(&site, 1);
    tt_site_close(&site);
    return model;
}

void taut_model_free(taut_model *model)
{
    if (!model) return;
    taut_model_free(model->coarser);
    tt_scope scope = model->scope; /* the model's own memory is in it */
    tt_scope_close(&scope);
}

int taut_model_vertices(const taut_model *model) { return model->nvertices; }

int taut_model_levels(const taut_model *model)
{
    int levels = 0;
    for (const taut_model *coarser = model->coarser; coarser; coarser = coarser->coarser) levels++;
    return levels;
}

uint64_t taut_model_hash(const taut_model *model) { return model->hash; }
float taut_model_stable_step(const taut_model *model) { return model->stable_step; }

int taut_model_constraints(const taut_model *model, int kind)
{
    return kind < 0 || kind >= TT_KINDS ? 0 : model->group[kind].count;
}
