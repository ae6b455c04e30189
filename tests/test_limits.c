/* test_limits.c: hard limits of stretch, one element at a time. They hold after one projection, as a plain singular
 * value decomposition tells. Also momentum, pins, elements within their limits, Jacobi, the largest violation.
 * test_limits_bend.c has the limit on bending. */
#define _POSIX_C_SOURCE 200112L
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_limits.h"

enum { MANY = 10000, SOME = 200 };

static const float LOW = 0.9f, HIGH = 1.05f;

static tt_simd sets[MAX_INSTANCES];
static int nsets;

/* How far a limited element may miss its limits because of rounding, for an element of 1 m at 1 m from the origin. In
 * double only the rounding of its rest data is left, which are floats. */
static double slack(void) { return sizeof(real) == 4 ? 1e-5 : 5e-7; }

typedef struct subject {
    const char *kind;
    int dimension;
    bool axes;
} subject;

static const subject subjects[] = {
    {"limit_tri", 2, false},
    {"limit_axes_tri", 2, true},
    {"limit_tet", 3, false},
    {"limit_axes_tet", 3, true},
};

static taut_material limited(const subject *s, float low, float high)
{
    taut_material m = taut_default_material();
    for (int c = 0; c < 2; c++) {
        float bound = c ? high : low;
        if (!s->axes) m.limit.stretch[c] = bound;
        for (int j = 0; s->axes && j < 3; j++) m.limit.axis[j][c] = bound;
    }
    return m;
}

static flock open_flock(const subject *s, int n, int width, const taut_material *material, const float *factor)
{
    taut_mesh mesh;
    separate_mesh(&mesh, s->dimension, n);
    flock f = make_flock(s->kind, &mesh, material, width, factor, NULL);
    free_separate(&mesh);
    return f;
}

static flock limited_flock(const subject *s, int n, int width)
{
    taut_material material = limited(s, LOW, HIGH);
    flock f = open_flock(s, n, width, &material, NULL);
    assert_int_equal(f.n, n);
    return f;
}

/* The largest |C| of element i. */
static double violation(const flock *f, const real *p, int i)
{
    double worst = 0;
    for (int mode = 0; mode < flock_kind(f)->modes; mode++) worst = fmax(worst, fabs(flock_value(f, p, i, mode, NULL)));
    return worst;
}

static bool same_place(const flock *f, int i, int k)
{
    size_t at = 4 * (size_t)vertex_of(f, i, k);
    return memcmp(&f->p[at], &f->start[at], 4 * sizeof *f->p) == 0;
}

/* ---- Values of limits -------------------------------------------------------------------------------------------- */

static void limits_make_elements_only_where_there_are_limits(void **unused)
{
    (void)unused;
    for (int s = 0; s < LENGTH(subjects); s++) {
        const float range[][2] = {{0, INFINITY}, {0, 1.1f}, {0.9f, INFINITY}};
        for (int r = 0; r < LENGTH(range); r++) {
            taut_material m = limited(&subjects[s], range[r][0], range[r][1]);
            flock f = open_flock(&subjects[s], 5, TT_BLOCK, &m, NULL);
            assert_int_equal(f.n, r == 0 ? 0 : 5);
            assert_true(f.tuning.active == (r > 0));
            free_flock(&f);
        }
    }
}

static void values_match_the_decomposition(void **unused)
{
    (void)unused;
    for (int s = 0; s < LENGTH(subjects); s++) {
        if (subjects[s].axes) continue;
        flock f = limited_flock(&subjects[s], SOME, TT_BLOCK);
        deform_flock(&f, 0.5, 2, 1);
        for (int i = 0; i < f.n; i++) {
            decomposition d = stretches_of(&f, f.start, i);
            double most = fmax(d.s[0] - (double)HIGH, 0), least = fmin(d.s[d.n - 1] - (double)LOW, 0);
            assert_true(fabs(flock_value(&f, f.start, i, 0, NULL) - most) < 1e-6);
            assert_true(fabs(flock_value(&f, f.start, i, 1, NULL) - least) < 1e-6);
        }
        free_flock(&f);
    }
}

