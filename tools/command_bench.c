/* taut bench: the command lines of the benchmarks in bench/, one row each. */
#include "arguments.h"
#include "chain.h"
#include "commands.h"
#include "contact.h"
#include "drape.h"
#include "kernels.h"
#include "perturbed.h"
#include "progress.h"
#include "sheet.h"
#include "shell.h"
#include "table.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* The settings of each benchmark. The command line changes those of the benchmark that it names. */
static struct {
    chain_options chain;
    contact_options contact;
    drape_options drape;
    kernels_options kernels, limits;
    perturbed_options perturbed;
    sheet_options sheet;
    shell_options shell;
    table_options table;
} asked = {
    .chain = {.threshold = 10},
    .contact = {.scale = 100},
    .drape = {.levels = TAUT_LEVELS_AUTO},
    .limits = {.limits = true},
    .perturbed = {.n = 81, .levels = TAUT_LEVELS_AUTO, .iterations = 5, .passes = 4000, .seed = 1},
    .sheet = {.n = 100, .levels = TAUT_LEVELS_AUTO},
    .shell = {.n = 81, .levels = 4, .bend = 300, .frames = 60},
    .table = {.frames = 3, .scale = 100},
};

static bool run_chain(taut_error *error) { return chain_run(&asked.chain, error); }
static bool run_contact(taut_error *error) { return contact_run(&asked.contact, error); }
static bool run_kernels(taut_error *error) { return kernels_run(&asked.kernels, error); }
static bool run_limits(taut_error *error) { return kernels_run(&asked.limits, error); }
static bool run_perturbed(taut_error *error) { return perturbed_run(&asked.perturbed, error); }
static bool run_sheet(taut_error *error) { return sheet_run(&asked.sheet, error); }
static bool run_shell(taut_error *error) { return shell_run(&asked.shell, error); }
static bool run_table(taut_error *error) { return table_run(&asked.table, error); }

/* ---- The bar under the rows of `taut bench drape` ---- */

enum { SHARES = 10000 };

static progress bar;

static void show_progress(double share, const char *about)
{
    char text[PROGRESS_TEXT], left[PROGRESS_TIME];
    int now = (int)(share * SHARES);
    if (!about) progress_erase(&bar);
    else if (progress_due(&bar, now)) {
        progress_pace(&bar, now, left);
        snprintf(text, sizeof text, "%d %%, %s left: %s", now / (SHARES / 100), left, about);
        progress_draw(&bar, now, text);
    }
}

/* The bar goes to stderr: rows are on stdout. */
static bool run_drape(taut_error *error)
{
    progress_begin(&bar, stderr, false, 0, SHARES);
    if (bar.terminal) asked.drape.progress = show_progress;
    bool done = drape_run(&asked.drape, error);
    progress_erase(&bar);
    return done;
}

static int check_kernel(const char *command)
{
    const char *kernel = asked.kernels.kernel;
    return !kernel || kernels_has(kernel) ? ARGUMENTS_READ : fail_unknown(command, "kernel", kernel, kernels_name);
}

/* ---- The table ---- */

/* Options that several benchmarks have. */
#define JSON(place)                                                                                                    \
    {                                                                                                                  \
        .name = "--json", .help = "print a JSON array, one row a line", .flag = (place)                                \
    }
#define QUICK(place)                                                                                                   \
    {                                                                                                                  \
        .name = "--quick", .help = "fewer repeats", .flag = (place)                                                    \
    }
#define COUNT(option, letter, what, place, from, to)                                                                   \
    {                                                                                                                  \
        .name = (option), .value = (letter), .help = (what), .number = (place), .least = (from), .most = (to)          \
    }
#define ELEMENTS(place) COUNT("--elements", "N", "only this size (3600, 100000 and 1000000)", place, 100, 10000000)
#define LIST(option, what, place)                                                                                      \
    {                                                                                                                  \
        .name = (option), .value = "LIST", .help = (what), .text = (place)                                             \
    }
#define SIDE(place, what) COUNT("--n", "N", what, place, 2, 2000)
#define LEVELS(place) COUNT("--levels", "L", "coarser meshes, -1: by its size (-1)", place, TAUT_LEVELS_AUTO, 12)

