/* test_springs.c: constraints as springs, on the kernels compiled in double. The force is the gradient of the energy.
 * The stiffness is the derivative of the force, if no part of it is left out. A brace is the stiffness against one
 * particle. */
#define _POSIX_C_SOURCE 200112L
#define TT_ISA_DOUBLE 1
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_crowd.h"

enum { NUMBERS = 4 * 4 * CROWD };

/* Elements that push or pull along fixed combinations of their particles. */
static const char *const labels[] = {"distance",         "stick",       "tri span angle", "tri raw cosine",
                                     "tri span raw",     "isometric",   "bend equal",     "midpoint equal",
                                     "isometric curved", "sided equal", "midpoint sided"};
static const char *const triangles[] = {"tri span angle", "tri raw cosine", "tri span raw"};

static crowd c;
static real x[NUMBERS], sum[NUMBERS];

/* Elements of random sizes, deformed by factors in [low, high]. Each mode has a modulus of its own. */
static void gather_crowd(const char *label, double low, double high)
{
    make_crowd(&c, variant_named(label), 0.1, 10);
    c.tuning.physical = true;
    for (int mode = 0; mode < TT_MAX_MODES; mode++) {
        c.tuning.stiffness[mode] = 1;
        c.tuning.compliance[mode] = (float)uniform(0.5, 2);
    }
    for (int i = 0; i < CROWD; i++) deform(&c.e[i], low, high, 0, random_vector(extent(&c.e[i])));
    load_crowd(&c);
}

typedef void tt_springs(const tt_batch *batch);

static void add_to(real *v, tt_springs *springs)
{
    tt_batch batch = batch_of(&c);
    batch.v = v, batch.x = x, batch.sum = sum;
    memset(v, 0, NUMBERS * sizeof *v);
    memset(sum, 0, sizeof sum);
    springs(&batch);
}

/* Whether element i's numbers in `a` and `b` differ by no more than `share` of their size. */
static void assert_near(const real *a, const real *b, double share)
{
    for (int i = 0; i < CROWD; i++) {
        size_t first = particle_at(&c, i, 0), n = 4 * (size_t)c.e[i].particles;
        double size = 0, off = 0;
        for (size_t at = first; at < first + n; at++)
            size = fmax(size, fabs(b[at])), off = fmax(off, fabs(a[at] - b[at]));
        if (!(off <= share * size)) fail_msg("%s: element %d is off by %g of %g", c.variant->label, i, off, size);
    }
}

/* The force: minus the sum over modes of C dC/dp / (compliance weight). */
static void force_by_gradients(real *v)
{
    const tt_kind *kind = oracle_of(c.variant);
    memset(v, 0, NUMBERS * sizeof *v);
    for (int i = 0; i < CROWD; i++)
        for (int mode = 0; mode < kind->modes; mode++) {
            vec3 g[MAX_SLOTS];
            const element *e = &c.e[i];
            if (!(c.tuning.stiffness[mode] > 0)) continue;
            double C = value_of(c.variant, e, &c.tuning, mode, g);
            double t = -C / ((double)c.tuning.compliance[mode] * e->data[kind->fields - 1]);
            for (int k = 0; k < e->particles; k++) {
                real *to = &v[particle_at(&c, i, k)];
                to[0] += t * g[k].x, to[1] += t * g[k].y, to[2] += t * g[k].z;
            }
        }
}

/* Each kind that takes part in the balance has a label. */
static void every_spring_has_a_label(void **state)
{
    (void)state;
    for (int kind = 0; kind < TT_KINDS; kind++) {
        const tt_kind *k = tt_oracle()[kind];
        bool found = !k->resist;
        for (int l = 0; l < LENGTH(labels); l++) found = found || oracle_of(variant_named(labels[l])) == k;
        if (!found) fail_msg("no label for %s", k->name);
        assert_true(!k->resist || (k->stiffen && (k->forms || k->brace)));
    }
}

/* Elements are deformed only so far that forces are not reduced: raw stretch and area are reduced above 1, shear
 * below. */
static void forces_are_gradients_of_the_energy(void **state)
{
    (void)state;
    static real v[NUMBERS], want[NUMBERS];
    for (int l = 0; l < LENGTH(labels); l++) {
        gather_crowd(labels[l], 1.02, 1.3);
        bool raw = c.tuning.stretch_form == TAUT_STRETCH_RAW, triangle = c.variant->shape == TRIANGLE;
        if (triangle) c.tuning.stiffness[TRI_AREA] = 0;
        if (triangle && raw) c.tuning.stiffness[0] = c.tuning.stiffness[1] = 0;
        add_to(v, oracle_of(c.variant)->resist);
        force_by_gradients(want);
        assert_near(v, want, 1e-6); /* springs are floats */
    }
}

