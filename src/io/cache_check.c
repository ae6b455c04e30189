#include "io/cache_check.h"

#include "base/error.h"
#include "io/cache_names.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool check_indices(const taut_cache_object *object, const char *what, const int *index, int64_t count,
                          taut_error *error)
{
    for (int64_t i = 0; i < count; i++) {
        if (index[i] >= 0 && index[i] < object->nvertices) continue;
        return tt_fail(error, TAUT_BAD_MESH, (int)i, "object %.60s: vertex %d of its %s is outside 0..%d", object->name,
                       index[i], what, object->nvertices - 1);
    }
    return true;
}

static bool check_polygons(const taut_cache_object *object, taut_error *error)
{
    if (object->npolygons == 0) return true;
    const int *start = object->polygon_start;
    if (!start || !object->polygon || start[0] != 0) {
        return tt_fail(error, TAUT_BAD_MESH, -1, "object %.60s: polygon_start must begin with 0", object->name);
    }
    for (int i = 0; i < object->npolygons; i++) {
        if (start[i] <= INT_MAX - 3 && start[i + 1] >= start[i] + 3) continue;
        return tt_fail(error, TAUT_BAD_MESH, i, "object %.60s: polygon %d has fewer than three vertices", object->name,
                       i);
    }
    for (int64_t i = 0; object->uv && i < 2 * (int64_t)start[object->npolygons]; i++) {
        if (isfinite(object->uv[i])) continue;
        return tt_fail(error, TAUT_BAD_MESH, (int)(i / 2), "object %.60s: the UV of corner %d is not finite",
                       object->name, (int)(i / 2));
    }
    return check_indices(object, "polygons", object->polygon, start[object->npolygons], error);
}

static bool check_object(const taut_cache_object *object, int index, taut_error *error)
{
    if (!object->name || !object->name[0]) {
        return tt_fail(error, TAUT_BAD_ARGUMENT, index, "object %d of the cache has no name", index);
    }
    if (object->nvertices < 1 || object->nvertices > TAUT_MOST_VERTICES || !object->rest) {
        return tt_fail(error, TAUT_BAD_MESH, index, "object %.60s: %d vertices, must be 1..%d", object->name,
                       object->nvertices, TAUT_MOST_VERTICES);
    }
    if (object->npolygons < 0 || object->ntets < 0 || object->ntets > INT_MAX / 12 || (object->ntets && !object->tet)) {
        return tt_fail(error, TAUT_BAD_MESH, index, "object %.60s: wrong number of polygons (%d) or tets (%d)",
                       object->name, object->npolygons, object->ntets);
    }
    const float *const rest[] = {object->rest};
    return check_polygons(object, error) &&
           check_indices(object, "tets", object->tet, 4 * (int64_t)object->ntets, error) &&
           tio_check_frame(object, 1, rest, error);
}

static bool check_names(const taut_cache_object *object, int a, int b, taut_error *error)
{
    char *one = tio_identifier(object[a].name), *other = tio_identifier(object[b].name);
    bool good = one && other;
    if (!good) tt_no_memory(error);
    if (good && strcmp(one, other) == 0) {
        good =
            tt_fail(error, TAUT_BAD_ARGUMENT, b, "objects %d and %d of the cache have the same name: %.60s", a, b, one);
    }
    free(one);
    free(other);
    return good;
}

bool tio_check_objects(const taut_cache_object *object, int nobjects, taut_error *error)
{
    if (nobjects < 1 || !object) return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "a cache needs at least one object");
    for (int i = 0; i < nobjects; i++) {
        if (!check_object(&object[i], i, error)) return false;
        for (int other = 0; other < i; other++) {
            if (!check_names(object, other, i, error)) return false;
        }
    }
    return true;
}

bool tio_check_frame(const taut_cache_object *object, int nobjects, const float *const *xyz, taut_error *error)
{
    for (int i = 0; i < nobjects; i++) {
        for (int64_t k = 0; k < 3 * (int64_t)object[i].nvertices; k++) {
            if (isfinite(xyz[i][k])) continue;
            return tt_fail(error, TAUT_BAD_ARGUMENT, (int)(k / 3),
                           "object %.60s: the position of vertex %d is not a finite number", object[i].name,
                           (int)(k / 3));
        }
    }
    return true;
}
