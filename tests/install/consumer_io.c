/* A program of a user: runs the scene file that is named for ten frames. */
#include <stdio.h>
#include <taut_io.h>

int main(int argc, char **argv)
{
    taut_error error = {0};
    taut_scene *scene = argc == 2 ? taut_scene_load(argv[1], NULL, &error) : NULL;
    if (!scene) {
        fprintf(stderr, "%s\n", argc == 2 ? error.text : "usage: consumer_io SCENE");
        return 1;
    }
    float before = taut_body_positions(scene->world, scene->body[0].body, NULL)[1];
    bool good = true;
    for (int frame = 0; good && frame < 10; frame++) good = taut_scene_step(scene, &error);
    float after = taut_body_positions(scene->world, scene->body[0].body, NULL)[1];
    printf("%s: %g m to %g m\n", scene->body[0].name, (double)before, (double)after);
    if (!good) fprintf(stderr, "%s\n", error.text);
    taut_scene_free(scene);
    return good && after < before ? 0 : 1;
}
