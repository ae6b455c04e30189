/* The measures of `taut bench drape`: sheets whose numbers are known. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "disc.h"
#include "drape_measures.h"
#include "helpers_world.h"
#include "outline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 11, VERTICES = SIDE * SIDE };

typedef struct sheet {
    taut_mesh mesh;
    drape_gauge gauge;
    float x[3 * VERTICES];
} sheet;

static void open_sheet(sheet *s)
{
    const taut_material cloth = taut_default_material();
    assert_true(taut_mesh_sheet(&s->mesh, SIDE, SIDE, 1, 1, NULL));
    assert_true(taut_mesh_pin(&s->mesh, 0, NULL) && taut_mesh_pin(&s->mesh, SIDE - 1, NULL));
    assert_true(drape_gauge_open(&s->gauge, &s->mesh, &cloth, NULL));
    memcpy(s->x, s->mesh.x, sizeof s->x);
}

static void close_sheet(sheet *s)
{
    drape_gauge_close(&s->gauge);
    taut_mesh_free(&s->mesh);
}

/* A sheet is rolled up around an axis along y: each column of edges is folded by the same angle, diagonals by hardly
 * less. */
static void crease_of_a_roll(void **state)
{
    (void)state;
    sheet s;
    open_sheet(&s);
    expect_near(drape_crease(&s.gauge, s.x), 0, 1e-6);
    const double angle = 0.2;
    for (int v = 0; v < VERTICES; v++) {
        double turn = angle * (v % SIDE), radius = 0.5;
        s.x[3 * v] = (float)(radius * cos(turn)), s.x[3 * v + 2] = (float)(radius * sin(turn));
    }
    expect_near(drape_crease(&s.gauge, s.x), angle, 1e-4);
    close_sheet(&s);
}

/* A sheet is turned about the line of its pins by 3 degrees; a shift along that line does not count. */
static void plumb_is_the_angle_about_the_pins(void **state)
{
    (void)state;
    sheet s;
    open_sheet(&s);
    expect_near(drape_plumb(&s.gauge, s.x), 0, 1e-7);
    const double turn = 3 * 3.14159265358979 / 180;
    for (int v = 0; v < VERTICES; v++) {
        double down = (double)s.x[3 * v + 1];
        s.x[3 * v + 1] = (float)(down * cos(turn)), s.x[3 * v + 2] = (float)(down * sin(turn));
        if (!s.gauge.pinned[v]) s.x[3 * v] += 0.1f;
    }
    expect_near(drape_plumb(&s.gauge, s.x), turn, 1e-6);
    close_sheet(&s);
}

/* ---- Round sheets ---- */

typedef struct round_sheet {
    taut_mesh mesh;
    drape_gauge gauge;
} round_sheet;

static void open_round(round_sheet *s, int rings, double jitter)
{
    const taut_material cloth = taut_default_material();
    const disc_shape shape = {.rings = rings, .inner = rings / 2, .radius = 0.15, .inner_radius = 0.09};
    assert_true(disc_make(&s->mesh, &shape, jitter, NULL));
    assert_true(drape_gauge_open(&s->gauge, &s->mesh, &cloth, NULL));
}

static void close_round(round_sheet *s)
{
    drape_gauge_close(&s->gauge);
    taut_mesh_free(&s->mesh);
}

