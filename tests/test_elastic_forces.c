/* test_elastic_forces.c: the kernels of the elastic forces, in double, one element at a time. Forces are minus the
 * gradient of an energy that is written down here again in another way. Momentum and angular momentum are kept. There
 * is no force at rest or in rigid motion. Damping takes the power of Kelvin's and Voigt's law, and never more motion
 * than there is. */
#define TT_ISA_DOUBLE 1
#define _POSIX_C_SOURCE 200112L
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_crowd.h"

static const variant forces[] = {
    {"elastic_tri", "triangle", TRIANGLE, .spans = 0},
    {"elastic_tet", "tet", TET, .spans = 0},
    {"elastic_bend", "hinge", HINGE, .spans = 0},
    {"elastic_bend", "flat hinge", FLAT_HINGE, .spans = 0},
};

/* The same values as in material_of. */
static const double YOUNG = 2, POISSON = (double)0.3f, RIGIDITY = 1, DELAY = (double)0.05f;

/* Rest data are floats, so the forces have this relative error. */
static const double ROUNDING = 2e-6;

static crowd c;

/* ---- Reference energies ---- */

/* Gram matrix of the edges from the first particle. */
static void gram_of(const vec3 *x, int d, double g[3][3])
{
    for (int i = 0; i < d; i++)
        for (int j = 0; j < d; j++)
            g[i][j] = vec_dot(vec_sub(x[i + 1], x[0]), vec_sub(x[j + 1], x[0]));
}

static double det_of(double g[3][3], int d)
{
    if (d == 2) return g[0][0] * g[1][1] - g[0][1] * g[1][0];
    return vec_dot((vec3){g[0][0], g[0][1], g[0][2]},
                   vec_cross((vec3){g[1][0], g[1][1], g[1][2]}, (vec3){g[2][0], g[2][1], g[2][2]}));
}

/* m = inverse(a) b, by Gauss and Jordan; a is positive definite. */
static void solve(double a[3][3], double b[3][3], int d, double m[3][3])
{
    double work[3][6];
    for (int i = 0; i < d; i++)
        for (int j = 0; j < d; j++) work[i][j] = a[i][j], work[i][d + j] = b[i][j];
    for (int p = 0; p < d; p++) {
        double pivot = work[p][p];
        for (int j = 0; j < 2 * d; j++) work[p][j] /= pivot;
        for (int i = 0; i < d; i++) {
            double factor = work[i][p];
            for (int j = 0; i != p && j < 2 * d; j++) work[i][j] -= factor * work[p][j];
        }
    }
    for (int i = 0; i < d; i++)
        for (int j = 0; j < d; j++) m[i][j] = work[i][d + j];
}

static double measure_of(const vec3 *rest, int d)
{
    double g[3][3];
    gram_of(rest, d, g);
    return sqrt(det_of(g, d)) / (d == 2 ? 2 : 6);
}

/* lambda/2 tr(E)^2 + mu tr(E^2), where E has been made with one index up: no frame is needed. */
static double law(double E[3][3], int d)
{
    double lambda = d == 2 ? YOUNG * POISSON / (1 - POISSON * POISSON)
                           : YOUNG * POISSON / ((1 + POISSON) * (1 - 2 * POISSON));
    double mu = YOUNG / (2 * (1 + POISSON)), trace = 0, square = 0;
    for (int i = 0; i < d; i++) {
        trace += E[i][i];
        for (int j = 0; j < d; j++) square += E[i][j] * E[j][i];
    }
    return lambda / 2 * trace * trace + mu * square;
}

static void green_strain(const vec3 *rest, const vec3 *x, int d, double E[3][3])
{
    double before[3][3], now[3][3];
    gram_of(rest, d, before);
    gram_of(x, d, now);
    solve(before, now, d, E);
    for (int i = 0; i < d; i++)
        for (int j = 0; j < d; j++) E[i][j] = (E[i][j] - (i == j)) / 2;
}

static vec3 normal_of(vec3 a, vec3 b, vec3 p) { return vec_cross(vec_sub(b, a), vec_sub(p, a)); }

static double angle_of(const vec3 *x)
{
    vec3 e = vec_sub(x[3], x[2]), n1 = normal_of(x[0], x[2], x[3]), n2 = normal_of(x[1], x[3], x[2]);
    return atan2(vec_dot(vec_cross(n1, n2), unit(e)), vec_dot(n1, n2));
}

static double area_of(const vec3 *x, int far) { return vec_length(normal_of(x[far], x[2], x[3])) / 2; }

