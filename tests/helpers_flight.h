/* Free flight: bodies of every kind turn and shake, and touch nothing. Their momentum and energy are measured. */
#ifndef TAUT_TESTS_HELPERS_FLIGHT_H
#define TAUT_TESTS_HELPERS_FLIGHT_H

#include "base/vec.h"
#include "model/model.h"
#include "slow_build.h"

#include <math.h>
#include <stdlib.h>

enum { STEPS = SLOW_BUILD ? 300 : 10000 };

/* ---- Bodies ---- */

typedef enum shape { SHEET, SMALL_SHEET, IRREGULAR, SPHERE, TORUS, LONG_TORUS, ROPE } shape;

/* The properties of a body; any of them together. */
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
    MASSES = 1024, /* given, uneven */
    COUNTS = 2048, /* solved by counts; otherwise cloth with physical units is solved by quality */
    EXACT = 4096,  /* by a tenth of the usual `stretch`                                          */
    DAMPED = 8192  /* damping takes momentum too                                                 */
};

/* substeps 0: as many as elastic forces need */
typedef struct flyer {
    const char *name;
    shape shape;
    int made_of, levels, substeps, iterations;
} flyer;

static inline bool is_solid(const flyer *f) { return f->shape == TORUS || f->shape == LONG_TORUS; }

static inline void shape_of(const flyer *f, taut_mesh *mesh)
{
    bool done = false;
    switch (f->shape) {
    case SHEET:
        done = taut_mesh_sheet(mesh, 9, 9, 1, 1, NULL);
        break;
    case SMALL_SHEET:
        done = taut_mesh_sheet(mesh, 6, 6, 1, 1, NULL);
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

static inline void add_limits(const flyer *f, taut_limit *limit)
{
    if (f->made_of & STRETCH) limit->stretch[0] = 0.95f, limit->stretch[1] = 1.05f;
    if (f->made_of & UPPER) limit->stretch[1] = 1.02f;
    if (f->made_of & BEND) limit->bend[0] = -5.2f, limit->bend[1] = 5.2f;
    for (int a = 0; a < 3 && f->made_of & AXES; a++) limit->axis[a][0] = 0.95f, limit->axis[a][1] = 1.05f;
    if (f->made_of & EDGE) limit->edge[0] = 0.98f, limit->edge[1] = 1.02f;
    if (f->made_of & JACOBI) limit->enforcement = TAUT_JACOBI;
    if (f->made_of & RANDOM) limit->enforcement = TAUT_RANDOM;
}

/* A material without damping and air: only its constraints act. */
static inline taut_material material_of(const flyer *f)
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

/* ---- Momentum and energy ---- */

typedef struct motion {
    double mass, energy; /* energy: of the motion relative to the centre of mass */
    vec3 linear, angular;
} motion;

static inline motion motion_of(const taut_world *world, int body, const double *mass)
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

/* Throws a body so that it turns about an axis of its own and shakes. */
static inline void throw_body(taut_world *world, int body)
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

static inline taut_world *world_for(const flyer *f, const taut_model *model)
{
    taut_world_def def = taut_default_world_def();
    def.gravity[0] = def.gravity[1] = def.gravity[2] = 0;
    def.substeps = f->substeps ? f->substeps : (int)ceilf(1.0f / 60 / taut_model_stable_step(model));
    def.iterations = f->iterations;
    def.threads = 1;
    if (f->made_of & COUNTS) def.stretch = 0;
    if (f->made_of & EXACT) def.stretch *= 0.1f, def.budget = 200;
    return taut_world_create(&def, NULL);
}

static inline void expect_kept(const flyer *f, motion before, motion after, double most_energy)
{
    double speed = sqrt(2 * before.energy / before.mass);
    double drift = vec_length(vec_sub(after.linear, before.linear)) / (before.mass * speed);
    double turn = vec_length(vec_sub(after.angular, before.angular)) / vec_length(before.angular);
    if (getenv("TAUT_TEST_NUMBERS"))
        print_message("%-42s %2d drift %.1e turn %.1e energy at most %.3f, last %.3f\n", f->name, f->substeps, drift,
                      turn, most_energy, after.energy / before.energy);
    if (!(f->made_of & DAMPED) && !(drift < 1e-4 && turn < 1e-4))
        fail_msg("%s, %d substeps: drifts by %g, turns by %g", f->name, f->substeps, drift, turn);
    if (!(most_energy < 1.02)) fail_msg("%s, %d substeps: %g of its energy", f->name, f->substeps, most_energy);
}

/* Lets a body of any material fly. */
static inline void fly_of(const flyer *f, const taut_material *material, int steps)
{
    taut_mesh mesh;
    shape_of(f, &mesh);
    taut_model_options options = taut_default_model_options();
    options.levels = f->levels;
    taut_model *model = taut_model_build(&mesh, material, &options, NULL);
    double *mass = calloc((size_t)mesh.nvertices, sizeof *mass), most = 0;
    assert_true(model && mass && taut_model_levels(model) >= (f->levels > 0));
    tt_masses(&mesh, material, mass);
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

static inline void fly(const flyer *f, int steps)
{
    taut_material m = material_of(f);
    fly_of(f, &m, steps);
}

/* Lets all of them fly with 1, 4 and 16 substeps. */
static inline void fly_all(const flyer *flyers, size_t count, int steps)
{
    for (size_t i = 0; i < count; i++)
        for (int substeps = 1; substeps <= 16; substeps *= 4) {
            flyer f = flyers[i];
            f.substeps = substeps;
            fly(&f, steps);
        }
}

#endif
