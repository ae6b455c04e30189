/* PC2, the point cache of 3ds Max and Blender: a header of 32 bytes, then the positions of every frame. */
#include "io/cache_names.h"

static bool write_object(taut_cache *cache, int object, FILE *file, taut_error *error)
{
    const taut_cache_object *o = &cache->object[object];
    const float start_and_step[2] = {0, 1}; /* in frames */
    fwrite("POINTCACHE2", 1, 12, file);
    tio_put_u32(file, 1); /* version */
    tio_put_u32(file, (uint32_t)o->nvertices);
    tio_put_floats(file, start_and_step, 2);
    tio_put_u32(file, (uint32_t)cache->frames);
    for (int frame = 0; frame < cache->frames; frame++) {
        const float *xyz = tio_cache_read(cache, object, frame, error);
        if (!xyz) return false;
        tio_put_floats(file, xyz, 3 * (size_t)o->nvertices);
    }
    return true;
}

static bool finish(taut_cache *cache, taut_error *error) { return tio_each_object(cache, write_object, error); }

const tio_cache_format tio_cache_pc2 = {.ending = ".pc2", .finish = finish, .object_files = true};
