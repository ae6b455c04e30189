/* Searches for the extremes of a coarse triangle or hinge (MRSL 4.2).
 *
 * Sixteen searches start from the patch rolled up in different directions. They do so because a shell whose bending is
 * limited gets shortest along an arc, and a flat shell would never leave its plane by itself. Then, again and again,
 * the coarse vertices are pushed a little further and the limits of the patch are enforced. The pushes get smaller
 * until they end. Then passes without a push remove the remaining violations. The result is the extremes of all
 * searches. train.c adds a margin for extremes that they may have missed. */
#include "base/exact.h"
#include "base/hash.h"
#include "base/vec.h"
#include "model/train.h"

#include <math.h>

enum { PUSHES = 48, PASSES = 3, SETTLING = 60, CORNERS = 4 };

static const double PUSH_STRETCH = 0.08, PUSH_ANGLE = 0.04; /* the first push: of the size at rest; rad    */
static const double ROUND = 0.95 * TT_PI; /* rolled up further, a patch would run into itself           */
static const double SHUT = 2.8;           /* rad: pushed further, a hinge would turn round              */
static const double SHAKE = 0.02;         /* of the size, and up to seven times as much                 */
static const float SETTLED = 1e-4f;

/* The coarse element in its rest shape, about its centre. */
typedef struct element {
    int n;                 /* corners: 3, or 4 of a hinge: p1 p2 p3 p4 of tt_hinge */
    int corner[CORNERS];   /* in the patch                                         */
    vec3 center, axis[3];  /* axis[2] is the normal                                */
    double inverse[2][2];  /* triangle: Q^-1                                       */
    double rest[CORNERS][2];
    double rest_angle;     /* hinge                                                */
} element;

static vec3 unit(vec3 a)
{
    double length = vec_length(a);
    return length > 0 ? vec_scale(a, 1 / length) : (vec3){0, 0, 0};
}

static vec3 position(const tt_patch *patch, int vertex, int lane) { return vec_of(tt_patch_at(patch, vertex, lane)); }

static void place(const tt_patch *patch, int vertex, int lane, vec3 x)
{
    float *p = tt_patch_at(patch, vertex, lane);
    p[0] = (float)x.x, p[1] = (float)x.y, p[2] = (float)x.z;
}

static void move(const tt_patch *patch, int vertex, int lane, vec3 step)
{
    place(patch, vertex, lane, vec_add(position(patch, vertex, lane), step));
}

/* ---- The stretch of a triangle ----------------------------------------------------------------------------------- */

typedef struct stretch {
    double s[2];  /* largest, smallest        */
    vec3 u[2];    /* their directions now     */
    double v[2][2]; /* their directions at rest */
} stretch;

static stretch measure_stretch(const element *e, const tt_patch *patch, int lane)
{
    vec3 p0 = position(patch, e->corner[0], lane), f[2];
    vec3 d1 = vec_sub(position(patch, e->corner[1], lane), p0), d2 = vec_sub(position(patch, e->corner[2], lane), p0);
    for (int j = 0; j < 2; j++) f[j] = vec_add(vec_scale(d1, e->inverse[0][j]), vec_scale(d2, e->inverse[1][j]));
    double a = vec_dot(f[0], f[0]), b = vec_dot(f[1], f[1]), y = vec_dot(f[0], f[1]), x = (a - b) / 2;
    double r = sqrt(x * x + y * y), v0 = x > 0 ? r + x : y, v1 = x > 0 ? y : r - x, length = sqrt(v0 * v0 + v1 * v1);
    stretch m;
    m.v[0][0] = length > 0 ? v0 / length : 1;
    m.v[0][1] = length > 0 ? v1 / length : 0;
    m.v[1][0] = -m.v[0][1], m.v[1][1] = m.v[0][0];
    for (int i = 0; i < 2; i++) {
        m.u[i] = vec_add(vec_scale(f[0], m.v[i][0]), vec_scale(f[1], m.v[i][1]));
        m.s[i] = vec_length(m.u[i]);
        m.u[i] = unit(m.u[i]);
    }
    return m;
}

