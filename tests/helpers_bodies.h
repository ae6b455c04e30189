/* One small body of every kind, for tests that run on all kinds. Include after cmocka.h. */
#ifndef TAUT_TESTS_HELPERS_BODIES_H
#define TAUT_TESTS_HELPERS_BODIES_H

#include "helpers_world.h"

/* A SMALL body has a save of few bytes. It still has at least one coarser level if its kind has any. */
typedef enum size_of_body { LARGE, SMALL } size_of_body;

typedef struct kind_of_body {
    const char *name;
    int levels; /* coarser meshes of the LARGE body */
    taut_model *(*build)(size_of_body size, int levels);
} kind_of_body;

static inline taut_model *build_body(const kind_of_body *kind, size_of_body size)
{
    taut_model *model = kind->build(size, kind->levels);
    assert_non_null(model);
    if (size == LARGE) assert_int_equal(taut_model_levels(model), kind->levels);
    else assert_true((taut_model_levels(model) > 0) == (kind->levels > 0));
    return model;
}

static inline taut_model *build_with(taut_mesh *mesh, const taut_material *material, const taut_model_options *options)
{
    taut_error error = stale();
    taut_model *model = taut_model_build(mesh, material, options, &error);
    if (!model) fail_msg("%s", error.text);
    taut_mesh_free(mesh);
    return model;
}

static inline taut_model_options with_levels(int levels)
{
    taut_model_options options = taut_default_model_options();
    options.levels = levels;
    return options;
}

/* A sheet that hangs from its two upper corners. */
static inline taut_model *build_sheet(size_of_body size, const taut_material *material, int levels)
{
    taut_mesh mesh = hanging_sheet(levels ? (size == SMALL ? 7 : 18) : (size == SMALL ? 4 : 10));
    taut_model_options options = with_levels(levels);
    return build_with(&mesh, material, &options);
}

/* A beam that sticks out of a wall. Its coarser mesh has half as many cells in each direction. */
static inline taut_model *build_beam(size_of_body size, const taut_material *material, int levels)
{
    taut_mesh mesh, coarse;
    int along = size == SMALL ? 1 : 4, across = levels ? 2 : 1;
    taut_model_options options = with_levels(levels);
    const taut_mesh *const given[] = {&coarse};
    if (levels) options.coarse = given, options.ncoarse = 1;
    assert_true(taut_mesh_beam(&coarse, along, 1, 1, 1, 0.2f, 0.2f, NULL));
    assert_true(taut_mesh_beam(&mesh, 2 * along, across, across, 1, 0.2f, 0.2f, NULL));
    for (int v = 0; v < mesh.nvertices; v++)
        if (mesh.x[3 * v] == 0) assert_true(taut_mesh_pin(&mesh, v, NULL));
    taut_model *model = build_with(&mesh, material, &options);
    taut_mesh_free(&coarse);
    return model;
}

/* A rope that hangs from one end. */
static inline taut_model *build_rope(size_of_body size, const taut_material *material, int levels)
{
    taut_mesh mesh;
    assert_true(taut_mesh_chain(&mesh, size == SMALL ? 9 : 40, 1, NULL));
    assert_true(taut_mesh_pin(&mesh, 0, NULL));
    taut_model_options options = with_levels(levels);
    return build_with(&mesh, material, &options);
}

static inline taut_material limited(taut_enforcement enforcement)
{
    taut_material m = taut_default_material();
    m.tether = 0;
    m.limit.stretch[0] = 0.95f;
    m.limit.stretch[1] = 1.02f;
    m.limit.enforcement = enforcement;
    return m;
}

static inline taut_material limited_bending(void)
{
    taut_material m = limited(TAUT_WINDOWED);
    m.bend.model = TAUT_BEND_NONE;
    m.limit.bend[0] = -2;
    m.limit.bend[1] = 2;
    return m;
}

static inline taut_material soft_solid(void)
{
    taut_material m = taut_default_material();
    m.bend.model = TAUT_BEND_NONE;
    m.tether = 0;
    m.density = 500;
    m.strain.xx = m.strain.yy = m.strain.zz = m.strain.xy = m.strain.yz = m.strain.xz = m.strain.volume = 0.3f;
    return m;
}

static inline taut_model *ratio_cloth(size_of_body size, int levels)
{
    taut_material m = taut_default_material();
    return build_sheet(size, &m, levels);
}

