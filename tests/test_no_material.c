/* The material of a body that has none, in C and in scenes: cloth gets a preset in SI units, ropes and solids get
 * taut_default_material(). */
#define _POSIX_C_SOURCE 200809L
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_save.h"
#include "helpers_scene.h"
#include "helpers_world.h"

static taut_material cotton(void)
{
    taut_material m;
    assert_true(taut_preset_material("cotton", &m));
    return m;
}

static taut_mesh beam(void)
{
    taut_mesh mesh;
    assert_true(taut_mesh_beam(&mesh, 3, 1, 1, 1, 0.2f, 0.2f, NULL));
    return mesh;
}

static taut_mesh chain(void)
{
    taut_mesh mesh;
    assert_true(taut_mesh_chain(&mesh, 6, 1, NULL));
    return mesh;
}

/* A beam whose mesh also has a triangle. */
static taut_mesh beam_with_skin(void)
{
    taut_mesh mesh = beam();
    free(mesh.tri);
    mesh.tri = malloc(3 * sizeof *mesh.tri);
    memcpy(mesh.tri, mesh.tet, 3 * sizeof *mesh.tri);
    mesh.ntris = 1;
    return mesh;
}

/* A sheet whose mesh also has a line. */
static taut_mesh sheet_with_line(void)
{
    taut_mesh mesh = hanging_sheet(4);
    mesh.line = malloc(2 * sizeof *mesh.line);
    mesh.line[0] = 0, mesh.line[1] = 5;
    mesh.nlines = 1;
    return mesh;
}

/* A world with one body of the model. */
static taut_world *world_of(const taut_model *model)
{
    taut_world *world = plain_world(2, 1);
    assert_int_equal(add_at(world, model, 0, 1, 0), 0);
    return world;
}

static void expect_material(const taut_world *world, const taut_material *want)
{
    assert_memory_equal(taut_body_material(world, 0), want, sizeof *want);
}

/* Frees the mesh. Masses, model and its body are those of `want` when no material is given, and so is the material that
 * a body gets when it is set to none. */
static void expect_usual(taut_mesh mesh, const taut_material *want)
{
    double mass[2][64];
    assert_true(mesh.nvertices <= 64);
    assert_true(taut_mesh_masses(&mesh, NULL, mass[0], NULL) && taut_mesh_masses(&mesh, want, mass[1], NULL));
    assert_memory_equal(mass[0], mass[1], (size_t)mesh.nvertices * sizeof(double));
    taut_model *named = taut_model_build(&mesh, want, NULL, NULL), *unnamed = model_of(&mesh, NULL);
    assert_non_null(named);
    assert_true(taut_model_hash(unnamed) == taut_model_hash(named));
    taut_world *world = world_of(unnamed), *other = world_of(named);
    expect_material(world, want);
    taut_material changed = *want;
    changed.friction = 0.25f;
    assert_true(taut_body_set_material(world, 0, &changed, NULL) && taut_body_set_material(world, 0, NULL, NULL));
    expect_material(world, want);
    step_times(world, 5);
    step_times(other, 5);
    assert_true(taut_world_hash(world) == taut_world_hash(other));
    taut_world_free(world);
    taut_world_free(other);
    taut_model_free(named);
    taut_model_free(unnamed);
}

static void cloth_without_a_material_is_cotton(void **state)
{
    (void)state;
    const taut_material want = cotton();
    assert_string_equal(TAUT_DEFAULT_CLOTH, "cotton");
    expect_usual(hanging_sheet(7), &want);
    expect_usual(sheet_with_line(), &want);
}

static void ropes_and_solids_without_a_material_are_the_default(void **state)
{
    (void)state;
    const taut_material want = taut_default_material();
    expect_usual(chain(), &want);
    expect_usual(beam(), &want);
    expect_usual(beam_with_skin(), &want);
}

