/* Every bad input is refused with a sentence that says what is wrong and where. Nothing changes and nothing breaks. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "helpers_world.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>

/* ---- Meshes ---- */

/* One triangle, one tet and one line on five vertices, with every optional array. */
typedef struct sample {
    taut_mesh mesh;
    float x[15], uv[6], direction[3], frame[9], tri_scale[1], tet_scale[1], mass[5];
    int tri[3], tet[4], line[2];
    unsigned char pinned[5];
} sample;

static void fill_sample(sample *s)
{
    *s = (sample){
        .x = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1},
        .uv = {0, 0, 1, 0, 0, 1},
        .direction = {1, 0, 0},
        .frame = {1, 0, 0, 0, 1, 0, 0, 0, 1},
        .tri_scale = {1},
        .tet_scale = {1},
        .mass = {1, 1, 1, 1, 1},
        .tri = {0, 1, 2},
        .tet = {0, 1, 2, 3},
        .line = {3, 4},
        .pinned = {1},
    };
    s->mesh = (taut_mesh){
        .nvertices = 5, .ntris = 1, .ntets = 1, .nlines = 1, .x = s->x, .tri = s->tri, .tet = s->tet, .line = s->line,
        .uv = s->uv, .direction = s->direction, .frame = s->frame, .tri_scale = s->tri_scale,
        .tet_scale = s->tet_scale, .mass = s->mass, .pinned = s->pinned,
    };
}

/* A mistake: one number of the sample gets this value. */
typedef struct slip {
    enum { SAMPLE_INT, SAMPLE_FLOAT, SAMPLE_NULL } what;
    size_t offset; /* in the sample */
    double value;
    int index;
    const char *text;
} slip;

#define INT(member, v) SAMPLE_INT, offsetof(sample, member), v
#define FLOAT(member, at, v) SAMPLE_FLOAT, offsetof(sample, member) + (at) * sizeof(float), v
#define NO_ARRAY(member) SAMPLE_NULL, offsetof(sample, mesh.member), 0

static const slip slips[] = {
    {INT(tri[2], 5), 0, "triangle 0: vertex index 5 is outside 0..4"},
    {INT(tri[1], -1), 0, "triangle 0: vertex index -1 is outside 0..4"},
    {INT(tri[0], INT_MIN), 0, "triangle 0: vertex index -2147483648 is outside 0..4"},
    {INT(tri[0], INT_MAX), 0, "triangle 0: vertex index 2147483647 is outside 0..4"},
    {INT(tri[1], 0), 0, "triangle 0 uses vertex 0 twice"},
    {INT(tet[3], 5), 0, "tet 0: vertex index 5 is outside 0..4"},
    {INT(tet[0], -7), 0, "tet 0: vertex index -7 is outside 0..4"},
    {INT(tet[3], 1), 0, "tet 0 uses vertex 1 twice"},
    {INT(line[0], 99), 0, "line 0: vertex index 99 is outside 0..4"},
    {INT(line[1], -1), 0, "line 0: vertex index -1 is outside 0..4"},
    {INT(line[1], 3), 0, "line 0 uses vertex 3 twice"},
    {FLOAT(x, 4, NAN), 1, "vertex 1: position is not finite"},
    {FLOAT(x, 14, INFINITY), 4, "vertex 4: position is not finite"},
    {FLOAT(x, 0, -INFINITY), 0, "vertex 0: position is not finite"},
    {FLOAT(mass, 3, 0), 3, "vertex 3: mass must be above 0, got 0"},
    {FLOAT(mass, 2, -0.5), 2, "vertex 2: mass must be above 0, got -0.5"},
    {FLOAT(mass, 1, NAN), 1, "vertex 1: mass is not finite"},
    {FLOAT(mass, 4, INFINITY), 4, "vertex 4: mass is not finite"},
    {FLOAT(uv, 5, NAN), 0, "triangle 0: uv is not finite"},
    {FLOAT(direction, 1, -INFINITY), 0, "triangle 0: direction is not finite"},
    {FLOAT(frame, 8, NAN), 0, "tet 0: frame is not finite"},
    {FLOAT(tri_scale, 0, -1), 0, "triangle 0: stiffness scale must be 0 or above, got -1"},
    {FLOAT(tri_scale, 0, INFINITY), 0, "triangle 0: stiffness scale is not finite"},
    {FLOAT(tet_scale, 0, -0.25), 0, "tet 0: stiffness scale must be 0 or above, got -0.25"},
    {FLOAT(tet_scale, 0, NAN), 0, "tet 0: stiffness scale is not finite"},
    {INT(mesh.nvertices, -3), -1, "the number of vertices is negative: -3"},
    {INT(mesh.nvertices, 0), -1, "the mesh has no vertices"},
    {INT(mesh.nvertices, 100000001), -1, "the mesh has 100000001 vertices, the most is 100000000"},
    {INT(mesh.ntris, -1), -1, "the number of triangles is negative: -1"},
    {INT(mesh.ntets, INT_MIN), -1, "the number of tets is negative: -2147483648"},
    {INT(mesh.nlines, -9), -1, "the number of lines is negative: -9"},
    {INT(mesh.ntris, INT_MAX), -1, "the mesh has too many elements: 2147483647 triangles, 1 tets, 1 lines"},
    {NO_ARRAY(x), -1, "the mesh has 5 vertices but their array is NULL"},
    {NO_ARRAY(tri), -1, "the mesh has 1 triangles but their array is NULL"},
    {NO_ARRAY(tet), -1, "the mesh has 1 tets but their array is NULL"},
    {NO_ARRAY(line), -1, "the mesh has 1 lines but their array is NULL"},
};

