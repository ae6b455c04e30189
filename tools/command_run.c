/* taut run: a scene file, frame by frame, into animation files. A run may be killed at any moment and resumed later.
 *
 * The order of the writes makes that safe. Each frame goes to all outputs. Now and then the outputs are flushed, and a
 * checkpoint of that frame replaces the last one. So the outputs always hold the checkpoint's frame. After the last
 * frame a checkpoint is always written. Then the outputs, the statistics and at last the record get their names, and
 * the checkpoint is removed. Each of these steps can be done twice. */
#define _POSIX_C_SOURCE 200809L

#include "commands.h"
#include "file_kinds.h"
#include "interrupt.h"
#include "resolution.h"
#include "run_checkpoint.h"
#include "run_lock.h"
#include "run_names.h"
#include "run_notes.h"
#include "run_outputs.h"
#include "run_progress.h"
#include "run_record.h"
#include "run_start.h"
#include "run_targets.h"
#include "thickness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

const char *const RUN_COMMAND = "taut run";

static const double CHECKPOINT_SECONDS = 5; /* often enough, at a negligible cost */

int run_fail(const taut_error *error) { return fail(RUN_COMMAND, "%s", error->text); }

/* ---- Frames ---- */

static bool put_frame(run *r, run_outputs *outputs, taut_error *error)
{
    double began = seconds_now();
    if (!run_notes_take(r, error) || !run_outputs_write(outputs, r->scene, error)) return false;
    r->frame[r->scene->frame].output_ms = 1000 * (seconds_now() - began);
    return true;
}

static bool next_frame(run *r, run_outputs *outputs, taut_error *error)
{
    double began = seconds_now();
    if (!taut_scene_step(r->scene, error)) return false;
    r->frame[r->scene->frame] = (run_frame){.step_ms = 1000 * (seconds_now() - began)};
    return put_frame(r, outputs, error);
}

static bool checkpoint_due(const run *r)
{
    int every = r->options->checkpoint_every;
    if (every < 0) return seconds_now() - r->kept_at >= CHECKPOINT_SECONDS;
    return every > 0 && r->scene->frame % every == 0;
}

static bool keep_checkpoint(run *r, run_outputs *outputs, taut_error *error)
{
    if (!run_outputs_flush(outputs, error) || !run_checkpoint_write(r, error)) return false;
    r->kept_at = seconds_now();
    return true;
}

/* Runs to the last frame, or until a signal comes, and writes a checkpoint of the frame that it reached. */
static bool simulate(run *r, run_outputs *outputs, progress *p, taut_error *error)
{
    while (r->scene->frame < r->scene->frames && !interrupt_signal()) {
        if (!next_frame(r, outputs, error)) return false;
        run_progress_show(p, r);
        if (checkpoint_due(r) && !keep_checkpoint(r, outputs, error)) return false;
    }
    return keep_checkpoint(r, outputs, error);
}

/* ---- The end ---- */

static void say_how_to_go_on(const run *r)
{
    if (r->options->quiet) return;
    printf("stopped after frame %d of %d; the same command with --resume goes on from there\n", r->scene->frame,
           r->scene->frames);
}

/* Prints the deformation in the last frame: the value that 99 % of the worst body are below, and its worst place. */
static void print_end(const run *r)
{
    taut_error error;
    run_body_note end;
    double percent[RUN_BODY_NUMBERS];
    if (!run_note_now(r, &end, &error)) return;
    for (int k = 0; k < RUN_BODY_NUMBERS; k++) percent[k] = 100 * (double)end.number[k];
    printf("at the end: stretch %.2f %% (worst %.2f %%), compression %.2f %% (worst %.2f %%), speed %.3g m/s\n",
           percent[RUN_STRETCH_P99], percent[RUN_STRETCH], percent[RUN_COMPRESSION_P99], percent[RUN_COMPRESSION],
           (double)end.number[RUN_SPEED]);
}

static void print_summary(const run *r)
{
    run_summary s;
    if (r->options->quiet || !run_summarize(r, &s)) return;
    printf("%d frame%s in %.1f s: median %.2f ms, p99 %.2f ms\n", r->scene->frames, r->scene->frames == 1 ? "" : "s",
           0.001 * s.total_ms, s.median_ms, s.p99_ms);
    printf("worst stretch of an edge %.2f %% in frame %d, worst compression %.2f %% in frame %d\n",
           100 * s.worst.stretch, s.stretch_frame, 100 * s.worst.compression, s.compression_frame);
    print_end(r);
    if (s.frames_over_limits > 0)
        printf("limits were left violated in %d of %d frames: by up to %.4g (of stretch, or rad) in frame %d, %.4g in "
               "the last\n",
               s.frames_over_limits, r->scene->frames, s.limit_excess, s.limit_frame,
               taut_world_stats(r->scene->world).limit_excess);
    if (s.frames_cut > 0)
        printf("solver.budget cut the search short in %d of %d frames: stretch was off by up to %.3g in frame %d, "
               "not by %.3g\n",
               s.frames_cut, r->scene->frames, s.stretch_reached, s.reached_frame, (double)r->scene->stretch);
    if (r->start.pairs > 0)
        printf("%lld pair%s of triangles intersected at the start\n", (long long)r->start.pairs,
               r->start.pairs == 1 ? "" : "s");
    if (s.bad_particles > 0)
        printf("%lld times a particle would have left all bounds and was put back to rest\n",
               (long long)s.bad_particles);
    for (int i = 0; i < r->names.noutputs; i++) run_names_print(r->names.output[i], r->scene->nbodies);
    if (r->options->stats) printf("wrote %s\n", r->options->stats);
    printf("wrote %s\n", r->names.record);
}

