/* test_forces.c: gravity, damping, air, colliders, friction, pins and tethers. */
#include "scenery.h"

/* ---- Gravity and damping ---- */

static scene sheet_scene(int n, float size)
{
    scene s = bare_scene();
    taut_error error;
    check_done(taut_mesh_sheet(&s.mesh, n, n, size, size, &error), &error);
    s.material.strain = (taut_strain){.xx = 1, .yy = 1, .xy = 0.5f, .rest = {1, 1, 1}};
    return s;
}

/* Lays a sheet scene flat: its plane becomes y = height, facing up. Call before build_scene. */
static void lay_flat(scene *s, float height)
{
    s->place.position[1] = height;
    s->place.rotation[0] = -sqrtf(0.5f);
    s->place.rotation[3] = sqrtf(0.5f);
}

static void test_free_fall_is_exact(void **state)
{
    (void)state;
    const int substeps[] = {1, 4, 16};
    for (int i = 0; i < LENGTH(substeps); i++) {
        scene s = bare_scene();
        taut_error error;
        check_done(taut_mesh_chain(&s.mesh, 3, 1, &error), &error);
        s.def.gravity[1] = -9.81f;
        s.def.substeps = substeps[i];
        s.place.velocity[0] = 2;
        build_scene(&s);
        step(&s, 60, STEP);
        /* symplectic Euler: v = n h g, y = -g h^2 n (n + 1) / 2. Each of the n sums may round by
         * half of the 4.8e-7 m that coordinates of 4..8 m are apart; velocities of 8..16 m/s
         * likewise, twice as much. */
        double n = 60.0 * substeps[i], h = 1 / n;
        for (int v = 0; v < s.mesh.nvertices; v++) {
            d3 moved = d3_sub(vertex(&s, v), d3_of(s.mesh.x + 3 * v));
            check_near("fall", moved.y, -9.81 * h * h * n * (n + 1) / 2,
                       n * 2.4e-7 + n * 4.8e-7 / 2);
            check_near("fall speed", velocity(&s, v).y, -9.81, n * 4.8e-7);
            check_near("drift", moved.x, 2, n * 2.4e-7);
            check_near("drift speed", velocity(&s, v).x, 2, 1e-5);
        }
        free_scene(&s);
    }
}

/* A body is stretched and thrown. Constraints do not change its momentum. */
static void test_momentum_is_kept(void **state)
{
    (void)state;
    scene s = sheet_scene(6, 1);
    s.material.bend = (taut_bend){.model = TAUT_BEND_DIHEDRAL, .stiffness = 0.5f};
    s.material.density = 0.7f;
    s.def.substeps = 4;
    build_scene(&s);
    deform(&s, (const double[3][3]){{1.2, 0.1, 0}, {0, 0.9, 0}, {0.1, 0, 1}});
    int n = s.mesh.nvertices;
    float *v = copy_floats(velocities(&s), 3 * n);
    double *mass = calloc((size_t)n, sizeof *mass);
    uint64_t random = 8;
    assert_non_null(mass);
    for (int i = 0; i < 3 * n; i++) v[i] = (float)uniform(&random, -1, 1) + (i % 3 == 0 ? 1 : 0);
    set_velocities(&s, v);
    for (int t = 0; t < s.mesh.ntris; t++)
        for (int c = 0; c < 3; c++)
            mass[s.mesh.tri[3 * t + c]] += 0.7 * tri_area(s.mesh.x, &s.mesh.tri[3 * t]) / 3;
    d3 before = {0, 0, 0}, after = {0, 0, 0};
    for (int i = 0; i < n; i++) before = d3_add(before, d3_scale(mass[i], velocity(&s, i)));
    step(&s, 30, STEP);
    for (int i = 0; i < n; i++) after = d3_add(after, d3_scale(mass[i], velocity(&s, i)));
    check_within("momentum", d3_length(before), 0.3, 3);
    check_within("change of momentum", d3_length(d3_sub(after, before)) / d3_length(before), 0,
                 1e-3);
    free(mass);
    free(v);
    free_scene(&s);
}

