/* Saving a world as bytes and putting it back, exact to the bit.
 *
 * The bytes are a header, the world's settings, colliders and bodies. Models are not in them: a body names its model by
 * hash. One walk over the state serves for counting, writing and reading, so the three cannot disagree. */
#include "world/world.h"

#include "base/error.h"
#include "base/hash.h"

#include <string.h>

static const char magic[8] = "TAUTsv2";

/* A place in the bytes. Writing past the end only counts; reading past it fails. */
typedef struct cursor {
    unsigned char *to;         /* writing, or NULL */
    const unsigned char *from; /* reading, or NULL */
    size_t at, size;
    bool failed;
} cursor;

static void transfer(cursor *c, void *data, size_t size)
{
    if (c->from && (size > c->size || c->at > c->size - size)) c->failed = true;
    if (c->failed) return;
    if (c->from) memcpy(data, c->from + c->at, size);
    if (c->to) memcpy(c->to + c->at, data, size);
    c->at += size;
}

#define TRANSFER(c, object) transfer((c), &(object), sizeof(object))

static void walk_settings(cursor *c, taut_world *world)
{
    TRANSFER(c, world->def.gravity);
    TRANSFER(c, world->def.wind);
    TRANSFER(c, world->def.air_density);
    TRANSFER(c, world->def.substeps);
    TRANSFER(c, world->def.iterations);
    TRANSFER(c, world->steps);
    TRANSFER(c, world->seconds);
    TRANSFER(c, world->ncolliders);
    TRANSFER(c, world->nbodies);
}

static void walk_body(cursor *c, tt_body *body)
{
    size_t n = (size_t)body->model->nparticles;
    TRANSFER(c, body->material);
    transfer(c, body->p, 4 * n * sizeof(float));
    transfer(c, body->v, 4 * n * sizeof(float));
    transfer(c, body->free_w, n * sizeof(float));
    transfer(c, body->target, 4 * n * sizeof(float));
    TRANSFER(c, body->nheld);
    TRANSFER(c, body->nsoft);
    int most = body->model->nvertices;
    if (body->nheld < 0 || body->nheld > most || body->nsoft < 0 || body->nsoft > most) c->failed = true;
    if (c->failed) return;
    transfer(c, body->held, (size_t)body->nheld * sizeof *body->held);
    transfer(c, body->soft, (size_t)body->nsoft * sizeof *body->soft);
}

size_t taut_world_save(const taut_world *world, void *bytes, size_t size)
{
    taut_world *state = (taut_world *)world; /* the walk writes to it only when reading */
    cursor c = {0};
    for (int pass = 0; pass < 2; pass++) {
        char head[8];
        uint64_t check = 0;
        size_t needed = c.at;
        if (pass == 1 && (!bytes || size < needed)) return needed;
        c = (cursor){.to = pass == 1 ? bytes : NULL};
        memcpy(head, magic, sizeof head);
        TRANSFER(&c, head);
        walk_settings(&c, state);
        for (int i = 0; i < world->ncolliders; i++) TRANSFER(&c, state->collider[i]);
        for (int i = 0; i < world->nbodies; i++) {
            uint64_t model = world->body[i] ? world->body[i]->model->hash : 0;
            TRANSFER(&c, model);
            if (world->body[i]) walk_body(&c, world->body[i]);
        }
        if (c.to) check = tt_hash(TT_HASH_SEED, c.to, c.at);
        TRANSFER(&c, check);
    }
    return c.at;
}

static const taut_model *find_model(const taut_model *const *models, int nmodels, uint64_t hash)
{
    for (int i = 0; i < nmodels; i++)
        if (models[i]->hash == hash) return models[i];
    return NULL;
}

/* What was read, before it takes the world's place. */
typedef struct reading {
    taut_world settings; /* only what walk_settings fills */
    tt_collider *collider;
    tt_body **body;
} reading;

static bool cut_short(taut_error *error) { return tt_fail(error, TAUT_BAD_SAVE, -1, "the save is cut short"); }

/* The checksum guards against accidents; these against bytes that were made up. */
static bool sound_settings(const taut_world *s)
{
    return s->def.substeps >= 1 && s->def.substeps <= 1000 && s->def.iterations >= 1 && s->def.iterations <= 1000;
}

static bool sound_body(const tt_body *body)
{
    int n = body->model->nvertices;
    bool sound = tt_material_check(&body->material, NULL) && body->material.units == body->model->material.units;
    for (int i = 0; i < body->nheld; i++) sound = sound && body->held[i] >= 0 && body->held[i] < n;
    for (int i = 0; i < body->nsoft; i++) sound = sound && body->soft[i].particle >= 0 && body->soft[i].particle < n;
    return sound;
}