/* Compares gradients with central differences of the oracle where an element is outside. Within, they are 0. */
static void gradients_match_finite_differences(void **unused)
{
    (void)unused;
    for (int s = 0; s < LENGTH(subjects); s++) {
        flock f = limited_flock(&subjects[s], SOME, TT_BLOCK);
        const tt_kind *kind = flock_kind(&f);
        deform_flock(&f, 0.7, 1.4, 1);
        for (int i = 0; i < f.n; i++)
            for (int mode = 0; mode < kind->modes; mode++) {
                double g[3 * TT_MAX_PARTICLES], x[3 * TT_MAX_PARTICLES];
                vec3 first = point_of(&f, f.start, i, 0), second = point_of(&f, f.start, i, 1);
                double h = 1e-5 * vec_length(vec_sub(second, first)), largest = 0;
                double C = flock_value(&f, f.start, i, mode, g);
                decomposition d = stretches_of(&f, f.start, i);
                double gap = fmin(d.s[0] - d.s[1], d.n == 3 ? d.s[1] - fabs(d.s[2]) : INFINITY);
                if (C != 0 && fabs(C) < 1e-4) continue; /* a step might leave the range */
                if (gap < 0.02) continue;               /* directions of nearly equal stretches turn quickly */
                for (int k = 0; k < f.slots; k++)
                    memcpy(&x[3 * k], &(vec3[]){point_of(&f, f.start, i, k)}, sizeof(vec3));
                for (int c = 0; c < 3 * f.slots; c++) largest = fmax(largest, fabs(g[c]));
                for (int c = 0; c < 3 * f.slots; c++) {
                    double at = x[c];
                    x[c] = at + h;
                    double above = kind->value(x, &f.field[i * kind->fields], &f.tuning, mode, NULL);
                    x[c] = at - h;
                    double below = kind->value(x, &f.field[i * kind->fields], &f.tuning, mode, NULL);
                    x[c] = at;
                    assert_true(C != 0 || g[c] == 0);
                    if (C != 0) assert_true(fabs((above - below) / (2 * h) - g[c]) < 1e-4 * largest);
                }
            }
        free_flock(&f);
    }
}

/* ---- One projection ---------------------------------------------------------------------------------------------- */

/* One projection brings elements nearer to their limits, and many bring them there, except for a few elements whose
 * masses are very uneven. */
static void principal_stretches_come_within_their_limits(void **unused)
{
    (void)unused;
    for (int s = 0; s < LENGTH(subjects); s++) {
        if (subjects[s].axes) continue;
        flock f = limited_flock(&subjects[s], MANY, TT_BLOCK);
        deform_flock(&f, 0.3, 3, 100);
        for (int set = 0; set < nsets; set++) {
            double before = 0, after = 0;
            project_flock(&f, &sets[set], 1, false);
            for (int i = 0; i < f.n; i++) before += violation(&f, f.start, i), after += violation(&f, f.p, i);
            if (!(after < 0.5 * before)) fail_msg("%s: %g to %g", subjects[s].kind, before / f.n, after / f.n);
            project_flock(&f, &sets[set], 100, false);
            int outside = 0;
            for (int i = 0; i < f.n; i++) outside += violation(&f, f.p, i) > 1e-3;
            if (!(outside <= f.n / 100)) fail_msg("%s: %d of %d are outside", subjects[s].kind, outside, f.n);
        }
        free_flock(&f);
    }
}

/* If only one stretch is outside, every particle moves along the gradient of that stretch, in proportion to its inverse
 * mass, and no further than to the limit. */
static void steps_are_the_smallest_by_mass(void **unused)
{
    (void)unused;
    int tried = 0;
    for (int s = 0; s < LENGTH(subjects); s++) {
        if (subjects[s].axes) continue;
        flock f = limited_flock(&subjects[s], SOME, TT_BLOCK);
        deform_flock(&f, 0.8, 1.25, 1);
        for (int i = 0; i < f.n; i++) {
            double g[3 * TT_MAX_PARTICLES], along = 0, square = 0, rate = 0;
            decomposition d = stretches_of(&f, f.start, i);
            int outside = 0;
            for (int j = 0; j < d.n; j++) outside += d.s[j] > (double)HIGH || d.s[j] < (double)LOW;
            bool below = d.s[d.n - 1] < (double)LOW;
            if (outside != 1 || violation(&f, f.start, i) < 0.02) continue;
            double C = flock_value(&f, f.start, i, below, g);
            for (int set = 0; set < nsets; set++) {
                project_flock(&f, &sets[set], 1, false);
                along = square = rate = 0;
                for (int k = 0; k < f.slots; k++) {
                    vec3 step = vec_sub(point_of(&f, f.p, i, k), point_of(&f, f.start, i, k));
                    vec3 slope = {g[3 * k], g[3 * k + 1], g[3 * k + 2]};
                    double w = inverse_mass(&f, i, k);
                    along += vec_dot(step, slope), square += vec_dot(step, step) / w, rate += w * vec_dot(slope, slope);
                }
                assert_true(along * C < 0 && fabs(along) < fabs(C) * 1.001);
                assert_true(along * along > 0.9999 * square * rate); /* no step with the same effect is smaller */
                tried++;
            }
        }
        free_flock(&f);
    }
    assert_true(tried > SOME / 4);
}

