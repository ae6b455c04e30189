/* Trained limits: making, counting, saving and loading them; checking whether they belong to a model. */
#include "base/error.h"
#include "base/hash.h"
#include "base/vec.h"
#include "model/curl.h"
#include "model/train.h"

#include <string.h>

enum { VERSION = 1 };

static const char magic[8] = "tautlims";

/* The head of a save. Then come two counts per level, then the items. All numbers are little-endian, as on every
 * machine that the library runs on. */
typedef struct header {
    char magic[8];
    uint32_t version, way;
    tt_train_key key;
    int32_t nlevels, done, total, unused;
    uint64_t sum; /* of everything else */
} header;

/* ---- Which model ------------------------------------------------------------------------------------------------- */

static uint64_t hash_array(uint64_t hash, const void *array, size_t count, size_t size)
{
    uint64_t there = array ? count : 0;
    hash = tt_hash(hash, &there, sizeof there);
    return array ? tt_hash(hash, array, count * size) : hash;
}

tt_train_key tt_train_key_of(const taut_mesh *mesh, const taut_material *material, const taut_model_options *options)
{
    tt_train_key key = {TT_HASH_SEED, TT_HASH_SEED, TT_HASH_SEED};
    const taut_limit *limit = &material->limit;
    size_t n = (size_t)mesh->nvertices, t = (size_t)mesh->ntris;
    key.mesh = hash_array(key.mesh, mesh->x, 3 * n, sizeof *mesh->x);
    key.mesh = hash_array(key.mesh, mesh->tri, 3 * t, sizeof *mesh->tri);
    key.mesh = hash_array(key.mesh, mesh->uv, 6 * t, sizeof *mesh->uv);
    key.mesh = hash_array(key.mesh, mesh->direction, 3 * t, sizeof *mesh->direction);
    key.mesh = hash_array(key.mesh, mesh->tri_scale, t, sizeof *mesh->tri_scale);
    key.mesh = hash_array(key.mesh, mesh->pinned, n, sizeof *mesh->pinned); /* where coarse vertices stay */
    key.mesh = tt_hash(key.mesh, options->axis, sizeof options->axis);
    key.limits = tt_hash(key.limits, limit->stretch, sizeof limit->stretch);
    key.limits = tt_hash(key.limits, limit->axis, sizeof limit->axis);
    key.limits = tt_hash(key.limits, limit->edge, sizeof limit->edge);
    key.limits = tt_hash(key.limits, limit->bend, sizeof limit->bend);
    key.levels = tt_hash(key.levels, &options->levels, sizeof options->levels);
    return key;
}

bool tt_training_check(const taut_training *training, const taut_mesh *mesh, const taut_material *material,
                       const taut_model_options *options, taut_error *error)
{
    tt_train_key key = tt_train_key_of(mesh, material, options);
    const char *other = key.mesh != training->key.mesh       ? "another mesh, or the same with other pins"
                        : key.limits != training->key.limits ? "other limits"
                        : key.levels != training->key.levels ? "another number of levels"
                                                             : NULL;
    if (other) return tt_fail(error, TAUT_BAD_TRAINING, -1, "the limits were trained for %s: train again", other);
    if (training->done < training->total)
        return tt_fail(error, TAUT_BAD_TRAINING, -1,
                       "the training is not finished: %d of %d triangles and hinges are done", training->done,
                       training->total);
    return true;
}

/* ---- Making and counting ----------------------------------------------------------------------------------------- */

taut_training *tt_training_create(const taut_allocator *allocator, int nlevels, const int *ntris, const int *nhinges)
{
    tt_scope scope;
    tt_scope_open(&scope, allocator);
    taut_training *training = TT_TAKE(&scope, taut_training, 1);
    if (!training) return NULL;
    training->nlevels = nlevels;
    for (int i = 0; i < nlevels; i++) training->total += ntris[i] + nhinges[i];
    training->item = TT_TAKE(&scope, tt_range, training->total);
    tt_range *at = training->item;
    for (int i = 0; i < nlevels; i++) {
        training->level[i] = (tt_trained_level){ntris[i], nhinges[i], at, at + ntris[i]};
        at += ntris[i] + nhinges[i];
    }
    training->scope = scope;
    if (training->item) return training;
    taut_training_free(training);
    return NULL;
}

void taut_training_free(taut_training *training)
{
    if (!training) return;
    tt_scope scope = training->scope; /* the training's own memory is in it */
    tt_scope_close(&scope);
}

taut_training_state taut_training_state_of(const taut_training *training)
{
    return (taut_training_state){training->way, training->nlevels, training->done, training->total};
}

static void summarize(const tt_range *range, int n, float low[3], float high[3])
{
    double sum[2] = {0, 0};
    for (int i = 0; i < n; i++) {
        low[0] = i && low[0] < range[i].low ? low[0] : range[i].low;
        low[2] = i && low[2] > range[i].low ? low[2] : range[i].low;
        high[0] = i && high[0] < range[i].high ? high[0] : range[i].high;
        high[2] = i && high[2] > range[i].high ? high[2] : range[i].high;
        sum[0] += (double)range[i].low, sum[1] += (double)range[i].high;
    }
    if (n) low[1] = (float)(sum[0] / n), high[1] = (float)(sum[1] / n);
}

bool taut_training_level_of(const taut_training *training, int level, taut_training_level *summary)
{
    *summary = (taut_training_level){0};
    if (level < 1 || level > training->nlevels) return false;
    const tt_trained_level *l = &training->level[level - 1];
    summary->triangles = l->ntris;
    summary->hinges = l->nhinges;
    summarize(l->stretch, l->ntris, summary->low, summary->high);
    summarize(l->bend, l->nhinges, summary->bend_low, summary->bend_high);
    return true;
}

