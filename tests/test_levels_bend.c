/* Limits of bending on coarser levels that are not trained: a state that keeps the limits of the mesh keeps those of
 * the levels too. On a small mesh hardly any coarse hinge has a limit, so meshes are not smaller in slow builds. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_states.h"
#include "model/curl.h"

#include <stdlib.h>


static void untrained_limits(tt_scope *scope, const subject *of, const void *user, const tt_hierarchy *h, int i,
                             tt_maker *like)
{
    (void)user;
    float *factor[TAUT_MOST_LEVELS];
    taut_material *m = TT_TAKE(scope, taut_material, 1);
    *m = of->material;
    m->limit.stretch[0] = 0, m->limit.stretch[1] = INFINITY;
    assert_true(tt_curl_factors(scope, &of->mesh, &of->material.limit, h, factor));
    like->material = m;
    like->bend_factor = factor[i];
}

/* The share of the hinges of the first coarser level that are limited. */
static double limited_share(const subject *s)
{
    tt_scope scope;
    tt_hierarchy h;
    float *factor[TAUT_MOST_LEVELS];
    tt_scope_open(&scope, NULL);
    assert_true(tt_hierarchy_build(&scope, &s->mesh, &s->material, &s->options, &h));
    assert_true(tt_curl_factors(&scope, &s->mesh, &s->material.limit, &h, factor));
    int limited = 0;
    for (int i = 0; i < 6 * h.level[0].mesh.ntris; i++) limited += isfinite(factor[0][i]) != 0;
    double share = limited / (4.0 * h.level[0].metric.topology.nhinges);
    tt_scope_close(&scope);
    return share;
}

static void check_subject(subject s, double share)
{
    random_state = 7;
    double limited = limited_share(&s);
    if (limited < share) fail_msg("only %g of the coarse hinges have a limit", limited);
    rule r = {untrained_limits, NULL};
    int rolled = check_states(&s, r, roll_up), waved = check_states(&s, r, wave);
    if (rolled < 3 || waved < 3) fail_msg("only %d rolled up and %d waved states are feasible", rolled, waved);
    taut_mesh_free(&s.mesh);
}

static void states_of_a_regular_sheet(void **state)
{
    (void)state;
    check_subject(sheet(20, 0.05, 2, 2), 0.9);
}

static void states_of_an_irregular_sheet(void **state)
{
    (void)state;
    taut_mesh mesh;
    assert_true(taut_mesh_sheet_irregular(&mesh, 16, 16, 1, 1, 0.4f, 5, NULL));
    check_subject(subject_of(mesh, 0.05, 1.5, 1), 0.5);
}

/* A sheet whose triangles are twice as long as wide. */
static void states_of_a_drawn_out_sheet(void **state)
{
    (void)state;
    taut_mesh mesh;
    assert_true(taut_mesh_sheet(&mesh, 24, 12, 1, 1, NULL));
    check_subject(subject_of(mesh, 0.1, 2, 2), 0.3);
}

/* ---- The effect of these limits ---- */

static void still(taut_world *world, int body, int vertices)
{
    float *nothing = calloc(3 * (size_t)vertices, sizeof *nothing);
    assert_true(taut_body_set_velocities(world, body, nothing, NULL));
    free(nothing);
}

/* A slightly wavy sheet is bent too much, and no forces act on it. Returns the violation that is left. */
static taut_residual unbend(taut_mesh *mesh, int levels, int threads, uint64_t *hash)
{
    taut_material m = taut_default_material();
    taut_model_options options = taut_default_model_options();
    taut_world_def def = taut_default_world_def();
    m.strain = (taut_strain){.rest = {1, 1, 1}};
    m.bend.model = TAUT_BEND_NONE;
    m.tether = m.drag = m.lift = 0;
    m.limit.stretch[0] = 0.95f, m.limit.stretch[1] = 1.05f;
    m.limit.bend[0] = -0.06f, m.limit.bend[1] = 0.06f;
    options.levels = levels;
    def.gravity[1] = 0;
    def.substeps = def.iterations = 1;
    def.threads = threads;
    taut_model *model = taut_model_build(mesh, &m, &options, NULL);
    taut_world *world = taut_world_create(&def, NULL);
    int body = taut_world_add_body(world, model, NULL, NULL);
    for (int v = 0; v < mesh->nvertices; v++)
        mesh->x[3 * v + 2] += (float)(0.03 * sin(6 * (double)mesh->x[3 * v]) * cos(4 * (double)mesh->x[3 * v + 1]));
    assert_true(taut_body_set_positions(world, body, mesh->x, NULL));
    for (int step = 0; step < 12; step++) {
        still(world, body, mesh->nvertices);
        taut_world_step(world, 1);
    }
    taut_residual left = taut_world_residual(world, taut_kind_find("limit_bend"));
    *hash = taut_world_hash(world);
    taut_world_free(world);
    taut_model_free(model);
    taut_mesh_free(mesh);
    return left;
}

