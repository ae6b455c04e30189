/* Triangles and colliders that touch between the corners: shapes smaller than the mesh is wide do not pass. How deep a
 * triangle is in a shape is measured in double at many points of it, independently of the library. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_world.h"
#include "base/vec.h"

enum { SAMPLES = 24 };

/* ---- Shapes, and how far a point is outside ---- */

typedef struct kind_of_shape {
    const char *name;
    void (*make)(taut_collider_def *def); /* `a` is set */
    double (*outside)(vec3 p);            /* distance from the shape whose a is at 0 0 0; below 0: inside */
    double thick;                         /* about the depth of its inside */
} kind_of_shape;

static const float RADIUS = 0.08f;

static void make_ball(taut_collider_def *def)
{
    def->shape = TAUT_SPHERE;
    def->radius = RADIUS;
}

static double outside_ball(vec3 p) { return vec_length(p) - (double)RADIUS; }

static const double HALF = 0.1, TIP = 0.02;

static void make_capsule(taut_collider_def *def)
{
    def->shape = TAUT_CAPSULE;
    def->radius = (float)TIP;
    for (int c = 0; c < 3; c++) def->b[c] = def->a[c];
    def->b[1] += 2 * (float)HALF; /* it stands, and its lower tip goes first */
}

static double outside_capsule(vec3 p)
{
    p.y -= fmin(fmax(p.y, 0), 2 * HALF);
    return vec_length(p) - TIP;
}

static void make_tapered(taut_collider_def *def)
{
    make_capsule(def);
    def->shape = TAUT_TAPERED;
    def->radius_b = (float)TIP;
}

/* The box stands on an edge: it is turned by 45 degrees about z. */
static void make_box(taut_collider_def *def)
{
    def->shape = TAUT_BOX;
    def->size[0] = def->size[1] = def->size[2] = (float)HALF;
    def->rotation[2] = 0.38268343f, def->rotation[3] = 0.92387953f;
}

static double outside_box(vec3 p)
{
    const double s = sqrt(0.5);
    vec3 own = {fabs(s * (p.x + p.y)) - HALF / 2, fabs(s * (p.y - p.x)) - HALF / 2, fabs(p.z) - HALF / 2};
    vec3 out = {fmax(own.x, 0), fmax(own.y, 0), fmax(own.z, 0)};
    return vec_length(out) + fmin(0, fmax(own.x, fmax(own.y, own.z)));
}

/* A pyramid that stands on its tip, as wide as it is high. */
static void make_hull(taut_collider_def *def)
{
    static float corner[] = {-0.1f, 0.2f, -0.1f, 0.1f, 0.2f, -0.1f, 0.1f, 0.2f, 0.1f, -0.1f, 0.2f, 0.1f, 0, 0, 0};
    static taut_mesh mesh = {.nvertices = 5, .x = corner};
    def->shape = TAUT_HULL;
    def->mesh = &mesh;
}

/* By the planes of the hull: at most the distance outside; the depth inside. */
static double outside_hull(vec3 p)
{
    double side = fmax(fabs(p.x), fabs(p.z));
    return fmax(p.y - 0.2, (2 * side - p.y) / sqrt(5));
}

static const kind_of_shape shapes[] = {
    {"ball", make_ball, outside_ball, 0.08},          {"capsule", make_capsule, outside_capsule, 0.02},
    {"tapered", make_tapered, outside_capsule, 0.02}, {"box", make_box, outside_box, 0.05},
    {"hull", make_hull, outside_hull, 0.05},
};

/* ---- The sheet that they meet ---- */

/* A level sheet of n x n vertices and 1 m x 1 m that hangs from its corners. */
static taut_model *level_sheet(int n, bool quality)
{
    taut_mesh mesh;
    taut_material m = taut_default_material();
    if (quality) assert_true(taut_preset_material("cotton", &m));
    m.tether = 0;
    assert_true(taut_mesh_sheet(&mesh, n, n, 1, 1, NULL));
    for (int v = 0; v < n * n; v++) {
        mesh.x[3 * v + 2] = mesh.x[3 * v + 1] + 0.5f;
        mesh.x[3 * v + 1] = 0;
    }
    const int corners[] = {0, n - 1, n * (n - 1), n * n - 1};
    for (int i = 0; i < LENGTH(corners); i++) assert_true(taut_mesh_pin(&mesh, corners[i], NULL));
    return model_of(&mesh, &m);
}

