/* Training: level by level, item by item, on all threads. */
#include "model/train.h"

#include "base/definition.h"
#include "base/error.h"
#include "base/exact.h"
#include "base/pool.h"
#include "base/vec.h"
#include "model/hierarchy.h"

#include <stdatomic.h>
#include <string.h>

enum {
    COOKIE = 0x7a0731a9,
    ITEMS_A_TURN = 8 /* of each thread, between two calls of `progress` */
};

void taut_init_train_def(taut_train_def *def, size_t size)
{
    static const taut_train_def usual = {.cookie = COOKIE};
    tt_definition_fill(def, size, &usual, sizeof usual);
}

/* ---- From results to limits -------------------------------------------------------------------------------------- */

static const double MARGIN = 0.2;                          /* of the way from rest to the extreme reached */
static const double LEAST_STRETCH = 0.2, MOST_ANGLE = 2;  /* results beyond these mean no limit          */

/* The largest stretch that lengths of edges allow. The vectors g with |g.e_k| <= longest[k] fill a hexagon, and the
 * longest g is one of its corners. (If a triangle is pressed to a line along its largest stretch, it keeps that stretch
 * and no edge gets longer, so lines are enough.) */
static double largest_stretch(const vec3 *edge, const double *longest)
{
    double most = 0;
    for (int a = 0; a < 3; a++) {
        vec3 e = edge[a], f = edge[(a + 1) % 3], third = edge[(a + 2) % 3];
        double ee = vec_dot(e, e), ff = vec_dot(f, f), ef = vec_dot(e, f), det = ee * ff - ef * ef;
        for (int sign = -1; sign <= 1; sign += 2) {
            double ge = longest[a], gf = sign * longest[(a + 1) % 3];
            vec3 g = vec_add(vec_scale(e, (ge * ff - gf * ef) / det), vec_scale(f, (gf * ee - ge * ef) / det));
            if (fabs(vec_dot(g, third)) <= longest[(a + 2) % 3] * (1 + 1e-9)) most = fmax(most, vec_length(g));
        }
    }
    return most > 0 ? most : INFINITY;
}

/* The largest stretch of a triangle that its edges allow. */
static double stretch_cap(const tt_coarse_mesh *coarse, const taut_limit *limit, int t)
{
    const taut_mesh *mesh = &coarse->mesh;
    const int *v = &mesh->tri[3 * (size_t)t];
    vec3 edge[3];
    double longest[3];
    for (int k = 0; k < 3; k++) {
        int next = (k + 1) % 3;
        edge[k] = vec_sub(vec_of(&mesh->x[3 * (size_t)v[next]]), vec_of(&mesh->x[3 * (size_t)v[k]]));
        double length = coarse->metric.length[tt_find_edge(&coarse->metric.topology, v[k], v[next])];
        longest[k] = length * (double)limit->stretch[1]; /* a way along the finest mesh is stretched by no more */
    }
    return largest_stretch(edge, longest);
}