static void test_global_damping_does_not_depend_on_substeps(void **state)
{
    (void)state;
    const int substeps[] = {1, 2, 8, 32};
    for (int i = 0; i < LENGTH(substeps); i++) {
        scene s = sheet_scene(3, 1);
        s.material.damping.global = 0.5f;
        s.def.substeps = substeps[i];
        s.place.velocity[0] = 3;
        build_scene(&s);
        step(&s, 120, STEP);
        /* an implicit step of h misses the exact rate by h rate / 2, here at most 0.5 % */
        double rate = -log(velocity(&s, 4).x / 3) / 2;
        check_ratio("rate", rate, 0.5, 0.006);
        free_scene(&s);
    }
}

/* Two masses on a spring spin and oscillate. Damping along the edge removes the oscillation, not the spin. */
static void test_mode_damping_spares_a_spin(void **state)
{
    (void)state;
    double swing[2];
    for (int damped = 0; damped <= 1; damped++) {
        scene s = bare_scene();
        taut_error error;
        check_done(taut_mesh_chain(&s.mesh, 2, 1, &error), &error);
        s.material.units = TAUT_PHYSICAL;
        s.material.edge = 100;
        s.material.damping.edge = damped ? 30 : 0;
        s.def.substeps = 20;
        build_scene(&s);
        const float v[6] = {-1, -0.5f, 0, 1, 0.5f, 0};
        set_velocities(&s, v);
        double least = 1e9, most = 0, spin = 0;
        for (int i = 0; i < 120; i++) {
            step(&s, 1, STEP);
            d3 r = d3_sub(vertex(&s, 1), vertex(&s, 0)),
               u = d3_sub(velocity(&s, 1), velocity(&s, 0));
            spin = d3_cross(r, u).z;
            if (i >= 60) least = fmin(least, d3_length(r)), most = fmax(most, d3_length(r));
        }
        swing[damped] = most - least;
        check_ratio("angular momentum", spin, 1, 0.01);
        free_scene(&s);
    }
    check_within("undamped swing", swing[0], 0.1, 1);
    check_within("damped swing", swing[1], 0, 0.01 * swing[0]);
}

/* Angular momentum of a sheet of density 1 about its middle, and its fastest motion outward. */
static void spin_and_breath(const scene *s, double *spin, double *breath)
{
    *spin = *breath = 0;
    for (int t = 0; t < s->mesh.ntris; t++)
        for (int c = 0; c < 3; c++) {
            int i = s->mesh.tri[3 * t + c];
            d3 r = d3_sub(vertex(s, i), (d3){0, -0.5, 0}), v = velocity(s, i);
            *spin += tri_area(s->mesh.x, &s->mesh.tri[3 * t]) / 3 * d3_cross(r, v).z;
            *breath = fmax(*breath, fabs(d3_dot(r, v)));
        }
}

/* The same for the strain of cloth: a spinning sheet grows and shrinks. */
static void test_stretch_damping_spares_a_spinning_sheet(void **state)
{
    (void)state;
    double left[2] = {0, 0};
    for (int damped = 0; damped <= 1; damped++) {
        scene s = sheet_scene(4, 1);
        s.material.units = TAUT_PHYSICAL;
        s.material.strain = (taut_strain){.xx = 200, .yy = 200, .xy = 100, .rest = {1, 1, 1}};
        s.material.damping.stretch = s.material.damping.shear = damped ? 20 : 0;
        s.def.substeps = 10;
        build_scene(&s);
        int n = s.mesh.nvertices;
        float *v = copy_floats(velocities(&s), 3 * n);
        for (int i = 0; i < n; i++) { /* 1 rad/s about the middle, and 1/s outward */
            d3 r = d3_sub(vertex(&s, i), (d3){0, -0.5, 0});
            v[3 * i] = (float)(-r.y + r.x), v[3 * i + 1] = (float)(r.x + r.y);
        }
        set_velocities(&s, v);
        free(v);
        double before, after, breath;
        spin_and_breath(&s, &before, &breath);
        for (int k = 0; k < 60; k++) {
            step(&s, 1, STEP);
            spin_and_breath(&s, &after, &breath);
            if (k >= 20) left[damped] = fmax(left[damped], breath);
        }
        check_ratio("angular momentum", after, before, 0.01);
        free_scene(&s);
    }
    check_within("breathing left with damping", left[1], 0, 0.2 * left[0]);
}

