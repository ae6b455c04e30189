/* The contacts of a few triangles with a collider are found together. Then they are resolved in their order, each by
 * the depth that it still has. So the result does not depend on the number of triangles that a kernel takes
 * together. */
#include "collide/faces.h"

#include <float.h>
#include <math.h>

enum { MOST_FOUND = 16 }; /* colliders found at a time */

static int corner_of(const tt_skin_triangle *tri, int k) { return tri->corner[k < 2 || tri->is_face ? k : 0]; }

/* A collider that touches one of the triangles on their way reaches into this box. */
static tt_box box_to_enter(const tt_face_batch *batch)
{
    float low[4] = {INFINITY, INFINITY, INFINITY, 0}, high[4] = {-INFINITY, -INFINITY, -INFINITY, 0};
    for (int t = 0; t < batch->count; t++)
        for (int k = 0; k < 3; k++) {
            size_t i = 4 * (size_t)corner_of(&batch->tri[t], k);
            for (size_t c = 0; c < 4; c++) {
                float a = batch->p[i + c], b = batch->x[i + c];
                low[c] = a < low[c] ? a : low[c], high[c] = a > high[c] ? a : high[c];
                low[c] = b < low[c] ? b : low[c], high[c] = b > high[c] ? b : high[c];
            }
        }
    tt_box box;
    double largest = 0;
    for (int c = 0; c < 3; c++) largest = fmax(largest, fmax(fabs((double)low[c]), fabs((double)high[c])));
    double by = (double)batch->thickness * (1 + 1e-5) + (largest <= DBL_MAX ? 1e-6 * largest : 0);
    for (int c = 0; c < 3; c++) {
        box.low[c] = batch->origin[c] + (double)low[c] - by;
        box.high[c] = batch->origin[c] + (double)high[c] + by;
    }
    return box;
}

/* Finds the correction `by` of the point with these weights of the corners. Returns false if it needs none or cannot
 * move. */
static bool correct(const tt_face_batch *batch, const tt_face_contact *c, const float weight[3], float by[3],
                    float *ease)
{
    float p[3] = {0, 0, 0}, slide[3], depth = c->height, along = 0, square = 0;
    *ease = 0;
    for (int i = 0; i < 3; i++) by[i] = 0;
    for (int k = 0; k < 3; k++) {
        const float *q = &batch->p[4 * (size_t)c->particle[k]], *x = &batch->x[4 * (size_t)c->particle[k]];
        *ease += weight[k] * weight[k] * q[3];
        for (int i = 0; i < 3; i++) p[i] += weight[k] * q[i], by[i] += weight[k] * (q[i] - x[i]);
    }
    for (int i = 0; i < 3; i++) depth -= c->normal[i] * p[i];
    if (!(depth > 0) || !(*ease > 0)) return false;
    for (int i = 0; i < 3; i++) slide[i] = by[i] - c->motion[i], along += slide[i] * c->normal[i];
    for (int i = 0; i < 3; i++) slide[i] -= along * c->normal[i], square += slide[i] * slide[i];
    float stopped = square > 0 ? fminf(1, c->friction * depth / sqrtf(square)) : 0;
    for (int i = 0; i < 3; i++) by[i] = depth * c->normal[i] - stopped * slide[i];
    return true;
}

/* Moves the point in front of the plane. Lighter corners go farther. */
static bool push(const tt_face_batch *batch, const tt_face_contact *c, const float weight[3])
{
    float by[3], ease;
    if (!correct(batch, c, weight, by, &ease)) return false;
    for (int k = 0; k < 3; k++) {
        float *q = &batch->p[4 * (size_t)c->particle[k]], share = weight[k] * q[3] / ease;
        for (int i = 0; i < 3; i++) q[i] += share * by[i];
    }
    return true;
}

static bool resolve(const tt_face_batch *batch, const tt_face_contact *c)
{
    if (!c->far) return push(batch, c, c->weight);
    bool any = false;
    for (int k = 0; k < 3; k++) {
        const float corner[3] = {k == 0, k == 1, k == 2};
        any = push(batch, c, corner) || any;
    }
    return any;
}

static int meet(const tt_broad *broad, const tt_face_batch *batch, int collider, tt_face_contact found[TT_FACES])
{
    const tt_placed *placed = &broad->placed[collider];
    const tt_shape *shape = broad->shapes->shape[placed->shape];
    if (!shape->meet_faces || !(batch->group & placed->mask) || !(placed->group & batch->mask)) return 0;
    const tt_placed near = tt_placed_from(placed, batch->origin);
    return shape->meet_faces(batch, &near, found);
}

static tt_face_batch run_of(const tt_face_batch *given, const tt_skin *skin, int run)
{
    tt_face_batch batch = *given;
    int first = run * TT_FACES;
    batch.tri = skin->tri + first;
    batch.count = skin->ntris - first < TT_FACES ? skin->ntris - first : TT_FACES;
    return batch;
}

bool tt_faces_touch(const tt_broad *broad, const tt_skin *skin, const tt_face_batch *given, int run)
{
    const tt_face_batch batch = run_of(given, skin, run);
    const tt_box box = box_to_enter(&batch);
    tt_face_contact contact[TT_FACES];
    int found[MOST_FOUND];
    for (int last = -1, n = MOST_FOUND; n == MOST_FOUND; last = found[MOST_FOUND - 1]) {
        n = tt_bvh_overlapping(&broad->tree, broad->box, &box, last, found, MOST_FOUND);
        for (int k = 0; k < n; k++)
            if (meet(broad, &batch, found[k], contact) > 0) return true;
    }
    return false;
}

int tt_faces_keep_out(const tt_broad *broad, const tt_skin *skin, const tt_face_batch *given, int run)
{
    const tt_face_batch batch = run_of(given, skin, run);
    const tt_box box = box_to_enter(&batch);
    tt_face_contact contact[TT_FACES];
    int contacts = 0, found[MOST_FOUND];
    for (int last = -1, n = MOST_FOUND; n == MOST_FOUND; last = found[MOST_FOUND - 1]) {
        n = tt_bvh_overlapping(&broad->tree, broad->box, &box, last, found, MOST_FOUND);
        for (int k = 0; k < n; k++) {
            int count = meet(broad, &batch, found[k], contact);
            for (int i = 0; i < count; i++) contacts += resolve(&batch, &contact[i]);
        }
    }
    return contacts;
}
