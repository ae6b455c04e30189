/* taut bench: the benchmarks of bench/ behind their command lines. */
#include "arguments.h"
#include "chain.h"
#include "commands.h"
#include "kernels.h"
#include "perturbed.h"
#include "sheet.h"
#include "shell.h"
#include "table.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* ---- What several benchmarks have ---- */

static option json_option(bool *json)
{
    return (option){.name = "--json", .help = "print a JSON array, one row a line", .flag = json};
}

static option elements_option(int *elements)
{
    return (option){.name = "--elements",
                    .value = "N",
                    .help = "only this size (3600, 100000 and 1000000)",
                    .number = elements,
                    .least = 100,
                    .most = 10000000};
}

static option quick_option(bool *quick) { return (option){.name = "--quick", .help = "fewer repeats", .flag = quick}; }

/* Vertices along each side. */
static option side_option(const char *help, int *n)
{
    return (option){.name = "--n", .value = "N", .help = help, .number = n, .least = 2, .most = 2000};
}

static option levels_option(int *levels)
{
    return (option){.name = "--levels",
                    .value = "L",
                    .help = "coarser meshes, -1: by its size (-1)",
                    .number = levels,
                    .least = TAUT_LEVELS_AUTO,
                    .most = 12};
}

static int exit_code(const char *command, bool done, const taut_error *error)
{
    return done ? 0 : fail(command, "%s", error->text);
}

/* ---- The benchmarks ---- */

static int run_kernels(int argc, char **argv)
{
    static const char *const command = "taut bench kernels";
    kernels_options o = {0};
    const option options[] = {
        json_option(&o.json),
        {.name = "--kernel", .value = "NAME", .help = "only this kind of constraint", .text = &o.kernel},
        elements_option(&o.elements),
        quick_option(&o.quick),
        {0},
    };
    const syntax s = {
        .command = command,
        .about =
            "Measures each kind of constraint: nanoseconds per projection, that is the time of one pass over all\n"
            "elements of a mesh divided by their number, against the plain reference solver (one thread, the\n"
            "mesh's own order). Bursts of both alternate; each pass starts from the same positions, a few percent\n"
            "off rest; medians are reported. `ratio` is how many times faster than the reference.\n"
            "`elements` is the size asked for, `count` that of the mesh, which comes as near as it can.\n"
            "At 1000000 elements a mesh whose vertices and elements are shuffled is measured too; there the\n"
            "reference runs on the shuffled mesh, once.",
        .example = "taut bench kernels --kernel strain_tri --elements 3600 --json",
        .options = options,
    };
    int code = arguments_read(&s, argc, argv);
    if (code != ARGUMENTS_READ) return code;
    if (o.kernel && !kernels_has(o.kernel)) return fail_unknown(command, "kernel", o.kernel, kernels_name);
    taut_error error;
    return exit_code(command, kernels_run(&o, &error), &error);
}

static int run_limits(int argc, char **argv)
{
    static const char *const command = "taut bench limits";
    kernels_options o = {.limits = true};
    const option options[] = {
        json_option(&o.json),
        elements_option(&o.elements),
        quick_option(&o.quick),
        {0},
    };
    const syntax s = {
        .command = command,
        .about =
            "Measures the hard limits like `taut bench kernels` does the constraints: nanoseconds per element of\n"
            "one pass over a mesh, against the formulas of Wang et al. as they read (one thread, the mesh's own\n"
            "order). Every element is outside its limits and has to be moved; in rows that end in _skip every\n"
            "one is within them and only looked at.",
        .example = "taut bench limits --elements 3600 --json",
        .options = options,
    };
    int code = arguments_read(&s, argc, argv);
    if (code != ARGUMENTS_READ) return code;
    taut_error error;
    return exit_code(command, kernels_run(&o, &error), &error);
}