static void make_slip(sample *s, const slip *wrong)
{
    char *at = (char *)s + wrong->offset;
    float f = (float)wrong->value;
    int i = (int)(wrong->what == SAMPLE_INT ? wrong->value : 0);
    void *nothing = NULL;
    if (wrong->what == SAMPLE_INT) memcpy(at, &i, sizeof i);
    if (wrong->what == SAMPLE_FLOAT) memcpy(at, &f, sizeof f);
    if (wrong->what == SAMPLE_NULL) memcpy(at, &nothing, sizeof nothing);
}

static void bad_meshes(void **state)
{
    (void)state;
    sample s;
    for (int i = 0; i < LENGTH(slips); i++) {
        taut_error error = stale();
        taut_mesh_report report;
        fill_sample(&s);
        taut_model *good = taut_model_build(&s.mesh, NULL, NULL, &error);
        assert_non_null(good);
        assert_int_equal(error.code, TAUT_OK);
        taut_model_free(good);
        make_slip(&s, &slips[i]);
        wanted want = {TAUT_BAD_MESH, slips[i].index, slips[i].text};
        assert_null(taut_model_build(&s.mesh, NULL, NULL, &error));
        expect_error(&error, want);
        assert_null(taut_model_build(&s.mesh, NULL, NULL, NULL));
        error = stale();
        assert_false(taut_mesh_inspect(&s.mesh, &report, &error));
        expect_error(&error, want);
        assert_false(taut_mesh_inspect(&s.mesh, &report, NULL));
    }
}

static void no_mesh_at_all(void **state)
{
    (void)state;
    taut_error error = stale();
    const taut_mesh empty = {0};
    assert_null(taut_model_build(NULL, NULL, NULL, &error));
    expect_error(&error, (wanted){TAUT_BAD_MESH, -1, "there is no mesh (NULL)"});
    assert_null(taut_model_build(NULL, NULL, NULL, NULL));
    assert_null(taut_model_build(&empty, NULL, NULL, &error));
    expect_error(&error, (wanted){TAUT_BAD_MESH, -1, "the mesh has no vertices"});
}

static void the_place_of_a_mistake_in_a_large_mesh(void **state)
{
    (void)state;
    taut_error error = stale();
    taut_mesh mesh = hanging_sheet(50);
    mesh.tri[3 * 3210 + 1] = 2500;
    assert_null(taut_model_build(&mesh, NULL, NULL, &error));
    expect_error(&error, (wanted){TAUT_BAD_MESH, 3210, "triangle 3210: vertex index 2500 is outside 0..2499"});
    mesh.x[3 * 1777 + 2] = NAN;
    assert_null(taut_model_build(&mesh, NULL, NULL, &error));
    expect_error(&error, (wanted){TAUT_BAD_MESH, 1777, "vertex 1777: position is not finite"});
    taut_mesh_free(&mesh);
}