/* ---- Saving and loading ------------------------------------------------------------------------------------------ */

static size_t size_of(int nlevels, int64_t total)
{
    return sizeof(header) + 2 * sizeof(int32_t) * (size_t)nlevels + sizeof(tt_range) * (size_t)total;
}

static uint64_t sum_of(const header *h, const unsigned char *rest, size_t size)
{
    header plain = *h;
    plain.sum = 0;
    return tt_hash(tt_hash(TT_HASH_SEED, &plain, sizeof plain), rest, size);
}

size_t taut_training_save(const taut_training *training, void *bytes, size_t size)
{
    size_t needed = size_of(training->nlevels, training->total);
    if (size < needed) return needed;
    header h = {.version = VERSION, .way = (uint32_t)training->way, .key = training->key,
                .nlevels = training->nlevels, .done = training->done, .total = training->total};
    memcpy(h.magic, magic, sizeof h.magic);
    unsigned char *rest = (unsigned char *)bytes + sizeof h, *at = rest;
    for (int i = 0; i < training->nlevels; i++) {
        const int32_t counts[2] = {training->level[i].ntris, training->level[i].nhinges};
        memcpy(at, counts, sizeof counts);
        at += sizeof counts;
    }
    memcpy(at, training->item, sizeof *training->item * (size_t)training->total);
    h.sum = sum_of(&h, rest, needed - sizeof h);
    memcpy(bytes, &h, sizeof h);
    return needed;
}

/* Whether the numbers of a header and its counts agree with each other and with the size. */
static bool read_counts(const header *h, const unsigned char *rest, size_t size, int *ntris, int *nhinges)
{
    int64_t total = 0;
    if (h->nlevels < 1 || h->nlevels > TAUT_MOST_LEVELS || size < size_of(h->nlevels, 0)) return false;
    for (int i = 0; i < h->nlevels; i++) {
        int32_t counts[2];
        memcpy(counts, rest + (size_t)i * sizeof counts, sizeof counts);
        if (counts[0] < 0 || counts[1] < 0) return false;
        ntris[i] = counts[0], nhinges[i] = counts[1];
        total += (int64_t)counts[0] + counts[1];
    }
    return total == h->total && h->done >= 0 && h->done <= h->total && size == size_of(h->nlevels, total) &&
           h->way <= TAUT_TRAIN_INDIRECT;
}

taut_training *taut_training_load(const void *bytes, size_t size, const taut_allocator *allocator, taut_error *error)
{
    header h;
    int ntris[TAUT_MOST_LEVELS], nhinges[TAUT_MOST_LEVELS];
    const unsigned char *rest = (const unsigned char *)bytes + sizeof h;
    tt_clear(error);
    if (size >= sizeof h) memcpy(&h, bytes, sizeof h);
    if (size < sizeof h || memcmp(h.magic, magic, sizeof magic) != 0) {
        tt_fail(error, TAUT_BAD_TRAINING, -1, "these are not trained limits");
        return NULL;
    }
    if (h.version != VERSION) {
        tt_fail(error, TAUT_BAD_TRAINING, -1, "the trained limits have version %u, this library reads %d",
                (unsigned)h.version, VERSION);
        return NULL;
    }
    if (!read_counts(&h, rest, size, ntris, nhinges) || h.sum != sum_of(&h, rest, size - sizeof h)) {
        tt_fail(error, TAUT_BAD_TRAINING, -1, "the trained limits are damaged");
        return NULL;
    }
    taut_training *training = tt_training_create(allocator, h.nlevels, ntris, nhinges);
    if (!training) {
        tt_no_memory(error);
        return NULL;
    }
    training->key = h.key;
    training->way = (taut_train_way)h.way;
    training->done = h.done;
    memcpy(training->item, rest + 2 * sizeof(int32_t) * (size_t)h.nlevels, sizeof(tt_range) * (size_t)h.total);
    return training;
}

/* ---- As factors -------------------------------------------------------------------------------------------------- */

/* The factor that turns `limit` into the trained one. A limit that is open stays open. */
static float factor_of(double trained, double limit)
{
    return limit != 0 && isfinite(limit) ? (float)(trained / limit) : 1;
}

static double height_sum(const taut_mesh *mesh, const tt_hinge *hinge)
{
    vec3 p[4];
    const int v[4] = {hinge->p1, hinge->p2, hinge->p3, hinge->p4};
    for (int k = 0; k < 4; k++) p[k] = vec_of(&mesh->x[3 * (size_t)v[k]]);
    vec3 e = vec_sub(p[3], p[2]);
    return (vec_length(vec_cross(vec_sub(p[0], p[2]), e)) + vec_length(vec_cross(vec_sub(p[1], p[2]), e))) /
           vec_length(e);
}

void tt_trained_factors(const tt_trained_level *level, const taut_mesh *mesh, const tt_topology *topology,
                        const taut_limit *limit, float *limit_factor, float *bend_factor)
{
    for (size_t t = 0; t < (size_t)level->ntris; t++) {
        limit_factor[2 * t] = factor_of((double)level->stretch[t].low, (double)limit->stretch[0]);
        limit_factor[2 * t + 1] = factor_of((double)level->stretch[t].high, (double)limit->stretch[1]);
    }
    for (size_t i = 0; i < 6 * (size_t)level->ntris; i++) bend_factor[i] = 1;
    for (int h = 0; h < level->nhinges; h++) {
        const tt_hinge *hinge = &topology->hinge[h];
        double heights = height_sum(mesh, hinge);
        tt_put_bend_factors(mesh, hinge, factor_of((double)level->bend[h].low, heights * (double)limit->bend[0]),
                            factor_of((double)level->bend[h].high, heights * (double)limit->bend[1]), bend_factor);
    }
}
