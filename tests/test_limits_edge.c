/* Limits on the length of edges: one projection of many edges that share no vertices. */
#define _POSIX_C_SOURCE 200112L
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_limits.h"

enum { EDGES = 10000 };

static tt_simd set;

static const float LOW = 0.9f, HIGH = 1.05f;

/* Lines of random lengths. */
static flock edges(const float limit[2])
{
    static float x[6 * EDGES];
    static int line[2 * EDGES];
    for (int i = 0; i < 6 * EDGES; i++) x[i] = (float)uniform(-1, 1);
    for (int i = 0; i < 2 * EDGES; i++) line[i] = i;
    const taut_mesh mesh = {.nvertices = 2 * EDGES, .nlines = EDGES, .x = x, .line = line};
    taut_material m = taut_default_material();
    memcpy(m.limit.edge, limit, sizeof m.limit.edge);
    flock f = make_flock("limit_edge", &mesh, &m, TT_BLOCK, NULL, NULL);
    assert_int_equal(f.n, EDGES);
    return f;
}

static vec3 place(const real *p, int v) { return (vec3){(double)p[4 * v], (double)p[4 * v + 1], (double)p[4 * v + 2]}; }

static double stretch_of(const flock *f, const real *p, int i)
{
    const int *v = &f->vertex[2 * i];
    return vec_length(vec_sub(place(p, v[1]), place(p, v[0]))) /
           vec_length(vec_sub(f->rest[v[1]], f->rest[v[0]]));
}

/* Puts the ends of the edges at random places, with any length and mass. */
static void scatter_ends(flock *f)
{
    for (int v = 0; v < f->nvertices; v++) {
        for (int c = 0; c < 3; c++) f->start[4 * v + c] = (real)uniform(-1, 1);
        f->start[4 * v + 3] = (real)uniform(0.1, 10);
    }
}

static void lengths_are_within_after_one_projection(void **unused)
{
    (void)unused;
    flock f = edges((const float[2]){LOW, HIGH});
    scatter_ends(&f);
    project_flock(&f, &set, 1, false);
    int moved = 0;
    for (int i = 0; i < f.n; i++) {
        double before = stretch_of(&f, f.start, i), after = stretch_of(&f, f.p, i);
        bool within = before >= (double)LOW && before <= (double)HIGH;
        if (within) assert_memory_equal(&f.p[8 * i], &f.start[8 * i], 8 * sizeof *f.p);
        moved += !within;
        if (!(after > (double)LOW - 1e-5 && after < (double)HIGH + 1e-5))
            fail_msg("edge %d: %g -> %g", i, before, after);
    }
    assert_true(moved > EDGES / 2);
    free_flock(&f);
}

static void momentum_is_kept(void **unused)
{
    (void)unused;
    flock f = edges((const float[2]){LOW, HIGH});
    scatter_ends(&f);
    project_flock(&f, &set, 1, false);
    for (int i = 0; i < f.n; i++) {
        vec3 linear = {0, 0, 0}, angular = {0, 0, 0};
        for (int k = 0; k < 2; k++) {
            int v = f.vertex[2 * i + k];
            vec3 step = vec_scale(vec_sub(place(f.p, v), place(f.start, v)), 1 / (double)f.start[4 * v + 3]);
            linear = vec_add(linear, step);
            angular = vec_add(angular, vec_cross(place(f.start, v), step));
        }
        if (!(vec_length(linear) < 1e-5 && vec_length(angular) < 1e-5)) fail_msg("edge %d", i);
    }
    free_flock(&f);
}

static void fixed_ends_stay(void **unused)
{
    (void)unused;
    flock f = edges((const float[2]){0, 1});
    scatter_ends(&f);
    for (int i = 0; i < f.n; i++) {
        f.start[8 * i + 3] = 0;
        if (i % 2) f.start[8 * i + 7] = 0;
    }
    project_flock(&f, &set, 1, false);
    for (int i = 0; i < f.n; i++) {
        assert_memory_equal(&f.p[8 * i], &f.start[8 * i], 4 * sizeof *f.p);
        if (i % 2) assert_memory_equal(&f.p[8 * i], &f.start[8 * i], 8 * sizeof *f.p);
        else assert_true(stretch_of(&f, f.p, i) < 1 + 1e-5);
    }
    free_flock(&f);
}

static bool stands(const flock *f) { return !memcmp(f->p, f->start, 4 * (size_t)f->nvertices * sizeof *f->p); }

static void blocks_within_sit_out_a_few_passes(void **unused)
{
    (void)unused;
    flock f = edges((const float[2]){LOW, HIGH});
    tt_batch batch = flock_batch(&f, false);
    batch.idle = aligned((size_t)f.nblocks);
    for (int whole = 0; whole < 2; whole++) {
        int passes = 0;
        for (int v = 0; v < f.nvertices; v++) {
            f.start[4 * v] = (real)f.rest[v].x, f.start[4 * v + 1] = (real)f.rest[v].y;
            f.start[4 * v + 2] = (real)f.rest[v].z, f.start[4 * v + 3] = 1;
        }
        memcpy(f.p, f.start, 4 * (size_t)f.nvertices * sizeof *f.p);
        batch.whole = true;
        set.kinds[f.kind]->project(&batch);
        assert_true(stands(&f));
        for (int v = 0; v < f.nvertices; v++)
            for (int c = 0; c < 3; c++) f.start[4 * v + c] *= 2;
        memcpy(f.p, f.start, 4 * (size_t)f.nvertices * sizeof *f.p);
        batch.whole = whole;
        for (; stands(&f) && passes < 100; passes++) set.kinds[f.kind]->project(&batch);
        assert_int_equal(passes, whole ? 1 : 4);
    }
    free(batch.idle);
    free_flock(&f);
}

int main(void)
{
    set = tt_simd_choose();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lengths_are_within_after_one_projection),
        cmocka_unit_test(momentum_is_kept),
        cmocka_unit_test(fixed_ends_stay),
        cmocka_unit_test(blocks_within_sit_out_a_few_passes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
