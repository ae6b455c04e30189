/* Cusick's drape coefficient: a disc of fabric, 30 cm wide, is held between two discs of 18 cm. How much of the ring
 * that hangs over is left in its shadow from above? Little for silk, nearly all for paper. */
#include "lab.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double OUTER = 0.15, INNER = 0.09;

/* Rings of 6, 12, 18, ... vertices around the middle. Those up to `held` are between the discs, the last of them half a
 * ring outside: the clamp is half a cell before it (docs/constraints.md). */
typedef struct disc {
    int rings, held;
    double cell;
} disc;

static disc disc_of(int fineness)
{
    int hanging = 4 * fineness;
    double cell = (OUTER - INNER) / (hanging + 0.5);
    int held = (int)floor(INNER / cell + 0.5);
    return (disc){held + hanging, held, cell};
}

static int first_of(int ring) { return ring == 0 ? 0 : 1 + 3 * ring * (ring - 1); }
static int size_of(int ring) { return ring == 0 ? 1 : 6 * ring; }

static double radius_of(const disc *d, int ring)
{
    double last_held = INNER + d->cell / 2;
    return ring <= d->held ? last_held * ring / d->held : OUTER - (d->rings - ring) * d->cell;
}

/* A number from -1 to 1 that depends only on `number`. */
static double scatter(int number)
{
    unsigned bits = (unsigned)number * 2654435761u;
    bits = (bits ^ (bits >> 15)) * 2246822519u;
    return (double)((bits ^ (bits >> 13)) & 0xffff) / 32767.5 - 1;
}

static void place_vertices(const disc *d, bool irregular, taut_mesh *mesh)
{
    for (int ring = 0; ring <= d->rings; ring++)
        for (int i = 0; i < size_of(ring); i++) {
            int v = first_of(ring) + i;
            bool free = irregular && ring > d->held;
            double turn = 2 * LAB_PI / size_of(ring), r = radius_of(d, ring);
            double angle = turn * (i + (free ? 0.25 * scatter(2 * v) : 0));
            if (free && ring < d->rings) r += 0.25 * d->cell * scatter(2 * v + 1);
            mesh->x[3 * v] = (float)(r * cos(angle));
            mesh->x[3 * v + 1] = (float)(r * sin(angle));
        }
}

/* Between two rings: six sectors, in each a strip of triangles. */
static void join_rings(int ring, int *tri)
{
    int outer = first_of(ring), inner = first_of(ring - 1), n = size_of(ring), m = size_of(ring - 1);
    for (int sector = 0; sector < 6; sector++)
        for (int i = 0; i < ring; i++) {
            int a = sector * ring + i, b = sector * (ring - 1) + i;
            *tri++ = outer + a, *tri++ = outer + (a + 1) % n, *tri++ = inner + b % m;
            if (i == ring - 1) continue;
            *tri++ = outer + (a + 1) % n, *tri++ = inner + (b + 1) % m, *tri++ = inner + b % m;
        }
}

static bool make_disc(const disc *d, bool irregular, taut_mesh *mesh, taut_error *error)
{
    if (!taut_mesh_allocate(mesh, first_of(d->rings + 1), 6 * d->rings * d->rings, 0, 0, true, false, error))
        return false;
    place_vertices(d, irregular, mesh);
    for (int ring = 1; ring <= d->rings; ring++) join_rings(ring, &mesh->tri[18 * (ring - 1) * (ring - 1)]);
    for (int i = 0; i < 3 * mesh->ntris; i++) memcpy(&mesh->uv[2 * i], &mesh->x[3 * mesh->tri[i]], 8);
    bool done = true;
    for (int v = 0; v < first_of(d->held + 1) && done; v++) done = taut_mesh_pin(mesh, v, error);
    return done;
}

/* Adds waves of a hundredth of a cell out of the plane, because an exactly flat sheet would not buckle. */
static bool ruffle(const disc *d, lab_sample *s, taut_error *error)
{
    float *xyz = malloc((size_t)s->mesh.nvertices * 3 * sizeof *xyz);
    if (!xyz) return false;
    memcpy(xyz, s->mesh.x, (size_t)s->mesh.nvertices * 3 * sizeof *xyz);
    for (int v = first_of(d->held + 1); v < s->mesh.nvertices; v++) {
        double angle = atan2((double)xyz[3 * v + 1], (double)xyz[3 * v]), wave = 0;
        for (int k = 2; k < 10; k++) wave += cos(k * angle + 1.7 * k * k);
        xyz[3 * v + 2] += (float)(0.01 * d->cell * wave);
    }
    bool done = taut_body_set_positions(s->world, s->body, xyz, error);
    free(xyz);
    return done;
}

