#define _POSIX_C_SOURCE 200809L /* open_memstream */

#include "run_record.h"

#include "run_notes.h"
#include "run_start.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__clang__)
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

static const char *const stage_names[RUN_STAGES] = {"forces",   "constraints", "limits",
                                                    "contacts", "velocities",  "publish"};

static const char *const number_names[RUN_BODY_NUMBERS] = {"stretch_p99", "stretch", "compression_p99", "compression",
                                                           "shear_p99",   "shear",   "rms_speed"};

/* ---- Text to files ---- */

typedef struct document {
    FILE *file;
    char *text;
    size_t size;
} document;

static bool out_of_memory(taut_error *error)
{
    *error = (taut_error){TAUT_NO_MEMORY, -1, "out of memory"};
    return false;
}

static bool document_open(document *d, taut_error *error)
{
    *d = (document){0};
    d->file = open_memstream(&d->text, &d->size);
    return d->file || out_of_memory(error);
}

static bool document_close(document *d, const char *path, taut_error *error)
{
    bool good = !ferror(d->file);
    if (fclose(d->file) != 0) good = false;
    good = good ? taut_file_write(path, d->text, d->size, error) : out_of_memory(error);
    free(d->text);
    return good;
}

/* ---- Numbers of all frames ---- */

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double step_ms(const run_frame *frame) { return frame->step_ms; }
static double output_ms(const run_frame *frame) { return frame->output_ms; }
static double frame_ms(const run_frame *frame) { return frame->step_ms + frame->output_ms; }

typedef struct spread {
    double median, p99, total;
} spread;

/* Median and 99th percentile are nearest ranks. */
static bool spread_of(const run *r, double (*ms)(const run_frame *), spread *s)
{
    int count = r->scene->frames;
    *s = (spread){0};
    if (count == 0) return true;
    double *sorted = malloc(sizeof *sorted * (size_t)count);
    if (!sorted) return false;
    for (int i = 0; i < count; i++) {
        sorted[i] = ms(&r->frame[i + 1]);
        s->total += sorted[i];
    }
    qsort(sorted, (size_t)count, sizeof *sorted, compare);
    s->median = sorted[count / 2];
    s->p99 = sorted[(int)(0.99 * (count - 1) + 0.5)];
    free(sorted);
    return true;
}

static void note_worst(double *worst, int *worst_frame, double value, int frame)
{
    if (value <= *worst) return;
    *worst = value;
    *worst_frame = frame;
}

bool run_summarize(const run *r, run_summary *summary)
{
    spread all;
    if (!spread_of(r, frame_ms, &all)) return false;
    *summary = (run_summary){.median_ms = all.median, .p99_ms = all.p99, .total_ms = all.total};
    for (int i = 0; i <= r->scene->frames; i++) {
        const run_frame *frame = &r->frame[i];
        summary->bad_particles += frame->bad_particles;
        if (frame->contacts > summary->most_contacts) summary->most_contacts = frame->contacts;
        if (frame->limit_passes > summary->most_limit_passes) summary->most_limit_passes = frame->limit_passes;
        summary->frames_over_limits += frame->bodies_over_limits > 0;
        if (frame->searches > summary->most_searches) summary->most_searches = frame->searches;
        summary->frames_cut += frame->searches_cut > 0;
        note_worst(&summary->stretch_reached, &summary->reached_frame, frame->stretch_reached, i);
        note_worst(&summary->worst.stretch, &summary->stretch_frame, frame->worst.stretch, i);
        note_worst(&summary->worst.compression, &summary->compression_frame, frame->worst.compression, i);
        note_worst(&summary->limit_excess, &summary->limit_frame, frame->limit_excess, i);
    }
    return true;
}

/* ---- JSON ---- */

static void put_string(FILE *file, const char *text)
{
    fputc('"', file);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') fprintf(file, "\\%c", *text);
        else if ((unsigned char)*text < ' ') fprintf(file, "\\u%04x", (unsigned)*text);
        else fputc(*text, file);
    }
    fputc('"', file);
}

