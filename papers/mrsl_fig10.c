/* MRSL Fig. 10: three solid tori are dropped onto each other. */
#include "experiment.h"
#include "subject.h"
#include "trial.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TORI = 3, SHOTS = 4, RUNS = 3, MOST_FRAMES = 120 };

static const int substeps[RUNS] = {1, 4, 16};

typedef struct pile {
    taut_mesh torus, all; /* all: the surfaces of the three together, to find crossings */
    taut_model *model;
    taut_world *world;
    int body[TORI];
    float *xyz[SHOTS]; /* of all */
} pile;

static const float places[TORI][3] = {{0, 0.2f, 0}, {0.1f, 0.75f, 0.05f}, {-0.05f, 1.35f, 0}};
static const float turns[TORI][4] = {
    {0.07f, 0, 0, 0.9975f}, {0.633f, 0.133f, -0.112f, 0.754f}, {0.168f, 0.045f, 0.255f, 0.951f}};

static taut_material torus_material(int passes)
{
    taut_material m = trial_no_material();
    m.density = 300;
    m.thickness = 0.01f;
    m.contact = TAUT_CONTACT_STRICT;
    m.contact_friction = m.friction = 0.3f;
    m.strain.xx = m.strain.yy = m.strain.zz = 0.3f;
    m.strain.xy = m.strain.yz = m.strain.xz = 0.2f;
    m.limit.stretch[0] = 0.95f, m.limit.stretch[1] = 1.05f;
    m.limit.iterations = passes;
    m.limit.threshold = 0.001f;
    return m;
}

static bool join_surfaces(pile *s, taut_error *error)
{
    int ntris, *tri = taut_mesh_surface(&s->torus, &ntris, error), n = s->torus.nvertices;
    bool done = tri && taut_mesh_allocate(&s->all, (int64_t)TORI * n, (int64_t)TORI * ntris, 0, 0, false, false, error);
    for (int b = 0; done && b < TORI; b++) {
        memcpy(s->all.x + 3 * (size_t)(b * n), s->torus.x, 3 * sizeof(float) * (size_t)n);
        for (int i = 0; i < 3 * ntris; i++) s->all.tri[3 * b * ntris + i] = tri[i] + b * n;
    }
    free(tri);
    return done;
}

static bool add(pile *s, int b, taut_error *error)
{
    taut_body_def def = taut_default_body_def();
    double length = 0;
    memcpy(def.position, places[b], sizeof def.position);
    for (int k = 0; k < 4; k++) length += (double)turns[b][k] * (double)turns[b][k];
    for (int k = 0; k < 4; k++) def.rotation[k] = (float)((double)turns[b][k] / sqrt(length));
    s->body[b] = taut_world_add_body(s->world, s->model, &def, error);
    return s->body[b] >= 0;
}

static bool prepare(const paper_result *r, pile *s, int count, bool quick, taut_error *error)
{
    taut_material material = torus_material((quick ? 32 : 64) / count);
    taut_world_def def = taut_default_world_def();
    taut_collider_def ground = taut_default_collider_def();
    taut_model_options options = taut_default_model_options();
    def.stretch = 0;
    def.iterations = def.threads = 1;
    def.substeps = count;
    ground.friction = 1;
    options.levels = quick ? 0 : TAUT_LEVELS_AUTO;
    if (!subject_torus(r, &s->torus, quick ? 16 : 30, 2, 0.25f, 0.08f, error) || !join_surfaces(s, error)) return false;
    s->model = taut_model_build(&s->torus, &material, &options, error);
    s->world = s->model ? taut_world_create(&def, error) : NULL;
    if (!s->world || taut_world_add_collider(s->world, &ground, error) < 0) return false;
    for (int b = 0; b < TORI; b++)
        if (!add(s, b, error)) return false;
    return true;
}

static void close_pile(pile *s)
{
    taut_world_free(s->world);
    taut_model_free(s->model);
    taut_mesh_free(&s->torus);
    taut_mesh_free(&s->all);
}

static void gather(const pile *s, float *xyz)
{
    size_t each = 3 * (size_t)s->torus.nvertices;
    for (int b = 0; b < TORI; b++)
        memcpy(xyz + (size_t)b * each, taut_body_positions(s->world, s->body[b], NULL), each * sizeof *xyz);
}

typedef struct course {
    double worst, mean, speed,
        bad;           /* residual strain of violated tets: the largest mean of a frame, that of all, percent */
    int64_t crossings; /* of all frames that were looked at */
    double speed_at[MOST_FRAMES], residual[MOST_FRAMES], time[MOST_FRAMES];
    double lowest; /* m: the lowest vertex of all frames, over the ground */
} course;