/* The change of the force: (force(p - step x) - force(p + step x)) / 2 step. */
static void change_of_force(double step, real *change)
{
    static real p[NUMBERS], ahead[NUMBERS];
    memcpy(p, c.p, sizeof p);
    for (int i = 0; i < NUMBERS; i++) c.p[i] = p[i] + step * x[i];
    add_to(ahead, oracle_of(c.variant)->resist);
    for (int i = 0; i < NUMBERS; i++) c.p[i] = p[i] - step * x[i];
    add_to(change, oracle_of(c.variant)->resist);
    memcpy(c.p, p, sizeof p);
    for (int i = 0; i < NUMBERS; i++) change[i] = (change[i] - ahead[i]) / (2 * step);
}

static void set_displacements(void)
{
    for (int i = 0; i < CROWD; i++)
        for (int k = 0; k < c.e[i].particles; k++)
            for (size_t j = 0; j < 4; j++) x[particle_at(&c, i, k) + j] = j < 3 ? uniform(-1, 1) * extent(&c.e[i]) : 0;
}

/* Under tension no part of the stiffness of a stretch is left out. */
static void stiffness_under_tension_is_the_derivative_of_force(void **state)
{
    (void)state;
    static real v[NUMBERS], want[NUMBERS];
    for (int l = 0; l < LENGTH(labels); l++) {
        gather_crowd(labels[l], 1.02, 1.3);
        if (c.tuning.stretch_form == TAUT_STRETCH_RAW && c.variant->shape == TRIANGLE) continue;
        if (!strcmp(labels[l], "isometric curved")) continue; /* a flatter curve pushes: that is left out */
        for (int mode = 2; mode < TT_MAX_MODES; mode++) c.tuning.stiffness[mode] = 0;
        set_displacements();
        add_to(v, oracle_of(c.variant)->stiffen);
        change_of_force(1e-6, want);
        assert_near(v, want, 1e-7);
    }
}

/* Without a force no part of the stiffness is left out: at rest, and for the shear if everything is longer by the same
 * factor. */
static void stiffness_without_force_is_the_derivative_of_force(void **state)
{
    (void)state;
    static real v[NUMBERS], want[NUMBERS];
    for (int l = 0; l < LENGTH(triangles); l++)
        for (int longer = 0; longer < 2; longer++) {
            double factor = longer ? 1.2 : 1;
            gather_crowd(triangles[l], factor, factor);
            for (int mode = 0; longer && mode < TT_MAX_MODES; mode++) c.tuning.stiffness[mode] = mode == TRI_XY;
            set_displacements();
            add_to(v, oracle_of(c.variant)->stiffen);
            change_of_force(1e-5, want);
            assert_near(v, want, 1e-4); /* the rest state has the precision of floats, so forces are not quite 0 */
        }
}

/* Element i's brace of particle k times its displacement. */
static void brace_times(const real *straight, const real *mixed, size_t at, real *force)
{
    const real *s = &straight[at], *m = &mixed[at], *d = &x[at];
    force[at] = s[0] * d[0] + m[0] * d[1] + m[2] * d[2];
    force[at + 1] = m[0] * d[0] + s[1] * d[1] + m[1] * d[2];
    force[at + 2] = m[2] * d[0] + m[1] * d[1] + s[2] * d[2];
}

static void a_brace_is_the_stiffness_of_one_particle(void **state)
{
    (void)state;
    static real v[NUMBERS], way[NUMBERS], straight[NUMBERS], braced[NUMBERS], alone[NUMBERS];
    for (int l = 0; l < LENGTH(triangles); l++) {
        gather_crowd(triangles[l], 0.8, 1.3);
        c.tuning.stiffness[TRI_AREA] = 0;
        set_displacements();
        memcpy(way, x, sizeof way);
        add_to(straight, oracle_of(c.variant)->brace);
        for (int i = 0; i < CROWD; i++)
            for (int k = 0; k < 3; k++) brace_times(straight, sum, particle_at(&c, i, k), braced);
        for (int k = 0; k < 3; k++) {
            memset(x, 0, sizeof x);
            for (int i = 0; i < CROWD; i++)
                memcpy(&x[particle_at(&c, i, k)], &way[particle_at(&c, i, k)], 4 * sizeof *x);
            add_to(v, oracle_of(c.variant)->stiffen);
            for (int i = 0; i < CROWD; i++)
                memcpy(&alone[particle_at(&c, i, k)], &v[particle_at(&c, i, k)], 4 * sizeof *v);
        }
        assert_near(braced, alone, 1e-12);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_spring_has_a_label),
        cmocka_unit_test(forces_are_gradients_of_the_energy),
        cmocka_unit_test(stiffness_under_tension_is_the_derivative_of_force),
        cmocka_unit_test(stiffness_without_force_is_the_derivative_of_force),
        cmocka_unit_test(a_brace_is_the_stiffness_of_one_particle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
