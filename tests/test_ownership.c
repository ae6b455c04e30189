/* Arguments belong to the caller, and the library copies the data that it needs. Here all arguments are spoiled and
 * freed as soon as the call returns, and the results must be the same as if they stayed. The address sanitizer would
 * find the use of a kept pointer even if it changed no result. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_loans.h"
#include "helpers_world.h"

enum { SIDE = 9, VERTICES = SIDE * SIDE };

static taut_mesh *lend_mesh(loans *l, const taut_mesh *mesh)
{
    taut_mesh *copy = lend(l, mesh, sizeof *mesh);
    size_t vertices = (size_t)mesh->nvertices;
    copy->x = lend(l, mesh->x, 3 * vertices * sizeof *mesh->x);
    if (mesh->tri) copy->tri = lend(l, mesh->tri, 3 * (size_t)mesh->ntris * sizeof *mesh->tri);
    if (mesh->tet) copy->tet = lend(l, mesh->tet, 4 * (size_t)mesh->ntets * sizeof *mesh->tet);
    if (mesh->uv) copy->uv = lend(l, mesh->uv, 6 * (size_t)mesh->ntris * sizeof *mesh->uv);
    if (mesh->frame) copy->frame = lend(l, mesh->frame, 9 * (size_t)mesh->ntets * sizeof *mesh->frame);
    if (mesh->pinned) copy->pinned = lend(l, mesh->pinned, vertices);
    return copy;
}

static void *take(size_t size, size_t alignment, void *user)
{
    (void)user;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void give_back(void *memory, void *user)
{
    (void)user;
    free(memory);
}

static taut_model *make_cloth(loans *l)
{
    const taut_allocator heap = {take, give_back, NULL};
    taut_mesh sheet = hanging_sheet(SIDE);
    taut_material material = taut_default_material();
    taut_model_options options = taut_default_model_options();
    options.allocator = lend(l, &heap, sizeof heap);
    taut_model *model = taut_model_build(lend_mesh(l, &sheet), lend(l, &material, sizeof material),
                                         lend(l, &options, sizeof options), NULL);
    assert_non_null(model);
    take_back(l);
    taut_mesh_free(&sheet);
    return model;
}

/* A solid with a given coarser mesh. */
static taut_model *make_solid(loans *l)
{
    taut_mesh beam, coarse;
    taut_material material = taut_default_material();
    material.limit.stretch[0] = 0.9f, material.limit.stretch[1] = 1.1f;
    assert_true(taut_mesh_beam(&beam, 6, 2, 2, 1.5f, 0.5f, 0.5f, NULL));
    assert_true(taut_mesh_beam(&coarse, 2, 1, 1, 1.5f, 0.5f, 0.5f, NULL));
    taut_model_options options = taut_default_model_options();
    const taut_mesh *const given[1] = {lend_mesh(l, &coarse)};
    options.coarse = lend(l, given, sizeof given);
    options.ncoarse = 1;
    taut_model *model = taut_model_build(lend_mesh(l, &beam), lend(l, &material, sizeof material),
                                         lend(l, &options, sizeof options), NULL);
    assert_non_null(model);
    take_back(l);
    taut_mesh_free(&beam);
    taut_mesh_free(&coarse);
    return model;
}

/* A hull and a mesh on the floor, both made of a sphere; the mesh moves. */
static void add_colliders(loans *l, taut_world *world)
{
    taut_mesh ball;
    taut_collider_def def = taut_default_collider_def();
    assert_true(taut_world_add_collider(world, lend(l, &def, sizeof def), NULL) >= 0);
    assert_true(taut_mesh_sphere(&ball, 1, 0.3f, NULL));
    def.shape = TAUT_HULL, def.a[1] = -1.2f;
    def.mesh = lend_mesh(l, &ball);
    assert_true(taut_world_add_collider(world, lend(l, &def, sizeof def), NULL) >= 0);
    take_back(l);
    def.shape = TAUT_MESH, def.a[0] = 0.5f;
    def.mesh = lend_mesh(l, &ball);
    int moved = taut_world_add_collider(world, lend(l, &def, sizeof def), NULL);
    assert_true(moved >= 0);
    take_back(l);
    def.a[2] = 0.05f;
    for (int i = 0; i < 3 * ball.nvertices; i++) ball.x[i] *= 1.05f;
    def.mesh = lend_mesh(l, &ball);
    assert_true(taut_collider_move(world, moved, lend(l, &def, sizeof def), NULL));
    take_back(l);
    taut_mesh_free(&ball);
}

static taut_world *make_world(loans *l)
{
    const taut_allocator heap = {take, give_back, NULL};
    taut_world_def def = taut_default_world_def();
    def.allocator = lend(l, &heap, sizeof heap);
    def.threads = 1;
    taut_world *world = taut_world_create(lend(l, &def, sizeof def), NULL);
    assert_non_null(world);
    take_back(l);
    return world;
}

