/* Scenes of solids and of lines. */
#include "scenes.h"

static const taut_strain jelly = {.xx = 0.8f,
                                  .yy = 0.8f,
                                  .zz = 0.8f,
                                  .xy = 0.4f,
                                  .yz = 0.4f,
                                  .xz = 0.4f,
                                  .rest = {1, 1, 1},
                                  .volume = 0.9f};

static const taut_strain rubber = {.xx = 2e5f,
                                   .yy = 2e5f,
                                   .zz = 1e5f,
                                   .xy = 5e4f,
                                   .yz = 5e4f,
                                   .xz = 5e4f,
                                   .rest = {1, 1, 1},
                                   .volume = 1e6f};

/* A beam of nx x ny x ny cells held at one end. */
static void held_beam(scene *s, const taut_material *m, int nx, int ny)
{
    taut_mesh mesh;
    float side = (float)ny / (float)nx;
    scene_fail_unless(s, taut_mesh_beam(&mesh, nx, ny, ny, 1, side, side, &s->error));
    for (int v = 0; v < mesh.nvertices; v += nx + 1) scene_pin(s, &mesh, v);
    scene_add(s, &mesh, m);
}

static taut_material solid(taut_units units, taut_strain strain)
{
    taut_material m = units == TAUT_RATIO ? scene_ratio_material() : scene_physical_material();
    m.density = 1000;
    m.strain = strain;
    return m;
}

static void beam(scene *s)
{
    taut_material m = solid(TAUT_RATIO, jelly);
    held_beam(s, &m, 12, 3);
}

static void beam_physical(scene *s)
{
    taut_material m = solid(TAUT_PHYSICAL, rubber);
    held_beam(s, &m, 12, 3);
}

static void beam_raw(scene *s)
{
    taut_material m = solid(TAUT_RATIO, jelly);
    m.strain.stretch_form = TAUT_STRETCH_RAW;
    m.strain.shear_form = TAUT_SHEAR_RAW;
    m.strain.rest[0] = 1.1f;
    held_beam(s, &m, 10, 2);
}

static void beam_cosine(scene *s)
{
    taut_material m = solid(TAUT_PHYSICAL, rubber);
    m.strain.shear_form = TAUT_SHEAR_COSINE;
    m.strain.rest[1] = 0.9f;
    held_beam(s, &m, 10, 2);
}

static void beam_edges(scene *s)
{
    taut_material m = scene_physical_material();
    m.density = 1000;
    m.edge = 5e4f;
    m.strain.volume = 1e6f;
    held_beam(s, &m, 10, 2);
}

static void beam_large(scene *s)
{
    taut_material m = solid(TAUT_RATIO, jelly);
    scene_substeps(s, 4, 1);
    held_beam(s, &m, 60, 6);
}

/* A torus that falls on a tilted floor. */
static void falling_torus(scene *s, const taut_material *m)
{
    taut_mesh mesh;
    taut_collider_def floor = taut_default_collider_def();
    floor.a[1] = -0.12f;
    floor.normal[0] = 0.2f;
    scene_fail_unless(s, taut_mesh_torus(&mesh, 24, 2, 0.4f, 0.1f, &s->error));
    scene_add(s, &mesh, m);
    scene_add_collider(s, floor);
}

static void torus(scene *s)
{
    taut_material m = solid(TAUT_RATIO, jelly);
    falling_torus(s, &m);
}

static void torus_physical(scene *s)
{
    taut_material m = solid(TAUT_PHYSICAL, rubber);
    m.damping.volume = 5;
    falling_torus(s, &m);
}

static void chain(scene *s)
{
    taut_mesh mesh;
    taut_material m = scene_ratio_material();
    m.edge = 1;
    m.bend = (taut_bend){.model = TAUT_BEND_STICK, .stiffness = 0.3f};
    m.tether = 1;
    scene_fail_unless(s, taut_mesh_chain(&mesh, 50, 1, &s->error));
    scene_pin(s, &mesh, 0);
    scene_add(s, &mesh, &m);
}

static void chain_physical(scene *s)
{
    taut_mesh mesh;
    taut_material m = scene_physical_material();
    m.edge = 1000;
    m.bend = (taut_bend){.model = TAUT_BEND_TRIANGLE, .stiffness = 0.01f};
    scene_fail_unless(s, taut_mesh_chain(&mesh, 50, 1, &s->error));
    scene_pin(s, &mesh, 0);
    scene_pin(s, &mesh, 49);
    scene_add(s, &mesh, &m);
}

static void branch(scene *s)
{
    taut_mesh mesh;
    taut_material m = scene_ratio_material();
    m.edge = 1;
    m.bend = (taut_bend){.model = TAUT_BEND_TRIANGLE, .stiffness = 0.95f};
    scene_fail_unless(s, taut_mesh_branch(&mesh, 5, 4, 0.5f, &s->error));
    scene_pin(s, &mesh, 0);
    scene_pin(s, &mesh, 1);
    scene_add(s, &mesh, &m);
}

const scene_recipe solid_recipes[] = {
    {"beam", "a solid beam held at one end", beam},
    {"beam_physical", "the same in Pa", beam_physical},
    {"beam_raw", "raw stretch and shear of tets, a rest stretch", beam_raw},
    {"beam_cosine", "shear of tets by its cosine, in Pa", beam_cosine},
    {"beam_edges", "edges of tets and their volume", beam_edges},
    {"beam_large", "10800 tets: several parts", beam_large},
    {"torus", "a solid torus that falls on a slope", torus},
    {"torus_physical", "the same in Pa, with damped volume", torus_physical},
    {"chain", "a chain with stick bending and tethers", chain},
    {"chain_physical", "a chain between two pins, in N and N m^2", chain_physical},
    {"branch", "a plant of lines that sways", branch},
    {0},
};