static void the_centre_of_mass_stays(void **unused)
{
    (void)unused;
    for (int s = 0; s < LENGTH(subjects); s++) {
        flock f = limited_flock(&subjects[s], SOME, TT_BLOCK);
        deform_flock(&f, 0.4, 2.5, 1e4);
        for (int set = 0; set < nsets; set++) {
            project_flock(&f, &sets[set], 1, false);
            for (int i = 0; i < f.n; i++) {
                vec3 drift = {0, 0, 0};
                double total = 0, size = 0;
                for (int k = 0; k < f.slots; k++) {
                    double m = 1 / inverse_mass(&f, i, k);
                    vec3 step = vec_sub(point_of(&f, f.p, i, k), point_of(&f, f.start, i, k));
                    drift = vec_add(drift, vec_scale(step, m));
                    size = fmax(size, vec_length(point_of(&f, f.start, i, k)));
                    total += m;
                }
                assert_true(vec_length(drift) < 16 * EPSILON * total * size);
            }
        }
        free_flock(&f);
    }
}

/* The share of the step of element i, 0 to 1, that turns the element about its centre of mass. */
static double turn_of(const flock *f, int i)
{
    vec3 centre = {0, 0, 0}, angular = {0, 0, 0};
    double total = 0, most = 0;
    for (int k = 0; k < f->slots; k++) {
        double m = 1 / inverse_mass(f, i, k);
        centre = vec_add(centre, vec_scale(point_of(f, f->start, i, k), m));
        total += m;
    }
    for (int k = 0; k < f->slots; k++) {
        vec3 r = vec_sub(point_of(f, f->start, i, k), vec_scale(centre, 1 / total));
        vec3 step = vec_sub(point_of(f, f->p, i, k), point_of(f, f->start, i, k));
        angular = vec_add(angular, vec_scale(vec_cross(r, step), 1 / inverse_mass(f, i, k)));
        most += vec_length(r) * vec_length(step) / inverse_mass(f, i, k);
    }
    return most > 0 ? vec_length(angular) / most : 0;
}

/* Elements must not be turned. MRSL's way to place elements turns them by a tenth of the step and more, so that many
 * elements together begin to spin. */
static void elements_are_not_turned(void **unused)
{
    (void)unused;
    for (int s = 0; s < LENGTH(subjects); s++) {
        if (subjects[s].axes) continue; /* each axis starts from where the one before left the element */
        flock f = limited_flock(&subjects[s], SOME, TT_BLOCK);
        deform_flock(&f, 0.8, 1.25, 1);
        for (int set = 0; set < nsets; set++) {
            double worst = 0;
            project_flock(&f, &sets[set], 1, false);
            for (int i = 0; i < f.n; i++)
                if (violation(&f, f.start, i) > 0.01) worst = fmax(worst, turn_of(&f, i));
            if (!(worst < 1000 * EPSILON)) fail_msg("%s turns by %g", subjects[s].kind, worst);
        }
        free_flock(&f);
    }
}

/* ---- Fixed vertices ---------------------------------------------------------------------------------------------- */

/* Fixes `count` vertices of each element; the number of the element decides which. */
static void fix(flock *f, int count)
{
    for (int i = 0; i < f->n; i++)
        for (int c = 0; c < count; c++) f->start[4 * vertex_of(f, i, (i + c) % f->slots) + 3] = 0;
}

static bool is_fixed(const flock *f, int i, int k) { return !(inverse_mass(f, i, k) > 0); }

