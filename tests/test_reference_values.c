/* test_reference_values.c: the reference compared with geometry that is easy to check; its one-sided modes. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "reference.h"

typedef ref_double_vec3 vec3;
typedef ref_double_stiffness stiffness;

static const vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const int all[4] = {0, 1, 2, 3};
static const ref_forms plain = {REF_STRETCH_SPAN, REF_SHEAR_ANGLE};
static const ref_forms cosine = {REF_STRETCH_SPAN, REF_SHEAR_COSINE};
static const ref_forms raw = {REF_STRETCH_RAW, REF_SHEAR_RAW};

static void assert_near(double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance)) fail_msg("%.17g is not %.17g", got, want);
}

/* A sheet in the x-y plane is stretched by 2 along x and sheared by 30 degrees. */
static void strain_of_a_triangle_is_its_geometry(void **unused)
{
    (void)unused;
    const vec3 rest[3] = {{0, 0, 0}, {0.3, 0.1, 0}, {-0.1, 0.4, 0}};
    ref_double_strain_tri c;
    assert_true(ref_double_strain_tri_rest(&c, all, rest, axes[0]));
    vec3 p[3], g[3];
    double t = acos(-1) / 6;
    for (int i = 0; i < 3; i++)
        p[i] = (vec3){2 * rest[i].x + rest[i].y * sin(t), 5, rest[i].y * cos(t)};
    c.s[0] = 1.25;
    c.s[1] = 0.5;
    double area = 2 * cos(t) - 0.625;
    double want[][REF_TRI_MODES] = {
        {0.75, 0.5, t, area}, {0.75, 0.5, 0.5, area}, {2.4375, 0.75, 1, area}};
    const ref_forms forms[] = {plain, cosine, raw};
    for (int f = 0; f < 3; f++)
        for (int mode = 0; mode < REF_TRI_MODES; mode++)
            assert_near(ref_double_strain_tri_gradient(&c, forms[f], mode, p, g), want[f][mode],
                        1e-14);
}

/* A tet is stretched by 2, 3, 4 and mirrored, so that det F < 0; then one axis leans towards another. */
static void strain_of_a_tet_is_its_geometry(void **unused)
{
    (void)unused;
    const vec3 rest[4] = {{0, 0, 0}, {0.3, 0.1, 0}, {-0.1, 0.4, 0.1}, {0.1, 0.1, 0.5}};
    ref_double_strain_tet c;
    assert_true(ref_double_strain_tet_rest(&c, all, rest, axes));
    vec3 p[4], g[4];
    for (int i = 0; i < 4; i++) p[i] = (vec3){2 * rest[i].x, 3 * rest[i].y, -4 * rest[i].z};
    c.s[0] = 0.5;
    c.s[1] = 2;
    c.s[2] = 3;
    double stretched[REF_TET_MODES] = {1.5, 1, 1, 0, 0, 0, -27};
    for (int mode = 0; mode < REF_TET_MODES; mode++)
        assert_near(ref_double_strain_tet_gradient(&c, plain, mode, p, g), stretched[mode], 1e-13);
    assert_true(ref_double_strain_tet_rest(&c, all, rest, axes));
    for (int sheared = REF_TET_XY; sheared <= REF_TET_XZ; sheared++) {
        for (int i = 0; i < 4; i++) {
            vec3 q = rest[i];
            if (sheared == REF_TET_XY) p[i] = (vec3){q.x + 0.6 * q.y, 0.8 * q.y, q.z};
            if (sheared == REF_TET_YZ) p[i] = (vec3){q.x, q.y + 0.6 * q.z, 0.8 * q.z};
            if (sheared == REF_TET_XZ) p[i] = (vec3){q.x + 0.6 * q.z, q.y, 0.8 * q.z};
        }
        for (int mode = REF_TET_XX; mode < REF_TET_VOLUME; mode++)
            assert_near(ref_double_strain_tet_gradient(&c, cosine, mode, p, g),
                        mode == sheared ? 0.6 : 0, 1e-13);
        assert_near(ref_double_strain_tet_gradient(&c, cosine, REF_TET_VOLUME, p, g), -0.2, 1e-13);
    }
}

