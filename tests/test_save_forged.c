/* Saves that were forged: every byte of a save of every kind of body is changed in several ways and the checksum is
 * made right again. A restore refuses such bytes, or the world steps soundly: everything stays finite, pins can be set
 * and let go, and nothing is written out of bounds (which the address sanitizer sees). */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_bodies.h"
#include "helpers_heap.h"
#include "helpers_save.h"
#include "slow_build.h"

#include "base/hash.h"

static taut_world *open_world(void)
{
    taut_world *world = plain_world(2, 1);
    add_floor(world, -0.9f);
    return world;
}

/* The last eight bytes of a save are the hash of all before. */
static void sign(save *s)
{
    uint64_t check;
    size_t body = s->size - sizeof check;
    check = tt_hash(TT_HASH_SEED, s->bytes, body);
    memcpy(s->bytes + body, &check, sizeof check);
}

/* Attaches a vertex to a collider of two triangles. */
static void hang_on_mesh(taut_world *world, int body, int vertex)
{
    taut_mesh mesh;
    assert_true(taut_mesh_sheet(&mesh, 2, 2, 1, 1, NULL));
    taut_collider_def def = taut_default_collider_def();
    def.shape = TAUT_MESH, def.mesh = &mesh, def.mask = 0;
    taut_attachment_def hold = taut_default_attachment_def();
    hold.body = body, hold.vertex = vertex, hold.collider = taut_world_add_collider(world, &def, NULL);
    assert_true(taut_world_attach(world, &hold, NULL) >= 0);
    taut_mesh_free(&mesh);
}

/* The save of a world that has a hard pin, a soft pin and a changed mass besides those of the model. */
static save save_to_forge(const taut_model *model)
{
    const float target[3] = {0.5f, -0.5f, 0.1f};
    taut_world *world = open_world();
    int body = add_at(world, model, 0, 0, 0), last = taut_model_vertices(model) - 1;
    assert_true(taut_body_pin(world, body, last, NULL, 1, NULL));
    assert_true(taut_body_pin(world, body, last - 1, target, 0.5f, NULL));
    assert_true(taut_body_set_mass(world, body, last - 2, 0.2f, NULL));
    taut_attachment_def leash = taut_default_attachment_def();
    leash.body = body, leash.vertex = last - 2, leash.collider = 0, leash.slack = 0.01f;
    assert_true(taut_world_attach(world, &leash, NULL) >= 0);
    leash.vertex = 0, leash.collider = -1, leash.other = body, leash.corner[0] = last - 3;
    assert_true(taut_world_attach(world, &leash, NULL) >= 0);
    leash.vertex = 1, leash.slack = INFINITY, leash.backstop = 0.02f;
    for (int k = 0; k < 3; k++) leash.corner[k] = last - 3 - k;
    assert_true(taut_world_attach(world, &leash, NULL) >= 0);
    hang_on_mesh(world, body, last - 2);
    step_times(world, 2);
    save s = take_save(world);
    taut_world_free(world);
    return s;
}

static bool all_finite(const taut_world *world, int body)
{
    int n;
    const float *x = taut_body_positions(world, body, &n), *v = taut_body_velocities(world, body, NULL);
    for (int i = 0; i < 3 * n; i++)
        if (!isfinite(x[i]) || !isfinite(v[i])) return false;
    return true;
}

/* Sets and removes a pin at every vertex, which uses and changes the lists of pins. A forged save may claim anything
 * about a pin, so either call may be refused. */
static void use_pins(taut_world *world, int body, int nvertices)
{
    for (int v = 0; v < nvertices; v++) {
        taut_body_pin(world, body, v, NULL, v % 2 ? 1 : 0.5f, NULL);
        taut_body_unpin(world, body, nvertices - 1 - v, NULL);
    }
}

static bool steps_soundly(taut_world *world, const taut_model *model)
{
    const int body = 0;
    if (!taut_world_has_body(world, body)) return true; /* the forged save has no body there */
    step_times(world, 1);
    bool sound = all_finite(world, body);
    use_pins(world, body, taut_model_vertices(model));
    step_times(world, 1);
    return sound && all_finite(world, body);
}

/* Three ways to change a byte: all its bits, one bit, and the bit that makes a float huge if this is its last byte. */
enum { WAYS = 3 };
static unsigned char change_of(size_t at, int way)
{
    return (unsigned char)(way == 0 ? 0xff : way == 1 ? 1u << at % 8 : 0x40);
}