static void test_gravity_and_wind_change_while_running(void **state)
{
    (void)state;
    scene s = sheet_scene(4, 1);
    taut_error error;
    s.material.drag = 1;
    s.def.substeps = 4;
    s.def.air_density = 0;
    s.def.gravity[1] = -10;
    build_scene(&s);
    step(&s, 30, STEP);
    check_near("falls", velocity(&s, 5).y, -5, 0.01);
    check_done(taut_world_set_gravity(s.world, (const float[3]){4, 0, 0}, &error), &error);
    step(&s, 30, STEP);
    check_near("keeps falling", velocity(&s, 5).y, -5, 0.01);
    check_near("falls aside", velocity(&s, 5).x, 2, 0.01);
    check_done(taut_world_set_gravity(s.world, (const float[3]){0, 0, 0}, &error), &error);
    check_done(taut_world_set_wind(s.world, (const float[3]){0, 0, 8}, 1.2f, &error), &error);
    step(&s, 30, STEP);
    check_within("blown", velocity(&s, 5).z, 0.5, 8);
    free_scene(&s);
}

/* ---- Air ---- */

/* Mean acceleration times mass of a 1 m plate over one tiny step. */
static d3 wind_force(d3 wind, float drag, float lift)
{
    scene s = sheet_scene(5, 1);
    s.material.density = 2;
    s.material.drag = drag, s.material.lift = lift;
    s.def.wind[0] = (float)wind.x, s.def.wind[1] = (float)wind.y, s.def.wind[2] = (float)wind.z;
    build_scene(&s);
    const float dt = 1e-4f;
    step(&s, 1, dt);
    d3 force = {0, 0, 0};
    for (int t = 0; t < s.mesh.ntris; t++)
        for (int c = 0; c < 3; c++)
            force =
                d3_add(force, d3_scale(2 * tri_area(s.mesh.x, &s.mesh.tri[3 * t]) / 3 / (double)dt,
                                       velocity(&s, s.mesh.tri[3 * t + c])));
    free_scene(&s);
    return force;
}

static void test_wind_on_a_plate(void **state)
{
    (void)state;
    d3 across = wind_force((d3){0, 0, 6}, 1.3f, 0.7f),
       back = wind_force((d3){0, 0, -6}, 1.3f, 0.7f);
    double expected = 0.5 * 1.2 * 1.3 * 36;
    check_ratio("drag", across.z, expected, 0.01);
    check_ratio("drag from behind", back.z, -expected, 0.01);
    check_near("sideways", hypot(across.x, across.y), 0, 0.01 * expected);
    d3 along = wind_force((d3){6, 3, 0}, 1.3f, 0.7f);
    check_near("edge-on", d3_length(along), 0, 1e-3 * expected);
    d3 slanted = wind_force((d3){4, 0, 4}, 0,
                            1); /* lift: across the wind, to the side the plate leans away from */
    check_within("lift", slanted.z, 1, 100);
    check_near("lift is across the wind", slanted.x + slanted.z, 0, 0.02 * d3_length(slanted));
}