/* Two wings hinged on the x axis, the second turned by `angle` out of the plane of the first. */
static void fold(double angle, vec3 hinge[4])
{
    hinge[0] = (vec3){0.2, -1, 0};
    hinge[1] = (vec3){0.3, cos(angle), sin(angle)};
    hinge[2] = (vec3){0, 0, 0};
    hinge[3] = (vec3){1, 0, 0};
}

static void dihedral_is_the_signed_angle(void **unused)
{
    (void)unused;
    vec3 x[4], g[4];
    ref_double_dihedral c;
    fold(0, x);
    assert_true(ref_double_dihedral_rest(&c, all, x));
    assert_near(c.phi0, 0, 1e-15);
    fold(0.7, x);
    double up = ref_double_dihedral_gradient(&c, x, g);
    fold(-0.7, x);
    double down = ref_double_dihedral_gradient(&c, x, g);
    assert_near(fabs(up), 0.7, 1e-14);
    assert_near(up + down, 0, 1e-14);
    /* From 3 rad to -3 rad the short way is 2 pi - 6. */
    fold(3, x);
    assert_true(ref_double_dihedral_rest(&c, all, x));
    fold(-3, x);
    double one_way = ref_double_dihedral_gradient(&c, x, g);
    assert_true(ref_double_dihedral_rest(&c, all, x));
    fold(3, x);
    double other_way = ref_double_dihedral_gradient(&c, x, g);
    assert_near(fabs(one_way), 2 * acos(-1) - 6, 1e-14);
    assert_near(one_way + other_way, 0, 1e-14);
}

/* Wings of height 1 over an edge of length 1 have K2 = K3 = -1, and folded by t they have
 * |b| = 2 sin(t/2). */
static void isometric_tells_up_from_down(void **unused)
{
    (void)unused;
    const int order[4] = {2, 3, 0, 1};
    vec3 x[4], g[4];
    ref_double_isometric flat, curved;
    fold(0, x);
    assert_true(ref_double_isometric_rest(&flat, order, x, false));
    assert_near(flat.d, 0, 1e-15);
    assert_true(ref_double_isometric_rest(&flat, order, x, true));
    assert_true(flat.d == 0);
    fold(0.7, x);
    assert_true(ref_double_isometric_rest(&curved, order, x, false));
    assert_near(ref_double_isometric_gradient(&flat, x, g), 2 * sin(0.35), 1e-14);
    assert_near(ref_double_isometric_gradient(&curved, x, g), 0, 1e-14);
    fold(-0.7, x);
    assert_near(ref_double_isometric_gradient(&flat, x, g), 2 * sin(0.35), 1e-14);
    assert_near(fabs(ref_double_isometric_gradient(&curved, x, g)), 4 * sin(0.35), 1e-14);
}

/* v at height 0.3 over the base's middle is 0.2 from the centroid. */
static void triangle_bend_modes_are_one_sided(void **unused)
{
    (void)unused;
    const vec3 bent[4] = {{-1, 0, 0}, {1, 0, 0}, {-0.5, 0.3, 0}, {0.5, 0.3, 0}};
    const vec3 tip[3] = {{-1, 0, 0}, {1, 0, 0}, {0, 0.3, 0}};
    const double w[4] = {1, 1, 1, 1}, one = 1;
    const stiffness full = {&one, NULL, NULL};
    for (int mode = REF_BEND_EQUAL; mode <= REF_BEND_AT_LEAST; mode++) {
        for (int sign = -1; sign <= 1; sign += 2) { /* C = 0.1 sign */
            ref_double_triangle_bend three = {{0, 1, 2}, 0.15 - 0.1 * sign};
            ref_double_midpoint_bend four = {{0, 1, 2, 3}, 0.15 - 0.1 * sign};
            vec3 p[4], q[3], g[4];
            memcpy(p, bent, sizeof p);
            memcpy(q, tip, sizeof q);
            assert_near(ref_double_triangle_bend_gradient(&three, 0.05, q, g), 0.1 * sign, 1e-15);
            assert_near(ref_double_midpoint_bend_gradient(&four, 0.05, p, g), 0.1 * sign, 1e-15);
            ref_double_triangle_bend_project(&three, 1, 0.05, (ref_bend_mode)mode, q, w, full);
            ref_double_midpoint_bend_project(&four, 1, 0.05, (ref_bend_mode)mode, p, w, full);
            bool acts = mode == REF_BEND_EQUAL || (mode == REF_BEND_AT_MOST) == (sign > 0);
            double left = acts ? 0 : 0.1 * sign;
            assert_near(ref_double_triangle_bend_gradient(&three, 0.05, q, g), left, 1e-15);
            assert_near(ref_double_midpoint_bend_gradient(&four, 0.05, p, g), left, 1e-15);
        }
    }
}

