/* test_gradients.c: every C of every kind, mode and form. Its gradient is compared with finite differences, and both
 * with the reference, and so is the rest data that `create` makes. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_reference.h"

enum { STATES = 10000 };

/* The present material axes f_j of a strain element; returns how many, 0 for other kinds. */
static int axes_of(const variant *a, const element *e, vec3 *f)
{
    int dimension = a->shape == TRIANGLE ? 2 : a->shape == TET ? 3 : 0;
    for (int j = 0; j < dimension; j++) {
        f[j] = (vec3){0, 0, 0};
        for (int k = 1; k <= dimension; k++) {
            vec3 edge = vec_sub(e->x[k], e->x[0]);
            f[j] = vec_add(f[j], vec_scale(edge, e->data[j * dimension + k - 1]));
        }
    }
    return dimension;
}

/* The sine of the smallest angle between two axes of a strain element; 1 for other kinds. */
static double least_sine(const variant *a, const element *e)
{
    vec3 f[3];
    int dimension = axes_of(a, e, f);
    double least = 1;
    for (int j = 0; j < dimension; j++)
        for (int i = 0; i < j; i++)
            least = fmin(least,
                         vec_length(vec_cross(f[i], f[j])) / (vec_length(f[i]) * vec_length(f[j])));
    return least;
}

/* Presses the element together across the bisector of two material axes, so that these are almost in line. */
static void collapse_axes(const variant *a, element *e)
{
    vec3 f[3];
    int dimension = axes_of(a, e, f);
    if (dimension == 0) return;
    int i = (int)uniform(0, dimension), j = (i + 1) % dimension;
    vec3 d = unit(vec_add(f[i], vec_scale(f[j], uniform(0, 1) < 0.5 ? -1 : 1)));
    double squeeze = log_uniform(0.004, 0.5);
    for (int k = 0; k < e->slots; k++)
        e->x[k] = vec_sub(e->x[k], vec_scale(d, (1 - squeeze) * vec_dot(d, e->x[k])));
}

/* Turns a hinge about its edge to a fold near 0, or near a half turn on either side. */
static void fold_hinge(element *e)
{
    double folds[] = {0, acos(-1), -acos(-1)},
           away = log_uniform(1e-2, 0.3) * (uniform(0, 1) < 0.5 ? -1 : 1);
    double fold = folds[(int)uniform(0, 3)];
    fold = fold == 0 ? away : fold > 0 ? fold - fabs(away) : fold + fabs(away);
    matrix turn = random_rotation();
    double size = extent(e);
    vec3 at[4] = {{0.4, -uniform(0.05, 1), 0}, {0.6, cos(fold), sin(fold)}, {0, 0, 0}, {1, 0, 0}};
    for (int k = 0; k < 4; k++) e->x[k] = vec_scale(times(&turn, at[k]), size);
}

/* Three states in turn: like the rest shape; squeezed down to a hundredth; hinges folded flat or
 * shut, triangles and tets with their axes almost in line. */
static void random_element_state(const variant *a, int i, element *e)
{
    bool hinge = a->shape == HINGE || a->shape == FLAT_HINGE;
    do {
        make_element(a, log_uniform(0.01, 100), e);
        if (i % 3 == 0) deform(e, 0.6, 1.6, 0.2, (vec3){0, 0, 0});
        else if (i % 3 == 1)
            deform(e, 0.01, 1.5, a->shape == FLAT_HINGE ? 0.02 : 0, (vec3){0, 0, 0});
        else if (hinge) fold_hinge(e);
        else deform(e, 0.8, 1.2, 0, (vec3){0, 0, 0}), collapse_axes(a, e);
    } while (least_sine(a, e) < 1e-2);
}

static tt_tuning random_tuning(const variant *a, const element *e)
{
    tt_tuning tuning = tuning_of(a);
    for (int j = 0; j < 3; j++) tuning.rest[j] = (float)uniform(0.8, 1.25);
    if (a->bend == TAUT_BEND_TRIANGLE) tuning.slack = (float)(uniform(-0.1, 0.1) * extent(e));
    if (is_tether(a)) tuning.slack = (float)uniform(1, 1.2);
    return tuning;
}

/* Fourth order central difference of C by one coordinate. */
static double difference(const variant *a, const element *e, const tt_tuning *tuning, int mode,
                         int coordinate, double h)
{
    const double at[4] = {-2, -1, 1, 2}, weight[4] = {1, -8, 8, -1};
    double sum = 0;
    for (int i = 0; i < 4; i++) {
        element moved = *e;
        ((double *)moved.x)[coordinate] += at[i] * h;
        sum += weight[i] * value_of(a, &moved, tuning, mode, NULL);
    }
    return sum / (12 * h);
}

/* The error of the gradient relative to its largest component, by the best of three step sizes, because radii of
 * curvature span five orders of magnitude. */
