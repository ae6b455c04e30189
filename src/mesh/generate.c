#include "mesh/generate.h"

#include "base/error.h"
#include "mesh/limits.h"

#include <stdlib.h>

bool tt_argument_positive(const char *name, float value, taut_error *error)
{
    if (isfinite(value) && value > 0) return true;
    return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "%s must be a finite number above 0, got %g", name,
                   (double)value);
}

bool tt_argument_range(const char *name, int value, int least, int most, taut_error *error)
{
    if (value < least)
        return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "%s must be at least %d, got %d", name, least,
                       value);
    if (value > most)
        return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "%s must be at most %d, got %d", name, most,
                       value);
    return true;
}

int64_t tt_times(int64_t a, int64_t b)
{
    const int64_t too_large = INT64_MAX / 64; /* leaves room for sums of a few */
    return b > 0 && a > too_large / b ? too_large : a * b;
}

/* A count of 0 leaves the array absent. */
static void *take(int64_t count, size_t size, bool *ok)
{
    void *array = count ? calloc((size_t)count, size) : NULL;
    *ok = *ok && (array || !count);
    return array;
}

bool taut_mesh_allocate(taut_mesh *mesh, int64_t nvertices, int64_t ntris, int64_t ntets,
                        int64_t nlines, bool uv, bool frame, taut_error *error)
{
    *mesh = (taut_mesh){0};
    tt_clear(error);
    if (nvertices < 0 || ntris < 0 || ntets < 0 || nlines < 0)
        return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "the mesh would have a negative count");
    if (nvertices > TAUT_MOST_VERTICES)
        return tt_fail(error, TAUT_BAD_ARGUMENT, -1,
                       "the mesh would have %lld vertices, the most is %d", (long long)nvertices,
                       TAUT_MOST_VERTICES);
    if (ntris > TAUT_MOST_SIDES || ntets > TAUT_MOST_SIDES || nlines > TAUT_MOST_SIDES ||
        tt_side_total(ntris, ntets, nlines) > TAUT_MOST_SIDES)
        return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "the mesh would have too many elements: %lld",
                       (long long)(ntris + ntets + nlines));
    bool ok = true;
    *mesh = (taut_mesh){.nvertices = (int)nvertices,
                        .ntris = (int)ntris,
                        .ntets = (int)ntets,
                        .nlines = (int)nlines,
                        .x = take(nvertices, 3 * sizeof(float), &ok),
                        .tri = take(ntris, 3 * sizeof(int), &ok),
                        .tet = take(ntets, 4 * sizeof(int), &ok),
                        .line = take(nlines, 2 * sizeof(int), &ok),
                        .uv = take(uv ? ntris : 0, 6 * sizeof(float), &ok),
                        .frame = take(frame ? ntets : 0, 9 * sizeof(float), &ok)};
    if (ok) return true;
    taut_mesh_free(mesh);
    return tt_no_memory(error);
}

void taut_mesh_free(taut_mesh *mesh)
{
    if (!mesh) return;
    free(mesh->x);
    free(mesh->tri);
    free(mesh->tet);
    free(mesh->line);
    free(mesh->uv);
    free(mesh->direction);
    free(mesh->frame);
    free(mesh->tri_scale);
    free(mesh->tet_scale);
    free(mesh->mass);
    free(mesh->pinned);
    *mesh = (taut_mesh){0};
}

void tt_put_vertex(taut_mesh *mesh, int vertex, vec3 position)
{
    float *x = mesh->x + 3 * (size_t)vertex;
    x[0] = (float)position.x;
    x[1] = (float)position.y;
    x[2] = (float)position.z;
}

void tt_put_triangle(taut_mesh *mesh, int triangle, int a, int b, int c)
{
    int *v = mesh->tri + 3 * (size_t)triangle;
    v[0] = a;
    v[1] = b;
    v[2] = c;
}

void tt_put_tet(taut_mesh *mesh, int tet, int a, int b, int c, int d)
{
    vec3 p0 = vec_of(mesh->x + 3 * (size_t)a);
    vec3 p1 = vec_sub(vec_of(mesh->x + 3 * (size_t)b), p0);
    vec3 p2 = vec_sub(vec_of(mesh->x + 3 * (size_t)c), p0);
    vec3 p3 = vec_sub(vec_of(mesh->x + 3 * (size_t)d), p0);
    bool positive = vec_dot(vec_cross(p1, p2), p3) > 0;
    int *v = mesh->tet + 4 * (size_t)tet;
    v[0] = a;
    v[1] = b;
    v[2] = positive ? c : d;
    v[3] = positive ? d : c;
}
