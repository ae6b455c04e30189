/* test_limits_bend.c: the hard limit on bending, and the reference against which limits are measured. */
#define _POSIX_C_SOURCE 200112L
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_limits.h"
#include "reference_limits.h"

enum { PATCHES = 64, PATCH = 6, CORNERS = 3, COSINE = 0, SINE = 3, LOW = 6, HIGH = 9 };

static tt_simd sets[MAX_INSTANCES];
static int nsets;

static taut_material bending(float low, float high)
{
    taut_material m = taut_default_material();
    m.limit.bend[0] = low, m.limit.bend[1] = high;
    return m;
}

/* ---- Patches: a triangle and its three neighbours ---------------------------------------------------------------- */

/* Corners 0 1 2, wing 3 over the edge 1 2, and so on; a wing turned down by angle[c] from the plane. */
static void patch_points(const double *angle, double size, vec3 *x)
{
    matrix turn = random_rotation();
    vec3 shift = random_vector(size);
    x[0] = (vec3){0, 0, 0}, x[1] = (vec3){1, uniform(-0.2, 0.2), 0};
    x[2] = (vec3){uniform(0.3, 0.7), uniform(0.7, 1.2), 0};
    for (int c = 0; c < CORNERS; c++) {
        vec3 a = x[(c + 1) % 3], b = x[(c + 2) % 3], e = vec_sub(b, a);
        vec3 out = unit(vec_cross(e, (vec3){0, 0, 1})), foot = vec_add(a, vec_scale(e, uniform(0.3, 0.7)));
        double height = uniform(0.5, 1.2);
        vec3 wing = vec_add(vec_scale(out, cos(angle[c])), (vec3){0, 0, -sin(angle[c])});
        x[3 + c] = vec_add(foot, vec_scale(wing, height));
    }
    for (int v = 0; v < PATCH; v++) x[v] = vec_add(vec_scale(times(&turn, x[v]), size), shift);
}

/* Patches of random rest angles within `rest`. */
static void patch_mesh(taut_mesh *mesh, int patches, double rest)
{
    static const int triangles[4][3] = {{0, 1, 2}, {3, 2, 1}, {4, 0, 2}, {5, 1, 0}};
    *mesh = (taut_mesh){.nvertices = patches * PATCH,
                        .x = malloc(3 * (size_t)(patches * PATCH) * sizeof(float)),
                        .ntris = 4 * patches,
                        .tri = malloc(12 * (size_t)patches * sizeof(int))};
    for (int i = 0; i < patches; i++) {
        vec3 x[PATCH];
        const double angle[3] = {uniform(-rest, rest), uniform(-rest, rest), uniform(-rest, rest)};
        patch_points(angle, log_uniform(0.01, 10), x);
        for (int v = 0; v < PATCH; v++) {
            float *to = &mesh->x[3 * (i * PATCH + v)];
            to[0] = (float)x[v].x, to[1] = (float)x[v].y, to[2] = (float)x[v].z;
        }
        for (int t = 0; t < 4; t++)
            for (int k = 0; k < 3; k++) mesh->tri[3 * (4 * i + t) + k] = i * PATCH + triangles[t][k];
    }
}

/* The elements of the middle triangles, which share no vertices, in blocks of `width`. Their neighbours have no edges
 * left and make no elements. */
static flock patch_flock(int patches, double rest, const taut_material *material, int width, const float *factor)
{
    taut_mesh mesh;
    patch_mesh(&mesh, patches, rest);
    flock f = make_flock("limit_bend", &mesh, material, width, NULL, factor);
    assert_int_equal(f.n, patches);
    free_separate(&mesh);
    return f;
}

/* Moves the wings of every element by up to `by` times the length of their edge, and sets random masses. */
static void fold_flock(flock *f, double by, double ratio)
{
    for (int i = 0; i < f->n; i++) {
        vec3 edge = vec_sub(f->rest[vertex_of(f, i, 1)], f->rest[vertex_of(f, i, 0)]);
        double size = vec_length(edge);
        for (int k = 0; k < f->slots; k++) {
            int v = vertex_of(f, i, k);
            put_vertex(f, v, vec_add(f->rest[v], random_vector(by * size)));
            f->start[4 * v + 3] = (real)log_uniform(1 / sqrt(ratio), sqrt(ratio));
        }
    }
}

