/* taut check: which triangles of a mesh, a scene or an animation intersect. */
#include "arguments.h"
#include "check_print.h"
#include "commands.h"
#include "file_kinds.h"
#include "render/frames.h"
#include "render/module.h"
#include "render/show.h"
#include "targets.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const COMMAND = "taut check";

enum { EXIT_FOUND = 1 };

typedef struct request {
    const char *input, *mesh, *frames, *picture;
    int most;
    bool json;
} request;

/* The frames that were asked for, and the memory into which each is read. */
typedef struct reel {
    int *frame, count;
    float *xyz;
    taut_collider_def *collider;
    taut_crossing *list;
} reel;

static bool go_on(int done, int all)
{
    (void)done, (void)all;
    return true;
}

/* ---- The picture ------------------------------------------------------------------------------------------------ */

/* Checks before the work begins whether pictures can be drawn and written. */
static int check_picture(const request *r, output *out)
{
    const taut_scene_input mesh = {r->mesh, NULL};
    const target_user user = {COMMAND, r->input, r->mesh ? &mesh : NULL};
    paint_message why;
    if (!r->picture) return ARGUMENTS_READ;
    if (!output_kind_of(r->picture, &out->kind) || out->kind == OUTPUT_FILM)
        return fail(COMMAND, "--render must be a name such as picture.png or frame_%%04d.png, got '%s'", r->picture);
    int code = out->kind == OUTPUT_PICTURE ? target_check(&user, "the picture", r->picture)
                                           : target_check_folder(&user, r->picture);
    if (code != ARGUMENTS_READ) return code;
    out->module = module_load(&why);
    return out->module ? ARGUMENTS_READ : fail(COMMAND, "%s", why.text);
}

/* A single picture shows the worst frame. */
static bool draw(check *c, clip *from, output *out, const reel *frames, const check_summary *sum, taut_error *error)
{
    bool single = out->kind == OUTPUT_PICTURE;
    show s = {.clip = from,
              .module = out->module,
              .out = out,
              .frame = single ? &sum->worst : frames->frame,
              .nframes = single ? 1 : frames->count,
              .azimuth = 32,
              .elevation = 17,
              .mark = check_mark,
              .marker = c,
              .simulated = go_on,
              .drawn = go_on};
    taut_error closing;
    if (!output_open(out, error)) return false;
    bool fine = show_run(&s, error);
    if (output_close(out, fine, &closing) || !fine) return fine;
    *error = closing;
    return false;
}

/* ---- The search ------------------------------------------------------------------------------------------------- */

static void sum_up(check_summary *s, const check_frame *f)
{
    const check_counts *now = &f->counts;
    bool worse = now->pairs != s->most.pairs ? now->pairs > s->most.pairs : now->crossings > s->most.crossings;
    if (s->frames++ == 0 || worse) {
        s->worst = f->number;
        s->most = *now;
    }
    if (now->crossings > 0 && s->bad++ == 0) s->first_bad = f->number;
}

static bool search_frame(const check *c, clip *from, const reel *frames, int k, int most, check_frame *f,
                         taut_error *error)
{
    *f = (check_frame){.number = frames->frame[k], .list = frames->list};
    if (!clip_read(from, f->number, frames->xyz, frames->collider, error) ||
        !check_search(c, frames->xyz, frames->list, most, &f->counts, error))
        return false;
    f->listed = f->counts.crossings < most ? (int)f->counts.crossings : most;
    return true;
}

/* Reports an error of a frame on stderr. */
static int fail_frame(const request *r, int frame, const taut_error *error)
{
    fflush(stdout);
    return fail(COMMAND, "%s: frame %d: %s", r->input, frame, error->text);
}

static int search_all(const request *r, check *c, clip *from, output *out, const reel *frames)
{
    const check_printer *print = r->json ? &check_json : &check_text;
    check_summary sum = {0};
    taut_error error;
    if (!clip_gather(from, frames->frame, frames->count, go_on, &error)) return fail(COMMAND, "%s", error.text);
    print->begin(c, r->input);
    for (int k = 0; k < frames->count; k++) {
        check_frame f;
        if (!search_frame(c, from, frames, k, r->most, &f, &error)) {
            print->end(&sum, error.text);
            return fail_frame(r, frames->frame[k], &error);
        }
        print->frame(c, &f, k == 0);
        sum_up(&sum, &f);
    }
    print->end(&sum, NULL);
    fflush(stdout);
    if (r->picture && !draw(c, from, out, frames, &sum, &error)) return fail(COMMAND, "%s", error.text);
    return sum.bad > 0 ? EXIT_FOUND : 0;
}