static void change_cloth(loans *l, taut_world *world, int body)
{
    const float target[3] = {0.1f, 0.1f, 0.1f}, gravity[3] = {0, -8, 0}, wind[3] = {1, 0, 2};
    const double origin[3] = {0.25, 0, 0};
    float xyz[3 * VERTICES];
    taut_material material = taut_default_material();
    material.friction = 0.5f;
    for (int i = 0; i < 3 * VERTICES; i++) xyz[i] = 0.01f * (float)(i % 7);
    assert_true(taut_body_set_velocities(world, body, lend(l, xyz, sizeof xyz), NULL));
    memcpy(xyz, taut_body_positions(world, body, NULL), sizeof xyz);
    assert_true(taut_body_set_positions(world, body, lend(l, xyz, sizeof xyz), NULL));
    const double *from = lend(l, origin, sizeof origin);
    assert_true(taut_body_set_positions_from(world, body, from, lend(l, xyz, sizeof xyz), NULL));
    assert_true(taut_body_pin(world, body, 3, lend(l, target, sizeof target), 0.5f, NULL));
    assert_true(taut_body_set_material(world, body, lend(l, &material, sizeof material), NULL));
    assert_true(taut_world_set_gravity(world, lend(l, gravity, sizeof gravity), NULL));
    assert_true(taut_world_set_wind(world, lend(l, wind, sizeof wind), 1.2f, NULL));
    taut_attachment_def tie = taut_default_attachment_def();
    tie.body = body, tie.vertex = VERTICES - 1, tie.other = body, tie.corner[0] = VERTICES - SIDE;
    assert_true(taut_world_attach(world, lend(l, &tie, sizeof tie), NULL) >= 0);
    take_back(l);
}

/* Saves the world and restores it from bytes that are spoiled afterwards. */
static void restore(loans *l, taut_world *world, const taut_model *const models[2])
{
    size_t size = taut_world_save(world, NULL, 0);
    void *bytes = malloc(size);
    assert_non_null(bytes);
    assert_int_equal(taut_world_save(world, bytes, size), size);
    taut_world_step(world, 1 / 60.0f);
    assert_true(taut_world_restore(world, lend(l, bytes, size), size, lend(l, models, 2 * sizeof *models), 2, NULL));
    take_back(l);
    free(bytes);
}

static uint64_t run(bool spoil)
{
    loans l = {.spoil = spoil};
    const taut_model *models[2] = {make_cloth(&l), make_solid(&l)};
    taut_world *world = make_world(&l);
    taut_body_def def = taut_default_body_def();
    int cloth = taut_world_add_body(world, models[0], lend(&l, &def, sizeof def), NULL);
    def.position[1] = 1;
    assert_true(cloth >= 0 && taut_world_add_body(world, models[1], lend(&l, &def, sizeof def), NULL) >= 0);
    take_back(&l);
    add_colliders(&l, world);
    change_cloth(&l, world, cloth);
    restore(&l, world, models);
    for (int i = 0; i < 20; i++) taut_world_step(world, 1 / 60.0f);
    uint64_t hash = taut_world_hash(world);
    taut_world_free(world);
    for (int i = 0; i < 2; i++) taut_model_free((taut_model *)models[i]);
    close_loans(&l);
    return hash;
}

static void a_world_keeps_nothing_of_the_caller(void **state)
{
    (void)state;
    assert_true(run(true) == run(false));
}

static void helpers_keep_nothing_of_the_caller(void **state)
{
    (void)state;
    float stretched[3 * VERTICES], measured[2][2 * (SIDE - 1) * (SIDE - 1)], carried[2][9];
    const float fine[9] = {0.1f, -0.2f, 0.05f, -0.3f, -0.4f, 0, 0.2f, -0.7f, -0.1f}, axis[3] = {0, 1, 0};
    taut_mesh sheet = hanging_sheet(SIDE);
    for (int i = 0; i < 3 * VERTICES; i++) stretched[i] = sheet.x[i] * (i % 3 == 0 ? 1.2f : 0.9f);
    for (int spoil = 0; spoil < 2; spoil++) {
        loans l = {.spoil = spoil};
        taut_measurer *measurer = taut_measurer_build(lend_mesh(&l, &sheet), lend(&l, axis, sizeof axis), NULL);
        taut_embedding *embedding = taut_embedding_build(lend_mesh(&l, &sheet), lend(&l, fine, sizeof fine), 3, NULL);
        assert_true(measurer && embedding);
        take_back(&l);
        taut_measurer_apply(measurer, stretched, TAUT_STRETCH_X, measured[spoil]);
        taut_embedding_apply(embedding, stretched, carried[spoil]);
        taut_measurer_free(measurer);
        taut_embedding_free(embedding);
        close_loans(&l);
    }
    assert_memory_equal(measured[0], measured[1], sizeof measured[0]);
    assert_memory_equal(carried[0], carried[1], sizeof carried[0]);
    taut_mesh_free(&sheet);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_world_keeps_nothing_of_the_caller),
        cmocka_unit_test(helpers_keep_nothing_of_the_caller),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