static bool finish(run *r, run_outputs *outputs, taut_error *error)
{
    if (!run_outputs_close(outputs, error)) return false;
    if (r->options->stats && !run_stats_write(r, r->options->stats, error)) return false;
    if (!run_record_write(r, error)) return false;
    remove(r->names.checkpoint);
    return true;
}

/* Kept frames are of use only together with a checkpoint. */
static int give_up(const run *r, run_outputs *outputs, const taut_error *error)
{
    int code = run_fail(error);
    bool kept = access(r->names.checkpoint, F_OK) == 0;
    if (kept) fprintf(stderr, "%s: the last checkpoint is kept; --resume goes on from there\n", RUN_COMMAND);
    (kept ? run_outputs_leave : run_outputs_discard)(outputs);
    return code;
}

/* ---- The run ---- */

/* Runs from the state that the scene is in. At the start, frame 0 is written first. */
static int go(run *r)
{
    taut_error error;
    run_outputs outputs;
    progress p;
    bool fresh = r->scene->frame == 0;
    interrupt_watch();
    if (!run_outputs_open(&outputs, r, fresh ? 0 : r->scene->frame + 1, &error)) return give_up(r, &outputs, &error);
    if (fresh && !put_frame(r, &outputs, &error)) return give_up(r, &outputs, &error);
    progress_begin(&p, stdout, r->options->quiet, r->scene->frame, r->scene->frames);
    r->kept_at = seconds_now();
    bool good = simulate(r, &outputs, &p, &error);
    progress_end(&p);
    if (!good) return give_up(r, &outputs, &error);
    if (r->scene->frame < r->scene->frames) {
        run_outputs_leave(&outputs);
        say_how_to_go_on(r);
        return SIGNAL_EXIT + interrupt_signal();
    }
    if (!finish(r, &outputs, &error)) return give_up(r, &outputs, &error);
    print_summary(r);
    return 0;
}

/* Starts from the beginning. No file of an earlier run may be taken for one of this run. */
static int start(run *r)
{
    remove(r->names.checkpoint);
    if (!taut_file_is_stream(r->names.record)) remove(r->names.record);
    return go(r);
}

static int resume(run *r)
{
    taut_error error;
    switch (run_checkpoint_read(r, &error)) {
    case CHECKPOINT_BAD: return run_fail(&error);
    case CHECKPOINT_READ:
        if (!r->options->quiet) printf("going on after frame %d of %d\n", r->scene->frame, r->scene->frames);
        return go(r);
    default: break;
    }
    if (run_record_matches(r) && run_outputs_complete(r)) {
        if (!r->options->quiet) printf("this run is finished: see %s\n", r->names.record);
        return 0;
    }
    if (!r->options->quiet) printf("no checkpoint %s: starting from the beginning\n", r->names.checkpoint);
    return start(r);
}

/* Elastic forces are stable only up to a certain length of step. */
static void warn_of_long_substeps(const run *r)
{
    const taut_scene *scene = r->scene;
    int worst = -1;
    double stable = scene->substep;
    for (int i = 0; i < scene->nbodies; i++) {
        double bears = (double)taut_model_stable_step(scene->body[i].model);
        if (bears < stable) stable = bears, worst = i;
    }
    if (worst < 0 || r->options->quiet) return;
    double needed = ceil(scene->substeps * scene->substep / stable);
    fprintf(stderr, "%s: %s: its elastic forces are stable up to a substep of %.3g ms: %s %.0f substeps, not %d\n",
            RUN_COMMAND, scene->body[worst].name, 1000 * stable, needed > 1000 ? "A STEP NEEDS" : "a step has", needed,
            scene->substeps);
}

/* One line for each model: copies would say the same. */
static void warn_of_bodies(const run *r)
{
    const taut_scene *scene = r->scene;
    char text[300];
    for (int i = 0; i < scene->nbodies && !r->options->quiet; i++) {
        bool copy = i > 0 && scene->body[i].model == scene->body[i - 1].model;
        if (!copy && resolution_warning(scene, &scene->body[i], text, sizeof text))
            fprintf(stderr, "%s: %s: %s\n", RUN_COMMAND, scene->body[i].name, text);
        if (!copy && thickness_warning(scene, &scene->body[i], text, sizeof text))
            fprintf(stderr, "%s: %s: %s\n", RUN_COMMAND, scene->body[i].name, text);
    }
}

