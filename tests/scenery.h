/* scenery.h: small scenes for the behaviour tests, and measures of them.
 *
 * A scene starts bare: nothing stiff, no damping, no air, no gravity, one thread, one substep of one iteration. A test
 * switches on what it tests. All measures are computed here in double from positions, not by the library. */
#ifndef TAUT_TESTS_SCENERY_H
#define TAUT_TESTS_SCENERY_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "taut.h"

#define LENGTH(array) ((int)(sizeof(array) / sizeof *(array)))

static const double PI = 3.14159265358979323846;
static const float STEP = 1.0f / 60;

typedef struct scene {
    taut_mesh mesh;
    taut_material material;
    taut_world_def def;
    taut_body_def place;
    taut_model *model;
    taut_world *world;
    int body;
} scene;

/* ---- Checks that print the value that they saw ---- */

static inline void check_within(const char *what, double value, double low, double high)
{
    if (getenv("TAUT_TEST_NUMBERS"))
        fprintf(stderr, "%s: %.8g in [%.8g, %.8g]\n", what, value, low, high);
    if (!(value >= low && value <= high))
        fail_msg("%s: %.8g is outside [%.8g, %.8g]", what, value, low, high);
}

static inline void check_near(const char *what, double value, double expected, double tolerance)
{
    check_within(what, value, expected - tolerance, expected + tolerance);
}

static inline void check_ratio(const char *what, double value, double expected, double tolerance)
{
    check_near(what, value, expected, tolerance * fabs(expected));
}

static inline void check_done(bool done, const taut_error *error)
{
    if (!done) fail_msg("%s", error->text);
}

/* ---- Random numbers ---- */

static inline double uniform(uint64_t *state, double low, double high)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(*state >> 11) * 0x1p-53;
}

/* ---- Vectors ---- */

typedef struct d3 {
    double x, y, z;
} d3;

