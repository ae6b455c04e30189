/* Scenes with influences from outside: colliders, pins, damping, changes while running. */
#include "scenes.h"

static const int BODY = 0; /* these scenes have one */

/* Goes evenly from 0 to 1 and back in `period` steps, because a sine would need libm. */
static float to_and_fro(int step, int period)
{
    int half = period / 2, at = step % period;
    return (float)(at < half ? at : period - at) / (float)half;
}

/* A sheet that lies 5 cm above y = 0, centred on the y axis. */
static void falling_sheet(scene *s, const taut_material *m, int n)
{
    taut_mesh mesh;
    scene_fail_unless(s, taut_mesh_sheet(&mesh, n, n, 1, 1, &s->error));
    for (int v = 0; v < mesh.nvertices; v++) {
        mesh.x[3 * v + 2] = -mesh.x[3 * v + 1] - 0.5f;
        mesh.x[3 * v + 1] = 0.05f;
    }
    scene_add(s, &mesh, m);
}

static void move_collider(scene *s, int i)
{
    if (!s->failed)
        scene_fail_unless(
            s, taut_collider_move(s->world, s->collider[i], &s->collider_def[i], &s->error));
}

static void lift_floor(scene *s, int step)
{
    taut_collider_def *floor = &s->collider_def[0];
    floor->a[1] = 0.1f * to_and_fro(step, 30) - 0.1f;
    floor->normal[0] = 0.3f * to_and_fro(step, 20);
    move_collider(s, 0);
}

static void plane(scene *s)
{
    taut_material m = taut_default_material();
    taut_collider_def floor = taut_default_collider_def();
    floor.a[1] = -0.1f;
    floor.friction = 0.8f;
    falling_sheet(s, &m, 14);
    scene_add_collider(s, floor);
    s->move = lift_floor;
}

static void push_sphere(scene *s, int step)
{
    s->collider_def[0].a[0] = 0.2f * to_and_fro(step, 24);
    s->collider_def[0].radius = 0.25f + 0.05f * to_and_fro(step, 16);
    move_collider(s, 0);
}

static void sphere(scene *s)
{
    taut_material m = taut_default_material();
    taut_collider_def ball = taut_default_collider_def();
    ball.shape = TAUT_SPHERE;
    ball.a[1] = -0.25f;
    ball.radius = 0.25f;
    ball.friction = 0.6f;
    ball.spin[0] = 1;
    ball.spin[1] = 8;
    falling_sheet(s, &m, 20);
    scene_add_collider(s, ball);
    s->move = push_sphere;
}

static void sweep_capsule(scene *s, int step)
{
    taut_collider_def *rod = &s->collider_def[0];
    rod->a[2] = 0.3f * to_and_fro(step, 24);
    rod->b[1] = 0.1f * to_and_fro(step, 18) - 0.1f;
    move_collider(s, 0);
}

static void capsule(scene *s)
{
    taut_material m = taut_default_material();
    taut_collider_def rod = taut_default_collider_def(), ball = rod;
    rod.shape = TAUT_CAPSULE;
    rod.a[0] = -0.4f;
    rod.a[1] = rod.b[1] = -0.1f;
    rod.b[0] = 0.4f;
    rod.radius = 0.1f;
    rod.spin[0] = 12;
    ball.shape = TAUT_SPHERE;
    ball.a[1] = -0.4f;
    ball.radius = 0.3f;
    falling_sheet(s, &m, 20);
    scene_add_collider(s, rod);
    scene_add_collider(s, ball);
    s->move = sweep_capsule;
}

static void set_pin(scene *s, int vertex, float x, float y, float z, float stiffness)
{
    const float target[3] = {x, y, z};
    if (!s->failed)
        scene_fail_unless(s, taut_body_pin(s->world, BODY, vertex, target, stiffness, &s->error));
}

static void carry(scene *s, int step)
{
    float t = to_and_fro(step, 28);
    set_pin(s, 0, -0.5f + 0.3f * t, 0.1f * t, 0.2f * t, 1);
    set_pin(s, 15, 0.5f, 0, -0.3f * t, 0.4f);
    if (step == 12 && !s->failed)
        scene_fail_unless(s, taut_body_unpin(s->world, BODY, 7, &s->error));
}

static void pins(scene *s)
{
    enum { SIDE = 16 };
    taut_mesh mesh;
    taut_material m = taut_default_material();
    scene_fail_unless(s, taut_mesh_sheet(&mesh, SIDE, SIDE, 1, 1, &s->error));
    scene_pin(s, &mesh, 0);
    scene_add(s, &mesh, &m);
    set_pin(s, 7, 0, 0.05f, 0, 1);
    if (!s->failed)
        scene_fail_unless(s, taut_body_set_mass(s->world, BODY, SIDE * SIDE - 1, 0.02f, &s->error));
    s->move = carry;
}

static void damping(scene *s)
{
    taut_mesh mesh;
    taut_material m = taut_default_material();
    m.edge = 0.5f;
    m.strain.area = 0.3f;
    m.damping =
        (taut_damping){.global = 1, .edge = 20, .stretch = 30, .shear = 10, .area = 15, .bend = 40};
    scene_sheet(s, &mesh, 16);
    scene_add(s, &mesh, &m);
}

static void damping_dihedral(scene *s)
{
    taut_mesh mesh;
    taut_material m = scene_physical_material();
    m.strain = (taut_strain){.xx = 1000, .yy = 1000, .xy = 200, .rest = {1, 1, 1}};
    m.bend = (taut_bend){.model = TAUT_BEND_DIHEDRAL, .stiffness = 0.01f};
    m.damping = (taut_damping){.stretch = 5, .shear = 5, .bend = 50};
    scene_fail_unless(s, taut_mesh_tube(&mesh, 12, 16, 0.15f, 0.6f, &s->error));
    for (int i = 0; i < 12; i++) scene_pin(s, &mesh, i);
    scene_add(s, &mesh, &m);
}

static void soften(scene *s, int step)
{
    if (step % 6 != 3 || s->failed) return;
    taut_material m = *taut_body_material(s->world, BODY);
    m.strain.xx = 0.9f * m.strain.xx;
    m.bend.stiffness = 0.5f * m.bend.stiffness;
    m.damping.stretch += 1;
    scene_fail_unless(s, taut_body_set_material(s->world, BODY, &m, &s->error));
}

static void new_material(scene *s)
{
    taut_mesh mesh;
    taut_material m = taut_default_material();
    scene_sheet(s, &mesh, 14);
    scene_add(s, &mesh, &m);
    s->move = soften;
}

const scene_recipe motion_recipes[] = {
    {"plane", "a sheet on a floor that rises and tilts", plane},
    {"sphere", "a sheet on a sphere that moves, grows and spins", sphere},
    {"capsule", "a sheet on a spinning capsule and a sphere", capsule},
    {"pins", "moving, soft and released pins, a heavy vertex", pins},
    {"damping", "every mode of a sheet damped", damping},
    {"damping_dihedral", "damped angles of a tube, in N m", damping_dihedral},
    {"new_material", "a material that changes while running", new_material},
    {0},
};