/* The smallest distance between points of the sheet and a shape whose `a` is at `place`; below 0: inside. */
static double least_outside(const taut_world *world, int body, int n, const kind_of_shape *shape, vec3 place)
{
    const float *x = taut_body_positions(world, body, NULL);
    double least = INFINITY;
    taut_mesh mesh;
    assert_true(taut_mesh_sheet(&mesh, n, n, 1, 1, NULL)); /* for its triangles */
    for (int t = 0; t < mesh.ntris; t++)
        for (int i = 0; i <= SAMPLES; i++)
            for (int j = 0; i + j <= SAMPLES; j++) {
                double w[3] = {(double)i / SAMPLES, (double)j / SAMPLES, (double)(SAMPLES - i - j) / SAMPLES};
                vec3 p = vec_scale(place, -1);
                for (int k = 0; k < 3; k++) p = vec_add(p, vec_scale(vec_of(&x[3 * mesh.tri[3 * t + k]]), w[k]));
                least = fmin(least, shape->outside(p));
            }
    taut_mesh_free(&mesh);
    return least;
}

static float lowest(const taut_world *world, int body)
{
    int n;
    float least = INFINITY;
    const float *x = taut_body_positions(world, body, &n);
    for (int v = 0; v < n; v++) least = fminf(least, x[3 * v + 1]);
    return least;
}

/* ---- Tests ---- */

/* Moves a shape from 35 cm above to 15 cm below a sheet, beside all its vertices. The shape must take the sheet along,
 * and the sheet may reach into the shape by no more than half its thickness. */
static void push_through(const kind_of_shape *shape, int n, bool quality, double speed)
{
    taut_model *model = level_sheet(n, quality);
    taut_world *world = taut_world_create(NULL, NULL);
    assert_non_null(world);
    int body = add_at(world, model, 0, 0, 0), steps = (int)ceil(0.5 / speed * 60), collider = -1;
    for (int step = 0; step <= steps; step++) {
        taut_collider_def def = taut_default_collider_def();
        def.a[0] = 0.03f, def.a[1] = 0.35f - 0.5f * (float)step / (float)steps, def.a[2] = 0.05f;
        shape->make(&def);
        if (step == 0) collider = taut_world_add_collider(world, &def, NULL);
        assert_true(taut_collider_move(world, collider, &def, NULL));
        step_times(world, 1);
        double outside = least_outside(world, body, n, shape, vec_of(def.a));
        if (!(outside > -shape->thick / 2))
            fail_msg("%s at %g m/s, %d vertices a side: %g m inside", shape->name, speed, n, -outside);
        if (step == steps && !(lowest(world, body) < def.a[1] + 0.5f * (float)shape->thick))
            fail_msg("%s at %g m/s, %d vertices a side: went through", shape->name, speed, n);
    }
    assert_int_equal(taut_world_stats(world).bad_particles, 0);
    taut_world_free(world);
    taut_model_free(model);
}

static void no_shape_passes_between_the_vertices_of_a_sheet(void **state)
{
    const bool quality = *state != NULL;
    const double speeds[] = {1, 10, 100};
    for (int k = 0; k < LENGTH(shapes); k++)
        for (int n = 3; n <= 6; n++)
            for (int i = 0; i < LENGTH(speeds); i++) push_through(&shapes[k], n, quality, speeds[i]);
}

/* The root mean square of the speeds of a body's vertices. */
static double speed_of(const taut_world *world, int body)
{
    int n;
    double square = 0;
    const float *v = taut_body_velocities(world, body, &n);
    for (int i = 0; i < 3 * n; i++) square += (double)v[i] * (double)v[i];
    return sqrt(square / n);
}

/* A sheet hangs over a ball. Its cells are three times as wide as the ball's radius. */
static void coarse_cloth_comes_to_rest_on_a_small_ball(void **state)
{
    const bool quality = *state != NULL;
    SKIP_IF_SLOW();
    taut_model *model = level_sheet(5, quality);
    taut_world *world = taut_world_create(NULL, NULL);
    int body = add_at(world, model, 0, 0, 0);
    add_ball(world, 0.08f, -0.1f, 0.1f, RADIUS);
    step_times(world, 600);
    print_message("speed %g m/s\n", speed_of(world, body));
    assert_true(speed_of(world, body) < 0.002);
    assert_true(least_outside(world, body, 5, &shapes[0], (vec3){0.08, -0.1, 0.1}) > 0);
    taut_world_free(world);
    taut_model_free(model);
}

/* A flat hull reaches into the lower row of cells when the sheet begins. Its triangles go no deeper, and nothing is
 * shot out. */
