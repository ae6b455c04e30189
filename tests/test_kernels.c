/* test_kernels.c: every instruction set of this machine gives the same bits as scalar code, for full and partly filled
 * blocks; lanes that are not live change nothing; the kernels' arc tangent. */
#define _POSIX_C_SOURCE 200112L
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_crowd.h"

static const variant forces[] = {
    {"aero", "aero", TRIANGLE, .spans = 0},
    {"elastic_tri", "elastic triangle", TRIANGLE, .spans = 0},
    {"elastic_tet", "elastic tet", TET, .spans = 0},
    {"elastic_bend", "elastic bend", HINGE, .spans = 0},
};

static tt_simd sets[MAX_INSTANCES];
static int nsets;

static void run(crowd *c, const tt_simd *set)
{
    const tt_kind *kind = set->kinds[kind_of(c->variant)];
    tt_batch batch = batch_of(c);
    if (kind->force) kind->force(&batch);
    if (kind->project) kind->project(&batch);
    if (kind->damp) kind->damp(&batch);
}

/* Random masses, velocities, multipliers, pins; all modes on. Some elements collapse to a line or a
 * point, some are so small that their products leave the range of floats. */
static void make_wild_crowd(crowd *c, const variant *a, bool physical, bool tiny)
{
    make_crowd(c, a, 0.5, 1e4);
    c->tuning.physical = physical;
    c->tuning.drag = 0.6f, c->tuning.lift = 0.3f, c->tuning.h = 0.01f;
    for (int j = 0; j < 3; j++) c->tuning.wind[j] = (float)uniform(-5, 5);
    for (int mode = 0; mode < TT_MAX_MODES; mode++) {
        c->tuning.stiffness[mode] = (float)uniform(0.2, 1);
        c->tuning.compliance[mode] = (float)log_uniform(1e-4, 1e4);
        c->tuning.damping[mode] = (float)uniform(0.2, 1);
    }
    for (int i = 0; i < CROWD; i++) {
        element *e = &c->e[i];
        double shrink = tiny ? log_uniform(1e-38, 1e-6) : 1;
        for (int k = 0; k < e->slots; k++) {
            e->x[k] = vec_scale(e->x[k], shrink);
            if (uniform(0, 1) < 0.1) e->w[k] = 0;
            if (tiny && k > 0 && uniform(0, 1) < 0.1) e->x[k] = e->x[0];
            c->v[i][k] = random_vector(shrink * extent(e));
        }
        if (uniform(0, 1) < 0.2) e->data[oracle_of(a)->fields - 1] = uniform(0.1, 1);
    }
    load_crowd(c);
    for (int i = 0; i < LENGTH(c->lambda); i++) c->lambda[i] = (real)uniform(-1, 1);
}

/* Leaves `live` elements in a block. The other lanes repeat the last of these, as the packer makes them. */
static void thin_out(crowd *c, int block, int live)
{
    const tt_kind *kind = oracle_of(c->variant);
    const int slots = c->e[0].slots, last = live - 1;
    c->live[block] = (uint8_t)live;
    for (int lane = live; lane < TT_BLOCK; lane++) {
        uint32_t *offset = &c->offset[block * slots * TT_BLOCK];
        for (int k = 0; k < slots; k++) offset[k * TT_BLOCK + lane] = offset[k * TT_BLOCK + last];
        for (int f = 0; f < kind->fields; f++)
            c->data[field_at(c, block * TT_BLOCK + lane, f)] = c->data[field_at(c, block * TT_BLOCK + last, f)];
        for (int mode = 0; mode < kind->modes; mode++)
            c->lambda[lambda_at(c, block * TT_BLOCK + lane, mode)] =
                c->lambda[lambda_at(c, block * TT_BLOCK + last, mode)];
    }
}

/* All NaNs count as equal, because they occur where numbers leave their range. */
static bool same_bits(const real *a, const real *b, int n)
{
    for (int i = 0; i < n; i++)
        if (memcmp(&a[i], &b[i], sizeof *a) != 0 && !(isnan(a[i]) && isnan(b[i]))) return false;
    return true;
}

/* Compares the multipliers of live lanes; nobody reads those of dead lanes. */
static bool same_multipliers(const crowd *a, const crowd *b)
{
    for (int i = 0; i < CROWD; i++)
        for (int mode = 0; mode < oracle_of(a->variant)->modes; mode++) {
            size_t at = lambda_at(a, i, mode);
            if (i % TT_BLOCK < a->live[i / TT_BLOCK] && !same_bits(&a->lambda[at], &b->lambda[at], 1)) return false;
        }
    return true;
}

