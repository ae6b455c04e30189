/* taut: the command line tool. */
#define _POSIX_C_SOURCE 200809L

#include "arguments.h"
#include "commands.h"
#include "taut.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct command {
    const char *name, *about;
    int (*run)(int argc, char **argv);
} command;

static const command commands[] = {
    {"run", "simulate a scene file and write its animation", command_run},
    {"render", "draw pictures and films of a scene or an animation", command_render},
    {"train", "find the limits of a scene's coarser meshes", command_train},
    {"info", "describe meshes and scenes, and what is odd about them", command_info},
    {"check", "find triangles that intersect, exactly", command_check},
    {"mesh", "fill surfaces with tets, convert meshes", command_mesh},
    {"materials", "list what a material can hold: defaults, ranges, units", command_materials},
    {"lab", "measure a fabric as a textile laboratory would", command_lab},
    {"paper", "reproduce the figures and tables of the papers", command_paper},
    {"hash", "run a built-in scene and print its hash", command_hash},
    {"bench", "measure speed", command_bench},
};

enum { COMMANDS = sizeof commands / sizeof commands[0] };

static const char *command_name(int i)
{
    static const char *const more[] = {"--help", "--version"};
    return i < COMMANDS ? commands[i].name : i < COMMANDS + 2 ? more[i - COMMANDS] : NULL;
}

static void print_help(FILE *to)
{
    fprintf(to, "taut %s: cloth and soft bodies\n\n", TAUT_VERSION);
    fprintf(to, "usage: taut COMMAND ...\n\ncommands:\n");
    for (int i = 0; i < COMMANDS; i++)
        fprintf(to, "  %-10s %s\n", commands[i].name, commands[i].about);
    fprintf(to, "\n  --help     this text; after a command: about that command\n"
                "  --version  the version\n\nexamples:\n"
                "  taut run scenes/demo.json --out out/demo.glb --out out/demo.pc2\n"
                "  taut render scenes/demo.json --out out/demo.mp4\n"
                "  taut run --help\n");
}

static int run(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stderr);
        return EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        print_help(stdout);
        return 0;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("taut %s\n", TAUT_VERSION);
        return 0;
    }
    for (int i = 0; i < COMMANDS; i++)
        if (strcmp(argv[1], commands[i].name) == 0) return commands[i].run(argc - 2, argv + 2);
    return fail_unknown("taut", "command", argv[1], command_name);
}

/* Opens standard streams that are closed. Otherwise the next file that is opened would get the number of such a stream,
 * and messages would be written into that file. */
static bool open_streams(void)
{
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++)
        if (fcntl(stream, F_GETFD) < 0 && open("/dev/null", O_RDWR) != stream) return false;
    return true;
}

int main(int argc, char **argv)
{
    if (!open_streams()) return EXIT_USAGE;
    int code = run(argc, argv);
    if (fflush(stdout) != 0 || ferror(stdout))
        return fail("taut", "the output could not be written");
    return code;
}
