/* A sheet of cloth, held level by two corners, falls over a ball. */
#include <stdio.h>
#include <taut.h>

static int fail(const taut_error *error)
{
    fprintf(stderr, "%s\n", error->text);
    return 1;
}

int main(void)
{
    taut_error error;
    taut_mesh mesh;
    if (!taut_mesh_sheet(&mesh, 33, 33, 1.0f, 1.0f, &error)) return fail(&error);
    if (!taut_mesh_pin(&mesh, 0, &error) || !taut_mesh_pin(&mesh, 32, &error)) return fail(&error);

    taut_material cloth;
    if (!taut_preset_material("cotton", &cloth)) return 1;
    cloth.density = 0.3f; /* a heavier one */
    taut_model *model = taut_model_build(&mesh, &cloth, NULL, &error);
    taut_mesh_free(&mesh);
    if (!model) return fail(&error);

    taut_world *world = taut_world_create(NULL, &error);
    if (!world) return fail(&error);
    taut_body_def level = taut_default_body_def();
    level.rotation[0] = -0.7071068f; /* a quarter turn about x */
    level.rotation[3] = 0.7071068f;
    int sheet = taut_world_add_body(world, model, &level, &error);
    if (sheet < 0) return fail(&error);

    taut_collider_def ball = taut_default_collider_def();
    ball.shape = TAUT_SPHERE;
    ball.a[1] = -0.4f;
    ball.a[2] = 0.4f;
    ball.radius = 0.2f;
    if (taut_world_add_collider(world, &ball, &error) < 0) return fail(&error);

    for (int frame = 0; frame < 180; frame++) taut_world_step(world, 1.0f / 60.0f);

    const float *lowest = taut_body_positions(world, sheet, NULL) + 3 * (32 * 33 + 16);
    printf("middle of the lower edge: %.3f %.3f %.3f\n", lowest[0], lowest[1], lowest[2]);
    printf("largest change of an edge: %.2f %%\n", 100 * taut_body_worst_stretch(world, sheet));

    taut_world_free(world);
    taut_model_free(model);
    return 0;
}