static double hinge_measure(const vec3 *rest)
{
    vec3 e = vec_sub(rest[3], rest[2]);
    return 9.0 / 8 * vec_dot(e, e) / (area_of(rest, 0) + area_of(rest, 1));
}

static bool is_hinge(const variant *a) { return a->shape == HINGE || a->shape == FLAT_HINGE; }

static double energy_of(const element *e, const vec3 *x)
{
    if (is_hinge(c.variant)) {
        double theta = angle_of(x), rest = angle_of(e->rest);
        return RIGIDITY * hinge_measure(e->rest) * (-4 * cos(theta / 2) - 2 * theta * sin(rest / 2));
    }
    double E[3][3];
    int d = e->particles - 1;
    green_strain(e->rest, x, d, E);
    return measure_of(e->rest, d) * law(E, d);
}

/* The scale of the forces of this element: those of a strain or an angle of 1. */
static double force_scale(const element *e)
{
    double size = 0, height = 1e300;
    for (int k = 1; k < e->particles; k++) size = fmax(size, vec_length(vec_sub(e->x[k], e->x[0])));
    if (is_hinge(c.variant)) {
        double length = vec_length(vec_sub(e->x[3], e->x[2]));
        for (int far = 0; far < 2; far++) height = fmin(height, 2 * area_of(e->x, far) / length);
        return RIGIDITY * hinge_measure(e->rest) * size / (length * height);
    }
    double rest_size = 0, measure = measure_of(e->rest, e->particles - 1);
    for (int k = 1; k < e->particles; k++)
        rest_size = fmax(rest_size, vec_length(vec_sub(e->rest[k], e->rest[0])));
    double stretch = fmax(size / rest_size, 1);
    return 10 * YOUNG * measure / rest_size * stretch * stretch * stretch;
}

static vec3 *at_axis(vec3 *v, int axis, double by)
{
    if (axis == 0) v->x += by;
    if (axis == 1) v->y += by;
    if (axis == 2) v->z += by;
    return v;
}

static vec3 gradient_of(const element *e, int k)
{
    double slope[3], step = 1e-5 * vec_length(vec_sub(e->rest[1], e->rest[0]));
    for (int axis = 0; axis < 3; axis++) {
        vec3 x[MAX_SLOTS];
        memcpy(x, e->x, sizeof x);
        at_axis(&x[k], axis, step);
        double above = energy_of(e, x);
        at_axis(&x[k], axis, -2 * step);
        slope[axis] = (above - energy_of(e, x)) / (2 * step);
    }
    return (vec3){slope[0], slope[1], slope[2]};
}

/* ---- Running the kernels ---- */

static const tt_kind *kind(void) { return oracle_of(c.variant); }

static void push(double h)
{
    c.tuning.h = (float)h;
    tt_batch batch = batch_of(&c);
    kind()->force(&batch);
}

static void damp(double h)
{
    c.tuning.h = (float)h;
    tt_batch batch = batch_of(&c);
    kind()->damp(&batch);
}

static vec3 impulse_of(int i, int k)
{
    return vec_scale(vec_sub(velocity_after(&c, i, k), c.v[i][k]), 1 / c.e[i].w[k]);
}

/* Whether the force of a hinge fades, because its triangles have lost most of their area. */
static bool faded(const element *e)
{
    for (int far = 0; is_hinge(c.variant) && far < 2; far++)
        if (area_of(e->x, far) < 0.3 * area_of(e->rest, far)) return true;
    return false;
}

static void check_small(const char *what, vec3 a, double most)
{
    if (!(vec_length(a) <= most)) fail_msg("%s: %s is %g, not within %g", c.variant->label, what, vec_length(a), most);
}

static void random_velocities(void)
{
    for (int i = 0; i < CROWD; i++)
        for (int k = 0; k < c.e[i].particles; k++) c.v[i][k] = random_vector(1);
}

/* ---- Tests ---- */

static void forces_are_the_gradient_of_the_energy(void **unused)
{
    (void)unused;
    for (int f = 0; f < LENGTH(forces); f++) {
        static const double strains[] = {0.01, 0.5, 2};
        int compared = 0;
        for (int s = 0; s < LENGTH(strains); s++)
            for (int round = 0; round < 4; round++) {
                make_crowd(&c, &forces[f], strains[s], 100);
                load_crowd(&c);
                push(1);
                for (int i = 0; i < CROWD; i++) {
                    const element *e = &c.e[i];
                    if (is_hinge(c.variant) && (faded(e) || fabs(angle_of(e->x)) > 3)) continue;
                    for (int k = 0; k < e->particles; k++)
                        check_small("force + gradient", vec_add(impulse_of(i, k), gradient_of(e, k)),
                                    ROUNDING * force_scale(e));
                    compared++;
                }
            }
        assert_true(compared > CROWD);
    }
}

