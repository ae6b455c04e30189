/* taut train: writes the limits of a scene's coarser meshes to a file beside the scene. A training may be stopped and
 * resumed: the results so far are kept in NAME.limits.partial, which becomes NAME.limits when it is complete. */
#define _POSIX_C_SOURCE 200809L

#include "arguments.h"
#include "commands.h"
#include "interrupt.h"
#include "progress.h"
#include "targets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const COMMAND = "taut train";

static const double KEEP_SECONDS = 5;

typedef struct train_options {
    const char *scene, *body, *out;
    word_list sets;
    int threads;
    bool direct, indirect, resume, quiet;
} train_options;

/* One body's training. */
typedef struct task {
    const train_options *options;
    const taut_scene *scene;
    const taut_scene_body *body;
    char *path, *partial;
    progress progress;
    double kept_at; /* seconds_now when it was last written */
    bool failed;    /* it failed, and the message is printed */
} task;

static int fail_with(const taut_error *error) { return fail(COMMAND, "%s", error->text); }

/* ---- Files ---- */

static char *join(const char *a, const char *b, const char *c)
{
    size_t size = strlen(a) + strlen(b) + strlen(c) + 1;
    char *text = malloc(size);
    if (text) snprintf(text, size, "%s%s%s", a, b, c);
    return text;
}

/* The name is SCENE.BODY.limits, where SCENE is without its ending .json. */
static bool choose_names(task *t)
{
    const train_options *o = t->options;
    char *stem = join(o->scene, "", ""), *named = NULL;
    if (stem) {
        size_t length = strlen(stem);
        if (length > 5 && !strcmp(stem + length - 5, ".json")) stem[length - 5] = '\0';
        named = join(stem, ".", t->body->name);
    }
    if (named) t->path = o->out ? join(o->out, "", "") : join(named, ".limits", "");
    if (t->path) t->partial = join(t->path, ".partial", "");
    free(stem);
    free(named);
    return t->partial || (fail(COMMAND, "out of memory"), false);
}

/* Checks before the work begins that the files can be written and that no other file would be lost. */
static bool check_names(const task *t)
{
    static const char begin[] = "tautlims"; /* of all files of limits */
    const target_user user = {COMMAND, t->options->scene, t->scene->input};
    const char *const paths[] = {t->path, t->partial};
    for (int i = 0; i < 2; i++)
        if (target_check(&user, "the file of limits", paths[i]) != ARGUMENTS_READ ||
            target_check_ours(&user, "file of trained limits", paths[i], begin) != ARGUMENTS_READ)
            return false;
    return true;
}

static bool keep(task *t, const taut_training *training, const char *path)
{
    taut_error error;
    size_t size = taut_training_save(training, NULL, 0);
    void *bytes = malloc(size);
    bool kept = false;
    if (!bytes) fail(COMMAND, "out of memory");
    else {
        taut_training_save(training, bytes, size);
        kept = taut_file_write(path, bytes, size, &error);
        if (!kept) fail_with(&error);
    }
    free(bytes);
    t->kept_at = seconds_now();
    t->failed = t->failed || !kept;
    return kept;
}

/* Reads the results of an earlier training. *training stays NULL when there are none. */
static bool read_partial(const task *t, taut_training **training)
{
    taut_error error;
    taut_bytes bytes;
    if (!t->options->resume) return true;
    if (access(t->partial, F_OK) != 0) {
        if (!t->options->quiet) printf("no %s: starting from the beginning\n", t->partial);
        return true;
    }
    if (!taut_file_read(t->partial, &bytes, &error)) return fail_with(&error), false;
    *training = taut_training_load(bytes.data, bytes.size, NULL, &error);
    taut_bytes_free(&bytes);
    if (!*training) fail(COMMAND, "%s: %s", t->partial, error.text);
    return *training != NULL;
}

/* ---- One body ---- */