static void bad_mesh_pins(void **state)
{
    (void)state;
    taut_error error = stale();
    taut_mesh mesh = hanging_sheet(3);
    assert_false(taut_mesh_pin(&mesh, 9, &error));
    expect_error(&error, (wanted){TAUT_BAD_ARGUMENT, 9, "vertex 9 is outside 0..8"});
    assert_false(taut_mesh_pin(&mesh, -1, &error));
    expect_error(&error, (wanted){TAUT_BAD_ARGUMENT, -1, "vertex -1 is outside 0..8"});
    assert_false(taut_mesh_pin(&mesh, 9, NULL));
    taut_mesh_free(&mesh);
}

/* ---- Generators ---- */

static void expect_nothing(bool made, taut_mesh *mesh, const taut_error *error, const char *text)
{
    const taut_mesh empty = {0};
    assert_false(made);
    expect_error(error, (wanted){TAUT_BAD_ARGUMENT, -1, text});
    assert_memory_equal(mesh, &empty, sizeof empty);
}

/* Calls a generator with an error struct and without one. */
#define REFUSES(text, generator, ...)                                                   \
    do {                                                                                \
        taut_mesh mesh;                                                                 \
        taut_error error = stale();                                                     \
        expect_nothing(generator(&mesh, __VA_ARGS__, &error), &mesh, &error, text);     \
        assert_false(generator(&mesh, __VA_ARGS__, NULL));                              \
    } while (0)

static void bad_sheets(void **state)
{
    (void)state;
    REFUSES("nx must be at least 2, got 1", taut_mesh_sheet, 1, 5, 1, 1);
    REFUSES("ny must be at least 2, got -5", taut_mesh_sheet, 5, -5, 1, 1);
    REFUSES("width must be a finite number above 0, got 0", taut_mesh_sheet, 5, 5, 0, 1);
    REFUSES("height must be a finite number above 0, got -1", taut_mesh_sheet, 5, 5, 1, -1);
    REFUSES("height must be a finite number above 0, got nan", taut_mesh_sheet, 5, 5, 1, NAN);
    REFUSES("the mesh would have 10000000000 vertices, the most is 100000000", taut_mesh_sheet, 100000, 100000, 1, 1);
    REFUSES("nx must be at least 2, got 0", taut_mesh_sheet_irregular, 0, 5, 1, 1, 0.2f, 1);
    REFUSES("jitter must be in 0..0.45, got 0.5", taut_mesh_sheet_irregular, 5, 5, 1, 1, 0.5f, 1);
    REFUSES("jitter must be in 0..0.45, got -0.5", taut_mesh_sheet_irregular, 5, 5, 1, 1, -0.5f, 1);
    REFUSES("jitter must be in 0..0.45, got nan", taut_mesh_sheet_irregular, 5, 5, 1, 1, NAN, 1);
    REFUSES("n must be at least 2, got 1", taut_mesh_strip, 1, 1, 1);
    REFUSES("length must be a finite number above 0, got inf", taut_mesh_strip, 5, INFINITY, 1);
    REFUSES("width must be a finite number above 0, got 0", taut_mesh_strip, 5, 1, 0);
}

static void bad_surfaces(void **state)
{
    (void)state;
    REFUSES("around must be at least 3, got 2", taut_mesh_tube, 2, 5, 1, 1);
    REFUSES("along must be at least 2, got 1", taut_mesh_tube, 5, 1, 1, 1);
    REFUSES("radius must be a finite number above 0, got 0", taut_mesh_tube, 5, 5, 0, 1);
    REFUSES("length must be a finite number above 0, got nan", taut_mesh_tube, 5, 5, 1, NAN);
    REFUSES("levels must be at least 0, got -1", taut_mesh_sphere, -1, 1);
    REFUSES("levels must be at most 8, got 9", taut_mesh_sphere, 9, 1);
    REFUSES("radius must be a finite number above 0, got -2", taut_mesh_sphere, 2, -2);
}

