/* MDD, the motion designer data of LightWave: counts, the time of every frame in seconds, then the positions of every
 * frame, all big-endian. */
#include "io/cache_names.h"

static bool write_object(taut_cache *cache, int object, FILE *file, taut_error *error)
{
    const taut_cache_object *o = &cache->object[object];
    tio_put_u32_big(file, (uint32_t)cache->frames);
    tio_put_u32_big(file, (uint32_t)o->nvertices);
    for (int frame = 0; frame < cache->frames; frame++) {
        float seconds = (float)(frame / cache->fps);
        tio_put_floats_big(file, &seconds, 1);
    }
    for (int frame = 0; frame < cache->frames; frame++) {
        const float *xyz = tio_cache_read(cache, object, frame, error);
        if (!xyz) return false;
        tio_put_floats_big(file, xyz, 3 * (size_t)o->nvertices);
    }
    return true;
}

static bool finish(taut_cache *cache, taut_error *error) { return tio_each_object(cache, write_object, error); }

const tio_cache_format tio_cache_mdd = {.ending = ".mdd", .finish = finish, .object_files = true};