static bool go_on(const taut_training *so_far, void *user)
{
    task *t = user;
    char text[PROGRESS_TEXT], left[PROGRESS_TIME];
    taut_training_state state = taut_training_state_of(so_far);
    t->progress.last = state.total;
    if (progress_due(&t->progress, state.done)) {
        progress_pace(&t->progress, state.done, left);
        snprintf(text, sizeof text, "%s  %d/%d triangles and hinges  %s left", t->body->name, state.done, state.total,
                 left);
        progress_draw(&t->progress, state.done, text);
    }
    if (state.done == state.total) return true;
    bool stop = interrupt_signal() != 0;
    if ((stop || seconds_now() - t->kept_at >= KEEP_SECONDS) && !keep(t, so_far, t->partial)) return false;
    return !stop;
}

static double degrees(float radians) { return 57.29577951308232 * (double)radians; }

static void print_summary(const task *t, const taut_training *training, double seconds)
{
    taut_training_level l;
    const char *slash = strrchr(t->path, '/');
    if (t->options->quiet) return;
    printf("%s: trained in %.1f s; least, mean and largest of each level's limits:\n", t->body->name, seconds);
    printf("  level  triangles  hinges   least stretch      largest stretch    bend down, degrees  bend up, degrees\n");
    for (int i = 1; taut_training_level_of(training, i, &l); i++) {
        printf("  %5d  %9d  %6d ", i, l.triangles, l.hinges);
        for (int k = 0; k < 3; k++) printf(" %5.3f", (double)l.low[k]);
        for (int k = 0; k < 3; k++) printf("%s%5.3f", k ? " " : "   ", (double)l.high[k]);
        for (int k = 0; k < 3; k++) printf("%s%5.0f", k ? " " : "   ", degrees(l.bend_low[k]));
        for (int k = 0; k < 3; k++) printf("%s%5.0f", k ? " " : "   ", degrees(l.bend_high[k]));
        printf("\n");
    }
    printf("wrote %s; in the scene, beside \"levels\" of this body:\n    \"training\": \"%s\"\n", t->path,
           t->options->out || !slash ? t->path : slash + 1);
}

static int train_from(task *t, const taut_training *earlier)
{
    taut_error error;
    taut_model_options options = taut_default_model_options();
    taut_train_def def = taut_default_train_def();
    memcpy(options.axis, t->body->warp_axis, sizeof options.axis);
    options.levels = t->body->levels;
    def.way = t->options->indirect ? TAUT_TRAIN_INDIRECT : TAUT_TRAIN_DIRECT;
    def.threads = t->options->threads;
    def.progress = go_on;
    def.user = t;
    def.resume = earlier;
    taut_training_state before = {0};
    if (earlier) before = taut_training_state_of(earlier);
    if (earlier && !t->options->quiet)
        printf("going on after %d of %d triangles and hinges\n", before.done, before.total);
    progress_begin(&t->progress, stdout, t->options->quiet, before.done, before.total);
    double began = seconds_now();
    t->kept_at = began;
    const taut_material *material = taut_body_material(t->scene->world, t->body->body);
    taut_training *training = taut_train(&t->body->file.mesh, material, &options, &def, &error);
    if (!training) return fail(COMMAND, "%s: %s", t->body->name, error.text);
    progress_end(&t->progress);
    taut_training_state state = taut_training_state_of(training);
    bool whole = state.done == state.total;
    if (whole && !t->failed && keep(t, training, t->path)) {
        remove(t->partial);
        print_summary(t, training, seconds_now() - began);
    }
    taut_training_free(training);
    if (t->failed) return EXIT_USAGE;
    if (whole) return 0;
    if (!t->options->quiet) printf("stopped; the same command with --resume goes on\n");
    return SIGNAL_EXIT + interrupt_signal();
}

static int train_body(const train_options *options, const taut_scene *scene, int index)
{
    task t = {.options = options, .scene = scene, .body = &scene->body[index]};
    taut_training *earlier = NULL;
    int code = EXIT_USAGE;
    if (choose_names(&t) && check_names(&t) && read_partial(&t, &earlier)) code = train_from(&t, earlier);
    taut_training_free(earlier);
    free(t.path);
    free(t.partial);
    return code;
}

/* ---- All bodies ---- */

/* Copies share a model, so only the first of them is trained. */
static bool is_copy(const taut_scene *scene, int index)
{
    for (int i = 0; i < index; i++)
        if (scene->body[i].model == scene->body[index].model) return true;
    return false;
}