/* Only bodies that touch are searched for pairs. */
static bool touches(taut_mesh mesh, const taut_material *material)
{
    taut_model *model = model_of(&mesh, material);
    taut_world *world = world_of(model);
    step_times(world, 1);
    bool searched = taut_world_stats(world).contact_searches > 0;
    taut_world_free(world);
    taut_model_free(model);
    return searched;
}

static void cloth_touches_itself_and_ropes_and_solids_do_not(void **state)
{
    (void)state;
    const taut_material ratio = taut_default_material(), fabric = cotton();
    taut_material never = fabric, always = ratio;
    never.contact = TAUT_CONTACT_OFF, always.contact = TAUT_CONTACT_STRICT;
    assert_int_equal(ratio.contact, TAUT_CONTACT_AUTO);
    assert_true(touches(hanging_sheet(7), NULL) && touches(hanging_sheet(7), &ratio));
    assert_true(touches(hanging_sheet(7), &fabric) && touches(sheet_with_line(), NULL));
    assert_false(touches(chain(), NULL) || touches(beam(), NULL) || touches(hanging_sheet(7), &never));
    assert_true(touches(beam(), &always));
}

/* taut_default_material() has ratios for those who ask for it. Units are fixed when a model is built, so its bodies
 * cannot become cotton. */
static void the_default_material_stays_one_of_ratios(void **state)
{
    (void)state;
    taut_error error = stale();
    const taut_material ratio = taut_default_material();
    assert_true(ratio.units == TAUT_RATIO && ratio.strain.xx == 1);
    taut_model *model = sheet_model(4, &ratio);
    taut_world *world = world_of(model);
    expect_material(world, &ratio);
    assert_false(taut_body_set_material(world, 0, NULL, &error));
    expect_error(&error, (wanted){TAUT_BAD_MATERIAL, -1, "material.units cannot change while running"});
    expect_material(world, &ratio);
    taut_world_free(world);
    taut_model_free(model);
}

/* ---- Levels, saves and training ---- */

static taut_model *with_levels(const taut_material *material, int levels)
{
    taut_mesh mesh = hanging_sheet(41);
    taut_model_options options = taut_default_model_options();
    options.levels = levels;
    taut_model *model = taut_model_build(&mesh, material, &options, NULL);
    assert_non_null(model);
    taut_mesh_free(&mesh);
    return model;
}

/* Cloth without a material goes on bit for bit from a save, also in a world whose model was given cotton by name. */
static void cloth_without_a_material_is_cotton_with_levels_and_saves(void **state)
{
    (void)state;
    const taut_material want = cotton();
    static const int levels[] = {0, 2, TAUT_LEVELS_AUTO};
    for (int i = 0; i < LENGTH(levels); i++) {
        taut_model *unnamed = with_levels(NULL, levels[i]), *named = with_levels(&want, levels[i]);
        assert_int_equal(taut_model_levels(unnamed), taut_model_levels(named));
        assert_true(taut_model_hash(unnamed) == taut_model_hash(named));
        taut_world *world = world_of(unnamed), *other = plain_world(2, 1);
        step_times(world, 4);
        save s = take_save(world);
        assert_true(taut_world_restore(other, s.bytes, s.size, (const taut_model *const[]){named}, 1, NULL));
        free(s.bytes);
        expect_material(other, &want);
        step_times(world, 4);
        step_times(other, 4);
        assert_true(taut_world_hash(world) == taut_world_hash(other));
        taut_world_free(world);
        taut_world_free(other);
        taut_model_free(unnamed);
        taut_model_free(named);
    }
}

/* Neither cotton nor the default material has limits. */
static void training_without_a_material_is_refused(void **state)
{
    (void)state;
    taut_error error = stale();
    taut_mesh mesh = hanging_sheet(9);
    assert_null(taut_train(&mesh, NULL, NULL, NULL, &error));
    expect_error(&error, (wanted){TAUT_BAD_MATERIAL, -1,
                                  "there is nothing to train: the material needs a least and a largest stretch in its "
                                  "limits"});
    assert_null(taut_train(NULL, NULL, NULL, NULL, &error));
    assert_int_equal(error.code, TAUT_BAD_MESH);
    taut_mesh_free(&mesh);
}