static void fixed_vertices_stay_to_the_bit(void **unused)
{
    (void)unused;
    for (int s = 0; s < LENGTH(subjects); s++)
        for (int count = 1; count <= subjects[s].dimension + 1; count++) {
            flock f = limited_flock(&subjects[s], SOME, TT_BLOCK);
            int moved = 0;
            deform_flock(&f, 0.4, 2.5, 100);
            fix(&f, count);
            for (int set = 0; set < nsets; set++) {
                project_flock(&f, &sets[set], 1, false);
                for (int i = 0; i < f.n; i++)
                    for (int k = 0; k < f.slots; k++) {
                        assert_true(!is_fixed(&f, i, k) || same_place(&f, i, k));
                        moved += !same_place(&f, i, k);
                        for (int c = 0; c < 3; c++) assert_true(isfinite(f.p[4 * vertex_of(&f, i, k) + c]));
                    }
                if (count == f.slots) assert_true(f.excess == 0); /* nothing can change such a violation */
            }
            assert_true((moved > 0) == (count < f.slots));
            free_flock(&f);
        }
}

/* The vertices that are not fixed bring the element nearer to its limits. */
static void elements_with_fixed_vertices_come_nearer(void **unused)
{
    (void)unused;
    for (int s = 0; s < LENGTH(subjects); s++)
        for (int count = 1; count < subjects[s].dimension; count++) {
            if (subjects[s].axes) continue;
            flock f = limited_flock(&subjects[s], SOME, TT_BLOCK);
            deform_flock(&f, 0.4, 2.5, 100);
            fix(&f, count);
            for (int set = 0; set < nsets; set++) {
                double before = 0, after = 0;
                project_flock(&f, &sets[set], 1, false);
                for (int i = 0; i < f.n; i++) before += violation(&f, f.start, i), after += violation(&f, f.p, i);
                if (!(after < 0.7 * before)) fail_msg("%s: %g to %g", subjects[s].kind, before, after);
                project_flock(&f, &sets[set], 200, false);
                for (int i = 0; i < f.n && count == 1; i++) assert_true(violation(&f, f.p, i) < 1e-3);
            }
            free_flock(&f);
        }
}

/* An element that is stretched or squeezed across its fixed vertices is put right nearly at once. */
static void heights_over_fixed_vertices_are_limited(void **unused)
{
    (void)unused;
    for (int s = 0; s < LENGTH(subjects); s++) {
        int dimension = subjects[s].dimension;
        if (subjects[s].axes) continue;
        flock f = limited_flock(&subjects[s], SOME, TT_BLOCK);
        for (int i = 0; i < f.n; i++) {
            int tip = (i + dimension) % f.slots;
            vec3 a = f.rest[vertex_of(&f, i, i % f.slots)], b = f.rest[vertex_of(&f, i, (i + 1) % f.slots)];
            vec3 c = f.rest[vertex_of(&f, i, (i + 2) % f.slots)], top = f.rest[vertex_of(&f, i, tip)];
            vec3 normal = vec_cross(vec_sub(b, a), vec_sub(c, a));
            vec3 up = unit(dimension == 2 ? vec_cross(normal, vec_sub(b, a)) : normal);
            double height = vec_dot(up, vec_sub(top, a)), stretch = i % 2 ? uniform(1.1, 2) : uniform(0.4, 0.85);
            put_vertex(&f, vertex_of(&f, i, tip), vec_add(top, vec_scale(up, height * (stretch - 1))));
        }
        fix(&f, dimension);
        for (int set = 0; set < nsets; set++) {
            project_flock(&f, &sets[set], 3, false);
            for (int i = 0; i < f.n; i++) {
                assert_true(violation(&f, f.start, i) > 0.04);
                assert_true(violation(&f, f.p, i) < 2 * slack() + 1e-6); /* rest data are floats */
            }
        }
        free_flock(&f);
    }
}

/* ---- Elements within their limits -------------------------------------------------------------------------------- */