static void bad_solids_and_lines(void **state)
{
    (void)state;
    REFUSES("nx must be at least 1, got 0", taut_mesh_beam, 0, 1, 1, 1, 1, 1);
    REFUSES("ny must be at least 1, got -2", taut_mesh_beam, 1, -2, 1, 1, 1, 1);
    REFUSES("nz must be at least 1, got 0", taut_mesh_beam, 1, 1, 0, 1, 1, 1);
    REFUSES("sx must be a finite number above 0, got 0", taut_mesh_beam, 1, 1, 1, 0, 1, 1);
    REFUSES("sy must be a finite number above 0, got -1", taut_mesh_beam, 1, 1, 1, 1, -1, 1);
    REFUSES("sz must be a finite number above 0, got nan", taut_mesh_beam, 1, 1, 1, 1, 1, NAN);
    REFUSES("around must be at least 3, got 1", taut_mesh_torus, 1, 1, 1, 0.2f);
    REFUSES("rings must be at least 1, got 0", taut_mesh_torus, 8, 0, 1, 0.2f);
    REFUSES("big_radius must be a finite number above 0, got 0", taut_mesh_torus, 8, 1, 0, 0.2f);
    REFUSES("small_radius must be a finite number above 0, got -1", taut_mesh_torus, 8, 1, 1, -1);
    REFUSES("small_radius must be below big_radius (1), got 1", taut_mesh_torus, 8, 1, 1, 1);
    REFUSES("n must be at least 2, got 1", taut_mesh_chain, 1, 1);
    REFUSES("length must be a finite number above 0, got 0", taut_mesh_chain, 5, 0);
    REFUSES("segments must be at least 1, got 0", taut_mesh_branch, 0, 3, 1);
    REFUSES("levels must be at least 0, got -1", taut_mesh_branch, 3, -1, 1);
    REFUSES("levels must be at most 24, got 25", taut_mesh_branch, 3, 25, 1);
    REFUSES("length must be a finite number above 0, got nan", taut_mesh_branch, 3, 2, NAN);
}

/* ---- Materials ---- */

typedef enum bounds {
    STIFFNESS, /* [0,1]; in physical units 0 and above */
    POSITIVE,  /* above 0        */
    FROM_ZERO, /* 0 and above    */
    FROM_ONE,  /* 1 and above    */
    FINITE     /* of either sign */
} bounds;

typedef struct field {
    const char *name;
    size_t offset;
    bounds bounds;
} field;

#define FIELD(member, bounds) {#member, offsetof(taut_material, member), bounds}

static const field fields[] = {
    FIELD(density, POSITIVE), FIELD(thickness, FROM_ZERO), FIELD(edge, STIFFNESS), FIELD(strain.xx, STIFFNESS),
    FIELD(strain.yy, STIFFNESS), FIELD(strain.zz, STIFFNESS), FIELD(strain.xy, STIFFNESS), FIELD(strain.yz, STIFFNESS),
    FIELD(strain.xz, STIFFNESS), FIELD(strain.rest[0], POSITIVE), FIELD(strain.rest[1], POSITIVE),
    FIELD(strain.rest[2], POSITIVE), FIELD(strain.area, STIFFNESS), FIELD(strain.volume, STIFFNESS),
    FIELD(bend.stiffness, STIFFNESS), FIELD(bend.kappa, FINITE), FIELD(tether, STIFFNESS),
    FIELD(tether_slack, FROM_ONE), FIELD(damping.global, FROM_ZERO), FIELD(damping.edge, FROM_ZERO),
    FIELD(damping.stretch, FROM_ZERO), FIELD(damping.shear, FROM_ZERO), FIELD(damping.area, FROM_ZERO),
    FIELD(damping.volume, FROM_ZERO), FIELD(damping.bend, FROM_ZERO), FIELD(damping.dry, FINITE),
    FIELD(friction, FROM_ZERO), FIELD(elastic.young, FROM_ZERO), FIELD(elastic.bend, FROM_ZERO),
    FIELD(elastic.damping, FROM_ZERO), FIELD(drag, FROM_ZERO), FIELD(lift, FROM_ZERO),
};