/* ---- Scenes ---- */

#define BEAM "{\"generator\":\"beam\",\"nx\":3,\"ny\":1,\"nz\":1,\"size\":[1,0.2,0.2]}"
#define CHAIN "{\"generator\":\"chain\",\"n\":6,\"length\":1}"
#define LARGE_SHEET "{\"generator\":\"sheet\",\"nx\":41,\"ny\":41,\"width\":1,\"height\":1}"
#define BODY(mesh, more) "{\"bodies\":[{\"mesh\":" mesh more "}]}"
#define PINNED ",\"pins\":[{\"vertices\":[0,4]}]"

static void expect_scene(const char *text, const taut_material *want, bool has_material)
{
    taut_scene *scene = good_scene(text);
    expect_material(scene->world, want);
    assert_int_equal(scene->body[0].has_material, has_material);
    taut_scene_free(scene);
}

static void cloth_of_scenes_without_a_material_is_cotton(void **state)
{
    (void)state;
    const taut_material want = cotton(), usual = taut_default_material();
    taut_material light = usual;
    light.density = 0.1f;
    expect_scene(BODY(SHEET, ""), &want, false);
    expect_scene(BODY(SHEET, ",\"material\":{}"), &want, false);
    expect_scene(BODY(SHEET, ",\"material\":{\"preset\":\"cotton\"}"), &want, true);
    expect_scene(BODY(SHEET, ",\"material\":{\"density\":0.1}"), &light, true); /* a material starts from ratios */
    expect_scene(BODY(BEAM, ""), &usual, false);
    expect_scene(BODY(BEAM, ",\"material\":{}"), &usual, false);
    expect_scene(BODY(CHAIN, ""), &usual, false);
    expect_refused(BODY(SHEET, ",\"material\":7"), "t:1:91: bodies[0].material must be an object, got a number");
}

/* The mass of a body in a scene is that of the model: 0.15 kg/m^2 for cotton, 0.2 kg/m^3 and 0.2 kg/m for the
 * others. */
static void bodies_of_scenes_without_a_material_weigh_what_they_are(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double mass;
    } of[] = {{BODY(SHEET, ""), 0.15 * 0.75}, {BODY(BEAM, ""), 0.2 * 0.04}, {BODY(CHAIN, ""), 0.2}};
    for (int i = 0; i < LENGTH(of); i++) {
        taut_scene *scene = good_scene(of[i].text);
        assert_true(fabs(scene->body[0].mass - of[i].mass) < 1e-6);
        taut_scene_free(scene);
    }
}

/* run_scene goes on from saves. */
static void scenes_without_a_material_run_as_cotton(void **state)
{
    (void)state;
    assert_true(run_scene(BODY(SHEET, PINNED), 12) ==
                run_scene(BODY(SHEET, PINNED ",\"material\":{\"preset\":\"cotton\"}"), 12));
    assert_true(run_scene(BODY(LARGE_SHEET, PINNED ",\"levels\":2"), 6) ==
                run_scene(BODY(LARGE_SHEET, PINNED ",\"levels\":2,\"material\":{\"preset\":\"cotton\"}"), 6));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cloth_without_a_material_is_cotton),
        cmocka_unit_test(ropes_and_solids_without_a_material_are_the_default),
        cmocka_unit_test(cloth_touches_itself_and_ropes_and_solids_do_not),
        cmocka_unit_test(the_default_material_stays_one_of_ratios),
        cmocka_unit_test(cloth_without_a_material_is_cotton_with_levels_and_saves),
        cmocka_unit_test(training_without_a_material_is_refused),
        cmocka_unit_test(cloth_of_scenes_without_a_material_is_cotton),
        cmocka_unit_test(bodies_of_scenes_without_a_material_weigh_what_they_are),
        cmocka_unit_test(scenes_without_a_material_run_as_cotton),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