static void elements_within_keep_their_bits(void **unused)
{
    (void)unused;
    for (int s = 0; s < LENGTH(subjects); s++) {
        flock f = limited_flock(&subjects[s], SOME, TT_BLOCK);
        deform_flock(&f, 0.93, 1.03, 100);
        for (int i = 0; i < f.n; i++) /* no inverted elements; negative zeros, whose sign must not be lost */
            for (int k = 0; k < f.slots && i % 2; k++) {
                int v = vertex_of(&f, i, k);
                put_vertex(&f, v, f.rest[v]);
                f.start[4 * v] = k == 0 ? (real)-0.0 : f.start[4 * v] - (real)f.rest[vertex_of(&f, i, 0)].x;
            }
        for (int mixed = 0; mixed < 2; mixed++) {
            if (mixed) /* some elements of each block are far outside */
                for (int i = 0; i < f.n; i += 7)
                    for (int k = 1; k < f.slots; k++) {
                        int v = vertex_of(&f, i, k);
                        vec3 p0 = point_of(&f, f.start, i, 0), d = vec_sub(point_of(&f, f.start, i, k), p0);
                        put_vertex(&f, v, vec_add(p0, vec_scale(d, 1.5)));
                    }
            for (int set = 0; set < nsets; set++) {
                project_flock(&f, &sets[set], 1, false);
                for (int i = 0; i < f.n; i++) {
                    bool outside = violation(&f, f.start, i) > 1e-6;
                    assert_true(outside == (mixed && i % 7 == 0));
                    for (int k = 0; k < f.slots; k++) assert_true(outside || same_place(&f, i, k));
                }
                assert_true((f.excess > 0) == mixed);
                project_flock(&f, &sets[set], 1, true);
                for (int i = 0; i < 4 * f.nvertices && !mixed; i++) assert_true(f.sum[i] == 0);
            }
        }
        free_flock(&f);
    }
}

/* An element that is outside by no more than the threshold stays. One that is further outside goes to the limit
 * itself. */
static void a_threshold_leaves_small_violations_alone(void **unused)
{
    (void)unused;
    for (int s = 0; s < LENGTH(subjects); s++) {
        taut_material material = limited(&subjects[s], LOW, HIGH);
        material.limit.threshold = 0.05f;
        flock f = open_flock(&subjects[s], SOME, TT_BLOCK, &material, NULL);
        int left = 0, moved = 0;
        double off = 0, still_off = 0;
        deform_flock(&f, 0.93, 1.3, 1);
        for (int set = 0; set < nsets; set++) {
            project_flock(&f, &sets[set], 1, false);
            for (int i = 0; i < f.n; i++) {
                double before = violation(&f, f.start, i);
                if (before < 0.049) assert_true(same_place(&f, i, 0) && same_place(&f, i, f.slots - 1));
                if (before > 0.051) off += before, still_off += violation(&f, f.p, i);
                left += before > 0 && before < 0.049;
                moved += before > 0.051;
            }
        }
        assert_true(left > SOME / 50 && moved > SOME / 2 && still_off < 0.4 * off);
        free_flock(&f);
    }
}

static void one_sided_limits_leave_the_other_side_alone(void **unused)
{
    (void)unused;
    for (int s = 0; s < LENGTH(subjects); s++)
        for (int side = 0; side < 2; side++) {
            taut_material m = limited(&subjects[s], side ? 0.9f : 0, side ? INFINITY : 1.1f);
            flock f = open_flock(&subjects[s], SOME, TT_BLOCK, &m, NULL);
            deform_flock(&f, side ? 1.5 : 0.2, side ? 2.5 : 0.6, 100);
            for (int i = 1; i < f.n && f.slots == 4; i += 2) /* an inverted tet is below any lower limit */
                for (int k = 0; k < f.slots; k++) put_vertex(&f, vertex_of(&f, i, k), f.rest[vertex_of(&f, i, k)]);
            for (int set = 0; set < nsets; set++) {
                project_flock(&f, &sets[set], 1, false);
                assert_memory_equal(f.p, f.start, 4 * (size_t)f.nvertices * sizeof *f.p);
                assert_true(f.excess == 0);
            }
            free_flock(&f);
        }
}

/* ---- Batches ----------------------------------------------------------------------------------------------------- */

static void the_largest_violation_is_reported(void **unused)
{
    (void)unused;
    for (int s = 0; s < LENGTH(subjects); s++)
        for (int width = 1; width <= TT_BLOCK; width += 5) {
            flock f = limited_flock(&subjects[s], 37, width);
            deform_flock(&f, 0.6, 1.8, 100);
            double worst = 0;
            for (int i = 0; i < f.n; i++) worst = fmax(worst, violation(&f, f.start, i));
            for (int set = 0; set < nsets; set++) {
                project_flock(&f, &sets[set], 1, false);
                assert_true(fabs((double)f.excess - worst) < 1e-5);
                tt_batch batch = flock_batch(&f, false);
                f.excess = 7; /* raised, not set */
                sets[set].kinds[f.kind]->project(&batch);
                assert_true(f.excess == 7);
            }
            free_flock(&f);
        }
}