static const struct {
    bounds bounds;
    taut_units units;
    float value;
    const char *rest; /* of the sentence */
} outside[] = {
    {STIFFNESS, TAUT_RATIO, -0.5f, "in [0,1], got -0.5"},
    {STIFFNESS, TAUT_RATIO, 1.5f, "in [0,1], got 1.5"},
    {STIFFNESS, TAUT_RATIO, NAN, "in [0,1], got nan"},
    {STIFFNESS, TAUT_PHYSICAL, -2, "at least 0, got -2"},
    {STIFFNESS, TAUT_PHYSICAL, NAN, "at least 0, got nan"},
    {POSITIVE, TAUT_RATIO, 0, "above 0 and finite, got 0"},
    {POSITIVE, TAUT_RATIO, -1, "above 0 and finite, got -1"},
    {POSITIVE, TAUT_PHYSICAL, INFINITY, "above 0 and finite, got inf"},
    {POSITIVE, TAUT_RATIO, NAN, "above 0 and finite, got nan"},
    {FROM_ZERO, TAUT_RATIO, -1, "at least 0 and finite, got -1"},
    {FROM_ZERO, TAUT_RATIO, INFINITY, "at least 0 and finite, got inf"},
    {FROM_ZERO, TAUT_PHYSICAL, NAN, "at least 0 and finite, got nan"},
    {FROM_ONE, TAUT_RATIO, 0.5f, "at least 1 and finite, got 0.5"},
    {FROM_ONE, TAUT_RATIO, INFINITY, "at least 1 and finite, got inf"},
    {FROM_ONE, TAUT_RATIO, NAN, "at least 1 and finite, got nan"},
    {FINITE, TAUT_RATIO, INFINITY, "finite, got inf"},
    {FINITE, TAUT_RATIO, -INFINITY, "finite, got -inf"},
    {FINITE, TAUT_RATIO, NAN, "finite, got nan"},
};

/* Both a model and a running body must refuse the material; the body goes on as before. */
static void refuse_material(const taut_mesh *mesh, const taut_material *m, wanted want)
{
    taut_error error = stale();
    assert_null(taut_model_build(mesh, m, NULL, &error));
    expect_error(&error, want);
    assert_null(taut_model_build(mesh, m, NULL, NULL));
    taut_material good = m->units == TAUT_PHYSICAL ? physical_cloth() : taut_default_material();
    taut_model *model = sheet_model(3, &good);
    taut_world *world = plain_world(1, 1);
    int body = add_at(world, model, 0, 0, 0);
    error = stale();
    assert_false(taut_body_set_material(world, body, m, &error));
    expect_error(&error, want);
    assert_false(taut_body_set_material(world, body, m, NULL));
    assert_memory_equal(taut_body_material(world, body), &good, offsetof(taut_material, bend));
    taut_world_free(world);
    taut_model_free(model);
}

static void bad_material_fields(void **state)
{
    (void)state;
    taut_mesh mesh = hanging_sheet(3);
    for (int i = 0; i < LENGTH(fields); i++)
        for (int k = 0; k < LENGTH(outside); k++) {
            if (outside[k].bounds != fields[i].bounds) continue;
            char text[120];
            bool physical = outside[k].units == TAUT_PHYSICAL;
            taut_material m = physical ? physical_cloth() : taut_default_material();
            memcpy((char *)&m + fields[i].offset, &outside[k].value, sizeof(float));
            snprintf(text, sizeof text, "material.%s must be %s", fields[i].name, outside[k].rest);
            refuse_material(&mesh, &m, (wanted){TAUT_BAD_MATERIAL, -1, text});
        }
    taut_mesh_free(&mesh);
}

static void edges_of_ranges_are_allowed(void **state)
{
    (void)state;
    static const float allowed[][2] = {[STIFFNESS] = {0, 1}, [POSITIVE] = {1e-6f, 1e6f}, [FROM_ZERO] = {0, 1e6f},
                                       [FROM_ONE] = {1, 1e6f}, [FINITE] = {-1, 1}};
    for (int i = 0; i < LENGTH(fields); i++)
        for (int k = 0; k < 2; k++) {
            taut_material m = taut_default_material();
            memcpy((char *)&m + fields[i].offset, &allowed[fields[i].bounds][k], sizeof(float));
            taut_model_free(sheet_model(3, &m));
        }
    taut_material rigid = physical_cloth();
    rigid.strain.xx = rigid.edge = INFINITY;
    taut_model_free(sheet_model(3, &rigid));
}

