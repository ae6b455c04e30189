/* Scenes of strain, edges, tethers and wind on sheets. */
#include "scenes.h"

static void hanging(scene *s, const taut_material *material, int n)
{
    taut_mesh mesh;
    scene_sheet(s, &mesh, n);
    scene_add(s, &mesh, material);
}

static void sheet(scene *s)
{
    taut_material m = taut_default_material();
    hanging(s, &m, 20);
}

static void sheet_physical(scene *s)
{
    taut_material m = scene_physical_material();
    m.strain = (taut_strain){.xx = 2000, .yy = 1000, .xy = 200, .rest = {1, 1, 1}};
    m.bend = (taut_bend){.model = TAUT_BEND_ISOMETRIC, .stiffness = 1e-4f};
    m.tether = 5000;
    hanging(s, &m, 20);
}

static void sheet_large(scene *s)
{
    taut_material m = taut_default_material();
    scene_substeps(s, 4, 1);
    hanging(s, &m, 120);
}

static void sheet_irregular(scene *s)
{
    taut_mesh mesh;
    taut_material m = taut_default_material();
    m.strain.yy = 0.3f;
    m.strain.area = 0.4f;
    bool made = taut_mesh_sheet_irregular(&mesh, 21, 17, 1.2f, 0.9f, 0.4f, 7, &s->error);
    scene_fail_unless(s, made);
    scene_pin(s, &mesh, 0);
    scene_add(s, &mesh, &m);
}

static void strain_raw(scene *s)
{
    taut_material m = scene_ratio_material();
    m.strain = (taut_strain){.xx = 0.9f,
                             .yy = 0.8f,
                             .xy = 0.3f,
                             .area = 0.5f,
                             .rest = {1, 1, 1},
                             .stretch_form = TAUT_STRETCH_RAW,
                             .shear_form = TAUT_SHEAR_RAW};
    hanging(s, &m, 16);
}

static void strain_raw_physical(scene *s)
{
    taut_material m = scene_physical_material();
    m.strain = (taut_strain){.xx = 1000,
                             .yy = 800,
                             .xy = 100,
                             .area = 300,
                             .rest = {1, 1, 1},
                             .stretch_form = TAUT_STRETCH_RAW,
                             .shear_form = TAUT_SHEAR_RAW};
    hanging(s, &m, 16);
}

static void strain_cosine(scene *s)
{
    taut_material m = scene_ratio_material();
    m.strain = (taut_strain){
        .xx = 1, .yy = 1, .xy = 0.7f, .rest = {1, 1, 1}, .shear_form = TAUT_SHEAR_COSINE};
    hanging(s, &m, 16);
}

static void rest_stretch(scene *s)
{
    taut_material m = scene_ratio_material();
    m.strain = (taut_strain){.xx = 1, .yy = 1, .xy = 0.2f, .area = 0.1f, .rest = {1.2f, 0.8f, 1}};
    m.strain.shear_form = TAUT_SHEAR_ANGLE;
    m.bend = (taut_bend){.model = TAUT_BEND_ISOMETRIC, .stiffness = 0.1f};
    hanging(s, &m, 16);
}

static void edges(scene *s)
{
    taut_material m = scene_ratio_material();
    m.edge = 0.95f;
    m.bend = (taut_bend){.model = TAUT_BEND_STICK, .stiffness = 0.2f};
    scene_substeps(s, 4, 3);
    hanging(s, &m, 16);
}

static void edges_physical(scene *s)
{
    taut_material m = scene_physical_material();
    m.edge = 3000;
    m.bend = (taut_bend){.model = TAUT_BEND_STICK, .stiffness = 5};
    hanging(s, &m, 16);
}

static void tethers(scene *s)
{
    taut_material m = scene_ratio_material();
    m.edge = 0.05f;
    m.tether = 0.9f;
    m.tether_slack = 1.05f;
    hanging(s, &m, 16);
}

static void set_wind(scene *s, float x, float y, float z)
{
    const float wind[3] = {x, y, z};
    if (!s->failed) scene_fail_unless(s, taut_world_set_wind(s->world, wind, 1.2f, &s->error));
}

static void gusts(scene *s, int step) { set_wind(s, 6, 0.5f, step % 16 < 8 ? 4.0f : -2.0f); }

static void flag(scene *s)
{
    taut_mesh mesh;
    taut_material m = taut_default_material();
    m.drag = 1.2f;
    m.lift = 0.8f;
    scene_fail_unless(s, taut_mesh_sheet(&mesh, 24, 16, 1.5f, 1, &s->error));
    for (int j = 0; j < 16; j++) scene_pin(s, &mesh, j * 24);
    scene_add(s, &mesh, &m);
    s->move = gusts;
}

static void flags(scene *s)
{
    taut_mesh mesh;
    taut_material m = taut_default_material();
    scene_sheet(s, &mesh, 9);
    const taut_model *model = scene_add(s, &mesh, &m);
    for (int i = 1; i < 20; i++) {
        int column = i % 5, line = i / 5;
        scene_add_at(s, model, 1.5f * (float)column, 1.25f * (float)line, 0.1f * (float)i);
    }
    set_wind(s, 1, 0, 5);
}

static void strip(scene *s)
{
    taut_mesh mesh;
    taut_material m = taut_default_material();
    m.bend.stiffness = 0.3f;
    scene_fail_unless(s, taut_mesh_strip(&mesh, 40, 2, 0.1f, &s->error));
    scene_pin(s, &mesh, 0);
    scene_pin(s, &mesh, 1);
    scene_add(s, &mesh, &m);
}

const scene_recipe cloth_recipes[] = {
    {"sheet", "a hanging sheet of the default cloth", sheet},
    {"sheet_physical", "the same in N/m and N m", sheet_physical},
    {"sheet_large", "120 x 120 vertices: many parts", sheet_large},
    {"sheet_irregular", "a jittered mesh, soft along the weft, with area", sheet_irregular},
    {"strain_raw", "raw stretch and shear, as ratios", strain_raw},
    {"strain_raw_physical", "raw stretch and shear, in N/m", strain_raw_physical},
    {"strain_cosine", "shear by its cosine", strain_cosine},
    {"rest_stretch", "rest stretches other than 1", rest_stretch},
    {"edges", "distances and stick bending, several iterations", edges},
    {"edges_physical", "the same in N/m", edges_physical},
    {"tethers", "soft edges held by tethers with slack", tethers},
    {"flag", "drag and lift in a changing wind", flag},
    {"flags", "twenty bodies of one model", flags},
    {"strip", "a ribbon two vertices wide", strip},
    {0},
};