static double gradient_error(const variant *a, const element *e, const tt_tuning *tuning, int mode,
                             const vec3 *gradient)
{
    const double steps[] = {1e-3, 1e-5, 1e-7}, *g = (const double *)gradient;
    double best = INFINITY, largest = 0;
    for (int i = 0; i < 3 * e->particles; i++) largest = fmax(largest, fabs(g[i]));
    for (int s = 0; s < LENGTH(steps) && !(best <= 1e-6); s++) {
        double worst = 0;
        for (int i = 0; i < 3 * e->particles; i++) {
            double d = difference(a, e, tuning, mode, i, steps[s] * extent(e));
            double error = fabs(d - g[i]) / largest;
            worst = error <= worst ? worst : error;
        }
        best = worst < best ? worst : best;
    }
    return best;
}

/* Whether C is an inequality on its free side, where it is 0. */
static bool is_free(const variant *a, double C)
{
    return C == 0 && (is_tether(a) || a->mode != TAUT_BEND_EQUAL);
}

/* The tests that go through the variants must not miss a new kind. Limits and forces have tests of their own. */
static void every_constraint_has_a_variant(void **unused)
{
    (void)unused;
    for (int kind = 0; kind < TT_KINDS; kind++) {
        const tt_kind *k = tt_oracle()[kind];
        bool found = !k->project || k->limit;
        for (int i = 0; i < LENGTH(variants); i++) found = found || kind_of(&variants[i]) == kind;
        if (!found) fail_msg("%s is not in `variants` of helpers.h", k->name);
    }
}

static void gradients_match_finite_differences(void **unused)
{
    (void)unused;
    for (int v = 0; v < LENGTH(variants); v++) {
        const variant *a = &variants[v];
        int active = 0, thin = 0;
        for (int i = 0; i < STATES; i++) {
            element e;
            vec3 g[MAX_SLOTS];
            random_element_state(a, i, &e);
            tt_tuning tuning = random_tuning(a, &e);
            thin += least_sine(a, &e) < 0.05;
            for (int mode = 0; mode < oracle_of(a)->modes; mode++) {
                double C = value_of(a, &e, &tuning, mode, g);
                if (is_free(a, C)) continue;
                active++;
                double error = gradient_error(a, &e, &tuning, mode, g);
                if (!(error <= 1e-6))
                    fail_msg("%s mode %d state %d: error %g", a->label, mode, i, error);
            }
        }
        assert_true(active >= STATES / 8);
        if (a->shape == TRIANGLE || a->shape == TET) assert_true(thin >= STATES / 100);
    }
}

/* The far vertex is moved to the very end of the range of angles. C stays in (-pi, pi] and its gradient is that of the
 * angle. */
static void dihedral_wraps_to_the_short_way(void **unused)
{
    (void)unused;
    const variant *a = variant_named("dihedral");
    const double pi = acos(-1);
    for (int i = 0; i < 1000; i++) {
        element e;
        vec3 g[MAX_SLOTS];
        tt_tuning tuning = tuning_of(a);
        make_element(a, 1, &e);
        double phi = uniform(-3.1, 3.1), phi0 = uniform(-3.1, 3.1);
        vec3 at[4] = {{0.4, -1, 0}, {0.6, cos(phi), sin(phi)}, {0, 0, 0}, {1, 0, 0}};
        memcpy(e.x, at, sizeof at);
        e.data[0] = 0;
        double sign = value_of(a, &e, &tuning, 0, NULL) * phi > 0 ? 1 : -1;
        assert_true(fabs(value_of(a, &e, &tuning, 0, NULL) - sign * phi) < 1e-12);
        e.data[0] = phi0;
        double C = value_of(a, &e, &tuning, 0, g), want = remainder(sign * phi - phi0, 2 * pi);
        if (!(fabs(C - want) < 1e-12)) fail_msg("%g - %g gave %g", sign * phi, phi0, C);
    }
}

static double largest_of(const vec3 *g, int n)
{
    double most = 0;
    for (int k = 0; k < n; k++) most = fmax(most, vec_length(g[k]));
    return most;
}

static void values_match_the_reference(void **unused)
{
    (void)unused;
    for (int v = 0; v < LENGTH(variants); v++) {
        const variant *a = &variants[v];
        for (int i = 0; has_reference(a) && i < STATES; i++) {
            element e;
            vec3 g[MAX_SLOTS], r[MAX_SLOTS];
            random_element_state(a, i, &e);
            tt_tuning tuning = random_tuning(a, &e);
            for (int mode = 0; mode < oracle_of(a)->modes; mode++) {
                double C = value_of(a, &e, &tuning, mode, g),
                       R = reference_value(a, &e, &tuning, mode, r);
                bool upper = is_tether(a) || a->mode == TAUT_BEND_AT_MOST;
                if (upper && R <= 0) R = 0;
                if (a->mode == TAUT_BEND_AT_LEAST && R >= 0) R = 0;
                double largest = largest_of(r, e.particles), scale = fabs(R) + largest * extent(&e);
                if (!(fabs(C - R) <= 1e-9 * scale))
                    fail_msg("%s mode %d state %d: C = %.17g, reference %.17g", a->label, mode, i,
                             C, R);
                for (int k = 0; k < e.particles; k++)
                    if (!(vec_length(vec_sub(g[k], r[k])) <= 1e-9 * largest))
                        fail_msg("%s mode %d state %d: gradient of particle %d", a->label, mode, i,
                                 k);
            }
        }
    }
}

