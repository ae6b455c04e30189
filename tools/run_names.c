#define _POSIX_C_SOURCE 200809L

#include "run_names.h"

#include "file_kinds.h"
#include "folder.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const formats[] = {"pc2", "mdd", "obj", "ply", "glb", "vtu", "pvd", "usda", NULL};

static const char *format_name(int i) { return formats[i]; }

static bool is_format(const char *word)
{
    for (int i = 0; formats[i]; i++)
        if (strcmp(formats[i], word) == 0) return true;
    return false;
}

/* ---- Pieces of names ---- */

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static const char *ending_of(const char *path)
{
    const char *dot = strrchr(base_name(path), '.');
    return dot ? dot + 1 : "";
}

bool name_ends_in(const char *path, const char *ending) { return strcmp(ending_of(path), ending) == 0; }

/* The length of %d or %04d at `at`; 0 when there is none. */
static size_t number_length(const char *at)
{
    if (at[0] != '%') return 0;
    size_t digits = strspn(at + 1, "0123456789");
    return at[1 + digits] == 'd' ? digits + 2 : 0;
}

/* The output's name without its ending and the place of the frame's number, plus `ending`. */
static char *name_beside(const char *output, const char *ending)
{
    size_t dot = (size_t)(ending_of(output) - output) - 1;
    size_t ending_size = strlen(ending) + 1;
    char *name = malloc(dot + ending_size);
    if (!name) return NULL;
    size_t length = (size_t)(base_name(output) - output);
    memcpy(name, output, length);
    for (size_t i = length; i < dot;) {
        size_t skipped = number_length(output + i);
        if (!skipped) name[length++] = output[i++];
        i += skipped;
    }
    memcpy(name + length, ending, ending_size);
    return name;
}

char *run_names_append(const char *name, const char *ending)
{
    size_t size = strlen(name) + strlen(ending) + 1;
    char *longer = malloc(size);
    if (longer) snprintf(longer, size, "%s%s", name, ending);
    return longer;
}

/* All names of the same output give the same lock: names with and without a number, and both names of a VTU
 * animation. */
char *run_names_lock(const char *target)
{
    char ending[32];
    const char *own = ending_of(target);
    if (!is_format(own)) return run_names_append(target, ".lock");
    snprintf(ending, sizeof ending, ".%s.lock", strcmp(own, "pvd") == 0 ? "vtu" : own);
    return name_beside(target, ending);
}

/* ---- Outputs ---- */

static int no_memory(void) { return fail(RUN_COMMAND, "out of memory"); }

static int add_output(run_names *names, const char *stem, const char *dot, const char *ending)
{
    if (names->noutputs == WORDS) return fail(RUN_COMMAND, "more than %d outputs", WORDS);
    size_t size = strlen(stem) + strlen(dot) + strlen(ending) + 1;
    char *path = malloc(size);
    if (!path) return no_memory();
    snprintf(path, size, "%s%s%s", stem, dot, ending);
    names->output[names->noutputs++] = path;
    if (base_name(path) == ending_of(path) - 1)
        return fail(RUN_COMMAND, "the output '%s' has no name before its ending", path);
    for (int i = 0; i < names->noutputs - 1; i++)
        if (strcmp(names->output[i], path) == 0) return fail(RUN_COMMAND, "the output '%s' is named twice", path);
    return ARGUMENTS_READ;
}

/* Adds STEM.pc2 and STEM.glb for "pc2,glb". */
static int add_formats(run_names *names, const char *stem, const char *list)
{
    for (const char *at = list;;) {
        char word[16];
        size_t length = strcspn(at, ",");
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        if (length >= sizeof word || !is_format(word)) return fail_unknown(RUN_COMMAND, "format", word, format_name);
        int code = add_output(names, stem, ".", word);
        if (code != ARGUMENTS_READ || !at[length]) return code;
        at += length + 1;
    }
}

