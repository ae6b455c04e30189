/* Measures of deformation, compared with closed forms and with the model's own constraints. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/exact.h"
#include "helpers.h"
#include "taut_io.h"

#include <stdlib.h>

/* Coordinates below 2 are rounded by at most 6e-8, edges are above 1/20 and a ratio or angle has a few such ends. */
static const double ROUNDING = 1e-5;

static float *moved(const taut_mesh *mesh, vec3 (*map)(vec3 p, const void *how), const void *how)
{
    float *xyz = malloc(3 * sizeof *xyz * (size_t)mesh->nvertices);
    assert_non_null(xyz);
    for (int v = 0; v < mesh->nvertices; v++) {
        vec3 p = map(vec_of(mesh->x + 3 * v), how);
        xyz[3 * v] = (float)p.x, xyz[3 * v + 1] = (float)p.y, xyz[3 * v + 2] = (float)p.z;
    }
    return xyz;
}

static float *measured(const taut_mesh *rest, const float *axis, const float *xyz, taut_measure which)
{
    taut_error error;
    taut_measurer *m = taut_measurer_build(rest, axis, &error);
    assert_non_null(m);
    int cells = taut_measurer_cells(m);
    assert_int_equal(cells, rest->ntris ? rest->ntris : rest->ntets);
    float *value = malloc(sizeof *value * (size_t)(cells ? cells : 1));
    assert_non_null(value);
    taut_measurer_apply(m, xyz, which, value);
    taut_measurer_free(m);
    return value;
}

static void assert_all(const taut_mesh *rest, const float *xyz, taut_measure which, double expected)
{
    float *value = measured(rest, NULL, xyz, which);
    int cells = rest->ntris ? rest->ntris : rest->ntets;
    for (int c = 0; c < cells; c++) assert_true(fabs((double)value[c] - expected) < ROUNDING);
    free(value);
}

static vec3 linear(vec3 p, const void *how) { return times(how, p); }

static void names(void **state)
{
    (void)state;
    for (int i = 0; i < TAUT_MEASURES; i++)
        assert_int_equal(taut_measure_find(taut_measure_name((taut_measure)i)), i);
    assert_string_equal(taut_measure_name(TAUT_STRETCH_X), "stretch_x");
    assert_int_equal(taut_measure_find("stretch"), -1);
    assert_null(taut_measure_name(TAUT_MEASURES));
}

/* A sheet is stretched, sheared and turned. With axes f1 and f2 at angle a, the shear is a - 90 degrees. */
static void sheet_stretched_and_sheared(void **state)
{
    (void)state;
    taut_mesh sheet;
    assert_true(taut_mesh_sheet_irregular(&sheet, 9, 7, 1, 1, 0.3f, 5, NULL));
    const double angle[] = {TT_PI / 2, 1.2, 2.5, 0.3};
    for (int i = 0; i < LENGTH(angle); i++) {
        matrix turn = random_rotation();
        matrix f = {{times(&turn, (vec3){1.25, 0, 0}),
                     times(&turn, (vec3){0.8 * tt_cos(angle[i]), 0.8 * tt_sin(angle[i]), 0}), {0, 0, 0}}};
        float *xyz = moved(&sheet, linear, &f);
        assert_all(&sheet, xyz, TAUT_STRETCH_X, 0.25);
        assert_all(&sheet, xyz, TAUT_STRETCH_Y, -0.2);
        assert_all(&sheet, xyz, TAUT_SHEAR, angle[i] - TT_PI / 2);
        assert_all(&sheet, xyz, TAUT_BEND, 0);
        for (int k = 1; k < 6 * sheet.ntris; k += 2) sheet.uv[k] = -sheet.uv[k]; /* the weft runs the other way */
        assert_all(&sheet, xyz, TAUT_SHEAR, TT_PI / 2 - angle[i]);
        for (int k = 1; k < 6 * sheet.ntris; k += 2) sheet.uv[k] = -sheet.uv[k];
        free(xyz);
    }
    taut_mesh_free(&sheet);
}

