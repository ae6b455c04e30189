/* taut render: pictures of a scene or an animation cache. */
#define _POSIX_C_SOURCE 200809L
#include "arguments.h"
#include "commands.h"
#include "interrupt.h"
#include "render/frames.h"
#include "render/module.h"
#include "render/names.h"
#include "render/show.h"
#include "targets.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const COMMAND = "taut render";

typedef struct request {
    const char *input, *mesh, *out, *size, *frames, *heat, *range, *contact, *view;
    word_list sets;
    int every, threads, fps;
    bool wire, quiet;
} request;

/* ---- Words to numbers ------------------------------------------------------------------------------------------- */

/* Reads two numbers with a letter between them and nothing after them. */
static bool read_pair(const char *text, const char *between, double pair[2])
{
    char *end;
    pair[0] = strtod(text, &end);
    if (end == text || !*end || !strchr(between, *end)) return false;
    const char *second = end + 1;
    pair[1] = strtod(second, &end);
    return end != second && *end == '\0' && isfinite(pair[0]) && isfinite(pair[1]);
}

static bool read_counts(const char *text, int least, int most, int counts[2])
{
    double pair[2];
    if (!read_pair(text, "xX", pair)) return false;
    for (int i = 0; i < 2; i++) {
        if (pair[i] < least || pair[i] > most || pair[i] != floor(pair[i])) return false;
        counts[i] = (int)pair[i];
    }
    return true;
}

static const char *measure_name(int i) { return i < TAUT_MEASURES ? taut_measure_name((taut_measure)i) : NULL; }

static int read_heat(const request *r, show *s)
{
    double pair[2];
    if (!r->heat) return r->range ? fail(COMMAND, "--range needs --heat") : ARGUMENTS_READ;
    int measure = taut_measure_find(r->heat);
    if (measure < 0) return fail_unknown(COMMAND, "heat map", r->heat, measure_name);
    heat_open(&s->heat, (taut_measure)measure);
    s->heated = true;
    if (!r->range) return ARGUMENTS_READ;
    if (!read_pair(r->range, ":", pair) || !(pair[0] < pair[1]))
        return fail(COMMAND, "--range must be LOW:HIGH, such as -0.1:0.1, got '%s'", r->range);
    s->heat.low = (float)pair[0];
    s->heat.high = (float)pair[1];
    s->ranged = true;
    return ARGUMENTS_READ;
}

static int read_view(const request *r, show *s)
{
    double pair[2];
    if (!r->view) return ARGUMENTS_READ;
    if (!read_pair(r->view, ",", pair) || fabs(pair[0]) > 360 || fabs(pair[1]) > 89)
        return fail(COMMAND, "--view must be AZIMUTH,ELEVATION in degrees, such as 35,20, got '%s'", r->view);
    s->azimuth = (float)pair[0];
    s->elevation = (float)pair[1];
    s->own_view = true;
    return ARGUMENTS_READ;
}

/* Reads size, kind and place of the output. */
static int read_output(const request *r, output *out)
{
    enum { SMALLEST = 16, LARGEST = 8192 };
    int size[2], sheet[2];
    if (!read_counts(r->size, SMALLEST, LARGEST, size))
        return fail(COMMAND, "--size must be WIDTHxHEIGHT, each %d to %d, got '%s'", SMALLEST, LARGEST, r->size);
    out->path = r->out;
    out->width = size[0];
    out->height = size[1];
    if (!output_kind_of(r->out, &out->kind))
        return fail(COMMAND, "--out must be a name such as picture.png, frame_%%04d.png, film.mp4 or film.gif, "
                             "got '%s'", r->out);
    if (!r->contact) return ARGUMENTS_READ;
    if (!read_counts(r->contact, 1, 50, sheet))
        return fail(COMMAND, "--contact must be COLUMNSxROWS, such as 4x3, got '%s'", r->contact);
    if (out->kind != OUTPUT_PICTURE) return fail(COMMAND, "--contact writes one picture: --out must end in .png");
    out->kind = OUTPUT_SHEET;
    out->columns = sheet[0];
    out->rows = sheet[1];
    out->width = size[0] / sheet[0] > SMALLEST ? size[0] / sheet[0] : SMALLEST;
    out->height = size[1] / sheet[0] > SMALLEST ? size[1] / sheet[0] : SMALLEST;
    return ARGUMENTS_READ;
}