static inline d3 d3_of(const float *a) { return (d3){a[0], a[1], a[2]}; }
static inline d3 d3_sub(d3 a, d3 b) { return (d3){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline d3 d3_add(d3 a, d3 b) { return (d3){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline d3 d3_scale(double s, d3 a) { return (d3){s * a.x, s * a.y, s * a.z}; }
static inline double d3_dot(d3 a, d3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline double d3_length(d3 a) { return sqrt(d3_dot(a, a)); }
static inline d3 d3_cross(d3 a, d3 b)
{
    return (d3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* ---- Scenes ---- */

static inline scene bare_scene(void)
{
    scene s = {.material = taut_default_material(),
               .def = taut_default_world_def(),
               .place = taut_default_body_def(),
               .body = -1};
    taut_material *m = &s.material;
    s.def.stretch = 0; /* by counts */
    m->density = 1;
    m->thickness = 0;
    m->contact = TAUT_CONTACT_OFF;
    m->edge = 0;
    m->strain = (taut_strain){.rest = {1, 1, 1}};
    m->bend = (taut_bend){.model = TAUT_BEND_NONE};
    m->tether = 0;
    m->damping = (taut_damping){0};
    m->drag = m->lift = 0;
    memset(s.def.gravity, 0, sizeof s.def.gravity);
    s.def.substeps = s.def.iterations = s.def.threads = 1;
    return s;
}

/* Makes model, world and body from the settings of the scene. */
static inline void build_scene(scene *s)
{
    taut_error error;
    s->model = taut_model_build(&s->mesh, &s->material, NULL, &error);
    check_done(s->model != NULL, &error);
    s->world = taut_world_create(&s->def, &error);
    check_done(s->world != NULL, &error);
    s->body = taut_world_add_body(s->world, s->model, &s->place, &error);
    check_done(s->body >= 0, &error);
}

static inline void free_scene(scene *s)
{
    taut_world_free(s->world);
    taut_model_free(s->model);
    taut_mesh_free(&s->mesh);
}

static inline void step(scene *s, int steps, float dt)
{
    for (int i = 0; i < steps; i++) taut_world_step(s->world, dt);
}

static inline const float *positions(const scene *s)
{
    return taut_body_positions(s->world, s->body, NULL);
}
static inline const float *velocities(const scene *s)
{
    return taut_body_velocities(s->world, s->body, NULL);
}
static inline d3 vertex(const scene *s, int v) { return d3_of(positions(s) + 3 * v); }
static inline d3 velocity(const scene *s, int v) { return d3_of(velocities(s) + 3 * v); }

static inline float *copy_floats(const float *from, int n)
{
    float *to = malloc((size_t)n * sizeof *to);
    assert_non_null(to);
    memcpy(to, from, (size_t)n * sizeof *to);
    return to;
}

static inline void set_positions(scene *s, const float *xyz)
{
    taut_error error;
    check_done(taut_body_set_positions(s->world, s->body, xyz, &error), &error);
}

static inline void set_velocities(scene *s, const float *xyz)
{
    taut_error error;
    check_done(taut_body_set_velocities(s->world, s->body, xyz, &error), &error);
}

static inline void pin_rest(scene *s, int v)
{
    taut_error error;
    check_done(taut_mesh_pin(&s->mesh, v, &error), &error);
}

static inline int add_collider(scene *s, const taut_collider_def *def)
{
    taut_error error;
    int collider = taut_world_add_collider(s->world, def, &error);
    check_done(collider >= 0, &error);
    return collider;
}

/* Body positions become A x for a matrix of rows. */
static inline void deform(scene *s, const double A[3][3])
{
    int n = s->mesh.nvertices;
    float *x = copy_floats(positions(s), 3 * n);
    for (int v = 0; v < n; v++) {
        d3 p = d3_of(x + 3 * v);
        for (int c = 0; c < 3; c++)
            x[3 * v + c] = (float)(A[c][0] * p.x + A[c][1] * p.y + A[c][2] * p.z);
    }
    set_positions(s, x);
    free(x);
}

/* ---- Measures ---- */

static inline bool all_finite(const scene *s)
{
    const float *x = positions(s), *v = velocities(s);
    for (int i = 0; i < 3 * s->mesh.nvertices; i++)
        if (!isfinite(x[i]) || !isfinite(v[i])) return false;
    return true;
}

static inline void check_sound(const char *what, const scene *s)
{
    int bad = taut_world_stats(s->world).bad_particles;
    if (!all_finite(s)) fail_msg("%s: not finite", what);
    if (bad) fail_msg("%s: %d bad particles", what, bad);
}

static inline double largest_speed(const scene *s)
{
    double most = 0;
    for (int v = 0; v < s->mesh.nvertices; v++) most = fmax(most, d3_length(velocity(s, v)));
    return most;
}

static inline d3 tri_normal(const float *x, const int *v) /* its length is twice the area */
{
    d3 p = d3_of(x + 3 * v[0]);
    return d3_cross(d3_sub(d3_of(x + 3 * v[1]), p), d3_sub(d3_of(x + 3 * v[2]), p));
}

static inline double tri_area(const float *x, const int *v)
{
    return d3_length(tri_normal(x, v)) / 2;
}

static inline double tet_volume(const float *x, const int *v)
{
    d3 p = d3_of(x + 3 * v[0]), a = d3_sub(d3_of(x + 3 * v[1]), p);
    return d3_dot(a, d3_cross(d3_sub(d3_of(x + 3 * v[2]), p), d3_sub(d3_of(x + 3 * v[3]), p))) / 6;
}

/* f_j = F n_j of a tet: its columns of deformation along axes n_j given in the rest pose. */
static inline void tet_axes(const float *rest, const float *x, const int *v, const d3 n[3], d3 f[3])
{
    d3 q0 = d3_of(rest + 3 * v[0]), p0 = d3_of(x + 3 * v[0]), q[3], p[3];
    for (int k = 0; k < 3; k++) {
        q[k] = d3_sub(d3_of(rest + 3 * v[k + 1]), q0);
        p[k] = d3_sub(d3_of(x + 3 * v[k + 1]), p0);
    }
    double det = d3_dot(q[0], d3_cross(q[1], q[2]));
    for (int j = 0; j < 3; j++) { /* barycentric weights of the direction n_j on the rest edges */
        double a = d3_dot(n[j], d3_cross(q[1], q[2])) / det,
               b = d3_dot(n[j], d3_cross(q[2], q[0])) / det;
        double c = d3_dot(n[j], d3_cross(q[0], q[1])) / det;
        f[j] = d3_add(d3_scale(a, p[0]), d3_add(d3_scale(b, p[1]), d3_scale(c, p[2])));
    }
}

/* The same for a flat triangle in the rest plane z = 0. */
static inline void tri_axes(const float *rest, const float *x, const int *v, const d3 n[2], d3 f[2])
{
    d3 q0 = d3_of(rest + 3 * v[0]), p0 = d3_of(x + 3 * v[0]);
    d3 q1 = d3_sub(d3_of(rest + 3 * v[1]), q0), q2 = d3_sub(d3_of(rest + 3 * v[2]), q0);
    d3 p1 = d3_sub(d3_of(x + 3 * v[1]), p0), p2 = d3_sub(d3_of(x + 3 * v[2]), p0);
    double det = q1.x * q2.y - q1.y * q2.x;
    for (int j = 0; j < 2; j++) {
        double a = (n[j].x * q2.y - n[j].y * q2.x) / det, b = (q1.x * n[j].y - q1.y * n[j].x) / det;
        f[j] = d3_add(d3_scale(a, p1), d3_scale(b, p2));
    }
}

static inline double shear_angle(d3 a, d3 b)
{
    return PI / 2 - acos(fmax(-1, fmin(1, d3_dot(a, b) / (d3_length(a) * d3_length(b)))));
}

#endif
