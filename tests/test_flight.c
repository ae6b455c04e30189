/* Free flight: bodies of every kind turn and shake for 10^4 steps, and nothing touches them. They keep their momentum.
 * The constraints add no energy: at the start all of it is in the motion. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/vec.h"
#include "model/model.h"
#include "slow_build.h"

#include <math.h>
#include <stdlib.h>

enum { STEPS = SLOW_BUILD ? 500 : 10000 };

/* ---- Bodies ---- */

typedef enum shape { SHEET, IRREGULAR, SPHERE, TORUS, LONG_TORUS, ROPE } shape;

/* What a body is made of; any of these together. */
enum {
    RATIO = 1,
    PHYSICAL = 2,
    ELASTIC = 4,
    STRETCH = 8, /* limited on both sides          */
    UPPER = 16,  /* on one side                    */
    BEND = 32,   /* bending limited                */
    AXES = 64,   /* stretch limited along each axis */
    EDGE = 128,
    JACOBI = 256,
    RANDOM = 512,
    MASSES = 1024 /* given, uneven */
};

typedef struct flyer {
    const char *name;
    shape shape;
    int made_of, levels, substeps, iterations;
} flyer;

static const flyer flyers[] = {
    {"sheet, ratio", SHEET, RATIO, 0, 1, 2},
    {"sheet, ratio, levels", SHEET, RATIO, 2, 1, 2},
    {"sheet, ratio, levels, uneven masses", SHEET, RATIO | MASSES, 2, 1, 2},
    {"sheet, physical", SHEET, PHYSICAL, 0, 4, 1},
    {"sheet, elastic", SHEET, ELASTIC, 0, 0, 1},
    {"sheet, limits", SHEET, STRETCH, 0, 1, 1},
    {"sheet, upper limit, levels", SHEET, UPPER, 2, 1, 1},
    {"sheet, limits of both, levels", SHEET, STRETCH | BEND, 2, 1, 1},
    {"sheet, limits along axes, levels", SHEET, AXES, 2, 1, 1},
    {"irregular sheet, limits", IRREGULAR, STRETCH, 0, 1, 1},
    {"irregular sheet, limits, short steps", IRREGULAR, STRETCH, 0, 4, 1},
    {"irregular sheet, limits of both, levels", IRREGULAR, STRETCH | BEND, 2, 1, 1},
    {"sphere, limits of both, levels", SPHERE, STRETCH | BEND, 2, 1, 1},
    {"sphere, ratio, limits of both, levels", SPHERE, RATIO | STRETCH | BEND, 2, 2, 1},
    {"torus, ratio", TORUS, RATIO, 0, 1, 2},
    {"torus, physical", TORUS, PHYSICAL, 0, 4, 1},
    {"torus, elastic", TORUS, ELASTIC, 0, 0, 1},
    {"torus, limits", TORUS, STRETCH, 0, 1, 1},
    {"torus, limits at random", TORUS, STRETCH | RANDOM, 0, 1, 1},
    {"torus, limits by Jacobi", TORUS, STRETCH | JACOBI, 0, 1, 1},
    {"torus, limits along axes", TORUS, AXES, 0, 1, 1},
    {"rope, ratio, levels", ROPE, RATIO, 2, 1, 2},
    {"rope, limits", ROPE, EDGE, 0, 1, 1},
};

/* These have many tets, so they take a fifth of the steps. */
static const flyer large_flyers[] = {
    {"long torus, ratio, limits, levels", LONG_TORUS, RATIO | STRETCH, 1, 1, 1},
    {"long torus, limits, levels", LONG_TORUS, STRETCH, 1, 1, 1},
};

/* Of these, fewer steps will do. */
static const flyer slow_flyers[] = {
    {"long torus, limits, levels, short steps", LONG_TORUS, STRETCH, 1, 4, 1},
    {"long torus, limits, levels, shorter steps", LONG_TORUS, STRETCH, 1, 8, 1},
    {"long torus, limits, levels, very short steps", LONG_TORUS, STRETCH, 1, 16, 1},
};

static bool is_solid(const flyer *f) { return f->shape == TORUS || f->shape == LONG_TORUS; }