enum { MOST_OPTIONS = 15 };

typedef struct benchmark {
    const char *name, *line;           /* as printed in the list */
    bool (*run)(taut_error *error);    /* prints the result */
    int (*check)(const char *command); /* checks the options; NULL: there is nothing to check */
    const char *about, *example;
    option options[MOST_OPTIONS]; /* the last row has no name */
} benchmark;

static const benchmark benchmarks[] = {
    {
        .name = "chain",
        .line = "a stretched chain: the cost of bringing it back to its length",
        .run = run_chain,
        .about =
            "A chain of N vertices is pinned at one end, and each of its lines is a tenth to three tenths too long.\n"
            "What does it cost until no line differs from its length by more than the threshold (Wang et al. 2010,\n"
            "Fig. 12)?\n"
            "  rounds       rounds over all levels; for fast projection: Newton's steps\n"
            "  projections  projections of lines on all levels; for fast projection: lines in its systems\n"
            "  ms           processor time of one thread, the least of five\n"
            "  ratios       how many times less than on one level\n"
            "Methods: one level; levels of which the coarsest has 4, 8 or 16 lines; fast projection (Goldenthal et\n"
            "al. 2007), which solves for all lines at once, in double.",
        .example = "taut bench chain --n 129 --threshold 1",
        .options =
            {
                COUNT("--n", "N", "vertices, only that many (33, 65, 129, 257 and 513)", &asked.chain.n, 9, 4097),
                COUNT("--threshold", "T", "strain of the worst line, thousandths (10)", &asked.chain.threshold, 1, 100),
                {.name = "--arc",
                 .help = "start from a quarter of a circle instead of a straight line",
                 .flag = &asked.chain.arc},
                JSON(&asked.chain.json),
            },
    },
    {
        .name = "contact",
        .line = "cloth that touches itself and other cloth: time of a frame",
        .run = run_contact,
        .about =
            "What does contact cost? Sheets of the default material, with the default solver, at 60 frames a second:\n"
            "  sheet   1 m x 1 m, 12 800 triangles, falls on a ball of radius 0.2 m and folds on itself\n"
            "  large   the same of 100 000 triangles\n"
            "  huge    the same of a million; not with --quick\n"
            "  layers  50 sheets, 476 000 triangles in all, fall on that ball one upon the other\n"
            "  capes   100 capes of 500 vertices on capsules that go to and fro, then stand\n"
            "  mesh    a sheet of 20 000 vertices falls on a hill that is a mesh of 200 000 triangles\n"
            "Each runs with contact off, fast and strict. Columns:\n"
            "  moving, resting  ms of a frame: processor time with one thread, by the clock with more; mean and\n"
            "                   longest; the share of it that finding pairs of features takes\n"
            "  search, pairs    searches for pairs in a frame, and the pairs that they found\n"
            "  pushes           of pairs in the last pass of each substep\n"
            "  held             particles whose motion was cut short\n"
            "  mm/s             root mean square speed at the end\n"
            "  crossings        edges through triangles at the end, counted exactly; 0 if strict",
        .example = "taut bench contact --scene sheet --contact off,strict --threads 1",
        .options =
            {
                LIST("--scene", "only these: sheet,large,huge,layers,capes,mesh", &asked.contact.scenes),
                LIST("--contact", "only these: off,fast,strict", &asked.contact.tiers),
                COUNT("--threads", "T", "0: one per core (0)", &asked.contact.threads, 0, TAUT_MOST_THREADS),
                COUNT("--scale", "P", "percent of the triangles (100)", &asked.contact.scale, 1, 100),
                {.name = "--quick", .help = "smaller and shorter", .flag = &asked.contact.quick},
                JSON(&asked.contact.json),
            },
    },
    {
        .name = "drape",
        .line = "draped cloth with default settings: time of a frame, stretch, folds",
        .run = run_drape,
        .about =
            "Measures cloth with the default material and solver, on meshes of any size and at any frame rate. The\n"
            "default material of cloth is " TAUT_DEFAULT_CLOTH ".\n"
            "  hang   1 m x 1 m, held by two corners that come together to 0.8 m in the first second; 10 s\n"
            "  shake  the same, then moved 0.3 m to and fro sideways, twice a second; 3 s\n"
            "  ball   1 m x 1 m, falls on a ball of radius 0.3 m with friction 0.5; 5 s\n"
            "  table  a round sheet of radius 0.15 m hangs over a disc of 0.09 m (Cusick's drape test); 5 s\n"
            "  top    1 m x 1 m, held by its upper edge; 5 s\n"
            "Columns. Stretch and squeeze have two figures: 99 % are below the first (the median of all frames), and\n"
            "the second is the worst of all. Both are measured over the last second, with shake over all of it.\n"
            "  ms       mean time of a frame: processor time with one thread, by the clock with more\n"
            "  stretch  how much longer warp and weft of the triangles, and edges, are than at rest\n"
            "  squeeze  how much shorter they are\n"
            "  mm/s     root mean square speed\n"
            "  plumb    how far the centre of mass is from below the pins, degrees\n"
            "  folds    folds of the hem that are over 1 % of the sheet's width\n"
            "  drape    drape coefficient: the share of the overhanging cloth that is seen from above, percent\n"
            "  bend     95 % of the angles over edges are below this, rad, times n; grows with n if cloth crumples\n"
            "  sag      for a material with a modulus: how many times more it sags than the modulus says\n"
            "JSON has more of each, lengths in m and angles as their keys say.",
        .example = "taut bench drape --test hang,shake --n 50,100 --fps 60",
        .options =
            {
                LIST("--test", "only these: hang,shake,ball,table,top", &asked.drape.tests),
                LIST("--n", "vertices along a side (25,50,100,200)", &asked.drape.sides),
                LIST("--mesh", "only this kind: regular,irregular", &asked.drape.meshes),
                LIST("--fps", "frames a second (24,60,120)", &asked.drape.rates),
                LIST("--threads", "numbers of threads (1,2)", &asked.drape.threads),
                {.name = "--material",
                 .value = "NAME",
                 .help = "a preset in place of the default material",
                 .text = &asked.drape.material},
                {.name = "--contact",
                 .value = "TIER",
                 .help = "off, fast or strict in place of the default (strict for cloth)",
                 .text = &asked.drape.contact},
                {.name = "--counts",
                 .help = "for comparison: solver.stretch 0, so bodies are solved by counts",
                 .flag = &asked.drape.counts},
                COUNT("--substeps", "S", "like --counts, with S substeps (16)", &asked.drape.substeps, 1, 1000),
                COUNT("--iterations", "I", "like --counts, with I iterations (1)", &asked.drape.iterations, 1, 1000),
                LEVELS(&asked.drape.levels),
                {.name = "--flat",
                 .help = "to explore: exactly flat sheets, which cannot buckle",
                 .flag = &asked.drape.flat},
                {.name = "--quick",
                 .help = "n 25 and 50, irregular, 60 frames a second, one thread",
                 .flag = &asked.drape.quick},
                JSON(&asked.drape.json),
            },
    },
    {
        .name = "kernels",
        .line = "nanoseconds per projection of each kind of constraint",
        .run = run_kernels,
        .check = check_kernel,
        .about =
            "Measures each kind of constraint against the plain reference solver (one thread, the mesh's own\n"
            "order). Nanoseconds per projection are the time of one pass over all elements of a mesh, divided by\n"
            "their number. Bursts of both solvers alternate. Each pass starts from the same positions, a few percent\n"
            "off rest. Medians are reported. `ratio` is the time of the reference divided by that of Taut.\n"
            "`elements` is the requested size, and `count` is the size of the mesh, which is as near as possible.\n"
            "At 1000000 elements a mesh whose vertices and elements are shuffled is measured too; there the\n"
            "reference runs on the shuffled mesh, once.",
        .example = "taut bench kernels --kernel strain_tri --elements 3600 --json",
        .options =
            {
                JSON(&asked.kernels.json),
                {.name = "--kernel",
                 .value = "NAME",
                 .help = "only this kind of constraint",
                 .text = &asked.kernels.kernel},
                ELEMENTS(&asked.kernels.elements),
                QUICK(&asked.kernels.quick),
            },
    },
    {
        .name = "limits",
        .line = "nanoseconds per element of each kind of hard limit",
        .run = run_limits,
        .about = "Measures the hard limits as `taut bench kernels` measures constraints: nanoseconds per element of\n"
                 "one pass over a mesh, against the formulas of Wang et al. as printed (one thread, the mesh's own\n"
                 "order). Every element is outside its limits and has to be moved. In rows that end in _skip every\n"
                 "element is within its limits and is only tested.",
        .example = "taut bench limits --elements 3600 --json",
        .options =
            {
                JSON(&asked.limits.json),
                ELEMENTS(&asked.limits.elements),
                QUICK(&asked.limits.quick),
            },
    },
    {
        .name = "perturbed",
        .line = "a sheet out of shape: time until its limits hold again",
        .run = run_perturbed,
        .about =
            "A flat sheet of 1 m x 1 m is pushed out of shape, by long waves of up to 0.1 m and by noise of a third\n"
            "of a cell, and its triangles may be neither stretched nor compressed. How long does it take until\n"
            "that is so (Wang et al. 2010, Fig. 14)?\n"
            "  residual  |stretch - 1|, the mean over all triangles and both principal stretches\n"
            "  passes    over the sheet itself until the residual is that small\n"
            "  ms        processor time of one thread until then, coarser levels included\n"
            "  ratio     how many times faster than limits on one level\n"
            "Methods: limits of principal stretches on one level; the same after coarser levels that limit stretch\n"
            "alone, or (both ways) compression too, which is right for a sheet that is to be flat again; the same\n"
            "(bend) if no hinge may bend by more than 3 degrees a centimetre either, on one level, with levels, and\n"
            "with levels that are trained first (indirectly, half a minute that does not count); and methods of\n"
            "others: each Cauchy strain by itself (Thomaszewski et al. 2009), springs (Provot 1995).",
        .example = "taut bench perturbed --n 41 --json",
        .options =
            {
                SIDE(&asked.perturbed.n, "vertices along each side (81)"),
                LEVELS(&asked.perturbed.levels),
                COUNT("--iterations", "I", "passes over each level in turn (5)", &asked.perturbed.iterations, 1, 1000),
                COUNT("--passes", "P", "over the sheet itself, at most (4000)", &asked.perturbed.passes, 1, 1000000),
                COUNT("--seed", "S", "of the perturbation (1)", &asked.perturbed.seed, 1, INT_MAX),
                JSON(&asked.perturbed.json),
            },
    },
    {
        .name = "sheet",
        .line = "a hanging sheet: time of a step, sag and stretch",
        .run = run_sheet,
        .about = "A sheet of 1 m x 1 m and 0.2 kg, N x N vertices, hangs by its two upper corners without air, damped\n"
                 "by 1/s. It starts vertical (with --flat: exactly flat, so that it cannot buckle), settles for 600 "
                 "steps of 1/60 s and is then measured for 100.\n"
                 "  ms           median time of a step\n"
                 "  sag          how far the lowest vertex hangs below 1 m under the pins, percent of 1 m\n"
                 "  p99_stretch  99 % of the edges are stretched less than this, percent\n"
                 "  max_stretch  the worst edge, percent\n"
                 "  compression  99 % of the edges are squeezed less than this, percent\n"
                 "  rms_speed    of all vertices at the end, m/s\n"
                 "The cloth has stiff edges; the default substeps and iterations suit it.",
        .example = "taut bench sheet --n 50 --threads 1 --json",
        .options =
            {
                SIDE(&asked.sheet.n, "vertices along each side (100)"),
                COUNT("--threads", "T", "0: one per core (0)", &asked.sheet.threads, 0, TAUT_MOST_THREADS),
                COUNT("--substeps", "S", "per step (3; 2 from n = 200 on; 16 with --strain)", &asked.sheet.substeps, 1,
                      1000),
                COUNT("--iterations", "I", "per substep (2; 1 with --strain)", &asked.sheet.iterations, 1, 1000),
                LEVELS(&asked.sheet.levels),
                {.name = "--strain",
                 .help = "ratio stiffness of warp and weft in place of edges",
                 .flag = &asked.sheet.strain},
                {.name = "--flat",
                 .help = "exactly flat at the start, so that it cannot buckle",
                 .flag = &asked.sheet.flat},
                {.name = "--no-tethers", .help = "without long-range attachments", .flag = &asked.sheet.no_tethers},
                {.name = "--compare",
                 .help = "also by substeps alone, until as good (minutes)",
                 .flag = &asked.sheet.compare},
                {.name = "--json", .help = "print a JSON object", .flag = &asked.sheet.json},
            },
    },
    {
        .name = "shell",
        .line = "a falling shell: the effect of levels and of their training",
        .run = run_shell,
        .about =
            "A shell of 1 m x 1 m that lies level, held along one side, swings down. It gives by 5 % and bends by D\n"
            "degrees times the heights of its triangles, and has nothing but these limits.\n"
            "  passes   over the limits of each level, in each frame\n"
            "  ms       processor time of one thread a frame\n"
            "  stretch  strain that is left beyond the limits, root mean square, mean of all frames\n"
            "  bend     the same for bending\n"
            "Methods: one level; coarser levels with the limits that they have by themselves; coarser levels with\n"
            "limits trained directly, which takes most of the time and does not count.",
        .example = "taut bench shell --n 41 --levels 3 --bend 30",
        .options =
            {
                SIDE(&asked.shell.n, "vertices along each side (81)"),
                LEVELS(&asked.shell.levels),
                COUNT("--bend", "D", "degrees a metre (300)", &asked.shell.bend, 1, 9999),
                COUNT("--frames", "F", "of 1/60 s (60)", &asked.shell.frames, 1, 100000),
                JSON(&asked.shell.json),
            },
    },
    {
        .name = "table",
        .line = "large bodies under limits: time of a frame beside a paper's",
        .run = run_table,
        .about =
            "Bodies of the sizes of Table 1 of Wang et al. 2010, shapes of our own, hang by their tops under gravity\n"
            "and the limits of its figures (stretch within 1 or 5 %, bending within 3 or 60 degrees a centimetre),\n"
            "with as many levels and iterations on each as the paper took, at 1/30 s a step.\n"
            "  ms, ratio    a frame, processor time of one thread; how many times less than the paper's\n"
            "  threads      the same by the clock, with one thread per core\n"
            "  paper's      ms a frame on its machine of 2010\n"
            "  strain       mean violation of the triangles or tets that are outside their limits\n"
            "  bend         the same for edges, in degrees a centimetre\n"
            "  enough       the fewest iterations, to within an eighth, that leave no more than the paper reports\n"
            "               (1 % and 1.2 degrees a centimetre), and their ms with all threads",
        .example = "taut bench table --frames 1 --scale 10",
        .options =
            {
                COUNT("--frames", "N", "that are timed (3)", &asked.table.frames, 1, 1000),
                COUNT("--scale", "P", "percent of the paper's iterations (100)", &asked.table.scale, 1, 100),
                JSON(&asked.table.json),
            },
    },
};