static void jacobi_adds_up_what_each_element_would_do(void **unused)
{
    (void)unused;
    for (int s = 0; s < LENGTH(subjects); s++) {
        flock f = limited_flock(&subjects[s], SOME, 13);
        real *moved = aligned(4 * (size_t)f.nvertices * sizeof *moved);
        deform_flock(&f, 0.8, 1.2, 100);
        fix(&f, 1);
        for (int set = 0; set < nsets; set++) {
            project_flock(&f, &sets[set], 1, false);
            memcpy(moved, f.p, 4 * (size_t)f.nvertices * sizeof *moved);
            project_flock(&f, &sets[set], 1, true);
            assert_memory_equal(f.p, f.start, 4 * (size_t)f.nvertices * sizeof *f.p);
            for (int i = 0; i < f.n; i++) {
                double worst = violation(&f, f.start, i);
                for (int k = 0; k < f.slots; k++) {
                    const real *sum = &f.sum[4 * vertex_of(&f, i, k)];
                    vec3 step = vec_sub(vector_at(&moved[4 * vertex_of(&f, i, k)]), point_of(&f, f.start, i, k));
                    double size = vec_length(point_of(&f, f.start, i, k)) + vec_length(step);
                    assert_true(vec_length(vec_sub(step, vector_at(sum))) <= 4 * EPSILON * size);
                    if (worst > 1e-6) assert_true(sum[3] == 1);
                    if (worst == 0) assert_true(sum[3] == 0);
                }
            }
            tt_batch batch = flock_batch(&f, true); /* sums go on */
            sets[set].kinds[f.kind]->project(&batch);
            for (int i = 0; i < f.n; i++)
                if (violation(&f, f.start, i) > 1e-6) assert_true(f.sum[4 * vertex_of(&f, i, 0) + 3] == 2);
        }
        free(moved);
        free_flock(&f);
    }
}

/* All blocks move vertex 0, so the result shows the order of the blocks. */
static void blocks_are_worked_on_in_the_order_asked_for(void **unused)
{
    (void)unused;
    flock f = limited_flock(&subjects[0], 12, 1);
    real *want = aligned(4 * (size_t)f.nvertices * sizeof *want);
    size_t bytes = 4 * (size_t)f.nvertices * sizeof *want;
    deform_flock(&f, 0.5, 2, 100);
    for (int block = 1; block < f.nblocks; block++) /* their first corner is the same particle */
        for (int lane = 0; lane < TT_BLOCK; lane++) f.offset[block * 3 * TT_BLOCK + lane] = 0;
    const int orders[][4] = {{0, 12, 0, 1}, {0, 12, 0, 0}, {2, 9, 3, 5}, {0, 12, 7, 11},
                             {1, 12, 100, 13}, {3, 3, 1, 1}};
    for (int set = 0; set < nsets; set++)
        for (int o = 0; o < LENGTH(orders); o++) {
            int first = orders[o][0], last = orders[o][1], start = orders[o][2], stride = orders[o][3];
            const tt_kind *kind = sets[set].kinds[f.kind];
            tt_batch batch = flock_batch(&f, false);
            memcpy(f.p, f.start, bytes);
            for (int i = 0; i < last - first; i++) {
                batch.first = first + (start + i * (stride ? stride : 1)) % (last - first);
                batch.last = batch.first + 1;
                kind->project(&batch);
            }
            memcpy(want, f.p, bytes);
            memcpy(f.p, f.start, bytes);
            batch = flock_batch(&f, false);
            batch.first = first, batch.last = last, batch.start = start, batch.stride = stride;
            kind->project(&batch);
            assert_memory_equal(f.p, want, bytes);
        }
    free(want);
    free_flock(&f);
}