enum { PIXELS = 640 };

/* Marks the pixels of a triangle seen from above. */
static void shade(unsigned char *shadow, const float *a, const float *b, const float *c)
{
    const double scale = PIXELS / (2.2 * OUTER), middle = PIXELS / 2.0;
    double x[3] = {(double)a[0], (double)b[0], (double)c[0]}, y[3] = {(double)a[1], (double)b[1], (double)c[1]};
    double low[2] = {1e9, 1e9}, high[2] = {-1e9, -1e9};
    for (int k = 0; k < 3; k++) {
        x[k] = x[k] * scale + middle, y[k] = y[k] * scale + middle;
        low[0] = fmin(low[0], x[k]), high[0] = fmax(high[0], x[k]);
        low[1] = fmin(low[1], y[k]), high[1] = fmax(high[1], y[k]);
    }
    double area = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]);
    for (int j = (int)fmax(floor(low[1]), 0); j <= (int)fmin(high[1], PIXELS - 1); j++)
        for (int i = (int)fmax(floor(low[0]), 0); i <= (int)fmin(high[0], PIXELS - 1); i++) {
            double p = i + 0.5, q = j + 0.5;
            double s = ((x[1] - p) * (y[2] - q) - (x[2] - p) * (y[1] - q)) * area;
            double t = ((x[2] - p) * (y[0] - q) - (x[0] - p) * (y[2] - q)) * area;
            double u = ((x[0] - p) * (y[1] - q) - (x[1] - p) * (y[0] - q)) * area;
            if (s >= 0 && t >= 0 && u >= 0) shadow[j * PIXELS + i] = 1;
        }
}

static double shadow_of(const lab_sample *s, const float *x)
{
    static unsigned char shadow[PIXELS * PIXELS];
    int dark = 0;
    memset(shadow, 0, sizeof shadow);
    for (int t = 0; t < s->mesh.ntris; t++) {
        const int *v = &s->mesh.tri[3 * t];
        shade(shadow, &x[3 * v[0]], &x[3 * v[1]], &x[3 * v[2]]);
    }
    for (int i = 0; i < PIXELS * PIXELS; i++) dark += shadow[i];
    double side = 2.2 * OUTER / PIXELS;
    return dark * side * side;
}

/* Counts folds: how often, once around, the height of the rim goes from a tenth of its range above its mean to as far
 * below. */
static int count_folds(const disc *d, const float *x)
{
    int first = first_of(d->rings), n = size_of(d->rings), folds = 0, side = 0;
    double low = 1e9, high = -1e9, mean = 0;
    for (int i = 0; i < n; i++) {
        double z = (double)x[3 * (first + i) + 2];
        low = fmin(low, z), high = fmax(high, z), mean += z / n;
    }
    if (high - low < 0.002) return 0;
    for (int i = 0; i < 2 * n; i++) { /* the first time around finds the side on which to begin */
        double z = (double)x[3 * (first + i % n) + 2] - mean, least = 0.1 * (high - low);
        int now = z > least ? 1 : z < -least ? -1 : side;
        folds += i >= n && side > 0 && now < 0;
        side = now;
    }
    return folds;
}

static bool measure(const lab_trial *trial, lab_result *result, taut_error *error)
{
    const disc d = disc_of(trial->fineness);
    lab_sample s = {0};
    bool done = make_disc(&d, trial->irregular, &s.mesh, error) &&
                lab_build(&s, trial, (double[]){0, 0, -LAB_GRAVITY}, error) && ruffle(&d, &s, error);
    if (done) {
        lab_settle(&s, 5);
        const float *x = taut_body_positions(s.world, s.body, NULL);
        double held = LAB_PI * INNER * INNER, whole = LAB_PI * OUTER * OUTER;
        result->figure = 100 * (shadow_of(&s, x) - held) / (whole - held);
        result->folds = count_folds(&d, x);
        int rim = first_of(d.rings), n = size_of(d.rings);
        result->outline.count = n + 1 < LAB_POINTS ? n + 1 : LAB_POINTS;
        for (int i = 0; i < result->outline.count; i++)
            for (int axis = 0; axis < 2; axis++) result->outline.xy[i][axis] = 1000 * x[3 * (rim + i % n) + axis];
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