/* Poisson's ratio can go up to 1 in plane stress, but only up to 0.5 in solids. */
static void bad_poisson_ratios(void **state)
{
    (void)state;
    static const float bad[] = {-1, 1, 1.5f, INFINITY, NAN};
    taut_mesh sheet = hanging_sheet(3), beam;
    taut_error error = stale();
    assert_true(taut_mesh_beam(&beam, 1, 1, 1, 1, 1, 1, NULL));
    taut_material m = taut_default_material();
    for (int i = 0; i < LENGTH(bad); i++) {
        char text[120];
        m.elastic.poisson = bad[i];
        snprintf(text, sizeof text, "material.elastic.poisson must be in (-1,1), got %g", (double)bad[i]);
        refuse_material(&sheet, &m, (wanted){TAUT_BAD_MATERIAL, -1, text});
    }
    m.elastic = (taut_elastic){.young = 1, .poisson = 0.5f};
    taut_model_free(sheet_model(3, &m));
    const wanted want = {TAUT_BAD_MATERIAL, -1, "material.elastic.poisson must be below 0.5 for tets, got 0.5"};
    assert_null(taut_model_build(&beam, &m, NULL, &error));
    expect_error(&error, want);
    m.elastic.poisson = 0.49f;
    taut_model *model = taut_model_build(&beam, &m, NULL, NULL);
    taut_world *world = plain_world(1, 1);
    int body = add_at(world, model, 0, 0, 0);
    m.elastic.poisson = 0.5f;
    error = stale();
    assert_false(taut_body_set_material(world, body, &m, &error));
    expect_error(&error, want);
    taut_world_free(world);
    taut_model_free(model);
    taut_mesh_free(&sheet);
    taut_mesh_free(&beam);
}

static void bad_material_choices(void **state)
{
    (void)state;
    taut_mesh mesh = hanging_sheet(3);
    static const struct {
        const char *name;
        size_t offset;
        int count;
    } choices[] = {
        {"units", offsetof(taut_material, units), 2},
        {"strain.stretch_form", offsetof(taut_material, strain.stretch_form), 2},
        {"strain.shear_form", offsetof(taut_material, strain.shear_form), 3},
        {"bend.model", offsetof(taut_material, bend.model), 5},
        {"bend.mode", offsetof(taut_material, bend.mode), 3},
        {"bend.creation", offsetof(taut_material, bend.creation), 2},
    };
    for (int i = 0; i < LENGTH(choices); i++) {
        const int wrong[2] = {choices[i].count, -1};
        for (int k = 0; k < 2; k++) {
            char text[120];
            taut_material m = taut_default_material();
            memcpy((char *)&m + choices[i].offset, &wrong[k], sizeof(int));
            snprintf(text, sizeof text, "material.%s must be one of its %d choices, got %d", choices[i].name,
                     choices[i].count, wrong[k]);
            refuse_material(&mesh, &m, (wanted){TAUT_BAD_MATERIAL, -1, text});
        }
    }
    taut_mesh_free(&mesh);
}

/* ---- Structs that do not come from their default function ---- */

