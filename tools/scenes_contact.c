/* Scenes of bodies that touch themselves and each other, that are attached, or that are filled with gas. Bodies begin
 * within the thickness of each other, so that contact acts within a few steps. */
#include "scenes.h"

#include <stdlib.h>
#include <string.h>

static taut_material fabric(scene *s, const char *preset, taut_contact contact)
{
    taut_material m;
    scene_fail_unless(s, taut_preset_material(preset, &m));
    m.contact = contact;
    m.thickness = 0.01f;
    return m;
}

static taut_material jelly(taut_contact contact)
{
    taut_material m = scene_ratio_material();
    m.density = 300;
    m.strain = (taut_strain){.xx = 0.8f, .yy = 0.8f, .zz = 0.8f, .xy = 0.4f, .yz = 0.4f, .xz = 0.4f, .rest = {1, 1, 1}};
    m.strain.volume = 0.9f;
    m.contact = contact;
    m.thickness = 0.01f;
    return m;
}

/* A level sheet of 1 m x 1 m. Returns its model. */
static const taut_model *lay_sheet(scene *s, const taut_material *m, int n, float height)
{
    taut_mesh mesh;
    scene_fail_unless(s, taut_mesh_sheet(&mesh, n, n, 1, 1, &s->error));
    for (int v = 0; v < mesh.nvertices; v++) {
        mesh.x[3 * v + 2] = -mesh.x[3 * v + 1] - 0.5f;
        mesh.x[3 * v + 1] = height;
    }
    return scene_add(s, &mesh, m);
}

static void add_floor(scene *s, float height)
{
    taut_collider_def floor = taut_default_collider_def();
    floor.a[1] = height;
    scene_add_collider(s, floor);
}

static void add_ball(scene *s, float height, float radius)
{
    taut_collider_def ball = taut_default_collider_def();
    ball.shape = TAUT_SPHERE;
    ball.a[1] = height;
    ball.radius = radius;
    scene_add_collider(s, ball);
}

/* The place of a point on a strip of cloth that is folded to and fro. `along` is its way along the strip. The layers
 * are `length` long and `gap` above each other. The folds rise evenly over the last tenth of a layer. */
static void folded(float along, float length, float gap, float place[2])
{
    int layer = (int)(along / length);
    float in = along / length - (float)layer, turn = in > 0.9f ? (in - 0.9f) * 10 : 0;
    place[0] = (layer % 2 ? 1 - in : in) * length;
    place[1] = gap * ((float)layer + turn);
}

/* Folds the body across z, which runs from -1/2 to 1/2 in it. */
static void fold(scene *s, int body, int layers)
{
    int n;
    const float *x = s->failed ? NULL : taut_body_positions(s->world, body, &n);
    float *xyz = x ? malloc(3 * (size_t)n * sizeof *xyz) : NULL;
    scene_fail_unless(s, xyz);
    if (!xyz) return;
    memcpy(xyz, x, 3 * (size_t)n * sizeof *xyz);
    for (int v = 0; v < n; v++) {
        float place[2];
        folded(xyz[3 * v + 2] + 0.5f, 1 / (float)layers, 0.012f, place);
        xyz[3 * v + 2] = place[0];
        xyz[3 * v + 1] += place[1];
    }
    scene_fail_unless(s, taut_body_set_positions(s->world, body, xyz, &s->error));
    free(xyz);
}

static void contact_fold(scene *s)
{
    taut_material m = fabric(s, "cotton", TAUT_CONTACT_STRICT);
    lay_sheet(s, &m, 18, 0.02f);
    fold(s, 0, 3);
    add_floor(s, 0);
}

static void contact_fold_counted(scene *s)
{
    taut_material m = taut_default_material();
    m.contact = TAUT_CONTACT_STRICT;
    m.thickness = 0.01f;
    lay_sheet(s, &m, 18, 0.02f);
    fold(s, 0, 4);
    add_floor(s, 0);
}

/* A body of several parts. */
static void contact_fold_large(scene *s)
{
    taut_material m = taut_default_material();
    m.contact = TAUT_CONTACT_STRICT;
    m.thickness = 0.01f;
    scene_substeps(s, 4, 1);
    lay_sheet(s, &m, 34, 0.02f);
    fold(s, 0, 4);
    add_ball(s, -0.2f, 0.2f);
}

/* Throws a whole body down at this speed, m/s. */
static void throw_down(scene *s, int body, float speed)
{
    int n;
    const float *v = s->failed ? NULL : taut_body_velocities(s->world, body, &n);
    float *down = v ? calloc(3 * (size_t)n, sizeof *down) : NULL;
    scene_fail_unless(s, down);
    for (int i = 0; down && i < n; i++) down[3 * i + 1] = -speed;
    if (down) scene_fail_unless(s, taut_body_set_velocities(s->world, body, down, &s->error));
    free(down);
}

/* Two sheets that fall on a ball. */
static void two_sheets(scene *s, taut_contact contact)
{
    taut_material lower = fabric(s, "cotton", contact), upper = fabric(s, "denim", contact);
    lower.contact_friction = 0.2f;
    lay_sheet(s, &lower, 14, 0.01f);
    lay_sheet(s, &upper, 12, 0.025f);
    add_ball(s, -0.25f, 0.25f);
}

static void contact_fast(scene *s) { two_sheets(s, TAUT_CONTACT_FAST); }

/* The sheet is so fast that motion has to be taken back. */
static void contact_strict(scene *s)
{
    two_sheets(s, TAUT_CONTACT_STRICT);
    throw_down(s, 1, 40);
}