/* Compares rest data of `create` with that of the reference; they may differ by the rounding of a float. */
static void assert_close(const variant *a, double got, double want, double scale)
{
    if (!(fabs(got - want) <= 0x1p-22 * scale))
        fail_msg("%s: rest datum %.9g, reference %.9g", a->label, got, want);
}

static const int all[4] = {0, 1, 2, 3}; /* particles of an element */

static void check_rest_of_tet(const variant *a, const element *e, const little_mesh *little, const ref_double_vec3 *x)
{
    ref_double_vec3 axes[3];
    ref_double_strain_tet c;
    for (int j = 0; j < 3; j++) {
        vec3 axis = unit(vec_of(&little->frame[3 * j]));
        memcpy(&axes[j], &axis, sizeof axis);
    }
    ref_double_strain_tet_rest(&c, all, x, axes);
    for (int j = 0; j < 9; j++) assert_close(a, e->data[j], ((double *)c.c)[j], 4 / extent(e));
}

static void check_rest_of_triangle(const variant *a, const element *e, const little_mesh *little,
                                   const ref_double_vec3 *x)
{
    vec3 d = vec_of(little->direction);
    ref_double_strain_tri c;
    ref_double_strain_tri_rest(&c, all, x, (ref_double_vec3){d.x, d.y, d.z});
    for (int j = 0; j < 4; j++) assert_close(a, e->data[j], ((double *)c.c)[j], 4 / extent(e));
}

static void check_rest_of_hinge(const variant *a, const element *e, const ref_double_vec3 *x)
{
    ref_double_isometric c;
    ref_double_isometric_rest(&c, all, x, is_kind(a, "isometric"));
    const double K[3] = {c.K[2], c.K[3], c.K[0]};
    for (int k = 0; k < 3; k++) assert_close(a, e->data[k], K[k], 8);
    if (!is_kind(a, "isometric")) assert_close(a, e->data[3], c.d, extent(e) * 8);
}

static void check_rest(const variant *a, const element *e, const little_mesh *little, const ref_double_vec3 *x)
{
    if (is_kind(a, "distance") || is_kind(a, "stick") || is_tether(a)) {
        ref_double_distance c;
        ref_double_distance_rest(&c, all, x);
        assert_close(a, e->data[0], c.rest, c.rest);
    } else if (is_kind(a, "dihedral")) {
        ref_double_dihedral c;
        ref_double_dihedral_rest(&c, all, x);
        assert_close(a, e->data[0], c.phi0, 3);
    } else if (is_kind(a, "triangle_bend")) {
        ref_double_triangle_bend c;
        ref_double_triangle_bend_rest(&c, all, x);
        assert_close(a, e->data[0], c.h0, c.h0);
    } else if (is_kind(a, "midpoint_bend")) {
        ref_double_midpoint_bend c;
        ref_double_midpoint_bend_rest(&c, all, x);
        assert_close(a, fabs(e->data[0]), c.h0, c.h0);
    } else if (is_kind(a, "strain_tri")) check_rest_of_triangle(a, e, little, x);
    else if (is_kind(a, "strain_tet")) check_rest_of_tet(a, e, little, x);
    else check_rest_of_hinge(a, e, x);
}

static void rest_data_match_the_reference(void **unused)
{
    (void)unused;
    for (int v = 0; v < LENGTH(variants); v++) {
        const variant *a = &variants[v];
        for (int i = 0; has_reference(a) && i < 1000; i++) {
            element e;
            ref_double_vec3 x[MAX_SLOTS];
            little_mesh little;
            taut_material material = material_of(a);
            set_little_mesh(a, log_uniform(0.01, 100), &little);
            assert_true(first_element(oracle_of(a), &little.mesh, &material, &e));
            for (int k = 0; k < e.slots; k++) memcpy(&x[k], &e.rest[reference_slot(a, k)], sizeof x[k]);
            assert_true(e.data[oracle_of(a)->fields - 1] == 1);
            check_rest(a, &e, &little, x);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_constraint_has_a_variant),
        cmocka_unit_test(gradients_match_finite_differences),
        cmocka_unit_test(dihedral_wraps_to_the_short_way),
        cmocka_unit_test(values_match_the_reference),
        cmocka_unit_test(rest_data_match_the_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