static void shape_of(const flyer *f, taut_mesh *mesh)
{
    bool done = false;
    switch (f->shape) {
    case SHEET:
        done = taut_mesh_sheet(mesh, 9, 9, 1, 1, NULL);
        break;
    case IRREGULAR:
        done = taut_mesh_sheet_irregular(mesh, 9, 9, 1, 1, 0.4f, 3, NULL);
        break;
    case SPHERE:
        done = taut_mesh_sphere(mesh, 2, 0.3f, NULL);
        break;
    case TORUS:
        done = taut_mesh_torus(mesh, 12, 1, 0.4f, 0.15f, NULL);
        break;
    case LONG_TORUS:
        done = taut_mesh_torus(mesh, 30, 2, 0.4f, 0.12f, NULL);
        break;
    case ROPE:
        done = taut_mesh_chain(mesh, 17, 1, NULL);
        break;
    }
    assert_true(done);
    if (!(f->made_of & MASSES)) return;
    mesh->mass = malloc((size_t)mesh->nvertices * sizeof *mesh->mass);
    assert_non_null(mesh->mass);
    for (int v = 0; v < mesh->nvertices; v++) mesh->mass[v] = 0.001f * (float)(1 + v * 7 % 5);
}

static void add_limits(const flyer *f, taut_limit *limit)
{
    if (f->made_of & STRETCH) limit->stretch[0] = 0.95f, limit->stretch[1] = 1.05f;
    if (f->made_of & UPPER) limit->stretch[1] = 1.02f;
    if (f->made_of & BEND) limit->bend[0] = -5.2f, limit->bend[1] = 5.2f;
    for (int a = 0; a < 3 && f->made_of & AXES; a++) limit->axis[a][0] = 0.95f, limit->axis[a][1] = 1.05f;
    if (f->made_of & EDGE) limit->edge[0] = 0.98f, limit->edge[1] = 1.02f;
    if (f->made_of & JACOBI) limit->enforcement = TAUT_JACOBI;
    if (f->made_of & RANDOM) limit->enforcement = TAUT_RANDOM;
}

/* No damping, no air: nothing but what holds it together. */
static taut_material material_of(const flyer *f)
{
    taut_material m = taut_default_material();
    float modulus = is_solid(f) ? 1e5f : 200;
    m.strain = (taut_strain){.rest = {1, 1, 1}};
    m.bend.model = TAUT_BEND_NONE;
    m.tether = m.drag = m.lift = m.damping.global = m.damping.dry = 0;
    m.density = is_solid(f) ? 500 : 0.2f;
    if (f->made_of & RATIO) {
        m.strain.xx = m.strain.yy = m.strain.zz = m.strain.volume = 1;
        m.strain.xy = m.strain.yz = m.strain.xz = 0.5f;
        m.edge = f->shape == ROPE;
    }
    if (f->made_of & PHYSICAL) {
        m.units = TAUT_PHYSICAL;
        m.strain.xx = m.strain.yy = m.strain.zz = modulus;
        m.strain.xy = m.strain.yz = m.strain.xz = modulus / 3;
        if (is_solid(f)) m.strain.volume = modulus;
    }
    if (f->made_of & ELASTIC)
        m.elastic = (taut_elastic){.young = modulus / 10, .poisson = 0.3f, .bend = is_solid(f) ? 0 : 1e-4f};
    add_limits(f, &m.limit);
    return m;
}

/* ---- What is kept ---- */

typedef struct motion {
    double mass, energy; /* of the motion against the centre of mass */
    vec3 linear, angular;
} motion;

static motion motion_of(const taut_world *world, int body, const double *mass)
{
    int n;
    const float *x = taut_body_positions(world, body, &n), *v = taut_body_velocities(world, body, NULL);
    motion sum = {0};
    vec3 centre = {0, 0, 0};
    for (int i = 0; i < n; i++) {
        sum.mass += mass[i];
        centre = vec_add(centre, vec_scale(vec_of(&x[3 * i]), mass[i]));
        sum.linear = vec_add(sum.linear, vec_scale(vec_of(&v[3 * i]), mass[i]));
    }
    centre = vec_scale(centre, 1 / sum.mass);
    for (int i = 0; i < n; i++) {
        vec3 r = vec_sub(vec_of(&x[3 * i]), centre);
        vec3 u = vec_sub(vec_of(&v[3 * i]), vec_scale(sum.linear, 1 / sum.mass));
        sum.energy += mass[i] * vec_dot(u, u) / 2;
        sum.angular = vec_add(sum.angular, vec_scale(vec_cross(r, u), mass[i]));
    }
    return sum;
}

/* It turns about an axis of its own and shakes. */
static void throw_body(taut_world *world, int body)
{
    int n;
    const float *x = taut_body_positions(world, body, &n);
    float *v = malloc(3 * (size_t)n * sizeof *v);
    assert_non_null(v);
    for (int i = 0; i < n; i++) {
        const float *p = &x[3 * i];
        v[3 * i] = 2 * p[2] - 0.5f * p[1] + 0.003f;
        v[3 * i + 1] = 0.5f * p[0] - p[2] + 0.3f * sinf(5 * p[0]);
        v[3 * i + 2] = -2 * p[0] + p[1] + 0.4f * sinf(6 * p[1] + 1);
    }
    assert_true(taut_body_set_velocities(world, body, v, NULL));
    free(v);
}