static inline taut_model *physical_sheet(size_of_body size, int levels)
{
    taut_material m = physical_cloth();
    m.damping = all_dampings();
    if (levels) m.limit.stretch[1] = 1.02f;
    return build_sheet(size, &m, levels);
}

static inline taut_model *limited_cloth(size_of_body size, int levels)
{
    taut_material m = limited(TAUT_WINDOWED);
    return build_sheet(size, &m, levels);
}

static inline taut_model *limited_at_random(size_of_body size, int levels)
{
    taut_material m = limited(TAUT_RANDOM);
    return build_sheet(size, &m, levels);
}

static inline taut_model *limited_at_once(size_of_body size, int levels)
{
    taut_material m = limited(TAUT_JACOBI);
    return build_sheet(size, &m, levels);
}

static inline taut_model *limited_hinges(size_of_body size, int levels)
{
    taut_material m = limited_bending();
    return build_sheet(size, &m, levels);
}

/* A smaller cloth would have no coarser level to train. */
static inline taut_model *trained_cloth(size_of_body size, int levels)
{
    (void)size;
    taut_material m = limited_bending();
    taut_mesh mesh = hanging_sheet(7);
    taut_model_options options = with_levels(levels);
    taut_train_def def = taut_default_train_def();
    def.threads = 1;
    taut_training *training = taut_train(&mesh, &m, &options, &def, NULL);
    assert_non_null(training);
    options.training = training;
    taut_model *model = build_with(&mesh, &m, &options);
    taut_training_free(training);
    return model;
}

static inline taut_model *elastic_cloth(size_of_body size, int levels)
{
    taut_material m = taut_default_material();
    m.strain.xx = m.strain.yy = m.strain.xy = m.tether = 0;
    m.bend.model = TAUT_BEND_NONE;
    m.elastic = (taut_elastic){.young = 20, .poisson = 0.3f, .bend = 1e-4f, .damping = 2e-4f};
    if (levels) m.limit.stretch[0] = 0.9f, m.limit.stretch[1] = 1.1f;
    return build_sheet(size, &m, levels);
}

/* Only limits need the coarser mesh of a solid. */
static inline taut_model *solid(size_of_body size, int levels)
{
    taut_material m = soft_solid();
    if (levels) m.limit.stretch[0] = 0.9f, m.limit.stretch[1] = 1.1f;
    return build_beam(size, &m, levels);
}

static inline taut_model *rope(size_of_body size, int levels)
{
    taut_material m = rope_material();
    return build_rope(size, &m, levels);
}

static inline taut_model *limited_rope(size_of_body size, int levels)
{
    taut_material m = rope_material();
    m.tether = 0;
    m.edge = 0.1f; /* soft enough to reach its limit */
    m.limit.edge[1] = 1.01f;
    return build_rope(size, &m, levels);
}

/* Hangs from one vertex. */
static inline taut_model *ball_of_gas(size_of_body size, int levels)
{
    taut_mesh mesh;
    taut_material m = physical_cloth();
    m.gas = (taut_gas){.pressure = 20, .volume = 1.1f, .stiffness = 100};
    assert_true(taut_mesh_sphere(&mesh, size == SMALL ? 0 : 1, 0.3f, NULL));
    assert_true(taut_mesh_pin(&mesh, 0, NULL));
    taut_model_options options = with_levels(levels);
    return build_with(&mesh, &m, &options);
}

static const kind_of_body kinds_of_bodies[] = {
    {"ball of gas", 0, ball_of_gas},
    {"ratio cloth", 0, ratio_cloth},
    {"ratio cloth with levels", 2, ratio_cloth},
    {"physical cloth", 0, physical_sheet},
    {"physical cloth with limits and levels", 2, physical_sheet},
    {"limited cloth", 0, limited_cloth},
    {"limited cloth with levels", 2, limited_cloth},
    {"cloth limited in random order", 0, limited_at_random},
    {"cloth limited in random order, with levels", 2, limited_at_random},
    {"cloth limited by Jacobi", 2, limited_at_once},
    {"cloth of limited hinges", 2, limited_hinges},
    {"trained cloth", 1, trained_cloth},
    {"elastic cloth", 0, elastic_cloth},
    {"elastic cloth with limits and levels", 2, elastic_cloth},
    {"solid", 0, solid},
    {"solid with limits and levels", 1, solid},
    {"rope", 0, rope},
    {"rope with levels", 2, rope},
    {"limited rope", 0, limited_rope},
    {"limited rope with levels", 2, limited_rope},
};

#endif