/* Stretches the triangle by `by` along the direction of its largest (which = 0) or smallest stretch. */
static void push_stretch(const element *e, const tt_patch *patch, int lane, int which, double by)
{
    stretch m = measure_stretch(e, patch, lane);
    if (m.s[which] + by < 0) by = -m.s[which];
    for (int k = 0; k < 3; k++) {
        double along = e->rest[k][0] * m.v[which][0] + e->rest[k][1] * m.v[which][1];
        move(patch, e->corner[k], lane, vec_scale(m.u[which], by * along));
    }
}

/* ---- The angle of a hinge ---------------------------------------------------------------------------------------- */

typedef struct fold {
    vec3 n1, n2, e; /* normals, twice the areas long; the edge */
    double angle;   /* off rest, in (-pi, pi]                  */
} fold;

static fold measure_fold(const vec3 *p, double rest_angle)
{
    fold f = {.n1 = vec_cross(vec_sub(p[2], p[0]), vec_sub(p[3], p[0])),
              .n2 = vec_cross(vec_sub(p[3], p[1]), vec_sub(p[2], p[1])),
              .e = vec_sub(p[3], p[2])};
    double off = tt_atan2(vec_dot(vec_cross(f.n1, f.n2), f.e), vec_length(f.e) * vec_dot(f.n1, f.n2)) - rest_angle;
    f.angle = off > TT_PI ? off - 2 * TT_PI : off < -TT_PI ? off + 2 * TT_PI : off;
    return f;
}

static fold measure_lane(const element *e, const tt_patch *patch, int lane)
{
    vec3 p[CORNERS];
    for (int k = 0; k < CORNERS; k++) p[k] = position(patch, e->corner[k], lane);
    return measure_fold(p, e->rest_angle);
}

/* Both wings turn by half of the angle, and the edge moves so that the centre stays. A hinge that is nearly shut stays
 * as it is. */
static void push_fold(const element *e, const tt_patch *patch, int lane, double by)
{
    fold f = measure_lane(e, patch, lane);
    double length = vec_length(f.e);
    if (fabs(f.angle) > SHUT || !(length > 0)) return;
    vec3 first = vec_scale(f.n1, -0.5 * by / length), second = vec_scale(f.n2, -0.5 * by / length);
    vec3 back = vec_scale(vec_add(first, second), -0.5);
    const vec3 step[CORNERS] = {first, second, back, back};
    for (int k = 0; k < CORNERS; k++) move(patch, e->corner[k], lane, step[k]);
}

/* ---- Starts ------------------------------------------------------------------------------------------------------ */

static void set_frame(element *e, const vec3 *x, vec3 along, vec3 normal)
{
    e->center = (vec3){0, 0, 0};
    for (int k = 0; k < e->n; k++) e->center = vec_add(e->center, vec_scale(x[k], 1.0 / e->n));
    e->axis[2] = unit(normal);
    e->axis[0] = unit(along);
    e->axis[1] = vec_cross(e->axis[2], e->axis[0]);
    for (int k = 0; k < e->n; k++)
        for (int j = 0; j < 2; j++) e->rest[k][j] = vec_dot(e->axis[j], vec_sub(x[k], e->center));
}

/* Rolls a lane up along a direction of the element's plane (cosine, sine from axis 0), by `curvature` 1/m. */
static void roll(const element *e, const tt_patch *patch, int lane, const double direction[2], double curvature)
{
    vec3 along = vec_add(vec_scale(e->axis[0], direction[0]), vec_scale(e->axis[1], direction[1]));
    vec3 across = vec_cross(e->axis[2], along);
    double far = 0;
    for (int i = 0; i < patch->nvertices; i++)
        far = fmax(far, fabs(vec_dot(along, vec_sub(position(patch, i, lane), e->center))));
    if (fabs(curvature) * far > ROUND) curvature = curvature > 0 ? ROUND / far : -ROUND / far;
    for (int i = 0; i < patch->nvertices; i++) {
        vec3 d = vec_sub(position(patch, i, lane), e->center);
        double a = vec_dot(along, d), b = vec_dot(across, d), h = vec_dot(e->axis[2], d), turn = a * curvature;
        if (fabs(turn) > 1e-6) {
            double radius = 1 / curvature;
            a = (radius - h) * tt_sin(turn);
            h = radius - (radius - h) * tt_cos(turn);
        }
        vec3 rolled = vec_add(vec_scale(along, a), vec_scale(across, b));
        place(patch, i, lane, vec_add(rolled, vec_scale(e->axis[2], h)));
    }
}