static void put_strings(FILE *file, const char *name, const char *const *word, int count)
{
    fprintf(file, "  \"%s\": [", name);
    for (int i = 0; i < count; i++) {
        if (i) fputs(", ", file);
        put_string(file, word[i]);
    }
    fputs("],\n", file);
}

/* JSON has no NaN and no infinities. */
static void put_number(FILE *file, double value)
{
    if (isfinite(value)) fprintf(file, "%.9g", value);
    else fputs("null", file);
}

static void put_settings(FILE *file, const run *r)
{
    taut_stats stats = taut_world_stats(r->scene->world);
    fprintf(file, "%s%s\",\n  \"compiler\": ", RUN_RECORD_BEGIN, TAUT_VERSION);
    put_string(file, COMPILER);
    fprintf(file, ",\n  \"simd\": \"%s\",\n  \"threads\": %d,\n  \"fingerprint\": \"%016" PRIx64 "\",\n", stats.simd,
            stats.threads, r->fingerprint);
    fputs("  \"scene\": ", file);
    put_string(file, r->options->scene);
    fputs(",\n", file);
    put_strings(file, "sets", r->options->sets.word, r->options->sets.count);
    put_strings(file, "outputs", (const char *const *)r->names.output, r->names.noutputs);
    fprintf(file, "  \"fps\": %.17g,\n  \"frames\": %d,\n  \"steps\": %" PRId64 ",\n  \"seconds\": %.17g,\n",
            r->scene->fps, r->scene->frames, stats.steps, stats.seconds);
    fprintf(file, "  \"solver\": {\"stretch\": %.7g, \"budget\": %d, \"substeps\": %d, \"iterations\": %d},\n",
            (double)r->scene->stretch, r->scene->budget, r->scene->substeps, r->scene->iterations);
    fprintf(file, "  \"breaks\": %d,\n", (int)r->breaks);
}

static void put_spread(FILE *file, const char *name, const taut_spread *s)
{
    fprintf(file, "\"%s\": {\"p50\": ", name);
    put_number(file, s->p50);
    fputs(", \"p99\": ", file);
    put_number(file, s->p99);
    fputs(", \"worst\": ", file);
    put_number(file, s->worst);
    fputs("}, ", file);
}

/* Writes the deformation of a body at the end. */
static bool put_deformation(FILE *file, const run *r, int body)
{
    taut_deformation d;
    taut_error error;
    if (!run_deformation(r, body, &d, &error)) return false;
    fputs(",\n     \"end\": {", file);
    put_spread(file, "stretch", &d.stretch);
    put_spread(file, "compression", &d.compression);
    put_spread(file, "shear", &d.shear);
    put_spread(file, "edge_stretch", &d.edge_stretch);
    put_spread(file, "edge_compression", &d.edge_compression);
    fputs("\"rms_speed\": ", file);
    put_number(file, d.rms_speed);
    fputc('}', file);
    return true;
}

static bool put_bodies(FILE *file, const run *r)
{
    const taut_scene *scene = r->scene;
    fputs("  \"bodies\": [", file);
    for (int i = 0; i < scene->nbodies; i++) {
        const taut_scene_body *body = &scene->body[i];
        const taut_mesh *mesh = &body->file.mesh;
        fprintf(file, "%s\n    {\"name\": ", i ? "," : "");
        put_string(file, body->name);
        fprintf(file, ", \"vertices\": %d, \"triangles\": %d, \"tets\": %d, \"lines\": %d, \"levels\": %d, ",
                taut_model_vertices(body->model), mesh->ntris, mesh->ntets, mesh->nlines,
                taut_model_levels(body->model));
        fputs("\"constraints\": {", file);
        const char *comma = "";
        for (int kind = 0; kind < taut_kind_count(); kind++) {
            int count = taut_model_constraints(body->model, kind);
            if (!count) continue;
            fprintf(file, "%s\"%s\": %d", comma, taut_kind_name(kind), count);
            comma = ", ";
        }
        fputc('}', file);
        if (!put_deformation(file, r, i)) return false;
        fputc('}', file);
    }
    fputs("\n  ],\n", file);
    return true;
}

