#include "solids.h"

#include <math.h>
#include <string.h>

static const unsigned char neutral[4] = {176, 178, 184, 190};

static void set(paint_vertex *v, const float position[3], const float normal[3], const unsigned char color[4])
{
    memcpy(v->position, position, sizeof v->position);
    memcpy(v->normal, normal, sizeof v->normal);
    memcpy(v->front, color, 4);
    memcpy(v->back, color, 3);
    v->back[3] = 0;
}

static void cross3(const float a[3], const float b[3], float c[3])
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

static float unit3(float a[3])
{
    float length = sqrtf(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    for (int k = 0; k < 3; k++) a[k] = length > 0 ? a[k] / length : (float)(k == 1);
    return length;
}

/* Two vectors across an axis. */
static void frame_around(const float axis[3], float across[3], float other[3])
{
    const float pick[3] = {fabsf(axis[0]) < 0.7f ? 1.0f : 0.0f, 0, fabsf(axis[0]) < 0.7f ? 0.0f : 1.0f};
    cross3(axis, pick, across);
    unit3(across);
    cross3(across, axis, other);
}

/* Adds rings from one pole to the other. The middle ring occurs twice, once at each end of the axis. */
static bool add_tapered(batch *b, const float a[3], const float end[3], float radius, float end_radius, int around,
                        const unsigned char color[4])
{
    int rings = around / 4 * 2 + 2, half = rings / 2;
    float axis[3], across[3], other[3];
    if (!batch_reserve(b, rings * (around + 1), 2 * (rings - 1) * around, 0)) return false;
    for (int k = 0; k < 3; k++) axis[k] = end[k] - a[k];
    float length = unit3(axis), lean = length > 0 ? (radius - end_radius) / length : 0;
    bool one = !(fabsf(lean) < 1); /* one ball contains the other */
    if (one) lean = 0;
    if (one && end_radius > radius) a = end, radius = end_radius;
    if (one) end = a, end_radius = radius;
    lean = asinf(lean);
    frame_around(axis, across, other);
    paint_vertex *vertex = b->vertex + b->nvertices;
    for (int ring = 0; ring < rings; ring++) {
        int step = ring < half ? ring : ring - 1;
        float share = (float)step / (float)(half - 1); /* 0 to 1 over the first half, then to 2 */
        float latitude =
            share < 1 ? (lean + 1.5707963f) * share - 1.5707963f : lean + (1.5707963f - lean) * (share - 1);
        for (int i = 0; i <= around; i++, vertex++) {
            float turn = 6.2831853f * (float)i / (float)around, normal[3], position[3];
            for (int k = 0; k < 3; k++) {
                normal[k] = sinf(latitude) * axis[k] +
                            cosf(latitude) * (cosf(turn) * across[k] + sinf(turn) * other[k]);
                position[k] = ring < half ? a[k] + radius * normal[k] : end[k] + end_radius * normal[k];
            }
            set(vertex, position, normal, color);
        }
    }
    unsigned *triangle = b->triangle + 3 * (size_t)b->ntriangles, row = (unsigned)around + 1;
    for (unsigned ring = 0; ring + 1 < (unsigned)rings; ring++)
        for (unsigned i = 0; i < (unsigned)around; i++) {
            unsigned at = (unsigned)b->nvertices + ring * row + i;
            const unsigned corner[6] = {at, at + row, at + 1, at + 1, at + row, at + row + 1};
            memcpy(triangle, corner, sizeof corner);
            triangle += 6;
        }
    b->nvertices += rings * (around + 1);
    b->ntriangles += 2 * (rings - 1) * around;
    return true;
}

bool add_capsule(batch *b, const float a[3], const float end[3], float radius, int around, const unsigned char color[4])
{
    return add_tapered(b, a, end, radius, radius, around, color);
}

/* From the shape's own axes to the world. */
static void turn3(const float q[4], const float v[3], float out[3])
{
    float t[3], s[3];
    cross3(q, v, t);
    for (int k = 0; k < 3; k++) t[k] *= 2;
    cross3(q, t, s);
    for (int k = 0; k < 3; k++) out[k] = v[k] + q[3] * t[k] + s[k];
}

static void own_to_world(const taut_collider_def *collider, const float own[3], float out[3])
{
    turn3(collider->rotation, own, out);
    for (int k = 0; k < 3; k++) out[k] += collider->a[k];
}

void collider_corners(const taut_collider_def *collider, float corner[8][3])
{
    float low[3], high[3];
    for (int k = 0; k < 3; k++) high[k] = collider->size[k] / 2, low[k] = -high[k];
    for (int i = 0; collider->mesh && i < 3 * collider->mesh->nvertices; i++) {
        float x = collider->mesh->x[i];
        low[i % 3] = i < 3 || x < low[i % 3] ? x : low[i % 3];
        high[i % 3] = i < 3 || x > high[i % 3] ? x : high[i % 3];
    }
    for (int i = 0; i < 8; i++) {
        const float own[3] = {i & 1 ? high[0] : low[0], i & 2 ? high[1] : low[1], i & 4 ? high[2] : low[2]};
        own_to_world(collider, own, corner[i]);
    }
}

/* A flat triangle. */
static void put_triangle(batch *b, const float corner[3][3])
{
    float u[3], v[3], normal[3];
    for (int k = 0; k < 3; k++) u[k] = corner[1][k] - corner[0][k], v[k] = corner[2][k] - corner[0][k];
    cross3(u, v, normal);
    unit3(normal);
    unsigned *triangle = b->triangle + 3 * (size_t)b->ntriangles++;
    for (int i = 0; i < 3; i++) {
        triangle[i] = (unsigned)b->nvertices;
        set(&b->vertex[b->nvertices++], corner[i], normal, neutral);
    }
}

static bool add_box(batch *b, const taut_collider_def *box)
{
    static const int side[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                    {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    float at[8][3], corner[3][3];
    if (!batch_reserve(b, 36, 12, 0)) return false;
    collider_corners(box, at);
    for (int t = 0; t < 12; t++) {
        for (int k = 0; k < 3; k++) memcpy(corner[k], at[side[t][k]], sizeof corner[k]);
        put_triangle(b, corner);
    }
    return true;
}

static bool add_mesh(batch *b, const taut_collider_def *collider)
{
    const taut_mesh *mesh = collider->mesh;
    float corner[3][3];
    if (!batch_reserve(b, 3 * mesh->ntris, mesh->ntris, 0)) return false;
    for (int t = 0; t < mesh->ntris; t++) {
        for (int k = 0; k < 3; k++)
            own_to_world(collider, mesh->x + 3 * (size_t)mesh->tri[3 * (size_t)t + (size_t)k], corner[k]);
        put_triangle(b, corner);
    }
    return true;
}

/* A disc on the plane, around the point nearest to the centre. */
static bool add_plane(batch *b, const taut_collider_def *plane, const float center[3], float reach)
{
    enum { AROUND = 64 };
    float n[3], across[3], other[3], middle[3], height = 0;
    if (!batch_reserve(b, AROUND + 1, AROUND, 0)) return false;
    memcpy(n, plane->normal, sizeof n);
    unit3(n);
    frame_around(n, across, other);
    for (int k = 0; k < 3; k++) height += (center[k] - plane->a[k]) * n[k];
    for (int k = 0; k < 3; k++) middle[k] = center[k] - height * n[k];
    paint_vertex *vertex = b->vertex + b->nvertices;
    unsigned first = (unsigned)b->nvertices, *triangle = b->triangle + 3 * (size_t)b->ntriangles;
    set(vertex, middle, n, neutral);
    for (unsigned i = 0; i < AROUND; i++) {
        float turn = 6.2831853f * (float)i / AROUND, position[3];
        for (int k = 0; k < 3; k++)
            position[k] = middle[k] + reach * (cosf(turn) * across[k] + sinf(turn) * other[k]);
        set(&vertex[i + 1], position, n, neutral);
        const unsigned corner[3] = {first, first + 1 + (i + 1) % AROUND, first + 1 + i};
        memcpy(triangle + 3 * (size_t)i, corner, sizeof corner);
    }
    b->nvertices += AROUND + 1;
    b->ntriangles += AROUND;
    return true;
}

bool add_collider(batch *b, const taut_collider_def *collider, const float center[3], float reach)
{
    enum { AROUND = 64 };
    switch (collider->shape) {
    case TAUT_PLANE:
        return add_plane(b, collider, center, reach);
    case TAUT_SPHERE:
        return add_capsule(b, collider->a, collider->a, collider->radius, AROUND, neutral);
    case TAUT_CAPSULE:
        return add_capsule(b, collider->a, collider->b, collider->radius, AROUND, neutral);
    case TAUT_TAPERED:
        return add_tapered(b, collider->a, collider->b, collider->radius, collider->radius_b, AROUND, neutral);
    case TAUT_BOX:
        return add_box(b, collider);
    default:
        return add_mesh(b, collider);
    }
}

bool add_lines(batch *b, const clip_object *object, const float *xyz, float radius, const unsigned char color[4])
{
    enum { AROUND = 12 };
    for (int i = 0; i < object->nlines; i++) {
        const int *v = object->line + 2 * (size_t)i;
        if (!add_capsule(b, xyz + 3 * (size_t)v[0], xyz + 3 * (size_t)v[1], radius, AROUND, color)) return false;
    }
    return true;
}