static void test_light_cloth_never_outruns_the_wind(void **state)
{
    (void)state;
    const int substeps[] = {1, 16};
    for (int i = 0; i < LENGTH(substeps); i++) {
        scene s = sheet_scene(6, 1);
        s.material.density = 0.01f;
        s.material.drag = 2;
        s.material.lift = 0.5f;
        s.def.wind[2] = 100;
        s.def.substeps = substeps[i];
        build_scene(&s);
        double last = 0;
        for (int k = 0; k < 120; k++) {
            step(&s, 1, STEP);
            check_sound("light cloth", &s);
            double mean = 0;
            for (int v = 0; v < s.mesh.nvertices; v++) mean += velocity(&s, v).z / s.mesh.nvertices;
            check_within("mean speed along the wind", mean, last - 0.1, 100.1);
            last = mean;
        }
        check_within("speed at last", last, 90, 100.1);
        free_scene(&s);
    }
}

static void test_still_air_damps(void **state)
{
    (void)state;
    scene s = sheet_scene(4, 1);
    s.material.drag = 1;
    s.place.velocity[2] = 5;
    s.def.substeps = 8;
    build_scene(&s);
    step(&s, 60, STEP);
    /* m dv/dt = -1/2 rho A v^2: v = v0 / (1 + rho v0 t / (2 density)) */
    check_ratio("speed after 1 s", velocity(&s, 5).z, 5 / (1 + 0.6 * 5), 0.03);
    free_scene(&s);
}

/* ---- Colliders ---- */

static taut_collider_def plane_at(float y, float friction)
{
    taut_collider_def def = taut_default_collider_def();
    def.a[1] = y;
    def.friction = friction;
    return def;
}

/* How far the deepest vertex is inside a collider, including the thickness. */
static double depth_in(const scene *s, const taut_collider_def *def, double thickness)
{
    double deepest = -1e9;
    d3 a = d3_of(def->a), b = d3_of(def->b);
    for (int v = 0; v < s->mesh.nvertices; v++) {
        d3 p = vertex(s, v), r = d3_sub(p, a);
        double clear = 0;
        if (def->shape == TAUT_PLANE)
            clear = d3_dot(r, d3_of(def->normal)) / d3_length(d3_of(def->normal));
        if (def->shape == TAUT_SPHERE) clear = d3_length(r) - (double)def->radius;
        if (def->shape == TAUT_CAPSULE) {
            d3 axis = d3_sub(b, a);
            double t = fmax(0, fmin(1, d3_dot(r, axis) / d3_dot(axis, axis)));
            clear = d3_length(d3_sub(r, d3_scale(t, axis))) - (double)def->radius;
        }
        deepest = fmax(deepest, thickness - clear);
    }
    return deepest;
}

static void test_nothing_is_left_inside_colliders(void **state)
{
    (void)state;
    taut_collider_def shapes[3] = {plane_at(0, 0.5f), plane_at(0, 0.5f), plane_at(0, 0.5f)};
    shapes[0].normal[1] = 7; /* any length */
    shapes[1].shape = TAUT_SPHERE;
    shapes[1].radius = 0.3f;
    shapes[1].a[2] = 0.5f;
    shapes[2].shape = TAUT_CAPSULE;
    shapes[2].radius = 0.2f;
    shapes[2].a[0] = -0.4f, shapes[2].b[0] = 0.4f, shapes[2].b[1] = 0.1f,
    shapes[2].a[2] = shapes[2].b[2] = 0.5f;
    for (int i = 0; i < LENGTH(shapes); i++) {
        scene s = sheet_scene(11, 1);
        s.material.thickness = 0.01f;
        s.material.bend = (taut_bend){.model = TAUT_BEND_ISOMETRIC, .stiffness = 0.05f};
        s.material.damping.global = 1;
        s.def.gravity[1] = -9.81f;
        s.def.substeps = 16;
        lay_flat(&s, 0.5f);
        build_scene(&s);
        add_collider(&s, &shapes[i]);
        int contacts = 0;
        for (int k = 0; k < 90; k++) {
            step(&s, 1, STEP);
            contacts += taut_world_stats(s.world).contacts;
        }
        check_sound("draped sheet", &s);
        check_within("contacts", contacts, 10, 1e9);
        check_within("depth", depth_in(&s, &shapes[i], 0.01), -0.005, 1e-3);
        if (i == 0) check_near("rests at its thickness", vertex(&s, 60).y, 0.01, 1e-3);
        free_scene(&s);
    }
}