static bool put_timing(FILE *file, const run *r, const char *name, double (*ms)(const run_frame *))
{
    spread s;
    if (!spread_of(r, ms, &s)) return false;
    fprintf(file, "    \"%s\": {\"median\": %.6g, \"p99\": %.6g, \"total\": %.6g},\n", name, s.median, s.p99, s.total);
    return true;
}

/* Writes milliseconds. Those of stages are of the last step of each frame. */
static bool put_timings(FILE *file, const run *r)
{
    fputs("  \"ms\": {\n", file);
    bool good = put_timing(file, r, "frame", frame_ms) && put_timing(file, r, "step", step_ms) &&
                put_timing(file, r, "output", output_ms);
    fputs("    \"stages\": {", file);
    for (int stage = 0; stage < RUN_STAGES; stage++) {
        double total = 0;
        for (int i = 1; i <= r->scene->frames; i++) total += r->frame[i].stage_ms[stage];
        fprintf(file, "%s\"%s\": %.6g", stage ? ", " : "", stage_names[stage],
                r->scene->frames ? total / r->scene->frames : 0);
    }
    fputs("}\n  },\n", file);
    return good;
}

static void put_residuals(FILE *file, const taut_world *world)
{
    const char *comma = "";
    fputs("  \"residuals\": {", file);
    for (int kind = 0; kind < taut_kind_count(); kind++) {
        taut_residual residual = taut_world_residual(world, kind);
        if (!residual.constraints) continue;
        fprintf(file, "%s\n    \"%s\": {\"constraints\": %d, \"rms\": ", comma, taut_kind_name(kind),
                residual.constraints);
        put_number(file, residual.rms);
        fputs(", \"max\": ", file);
        put_number(file, residual.max);
        fputc('}', file);
        comma = ",";
    }
    fputs("\n  },\n", file);
}

static void put_worst(FILE *file, const char *what, double worst, int frame)
{
    fprintf(file, "  \"worst_%s\": ", what);
    put_number(file, worst);
    fprintf(file, ",\n  \"worst_%s_frame\": %d,\n", what, frame);
}

static void put_limits(FILE *file, const run_summary *summary, const run_frame *last)
{
    fprintf(file, "  \"limits\": {\"passes\": %d, \"most_passes\": %d, \"excess\": ", (int)last->limit_passes,
            summary->most_limit_passes);
    put_number(file, last->limit_excess);
    fputs(", \"worst_excess\": ", file);
    put_number(file, summary->limit_excess);
    fprintf(file, ", \"worst_excess_frame\": %d, \"bodies_over\": %d, \"frames_over\": %d},\n", summary->limit_frame,
            (int)last->bodies_over_limits, summary->frames_over_limits);
}

/* Writes how exact the bodies solved by quality are, frame by frame. */
static void put_quality(FILE *file, const run *r, const run_summary *summary)
{
    fputs("  \"quality\": {\"worst_stretch_reached\": ", file);
    put_number(file, summary->stretch_reached);
    fprintf(file, ", \"worst_stretch_reached_frame\": %d, \"most_searches\": %d, \"frames_cut\": %d,\n",
            summary->reached_frame, summary->most_searches, summary->frames_cut);
    fputs("    \"stretch_reached\": [", file);
    for (int i = 0; i <= r->scene->frames; i++) {
        if (i) fputs(", ", file);
        put_number(file, r->frame[i].stretch_reached);
    }
    fputs("],\n    \"searches\": [", file);
    for (int i = 0; i <= r->scene->frames; i++) fprintf(file, "%s%d", i ? ", " : "", (int)r->frame[i].searches);
    fputs("]},\n", file);
}