static double violation(const flock *f, const real *p, int i)
{
    double worst = 0;
    for (int mode = 0; mode < CORNERS; mode++) worst = fmax(worst, fabs(flock_value(f, p, i, mode, NULL)));
    return worst;
}

static bool same_place(const flock *f, int v) { return memcmp(&f->p[4 * v], &f->start[4 * v], 4 * sizeof *f->p) == 0; }

/* ---- Elements ---------------------------------------------------------------------------------------------------- */

/* How many elements have an edge opposite to a corner with a triangle across it; the edge is a b, or any. */
static int count_edges(const flock *f, int a, int b)
{
    int count = 0;
    for (int i = 0; i < f->n; i++)
        for (int c = 0; c < CORNERS; c++) {
            int start = vertex_of(f, i, (c + 1) % 3), end = vertex_of(f, i, (c + 2) % 3);
            bool wanted = a < 0 || (start == a && end == b) || (start == b && end == a);
            count += wanted && vertex_of(f, i, CORNERS + c) != start;
        }
    return count;
}

static void edges_between_triangles_are_in_one_element_each(void **unused)
{
    (void)unused;
    float x[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    taut_mesh sheet, lone = {.nvertices = 3, .x = x, .ntris = 1, .tri = (int[]){0, 1, 2}};
    assert_true(taut_mesh_sheet(&sheet, 6, 5, 1, 1, NULL));
    const float ranges[][2] = {{-INFINITY, INFINITY}, {-1, INFINITY}, {-INFINITY, 1}, {0, 0}};
    for (int r = 0; r < LENGTH(ranges); r++) {
        taut_material m = bending(ranges[r][0], ranges[r][1]);
        flock f = make_flock("limit_bend", &sheet, &m, TT_BLOCK, NULL, NULL);
        assert_int_equal(count_edges(&f, -1, -1), r == 0 ? 0 : (3 * sheet.ntris - 2 * (5 + 4)) / 2);
        assert_true(f.n < 0.7 * sheet.ntris);
        for (int t = 0; t < sheet.ntris; t++)
            for (int c = 0; c < 3; c++)
                assert_true(count_edges(&f, sheet.tri[3 * t + c], sheet.tri[3 * t + (c + 1) % 3]) <= 1);
        assert_true(f.tuning.active == (r > 0));
        free_flock(&f);
        f = make_flock("limit_bend", &lone, &m, TT_BLOCK, NULL, NULL);
        assert_int_equal(f.n, 0);
        free_flock(&f);
    }
    taut_mesh_free(&sheet);
}

/* The violation of a wing turned by a known angle: the angle of dihedral.c less its rest angle, less (d1 + d2) times
 * the limit. */
static void angles_are_measured_from_rest(void **unused)
{
    (void)unused;
    taut_material m = bending(-0.3f, 0.2f);
    for (int trial = 0; trial < 200; trial++) {
        double by = uniform(-1.5, 1.5), heights;
        float x[12] = {0, 0, 0, 1, 0, 0, 0.4f, 0.8f, 0, 0.5f, -0.7f, 0};
        const int tri[6] = {0, 1, 2, 3, 1, 0};
        taut_mesh mesh = {.nvertices = 4, .x = x, .ntris = 2, .tri = (int *)(uintptr_t)tri};
        flock f = make_flock("limit_bend", &mesh, &m, 1, NULL, NULL);
        assert_int_equal(f.n, 1);
        heights = (double)0.8f + (double)0.7f;
        put_vertex(&f, 3, (vec3){0.5, (double)-0.7f * cos(by), (double)-0.7f * sin(by)});
        /* The wing goes down for by > 0, and the fold is then towards -N: positive (dihedral.c). */
        double limit = by > 0 ? heights * (double)0.2f : -heights * (double)0.3f;
        double want = fabs(by) > fabs(limit) ? by - limit : 0;
        for (int i = 0; i < f.n; i++) {
            double met = 0;
            for (int mode = 0; mode < CORNERS; mode++) {
                double C = flock_value(&f, f.start, i, mode, NULL);
                met = fabs(C) > fabs(met) ? C : met;
            }
            assert_true(fabs(fabs(met) - fabs(want)) < 1e-6);
        }
        free_flock(&f);
    }
}

static void the_sign_is_that_of_the_dihedral_constraint(void **unused)
{
    (void)unused;
    taut_material m = bending(0, 0);
    flock f = patch_flock(PATCHES, 1, &m, TT_BLOCK, NULL);
    const tt_kind *dihedral = tt_oracle()[taut_kind_find("dihedral")];
    tt_tuning tuning = {0};
    fold_flock(&f, 0.2, 1);
    for (int i = 0; i < f.n; i++)
        for (int c = 0; c < CORNERS; c++) {
            const int slot[4] = {c, 3 + c, (c + 1) % 3, (c + 2) % 3};
            const double *rest = &f.field[i * flock_kind(&f)->fields];
            double x[12], data[2] = {atan2(rest[SINE + c], rest[COSINE + c]), 1};
            for (int k = 0; k < 4; k++) memcpy(&x[3 * k], &(vec3[]){point_of(&f, f.start, i, slot[k])}, sizeof(vec3));
            double C = dihedral->value(x, data, &tuning, 0, NULL);
            assert_true(fabs(C - flock_value(&f, f.start, i, c, NULL)) < 1e-9);
            for (int k = 0; k < 4; k++) memcpy(&x[3 * k], &f.rest[vertex_of(&f, i, slot[k])], sizeof(vec3));
            assert_true(fabs(dihedral->value(x, data, &tuning, 0, NULL)) < 1e-6);
        }
    free_flock(&f);
}

static void gradients_match_finite_differences(void **unused)
{
    (void)unused;
    taut_material m = bending(-0.1f, 0.1f);
    flock f = patch_flock(PATCHES, 1, &m, TT_BLOCK, NULL);
    const tt_kind *kind = flock_kind(&f);
    fold_flock(&f, 0.2, 1);
    int outside = 0;
    for (int i = 0; i < f.n; i++)
        for (int mode = 0; mode < CORNERS; mode++) {
            double g[3 * PATCH], x[3 * PATCH], largest = 0;
            double C = flock_value(&f, f.start, i, mode, g);
            if (C != 0 && fabs(C) < 1e-3) continue;
            for (int k = 0; k < PATCH; k++) memcpy(&x[3 * k], &(vec3[]){point_of(&f, f.start, i, k)}, sizeof(vec3));
            double h = 1e-5 * vec_length(vec_sub(f.rest[vertex_of(&f, i, 1)], f.rest[vertex_of(&f, i, 0)]));
            for (int c = 0; c < 3 * PATCH; c++) largest = fmax(largest, fabs(g[c]));
            for (int c = 0; c < 3 * PATCH; c++) {
                double at = x[c];
                x[c] = at + h;
                double above = kind->value(x, &f.field[i * kind->fields], &f.tuning, mode, NULL);
                x[c] = at - h;
                double below = kind->value(x, &f.field[i * kind->fields], &f.tuning, mode, NULL);
                x[c] = at;
                assert_true(fabs((above - below) / (2 * h) - g[c]) <= 1e-6 * largest);
            }
            outside += C != 0;
        }
    assert_true(outside > PATCHES);
    free_flock(&f);
}

/* ---- Projection -------------------------------------------------------------------------------------------------- */

/* Two triangles: after some passes the angle is within its limits, and nothing has drifted. */
static void a_hinge_comes_within_its_limits(void **unused)
{
    (void)unused;
    for (int trial = 0; trial < 100; trial++) {
        taut_material m = bending(-0.2f, 0.3f);
        double rest = uniform(-1, 1), now = uniform(-2.5, 2.5);
        float x[12] = {0, 0, 0, 1, 0, 0, 0.4f, 0.8f, 0, 0.5f, (float)(-0.7 * cos(rest)), (float)(-0.7 * sin(rest))};
        const int tri[6] = {0, 1, 2, 3, 1, 0};
        taut_mesh mesh = {.nvertices = 4, .x = x, .ntris = 2, .tri = (int *)(uintptr_t)tri};
        flock f = make_flock("limit_bend", &mesh, &m, 1, NULL, NULL);
        put_vertex(&f, 3, (vec3){0.5, -0.7 * cos(now), -0.7 * sin(now)});
        for (int v = 0; v < 4; v++) f.start[4 * v + 3] = (real)log_uniform(0.3, 3);
        for (int set = 0; set < nsets; set++) {
            project_flock(&f, &sets[set], 100, false);
            vec3 drift = {0, 0, 0};
            double total = 0;
            for (int v = 0; v < 4; v++) {
                vec3 step = vec_sub(vector_at(&f.p[4 * v]), vector_at(&f.start[4 * v]));
                drift = vec_add(drift, vec_scale(step, 1 / (double)f.start[4 * v + 3]));
                total += 1 / (double)f.start[4 * v + 3];
            }
            for (int i = 0; i < f.n; i++) assert_true(violation(&f, f.p, i) < 1e-4);
            assert_true(vec_length(drift) < 1e-5 * total);
        }
        free_flock(&f);
    }
}

/* Takes one edge after the other. Each gets the smallest step that brings its angle to 0 to first order, after the
 * steps before have changed that angle. */
static void smallest_steps(const flock *f, int i, real *p)
{
    double step[3 * PATCH] = {0};
    for (int c = 0; c < CORNERS; c++) {
        double g[3 * PATCH], sum = 0, by = flock_value(f, f->start, i, c, g);
        for (int k = 0; k < 3 * PATCH; k++) {
            sum += inverse_mass(f, i, k / 3) * g[k] * g[k];
            by += g[k] * step[k];
        }
        by = fmax(-0.5, fmin(by, 0.5));
        for (int k = 0; k < 3 * PATCH && sum > 0; k++) step[k] -= inverse_mass(f, i, k / 3) * g[k] * by / sum;
    }
    for (int k = 0; k < 3 * PATCH; k++) p[4 * vertex_of(f, i, k / 3) + k % 3] += (real)step[k];
}

static void angles_take_the_smallest_step(void **unused)
{
    (void)unused;
    taut_material m = bending(0, 0);
    flock f = patch_flock(PATCHES, 1, &m, 13, NULL);
    size_t bytes = 4 * (size_t)f.nvertices * sizeof *f.p;
    real *want = aligned(bytes);
    fold_flock(&f, 0.05, 100);
    memcpy(want, f.start, bytes);
    for (int i = 0; i < f.n; i++) smallest_steps(&f, i, want);
    for (int set = 0; set < nsets; set++) {
        project_flock(&f, &sets[set], 1, false);
        for (int i = 0; i < f.n; i++) {
            double size = vec_length(vec_sub(point_of(&f, f.start, i, 1), point_of(&f, f.start, i, 0)));
            for (int k = 0; k < PATCH; k++)
                assert_true(vec_length(vec_sub(point_of(&f, want, i, k), point_of(&f, f.p, i, k))) < 1e-4 * size);
        }
    }
    free(want);
    free_flock(&f);
}

static void fixed_corners_stay_to_the_bit(void **unused)
{
    (void)unused;
    taut_material m = bending(-0.01f, 0.01f);
    for (int count = 1; count <= PATCH; count++) {
        flock f = patch_flock(PATCHES, 1, &m, TT_BLOCK, NULL);
        int moved = 0;
        fold_flock(&f, 0.2, 100);
        for (int i = 0; i < f.n; i++)
            for (int c = 0; c < count; c++) f.start[4 * vertex_of(&f, i, (i + c) % PATCH) + 3] = 0;
        for (int set = 0; set < nsets; set++) {
            project_flock(&f, &sets[set], 1, false);
            for (int v = 0; v < f.nvertices; v++) {
                assert_true(f.start[4 * v + 3] > 0 || same_place(&f, v));
                moved += !same_place(&f, v);
            }
        }
        assert_true((moved > 0) == (count < PATCH));
        free_flock(&f);
    }
}

/* ---- Batches, as in test_limits.c -------------------------------------------------------------------------------- */

static void elements_within_keep_their_bits(void **unused)
{
    (void)unused;
    taut_material m = bending(-1e3f, INFINITY);
    flock f = patch_flock(PATCHES, 1, &m, TT_BLOCK, NULL);
    fold_flock(&f, 0.05, 100);
    for (int v = 0; v < f.nvertices; v += 3) f.start[4 * v] = (real)-0.0;
    for (int set = 0; set < nsets; set++) {
        project_flock(&f, &sets[set], 1, false);
        for (int v = 0; v < f.nvertices; v++) assert_true(same_place(&f, v));
        assert_true(f.excess == 0);
    }
    free_flock(&f);
}

static void jacobi_and_the_largest_violation(void **unused)
{
    (void)unused;
    taut_material m = bending(-0.2f, 0.3f);
    for (int width = 1; width <= TT_BLOCK; width += 5) {
        flock f = patch_flock(PATCHES, 1, &m, width, NULL);
        size_t bytes = 4 * (size_t)f.nvertices * sizeof *f.p;
        real *moved = aligned(bytes);
        fold_flock(&f, 0.1, 100);
        double worst = 0;
        for (int i = 0; i < f.n; i++) worst = fmax(worst, violation(&f, f.start, i));
        for (int set = 0; set < nsets; set++) {
            project_flock(&f, &sets[set], 1, false);
            memcpy(moved, f.p, bytes);
            assert_true(fabs((double)f.excess - worst) < 1e-5);
            project_flock(&f, &sets[set], 1, true);
            assert_true(fabs((double)f.excess - worst) < 1e-5);
            assert_memory_equal(f.p, f.start, bytes);
            for (int i = 0; i < f.n; i++)
                for (int k = 0; k < PATCH; k++) {
                    const real *sum = &f.sum[4 * vertex_of(&f, i, k)];
                    vec3 step = vec_sub(vector_at(&moved[4 * vertex_of(&f, i, k)]), point_of(&f, f.start, i, k));
                    double outside = violation(&f, f.start, i), size = vec_length(point_of(&f, f.start, i, k));
                    assert_true(vec_length(vec_sub(step, vector_at(sum))) <= 4 * EPSILON * (size + vec_length(step)));
                    if (outside > 1e-5) assert_true(sum[3] == 1 || (k >= CORNERS && sum[3] == 0));
                    if (outside == 0) assert_true(sum[3] == 0);
                }
        }
        free(moved);
        free_flock(&f);
    }
}

static void factors_widen_the_range_of_an_edge(void **unused)
{
    (void)unused;
    float factor[4 * PATCHES * 6];
    for (int i = 0; i < LENGTH(factor); i++) factor[i] = (float)uniform(1, 3);
    taut_material m = bending(-0.1f, 0.2f);
    uint64_t seed = random_state;
    flock plain = patch_flock(PATCHES, 1, &m, TT_BLOCK, NULL);
    random_state = seed;
    flock wide = patch_flock(PATCHES, 1, &m, TT_BLOCK, factor);
    int fields = flock_kind(&plain)->fields;
    for (int i = 0; i < plain.n; i++)
        for (int c = 0; c < CORNERS; c++)
            for (int side = 0; side < 2; side++) {
                int at = i * fields + (side ? HIGH : LOW) + c;
                double want = plain.field[at] * (double)factor[2 * (12 * i + c) + side]; /* of triangle 4 i */
                assert_true(fabs(wide.field[at] - want) < 1e-6 * want);
            }
    free_flock(&plain), free_flock(&wide);
}

/* Wings and triangles without area, edges without length, everything in one point. */
static void degenerate_elements_stay_finite(void **unused)
{
    (void)unused;
    taut_material m = bending(0, 0);
    flock f = patch_flock(PATCHES, 2, &m, TT_BLOCK, NULL);
    fold_flock(&f, 0.1, 100);
    for (int i = 0; i < f.n; i++)
        for (int k = 0; k < PATCH; k++) {
            int v = vertex_of(&f, i, k);
            vec3 a = point_of(&f, f.start, i, 0), b = point_of(&f, f.start, i, 1);
            if (i % 5 == 0) put_vertex(&f, v, a);
            if (i % 5 == 1) put_vertex(&f, v, vec_add(a, vec_scale(vec_sub(b, a), uniform(-1, 2))));
            if (i % 5 == 2 && k >= CORNERS) put_vertex(&f, v, point_of(&f, f.start, i, k - CORNERS));
            if (i % 5 == 3 && k == 1) put_vertex(&f, v, a);
            if (i % 5 == 4 && k >= CORNERS) put_vertex(&f, v, point_of(&f, f.start, i, (k + 1) % 3));
        }
    for (int set = 0; set < nsets; set++) {
        project_flock(&f, &sets[set], 3, false);
        for (int i = 0; i < 4 * f.nvertices; i++) assert_true(isfinite(f.p[i]));
        for (int i = 0; i < f.n; i += 5)
            for (int k = 0; k < PATCH; k++) assert_true(same_place(&f, vertex_of(&f, i, k)));
        for (int i = 0; i < f.n; i++)
            for (int k = 0; k < PATCH; k++) {
                double size = vec_length(vec_sub(f.rest[vertex_of(&f, i, 1)], f.rest[vertex_of(&f, i, 0)]));
                assert_true(vec_length(vec_sub(point_of(&f, f.p, i, k), point_of(&f, f.start, i, k))) < 20 * size);
            }
    }
    free_flock(&f);
}

static void all_instruction_sets_give_the_same_bits(void **unused)
{
    (void)unused;
    taut_material m = bending(-0.3f, 0.3f);
    for (int tiny = 0; tiny < 2; tiny++)
        for (int width = 1; width <= TT_BLOCK; width++) {
            flock f = patch_flock(3 * width, 1, &m, width, NULL);
            size_t bytes = 4 * (size_t)f.nvertices * sizeof *f.p;
            real *p = aligned(bytes), *sum = aligned(bytes);
            fold_flock(&f, 0.15, 1e4);
            for (int v = 0; v < f.nvertices; v++) {
                double shrink = tiny ? log_uniform(1e-38, 1e-6) : 1;
                put_vertex(&f, v, vec_scale(vector_at(&f.start[4 * v]), shrink));
                if (uniform(0, 1) < 0.2) f.start[4 * v + 3] = 0;
            }
            for (int jacobi = 0; jacobi < 2; jacobi++) {
                project_flock(&f, &sets[0], 3, jacobi);
                real excess = f.excess;
                memcpy(p, f.p, bytes), memcpy(sum, f.sum, bytes);
                for (int set = 1; set < nsets; set++) {
                    project_flock(&f, &sets[set], 3, jacobi);
                    assert_memory_equal(f.p, p, bytes);
                    assert_memory_equal(f.sum, sum, bytes);
                    assert_true(f.excess == excess);
                }
            }
            free(p), free(sum);
            free_flock(&f);
        }
}

/* ---- The reference ----------------------------------------------------------------------------------------------- */

static void project_reference(const flock *f, const taut_limit *limit, ref_float_vec3 *p)
{
    ref_float_vec3 *rest = malloc((size_t)f->nvertices * sizeof *rest);
    float *w = malloc((size_t)f->nvertices * sizeof *w);
    for (int v = 0; v < f->nvertices; v++) {
        rest[v] = (ref_float_vec3){(float)f->rest[v].x, (float)f->rest[v].y, (float)f->rest[v].z};
        p[v] = (ref_float_vec3){(float)f->start[4 * v], (float)f->start[4 * v + 1], (float)f->start[4 * v + 2]};
        w[v] = (float)f->start[4 * v + 3];
    }
    for (int i = 0; i < f->n; i++) {
        const int *vertex = &f->vertex[i * f->slots];
        if (f->slots == 3) {
            ref_limit_tri c;
            assert_true(ref_limit_tri_rest(&c, vertex, rest));
            ref_limit_tri_project(&c, 1, limit->stretch[0], limit->stretch[1], p, w);
        } else if (f->slots == 4) {
            ref_limit_tet c;
            assert_true(ref_limit_tet_rest(&c, vertex, rest));
            ref_limit_tet_project(&c, 1, limit->stretch[0], limit->stretch[1], p, w);
        } else {
            ref_limit_bend c;
            assert_true(ref_limit_bend_rest(&c, vertex, rest));
            ref_limit_bend_project(&c, 1, limit->bend[0], limit->bend[1], p, w);
        }
    }
    free(rest), free(w);
}

static double mean_violation(const flock *f, const real *p)
{
    double sum = 0;
    for (int i = 0; i < f->n; i++) sum += violation(f, p, i) / f->n;
    return sum;
}

/* The reference follows MRSL, which reaches the same end in another way. */
static void expect_both_to_help(flock *f, const ref_float_vec3 *reference)
{
    size_t bytes = 4 * (size_t)f->nvertices * sizeof *f->p;
    real *p = aligned(bytes);
    memcpy(p, f->start, bytes);
    for (int v = 0; v < f->nvertices; v++)
        p[4 * v] = (real)reference[v].x, p[4 * v + 1] = (real)reference[v].y, p[4 * v + 2] = (real)reference[v].z;
    double before = mean_violation(f, f->start);
    assert_true(mean_violation(f, p) < 0.9 * before);
    for (int set = 0; set < nsets; set++) {
        project_flock(f, &sets[set], 1, false);
        assert_true(mean_violation(f, f->p) < 0.5 * before);
    }
    free(p);
}

/* One vertex of every other element is pinned. */
static void the_reference_goes_the_same_way(void **unused)
{
    (void)unused;
    for (int kind = 0; kind < 3; kind++) {
        taut_material m = bending(-0.1f, 0.1f);
        taut_mesh mesh;
        m.limit.stretch[0] = 0.9f, m.limit.stretch[1] = 1.1f;
        if (kind < 2) separate_mesh(&mesh, 2 + kind, PATCHES);
        flock f = kind == 0   ? make_flock("limit_tri", &mesh, &m, TT_BLOCK, NULL, NULL)
                  : kind == 1 ? make_flock("limit_tet", &mesh, &m, TT_BLOCK, NULL, NULL)
                              : patch_flock(PATCHES, 1, &m, TT_BLOCK, NULL);
        if (kind < 2) free_separate(&mesh), deform_flock(&f, 0.7, 1.4, 10);
        else fold_flock(&f, 0.1, 10);
        for (int i = 0; i < f.n; i += 2) f.start[4 * vertex_of(&f, i, i % 3) + 3] = 0;
        ref_float_vec3 *want = malloc((size_t)f.nvertices * sizeof *want);
        project_reference(&f, &m.limit, want);
        expect_both_to_help(&f, want);
        free(want);
        free_flock(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges_between_triangles_are_in_one_element_each),
        cmocka_unit_test(angles_are_measured_from_rest),
        cmocka_unit_test(the_sign_is_that_of_the_dihedral_constraint),
        cmocka_unit_test(gradients_match_finite_differences),
        cmocka_unit_test(a_hinge_comes_within_its_limits),
        cmocka_unit_test(angles_take_the_smallest_step),
        cmocka_unit_test(fixed_corners_stay_to_the_bit),
        cmocka_unit_test(elements_within_keep_their_bits),
        cmocka_unit_test(jacobi_and_the_largest_violation),
        cmocka_unit_test(factors_widen_the_range_of_an_edge),
        cmocka_unit_test(degenerate_elements_stay_finite),
        cmocka_unit_test(all_instruction_sets_give_the_same_bits),
        cmocka_unit_test(the_reference_goes_the_same_way),
    };
    nsets = instances(sets);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