static int add_outs(run_names *names, const run_options *options)
{
    bool format_used = false;
    for (int i = 0; i < options->outs.count; i++) {
        const char *out = options->outs.word[i];
        bool whole = is_format(ending_of(out));
        if (file_kind_of(out) == FILE_PICTURE)
            return fail(RUN_COMMAND, "--out '%s': taut run writes animations; taut render %s --out %s draws", out,
                        options->scene, out);
        if (!whole && !options->format)
            return fail(RUN_COMMAND,
                        "--out '%s' must end in .pc2, .mdd, .obj, .ply, .glb, .vtu, .pvd or .usda, or needs --format",
                        out);
        int code = whole ? add_output(names, out, "", "") : add_formats(names, out, options->format);
        if (code != ARGUMENTS_READ) return code;
        format_used |= !whole;
    }
    if (options->format && !format_used)
        return fail(RUN_COMMAND, "--format is for an --out without an ending, but all of them have one");
    return ARGUMENTS_READ;
}

static int add_default(run_names *names, const run_options *options)
{
    char stem[PATH_MAX];
    const char *name = base_name(options->scene), *ending = ending_of(name);
    int length = (int)(*ending ? (size_t)(ending - name) - 1 : strlen(name));
    snprintf(stem, sizeof stem, "out/%.*s", length, name);
    return add_formats(names, stem, options->format ? options->format : "glb");
}

static int add_outputs(run_names *names, const run_options *options, const taut_scene *scene)
{
    if (options->outs.count) return add_outs(names, options);
    if (options->format || !scene->noutputs) return add_default(names, options);
    for (int i = 0; i < scene->noutputs; i++) {
        int code = add_output(names, scene->output[i], "", "");
        if (code == ARGUMENTS_READ && !is_format(ending_of(scene->output[i])))
            code = fail_unknown(RUN_COMMAND, "format", ending_of(scene->output[i]), format_name);
        if (code != ARGUMENTS_READ) return code;
    }
    return ARGUMENTS_READ;
}

/* ---- Folders ---- */

static int make_folder_of(const char *path)
{
    char folder[PATH_MAX];
    size_t length = (size_t)(base_name(path) - path);
    if (length == 0) return ARGUMENTS_READ;
    if (length >= sizeof folder) return fail(RUN_COMMAND, "the name '%.80s...' is too long", path);
    memcpy(folder, path, length);
    folder[length > 1 ? length - 1 : 1] = 0;
    if (folder_make(folder)) return ARGUMENTS_READ;
    return fail(RUN_COMMAND, "cannot make the folder '%s': %s", folder, strerror(errno));
}

int run_names_choose(run_names *names, const run_options *options, const taut_scene *scene)
{
    int code = add_outputs(names, options, scene);
    if (code != ARGUMENTS_READ) return code;
    names->checkpoint = name_beside(names->output[0], ".checkpoint");
    names->record = options->record ? strdup(options->record) : name_beside(names->output[0], ".run.json");
    if (!names->checkpoint || !names->record) return no_memory();
    for (int i = 0; i < names->noutputs && code == ARGUMENTS_READ; i++) code = make_folder_of(names->output[i]);
    if (code == ARGUMENTS_READ) code = make_folder_of(names->record);
    if (code == ARGUMENTS_READ && options->stats) code = make_folder_of(options->stats);
    return code;
}

bool run_names_is_sequence(const char *output)
{
    static const char *const endings[] = {"obj", "ply", "vtu", "pvd"};
    for (int i = 0; i < 4; i++)
        if (name_ends_in(output, endings[i])) return true;
    return false;
}

void run_names_print(const char *output, int nbodies)
{
    bool each_frame = run_names_is_sequence(output) && !name_ends_in(output, "pvd");
    bool each_body = nbodies > 1 && (name_ends_in(output, "pc2") || name_ends_in(output, "mdd"));
    const char *number = strchr(base_name(output), '%'), *ending = ending_of(output);
    const char *more = each_body ? "-*" : each_frame && !number ? "*" : "";
    printf("wrote %.*s%s.%s\n", (int)(ending - output) - 1, output, more, ending);
}

void run_names_free(run_names *names)
{
    for (int i = 0; i < names->noutputs; i++) free(names->output[i]);
    free(names->checkpoint);
    free(names->record);
}
