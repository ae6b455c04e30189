/* Levels of solids on meshes that the user gave. */
#define _POSIX_C_SOURCE 200809L
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_world.h"
#include "helpers_levels.h"
#include "helpers_scene.h"
#include "world/world.h"

#define BEAM(nx, ny, nz) "{\"generator\":\"beam\",\"nx\":" #nx ",\"ny\":" #ny ",\"nz\":" #nz ",\"size\":[2,0.6,0.6]}"
#define LIMITED "\"material\":{\"density\":500,\"limit\":{\"stretch\":[0.9,1.1]}}"

enum { MESHES = 3 };

/* A beam that sticks out of a wall at x = 0, and coarser meshes of it. */
typedef struct solid {
    taut_mesh mesh[MESHES];
    const taut_mesh *coarse[MESHES - 1];
    taut_material material;
    taut_model_options options;
} solid;

static solid beam(void)
{
    static const int cells[MESHES][2] = {{20, 6}, {10, 3}, {6, 2}};
    solid s = {.material = taut_default_material(), .options = taut_default_model_options()};
    taut_strain *strain = &s.material.strain;
    strain->xx = strain->yy = strain->zz = strain->xy = strain->yz = strain->xz = strain->volume = 0.02f;
    s.material.density = 500;
    s.material.limit.stretch[0] = 0.9f;
    s.material.limit.stretch[1] = 1.1f;
    s.material.limit.iterations = 4;
    for (int i = 0; i < MESHES; i++)
        assert_true(taut_mesh_beam(&s.mesh[i], cells[i][0], cells[i][1], cells[i][1], 2, 0.6f, 0.6f, NULL));
    for (int v = 0; v < s.mesh[0].nvertices; v++)
        if ((double)s.mesh[0].x[3 * v] < 1e-4) assert_true(taut_mesh_pin(&s.mesh[0], v, NULL));
    return s;
}

/* Builds the model. The solid must stay where it is from now on. */
static taut_model *build(solid *s, int ncoarse, taut_error *error)
{
    for (int i = 0; i + 1 < MESHES; i++) s->coarse[i] = &s->mesh[i + 1];
    s->options.coarse = s->coarse;
    s->options.ncoarse = ncoarse;
    return taut_model_build(&s->mesh[0], &s->material, &s->options, error);
}

static void free_solid(solid *s)
{
    for (int i = 0; i < MESHES; i++) taut_mesh_free(&s->mesh[i]);
}

static void given_meshes_are_the_levels(void **state)
{
    (void)state;
    solid s = beam();
    taut_model *model = build(&s, 2, NULL);
    assert_non_null(model);
    assert_int_equal(taut_model_levels(model), 2);
    const taut_model *level = model;
    for (int i = 0; i < MESHES; i++, level = level->coarser) {
        assert_int_equal(level->nvertices, s.mesh[i].nvertices);
        assert_int_equal(taut_model_constraints(level, taut_kind_find("limit_tet")), s.mesh[i].ntets);
    }
    expect_linear_transfers(model);
    taut_model_free(model);
    free_solid(&s);
}

static void a_number_of_levels_takes_as_many(void **state)
{
    (void)state;
    solid s = beam();
    for (int levels = 0; levels < 4; levels++) {
        s.options.levels = levels;
        taut_model *model = build(&s, 2, NULL);
        assert_int_equal(taut_model_levels(model), levels < 2 ? levels : 2);
        taut_model_free(model);
    }
    free_solid(&s);
}

