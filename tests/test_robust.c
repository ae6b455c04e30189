/* test_robust.c: nothing turns NaN, and size and place do not matter. */
#include "scenery.h"

/* ---- Odd meshes and extreme numbers ---- */

static taut_mesh mesh_of(const float *x, int nvertices, const int *tri, int ntris, const int *tet,
                         int ntets)
{
    taut_mesh mesh = {.nvertices = nvertices, .ntris = ntris, .ntets = ntets};
    mesh.x = copy_floats(x, 3 * nvertices);
    mesh.tri = malloc(3 * (size_t)(ntris + 1) * sizeof *tri);
    mesh.tet = malloc(4 * (size_t)(ntets + 1) * sizeof *tet);
    assert_true(mesh.tri && mesh.tet);
    if (ntris) memcpy(mesh.tri, tri, 3 * (size_t)ntris * sizeof *tri);
    if (ntets) memcpy(mesh.tet, tet, 4 * (size_t)ntets * sizeof *tet);
    return mesh;
}

/* Switches everything on, with one bending model. */
static void use_everything(taut_material *m, taut_units units, taut_bend bend)
{
    float k = units == TAUT_PHYSICAL ? 500 : 1;
    *m = taut_default_material();
    m->units = units;
    m->edge = k / 2;
    m->strain = (taut_strain){.xx = k,
                              .yy = k,
                              .zz = k,
                              .xy = k / 2,
                              .yz = k / 2,
                              .xz = k / 2,
                              .area = k / 2,
                              .volume = k,
                              .rest = {1, 1, 1}};
    m->bend = bend;
    m->bend.stiffness = k / 2;
    m->tether = k;
    m->damping = (taut_damping){0.1f, 1, 1, 1, 1, 1, 1, 0.01f};
}

static const taut_bend bends[] = {
    {.model = TAUT_BEND_DIHEDRAL},
    {.model = TAUT_BEND_ISOMETRIC},
    {.model = TAUT_BEND_TRIANGLE},
    {.model = TAUT_BEND_TRIANGLE, .sided = true},
    {.model = TAUT_BEND_TRIANGLE, .creation = TAUT_BEND_MIDPOINT},
    {.model = TAUT_BEND_STICK},
};

/* Steps a mesh with every bending model in both units, pinned at vertex 0, over a plane. */
static void try_mesh(const char *what, taut_mesh (*make)(void))
{
    for (int b = 0; b < LENGTH(bends); b++)
        for (int units = 0; units <= 1; units++) {
            scene s = bare_scene();
            char name[100];
            s.mesh = make();
            pin_rest(&s, 0);
            use_everything(&s.material, (taut_units)units, bends[b]);
            s.def = taut_default_world_def();
            s.def.threads = 1;
            s.def.iterations = 2;
            s.def.wind[0] = 3;
            build_scene(&s);
            taut_collider_def plane = taut_default_collider_def();
            plane.a[1] = -0.5f;
            add_collider(&s, &plane);
            snprintf(name, sizeof name, "%s, bending %d, units %d", what, b, units);
            for (int i = 0; i < 20; i++) {
                step(&s, 1, STEP);
                check_sound(name, &s);
            }
            free_scene(&s);
        }
}

static taut_mesh zero_area(void)
{
    const float x[] = {0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 1, 0, 1, 1, 0};
    const int tri[] = {0, 1, 2, 0, 1, 3, 1, 4, 3}; /* the first lies on a line */
    return mesh_of(x, 5, tri, 3, NULL, 0);
}

static taut_mesh coincident(void)
{
    const float x[] = {0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1};
    const int tri[] = {0, 1, 3, 0, 2, 4, 1, 2, 3, 3, 4, 1}, tet[] = {0, 1, 3, 5, 0, 1, 2, 5};
    return mesh_of(x, 6, tri, 4, tet, 2);
}