/* A sheet solved by quality between two solids solved by counts: one island with substeps of both kinds. */
static void contact_solid(scene *s)
{
    taut_mesh mesh;
    taut_material soft = jelly(TAUT_CONTACT_STRICT), cloth = fabric(s, "silk", TAUT_CONTACT_FAST);
    scene_fail_unless(s, taut_mesh_torus(&mesh, 16, 1, 0.3f, 0.08f, &s->error));
    const taut_model *ring = scene_add(s, &mesh, &soft);
    lay_sheet(s, &cloth, 14, 0.085f);
    scene_add_at(s, ring, 0.1f, 0.18f, 0);
    add_floor(s, -0.085f);
}

/* ---- Attachments ---- */

static int attach(scene *s, taut_attachment_def def)
{
    int id = s->failed ? -1 : taut_world_attach(s->world, &def, &s->error);
    scene_fail_unless(s, id >= 0);
    return id;
}

static void carry_box(scene *s, int step)
{
    taut_collider_def *box = &s->collider_def[0];
    float t = (float)(step % 20) / 20;
    box->a[0] = 0.1f * t;
    box->a[1] = 0.2f + 0.1f * t;
    box->rotation[2] = 0.28f; /* together with 0.96 a unit quaternion */
    box->rotation[3] = 0.96f;
    if (!s->failed) scene_fail_unless(s, taut_collider_move(s->world, s->collider[0], box, &s->error));
}

/* A sheet hangs from a box that moves and turns, a second one from the seam with the first, with a leash between their
 * middles, and a weight on a thread that breaks. */
static void hang(scene *s, const taut_material *m)
{
    enum { SIDE = 12 };
    taut_mesh mesh;
    scene_fail_unless(s, taut_mesh_sheet(&mesh, SIDE, SIDE, 0.6f, 0.6f, &s->error));
    const taut_model *sheet = scene_add(s, &mesh, m);
    scene_add_at(s, sheet, 0, -0.61f, 0);
    taut_collider_def box = taut_default_collider_def();
    box.shape = TAUT_BOX;
    box.a[1] = 0.2f;
    box.size[0] = 0.6f, box.size[1] = box.size[2] = 0.2f;
    scene_add_collider(s, box);
    taut_attachment_def def = taut_default_attachment_def();
    def.collider = s->failed ? -1 : s->collider[0];
    for (def.vertex = 0; def.vertex < SIDE; def.vertex += SIDE - 1) attach(s, def);
    def.collider = -1;
    def.body = 1;
    def.other = 0;
    for (int i = 0; i < SIDE; i += 2) {
        def.vertex = i;
        def.corner[0] = SIDE * (SIDE - 1) + i;
        attach(s, def);
    }
    def.vertex = SIDE * SIDE / 2, def.corner[0] = SIDE * SIDE / 2;
    def.slack = 0.55f;
    attach(s, def);
    def.vertex = SIDE * SIDE - 1, def.corner[0] = SIDE * SIDE - 1;
    def.slack = 0, def.strength = 1e-3f;
    attach(s, def);
    s->move = carry_box;
}

static void attached(scene *s)
{
    taut_material m = fabric(s, "cotton", TAUT_CONTACT_STRICT);
    hang(s, &m);
}

static void attached_counted(scene *s)
{
    taut_material m = taut_default_material();
    hang(s, &m);
}

/* ---- Gas ---- */

static void press_hull(scene *s, int step)
{
    taut_collider_def *hull = &s->collider_def[0];
    hull->a[1] = -0.45f + 0.002f * (float)step;
    if (!s->failed) scene_fail_unless(s, taut_collider_move(s->world, s->collider[0], hull, &s->error));
}

/* A ball of cloth full of gas that lies on a pyramid. */
static void on_a_hull(scene *s, const taut_material *m)
{
    static float corner[] = {-0.5f, 0, -0.5f, 0.5f, 0, -0.5f, 0.5f, 0, 0.5f, -0.5f, 0, 0.5f, 0.1f, 0.25f, 0};
    taut_mesh ball, points = {.nvertices = 5, .x = corner};
    taut_collider_def hull = taut_default_collider_def();
    scene_fail_unless(s, taut_mesh_sphere(&ball, 2, 0.2f, &s->error));
    scene_add(s, &ball, m);
    hull.shape = TAUT_HULL;
    hull.a[1] = -0.45f;
    hull.mesh = &points;
    scene_add_collider(s, hull);
    s->collider_def[0].mesh = NULL;
    s->move = press_hull;
}

static void gas(scene *s)
{
    taut_material m = fabric(s, "cotton", TAUT_CONTACT_STRICT);
    m.gas = (taut_gas){.pressure = 50, .volume = 1.1f, .stiffness = 500};
    on_a_hull(s, &m);
}

static void gas_counted(scene *s)
{
    taut_material m = taut_default_material();
    m.contact = TAUT_CONTACT_FAST;
    m.gas = (taut_gas){.pressure = 50, .volume = 1.1f, .stiffness = 500};
    on_a_hull(s, &m);
}

const scene_recipe contact_recipes[] = {
    {"contact_fold", "a sheet in three layers on a floor, which may not pass through each other", contact_fold},
    {"contact_fold_counted", "the same in four layers, in ratio units", contact_fold_counted},
    {"contact_fold_large", "1156 vertices in four layers on a ball: several parts", contact_fold_large},
    {"contact_fast", "two sheets on a ball that push each other apart", contact_fast},
    {"contact_strict", "a sheet thrown at another that lies on a ball", contact_strict},
    {"contact_solid", "a sheet between two rings of jelly", contact_solid},
    {"attached", "two sheets with a seam and a leash hang from a box that turns", attached},
    {"attached_counted", "the same in ratio units", attached_counted},
    {"gas", "a ball full of gas on a hull that rises", gas},
    {"gas_counted", "the same in ratio units", gas_counted},
    {0},
};