static taut_world *world_for(const flyer *f, const taut_model *model)
{
    taut_world_def def = taut_default_world_def();
    def.gravity[0] = def.gravity[1] = def.gravity[2] = 0;
    def.substeps = f->substeps ? f->substeps : (int)ceilf(1.0f / 60 / taut_model_stable_step(model));
    def.iterations = f->iterations;
    def.threads = 1;
    return taut_world_create(&def, NULL);
}

static void expect_kept(const flyer *f, motion before, motion after, double most_energy)
{
    double speed = sqrt(2 * before.energy / before.mass);
    double drift = vec_length(vec_sub(after.linear, before.linear)) / (before.mass * speed);
    double turn = vec_length(vec_sub(after.angular, before.angular)) / vec_length(before.angular);
    if (getenv("TAUT_TEST_NUMBERS"))
        print_message("%-42s drift %.1e turn %.1e energy at most %.3f, last %.3f\n", f->name, drift, turn, most_energy,
                      after.energy / before.energy);
    if (!(drift < 1e-4 && turn < 1e-4)) fail_msg("%s: drifts by %g, turns by %g", f->name, drift, turn);
    if (!(most_energy < 1.02)) fail_msg("%s: %g of its energy", f->name, most_energy);
}

static void fly(const flyer *f, int steps)
{
    taut_mesh mesh;
    shape_of(f, &mesh);
    taut_material m = material_of(f);
    taut_model_options options = taut_default_model_options();
    options.levels = f->levels;
    taut_model *model = taut_model_build(&mesh, &m, &options, NULL);
    double *mass = calloc((size_t)mesh.nvertices, sizeof *mass), most = 0;
    assert_true(model && mass && taut_model_levels(model) >= (f->levels > 0));
    tt_masses(&mesh, &m, mass);
    taut_world *world = world_for(f, model);
    int body = taut_world_add_body(world, model, NULL, NULL);
    throw_body(world, body);
    motion before = motion_of(world, body, mass), now = before;
    for (int step = 0; step < steps; step++) {
        taut_world_step(world, 1.0f / 60);
        if (step % 10 == 0) now = motion_of(world, body, mass), most = fmax(most, now.energy / before.energy);
    }
    expect_kept(f, before, motion_of(world, body, mass), most);
    taut_world_free(world);
    taut_model_free(model);
    taut_mesh_free(&mesh);
    free(mass);
}

static void bodies_in_flight_keep_their_momentum_and_gain_no_energy(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof flyers / sizeof *flyers; i++) fly(&flyers[i], STEPS);
    for (size_t i = 0; i < sizeof large_flyers / sizeof *large_flyers; i++) fly(&large_flyers[i], STEPS / 5);
    for (size_t i = 0; i < sizeof slow_flyers / sizeof *slow_flyers; i++) fly(&slow_flyers[i], STEPS / 50);
}

static double fastest(const taut_world *world, int body)
{
    int n;
    const float *v = taut_body_velocities(world, body, &n);
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, vec_length(vec_of(&v[3 * i])));
    return most;
}

/* What is left of stretch is taken away in the time of the usual step, not of this one. */
static void a_very_short_step_throws_nothing_away(void **state)
{
    (void)state;
    taut_mesh mesh;
    assert_true(taut_mesh_sheet(&mesh, 21, 21, 1, 1, NULL));
    assert_true(taut_mesh_pin(&mesh, 0, NULL) && taut_mesh_pin(&mesh, 20, NULL));
    taut_material m = taut_default_material();
    taut_model *model = taut_model_build(&mesh, &m, NULL, NULL);
    taut_world *world = taut_world_create(NULL, NULL);
    int body = taut_world_add_body(world, model, NULL, NULL);
    for (int step = 0; step < 30; step++) taut_world_step(world, 1.0f / 60);
    double before = fastest(world, body);
    taut_world_step(world, 1e-6f);
    double after = fastest(world, body);
    if (!(after < before + 2)) fail_msg("from %g to %g m/s", before, after);
    taut_world_free(world);
    taut_model_free(model);
    taut_mesh_free(&mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_in_flight_keep_their_momentum_and_gain_no_energy),
        cmocka_unit_test(a_very_short_step_throws_nothing_away),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