static int read_frames(const request *r, const clip *c, output *out, int **frame, int *count)
{
    char why[200];
    *frame = frames_choose(r->frames, r->every, c->nframes, count, why);
    if (!*frame) return fail(COMMAND, "%s", why);
    if (out->kind == OUTPUT_PICTURE) {
        (*frame)[0] = (*frame)[*count - 1];
        *count = 1;
    }
    if (out->kind == OUTPUT_SHEET) {
        frames_spread(*frame, count, out->columns * out->rows);
        out->rows = (*count + out->columns - 1) / out->columns;
    }
    return ARGUMENTS_READ;
}

/* Checks before the work begins whether every picture can be written. */
static int check_targets(const request *r, const output *out, const int *frame, int count)
{
    const taut_scene_input mesh = {r->mesh, NULL};
    const target_user user = {COMMAND, r->input, r->mesh ? &mesh : NULL};
    char name[4096];
    int code = out->kind == OUTPUT_FRAMES ? ARGUMENTS_READ : target_check_file(&user, "the output", r->out);
    for (int i = 0; i < count && out->kind == OUTPUT_FRAMES && code == ARGUMENTS_READ; i++)
        if (name_of_frame(name, sizeof name, r->out, frame[i])) code = target_check_file(&user, "the output", name);
    return code == ARGUMENTS_READ ? target_check_folder(&user, r->out) : code;
}

/* ---- Progress --------------------------------------------------------------------------------------------------- */

static bool is_shown; /* on a terminal, unless --quiet */

static void show_progress(const char *what, int done, int all)
{
    enum { WIDE = 30 };
    if (!is_shown || all < 1) return;
    int full = (int)((long long)WIDE * done / all);
    fprintf(stderr, "\r%-10s [%.*s%.*s] %d/%d ", what, full, "##############################", WIDE - full,
            "                              ", done, all);
    if (done == all) fputs("\r\033[K", stderr);
}

/* False once a signal came. */
static bool show_simulated(int done, int all) { return show_progress("simulating", done, all), !interrupt_signal(); }
static bool show_drawn(int done, int all) { return show_progress("drawing", done, all), !interrupt_signal(); }

/* ---- The work --------------------------------------------------------------------------------------------------- */

static int draw(show *s)
{
    taut_error error;
    interrupt_watch();
    if (!output_open(s->out, &error)) return fail(COMMAND, "%s", error.text);
    bool fine = show_run(s, &error);
    taut_error closing;
    if (!fine && interrupt_signal()) {
        output_close(s->out, false, &closing);
        return SIGNAL_EXIT + interrupt_signal();
    }
    if (!output_close(s->out, fine, &closing)) return fail(COMMAND, "%s", closing.text);
    return fine ? 0 : fail(COMMAND, "%s", error.text);
}

static void report(const request *r, const show *s)
{
    const output *out = s->out;
    if (r->quiet) return;
    printf("%s: ", r->out);
    if (out->kind == OUTPUT_PICTURE) printf("frame %d", s->frame[0]);
    else if (s->nframes == 1) printf("1 frame, %d", s->frame[0]);
    else printf("%d frames, %d to %d", s->nframes, s->frame[0], s->frame[s->nframes - 1]);
    printf(", %d x %d pixels", out->width, out->height);
    if (s->heated)
        printf(", %s %.3g to %.3g", taut_measure_name(s->heat.measure), (double)s->heat.low, (double)s->heat.high);
    printf("\n");
}

static int render_clip(const request *r, show *s, clip *c, output *out)
{
    int *frame = NULL, count = 0, code = read_frames(r, c, out, &frame, &count);
    paint_message why;
    if (code == ARGUMENTS_READ) code = check_targets(r, out, frame, count);
    if (code == ARGUMENTS_READ) {
        s->clip = c;
        s->out = out;
        s->frame = frame;
        s->nframes = count;
        out->fps = r->fps ? r->fps : c->fps / r->every;
        s->module = out->module = module_load(&why);
        code = s->module ? draw(s) : fail(COMMAND, "%s", why.text);
        if (code == 0) report(r, s);
    }
    free(frame);
    return code;
}

