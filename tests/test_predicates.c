/* Signs and intersections without rounding, compared with an oracle on whole numbers. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_oracle.h"
#include "mesh/pierce.h"
#include "mesh/predicates.h"

#include <float.h>

/* ---- Signs ------------------------------------------------------------------------------------------------------ */

__extension__ typedef __int128 integer;

static int sign(integer a) { return (a > 0) - (a < 0); }

static integer minus(float a, float b) { return (integer)a - (integer)b; }

static int oracle2d(const float *a, const float *b, const float *c, int u, int v)
{
    return sign(minus(a[u], c[u]) * minus(b[v], c[v]) - minus(a[v], c[v]) * minus(b[u], c[u]));
}

static int oracle3d(const float *a, const float *b, const float *c, const float *d)
{
    integer p[3], q[3], r[3];
    for (int k = 0; k < 3; k++) p[k] = minus(a[k], d[k]), q[k] = minus(b[k], d[k]), r[k] = minus(c[k], d[k]);
    return sign(p[0] * (q[1] * r[2] - q[2] * r[1]) + p[1] * (q[2] * r[0] - q[0] * r[2]) +
                p[2] * (q[0] * r[1] - q[1] * r[0]));
}

/* A whole number that a float holds: up to 24 bits, then up to `shift` zeros. */
static float wide(int shift)
{
    int64_t number = (int64_t)random_bits(24) << (random_bits(31) % (uint64_t)(shift + 1));
    return (float)(random_bits(1) ? number : -number);
}

static void check_orient2d(const float *a, const float *b, const float *c)
{
    static const int views[3][2] = {{0, 1}, {1, 2}, {2, 0}};
    for (int i = 0; i < 3; i++) {
        int u = views[i][0], v = views[i][1], wanted = oracle2d(a, b, c, u, v);
        assert_int_equal(tt_orient2d(a, b, c, u, v), wanted);
        assert_int_equal(tt_orient2d(b, c, a, u, v), wanted);
        assert_int_equal(tt_orient2d(b, a, c, u, v), -wanted);
    }
}

static void check_orient3d(const float *a, const float *b, const float *c, const float *d)
{
    int wanted = oracle3d(a, b, c, d);
    assert_int_equal(tt_orient3d(a, b, c, d), wanted);
    assert_int_equal(tt_orient3d(b, c, a, d), wanted);
    assert_int_equal(tt_orient3d(b, a, c, d), -wanted);
    assert_int_equal(tt_orient3d(a, b, d, c), -wanted);
}

/* Differences of these numbers do not fit in a double. If two points are nearly in line with the others, which are
 * small, the large products cancel, and the smallest parts decide the sign. */
static void random_wide(float (*point)[3], int n, int shift, bool in_line)
{
    for (int k = 0; k < 3 * n; k++) point[k / 3][k % 3] = in_line && k >= 6 ? (float)whole(2) : wide(shift);
    for (int k = 0; in_line && k < 3; k++) point[1][k] = 2 * point[0][k];
}

static void signs_in_a_plane_are_exact(void **state)
{
    (void)state;
    for (int i = 0; i < 100000; i++) {
        float p[3][3];
        random_wide(p, 3, i % 36, i % 2);
        check_orient2d(p[0], p[1], p[2]);
    }
}

/* The oracle has room for x and y of up to 59 bits beside a small z, or for all three of up to 40. */
static void signs_in_space_are_exact(void **state)
{
    (void)state;
    for (int i = 0; i < 100000; i++) {
        float p[4][3];
        bool low = i % 4 < 2;
        random_wide(p, 4, low ? 34 : 15, i % 2);
        for (int k = 0; low && k < 4; k++) p[k][2] = (float)whole(3);
        check_orient3d(p[0], p[1], p[2], p[3]);
    }
}

/* Points on a line or in a plane, and points that are off it by one unit. */
static void signs_of_degenerate_points_are_exact(void **state)
{
    (void)state;
    int zeros = 0;
    for (int i = 0; i < 100000; i++) {
        float a[3], u[3], v[3], b[3], c[3], d[3];
        const float along[4] = {(float)whole(60), (float)whole(60), (float)whole(60), (float)whole(60)};
        for (int k = 0; k < 3; k++) {
            a[k] = (float)whole(1 << 20), u[k] = (float)whole(1 << 14), v[k] = (float)whole(1 << 14);
            b[k] = a[k] + along[0] * u[k];
            c[k] = a[k] + along[1] * v[k];
            d[k] = a[k] + along[2] * u[k] + along[3] * v[k];
        }
        check_orient3d(a, b, c, d);
        zeros += tt_orient3d(a, b, c, d) == 0;
        d[i % 3] += 1;
        check_orient3d(a, b, c, d);
        for (int k = 0; k < 3; k++) c[k] = a[k] + along[1] * u[k];
        check_orient2d(a, b, c);
        c[i % 3] += 1;
        check_orient2d(a, b, c);
    }
    assert_int_equal(zeros, 100000);
}