static void test_moving_plane_lifts_a_sheet(void **state)
{
    (void)state;
    scene s = sheet_scene(6, 1);
    taut_error error;
    s.def.gravity[1] = -9.81f;
    s.def.substeps = 8;
    lay_flat(&s, 0.02f);
    build_scene(&s);
    taut_collider_def plane = plane_at(0, 0.5f);
    int id = add_collider(&s, &plane);
    step(&s, 30, STEP);
    for (int i = 0; i < 60;
         i++) { /* up at 1 m/s and aside at 0.5 m/s: friction takes the sheet along */
        plane.a[1] += 1 * STEP;
        plane.a[0] += 0.5f * STEP;
        check_done(taut_collider_move(s.world, id, &plane, &error), &error);
        step(&s, 1, STEP);
        check_within("depth", depth_in(&s, &plane, 0), -0.05, 1e-3);
    }
    check_near("lifted", vertex(&s, 14).y, 1, 0.01);
    check_near("speed", velocity(&s, 14).y, 1, 0.02);
    check_near("taken along", velocity(&s, 14).x, 0.5, 0.02);
    free_scene(&s);
}

static void test_sphere_moves_through_a_hanging_sheet(void **state)
{
    (void)state;
    scene s = sheet_scene(11, 1);
    taut_error error;
    for (int v = 0; v < 11; v++) pin_rest(&s, v);
    s.material.thickness = 0.01f;
    s.def.gravity[1] = -9.81f;
    s.def.substeps = 16;
    build_scene(&s);
    taut_collider_def ball = taut_default_collider_def();
    ball.shape = TAUT_SPHERE;
    ball.radius = 0.2f;
    ball.a[1] = -0.6f, ball.a[2] = -1;
    int id = add_collider(&s, &ball);
    double pushed = 0;
    for (int i = 0; i < 60; i++) {
        ball.a[2] += 2 * STEP;
        check_done(taut_collider_move(s.world, id, &ball, &error), &error);
        step(&s, 1, STEP);
        check_sound("sheet and ball", &s);
        check_within("depth in the ball", depth_in(&s, &ball, 0.01), -2, 1e-3);
        pushed = fmax(pushed, vertex(&s, 65).z);
    }
    check_within("pushed by", pushed, 0.15, 1.2);
    free_scene(&s);
}

static double turned_by_sphere(float friction)
{
    scene s = sheet_scene(9, 0.8f);
    s.material.thickness = 0.005f;
    s.def.gravity[1] = -9.81f;
    s.def.substeps = 10;
    s.material.damping.global = 0.5f;
    lay_flat(&s, 0.32f);
    s.place.position[2] = -0.4f;
    build_scene(&s);
    taut_collider_def ball = taut_default_collider_def();
    ball.shape = TAUT_SPHERE;
    ball.radius = 0.3f;
    ball.spin[1] = 3;
    ball.friction = friction;
    add_collider(&s, &ball);
    step(&s, 90, STEP);
    check_sound("cloth on a spinning ball", &s);
    double turn = 0;
    for (int v = 0; v < s.mesh.nvertices; v++) turn += d3_cross(vertex(&s, v), velocity(&s, v)).y;
    free_scene(&s);
    return turn / 81;
}

static void test_spinning_sphere_drags_cloth_by_friction(void **state)
{
    (void)state;
    double with = turned_by_sphere(1), without = turned_by_sphere(0);
    check_within("mean r x v with friction", with, 0.02, 1);
    check_within("without", fabs(without), 0, 0.1 * with);
}

