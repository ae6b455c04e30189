/* taut demo: a sheet swings down onto a ball, from nothing to a file that a viewer can open. */
#define _POSIX_C_SOURCE 200809L

#include "arguments.h"
#include "commands.h"
#include "obj.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { VERTICES = 65, STEPS = 300 };

static const char *const COMMAND = "taut demo";

typedef struct demo {
    taut_mesh mesh;
    taut_model *model;
    taut_world *world;
    int body;
    double ms; /* of all steps */
    taut_error error;
} demo;

static bool demo_open(demo *d)
{
    *d = (demo){0};
    if (!taut_mesh_sheet(&d->mesh, VERTICES, VERTICES, 1, 1, &d->error)) return false;
    if (!taut_mesh_pin(&d->mesh, 0, &d->error)) return false;
    if (!taut_mesh_pin(&d->mesh, VERTICES - 1, &d->error)) return false;
    taut_body_def level = taut_default_body_def(); /* it starts lying in the air, behind the ball */
    level.rotation[0] = level.rotation[3] = 0.70710678f;
    taut_collider_def ball = taut_default_collider_def();
    ball.shape = TAUT_SPHERE;
    ball.a[1] = -0.55f;
    ball.radius = 0.25f;
    d->model = taut_model_build(&d->mesh, NULL, NULL, &d->error);
    d->world = d->model ? taut_world_create(NULL, &d->error) : NULL;
    d->body = d->world ? taut_world_add_body(d->world, d->model, &level, &d->error) : -1;
    return d->body >= 0 && taut_world_add_collider(d->world, &ball, &d->error) >= 0;
}

/* The corners come closer in the first second, so that the sheet falls into folds. */
static void move_corners(demo *d, int step)
{
    if (step > 60) return;
    for (int side = -1; side <= 1; side += 2) {
        const float target[3] = {(float)side * (0.5f - 0.1f * (float)step / 60), 0, 0};
        taut_body_pin(d->world, d->body, side < 0 ? 0 : VERTICES - 1, target, 1, NULL);
    }
}

static void demo_close(demo *d)
{
    taut_world_free(d->world);
    taut_model_free(d->model);
    taut_mesh_free(&d->mesh);
}

/* A bar that is drawn over itself on a terminal; a line every ten percent elsewhere. */
static void show_progress(int step, bool terminal)
{
    static const char full[] = "##############################";
    const int width = (int)sizeof full - 1;
    int percent = 100 * step / STEPS;
    if (terminal) {
        int filled = width * step / STEPS;
        printf("\r[%.*s%*s] %3d %%%s", filled, full, width - filled, "", percent,
               step == STEPS ? "\n" : "");
        fflush(stdout);
    } else if (step % (STEPS / 10) == 0) {
        printf("%3d %%\n", percent);
    }
}

static void simulate(demo *d)
{
    bool terminal = isatty(STDOUT_FILENO);
    for (int step = 1; step <= STEPS; step++) {
        move_corners(d, step);
        taut_world_step(d->world, 1.0f / 60);
        d->ms += taut_world_stats(d->world).ms_step;
        show_progress(step, terminal);
    }
}

/* How far the lowest vertex hangs below the corners. */
static double drop(const demo *d)
{
    const float *x = taut_body_positions(d->world, d->body, NULL);
    double lowest = 0;
    for (int v = 0; v < d->mesh.nvertices; v++)
        if ((double)x[3 * v + 1] < lowest) lowest = (double)x[3 * v + 1];
    return -lowest;
}

static void print_summary(const demo *d)
{
    taut_stats stats = taut_world_stats(d->world);
    int constraints = 0;
    for (int kind = 0; kind < taut_kind_count(); kind++)
        constraints += taut_model_constraints(d->model, kind);
    printf("\n");
    printf("vertices       %d\n", d->mesh.nvertices);
    printf("constraints    %d\n", constraints);
    printf("ms per step    %.2f\n", d->ms / STEPS);
    printf("worst stretch  %.2f %%\n", 100 * taut_body_worst_stretch(d->world, d->body));
    printf("hangs down     %.3f m\n", drop(d));
    printf("contacts       %d\n", stats.contacts);
    printf("threads        %d\n", stats.threads);
    printf("simd           %s\n", stats.simd);
    printf("hash           %016" PRIx64 "\n\n", taut_world_hash(d->world));
}

static int run(demo *d, const char *folder)
{
    char path[PATH_MAX];
    int length = snprintf(path, sizeof path, "%s/demo.obj", folder);
    if (length < 0 || (size_t)length >= sizeof path)
        return fail(COMMAND, "cannot make the folder '%s': %s", folder, strerror(ENAMETOOLONG));
    if (!folder_make(folder))
        return fail(COMMAND, "cannot make the folder '%s': %s", folder, strerror(errno));
    if (!demo_open(d)) return fail(COMMAND, "%s", d->error.text);
    printf("a sheet of 1 m x 1 m, held at two corners, swings down onto a ball: %d steps of 1/60 s\n", STEPS);
    simulate(d);
    print_summary(d);
    if (!obj_write(path, &d->mesh, taut_body_positions(d->world, d->body, NULL)))
        return fail(COMMAND, "cannot write '%s': %s", path, strerror(errno));
    printf("wrote %s\n", path);
    return 0;
}

int command_demo(int argc, char **argv)
{
    const char *folder = "out";
    const option options[] = {
        {.name = "--out",
         .value = "DIR",
         .help = "the folder to write to (out); made if it is not there",
         .text = &folder},
        {0},
    };
    const syntax s = {
        .command = COMMAND,
        .about = "Holds a sheet by two corners, lets it swing down onto a ball for five seconds of "
                 "simulated time, prints\n"
                 "what came of it and writes the last frame to DIR/demo.obj.",
        .example = "taut demo --out out",
        .options = options,
    };
    int code = arguments_read(&s, argc, argv);
    if (code != ARGUMENTS_READ) return code;
    demo d = {0};
    code = run(&d, folder);
    demo_close(&d);
    return code;
}