/* The determinant is scale to the third power, or 0. */
static void check_scale(float scale)
{
    const float o[3] = {0}, x[3] = {scale, 0, 0}, y[3] = {0, scale, 0}, z[3] = {0, 0, scale};
    const float far[3] = {-scale, -scale, -scale}, middle[3] = {scale, scale, 0}, level[3] = {-scale, scale, 0};
    assert_int_equal(tt_orient3d(x, y, z, o), 1);
    assert_int_equal(tt_orient3d(y, x, z, far), -1);
    assert_int_equal(tt_orient3d(x, y, middle, level), 0);
    assert_int_equal(tt_orient2d(o, x, y, 0, 1), 1);
    assert_int_equal(tt_orient2d(o, middle, level, 0, 1), 1);
}

static void signs_hold_from_the_smallest_float_to_the_largest(void **state)
{
    (void)state;
    const float tiny = 0x1p-149f, one[3] = {1, 1, 1}, two[3] = {2, 2, 2}, origin[3] = {0};
    const float off[3] = {0, 0, tiny}, huge[3] = {FLT_MAX, FLT_MAX, FLT_MAX}, minus_huge[3] = {-FLT_MAX, -FLT_MAX, 0};
    check_scale(tiny);
    check_scale(1);
    check_scale(FLT_MAX);
    assert_int_equal(tt_orient2d(one, two, origin, 1, 2), 0);
    assert_int_equal(tt_orient2d(one, two, off, 1, 2), 1);
    assert_int_equal(tt_orient2d(huge, minus_huge, origin, 0, 1), 0);
    assert_int_equal(tt_orient3d(huge, minus_huge, origin, off), 0);
    assert_int_equal(tt_orient3d(huge, minus_huge, (const float[]){1, 0, 0}, off), 1);
}

/* ---- Segments and triangles ------------------------------------------------------------------------------------- */

static void segments_and_triangles_meet_as_the_oracle_says(void **state)
{
    (void)state;
    int met = 0;
    enum { CASES = 30000 };
    for (int i = 0; i < CASES; i++) {
        float p[5][3];
        random_places(p, 5, 1 + i % 4, i % 3 == 0);
        const hulls h = {5, 2, {p[0], p[1], p[2], p[3], p[4]}};
        bool wanted = oracle_meets(&h);
        met += wanted;
        for (int turn = 0; turn < 3; turn++) {
            const float *const corner[3] = {p[2 + turn], p[2 + (turn + 1) % 3], p[2 + (turn + 2) % 3]};
            const float *const back[3] = {corner[2], corner[1], corner[0]};
            assert_int_equal(tt_pierces(p[0], p[1], corner), wanted);
            assert_int_equal(tt_pierces(p[1], p[0], back), wanted);
        }
    }
    assert_in_range(met, CASES / 10, CASES - CASES / 10);
}

static void triangles_are_side_by_side_as_the_oracle_says(void **state)
{
    (void)state;
    int found = 0;
    for (int i = 0; i < 30000; i++) {
        float p[6][3];
        random_places(p, 6, 1 + i % 4, i % 5 != 0);
        const hulls h = {6, 3, {p[0], p[1], p[2], p[3], p[4], p[5]}};
        bool wanted = oracle_side_by_side(&h);
        found += wanted;
        assert_int_equal(tt_side_by_side(h.point, h.point + 3), wanted);
        assert_int_equal(tt_side_by_side(h.point + 3, h.point), wanted);
    }
    assert_in_range(found, 1000, 29000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(signs_in_a_plane_are_exact),
        cmocka_unit_test(signs_in_space_are_exact),
        cmocka_unit_test(signs_of_degenerate_points_are_exact),
        cmocka_unit_test(signs_hold_from_the_smallest_float_to_the_largest),
        cmocka_unit_test(segments_and_triangles_meet_as_the_oracle_says),
        cmocka_unit_test(triangles_are_side_by_side_as_the_oracle_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