static void compare_sets(const variant *a, bool physical, bool tiny)
{
    static crowd start, scalar, wide;
    for (int live = 1; live <= TT_BLOCK; live++) {
        make_wild_crowd(&start, a, physical, tiny);
        for (int block = 0; block < LENGTH(start.live); block++)
            thin_out(&start, block, block == 1 ? TT_BLOCK : live); /* a full one among them */
        scalar = start;
        run(&scalar, &sets[0]);
        assert_true(tiny || !same_bits(scalar.p, start.p, LENGTH(start.p)) ||
                    !same_bits(scalar.velocity, start.velocity, LENGTH(start.velocity)));
        for (int i = 0; i < LENGTH(start.p); i++)
            if (!tiny && !(isfinite(scalar.p[i]) && isfinite(scalar.velocity[i])))
                fail_msg("%s physical %d: not finite", a->label, physical);
        for (int s = 1; s < nsets; s++) {
            wide = start;
            run(&wide, &sets[s]);
            if (!same_bits(scalar.p, wide.p, LENGTH(wide.p)) ||
                !same_bits(scalar.velocity, wide.velocity, LENGTH(wide.velocity)) ||
                (physical && !same_multipliers(&scalar, &wide)))
                fail_msg("%s differs from scalar: %s physical %d tiny %d live %d", sets[s].name, a->label, physical,
                         tiny, live);
        }
    }
}

static void compare_all(bool tiny)
{
    for (int physical = 0; physical < 2; physical++) {
        for (int v = 0; v < LENGTH(variants); v++) compare_sets(&variants[v], physical, tiny);
        for (int v = 0; v < LENGTH(forces); v++) compare_sets(&forces[v], physical, tiny);
    }
}

/* The numbers that springs add to v and sum: their force, their stiffness along x, and their stiffness against each
 * particle alone. */
typedef struct springs {
    _Alignas(64) real x[4 * 4 * CROWD], v[3][4 * 4 * CROWD], sum[4 * 4 * CROWD];
} springs;

static void run_springs(crowd *c, const tt_simd *set, springs *s)
{
    const tt_kind *kind = set->kinds[kind_of(c->variant)];
    tt_batch batch = batch_of(c);
    batch.x = s->x, batch.sum = s->sum;
    batch.v = s->v[0], kind->resist(&batch);
    batch.v = s->v[1], kind->stiffen(&batch);
    batch.v = s->v[2];
    if (kind->brace) kind->brace(&batch);
}

/* The fourth number of each vector to which springs add is 0 and stays so. */
static void make_springs(springs *s)
{
    for (int i = 0; i < LENGTH(s->x); i++) {
        s->x[i] = i % 4 < 3 ? (real)uniform(-1, 1) : 0;
        s->sum[i] = i % 4 < 3 ? (real)uniform(-1, 1) : 0;
        for (int k = 0; k < 3; k++) s->v[k][i] = i % 4 < 3 ? (real)uniform(-1, 1) : 0;
    }
}

static void compare_springs(const variant *a, bool usual, bool tiny)
{
    static crowd c;
    static springs start, scalar, wide;
    for (int live = 1; live <= TT_BLOCK; live++) {
        make_wild_crowd(&c, a, true, tiny);
        if (usual) c.tuning.stiffness[TRI_AREA] = 0;
        for (int block = 0; block < LENGTH(c.live); block++) thin_out(&c, block, block == 1 ? TT_BLOCK : live);
        make_springs(&start);
        scalar = start;
        run_springs(&c, &sets[0], &scalar);
        for (int k = 0; k < 2; k++) assert_true(tiny || !same_bits(scalar.v[k], start.v[k], LENGTH(start.v[k])));
        for (int i = 3; i < LENGTH(start.x); i += 4) assert_true(tiny || (scalar.v[0][i] == 0 && scalar.v[1][i] == 0));
        for (int s = 1; s < nsets; s++) {
            wide = start;
            run_springs(&c, &sets[s], &wide);
            if (!same_bits(scalar.v[0], wide.v[0], 3 * LENGTH(wide.v[0])) ||
                !same_bits(scalar.sum, wide.sum, LENGTH(wide.sum)))
                fail_msg("%s differs from scalar: springs of %s, tiny %d live %d", sets[s].name, a->label, tiny, live);
        }
    }
}

static void springs_give_the_same_bits(void **unused)
{
    (void)unused;
    int compared = 0;
    for (int v = 0; v < LENGTH(variants); v++)
        for (int tiny = 0; tiny < 2; tiny++) {
            if (!oracle_of(&variants[v])->resist) continue;
            compare_springs(&variants[v], false, tiny);
            compare_springs(&variants[v], true, tiny);
            compared++;
        }
    assert_true(compared > 0);
}

static void all_instruction_sets_give_the_same_bits(void **unused)
{
    (void)unused;
    compare_all(false);
}

static void the_same_bits_near_underflow(void **unused)
{
    (void)unused;
    compare_all(true);
}

/* Live elements move as they do in full blocks, although dead lanes repeat the last of them. Elements that are not live
 * stay. */
