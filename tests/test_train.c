/* Training of coarse limits: every state that keeps the fine limits keeps the trained ones, and training always gives
 * the same result. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_states.h"

static taut_training *train(const subject *s)
{
    taut_error error;
    taut_training *training = taut_train(&s->mesh, &s->material, &s->options, &s->def, &error);
    if (!training) fail_msg("%s", error.text);
    return training;
}

/* Folds the unit sheet over along a column of vertices, and perhaps along a row too, which stretches nothing. */
static void fold_over(states *s, int lane)
{
    const double cells = SIDE - 1;
    double x = floor(uniform(1, cells)) / cells - 0.5, y = uniform(0, 1) < 0.5 ? -1 : -floor(uniform(1, cells)) / cells;
    for (int v = 0; v < s->patch.nvertices; v++) {
        float *p = tt_patch_at(&s->patch, v, lane);
        if ((double)p[0] > x) p[0] = (float)(2 * x - (double)p[0]);
        if ((double)p[1] < y) p[1] = (float)(2 * y - (double)p[1]);
    }
}

/* The limits of a trained level on its own mesh. */
static void trained_limits(tt_scope *scope, const subject *of, const void *training, const tt_hierarchy *h, int i,
                           tt_maker *like)
{
    const tt_coarse_mesh *level = &h->level[i];
    float *stretch = TT_TAKE(scope, float, 2 * (size_t)level->mesh.ntris);
    float *bend = TT_TAKE(scope, float, 6 * (size_t)level->mesh.ntris);
    tt_trained_factors(&((const taut_training *)training)->level[i], &level->mesh, &level->metric.topology,
                       &of->material.limit, stretch, bend);
    like->limit_factor = stretch, like->bend_factor = bend;
}

static int check_trained(const subject *of, const taut_training *training, void (*bend)(states *s, int lane))
{
    return check_states(of, (rule){trained_limits, training}, bend);
}

static void check_subject(subject s)
{
    random_state = 7;
    taut_training *training = train(&s);
    int rolled = check_trained(&s, training, roll_up), waved = check_trained(&s, training, wave);
    if (rolled < 3 || waved < 3) fail_msg("only %d rolled up and %d waved states are feasible", rolled, waved);
    taut_training_free(training);
    taut_mesh_free(&s.mesh);
}

static void feasible_states_keep_the_limits_of_a_regular_sheet(void **state)
{
    (void)state;
    check_subject(SLOW_BUILD ? sheet(8, 0.05, 3, 1) : sheet(18, 0.05, 3, 2));
}

static void feasible_states_keep_the_limits_of_an_irregular_sheet(void **state)
{
    (void)state;
    taut_mesh mesh;
    assert_true(taut_mesh_sheet_irregular(&mesh, SIDE, SIDE, 1, 1, 0.25f, 5, NULL));
    check_subject(subject_of(mesh, 0.02, 5, 1));
}

/* If the limit of bending is so loose that cloth can be folded flat, its coarse triangles and hinges can be too. */
static void folded_states_keep_the_limits(void **state)
{
    (void)state;
    subject s = sheet(SIDE, 0.02, 80, 2);
    random_state = 7;
    taut_training *training = train(&s);
    assert_int_equal(check_trained(&s, training, fold_over), LANES);
    taut_training_free(training);
    taut_mesh_free(&s.mesh);
}

/* The longest vector g such that |g.e| is at most the largest length of e, for all three edges e, found by trying
 * directions. */
static double longest_in_hexagon(const tt_coarse_mesh *coarse, double stretch, int t)
{
    const int *v = &coarse->mesh.tri[3 * t];
    double most = 0;
    for (int step = 0; step < 36000; step++) {
        double phi = step * TT_PI / 36000, length = INFINITY;
        for (int k = 0; k < 3; k++) {
            int a = v[k] < v[(k + 1) % 3] ? v[k] : v[(k + 1) % 3], b = v[k] + v[(k + 1) % 3] - a, e = 0;
            const float *p = &coarse->mesh.x[3 * a], *q = &coarse->mesh.x[3 * b];
            while (coarse->metric.topology.edge[e].a != a || coarse->metric.topology.edge[e].b != b) e++;
            double along = ((double)q[0] - (double)p[0]) * cos(phi) + ((double)q[1] - (double)p[1]) * sin(phi);
            length = fmin(length, coarse->metric.length[e] * stretch / fabs(along));
        }
        most = fmax(most, length);
    }
    return most;
}

static void no_limit_is_above_what_edges_allow(void **state)
{
    (void)state;
    subject s = sheet(SLOW_BUILD ? 8 : 14, 0.02, 80, 1); /* it folds freely, so searches get near the cap */
    tt_scope scope;
    tt_hierarchy h;
    tt_scope_open(&scope, NULL);
    taut_training *training = train(&s);
    assert_true(tt_hierarchy_build(&scope, &s.mesh, &s.material, &s.options, &h));
    int at_cap = 0;
    for (int t = 0; t < h.level[0].mesh.ntris; t++) {
        double cap = longest_in_hexagon(&h.level[0], (double)s.material.limit.stretch[1], t);
        double high = (double)training->level[0].stretch[t].high;
        /* The best direction is up to half a step away from those tried. */
        if (high > cap * (1 + 2e-4)) fail_msg("triangle %d: %g above %g", t, high, cap);
        at_cap += high > cap * (1 - 1e-3);
    }
    assert_true(at_cap > h.level[0].mesh.ntris / 2);
    taut_training_free(training);
    taut_mesh_free(&s.mesh);
    tt_scope_close(&scope);
}

static void feasible_states_keep_limits_that_were_trained_indirectly(void **state)
{
    (void)state;
    subject s = sheet(SIDE, 0.1, 2, 2);
    s.def.way = TAUT_TRAIN_INDIRECT;
    check_subject(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(feasible_states_keep_the_limits_of_a_regular_sheet),
        cmocka_unit_test(feasible_states_keep_the_limits_of_an_irregular_sheet),
        cmocka_unit_test(feasible_states_keep_limits_that_were_trained_indirectly),
        cmocka_unit_test(folded_states_keep_the_limits),
        cmocka_unit_test(no_limit_is_above_what_edges_allow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
