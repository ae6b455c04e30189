#include "collide/field.h"

#include "base/error.h"
#include "collide/surface.h"

enum { USUAL_CELLS = 64, MARGIN = 2 }; /* MARGIN: cells around the mesh */

/* ---- Building ---- */

typedef struct builder {
    const tt_surface *surface;
    tt_field *field;
} builder;

static vec3 point_of(const tt_field *f, int x, int y, int z)
{
    return (vec3){(double)f->low[0] + x * (double)f->cell, (double)f->low[1] + y * (double)f->cell,
                  (double)f->low[2] + z * (double)f->cell};
}

/* Measures one row after the other. The distance at a point is at most a cell more than at the point before. */
static void measure_layer(void *argument, int z)
{
    const builder *b = argument;
    const tt_field *f = b->field;
    float *value = f->value + (size_t)z * (size_t)f->n[1] * (size_t)f->n[0];
    for (int y = 0; y < f->n[1]; y++) {
        double most = INFINITY;
        for (int x = 0; x < f->n[0]; x++) {
            vec3 p = point_of(f, x, y, z);
            tt_spot spot;
            if (!tt_surface_nearest(b->surface, p, 0, most * most, &spot)) continue;
            double distance = vec_length(vec_sub(p, spot.at));
            bool inside = tt_surface_is_inside(b->surface, p, 0, &spot);
            *value++ = (float)(inside ? -distance : distance);
            most = 1.001 * (distance + (double)f->cell);
        }
    }
}

static bool choose_lattice(const tt_box *box, float cell, tt_field *f, taut_error *error)
{
    double longest = 0, points = 1;
    for (int k = 0; k < 3; k++) longest = fmax(longest, box->high[k] - box->low[k]);
    f->cell = cell > 0 ? cell : (float)(longest / USUAL_CELLS);
    for (int k = 0; k < 3; k++) {
        double count = ceil((box->high[k] - box->low[k]) / (double)f->cell) + 1 + 2 * MARGIN;
        points *= count;
        f->n[k] = (int)fmin(count, TT_MOST_FIELD_POINTS);
        f->low[k] = (float)(box->low[k] - MARGIN * (double)f->cell);
    }
    if (points <= TT_MOST_FIELD_POINTS && f->cell > 0) return true;
    return tt_fail(error, TAUT_BAD_ARGUMENT, -1, "collider.cell of %g m makes %.3g points, a field has at most %d",
                   (double)cell, points, TT_MOST_FIELD_POINTS);
}

bool tt_field_build(tt_scope *scope, const taut_mesh *mesh, float cell, tt_helpers helpers, tt_field *f,
                    taut_error *error)
{
    tt_scope scratch;
    tt_surface surface;
    tt_scope_open(&scratch, &scope->allocator);
    bool ok = tt_surface_build(&scratch, mesh, &surface, error);
    if (ok && !surface.closed)
        ok = tt_fail(error, TAUT_BAD_MESH, -1,
                     "the mesh of a field must be closed: each edge has two triangles, which run opposite ways");
    ok = ok && choose_lattice(&surface.box, cell, f, error);
    if (ok) {
        f->value = TT_TAKE(scope, float, tt_field_points(f));
        ok = f->value || tt_no_memory(error);
    }
    if (ok) helpers.run(f->n[2], measure_layer, &(builder){&surface, f}, helpers.user);
    tt_scope_close(&scratch);
    return ok;
}

bool tt_field_is_sound(const tt_field *f)
{
    int64_t points = 1;
    bool sound = isfinite(f->cell) && f->cell > 0;
    for (int k = 0; k < 3 && sound; k++) {
        sound = f->n[k] >= 2 && f->n[k] <= TT_MOST_FIELD_POINTS && isfinite(f->low[k]);
        points *= sound ? f->n[k] : 1;
        sound = sound && points <= TT_MOST_FIELD_POINTS;
    }
    return sound;
}

/* ---- Distances ---- */

tt_box tt_field_box(const tt_field *f)
{
    tt_box box;
    for (int k = 0; k < 3; k++) {
        box.low[k] = (double)f->low[k];
        box.high[k] = (double)f->low[k] + (f->n[k] - 1) * (double)f->cell;
    }
    return box;
}

static double mix(double a, double b, double share) { return a + (b - a) * share; }

/* The values at the corners of a cell. Corner 1 is the next in x, 2 in y, 4 in z. */
static void corners_of(const tt_field *f, const int at[3], double corner[8])
{
    size_t row = (size_t)f->n[0], layer = row * (size_t)f->n[1];
    const float *v = f->value + (size_t)at[0] + (size_t)at[1] * row + (size_t)at[2] * layer;
    for (size_t i = 0; i < 8; i++) corner[i] = (double)v[(i & 1) + (i >> 1 & 1) * row + (i >> 2) * layer];
}

static vec3 slope_of(const double c[8], const double s[3])
{
    double x[4], y[4], z[4];
    for (int i = 0; i < 4; i++) {
        x[i] = c[2 * i + 1] - c[2 * i];
        y[i] = c[(i & 1) + (i >> 1) * 4 + 2] - c[(i & 1) + (i >> 1) * 4];
        z[i] = c[i + 4] - c[i];
    }
    return (vec3){mix(mix(x[0], x[1], s[1]), mix(x[2], x[3], s[1]), s[2]),
                  mix(mix(y[0], y[1], s[0]), mix(y[2], y[3], s[0]), s[2]),
                  mix(mix(z[0], z[1], s[0]), mix(z[2], z[3], s[0]), s[1])};
}

double tt_field_at(const tt_field *f, vec3 place, vec3 *out)
{
    const double p[3] = {place.x, place.y, place.z};
    double share[3], c[8], off[3], square = 0;
    int at[3];
    for (int k = 0; k < 3; k++) {
        double u = (p[k] - (double)f->low[k]) / (double)f->cell, last = f->n[k] - 1;
        double in = u > 0 ? (u < last ? u : last) : 0;
        at[k] = in < last ? (int)in : f->n[k] - 2;
        share[k] = in - at[k];
        off[k] = (u - in) * (double)f->cell;
        square += off[k] * off[k];
    }
    corners_of(f, at, c);
    double low = mix(mix(c[0], c[1], share[0]), mix(c[2], c[3], share[0]), share[1]);
    double high = mix(mix(c[4], c[5], share[0]), mix(c[6], c[7], share[0]), share[1]);
    double distance = mix(low, high, share[2]), beside = sqrt(square);
    if (out) {
        vec3 slope = beside > 0 ? (vec3){off[0], off[1], off[2]} : slope_of(c, share);
        double length = vec_length(slope);
        *out = length > 0 ? vec_scale(slope, 1 / length) : (vec3){0, 0, 0};
    }
    return beside > 0 ? fmax(beside, distance - beside) : distance;
}
