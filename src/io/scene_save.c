/* Saves of scenes, little-endian:
 *
 *     8 bytes "tt-scene", 4 the format's version, 4 how many places of pins follow the world
 *     8 a hash of what the scene is made of, 8 the frame's number, 8 the bytes of the world
 *     the world as taut_world_save has it
 *     where vertices were when their pins began (scene_pins.h), three floats each
 *     8 a hash of everything before
 *
 * The hash at the end finds damage before anything else is read. The hash of the scene finds a save of another scene,
 * which may have other bodies. */
#include "base/error.h"
#include "base/hash.h"
#include "io/cache_output.h"
#include "io/scene.h"

#include <string.h>

enum { VERSION = 2, HEADER = 40, CHECK = 8 };

static const char magic[8] = {'t', 't', '-', 's', 'c', 'e', 'n', 'e'};

static void encode_u64(unsigned char *bytes, uint64_t value)
{
    tio_encode_u32(bytes, (uint32_t)value);
    tio_encode_u32(bytes + 4, (uint32_t)(value >> 32));
}

static uint64_t decode_u64(const unsigned char *bytes)
{
    return (uint64_t)tio_decode_u32(bytes) | (uint64_t)tio_decode_u32(bytes + 4) << 32;
}

static int starts_of(const tio_scene *s, int body) { return s->part[body].pins ? s->part[body].pins->nstarts : 0; }

static size_t count_starts(const tio_scene *s)
{
    size_t count = 0;
    for (int i = 0; i < s->scene.nbodies; i++) count += (size_t)starts_of(s, i);
    return count;
}

/* A hash of everything that the numbers in a save refer to: bodies, which of them share a model, colliders, steps. */
static uint64_t hash_scene(const tio_scene *s)
{
    uint64_t hash = tt_hash(TT_HASH_SEED, &s->scene.fps, sizeof s->scene.fps);
    const int counts[] = {s->steps, s->scene.nbodies, s->ncolliders};
    hash = tt_hash(hash, counts, sizeof counts);
    hash = tt_hash(hash, s->scene.origin, sizeof s->scene.origin);
    for (int i = 0; i < s->scene.nbodies; i++) {
        const taut_mesh *mesh = &s->scene.body[i].file.mesh;
        const int body[] = {s->part[i].item, s->part[i].copy, mesh->nvertices, mesh->ntris,
                            mesh->ntets,     mesh->nlines,    starts_of(s, i)};
        hash = tt_hash(hash, body, sizeof body);
    }
    for (int i = 0; i < s->ncolliders; i++) {
        int shape = (int)s->collider[i].start.shape;
        hash = tt_hash(hash, &shape, sizeof shape);
    }
    return hash;
}

size_t taut_scene_save(const taut_scene *scene, void *bytes, size_t size)
{
    const tio_scene *s = (const tio_scene *)scene;
    unsigned char *at = bytes;
    size_t nstarts = count_starts(s), world = taut_world_save(scene->world, NULL, 0);
    size_t needed = HEADER + world + 12 * nstarts + CHECK;
    if (size < needed) return needed;
    memcpy(at, magic, sizeof magic);
    tio_encode_u32(at + 8, VERSION);
    tio_encode_u32(at + 12, (uint32_t)nstarts);
    encode_u64(at + 16, hash_scene(s));
    encode_u64(at + 24, (uint64_t)scene->frame);
    encode_u64(at + 32, world);
    taut_world_save(scene->world, at + HEADER, world);
    at += HEADER + world;
    for (int i = 0; i < scene->nbodies; i++) {
        size_t own = (size_t)starts_of(s, i);
        if (own) tio_encode_floats(at, s->part[i].starts, 3 * own);
        at += 12 * own;
    }
    encode_u64(at, tt_hash(TT_HASH_SEED, bytes, needed - CHECK));
    return needed;
}

/* Checks everything except the world, which taut_world_restore checks. */
static bool check_save(const tio_scene *s, const unsigned char *bytes, size_t size, taut_error *error)
{
    if (size < HEADER + CHECK || memcmp(bytes, magic, sizeof magic) != 0)
        return tt_fail(error, TAUT_BAD_SAVE, -1, "these bytes are not the save of a scene");
    if (tio_decode_u32(bytes + 8) != VERSION)
        return tt_fail(error, TAUT_BAD_SAVE, -1, "the save has version %u, this library reads %d",
                       (unsigned)tio_decode_u32(bytes + 8), VERSION);
    if (decode_u64(bytes + size - CHECK) != tt_hash(TT_HASH_SEED, bytes, size - CHECK))
        return tt_fail(error, TAUT_BAD_SAVE, -1, "the save is damaged or cut off");
    if (decode_u64(bytes + 16) != hash_scene(s))
        return tt_fail(error, TAUT_BAD_SAVE, -1, "the save is of a scene with other bodies, colliders or frame rate");
    size_t room = size - HEADER - CHECK, starts = 12 * count_starts(s);
    if (tio_decode_u32(bytes + 12) != starts / 12 || room < starts || decode_u64(bytes + 32) != room - starts ||
        decode_u64(bytes + 24) > INT32_MAX)
        return tt_fail(error, TAUT_BAD_SAVE, -1, "the save's numbers are impossible");
    return true;
}

static bool restore_world(const tio_scene *s, const void *bytes, size_t size, taut_error *error)
{
    tt_scope moment;
    int nmodels = 0;
    tt_scope_open(&moment, NULL);
    const taut_model **models = TT_TAKE(&moment, const taut_model *, s->scene.nbodies);
    if (!models) return tt_no_memory(error);
    for (int i = 0; i < s->scene.nbodies; i++)
        if (!s->part[i].copy) models[nmodels++] = s->scene.body[i].model;
    bool ok = taut_world_restore(s->scene.world, bytes, size, models, nmodels, error);
    tt_scope_close(&moment);
    return ok;
}

bool taut_scene_restore(taut_scene *scene, const void *bytes, size_t size, taut_error *error)
{
    tio_scene *s = (tio_scene *)scene;
    const unsigned char *at = bytes;
    tt_clear(error);
    if (!check_save(s, bytes, size, error)) return false;
    size_t world = (size_t)decode_u64(at + 32);
    if (!restore_world(s, at + HEADER, world, error)) return false;
    scene->frame = (int)decode_u64(at + 24);
    at += HEADER + world;
    for (int i = 0; i < scene->nbodies; i++) {
        size_t own = (size_t)starts_of(s, i);
        if (own) tio_decode_floats(at, s->part[i].starts, 3 * own);
        at += 12 * own;
    }
    return true;
}