static void factors_widen_the_range_of_an_element(void **unused)
{
    (void)unused;
    enum { COUNT = 64 };
    float factor[2 * COUNT];
    for (int i = 0; i < COUNT; i++) factor[2 * i] = (float)uniform(0.3, 1), factor[2 * i + 1] = (float)uniform(1, 2);
    for (int s = 0; s < LENGTH(subjects); s++) {
        taut_material material = limited(&subjects[s], LOW, HIGH);
        flock f = open_flock(&subjects[s], COUNT, TT_BLOCK, &material, factor);
        deform_flock(&f, 0.2, 3, 1);
        for (int set = 0; set < nsets && !subjects[s].axes; set++) {
            project_flock(&f, &sets[set], 100, false);
            for (int i = 0; i < f.n; i++) {
                decomposition before = stretches_of(&f, f.start, i), after = stretches_of(&f, f.p, i);
                double low = (double)LOW * (double)factor[2 * i], high = (double)HIGH * (double)factor[2 * i + 1];
                assert_true(after.s[0] < high + 1e-3 && after.s[after.n - 1] > low - 1e-3);
                double over = before.s[0] - high;
                if (over > 0) assert_true(after.s[0] > high - 0.3 * over); /* and no further */
            }
        }
        const tt_kind *kind = flock_kind(&f);
        for (int i = 0; i < f.n; i++)
            for (int c = 0; c < 2; c++)
                assert_true(f.field[i * kind->fields + kind->fields - 3 + c] == (double)factor[2 * i + c]);
        free_flock(&f);
    }
}

/* ---- Along the axes ---------------------------------------------------------------------------------------------- */

static void axes_are_within_after_some_projections(void **unused)
{
    (void)unused;
    for (int s = 0; s < LENGTH(subjects); s++) {
        if (!subjects[s].axes) continue;
        flock f = limited_flock(&subjects[s], SOME, TT_BLOCK);
        deform_flock(&f, 0.8, 1.25, 10);
        for (int set = 0; set < nsets; set++) {
            project_flock(&f, &sets[set], 40, false);
            for (int i = 0; i < f.n; i++) assert_true(violation(&f, f.p, i) < 1e-4);
        }
        free_flock(&f);
    }
}

/* A single axis is a span: one projection makes it right for any masses. The other axes do not count. */
static void one_axis_is_solved_at_once(void **unused)
{
    (void)unused;
    for (int s = 0; s < LENGTH(subjects); s++)
        for (int axis = 0; axis < subjects[s].dimension && subjects[s].axes; axis++) {
            taut_material m = taut_default_material();
            m.limit.axis[axis][0] = LOW, m.limit.axis[axis][1] = HIGH;
            flock f = open_flock(&subjects[s], SOME, TT_BLOCK, &m, NULL);
            deform_flock(&f, 0.4, 2.5, 1e3);
            for (int set = 0; set < nsets; set++) {
                project_flock(&f, &sets[set], 1, false);
                for (int i = 0; i < f.n; i++) {
                    for (int j = 0; j < subjects[s].dimension; j++)
                        assert_true(j == axis || flock_value(&f, f.start, i, j, NULL) == 0);
                    assert_true(fabs(flock_value(&f, f.p, i, axis, NULL)) < slack() + 1e-7);
                }
            }
            free_flock(&f);
        }
}

/* ---- Extreme numbers --------------------------------------------------------------------------------------------- */