/* Only vertices and tets of the given meshes count. Pins and material axes come from the mesh of the body. */
static void the_rest_is_the_bodys(void **state)
{
    (void)state;
    solid s = beam();
    s.material.limit.axis[0][1] = 1.05f;
    taut_model *plain = build(&s, 2, NULL);
    float *frame = calloc(9 * (size_t)s.mesh[1].ntets, sizeof *frame);
    float *mass = calloc((size_t)s.mesh[1].nvertices, sizeof *mass);
    for (int t = 0; t < s.mesh[1].ntets; t++) frame[9 * t + 1] = frame[9 * t + 3] = 1;
    for (int v = 0; v < s.mesh[1].nvertices; v++) mass[v] = 7;
    s.mesh[1].frame = frame;
    s.mesh[1].mass = mass;
    assert_true(taut_mesh_pin(&s.mesh[1], 50, NULL));
    taut_model *laden = build(&s, 2, NULL);
    assert_true(taut_model_hash(plain) == taut_model_hash(laden));
    /* The axes of the body's own tets reach the coarse ones. */
    s.mesh[0].frame = calloc(9 * (size_t)s.mesh[0].ntets, sizeof *frame);
    for (int t = 0; t < s.mesh[0].ntets; t++) s.mesh[0].frame[9 * t + 1] = s.mesh[0].frame[9 * t + 3] = 1;
    taut_model *turned = build(&s, 2, NULL);
    assert_true(turned->coarser->coarser->hash != plain->coarser->coarser->hash);
    taut_model_free(plain);
    taut_model_free(laden);
    taut_model_free(turned);
    free_solid(&s);
}

/* The violation that is left after few passes, the worst of the last steps. */
static double excess_with(int ncoarse, int threads, uint64_t *hash)
{
    solid s = beam();
    s.options.levels = ncoarse;
    taut_model *model = build(&s, 2, NULL);
    taut_world_def def = taut_default_world_def();
    def.substeps = 4;
    def.threads = threads;
    taut_world *world = taut_world_create(&def, NULL);
    add_at(world, model, 0, 0, 0);
    double worst = 0;
    for (int step = 0; step < 60; step++) {
        taut_world_step(world, 1.0f / 60);
        if (step >= 40) worst = fmax(worst, taut_world_stats(world).limit_excess);
    }
    *hash = taut_world_hash(world);
    taut_world_free(world);
    taut_model_free(model);
    free_solid(&s);
    return worst;
}

static void they_hold_a_soft_beam(void **state)
{
    (void)state;
    uint64_t hash;
    double alone = excess_with(0, 1, &hash), held = excess_with(2, 1, &hash);
    if (!(held < 0.05 && alone > 1.5 * held)) fail_msg("%g with levels, %g without", held, alone);
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    uint64_t one, some;
    excess_with(2, 1, &one);
    for (int threads = 2; threads < 4; threads++) {
        excess_with(2, threads, &some);
        assert_true(one == some);
    }
}

static void refuse(solid *s, int ncoarse, wanted want)
{
    taut_error error = stale();
    assert_null(build(s, ncoarse, &error));
    expect_error(&error, want);
}

static void bad_meshes_are_refused(void **state)
{
    (void)state;
    solid s = beam();
    refuse(&s, -1, (wanted){TAUT_BAD_ARGUMENT, -1, "options.ncoarse must be in [0,12], got -1"});
    refuse(&s, 13, (wanted){TAUT_BAD_ARGUMENT, -1, "options.ncoarse must be in [0,12], got 13"});
    s.mesh[2].tet[9] = 1000;
    refuse(&s, 2,
           (wanted){TAUT_BAD_MESH, 2, "options.coarse[1]: tet 2: vertex index 1000 is outside 0..62"});
    s.mesh[2].tet[9] = s.mesh[2].tet[8];
    s.mesh[2].tet[8] = s.mesh[2].tet[10];
    s.mesh[2].tet[10] = 0;
    memcpy(&s.mesh[1].x[3 * s.mesh[1].tet[1]], &s.mesh[1].x[3 * s.mesh[1].tet[0]], 3 * sizeof(float));
    refuse(&s, 1, (wanted){TAUT_BAD_MESH, 0, "options.coarse[0]: tet 0 has no volume"});
    free_solid(&s);

    s = beam();
    for (int v = 0; v < s.mesh[2].nvertices; v++) s.mesh[2].x[3 * v + 1] += 3;
    refuse(&s, 2, (wanted){TAUT_BAD_MESH, -1,
                           "options.coarse[1]: it is elsewhere or of another size: 2.173 across about (1, 3, 0), the "
                           "next finer mesh 2.173 about (1, 0, 0)"});
    for (int i = 0; i < 3 * s.mesh[1].nvertices; i++) s.mesh[1].x[i] *= 0.001f;
    refuse(&s, 1, (wanted){TAUT_BAD_MESH, -1,
                           "options.coarse[0]: it is elsewhere or of another size: 0.002173 across about (0.001, 0, 0),"
                           " the next finer mesh 2.173 about (1, 0, 0)"});
    free_solid(&s);

    s = beam();
    taut_mesh swap = s.mesh[1];
    s.mesh[1] = s.mesh[2];
    s.mesh[2] = swap;
    refuse(&s, 2, (wanted){TAUT_BAD_MESH, -1,
                           "options.coarse[1]: it has 450 tets, which must be fewer than the next finer mesh has: "
                           "120"});
    taut_mesh_free(&s.mesh[2]);
    s.mesh[2] = hanging_sheet(3);
    refuse(&s, 2,
           (wanted){TAUT_BAD_MESH, -1, "options.coarse[1]: a coarser mesh of a solid needs tets, this has none"});
    taut_mesh_free(&s.mesh[0]);
    s.mesh[0] = hanging_sheet(3);
    refuse(&s, 2, (wanted){TAUT_BAD_ARGUMENT, -1, "options.coarse is for solids: tets without triangles"});
    free_solid(&s);
}

