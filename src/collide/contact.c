/* Only colliders whose boxes come near to the particles are tried. That changes no bit of the result, because the boxes
 * contain every place where the kernels could touch a particle. The colliders are looked up for a box around the
 * particles. If a collider pushes particles out of that box, the colliders still to come are looked up again. */
#include "collide/contact.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_FOUND = 64 }; /* colliders looked up at a time */

static void widen(tt_box *box, double by)
{
    for (int i = 0; i < 3; i++) box->low[i] -= by, box->high[i] += by;
}

/* The box into which a collider must reach to touch a particle. */
static tt_box box_to_enter(const tt_broad *broad, const tt_contact_batch *batch)
{
    tt_box box = broad->shapes->bounds(batch);
    double largest = 0;
    for (int i = 0; i < 3; i++) largest = fmax(largest, fmax(fabs(box.low[i]), fabs(box.high[i])));
    double rounding = isfinite(largest) ? 1e-6 * largest : 0; /* of kernels, which see these coordinates */
    for (int i = 0; i < 3; i++) box.low[i] += batch->origin[i], box.high[i] += batch->origin[i];
    widen(&box, (double)batch->thickness * (1 + 1e-5) + rounding);
    return box;
}

/* The box is somewhat larger than needed, so that pushes seldom lead out of it. */
static tt_box with_margin(tt_box box, double thickness)
{
    double longest = 0;
    for (int i = 0; i < 3; i++) {
        double side = box.high[i] - box.low[i];
        if (side > longest && side <= DBL_MAX) longest = side;
    }
    widen(&box, thickness + longest / 16);
    return box;
}

static bool encloses(const tt_box *outer, const tt_box *inner)
{
    for (int i = 0; i < 3; i++)
        if (!(outer->low[i] <= inner->low[i] && inner->high[i] <= outer->high[i])) return false;
    return true;
}

static bool may_touch(const tt_contact_batch *batch, const tt_placed *placed)
{
    return (batch->group & placed->mask) && (placed->group & batch->mask);
}

static real *forget_pushes(const tt_contact_batch *batch)
{
    size_t count = 4 * (size_t)(batch->last - batch->first);
    memset(batch->pushed, 0, count * sizeof *batch->pushed);
    return batch->pushed;
}

int tt_contacts(const tt_broad *broad, const tt_contact_batch *given)
{
    tt_contact_batch alone = *given, *batch = &alone;
    int contacts = 0, last = -1, found[MOST_FOUND];
    alone.pushed = NULL; /* only needed if several colliders are near */
    for (bool more = broad->nused > 0; more;) {
        tt_box around = with_margin(box_to_enter(broad, batch), (double)batch->thickness);
        int n = tt_bvh_overlapping(&broad->tree, broad->box, &around, last, found, MOST_FOUND);
        more = n == MOST_FOUND;
        if (n > 0 && broad->nused > 1 && !batch->pushed) batch->pushed = forget_pushes(given);
        for (int k = 0; k < n; k++) {
            last = found[k];
            if (!may_touch(batch, &broad->placed[last])) continue;
            tt_placed placed = tt_placed_from(&broad->placed[last], batch->origin);
            int touched = broad->shapes->shape[placed.shape]->keep_out(batch, &placed);
            contacts += touched;
            if (touched == 0 || last + 1 == broad->count) continue;
            tt_box now = box_to_enter(broad, batch);
            if (encloses(&around, &now)) continue;
            more = true;
            break;
        }
    }
    return contacts;
}