static bool put_record(FILE *file, const run *r)
{
    run_summary summary;
    if (!run_summarize(r, &summary)) return false;
    put_settings(file, r);
    if (!put_bodies(file, r) || !put_timings(file, r)) return false;
    put_residuals(file, r->scene->world);
    put_worst(file, "stretch", summary.worst.stretch, summary.stretch_frame);
    put_worst(file, "compression", summary.worst.compression, summary.compression_frame);
    run_start_put(file, r);
    put_limits(file, &summary, &r->frame[r->scene->frames]);
    put_quality(file, r, &summary);
    fprintf(file, "  \"contacts\": %d,\n  \"most_contacts\": %d,\n", (int)r->frame[r->scene->frames].contacts,
            summary.most_contacts);
    fprintf(file, "  \"bad_particles\": %" PRId64 ",\n  \"hash\": [", summary.bad_particles);
    for (int i = 0; i <= r->scene->frames; i++)
        fprintf(file, "%s\n    \"%016" PRIx64 "\"", i ? "," : "", r->frame[i].hash);
    fputs("\n  ]\n}\n", file);
    return true;
}

bool run_record_write(const run *r, taut_error *error)
{
    document d;
    if (!document_open(&d, error)) return false;
    if (put_record(d.file, r)) return document_close(&d, r->names.record, error);
    fclose(d.file);
    free(d.text);
    return out_of_memory(error);
}

bool run_record_matches(const run *r)
{
    taut_bytes bytes;
    taut_error error;
    char line[64];
    int length = snprintf(line, sizeof line, "\"fingerprint\": \"%016" PRIx64 "\"", r->fingerprint);
    if (taut_file_is_stream(r->names.record) || !taut_file_read(r->names.record, &bytes, &error)) return false;
    bool found = false;
    for (size_t i = 0; !found && i + (size_t)length <= bytes.size; i++)
        found = memcmp(bytes.data + i, line, (size_t)length) == 0;
    taut_bytes_free(&bytes);
    return found;
}

/* ---- CSV ---- */

/* Writes the name of a column; quotes are doubled. */
static void put_column(FILE *file, const char *body, const char *number)
{
    fputs(",\"", file);
    for (; *body; body++) {
        if (*body == '"') fputc('"', file);
        fputc(*body, file);
    }
    fprintf(file, ".%s\"", number);
}

/* If there are several bodies, each has columns of its own after the common ones. */
static void put_columns(FILE *file, const run *r)
{
    fputs("frame,time,ms,worst_stretch,worst_compression,contacts,limit_passes,limit_excess,bodies_over_limits,"
          "stretch_reached,searches,searches_cut,bad_particles,hash",
          file);
    for (int k = 0; k < RUN_BODY_NUMBERS; k++) fprintf(file, ",%s", number_names[k]);
    for (int i = 0; r->scene->nbodies > 1 && i < r->scene->nbodies; i++)
        for (int k = 0; k < RUN_BODY_NUMBERS; k++) put_column(file, r->scene->body[i].name, number_names[k]);
    fputc('\n', file);
}

/* Frames before a run was resumed with --stats have no numbers. */
static void put_note(FILE *file, const run_body_note *note)
{
    for (int k = 0; k < RUN_BODY_NUMBERS; k++) {
        fputc(',', file);
        if (run_body_note_known(note)) fprintf(file, "%.7g", (double)note->number[k]);
    }
}

bool run_stats_write(const run *r, const char *path, taut_error *error)
{
    document d;
    if (!document_open(&d, error)) return false;
    put_columns(d.file, r);
    for (int i = 0; i <= r->scene->frames; i++) {
        const run_frame *frame = &r->frame[i];
        const run_body_note all = run_note_of_all(r, i);
        fprintf(d.file, "%d,%.9g,%.4f,%.9g,%.9g,%d,%d,%.9g,%d,%.9g,%d,%d,%d,%016" PRIx64, i, i / r->scene->fps,
                frame_ms(frame), frame->worst.stretch, frame->worst.compression, (int)frame->contacts,
                (int)frame->limit_passes, frame->limit_excess, (int)frame->bodies_over_limits, frame->stretch_reached,
                (int)frame->searches, (int)frame->searches_cut, (int)frame->bad_particles, frame->hash);
        put_note(d.file, &all);
        for (int body = 0; r->scene->nbodies > 1 && body < r->scene->nbodies; body++)
            put_note(d.file, run_body_note_of(r, i, body));
        fputc('\n', d.file);
    }
    return document_close(&d, path, error);
}
