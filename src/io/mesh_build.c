#include "io/mesh_build.h"

#include "base/error.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

bool tio_append(tio_list *list, const void *items, size_t size, taut_error *error)
{
    if (size == 0) return true;
    if (size > list->capacity - list->size) {
        size_t capacity = list->capacity < 256 ? 256 : list->capacity;
        while (capacity - list->size < size && capacity <= SIZE_MAX / 2) capacity *= 2;
        void *data = capacity - list->size < size ? NULL : realloc(list->data, capacity);
        if (!data) return tt_no_memory(error);
        list->data = data;
        list->capacity = capacity;
    }
    char *end = (char *)list->data + list->size;
    if (items) memcpy(end, items, size);
    else memset(end, 0, size);
    list->size += size;
    return true;
}

void tio_list_free(tio_list *list)
{
    free(list->data);
    *list = (tio_list){0};
}

void tio_builder_open(tio_builder *builder, const char *name, taut_error *error)
{
    *builder = (tio_builder){.name = name, .error = error};
}

/* Counts must fit an int, and so must the sides that the mesh's checks count. */
static bool count_one(tio_builder *builder, int *count, int most, const char *things)
{
    if (*count >= most)
        return tt_fail(builder->error, TAUT_BAD_MESH, -1, "%s: more than %d %s", builder->name,
                       most, things);
    (*count)++;
    return true;
}

bool tio_add_vertex(tio_builder *builder, const float x[3])
{
    return count_one(builder, &builder->nvertices, TAUT_MOST_VERTICES, "vertices") &&
           tio_append(&builder->x, x, 3 * sizeof *x, builder->error);
}

bool tio_add_line(tio_builder *builder, int a, int b)
{
    if (a == b) return true;
    return count_one(builder, &builder->nlines, TAUT_MOST_SIDES / 2, "lines") &&
           tio_append(&builder->line, (const int[2]){a, b}, 2 * sizeof(int), builder->error);
}

static vec3 vertex_at(const tio_builder *builder, int vertex)
{
    return vec_of((const float *)builder->x.data + 3 * (size_t)vertex);
}

bool tio_add_tet(tio_builder *builder, const int vertex[4])
{
    vec3 origin = vertex_at(builder, vertex[0]);
    vec3 a = vec_sub(vertex_at(builder, vertex[1]), origin);
    vec3 b = vec_sub(vertex_at(builder, vertex[2]), origin);
    vec3 c = vec_sub(vertex_at(builder, vertex[3]), origin);
    bool inverted = vec_dot(vec_cross(a, b), c) < 0;
    int turned[4] = {vertex[0], vertex[1], vertex[inverted ? 3 : 2], vertex[inverted ? 2 : 3]};
    return count_one(builder, &builder->ntets, TAUT_MOST_SIDES / 6, "tets") &&
           tio_append(&builder->tet, turned, sizeof turned, builder->error);
}

/* Leaves out corners that repeat the corner before; returns how many stay. */
static int drop_repeats(int *corner, float *uv, int ncorners)
{
    int n = 0;
    for (int i = 0; i < ncorners; i++) {
        if (n > 0 && corner[i] == corner[n - 1]) continue;
        corner[n] = corner[i];
        if (uv) memcpy(&uv[2 * n], &uv[2 * i], 2 * sizeof *uv);
        n++;
    }
    while (n > 1 && corner[n - 1] == corner[0]) n--;
    return n;
}

static bool add_triangle(tio_builder *builder, const int *corner, const float *uv, const int *pick)
{
    int vertex[3] = {corner[pick[0]], corner[pick[1]], corner[pick[2]]};
    /* A face with a hole visits the vertices of the bridge to it twice. */
    if (vertex[0] == vertex[1] || vertex[1] == vertex[2] || vertex[2] == vertex[0]) return true;
    if (uv && builder->uv.size == 0 &&
        !tio_append(&builder->uv, NULL, (size_t)builder->ntris * 6 * sizeof *uv, builder->error))
        return false;
    float uvs[6] = {0};
    for (int i = 0; uv && i < 3; i++) memcpy(&uvs[2 * i], &uv[2 * pick[i]], 2 * sizeof *uv);
    bool has_uv = uv || builder->uv.size > 0;
    return count_one(builder, &builder->ntris, TAUT_MOST_SIDES / 3, "triangles") &&
           tio_append(&builder->tri, vertex, sizeof vertex, builder->error) &&
           (!has_uv || tio_append(&builder->uv, uvs, sizeof uvs, builder->error));
}