static void zeroed_structs(void **state)
{
    (void)state;
    taut_error error = stale();
    taut_mesh mesh = hanging_sheet(3);
    const taut_material material = {0};
    const taut_model_options options = {0};
    const taut_world_def world_def = {.substeps = 1, .iterations = 1};
    const taut_body_def body_def = {.rotation = {0, 0, 0, 1}};
    const taut_collider_def collider_def = {.normal = {0, 1, 0}, .radius = 1};
    refuse_material(&mesh, &material,
                    (wanted){TAUT_BAD_MATERIAL, -1, "the material does not come from taut_default_material()"});
    assert_null(taut_model_build(&mesh, NULL, &options, &error));
    expect_error(&error,
                 (wanted){TAUT_BAD_ARGUMENT, -1, "the options do not come from taut_default_model_options()"});
    assert_null(taut_model_build(&mesh, NULL, &options, NULL));
    assert_null(taut_world_create(&world_def, &error));
    expect_error(&error, (wanted){TAUT_BAD_ARGUMENT, -1, "the definition does not come from taut_default_world_def()"});
    assert_null(taut_world_create(&world_def, NULL));
    taut_model *model = model_of(&mesh, NULL);
    taut_world *world = plain_world(1, 1);
    int floor = add_floor(world, 0);
    assert_int_equal(taut_world_add_body(world, model, &body_def, &error), -1);
    expect_error(&error, (wanted){TAUT_BAD_ARGUMENT, -1, "the definition does not come from taut_default_body_def()"});
    assert_int_equal(taut_world_add_body(world, model, &body_def, NULL), -1);
    wanted no_collider = {TAUT_BAD_ARGUMENT, -1, "the collider does not come from taut_default_collider_def()"};
    assert_int_equal(taut_world_add_collider(world, &collider_def, &error), -1);
    expect_error(&error, no_collider);
    assert_int_equal(taut_world_add_collider(world, &collider_def, NULL), -1);
    error = stale();
    assert_false(taut_collider_move(world, floor, &collider_def, &error));
    expect_error(&error, no_collider);
    taut_world_free(world);
    taut_model_free(model);
}

/* A program compiled with another taut.h has structs of another size: nothing past their end is touched. */
static void definitions_of_another_version_are_refused(void **state)
{
    (void)state;
    union {
        taut_material material;
        taut_model_options options;
        taut_train_def train;
        taut_world_def world;
        taut_body_def body;
        taut_collider_def collider;
        taut_attachment_def attachment;
        unsigned char bytes[2 * sizeof(taut_material)];
    } of;
    taut_error error = stale();
    taut_mesh mesh = hanging_sheet(3);
    taut_model *model = sheet_model(3, NULL);
    taut_world *world = plain_world(1, 1);
    const wanted argument = {
        TAUT_BAD_ARGUMENT, -1,
        "the definition comes from another version of taut.h than that of the library, " TAUT_VERSION};
    const wanted material = {TAUT_BAD_MATERIAL, -1, argument.text};
    for (int change = -4; change <= 4; change += 8) {
        size_t size = sizeof of.material + (size_t)change;
        memset(&of, 0xee, sizeof of);
        taut_init_material(&of.material, size);
        for (size_t i = size; i < sizeof of; i++) assert_int_equal(of.bytes[i], 0xee);
        assert_null(taut_model_build(&mesh, &of.material, NULL, &error));
        expect_error(&error, material);
        taut_init_model_options(&of.options, sizeof of.options + (size_t)change);
        assert_null(taut_model_build(&mesh, NULL, &of.options, &error));
        expect_error(&error, argument);
        taut_init_train_def(&of.train, sizeof of.train + (size_t)change);
        assert_null(taut_train(&mesh, NULL, NULL, &of.train, &error));
        expect_error(&error, argument);
        taut_init_world_def(&of.world, sizeof of.world + (size_t)change);
        assert_null(taut_world_create(&of.world, &error));
        expect_error(&error, argument);
        taut_init_body_def(&of.body, sizeof of.body + (size_t)change);
        assert_int_equal(taut_world_add_body(world, model, &of.body, &error), -1);
        expect_error(&error, argument);
        taut_init_collider_def(&of.collider, sizeof of.collider + (size_t)change);
        assert_int_equal(taut_world_add_collider(world, &of.collider, &error), -1);
        expect_error(&error, argument);
        taut_init_attachment_def(&of.attachment, sizeof of.attachment + (size_t)change);
        assert_int_equal(taut_world_attach(world, &of.attachment, &error), -1);
        expect_error(&error, argument);
    }
    taut_world_free(world);
    taut_model_free(model);
    taut_mesh_free(&mesh);
}

static void version_is_that_of_the_header(void **state)
{
    (void)state;
    char numbers[40];
    snprintf(numbers, sizeof numbers, "%d.%d.%d", TAUT_VERSION_MAJOR, TAUT_VERSION_MINOR, TAUT_VERSION_PATCH);
    assert_string_equal(taut_version(), TAUT_VERSION);
    assert_string_equal(numbers, TAUT_VERSION);
}