static int run_sheet(int argc, char **argv)
{
    static const char *const command = "taut bench sheet";
    sheet_options o = {.n = 100, .levels = TAUT_LEVELS_AUTO};
    const option options[] = {
        side_option("vertices along each side (100)", &o.n),
        {.name = "--threads", .value = "T", .help = "0: one per core (0)", .number = &o.threads, .most = 256},
        {.name = "--substeps",
         .value = "S",
         .help = "per step (3; 2 from n = 200 on; 16 with --strain)",
         .number = &o.substeps,
         .least = 1,
         .most = 1000},
        {.name = "--iterations",
         .value = "I",
         .help = "per substep (2; 1 with --strain)",
         .number = &o.iterations,
         .least = 1,
         .most = 1000},
        levels_option(&o.levels),
        {.name = "--strain", .help = "the default material: warp and weft in place of edges", .flag = &o.strain},
        {.name = "--no-tethers", .help = "without long-range attachments", .flag = &o.no_tethers},
        {.name = "--compare", .help = "also by substeps alone, until as good (minutes)", .flag = &o.compare},
        {.name = "--json", .help = "print a JSON object", .flag = &o.json},
        {0},
    };
    const syntax s = {
        .command = command,
        .about = "A sheet of 1 m x 1 m and 0.2 kg, N x N vertices, hangs by its two upper corners without air, damped\n"
                 "by 1/s. It starts flat and vertical, settles for 600 steps of 1/60 s and is then measured for 100.\n"
                 "  ms           median time of a step\n"
                 "  sag          how far the lowest vertex hangs below 1 m under the pins, percent of 1 m\n"
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
    return exit_code(command, sheet_run(&o, &error), &error);
}

static int run_shell(int argc, char **argv)
{
    static const char *const command = "taut bench shell";
    shell_options o = {.n = 81, .levels = 4, .bend = 300, .frames = 60};
    const option options[] = {
        side_option("vertices along each side (81)", &o.n),
        levels_option(&o.levels),
        {.name = "--bend", .value = "D", .help = "degrees a metre (300)", .number = &o.bend, .least = 1, .most = 9999},
        {.name = "--frames", .value = "F", .help = "of 1/60 s (60)", .number = &o.frames, .least = 1, .most = 100000},
        json_option(&o.json),
        {0},
    };
    const syntax s = {
        .command = command,
        .about =
            "A shell of 1 m x 1 m that lies level, held along one side, swings down. It gives by 5 % and bends by D\n"
            "degrees times the heights of its triangles, and has nothing but these limits.\n"
            "  passes   over the limits of each level, in each frame\n"
            "  ms       processor time of one thread a frame\n"
            "  stretch  what is left over of strain beyond the limits, root mean square, mean of all frames\n"
            "  bend     the same of bending\n"
            "Methods: one level; coarser levels with the limits that they have by themselves; and trained ones,\n"
            "directly, which takes most of the time and does not count.",
        .example = "taut bench shell --n 41 --levels 3 --bend 30",
        .options = options,
    };
    int code = arguments_read(&s, argc, argv);
    if (code != ARGUMENTS_READ) return code;
    taut_error error;
    return exit_code(command, shell_run(&o, &error), &error);
}

static int run_perturbed(int argc, char **argv)
{
    static const char *const command = "taut bench perturbed";
    perturbed_options o = {.n = 81, .levels = TAUT_LEVELS_AUTO, .iterations = 5, .passes = 4000, .seed = 1};
    const option options[] = {
        side_option("vertices along each side (81)", &o.n),
        levels_option(&o.levels),
        {.name = "--iterations",
         .value = "I",
         .help = "passes over each level in turn (5)",
         .number = &o.iterations,
         .least = 1,
         .most = 1000},
        {.name = "--passes",
         .value = "P",
         .help = "over the sheet itself, at most (4000)",
         .number = &o.passes,
         .least = 1,
         .most = 1000000},
        {.name = "--seed",
         .value = "S",
         .help = "of the perturbation (1)",
         .number = &o.seed,
         .least = 1,
         .most = INT_MAX},
        json_option(&o.json),
        {0},
    };
    const syntax s = {
        .command = command,
        .about =
            "A flat sheet of 1 m x 1 m is pushed out of shape, by long waves of up to 0.1 m and by noise of a third\n"
            "of a cell, and its triangles may be neither stretched nor compressed. How long does it take until\n"
            "they are not (Wang et al. 2010, Fig. 14)?\n"
            "  residual  |stretch - 1|, the mean over all triangles and both principal stretches\n"
            "  passes    over the sheet itself until it is that small\n"
            "  ms        processor time of one thread until then, coarser levels included\n"
            "  ratio     how many times faster than limits on one level\n"
            "Methods: limits of principal stretches on one level; after those of coarser levels, which limit stretch\n"
            "alone; or (both ways) compression too, which is right for a sheet that is to be flat again; the same\n"
            "(bend) where no hinge may bend by more than 3 degrees a centimetre either, on one level, with levels,\n"
            "and with levels that are trained first (indirectly, half a minute that does not count); and what\n"
            "others do: each Cauchy strain by itself (Thomaszewski et al. 2009), springs (Provot 1995).",
        .example = "taut bench perturbed --n 41 --json",
        .options = options,
    };
    int code = arguments_read(&s, argc, argv);
    if (code != ARGUMENTS_READ) return code;
    taut_error error;
    return exit_code(command, perturbed_run(&o, &error), &error);
}

static int run_chain(int argc, char **argv)
{
    static const char *const command = "taut bench chain";
    chain_options o = {.threshold = 10};
    const option options[] = {
        {.name = "--n",
         .value = "N",
         .help = "vertices, only that many (33, 65, 129, 257 and 513)",
         .number = &o.n,
         .least = 9,
         .most = 4097},
        {.name = "--threshold",
         .value = "T",
         .help = "strain of the worst line, thousandths (10)",
         .number = &o.threshold,
         .least = 1,
         .most = 100},
        {.name = "--arc", .help = "from a quarter of a circle rather than a straight line", .flag = &o.arc},
        json_option(&o.json),
        {0},
    };
    const syntax s = {
        .command = command,
        .about =
            "A chain of N vertices is pinned at one end, and each of its lines is a tenth to three tenths too long.\n"
            "What does it cost until no line differs from its length by more than the threshold (Wang et al. 2010,\n"
            "Fig. 12)?\n"
            "  rounds       over all levels; Newton's steps of fast projection\n"
            "  projections  of lines, on all levels; of fast projection: lines in the systems that it solves\n"
            "  ms           processor time of one thread, the least of five\n"
            "  ratios       how many times less than on one level\n"
            "Methods: one level; levels of which the coarsest has 4, 8 or 16 lines; fast projection (Goldenthal et\n"
            "al. 2007), which solves for all lines at once, in double.",
        .example = "taut bench chain --n 129 --threshold 1",
        .options = options,
    };
    int code = arguments_read(&s, argc, argv);
    if (code != ARGUMENTS_READ) return code;
    taut_error error;
    return exit_code(command, chain_run(&o, &error), &error);
}

static int run_table(int argc, char **argv)
{
    static const char *const command = "taut bench table";
    table_options o = {.frames = 3, .scale = 100};
    const option options[] = {
        {.name = "--frames", .value = "N", .help = "that are timed (3)", .number = &o.frames, .least = 1, .most = 1000},
        {.name = "--scale",
         .value = "P",
         .help = "percent of the paper's iterations (100)",
         .number = &o.scale,
         .least = 1,
         .most = 100},
        json_option(&o.json),
        {0},
    };
    const syntax s = {
        .command = command,
        .about =
            "Bodies of the sizes of Table 1 of Wang et al. 2010, shapes of our own, hang by their tops under gravity\n"
            "and the limits of its figures (stretch within 1 or 5 %, bending within 3 or 60 degrees a centimetre),\n"
            "with as many levels and iterations on each as the paper took, at 1/30 s a step.\n"
            "  ms, ratio    a frame, processor time of one thread; how many times less than the paper's\n"
            "  threads      the same by the clock, with one thread per core\n"
            "  paper's      ms a frame on its machine of 2010\n"
            "  strain       how far triangles or tets are outside that are outside their limits, on average\n"
            "  bend         the same of edges, in degrees a centimetre\n"
            "  enough       the fewest iterations, to within an eighth, that leave no more than the paper reports\n"
            "               (1 % and 1.2 degrees a centimetre), and their ms with all threads",
        .example = "taut bench table --frames 1 --scale 10",
        .options = options,
    };
    int code = arguments_read(&s, argc, argv);
    if (code != ARGUMENTS_READ) return code;
    taut_error error;
    return exit_code(command, table_run(&o, &error), &error);
}

typedef struct benchmark {
    const char *name, *about;
    int (*run)(int argc, char **argv);
} benchmark;

static const benchmark benchmarks[] = {
    {"chain", "a stretched chain: what it costs to bring it back to its length", run_chain},
    {"kernels", "nanoseconds per projection of each kind of constraint", run_kernels},
    {"limits", "nanoseconds per element of each kind of hard limit", run_limits},
    {"perturbed", "a sheet out of shape: time until its limits hold again", run_perturbed},
    {"sheet", "a hanging sheet: time of a step, sag and stretch", run_sheet},
    {"shell", "a falling shell: what levels and their training are worth", run_shell},
    {"table", "large bodies under limits: time of a frame beside a paper's", run_table},
};

enum { BENCHMARKS = sizeof benchmarks / sizeof benchmarks[0] };

static const char *benchmark_name(int i) { return i < BENCHMARKS ? benchmarks[i].name : NULL; }

static void print_list(FILE *to)
{
    fprintf(to, "usage: taut bench BENCHMARK ...\n\nbenchmarks:\n");
    for (int i = 0; i < BENCHMARKS; i++) fprintf(to, "  %-10s %s\n", benchmarks[i].name, benchmarks[i].about);
    fprintf(to, "\n  --help     after a benchmark: about that benchmark\n"
                "\nexample:\n  taut bench sheet --n 50\n");
}

int command_bench(int argc, char **argv)
{
    if (argc == 0) {
        print_list(stderr);
        return EXIT_USAGE;
    }
    if (strcmp(argv[0], "--help") == 0 || strcmp(argv[0], "-h") == 0) {
        print_list(stdout);
        return 0;
    }
    for (int i = 0; i < BENCHMARKS; i++)
        if (strcmp(argv[0], benchmarks[i].name) == 0) return benchmarks[i].run(argc - 1, argv + 1);
    return fail_unknown("taut bench", "benchmark", argv[0], benchmark_name);
}
