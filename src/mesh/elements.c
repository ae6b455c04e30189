#include "mesh/elements.h"

/* Below this part of the cube (square) of its longest edge, a tet (triangle) is too flat. */
static const double FLATTEST = 1e-5;

static double det(vec3 a, vec3 b, vec3 c) { return vec_dot(vec_cross(a, b), c); }

static bool is_flat(const vec3 corner[4], int corners)
{
    double longest2 = 0;
    for (int i = 0; i < corners; i++) {
        for (int j = 0; j < i; j++) {
            vec3 edge = vec_sub(corner[i], corner[j]);
            longest2 = fmax(longest2, vec_dot(edge, edge));
        }
    }
    vec3 a = vec_sub(corner[1], corner[0]), b = vec_sub(corner[2], corner[0]);
    if (corners == 3) return !(vec_length(vec_cross(a, b)) > FLATTEST * longest2);
    double volume = det(a, b, vec_sub(corner[3], corner[0]));
    return !(fabs(volume) > FLATTEST * longest2 * sqrt(longest2));
}

const int *tt_elements_corners(const tt_elements *elements, int item, vec3 corner[4])
{
    const taut_mesh *mesh = elements->mesh;
    const int *all = elements->corners == 3 ? mesh->tri : mesh->tet;
    const int *v = all + (size_t)elements->corners * (size_t)elements->element[item];
    for (int i = 0; i < elements->corners; i++) corner[i] = vec_of(mesh->x + 3 * (size_t)v[i]);
    return v;
}

bool tt_elements_build(tt_scope *scope, const taut_mesh *mesh, int corners, tt_elements *elements)
{
    int count = corners == 3 ? mesh->ntris : mesh->ntets;
    *elements = (tt_elements){.mesh = mesh, .corners = corners, .element = TT_TAKE(scope, int, count)};
    tt_scope scratch;
    tt_scope_open(&scratch, &scope->allocator);
    tt_box *box = TT_TAKE(&scratch, tt_box, count);
    bool ok = elements->element && box;
    for (int e = 0; ok && e < count; e++) {
        vec3 corner[4];
        elements->element[elements->count] = e;
        tt_elements_corners(elements, elements->count, corner);
        if (!is_flat(corner, corners)) box[elements->count++] = tt_box_around(corner, corners);
    }
    ok = ok && tt_bvh_build(scope, box, elements->count, &elements->bvh);
    tt_scope_close(&scratch);
    return ok;
}

void tt_weights_in_tet(const vec3 corner[4], vec3 p, double weight[4])
{
    vec3 a = vec_sub(corner[1], corner[0]), b = vec_sub(corner[2], corner[0]);
    vec3 c = vec_sub(corner[3], corner[0]), from = vec_sub(p, corner[0]);
    double volume = det(a, b, c);
    weight[1] = det(from, b, c) / volume;
    weight[2] = det(a, from, c) / volume;
    weight[3] = det(a, b, from) / volume;
    weight[0] = 1 - weight[1] - weight[2] - weight[3];
}

double tt_closest_in_tet(const vec3 corner[4], vec3 p, double weight[4])
{
    double all[4], nearest = INFINITY;
    tt_weights_in_tet(corner, p, all);
    bool inside = true;
    for (int i = 0; i < 4; i++) {
        if (all[i] >= 0) continue; /* p is on the inner side of the face across from i */
        inside = false;
        int a = (i + 1) % 4, b = (i + 2) % 4, c = (i + 3) % 4;
        double on_face[3];
        vec3 away = vec_sub(p, tt_closest_on_triangle(p, corner[a], corner[b], corner[c], on_face));
        if (vec_dot(away, away) >= nearest) continue;
        nearest = vec_dot(away, away);
        weight[i] = 0;
        weight[a] = on_face[0];
        weight[b] = on_face[1];
        weight[c] = on_face[2];
    }
    if (!inside) return nearest;
    for (int i = 0; i < 4; i++) weight[i] = all[i];
    return 0;
}

double tt_elements_distance(const void *elements, int item, vec3 point)
{
    const tt_elements *all = elements;
    vec3 corner[4] = {{0, 0, 0}};
    double weight[4];
    tt_elements_corners(all, item, corner);
    if (all->corners == 4) return tt_closest_in_tet(corner, point, weight);
    vec3 away = vec_sub(point, tt_closest_on_triangle(point, corner[0], corner[1], corner[2], weight));
    return vec_dot(away, away);
}
