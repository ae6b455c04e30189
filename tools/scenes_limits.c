/* Scenes of hard limits, with every way of enforcing them, and of the levels on which they are enforced. */
#include "scenes.h"

static void limited_sheet(scene *s, const taut_material *material, int n)
{
    taut_mesh mesh;
    taut_collider_def ball = taut_default_collider_def();
    ball.shape = TAUT_SPHERE;
    ball.a[1] = -0.6f;
    ball.a[2] = 0.15f;
    ball.radius = 0.2f;
    s->levels = 3;
    scene_substeps(s, 2, 1);
    scene_sheet(s, &mesh, n);
    scene_add(s, &mesh, material);
    scene_add_collider(s, ball);
}

static taut_material tight(taut_enforcement enforcement)
{
    taut_material m = scene_ratio_material();
    m.bend = (taut_bend){.model = TAUT_BEND_ISOMETRIC, .stiffness = 0.05f};
    m.limit.stretch[0] = 0.9f;
    m.limit.stretch[1] = 1.02f;
    m.limit.enforcement = enforcement;
    return m;
}

static void limits(scene *s)
{
    taut_material m = tight(TAUT_WINDOWED);
    limited_sheet(s, &m, 40);
}

static void limits_random(scene *s)
{
    taut_material m = tight(TAUT_RANDOM);
    limited_sheet(s, &m, 30);
}

static void limits_jacobi(scene *s)
{
    taut_material m = tight(TAUT_JACOBI);
    limited_sheet(s, &m, 30);
}

static void limits_axes(scene *s)
{
    taut_material m = scene_ratio_material();
    m.strain.xy = 0.2f;
    m.limit.axis[0][0] = 0.95f;
    m.limit.axis[0][1] = 1;
    m.limit.axis[1][1] = 1.2f;
    m.limit.threshold = 0.01f;
    limited_sheet(s, &m, 30);
}

static void limits_edge(scene *s)
{
    taut_material m = scene_ratio_material();
    m.strain.xx = m.strain.yy = m.strain.xy = 0;
    m.limit.edge[0] = 0.9f;
    m.limit.edge[1] = 1.1f;
    limited_sheet(s, &m, 25);
}

static void limits_bend(scene *s)
{
    taut_material m = taut_default_material();
    m.bend = (taut_bend){.model = TAUT_BEND_NONE};
    m.limit.bend[0] = -2;
    m.limit.bend[1] = 2;
    limited_sheet(s, &m, 20);
}

/* This scene is small, because it is trained every time. */
static void limits_trained(scene *s)
{
    taut_material m = tight(TAUT_WINDOWED);
    taut_mesh mesh;
    m.limit.stretch[0] = 0.95f;
    m.limit.bend[0] = -2;
    m.limit.bend[1] = 2;
    s->levels = 1;
    s->trained = true;
    scene_sheet(s, &mesh, 7);
    scene_add(s, &mesh, &m);
}

/* Soft cubes of tets on the ground: one limited in all directions, one along its axes. */
static void limits_solid(scene *s)
{
    taut_mesh cube, bar;
    taut_collider_def ground = taut_default_collider_def();
    taut_material m = scene_ratio_material();
    ground.a[1] = -0.5f;
    scene_substeps(s, 4, 1);
    m.density = 1000;
    m.limit.stretch[0] = 0.9f;
    m.limit.stretch[1] = 1.1f;
    scene_fail_unless(s, taut_mesh_beam(&cube, 6, 6, 6, 0.3f, 0.3f, 0.3f, &s->error));
    scene_add(s, &cube, &m);
    m.limit.stretch[0] = 0;
    m.limit.stretch[1] = 2;
    m.limit.axis[0][0] = 0.95f;
    m.limit.axis[0][1] = 1.05f;
    m.limit.axis[1][0] = 0.5f;
    scene_fail_unless(s, taut_mesh_beam(&bar, 8, 2, 2, 0.8f, 0.1f, 0.1f, &s->error));
    scene_pin(s, &bar, 0);
    scene_add(s, &bar, &m);
    scene_add_collider(s, ground);
}

/* A soft beam that sticks out of a wall, held by lattices around it. */
static void levels_solid(scene *s)
{
    taut_mesh beam;
    taut_material m = scene_ratio_material();
    taut_strain *strain = &m.strain;
    strain->xx = strain->yy = strain->zz = strain->xy = strain->yz = strain->xz = strain->volume = 0.1f;
    m.density = 500;
    m.limit.stretch[0] = 0.9f;
    m.limit.stretch[1] = 1.1f;
    s->levels = 2;
    scene_substeps(s, 2, 1);
    scene_fail_unless(s, taut_mesh_beam(&beam, 16, 6, 6, 1.6f, 0.6f, 0.6f, &s->error));
    for (int v = 0; v < 49; v++) scene_pin(s, &beam, v);
    scene_add(s, &beam, &m);
}

/* Ordinary cloth without tethers: its coarser levels carry the load. */
static void levels(scene *s)
{
    taut_material m = scene_ratio_material();
    taut_mesh mesh;
    m.edge = 1;
    m.bend = (taut_bend){.model = TAUT_BEND_ISOMETRIC, .stiffness = 0.05f};
    s->levels = TAUT_LEVELS_AUTO;
    scene_substeps(s, 2, 2);
    scene_sheet(s, &mesh, 60);
    scene_add(s, &mesh, &m);
}

const scene_recipe limit_recipes[] = {
    {"limits", "a sheet on a ball, principal stretches limited, three levels", limits},
    {"limits_random", "the same, blocks in random order", limits_random},
    {"limits_jacobi", "the same, all at once and averaged", limits_jacobi},
    {"limits_axes", "a sheet limited along its axes, with a threshold", limits_axes},
    {"limits_edge", "a sheet of springs that are limited", limits_edge},
    {"limits_bend", "a sheet whose hinges bend only so far", limits_bend},
    {"limits_trained", "a sheet that bends only so far, its coarser level trained", limits_trained},
    {"limits_solid", "solids limited in all directions and along their axes", limits_solid},
    {"levels_solid", "a soft beam held by lattices around it", levels_solid},
    {"levels", "stiff edges held up by coarser levels", levels},
    {NULL, NULL, NULL},
};