static bool read_body(cursor *c, const tt_scope *like, const taut_model *const *models, int nmodels, int i,
                      tt_body **body, taut_error *error)
{
    uint64_t hash = 0;
    TRANSFER(c, hash);
    if (c->failed) return cut_short(error);
    if (!hash) return true; /* an empty slot */
    const taut_model *model = find_model(models, nmodels, hash);
    if (!model) return tt_fail(error, TAUT_BAD_SAVE, i, "body %d: its model is not among those given", i);
    *body = tt_body_create(like, model, NULL, error);
    if (!*body) return false;
    walk_body(c, *body);
    if (c->failed) return cut_short(error);
    if (!sound_body(*body)) return tt_fail(error, TAUT_BAD_SAVE, i, "body %d: the save holds impossible values", i);
    tt_body_anchor(*body);
    tt_body_publish(*body, 0, model->nvertices);
    return true;
}

/* Counts are checked against the bytes that are there before anything is taken for them. */
static bool read_world(cursor *c, tt_scope *scratch, reading *r, const taut_world *world,
                       const taut_model *const *models, int nmodels, taut_error *error)
{
    walk_settings(c, &r->settings);
    int ncolliders = r->settings.ncolliders, nbodies = r->settings.nbodies;
    size_t left = c->failed ? 0 : c->size - c->at;
    r->settings.nbodies = 0;
    if (ncolliders < 0 || (size_t)ncolliders > left / sizeof *r->collider) return cut_short(error);
    if (nbodies < 0 || (size_t)nbodies > left / sizeof(uint64_t)) return cut_short(error);
    r->collider = TT_TAKE(scratch, tt_collider, ncolliders);
    r->body = TT_TAKE(scratch, tt_body *, nbodies);
    if (!r->collider || !r->body) return tt_no_memory(error);
    if (!sound_settings(&r->settings)) return tt_fail(error, TAUT_BAD_SAVE, -1, "the save holds impossible settings");
    for (int i = 0; i < ncolliders; i++) {
        TRANSFER(c, r->collider[i]);
        const tt_collider *collider = &r->collider[i];
        if (collider->used && !(tt_collider_check(&collider->now, NULL) && tt_collider_check(&collider->target, NULL)))
            return tt_fail(error, TAUT_BAD_SAVE, i, "collider %d: the save holds impossible values", i);
    }
    for (int i = 0; i < nbodies; i++) {
        r->settings.nbodies = i + 1;
        if (!read_body(c, &world->scope, models, nmodels, i, &r->body[i], error)) return false;
    }
    return c->at == c->size || cut_short(error);
}

static void replace(taut_world *world, const reading *r)
{
    const taut_world *s = &r->settings;
    for (int i = 0; i < world->nbodies; i++) tt_body_free(world->body[i]);
    for (int i = 0; i < s->nbodies; i++) world->body[i] = r->body[i];
    for (int i = 0; i < s->ncolliders; i++) world->collider[i] = r->collider[i];
    world->nbodies = s->nbodies;
    world->ncolliders = s->ncolliders;
    memcpy(world->def.gravity, s->def.gravity, sizeof s->def.gravity);
    memcpy(world->def.wind, s->def.wind, sizeof s->def.wind);
    world->def.air_density = s->def.air_density;
    world->def.substeps = s->def.substeps;
    world->def.iterations = s->def.iterations;
    world->steps = s->steps;
    world->seconds = s->seconds;
    for (int i = 0; i < world->nbodies; i++)
        if (world->body[i]) tt_body_tune(world->body[i], world, 1);
}

static bool check_bytes(cursor *c, taut_error *error)
{
    char head[8];
    uint64_t check;
    size_t tail = sizeof check;
    TRANSFER(c, head);
    if (c->failed || memcmp(head, magic, sizeof head) != 0)
        return tt_fail(error, TAUT_BAD_SAVE, -1, "these bytes are not a saved world of this version");
    if (c->size < c->at + tail) return tt_fail(error, TAUT_BAD_SAVE, -1, "the save is cut short");
    memcpy(&check, c->from + c->size - tail, tail);
    if (check != tt_hash(TT_HASH_SEED, c->from, c->size - tail))
        return tt_fail(error, TAUT_BAD_SAVE, -1, "the save is cut short or damaged: its checksum does not match");
    c->size -= tail;
    return true;
}

bool taut_world_restore(taut_world *world, const void *bytes, size_t size, const taut_model *const *models, int nmodels,
                        taut_error *error)
{
    cursor c = {.from = bytes, .size = size};
    tt_clear(error);
    if (!check_bytes(&c, error)) return false;
    reading r = {.settings = {.steps = 0}};
    tt_scope scratch;
    tt_scope_open(&scratch, &world->scope.allocator);
    bool whole = read_world(&c, &scratch, &r, world, models, nmodels, error);
    if (whole && !tt_world_reserve(world, r.settings.nbodies, r.settings.ncolliders)) whole = tt_no_memory(error);
    if (whole) replace(world, &r);
    for (int i = 0; !whole && i < r.settings.nbodies; i++) tt_body_free(r.body[i]);
    tt_scope_close(&scratch);
    return whole;
}