/* ---- The command ---- */

static int run_benchmark(const benchmark *b, int argc, char **argv)
{
    char command[40];
    taut_error error;
    snprintf(command, sizeof command, "taut bench %s", b->name);
    const syntax s = {.command = command, .about = b->about, .example = b->example, .options = b->options};
    int code = arguments_read(&s, argc, argv);
    if (code == ARGUMENTS_READ && b->check) code = b->check(command);
    if (code != ARGUMENTS_READ) return code;
    return b->run(&error) ? 0 : fail(command, "%s", error.text);
}

enum { BENCHMARKS = sizeof benchmarks / sizeof benchmarks[0] };

static const char *benchmark_name(int i) { return i < BENCHMARKS ? benchmarks[i].name : NULL; }

static void print_list(FILE *to)
{
    fprintf(to, "usage: taut bench BENCHMARK ...\n\nbenchmarks:\n");
    for (int i = 0; i < BENCHMARKS; i++) fprintf(to, "  %-10s %s\n", benchmarks[i].name, benchmarks[i].line);
    fprintf(to, "\n  --help     after a benchmark: about that benchmark\n"
                "\nexample:\n  taut bench drape --quick\n");
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
        if (strcmp(argv[0], benchmarks[i].name) == 0) return run_benchmark(&benchmarks[i], argc - 1, argv + 1);
    return fail_unknown("taut bench", "benchmark", argv[0], benchmark_name);
}
