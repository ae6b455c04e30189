/* test_traps.c: one test for each mistake that was seen in other libraries. */
#define _POSIX_C_SOURCE 200112L
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_crowd.h"

static crowd c, other;
static tt_simd sets[MAX_INSTANCES];
static int nsets;

/* A sheet in the x-y, the y-z and the z-x plane has the same strain constraints. */
static void cloth_axes_do_not_come_from_the_world(void **unused)
{
    (void)unused;
    taut_model *model[3];
    int kind = taut_kind_find("strain_tri");
    for (int turn = 0; turn < 3; turn++) {
        taut_mesh mesh;
        assert_true(taut_mesh_sheet_irregular(&mesh, 9, 7, 1, 1, 0.3f, 3, NULL));
        for (int v = 0; v < mesh.nvertices; v++) {
            float *x = &mesh.x[3 * v], old[3] = {x[0], x[1], x[2]};
            for (int i = 0; i < 3; i++) x[(i + turn) % 3] = old[i];
        }
        model[turn] = taut_model_build(&mesh, NULL, NULL, NULL);
        assert_non_null(model[turn]);
        assert_int_equal(taut_model_constraints(model[turn], kind), mesh.ntris);
        taut_mesh_free(&mesh);
    }
    const tt_group *first = &model[0]->group[kind];
    int numbers = first->nblocks * TT_BLOCK * tt_kind_table()[kind]->fields;
    for (int turn = 1; turn < 3; turn++) {
        const tt_group *turned = &model[turn]->group[kind];
        assert_int_equal(turned->nblocks, first->nblocks);
        for (int i = 0; i < numbers; i++)
            assert_true(fabsf(turned->data[i] - first->data[i]) <=
                        1e-5f * (1 + fabsf(first->data[i])));
    }
    for (int turn = 0; turn < 3; turn++) taut_model_free(model[turn]);
}

static void set_tets(crowd *at, const char *label, double x, double y, double z)
{
    make_crowd(at, variant_named(label), 0, 10);
    for (int i = 0; i < CROWD; i++)
        for (int k = 0; k < 4; k++) {
            vec3 r = at->e[i].rest[k];
            at->e[i].x[k] = (vec3){r.x * x, r.y * y, r.z * z};
        }
}

/* With 1/6 of the gradient, k = 1 would leave 83 % of the error. Newton's method leaves only an error of second
 * order. */
static void volume_is_restored_by_one_projection(void **unused)
{
    (void)unused;
    for (int s = 0; s < nsets; s++) {
        set_tets(&c, "tet span angle", 1.02, 1.02, 1.02);
        only_mode(&c.tuning, TET_VOLUME);
        load_crowd(&c);
        project_crowd(&c, &sets[s]);
        for (int i = 0; i < CROWD; i++) {
            element e = element_after(&c, i);
            double before = value_of(c.variant, &c.e[i], &c.tuning, TET_VOLUME, NULL);
            double after = value_of(c.variant, &e, &c.tuning, TET_VOLUME, NULL);
            assert_true(before > 0.06);
            if (!(fabs(after) < 0.05 * before))
                fail_msg("%s: %g became %g", sets[s].name, before, after);
        }
    }
}