static void tether_only_pulls(void **unused)
{
    (void)unused;
    const double w = 2, one = 1;
    const stiffness full = {&one, NULL, NULL};
    const ref_double_tether c = {0, {1, 0, 0}, 0.5};
    vec3 inside = {1.25, 0, 0}, outside = {3, 0, 0};
    ref_double_tether_project(&c, 1, &inside, &w, full);
    ref_double_tether_project(&c, 1, &outside, &w, full);
    assert_near(inside.x, 1.25, 0);
    assert_near(outside.x, 1.5, 1e-15);
}

/* A soft volume still turns an inverted tet back, in both kinds of units. */
static void inverted_tets_turn_back(void **unused)
{
    (void)unused;
    const vec3 rest[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const double w[4] = {1, 1, 1, 1};
    ref_double_strain_tet c;
    assert_true(ref_double_strain_tet_rest(&c, all, rest, axes));
    double ratio[REF_TET_MODES] = {0}, alpha[REF_TET_MODES], lambda[REF_TET_MODES] = {0};
    for (int mode = 0; mode < REF_TET_MODES; mode++) alpha[mode] = INFINITY;
    const stiffness soft[2] = {{ratio, NULL, NULL}, {NULL, alpha, lambda}};
    for (int units = 0; units < 2; units++) {
        vec3 p[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, -0.5}}, g[4], before[4];
        for (int i = 0; i < 10; i++) ref_double_strain_tet_project(&c, 1, plain, p, w, soft[units]);
        assert_true(ref_double_strain_tet_gradient(&c, plain, REF_TET_VOLUME, p, g) > -1);
        memcpy(before, p, sizeof before);
        ref_double_strain_tet_project(&c, 1, plain, p, w, soft[units]);
        assert_memory_equal(p, before, sizeof before); /* off again */
    }
}

static void degenerate_rest_shapes_are_refused(void **unused)
{
    (void)unused;
    const vec3 x[4] = {{1, 1, 1}, {2, 2, 2}, {4, 4, 4}, {3, 3, 3}};
    ref_double_distance distance;
    ref_double_tether tether;
    ref_double_strain_tri tri;
    ref_double_strain_tet tet;
    ref_double_dihedral dihedral;
    ref_double_isometric isometric;
    assert_false(ref_double_distance_rest(&distance, (int[]){1, 1}, x));
    assert_false(ref_double_tether_rest(&tether, 2, x[2], x));
    assert_false(ref_double_strain_tri_rest(&tri, all, x, axes[0]));
    assert_false(ref_double_strain_tet_rest(&tet, all, x, axes));
    assert_false(ref_double_dihedral_rest(&dihedral, all, x));
    assert_false(ref_double_isometric_rest(&isometric, all, x, true));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strain_of_a_triangle_is_its_geometry),
        cmocka_unit_test(strain_of_a_tet_is_its_geometry),
        cmocka_unit_test(dihedral_is_the_signed_angle),
        cmocka_unit_test(isometric_tells_up_from_down),
        cmocka_unit_test(triangle_bend_modes_are_one_sided),
        cmocka_unit_test(tether_only_pulls),
        cmocka_unit_test(inverted_tets_turn_back),
        cmocka_unit_test(degenerate_rest_shapes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
