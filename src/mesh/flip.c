#include "mesh/flip.h"

/* Cosine of the angle that any of the four normals may have with the mean of the old two: 20 degrees. */
static const double LEAST_COSINE = 0.94;

typedef struct wing {
    vec3 normal;  /* as long as twice the area          */
    double area2; /* the length of `normal`             */
    double thin;  /* cotangent of the smallest angle, x2 */
} wing;

static wing wing_of(const tt_editable *e, int a, int b, int c)
{
    vec3 ab = vec_sub(e->at[b], e->at[a]), ac = vec_sub(e->at[c], e->at[a]), bc = vec_sub(e->at[c], e->at[b]);
    double l[3] = {vec_dot(ab, ab), vec_dot(ac, ac), vec_dot(bc, bc)};
    double least = l[0] < l[1] ? l[0] : l[1];
    if (l[2] < least) least = l[2];
    wing w = {.normal = vec_cross(ab, ac)};
    w.area2 = vec_length(w.normal);
    /* The smallest angle is across from the shortest side. */
    w.thin = w.area2 > 0 ? (l[0] + l[1] + l[2] - 2 * least) / w.area2 : INFINITY;
    return w;
}

static bool is_along(const wing *w, vec3 mean) { return vec_dot(w->normal, mean) >= LEAST_COSINE * w->area2; }

/* The sign of the cosine of the angle at which p sees a b. */
static double facing(const tt_editable *e, int p, int a, int b)
{
    return vec_dot(vec_sub(e->at[a], e->at[p]), vec_sub(e->at[b], e->at[p]));
}

bool tt_flip(tt_editable *e, int a, int b, int apex[2])
{
    int side[2];
    if (!tt_editable_is_inside(e, a, b, side)) return false;
    int c = tt_before(e, side[0]), d = tt_before(e, side[1]);
    if (c == d || (facing(e, c, a, b) >= 0 && facing(e, d, a, b) >= 0)) return false; /* mostly it is Delaunay */
    const wing old[2] = {wing_of(e, a, b, c), wing_of(e, b, a, d)};
    vec3 mean = vec_add(old[0].normal, old[1].normal);
    double length = vec_length(mean);
    if (!(length > 0)) return false;
    const wing new[2] = {wing_of(e, a, d, c), wing_of(e, b, c, d)};
    /* Better by a margin, because otherwise rounding could flip an edge to and fro for ever. */
    double before = old[0].thin > old[1].thin ? old[0].thin : old[1].thin;
    double after = new[0].thin > new[1].thin ? new[0].thin : new[1].thin;
    if (!(after < before * (1 - 1e-6))) return false;
    mean = vec_scale(mean, 1 / length);
    for (int i = 0; i < 2; i++)
        if (!is_along(&old[i], mean) || !is_along(&new[i], mean)) return false;
    int none[2];
    if (tt_editable_sides(e, c, d, none) > 0) return false;
    tt_editable_flip(e, side);
    apex[0] = c;
    apex[1] = d;
    return true;
}
