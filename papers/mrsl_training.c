/* MRSL 4.2: what training takes, and what its two ways find. */
#define _POSIX_C_SOURCE 200809L

#include "creature.h"
#include "experiment.h"
#include "own_clock.h"
#include "trial.h"

enum { WAYS = 2, MOST_LEVELS = 4 };

static const taut_train_way ways[WAYS] = {TAUT_TRAIN_DIRECT, TAUT_TRAIN_INDIRECT};

typedef struct outcome {
    double seconds;
    taut_training_state state;
    taut_training_level level[MOST_LEVELS];
} outcome;

/* One thread, so that its processor time is all there is. */
static bool train(const taut_mesh *mesh, double degrees_per_cm, taut_train_way way, outcome *o, taut_error *error)
{
    taut_material material = trial_no_material();
    taut_model_options options = taut_default_model_options();
    taut_train_def def = taut_default_train_def();
    def.way = way;
    def.threads = 1;
    options.levels = 3;
    material.limit.stretch[0] = 0.95f, material.limit.stretch[1] = 1.05f;
    material.limit.bend[1] = (float)(degrees_per_cm * 100 * 0.017453292519943295);
    material.limit.bend[0] = -material.limit.bend[1];
    double begun = own_clock();
    taut_training *training = taut_train(mesh, &material, &options, &def, error);
    o->seconds = (own_clock() - begun) / 1000;
    if (!training) return false;
    o->state = taut_training_state_of(training);
    for (int i = 0; i < o->state.levels && i < MOST_LEVELS; i++) taut_training_level_of(training, i + 1, &o->level[i]);
    taut_training_free(training);
    return true;
}

/* What is nearer to 1 is tighter. Returns whether `direct` is at least as tight on every level. */
static bool report(paper_result *r, const char *name, const taut_mesh *mesh, const outcome o[WAYS])
{
    bool tighter = true;
    for (int w = 0; w < WAYS; w++)
        for (int i = 0; i < o[w].state.levels && i < MOST_LEVELS; i++) {
            const taut_training_level *l = &o[w].level[i];
            paper_timed_row(r, "%s, %d|%s|%d|%d|%d|%.3f|%.3f|%.1f|%.2f", name, mesh->ntris, w ? "indirect" : "direct",
                            i + 1, l->triangles, l->hinges, (double)l->low[1], (double)l->high[1],
                            (double)l->bend_high[1] * 57.29577951308232, o[w].seconds);
            tighter = tighter && o[0].level[i].low[1] >= o[1].level[i].low[1] - 1e-4f &&
                      o[0].level[i].high[1] <= o[1].level[i].high[1] + 1e-4f;
        }
    return tighter;
}

static bool run_body(paper_result *r, const char *name, const taut_mesh *mesh, double bend, outcome o[WAYS],
                     bool *tighter, taut_error *error)
{
    for (int w = 0; w < WAYS; w++)
        if (!train(mesh, bend, ways[w], &o[w], error)) return false;
    *tighter = report(r, name, mesh, o) && *tighter;
    return true;
}

static bool run(paper_result *r, bool quick, taut_error *error)
{
    taut_mesh sheet = {0}, shell = {0};
    outcome o[WAYS], p[WAYS];
    bool tighter = true;
    int n = quick ? 21 : 81;
    paper_table(r,
                "Trained limits: mean least and largest stretch, mean largest angle in degrees, and s for all levels",
                "body and its triangles|way|level|triangles|hinges|least|largest|angle|s");
    bool ok = taut_mesh_sheet(&sheet, n, n, 0.4f, 0.4f, error) &&
              creature_shell(&shell, CREATURE_RABBIT, 0.3, quick ? 0.028 : 0.006, error) &&
              run_body(r, "sheet", &sheet, 3, o, &tighter, error);
    paper_progress(r, 0.3);
    ok = ok && run_body(r, "hollow rabbit", &shell, 3, p, &tighter, error);
    taut_mesh_free(&sheet);
    taut_mesh_free(&shell);
    if (!ok) return false;
    double direct = o[0].seconds + p[0].seconds, indirect = o[1].seconds + p[1].seconds;
    paper_time(r, "direct, both bodies, one thread", direct, "s", "12 to 20 h");
    paper_time(r, "indirect", indirect, "s", "6 to 12 h");
    paper_time(r, "ratio", direct / indirect, "", "1.7 to 2");
    paper_claim(r, paper_holds(direct > indirect), "the direct way takes longer than the indirect one: %.2f times",
                direct / indirect);
    paper_claim(r, paper_holds(tighter), "limits that are found directly are %s on every level",
                tighter ? "at least as tight" : "not tighter");
    paper_claim(
        r, direct < 6 * 3600 ? PAPER_DIFFERS : PAPER_HOLDS,
        "training takes hours: here %.1f s and %.1f s for two bodies. Each coarse triangle is trained on the few "
        "triangles below it, sixteen at a time",
        direct, indirect);
    return true;
}

const experiment mrsl_training = {
    .id = "mrsl/training",
    .title = "time of training",
    .shows = "Training the limits of the coarser levels took 12 to 20 hours from the finest mesh (direct) and 6 to 12 "
             "hours from level to level (indirect), once for each mesh. Indirect limits may be less tight.",
    .method = "A sheet of 0.4 m and a hollow rabbit of 0.3 m with limits of 5 % and 3 degrees/cm get three coarser "
              "levels, which are "
              "trained both ways on one thread. Means of the trained limits tell how tight they are.",
    .timed = true,
    .run = run,
};