static int prepare_and_go(run *r)
{
    int code = run_names_choose(&r->names, r->options, r->scene);
    if (code != ARGUMENTS_READ) return code;
    taut_error error;
    if (!run_notes_open(r, &error)) return run_fail(&error);
    if (!run_start_search(r, &error)) return run_fail(&error);
    r->fingerprint = run_fingerprint(r);
    warn_of_long_substeps(r);
    warn_of_bodies(r);
    run_start_warn(r);
    code = run_targets_check(r);
    if (code != ARGUMENTS_READ) return code;
    run_locks locks;
    if (!run_locks_take(&locks, r)) code = EXIT_USAGE;
    else code = r->options->resume ? resume(r) : start(r);
    run_locks_release(&locks);
    return code;
}

static int run_scene(const run_options *options)
{
    taut_error error;
    run r = {.options = options};
    progress building;
    const taut_scene_options scene_options = {.threads = options->threads,
                                              .nsets = options->sets.count,
                                              .set = options->sets.word,
                                              .progress = run_progress_building,
                                              .progress_user = &building};
    int code = EXIT_USAGE;
    const char *why = why_no_scene(options->scene);
    if (why) return fail(RUN_COMMAND, "%s %s. A scene (.json) is expected", options->scene, why);
    progress_begin(&building, stdout, options->quiet, 0, RUN_PROGRESS_BUILT);
    r.scene = taut_scene_load(options->scene, &scene_options, &error);
    progress_erase(&building);
    if (!r.scene) run_fail(&error);
    else if (r.scene->nbodies == 0) fail(RUN_COMMAND, "%s: there are no bodies to simulate", options->scene);
    else {
        if (options->frames >= 0) r.scene->frames = options->frames;
        code = prepare_and_go(&r);
    }
    run_notes_close(&r);
    taut_scene_free(r.scene);
    run_names_free(&r.names);
    return code;
}

int command_run(int argc, char **argv)
{
    run_options o = {.frames = -1, .checkpoint_every = -1};
    const option options[] = {
        {.name = "--out", .value = "FILE", .list = &o.outs,
         .help = "write this animation file; its ending tells the format: pc2, mdd, obj, ply, glb, vtu, pvd, usda"},
        {.name = "--format", .value = "LIST", .text = &o.format,
         .help = "endings such as pc2,glb for an --out without one (else for out/SCENE)"},
        {.name = "--frames", .value = "N", .number = &o.frames, .least = 0, .most = 10000000,
         .help = "stop after frame N instead of the scene's last one"},
        {.name = "--threads", .value = "N", .number = &o.threads, .least = 0, .most = TAUT_MOST_THREADS,
         .help = "threads to compute with (0: one a core); the result is the same"},
        {.name = "--set", .value = "PATH=VALUE", .list = &o.sets,
         .help = "change a value of the scene; VALUE is JSON"},
        {.name = "--resume", .flag = &o.resume, .help = "go on with an interrupted run"},
        {.name = "--checkpoint", .value = "N", .number = &o.checkpoint_every, .least = 0, .most = 10000000,
         .help = "keep what --resume needs every N frames (about every 5 s); 0: only when interrupted"},
        {.name = "--stats", .value = "FILE.csv", .text = &o.stats, .help = "write a table with a row for each frame"},
        {.name = "--record", .value = "FILE.json", .text = &o.record,
         .help = "where the record of the run goes (beside the first output: NAME.run.json)"},
        {.name = "--quiet", .flag = &o.quiet, .help = "print errors only"},
        {0},
    };
    const syntax s = {
        .command = RUN_COMMAND,
        .operand = "SCENE.json",
        .operand_text = &o.scene,
        .operand_needed = true,
        .about = "Simulates a scene and writes it as animation files. Frame 0 is the start. --out replaces the\n"
                 "outputs that the scene names; if there are none, the output is out/SCENE.glb. A file appears when\n"
                 "it is whole. Ctrl-C stops the run after the current frame; --resume goes on, also after a crash,\n"
                 "and the result is the same to the bit. The record holds settings, timings, residuals and a hash\n"
                 "of every frame.",
        .example = "taut run scene.json\n"
                   "  taut run scene.json --out out/flag.pc2 --out out/flag.vtu --frames 100\n"
                   "  taut run scene.json --out out/stiff --format pc2,glb --set bodies[0].material.strain.xx=0.1\n"
                   "  taut run scene.json --resume --stats out/stats.csv",
        .options = options,
    };
    int code = arguments_read(&s, argc, argv);
    if (code != ARGUMENTS_READ) return code;
    return run_scene(&o);
}
