#include "run_notes.h"

#include <math.h>
#include <stdlib.h>

/* ---- Room ---- */

bool run_notes_open(run *r, taut_error *error)
{
    const taut_scene *scene = r->scene;
    size_t frames = (size_t)scene->frames + 1, bodies = (size_t)scene->nbodies;
    r->frame = calloc(frames, sizeof *r->frame);
    r->note = calloc(frames * bodies, sizeof *r->note);
    r->measurer = calloc(bodies, sizeof(taut_measurer *));
    if (!r->frame || !r->note || !r->measurer) {
        *error = (taut_error){TAUT_NO_MEMORY, -1, "out of memory"};
        return false;
    }
    for (int i = 0; i < scene->nbodies; i++) {
        r->measurer[i] = taut_measurer_build(&scene->body[i].file.mesh, scene->body[i].warp_axis, error);
        if (!r->measurer[i]) return false;
    }
    return true;
}

void run_notes_close(run *r)
{
    for (int i = 0; r->measurer && i < r->scene->nbodies; i++) taut_measurer_free(r->measurer[i]);
    free(r->measurer);
    free(r->note);
    free(r->frame);
}

run_body_note *run_body_note_of(const run *r, int frame, int i)
{
    return &r->note[(size_t)frame * (size_t)r->scene->nbodies + (size_t)i];
}

/* ---- Bodies ---- */

bool run_deformation(const run *r, int i, taut_deformation *d, taut_error *error)
{
    return taut_body_deformation(r->scene->world, r->scene->body[i].body, r->measurer[i], d, error);
}

static run_body_note note_of(const taut_deformation *d)
{
    return (run_body_note){{
        [RUN_STRETCH_P99] = (float)d->stretch.p99,
        [RUN_STRETCH] = (float)d->stretch.worst,
        [RUN_COMPRESSION_P99] = (float)d->compression.p99,
        [RUN_COMPRESSION] = (float)d->compression.worst,
        [RUN_SHEAR_P99] = (float)d->shear.p99,
        [RUN_SHEAR] = (float)d->shear.worst,
        [RUN_SPEED] = (float)d->rms_speed,
    }};
}

static void take_larger(run_body_note *most, const run_body_note *note)
{
    for (int k = 0; k < RUN_BODY_NUMBERS; k++) most->number[k] = fmaxf(most->number[k], note->number[k]);
}

bool run_note_now(const run *r, run_body_note *most, taut_error *error)
{
    *most = (run_body_note){0};
    for (int i = 0; i < r->scene->nbodies; i++) {
        taut_deformation d;
        if (!run_deformation(r, i, &d, error)) return false;
        const run_body_note note = note_of(&d);
        take_larger(most, &note);
    }
    return true;
}

/* Numbers that are not known are NaN. */
bool run_body_note_known(const run_body_note *note) { return !isnan(note->number[RUN_STRETCH]); }

run_body_note run_note_of_all(const run *r, int frame)
{
    run_body_note most = *run_body_note_of(r, frame, 0);
    for (int i = 1; i < r->scene->nbodies; i++) take_larger(&most, run_body_note_of(r, frame, i));
    return most;
}

/* Measuring all numbers takes as long as writing the body. So they are noted only if there is a table. */
static bool note_body(run *r, int i, taut_error *error)
{
    taut_deformation d;
    run_body_note *note = run_body_note_of(r, r->scene->frame, i);
    taut_stretch edges = taut_body_stretch(r->scene->world, r->scene->body[i].body);
    run_frame *frame = &r->frame[r->scene->frame];
    frame->worst.stretch = fmax(frame->worst.stretch, edges.stretch);
    frame->worst.compression = fmax(frame->worst.compression, edges.compression);
    for (int k = 0; k < RUN_BODY_NUMBERS; k++) note->number[k] = NAN;
    if (!r->options->stats) return true;
    if (!run_deformation(r, i, &d, error)) return false;
    *note = note_of(&d);
    return true;
}

/* ---- Frames ---- */

bool run_notes_take(run *r, taut_error *error)
{
    const taut_scene *scene = r->scene;
    taut_stats stats = taut_world_stats(scene->world);
    run_frame *frame = &r->frame[scene->frame];
    frame->hash = taut_world_hash(scene->world);
    frame->contacts = stats.contacts;
    frame->bad_particles = stats.bad_particles;
    frame->limit_passes = stats.limit_passes;
    frame->limit_excess = stats.limit_excess;
    frame->bodies_over_limits = stats.bodies_over_limits;
    frame->searches = stats.searches;
    frame->searches_cut = stats.searches_cut;
    frame->stretch_reached = stats.stretch_reached;
    const double stage_ms[RUN_STAGES] = {stats.ms_forces,   stats.ms_constraints, stats.ms_limits,
                                         stats.ms_contacts, stats.ms_velocities,  stats.ms_publish};
    for (int i = 0; i < RUN_STAGES; i++) frame->stage_ms[i] = stage_ms[i];
    for (int i = 0; i < scene->nbodies; i++)
        if (!note_body(r, i, error)) return false;
    return true;
}