/* Elements that are pressed flat, to a line or to a point, and tets turned inside out. */
static void collapsed_elements_too(void **unused)
{
    (void)unused;
    for (int f = 0; f < LENGTH(forces); f++)
        for (int how = 0; how < 4; how++) {
            make_crowd(&c, &forces[f], 0.2, 100);
            for (int i = 0; i < CROWD; i++) {
                element *e = &c.e[i];
                vec3 x0 = e->x[0], n = random_direction();
                for (int k = 1; k < e->particles; k++) {
                    vec3 r = vec_sub(e->x[k], x0), across = vec_scale(n, vec_dot(r, n));
                    if (how == 0) r = vec_sub(r, across);
                    if (how == 1) r = across;
                    if (how == 2) r = vec_scale(r, 0);
                    if (how == 3) r = vec_sub(r, vec_scale(across, 2));
                    e->x[k] = vec_add(x0, r);
                }
            }
            load_crowd(&c);
            push(1);
            damp(1);
            for (int i = 0; i < CROWD; i++)
                for (int k = 0; k < c.e[i].particles; k++)
                    assert_true(isfinite(vec_length(velocity_after(&c, i, k))));
            if (is_hinge(c.variant)) continue;
            load_crowd(&c);
            push(1);
            for (int i = 0; i < CROWD; i++)
                for (int k = 0; k < c.e[i].particles; k++)
                    check_small("force + gradient", vec_add(impulse_of(i, k), gradient_of(&c.e[i], k)),
                                ROUNDING * force_scale(&c.e[i]));
        }
}

/* Momentum is kept within the rounding of velocities and of the sums in the kernels. */
static void check_momentum(void)
{
    for (int i = 0; i < CROWD; i++) {
        const element *e = &c.e[i];
        vec3 sum = {0, 0, 0}, torque = sum;
        double size = 0, arm = 0, noise_of_v = 0;
        for (int k = 0; k < e->particles; k++) {
            vec3 p = impulse_of(i, k), r = vec_sub(e->x[k], e->x[0]);
            sum = vec_add(sum, p);
            torque = vec_add(torque, vec_cross(r, p));
            size += vec_length(p);
            noise_of_v += 2 * EPSILON * (vec_length(c.v[i][k]) / e->w[k] + vec_length(p));
            arm = fmax(arm, vec_length(r));
        }
        check_small("momentum", sum, 1e-12 * size + noise_of_v);
        check_small("angular momentum", torque, (1e-10 * size + noise_of_v) * arm);
    }
}

static void momentum_is_kept(void **unused)
{
    (void)unused;
    for (int f = 0; f < LENGTH(forces); f++)
        for (int round = 0; round < 8; round++) {
            make_crowd(&c, &forces[f], round % 2 ? 0.1 : 3, 100);
            load_crowd(&c);
            push(1);
            check_momentum();
            random_velocities();
            load_crowd(&c);
            damp(1e-3);
            check_momentum();
        }
}

static void rest_and_rigid_motion_are_left_alone(void **unused)
{
    (void)unused;
    for (int f = 0; f < LENGTH(forces); f++)
        for (int moved = 0; moved < 2; moved++) {
            make_crowd(&c, &forces[f], 0, 100);
            for (int i = 0; i < CROWD; i++) {
                element *e = &c.e[i];
                matrix turn = random_rotation();
                vec3 shift = random_vector(extent(e)), spin = random_vector(1), drift = random_vector(1);
                for (int k = 0; k < e->particles; k++) {
                    e->x[k] = moved ? vec_add(times(&turn, e->rest[k]), shift) : e->rest[k];
                    c.v[i][k] = vec_add(drift, vec_cross(spin, vec_sub(e->x[k], e->x[0])));
                }
            }
            load_crowd(&c);
            push(1);
            for (int i = 0; i < CROWD; i++)
                for (int k = 0; k < c.e[i].particles; k++)
                    check_small("force", impulse_of(i, k), ROUNDING * force_scale(&c.e[i]));
            load_crowd(&c);
            damp(1);
            for (int i = 0; i < CROWD; i++)
                for (int k = 0; k < c.e[i].particles; k++)
                    check_small("damping", vec_sub(velocity_after(&c, i, k), c.v[i][k]), 1e-9 * (1 + extent(&c.e[i])));
        }
}

