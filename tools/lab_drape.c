/* Cusick's drape coefficient: a disc of fabric, 30 cm wide, is held between two discs of 18 cm. How much of the ring
 * that hangs over is left in its shadow from above? Little for silk, nearly all for paper. */
#include "lab.h"

#include "disc.h"
#include "outline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The largest shift of vertices of an irregular mesh, as a share of the width of a ring. */
static const double JITTER = 0.25;
/* FOLD: a fold goes up and down by at least this share of the range of the rim's heights; less is a ripple. FLAT: a rim
 * whose heights differ by less has no folds, m. */
static const double FOLD = 0.4, FLAT = 0.002;

/* Rings inside the plates are nearly as wide as those outside. */
static disc_shape disc_of(int fineness)
{
    int free = 4 * fineness;
    return disc_of_cusick((int)floor(DISC_TABLE / disc_cell(free) + 0.5), free);
}

static bool make_disc(const disc_shape *d, bool irregular, taut_mesh *mesh, taut_error *error)
{
    bool done = disc_make(mesh, d, irregular ? JITTER : 0, error);
    for (int v = 0; done && v < disc_ring(d->inner + 1); v++) done = taut_mesh_pin(mesh, v, error);
    return done;
}

/* Adds long waves out of the plane, a hundredth of a cell high. In cloth that is laid on a table, folds begin with such
 * waves; an exactly flat sheet would not buckle. */
static bool ruffle(const disc_shape *d, lab_sample *s, taut_error *error)
{
    float *xyz = malloc((size_t)s->mesh.nvertices * 3 * sizeof *xyz);
    double cell = disc_cell(d->rings - d->inner);
    if (!xyz) return false;
    memcpy(xyz, s->mesh.x, (size_t)s->mesh.nvertices * 3 * sizeof *xyz);
    for (int v = disc_ring(d->inner + 1); v < s->mesh.nvertices; v++) {
        double angle = atan2((double)xyz[3 * v + 2], (double)xyz[3 * v]), wave = 0;
        for (int k = 2; k < 10; k++) wave += cos(k * angle + 1.7 * k * k);
        xyz[3 * v + 1] += (float)(0.01 * cell * wave);
    }
    bool done = taut_body_set_positions(s->world, s->body, xyz, error);
    free(xyz);
    return done;
}

static double shadow_of(const taut_mesh *mesh, const float *x)
{
    outline_shadow shadow = {0};
    for (int t = 0; t < mesh->ntris; t++)
        for (int k = 0; k < 3; k++) {
            const float *a = &x[3 * mesh->tri[3 * t + k]], *b = &x[3 * mesh->tri[3 * t + (k + 1) % 3]];
            outline_cast(&shadow, (double[2]){(double)a[0], (double)a[2]}, (double[2]){(double)b[0], (double)b[2]});
        }
    return outline_area(&shadow);
}

/* Counts folds by the heights of the rim. */
static int count_folds(const disc_shape *d, const float *x)
{
    double height[LAB_POINTS], low = INFINITY, high = -INFINITY; /* the finest rim has half as many points */
    int first = disc_ring(d->rings), n = disc_ring(d->rings + 1) - first;
    for (int i = 0; i < n; i++) {
        height[i] = (double)x[3 * (first + i) + 1];
        if (height[i] < low) low = height[i];
        if (height[i] > high) high = height[i];
    }
    return high - low < FLAT ? 0 : outline_folds(height, n, FOLD * (high - low), true);
}

/* The rim from above. */
static void draw(const disc_shape *d, const float *x, lab_outline *outline)
{
    int first = disc_ring(d->rings), next = disc_ring(d->rings + 1);
    outline->count = 0;
    for (int v = first; v <= next && outline->count < LAB_POINTS; v++, outline->count++)
        for (int axis = 0; axis < 2; axis++)
            outline->xy[outline->count][axis] = 1000 * x[3 * (v < next ? v : first) + 2 * axis];
}

static bool measure(const lab_trial *trial, lab_result *result, taut_error *error)
{
    const disc_shape d = disc_of(trial->fineness);
    lab_sample s = {0};
    bool done = make_disc(&d, trial->irregular, &s.mesh, error) &&
                lab_build(&s, trial, (double[]){0, -LAB_GRAVITY, 0}, error) && ruffle(&d, &s, error);
    if (done) {
        lab_settle(&s, 5);
        const float *x = taut_body_positions(s.world, s.body, NULL);
        double held = LAB_PI * DISC_TABLE * DISC_TABLE, whole = LAB_PI * DISC_RADIUS * DISC_RADIUS;
        result->figure = 100 * (shadow_of(&s.mesh, x) - held) / (whole - held);
        result->folds = count_folds(&d, x);
        draw(&d, x, &result->outline);
    }
    lab_free(&s);
    return done;
}

const lab_test lab_drape = {
    .name = "drape",
    .unit = "%",
    .about = "Cusick's drape coefficient, 30 cm over 18 cm",
    .measure = measure,
};