static void a_forged_save_does_no_harm(void **state)
{
    const kind_of_body *kind = *state;
    taut_model *model = build_body(kind, SMALL);
    const taut_model *models[] = {model};
    save forged = save_to_forge(model);
    taut_world *world = open_world();
    int accepted = 0, refused = 0, harmed = 0;
    for (size_t at = 0; at + sizeof(uint64_t) < forged.size; at += SLOW_BUILD ? 3 : 1)
        for (int way = 0; way < WAYS; way++) {
            if (is_brief() && (size_t)way != at / 3 % WAYS) continue;
            forged.bytes[at] ^= change_of(at, way);
            sign(&forged);
            bool taken = taut_world_restore(world, forged.bytes, forged.size, models, 1, NULL);
            *(taken ? &accepted : &refused) += 1;
            if (taken && !steps_soundly(world, model) && harmed++ < 5)
                print_error("byte %zu of %zu changed by %02x\n", at, forged.size, change_of(at, way));
            forged.bytes[at] ^= change_of(at, way);
        }
    if (harmed) fail_msg("%d of %d forged saves that were accepted do not stay finite", harmed, accepted);
    assert_true(accepted > 0 && refused > 0);
    taut_world_free(world);
    taut_model_free(model);
    free(forged.bytes);
}

/* ---- Contact, gas and hulls ---- */

enum { SHEET, BALL, MODELS };

/* Two sheets and a ball of gas that touch each other and a hull. If `crossed`, the ball is placed in the sheets. */
static taut_world *world_of_contact(heap *h, const taut_model *const model[MODELS], bool filled, bool crossed)
{
    static float corner[] = {-1, 0, -1, 1, 0, -1, 1, 0, 1, -1, 0, 1, 0, 0.2f, 0};
    taut_mesh points = {.nvertices = 5, .x = corner};
    taut_world_def def = taut_default_world_def();
    def.threads = 1, def.substeps = 2;
    def.allocator = h ? &h->hook : NULL;
    taut_world *world = taut_world_create(&def, NULL);
    taut_collider_def hull = taut_default_collider_def();
    hull.shape = TAUT_HULL, hull.mesh = &points, hull.a[1] = -0.8f;
    assert_true(world && taut_world_add_collider(world, &hull, NULL) >= 0);
    for (int i = 0; i < 3 && filled; i++) {
        int body = add_at(world, model[i < 2 ? SHEET : BALL], 0, 0, i < 2 ? 0.006f * (float)i : crossed ? 0 : -0.29f);
        taut_material m = *taut_body_material(world, body);
        m.contact = TAUT_CONTACT_STRICT;
        assert_true(taut_body_set_material(world, body, &m, NULL));
    }
    if (filled) step_times(world, 2);
    return world;
}

static bool all_step_soundly(taut_world *world)
{
    taut_world_step(world, 1.0f / 60);
    for (int body = 0; body < 3; body++)
        if (taut_world_has_body(world, body) && !all_finite(world, body)) return false;
    return true;
}

/* Nor does it take more memory than the bodies of the save can need. */
static void expect_no_harm_by_contact(bool crossed)
{
    heap h;
    heap_open(&h);
    taut_model *model[MODELS] = {physical_sheet(SMALL, 0), ball_of_gas(SMALL, 0)};
    const taut_model *const models[] = {model[SHEET], model[BALL]};
    taut_world *world = world_of_contact(NULL, models, true, crossed);
    assert_true(taut_world_stats(world).contact_pairs > 0);
    save forged = take_save(world);
    taut_world_free(world);
    world = world_of_contact(&h, models, false, crossed);
    int accepted = 0, refused = 0;
    for (size_t at = 0; at + sizeof(uint64_t) < forged.size; at += SLOW_BUILD ? 5 : 1) {
        unsigned char change = change_of(at, (int)(at % WAYS));
        forged.bytes[at] ^= change;
        sign(&forged);
        bool taken = taut_world_restore(world, forged.bytes, forged.size, models, MODELS, NULL);
        *(taken ? &accepted : &refused) += 1;
        if (taken && !all_step_soundly(world)) fail_msg("byte %zu of %zu changed by %02x", at, forged.size, change);
        forged.bytes[at] ^= change;
    }
    print_message("%d accepted, %d refused; the largest block had %zu kB\n", accepted, refused, h.largest / 1000);
    assert_true(accepted > 0 && refused > 0);
    assert_true(h.largest < 100000000);
    taut_world_free(world);
    assert_int_equal(h.live, 0);
    for (int i = 0; i < MODELS; i++) taut_model_free(model[i]);
    free(forged.bytes);
}

static void forged_contact_does_no_harm(void **state)
{
    (void)state;
    expect_no_harm_by_contact(false);
}

static void forged_crossings_do_no_harm(void **state)
{
    (void)state;
    expect_no_harm_by_contact(true);
}

enum { BODIES = LENGTH(kinds_of_bodies), OTHERS = 2 };

int main(void)
{
    struct CMUnitTest tests[BODIES + OTHERS] = {[BODIES] = cmocka_unit_test(forged_contact_does_no_harm),
                                                cmocka_unit_test(forged_crossings_do_no_harm)};
    for (int i = 0; i < BODIES; i++)
        tests[i] = (struct CMUnitTest){kinds_of_bodies[i].name, a_forged_save_does_no_harm, NULL, NULL,
                                       (void *)&kinds_of_bodies[i]};
    return cmocka_run_group_tests_name("forged saves", tests, NULL, NULL);
}