static void degenerate_elements_stay_finite(void **unused)
{
    (void)unused;
    for (int s = 0; s < LENGTH(subjects); s++) {
        flock f = limited_flock(&subjects[s], SOME, TT_BLOCK);
        deform_flock(&f, 0.4, 2.5, 100);
        for (int i = 0; i < f.n; i++) {
            vec3 a = point_of(&f, f.start, i, 0), b = point_of(&f, f.start, i, 1);
            for (int k = 0; k < f.slots; k++) { /* points, lines (some a hair wide), planes */
                vec3 at = i % 4 == 0 ? a : vec_add(a, vec_scale(vec_sub(b, a), uniform(-1, 2)));
                if (i % 4 == 2) at = vec_add(at, random_vector(1e-7 * vec_length(vec_sub(b, a))));
                if (i % 4 == 3) at = vec_add(a, (vec3){uniform(-1, 1), uniform(-1, 1), 0});
                put_vertex(&f, vertex_of(&f, i, k), at);
            }
        }
        for (int set = 0; set < nsets; set++) {
            project_flock(&f, &sets[set], 1, false);
            for (int i = 0; i < f.n && !subjects[s].axes; i++) {
                decomposition before = stretches_of(&f, f.start, i), after = stretches_of(&f, f.p, i);
                if (i % 4 == 0 || before.s[1] > 5e-5 * before.s[0]) continue;
                assert_true(after.s[0] < 2 * fmax(before.s[0], (double)LOW));
                assert_true(after.s[1] < 1e-3); /* the direction of its width is lost */
            }
            for (int i = 0; i < f.n; i++)
                for (int k = 0; k < f.slots; k++) {
                    vec3 step = vec_sub(point_of(&f, f.p, i, k), point_of(&f, f.start, i, k));
                    vec3 rest0 = f.rest[vertex_of(&f, i, 0)], first = point_of(&f, f.start, i, 0);
                    double size = 0;
                    for (int j = 0; j < f.slots; j++) {
                        size = fmax(size, vec_length(vec_sub(f.rest[vertex_of(&f, i, j)], rest0)));
                        size = fmax(size, vec_length(vec_sub(point_of(&f, f.start, i, j), first)));
                    }
                    assert_true(vec_length(step) < 8 * size); /* and so finite */
                    if (i % 4 == 0) assert_true(same_place(&f, i, k));
                }
        }
        free_flock(&f);
    }
}

/* With pins, all sizes down to those whose products leave the range of floats, and blocks filled to any number. */
static void all_instruction_sets_give_the_same_bits(void **unused)
{
    (void)unused;
    for (int s = 0; s < LENGTH(subjects); s++)
        for (int tiny = 0; tiny < 2; tiny++)
            for (int width = 1; width <= TT_BLOCK; width++) {
                flock f = limited_flock(&subjects[s], 5 * width, width);
                deform_flock(&f, 0.8, 1.25, 1e4);
                for (int v = 0; v < f.nvertices; v++) {
                    double shrink = tiny ? log_uniform(1e-38, 1e-6) : 1;
                    put_vertex(&f, v, vec_scale(vector_at(&f.start[4 * v]), shrink));
                    if (uniform(0, 1) < 0.2) f.start[4 * v + 3] = 0;
                }
                for (int jacobi = 0; jacobi < 2; jacobi++) {
                    size_t bytes = 4 * (size_t)f.nvertices * sizeof *f.p;
                    real *p = aligned(bytes), *sum = aligned(bytes);
                    project_flock(&f, &sets[0], 3, jacobi);
                    real excess = f.excess;
                    memcpy(p, f.p, bytes), memcpy(sum, f.sum, bytes);
                    for (int set = 1; set < nsets; set++) {
                        project_flock(&f, &sets[set], 3, jacobi);
                        assert_memory_equal(f.p, p, bytes);
                        assert_memory_equal(f.sum, sum, bytes);
                        assert_true(f.excess == excess);
                    }
                    free(p), free(sum);
                }
                free_flock(&f);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_make_elements_only_where_there_are_limits),
        cmocka_unit_test(values_match_the_decomposition),
        cmocka_unit_test(gradients_match_finite_differences),
        cmocka_unit_test(principal_stretches_come_within_their_limits),
        cmocka_unit_test(steps_are_the_smallest_by_mass),
        cmocka_unit_test(the_centre_of_mass_stays),
        cmocka_unit_test(elements_are_not_turned),
        cmocka_unit_test(fixed_vertices_stay_to_the_bit),
        cmocka_unit_test(elements_with_fixed_vertices_come_nearer),
        cmocka_unit_test(heights_over_fixed_vertices_are_limited),
        cmocka_unit_test(elements_within_keep_their_bits),
        cmocka_unit_test(a_threshold_leaves_small_violations_alone),
        cmocka_unit_test(one_sided_limits_leave_the_other_side_alone),
        cmocka_unit_test(the_largest_violation_is_reported),
        cmocka_unit_test(jacobi_adds_up_what_each_element_would_do),
        cmocka_unit_test(blocks_are_worked_on_in_the_order_asked_for),
        cmocka_unit_test(factors_widen_the_range_of_an_element),
        cmocka_unit_test(axes_are_within_after_some_projections),
        cmocka_unit_test(one_axis_is_solved_at_once),
        cmocka_unit_test(degenerate_elements_stay_finite),
        cmocka_unit_test(all_instruction_sets_give_the_same_bits),
    };
    nsets = instances(sets);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