static taut_residual unbend_irregular(int levels, int threads, uint64_t *hash)
{
    taut_mesh mesh;
    assert_true(taut_mesh_sheet_irregular(&mesh, 30, 30, 1, 1, 0.4f, 3, NULL));
    return unbend(&mesh, levels, threads, hash);
}

/* At the start the worst hinge is 0.1 rad outside its limit. A solver that turned the wings one by one would fold such
 * a mesh by up to pi. */
static void irregular_meshes_do_not_fold(void **state)
{
    (void)state;
    uint64_t hash;
    taut_residual left = unbend_irregular(0, 1, &hash);
    if (!(left.max < 0.15)) fail_msg("%g rad", left.max);
}

static void levels_unbend_sooner(void **state)
{
    (void)state;
    uint64_t hash;
    double alone = unbend_irregular(0, 1, &hash).rms, held = unbend_irregular(2, 1, &hash).rms;
    if (!(held < 0.8 * alone)) fail_msg("%g rad with levels, %g without", held, alone);
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    uint64_t one, two;
    unbend_irregular(2, 1, &one);
    unbend_irregular(2, 2, &two);
    assert_true(one == two);
}

/* A limit on one side only does not bound saddles, so coarse hinges get no limit. */
static void one_side_alone_gives_none(void **state)
{
    (void)state;
    for (int side = 0; side < 3; side++) {
        subject s = sheet(16, 0.05, 2, 1);
        if (side < 2) s.material.limit.bend[side] = side ? INFINITY : -INFINITY;
        taut_model *model = taut_model_build(&s.mesh, &s.material, &s.options, NULL);
        int folds = taut_model_constraints(model->coarser, taut_kind_find("limit_bend"));
        assert_true((folds > 0) == (side == 2));
        taut_model_free(model);
        taut_mesh_free(&s.mesh);
    }
}

/* On the surface of a tetrahedron, the same vertex lies over all three edges of a triangle. None of its steps may be
 * lost. */
static void edges_that_meet_lose_no_step(void **state)
{
    (void)state;
    float x[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    int tri[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    taut_mesh mesh = {.nvertices = 4, .ntris = 4, .x = x, .tri = tri};
    taut_material m = taut_default_material();
    const taut_strain none = {.rest = {1, 1, 1}};
    m.strain = none;
    m.bend.model = TAUT_BEND_NONE;
    m.drag = m.lift = m.damping.global = 0;
    m.limit.bend[0] = -0.01f, m.limit.bend[1] = 0.01f;
    m.limit.iterations = 1;
    taut_model *model = taut_model_build(&mesh, &m, NULL, NULL);
    assert_non_null(model);
    assert_int_equal(taut_model_constraints(model, taut_kind_find("limit_bend")), 6);
    taut_world_def def = taut_default_world_def();
    memset(def.gravity, 0, sizeof def.gravity);
    def.substeps = def.iterations = def.threads = 1;
    taut_world *world = taut_world_create(&def, NULL);
    int body = taut_world_add_body(world, model, NULL, NULL);
    const float bent[12] = {0.1f, 0, 0.2f, 1, 0.3f, 0, -0.2f, 1, 0, 0, 0.1f, 0.7f};
    assert_true(taut_body_set_positions(world, body, bent, NULL));
    taut_world_step(world, 1e-3f);
    const float *after = taut_body_positions(world, body, NULL);
    double moved = 0;
    for (int c = 0; c < 3; c++) {
        double shift = 0; /* of the centre of mass */
        for (int v = 0; v < 4; v++) {
            double mass = 1 / (double)model->rest[4 * (size_t)model->place[v] + 3];
            shift += mass * ((double)after[3 * v + c] - (double)bent[3 * v + c]);
            moved += fabs((double)after[3 * v + c] - (double)bent[3 * v + c]);
        }
        assert_true(fabs(shift) < 1e-6);
    }
    assert_true(moved > 0.1);
    taut_world_free(world);
    taut_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_of_a_regular_sheet),
        cmocka_unit_test(states_of_an_irregular_sheet),
        cmocka_unit_test(states_of_a_drawn_out_sheet),
        cmocka_unit_test(irregular_meshes_do_not_fold),
        cmocka_unit_test(levels_unbend_sooner),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(one_side_alone_gives_none),
        cmocka_unit_test(edges_that_meet_lose_no_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
