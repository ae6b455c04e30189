/* Bodies as large as those of MRSL's Table 1, with nothing but gravity and their limits, at 1/30 s a step. They hang by
 * a few vertices so that their limits are violated all the time. As in the paper, iterations end early once the
 * violation is small: 0.1 %, the least that the paper reports. The shapes are our own, because a body costs the same
 * whether or not it looks like a dragon.
 *
 * The iterations of the paper left violated triangles 0.1 to 1 % outside on average, and violated edges 0.5 to 1.2
 * degrees/cm. So each row is also run with the fewest iterations that do no worse. */
#define _POSIX_C_SOURCE 200809L

#include "table.h"

#include "base/clock.h"
#include "base/exact.h"
#include "base/vec.h"
#include "mesh/generate.h"
#include "own_clock.h"

#include <math.h>
#include <stdio.h>

enum { WARM_UP = 5 };
static const double ENOUGH_STRAIN = 0.01, ENOUGH_BEND = 1.2; /* means over violated elements; of edges, degrees/cm */

typedef struct example {
    const char *name;
    bool (*make)(taut_mesh *mesh, taut_error *error);
    int bodies, levels, iterations; /* levels: including the mesh itself, as in the paper */
    double stretch, bend;           /* limits: of strain, and degrees a centimetre, as in the figures */
    double seconds;                 /* a frame, in the paper */
} example;

/* A closed shell: the surface of a torus. */
static bool make_shell(taut_mesh *mesh, int around, int across, taut_error *error)
{
    const int64_t vertices = (int64_t)around * across;
    if (!taut_mesh_allocate(mesh, vertices, 2 * vertices, 0, 0, false, false, error)) return false;
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
    m.contact = TAUT_CONTACT_OFF;
    m.density = solid ? 500 : 0.2f;
    m.limit.stretch[0] = (float)(1 - e->stretch);
    m.limit.stretch[1] = (float)(1 + e->stretch);
    if (!solid) m.limit.bend[1] = (float)(e->bend * 100 * TT_PI / 180), m.limit.bend[0] = -m.limit.bend[1];
    m.limit.iterations = iterations;
    m.limit.threshold = 0.001f;
    return m;
}

/* Pins the highest vertices of a body: those within a fiftieth of its height from the top. */
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

/* The mean over the mesh of the sum of the heights of both triangles over an edge, m. An angle divided by it is an
 * angle per length. */
static double mean_heights(const taut_mesh *mesh)
{
    double sum = 0;
    for (int t = 0; t < mesh->ntris; t++) {
        vec3 p[3];
        for (int k = 0; k < 3; k++) p[k] = vec_of(&mesh->x[3 * mesh->tri[3 * t + k]]);
        double twice = vec_length(vec_cross(vec_sub(p[1], p[0]), vec_sub(p[2], p[0])));
        for (int k = 0; k < 3; k++) sum += 2 * twice / vec_length(vec_sub(p[(k + 1) % 3], p[k]));
    }
    return mesh->ntris ? sum / (3.0 * mesh->ntris) : 1;
}

static table_left left_by(const taut_world *world, bool solid, double heights)
{
    double radians = taut_world_residual(world, taut_kind_find("limit_bend")).mean;
    return (table_left){
        .worst = taut_world_stats(world).limit_excess,
        .strain = taut_world_residual(world, taut_kind_find(solid ? "limit_tet" : "limit_tri")).mean,
        .bend = radians * 180 / TT_PI / (100 * heights),
    };
}

/* The body of a row, shared by all its runs. */
typedef struct subject {
    const example *e;
    taut_model *model;
    bool solid;
    double heights;
} subject;

static bool run_frames(const subject *s, int threads, int frames, int iterations, table_timing *t, taut_error *error)
{
    taut_world_def def = taut_default_world_def();
    def.substeps = def.iterations = 1;
    def.threads = threads;
    taut_material material = limits_alone(s->e, s->solid, iterations);
    taut_world *world = taut_world_create(&def, error);
    bool ok = world;
    for (int i = 0; ok && i < s->e->bodies; i++) {
        int body = taut_world_add_body(world, s->model, NULL, error);
        ok = body >= 0 && taut_body_set_material(world, body, &material, error);
    }
    for (int i = 0; ok && i < WARM_UP; i++) taut_world_step(world, 1.0f / 30);
    double start = threads == 1 ? own_clock() : tt_clock();
    for (int i = 0; ok && i < frames; i++) taut_world_step(world, 1.0f / 30);
    *t = (table_timing){.iterations = iterations, .ms = ((threads == 1 ? own_clock() : tt_clock()) - start) / frames};
    if (ok) t->left = left_by(world, s->solid, s->heights);
    taut_world_free(world);
    return ok;
}