static int render(const request *r)
{
    show s = {.azimuth = 32, .elevation = 17, .wire = r->wire, .simulated = show_simulated, .drawn = show_drawn};
    output out = {.kind = OUTPUT_PICTURE};
    clip c;
    taut_error error;
    int code = read_output(r, &out);
    if (code == ARGUMENTS_READ) code = read_heat(r, &s);
    if (code == ARGUMENTS_READ) code = read_view(r, &s);
    if (code != ARGUMENTS_READ) return code;
    const clip_request wanted = {.path = r->input, .mesh = r->mesh, .set = r->sets.word, .nsets = r->sets.count,
                                 .threads = r->threads, .measured = s.heated};
    if (!clip_open(&c, &wanted, &error)) return fail(COMMAND, "%s", error.text);
    code = render_clip(r, &s, &c, &out);
    clip_close(&c);
    return code;
}

static const char about[] =
    "Draws pictures without a display. INPUT is a scene (scene.json), which is simulated first; or an\n"
    "animation: cache.glb of taut run, cache.pc2 or cache.mdd with --mesh, or one mesh a frame,\n"
    "cloth_%04d.obj (.ply, ...); or one mesh.\n"
    "The camera is the scene's, or else one that sees everything. Animations hold no colliders; a\n"
    "picture of the scene itself shows them.\n"
    "Heat maps show how much the material is stretched along its axes (0.1: 10 % longer), sheared or\n"
    "bent (radians), against the mesh at rest.\n"
    "Films need the program ffmpeg.";

static const char example[] =
    "taut render scene.json --out last.png\n"
    "  taut render scene.json --out film.mp4 --size 1920x1080\n"
    "  taut render scene.json --contact 4x3 --out sheet.png --wire\n"
    "  taut render scene.json --heat stretch_x --range -0.05:0.05 --frames 60 --out stretch.png\n"
    "  taut render cloth.pc2 --mesh cloth.obj --every 2 --out film.gif --size 640x360\n"
    "  taut render out/cloth_%04d.ply --frames 100- --out frames/cloth_%04d.png";

int command_render(int argc, char **argv)
{
    request r = {.out = "render.png", .size = "1280x720", .every = 1};
    const option options[] = {
        {.name = "--out", .value = "FILE", .text = &r.out,
         .help = "picture.png (the last frame), frame_%04d.png (one a frame), film.mp4 or film.gif (render.png)"},
        {.name = "--size", .value = "WxH", .text = &r.size, .help = "pixels (1280x720)"},
        {.name = "--frames", .value = "LIST", .text = &r.frames, .help = "such as 120 or 0,30,60-90 or 100- (all)"},
        {.name = "--every", .value = "N", .number = &r.every, .least = 1, .most = 1000000,
         .help = "of these only each N-th (1)"},
        {.name = "--contact", .value = "CxR", .text = &r.contact,
         .help = "a sheet of C columns and R rows, frames evenly spread; each has --size divided by C"},
        {.name = "--heat", .value = "WHAT", .text = &r.heat,
         .help = "heat map of stretch_x, stretch_y, shear, principal or bend"},
        {.name = "--range", .value = "LOW:HIGH", .text = &r.range,
         .help = "of the heat map's colours (so that 99 % of values fit)"},
        {.name = "--wire", .flag = &r.wire, .help = "draw the edges of faces too"},
        {.name = "--view", .value = "A,E", .text = &r.view,
         .help = "look from A degrees to the right of the front (+z) and E above (the scene's camera, or 32,17)"},
        {.name = "--mesh", .value = "FILE", .text = &r.mesh,
         .help = "the mesh whose vertices a pc2 or mdd cache moves, at rest"},
        {.name = "--fps", .value = "N", .number = &r.fps, .least = 1, .most = 1000,
         .help = "of a film (as fast as the scene)"},
        {.name = "--set", .value = "KEY=VALUE", .list = &r.sets, .help = "change a value of the scene, as in taut run"},
        {.name = "--threads", .value = "T", .number = &r.threads, .most = TAUT_MOST_THREADS,
         .help = "of the simulation; 0: one per core (0)"},
        {.name = "--quiet", .flag = &r.quiet, .help = "no progress and no report"},
        {0},
    };
    const syntax s = {
        .command = COMMAND,
        .operand = "INPUT",
        .operand_text = &r.input,
        .operand_needed = true,
        .about = about,
        .example = example,
        .options = options,
    };
    int code = arguments_read(&s, argc, argv);
    if (code != ARGUMENTS_READ) return code;
    is_shown = !r.quiet && isatty(STDERR_FILENO);
    return render(&r);
}