/* Moves every vertex of a lane by up to `size`, the same way in every training. */
static void shake(const tt_patch *patch, int lane, double size)
{
    for (int i = 0; i < patch->nvertices; i++) {
        uint64_t seed = (uint64_t)patch->vertex[i] * TT_BLOCK + (uint64_t)lane;
        uint64_t random = tt_hash(TT_HASH_SEED, &seed, sizeof seed);
        double d[3];
        for (int c = 0; c < 3; c++) d[c] = size * ((double)(random >> 20 * c & 0xfffff) / 0x80000 - 1);
        move(patch, i, lane, (vec3){d[0], d[1], d[2]});
    }
}

/* The sharpest curvature that the limits allow a regular mesh. Its hinges are half as far apart as the sum of their
 * heights. */
static double sharpest(const taut_limit *limit)
{
    return 2 * fmax(fabs((double)limit->bend[0]), fabs((double)limit->bend[1]));
}

/* ---- Searching --------------------------------------------------------------------------------------------------- */

typedef void push_function(const element *e, const tt_patch *patch, int lane, double size);

/* Pushes less and less, then lets go. */
static void search(const element *e, tt_patch *patch, const tt_ground *ground, push_function *push)
{
    for (int i = 0; i < PUSHES; i++) {
        for (int lane = 0; lane < TT_BLOCK; lane++) push(e, patch, lane, 1 - (double)i / PUSHES);
        for (int pass = 0; pass < PASSES; pass++) tt_patch_enforce(patch, ground);
    }
    for (int i = 0; i < SETTLING; i++)
        if (tt_patch_enforce(patch, ground) <= SETTLED) break;
}

static void push_triangle(const element *e, const tt_patch *patch, int lane, double size)
{
    bool grow = lane >= TT_BLOCK / 2;
    push_stretch(e, patch, lane, grow ? 0 : 1, grow ? size * PUSH_STRETCH : -size * PUSH_STRETCH);
}

static void push_hinge(const element *e, const tt_patch *patch, int lane, double size)
{
    push_fold(e, patch, lane, lane < TT_BLOCK / 2 ? size * PUSH_ANGLE : -size * PUSH_ANGLE);
}

static bool set_triangle(element *e, const tt_patch *patch, const tt_cover *cover, int t)
{
    vec3 x[3];
    e->n = 3;
    for (int k = 0; k < 3; k++) {
        int v = cover->mesh->tri[3 * (size_t)t + (size_t)k];
        x[k] = vec_of(&cover->mesh->x[3 * (size_t)v]);
        e->corner[k] = patch->local[cover->origin[v]] - 1;
        if (e->corner[k] < 0) return false;
    }
    vec3 d1 = vec_sub(x[1], x[0]), normal = vec_cross(d1, vec_sub(x[2], x[0]));
    set_frame(e, x, d1, normal);
    double q[2][2];
    for (int k = 0; k < 2; k++)
        for (int j = 0; j < 2; j++) q[j][k] = e->rest[k + 1][j] - e->rest[0][j];
    double det = q[0][0] * q[1][1] - q[0][1] * q[1][0];
    if (!(det > 1e-9 * vec_dot(d1, d1))) return false;
    e->inverse[0][0] = q[1][1] / det, e->inverse[0][1] = -q[0][1] / det;
    e->inverse[1][0] = -q[1][0] / det, e->inverse[1][1] = q[0][0] / det;
    return true;
}

/* Half of the lanes shrink the triangle and half of them grow it. They start rolled up along each of its edges, both
 * ways, and flat. */