/* F = R1 diag(s) R2^T: the principal strain is that of the s farthest from 1, with its sign. */
static void assert_principal(const taut_mesh *mesh, vec3 s, double expected)
{
    matrix left = random_rotation(), right = random_rotation();
    if (mesh->ntris) right = (matrix){{{0.6, 0.8, 0}, {-0.8, 0.6, 0}, {0, 0, 1}}}; /* in the sheet's plane */
    vec3 unit_axis[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    matrix f;
    for (int j = 0; j < 3; j++) {
        vec3 r = {vec_dot(right.column[0], unit_axis[j]), vec_dot(right.column[1], unit_axis[j]),
                  vec_dot(right.column[2], unit_axis[j])};
        f.column[j] = times(&left, (vec3){s.x * r.x, s.y * r.y, s.z * r.z});
    }
    float *xyz = moved(mesh, linear, &f);
    assert_all(mesh, xyz, TAUT_PRINCIPAL, expected);
    free(xyz);
}

static void principal_strain(void **state)
{
    (void)state;
    taut_mesh sheet, beam;
    assert_true(taut_mesh_sheet(&sheet, 9, 7, 1, 1, NULL));
    assert_true(taut_mesh_beam(&beam, 4, 2, 2, 1, 0.5f, 0.5f, NULL));
    assert_principal(&sheet, (vec3){1.1, 0.95, 1}, 0.1);
    assert_principal(&sheet, (vec3){1.1, 0.8, 1}, -0.2);
    assert_principal(&sheet, (vec3){1, 0.2, 1}, -0.8);
    assert_principal(&beam, (vec3){1.1, 0.95, 1.02}, 0.1);
    assert_principal(&beam, (vec3){1.1, 1.05, 0.7}, -0.3);
    assert_principal(&beam, (vec3){1, 1, 1}, 0);
    assert_principal(&beam, (vec3){1.1, 0.5, -0.25}, -1.25); /* turned inside out */
    taut_mesh_free(&sheet);
    taut_mesh_free(&beam);
}

typedef struct roll {
    double radius, width;
} roll;

/* Lays the columns of a sheet on a cylinder about y. */
static vec3 on_cylinder(vec3 p, const void *how)
{
    const roll *r = how;
    double angle = p.x / r->radius;
    return (vec3){r->radius * tt_sin(angle), p.y, r->radius * (1 - tt_cos(angle))};
}

/* Each column of quads is flat and turned against the next column by w/R; its width is a chord. */
static void sheet_on_a_cylinder(void **state)
{
    (void)state;
    taut_mesh sheet;
    const roll r = {0.4, 1.0 / 16};
    double step = r.width / r.radius;
    assert_true(taut_mesh_sheet(&sheet, 17, 9, 1, 0.5f, NULL));
    float *xyz = moved(&sheet, on_cylinder, &r), *bend = measured(&sheet, NULL, xyz, TAUT_BEND);
    assert_all(&sheet, xyz, TAUT_STRETCH_X, 2 * tt_sin(step / 2) / step - 1);
    assert_all(&sheet, xyz, TAUT_STRETCH_Y, 0);
    assert_all(&sheet, xyz, TAUT_SHEAR, 0);
    int flat = 0;
    for (int c = 0; c < sheet.ntris; c++) {
        int at_left = 0, at_right = 0; /* corners on the sheet's free edges along y, over which nothing bends */
        for (int k = 0; k < 3; k++) {
            at_left += sheet.tri[3 * c + k] % 17 == 0;
            at_right += sheet.tri[3 * c + k] % 17 == 16;
        }
        bool free_edge = at_left == 2 || at_right == 2;
        flat += free_edge;
        assert_true(fabs((double)bend[c] - (free_edge ? 0 : step)) < ROUNDING);
    }
    assert_int_equal(flat, 16);
    float *unrolled = measured(&sheet, NULL, sheet.x, TAUT_BEND);
    memcpy(sheet.x, xyz, 3 * sizeof *xyz * (size_t)sheet.nvertices); /* the rest shape is bent too */
    assert_all(&sheet, xyz, TAUT_BEND, 0);
    for (int c = 0; c < sheet.ntris; c++) assert_true(unrolled[c] == 0);
    free(unrolled);
    free(bend);
    free(xyz);
    taut_mesh_free(&sheet);
}

/* A sheet is folded flat against its rest angle. The change is measured the short way round, at most 180 degrees. */
static void bend_wraps(void **state)
{
    (void)state;
    float rest[] = {0, 0, 0, 0, 1, 0, -1, 0, 0, 0.8f, 0, 0.6f}, now[12];
    int tri[] = {0, 1, 2, 1, 0, 3};
    taut_mesh mesh = {.nvertices = 4, .ntris = 2, .x = rest, .tri = tri};
    double rest_angle = tt_atan2(0.6, 0.8), angle = TT_PI - 0.1;
    memcpy(now, rest, sizeof now);
    now[9] = (float)tt_cos(angle), now[11] = (float)-tt_sin(angle);
    assert_all(&mesh, now, TAUT_BEND, 2 * TT_PI - angle - rest_angle);
}

static vec3 shake(vec3 p, const void *how)
{
    return vec_add(times(how, p), random_vector(0.01));
}

/* Compares with the largest |C| of the model's constraint when it is the only one: frames and definition are the
 * same. */
static void assert_as_model(const taut_mesh *mesh, const float axis[3], taut_measure which, double sign)
{
    matrix f = random_rotation();
    f.column[0] = vec_scale(f.column[0], 1.2);
    f.column[1] = vec_add(f.column[1], vec_scale(f.column[2], 0.3));
    float *xyz = moved(mesh, shake, &f), *value = measured(mesh, axis, xyz, which);
    taut_material material = taut_default_material();
    material.edge = material.tether = 0;
    material.bend.model = TAUT_BEND_NONE;
    material.strain = (taut_strain){.rest = {1, 1, 1}};
    *(which == TAUT_STRETCH_X ? &material.strain.xx : which == TAUT_STRETCH_Y ? &material.strain.yy
                                                                              : &material.strain.xy) = 1;
    taut_model_options options = taut_default_model_options();
    memcpy(options.axis, axis, sizeof options.axis);
    taut_model *model = taut_model_build(mesh, &material, &options, NULL);
    taut_world *world = taut_world_create(NULL, NULL);
    int body = taut_world_add_body(world, model, NULL, NULL);
    assert_true(body >= 0 && taut_body_set_positions(world, body, xyz, NULL));
    taut_residual wanted = taut_world_residual(world, taut_kind_find(mesh->ntris ? "strain_tri" : "strain_tet"));
    int cells = mesh->ntris ? mesh->ntris : mesh->ntets;
    double largest = 0, squares = 0;
    for (int c = 0; c < cells; c++) {
        double C = sign * (double)value[c];
        largest = fmax(largest, fabs(C));
        squares += C * C;
    }
    assert_int_equal(wanted.constraints, cells);
    assert_true(wanted.max > 0.05);
    assert_true(fabs(largest - wanted.max) < ROUNDING && fabs(sqrt(squares / cells) - wanted.rms) < ROUNDING);
    taut_world_free(world);
    taut_model_free(model);
    free(value);
    free(xyz);
}

static void assert_all_as_model(const taut_mesh *mesh, const float axis[3])
{
    assert_as_model(mesh, axis, TAUT_STRETCH_X, 1);
    assert_as_model(mesh, axis, TAUT_STRETCH_Y, 1);
    assert_as_model(mesh, axis, TAUT_SHEAR, -1);
}

static void frames_are_the_models(void **state)
{
    (void)state;
    const float none[3] = {0, 0, 0}, axis[3] = {0.3f, 1, 0.2f};
    taut_mesh sheet, sphere, torus;
    assert_true(taut_mesh_sheet_irregular(&sheet, 9, 9, 1, 1, 0.4f, 3, NULL));
    assert_all_as_model(&sheet, none);
    for (int i = 0; i < 6 * sheet.ntris; i += 2) sheet.uv[i] = 0.5f * sheet.uv[i + 1] - sheet.uv[i]; /* mirrored */
    assert_all_as_model(&sheet, none);
    assert_true(taut_mesh_sphere(&sphere, 2, 0.5f, NULL));
    assert_all_as_model(&sphere, none);
    assert_all_as_model(&sphere, axis);
    sphere.direction = malloc(3 * sizeof(float) * (size_t)sphere.ntris);
    for (int i = 0; i < 3 * sphere.ntris; i++) sphere.direction[i] = (float)uniform(-1, 1);
    assert_all_as_model(&sphere, axis);
    assert_true(taut_mesh_torus(&torus, 12, 2, 0.5f, 0.2f, NULL));
    assert_all_as_model(&torus, none);
    taut_mesh_free(&sheet);
    taut_mesh_free(&sphere);
    taut_mesh_free(&torus);
}

/* Two triangles of area 1/2 and 1, and a vertex that no triangle has. */
static void means(void **state)
{
    (void)state;
    static const char obj[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv -1 1 0\nv 5 5 5\nv 1 2 0\nf 1 2 3 4\nf 4 3 6\n";
    const float per_cell[3] = {3, 6, 1};
    float per_vertex[6], per_polygon[2];
    taut_mesh_file file;
    assert_true(taut_mesh_parse("a.obj", obj, sizeof obj - 1, &file, NULL));
    assert_int_equal(file.mesh.ntris, 3);
    assert_int_equal(file.npolygons, 2);
    taut_measurer *m = taut_measurer_build(&file.mesh, NULL, NULL);
    assert_non_null(m);
    assert_true(taut_measurer_to_vertices(m, per_cell, per_vertex));
    assert_true(taut_measurer_to_polygons(m, file.npolygons, file.polygon_start, per_cell, per_polygon));
    assert_true(fabs((double)per_polygon[0] - 5) < ROUNDING && fabs((double)per_polygon[1] - 1) < ROUNDING);
    assert_true(fabs((double)per_vertex[0] - 5) < ROUNDING); /* the quad is cut from corner 0 to corner 2 */
    assert_true(fabs((double)per_vertex[1] - 3) < ROUNDING);
    assert_true(fabs((double)per_vertex[2] - (0.5 * 3 + 6 + 1) / 2.5) < ROUNDING);
    assert_true(per_vertex[4] == 0 && fabs((double)per_vertex[5] - 1) < ROUNDING);
    assert_false(taut_measurer_to_polygons(m, 1, file.polygon_start, per_cell, per_polygon));
    taut_measurer_free(m);
    taut_mesh_file_free(&file);
}

static void odd_meshes(void **state)
{
    (void)state;
    float x[] = {0, 0, 0, 1, 0, 0, 2, 0, 0}, value[1] = {7};
    int tri[] = {0, 1, 2}, line[] = {0, 1}, wrong[] = {0, 1, 3};
    taut_mesh sliver = {.nvertices = 3, .ntris = 1, .x = x, .tri = tri};
    taut_mesh rope = {.nvertices = 3, .nlines = 1, .x = x, .line = line};
    taut_mesh bad = {.nvertices = 3, .ntris = 1, .x = x, .tri = wrong};
    taut_error error;
    for (int i = 0; i < TAUT_MEASURES; i++) {
        taut_measurer *m = taut_measurer_build(&sliver, NULL, &error);
        taut_measurer_apply(m, x, (taut_measure)i, value);
        assert_true(value[0] == 0);
        taut_measurer_free(m);
    }
    taut_measurer *m = taut_measurer_build(&rope, NULL, &error);
    assert_int_equal(taut_measurer_cells(m), 0);
    taut_measurer_apply(m, x, TAUT_SHEAR, value);
    taut_measurer_apply(m, x, TAUT_BEND, value);
    taut_measurer_free(m);
    assert_null(taut_measurer_build(&bad, NULL, &error));
    assert_int_equal(error.code, TAUT_BAD_MESH);
    taut_measurer_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names),
        cmocka_unit_test(sheet_stretched_and_sheared),
        cmocka_unit_test(principal_strain),
        cmocka_unit_test(sheet_on_a_cylinder),
        cmocka_unit_test(bend_wraps),
        cmocka_unit_test(frames_are_the_models),
        cmocka_unit_test(means),
        cmocka_unit_test(odd_meshes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