static void a_disc_is_sound(void **state)
{
    (void)state;
    for (int irregular = 0; irregular < 2; irregular++) {
        round_sheet s;
        taut_mesh_report report;
        open_round(&s, 10, irregular ? 0.3 : 0);
        assert_true(taut_mesh_inspect(&s.mesh, &report, NULL));
        assert_int_equal(s.mesh.nvertices, disc_ring(11));
        assert_int_equal(report.boundary_edges, 60);
        assert_int_equal(report.nonmanifold_edges + report.inconsistent_edges + report.degenerate_tris, 0);
        expect_near((double)report.area, 30 * 0.15 * 0.15 * sin(6.283185307179586 / 60), 1e-6);
        for (int t = 0; t < s.mesh.ntris; t++) /* UVs are the rest shape */
            for (int k = 0; k < 3; k++) {
                const float *p = &s.mesh.x[3 * s.mesh.tri[3 * t + k]], *uv = &s.mesh.uv[6 * t + 2 * k];
                assert_true(uv[0] == p[0] && uv[1] == p[2]);
            }
        for (int v = disc_ring(5); v < disc_ring(6); v++)
            expect_near(hypot((double)s.mesh.x[3 * v], (double)s.mesh.x[3 * v + 2]), 0.09, 1e-7);
        for (int t = 0; t < s.mesh.ntris; t++) { /* all face up, so none is turned over by the jitter */
            const float *a = &s.mesh.x[3 * s.mesh.tri[3 * t]], *b = &s.mesh.x[3 * s.mesh.tri[3 * t + 1]];
            const float *c = &s.mesh.x[3 * s.mesh.tri[3 * t + 2]];
            assert_true((b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2]) > 0);
        }
        close_round(&s);
    }
}

/* The shadow of a flat sheet is the whole sheet. Parts that hang straight down, or are tucked in below, add nothing. */
static void shadow_of_a_round_sheet(void **state)
{
    (void)state;
    round_sheet s;
    open_round(&s, 30, 0.3);
    const double full = 3.14159265358979 * 0.15 * 0.15;
    expect_near(drape_shadow(&s.gauge, s.mesh.x), full, 1e-3 * full);
    for (int tucked = 0; tucked < 2; tucked++) {
        for (int v = disc_ring(16); v < s.mesh.nvertices; v++) {
            float *p = &s.mesh.x[3 * v];
            double out = hypot((double)p[0], (double)p[2]), shrink = (tucked ? 0.07 : 0.09) / out;
            p[0] = (float)(p[0] * shrink), p[1] = -0.01f, p[2] = (float)(p[2] * shrink);
        }
        expect_near(drape_shadow(&s.gauge, s.mesh.x), 0.36 * full, 1e-3 * full);
    }
    close_round(&s);
}

/* ---- Folds ---- */

static void folds_of_an_outline(void **state)
{
    (void)state;
    double radius[360];
    for (int folds = 1; folds < 12; folds++)
        for (int start = 0; start < 360; start += 77) { /* wherever it begins */
            for (int i = 0; i < 360; i++)
                radius[i] = 0.1 + 0.01 * cos(6.283185307179586 * (folds * (i + start)) / 360) + 1e-4 * (i * 7 % 11);
            assert_int_equal(outline_folds(radius, 360, 0.003, true), folds);
        }
    assert_int_equal(outline_folds(radius, 360, 0.03, true), 0); /* none is that high */
    for (int i = 0; i < 360; i++) radius[i] = 0.1;
    assert_int_equal(outline_folds(radius, 360, 0.003, true), 0);
}

static void folds_of_a_hem(void **state)
{
    (void)state;
    double z[100];
    for (int i = 0; i < 100; i++) z[i] = i;
    assert_int_equal(outline_folds(z, 100, 1, false), 0); /* it only slants */
    for (int i = 0; i < 100; i++) z[i] = sin(3.14159265358979 * i / 99);
    assert_int_equal(outline_folds(z, 100, 0.1, false), 1);
    for (int i = 0; i < 100; i++) z[i] = -sin(3 * 3.14159265358979 * i / 99) + 0.01 * (i % 2);
    assert_int_equal(outline_folds(z, 100, 0.1, false), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crease_of_a_roll),    cmocka_unit_test(plumb_is_the_angle_about_the_pins),
        cmocka_unit_test(a_disc_is_sound),     cmocka_unit_test(shadow_of_a_round_sheet),
        cmocka_unit_test(folds_of_an_outline), cmocka_unit_test(folds_of_a_hem),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
