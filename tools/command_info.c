/* taut info: what is in a mesh, scene or animation, and what is odd about it. */
#include "arguments.h"
#include "commands.h"
#include "file_kinds.h"
#include "info.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const COMMAND = "taut info";

static bool info_unknown(const char *path, bool json, taut_error *error)
{
    (void)json;
    error->code = TAUT_BAD_ARGUMENT;
    snprintf(error->text, sizeof error->text,
             "%.100s: the ending is none of obj, ply, stl, msh, vtk, node, ele (meshes), json (scenes), pc2, mdd, glb "
             "(animations)",
             path);
    return false;
}

static info_describe *describer_of(const char *path)
{
    switch (file_kind_of(path)) {
    case FILE_SCENE: return info_scene;
    case FILE_MESH: return info_mesh;
    case FILE_MOTION:
    case FILE_GLB: return info_animation;
    case FILE_EXPORT:
    case FILE_PICTURE:
    case FILE_OTHER: break;
    }
    return info_unknown;
}

/* A bad file gives an object with its error, and the error on stderr. */
static bool describe(const char *path, bool json)
{
    taut_error error = {0};
    if (describer_of(path)(path, json, &error)) return true;
    if (json) {
        info_json object;
        info_open(&object, "error", path);
        info_key(&object, "error");
        info_string(error.text);
        putchar('}');
    }
    fflush(stdout);
    fprintf(stderr, "%s\n", error.text);
    return false;
}

/* Describes all files, also those after a bad one. */
static int describe_all(char **path, int count, bool json)
{
    bool good = true;
    if (json) printf("[");
    for (int i = 0; i < count; i++) {
        if (i) printf(json ? ",\n " : "\n");
        good = describe(path[i], json) && good;
    }
    if (json) printf("]\n");
    return good ? 0 : EXIT_USAGE;
}

int command_info(int argc, char **argv)
{
    bool json = false;
    const char *first = NULL;
    const option options[] = {
        {.name = "--json", .help = "print a JSON array with one object a file", .flag = &json},
        {0},
    };
    const syntax s = {
        .command = COMMAND,
        .operand = "FILE...",
        .operand_text = &first,
        .operand_needed = true,
        .about = "Describes meshes (obj, ply, stl, msh, vtk, TetGen's node and ele), scenes (json) and animations\n"
                 "(pc2, mdd, and glb of taut run). Nothing is simulated or written.\n"
                 "Meshes: counts, bounds, edge lengths, area, volume, open or closed, pieces, the smallest angle of\n"
                 "each triangle, the quality of each tet, and every problem found, in a sentence that says where.\n"
                 "Scenes: frames, colliders, memory; vertices, pins, mass, levels and constraints of each body.\n"
                 "Animations: vertices, frames, bounds and the fastest vertex.\n"
                 "A bad file is reported with its place and cause; the exit code is then 2.",
        .example = "taut info cloth.obj\n"
                   "  taut info --json scene.json\n"
                   "  taut info meshes/*.ply",
        .options = options,
    };
    /* Separates operands from options, because there may be any number of operands. */
    char **words = malloc(2 * (size_t)(argc + 1) * sizeof *words);
    if (!words) return fail(COMMAND, "out of memory");
    char **files = words + argc + 1;
    int nwords = 0, nfiles = 0;
    for (int i = 0; i < argc; i++)
        if (argv[i][0] == '-') words[nwords++] = argv[i];
        else files[nfiles++] = argv[i];
    if (nfiles) first = files[0];
    int code = arguments_read(&s, nwords, words);
    if (code == ARGUMENTS_READ) code = describe_all(files, nfiles, json);
    free(words);
    return code;
}
