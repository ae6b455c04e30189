/* Scenes of elastic forces: alone, and with limits and levels on top. */
#include "scenes.h"

/* A shell, curved at rest, in the air; a ball inside it. */
static void elastic(scene *s)
{
    taut_mesh mesh;
    taut_material m = scene_ratio_material();
    taut_collider_def ball = taut_default_collider_def();
    ball.shape = TAUT_SPHERE;
    ball.a[1] = -0.5f;
    ball.radius = 0.2f;
    m.elastic = (taut_elastic){.young = 20, .poisson = 0.3f, .bend = 1e-3f, .damping = 2e-4f};
    m.drag = 1;
    m.lift = 0.5f;
    scene_substeps(s, 16, 1);
    scene_fail_unless(s, taut_mesh_tube(&mesh, 40, 30, 0.3f, 1, &s->error));
    scene_pin(s, &mesh, 0);
    scene_add(s, &mesh, &m);
    scene_add_collider(s, ball);
}

static void elastic_limits(scene *s)
{
    taut_mesh mesh;
    taut_material m = scene_ratio_material();
    m.elastic = (taut_elastic){.young = 20, .poisson = 0.3f, .bend = 1e-4f, .damping = 2e-4f};
    m.limit.stretch[0] = 0.9f;
    m.limit.stretch[1] = 1.1f;
    s->levels = 3;
    scene_substeps(s, 16, 1);
    scene_sheet(s, &mesh, 36);
    scene_add(s, &mesh, &m);
}

static void elastic_solid(scene *s)
{
    taut_mesh mesh;
    taut_material m = scene_ratio_material();
    taut_collider_def ground = taut_default_collider_def();
    ground.a[1] = -0.25f;
    m.density = 300;
    m.elastic = (taut_elastic){.young = 5e4f, .poisson = 0.3f, .damping = 3e-4f};
    scene_substeps(s, 24, 1);
    scene_fail_unless(s, taut_mesh_torus(&mesh, 24, 2, 0.3f, 0.12f, &s->error));
    scene_add(s, &mesh, &m);
    scene_add_collider(s, ground);
}

const scene_recipe elastic_recipes[] = {
    {"elastic", "an elastic tube that hangs in the air, around a ball", elastic},
    {"elastic_limits", "an elastic sheet within limits, with levels", elastic_limits},
    {"elastic_solid", "an elastic torus on the ground", elastic_solid},
    {NULL, NULL, NULL},
};