static taut_mesh all_in_one_point(void)
{
    const float x[12] = {0};
    const int tri[] = {0, 1, 2, 1, 3, 2}, tet[] = {0, 1, 2, 3};
    return mesh_of(x, 4, tri, 2, tet, 1);
}

static taut_mesh unreferenced(void)
{
    const float x[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 5, 5, 5, -3, 0, 0};
    const int tri[] = {0, 1, 2};
    return mesh_of(x, 5, tri, 1, NULL, 0);
}

static taut_mesh nonmanifold(void)
{
    const float x[] = {0, 0, 0, 0, 1, 0, 1, 0, 0, -1, 0, 0, 0, 0, 1, 0, 0, -1};
    const int tri[] = {0, 1, 2, 0, 1, 3,
                       1, 0, 4, 0, 1, 5}; /* four on one edge, not all the same way round */
    return mesh_of(x, 6, tri, 4, NULL, 0);
}

static taut_mesh same_triangle_twice(void)
{
    const float x[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    const int tri[] = {0, 1, 2, 0, 2, 1};
    return mesh_of(x, 3, tri, 2, NULL, 0);
}

static void test_odd_meshes_stay_finite(void **state)
{
    (void)state;
    try_mesh("zero area", zero_area);
    try_mesh("coincident vertices", coincident);
    try_mesh("all in one point", all_in_one_point);
    try_mesh("unreferenced vertices", unreferenced);
    try_mesh("non-manifold", nonmanifold);
    try_mesh("a triangle twice", same_triangle_twice);
}

static taut_mesh plain_sheet(void)
{
    taut_mesh mesh;
    taut_error error;
    check_done(taut_mesh_sheet_irregular(&mesh, 8, 8, 1, 1, 0.4f, 3, &error), &error);
    return mesh;
}

static taut_mesh plain_beam(void)
{
    taut_mesh mesh;
    taut_error error;
    check_done(taut_mesh_beam(&mesh, 3, 2, 2, 1, 0.3f, 0.3f, &error), &error);
    return mesh;
}

static void test_ordinary_meshes_have_no_bad_particles(void **state)
{
    (void)state;
    try_mesh("sheet", plain_sheet);
    try_mesh("beam", plain_beam);
}

/* Steps from a microsecond to a second, masses of a million to one, and all vertices pinned. */
static void test_extreme_steps_and_masses(void **state)
{
    (void)state;
    const float dts[] = {1e-6f, 1e-4f, STEP, 0.1f, 1};
    for (int units = 0; units <= 1; units++)
        for (int i = 0; i < LENGTH(dts); i++)
            for (int pinned = 0; pinned <= 1; pinned++) {
                scene s = bare_scene();
                taut_error error;
                s.mesh = plain_sheet();
                for (int v = 0; v < (pinned ? s.mesh.nvertices : 1); v++) pin_rest(&s, v);
                use_everything(&s.material, (taut_units)units, bends[0]);
                s.def = taut_default_world_def();
                s.def.threads = 1;
                build_scene(&s);
                for (int v = 0; v < s.mesh.nvertices; v += 3)
                    check_done(taut_body_set_mass(s.world, s.body, v, v % 2 ? 1e-3f : 1e3f, &error),
                               &error);
                for (int k = 0; k < 30; k++) {
                    step(&s, 1, dts[i]);
                    check_sound("extreme step", &s);
                }
                for (int v = 0; pinned && v < s.mesh.nvertices; v++)
                    check_near("pinned", d3_length(d3_sub(vertex(&s, v), d3_of(s.mesh.x + 3 * v))),
                               0, 0);
                free_scene(&s);
            }
}

static void test_huge_velocities_stay_finite(void **state)
{
    (void)state;
    const float speeds[] = {1e3f, 1e9f, 1e15f, 1e25f, 3e38f};
    /* With air, which slows particles down, and without air. */
    for (int k = 0; k < 2 * LENGTH(speeds); k++) {
        int i = k / 2;
        scene s = bare_scene();
        s.mesh = plain_sheet();
        use_everything(&s.material, TAUT_RATIO, bends[1]);
        if (k % 2) s.material.drag = s.material.lift = 0;
        s.def.substeps = 4;
        build_scene(&s);
        float *v = copy_floats(velocities(&s), 3 * s.mesh.nvertices);
        for (int c = 0; c < 3 * s.mesh.nvertices; c++) v[c] = (c / 3) % 2 ? speeds[i] : -speeds[i];
        set_velocities(&s, v);
        free(v);
        for (int n = 0; n < 20; n++) {
            step(&s, 1, STEP);
            if (!all_finite(&s)) fail_msg("speed %g: not finite", (double)speeds[i]);
            if (n == 0 && i == 0)
                check_near("bad particles", taut_world_stats(s.world).bad_particles, 0, 0);
            if (n == 0 && speeds[i] > 1e38f)
                check_within("bad particles", taut_world_stats(s.world).bad_particles, 1,
                             4 * s.mesh.nvertices);
        }
        free_scene(&s);
    }
}

/* One runaway particle is counted and put back at rest, and the rest of its world goes on. */
static void test_bad_particle_is_counted_and_contained(void **state)
{
    (void)state;
    scene s = bare_scene();
    taut_error error;
    check_done(taut_mesh_chain(&s.mesh, 5, 1, &error), &error);
    s.def.gravity[1] = -10;
    build_scene(&s);
    float v[15] = {0};
    v[7] = 3e38f;
    set_velocities(&s, v);
    step(&s, 1, 60); /* 3e38 * 60 overflows */
    assert_int_equal(taut_world_stats(s.world).bad_particles, 1);
    assert_true(all_finite(&s));
    check_near("put back", vertex(&s, 2).y, 0, 0);
    check_near("at rest", velocity(&s, 2).y, 0, 0);
    check_ratio("its neighbours fall", vertex(&s, 1).y, -36000, 1e-5);
    step(&s, 1, STEP);
    assert_int_equal(taut_world_stats(s.world).bad_particles, 0);
    check_within("it falls again", vertex(&s, 2).y, -0.01, -0.001);
    free_scene(&s);
}

/* ---- Scale and place ---- */

/* An example that can be scaled by `size` and put at `place`. Gravity scales too, so that times stay the same. */
typedef struct example {
    const char *name;
    taut_mesh (*make)(void);
    void (*equip)(taut_material *m);
    int pin[2];
} example;

static taut_mesh hinged_strip(void)
{
    taut_mesh mesh;
    taut_error error;
    check_done(taut_mesh_strip(&mesh, 8, 1, 0.3f, &error), &error);
    return mesh;
}

static taut_mesh plain_chain(void)
{
    taut_mesh mesh;
    taut_error error;
    check_done(taut_mesh_chain(&mesh, 9, 1, &error), &error);
    return mesh;
}

static void equip_cloth(taut_material *m)
{
    m->strain = (taut_strain){.xx = 0.9f, .yy = 0.9f, .xy = 0.5f, .area = 0.3f, .rest = {1, 1, 1}};
}
static void equip_solid(taut_material *m)
{
    m->strain = (taut_strain){.xx = 0.9f,
                              .yy = 0.9f,
                              .zz = 0.9f,
                              .xy = 0.5f,
                              .yz = 0.5f,
                              .xz = 0.5f,
                              .volume = 0.5f,
                              .rest = {1, 1, 1}};
}
static void equip_bend(taut_material *m, taut_bend_model model)
{
    equip_cloth(m);
    m->bend = (taut_bend){.model = model, .stiffness = 0.3f};
}
static void equip_dihedral(taut_material *m) { equip_bend(m, TAUT_BEND_DIHEDRAL); }
static void equip_isometric(taut_material *m) { equip_bend(m, TAUT_BEND_ISOMETRIC); }
static void equip_triangle(taut_material *m) { equip_bend(m, TAUT_BEND_TRIANGLE); }
static void equip_tether(taut_material *m)
{
    m->tether = 1;
    m->edge = 0.5f;
}

static const example examples[] = {
    {"cloth", plain_sheet, equip_cloth, {0, 7}},
    {"solid", plain_beam, equip_solid, {0, 4}},
    {"dihedral", hinged_strip, equip_dihedral, {0, 1}},
    {"isometric", hinged_strip, equip_isometric, {0, 1}},
    {"triangle", hinged_strip, equip_triangle, {0, 1}},
    {"tether", plain_chain, equip_tether, {0, 0}},
};

/* Positions after half a second, relative to the first vertex, in units of the size. */
static float *run_example(const example *e, float size, float place, int substeps, int *count)
{
    scene s = bare_scene();
    s.mesh = e->make();
    for (int i = 0; i < 3 * s.mesh.nvertices; i++) s.mesh.x[i] *= size;
    pin_rest(&s, e->pin[0]);
    pin_rest(&s, e->pin[1]);
    e->equip(&s.material);
    s.material.damping.global = 4;
    s.def.gravity[1] = -5 * size;
    s.def.gravity[2] = -3 * size;
    s.def.substeps = substeps;
    s.def.iterations = 5;
    for (int c = 0; c < 3; c++) s.place.position[c] = place;
    build_scene(&s);
    step(&s, 30, STEP);
    check_sound(e->name, &s);
    *count = 3 * s.mesh.nvertices;
    float *x = copy_floats(positions(&s), *count);
    for (int i = *count - 1; i >= 0; i--) x[i] = (x[i] - x[i % 3]) / size;
    free_scene(&s);
    return x;
}

static void compare(const char *what, const example *e, float size, float place, int substeps,
                    double tolerance)
{
    int n;
    float *expected = run_example(e, 1, 0, substeps, &n),
          *got = run_example(e, size, place, substeps, &n);
    double worst = 0, moved = 0;
    taut_mesh rest = e->make();
    for (int i = 0; i < n; i++) {
        worst = fmax(worst, fabs((double)expected[i] - (double)got[i]));
        moved =
            fmax(moved, fabs((double)expected[i] - ((double)rest.x[i] - (double)rest.x[i % 3])));
    }
    char name[100];
    snprintf(name, sizeof name, "%s, %s: apart", e->name, what);
    check_within("the example moves", moved, 0.02, 10);
    check_within(name, worst, 0, tolerance);
    taut_mesh_free(&rest);
    free(expected);
    free(got);
}

static void test_size_does_not_matter(void **state)
{
    (void)state;
    for (int i = 0; i < LENGTH(examples); i++) {
        compare("1 cm", &examples[i], 0.01f, 0, 5, 1e-3);
        compare("100 m", &examples[i], 100, 0, 5, 1e-3);
        compare("edges of 5 mm and less", &examples[i], 0.003f, 0, 5, 1e-3);
    }
}

/* 100 m away coordinates are d = 7.6e-6 m apart. In each of n steps some 30 projections (5 iterations over 6 elements)
 * round a vertex, and so its velocity. The error of each is uniform with a standard deviation of d / sqrt(12). In the
 * sum the velocity strays by sqrt(n) times as much and the place by n sqrt(n / 3) times as much. Three times that is
 * the most to be expected. */
static void test_place_does_not_matter(void **state)
{
    (void)state;
    const double n = 30, stray = 7.6e-6 * sqrt(30) / sqrt(12) * n * sqrt(n / 3);
    for (int i = 0; i < LENGTH(examples); i++)
        compare("100 m away", &examples[i], 1, 100, 1, 3 * stray);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_odd_meshes_stay_finite),
        cmocka_unit_test(test_ordinary_meshes_have_no_bad_particles),
        cmocka_unit_test(test_extreme_steps_and_masses),
        cmocka_unit_test(test_huge_velocities_stay_finite),
        cmocka_unit_test(test_bad_particle_is_counted_and_contained),
        cmocka_unit_test(test_size_does_not_matter),
        cmocka_unit_test(test_place_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