/* A sheet starts at rest on a plane, under gravity tilted by `angle`. Returns how far it slid in a second. */
static double slide(double angle, float body_friction, float plane_friction)
{
    scene s = sheet_scene(4, 0.3f);
    s.material.friction = body_friction;
    s.def.substeps = 10;
    s.def.gravity[0] = (float)(9.81 * sin(angle)), s.def.gravity[1] = (float)(-9.81 * cos(angle));
    lay_flat(&s, 0);
    build_scene(&s);
    taut_collider_def plane = plane_at(0, plane_friction);
    add_collider(&s, &plane);
    d3 before = vertex(&s, 5);
    step(&s, 60, STEP);
    double slid = vertex(&s, 5).x - before.x;
    free_scene(&s);
    return slid;
}

static void test_coulomb_friction(void **state)
{
    (void)state;
    const double mu = 0.5, steep = 0.7, gentle = 0.4; /* tan: 0.84, 0.42 */
    check_near("below the friction angle", slide(gentle, 1, (float)mu), 0, 1e-3);
    check_ratio("above it", slide(steep, 1, (float)mu), 9.81 / 2 * (sin(steep) - mu * cos(steep)),
                0.05);
    check_ratio("frictionless collider", slide(steep, 1, 0), 9.81 / 2 * sin(steep), 0.05);
    check_ratio("frictionless body", slide(steep, 0, 1), 9.81 / 2 * sin(steep), 0.05);
    check_ratio("both halve it", slide(steep, 0.5f, (float)mu),
                9.81 / 2 * (sin(steep) - mu / 2 * cos(steep)), 0.05);
}

/* ---- Pins and tethers ---- */

static void test_pins_arrive_exactly_and_evenly(void **state)
{
    (void)state;
    scene s = bare_scene();
    taut_error error;
    uint64_t random = 4;
    check_done(taut_mesh_chain(&s.mesh, 2, 1, &error), &error);
    s.def.substeps = 7;
    s.def.gravity[1] = -9.81f;
    build_scene(&s);
    check_done(taut_body_pin(s.world, s.body, 1, NULL, 1, &error), &error);
    d3 from = vertex(&s, 1);
    for (int i = 1; i <= 40;
         i++) { /* far and near in turn, because from + (to - from) would not be exact */
        float target[3], reach = i % 2 ? 100 : 0.1f;
        for (int c = 0; c < 3; c++) target[c] = (float)uniform(&random, -1, 1) * reach;
        check_done(taut_body_pin(s.world, s.body, 1, target, 1, &error), &error);
        step(&s, 1, STEP);
        assert_memory_equal(positions(&s) + 3, target, sizeof target);
        d3 to = d3_of(target), u = d3_scale(60, d3_sub(to, from));
        check_near("even speed", d3_length(d3_sub(velocity(&s, 1), u)), 0,
                   1e-3 * (1 + d3_length(u)));
        from = to;
    }
    step(&s, 1, STEP); /* it has reached its target and stands */
    check_near("speed of a pin that stands", d3_length(velocity(&s, 1)), 0, 0);
    free_scene(&s);
}

static void test_unpinned_vertex_keeps_its_velocity(void **state)
{
    (void)state;
    scene s = bare_scene();
    taut_error error;
    check_done(taut_mesh_chain(&s.mesh, 2, 1, &error), &error);
    s.def.substeps = 5;
    build_scene(&s);
    const float target[3] = {0.05f, 0.02f, 0};
    check_done(taut_body_pin(s.world, s.body, 0, target, 1, &error), &error);
    step(&s, 1, STEP);
    check_done(taut_body_unpin(s.world, s.body, 0, &error), &error);
    step(&s, 60, STEP);
    check_near("speed along x", velocity(&s, 0).x, 3, 0.01);
    check_near("way along y", vertex(&s, 0).y, 0.02 + 1.2, 0.01);
    free_scene(&s);
}