/* ---- What is searched ------------------------------------------------------------------------------------------- */

/* Chooses the frames. Only the start of a scene is checked, unless frames are asked for; then the scene is
 * simulated. */
static int read_frames(const request *r, const clip *from, reel *frames)
{
    char why[200];
    const char *list = !r->frames && from->scene ? "0" : r->frames;
    frames->frame = frames_choose(list, 1, from->nframes, &frames->count, why);
    if (!frames->frame) return fail(COMMAND, "%s", why);
    frames->xyz = malloc(sizeof *frames->xyz * (3 * (size_t)from->nvertices + 1));
    frames->collider = malloc(sizeof *frames->collider * ((size_t)from->ncolliders + 1));
    frames->list = malloc(sizeof *frames->list * ((size_t)r->most + 1));
    bool fine = frames->xyz && frames->collider && frames->list;
    return fine ? ARGUMENTS_READ : fail(COMMAND, "out of memory");
}

static void reel_free(reel *frames)
{
    free(frames->frame);
    free(frames->xyz);
    free(frames->collider);
    free(frames->list);
}

static int check_clip(const request *r, clip *from, output *out)
{
    reel frames = {0};
    check c;
    taut_error error;
    int code = read_frames(r, from, &frames);
    if (code == ARGUMENTS_READ) {
        if (!check_open(&c, from, &error)) code = fail(COMMAND, "%s: %s", r->input, error.text);
        else {
            code = search_all(r, &c, from, out, &frames);
            check_close(&c);
        }
    }
    reel_free(&frames);
    return code;
}

static int check_file(const request *r)
{
    output out = {.path = r->picture, .width = 1280, .height = 720};
    const clip_request wanted = {.path = r->input, .mesh = r->mesh, .simulated = true};
    clip from;
    taut_error error;
    int code = check_picture(r, &out);
    if (code != ARGUMENTS_READ) return code;
    if (file_kind_of(r->input) == FILE_EXPORT)
        return fail(COMMAND, "%s is an animation that taut only writes", r->input);
    if (!clip_open(&from, &wanted, &error)) return fail(COMMAND, "%s", error.text);
    code = check_clip(r, &from, &out);
    clip_close(&from);
    return code;
}

int command_check(int argc, char **argv)
{
    request r = {.most = 5};
    const option options[] = {
        {.name = "--frames", .value = "LIST", .text = &r.frames,
         .help = "such as 120 or 0,30,60-90 or 100- (all; of a scene 0, its start)"},
        {.name = "--mesh", .value = "FILE", .text = &r.mesh,
         .help = "the mesh whose vertices a pc2 or mdd cache moves"},
        {.name = "--most", .value = "N", .number = &r.most, .most = 1000000,
         .help = "list the first N crossings of each frame (5)"},
        {.name = "--render", .value = "FILE", .text = &r.picture,
         .help = "picture.png (the worst frame) or frame_%04d.png (one a frame): intersections in magenta"},
        {.name = "--json", .flag = &r.json, .help = "print a JSON object"},
        {0},
    };
    const syntax s = {
        .command = COMMAND,
        .operand = "INPUT",
        .operand_text = &r.input,
        .operand_needed = true,
        .about = "Counts triangles that intersect, and edges that pass through triangles, frame by frame. The answer\n"
                 "is exact: nothing is rounded, and touching counts. Triangles and edges that share a vertex do not\n"
                 "count, nor do triangles that lie side by side in a plane.\n"
                 "INPUT is a mesh (obj, ply, stl, msh, vtk, node, ele); a scene (json), all bodies together; or an\n"
                 "animation: cache.glb of taut run, cache.pc2 or cache.mdd with --mesh, or one mesh a frame,\n"
                 "cloth_%04d.obj (.ply, ...).\n"
                 "The exit code is 0 when nothing intersects, 1 when something does, 2 after an error.",
        .example = "taut check cloth.obj\n"
                   "  taut check scene.json\n"
                   "  taut check scene.json --frames 0-120 --json\n"
                   "  taut check out/cloth.glb --most 20 --render worst.png\n"
                   "  taut check out/cloth.pc2 --mesh cloth.obj --frames 100-",
        .options = options,
    };
    int code = arguments_read(&s, argc, argv);
    return code == ARGUMENTS_READ ? check_file(&r) : code;
}
