/* Scenes of bending: each model, as a ratio and as a rigidity. */
#include "scenes.h"

static taut_material stiff(taut_bend bend)
{
    taut_material m = scene_ratio_material();
    m.strain = (taut_strain){.xx = 1, .yy = 1, .xy = 0.5f, .rest = {1, 1, 1}};
    m.bend = bend;
    return m;
}

static taut_material stiff_physical(taut_bend bend)
{
    taut_material m = scene_physical_material();
    m.strain = (taut_strain){.xx = 3000, .yy = 3000, .xy = 500, .rest = {1, 1, 1}};
    m.bend = bend;
    return m;
}

/* A square held along its upper edge and lying flat: it bends down under its own weight. */
static void shelf(scene *s, taut_material m)
{
    enum { SIDE = 14 };
    taut_mesh mesh;
    scene_fail_unless(s, taut_mesh_sheet(&mesh, SIDE, SIDE, 0.5f, 0.5f, &s->error));
    for (int v = 0; v < mesh.nvertices; v++) { /* from the x-y to the x-z plane */
        mesh.x[3 * v + 2] = -mesh.x[3 * v + 1];
        mesh.x[3 * v + 1] = 0;
    }
    for (int i = 0; i < 2 * SIDE; i++) scene_pin(s, &mesh, i);
    scene_add(s, &mesh, &m);
}

/* A tube held at one end: a curved rest state. */
static void pipe(scene *s, taut_material m)
{
    enum { AROUND = 12 };
    taut_mesh mesh;
    scene_fail_unless(s, taut_mesh_tube(&mesh, AROUND, 20, 0.1f, 0.6f, &s->error));
    for (int i = 0; i < AROUND; i++) scene_pin(s, &mesh, i);
    scene_add(s, &mesh, &m);
}

/* A shell that falls on a floor. */
static void ball(scene *s, taut_material m)
{
    taut_mesh mesh;
    taut_collider_def floor = taut_default_collider_def();
    floor.a[1] = -0.32f;
    scene_fail_unless(s, taut_mesh_sphere(&mesh, 2, 0.3f, &s->error));
    scene_add(s, &mesh, &m);
    scene_add_collider(s, floor);
}

static void dihedral(scene *s)
{
    shelf(s, stiff((taut_bend){.model = TAUT_BEND_DIHEDRAL, .stiffness = 0.5f}));
}

static void dihedral_physical(scene *s)
{
    ball(s, stiff_physical((taut_bend){.model = TAUT_BEND_DIHEDRAL, .stiffness = 0.01f}));
}

static void isometric(scene *s)
{
    shelf(s, stiff((taut_bend){.model = TAUT_BEND_ISOMETRIC, .stiffness = 0.5f}));
}

static void isometric_flat(scene *s)
{
    pipe(s, stiff((taut_bend){.model = TAUT_BEND_ISOMETRIC, .stiffness = 0.1f, .flat = true}));
}

static void isometric_curved(scene *s)
{
    ball(s, stiff((taut_bend){.model = TAUT_BEND_ISOMETRIC, .stiffness = 0.6f}));
}

static void isometric_curved_physical(scene *s)
{
    pipe(s, stiff_physical((taut_bend){.model = TAUT_BEND_ISOMETRIC, .stiffness = 0.02f}));
}

static taut_bend triangle(taut_bend_mode mode, float stiffness, float kappa)
{
    return (taut_bend){
        .model = TAUT_BEND_TRIANGLE, .stiffness = stiffness, .kappa = kappa, .mode = mode};
}

static void triangle_bend(scene *s) { pipe(s, stiff(triangle(TAUT_BEND_EQUAL, 0.5f, 0))); }

static void triangle_bend_physical(scene *s)
{
    shelf(s, stiff_physical(triangle(TAUT_BEND_EQUAL, 0.01f, 0)));
}

static void triangle_bend_at_most(scene *s)
{
    shelf(s, stiff(triangle(TAUT_BEND_AT_MOST, 0.9f, 0.002f)));
}

static void triangle_bend_at_least(scene *s)
{
    ball(s, stiff(triangle(TAUT_BEND_AT_LEAST, 0.7f, 0)));
}

static void triangle_bend_sided(scene *s)
{
    taut_bend bend = triangle(TAUT_BEND_EQUAL, 0.6f, 0.001f);
    bend.sided = true;
    ball(s, stiff(bend));
}

static void triangle_bend_sided_physical(scene *s)
{
    taut_bend bend = triangle(TAUT_BEND_AT_MOST, 0.02f, 0);
    bend.sided = true;
    pipe(s, stiff_physical(bend));
}

static void midpoint_bend(scene *s)
{
    taut_bend bend = triangle(TAUT_BEND_EQUAL, 0.5f, 0);
    bend.creation = TAUT_BEND_MIDPOINT;
    ball(s, stiff(bend));
}

static void midpoint_bend_sided(scene *s)
{
    taut_bend bend = triangle(TAUT_BEND_AT_LEAST, 0.5f, 0);
    bend.creation = TAUT_BEND_MIDPOINT;
    bend.sided = true;
    ball(s, stiff(bend));
}

static void midpoint_bend_physical(scene *s)
{
    taut_bend bend = triangle(TAUT_BEND_EQUAL, 0.01f, 0);
    bend.creation = TAUT_BEND_MIDPOINT;
    shelf(s, stiff_physical(bend));
}

const scene_recipe bending_recipes[] = {
    {"dihedral", "angles of a flat sheet, as a ratio", dihedral},
    {"dihedral_physical", "angles of a sphere, in N m", dihedral_physical},
    {"isometric", "quadratic bending of a flat sheet", isometric},
    {"isometric_flat", "a tube that would rather be flat", isometric_flat},
    {"isometric_curved", "quadratic bending of a sphere", isometric_curved},
    {"isometric_curved_physical", "the same of a tube, in N m", isometric_curved_physical},
    {"triangle_bend", "triangle bending of a tube", triangle_bend},
    {"triangle_bend_physical", "triangle bending of a sheet, in N m", triangle_bend_physical},
    {"triangle_bend_at_most", "no more curved than its slack allows", triangle_bend_at_most},
    {"triangle_bend_at_least", "no flatter than at rest", triangle_bend_at_least},
    {"triangle_bend_sided", "a fold up is not a fold down", triangle_bend_sided},
    {"triangle_bend_sided_physical", "the same as an upper limit, in N m",
     triangle_bend_sided_physical},
    {"midpoint_bend", "triangle bending over edges", midpoint_bend},
    {"midpoint_bend_sided", "the same with sides, as a lower limit", midpoint_bend_sided},
    {"midpoint_bend_physical", "the same in N m", midpoint_bend_physical},
    {0},
};
