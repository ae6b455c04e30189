/* Bodies as large as those of MRSL's Table 1, under gravity and their limits and nothing else, at 1/30 s a step. They
 * hang by a few vertices so that their limits are violated all the time. As in the paper iterations end early where no
 * more than a small violation is left: 0.1 %, the least that it reports. Shapes are our own: what they cost does not
 * depend on whether they look like a dragon. */
#define _POSIX_C_SOURCE 200809L

#include "table.h"

#include "base/clock.h"
#include "base/exact.h"
#include "mesh/generate.h"
#include "own_clock.h"

#include <math.h>
#include <stdio.h>

enum { WARM_UP = 5 };

typedef struct example {
    const char *name;
    bool (*make)(taut_mesh *mesh, taut_error *error);
    int bodies, levels, iterations; /* levels: the mesh itself counts, as in the paper */
    double stretch, bend;           /* limits: of strain, and degrees a centimetre, as in the figures */
    double seconds;                 /* a frame, in the paper */
} example;

/* A closed shell: the surface of a torus. */
static bool make_shell(taut_mesh *mesh, int around, int across, taut_error *error)
{
    if (!tt_generate(mesh, (int64_t)around * across, 2 * (int64_t)around * across, 0, 0, 0, error)) return false;
    for (int i = 0; i < around; i++)
        for (int j = 0; j < across; j++) {
            double a = 6.283185307179586 * i / around, b = 6.283185307179586 * j / across, out = 0.35 + 0.15 * cos(b);
            int here = i * across + j, up = i * across + (j + 1) % across;
            int next = (i + 1) % around * across + j, both = (i + 1) % around * across + (j + 1) % across;
            tt_put_vertex(mesh, here, (vec3){out * cos(a), out * sin(a), 0.15 * sin(b)});
            tt_put_triangle(mesh, 2 * here, here, next, both);
            tt_put_triangle(mesh, 2 * here + 1, here, both, up);
        }
    return true;
}

static bool make_cloth(taut_mesh *mesh, taut_error *error) { return taut_mesh_sheet(mesh, 81, 81, 1, 1, error); }
static bool make_shirt(taut_mesh *mesh, taut_error *error)
{
    return taut_mesh_tube(mesh, 200, 101, 0.25f, 0.8f, error);
}
static bool make_bunny(taut_mesh *mesh, taut_error *error) { return make_shell(mesh, 245, 120, error); }
static bool make_duck(taut_mesh *mesh, taut_error *error) { return make_shell(mesh, 64, 32, error); }
static bool make_hollow(taut_mesh *mesh, taut_error *error) { return make_shell(mesh, 187, 100, error); }
static bool make_solid(taut_mesh *mesh, taut_error *error)
{
    return taut_mesh_beam(mesh, 57, 20, 13, 2.85f, 1, 0.65f, error);
}
static bool make_torus(taut_mesh *mesh, taut_error *error) { return taut_mesh_torus(mesh, 60, 4, 0.4f, 0.15f, error); }

static const example examples[] = {
    {"bunny", make_bunny, 1, 4, 256, 0.05, 3, 16.56},  {"cloth", make_cloth, 1, 4, 128, 0.05, 60, 1.80},
    {"shirt", make_shirt, 1, 4, 256, 0.01, 60, 10.56}, {"duck", make_duck, 1, 2, 128, 0.05, 3, 0.38},
    {"dragon", make_hollow, 1, 4, 200, 0.05, 3, 8.28}, {"solid dragon", make_solid, 1, 4, 256, 0.05, 0, 16.67},
    {"tori", make_torus, 3, 3, 256, 0.05, 0, 13.11},
};

enum { EXAMPLES = sizeof examples / sizeof examples[0] };

static taut_material limits_alone(const example *e, bool solid, int iterations)
{
    taut_material m = taut_default_material();
    const taut_strain none = {.rest = {1, 1, 1}};
    m.strain = none;
    m.bend.model = TAUT_BEND_NONE;
    m.tether = m.drag = m.lift = 0;
    m.density = solid ? 500 : 0.2f;
    m.limit.stretch[0] = (float)(1 - e->stretch);
    m.limit.stretch[1] = (float)(1 + e->stretch);
    if (!solid) m.limit.bend[1] = (float)(e->bend * 100 * TT_PI / 180), m.limit.bend[0] = -m.limit.bend[1];
    m.limit.iterations = iterations;
    m.limit.threshold = 0.001f;
    return m;
}