static void test_soft_pins_pull(void **state)
{
    (void)state;
    double sag[2];
    for (int i = 0; i < 2; i++) {
        scene s = bare_scene();
        taut_error error;
        check_done(taut_mesh_chain(&s.mesh, 2, 1, &error), &error);
        s.material.edge = 1;
        s.material.damping.global = 5;
        s.def.substeps = 4;
        s.def.gravity[1] = -9.81f;
        build_scene(&s);
        const float target[3] = {0, 1, 0};
        check_done(taut_body_pin(s.world, s.body, 0, target, i ? 0.9f : 0.2f, &error), &error);
        step(&s, 300, STEP);
        check_sound("soft pin", &s);
        sag[i] = d3_length(d3_sub(vertex(&s, 0), (d3){0, 1, 0}));
        free_scene(&s);
    }
    check_within("sag of a firm pin", sag[1], 1e-7, 0.01);
    check_within("sag of a soft pin", sag[0], 2 * sag[1], 0.3);
}

/* Only tethers are stiff. They keep every vertex within `slack` times its distance along the mesh. */
static void test_tethers_limit_the_distance_to_the_pin(void **state)
{
    (void)state;
    const float slacks[] = {1, 1.1f};
    for (int i = 0; i < LENGTH(slacks); i++)
        for (int cloth = 0; cloth <= 1; cloth++) {
            scene s = bare_scene();
            taut_error error;
            check_done(cloth ? taut_mesh_sheet(&s.mesh, 6, 6, 1, 1, &error)
                             : taut_mesh_chain(&s.mesh, 12, 1, &error),
                       &error);
            pin_rest(&s, 0);
            s.material.tether = 1;
            s.material.tether_slack = slacks[i];
            s.material.density = 50;
            s.def.gravity[1] = -9.81f;
            build_scene(&s);
            d3 pin = vertex(&s, 0);
            for (int k = 0; k < 120; k++) {
                step(&s, 1, STEP);
                for (int v = 1; v < s.mesh.nvertices; v++) {
                    /* the ways along a flat sheet are straight */
                    double way = d3_length(d3_sub(d3_of(s.mesh.x + 3 * v), d3_of(s.mesh.x)));
                    double distance = d3_length(d3_sub(vertex(&s, v), pin));
                    check_within("distance over way", distance / way, 0,
                                 (double)slacks[i] * (1 + 1e-5));
                }
            }
            int last = s.mesh.nvertices - 1;
            double way = d3_length(d3_sub(d3_of(s.mesh.x + 3 * last), d3_of(s.mesh.x)));
            check_ratio("hangs at its limit", d3_length(d3_sub(vertex(&s, last), pin)),
                        way * (double)slacks[i], 0.01);
            check_done(taut_body_unpin(s.world, s.body, 0, &error), &error);
            check_done(taut_body_pin(s.world, s.body, 1, NULL, 1, &error), &error);
            double y = vertex(&s, last).y;
            step(&s, 60, STEP);
            check_within("free after unpinning: fell", y - vertex(&s, last).y, 3, 6);
            free_scene(&s);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_free_fall_is_exact),
        cmocka_unit_test(test_momentum_is_kept),
        cmocka_unit_test(test_global_damping_does_not_depend_on_substeps),
        cmocka_unit_test(test_mode_damping_spares_a_spin),
        cmocka_unit_test(test_stretch_damping_spares_a_spinning_sheet),
        cmocka_unit_test(test_gravity_and_wind_change_while_running),
        cmocka_unit_test(test_wind_on_a_plate),
        cmocka_unit_test(test_light_cloth_never_outruns_the_wind),
        cmocka_unit_test(test_still_air_damps),
        cmocka_unit_test(test_nothing_is_left_inside_colliders),
        cmocka_unit_test(test_moving_plane_lifts_a_sheet),
        cmocka_unit_test(test_sphere_moves_through_a_hanging_sheet),
        cmocka_unit_test(test_spinning_sphere_drags_cloth_by_friction),
        cmocka_unit_test(test_coulomb_friction),
        cmocka_unit_test(test_pins_arrive_exactly_and_evenly),
        cmocka_unit_test(test_unpinned_vertex_keeps_its_velocity),
        cmocka_unit_test(test_soft_pins_pull),
        cmocka_unit_test(test_tethers_limit_the_distance_to_the_pin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