static tt_range search_triangle(const element *e, tt_patch *patch, const tt_ground *ground, const taut_limit *limit)
{
    const double flat[2] = {1, 0};
    for (int lane = 0; lane < TT_BLOCK; lane++) {
        int way = lane % (TT_BLOCK / 2), k = way % 3, next = (k + 1) % 3;
        double along[2] = {e->rest[next][0] - e->rest[k][0], e->rest[next][1] - e->rest[k][1]};
        double length = sqrt(along[0] * along[0] + along[1] * along[1]);
        along[0] /= length, along[1] /= length;
        if (way < 6) roll(e, patch, lane, along, way < 3 ? sharpest(limit) : -sharpest(limit));
        else roll(e, patch, lane, flat, 0);
        shake(patch, lane, SHAKE * (1 + 2 * (way % 4)) * length);
    }
    search(e, patch, ground, push_triangle);
    double least = 1, most = 1;
    for (int lane = 0; lane < TT_BLOCK; lane++) {
        stretch m = measure_stretch(e, patch, lane);
        least = fmin(least, m.s[1]);
        most = fmax(most, m.s[0]);
    }
    return (tt_range){(float)least, (float)most};
}

static bool set_hinge(element *e, const tt_patch *patch, const tt_cover *cover, int h)
{
    const tt_hinge *hinge = &cover->topology.hinge[h];
    const int v[CORNERS] = {hinge->p1, hinge->p2, hinge->p3, hinge->p4};
    vec3 x[CORNERS];
    e->n = CORNERS;
    for (int k = 0; k < CORNERS; k++) {
        x[k] = vec_of(&cover->mesh->x[3 * (size_t)v[k]]);
        e->corner[k] = patch->local[cover->origin[v[k]]] - 1;
        if (e->corner[k] < 0) return false;
    }
    fold f = measure_fold(x, 0);
    vec3 normal = vec_add(unit(f.n1), unit(f.n2));
    vec3 across = vec_cross(f.e, normal);
    if (!(vec_length(across) > 0)) return false;
    set_frame(e, x, across, normal);
    e->rest_angle = f.angle;
    return true;
}

/* Half of the lanes fold the hinge up and half of them down. They start rolled up across its edge and askew, more and
 * less. */
static tt_range search_hinge(const element *e, tt_patch *patch, const tt_ground *ground, const taut_limit *limit)
{
    static const double askew[3] = {0, 0.35, -0.35}, amount[3] = {1, 0.5, 1.5};
    double length = vec_length((vec3){e->rest[3][0] - e->rest[2][0], e->rest[3][1] - e->rest[2][1], 0});
    for (int lane = 0; lane < TT_BLOCK; lane++) {
        int way = lane % (TT_BLOCK / 2);
        const double along[2] = {tt_cos(askew[way % 3]), tt_sin(askew[way % 3])};
        double curvature = sharpest(limit) * amount[way / 3];
        roll(e, patch, lane, along, lane < TT_BLOCK / 2 ? -curvature : curvature);
        shake(patch, lane, SHAKE * (1 + 2 * (way % 4)) * length);
    }
    search(e, patch, ground, push_hinge);
    double least = 0, most = 0;
    for (int lane = 0; lane < TT_BLOCK; lane++) {
        double angle = measure_lane(e, patch, lane).angle;
        least = fmin(least, angle);
        most = fmax(most, angle);
    }
    return (tt_range){(float)least, (float)most};
}

tt_range tt_search(tt_patch *patch, const tt_ground *ground, const tt_cover *cover, const taut_limit *limit, int item)
{
    element e;
    int t = item, h = item - cover->mesh->ntris;
    if (h < 0) {
        tt_patch_cut(patch, ground, cover, &t, 1);
        if (!set_triangle(&e, patch, cover, t)) return (tt_range){0, INFINITY};
        return search_triangle(&e, patch, ground, limit);
    }
    const int tri[2] = {cover->topology.hinge[h].tri1, cover->topology.hinge[h].tri2};
    tt_patch_cut(patch, ground, cover, tri, 2);
    if (!set_hinge(&e, patch, cover, h)) return (tt_range){(float)-TT_PI, (float)TT_PI};
    return search_hinge(&e, patch, ground, limit);
}