static tt_range both(tt_range a, tt_range b)
{
    return (tt_range){a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
}

/* The corners of the hexagon are triangles pressed to a line. A triangle that gets near a corner may reach it. */
static tt_range limit_of_stretch(tt_range reached, double cap)
{
    double low = (double)reached.low - MARGIN * (1 - (double)reached.low);
    double high = (double)reached.high + MARGIN * ((double)reached.high - 1);
    if (low < LEAST_STRETCH) return (tt_range){0, (float)cap};
    return (tt_range){(float)low, (float)fmin(high, cap)};
}

static tt_range limit_of_bend(tt_range reached)
{
    double low = (1 + MARGIN) * (double)reached.low, high = (1 + MARGIN) * (double)reached.high;
    return (tt_range){(float)(low < -MOST_ANGLE ? -TT_PI : low), (float)(high > MOST_ANGLE ? TT_PI : high)};
}

/* A search may get stuck in a lesser extreme, but the searches of its neighbours rarely get stuck at the same time. So
 * the limits of a triangle are the extremes of this triangle and all triangles next to it, and those of a hinge are the
 * extremes of all hinges of its two triangles, each with a margin. `reached` is a copy of the level's items. */
static void finish_level(const tt_coarse_mesh *coarse, const taut_limit *limit, const tt_range *reached,
                         tt_range *widest, tt_trained_level *level)
{
    const tt_range *angle = reached + level->ntris;
    memcpy(level->stretch, reached, sizeof *reached * (size_t)level->ntris);
    for (int t = 0; t < level->ntris; t++) widest[t] = (tt_range){0, 0};
    for (int h = 0; h < level->nhinges; h++) {
        const tt_hinge *hinge = &coarse->metric.topology.hinge[h];
        int a = hinge->tri1, b = hinge->tri2;
        level->stretch[a] = both(level->stretch[a], reached[b]);
        level->stretch[b] = both(level->stretch[b], reached[a]);
        widest[a] = both(widest[a], angle[h]);
        widest[b] = both(widest[b], angle[h]);
    }
    for (int t = 0; t < level->ntris; t++)
        level->stretch[t] = limit_of_stretch(level->stretch[t], stretch_cap(coarse, limit, t));
    for (int h = 0; h < level->nhinges; h++) {
        const tt_hinge *hinge = &coarse->metric.topology.hinge[h];
        level->bend[h] = limit_of_bend(both(widest[hinge->tri1], widest[hinge->tri2]));
    }
}

typedef struct trainer {
    const taut_mesh *mesh;
    const taut_material *material;
    const taut_model_options *options;
    const taut_train_def *def;
    tt_scope scope;
    tt_hierarchy hierarchy;
    taut_training *training;
    tt_pool *pool;
    tt_simd simd;
} trainer;

/* ---- One level --------------------------------------------------------------------------------------------------- */

typedef struct crew {
    const tt_ground *ground;
    const tt_cover *cover;
    const taut_limit *limit;
    tt_patch *patch;   /* one per thread              */
    tt_range *result;  /* the extremes of the items   */
    tt_range *widest;  /* a scratch range per triangle */
    atomic_int next;
    int last;
} crew;

static void work(void *argument, int worker)
{
    crew *c = argument;
    for (int item; (item = atomic_fetch_add(&c->next, 1)) < c->last;)
        c->result[item] = tt_search(&c->patch[worker], c->ground, c->cover, c->limit, item);
}

/* Trains those of items first .. last-1, all of level i, that are not done yet. False when the training is to stop. */
static bool train_items(trainer *t, crew *c, int i, int first, int last)
{
    taut_training *training = t->training;
    const taut_train_def *def = t->def;
    tt_pool *pool = t->pool;
    int turn = ITEMS_A_TURN * tt_pool_threads(pool);
    while (training->done < last) {
        int until = last - training->done < turn ? last : training->done + turn;
        atomic_store(&c->next, training->done - first);
        c->last = until - first;
        tt_pool_run(tt_pool_threads(pool), work, c, pool);
        size_t bytes = sizeof *c->result * (size_t)(last - first);
        memcpy(&training->item[first], c->result, bytes);
        training->done = until;
        if (until == last)
            finish_level(&t->hierarchy.level[i], c->limit, c->result, c->widest, &training->level[i]);
        if (def->progress && !def->progress(training, def->user)) return false;
    }
    return true;
}

/* The mesh whose limits hold while level `i` is searched, and the vertices of that level in it. */
static bool build_ground(trainer *t, tt_scope *scope, int i, tt_ground *ground, int **origin)
{
    tt_hierarchy *h = &t->hierarchy;
    bool finest = i == 0 || t->training->way == TAUT_TRAIN_DIRECT;
    int n = h->level[i].mesh.nvertices;
    *origin = TT_TAKE(scope, int, n);
    if (!*origin) return false;
    for (int v = 0; v < n; v++) {
        int at = v;
        for (int level = i; level >= (finest ? 0 : i); level--) at = h->level[level].origin[at];
        (*origin)[v] = at;
    }
    tt_maker like = {.material = t->material, .axis = t->options->axis};
    if (finest) return tt_ground_build(scope, t->simd.kinds, &like, t->mesh, ground);
    const tt_coarse_mesh *below = &h->level[i - 1];
    float *stretch = TT_TAKE(scope, float, 2 * (size_t)below->mesh.ntris);
    float *bend = TT_TAKE(scope, float, 6 * (size_t)below->mesh.ntris);
    if (!stretch || !bend) return false;
    tt_trained_factors(&t->training->level[i - 1], &below->mesh, &below->metric.topology, &t->material->limit, stretch,
                       bend);
    taut_material material = *t->material; /* links hold the edges, and their lengths are limits already */
    material.limit.edge[0] = 0, material.limit.edge[1] = 1;
    like.material = &material;
    like.nlinks = below->nlinks, like.link = below->link;
    like.limit_factor = stretch, like.bend_factor = bend;
    return tt_ground_build(scope, t->simd.kinds, &like, &below->mesh, ground);
}

typedef enum outcome { FINISHED, STOPPED, NO_MEMORY } outcome;

static outcome train_level(trainer *t, tt_scope *scope, int i, int first, int last)
{
    tt_ground ground;
    tt_cover cover;
    int *origin, threads = tt_pool_threads(t->pool);
    tt_patch *patch = TT_TAKE(scope, tt_patch, threads);
    if (!patch || !build_ground(t, scope, i, &ground, &origin) ||
        !tt_cover_build(scope, &t->hierarchy.level[i].mesh, origin, &ground, &cover) ||
        !tt_patches_take(scope, &ground, &cover, threads, patch))
        return NO_MEMORY;
    crew c = {.ground = &ground,
              .cover = &cover,
              .limit = &t->material->limit,
              .patch = patch,
              .result = TT_TAKE(scope, tt_range, last - first),
              .widest = TT_TAKE(scope, tt_range, cover.mesh->ntris)};
    if (!c.result || !c.widest) return NO_MEMORY;
    memcpy(c.result, &t->training->item[first], sizeof *c.result * (size_t)(last - first));
    return train_items(t, &c, i, first, last) ? FINISHED : STOPPED;
}

static outcome train_levels(trainer *t)
{
    int last = 0;
    for (int i = 0; i < t->hierarchy.count; i++) {
        int first = last;
        last += t->training->level[i].ntris + t->training->level[i].nhinges;
        if (t->training->done >= last) continue;
        tt_scope scope;
        tt_scope_open(&scope, t->options->allocator);
        outcome result = train_level(t, &scope, i, first, last);
        tt_scope_close(&scope);
        if (result != FINISHED) return result;
    }
    return FINISHED;
}

/* ---- Beginning --------------------------------------------------------------------------------------------------- */

static bool check_def(const taut_train_def *def, taut_error *error)
{
    if (!tt_cookie_check(def->cookie, COOKIE, TAUT_BAD_ARGUMENT,
                         "the definition does not come from taut_default_train_def()", error))
        return false;
    if (def->way != TAUT_TRAIN_DIRECT && def->way != TAUT_TRAIN_INDIRECT)
        return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "way is %d, which is none", (int)def->way);
    if (def->threads < 0 || def->threads > TAUT_MOST_THREADS)
        return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "threads must be in [0,%d], got %d", TAUT_MOST_THREADS,
                       def->threads);
    return true;
}