static void no_name_is_no_kind(void **state)
{
    (void)state;
    assert_int_equal(taut_kind_find(NULL), -1);
    assert_int_equal(taut_kind_find(""), -1);
    assert_int_equal(taut_kind_find(taut_kind_name(0)), 0);
}

static void bad_options(void **state)
{
    (void)state;
    taut_error error = stale();
    taut_mesh mesh = hanging_sheet(3);
    for (int i = 0; i < 3; i++) {
        char text[60];
        taut_model_options options = taut_default_model_options();
        options.axis[i] = i == 1 ? INFINITY : NAN;
        snprintf(text, sizeof text, "options.axis[%d] is not finite", i);
        assert_null(taut_model_build(&mesh, NULL, &options, &error));
        expect_error(&error, (wanted){TAUT_BAD_ARGUMENT, i, text});
    }
    taut_mesh_free(&mesh);
}

/* ---- Worlds ---- */

static void refuse_world(const taut_world_def *def, wanted want)
{
    taut_error error = stale();
    assert_null(taut_world_create(def, &error));
    expect_error(&error, want);
    assert_null(taut_world_create(def, NULL));
}

static void bad_world_definitions(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        char text[60];
        taut_world_def def = taut_default_world_def();
        def.gravity[i] = NAN;
        snprintf(text, sizeof text, "gravity[%d] is not finite", i);
        refuse_world(&def, (wanted){TAUT_BAD_ARGUMENT, i, text});
        def = taut_default_world_def();
        def.wind[i] = -INFINITY;
        snprintf(text, sizeof text, "wind[%d] is not finite", i);
        refuse_world(&def, (wanted){TAUT_BAD_ARGUMENT, i, text});
    }
    static const struct {
        const char *name;
        size_t offset;
        int least, most;
    } counts[] = {
        {"substeps", offsetof(taut_world_def, substeps), 1, 1000},
        {"iterations", offsetof(taut_world_def, iterations), 1, 1000},
        {"threads", offsetof(taut_world_def, threads), 0, 256},
    };
    for (int i = 0; i < LENGTH(counts); i++) {
        const int wrong[2] = {counts[i].least - 1, counts[i].most + 1};
        for (int k = 0; k < 2; k++) {
            char text[60];
            taut_world_def def = taut_default_world_def();
            memcpy((char *)&def + counts[i].offset, &wrong[k], sizeof(int));
            snprintf(text, sizeof text, "%s must be in [%d,%d], got %d", counts[i].name, counts[i].least,
                     counts[i].most, wrong[k]);
            refuse_world(&def, (wanted){TAUT_BAD_ARGUMENT, -1, text});
        }
    }
    static const struct {
        float value;
        const char *text;
    } air[] = {{-1, "air_density must be at least 0, got -1"}, {NAN, "air_density must be at least 0, got nan"}};
    for (int i = 0; i < LENGTH(air); i++) {
        taut_world_def def = taut_default_world_def();
        def.air_density = air[i].value;
        refuse_world(&def, (wanted){TAUT_BAD_ARGUMENT, -1, air[i].text});
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_meshes),
        cmocka_unit_test(no_mesh_at_all),
        cmocka_unit_test(the_place_of_a_mistake_in_a_large_mesh),
        cmocka_unit_test(bad_mesh_pins),
        cmocka_unit_test(bad_sheets),
        cmocka_unit_test(bad_surfaces),
        cmocka_unit_test(bad_solids_and_lines),
        cmocka_unit_test(bad_material_fields),
        cmocka_unit_test(edges_of_ranges_are_allowed),
        cmocka_unit_test(bad_poisson_ratios),
        cmocka_unit_test(bad_material_choices),
        cmocka_unit_test(zeroed_structs),
        cmocka_unit_test(definitions_of_another_version_are_refused),
        cmocka_unit_test(version_is_that_of_the_header),
        cmocka_unit_test(no_name_is_no_kind),
        cmocka_unit_test(bad_options),
        cmocka_unit_test(bad_world_definitions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