static double kinetic(int i, bool after)
{
    double sum = 0;
    for (int k = 0; k < c.e[i].particles; k++) {
        vec3 v = after ? velocity_after(&c, i, k) : c.v[i][k];
        sum += vec_dot(v, v) / (2 * c.e[i].w[k]);
    }
    return sum;
}

/* tau V (lambda tr(dE)^2 + 2 mu tr(dE^2)), or tau B M dtheta^2: the power that Kelvin-Voigt damping takes. */
static double dissipation(const element *e, const vec3 *v)
{
    vec3 ahead[MAX_SLOTS], behind[MAX_SLOTS];
    int d = e->particles - 1;
    double step = 1e-6 * vec_length(vec_sub(e->x[1], e->x[0]));
    for (int k = 0; k <= d; k++) {
        ahead[k] = vec_add(e->x[k], vec_scale(v[k], step));
        behind[k] = vec_sub(e->x[k], vec_scale(v[k], step));
    }
    if (is_hinge(c.variant)) {
        double rate = remainder(angle_of(ahead) - angle_of(behind), 2 * acos(-1)) / (2 * step);
        return DELAY * RIGIDITY * hinge_measure(e->rest) * rate * rate;
    }
    double E[3][3], before[3][3];
    green_strain(e->rest, ahead, d, E);
    green_strain(e->rest, behind, d, before);
    for (int i = 0; i < d; i++)
        for (int j = 0; j < d; j++) E[i][j] = (E[i][j] - before[i][j]) / (2 * step);
    return 2 * DELAY * measure_of(e->rest, d) * law(E, d);
}

static void damping_is_that_of_kelvin_and_voigt(void **unused)
{
    (void)unused;
    for (int f = 0; f < LENGTH(forces); f++) {
        make_crowd(&c, &forces[f], 0.3, 10);
        random_velocities();
        load_crowd(&c);
        damp(1e-8); /* so short that the implicit step and the bound do not matter */
        for (int i = 0; i < CROWD; i++) {
            double power = 0, want = dissipation(&c.e[i], c.v[i]), h = (double)c.tuning.h;
            double noise_of_v = 4 * EPSILON * kinetic(i, false) / h;
            if (faded(&c.e[i])) continue;
            for (int k = 0; k < c.e[i].particles; k++) power -= vec_dot(impulse_of(i, k), c.v[i][k]) / h;
            if (!(fabs(power - want) <= 1e-3 * want + noise_of_v))
                fail_msg("%s: takes %g W, not %g W", c.variant->label, power, want);
        }
    }
}

/* However long the step is and however stretched the element, motion is only taken away. */
static void damping_never_adds_motion(void **unused)
{
    (void)unused;
    for (int f = 0; f < LENGTH(forces); f++)
        for (double h = 1e-4; h < 1e7; h *= 100) {
            make_crowd(&c, &forces[f], 3, 1000);
            random_velocities();
            load_crowd(&c);
            damp(h);
            for (int i = 0; i < CROWD; i++)
                if (!(kinetic(i, true) <= kinetic(i, false) * (1 + 1e-12)))
                    fail_msg("%s, h = %g: %g J became %g J", c.variant->label, h, kinetic(i, false), kinetic(i, true));
        }
}

/* A rest stretch is another rest shape. */
static void rest_stretches_move_the_rest_shape(void **unused)
{
    (void)unused;
    for (int f = 0; f < 2; f++) {
        make_crowd(&c, &forces[f], 0, 100);
        for (int j = 0; j < 3; j++) c.tuning.rest[j] = 1.5f;
        for (int i = 0; i < CROWD; i++)
            for (int k = 0; k < c.e[i].particles; k++) c.e[i].x[k] = vec_scale(c.e[i].rest[k], 1.5);
        load_crowd(&c);
        push(1);
        for (int i = 0; i < CROWD; i++)
            for (int k = 0; k < c.e[i].particles; k++)
                check_small("force", impulse_of(i, k), ROUNDING * force_scale(&c.e[i]));
        load_crowd(&c);
        for (int j = 0; j < 3; j++) c.tuning.rest[j] = 1;
        push(1);
        for (int i = 0; i < CROWD; i++) assert_true(vec_length(impulse_of(i, 0)) > 0.01 * force_scale(&c.e[i]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_are_the_gradient_of_the_energy),
        cmocka_unit_test(collapsed_elements_too),
        cmocka_unit_test(momentum_is_kept),
        cmocka_unit_test(rest_and_rigid_motion_are_left_alone),
        cmocka_unit_test(damping_is_that_of_kelvin_and_voigt),
        cmocka_unit_test(damping_never_adds_motion),
        cmocka_unit_test(rest_stretches_move_the_rest_shape),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
