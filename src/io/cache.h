/* Animation caches: shared by the writers of the formats.
 *
 * Formats with one file a frame write it at once. For all others the frames are kept in PATH.part (cache_part.h) until
 * the end. */
#ifndef TAUT_IO_CACHE_H
#define TAUT_IO_CACHE_H

#include "base/memory.h"
#include "io/seams.h"
#include "io/cache_output.h"
#include "taut_io.h"

/* Faces as drawn: the object's polygons, or the surface of its tets. */
typedef struct tio_faces {
    int count;
    const int *start, *vertex;
} tio_faces;

typedef struct tio_cache_format {
    const char *ending;
    bool has_uvs; /* the file holds the UVs of objects that have them */
    /* Writes the file of the next frame. NULL: frames are kept in PATH.part. */
    bool (*frame)(taut_cache *cache, const float *const *xyz, const taut_cache_field *const *fields, int nfields,
                  taut_error *error);
    bool (*finish)(taut_cache *cache, taut_error *error); /* NULL: nothing is left to do */
    uint64_t (*size)(const taut_cache *cache);            /* of the finished file with all nframes; NULL: no limit */
    const char *begin;                                    /* how the file of a frame begins */
    bool object_files;                                    /* a file for each object */
} tio_cache_format;

struct taut_cache {
    tt_scope scope;
    const tio_cache_format *format;
    const char *path;
    int nobjects;
    const taut_cache_object *object;
    tio_faces *faces; /* per object */
    tio_seams *seams; /* per object, if the format has UVs; an object without UVs has uv NULL and no copies */
    double fps;
    int nframes, frames; /* expected, written */
    int flushed;         /* frames whose files are on the disk */
    bool finished;       /* an earlier run finished the cache: nothing is left to do */
    /* For formats that have no file for each frame: */
    FILE *part;
    const char *part_path;
    size_t frame_bytes;
    unsigned char *bytes; /* one frame as in the file */
    float *xyz;           /* one object as read back */
};

extern const tio_cache_format tio_cache_pc2, tio_cache_mdd, tio_cache_obj, tio_cache_ply, tio_cache_glb, tio_cache_vtu,
    tio_cache_pvd, tio_cache_usda;

/* The format that belongs to the ending of a name; NULL, with an error, when there is none. */
const tio_cache_format *tio_find_format(const char *path, taut_error *error);

/* Positions of an object in a frame of PATH.part, valid until the next call; NULL on error. */
const float *tio_cache_read(taut_cache *cache, int object, int frame, taut_error *error);

/* For formats with one object a file: writes each object's finished file with `write`. */
bool tio_each_object(taut_cache *cache, bool (*write)(taut_cache *, int object, FILE *, taut_error *),
                     taut_error *error);

/* Corner-wise minimum and maximum of `count` points. */
typedef struct tio_bounds {
    float min[3], max[3];
} tio_bounds;
tio_bounds tio_bounds_of(const float *xyz, int count);

/* Corners of the faces of an object. */
static inline size_t tio_corners(const tio_faces *faces) { return (size_t)faces->start[faces->count]; }

#endif
