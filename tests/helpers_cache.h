/* The animation that the tests of the cache writers write: a flag of polygons with three, four and five corners, a
 * solid box of tets and a bare rope, each vertex on a path of its own. */
#ifndef TAUT_TESTS_HELPERS_CACHE_H
#define TAUT_TESTS_HELPERS_CACHE_H

#include "taut_io.h"

#include <stdlib.h>
#include <string.h>

enum { CACHE_OBJECTS = 3, CACHE_FRAMES = 7, FLAG_POLYGONS = 3, ROPE_VERTICES = 4 };
#define CACHE_FPS 25.0

typedef struct cache_show {
    taut_mesh box, rope;
    taut_cache_object object[CACHE_OBJECTS];
    float *xyz[CACHE_OBJECTS]; /* of the last frame set */
    float *field[CACHE_OBJECTS];
} cache_show;

/*  4---5---6
 *  | \ |    \
 *  0---1---2--3   a quad 0 1 5 4, on it a triangle 0 4 1, beside it the pentagon 1 2 3 6 5 */
static const float flag_rest[] = {0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 0, 1, 0, 1, 1, 0, 2, 1, 0};
static const int flag_start[] = {0, 4, 7, 12};
static const int flag_polygon[] = {0, 1, 5, 4, 0, 4, 1, 1, 2, 3, 6, 5};

static inline void cache_show_open(cache_show *show)
{
    taut_mesh_beam(&show->box, 2, 1, 1, 0.3f, 0.2f, 0.1f, NULL);
    taut_mesh_chain(&show->rope, ROPE_VERTICES, 1, NULL);
    show->object[0] = (taut_cache_object){.name = "flag",
                                          .nvertices = 7,
                                          .rest = flag_rest,
                                          .npolygons = FLAG_POLYGONS,
                                          .polygon_start = flag_start,
                                          .polygon = flag_polygon};
    show->object[1] = (taut_cache_object){.name = "my \"box\" & <co>",
                                          .nvertices = show->box.nvertices,
                                          .rest = show->box.x,
                                          .ntets = show->box.ntets,
                                          .tet = show->box.tet};
    show->object[2] = (taut_cache_object){.name = "1-rope", .nvertices = show->rope.nvertices, .rest = show->rope.x};
    for (int i = 0; i < CACHE_OBJECTS; i++) {
        show->xyz[i] = malloc(3 * sizeof(float) * (size_t)show->object[i].nvertices);
        show->field[i] = malloc(sizeof(float) * (size_t)(1 + show->object[i].npolygons + show->object[i].ntets));
    }
}

/* Sets positions and fields to numbers of both signs that use all their digits. */
static inline void cache_show_set(cache_show *show, int frame)
{
    for (int i = 0; i < CACHE_OBJECTS; i++) {
        const taut_cache_object *o = &show->object[i];
        for (int k = 0; k < 3 * o->nvertices; k++) {
            int wave = (k * k + 7 * frame + 3 * i) % 11 - 5;
            show->xyz[i][k] = o->rest[k] * (1 - (float)frame / 31) + (float)(wave * frame) / 70;
        }
        for (int k = 0; k < o->npolygons + o->ntets; k++) show->field[i][k] = (float)(100 * frame + 10 * i + k) / 3;
    }
}

static inline bool cache_show_write(cache_show *show, taut_cache *cache, int frame, taut_error *error)
{
    const taut_cache_field strain[] = {{"strain", show->field[0]}}, box_strain[] = {{"strain", show->field[1]}};
    const taut_cache_field *fields[CACHE_OBJECTS] = {strain, box_strain, NULL};
    cache_show_set(show, frame);
    return taut_cache_write(cache, (const float *const *)show->xyz, fields, 1, error);
}

static inline void cache_show_close(cache_show *show)
{
    for (int i = 0; i < CACHE_OBJECTS; i++) {
        free(show->xyz[i]);
        free(show->field[i]);
    }
    taut_mesh_free(&show->box);
    taut_mesh_free(&show->rope);
}

#endif
