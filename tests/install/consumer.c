/* A program of a user: a flag held at one corner falls. It uses nothing but the installed library. */
#include <stdio.h>
#include <taut.h>

static int fail(const char *what, const taut_error *error)
{
    fprintf(stderr, "%s: %s\n", what, error->text);
    return 1;
}

int main(void)
{
    taut_error error = {0};
    taut_mesh mesh;
    if (!taut_mesh_sheet(&mesh, 9, 9, 1.0f, 1.0f, &error)) return fail("mesh", &error);
    taut_model *model = taut_model_build(&mesh, NULL, NULL, &error);
    taut_mesh_free(&mesh);
    if (!model) return fail("model", &error);
    taut_world *world = taut_world_create(NULL, &error);
    if (!world) return fail("world", &error);
    int flag = taut_world_add_body(world, model, NULL, &error);
    if (flag < 0) return fail("body", &error);
    if (!taut_body_pin(world, flag, 0, NULL, 1.0f, &error)) return fail("pin", &error);
    for (int frame = 0; frame < 30; frame++) taut_world_step(world, 1.0f / 60.0f);

    int count = 0;
    const float *xyz = taut_body_positions(world, flag, &count);
    /* The vertex was pinned at its place, which is off the plane by the imperfection: a thousandth of an edge at
     * most. */
    bool pinned_stayed = xyz[0] == -0.5f && xyz[1] == 0.0f && xyz[2] < 0.000126f && xyz[2] > -0.000126f;
    bool other_corner_fell = xyz[3 * 8 + 1] < -0.1f;
    printf("%d vertices, corner at y = %g\n", count, (double)xyz[3 * 8 + 1]);
    taut_world_free(world);
    taut_model_free(model);
    return count == 81 && pinned_stayed && other_corner_fell ? 0 : 1;
}
