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

/* Rings from one pole to the other. The middle ring is there twice, once at each end of the axis. */
bool add_capsule(batch *b, const float a[3], const float end[3], float radius, int around,
                 const unsigned char color[4])
{
    int rings = around / 4 * 2 + 2, half = rings / 2;
    float axis[3], across[3], other[3];
    if (!batch_reserve(b, rings * (around + 1), 2 * (rings - 1) * around, 0)) return false;
    for (int k = 0; k < 3; k++) axis[k] = end[k] - a[k];
    unit3(axis);
    frame_around(axis, across, other);
    paint_vertex *vertex = b->vertex + b->nvertices;
    for (int ring = 0; ring < rings; ring++) {
        int step = ring < half ? ring : ring - 1;
        float latitude = 3.14159265f * ((float)step / (float)(rings - 2) - 0.5f);
        for (int i = 0; i <= around; i++, vertex++) {
            float turn = 6.2831853f * (float)i / (float)around, normal[3], position[3];
            for (int k = 0; k < 3; k++) {
                normal[k] = sinf(latitude) * axis[k] +
                            cosf(latitude) * (cosf(turn) * across[k] + sinf(turn) * other[k]);
                position[k] = (ring < half ? a[k] : end[k]) + radius * normal[k];
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
    if (collider->shape == TAUT_PLANE) return add_plane(b, collider, center, reach);
    const float *end = collider->shape == TAUT_CAPSULE ? collider->b : collider->a;
    return add_capsule(b, collider->a, end, collider->radius, AROUND, neutral);
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
