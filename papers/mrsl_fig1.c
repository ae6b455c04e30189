/* MRSL Fig. 1: a thin shell at rest under four settings of its limits. */
#include "experiment.h"
#include "shell_measure.h"
#include "subject.h"
#include "trial.h"

#include <string.h>

enum { RUNS = 4 };

typedef struct setting {
    const char *name;
    float strain;
    double bend; /* degrees a centimetre; 0: no limit */
} setting;

static const setting settings[RUNS] = {{"(a) 5 %, 3 degrees/cm", 0.05f, 3},
                                       {"(b) 5 %, 6 degrees/cm", 0.05f, 6},
                                       {"(c) 10 %, 12 degrees/cm", 0.1f, 12},
                                       {"(d) 10 %, no bend limit", 0.1f, 0}};

typedef struct outcome {
    double height, volume, strain; /* percent of those at rest; mean residual of violated triangles, percent */
    float *xyz;
} outcome;

static bool prepare(const paper_result *r, trial *t, const setting *s, bool quick, taut_error *error)
{
    taut_collider_def ground = taut_default_collider_def();
    taut_limit *limit = &t->material.limit;
    *t = trial_default();
    t->dt = 1.0f / 30;
    t->world_def.gravity[1] = -9.81f;
    limit->stretch[0] = 1 - s->strain, limit->stretch[1] = 1 + s->strain;
    if (s->bend > 0) limit->bend[1] = (float)(s->bend * 100 * 0.017453292519943295), limit->bend[0] = -limit->bend[1];
    limit->iterations = quick ? 48 : 256;
    limit->threshold = 0.001f;
    t->material.damping.global = 1;
    t->material.friction = ground.friction = 1;
    t->options.levels = quick ? 1 : 3;
    t->body_def.position[1] = 0.02f;
    return subject_shell(r, &t->mesh, CREATURE_RABBIT, 0.3, quick ? 0.022 : 0.009, error) &&
           trial_open_trained(t, error) && taut_world_add_collider(t->world, &ground, error) >= 0;
}

static bool drop(paper_result *r, trial *t, int frames, outcome *o, taut_error *error)
{
    size_t size = 3 * (size_t)t->mesh.nvertices * sizeof(float);
    o->xyz = paper_take(r, size);
    if (!o->xyz || !trial_run(t, frames, error)) return false;
    memcpy(o->xyz, trial_xyz(t), size);
    o->height = 100 * shell_height(&t->mesh, o->xyz) / shell_height(&t->mesh, t->mesh.x);
    o->volume = 100 * shell_volume(&t->mesh, o->xyz) / shell_volume(&t->mesh, t->mesh.x);
    o->strain = 100 * taut_world_residual(t->world, taut_kind_find("limit_tri")).mean;
    return true;
}

static bool run(paper_result *r, bool quick, taut_error *error)
{
    outcome o[RUNS] = {{0}};
    paper_picture *p = NULL;
    paper_table(r, "The shell at rest on the ground, percent of its rest shape",
                "limits|height|volume|mean residual strain of violated triangles");
    for (int i = 0; i < RUNS; i++) {
        trial t;
        bool ok = prepare(r, &t, &settings[i], quick, error) && drop(r, &t, quick ? 40 : 150, &o[i], error);
        if (ok && i == 0) {
            paper_value(r, "triangles", t.mesh.ntris, "", "58800");
            p = paper_add_picture(r, "shells", 380, 0, 12, "From left to right: the four settings of the table");
        }
        if (ok) {
            paper_row(r, "%s|%.1f|%.1f|%.2f %%", settings[i].name, o[i].height, o[i].volume, o[i].strain);
            paper_show(p, &t.mesh, o[i].xyz, (float[3]){0.45f * (float)i, 0, 0}, paper_color[i]);
        }
        trial_close(&t);
        if (!ok) return false;
        paper_progress(r, (i + 1.0) / RUNS);
    }
    paper_value(r, "mean residual strain of violated triangles, (b)", o[1].strain, "%", "0.1 to 1");
    paper_claim(r, paper_holds(o[0].volume > o[1].volume && o[1].volume > o[2].volume && o[2].volume > o[3].volume),
                "the looser the limits, the flatter the shell at rest: %.0f, %.0f, %.0f and %.0f %% of its volume are "
                "left",
                o[0].volume, o[1].volume, o[2].volume, o[3].volume);
    paper_claim(
        r, paper_holds(o[0].height > 2 * o[3].height),
        "these are different shapes: with the tightest limits %.0f %% of its height are left, without a bend limit "
        "%.0f %%",
        o[0].height, o[3].height);
    return true;
}

const experiment mrsl_fig1 = {
    .id = "mrsl/fig1",
    .title = "a shell at rest under four limits",
    .shows = "A thin-shell bunny comes to rest in different shapes with strain and bend limits of (a) 5 % and "
             "3 degrees/cm, (b) 5 % and 6 degrees/cm, (c) 10 % and 12 degrees/cm, (d) 10 % and no bend limit.",
    .method = "A hollow rabbit, 0.3 m high, falls on the ground. It has limits and nothing else: no gas, no stiffness. "
              "1/30 s a frame, with levels, which are trained if bending is limited; 256 passes on each (quick: 48).",
    .mesh = &public_spot,
    .run = run,
};
