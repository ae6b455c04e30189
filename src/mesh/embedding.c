/* A fine mesh that rides on a simulated one.
 *
 * A vertex in a tet keeps its barycentric coordinates. A vertex outside all tets keeps those in the nearest tet, some
 * of which are negative. A vertex near a triangle keeps the coordinates of its foot in the triangle's plane and its
 * height over it. A rigid motion carries tets and triangles along, so the fine mesh follows it up to rounding. */
#include "taut.h"

#include "base/error.h"
#include "mesh/elements.h"
#include "mesh/topology.h"

typedef struct binding {
    int vertex[4];    /* of the simulated mesh; vertex[3] is -1 on a triangle */
    double weight[3]; /* of vertex[0..2] */
    double last;      /* the weight of vertex[3], or the height over the triangle, m */
} binding;

struct taut_embedding {
    tt_scope scope;
    int count;
    binding *binding;
};

static vec3 at(const float *xyz, int vertex) { return vec_of(xyz + 3 * (size_t)vertex); }

/* ---- Binding ------------------------------------------------------------------------------------------ */

static binding bind_to_tet(const tt_elements *tets, int item, vec3 p)
{
    vec3 corner[4];
    double weight[4];
    const int *v = tt_elements_corners(tets, item, corner);
    tt_weights_in_tet(corner, p, weight);
    return (binding){{v[0], v[1], v[2], v[3]}, {weight[0], weight[1], weight[2]}, weight[3]};
}

static binding bind_to_triangle(const tt_elements *tris, int item, vec3 p)
{
    vec3 corner[4];
    const int *v = tt_elements_corners(tris, item, corner);
    vec3 a = vec_sub(corner[1], corner[0]), b = vec_sub(corner[2], corner[0]);
    vec3 from = vec_sub(p, corner[0]), normal = vec_cross(a, b);
    double area2 = vec_dot(normal, normal);
    double wb = vec_dot(vec_cross(from, b), normal) / area2;
    double wc = vec_dot(vec_cross(a, from), normal) / area2;
    double height = vec_dot(from, normal) / sqrt(area2);
    return (binding){{v[0], v[1], v[2], -1}, {1 - wb - wc, wb, wc}, height};
}

/* Inside a tet the distance is 0, so a triangle carries only vertices that are nearer to it than to any tet. */
static binding bind(const tt_elements *tets, const tt_elements *tris, vec3 p)
{
    double nearest = INFINITY;
    int tet = tt_bvh_nearest(&tets->bvh, tt_elements_distance, tets, p, &nearest);
    int tri = tt_bvh_nearest(&tris->bvh, tt_elements_distance, tris, p, &nearest);
    return tri >= 0 ? bind_to_triangle(tris, tri, p) : bind_to_tet(tets, tet, p);
}

static bool check(const taut_mesh *simulated, const float *xyz, int count, taut_error *error)
{
    if (!taut_mesh_check(simulated, error)) return false;
    if (count < 0 || (count > 0 && !xyz))
        return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "there are no positions of %d vertices to embed", count);
    for (int v = 0; v < count; v++)
        for (int i = 0; i < 3; i++)
            if (!isfinite(xyz[3 * (size_t)v + (size_t)i]))
                return tt_fail(error, TAUT_BAD_ARGUMENT, v, "vertex %d to embed: position is not finite", v);
    return true;
}

static bool bind_all(taut_embedding *embedding, tt_scope *scratch, const taut_mesh *mesh, const float *xyz,
                     taut_error *error)
{
    tt_elements tets, tris;
    embedding->binding = TT_TAKE(&embedding->scope, binding, embedding->count);
    if (!embedding->binding || !tt_elements_build(scratch, mesh, 4, &tets) ||
        !tt_elements_build(scratch, mesh, 3, &tris))
        return tt_no_memory(error);
    if (tets.count + tris.count == 0)
        return tt_fail(error, TAUT_BAD_MESH, -1,
                       "the simulated mesh has no triangle or tet that is not flat to carry vertices");
    for (int v = 0; v < embedding->count; v++) embedding->binding[v] = bind(&tets, &tris, at(xyz, v));
    return true;
}

taut_embedding *taut_embedding_build(const taut_mesh *simulated, const float *xyz, int count, taut_error *error)
{
    tt_clear(error);
    if (!check(simulated, xyz, count, error)) return NULL;
    tt_scope scope, scratch;
    tt_scope_open(&scope, NULL);
    taut_embedding *embedding = TT_TAKE(&scope, taut_embedding, 1);
    if (!embedding) {
        tt_no_memory(error);
        return NULL;
    }
    *embedding = (taut_embedding){.scope = scope, .count = count};
    tt_scope_open(&scratch, NULL);
    bool ok = bind_all(embedding, &scratch, simulated, xyz, error);
    tt_scope_close(&scratch);
    if (ok) return embedding;
    taut_embedding_free(embedding);
    return NULL;
}

/* ---- Riding along --------------------------------------------------------------------------------------- */

/* A triangle that has shrunk to a line has no normal: the fine vertices then lie on it until it opens again. */
static vec3 unit_normal(vec3 a, vec3 b, vec3 c)
{
    vec3 normal = vec_cross(vec_sub(b, a), vec_sub(c, a));
    double length = vec_length(normal);
    return length > 0 ? vec_scale(normal, 1 / length) : (vec3){0, 0, 0};
}

void taut_embedding_apply(const taut_embedding *embedding, const float *simulated_xyz, float *xyz)
{
    for (int v = 0; v < embedding->count; v++) {
        const binding *b = &embedding->binding[v];
        vec3 corner[3], sum = {0, 0, 0};
        for (int i = 0; i < 3; i++) {
            corner[i] = at(simulated_xyz, b->vertex[i]);
            sum = vec_add(sum, vec_scale(corner[i], b->weight[i]));
        }
        vec3 last = b->vertex[3] >= 0 ? at(simulated_xyz, b->vertex[3]) : unit_normal(corner[0], corner[1], corner[2]);
        sum = vec_add(sum, vec_scale(last, b->last));
        float *x = xyz + 3 * (size_t)v;
        x[0] = (float)sum.x;
        x[1] = (float)sum.y;
        x[2] = (float)sum.z;
    }
}

void taut_embedding_free(taut_embedding *embedding)
{
    if (!embedding) return;
    tt_scope scope = embedding->scope; /* the embedding's own memory is in it */
    tt_scope_close(&scope);
}