static void dead_lanes_change_nothing(void **unused)
{
    (void)unused;
    static crowd start, full, c;
    for (int s = 0; s < nsets; s++)
        for (int v = 0; v < LENGTH(variants) + LENGTH(forces); v++)
            for (int live = 1; live <= TT_BLOCK; live++) {
                const variant *a = v < LENGTH(variants) ? &variants[v] : &forces[v - LENGTH(variants)];
                make_wild_crowd(&start, a, live % 2, false);
                full = c = start;
                run(&full, &sets[s]);
                for (int block = 0; block < LENGTH(c.live); block++) thin_out(&c, block, live);
                run(&c, &sets[s]);
                for (int i = 0; i < CROWD; i++) {
                    size_t at = particle_at(&c, i, 0);
                    int n = 4 * c.e[i].particles;
                    const crowd *want = i % TT_BLOCK < live ? &full : &start;
                    if (!same_bits(&c.p[at], &want->p[at], n) || !same_bits(&c.velocity[at], &want->velocity[at], n))
                        fail_msg("%s %s live %d: lane %d", sets[s].name, a->label, live, i % TT_BLOCK);
                }
            }
}

/* If an edge is, say, 1e-25 of the height of its triangles, the sum of w K^2 is 0 in floats, and so is the step. */
static void hinges_whose_coefficients_underflow_stay(void **unused)
{
    (void)unused;
    static crowd start, c;
    for (int s = 0; s < nsets; s++) {
        make_crowd(&start, variant_named("isometric"), 0.5, 10);
        for (int i = 0; i < CROWD; i++)
            for (int f = 0; f < 3; f++) start.e[i].data[f] *= 1e-25;
        load_crowd(&start);
        c = start;
        project_crowd(&c, &sets[s]);
        assert_true(same_bits(c.p, start.p, LENGTH(c.p)));
    }
}

/* Inverse masses ride along in p and stay. Blocks outside first .. last-1 stay too. */
static void masses_and_other_blocks_stay(void **unused)
{
    (void)unused;
    static crowd start, c;
    for (int s = 0; s < nsets; s++)
        for (int v = 0; v < LENGTH(variants); v++) {
            make_wild_crowd(&start, &variants[v], false, false);
            c = start;
            tt_batch batch = batch_of(&c);
            batch.first = 1, batch.last = 3;
            sets[s].kinds[kind_of(c.variant)]->project(&batch);
            for (int i = 0; i < CROWD; i++)
                for (int k = 0; k < c.e[i].particles; k++) {
                    size_t at = particle_at(&c, i, k);
                    assert_true(c.p[at + 3] == start.p[at + 3]);
                    bool outside = i / TT_BLOCK < 1 || i / TT_BLOCK >= 3;
                    assert_true(!outside || same_bits(&c.p[at], &start.p[at], 4));
                }
        }
}

/* A hinge whose angle is atan2(y, x) with no rounding on the way: x is a multiple of 2^-23 in [-1,
 * 1]. */
static double kernel_angle(const tt_kind *kind, const tt_tuning *tuning, double y, double x)
{
    const double at[12] = {0, -1, 0, 0, x, y, 0, 0, 0, 1, 0, 0}, data[2] = {0, 1};
    return kind->value(at, data, tuning, 0, NULL);
}

static void the_arc_tangent_is_exact_to_4e_7(void **unused)
{
    (void)unused;
    const variant *a = variant_named("dihedral");
    const tt_tuning tuning = tuning_of(a);
    double low = 0, high = 0;
    for (int s = 0; s < nsets; s++) {
        const tt_kind *kind = sets[s].kinds[kind_of(a)];
        double sign = kernel_angle(kind, &tuning, 1, 0) > 0 ? 1 : -1;
        for (int i = 0; i < 1000000; i++) {
            double x = floor(uniform(-0x1p23, 0x1p23)) * 0x1p-23, y = uniform(-1, 1);
            if (i % 3 == 1) y = log_uniform(1e-8, 10) * (i % 2 ? -1 : 1);
            if (i % 3 == 2) x = floor(log_uniform(1, 0x1p23)) * 0x1p-23 * (i % 2 ? -1 : 1);
            y = rounded(y);
            double angle = sign * kernel_angle(kind, &tuning, y, x), want = atan2(y, x);
            double error = fabs(remainder(angle - want, 2 * acos(-1)));
            low = fmin(low, angle), high = fmax(high, angle);
            if (!(error <= 4e-7)) fail_msg("%s: atan2(%.9g, %.9g) = %.9g", sets[s].name, y, x, angle);
            if (!(error <= 4e-7 * fmax(fabs(want), 0x1p-20) || fabs(want) > 0.5))
                fail_msg("%s: atan2(%.9g, %.9g) = %.9g, relatively", sets[s].name, y, x, angle);
        }
    }
    assert_true(low < -3.14 && high > 3.14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_instruction_sets_give_the_same_bits),
        cmocka_unit_test(the_same_bits_near_underflow),
        cmocka_unit_test(springs_give_the_same_bits),
        cmocka_unit_test(dead_lanes_change_nothing),
        cmocka_unit_test(hinges_whose_coefficients_underflow_stay),
        cmocka_unit_test(masses_and_other_blocks_stay),
        cmocka_unit_test(the_arc_tangent_is_exact_to_4e_7),
    };
    nsets = instances(sets);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