/* ---- In scenes ---- */

static void a_scene_gives_meshes(void **state)
{
    (void)state;
    taut_scene *scene = good_scene("{\"bodies\":[{\"mesh\":" BEAM(20, 6, 6) ",\"transform\":{\"scale\":2}," LIMITED
                                   ",\"coarse\":[" BEAM(10, 3, 3) "," BEAM(6, 2, 2) "]}]}");
    const taut_model *model = scene->body[0].model;
    assert_int_equal(taut_model_levels(model), 2);
    assert_int_equal(model->coarser->nvertices, 11 * 4 * 4);
    assert_int_equal(model->coarser->coarser->nvertices, 7 * 3 * 3);
    expect_linear_transfers(model);
    taut_scene_free(scene);
}

static void bad_meshes_of_scenes_are_told(void **state)
{
    (void)state;
    expect_refused("{\"bodies\":[{\"mesh\":" BEAM(4, 2, 2) "," LIMITED ",\"coarse\":[" BEAM(2, 1, 1) "," BEAM(2, 1, 1)
                   "]}]}",
                   "t:1:209: bodies[0].coarse[1]: it has 10 tets, which must be fewer than the next finer mesh has: "
                   "10");
    expect_refused("{\"bodies\":[{\"mesh\":" BEAM(4, 2, 2) ",\"coarse\":[]}]}",
                   "t:1:90: bodies[0].coarse must have 1 to 12 meshes, got 0");
    expect_refused("{\"bodies\":[{\"mesh\":" BEAM(4, 2, 2) ",\"coarse\":7}]}",
                   "t:1:90: bodies[0].coarse must be an array, got a number");
    expect_refused("{\"bodies\":[{\"mesh\":" SHEET ",\"coarse\":[" BEAM(2, 1, 1) "]}]}",
                   "t:1:89: bodies[0].coarse is for solids: the body's mesh must have tets and no triangles");
    expect_refused("{\"bodies\":[{\"mesh\":" BEAM(4, 2, 2) ",\"coarse\":[" BEAM(2, 1, 1) "]}]}",
                   "t:1:90: bodies[0].coarse would do nothing: coarser meshes enforce limits of stretch, and the "
                   "material has none");
    expect_refused("{\"bodies\":[{\"mesh\":" BEAM(4, 2, 2) ",\"coarse\":[\"no.vtk\"]}]}",
                   "t:1:91: bodies[0].coarse[0]: no.vtk: cannot open: No such file or directory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(given_meshes_are_the_levels),
        cmocka_unit_test(a_number_of_levels_takes_as_many),
        cmocka_unit_test(the_rest_is_the_bodys),
        cmocka_unit_test(they_hold_a_soft_beam),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(bad_meshes_are_refused),
        cmocka_unit_test(a_scene_gives_meshes),
        cmocka_unit_test(bad_meshes_of_scenes_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
