/* taut bench: the benchmarks of bench/ behind their command lines. */
#include "arguments.h"
#include "commands.h"
#include "kernels.h"
#include "sheet.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

static int run_kernels(int argc, char **argv)
{
    static const char *const command = "taut bench kernels";
    kernels_options o = {0};
    const option options[] = {
        {.name = "--json", .help = "print a JSON array, one row a line", .flag = &o.json},
        {.name = "--kernel",
         .value = "NAME",
         .help = "only this kind of constraint",
         .text = &o.kernel},
        {.name = "--elements",
         .value = "N",
         .help = "only this size (3600, 100000 and 1000000)",
         .number = &o.elements,
         .least = 100,
         .most = 10000000},
        {.name = "--quick", .help = "fewer repeats", .flag = &o.quick},
        {0},
    };
    const syntax s = {
        .command = command,
        .about =
            "Measures each kind of constraint: nanoseconds per projection, that is the time of one "
            "pass over all\n"
            "elements of a mesh divided by their number, against the plain reference solver (one "
            "thread, the\n"
            "mesh's own order). Bursts of both alternate; each pass starts from the same "
            "positions, a few percent\n"
            "off rest; medians are reported. `ratio` is how many times faster than the reference.\n"
            "`elements` is the size asked for, `count` that of the mesh, which comes as near as it "
            "can.\n"
            "At 1000000 elements a mesh whose vertices and elements are shuffled is measured too; "
            "there the\n"
            "reference runs on the shuffled mesh, once.",
        .example = "taut bench kernels --kernel strain_tri --elements 3600 --json",
        .options = options,
    };
    int code = arguments_read(&s, argc, argv);
    if (code != ARGUMENTS_READ) return code;
    if (o.kernel && !kernels_has(o.kernel))
        return fail_unknown(command, "kernel", o.kernel, kernels_name);
    taut_error error;
    return kernels_run(&o, &error) ? 0 : fail(command, "%s", error.text);
}

static int run_limits(int argc, char **argv)
{
    static const char *const command = "taut bench limits";
    kernels_options o = {.limits = true};
    const option options[] = {
        {.name = "--json", .help = "print a JSON array, one row a line", .flag = &o.json},
        {.name = "--elements",
         .value = "N",
         .help = "only this size (3600, 100000 and 1000000)",
         .number = &o.elements,
         .least = 100,
         .most = 10000000},
        {.name = "--quick", .help = "fewer repeats", .flag = &o.quick},
        {0},
    };
    const syntax s = {
        .command = command,
        .about =
            "Measures the hard limits like `taut bench kernels` does the constraints: nanoseconds "
            "per element of\n"
            "one pass over a mesh, against the formulas of Wang et al. as they read (one thread, "
            "the mesh's own\n"
            "order). Every element is outside its limits and has to be moved, but for "
            "limit_tri_skip, where every\n"
            "triangle is within them and only looked at.",
        .example = "taut bench limits --elements 3600 --json",
        .options = options,
    };
    int code = arguments_read(&s, argc, argv);
    if (code != ARGUMENTS_READ) return code;
    taut_error error;
    return kernels_run(&o, &error) ? 0 : fail(command, "%s", error.text);
}

static int run_sheet(int argc, char **argv)
{
    static const char *const command = "taut bench sheet";
    sheet_options o = {.n = 100, .levels = TAUT_LEVELS_AUTO};
    const option options[] = {
        {.name = "--n",
         .value = "N",
         .help = "vertices along each side (100)",
         .number = &o.n,
         .least = 2,
         .most = 2000},
        {.name = "--threads",
         .value = "T",
         .help = "0: one per core (0)",
         .number = &o.threads,
         .most = 256},
        {.name = "--substeps",
         .value = "S",
         .help = "per step (3; 16 with --strain)",
         .number = &o.substeps,
         .least = 1,
         .most = 1000},
        {.name = "--iterations",
         .value = "I",
         .help = "per substep (2; 1 with --strain)",
         .number = &o.iterations,
         .least = 1,
         .most = 1000},
        {.name = "--levels",
         .value = "L",
         .help = "coarser meshes, -1: by its size (-1)",
         .number = &o.levels,
         .least = -1,
         .most = 12},
        {.name = "--strain", .help = "the default material: warp and weft in place of edges", .flag = &o.strain},
        {.name = "--no-tethers", .help = "without long-range attachments", .flag = &o.no_tethers},
        {.name = "--compare", .help = "also by substeps alone, until as good (minutes)", .flag = &o.compare},
        {.name = "--json", .help = "print a JSON object", .flag = &o.json},
        {0},
    };
    const syntax s = {
        .command = command,
        .about =
            "A sheet of 1 m x 1 m and 0.2 kg, N x N vertices, hangs by its two upper corners "
            "without air, damped\n"
            "by 1/s. It starts flat and vertical, settles for 600 steps of 1/60 s and is then "
            "measured for 100.\n"
            "  ms           median time of a step\n"
            "  sag          how far the lowest vertex hangs below 1 m under the pins, percent of 1 "
            "m\n"
            "  p99_stretch  99 % of the edges are stretched less than this, percent\n"
            "  max_stretch  the worst edge, percent\n"
            "  compression  99 % of the edges are squeezed less than this, percent\n"
            "  rms_speed    of all vertices at the end, m/s\n"
            "The cloth has stiff edges; substeps and iterations are what suits it.",
        .example = "taut bench sheet --n 50 --threads 1 --json",
        .options = options,
    };
    int code = arguments_read(&s, argc, argv);
    if (code != ARGUMENTS_READ) return code;
    taut_error error;
    return sheet_run(&o, &error) ? 0 : fail(command, "%s", error.text);
}

typedef struct benchmark {
    const char *name, *about;
    int (*run)(int argc, char **argv);
} benchmark;

static const benchmark benchmarks[] = {
    {"kernels", "nanoseconds per projection of each kind of constraint", run_kernels},
    {"limits", "nanoseconds per element of each kind of hard limit", run_limits},
    {"sheet", "a hanging sheet: time of a step, sag and stretch", run_sheet},
};

enum { BENCHMARKS = sizeof benchmarks / sizeof benchmarks[0] };

static const char *benchmark_name(int i) { return i < BENCHMARKS ? benchmarks[i].name : NULL; }

static int print_list(void)
{
    printf("usage: taut bench BENCHMARK ...\n\nbenchmarks:\n");
    for (int i = 0; i < BENCHMARKS; i++)
        printf("  %-10s %s\n", benchmarks[i].name, benchmarks[i].about);
    printf("\n  --help     after a benchmark: about that benchmark\n"
           "\nexample:\n  taut bench sheet --n 50\n");
    return 0;
}

int command_bench(int argc, char **argv)
{
    if (argc == 0 || strcmp(argv[0], "--help") == 0 || strcmp(argv[0], "-h") == 0)
        return print_list();
    for (int i = 0; i < BENCHMARKS; i++)
        if (strcmp(argv[0], benchmarks[i].name) == 0) return benchmarks[i].run(argc - 1, argv + 1);
    return fail_unknown("taut bench", "benchmark", argv[0], benchmark_name);
}