/* A tet whose vertices run the other way round is at rest in its rest shape, and not in its mirror image. */
static void rest_volume_has_the_sign_of_the_tet(void **unused)
{
    (void)unused;
    const variant *a = variant_named("tet span angle");
    tt_tuning tuning = tuning_of(a);
    taut_material material = material_of(a);
    for (int swap = 0; swap < 2; swap++) {
        float x[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
        int tet[4] = {0, swap ? 2 : 1, swap ? 1 : 2, 3};
        taut_mesh mesh = {.nvertices = 4, .ntets = 1, .x = x, .tet = tet};
        element e;
        assert_true(first_element(oracle_of(a), &mesh, &material, &e));
        for (int mode = 0; mode < 7; mode++)
            assert_true(fabs(value_of(a, &e, &tuning, mode, NULL)) < 1e-12);
        for (int k = 0; k < 4; k++) e.x[k].z = -e.x[k].z;
        assert_true(fabs(value_of(a, &e, &tuning, TET_VOLUME, NULL) + 2) < 1e-12);
    }
}

/* Half a step would leave tets inverted for ever. Upright tets keep their own stiffness. */
static void inverted_tets_get_full_strength(void **unused)
{
    (void)unused;
    for (int s = 0; s < nsets; s++)
        for (int physical = 0; physical < 2; physical++)
            for (int inverted = 0; inverted < 2; inverted++) {
                set_tets(&c, "tet span angle", 1, inverted ? -0.9 : 0.9, 0.8);
                only_mode(&c.tuning, TET_VOLUME);
                c.tuning.physical = physical;
                other = c;
                c.tuning.stiffness[TET_VOLUME] = physical ? 1 : 0.1f;
                c.tuning.compliance[TET_VOLUME] = physical ? 1e6f : 0;
                load_crowd(&c);
                load_crowd(&other);
                project_crowd(&c, &sets[s]);
                project_crowd(&other, &sets[s]);
                for (int i = 0; i < CROWD; i++) {
                    element soft = element_after(&c, i), full = element_after(&other, i);
                    double apart = 0, step = 0;
                    for (int k = 0; k < 4; k++) {
                        apart = fmax(apart, vec_length(vec_sub(soft.x[k], full.x[k])));
                        step = fmax(step, vec_length(vec_sub(full.x[k], c.e[i].x[k])));
                    }
                    bool same = apart <= 16 * EPSILON * farthest(&full);
                    if (same != (bool)inverted || step < 0.01 * extent(&c.e[i]))
                        fail_msg("%s physical %d inverted %d: %g apart after a step of %g",
                                 sets[s].name, physical, inverted, apart, step);
                }
            }
}

/* The same element in another unit of length. The scale is a power of two, so it changes no bit of the mantissas. */
static void sized_crowd(crowd *at, const variant *a, double size)
{
    random_state = 5;
    memset(at, 0, sizeof *at);
    at->variant = a;
    at->tuning = tuning_of(a);
    for (int i = 0; i < CROWD; i++) {
        element *e = &at->e[i];
        make_element(a, size, e);
        deform(e, is_tether(a) ? 1.1 : 0.7, 1.4, 0.05, random_vector(size));
        for (int k = 0; k < e->particles; k++) e->w[k] = uniform(0.5, 2);
    }
    load_crowd(at);
}

static void nothing_depends_on_the_unit_of_length(void **unused)
{
    (void)unused;
    const int powers[] = {-14, -8, 7, 10}; /* 0.06 mm, 4 mm, 128 m, 1 km */
    for (int s = 0; s < nsets; s++)
        for (int v = 0; v < LENGTH(variants); v++)
            for (int n = 0; n < LENGTH(powers); n++) {
                sized_crowd(&c, &variants[v], 1);
                sized_crowd(&other, &variants[v], ldexp(1, powers[n]));
                project_crowd(&c, &sets[s]);
                project_crowd(&other, &sets[s]);
                for (int i = 0; i < 4 * CROWD * c.e[0].particles; i++) {
                    real expected = i % 4 == 3 ? c.p[i] : (real)ldexp((double)c.p[i], powers[n]);
                    if (other.p[i] != expected)
                        fail_msg("%s %s at 2^%d m differs", sets[s].name, variants[v].label,
                                 powers[n]);
                }
            }
}

static taut_material with_stiffness(const variant *a, taut_units units, float stiffness)
{
    taut_material m = material_of(a);
    taut_strain *t = &m.strain;
    m.units = units;
    m.edge = m.tether = m.bend.stiffness = stiffness;
    t->xx = t->yy = t->zz = t->xy = t->yz = t->xz = t->area = t->volume = stiffness;
    return m;
}

/* A modulus for which alpha = sum w g^2 halves the step. With ten times that modulus the step is 1/1.1 of the full
 * one. */
static void the_modulus_does_not_cancel(void **unused)
{
    (void)unused;
    const float h = 0.01f;
    for (int v = 0; v < LENGTH(variants); v++)
        for (int mode = 0; mode < oracle_of(&variants[v])->modes; mode++) {
            const variant *a = &variants[v];
            little_mesh little;
            element e, after;
            vec3 g[MAX_SLOTS];
            taut_material unit_modulus = with_stiffness(a, TAUT_PHYSICAL, 1);
            random_state = (uint64_t)(v + 1);
            do { /* until the inequalities are active */
                do set_little_mesh(a, 0.5, &little);
                while (!first_element(oracle_of(a), &little.mesh, &unit_modulus, &e));
                deform(&e, is_tether(a) ? 1.1 : 0.8, 1.2, 0.05, (vec3){0, 0, 0});
                c.tuning = tuning_of(a);
            } while (value_of(a, &e, &c.tuning, mode, g) == 0);
            double modulus =
                e.data[oracle_of(a)->fields - 1] / ((double)(h * h) * weighted_gradient(&e, g));
            for (int stiffer = 0; stiffer < 2; stiffer++) {
                memset(&c, 0, sizeof c);
                c.variant = a;
                for (int i = 0; i < CROWD; i++) c.e[i] = e;
                taut_material m =
                    with_stiffness(a, TAUT_PHYSICAL, (float)(stiffer ? 10 * modulus : modulus));
                tt_tuning_prepare(oracle_of(a), &m, h, 7, &c.tuning);
                for (int i = 0; i < TT_MAX_MODES; i++)
                    if (i != mode) c.tuning.stiffness[i] = 0;
                load_crowd(&c);
                project_crowd(&c, &sets[0]);
                after = element_after(&c, 0);
                double C = value_of(a, &c.e[0], &c.tuning, mode, g),
                       share = stiffer ? 1 / 1.1 : 0.5;
                for (int k = 0; k < e.particles; k++) {
                    vec3 want = vec_scale(g[k], -share * C * e.w[k] / weighted_gradient(&e, g));
                    vec3 step = vec_sub(after.x[k], c.e[0].x[k]);
                    if (!(vec_length(vec_sub(step, want)) <= 1e-5 * extent(&e)))
                        fail_msg("%s mode %d stiffer %d", a->label, mode, stiffer);
                }
            }
        }
}

static void stiffness_zero_is_off(void **unused)
{
    (void)unused;
    taut_mesh sheet, beam;
    assert_true(taut_mesh_sheet(&sheet, 5, 5, 1, 1, NULL) && taut_mesh_pin(&sheet, 0, NULL));
    assert_true(taut_mesh_beam(&beam, 2, 2, 2, 1, 1, 1, NULL) && taut_mesh_pin(&beam, 0, NULL));
    for (int units = TAUT_RATIO; units <= TAUT_PHYSICAL; units++)
        for (int v = 0; v < LENGTH(variants); v++) {
            const variant *a = &variants[v];
            taut_material off = with_stiffness(a, (taut_units)units, 0);
            const taut_mesh *meshes[] = {&sheet, &beam};
            for (int m = 0; m < 2; m++) {
                taut_model *model = taut_model_build(meshes[m], &off, NULL, NULL);
                assert_non_null(model);
                for (int kind = 0; kind < TT_KINDS; kind++)
                    if (tt_kind_table()[kind]->project)
                        assert_int_equal(taut_model_constraints(model, kind), 0);
                taut_model_free(model);
            }
            make_crowd(&c, a, 0.5, 10);
            tt_tuning_prepare(oracle_of(a), &off, 0.01f, 10, &c.tuning);
            assert_false(c.tuning.active);
            if (units == TAUT_PHYSICAL && oracle_of(a)->modes == 1)
                continue; /* a mode that is not active does not run */
            load_crowd(&c);
            other = c;
            for (int s = 0; s < nsets; s++) project_crowd(&c, &sets[s]);
            assert_memory_equal(other.p, c.p, sizeof c.p);
        }
    taut_mesh_free(&sheet);
    taut_mesh_free(&beam);
}

/* If one stiffness is on, only its mode acts, and that mode measures the direction after which it is named. */
static void every_stiffness_has_its_own_direction(void **unused)
{
    (void)unused;
    const size_t tri_field[] = {offsetof(taut_strain, xx), offsetof(taut_strain, yy),
                                offsetof(taut_strain, xy), offsetof(taut_strain, area)};
    const size_t tet_field[] = {offsetof(taut_strain, xx),    offsetof(taut_strain, yy),
                                offsetof(taut_strain, zz),    offsetof(taut_strain, xy),
                                offsetof(taut_strain, yz),    offsetof(taut_strain, xz),
                                offsetof(taut_strain, volume)};
    /* Rest shapes along the axes; column j of each matrix is where material axis j goes. */
    const matrix moves[] = {
        {{{1.1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},   {{{1, 0, 0}, {0, 1.1, 0}, {0, 0, 1}}},
        {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1.1}}},   {{{1, 0, 0}, {0.6, 0.8, 0}, {0, 0, 1}}},
        {{{1, 0, 0}, {0, 1, 0}, {0, 0.6, 0.8}}}, {{{1, 0, 0}, {0, 1, 0}, {0.6, 0, 0.8}}}};
    for (int dimension = 2; dimension <= 3; dimension++) {
        const variant *a = variant_named(dimension == 2 ? "tri span angle" : "tet span angle");
        int modes = oracle_of(a)->modes;
        float x[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}, warp[3] = {1, 0, 0};
        int vertices[4] = {0, 1, 2, 3};
        taut_mesh mesh = {.nvertices = dimension + 1,
                          .x = x,
                          .tri = vertices,
                          .tet = vertices,
                          .direction = warp};
        if (dimension == 2) mesh.ntris = 1;
        else mesh.ntets = 1;
        for (int mode = 0; mode < modes; mode++) {
            taut_material m = with_stiffness(a, TAUT_RATIO, 0);
            size_t at = dimension == 2 ? tri_field[mode] : tet_field[mode];
            *(float *)((char *)&m.strain + at) = 0.5f;
            tt_tuning tuning;
            tt_tuning_prepare(oracle_of(a), &m, 1, 1, &tuning);
            for (int i = 0; i < modes; i++)
                assert_true(tuning.stiffness[i] == (i == mode ? 0.5f : 0));
            element e;
            assert_true(first_element(oracle_of(a), &mesh, &m, &e));
            for (int move = 0; mode < modes - 1 && move < LENGTH(moves); move++) {
                int tri_mode = move == 0 ? TRI_XX : move == 1 ? TRI_YY : move == 3 ? TRI_XY : -1;
                for (int k = 0; k <= dimension; k++) e.x[k] = times(&moves[move], e.rest[k]);
                bool answers = fabs(value_of(a, &e, &tuning, mode, NULL)) > 0.05;
                assert_int_equal(answers, mode == (dimension == 2 ? tri_mode : move));
            }
        }
    }
}

/* Collapses elements: points on each other, points on a line, an edge without length, a tip on the base. */
static void collapse_crowd(void)
{
    for (int i = 0; i < CROWD; i++) {
        element *e = &c.e[i];
        vec3 d = vec_sub(e->x[1], e->x[0]);
        for (int k = 1; k < e->slots; k++) {
            if (i % 4 == 0) e->x[k] = e->x[0];
            if (i % 4 == 1) e->x[k] = vec_add(e->x[0], vec_scale(d, k));
            if (i % 4 == 2 && k == 1 + i / 4 % 3) e->x[k] = e->x[k - 1];
            if (i % 4 == 3 && k == e->slots - 1) e->x[k] = vec_add(e->x[0], vec_scale(d, 0.5));
        }
        for (int k = 0; k < e->particles; k++) c.v[i][k] = random_vector(1);
    }
}

static void degenerate_elements_give_no_nan(void **unused)
{
    (void)unused;
    for (int s = 0; s < nsets; s++)
        for (int v = 0; v < LENGTH(variants); v++)
            for (int physical = 0; physical < 2; physical++) {
                const variant *a = &variants[v];
                make_crowd(&c, a, 0.5, 10);
                c.tuning.physical = physical;
                for (int mode = 0; mode < TT_MAX_MODES; mode++) c.tuning.damping[mode] = 1;
                collapse_crowd();
                load_crowd(&c);
                if (oracle_of(a)->damp) damp_crowd(&c, &sets[s]);
                project_crowd(&c, &sets[s]);
                for (int i = 0; i < 4 * CROWD * c.e[0].particles; i++)
                    if (!isfinite(c.p[i]) || !isfinite(c.velocity[i]))
                        fail_msg("%s %s physical %d: not finite", sets[s].name, a->label, physical);
            }
}

/* A collapsed element has no direction to go, so it must not go far. strain.h keeps sines above a thousandth, which
 * allows a thousand sizes. The cosine form of shear may go farther, because its gradient vanishes as the axes fall in
 * line while C stays 1. */
static void collapsed_elements_do_not_fly_away(void **unused)
{
    (void)unused;
    for (int s = 0; s < nsets; s++)
        for (int v = 0; v < LENGTH(variants); v++)
            for (int mode = -1; mode < oracle_of(&variants[v])->modes; mode++) {
                const variant *a = &variants[v];
                if (a->shear_form == TAUT_SHEAR_COSINE) continue;
                random_state = 9;
                make_crowd(&c, a, 0.5, 10);
                if (mode >= 0) only_mode(&c.tuning, mode); /* else all of them */
                collapse_crowd();
                load_crowd(&c);
                for (int n = 0; n < 10; n++) project_crowd(&c, &sets[s]);
                for (int i = 0; i < CROWD; i++) {
                    element e = element_after(&c, i), rest = e;
                    memcpy(rest.x, rest.rest, sizeof rest.x);
                    for (int k = 0; k < e.particles; k++) {
                        double step = vec_length(vec_sub(e.x[k], c.e[i].x[k])) / extent(&rest);
                        if (!(step < 1000))
                            fail_msg("%s %s mode %d: collapsed (%d), moved by %g sizes",
                                     sets[s].name, a->label, mode, i % 4, step);
                    }
                }
            }
}

/* Without its multiplier a compliant edge gets stiffer with every iteration. */
static void iterations_do_not_stiffen(void **unused)
{
    (void)unused;
    const variant *a = variant_named("distance");
    for (int s = 0; s < nsets; s++) {
        make_crowd(&c, a, 0.3, 10);
        c.tuning.physical = true;
        c.tuning.compliance[0] = 2;
        load_crowd(&c);
        project_crowd(&c, &sets[s]);
        other = c;
        for (int n = 0; n < 100; n++) project_crowd(&c, &sets[s]);
        for (int i = 0; i < CROWD; i++) {
            element once = element_after(&other, i), often = element_after(&c, i);
            double C = value_of(a, &often, &c.tuning, 0, NULL);
            assert_true(fabs(C - value_of(a, &once, &c.tuning, 0, NULL)) <=
                        64 * EPSILON * farthest(&often));
            assert_true(fabs(C) > 0.05 * fabs(value_of(a, &c.e[i], &c.tuning, 0, NULL)));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cloth_axes_do_not_come_from_the_world),
        cmocka_unit_test(volume_is_restored_by_one_projection),
        cmocka_unit_test(rest_volume_has_the_sign_of_the_tet),
        cmocka_unit_test(inverted_tets_get_full_strength),
        cmocka_unit_test(nothing_depends_on_the_unit_of_length),
        cmocka_unit_test(the_modulus_does_not_cancel),
        cmocka_unit_test(stiffness_zero_is_off),
        cmocka_unit_test(every_stiffness_has_its_own_direction),
        cmocka_unit_test(degenerate_elements_give_no_nan),
        cmocka_unit_test(collapsed_elements_do_not_fly_away),
        cmocka_unit_test(iterations_do_not_stiffen),
    };
    nsets = instances(sets);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