static bool is_enough(const table_timing *t) { return t->left.strain <= ENOUGH_STRAIN && t->left.bend <= ENOUGH_BEND; }

/* Finds the fewest iterations that are enough, to within an eighth. It halves their number while half is enough, and
 * then halves the distance between enough and too few. */
static bool find_enough(const subject *s, const table_options *options, table_timing *enough, taut_error *error)
{
    for (int few = 0; enough->iterations - few > 1 + enough->iterations / 8;) {
        table_timing t;
        if (!run_frames(s, 0, options->frames, (few + enough->iterations) / 2, &t, error)) return false;
        if (is_enough(&t)) *enough = t;
        else few = t.iterations;
    }
    return true;
}

static bool run_row(const subject *s, const table_options *options, table_row *r, taut_error *error)
{
    int iterations = (s->e->iterations * options->scale + 99) / 100;
    if (!run_frames(s, 1, options->frames, iterations, &r->one, error) ||
        !run_frames(s, 0, options->frames, iterations, &r->all, error))
        return false;
    r->enough = is_enough(&r->all) ? r->all : (table_timing){0};
    return find_enough(s, options, &r->enough, error);
}

int table_rows(void) { return EXAMPLES; }

bool table_measure(int row, const table_options *options, table_row *r, taut_error *error)
{
    const example *e = &examples[row];
    taut_mesh mesh;
    taut_model_options levels = taut_default_model_options();
    levels.levels = e->levels - 1;
    if (!e->make(&mesh, error)) return false;
    subject s = {.e = e, .solid = mesh.ntets > 0, .heights = mean_heights(&mesh)};
    taut_material material = limits_alone(e, s.solid, e->iterations);
    *r = (table_row){.name = e->name, .shell = e->bend > 0, .paper_ms = 1000 * e->seconds};
    r->elements = e->bodies * (s.solid ? mesh.ntets : mesh.ntris);
    s.model = pin_top(&mesh, error) ? taut_model_build(&mesh, &material, &levels, error) : NULL;
    taut_mesh_free(&mesh);
    if (!s.model) return false;
    r->levels = 1 + taut_model_levels(s.model);
    bool ok = run_row(&s, options, r, error);
    taut_model_free(s.model);
    return ok;
}

static void print_row(const table_row *r)
{
    double paper = r->paper_ms;
    printf("%-13s %8d %6d %10d %9.1f %6.1f %9.1f %6.1f %9.0f %8.2f %% ", r->name, r->elements, r->levels,
           r->one.iterations, r->one.ms, paper / r->one.ms, r->all.ms, paper / r->all.ms, paper,
           100 * r->all.left.strain);
    if (r->shell) printf("%6.2f", r->all.left.bend);
    else printf("%6s", "-");
    if (r->enough.iterations) printf("%8d %8.1f %6.1f\n", r->enough.iterations, r->enough.ms, paper / r->enough.ms);
    else printf("%8s %8s %6s\n", "-", "-", "-");
}

static void print_json(const table_row *r)
{
    double paper = r->paper_ms;
    printf("{\"example\":\"%s\",\"elements\":%d,\"levels\":%d,\"iterations\":%d,\"ms\":%.3f,\"ratio\":%.2f,"
           "\"ms_all_threads\":%.3f,\"ratio_all_threads\":%.2f,\"paper_ms\":%.0f,\"excess\":%.6f,"
           "\"mean_strain\":%.6f,\"mean_bend\":%.4f,\"enough_iterations\":%d",
           r->name, r->elements, r->levels, r->one.iterations, r->one.ms, paper / r->one.ms, r->all.ms,
           paper / r->all.ms, paper, r->all.left.worst, r->all.left.strain, r->all.left.bend, r->enough.iterations);
    if (r->enough.iterations) printf(",\"enough_ms\":%.3f,\"enough_ratio\":%.2f", r->enough.ms, paper / r->enough.ms);
    puts("}");
}

bool table_run(const table_options *options, taut_error *error)
{
    if (options->json) puts("[");
    else
        printf("%-13s %8s %6s %10s %9s %6s %9s %6s %9s %10s %6s %7s %8s %6s\n", "example", "elements", "levels",
               "iterations", "ms", "ratio", "threads", "ratio", "paper's", "strain", "bend", "enough", "ms", "ratio");
    for (int i = 0; i < EXAMPLES; i++) {
        table_row r;
        if (!table_measure(i, options, &r, error)) return false;
        if (options->json && i) putchar(',');
        (options->json ? print_json : print_row)(&r);
        fflush(stdout);
    }
    if (options->json) puts("]");
    return true;
}