/* Adds the UVs of a polygon. Call it before the corners themselves are added. */
static bool add_polygon_uv(tio_builder *builder, const float *uv, int ncorners)
{
    size_t before = builder->polygon.size / sizeof(int), pair = 2 * sizeof *uv;
    if (!uv && builder->polygon_uv.size == 0) return true;
    if (builder->polygon_uv.size == 0 && !tio_append(&builder->polygon_uv, NULL, before * pair, builder->error))
        return false;
    return tio_append(&builder->polygon_uv, uv, (size_t)ncorners * pair, builder->error);
}

bool tio_add_polygon(tio_builder *builder, int *corner, float *uv, int ncorners)
{
    int n = drop_repeats(corner, uv, ncorners);
    if (n < 3) return true;
    if (n > TIO_MAX_CORNERS)
        return tt_fail(builder->error, TAUT_BAD_MESH, -1,
                       "%s: a face has %d corners, the most is %d", builder->name, n,
                       TIO_MAX_CORNERS);
    int small[3 * 6], *triangle = n <= 8 ? small : malloc(3 * (size_t)n * sizeof *triangle);
    bool good = triangle && tio_triangulate(builder->x.data, corner, n, triangle);
    if (!good) tt_no_memory(builder->error);
    int before = builder->ntris;
    for (int t = 0; good && t < n - 2; t++)
        good = add_triangle(builder, corner, uv, &triangle[3 * t]);
    if (triangle != small) free(triangle);
    if (!good || builder->ntris == before) return good;
    int start = (int)(builder->polygon.size / sizeof(int));
    if (start > TAUT_MOST_SIDES)
        return tt_fail(builder->error, TAUT_BAD_MESH, -1, "%s: too many faces", builder->name);
    builder->npolygons++;
    return tio_append(&builder->polygon_start, &start, sizeof start, builder->error) &&
           add_polygon_uv(builder, uv, n) &&
           tio_append(&builder->polygon, corner, (size_t)n * sizeof *corner, builder->error);
}

bool tio_check_index(tio_text *text, const char *what, int64_t index, int first, int count,
                     int *vertex)
{
    int64_t from_zero = index - first; /* neither is near the ends of its range */
    if (from_zero < 0 || from_zero >= count)
        return tio_fail(text, "%s %lld is outside %d..%d", what, (long long)index, first,
                        first + count - 1);
    *vertex = (int)from_zero;
    return true;
}

static void *hand_over(tio_list *list)
{
    void *data = list->data;
    *list = (tio_list){0};
    return data;
}

bool tio_builder_finish(tio_builder *builder, taut_mesh_file *file)
{
    int end = (int)(builder->polygon.size / sizeof end);
    if (!tio_append(&builder->polygon_start, &end, sizeof end, builder->error)) {
        tio_builder_discard(builder);
        return false;
    }
    file->mesh = (taut_mesh){.nvertices = builder->nvertices,
                             .ntris = builder->ntris,
                             .ntets = builder->ntets,
                             .nlines = builder->nlines,
                             .x = hand_over(&builder->x),
                             .tri = hand_over(&builder->tri),
                             .tet = hand_over(&builder->tet),
                             .line = hand_over(&builder->line),
                             .uv = hand_over(&builder->uv)};
    file->npolygons = builder->npolygons;
    file->polygon_start = hand_over(&builder->polygon_start);
    file->polygon = hand_over(&builder->polygon);
    file->polygon_uv = hand_over(&builder->polygon_uv);
    file->ngroups = (int)(builder->group.size / sizeof *file->group);
    file->group = hand_over(&builder->group);
    taut_error cause;
    if (taut_mesh_check(&file->mesh, &cause)) return true;
    tt_fail(builder->error, cause.code, cause.index, "%s: %.200s", builder->name, cause.text);
    taut_mesh_file_free(file);
    return false;
}

void tio_builder_discard(tio_builder *builder)
{
    taut_vertex_group *group = builder->group.data;
    for (size_t i = 0; i < builder->group.size / sizeof *group; i++) {
        free(group[i].name);
        free(group[i].vertex);
    }
    tio_list_free(&builder->x);
    tio_list_free(&builder->tri);
    tio_list_free(&builder->tet);
    tio_list_free(&builder->line);
    tio_list_free(&builder->uv);
    tio_list_free(&builder->polygon_start);
    tio_list_free(&builder->polygon);
    tio_list_free(&builder->polygon_uv);
    tio_list_free(&builder->group);
}