static void triangles_that_begin_inside_are_not_shot_out(void **state)
{
    const bool quality = *state != NULL;
    static float corner[] = {-0.2f, 0, -0.2f, 0.2f, 0, -0.2f, 0.2f, 0, 0.2f, -0.2f, 0, 0.2f, 0, 0.03f, 0};
    taut_mesh points = {.nvertices = 5, .x = corner}, mesh = hanging_sheet(4);
    taut_material m = taut_default_material();
    if (quality) assert_true(taut_preset_material("cotton", &m));
    taut_model *model = model_of(&mesh, &m);
    taut_world *world = taut_world_create(NULL, NULL);
    int body = add_at(world, model, 0, 0, 0);
    taut_collider_def hull = taut_default_collider_def();
    hull.shape = TAUT_HULL, hull.mesh = &points, hull.a[1] = -0.99f;
    assert_true(taut_world_add_collider(world, &hull, NULL) >= 0);
    for (int step = 0; step < 30; step++) {
        step_times(world, 1);
        assert_true(taut_body_stretch(world, body).compression < 0.2);
        assert_true(speed_of(world, body) < 1.5);
    }
    taut_world_free(world);
    taut_model_free(model);
}

/* A rope of four pieces between two pins: a ball that comes down on one piece takes it along. */
static void lines_keep_out_too(void **state)
{
    (void)state;
    taut_mesh mesh;
    taut_material m = rope_material();
    assert_true(taut_mesh_chain(&mesh, 5, 1.2f, NULL));
    assert_true(taut_mesh_pin(&mesh, 0, NULL) && taut_mesh_pin(&mesh, 4, NULL));
    taut_model *model = model_of(&mesh, &m);
    taut_world *world = space(8);
    int body = add_at(world, model, 0, 0, 0), ball = add_ball(world, 0.45f, 0.3f, 0, 0.06f);
    taut_collider_def def = taut_default_collider_def();
    def.shape = TAUT_SPHERE;
    def.a[0] = 0.45f;
    def.radius = 0.06f;
    for (int step = 1; step <= 24; step++) {
        def.a[1] = 0.3f - (float)step / 60;
        assert_true(taut_collider_move(world, ball, &def, NULL));
        step_times(world, 1);
    }
    const float *x = taut_body_positions(world, body, NULL);
    assert_true(0.5f * (x[3 + 1] + x[6 + 1]) < def.a[1] - 0.05f);
    taut_world_free(world);
    taut_model_free(model);
}

/* A block falls on a rod that is thinner than its cells are wide, and lies there. */
static void solids_keep_out_too(void **state)
{
    (void)state;
    taut_mesh mesh;
    assert_true(taut_mesh_beam(&mesh, 3, 1, 1, 0.9f, 0.3f, 0.3f, NULL));
    taut_model *model = model_of(&mesh, NULL);
    taut_world *world = plain_world(8, 1);
    int body = add_at(world, model, -0.45f, 0.25f, 0);
    taut_collider_def rod = taut_default_collider_def();
    rod.shape = TAUT_CAPSULE;
    rod.radius = 0.03f;
    rod.friction = 1;
    rod.a[2] = -1, rod.b[1] = 0, rod.b[2] = 1;
    assert_true(taut_world_add_collider(world, &rod, NULL) >= 0);
    step_times(world, 30); /* before it topples */
    const float *x = taut_body_positions(world, body, NULL);
    assert_true(0.5f * (x[3 + 1] + x[6 + 1]) > 0.02f); /* the edge of its lower side above the rod */
    assert_true(taut_world_stats(world).contacts > 0);
    taut_world_free(world);
    taut_model_free(model);
}

int main(void)
{
    static int yes;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_shape_passes_between_the_vertices_of_a_sheet),
        {"no_shape_passes_between_the_vertices_of_a_sheet_by_quality", no_shape_passes_between_the_vertices_of_a_sheet,
         NULL, NULL, &yes},
        cmocka_unit_test(coarse_cloth_comes_to_rest_on_a_small_ball),
        {"coarse_cloth_comes_to_rest_on_a_small_ball_by_quality", coarse_cloth_comes_to_rest_on_a_small_ball, NULL,
         NULL, &yes},
        cmocka_unit_test(triangles_that_begin_inside_are_not_shot_out),
        {"triangles_that_begin_inside_are_not_shot_out_by_quality", triangles_that_begin_inside_are_not_shot_out, NULL,
         NULL, &yes},
        cmocka_unit_test(lines_keep_out_too),
        cmocka_unit_test(solids_keep_out_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