/* Whether there is anything to train. */
static bool is_trainable(const taut_scene *scene, int index)
{
    const taut_limit *limit = &taut_body_material(scene->world, scene->body[index].body)->limit;
    bool bends = limit->bend[0] > -1e30f || limit->bend[1] < 1e30f;
    bool stretches = limit->stretch[0] > 0 && limit->stretch[1] < 1e30f;
    return taut_model_levels(scene->body[index].model) > 0 && bends && stretches;
}

static int train_bodies(const train_options *options, const taut_scene *scene)
{
    int chosen[WORDS], count = 0;
    bool named = options->body == NULL;
    for (int i = 0; i < scene->nbodies && count < WORDS; i++) {
        bool wanted = !options->body || !strcmp(options->body, scene->body[i].name);
        if (options->body && wanted) named = true;
        /* A body that the user named is tried in any case: its error says why it cannot be trained. */
        if (wanted && !is_copy(scene, i) && (options->body || is_trainable(scene, i))) chosen[count++] = i;
    }
    if (!named) return fail(COMMAND, "%s: there is no body '%s'", options->scene, options->body);
    if (count == 0)
        return fail(COMMAND,
                    "%s: there is nothing to train: no body has levels (\"auto\" gives none below 600 vertices) and "
                    "limits of stretch (both ends) and bend",
                    options->scene);
    if (count > 1 && options->out)
        return fail(COMMAND, "--out is for one body, and there are %d to train: name one with --body", count);
    interrupt_watch();
    for (int i = 0; i < count; i++) {
        int code = train_body(options, scene, chosen[i]);
        if (code) return code;
    }
    return 0;
}

static int train_scene(const train_options *options)
{
    taut_error error;
    const taut_scene_options scene_options = {
        .threads = 1, .nsets = options->sets.count, .set = options->sets.word, .untrained = true};
    if (options->direct && options->indirect) return fail(COMMAND, "--direct and --indirect cannot both be");
    taut_scene *scene = taut_scene_load(options->scene, &scene_options, &error);
    if (!scene) return fail_with(&error);
    int code = train_bodies(options, scene);
    taut_scene_free(scene);
    return code;
}

int command_train(int argc, char **argv)
{
    train_options o = {0};
    const option options[] = {
        {.name = "--direct", .flag = &o.direct,
         .help = "search with the limits of the mesh itself (this is the default)"},
        {.name = "--indirect", .flag = &o.indirect,
         .help = "search with the limits of the next finer level: faster, and looser"},
        {.name = "--body", .value = "NAME", .text = &o.body, .help = "train this body only"},
        {.name = "--out", .value = "FILE", .text = &o.out,
         .help = "write to this file (beside the scene: SCENE.BODY.limits)"},
        {.name = "--threads", .value = "N", .number = &o.threads, .least = 0, .most = TAUT_MOST_THREADS,
         .help = "threads to compute with (0: one a core); the result is the same"},
        {.name = "--set", .value = "PATH=VALUE", .list = &o.sets,
         .help = "change a value of the scene; VALUE is JSON"},
        {.name = "--resume", .flag = &o.resume, .help = "go on with an interrupted training"},
        {.name = "--quiet", .flag = &o.quiet, .help = "print errors only"},
        {0},
    };
    const syntax s = {
        .command = COMMAND,
        .operand = "SCENE.json",
        .operand_text = &o.scene,
        .operand_needed = true,
        .about = "Finds out how far the coarser meshes of a body may be stretched, squeezed and bent while the mesh\n"
                 "itself keeps its limits, for every body with \"levels\" and limits of stretch and bend. The result\n"
                 "goes to a file that the body names as its \"training\". Ctrl-C stops; --resume goes on, also after\n"
                 "a crash, and the result is the same to the bit. Train again when mesh, pins, limits or levels\n"
                 "change.",
        .example = "taut train scene.json\n"
                   "  taut train scene.json --indirect --body coat\n"
                   "  taut train scene.json --resume",
        .options = options,
    };
    int code = arguments_read(&s, argc, argv);
    if (code != ARGUMENTS_READ) return code;
    return train_scene(&o);
}
