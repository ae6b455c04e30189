/* Fields of distances. A particle goes along its way by less than the distance that is left, again and again, and is
 * stopped where it comes close. From there it may go on as far as the plane at that place allows. A particle that
 * begins inside comes out slowly, along the slope of the field. */
#include "base/error.h"
#include "collide/single.h"

enum { PUSHES = 4, MARCHES = 200 };
static const double CLOSE = 0.5; /* of the thickness: where a particle on its way is stopped */
static const double STRIDE = 0.57; /* of the distance; interpolated, it may grow by the root of three */
static const double LEAST = 0.05;  /* of a cell: the least thickness */

typedef struct visit {
    tt_meeting m;
    const tt_field *field;
    double close;
} visit;

static tt_bump bump_at(const visit *v, vec3 place)
{
    tt_bump bump = {.motion = {0, 0, 0}};
    bump.gap = tt_field_at(v->field, place, &bump.normal);
    return bump;
}

/* Whether a way comes close to the surface and would go on beyond it. Then `bump` is the contact, seen from the end of
 * the way, and the way goes on from there. */
static bool first_meeting(const visit *v, tt_way *w, tt_bump *bump)
{
    double length = vec_length(vec_sub(w->to, w->from)), share = 0;
    if (!(length > 0)) return false;
    double close = fmin(v->close, 0.5 * tt_field_at(v->field, w->from, NULL));
    for (int i = 0; i <= MARCHES && share < 1; i++) {
        vec3 place = tt_between(w->from, w->to, share);
        *bump = bump_at(v, place);
        double distance = bump->gap;
        bump->gap += vec_dot(bump->normal, vec_sub(w->to, place));
        bool ahead = bump->gap < close;
        if (i == MARCHES || (distance <= close && ahead)) {
            tt_stop(&v->m, w, place, w->since + share * (1 - w->since), bump, distance);
            return true;
        }
        share += fmax(STRIDE * (distance - 0.9 * close), 0.05 * close) / length;
    }
    return false;
}

static bool guide(const visit *v, int i, tt_way *w, bool slowly)
{
    tt_bump bump;
    bool any = false;
    for (int k = 0; k < PUSHES; k++) {
        bool stopped = first_meeting(v, w, &bump);
        if (!stopped) bump = bump_at(v, w->to);
        if (!tt_push(&v->m, i, w, slowly, &bump)) return any;
        any = true;
    }
    if (first_meeting(v, w, &bump)) w->to = w->from; /* there is no way on */
    return any;
}

static int keep_out(const tt_contact_batch *batch, const tt_placed *placed)
{
    const tt_field *f = placed->owned->field;
    const tt_box box = tt_field_box(f);
    double largest = 0;
    for (int k = 0; k < 3; k++) largest = fmax(largest, fmax(fabs(box.low[k]), fabs(box.high[k])));
    visit v = {.m = tt_meet(batch, placed, largest), .field = f};
    v.m.thickness = fmax(v.m.thickness, LEAST * (double)f->cell);
    v.close = CLOSE * v.m.thickness;
    int hits = 0;
    for (int i = batch->first; i < batch->last; i++) {
        tt_way w;
        if (!tt_way_of(&v.m, i, &w)) continue;
        double length = vec_length(vec_sub(w.to, w.begin)), before = tt_field_at(f, w.begin, NULL);
        if (STRIDE * (before - v.m.thickness) > length) continue;
        bool slowly = before < v.m.thickness;
        tt_bump end = bump_at(&v, w.to);
        if (!(before > 0 ? guide(&v, i, &w, slowly) : tt_push(&v.m, i, &w, true, &end))) continue;
        tt_way_end(&v.m, i, &w);
        hits++;
    }
    return hits;
}

/* ---- The row of the table ---- */

static bool check(const taut_collider_def *def, taut_error *error)
{
    if (def->cell >= 0 && isfinite(def->cell)) return true;
    return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "collider.cell must be at least 0, got %g", (double)def->cell);
}

static tt_box box(const tt_collider *collider, const taut_collider_def *def)
{
    const tt_box own = tt_field_box(collider->owned->field);
    return tt_turned_box(def, &own);
}

const tt_shape tt_field_shape = {
    .name = "field", .check = check, .place = tt_placed_rotate, .box = box, .keep_out = keep_out};