static bool watch(paper_result *r, pile *s, int frames, course *c, taut_error *error)
{
    const int kind = taut_kind_find("limit_tet"), at[SHOTS] = {8, 16, 30, frames - 1};
    float *now = paper_take(r, 3 * sizeof(float) * (size_t)s->all.nvertices);
    for (int i = 0, shot = 0; i < frames; i++) {
        taut_deformation d;
        if (!now || !taut_world_step(s->world, 1.0f / 30)) return paper_fail(error, "there is not enough memory");
        double mean = 100 * taut_world_residual(s->world, kind).mean;
        c->worst = fmax(c->worst, mean), c->mean += mean / frames;
        c->residual[i] = mean, c->time[i] = (i + 1) / 30.0;
        for (int b = 0; b < TORI; b++) {
            if (!taut_body_deformation(s->world, s->body[b], NULL, &d, error)) return false;
            c->speed_at[i] = fmax(c->speed_at[i], d.rms_speed);
        }
        c->bad += taut_world_stats(s->world).bad_particles;
        gather(s, now);
        for (int v = 0; v < s->all.nvertices; v++)
            if ((double)now[3 * v + 1] < c->lowest) c->lowest = (double)now[3 * v + 1];
        int64_t crossings = i % 5 == 0 || i == frames - 1 ? taut_mesh_crossings(&s->all, now, NULL, 0, NULL, error) : 0;
        if (crossings < 0) return false;
        c->crossings += crossings;
        if (i == at[shot]) {
            s->xyz[shot] = paper_take(r, 3 * sizeof(float) * (size_t)s->all.nvertices);
            if (!s->xyz[shot]) return false;
            memcpy(s->xyz[shot++], now, 3 * sizeof(float) * (size_t)s->all.nvertices);
        }
    }
    c->speed = c->speed_at[frames - 1];
    return true;
}

/* Each torus has a colour of its own, so each is shown as a mesh of its own. */
static void show(paper_result *r, const pile *s)
{
    paper_picture *p =
        paper_add_picture(r, "tori", 460, 0, 25, "The tori after 0.3, 0.6 and 1 s, and at the end; 16 substeps");
    size_t each = 3 * (size_t)s->torus.nvertices;
    for (int shot = 0; shot < SHOTS; shot++)
        for (int b = 0; b < TORI; b++)
            paper_show(p, &s->torus, s->xyz[shot] + (size_t)b * each, (float[3]){1.2f * (float)shot, 0, 0},
                       paper_color[b]);
}

static void plot(paper_result *r, const course *c, int frames)
{
    paper_plot *p = paper_add_plot(r, "residual", "time, s", "mean residual strain of violated tets, %",
                                   "What is left beyond the limits, frame by frame");
    paper_plot *q =
        paper_add_plot(r, "speed", "time, s", "speed, m/s", "The root mean square speed of the fastest torus");
    for (int i = 0; i < RUNS; i++) {
        char label[32];
        snprintf(label, sizeof label, "%d substep%s", substeps[i], i ? "s" : "");
        paper_add_series(p, label, c[i].time, c[i].residual, frames);
        paper_add_series(q, label, c[i].time, c[i].speed_at, frames);
    }
}

static void judge(paper_result *r, const course *c)
{
    const course *one = &c[0], *many = &c[RUNS - 1];
    paper_claim(
        r, paper_holds(one->lowest > -0.01 && one->crossings == 0 && one->bad == 0 && one->mean < 5),
        "a step of 1/30 s is enough for collisions, friction and limits together: with one substep %lld edges go "
        "through triangles, vertices come to %.4f m below the ground, and violated tets are %.2f %% beyond the "
        "limits on average",
        (long long)one->crossings, fmax(0, -one->lowest), one->mean);
    paper_claim(r, paper_holds(many->bad == 0 && many->crossings == 0 && many->lowest > -0.01),
                "with 16 substeps they are handled: %lld edges go through triangles, vertices come to %.4f m below the "
                "ground",
                (long long)many->crossings, fmax(0, -many->lowest));
    paper_claim(r, paper_holds(many->speed < 0.05), "then the tori come to rest: %.4f m/s at the end", many->speed);
    paper_claim(r,
                many->mean < 1   ? PAPER_HOLDS
                : many->mean < 5 ? PAPER_DIFFERS
                                 : PAPER_DOES_NOT_HOLD,
                "then the limits of 5 %% hold: violated tets are %.2f %% beyond them on average, %.2f %% in the worst "
                "frame",
                many->mean, many->worst);
}

static bool run(paper_result *r, bool quick, taut_error *error)
{
    const int frames = quick ? 45 : MOST_FRAMES;
    course *c = paper_take(r, RUNS * sizeof *c);
    paper_table(r, "The tori, by substeps of a frame of 1/30 s; as many passes over the limits a frame",
                "substeps|tets|mean residual of violated tets|worst frame|crossings|lowest vertex, m|speed at the end, "
                "m/s");
    for (int i = 0; i < RUNS; i++) {
        pile s = {.model = NULL};
        bool ok = c && prepare(r, &s, substeps[i], quick, error) && watch(r, &s, frames, &c[i], error);
        if (ok) {
            paper_row(r, "%d|%d|%.2f %%|%.2f %%|%lld|%.4f|%.4f", substeps[i], TORI * s.torus.ntets, c[i].mean,
                      c[i].worst, (long long)c[i].crossings, c[i].lowest, c[i].speed);
            if (i == RUNS - 1) show(r, &s);
        }
        close_pile(&s);
        if (!ok) return false;
        paper_progress(r, (i + 1.0) / RUNS);
    }
    plot(r, c, frames);
    judge(r, c);
    return true;
}

const experiment mrsl_fig10 = {
    .id = "mrsl/fig10",
    .title = "tori",
    .shows =
        "Three solid tori are dropped onto each other with strain limits of 5 %. Collisions with the ground, among "
        "the tori and friction are handled stably with a time step of 1/30 s, even when the tori move fast.",
    .method =
        "Tori of 0.66 m, of tets with a little stiffness and limits of 5 %, fall on the ground and on each other, with "
        "strict contact and 1/30 s a frame, in 1, 4 and 16 substeps. Crossings of all surfaces are counted exactly "
        "in every fifth frame.",
    .mesh = &public_torus,
    .run = run,
};