/* By its highest vertices, those within a fiftieth of its height. */
static bool pin_top(taut_mesh *mesh, taut_error *error)
{
    float low = INFINITY, high = -INFINITY;
    for (int v = 0; v < mesh->nvertices; v++) {
        low = fminf(low, mesh->x[3 * v + 1]);
        high = fmaxf(high, mesh->x[3 * v + 1]);
    }
    for (int v = 0; v < mesh->nvertices; v++)
        if (mesh->x[3 * v + 1] > high - 0.02f * (high - low) && !taut_mesh_pin(mesh, v, error)) return false;
    return true;
}

typedef struct row {
    int elements, levels, iterations;
    double ms, ms_all; /* a frame: by one thread, by one per core */
    double excess;
} row;

static bool run_frames(const example *e, const taut_model *model, int threads, int frames, double *ms, double *excess,
                       taut_error *error)
{
    taut_world_def def = taut_default_world_def();
    def.substeps = def.iterations = 1;
    def.threads = threads;
    taut_world *world = taut_world_create(&def, error);
    bool ok = world;
    for (int i = 0; ok && i < e->bodies; i++) ok = taut_world_add_body(world, model, NULL, error) >= 0;
    for (int i = 0; ok && i < WARM_UP; i++) taut_world_step(world, 1.0f / 30);
    double start = threads == 1 ? own_clock() : tt_clock();
    for (int i = 0; ok && i < frames; i++) taut_world_step(world, 1.0f / 30);
    *ms = ((threads == 1 ? own_clock() : tt_clock()) - start) / frames;
    if (ok) *excess = taut_world_stats(world).limit_excess;
    taut_world_free(world);
    return ok;
}

static bool measure(const example *e, const table_options *options, row *r, taut_error *error)
{
    taut_mesh mesh;
    taut_model_options levels = taut_default_model_options();
    levels.levels = e->levels - 1;
    r->iterations = (e->iterations * options->scale + 99) / 100;
    if (!e->make(&mesh, error)) return false;
    taut_material material = limits_alone(e, mesh.ntets > 0, r->iterations);
    r->elements = e->bodies * (mesh.ntets > 0 ? mesh.ntets : mesh.ntris);
    taut_model *model = pin_top(&mesh, error) ? taut_model_build(&mesh, &material, &levels, error) : NULL;
    taut_mesh_free(&mesh);
    if (!model) return false;
    r->levels = 1 + taut_model_levels(model);
    bool ok = run_frames(e, model, 1, options->frames, &r->ms, &r->excess, error) &&
              run_frames(e, model, 0, options->frames, &r->ms_all, &r->excess, error);
    taut_model_free(model);
    return ok;
}

bool table_run(const table_options *options, taut_error *error)
{
    if (options->json) puts("[");
    else printf("%-13s %8s %7s %11s %10s %7s %12s %7s %10s %9s\n", "example", "elements", "levels", "iterations",
                "ms a frame", "ratio", "all threads", "ratio", "paper's ms", "left over");
    for (int i = 0; i < EXAMPLES; i++) {
        const example *e = &examples[i];
        row r;
        if (!measure(e, options, &r, error)) return false;
        const char *format = options->json
            ? "%s{\"example\":\"%s\",\"elements\":%d,\"levels\":%d,\"iterations\":%d,\"ms\":%.3f,\"ratio\":%.2f,"
              "\"ms_all_threads\":%.3f,\"ratio_all_threads\":%.2f,\"paper_ms\":%.0f,\"excess\":%.6f}\n"
            : "%s%-13s %8d %7d %11d %10.1f %7.1f %12.1f %7.1f %10.0f %7.2f %%\n";
        double paper = 1000 * e->seconds;
        printf(format, options->json && i ? "," : "", e->name, r.elements, r.levels, r.iterations, r.ms, paper / r.ms,
               r.ms_all, paper / r.ms_all, paper, options->json ? r.excess : 100 * r.excess);
        fflush(stdout);
    }
    if (options->json) puts("]");
    return true;
}