/* A shell that may be squeezed or folded at will has no coarse limits except those of edges. */
static bool check_limits(const taut_limit *limit, taut_error *error)
{
    const float *bend = limit->bend;
    if (!(limit->stretch[0] > 0) || !isfinite(limit->stretch[1]))
        return tt_fail(error, TAUT_BAD_MATERIAL, -1,
                       "there is nothing to train: the material needs a least and a largest stretch in its limits");
    if (!isfinite(bend[0]) && !isfinite(bend[1]))
        return tt_fail(error, TAUT_BAD_MATERIAL, -1, "there is nothing to train: the material does not limit bending");
    if (bend[0] == 0 || bend[1] == 0)
        return tt_fail(error, TAUT_BAD_MATERIAL, -1, "limits of bending that are 0 cannot be trained: use small ones");
    return true;
}

static bool copy_results(const trainer *t, const taut_training *from, taut_error *error)
{
    taut_training *to = t->training;
    bool same = from->nlevels == to->nlevels && from->total == to->total && from->way == to->way &&
                memcmp(&from->key, &to->key, sizeof to->key) == 0;
    if (!same)
        return tt_fail(error, TAUT_BAD_TRAINING, -1,
                       "the training to resume is for another mesh, material or number of levels, or in another way");
    to->done = from->done;
    memcpy(to->item, from->item, sizeof *to->item * (size_t)to->total);
    return true;
}

static bool create_results(trainer *t, taut_error *error)
{
    int ntris[TAUT_MOST_LEVELS], nhinges[TAUT_MOST_LEVELS];
    const tt_hierarchy *h = &t->hierarchy;
    if (tt_mesh_type_of(t->mesh) != TT_MESH_CLOTH)
        return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "only meshes of triangles alone can be trained");
    if (h->count == 0)
        return tt_fail(error, TAUT_BAD_ARGUMENT, -1,
                       "there is nothing to train: no levels are asked for, or the mesh is too small to have any");
    for (int i = 0; i < h->count; i++) {
        ntris[i] = h->level[i].mesh.ntris;
        nhinges[i] = h->level[i].metric.topology.nhinges;
    }
    t->training = tt_training_create(t->options->allocator, h->count, ntris, nhinges);
    if (!t->training) return tt_no_memory(error);
    t->training->key = tt_train_key_of(t->mesh, t->material, t->options);
    t->training->way = t->def->way;
    return !t->def->resume || copy_results(t, t->def->resume, error);
}

static bool train(trainer *t, taut_error *error)
{
    if (!tt_hierarchy_build(&t->scope, t->mesh, t->material, t->options, &t->hierarchy)) return tt_no_memory(error);
    if (!create_results(t, error)) return false;
    t->pool = tt_pool_start(&t->scope, t->def->threads ? t->def->threads : tt_pool_cores());
    outcome result = t->pool ? train_levels(t) : NO_MEMORY;
    tt_pool_stop(t->pool);
    return result != NO_MEMORY || tt_no_memory(error);
}

taut_training *taut_train(const taut_mesh *mesh, const taut_material *material, const taut_model_options *options,
                          const taut_train_def *def, taut_error *error)
{
    taut_material usual;
    taut_model_options default_options = taut_default_model_options();
    taut_train_def default_def = taut_default_train_def();
    trainer t = {.mesh = mesh,
                 .material = tt_material_or_usual(material, tt_mesh_type_of(mesh), &usual),
                 .options = options ? options : &default_options,
                 .def = def ? def : &default_def,
                 .simd = tt_simd_choose()};
    tt_clear(error);
    if (!check_def(t.def, error) || !tt_model_check(mesh, t.material, t.options, error) ||
        !check_limits(&t.material->limit, error))
        return NULL;
    tt_scope_open(&t.scope, t.options->allocator);
    bool trained = train(&t, error);
    tt_scope_close(&t.scope);
    if (trained) return t.training;
    taut_training_free(t.training);
    return NULL;
}
